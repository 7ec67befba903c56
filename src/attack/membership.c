/* membership.c: a model is surer about the nodes that it learnt from. */
#include "attack/service.h"
#include "base/memory.h"
#include "base/options.h"
#include "matrix/dense.h"
#include "learn/ranking.h"

#include <heterorr/attack.h>

#include <math.h>
#include <stdlib.h>

typedef struct sureness {
    float *label, *largest; /* of members and others, by node asked */
    uint8_t *member;
    uint64_t n;
} sureness;

/* The mean log-probability of what is true about a node, several labels or one. */
static float of_label(const float *p, uint32_t n_classes, const hrr_graph *graph, uint64_t node)
{
    const int32_t *classes = hrr_graph_classes(graph);
    if (classes) return p[classes[node]];
    double sum = 0;
    for (uint32_t c = 0; c < n_classes; c++) {
        const bool has = hrr_dense_get(hrr_graph_label_matrix(graph), node, c) != 0;
        sum += log(fmax(1e-12, (double)(has ? p[c] : 1 - p[c])));
    }
    return (float)(sum / n_classes);
}

static float of_largest(const float *p, uint32_t n_classes, bool multilabel)
{
    float most = 0, sum = 0;
    for (uint32_t c = 0; c < n_classes; c++) {
        most = fmaxf(most, p[c]);
        sum += fabsf(p[c] - 0.5f);
    }
    return multilabel ? sum : most;
}

static void collect(sureness *s, const hrr_dense *p, const hrr_graph *graph)
{
    const uint8_t *split = hrr_graph_split(graph);
    const int32_t *classes = hrr_graph_classes(graph);
    const uint32_t n_classes = (uint32_t)p->cols;
    for (uint64_t v = 0; v < p->rows; v++) {
        const float *row = (const float *)p->data + v * n_classes;
        if (split[v] == HRR_VALID || (classes && classes[v] < 0)) continue;
        s->label[s->n] = of_label(row, n_classes, graph, v);
        s->largest[s->n] = of_largest(row, n_classes, !classes);
        s->member[s->n++] = split[v] == HRR_TRAIN;
    }
}

typedef struct ranked {
    float score;
    uint8_t member;
} ranked;

static int falling(const void *a, const void *b)
{
    const float x = ((const ranked *)a)->score, y = ((const ranked *)b)->score;
    return (x < y) - (x > y);
}

static hrr_status best_advantage(double *out, const sureness *s, uint64_t n_members, hrr_error *err)
{
    ranked *order = hrr_alloc(s->n, sizeof *order);
    if (!order) return hrr_no_memory(err);
    double best = 0;
    uint64_t members = 0;
    for (uint64_t i = 0; i < s->n; i++)
        order[i] = (ranked){s->label[i], s->member[i]};
    qsort(order, s->n, sizeof *order, falling);
    for (uint64_t i = 0; i < s->n; i++) {
        members += order[i].member;
        if (i + 1 < s->n && !(order[i + 1].score < order[i].score)) continue;
        best = fmax(best, (double)members / (double)n_members -
                              (double)(i + 1 - members) / (double)(s->n - n_members));
    }
    *out = best;
    hrr_free(order);
    return HRR_OK;
}

static hrr_status check(const hrr_graph *graph, uint32_t n_classes, hrr_error *err)
{
    if (!hrr_graph_split(graph) || (!hrr_graph_classes(graph) && !hrr_graph_label_matrix(graph)))
        return hrr_fail(err, HRR_EDATA,
                        "the graph has no %s; use the graph that the model was trained on, with "
                        "its labels and split",
                        hrr_graph_split(graph) ? "labels" : "split");
    if (hrr_graph_n_classes(graph) != n_classes)
        return hrr_fail(err, HRR_EDATA,
                        "the graph and the model have different classes; use the graph that the "
                        "model was trained on");
    return HRR_OK;
}

/* p: probabilities, n x C, F32. */
static hrr_status tell_members(hrr_membership_result *out, const hrr_dense *p,
                               const hrr_graph *graph, hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    hrr_membership_result made = {0};
    sureness s = {0};
    double precision;
    hrr_status status = HRR_OK;
    s.label = hrr_alloc(n, sizeof *s.label);
    s.largest = hrr_alloc(n, sizeof *s.largest);
    s.member = hrr_alloc(n, 1);
    if (!s.label || !s.largest || !s.member) {
        status = hrr_no_memory(err);
        goto done;
    }
    collect(&s, p, graph);
    for (uint64_t i = 0; i < s.n; i++)
        made.n_members += s.member[i];
    made.n_others = s.n - made.n_members;
    if (!made.n_members || !made.n_others) {
        status = hrr_fail(err, HRR_EDATA,
                          "the split has no labelled %s nodes, but the attack compares training "
                          "nodes with test nodes",
                          made.n_members ? "test" : "training");
        goto done;
    }
    if ((status = hrr_rank_quality(&made.auc_label, &precision, s.label, s.member, s.n, err)))
        goto done;
    if ((status =
             hrr_rank_quality(&made.auc_confidence, &precision, s.largest, s.member, s.n, err)))
        goto done;
    if ((status = best_advantage(&made.advantage, &s, made.n_members, err))) goto done;
    *out = made;
done:
    hrr_free(s.label);
    hrr_free(s.largest);
    hrr_free(s.member);
    return status;
}

hrr_status hrr_membership(hrr_membership_result *out, const hrr_model *model,
                          const hrr_release *served, const hrr_predict_options *options,
                          hrr_progress *progress, hrr_error *err)
{
    const hrr_graph *graph = hrr_release_graph(served);
    hrr_predict_options how;
    hrr_dense p = {0};
    *out = (hrr_membership_result){0};
    hrr_status status = HRR_ADOPT(hrr_predict_options, &how, options, err);
    if (status) return status;
    if ((status = check(graph, hrr_model_get_shape(model)->n_classes, err))) return status;
    how.logits = false;
    status = hrr_model_predict(&p, model, served, &how, progress, err);
    if (!status) status = tell_members(out, &p, graph, err);
    hrr_dense_clear(&p);
    return status;
}

hrr_status hrr_membership_ask(hrr_membership_result *out, const hrr_service *service,
                              hrr_returns returns, const hrr_release *served,
                              hrr_progress *progress, hrr_error *err)
{
    const hrr_graph *graph = hrr_release_graph(served);
    hrr_dense said = {0}, p = {0};
    *out = (hrr_membership_result){0};
    hrr_status status = check(graph, service->n_classes, err);
    if (!status) status = hrr_service_ask_all(&said, service, returns, graph, progress, err);
    if (!status) status = hrr_dense_convert(&p, &said, HRR_F32, err);
    if (!status) status = tell_members(out, &p, graph, err);
    hrr_dense_clear(&said);
    hrr_dense_clear(&p);
    return status;
}
