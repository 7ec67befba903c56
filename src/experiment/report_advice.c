/* report_advice.c: how much a node's own report can add to what labels and public edges tell.
 *
 * Some labels of `known` are hidden, the free model (free_model.h) learns from the others, and what
 * it says of the hidden ones is what is known before a report. The best report at each budget
 * follows (report_ceiling.h). No feature is looked at. */
#include "experiment/advice.h"
#include "graph/copy.h"
#include "learn/free_model.h"
#include "learn/report_ceiling.h"
#include "base/memory.h"

#include <heterorr/learn.h>
#include <heterorr/privacy.h>

#include <math.h>
#include <string.h>

/* P(class) / share of the class, the largest first; where `class` went. Every class has the same
 * weight then, however many nodes it has. */
static uint32_t put_in_order(double *p, const float *score, const double *share, uint32_t n,
                             uint32_t class)
{
    const double own = exp((double)score[class]) / share[class];
    uint32_t rank = 0;
    for (uint32_t c = 0; c < n; c++) {
        const double x = share[c] > 0 ? exp((double)score[c]) / share[c] : 0;
        uint32_t at = c;
        for (; at > 0 && p[at - 1] < x; at--)
            p[at] = p[at - 1];
        p[at] = x;
        rank += c != class && (x > own || (x == own && c < class));
    }
    return rank;
}

/* Nodes of the test part, each class with the same weight. */
static void add_nodes(hrr_report_advice *out, size_t n_eps, const hrr_dense *scores,
                      const hrr_graph *graph, const double *share, double *p)
{
    const uint32_t n_classes = (uint32_t)scores->cols;
    const int32_t *class = hrr_graph_classes(graph);
    const uint8_t *split = hrr_graph_split(graph);
    for (uint64_t i = 0; i < scores->rows; i++) {
        if (split[i] != HRR_TEST || class[i] < 0) continue;
        const uint32_t own = (uint32_t) class[i];
        const float *score = (const float *)scores->data + i * n_classes;
        const uint32_t rank = put_in_order(p, score, share, n_classes, own);
        for (size_t e = 0; e < n_eps; e++) {
            const hrr_report_ceiling best = hrr_report_best(p, n_classes, out[e].eps);
            out[e].free_right += (rank == 0) / share[own];
            out[e].settled += (best.n_named == 1) / share[own];
            out[e].most_right += (rank < best.n_named ? best.right : 0) / share[own];
        }
    }
}

/* How many of the test nodes are in each class, 0 for none, and how many classes there are. */
static uint32_t count_classes(double *share, const hrr_graph *graph)
{
    const uint32_t n_classes = hrr_graph_n_classes(graph);
    const int32_t *class = hrr_graph_classes(graph);
    uint32_t n = 0;
    memset(share, 0, n_classes * sizeof *share);
    for (uint64_t i = 0; i < hrr_graph_n_nodes(graph); i++)
        if (hrr_graph_split(graph)[i] == HRR_TEST && class[i] >= 0) share[class[i]]++;
    for (uint32_t c = 0; c < n_classes; c++)
        n += share[c] > 0;
    return n;
}

/* ln P, so that exp() neither over- nor underflows. */
static void centre(hrr_dense *scores)
{
    for (uint64_t i = 0; i < scores->rows; i++) {
        float *row = (float *)scores->data + i * scores->cols, top = row[0];
        for (uint64_t c = 1; c < scores->cols; c++)
            top = fmaxf(top, row[c]);
        for (uint64_t c = 0; c < scores->cols; c++)
            row[c] -= top;
    }
}

/* scratch: twice as many numbers as there are classes. */
static hrr_status add_run(hrr_report_advice *out, double *n_counted, const hrr_graph *known,
                          const hrr_advise_options *o, uint32_t run, double *scratch,
                          hrr_progress *progress, hrr_error *err)
{
    const double train = o->label_rate > 0 ? o->label_rate : HRR_TRAIN_SHARE;
    const double valid = o->label_rate > 0 ? fmin(train, HRR_VALID_SHARE) : HRR_VALID_SHARE;
    hrr_graph *graph = NULL;
    hrr_free_model model = {0};
    hrr_train_options how = o->train;
    uint8_t *split = NULL;
    how.seed = o->seed + run;
    how.threads = o->threads;
    hrr_status status =
        hrr_graph_copy(&graph, known, HRR_COPY_EDGES | HRR_COPY_LABELS | HRR_COPY_AS_VIEWS, err);
    if (!status) {
        hrr_error failed = {0};
        split = hrr_split_new(hrr_graph_n_nodes(known), train, valid, how.seed, &failed);
        if (!split) {
            if (err) *err = failed;
            status = failed.status;
        }
    }
    if (!status) status = hrr_graph_take_split(graph, &split, err);
    if (!status) status = hrr_free_model_fit(&model, graph, NULL, &how, progress, err);
    if (!status) {
        centre(&model.scores);
        *n_counted += count_classes(scratch, graph);
        add_nodes(out, o->n_eps_features, &model.scores, graph, scratch,
                  scratch + hrr_graph_n_classes(graph));
    }
    hrr_free(split);
    hrr_free_model_clear(&model);
    hrr_graph_free(graph);
    return status;
}

bool hrr_report_can_pay(const hrr_report_advice *row)
{
    static const double least = .04;
    return row->most_right - row->free_right >= least;
}

hrr_status hrr_advise_reports(hrr_report_advice *out, const hrr_graph *known,
                              const hrr_advise_options *options, hrr_progress *progress,
                              hrr_error *err)
{
    hrr_advise_options asked;
    double n = 0; /* classes of all runs: each weighs 1 */
    hrr_status status = hrr_advise_adopt(&asked, options, known, err);
    if (status) return status;
    const uint32_t k = hrr_graph_n_classes(known);
    if (!hrr_graph_classes(known) || k < 2)
        return hrr_fail(err, HRR_EDATA,
                        "reports need nodes that have one of two or more classes each");
    double *scratch = hrr_alloc(k, 2 * sizeof *scratch);
    if (!scratch) return hrr_no_memory(err);
    for (size_t e = 0; e < asked.n_eps_features; e++)
        out[e] = (hrr_report_advice){.eps = (double)asked.eps_features_nano[e] / HRR_EPS_UNIT};
    for (uint32_t run = 0; run < asked.runs && !status; run++)
        status = add_run(out, &n, known, &asked, run, scratch, progress, err);
    for (size_t e = 0; e < asked.n_eps_features; e++) {
        const double each = n > 0 ? 1 / n : 0; /* sums may end a rounding above 1 */
        out[e].free_right = fmin(1, out[e].free_right * each);
        out[e].settled = fmin(1, out[e].settled * each);
        /* Whoever ignores reports is as right as the free guess; an estimate may be lower. */
        out[e].most_right = fmax(out[e].free_right, fmin(1, out[e].most_right * each));
    }
    hrr_free(scratch);
    return status;
}
