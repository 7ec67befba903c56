/* distances.h: how many steps apart nodes are, counted from many sources at once. */
#ifndef HRR_STRUCTURE_DISTANCES_H
#define HRR_STRUCTURE_DISTANCES_H

#include "structure/components.h"

enum { HRR_SOURCES_TOGETHER = 512 }; /* that share a pass over the edges */

/* count[d]: pairs (source, node) that are d steps apart, d = 0 .. longest; a source is 0 steps from
 * itself. What is not joined is in none of them. */
typedef struct hrr_distances {
    uint64_t *count; /* n_nodes + 1, zero beyond `longest` */
    uint64_t longest, n_sources;
    double mean;           /* of the pairs of different nodes; NAN if there are none */
    double standard_error; /* of the mean, if the sources are a random sample: from how groups of at
                              most 64 of them differ; NAN for fewer than two groups */
} hrr_distances;

/* Sources by their numbers in `graph`, each once, component by component; NULL: all nodes. Counting
 * ends after most_steps. Cost:   O(n_sources (n + m) / 512) time a step, 200 bytes a node of the
 * largest component and thread. Errors: HRR_ENOMEM, HRR_ECANCEL. Ownership: hrr_distances_clear().
 */
hrr_status hrr_distances_from(hrr_distances *out, const hrr_components *graph,
                              const uint32_t *sources, uint64_t n_sources, uint64_t most_steps,
                              int threads, hrr_progress *progress, hrr_error *err);
void hrr_distances_clear(hrr_distances *distances);

/* The first n_sources of all nodes in random order; all of them in their own. nodes: room for n. */
void hrr_sources_draw(uint32_t *nodes, uint64_t n, uint64_t n_sources, uint64_t seed);
/* The same nodes by their numbers in `graph`, component by component, at random within one: groups
 * of them are random samples, too. */
void hrr_sources_number(uint32_t *sources, const uint32_t *nodes, uint64_t n_sources,
                        const hrr_components *graph, uint64_t seed);
void hrr_sources_sort(uint32_t *sources, uint64_t n_sources);

#endif
