/* label_response.c: labels that need protection, too.
 *
 * One class a node: c-ary randomised response (feature/labels.c), eps for the class.
 * C labels a node: binary randomised response on each of the C bits with floor(eps/C), which is
 * FeatureRR with two bins on features that are 0 or 1; C independent channels add up to at most
 * eps for the whole label vector. Neighbours are any two labels, or label vectors, of one node.
 *
 * Streams: the bits of node i draw from row n + i of the feature streams, which features, in rows
 * 0..n-1, never touch. */
#include "release/label_response.h"
#include "release/stream_rows.h"
#include "io/native_write.h"
#include "base/memory.h"

#include <math.h>

static hrr_status plan_bits(hrr_label_response *response, uint32_t n_classes, hrr_error *err)
{
    if (response->eps_nano < n_classes)
        return hrr_fail(err, HRR_EINVAL,
                        "the epsilon of the labels is too small to be split over %u labels of a "
                        "node: each needs 1e-9",
                        n_classes);
    hrr_feature_options options;
    hrr_feature_options_init(&options);
    options.mechanism = "featurerr";
    options.eps_nano = response->eps_nano;
    options.n_bins = 2;
    options.decoding = HRR_DECODE_BINS;
    hrr_status status = hrr_feature_plan_new(&response->bits, n_classes, &options, err);
    if (!status) response->realised_eps = hrr_feature_plan_claim(response->bits).realised_eps;
    return status;
}

hrr_status hrr_label_response_init(hrr_label_response *out, const hrr_graph *graph,
                                   uint64_t eps_nano, const hrr_random *random, hrr_error *err)
{
    *out = (hrr_label_response){.eps_nano = eps_nano, .realised_eps = INFINITY};
    if (!eps_nano) return HRR_OK;
    const uint32_t n_classes = hrr_graph_n_classes(graph);
    if (!hrr_graph_classes(graph) && !hrr_graph_label_matrix(graph))
        return hrr_fail(err, HRR_EINVAL,
                        "the graph has no labels; leave the epsilon of the labels out");
    if (hrr_graph_is_multilabel(graph)) return plan_bits(out, n_classes, err);
    /* No label drawn yet, but all that can be wrong with the request is found. */
    return hrr_label_randomise(NULL, &out->realised_eps, NULL, 0, n_classes, eps_nano, random, err);
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
