/* components.h: nodes numbered component by component, for measures that look at one at a time. */
#ifndef HRR_STRUCTURE_COMPONENTS_H
#define HRR_STRUCTURE_COMPONENTS_H

#include <heterorr/matrix.h>

/* Breadth first: component[i] of each node, and all nodes in the order of visits, a component's
 * together. Both: room for n. Returns the number of components; isolated nodes are components.
 * O(n + m). */
uint64_t hrr_components_find(uint32_t *component, uint32_t *order, const hrr_csr *graph);

/* The graph with its nodes numbered in that order: component c is the nodes from start[c] to before
 * start[c + 1], and neighbours have numbers that are near each other. */
typedef struct hrr_components {
    uint64_t n_nodes, n; /* n: how many components */
    uint64_t *start;     /* n + 1 */
    uint32_t *number;    /* of each node of the original graph */
    uint64_t *row_start; /* n_nodes + 1 */
    uint32_t *col;       /* neighbours by their new numbers */
} hrr_components;

/* O(n + m) time and memory. Errors: HRR_ENOMEM. Ownership: hrr_components_clear(). */
hrr_status hrr_components_init(hrr_components *out, const hrr_csr *graph, hrr_error *err);
void hrr_components_clear(hrr_components *components);

#endif
