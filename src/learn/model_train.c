/* model_train.c: training on a release: as its terms ask for, then what its counts of neighbours,
 * beside all that is free, and reports of a head say about classes. What the release promises goes
 * into the model, and nothing beyond it. */
#include "learn/fit.h"
#include "learn/free_model.h"
#include "learn/measure_logits.h"
#include "learn/model.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/ranks.h"
#include "certificate/release.h"
#include "certificate/terms.h"

#include <math.h>
#include <string.h>

/* Randomised features share a mean that is far larger than what sets them apart: as they are,
 * networks learn nothing from them. There is no correction for several protected labels a node;
 * those are learnt as they are. */
static void follow_release(hrr_train_options *how, const hrr_release *release)
{
    const hrr_terms *terms = hrr_release_terms(release);
    if (how->scale == HRR_SCALE_AUTO)
        how->scale = terms && hrr_terms_scale_features(terms) ? HRR_SCALE_BOUNDED : HRR_SCALE_NONE;
    if (how->label_eps < 0)
        how->label_eps = hrr_graph_is_multilabel(hrr_release_graph(release))
                             ? 0
                             : hrr_release_label_eps(release);
}

static const hrr_reports *reports_in_use(const hrr_release *release, const hrr_train_options *how)
{
    return how->ignore_reports ? NULL : hrr_release_reports(release);
}

/* Reports take the place of features, so a network has none to learn from: what is free stands in
 * its place, as a row of scores for every node. */
static hrr_status fit_free(hrr_model **out, hrr_train_summary *found, const hrr_graph *graph,
                           const hrr_train_options *how, hrr_progress *progress, hrr_error *err)
{
    hrr_free_model model;
    *out = NULL;
    *found = (hrr_train_summary){.train_loss = NAN};
    hrr_status status = hrr_free_model_fit(&model, graph, NULL, how, progress, err);
    if (status) return status;
    const hrr_model_shape shape = {.arch = HRR_ARCH_MLP,
                                   .n_layers = 1,
                                   .n_features = model.scores.rows,
                                   .n_classes = (uint32_t)model.scores.cols,
                                   .output = hrr_graph_classes(graph) ? HRR_OUTPUT_SOFTMAX
                                                                      : HRR_OUTPUT_SIGMOID,
                                   .node_rows = true};
    status = hrr_model_new(out, &shape, err);
    if (!status)
        memcpy((*out)->parameters, model.scores.data,
               model.scores.rows * model.scores.cols * sizeof(float));
    found->valid_loss = model.valid_loss[model.best];
    hrr_free_model_clear(&model);
    return status;
}

static hrr_status add_reports(hrr_dense *logits, hrr_model *model, hrr_train_summary *summary,
                              const hrr_reports *reports, const hrr_graph *graph,
                              const hrr_train_options *how, hrr_progress *progress, hrr_error *err)
{
    hrr_report_model *told = &model->reports;
    hrr_status status = hrr_report_model_fit(told, logits, reports, graph, how->label_eps,
                                             how->threads, progress, err);
    if (!status)
        status = hrr_report_model_apply(logits, told, reports, graph, how->threads, progress, err);
    summary->weight_report = told->weight[0];
    summary->weight_far_reports = told->weight[1] + told->weight[2] + told->weight[3];
    return status;
}

/* Counts join the best that is free without them. A network on node rows, or what takes its place
 * beside reports, looks at no features, of which the other parts would be made: it stays alone. */
static hrr_status add_counts(hrr_dense *logits, hrr_model *model, hrr_train_summary *summary,
                             const hrr_block_counts *counts, const hrr_graph *graph,
                             const hrr_train_options *how, hrr_progress *progress, hrr_error *err)
{
    hrr_status status = HRR_OK;
    if (!model->shape.node_rows)
        status = hrr_public_base_fit(&model->base, logits, graph, how, progress, err);
    if (!status)
        status = hrr_count_model_fit(&model->counts, logits, counts, graph, how->label_eps,
                                     how->threads, progress, err);
    if (!status)
        status = hrr_count_model_apply(logits, &model->counts, counts, graph, how->threads, err);
    const double *weight = model->base.weight;
    const bool more = hrr_public_base_is_more(&model->base);
    summary->weight_network = more ? weight[HRR_BASE_EDGES] : 1;
    summary->weight_no_edges = weight[HRR_BASE_NO_EDGES];
    summary->weight_free = weight[HRR_BASE_FREE];
    return status;
}

