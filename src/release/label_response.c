/* label_response.c: labels that need protection, too.
 *
 * One class a node: c-ary randomised response, eps for the class. C labels a node: a channel for
 * each of the C bits, eps for the whole label vector (feature/labels.h has both). Neighbours are
 * any two labels, or label vectors, of one node.
 *
 * Streams: the bits of node i draw from row n + i of the feature streams, which features, in rows
 * 0..n-1, never touch. */
#include "release/label_response.h"
#include "feature/labels.h"
#include "base/memory.h"
#include "graph/copy.h"

#include <math.h>

hrr_status hrr_label_response_init(hrr_label_response *out, const hrr_graph *graph,
                                   uint64_t eps_nano, hrr_error *err)
{
    *out = (hrr_label_response){.eps_nano = eps_nano, .realised_eps = INFINITY};
    if (!eps_nano) return HRR_OK;
    const uint32_t n_classes = hrr_graph_n_classes(graph);
    if (!hrr_graph_classes(graph) && !hrr_graph_label_matrix(graph))
        return hrr_fail(err, HRR_EINVAL,
                        "the graph has no labels; leave their epsilon out (`eps_labels_nano`)");
    if (!hrr_graph_is_multilabel(graph))
        return hrr_label_realised_eps(&out->realised_eps, n_classes, eps_nano, err);
    hrr_status status = hrr_label_bits_plan(&out->bits, n_classes, eps_nano, err);
    if (!status) out->realised_eps = hrr_feature_plan_claim(out->bits).realised_eps;
    return status;
}

void hrr_label_response_clear(hrr_label_response *response)
{
    hrr_feature_plan_free(response->bits);
    *response = (hrr_label_response){0};
}

static hrr_status draw_classes(hrr_graph *released, const hrr_label_response *response,
                               const hrr_graph *graph, const hrr_random *random, hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    const uint32_t n_classes = hrr_graph_n_classes(graph);
    double realised;
    int32_t *drawn = hrr_alloc(n, sizeof *drawn);
    if (!drawn) return hrr_no_memory(err);
    hrr_status status = hrr_label_randomise(drawn, &realised, hrr_graph_classes(graph), n,
                                            n_classes, response->eps_nano, random, err);
    if (!status) status = hrr_graph_take_classes(released, &drawn, n_classes, err);
    hrr_free(drawn);
    return status;
}

static hrr_status draw_bits(hrr_graph *released, const hrr_label_response *response,
                            const hrr_graph *graph, const hrr_random *random, int threads,
                            hrr_progress *progress, hrr_error *err)
{
    const hrr_dense *matrix = hrr_graph_label_matrix(graph);
    const uint64_t first_row = hrr_graph_n_nodes(graph);
    hrr_dense drawn = {0};
    hrr_status status = hrr_dense_init(&drawn, HRR_U8, matrix->rows, matrix->cols, err);
    if (!status)
        status = hrr_feature_plan_apply(&drawn, response->bits, matrix, first_row, random, threads,
                                        progress, err);
    if (!status) status = hrr_graph_take_label_matrix(released, &drawn, err);
    hrr_dense_clear(&drawn);
    return status;
}

/* What classes are called is as public as which there are. */
static hrr_status name_classes(hrr_graph *released, const hrr_graph *graph, hrr_error *err)
{
    const uint32_t n = hrr_graph_n_classes(graph);
    if (!n || !hrr_graph_class_name(graph, 0)) return HRR_OK;
    const char **names = hrr_alloc(n, sizeof *names);
    if (!names) return hrr_no_memory(err);
    for (uint32_t i = 0; i < n; i++)
        names[i] = hrr_graph_class_name(graph, i);
    hrr_status status = hrr_graph_set_class_names(released, names, err);
    hrr_free(names);
    return status;
}

hrr_status hrr_label_response_draw(hrr_graph *released, const hrr_label_response *response,
                                   const hrr_graph *graph, const hrr_random *random, int threads,
                                   hrr_progress *progress, hrr_error *err)
{
    if (!response->eps_nano) return hrr_graph_add_parts(released, graph, HRR_COPY_LABELS, err);
    hrr_status status = response->bits
                            ? draw_bits(released, response, graph, random, threads, progress, err)
                            : draw_classes(released, response, graph, random, err);
    return status ? status : name_classes(released, graph, err);
}
