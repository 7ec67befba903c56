/* correlation.h: pairs of nodes that are alike. */
#ifndef HRR_ATTACK_CORRELATION_H
#define HRR_ATTACK_CORRELATION_H

#include <heterorr/attack.h>

/* scores: for each pair the correlation of two rows of `values` (a row for each node of the graph)
 * about the mean of the sample. */
hrr_status hrr_correlate(double *scores, const hrr_link_pairs *pairs, const hrr_dense *values,
                         const uint32_t *nodes, uint64_t n_nodes, int threads,
                         hrr_error *err) HRR_CHECKED;

#endif
