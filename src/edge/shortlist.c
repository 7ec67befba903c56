/* shortlist.c: see shortlist.h. Two walks over pairs that share a neighbour: the first counts how
 * many have which score, so that it is known which scores make the list; the second writes those
 * pairs down. Never more of them are kept than are listed, however many there are.
 *
 * Scores are sums of integers, so that no order of adding shows, and fall into bins: the position
 * of their highest bit and the six bits after it. */
#include "edge/shortlist.h"
#include "edge/cells.h"
#include "graph/adjacency.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    most_neighbours = 4096,
    log2_one = 40, /* the score of a common neighbour with one edge, were there one */
    log2_bins_per_octave = 6,
    n_bins = 64 << log2_bins_per_octave,
    nodes_per_piece = 64,
    least_pairs_in_band = 256 /* the share of links in a band is estimated from noisy answers */
};

typedef struct scorer {
    const hrr_edge_public *known;
    hrr_csr near;
    uint64_t *share; /* what a node says about each pair of its neighbours */
    hrr_progress *progress;
    int threads;
} scorer;

/* What one thread knows of the node it is at. */
typedef struct desk {
    uint64_t *score;   /* n, zero between nodes */
    uint32_t *partner; /* those with a score */
    uint64_t n_partners;
    uint64_t *count; /* n_bins */
    hrr_pairs found; /* of the piece */
    uint16_t *bin;   /* of each pair found */
    size_t bin_capacity;
} desk;

static void desk_clear(desk *self)
{
    hrr_free(self->score);
    hrr_free(self->partner);
    hrr_free(self->count);
    hrr_free(self->bin);
    hrr_pairs_clear(&self->found);
}

static hrr_status desk_init(desk *self, uint64_t n, hrr_error *err)
{
    *self = (desk){.score = hrr_alloc_zero(n, sizeof *self->score),
                   .partner = hrr_alloc(n, sizeof *self->partner),
                   .count = hrr_alloc_zero(n_bins, sizeof *self->count)};
    return self->score && self->partner && self->count ? HRR_OK : hrr_no_memory(err);
}

static bool is_candidate(const scorer *self, uint64_t node)
{
    return !self->known->candidates || self->known->candidates[node];
}

/* The first entry of [begin, end) above `node`. */
static uint64_t first_above(const hrr_csr *near, uint64_t begin, uint64_t end, uint32_t node)
{
    while (begin < end) {
        const uint64_t middle = begin + (end - begin) / 2;
        if (near->col[middle] > node)
            end = middle;
        else
            begin = middle + 1;
    }
    return begin;
}

/* Scores of all pairs {node, partner}, partner > node, that are no public edge. */
static void score_node(desk *at, const scorer *self, uint32_t node)
{
    const hrr_csr *near = &self->near;
    const uint64_t begin = near->row_start[node], end = near->row_start[node + 1];
    at->n_partners = 0;
    if (!is_candidate(self, node)) return;
    for (uint64_t i = begin; i < end; i++) {
        const uint32_t common = near->col[i];
        const uint64_t share = self->share[common], stop = near->row_start[common + 1];
        if (!share) continue;
        for (uint64_t j = first_above(near, near->row_start[common], stop, node); j < stop; j++) {
            const uint32_t partner = near->col[j];
            if (!is_candidate(self, partner)) continue;
            if (!at->score[partner]) at->partner[at->n_partners++] = partner;
            at->score[partner] += share;
        }
    }
    for (uint64_t i = begin; i < end; i++)
        at->score[near->col[i]] = 0; /* public edges are no candidates */
}

static uint32_t bin_of(uint64_t score)
{
    const int top = 63 - __builtin_clzll(score);
    const uint64_t next = score >> (top - log2_bins_per_octave); /* a one and six bits */
    return (uint32_t)top << log2_bins_per_octave |
           (uint32_t)(next & ((1u << log2_bins_per_octave) - 1));
}

