/* uniform.c: the tree that says nothing: nodes in their order, halved again and again, and one
 * count for all candidate pairs (edgerr.c), spread evenly.
 *
 * When public edges say nothing about private ones, every other tree divides the pairs into blocks
 * that are alike, and pays for it with noise in each. */
#include "edge/trees.h"
#include "base/memory.h"

#include <string.h>

static hrr_status halve(hrr_dendrogram *out, uint32_t n, hrr_error *err)
{
    hrr_status status = hrr_dendrogram_init(out, n, err);
    if (status) return status;
    for (uint32_t p = 0; p < n; p++)
        out->leaf[p] = p;
    if (n > 1) out->begin[0] = 0, out->end[0] = n;
    for (uint32_t r = 0; r + 1 < n; r++) {
        const uint32_t begin = out->begin[r], end = out->end[r], middle = begin + (end - begin) / 2;
        out->middle[r] = middle;
        if (middle - begin > 1) out->begin[r + 1] = begin, out->end[r + 1] = middle;
        const uint32_t right = r + (middle - begin);
        if (end - middle > 1) out->begin[right] = middle, out->end[right] = end;
    }
    (void)hrr_dendrogram_complete(out);
    return HRR_OK;
}

static hrr_status prepare(hrr_tree_plan *plan, hrr_progress *progress, hrr_error *err)
{
    (void)progress;
    plan->realised_eps = 0;
    plan->evidence = "the tree is the order of the nodes";
    return halve(&plan->start, (uint32_t)plan->known->n_nodes, err);
}

static hrr_status draw(hrr_dendrogram *out, const hrr_tree_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err)
{
    (void)secret, (void)random, (void)progress;
    return hrr_dendrogram_copy(out, &plan->start, err);
}

const hrr_tree_method hrr_tree_uniform = {.name = "uniform", .prepare = prepare, .draw = draw};
