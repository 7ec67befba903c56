/* public_base.c: see public_base.h.
 *
 * Which part is best depends on the graph: where most edges are private, or neighbours are not
 * alike, a network that looks at none is better than one that looks at the few public ones. Where
 * both know something, together they know more. */
#include "learn/public_base.h"
#include "learn/cross_entropy.h"
#include "learn/fit.h"
#include "learn/free_model.h"
#include "matrix/dense.h"

#include <inttypes.h>
#include <math.h>

void hrr_public_base_clear(hrr_public_base *base)
{
    hrr_model_free(base->no_edges);
    hrr_dense_clear(&base->free);
    *base = (hrr_public_base){0};
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* A network without edges, unless the network beside it is one. Training that diverges leaves none.
 */
static hrr_status fit_without_edges(hrr_model **model, const hrr_graph *graph,
                                    const hrr_train_options *options, hrr_progress *progress,
                                    hrr_error *err)
{
    hrr_train_options how = *options;
    hrr_train_summary summary = {0};
    hrr_error failed = {0};
    if (how.arch == HRR_ARCH_MLP && !how.n_propagate) return HRR_OK;
    how.arch = HRR_ARCH_MLP;
    how.node_rows = false;
    how.n_propagate = 0;
    hrr_status status = hrr_fit(model, &summary, graph, &how, progress, &failed);
    if (summary.diverged) return HRR_OK;
    if (status && err) *err = failed;
    return status;
}

hrr_status hrr_public_base_check(const hrr_public_base *base, const hrr_graph *graph,
                                 hrr_error *err)
{
    if (!base->free.data || base->free.rows == hrr_graph_n_nodes(graph)) return HRR_OK;
    return hrr_fail(err, HRR_EDATA,
                    "the model stores what edges and labels say about its %" PRIu64
                    " nodes, but the graph has %" PRIu64
                    " nodes; use the release that the model was trained on, or ignore the counts "
                    "of neighbours (`ignore_counts`)",
                    base->free.rows, hrr_graph_n_nodes(graph));
}

/* What each part says; that of the network is taken from logits. A part that is not there leaves
 * its scores empty. */
static hrr_status find_scores(hrr_dense scores[HRR_N_BASE_PARTS], hrr_dense *logits,
                              const hrr_public_base *base, const hrr_graph *graph,
                              const hrr_dense *features, int threads, hrr_progress *progress,
                              hrr_error *err)
{
    hrr_status status = hrr_public_base_check(base, graph, err);
    if (!status && base->no_edges)
        status = hrr_forward(&scores[HRR_BASE_NO_EDGES], base->no_edges, graph, features, threads,
                             progress, err);
    if (!status && base->free.data)
        status = hrr_dense_convert(&scores[HRR_BASE_FREE], &base->free, HRR_F32, err);
    scores[HRR_BASE_EDGES] = *logits;
    *logits = (hrr_dense){0};
    return status;
}

static void clear_scores(hrr_dense scores[HRR_N_BASE_PARTS])
{
    for (int part = 0; part < HRR_N_BASE_PARTS; part++)
        hrr_dense_clear(&scores[part]);
}

/* ---- together -------------------------------------------------------------------------------- */

/* The parts that there are, but for the best, in their order. */
static uint32_t find_others(hrr_base_part others[HRR_N_BASE_PARTS], const hrr_dense *scores,
                            hrr_base_part best)
{
    uint32_t n = 0;
    for (hrr_base_part part = 0; part < HRR_N_BASE_PARTS; part++)
        if (part != best && scores[part].data) others[n++] = part;
    return n;
}

static void find_best(hrr_public_base *out, const hrr_dense *scores, const hrr_targets *targets,
                      uint64_t n_valid, int threads)
{
    out->best = HRR_BASE_EDGES;
    for (hrr_base_part part = 0; part < HRR_N_BASE_PARTS; part++) {
        out->valid_loss[part] = NAN;
        if (!scores[part].data) continue;
        out->valid_loss[part] =
            hrr_cross_entropy(scores[part].data, targets, HRR_VALID, n_valid, false, threads);
        if (out->valid_loss[part] < out->valid_loss[out->best]) out->best = part;
    }
}

static hrr_status weigh(hrr_public_base *out, const hrr_dense *scores, const hrr_targets *targets,
                        const hrr_train_options *options, hrr_error *err)
{
    hrr_base_part others[HRR_N_BASE_PARTS];
    hrr_dense said[HRR_N_BASE_PARTS];
    hrr_fusion_options how;
    hrr_fusion found;
    hrr_fusion_options_init(&how);
    how.prior[1] = 0;
    how.label_eps = fmax(options->label_eps, 0);
    how.threads = options->threads;
    const uint32_t n = find_others(others, scores, out->best);
    for (uint32_t t = 0; t < n; t++)
        said[t] = scores[others[t]];
    hrr_status status = hrr_fusion_fit(&found, &scores[out->best], said, n, targets, &how, err);
    if (status) return status;
    out->weight[out->best] = found.weight[0];
    for (uint32_t t = 0; t < n; t++)
        out->weight[others[t]] = found.weight[t + 1];
    return HRR_OK;
}

/* The scores of the best part become those of all, and are taken. */
static void put_together(hrr_dense *logits, hrr_dense scores[HRR_N_BASE_PARTS],
                         const hrr_public_base *base, int threads)
{
    hrr_base_part others[HRR_N_BASE_PARTS];
    hrr_dense said[HRR_N_BASE_PARTS];
    const uint32_t n = find_others(others, scores, base->best);
    hrr_fusion fusion = {.n_terms = n + 1, .weight = {base->weight[base->best]}};
    for (uint32_t t = 0; t < n; t++) {
        said[t] = scores[others[t]];
        fusion.weight[t + 1] = base->weight[others[t]];
    }
    hrr_fusion_apply(&scores[base->best], &fusion, said, base->output, threads);
    *logits = scores[base->best];
    scores[base->best] = (hrr_dense){0};
}

/* What says nothing need not be kept, nor weights that leave the network as it is. */
static void drop_silent(hrr_public_base *base)
{
    if (!hrr_base_needs(base, HRR_BASE_FREE)) hrr_dense_clear(&base->free);
    if (!hrr_base_needs(base, HRR_BASE_NO_EDGES)) {
        hrr_model_free(base->no_edges);
        base->no_edges = NULL;
    }
    if (!base->free.data && !base->no_edges && base->weight[HRR_BASE_EDGES] == 1)
        base->weight[HRR_BASE_EDGES] = 0;
}

hrr_status hrr_public_base_fit(hrr_public_base *out, hrr_dense *logits, const hrr_graph *graph,
                               const hrr_train_options *options, hrr_progress *progress,
                               hrr_error *err)
{
    *out = (hrr_public_base){0};
    if ((!hrr_graph_classes(graph) && !hrr_graph_label_matrix(graph)) || !hrr_graph_split(graph))
        return hrr_fail(err, HRR_EDATA, "the graph has no labels to learn from, or no split");
    const hrr_targets targets = hrr_targets_of(graph);
    const uint64_t n_valid = hrr_count_targets(&targets, HRR_VALID);
    if (!n_valid) return HRR_OK;
    out->output = targets.classes ? HRR_OUTPUT_SOFTMAX : HRR_OUTPUT_SIGMOID;
    hrr_free_model without_features = {0};
    hrr_dense scores[HRR_N_BASE_PARTS] = {0};
    hrr_status status = fit_without_edges(&out->no_edges, graph, options, progress, err);
    if (!status)
        status = hrr_free_model_fit(&without_features, graph, NULL, options, progress, err);
    out->free = without_features.scores;
    if (!status)
        status = find_scores(scores, logits, out, graph, NULL, options->threads, progress, err);
    if (!status) {
        find_best(out, scores, &targets, n_valid, options->threads);
        status = weigh(out, scores, &targets, options, err);
    }
    if (!status) {
        put_together(logits, scores, out, options->threads);
        drop_silent(out);
    } else {
        hrr_public_base_clear(out);
    }
    clear_scores(scores);
    return status;
}

hrr_status hrr_public_base_apply(hrr_dense *logits, const hrr_public_base *base,
                                 const hrr_graph *graph, const hrr_dense *features, int threads,
                                 hrr_progress *progress, hrr_error *err)
{
    hrr_dense scores[HRR_N_BASE_PARTS] = {0};
    if (!hrr_public_base_is_more(base)) return HRR_OK;
    hrr_status status = find_scores(scores, logits, base, graph, features, threads, progress, err);
    if (!status) put_together(logits, scores, base, threads);
    clear_scores(scores);
    return status;
}
