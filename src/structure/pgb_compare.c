/* pgb_compare.c: how far one graph's answers to PGB's queries are from another's. */
#include <heterorr/structure.h>

#include "structure/measures.h"

#include <inttypes.h>
#include <math.h>

static double relative_error(double a, double b)
{
    if (a == b) return 0;
    return fabs(a - b) / fabs(a); /* infinite where a is 0 */
}

/* Of as many of the largest as 1 % of the original's nodes. */
static double mean_difference(const hrr_pgb_answers *a, const hrr_pgb_answers *b)
{
    double sum = 0;
    for (uint64_t i = 0; i < a->n_central; i++)
        sum += fabs(a->centrality[i] - b->centrality[i]);
    return a->n_central ? sum / (double)a->n_central : NAN;
}

hrr_status hrr_pgb_compare(double distance[HRR_N_PGB_QUERIES], const hrr_pgb_answers *original,
                           const hrr_pgb_answers *released, hrr_error *err)
{
    const uint64_t n = (uint64_t)original->value[HRR_PGB_NODES];
    const uint64_t n_released = (uint64_t)released->value[HRR_PGB_NODES];
    if (n != n_released)
        return hrr_fail(err, HRR_EINVAL,
                        "the original has %" PRIu64 " nodes and the released graph %" PRIu64
                        "; compare graphs on the same nodes",
                        n, n_released);
    for (int q = 0; q < HRR_N_PGB_QUERIES; q++)
        distance[q] = relative_error(original->value[q], released->value[q]);
    if (original->degree_count && released->degree_count)
        distance[HRR_PGB_DEGREES] = hrr_divergence(original->degree_count, original->n_degrees,
                                                   released->degree_count, released->n_degrees);
    if (original->distance_count && released->distance_count)
        distance[HRR_PGB_DISTANCES] =
            hrr_divergence(original->distance_count, original->n_distances,
                           released->distance_count, released->n_distances);
    if (original->centrality && released->centrality)
        distance[HRR_PGB_CENTRALITY] = mean_difference(original, released);
    if (!original->community || !released->community) return HRR_OK;
    return hrr_mutual_information(&distance[HRR_PGB_COMMUNITIES], original->community,
                                  original->n_communities, released->community,
                                  released->n_communities, n, err);
}
