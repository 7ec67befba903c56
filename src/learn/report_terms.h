/* report_terms.h: evidence of reports as terms of a fusion: a node's own, and what it says far
 * away; and their weights.
 *
 * One report of a small budget says next to nothing. Hundreds of nodes two steps away say, with the
 * noise averaged out, what kind of place this is: on Twitch, where a neighbour's class tells
 * little, they are worth more than the node's own report (docs/mechanisms/featurerr-head.md). */
#ifndef HRR_LEARN_REPORT_TERMS_H
#define HRR_LEARN_REPORT_TERMS_H

#include "learn/report_model.h"

/* Whether a node's label may be learnt from. */
static inline bool hrr_is_known(const hrr_targets *targets, uint64_t i)
{
    return hrr_target_counts(targets, i, HRR_TRAIN) || hrr_target_counts(targets, i, HRR_VALID);
}

/* terms[0], evidence (n x C, F32), is given; the others become what it says one, two and four steps
 * away, centred and of one size. Errors: HRR_ENOMEM, HRR_ECANCEL; what was made is there. */
hrr_status hrr_report_terms_spread(hrr_dense terms[HRR_REPORT_TERMS], const hrr_graph *graph,
                                   hrr_output_kind output, int threads, hrr_progress *progress,
                                   hrr_error *err) HRR_CHECKED;
/* All of them, the first included. */
void hrr_report_terms_clear(hrr_dense terms[HRR_REPORT_TERMS]);

/* model->weight_model and model->weight, from nodes that are known: those that make left-out nodes
 * likeliest, a node's own evidence as it is where that does better, or none. Errors: HRR_ENOMEM and
 * those of hrr_fusion_fit(). */
hrr_status hrr_report_terms_weigh(hrr_report_model *model, const hrr_dense *logits,
                                  const hrr_dense *terms, const hrr_targets *targets,
                                  double label_eps, int threads, hrr_error *err) HRR_CHECKED;

#endif