/* Counts and reports join the network; what is measured becomes that of all together. */
static hrr_status learn_evidence(hrr_model *model, hrr_train_summary *summary,
                                 const hrr_release *release, const hrr_train_options *how,
                                 hrr_progress *progress, hrr_error *err)
{
    const hrr_graph *graph = hrr_release_graph(release);
    const hrr_block_counts *counts = how->ignore_counts ? NULL : hrr_release_counts(release);
    const hrr_reports *reports = reports_in_use(release, how);
    hrr_dense logits = {0};
    summary->weight_report = summary->weight_far_reports = NAN;
    summary->weight_network = summary->weight_no_edges = summary->weight_free = NAN;
    if (!counts && !reports) return HRR_OK;
    if (counts && model->shape.arch == HRR_ARCH_SIGN)
        return hrr_fail(err, HRR_EINVAL,
                        "counts of neighbours can be used only with a gcn or an mlp (`arch`); "
                        "train the sign network without them (`ignore_counts`)");
    hrr_status status = hrr_forward(&logits, model, graph, NULL, how->threads, progress, err);
    if (!status && counts)
        status = add_counts(&logits, model, summary, counts, graph, how, progress, err);
    if (!status && reports)
        status = add_reports(&logits, model, summary, reports, graph, how, progress, err);
    if (!status) status = hrr_measure_logits(summary->parts, &logits, graph, err);
    hrr_dense_clear(&logits);
    return status;
}

static hrr_status record_promise(hrr_model *model, const hrr_release *release, hrr_error *err)
{
    model->released = !hrr_release_is_reference(release) && !hrr_release_is_mixed(release);
    model->is_private = hrr_release_is_private(release);
    if (model->released) memcpy(model->release_id, release->id, sizeof model->release_id);
    model->statement = hrr_copy_text(hrr_release_statement(release));
    return model->statement ? HRR_OK : hrr_no_memory(err);
}

/* What cannot be divided among processes. */
static hrr_status check_over(const hrr_release *release, const hrr_train_options *how,
                             hrr_error *err)
{
    const char *what = NULL;
    if (how->arch == HRR_ARCH_SIGN) what = "a sign network";
    if (how->node_rows) what = "one row of weights per node";
    if (how->label_eps > 0) what = "the correction for protected labels";
    if (!how->ignore_counts && hrr_release_counts(release)) what = "counts of neighbours";
    if (reports_in_use(release, how)) what = "reports of a head";
    if (!what) return HRR_OK;
    return hrr_fail(
        err, HRR_EINVAL,
        "training with %s cannot be divided among several processes; run it without mpirun", what);
}

hrr_status hrr_model_train(hrr_model **out, hrr_train_summary *summary, const hrr_release *release,
                           const hrr_train_options *options, hrr_progress *progress, hrr_error *err)
{
    return hrr_model_train_over(out, summary, release, options, NULL, progress, err);
}

hrr_status hrr_model_train_over(hrr_model **out, hrr_train_summary *summary,
                                const hrr_release *release, const hrr_train_options *options,
                                hrr_ranks *ranks, hrr_progress *progress, hrr_error *err)
{
    hrr_train_options how;
    hrr_train_summary found;
    hrr_model *model;
    *out = NULL;
    if (summary) *summary = (hrr_train_summary){0};
    hrr_status status = HRR_ADOPT(hrr_train_options, &how, options, err);
    if (status) return status;
    follow_release(&how, release);
    if (hrr_ranks_size(ranks) > 1 && (status = check_over(release, &how, err))) return status;
    hrr_ranks_watch(ranks, progress);
    status =
        reports_in_use(release, &how)
            ? fit_free(&model, &found, hrr_release_graph(release), &how, progress, err)
            : hrr_fit_over(&model, &found, hrr_release_graph(release), &how, ranks, progress, err);
    hrr_ranks_watch(ranks, NULL);
    if (summary) *summary = (hrr_train_summary){.diverged = found.diverged};
    if (!status) status = learn_evidence(model, &found, release, &how, progress, err);
    if (!status) status = record_promise(model, release, err);
    if (status) {
        hrr_model_free(model);
        return status;
    }
    found.scale = how.scale;
    found.label_eps = how.label_eps;
    if (summary) *summary = found;
    *out = model;
    return HRR_OK;
}
