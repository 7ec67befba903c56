/* own_blocks.c: see own_blocks.h.
 *
 * Why no budget is spent: features and labels were drawn by mechanisms that are paid for, public
 * edges and the split are not protected, and the maker sees nothing else. Whatever it returns is
 * post-processing. The counts that are drawn afterwards keep their epsilon for every choice of
 * blocks, so also for this one (adaptive composition); their noise comes from streams that neither
 * features nor labels draw from.
 *
 * What is shown is put together from the files of the release, not from the private graph: a part
 * that was not written cannot be seen. */
#include "release/own_blocks.h"
#include "graph/aggregator.h"
#include "io/file_names.h"
#include "io/graph_parts.h"
#include "base/memory.h"
#include "base/paths.h"

#include <math.h>
#include <string.h>

static hrr_status predict(uint32_t *blocks, const hrr_shown *shown, void *user, int threads,
                          hrr_progress *progress, hrr_error *err)
{
    (void)user;
    return hrr_predicted_blocks(blocks, shown, threads, progress, err);
}

hrr_status hrr_block_maker_init(hrr_block_maker *out, const hrr_graph *graph, hrr_error *err)
{
    hrr_status status = hrr_predicted_blocks_check(graph, err);
    if (status) return status;
    *out = (hrr_block_maker){
        .name = "predicted",
        .version = HRR_PREDICTED_BLOCKS_VERSION,
        .what = "classes predicted by a graph network that was trained on the features, labels and "
                "public edges of this release: post-processing, which spends nothing",
        .n_blocks = hrr_graph_n_classes(graph),
        .expected_seconds = hrr_predicted_blocks_seconds(graph),
        .make = predict};
    return HRR_OK;
}

/* One array of the release, if it is there; mapped. */
static hrr_status read_part(hrr_array *out, char **path, const char *directory, const char *name,
                            hrr_error *err)
{
    *path = hrr_path_join(directory, name);
    if (!*path) return hrr_no_memory(err);
    return hrr_path_is_file(*path) ? hrr_array_read(out, *path, err) : HRR_OK;
}

static hrr_status take_drawn(hrr_graph *shown, const char *directory, uint32_t n_classes,
                             hrr_error *err)
{
    hrr_array features = {0}, labels = {0};
    char *features_path = NULL, *labels_path = NULL;
    hrr_status status = read_part(&features, &features_path, directory, "features.npy", err);
    if (!status && features.data)
        status = hrr_take_features_array(shown, &features, features_path, err);
    if (!status) status = read_part(&labels, &labels_path, directory, "labels.npy", err);
    if (!status && labels.data)
        status = hrr_take_labels_array(shown, &labels, n_classes, labels_path, err);
    hrr_array_clear(&features);
    hrr_array_clear(&labels);
    hrr_free(features_path);
    hrr_free(labels_path);
    return status;
}

/* Averaged over public edges, as often as the bundle will show them averaged over its own. */
static hrr_status propagate(hrr_graph *shown, uint32_t steps, int threads, hrr_progress *progress,
                            hrr_error *err)
{
    const hrr_dense *drawn = hrr_graph_features(shown);
    hrr_dense smooth = {0};
    if (!steps || !drawn) return HRR_OK;
    hrr_status status = hrr_graph_propagate(&smooth, shown, drawn, steps, threads, progress, err);
    if (!status) status = hrr_graph_take_features(shown, &smooth, err);
    hrr_dense_clear(&smooth);
    return status;
}

hrr_status hrr_own_blocks(uint32_t *blocks, const hrr_block_maker *maker, const char *directory,
                          const hrr_graph *graph, const hrr_protect_options *options,
                          const hrr_feature_claim *features, hrr_progress *progress, hrr_error *err)
{
    hrr_shown shown = {.label_eps = options->eps_labels_nano
                                        ? (double)options->eps_labels_nano / (double)HRR_EPS_UNIT
                                        : -1,
                       .features_are_randomised = features && isfinite(features->realised_eps)};
    hrr_status status =
        hrr_graph_copy(&shown.graph, graph, HRR_COPY_PUBLIC_EDGES | HRR_COPY_SPLIT, err);
    if (!status) status = take_drawn(shown.graph, directory, hrr_graph_n_classes(graph), err);
    if (!status)
        status = propagate(shown.graph, options->n_propagate, options->threads, progress, err);
    if (!status) status = maker->make(blocks, &shown, maker->user, options->threads, progress, err);
    hrr_graph_free(shown.graph);
    return status;
}
