/* fit.h: a network on a graph, whoever answers for the graph: for training and prediction, which
 * take a release, and for blocks that are predicted while a release is being made. */
#ifndef HRR_LEARN_FIT_H
#define HRR_LEARN_FIT_H

#include <heterorr/learn.h>

/* Train. Nothing is looked up: an automatic scale means none, a negative label_eps no correction,
 * and there are no counts. The model is not private: whoever knows better says so.
 * Ownership, Errors: as hrr_model_train(). */
hrr_status hrr_fit(hrr_model **out, hrr_train_summary *summary, const hrr_graph *graph,
                   const hrr_train_options *options, hrr_progress *progress,
                   hrr_error *err) HRR_CHECKED;

/* The same by several processes; see hrr_model_train_over(). */
hrr_status hrr_fit_over(hrr_model **out, hrr_train_summary *summary, const hrr_graph *graph,
                        const hrr_train_options *options, hrr_ranks *ranks, hrr_progress *progress,
                        hrr_error *err) HRR_CHECKED;

/* Train a few nodes at a time (`batch`), which an MLP can do as well as a sign network: for graphs
 * with too many nodes to see all of them in every step. Nothing is measured: of the summary, which
 * may not be NULL, no more is filled in than by hrr_fit_batches(). Not for node rows or labels that
 * are corrected. Otherwise as hrr_fit(). */
hrr_status hrr_fit_in_batches(hrr_model **out, hrr_train_summary *summary, const hrr_graph *graph,
                              const hrr_train_options *options, hrr_progress *progress,
                              hrr_error *err) HRR_CHECKED;

/* HRR_EDATA, and the summary says that training diverged. */
hrr_status hrr_fail_diverged(hrr_train_summary *summary, uint32_t epoch,
                             const hrr_train_options *options, hrr_error *err);

/* out: n x C, F32: logits of the network alone. features NULL: those of the graph.
 * Errors: as hrr_model_predict(). */
hrr_status hrr_forward(hrr_dense *out, const hrr_model *model, const hrr_graph *graph,
                       const hrr_dense *features, int threads, hrr_progress *progress,
                       hrr_error *err) HRR_CHECKED;

#endif
