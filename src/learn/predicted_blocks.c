/* predicted_blocks.c: see predicted_blocks.h. All that is free (public_base.h, or large_base.h if
 * the graph is large) learns from the release itself, as it does when counts are learnt from: what
 * it is shown has been paid for, so this is post-processing (docs/mechanisms/edgerr-node.md). Where
 * it fails, and how long it takes, is known before anything is charged, from public data alone. */
#include "learn/predicted_blocks.h"
#include "learn/fit.h"
#include "learn/large_base.h"
#include "learn/need.h"
#include "learn/public_base.h"

#include <stddef.h>

static const uint64_t public_seed = 1;

/* As `train` does with a graph that has no split. NULL: out of memory. */
static uint8_t *new_split(const hrr_graph *graph, hrr_error *err)
{
    return hrr_split_new(hrr_graph_n_nodes(graph), HRR_TRAIN_SHARE, HRR_VALID_SHARE, public_seed,
                         err);
}

static hrr_status ensure_split(hrr_graph *graph, hrr_error *err)
{
    hrr_error failed = {0};
    if (hrr_graph_split(graph)) return HRR_OK;
    uint8_t *split = new_split(graph, &failed);
    if (!split && err) *err = failed;
    if (!split) return failed.status;
    hrr_status status = hrr_graph_take_split(graph, &split, err);
    if (status) hrr_free(split);
    return status;
}

static uint64_t n_public_edges(const hrr_graph *graph)
{
    return hrr_graph_n_edges(graph) - hrr_graph_n_private_edges(graph);
}

static bool is_large(const hrr_graph *graph)
{
    return hrr_base_is_large(hrr_graph_n_nodes(graph), n_public_edges(graph));
}

static hrr_status score_on_all_nodes(hrr_dense *logits, const hrr_graph *released,
                                     const hrr_train_options *options, hrr_progress *progress,
                                     hrr_error *err)
{
    hrr_model *model = NULL;
    hrr_public_base base = {0};
    hrr_status status = hrr_fit(&model, NULL, released, options, progress, err);
    if (!status)
        status = hrr_forward(logits, model, released, NULL, options->threads, progress, err);
    if (!status) status = hrr_public_base_fit(&base, logits, released, options, progress, err);
    hrr_public_base_clear(&base);
    hrr_model_free(model);
    return status;
}

hrr_status hrr_predicted_blocks(uint32_t *blocks, uint32_t *need, uint32_t *rivals,
                                const hrr_shown *shown, int threads, hrr_progress *progress,
                                hrr_error *err)
{
    hrr_graph *released = shown->graph;
    hrr_train_options options;
    hrr_dense logits = {0};
    hrr_train_options_init(&options);
    options.seed = public_seed;
    options.label_eps = shown->label_eps;
    options.threads = threads;
    options.scale = shown->features_are_randomised ? HRR_SCALE_BOUNDED : HRR_SCALE_NONE;
    hrr_status status = ensure_split(released, err);
    if (!status)
        status = is_large(released)
                     ? hrr_large_base(&logits, released, &options, progress, err)
                     : score_on_all_nodes(&logits, released, &options, progress, err);
    if (!status)
        status = hrr_blocks_of_scores(blocks, need, rivals, &logits,
                                      shown->label_eps < 0 ? hrr_graph_classes(released) : NULL,
                                      hrr_graph_split(released), err);
    hrr_dense_clear(&logits);
    return status;
}

uint32_t hrr_predicted_blocks_version(const hrr_graph *graph)
{
    return is_large(graph) ? HRR_LARGE_PREDICTED_BLOCKS_VERSION : HRR_PREDICTED_BLOCKS_VERSION;
}

/* Two passes over features and edges an epoch, forth and back, at what a busy core does, of three
 * networks: one on both, one without edges, one on node rows. Public
 * edges are what is trained on, and how many others there are must not show in a forecast. */
double hrr_predicted_blocks_seconds(const hrr_graph *graph)
{
    static const double n_networks = 3;
    hrr_train_options options;
    hrr_train_options_init(&options);
    const double n = (double)hrr_graph_n_nodes(graph), m = (double)n_public_edges(graph);
    if (is_large(graph))
        return hrr_large_base_seconds(hrr_graph_n_nodes(graph), n_public_edges(graph),
                                      hrr_graph_features(graph)->cols, hrr_graph_n_classes(graph));
    const double products =
        (n * (double)hrr_graph_features(graph)->cols + 4 * m) * options.n_hidden;
    return n_networks * options.epochs * 6 * products / 20e9;
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
    return trains_on_none(graph) ? "no training node has a class" : NULL;
}

bool hrr_blocks_can_be_predicted(const hrr_graph *graph)
{
    return !nothing_to_learn(graph);
}

hrr_status hrr_predicted_blocks_check(const hrr_graph *graph, hrr_error *err)
{
    const char *why = nothing_to_learn(graph);
    if (!why) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "blocks are predicted by a network that is trained on released features and "
                    "classes, but %s; use communities, or give blocks (`blocks_from`)",
                    why);
}
