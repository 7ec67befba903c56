/* training_learner.c: see training_learner.h. */
#include "experiment/training_learner.h"
#include "experiment/treatments.h"
#include "certificate/release.h"
#include "learn/free_model.h"
#include "learn/measure_logits.h"
#include "learn/public_base.h"
#include "learn/report_model.h"

#include <heterorr/release.h>

#include <math.h>

hrr_status hrr_training_measure(hrr_training_outcome *found, const hrr_dense *logits,
                                const hrr_graph *graph, hrr_error *err)
{
    hrr_metrics parts[3];
    hrr_status status = hrr_measure_logits(parts, logits, graph, err);
    if (status) return status;
    found->valid = parts[HRR_VALID];
    found->test = parts[HRR_TEST];
    return HRR_OK;
}

static hrr_train_options network_options(const hrr_training_setting *setting,
                                         const hrr_training_sweep_options *options,
                                         uint64_t n_features)
{
    hrr_train_options how = options->train;
    const hrr_edge_half edges = hrr_edge_half_of(setting->edges);
    how.arch = edges.learns_from == HRR_LEARNS_FROM_NO_EDGES ? HRR_ARCH_MLP : HRR_ARCH_GCN;
    how.node_rows = hrr_feature_half_of(setting->features).learner == HRR_LEARNER_NODE_ROWS;
    how.n_propagate = how.node_rows ? setting->propagate : 0; /* of features it is done */
    how.scale = hrr_training_standardises(setting, options, n_features) ? HRR_SCALE_BOUNDED
                                                                        : HRR_SCALE_NONE;
    how.seed = options->seed + setting->run;
    how.threads = 1;
    return how;
}

static hrr_status train(hrr_dense *logits, hrr_training_outcome *found, const hrr_release *released,
                        const hrr_train_options *how, hrr_progress *progress, hrr_error *err)
{
    hrr_predict_options as_logits;
    hrr_train_summary summary = {0};
    hrr_error failed = {0};
    hrr_model *model = NULL;
    hrr_predict_options_init(&as_logits);
    as_logits.logits = true;
    as_logits.threads = 1;
    hrr_status status = hrr_model_train(&model, &summary, released, how, progress, &failed);
    found->diverged = summary.diverged;
    if (summary.diverged) return HRR_OK;
    if (status && err) *err = failed;
    found->valid = summary.parts[HRR_VALID];
    found->test = summary.parts[HRR_TEST];
    found->epochs = summary.epochs;
    found->best_epoch = summary.best_epoch;
    if (!status && logits)
        status = hrr_model_predict(logits, model, released, &as_logits, progress, err);
    hrr_model_free(model);
    return status;
}

/* The scores are measured, and kept if somebody asks for them. */
static hrr_status take_scores(hrr_dense *logits, hrr_training_outcome *found, hrr_dense *scores,
                              const hrr_graph *graph, hrr_error *err)
{
    hrr_status status = hrr_training_measure(found, scores, graph, err);
    if (!status && logits) {
        *logits = *scores;
        *scores = (hrr_dense){0};
    }
    hrr_dense_clear(scores);
    return status;
}

/* Scores of what is free become those with what reports of a head add to it. */
static hrr_status add_reports(hrr_dense *scores, const hrr_release *released,
                              const hrr_train_options *how, hrr_progress *progress, hrr_error *err)
{
    const hrr_graph *graph = hrr_release_graph(released);
    const hrr_reports *reports = hrr_release_reports(released);
    hrr_report_model told = {0};
    hrr_status status = hrr_report_model_fit(&told, scores, reports, graph, fmax(how->label_eps, 0),
                                             how->threads, progress, err);
    if (!status)
        status = hrr_report_model_apply(scores, &told, reports, graph, how->threads, progress, err);
    hrr_report_model_clear(&told);
    return status;
}

