/* label_response.c: labels that need protection, too.
 *
 * One class a node: c-ary randomised response, eps for the class. C labels a node: a channel for
 * each of the C bits, eps for the whole label vector (feature/labels.h has both). Neighbours are
 * any two labels, or label vectors, of one node.
 *
 * Streams: the bits of node i draw from row n + i of the feature streams, which features, in rows
 * 0..n-1, never touch. */
#include "release/label_response.h"
#include "release/stream_rows.h"
#include "feature/labels.h"
#include "io/native_write.h"
#include "base/memory.h"

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

static hrr_status write_classes(const hrr_label_response *response, const char *directory,
                                const hrr_graph *graph, const hrr_random *random, hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    const int32_t *classes = hrr_graph_classes(graph);
    int32_t *drawn = NULL;
    hrr_status status = HRR_OK;
    if (response->eps_nano) {
        double realised;
        drawn = hrr_alloc(n, sizeof *drawn);
        if (!drawn) return hrr_no_memory(err);
        status = hrr_label_randomise(drawn, &realised, classes, n, hrr_graph_n_classes(graph),
                                     response->eps_nano, random, err);
    }
    if (!status)
        status = hrr_native_put_vector(directory, "labels.npy", HRR_ARRAY_I32, sizeof *classes,
                                       drawn ? drawn : classes, n, err);
    hrr_free(drawn);
    return status;
}

hrr_status hrr_label_response_write(const hrr_label_response *response, const char *directory,
                                    const hrr_graph *graph, const hrr_random *random, int threads,
                                    hrr_progress *progress, hrr_error *err)
{
    const hrr_dense *matrix = hrr_graph_label_matrix(graph);
    if (hrr_graph_classes(graph)) return write_classes(response, directory, graph, random, err);
    if (!matrix) return HRR_OK;
    if (!response->bits) {
        hrr_array array = {.type = HRR_ARRAY_U8,
                           .item_size = 1,
                           .n_dims = 2,
                           .shape = {matrix->rows, matrix->cols},
                           .n_items = matrix->rows * matrix->cols,
                           .data = matrix->data};
        return hrr_native_put(directory, "labels.npy", &array, err);
    }
    double writing = 0; /* a byte a label: not worth a phase */
    return hrr_stream_rows(directory, "labels.npy", response->bits, matrix,
                           hrr_graph_n_nodes(graph), "randomising labels", random, threads,
                           &writing, progress, err);
}
