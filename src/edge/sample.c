/* sample.c: see sample.h.
 *
 * First how many edges each internal node gets, then which.
 *
 * How many. Independent coins for all pairs, found by geometric gaps, would give a node a
 * binomial number: on top of the noise, the total of E edges would stray by sqrt(E), 5 percent at
 * 400 edges, for nothing. Rounded instead: with running sums s_r of the expected numbers and one
 * uniform u, node r gets floor(s_r + u) - floor(s_{r-1} + u). Every node's number is right on
 * average, and every run of nodes, so every subtree and the whole, is right to less than one edge.
 *
 * Which. A node's candidate pairs lie in the grid of its left candidates times its right ones. A
 * cell is drawn uniformly and drawn again if it is a public edge or was drawn before. Where that
 * would fail too often (a grid more than half public, or filled to more than half) the grid is
 * walked once instead, taking each cell with probability (still wanted) / (still there): its size
 * is then at most twice its public edges or four times the edges wanted.
 *
 * Node r draws from stream r of the fast generator. Nodes with many edges come last, one after
 * another, because each needs a large table of what was drawn.
 *
 * Workload: n from thousands to millions, a few edges a node, most nodes none. */
#include "edge/sample.h"
#include "base/memory.h"
#include "random/fast.h"

#include <math.h>
#include <string.h>

enum {
    table_size_small = 1 << 12, /* for the nodes that threads share out */
    most_edges_small = table_size_small / 2,
    few_edges = 16, /* looking through them is quicker than a table */
    nodes_a_step = 1024
};

typedef struct sampler {
    const hrr_dendrogram *tree;
    const hrr_edge_public *known;
    const uint64_t *node_pairs;
    uint32_t *before;     /* n + 1: candidates before each position */
    uint32_t *candidate;  /* the candidates in the order of the tree */
    uint64_t *row_start;  /* n + 1: public edges by source; NULL if there are none */
    uint64_t *edge_start; /* n_internal + 1: where a node's edges go */
    uint32_t *source, *target;
    uint64_t seed;
} sampler;

/* ---- how many ------------------------------------------------------------------------------- */

/* Successes among n independent coins of probability p, by the gaps between them. */
static uint64_t draw_binomial(hrr_fast_random *random, uint64_t n, double p)
{
    uint64_t successes = 0, at = 0;
    if (p <= 0) return 0;
    for (;;) {
        const uint64_t gap = hrr_fast_geometric(random, fmin(p, 1));
        if (gap >= n - at) return successes;
        at += gap + 1;
        successes++;
        if (at == n) return successes;
    }
}

static void plan_rounded(sampler *self, uint32_t n_internal, const double *expected)
{
    hrr_fast_random random;
    hrr_fast_init(&random, self->seed, UINT64_MAX);
    double due = hrr_fast_uniform(&random); /* expected, not yet given out */
    for (uint32_t r = 0; r < n_internal; r++) {
        due += expected[r];
        const double whole = fmin(floor(due), (double)self->node_pairs[r]);
        due -= whole;
        self->edge_start[r + 1] = self->edge_start[r] + (uint64_t)whole;
    }
}

static void plan_independent(sampler *self, uint32_t n_internal, const double *expected)
{
    hrr_fast_random random;
    hrr_fast_init(&random, self->seed, UINT64_MAX);
    for (uint32_t r = 0; r < n_internal; r++) {
        const uint64_t pairs = self->node_pairs[r];
        const double p = pairs > 0 ? expected[r] / (double)pairs : 0;
        self->edge_start[r + 1] = self->edge_start[r] + draw_binomial(&random, pairs, p);
    }
}

/* ---- which ---------------------------------------------------------------------------------- */

