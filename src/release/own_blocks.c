/* own_blocks.c: see own_blocks.h.
 *
 * Why no budget is spent: features and labels were drawn by mechanisms that are paid for, public
 * edges and the split are not protected, and the maker sees nothing else. Whatever it returns is
 * post-processing. The counts that are drawn afterwards keep their epsilon for every choice of
 * blocks and for every choice of who counts a pair, so also for this one (adaptive composition);
 * their noise comes from streams that neither features nor labels draw from.
 *
 * What is shown is put together from what was drawn, and public edges; the private graph is asked
 * for nothing else. */
#include "release/own_blocks.h"
#include "graph/aggregator.h"
#include "graph/copy.h"
#include "learn/need.h"

static hrr_status predict(uint32_t *blocks, uint32_t *need, uint32_t *rivals,
                          const hrr_shown *shown, void *user, int threads, hrr_progress *progress,
                          hrr_error *err)
{
    (void)user;
    return hrr_predicted_blocks(blocks, need, rivals, shown, threads, progress, err);
}

hrr_status hrr_block_maker_init(hrr_block_maker *out, const hrr_graph *graph, hrr_error *err)
{
    hrr_status status = hrr_predicted_blocks_check(graph, err);
    if (status) return status;
    *out = (hrr_block_maker){
        .name = "predicted",
        .version = hrr_predicted_blocks_version(graph),
        .what = "classes predicted by networks that were trained on the features, labels and "
                "public edges of this release: post-processing, which spends nothing",
        .need =
            "nodes whose class is not shown before others, and then the less sure those networks "
            "are of a node, the more",
        .n_blocks = hrr_graph_n_classes(graph),
        .has_rivals = hrr_rivals_help(hrr_graph_n_classes(graph)),
        .expected_seconds = hrr_predicted_blocks_seconds(graph),
        .make = predict};
    return HRR_OK;
}

/* Averaged over public edges, as often as the release will show them averaged over its own. */
static hrr_status show_features(hrr_graph *shown, const hrr_drawn_so_far *drawn, int threads,
                                hrr_progress *progress, hrr_error *err)
{
    if (!drawn->features) return HRR_OK;
    hrr_dense features = hrr_dense_view(drawn->features);
    hrr_status status = HRR_OK;
    if (drawn->n_propagate)
        status = hrr_graph_propagate(&features, shown, drawn->features, drawn->n_propagate, threads,
                                     progress, err);
    if (status) return status;
    status = hrr_graph_take_features(shown, &features, err);
    hrr_dense_clear(&features);
    return status;
}

hrr_status hrr_own_blocks(uint32_t *blocks, uint32_t *need, uint32_t *rivals,
                          const hrr_block_maker *maker, const hrr_drawn_so_far *drawn,
                          const hrr_graph *graph, int threads, hrr_progress *progress,
                          hrr_error *err)
{
    hrr_shown shown = {.label_eps = drawn->label_eps,
                       .features_are_randomised = drawn->features_are_randomised};
    hrr_status status = hrr_graph_copy(&shown.graph, drawn->released,
                                       HRR_COPY_LABELS | HRR_COPY_SPLIT | HRR_COPY_AS_VIEWS, err);
    if (!status) status = hrr_graph_add_parts(shown.graph, graph, HRR_COPY_PUBLIC_EDGES, err);
    if (!status) status = show_features(shown.graph, drawn, threads, progress, err);
    if (!status)
        status = maker->make(blocks, need, rivals, &shown, maker->user, threads, progress, err);
    hrr_graph_free(shown.graph);
    return status;
}
