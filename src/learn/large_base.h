/* large_base.h: what public_base.h says of nodes, for graphs on which networks that see all nodes
 * in every step would train for hours. */
#ifndef HRR_LEARN_LARGE_BASE_H
#define HRR_LEARN_LARGE_BASE_H

#include <heterorr/learn.h>

/* Whether a graph with so many nodes and edges, private ones not counted, is large: from 2^20 of
 * both together. */
bool hrr_base_is_large(uint64_t n_nodes, uint64_t n_edges);

/* logits (n x C, F32): what two networks say together, each trained a few nodes at a time: a sign
 * network on features and edges, and an MLP on the labels around a node (free_inputs.h). How long
 * they are trained follows from the number of training nodes. Validation nodes, 2^16 of them or
 * about as many, tell when to stop and how much each network weighs (fusion.h); without any the
 * sign network is all. Protected labels (`label_eps`) are learnt as they are and corrected for
 * where the networks are put together: randomised response leaves the likeliest class the
 * likeliest.
 *
 * Guarantee: a function of the graph, which must not have private edges, and of the seed, for any
 *            number of threads; labels of test nodes are not looked at.
 * Cost:      O(2 m d + 28 m C) and some 2^23 rows of 3 d + 4 C floats through each network; n (3 d
 *            + 192 + 10 C) floats.
 * Errors:    HRR_EDATA (no labels or split; training diverged), HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_large_base(hrr_dense *logits, const hrr_graph *graph,
                          const hrr_train_options *options, hrr_progress *progress,
                          hrr_error *err) HRR_CHECKED;

/* How long it will take, roughly, for d features and C classes. */
double hrr_large_base_seconds(uint64_t n_nodes, uint64_t n_edges, uint64_t d, uint32_t n_classes);

#endif
