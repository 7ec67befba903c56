/* blocks.h: which graph of the collection, which class and which rank a node has.
 *
 * Each graph is a run of node ids. Its nodes stand in a random order, and place p of that order
 * belongs to class p mod C with rank p / C: one permutation gives classes of equal size and, with
 * the ranks, the weights of the degree law (degree_law.h). */
#ifndef HRR_GENERATE_BLOCKS_H
#define HRR_GENERATE_BLOCKS_H

#include <heterorr/generate.h>

typedef struct hrr_blocks {
    uint64_t n_nodes;
    uint32_t n_graphs, n_classes;
    uint32_t *order; /* order[graph begin + place] = node */
    uint32_t *place; /* place[node], counted from the beginning of its graph */
} hrr_blocks;

/* Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_blocks_init(hrr_blocks *out, const hrr_generate_options *options,
                           hrr_progress *progress, hrr_error *err);
void hrr_blocks_clear(hrr_blocks *blocks);

/* The first node of a graph; with graph = n_graphs, the number of nodes. */
uint64_t hrr_blocks_graph_begin(const hrr_blocks *blocks, uint32_t graph);
uint32_t hrr_blocks_graph_of(const hrr_blocks *blocks, uint64_t node);

static inline uint32_t hrr_blocks_class(const hrr_blocks *blocks, uint64_t node)
{
    return blocks->place[node] % blocks->n_classes;
}

/* How many of graph_size places belong to a class. */
static inline uint64_t hrr_blocks_class_size(const hrr_blocks *blocks, uint64_t graph_size,
                                             uint32_t label)
{
    return graph_size / blocks->n_classes + (label < graph_size % blocks->n_classes);
}

#endif
