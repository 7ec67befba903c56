/* dendrogram.c: see dendrogram.h. */
#include "edge/dendrogram.h"
#include "base/memory.h"

#include <string.h>

hrr_status hrr_dendrogram_init(hrr_dendrogram *out, uint32_t n_leaves, hrr_error *err)
{
    const size_t n_internal = n_leaves - 1;
    *out = (hrr_dendrogram){.n_leaves = n_leaves,
                            .leaf = hrr_alloc(n_leaves, sizeof(uint32_t)),
                            .position = hrr_alloc(n_leaves, sizeof(uint32_t)),
                            .begin = hrr_alloc(n_internal, sizeof(uint32_t)),
                            .middle = hrr_alloc(n_internal, sizeof(uint32_t)),
                            .end = hrr_alloc(n_internal, sizeof(uint32_t))};
    if (out->leaf && out->position && out->begin && out->middle && out->end) return HRR_OK;
    hrr_dendrogram_clear(out);
    return hrr_no_memory(err);
}

void hrr_dendrogram_clear(hrr_dendrogram *tree)
{
    hrr_free(tree->leaf);
    hrr_free(tree->position);
    hrr_free(tree->begin);
    hrr_free(tree->middle);
    hrr_free(tree->end);
    *tree = (hrr_dendrogram){0};
}

static bool fill_positions(hrr_dendrogram *tree)
{
    const uint32_t n = tree->n_leaves;
    memset(tree->position, 0xff, n * sizeof *tree->position);
    for (uint32_t p = 0; p < n; p++) {
        if (tree->leaf[p] >= n || tree->position[tree->leaf[p]] != UINT32_MAX) return false;
        tree->position[tree->leaf[p]] = p;
    }
    return true;
}

/* In preorder a parent comes before its children, so one walk hands every node its block. A node
 * that is reached has been given its block before: the numbers of a subtree are consecutive. */
bool hrr_dendrogram_complete(hrr_dendrogram *tree)
{
    const uint32_t n = tree->n_leaves;
    if (!fill_positions(tree)) return false;
    if (n > 1) tree->begin[0] = 0, tree->end[0] = n;
    for (uint32_t r = 0; r + 1 < n; r++) {
        const uint32_t begin = tree->begin[r], middle = tree->middle[r], end = tree->end[r];
        if (middle <= begin || middle >= end) return false;
        if (middle - begin > 1) tree->begin[r + 1] = begin, tree->end[r + 1] = middle;
        if (end - middle > 1) {
            const uint32_t right = r + (middle - begin);
            tree->begin[right] = middle, tree->end[right] = end;
        }
    }
    return true;
}

hrr_status hrr_dendrogram_copy(hrr_dendrogram *out, const hrr_dendrogram *tree, hrr_error *err)
{
    hrr_status status = hrr_dendrogram_init(out, tree->n_leaves, err);
    if (status) return status;
    const size_t n = tree->n_leaves, size = sizeof(uint32_t);
    memcpy(out->leaf, tree->leaf, n * size);
    memcpy(out->position, tree->position, n * size);
    memcpy(out->begin, tree->begin, (n - 1) * size);
    memcpy(out->middle, tree->middle, (n - 1) * size);
    memcpy(out->end, tree->end, (n - 1) * size);
    return HRR_OK;
}

/* ---- lowest common ancestors ---------------------------------------------------------------- */

/* The smallest internal node among neighbouring gaps; gap g lies before position g + 1. Gaps are
 * taken in blocks: what is wanted is the least of the end of one block, of whole blocks, and of the
 * beginning of another. So memory is linear, and a look touches four places. */
enum { GAPS_PER_BLOCK = 32 };

typedef struct gap_minima {
    uint32_t n_gaps, n_blocks;
    uint32_t *node;   /* by gap */
    uint32_t *before; /* by gap: the least of its block up to and with it */
    uint32_t *behind; /* by gap: the least of its block from it on */
    uint32_t *least;  /* [k][b]: the least of the blocks b .. b + 2^k - 1 */
} gap_minima;