/* A network on what volunteers show. */
static hrr_status learn_shown(hrr_dense *logits, hrr_training_outcome *found,
                              const hrr_graph *graph, const hrr_dense *shown,
                              const hrr_train_options *how, hrr_progress *progress, hrr_error *err)
{
    hrr_graph *own = NULL;
    hrr_release *released = NULL;
    hrr_dense view = hrr_dense_view(shown);
    hrr_status status = hrr_graph_copy(
        &own, graph, HRR_COPY_EDGES | HRR_COPY_LABELS | HRR_COPY_SPLIT | HRR_COPY_AS_VIEWS, err);
    if (!status) status = hrr_graph_take_features(own, &view, err);
    if (!status) status = hrr_release_take_non_private(&released, &own, err);
    if (!status) status = train(logits, found, released, how, progress, err);
    hrr_release_free(released);
    hrr_graph_free(own);
    return status;
}

/* What is free without features: learnt, unless a setting with the same run, split and edges was
 * here shortly before. Edges that a budget buys are never the same. The same numbers either way. */
static hrr_status learn_free(hrr_dense *scores, hrr_kept *kept, const hrr_training_setting *setting,
                             const hrr_graph *graph, const hrr_dense *shown,
                             const hrr_train_options *how, hrr_progress *progress, hrr_error *err)
{
    hrr_kept_scores free_model;
    hrr_free_model model = {0};
    if (hrr_edges_spend(hrr_edge_half_of(setting->edges))) kept = NULL;
    hrr_status status = hrr_kept_find(&free_model, kept, HRR_KEPT_FREE_MODEL, setting, err);
    *scores = free_model.scores;
    if (status || scores->data) return status;
    status = hrr_free_model_fit(&model, graph, shown, how, progress, err);
    if (status) return status;
    free_model.scores = model.scores;
    status = hrr_kept_add(kept, &free_model, err);
    if (!status) {
        *scores = model.scores;
        model.scores = (hrr_dense){0};
    }
    hrr_free_model_clear(&model);
    return status;
}

hrr_status hrr_training_learn(hrr_dense *logits, hrr_training_outcome *found,
                              const hrr_release *released, const hrr_training_setting *setting,
                              const hrr_training_sweep_options *options, uint64_t n_features,
                              const hrr_dense *shown, hrr_kept *kept, hrr_progress *progress,
                              hrr_error *err)
{
    const hrr_graph *graph = hrr_release_graph(released);
    const hrr_train_options how = network_options(setting, options, n_features);
    const hrr_feature_half features = hrr_feature_half_of(setting->features);
    hrr_status status = HRR_OK;
    hrr_dense scores;
    switch (features.learner) {
    case HRR_LEARNER_NETWORK:
    case HRR_LEARNER_NODE_ROWS:
        return train(logits, found, released, &how, progress, err);
    case HRR_LEARNER_LABELS:
        status = hrr_label_propagation(&scores, NULL, graph, how.threads, progress, err);
        return status ? status : take_scores(logits, found, &scores, graph, err);
    case HRR_LEARNER_SHOWN:
        return learn_shown(logits, found, graph, shown, &how, progress, err);
    case HRR_LEARNER_FREE:
    case HRR_LEARNER_REPORTS:
    case HRR_LEARNER_ANSWERS:
        status = learn_free(&scores, kept, setting, graph, shown, &how, progress, err);
        if (!status && hrr_features_are_answers(features))
            status = add_reports(&scores, released, &how, progress, err);
        if (!status) return take_scores(logits, found, &scores, graph, err);
        hrr_dense_clear(&scores);
        return status;
    }
    return status;
}

hrr_status hrr_training_join_base(hrr_dense *logits, hrr_training_outcome *found,
                                  const hrr_release *released, const hrr_training_setting *setting,
                                  const hrr_training_sweep_options *options, uint64_t n_features,
                                  hrr_progress *progress, hrr_error *err)
{
    const hrr_graph *graph = hrr_release_graph(released);
    const hrr_train_options how = network_options(setting, options, n_features);
    hrr_public_base base;
    if (hrr_feature_half_of(setting->features).learner != HRR_LEARNER_NETWORK) return HRR_OK;
    hrr_status status = hrr_public_base_fit(&base, logits, graph, &how, progress, err);
    hrr_public_base_clear(&base);
    return status ? status : hrr_training_measure(found, logits, graph, err);
}
