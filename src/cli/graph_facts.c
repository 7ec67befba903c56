/* graph_facts.c: see graph_facts.h. Degrees are counted once and everything about them comes from
 * the counts, so that a graph of many nodes is never sorted. */
#include "cli/graph_facts.h"

#include <math.h>
#include <stdlib.h>

const double cli_quantiles[CLI_N_QUANTILES] = {0.25, 0.5, 0.75, 0.9, 0.99};

enum { edge_chunk = 1 << 20, value_chunk = 1 << 20 };

static hrr_status no_memory(hrr_error *err)
{
    return hrr_fail(err, HRR_ENOMEM,
                    "out of memory while counting; use a machine with more memory");
}

/* Pairs of nodes that could be joined: both in the same graph of the collection. */
static double count_pairs(const hrr_graph *graph)
{
    uint64_t n = hrr_graph_n_nodes(graph);
    const uint32_t *graph_ids = hrr_graph_graph_ids(graph);
    double pairs = 0;
    for (uint64_t begin = 0, end; begin < n; begin = end) {
        end = graph_ids ? begin + 1 : n;
        while (end < n && graph_ids[end] == graph_ids[begin])
            end++;
        double size = (double)(end - begin);
        pairs += size * (size - 1) / 2;
    }
    return pairs;
}

static void count_degrees(cli_graph_facts *facts, const uint32_t *degree, uint64_t n_nodes)
{
    for (uint64_t i = 0; i < n_nodes; i++)
        facts->nodes_of_degree[degree[i]]++;
    facts->isolated_nodes = facts->nodes_of_degree[0];
    uint64_t below = 0, q = 0;
    for (uint64_t d = 0; d <= facts->max_degree; d++) {
        below += facts->nodes_of_degree[d];
        for (; q < CLI_N_QUANTILES && (double)below >= cli_quantiles[q] * (double)n_nodes; q++)
            facts->degree_quantile[q] = d;
    }
}

static hrr_status look_at_edges(cli_graph_facts *facts, const hrr_graph *graph,
                                hrr_progress *progress, hrr_error *err)
{
    hrr_status status = HRR_OK;
    uint64_t n = hrr_graph_n_nodes(graph), m = hrr_graph_n_edges(graph);
    const uint32_t *source = hrr_graph_sources(graph), *target = hrr_graph_targets(graph);
    const int32_t *classes = hrr_graph_classes(graph);
    uint64_t known = 0, same = 0;
    uint32_t *degree = calloc(n, sizeof *degree);
    if (!degree) return no_memory(err);

    hrr_progress_begin(progress, "counting edges", m);
    for (uint64_t begin = 0, end; begin < m; begin = end) {
        end = m - begin < edge_chunk ? m : begin + edge_chunk;
        for (uint64_t e = begin; e < end; e++) {
            uint32_t u = source[e], v = target[e];
            degree[u]++;
            degree[v]++;
            if (classes && classes[u] >= 0 && classes[v] >= 0) {
                known++;
                same += classes[u] == classes[v];
            }
        }
        if ((status = hrr_progress_advance(progress, end - begin, err))) goto done;
    }
    for (uint64_t i = 0; i < n; i++)
        if (degree[i] > facts->max_degree) facts->max_degree = degree[i];
    facts->nodes_of_degree = calloc(facts->max_degree + 1, sizeof *facts->nodes_of_degree);
    if (!facts->nodes_of_degree) {
        status = no_memory(err);
        goto done;
    }
    count_degrees(facts, degree, n);
    facts->mean_degree = 2 * (double)m / (double)n;
    facts->density = n > 1 ? (double)m / count_pairs(graph) : 0;
    facts->homophily = known ? (double)same / (double)known : NAN;
done:
    free(degree);
    return status;
}

static hrr_status look_at_labels(cli_graph_facts *facts, const hrr_graph *graph, hrr_error *err)
{
    uint64_t n = hrr_graph_n_nodes(graph);
    uint32_t n_classes = hrr_graph_n_classes(graph);
    const int32_t *classes = hrr_graph_classes(graph);
    const hrr_dense *labels = hrr_graph_label_matrix(graph);
    if (!classes && !labels) return HRR_OK;
    facts->nodes_of_class = calloc((size_t)n_classes + 1, sizeof *facts->nodes_of_class);
    if (!facts->nodes_of_class) return no_memory(err);
    for (uint64_t i = 0; i < n; i++) {
        if (classes && classes[i] < 0)
            facts->unlabelled++;
        else if (classes)
            facts->nodes_of_class[classes[i]]++;
        else
            for (uint32_t c = 0; c < n_classes; c++)
                facts->nodes_of_class[c] += ((const uint8_t *)labels->data)[i * n_classes + c];
    }
    return HRR_OK;
}

#define WIDEN(type)                                                                                \
    for (uint64_t i = begin; i < end; i++) {                                                       \
        double value = (double)((const type *)features->data)[i];                                  \
        low = value < low ? value : low;                                                           \
        high = value > high ? value : high;                                                        \
        nonzero += value != 0;                                                                     \
    }                                                                                              \
    break

static hrr_status look_at_features(cli_graph_facts *facts, const hrr_dense *features,
                                   hrr_progress *progress, hrr_error *err)
{
    facts->feature_low = facts->feature_high = facts->feature_nonzero = NAN;
    uint64_t n_values = features ? features->rows * features->cols : 0, nonzero = 0;
    if (n_values == 0) return HRR_OK;
    double low = INFINITY, high = -INFINITY;
    hrr_progress_begin(progress, "looking at features", n_values);
    for (uint64_t begin = 0, end; begin < n_values; begin = end) {
        end = n_values - begin < value_chunk ? n_values : begin + value_chunk;
        switch (features->dtype) {
        case HRR_U8:
            WIDEN(uint8_t);
        case HRR_F32:
            WIDEN(float);
        case HRR_F64:
            WIDEN(double);
        }
        hrr_status status = hrr_progress_advance(progress, end - begin, err);
        if (status) return status;
    }
    facts->feature_low = low;
    facts->feature_high = high;
    facts->feature_nonzero = (double)nonzero / (double)n_values;
    return HRR_OK;
}

hrr_status cli_graph_facts_init(cli_graph_facts *out, const hrr_graph *graph,
                                hrr_progress *progress, hrr_error *err)
{
    *out = (cli_graph_facts){0};
    uint64_t n = hrr_graph_n_nodes(graph);
    const uint8_t *split = hrr_graph_split(graph), *candidates = hrr_graph_candidates(graph);
    hrr_status status = look_at_edges(out, graph, progress, err);
    if (!status) status = look_at_labels(out, graph, err);
    if (!status) status = look_at_features(out, hrr_graph_features(graph), progress, err);
    if (status) {
        cli_graph_facts_clear(out);
        return status;
    }
    for (uint64_t i = 0; i < n; i++) {
        out->candidates += candidates ? candidates[i] : 1;
        if (split) out->split_size[split[i]]++;
    }
    return HRR_OK;
}

void cli_graph_facts_clear(cli_graph_facts *facts)
{
    free(facts->nodes_of_degree);
    free(facts->nodes_of_class);
    *facts = (cli_graph_facts){0};
}
