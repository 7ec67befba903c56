/* report_model.h: what reports of a head's answers (featurerr-head) say about classes.
 *
 * A head that was made elsewhere is wrong about some people, and the report of its answer is
 * randomised. Both are known or can be learnt: with P(h | c), how the head answers people of class
 * c, and P(r | h), the channel,
 *
 *     ev(c) = ln sum over h of P(h | c) P(r | h)
 *
 * is evidence about a node, and spread over edges (spread.h) about its neighbours. Late fusion
 * (fusion.h) puts it together with a model that has not seen the reports. */
#ifndef HRR_LEARN_REPORT_MODEL_H
#define HRR_LEARN_REPORT_MODEL_H

#include "learn/fusion.h"

enum { HRR_REPORT_TERMS = 4 }; /* evidence of a node's own, and one, two and four steps away */

typedef struct hrr_report_model {
    /* G x k, F64. A row is a class, or a label that a node has (rows 0..C-1) or has not (C..2C-1):
     * P(answer h | row), or, of reports of labels, P(yes to j | row). Empty: there is none. */
    hrr_dense confusion;
    hrr_output_kind output;
    double weight_model, weight[HRR_REPORT_TERMS];
} hrr_report_model;

void hrr_report_model_clear(hrr_report_model *model);

/* Learn the confusion from labelled nodes of training and validation, by EM, since answers are seen
 * through the channel alone, pulled to how the head answers everybody; the weights from validation
 * nodes, whose evidence comes from the others' labels. logits: n x C, F32, of a model that has not
 * seen the reports. graph: labels, split and the edges to spread over. label_eps: as in
 * hrr_fusion_options.
 *
 * Guarantee: post-processing of a release: no privacy is spent.
 * Cost:      O(n G k) about 300 times, n the labelled nodes.
 * Errors:    HRR_EINVAL, HRR_EDATA, HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_report_model_fit(hrr_report_model *out, const hrr_dense *logits,
                                const hrr_reports *reports, const hrr_graph *graph,
                                double label_eps, int threads, hrr_progress *progress,
                                hrr_error *err) HRR_CHECKED;

/* logits become those of the combination. Errors: HRR_EDATA for reports of another shape. */
hrr_status hrr_report_model_apply(hrr_dense *logits, const hrr_report_model *model,
                                  const hrr_reports *reports, const hrr_graph *graph, int threads,
                                  hrr_progress *progress, hrr_error *err) HRR_CHECKED;

/* reports.npz in the directory of a model. Reading: none if there is no such file. Errors:
 * HRR_EDATA, HRR_EIO, HRR_ENOMEM. */
hrr_status hrr_report_model_write(const hrr_report_model *model, const char *directory,
                                  hrr_error *err) HRR_CHECKED;
hrr_status hrr_report_model_read(hrr_report_model *out, const char *directory, uint32_t n_classes,
                                 hrr_output_kind output, hrr_error *err) HRR_CHECKED;

#endif
