/* networks.h: small attributed graphs, and a network computed the slow way, in doubles. */
#ifndef TESTS_LEARN_NETWORKS_H
#define TESTS_LEARN_NETWORKS_H

#include "support/graphs.h"

#include "base/memory.h"
#include "learn/model.h"
#include "random/fast.h"

#include <heterorr/learn.h>

#include <math.h>
#include <stdlib.h>

/* Node i is joined to i + 1 and some others; the last one has no edge. Split 0 0 1 2 0 0 1 2 ... */
static inline hrr_graph *small_graph(uint32_t n, hrr_dtype dtype, uint64_t d, double density,
                                     uint32_t n_classes, bool multilabel, uint64_t seed)
{
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    uint32_t *pairs = malloc(4 * n * sizeof *pairs);
    uint64_t n_edges = 0;
    for (uint32_t i = 0; i + 2 < n; i++)
        for (uint32_t step = 1; step <= 2; step++) {
            uint32_t other = step == 1 ? i + 1 : (uint32_t)hrr_fast_below(&random, n - 1);
            if (other == i) continue;
            pairs[2 * n_edges] = i;
            pairs[2 * n_edges++ + 1] = other;
        }
    hrr_graph *graph = graph_of(n, n_edges, pairs, NULL);
    free(pairs);
    hrr_dense x;
    assert_ok(hrr_dense_init(&x, dtype, n, d, NULL));
    for (uint64_t k = 0; k < n * d; k++) {
        double value = hrr_fast_uniform(&random) < density ? hrr_fast_normal(&random) : 0;
        if (dtype == HRR_U8) ((uint8_t *)x.data)[k] = (uint8_t)(value > 0 ? 1 + 2 * value : 0);
        if (dtype == HRR_F32) ((float *)x.data)[k] = (float)value;
        if (dtype == HRR_F64) ((double *)x.data)[k] = value;
    }
    assert_ok(hrr_graph_take_features(graph, &x, NULL));
    if (multilabel) {
        hrr_dense labels;
        assert_ok(hrr_dense_init(&labels, HRR_U8, n, n_classes, NULL));
        for (uint64_t k = 0; k < (uint64_t)n * n_classes; k++)
            ((uint8_t *)labels.data)[k] = hrr_fast_below(&random, 3) == 0;
        assert_ok(hrr_graph_take_label_matrix(graph, &labels, NULL));
    } else {
        int32_t *classes = hrr_alloc(n, sizeof *classes);
        for (uint32_t i = 0; i < n; i++)
            classes[i] = i < n_classes ? (int32_t)i : (int32_t)hrr_fast_below(&random, n_classes);
        classes[n - 1] = -1;
        assert_ok(hrr_graph_take_classes(graph, &classes, n_classes, NULL));
    }
    uint8_t *split = hrr_alloc(n, 1);
    for (uint32_t i = 0; i < n; i++)
        split[i] = (uint8_t[]){0, 0, 1, 2}[i % 4];
    assert_ok(hrr_graph_take_split(graph, &split, NULL));
    return graph;
}

/* out (n x d) = normalised (A + I) x */
static inline void slow_aggregate(double *out, const hrr_graph *graph, hrr_normalisation norm,
                                  const double *x, uint64_t d)
{
    const uint64_t n = hrr_graph_n_nodes(graph), m = hrr_graph_n_edges(graph);
    const uint32_t *s = hrr_graph_sources(graph), *t = hrr_graph_targets(graph);
    double *degree = malloc(n * sizeof *degree);
    for (uint64_t i = 0; i < n; i++)
        degree[i] = 1;
    for (uint64_t e = 0; e < m; e++)
        degree[s[e]]++, degree[t[e]]++;
#define WORTH(i, j)                                                                                \
    (norm == HRR_NORMALISE_MEAN          ? 1 / degree[i]                                           \
     : norm != HRR_NORMALISE_FIRST_ORDER ? 1 / sqrt(degree[i] * degree[j])                         \
     : (i) == (j)                        ? 1                                                       \
                                         : 1 / sqrt((degree[i] - 1) * (degree[j] - 1)))
    for (uint64_t k = 0; k < d; k++) {
        for (uint64_t i = 0; i < n; i++)
            out[i * d + k] = WORTH(i, i) * x[i * d + k];
        for (uint64_t e = 0; e < m; e++) {
            out[s[e] * d + k] += WORTH(s[e], t[e]) * x[t[e] * d + k];
            out[t[e] * d + k] += WORTH(t[e], s[e]) * x[s[e] * d + k];
        }
    }
#undef WORTH
    free(degree);
}

/* Logits (n x C), malloc'ed. */
static inline double *slow_logits(const hrr_graph *graph, const hrr_model *model,
                                  const double *parameters)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    const hrr_dense *features = hrr_graph_features(graph);
    double *h = malloc(n * features->cols * sizeof *h);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < features->cols; k++)
            h[i * features->cols + k] = hrr_dense_get(features, i, k);
    for (uint32_t l = 0; l < model->shape.n_layers; l++) {
        const hrr_layer *layer = &model->layers[l];
        double *gathered = malloc(n * layer->n_in * sizeof *gathered);
        double *out = malloc(n * layer->n_out * sizeof *out);
        if (model->shape.arch == HRR_ARCH_GCN)
            slow_aggregate(gathered, graph, model->shape.normalisation, h, layer->n_in);
        else
            memcpy(gathered, h, n * layer->n_in * sizeof *gathered);
        for (uint64_t i = 0; i < n; i++)
            for (uint64_t k = 0; k < layer->n_out; k++) {
                double sum = model->shape.bias ? parameters[layer->bias_at + k] : 0;
                for (uint64_t j = 0; j < layer->n_in; j++)
                    sum += gathered[i * layer->n_in + j] *
                           parameters[layer->weight_at + j * layer->n_out + k];
                out[i * layer->n_out + k] = l + 1 < model->shape.n_layers && sum < 0 ? 0 : sum;
            }
        free(gathered);
        free(h);
        h = out;
    }
    return h;
}

/* The mean loss over a part of the split. */
static inline double slow_loss(const hrr_graph *graph, const hrr_model *model,
                               const double *parameters, hrr_split part)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    const uint32_t n_classes = hrr_graph_n_classes(graph);
    const int32_t *classes = hrr_graph_classes(graph);
    double *z = slow_logits(graph, model, parameters), loss = 0, count = 0;
    for (uint64_t i = 0; i < n; i++) {
        const double *row = z + i * n_classes;
        if (hrr_graph_split(graph)[i] != part || (classes && classes[i] < 0)) continue;
        double sum = 0;
        for (uint32_t c = 0; c < n_classes; c++) {
            sum += exp(row[c]);
            if (!classes)
                loss += log1p(exp(-row[c])) +
                        row[c] * (1 - hrr_dense_get(hrr_graph_label_matrix(graph), i, c));
        }
        if (classes) loss += log(sum) - row[classes[i]];
        count += classes ? 1 : n_classes;
    }
    free(z);
    return loss / count;
}

#endif
