/* blocks.c: the random order of each graph's nodes. */
#include "generate/blocks.h"
#include "generate/parallel.h"
#include "base/memory.h"
#include "random/fast.h"

enum { STEP = 1 << 16 }; /* nodes between two looks at the progress */

uint64_t hrr_blocks_graph_begin(const hrr_blocks *blocks, uint32_t graph)
{
    uint64_t each = blocks->n_nodes / blocks->n_graphs, rest = blocks->n_nodes % blocks->n_graphs;
    return graph * each + (graph < rest ? graph : rest);
}

uint32_t hrr_blocks_graph_of(const hrr_blocks *blocks, uint64_t node)
{
    /* The first `rest` graphs have one node more than the others. */
    uint64_t each = blocks->n_nodes / blocks->n_graphs, rest = blocks->n_nodes % blocks->n_graphs;
    uint64_t in_larger = rest * (each + 1);
    return (uint32_t)(node < in_larger ? node / (each + 1) : rest + (node - in_larger) / each);
}

/* Fisher-Yates. */
static hrr_status shuffle(uint32_t *order, uint64_t n, hrr_fast_random *random,
                          hrr_progress *progress, hrr_error *err)
{
    for (uint64_t left = n; left > 0; left--) {
        uint64_t other = hrr_fast_below(random, left);
        uint32_t node = order[other];
        order[other] = order[left - 1];
        order[left - 1] = node;
        if (left % STEP == 0) {
            hrr_status status = hrr_progress_advance(progress, STEP, err);
            if (status) return status;
        }
    }
    return HRR_OK;
}

hrr_status hrr_blocks_init(hrr_blocks *out, const hrr_generate_options *options,
                           hrr_progress *progress, hrr_error *err)
{
    hrr_status status = HRR_OK;
    hrr_blocks blocks = {
        .n_nodes = options->n_nodes,
        .n_graphs = options->n_graphs,
        .n_classes = options->n_classes,
        .order = hrr_alloc(options->n_nodes, sizeof *blocks.order),
        .place = hrr_alloc(options->n_nodes, sizeof *blocks.place),
    };
    *out = (hrr_blocks){0};
    if (!blocks.order || !blocks.place) {
        status = hrr_no_memory(err);
        goto done;
    }
    hrr_progress_begin(progress, "placing nodes", blocks.n_nodes);
    for (uint64_t node = 0; node < blocks.n_nodes; node++)
        blocks.order[node] = (uint32_t)node;
    for (uint32_t graph = 0; graph < blocks.n_graphs; graph++) {
        uint64_t begin = hrr_blocks_graph_begin(&blocks, graph);
        uint64_t size = hrr_blocks_graph_begin(&blocks, graph + 1) - begin;
        hrr_fast_random random;
        hrr_draws_init(&random, options->seed, HRR_DRAW_ORDER, graph);
        if ((status = shuffle(blocks.order + begin, size, &random, progress, err))) goto done;
        for (uint64_t place = 0; place < size; place++)
            blocks.place[blocks.order[begin + place]] = (uint32_t)place;
    }
    *out = blocks;
    blocks = (hrr_blocks){0};
done:
    hrr_blocks_clear(&blocks);
    return status;
}

void hrr_blocks_clear(hrr_blocks *blocks)
{
    hrr_free(blocks->order);
    hrr_free(blocks->place);
    *blocks = (hrr_blocks){0};
}