static bool is_public(const sampler *self, uint32_t u, uint32_t v)
{
    if (!self->row_start) return false;
    const uint32_t source = u < v ? u : v, target = u < v ? v : u;
    uint64_t lo = self->row_start[source], hi = self->row_start[source + 1];
    while (lo < hi) {
        const uint64_t middle = lo + (hi - lo) / 2;
        if (self->known->target[middle] < target)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < self->row_start[source + 1] && self->known->target[lo] == target;
}

/* The cells of one node. */
typedef struct grid {
    const uint32_t *row, *col; /* candidates left and right */
    uint64_t n_rows, n_cols;
} grid;

static grid grid_of(const sampler *self, uint32_t r)
{
    const hrr_dendrogram *tree = self->tree;
    const uint32_t begin = self->before[tree->begin[r]], middle = self->before[tree->middle[r]],
                   end = self->before[tree->end[r]];
    return (grid){self->candidate + begin, self->candidate + middle, middle - begin, end - middle};
}

/* A set of cells. key[i] is a cell plus one; 0: free. Size a power of two, at most half full. */
typedef struct cell_set {
    uint64_t *key;
    unsigned log_size;
} cell_set;

static bool add_cell(const cell_set *set, uint64_t cell)
{
    const uint64_t mask = ((uint64_t)1 << set->log_size) - 1;
    uint64_t at = (cell * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - set->log_size);
    for (; set->key[at]; at = (at + 1) & mask)
        if (set->key[at] == cell + 1) return false;
    set->key[at] = cell + 1;
    return true;
}

static bool was_drawn(const sampler *self, uint64_t begin, uint64_t end, uint32_t u, uint32_t v)
{
    for (uint64_t e = begin; e < end; e++)
        if (self->source[e] == u && self->target[e] == v) return true;
    return false;
}

static void draw_cells(const sampler *self, const grid *cells, uint64_t begin, uint64_t end,
                       hrr_fast_random *random, cell_set set)
{
    const uint64_t n = end - begin, n_cells = cells->n_rows * cells->n_cols;
    if (n > few_edges) {
        while (set.log_size > 6 && (uint64_t)1 << (set.log_size - 2) >= n)
            set.log_size--; /* clearing a large table for few edges would cost more than they do */
        memset(set.key, 0, sizeof *set.key << set.log_size);
    }
    for (uint64_t e = begin; e < end;) {
        const uint64_t cell = hrr_fast_below(random, n_cells);
        const uint32_t u = cells->row[cell / cells->n_cols], v = cells->col[cell % cells->n_cols];
        if (is_public(self, u, v)) continue;
        if (n > few_edges ? !add_cell(&set, cell) : was_drawn(self, begin, e, u, v)) continue;
        self->source[e] = u;
        self->target[e++] = v;
    }
}

static void walk_cells(const sampler *self, const grid *cells, uint64_t n_pairs, uint64_t begin,
                       uint64_t end, hrr_fast_random *random)
{
    uint64_t there = n_pairs, e = begin;
    for (uint64_t i = 0; i < cells->n_rows && e < end; i++)
        for (uint64_t j = 0; j < cells->n_cols && e < end; j++) {
            if (is_public(self, cells->row[i], cells->col[j])) continue;
            if (hrr_fast_below(random, there--) >= end - e) continue;
            self->source[e] = cells->row[i];
            self->target[e++] = cells->col[j];
        }
}

static void draw_node(const sampler *self, uint32_t r, cell_set set)
{
    const uint64_t begin = self->edge_start[r], end = self->edge_start[r + 1];
    if (begin == end) return;
    const grid cells = grid_of(self, r);
    const uint64_t n_pairs = self->node_pairs[r], n_cells = cells.n_rows * cells.n_cols;
    hrr_fast_random random;
    hrr_fast_init(&random, self->seed, r);
    if (n_pairs < n_cells / 2 || end - begin > n_pairs / 2)
        walk_cells(self, &cells, n_pairs, begin, end, &random);
    else
        draw_cells(self, &cells, begin, end, &random, set);
}

/* ---- all nodes ------------------------------------------------------------------------------ */

static uint64_t edges_at(const sampler *self, uint32_t r)
{
    return self->edge_start[r + 1] - self->edge_start[r];
}

/* Of the nodes [begin, end). */
static hrr_status draw_small(const sampler *self, uint32_t begin, uint32_t end, int threads,
                             hrr_progress *progress, hrr_error *err)
{
    const int64_t n_steps = ((int64_t)end - begin + nodes_a_step - 1) / nodes_a_step;
    threads = hrr_threads(threads);
    if (threads > n_steps) threads = n_steps > 0 ? (int)n_steps : 1;
    uint64_t *tables = hrr_alloc((size_t)threads, table_size_small * sizeof *tables);
    if (!tables) return hrr_no_memory(err);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int i = 0; i < threads; i++) {
        const cell_set set = {tables + (size_t)i * table_size_small, 12};
        for (int64_t step = i; step < n_steps; step += threads) {
            if (hrr_progress_cancelled(progress)) break;
            const uint32_t first = begin + (uint32_t)step * nodes_a_step, rest = end - first;
            const uint32_t last = first + (rest < nodes_a_step ? rest : nodes_a_step);
            for (uint32_t r = first; r < last; r++)
                if (edges_at(self, r) <= most_edges_small) draw_node(self, r, set);
            (void)hrr_progress_advance(progress, last - first, NULL);
        }
    }
    hrr_free(tables);
    return hrr_progress_advance(progress, 0, err);
}

