/* correlation.c: see correlation.h. What LSA2 looks at (He et al., "Stealing links from graph
 * neural networks", USENIX Security 2021, as LinkTeller's authors run it). */
#include "attack/correlation.h"
#include "base/memory.h"
#include "learn/head.h"

#include <math.h>

hrr_status hrr_correlate(double *scores, const hrr_link_pairs *pairs, const hrr_dense *values,
                         const uint32_t *nodes, uint64_t n_nodes, int threads, hrr_error *err)
{
    const uint64_t d = values->cols;
    double *row = hrr_alloc(n_nodes * sizeof *row, d), *mean = hrr_alloc_zero(d, sizeof *mean);
    if (!row || !mean) {
        hrr_free(row);
        hrr_free(mean);
        return hrr_no_memory(err);
    }
    for (uint64_t i = 0; i < n_nodes; i++) {
        hrr_row_as_f64(row + i * d, values, nodes[i]);
        for (uint64_t k = 0; k < d; k++)
            mean[k] += row[i * d + k] / (double)n_nodes;
    }
    for (uint64_t i = 0; i < n_nodes; i++) {
        double length = 0;
        for (uint64_t k = 0; k < d; k++) {
            row[i * d + k] -= mean[k];
            length += row[i * d + k] * row[i * d + k];
        }
        for (uint64_t k = 0; k < d && length > 0; k++)
            row[i * d + k] /= sqrt(length);
    }
    threads = hrr_threads(threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t p = 0; p < pairs->n; p++) {
        const double *x = row + pairs->i[p] * d, *y = row + pairs->j[p] * d;
        double sum = 0;
        for (uint64_t k = 0; k < d; k++)
            sum += x[k] * y[k];
        scores[p] = sum;
    }
    hrr_free(row);
    hrr_free(mean);
    return HRR_OK;
}
