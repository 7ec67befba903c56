/* degree_moments.c: mean, variance and assortativity of degrees.
 *
 *     mean = 2 m / n        variance = sum of (d_i - mean)^2 / (n - 1)
 *
 * Assortativity is the correlation of the degrees at both ends of an edge (Newman, "Mixing patterns
 * in networks", Physical Review E 67, 2003). With E = 2 m ends and sums over ends and over nodes,
 *
 *     r = (E sum d_i d_j - (sum d_i^2)^2) / (E sum d_i^3 - (sum d_i^2)^2)
 *
 * in whole numbers up to the last division: nothing cancels. What the sum over ends waits for is
 * memory: each edge is met once, from its end of higher number, and degrees are copied into 32 bits
 * first. */
#include "structure/measures.h"
#include "structure/shape.h"

#include "base/memory.h"
#include "matrix/csr.h"

#include <math.h>

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 wide_difference;

hrr_status hrr_degree_moments_of(hrr_degree_moments *out, const hrr_csr *graph, hrr_error *err)
{
    const uint64_t n = graph->rows;
    const wide ends = hrr_csr_n_entries(graph);
    wide squares = 0, cubes = 0, products = 0;
    *out = (hrr_degree_moments){.mean = NAN, .variance = NAN, .assortativity = NAN};
    uint32_t *degree = hrr_alloc(n, sizeof *degree);
    if (!degree) return hrr_no_memory(err);
    for (uint64_t i = 0; i < n; i++)
        degree[i] = (uint32_t)hrr_degree(graph, i);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t own = degree[i], square = own * own;
        const uint32_t *at = graph->col + graph->row_start[i], *const end = at + degree[i];
        uint64_t below = 0;
        for (; at < end && *at < i; at++) /* columns ascend */
            below += degree[*at];
        squares += square;
        cubes += (wide)square * own;
        products += (wide)(2 * own) * below;
    }
    hrr_free(degree);
    const wide_difference joint = (wide_difference)(ends * products - squares * squares);
    const wide_difference spread = (wide_difference)(ends * cubes - squares * squares);
    if (n > 0) out->mean = (double)ends / (double)n;
    if (n > 1) out->variance = (double)(n * squares - ends * ends) / (double)n / (double)(n - 1);
    if (spread > 0) out->assortativity = (double)joint / (double)spread;
    return HRR_OK;
}
