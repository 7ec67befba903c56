/* group_fit.c: see group_fit.h. */
#include "edge/group_fit.h"
#include "edge/group_counts.h"
#include "base/memory.h"

#include <math.h>

static double near_of(const int64_t *count, uint64_t n)
{
    double sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += (double)count[i * n + i] + (i + 1 < n ? (double)count[i * n + i + 1] : 0);
    return sum;
}

double hrr_group_near(const hrr_group_table *table)
{
    return near_of(table->count, table->n_groups);
}

hrr_status hrr_group_fit_measure(hrr_group_fit *out, const hrr_wires *wires,
                                 const hrr_group_table *table, hrr_error *err)
{
    const uint64_t n = table->n_groups;
    int64_t *count = hrr_alloc_zero(n * n, sizeof *count);
    if (!count) return hrr_no_memory(err);
    hrr_group_count(count, table->group, table->n_groups,
                    &(hrr_edge_secret){wires->n_edges, wires->source, wires->target});
    *out = (hrr_group_fit){.near = near_of(count, n)};
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = i; j < n; j++) {
            const double apart = (double)(count[i * n + j] - table->count[i * n + j]);
            out->squares += apart * apart;
        }
    hrr_free(count);
    return HRR_OK;
}

/* Laplace noise of scale b has variance 2 b^2, and its square variance 20 b^4. Counts of two graphs
 * by one law differ by chance as well: by no more than twice their mean, squared. */
double hrr_group_squares_by_noise(const hrr_group_table *table, uint64_t n_edges)
{
    const double cells = (double)table->n_groups * (table->n_groups + 1) / 2;
    const double square = 1 / (table->eps * table->eps);
    return (2 * cells + 2 * sqrt(20 * cells)) * square + 2 * (double)n_edges;
}
