/* walk_pair.h: two graphs on the same nodes as one, for walking in both at once.
 *
 * The neighbours of a node are those of either graph, each with which of the two it is from. A walk
 * in the released graph mostly meets the nodes that the walk in the original meets, so that one
 * visit serves both. */
#ifndef HRR_STRUCTURE_WALK_PAIR_H
#define HRR_STRUCTURE_WALK_PAIR_H

#include <heterorr/matrix.h>

enum { HRR_IN_ORIGINAL = 1, HRR_IN_RELEASED = 2, HRR_IN_BOTH = 3 };

typedef struct hrr_walk_pair {
    uint64_t n_nodes;
    uint64_t *start;           /* n + 1 */
    uint64_t *ends;            /* n, once renumbered: where neighbours n_first and up begin */
    uint32_t *entry;           /* neighbour << 2 | which graphs */
    double *inverse_degree[2]; /* original, released; 0 for a node without edges */
} hrr_walk_pair;

/* O(n + m + m'). Errors: HRR_EINVAL (n over 2^29), HRR_ENOMEM. */
hrr_status hrr_walk_pair_init(hrr_walk_pair *out, const hrr_csr *original, const hrr_csr *released,
                              hrr_error *err);
/* Number the nodes anew: node order[r] becomes r. Rows ascend again; where those that are not among
 * the first n_first nodes begin is told. On failure nothing changes. O(n + m). Errors: HRR_ENOMEM.
 */
hrr_status hrr_walk_pair_renumber(hrr_walk_pair *pair, const uint32_t *order, uint64_t n_first,
                                  hrr_error *err);
void hrr_walk_pair_clear(hrr_walk_pair *pair);

#endif
