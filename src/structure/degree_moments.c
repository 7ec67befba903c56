/* degree_moments.c: mean, variance and assortativity of degrees.
 *
 *     mean = 2 m / n        variance = sum of (d_i - mean)^2 / (n - 1)
 *
 * Assortativity is the correlation of the degrees at both ends of an edge (Newman, "Mixing patterns
 * in networks", Physical Review E 67, 2003). With E = 2 m ends and sums over ends and over nodes,
 *
 *     r = (E sum d_i d_j - (sum d_i^2)^2) / (E sum d_i^3 - (sum d_i^2)^2)
 *
 * in whole numbers up to the last division: nothing cancels. */
#include "structure/measures.h"
#include "structure/shape.h"

#include "matrix/csr.h"

#include <math.h>

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 wide_difference;

hrr_degree_moments hrr_degree_moments_of(const hrr_csr *graph)
{
    const uint64_t n = graph->rows;
    const wide ends = hrr_csr_n_entries(graph);
    wide squares = 0, cubes = 0, products = 0;
    for (uint64_t i = 0; i < n; i++) {
        const wide degree = hrr_degree(graph, i);
        uint64_t around = 0;
        for (uint64_t e = graph->row_start[i]; e < graph->row_start[i + 1]; e++)
            around += hrr_degree(graph, graph->col[e]);
        squares += degree * degree;
        cubes += degree * degree * degree;
        products += degree * around;
    }
    const wide_difference joint = (wide_difference)(ends * products - squares * squares);
    const wide_difference spread = (wide_difference)(ends * cubes - squares * squares);
    hrr_degree_moments out = {.mean = NAN, .variance = NAN, .assortativity = NAN};
    if (n > 0) out.mean = (double)ends / (double)n;
    if (n > 1) out.variance = (double)(n * squares - ends * ends) / (double)n / (double)(n - 1);
    if (spread > 0) out.assortativity = (double)joint / (double)spread;
    return out;
}