static hrr_status draw_large(const sampler *self, uint32_t begin, uint32_t end,
                             hrr_progress *progress, hrr_error *err)
{
    uint64_t most = 0;
    for (uint32_t r = begin; r < end; r++)
        most = edges_at(self, r) > most ? edges_at(self, r) : most;
    if (most <= most_edges_small) return HRR_OK;
    cell_set set = {.log_size = 12};
    while ((uint64_t)1 << set.log_size < 2 * most)
        set.log_size++;
    set.key = hrr_alloc((size_t)1 << set.log_size, sizeof *set.key);
    if (!set.key) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    for (uint32_t r = begin; !status && r < end; r++) {
        if (edges_at(self, r) <= most_edges_small) continue;
        draw_node(self, r, set);
        status = hrr_progress_advance(progress, 0, err);
    }
    hrr_free(set.key);
    return status;
}

/* ---- ranks ---------------------------------------------------------------------------------- */

/* The first node of a rank: nodes are shared out by the number of their edges. */
static uint32_t first_node_of(const sampler *self, uint32_t n_internal, const hrr_ranks *ranks,
                              int rank)
{
    const uint64_t edge = hrr_ranks_share(ranks, self->edge_start[n_internal], rank).begin;
    uint32_t lo = 0, hi = n_internal;
    if (rank == hrr_ranks_size(ranks)) return n_internal;
    while (lo < hi) {
        const uint32_t middle = lo + (hi - lo) / 2;
        if (self->edge_start[middle] < edge)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

/* Ends of the edges of all ranks at rank 0, in the order of the nodes. */
static hrr_status collect(uint32_t *ends, const sampler *self, uint32_t n_internal,
                          hrr_ranks *ranks, hrr_error *err)
{
    const int n = hrr_ranks_size(ranks), rank = hrr_ranks_rank(ranks);
    if (!ranks) return HRR_OK;
    uint64_t *sizes = hrr_alloc_zero(2 * (size_t)n, sizeof *sizes);
    hrr_status status = hrr_ranks_agree(ranks, sizes ? HRR_OK : hrr_no_memory(err), err);
    if (status) goto done;
    uint64_t own = 0;
    for (int i = 0; i < n; i++) {
        const uint64_t begin = self->edge_start[first_node_of(self, n_internal, ranks, i)];
        const uint64_t end = self->edge_start[first_node_of(self, n_internal, ranks, i + 1)];
        if (rank == 0) sizes[i] = (end - begin) * sizeof *ends;
        if (i != rank) continue;
        own = begin;
        sizes[n] = (end - begin) * sizeof *ends;
    }
    status = hrr_ranks_exchange(ranks, ends, sizes, ends + own, sizes + n, err);
done:
    hrr_free(sizes);
    return status;
}

/* ---- public data ---------------------------------------------------------------------------- */

static hrr_status index_public(sampler *self, hrr_error *err)
{
    const hrr_edge_public *known = self->known;
    if (known->n_edges == 0) return HRR_OK;
    uint64_t *start = hrr_alloc_zero(known->n_nodes + 1, sizeof *start);
    if (!start) return hrr_no_memory(err);
    for (uint64_t e = 0; e < known->n_edges; e++)
        start[known->source[e] + 1]++;
    for (uint64_t i = 0; i < known->n_nodes; i++)
        start[i + 1] += start[i];
    self->row_start = start;
    return HRR_OK;
}

static hrr_status list_candidates(sampler *self, hrr_error *err)
{
    const hrr_dendrogram *tree = self->tree;
    hrr_status status = hrr_dendrogram_candidates_before(&self->before, tree, self->known, err);
    if (status) return status;
    self->candidate = hrr_alloc(self->before[tree->n_leaves], sizeof *self->candidate);
    if (!self->candidate) return hrr_no_memory(err);
    for (uint32_t p = 0; p < tree->n_leaves; p++)
        if (self->before[p + 1] > self->before[p]) self->candidate[self->before[p]] = tree->leaf[p];
    return HRR_OK;
}

hrr_status hrr_sample_edges_over(hrr_edge_list *out, const hrr_dendrogram *tree,
                                 const hrr_edge_public *known, const uint64_t *node_pairs,
                                 const double *expected, hrr_sampling sampling, uint64_t seed,
                                 int threads, hrr_ranks *ranks, hrr_progress *progress,
                                 hrr_error *err)
{
    const uint32_t n_internal = tree->n_leaves - 1;
    const int rank = hrr_ranks_rank(ranks);
    sampler self = {.tree = tree, .known = known, .node_pairs = node_pairs, .seed = seed};
    hrr_edge_list edges = {0};
    *out = edges;
    hrr_status status = list_candidates(&self, err);
    if (!status) status = index_public(&self, err);
    if (status) goto done;
    self.edge_start = hrr_alloc((size_t)n_internal + 1, sizeof *self.edge_start);
    if (!self.edge_start) {
        status = hrr_no_memory(err);
        goto done;
    }
    self.edge_start[0] = 0;
    if (sampling == HRR_SAMPLE_ROUNDED)
        plan_rounded(&self, n_internal, expected);
    else
        plan_independent(&self, n_internal, expected);
    if ((status = hrr_edge_list_init(&edges, self.edge_start[n_internal], false, err))) goto done;
    self.source = edges.source;
    self.target = edges.target;
    hrr_progress_begin(progress, "sampling edges", n_internal);
    const uint32_t begin = first_node_of(&self, n_internal, ranks, rank);
    const uint32_t end = first_node_of(&self, n_internal, ranks, rank + 1);
    if ((status = draw_small(&self, begin, end, threads, progress, err))) goto done;
    status = draw_large(&self, begin, end, progress, err);
done:
    status = hrr_ranks_agree(ranks, status, err);
    if (!status) status = collect(edges.source, &self, n_internal, ranks, err);
    if (!status) status = collect(edges.target, &self, n_internal, ranks, err);
    if (status) goto clear;
    *out = edges;
    edges = (hrr_edge_list){0};
clear:
    hrr_edge_list_clear(&edges);
    hrr_free(self.before);
    hrr_free(self.candidate);
    hrr_free(self.row_start);
    hrr_free(self.edge_start);
    return status;
}

hrr_status hrr_sample_edges(hrr_edge_list *out, const hrr_dendrogram *tree,
                            const hrr_edge_public *known, const uint64_t *node_pairs,
                            const double *expected, hrr_sampling sampling, uint64_t seed,
                            int threads, hrr_progress *progress, hrr_error *err)
{
    return hrr_sample_edges_over(out, tree, known, node_pairs, expected, sampling, seed, threads,
                                 NULL, progress, err);
}