static unsigned log2_floor(uint32_t x)
{
    return 31u - (unsigned)__builtin_clz(x);
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void gap_minima_clear(gap_minima *gaps)
{
    hrr_free(gaps->node);
    hrr_free(gaps->before);
    hrr_free(gaps->behind);
    hrr_free(gaps->least);
}

static void fill_block(gap_minima *gaps, uint32_t block)
{
    const uint32_t first = block * GAPS_PER_BLOCK;
    const uint32_t n = smaller(gaps->n_gaps - first, GAPS_PER_BLOCK), last = first + n - 1;
    gaps->before[first] = gaps->node[first];
    for (uint32_t g = first + 1; g <= last; g++)
        gaps->before[g] = smaller(gaps->before[g - 1], gaps->node[g]);
    gaps->behind[last] = gaps->node[last];
    for (uint32_t g = last; g-- > first;)
        gaps->behind[g] = smaller(gaps->behind[g + 1], gaps->node[g]);
    gaps->least[block] = gaps->before[last];
}

static hrr_status gap_minima_init(gap_minima *out, const hrr_dendrogram *tree, hrr_error *err)
{
    const uint32_t n_gaps = tree->n_leaves - 1;
    const uint32_t n_blocks = (n_gaps - 1) / GAPS_PER_BLOCK + 1;
    const unsigned n_levels = log2_floor(n_blocks) + 1;
    gap_minima gaps = {.n_gaps = n_gaps,
                       .n_blocks = n_blocks,
                       .node = hrr_alloc(n_gaps, sizeof *gaps.node),
                       .before = hrr_alloc(n_gaps, sizeof *gaps.before),
                       .behind = hrr_alloc(n_gaps, sizeof *gaps.behind),
                       .least = hrr_alloc((size_t)n_blocks * n_levels, sizeof *gaps.least)};
    if (!gaps.node || !gaps.before || !gaps.behind || !gaps.least) {
        gap_minima_clear(&gaps);
        return hrr_no_memory(err);
    }
    for (uint32_t r = 0; r < n_gaps; r++)
        gaps.node[tree->middle[r] - 1] = r;
    for (uint32_t b = 0; b < n_blocks; b++)
        fill_block(&gaps, b);
    for (unsigned k = 1; k < n_levels; k++) {
        const uint32_t *below = gaps.least + (size_t)(k - 1) * n_blocks;
        uint32_t *level = gaps.least + (size_t)k * n_blocks;
        const uint32_t half = 1u << (k - 1);
        for (uint32_t b = 0; b + 2 * half <= n_blocks; b++)
            level[b] = smaller(below[b], below[b + half]);
    }
    *out = gaps;
    return HRR_OK;
}

static uint32_t lowest_common_ancestor(const gap_minima *gaps, uint32_t p, uint32_t q)
{
    const uint32_t first = smaller(p, q), last = (p < q ? q : p) - 1;
    const uint32_t from = first / GAPS_PER_BLOCK, to = last / GAPS_PER_BLOCK;
    if (from == to) {
        uint32_t found = gaps->node[first];
        for (uint32_t g = first + 1; g <= last; g++)
            found = smaller(found, gaps->node[g]);
        return found;
    }
    const uint32_t found = smaller(gaps->behind[first], gaps->before[last]), n = to - from - 1;
    if (n == 0) return found;
    const unsigned k = log2_floor(n);
    const uint32_t *level = gaps->least + (size_t)k * gaps->n_blocks;
    return smaller(found, smaller(level[from + 1], level[to - (1u << k)]));
}

hrr_status hrr_dendrogram_count(uint64_t *counts, const hrr_dendrogram *tree, uint64_t n_edges,
                                const uint32_t *source, const uint32_t *target, hrr_error *err)
{
    if (tree->n_leaves < 2) return HRR_OK;
    gap_minima gaps;
    hrr_status status = gap_minima_init(&gaps, tree, err);
    if (status) return status;
    memset(counts, 0, gaps.n_gaps * sizeof *counts);
    for (uint64_t e = 0; e < n_edges; e++)
        counts[lowest_common_ancestor(&gaps, tree->position[source[e]],
                                      tree->position[target[e]])]++;
    gap_minima_clear(&gaps);
    return HRR_OK;
}

hrr_status hrr_dendrogram_count_rows(uint64_t *counts, const hrr_dendrogram *tree,
                                     const hrr_csr *adjacency, hrr_error *err)
{
    if (tree->n_leaves < 2) return HRR_OK;
    gap_minima gaps;
    hrr_status status = gap_minima_init(&gaps, tree, err);
    if (status) return status;
    memset(counts, 0, gaps.n_gaps * sizeof *counts);
    for (uint32_t row = 0; row < tree->n_leaves; row++)
        for (uint64_t k = adjacency->row_start[row]; k < adjacency->row_start[row + 1]; k++)
            if (adjacency->col[k] > row)
                counts[lowest_common_ancestor(&gaps, tree->position[row],
                                              tree->position[adjacency->col[k]])]++;
    gap_minima_clear(&gaps);
    return HRR_OK;
}

/* ---- candidate pairs ------------------------------------------------------------------------ */

static bool is_candidate(const hrr_edge_public *known, uint32_t node)
{
    return !known->candidates || known->candidates[node];
}

hrr_status hrr_dendrogram_candidates_before(uint32_t **out, const hrr_dendrogram *tree,
                                            const hrr_edge_public *known, hrr_error *err)
{
    uint32_t *before = hrr_alloc((size_t)tree->n_leaves + 1, sizeof *before);
    if (!before) return hrr_no_memory(err);
    before[0] = 0;
    for (uint32_t p = 0; p < tree->n_leaves; p++)
        before[p + 1] = before[p] + is_candidate(known, tree->leaf[p]);
    *out = before;
    return HRR_OK;
}

/* Public edges between candidates take the place of candidate pairs. Without a candidate set that
 * is all of them, and no copy is needed. */
static hrr_status count_public(uint64_t *counts, const hrr_dendrogram *tree,
                               const hrr_edge_public *known, hrr_error *err)
{
    if (!known->candidates)
        return hrr_dendrogram_count(counts, tree, known->n_edges, known->source, known->target,
                                    err);
    uint32_t *ends = hrr_alloc(known->n_edges, 2 * sizeof *ends);
    if (!ends) return hrr_no_memory(err);
    uint32_t *source = ends, *target = ends + known->n_edges;
    uint64_t n_kept = 0;
    for (uint64_t e = 0; e < known->n_edges; e++) {
        if (!is_candidate(known, known->source[e]) || !is_candidate(known, known->target[e]))
            continue;
        source[n_kept] = known->source[e];
        target[n_kept++] = known->target[e];
    }
    hrr_status status = hrr_dendrogram_count(counts, tree, n_kept, source, target, err);
    hrr_free(ends);
    return status;
}

hrr_status hrr_dendrogram_candidate_pairs(uint64_t *pairs, const hrr_dendrogram *tree,
                                          const hrr_edge_public *known, hrr_error *err)
{
    uint32_t *before = NULL;
    hrr_status status = hrr_dendrogram_candidates_before(&before, tree, known, err);
    if (status) return status;
    status = count_public(pairs, tree, known, err);
    for (uint32_t r = 0; !status && r + 1 < tree->n_leaves; r++) {
        const uint64_t left = before[tree->middle[r]] - before[tree->begin[r]];
        const uint64_t right = before[tree->end[r]] - before[tree->middle[r]];
        pairs[r] = left * right - pairs[r];
    }
    hrr_free(before);
    return status;
}
