/* degrees.c: how far two degree distributions are from each other.
 *
 *     F(d) = share of the nodes with degree <= d
 *     Kolmogorov-Smirnov:  max over d of |F(d) - F'(d)|
 *     earth mover (Wasserstein-1):  sum over d of |F(d) - F'(d)|
 *
 * Degrees are whole numbers and both graphs have n nodes, so everything before the last division is
 * counting. */
#include <heterorr/structure.h>

#include "base/memory.h"
#include "structure/measures.h"
#include "structure/shape.h"

hrr_status hrr_degree_distances(hrr_degree_distance *out, const hrr_csr *original,
                                const hrr_csr *released, hrr_error *err)
{
    *out = (hrr_degree_distance){0};
    hrr_status status = hrr_same_nodes(original, released, err);
    if (status) return status;
    const uint64_t n = original->rows;
    if (n == 0) return HRR_OK;
    int64_t *excess = hrr_alloc_zero(n, sizeof *excess); /* of nodes with this degree */
    if (!excess) return hrr_no_memory(err);
    for (uint64_t i = 0; i < n; i++) {
        excess[hrr_degree(original, i)]++;
        excess[hrr_degree(released, i)]--;
    }
    int64_t below = 0;
    uint64_t largest = 0, sum = 0;
    for (uint64_t d = 0; d < n; d++) {
        below += excess[d];
        const uint64_t apart = (uint64_t)(below < 0 ? -below : below);
        largest = apart > largest ? apart : largest;
        sum += apart;
    }
    out->kolmogorov_smirnov = (double)largest / (double)n;
    out->earth_mover = (double)sum / (double)n;
    hrr_free(excess);
    return HRR_OK;
}