static hrr_status scorer_init(scorer *self, const hrr_edge_public *known, hrr_error *err)
{
    self->known = known;
    hrr_status status = hrr_adjacency_of_edges(&self->near, known->n_nodes, known->n_edges,
                                               known->source, known->target, err);
    if (status) return status;
    self->share = hrr_alloc_zero(known->n_nodes, sizeof *self->share);
    if (!self->share) return hrr_no_memory(err);
    for (uint64_t i = 0; i < known->n_nodes; i++) {
        const uint64_t degree = self->near.row_start[i + 1] - self->near.row_start[i];
        if (degree > 1 && degree <= most_neighbours)
            self->share[i] = (UINT64_C(1) << log2_one) / degree;
    }
    return HRR_OK;
}

static void scorer_clear(scorer *self)
{
    hrr_csr_clear(&self->near);
    hrr_free(self->share);
}

/* ---- first walk: how many pairs have which score --------------------------------------------- */

static void count_node(desk *at)
{
    for (uint64_t i = 0; i < at->n_partners; i++) {
        uint64_t *score = &at->score[at->partner[i]];
        if (*score) at->count[bin_of(*score)]++;
        *score = 0;
    }
}

static hrr_status count_scores(uint64_t *count, const scorer *self, hrr_error *err)
{
    const uint64_t n = self->known->n_nodes;
    bool no_memory = false;
    hrr_progress_begin(self->progress, "looking for likely links", n);
#pragma omp parallel num_threads(self->threads) reduction(|| : no_memory)
    {
        desk at;
        no_memory = desk_init(&at, n, NULL);
#pragma omp for schedule(dynamic, nodes_per_piece)
        for (uint64_t i = 0; i < n; i++) {
            if (no_memory || hrr_progress_cancelled(self->progress)) continue;
            score_node(&at, self, (uint32_t)i);
            count_node(&at);
            (void)!hrr_progress_advance(self->progress, 1, NULL);
        }
#pragma omp critical
        for (int b = 0; b < n_bins && !no_memory; b++)
            count[b] += at.count[b];
        desk_clear(&at);
    }
    if (no_memory) return hrr_no_memory(err);
    return hrr_progress_advance(self->progress, 0, err);
}

/* ---- which scores make the list, and the bands ----------------------------------------------- */

typedef struct cut {
    uint32_t least_bin;  /* the lowest that is listed */
    uint64_t room_there; /* how many of its pairs are */
    uint64_t n;
    uint32_t n_bands;
    uint8_t band[n_bins];
} cut;

static void choose_cut(cut *out, const uint64_t *count, uint64_t most)
{
    uint64_t all = 0, above = 0;
    for (int b = 0; b < n_bins; b++)
        all += count[b];
    *out = (cut){.n = all < most ? all : most, .least_bin = n_bins};
    const uint64_t bands = out->n / least_pairs_in_band;
    out->n_bands = bands < 1                          ? 1
                   : bands < HRR_MOST_SHORTLIST_BANDS ? (uint32_t)bands
                                                      : HRR_MOST_SHORTLIST_BANDS;
    for (uint32_t b = n_bins; b-- > 0 && above < out->n;) {
        if (!count[b]) continue;
        out->least_bin = b;
        out->room_there = out->n - above;
        out->band[b] = (uint8_t)((double)above / (double)out->n * out->n_bands);
        above += count[b];
    }
}

/* ---- second walk: those pairs ---------------------------------------------------------------- */

