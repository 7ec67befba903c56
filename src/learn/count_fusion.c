/* count_fusion.c: counts of private neighbours beside a network.
 *
 * Bayes: ln P(class | all) = ln P(class | features, public edges) + ln P(noisy counts | class) +
 * ... The first is what a network trained on features and public edges says, the second the law of
 * counts (count_model.c); spread over edges (spread.h), counts of neighbours speak as well. What is
 * left of wrong assumptions shows in validation nodes: the terms get weights that make their labels
 * likeliest. Where few labels tell the rates, counts that do not help there weigh nothing
 * (fusion.h). */
#include "learn/count_model.h"
#include "learn/cross_entropy.h"
#include "learn/fusion.h"
#include "learn/spread.h"
#include "base/memory.h"
#include "matrix/dense.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const double stray = .03; /* how probable it is that counts do not follow their law at all */

/* So classes differ by -ln(stray) at most. Otherwise a few nodes with hundreds of edges, of which
 * the law is least true, would outvote all others where weights are found. */
static void bound(hrr_dense *evidence)
{
    for (uint64_t i = 0; i < evidence->rows; i++) {
        float *row = (float *)evidence->data + i * evidence->cols;
        double top = -INFINITY;
        for (uint64_t c = 0; c < evidence->cols; c++)
            top = fmax(top, (double)row[c]);
        for (uint64_t c = 0; c < evidence->cols; c++)
            row[c] = (float)log((1 - stray) * exp((double)row[c] - top) + stray);
    }
}

/* Evidence of the counts as terms: the nodes' own, then spread. */
static hrr_status find_terms(hrr_dense terms[HRR_SPREAD_TERMS], const hrr_count_model *model,
                             const hrr_block_counts *counts, const hrr_graph *graph, int threads,
                             hrr_progress *progress, hrr_error *err)
{
    hrr_status status = hrr_count_log_likelihood(&terms[0], model, counts,
                                                 hrr_graph_graph_ids(graph), threads, err);
    if (!status && model->output == HRR_OUTPUT_SOFTMAX) bound(&terms[0]);
    if (!status) status = hrr_spread(terms, graph, threads, progress, err);
    return status;
}

static bool is_counted(const hrr_block_counts *counts, uint64_t i)
{
    return !counts->counted || counts->counted[i];
}

/* ---- weights --------------------------------------------------------------------------------- */

/* chosen[i]: node i sees as much of its edges as a test node may, which is to say its need is not
 * below that of every test node. */
static void choose_owners(uint8_t *chosen, const hrr_block_counts *counts,
                          const hrr_targets *targets)
{
    uint32_t least = UINT32_MAX;
    bool some = false;
    for (uint64_t i = 0; i < targets->n; i++)
        if (targets->split[i] == HRR_TEST) {
            least = counts->need[i] < least ? counts->need[i] : least;
            some = true;
        }
    for (uint64_t i = 0; i < targets->n; i++)
        chosen[i] = !some || counts->need[i] >= least;
}

/* Whether rates are known well: labels are as they are, and every class has enough counted training
 * nodes, so that the noise in its rates has a standard deviation of .2 at most. Otherwise rates are
 * mostly noise, and evidence says more than it knows. */
static bool rates_are_known(const hrr_block_counts *counts, const hrr_targets *targets,
                            double label_eps)
{
    static const double enough = 50, most_variance = .04;
    const double kept = exp(-counts->eps), noise = 2 * kept / ((1 - kept) * (1 - kept));
    bool known = targets->classes && !(label_eps > 0);
    for (uint32_t c = 0; c < targets->n_classes && known; c++) {
        double n = 0;
        for (uint64_t i = 0; i < targets->n; i++)
            n += targets->classes[i] == (int64_t)c && targets->split[i] == HRR_TRAIN &&
                 is_counted(counts, i);
        known = n >= enough && noise <= most_variance * n;
    }
    return known;
}

/* The law of counts is known, but for its rates. So evidence is worth about what it says, and what
 * is spread a half and a quarter of it. A few hundred validation nodes tell less about weights than
 * that: they correct it, and need no guard. */
static void trust_the_law(hrr_fusion_options *how)
{
    static const double by_law[1 + HRR_SPREAD_TERMS] = {1, 1, .5, .25};
    memcpy(how->prior, by_law, sizeof by_law);
    how->pull = 30;
    how->unguarded = true;
}

