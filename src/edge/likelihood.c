/* likelihood.c: see likelihood.h; and the likelihood of a whole dendrogram. */
#include "edge/likelihood.h"
#include "edge/trees.h"
#include "base/memory.h"

void hrr_phi_init(hrr_phi *out)
{
    out->table[0] = 0;
    for (int x = 1; x < HRR_PHI_TABLE; x++)
        out->table[x] = x * log(x);
}

hrr_status hrr_dendrogram_likelihood(double *out, const hrr_dendrogram *tree, uint64_t n_edges,
                                     const uint32_t *source, const uint32_t *target, hrr_error *err)
{
    *out = 0;
    if (tree->n_leaves < 2) return HRR_OK;
    const uint32_t n_nodes = tree->n_leaves - 1;
    uint64_t *counts = hrr_alloc(n_nodes, sizeof *counts);
    hrr_phi *phi = hrr_alloc(1, sizeof *phi);
    hrr_status status = counts && phi ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_dendrogram_count(counts, tree, n_edges, source, target, err);
    if (!status) {
        hrr_phi_init(phi);
        double sum = 0;
        for (uint32_t r = 0; r < n_nodes; r++) {
            const uint64_t left = tree->middle[r] - tree->begin[r];
            const uint64_t right = tree->end[r] - tree->middle[r];
            sum += hrr_term(phi, counts[r], left * right);
        }
        *out = sum;
    }
    hrr_free(counts);
    hrr_free(phi);
    return status;
}