static int compare_nodes(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static hrr_status desk_reserve(desk *at, uint64_t more)
{
    hrr_status status = hrr_pairs_reserve(&at->found, more, NULL);
    if (status || at->bin_capacity >= at->found.capacity) return status;
    uint16_t *bin = hrr_resize(at->bin, at->found.capacity, sizeof *bin);
    if (!bin) return HRR_ENOMEM;
    at->bin = bin;
    at->bin_capacity = at->found.capacity;
    return HRR_OK;
}

/* The partners of a node whose score is listed, ascending. */
static hrr_status find_pairs(desk *at, uint32_t node, uint32_t least_bin)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < at->n_partners; i++) {
        const uint32_t partner = at->partner[i];
        if (at->score[partner] && bin_of(at->score[partner]) >= least_bin)
            at->partner[n++] = partner;
        else
            at->score[partner] = 0;
    }
    qsort(at->partner, n, sizeof *at->partner, compare_nodes);
    hrr_status status = desk_reserve(at, n);
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t partner = at->partner[i];
        if (!status) at->bin[at->found.n] = (uint16_t)bin_of(at->score[partner]);
        if (!status) hrr_pairs_push(&at->found, node, partner);
        at->score[partner] = 0;
    }
    return status;
}

/* Pieces come in order, so that the first of equal scores are taken for any number of threads. */
static void take_pairs(hrr_shortlist *out, desk *at, cut *limits)
{
    for (size_t i = 0; i < at->found.n; i++) {
        const uint32_t bin = at->bin[i];
        if (bin == limits->least_bin) {
            if (!limits->room_there) continue;
            limits->room_there--;
        }
        out->source[out->n] = at->found.source[i];
        out->target[out->n] = at->found.target[i];
        out->band[out->n++] = limits->band[bin];
    }
    at->found.n = 0;
}

static hrr_status write_pairs(hrr_shortlist *out, const scorer *self, cut *limits, hrr_error *err)
{
    const uint64_t n = self->known->n_nodes;
    const uint64_t n_pieces = (n + nodes_per_piece - 1) / nodes_per_piece;
    bool no_memory = false;
    hrr_progress_begin(self->progress, "listing likely links", n_pieces);
#pragma omp parallel num_threads(self->threads) reduction(|| : no_memory)
    {
        desk at;
        no_memory = desk_init(&at, n, NULL);
#pragma omp for ordered schedule(dynamic, 1)
        for (uint64_t piece = 0; piece < n_pieces; piece++) {
            const uint64_t begin = piece * nodes_per_piece;
            const uint64_t end = begin + nodes_per_piece < n ? begin + nodes_per_piece : n;
            for (uint64_t i = begin; i < end; i++) {
                if (no_memory || hrr_progress_cancelled(self->progress)) continue;
                score_node(&at, self, (uint32_t)i);
                no_memory = find_pairs(&at, (uint32_t)i, limits->least_bin);
            }
#pragma omp ordered
            take_pairs(out, &at, limits);
            (void)!hrr_progress_advance(self->progress, 1, NULL);
        }
        desk_clear(&at);
    }
    if (no_memory) return hrr_no_memory(err);
    return hrr_progress_advance(self->progress, 0, err);
}

/* ---- both ------------------------------------------------------------------------------------ */

void hrr_shortlist_clear(hrr_shortlist *list)
{
    hrr_free(list->source);
    hrr_free(list->target);
    hrr_free(list->band);
    *list = (hrr_shortlist){0};
}

hrr_status hrr_shortlist_new(hrr_shortlist *out, const hrr_edge_public *known, uint64_t most,
                             int threads, hrr_progress *progress, hrr_error *err)
{
    scorer self = {.progress = progress, .threads = hrr_threads(threads)};
    uint64_t count[n_bins] = {0};
    cut limits;
    *out = (hrr_shortlist){0};
    hrr_status status = scorer_init(&self, known, err);
    if (!status) status = count_scores(count, &self, err);
    choose_cut(&limits, count, most);
    if (!status) {
        out->source = hrr_alloc(limits.n, sizeof *out->source);
        out->target = hrr_alloc(limits.n, sizeof *out->target);
        out->band = hrr_alloc(limits.n, sizeof *out->band);
        out->n_bands = limits.n_bands;
        if (!out->source || !out->target || !out->band) status = hrr_no_memory(err);
    }
    if (!status) status = write_pairs(out, &self, &limits, err);
    scorer_clear(&self);
    if (status) hrr_shortlist_clear(out);
    return status;
}
