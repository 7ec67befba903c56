/* public_blocks.c: see public_blocks.h. */
#include "cli/public_blocks.h"

#include <heterorr/io.h>
#include <heterorr/learn.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { most_blocks = 65536 };

static uint32_t largest_in_row(const hrr_dense *matrix, uint64_t row)
{
    uint32_t best = 0;
    for (uint32_t c = 1; c < matrix->cols; c++)
        if (hrr_dense_get(matrix, row, c) > hrr_dense_get(matrix, row, best)) best = c;
    return best;
}

static hrr_status fill(uint32_t *blocks, uint32_t *n_blocks, const hrr_dense *matrix,
                       const char *path, hrr_error *err)
{
    *n_blocks = matrix->cols > 1 ? (uint32_t)matrix->cols : 0;
    for (uint64_t i = 0; i < matrix->rows; i++) {
        const double value =
            matrix->cols > 1 ? largest_in_row(matrix, i) : hrr_dense_get(matrix, i, 0);
        if (!(value >= 0) || value >= most_blocks || value != floor(value))
            return hrr_fail(err, HRR_EDATA,
                            "%s: row %" PRIu64
                            " is no block; blocks are whole numbers from 0 to %d",
                            path, i, most_blocks - 1);
        blocks[i] = (uint32_t)value;
        if (blocks[i] >= *n_blocks) *n_blocks = blocks[i] + 1;
    }
    return HRR_OK;
}

hrr_status cli_blocks_read(uint32_t **blocks, uint32_t *n_blocks, const char *path,
                           uint64_t n_nodes, hrr_error *err)
{
    hrr_array array = {0};
    hrr_dense matrix = {0};
    *blocks = NULL;
    hrr_status status = hrr_array_read(&array, path, err);
    if (!status) status = hrr_array_into_dense(&matrix, &array, path, err);
    if (!status && (matrix.rows != n_nodes || matrix.cols < 1 || matrix.cols > most_blocks))
        status = hrr_fail(err, HRR_EDATA,
                          "%s: is %" PRIu64 " x %" PRIu64 "; it must have a row for each of the "
                          "%" PRIu64 " nodes: its block, or a number for each block",
                          path, matrix.rows, matrix.cols, n_nodes);
    if (!status && !(*blocks = malloc((n_nodes + 1) * sizeof **blocks)))
        status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    if (!status) status = fill(*blocks, n_blocks, &matrix, path, err);
    if (status) {
        free(*blocks);
        *blocks = NULL;
    }
    hrr_dense_clear(&matrix);
    hrr_array_clear(&array);
    return status;
}

/* ---- predicted ------------------------------------------------------------------------------- */

static const uint64_t public_seed = 1;

/* As `train` does with a graph that has no split. NULL: out of memory. */
static uint8_t *new_split(const hrr_graph *graph, hrr_error *err)
{
    return hrr_split_new(hrr_graph_n_nodes(graph), 0.5, 0.25, public_seed, err);
}

static hrr_status ensure_split(hrr_graph *graph, hrr_error *err)
{
    if (hrr_graph_split(graph)) return HRR_OK;
    uint8_t *split = new_split(graph, err);
    if (!split) return err->status;
    hrr_status status = hrr_graph_take_split(graph, &split, err);
    if (status) hrr_free(split);
    return status;
}

static hrr_status predict(uint32_t *blocks, hrr_graph *released, double label_eps, int threads,
                          void *user, hrr_progress *progress, hrr_error *err)
{
    (void)user;
    hrr_train_options options;
    hrr_model *model = NULL;
    hrr_dense logits = {0};
    hrr_train_options_init(&options);
    options.seed = public_seed;
    options.label_eps = label_eps;
    options.threads = threads;
    hrr_status status = ensure_split(released, err);
    if (!status) status = hrr_model_train(&model, NULL, released, &options, progress, err);
    if (!status)
        status = hrr_model_predict(&logits, model, released, NULL, false, threads, progress, err);
    if (!status)
        hrr_likely_classes(blocks, &logits, label_eps < 0 ? hrr_graph_classes(released) : NULL,
                           hrr_graph_split(released));
    hrr_dense_clear(&logits);
    hrr_model_free(model);
    return status;
}

/* Two passes over features and edges an epoch, forth and back, at what a busy core does. Public
 * edges are what is trained on, and how many others there are must not show in a forecast. */
static double training_seconds(const hrr_graph *graph)
{
    hrr_train_options options;
    hrr_train_options_init(&options);
    const double n = (double)hrr_graph_n_nodes(graph);
    const double m = (double)(hrr_graph_n_edges(graph) - hrr_graph_n_private_edges(graph));
    const double products =
        (n * (double)hrr_graph_features(graph)->cols + 4 * m) * options.n_hidden;
    return options.epochs * 6 * products / 20e9;
}

/* Which nodes have a class is public, also where classes are protected. Without memory to find out,
 * training will say so. */
static bool trains_on_none(const hrr_graph *graph)
{
    const int32_t *class = hrr_graph_classes(graph);
    uint8_t *made = hrr_graph_split(graph) ? NULL : new_split(graph, NULL);
    const uint8_t *split = made ? made : hrr_graph_split(graph);
    bool none = split != NULL;
    for (uint64_t i = 0; none && i < hrr_graph_n_nodes(graph); i++)
        none = split[i] != HRR_TRAIN || class[i] < 0;
    hrr_free(made);
    return none;
}

/* NULL: a network can be trained. Asked before anything is charged, of public data alone. */
static const char *nothing_to_learn(const hrr_graph *graph)
{
    const hrr_dense *features = hrr_graph_features(graph);
    if (hrr_graph_is_multilabel(graph)) return "nodes have several labels here";
    if (!features || !features->cols) return "there are no features";
    if (!hrr_graph_classes(graph)) return "there are no classes";
    if (hrr_graph_n_classes(graph) < 2) return "there is only one class";
    return trains_on_none(graph) ? "no node that is trained on has a class" : NULL;
}

bool cli_blocks_can_predict(const hrr_graph *graph)
{
    return !nothing_to_learn(graph);
}

hrr_status cli_blocks_predict(hrr_block_source *out, const hrr_graph *graph, hrr_error *err)
{
    const char *why = nothing_to_learn(graph);
    if (why)
        return hrr_fail(err, HRR_EINVAL,
                        "--blocks predicted trains a network on the features and classes that are "
                        "released, and %s; leave --blocks out, or name a file",
                        why);
    *out = (hrr_block_source){
        .make = predict,
        .n_blocks = hrr_graph_n_classes(graph),
        .what = "classes predicted by a graph network that was trained on the features, labels and "
                "public edges of this release: post-processing, which spends nothing",
        .expected_seconds = training_seconds(graph)};
    return HRR_OK;
}
