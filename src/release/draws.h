/* draws.h: one part of a release, for experiments, which draw thousands of times and keep nothing.
 * Nothing is charged. */
#ifndef HRR_RELEASE_DRAWS_H
#define HRR_RELEASE_DRAWS_H

#include <heterorr/release.h>

/* The edges alone, in memory, for experiments: a graph with the released edges and nothing else.
 * `claim` may be NULL; its texts are gone when this returns, literals excepted.
 *
 * Guarantee: claim->realised_eps, if the public parts of the graph are public.
 * Errors:    as hrr_protect(). */
HRR_STATUS hrr_draw_edges(hrr_graph **released, hrr_edge_claim *claim, const hrr_graph *graph,
                          const hrr_edge_options *options, hrr_random *random,
                          hrr_progress *progress, hrr_error *err);

/* The features alone, in memory, for experiments: n x n_features_out, what hrr_protect() would
 * draw with the same generator. `claim` may be NULL; its texts are gone when this returns.
 *
 * Guarantee: claim->realised_eps, if options hold public data only.
 * Errors:    as hrr_protect(); HRR_EINVAL if the graph has no features. */
HRR_STATUS hrr_draw_features(hrr_dense *released, hrr_feature_claim *claim, const hrr_graph *graph,
                             const hrr_feature_options *options, int threads, hrr_random *random,
                             hrr_progress *progress, hrr_error *err);

/* The counts alone, for experiments; options->mechanism must be one that counts (edgerr-node).
 * counts look at what *drawn owns. `claim` as above.
 *
 * Guarantee: claim->realised_eps, if the public parts of the graph and the blocks are public.
 * Ownership: *drawn belongs to the caller, hrr_edge_release_clear().
 * Errors:    as hrr_protect(). */
HRR_STATUS hrr_draw_counts(hrr_block_counts *counts, hrr_edge_release *drawn, hrr_edge_claim *claim,
                           const hrr_graph *graph, const hrr_edge_options *options,
                           hrr_random *random, hrr_progress *progress, hrr_error *err);

#endif
