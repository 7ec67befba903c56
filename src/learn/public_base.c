/* public_base.c: see public_base.h.
 *
 * Which part is best depends on the graph: where most edges are private, or neighbours are not
 * alike, a network that looks at none is better than one that looks at the few public ones. Where
 * both know something, together they know more. */
#include "learn/public_base.h"
#include "learn/cross_entropy.h"
#include "learn/fit.h"
#include "learn/free_model.h"

#include <math.h>

/* A network without edges. Training that diverges leaves the scores empty. */
static hrr_status fit_without_edges(hrr_dense *scores, const hrr_graph *graph,
                                    const hrr_train_options *options, hrr_progress *progress,
                                    hrr_error *err)
{
    hrr_train_options how = *options;
    hrr_train_summary summary = {0};
    hrr_error failed = {0};
    hrr_model *model = NULL;
    how.arch = HRR_ARCH_MLP;
    how.node_rows = false;
    how.n_propagate = 0;
    hrr_status status = hrr_fit(&model, &summary, graph, &how, progress, &failed);
    if (summary.diverged) return HRR_OK;
    if (status && err) *err = failed;
    if (!status) status = hrr_forward(scores, model, graph, NULL, how.threads, progress, err);
    hrr_model_free(model);
    return status;
}

/* The best part comes first. */
static void find_best(hrr_public_base *out, const hrr_dense *scores, const hrr_targets *targets,
                      uint64_t n_valid, int threads)
{
    out->best = HRR_BASE_EDGES;
    for (int part = 0; part < HRR_N_BASE_PARTS; part++) {
        out->valid_loss[part] = NAN;
        if (!scores[part].data) continue;
        out->valid_loss[part] =
            hrr_cross_entropy(scores[part].data, targets, HRR_VALID, n_valid, false, threads);
        if (out->valid_loss[part] < out->valid_loss[out->best]) out->best = (hrr_base_part)part;
    }
}

static hrr_status join(hrr_public_base *out, hrr_dense *scores, const hrr_targets *targets,
                       const hrr_train_options *options, hrr_error *err)
{
    hrr_dense others[HRR_N_BASE_PARTS];
    hrr_fusion_options how;
    uint32_t n = 0;
    hrr_fusion_options_init(&how);
    how.prior[1] = 0;
    how.label_eps = fmax(options->label_eps, 0);
    how.threads = options->threads;
    for (int part = 0; part < HRR_N_BASE_PARTS; part++)
        if (part != (int)out->best && scores[part].data) others[n++] = scores[part];
    hrr_status status =
        hrr_fusion_fit(&out->fusion, &scores[out->best], others, n, targets, &how, err);
    if (!status)
        hrr_fusion_apply(&scores[out->best], &out->fusion, others,
                         targets->classes ? HRR_OUTPUT_SOFTMAX : HRR_OUTPUT_SIGMOID, how.threads);
    return status;
}

hrr_status hrr_public_base_join(hrr_dense *logits, hrr_public_base *out, const hrr_graph *graph,
                                const hrr_train_options *options, hrr_progress *progress,
                                hrr_error *err)
{
    *out = (hrr_public_base){.fusion = {.n_terms = 1, .weight = {1}, .gain = NAN}};
    if ((!hrr_graph_classes(graph) && !hrr_graph_label_matrix(graph)) || !hrr_graph_split(graph))
        return hrr_fail(err, HRR_EDATA, "the graph has no labels to learn, or no split");
    const hrr_targets targets = hrr_targets_of(graph);
    const uint64_t n_valid = hrr_count_targets(&targets, HRR_VALID);
    if (!n_valid) return HRR_OK;
    hrr_free_model without_features = {0};
    hrr_dense scores[HRR_N_BASE_PARTS] = {[HRR_BASE_EDGES] = *logits};
    *logits = (hrr_dense){0};
    hrr_status status =
        fit_without_edges(&scores[HRR_BASE_NO_EDGES], graph, options, progress, err);
    if (!status)
        status = hrr_free_model_fit(&without_features, graph, NULL, options, progress, err);
    scores[HRR_BASE_FREE] = without_features.scores;
    if (!status) {
        find_best(out, scores, &targets, n_valid, options->threads);
        status = join(out, scores, &targets, options, err);
    }
    const hrr_base_part kept = status ? HRR_BASE_EDGES : out->best;
    *logits = scores[kept];
    scores[kept] = (hrr_dense){0};
    for (int part = 0; part < HRR_N_BASE_PARTS; part++)
        hrr_dense_clear(&scores[part]);
    return status;
}
