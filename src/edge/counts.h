/* counts.h: private edges counted by the queries of queries.h, and noise on every answer. */
#ifndef HRR_EDGE_COUNTS_H
#define HRR_EDGE_COUNTS_H

#include "edge/queries.h"
#include "base/ranks.h"

/* noisy[q] = private edges that the nodes of query q split, plus discrete Laplace noise.
 *
 * Neighbours:  secrets that differ in one candidate pair.
 * Guarantee:   eps-DP, eps = the fraction of hrr_eps_fraction(eps_nano): the pair is in one query,
 *              so one answer moves by one (tree and queries do not depend on the secret here).
 *              Noise is drawn for every query whatever it counts, from the streams
 *              (HRR_PURPOSE_EDGE_COUNTS, q / HRR_COUNTS_BLOCK).
 *              *realised_eps is that fraction, as the sampler was handed it.
 * Cost:        O(n log n + m) time and O(n log n) memory for the counts.
 * Errors:      HRR_ENOMEM. */
hrr_status hrr_noisy_counts(int64_t *noisy, double *realised_eps, const hrr_queries *queries,
                            const hrr_dendrogram *tree, const hrr_edge_secret *secret,
                            uint64_t eps_nano, const hrr_random *random, int threads,
                            hrr_error *err);

/* The same by several ranks: each counts its share of the private edges; the owner of a stream adds
 * up its answers, and is the only one to draw from it; rank 0 gets them all.
 * Errors: those of other ranks, too. */
hrr_status hrr_noisy_counts_over(int64_t *noisy, double *realised_eps, const hrr_queries *queries,
                                 const hrr_dendrogram *tree, const hrr_edge_secret *secret,
                                 uint64_t eps_nano, const hrr_random *random, int threads,
                                 hrr_ranks *ranks, hrr_error *err);

enum { HRR_COUNTS_BLOCK = 4096 }; /* queries that share a stream, one after another */

#endif
