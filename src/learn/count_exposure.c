/* count_exposure.c: see count_exposure.h. One walk over the nodes in the order of their need, with
 * the number of nodes of each block that were passed. */
#include "learn/count_exposure.h"
#include "base/memory.h"
#include "base/size.h"

#include <stdlib.h>

/* Need and number of a node in one word, so that equal needs go by number. */
static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool is_counted(const hrr_block_counts *counts, uint64_t node)
{
    return !counts->counted || counts->counted[node];
}

/* passed, size: room for a zero for each block of each graph. */
static void walk(double *share, uint64_t *order, double *passed, double *size,
                 const hrr_block_counts *counts, const uint32_t *graph_ids)
{
    const uint64_t n = counts->n_nodes;
    const uint32_t n_blocks = counts->n_blocks;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t first = graph_ids ? (uint64_t)graph_ids[i] * n_blocks : 0;
        order[i] = (uint64_t)counts->need[i] << 32 | i;
        size[first + counts->block[i]] += is_counted(counts, i);
    }
    qsort(order, n, sizeof *order, compare);
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t i = order[k] & UINT32_MAX;
        const uint64_t first = graph_ids ? (uint64_t)graph_ids[i] * n_blocks : 0;
        if (!is_counted(counts, i)) continue;
        for (uint32_t b = 0; b < n_blocks; b++) {
            const double others = size[first + b] - (b == counts->block[i]);
            if (others > 0) share[i * n_blocks + b] = passed[first + b] / others;
        }
        passed[first + counts->block[i]]++;
    }
}

static uint64_t count_graphs(const uint32_t *graph_ids, uint64_t n_nodes)
{
    uint32_t last = 0;
    for (uint64_t i = 0; graph_ids && i < n_nodes; i++)
        if (graph_ids[i] > last) last = graph_ids[i];
    return (uint64_t)last + 1;
}

hrr_status hrr_exposure_init(hrr_exposure *out, const hrr_block_counts *counts,
                             const uint32_t *graph_ids, hrr_error *err)
{
    size_t items, blocks;
    *out = (hrr_exposure){.n_blocks = counts->n_blocks};
    if (!counts->need) return HRR_OK;
    if (!hrr_mul_fits(counts->n_nodes, counts->n_blocks, &items) ||
        !hrr_mul_fits(count_graphs(graph_ids, counts->n_nodes), counts->n_blocks, &blocks))
        return hrr_no_memory(err);
    uint64_t *order = hrr_alloc(counts->n_nodes, sizeof *order);
    double *space = hrr_alloc_zero(blocks, 2 * sizeof *space);
    out->share = hrr_alloc_zero(items, sizeof *out->share);
    const bool enough = order && space && out->share;
    if (enough) walk(out->share, order, space, space + blocks, counts, graph_ids);
    hrr_free(order);
    hrr_free(space);
    if (enough) return HRR_OK;
    hrr_exposure_clear(out);
    return hrr_no_memory(err);
}

void hrr_exposure_clear(hrr_exposure *exposure)
{
    hrr_free(exposure->share);
    *exposure = (hrr_exposure){0};
}
