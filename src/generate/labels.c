/* labels.c: what there is to learn about generated nodes, and from which of them. */
#include "generate/labels.h"
#include "generate/parallel.h"
#include "base/memory.h"
#include "random/fast.h"

#include <math.h>

typedef struct drawing {
    const hrr_blocks *blocks;
    int32_t *classes;
    hrr_dense matrix;
} drawing;

static void set_classes(void *user, uint64_t begin, uint64_t end, hrr_fast_random *random)
{
    const drawing *d = user;
    (void)random;
    for (uint64_t node = begin; node < end; node++)
        d->classes[node] = (int32_t)hrr_blocks_class(d->blocks, node);
}

/* Label class + k is there with probability 2^-k: one more on average, and learnable, because the
 * others depend on the class. */
static void draw_labels(void *user, uint64_t begin, uint64_t end, hrr_fast_random *random)
{
    const drawing *d = user;
    uint64_t n_labels = d->matrix.cols;
    for (uint64_t node = begin; node < end; node++) {
        uint8_t *row = (uint8_t *)d->matrix.data + node * n_labels;
        uint64_t label = hrr_blocks_class(d->blocks, node);
        row[label] = 1;
        for (int k = 1; k < 64 && label + (uint64_t)k < n_labels; k++)
            row[label + (uint64_t)k] = hrr_fast_u64(random) >> (64 - k) == 0;
    }
}

hrr_status hrr_labels_draw(hrr_graph *graph, const hrr_blocks *blocks,
                           const hrr_generate_options *options, hrr_progress *progress,
                           hrr_error *err)
{
    hrr_status status;
    uint64_t n = blocks->n_nodes;
    drawing d = {.blocks = blocks};
    if (options->multilabel) {
        if ((status = hrr_dense_init(&d.matrix, HRR_U8, n, blocks->n_classes, err))) goto done;
    } else if (!(d.classes = hrr_alloc(n, sizeof *d.classes))) {
        status = hrr_no_memory(err);
        goto done;
    }
    hrr_progress_begin(progress, "drawing labels", n);
    if ((status =
             hrr_each_block(n, options->threads, options->seed, HRR_DRAW_LABELS,
                            options->multilabel ? draw_labels : set_classes, &d, progress, err)))
        goto done;
    status = options->multilabel
                 ? hrr_graph_take_label_matrix(graph, &d.matrix, err)
                 : hrr_graph_take_classes(graph, &d.classes, blocks->n_classes, err);
done:
    hrr_free(d.classes);
    hrr_dense_clear(&d.matrix);
    return status;
}

/* Selection sampling, as for private edges, with three outcomes. */
hrr_status hrr_split_draw(hrr_graph *graph, const hrr_generate_options *options, hrr_error *err)
{
    uint64_t n = options->n_nodes;
    uint64_t n_train = (uint64_t)llround(0.6 * (double)n);
    uint64_t n_valid = (uint64_t)llround(0.8 * (double)n) - n_train;
    uint8_t *split = hrr_alloc(n, 1);
    if (!split) return hrr_no_memory(err);
    hrr_fast_random random;
    hrr_draws_init(&random, options->seed, HRR_DRAW_SPLIT, 0);
    for (uint64_t node = 0; node < n; node++) {
        uint64_t at = hrr_fast_below(&random, n - node);
        split[node] = at < n_train ? HRR_TRAIN : at < n_train + n_valid ? HRR_VALID : HRR_TEST;
        n_train -= split[node] == HRR_TRAIN;
        n_valid -= split[node] == HRR_VALID;
    }
    hrr_status status = hrr_graph_take_split(graph, &split, err);
    hrr_free(split);
    return status;
}

hrr_status hrr_graph_ids_set(hrr_graph *graph, const hrr_blocks *blocks, hrr_error *err)
{
    if (blocks->n_graphs == 1) return HRR_OK;
    uint32_t *ids = hrr_alloc(blocks->n_nodes, sizeof *ids);
    if (!ids) return hrr_no_memory(err);
    for (uint64_t node = 0; node < blocks->n_nodes; node++)
        ids[node] = hrr_blocks_graph_of(blocks, node);
    hrr_status status = hrr_graph_take_graph_ids(graph, &ids, err);
    hrr_free(ids);
    return status;
}