static hrr_status fit_weights(hrr_count_model *model, const hrr_dense *logits,
                              const hrr_dense *terms, const hrr_block_counts *counts,
                              const hrr_targets *targets, double label_eps, int threads,
                              hrr_error *err)
{
    hrr_fusion_options how;
    hrr_fusion found = {0};
    uint8_t *chosen = NULL;
    if (counts->need && !(chosen = hrr_alloc(targets->n, 1))) return hrr_no_memory(err);
    if (chosen) choose_owners(chosen, counts, targets);
    hrr_fusion_options_init(&how);
    if (rates_are_known(counts, targets, label_eps)) trust_the_law(&how);
    how.chosen = chosen;
    how.label_eps = label_eps;
    how.threads = threads;
    hrr_status status = hrr_fusion_fit(&found, logits, terms, HRR_SPREAD_TERMS, targets, &how, err);
    model->weight_model = found.weight[0];
    model->weight_counts = found.weight[1];
    memcpy(model->weight_spread, found.weight + 2, sizeof model->weight_spread);
    hrr_free(chosen);
    return status;
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* P(class | network, released label), for labels that went through randomised response. */
static hrr_status find_belief(hrr_dense *belief, const hrr_dense *logits,
                              const hrr_targets *targets, double eps, int threads, hrr_error *err)
{
    const uint32_t n_classes = targets->n_classes;
    hrr_status status = hrr_dense_convert(belief, logits, HRR_F32, err);
    if (status) return status;
    hrr_to_probabilities(belief->data, targets->n, n_classes, HRR_OUTPUT_SOFTMAX, threads);
    for (uint64_t i = 0; i < targets->n; i++) {
        float *p = (float *)belief->data + i * n_classes, sum = 0;
        if (targets->classes[i] >= 0) p[targets->classes[i]] *= (float)exp(fmin(eps, 50));
        for (uint32_t c = 0; c < n_classes; c++)
            sum += p[c];
        for (uint32_t c = 0; c < n_classes; c++)
            p[c] /= sum;
    }
    return HRR_OK;
}

/* Whether a training node was counted. Then the weights are found with a law from training nodes
 * alone: a law that has seen the labels of validation nodes seems to explain them. */
static bool trained_on(const hrr_targets *targets, const hrr_block_counts *counts)
{
    bool some = false;
    for (uint64_t i = 0; i < targets->n && !some; i++)
        some = hrr_target_counts(targets, i, HRR_TRAIN) && is_counted(counts, i);
    return some;
}

static hrr_status check(const hrr_dense *logits, const hrr_block_counts *counts,
                        const hrr_graph *graph, hrr_error *err)
{
    const uint32_t n_classes = hrr_graph_n_classes(graph);
    const hrr_dense *matrix = hrr_graph_label_matrix(graph);
    if ((!hrr_graph_classes(graph) && !matrix) || !hrr_graph_split(graph))
        return hrr_fail(err, HRR_EDATA,
                        "the model of the counts is learned from labelled nodes, but the graph has "
                        "no labels or no split");
    if (logits->dtype != HRR_F32 || logits->cols != n_classes || n_classes < (matrix ? 1 : 2))
        return hrr_fail(err, HRR_EINVAL,
                        "the model has %" PRIu64 " classes, but the graph has %" PRIu32,
                        logits->cols, n_classes);
    if (logits->rows != hrr_graph_n_nodes(graph))
        return hrr_fail(err, HRR_EINVAL,
                        "there are logits for %" PRIu64 " nodes, but the graph has %" PRIu64,
                        logits->rows, hrr_graph_n_nodes(graph));
    return hrr_counts_check(counts, logits->rows, err);
}

/* ---- together -------------------------------------------------------------------------------- */

hrr_status hrr_count_model_fit(hrr_count_model *out, const hrr_dense *logits,
                               const hrr_block_counts *counts, const hrr_graph *graph,
                               double label_eps, int threads, hrr_progress *progress,
                               hrr_error *err)
{
    hrr_dense terms[HRR_SPREAD_TERMS] = {0}, belief = {0};
    *out = (hrr_count_model){0};
    hrr_status status = check(logits, counts, graph, err);
    if (status) return status;
    const hrr_dense *matrix = hrr_graph_label_matrix(graph);
    hrr_count_labels labels = {.targets = {.n = logits->rows,
                                           .n_classes = (uint32_t)logits->cols,
                                           .classes = hrr_graph_classes(graph),
                                           .labels = matrix ? matrix->data : NULL,
                                           .split = hrr_graph_split(graph)},
                               .graph_ids = hrr_graph_graph_ids(graph)};
    if (label_eps > 0 && !matrix) {
        if ((status = find_belief(&belief, logits, &labels.targets, label_eps, threads, err)))
            goto done;
        labels.belief = &belief;
    }
    labels.train_only = trained_on(&labels.targets, counts);
    if ((status = hrr_count_law_fit(out, counts, &labels, progress, err))) goto done;
    if ((status = find_terms(terms, out, counts, graph, threads, progress, err))) goto done;
    if ((status =
             fit_weights(out, logits, terms, counts, &labels.targets, label_eps, threads, err)))
        goto done;
    labels.train_only = false;
    status = hrr_count_rates_fit(out, counts, &labels, err);
done:
    hrr_spread_clear(terms);
    hrr_dense_clear(&belief);
    if (status) hrr_count_model_clear(out);
    return status;
}

hrr_status hrr_count_model_apply(hrr_dense *logits, const hrr_count_model *model,
                                 const hrr_block_counts *counts, const hrr_graph *graph,
                                 int threads, hrr_error *err)
{
    const uint64_t rows_each = model->output == HRR_OUTPUT_SIGMOID ? 2 : 1;
    hrr_dense terms[HRR_SPREAD_TERMS] = {0};
    hrr_status status = hrr_counts_check(counts, logits->rows, err);
    if (!status && logits->cols * rows_each != model->rate.rows)
        status = hrr_fail(err, HRR_EDATA,
                          "the model of the counts was fitted to %" PRIu64
                          " classes, but there are %" PRIu64,
                          model->rate.rows / rows_each, logits->cols);
    if (!status) status = find_terms(terms, model, counts, graph, threads, NULL, err);
    if (!status) {
        hrr_fusion fusion = {.n_terms = 1 + HRR_SPREAD_TERMS,
                             .weight = {model->weight_model, model->weight_counts}};
        memcpy(fusion.weight + 2, model->weight_spread, sizeof model->weight_spread);
        hrr_fusion_apply(logits, &fusion, terms, model->output, threads);
    }
    hrr_spread_clear(terms);
    return status;
}
