/* diameter.h: the longest of all shortest paths. */
#ifndef HRR_STRUCTURE_DIAMETER_H
#define HRR_STRUCTURE_DIAMETER_H

#include "structure/components.h"

/* Of the component where it is longest: between `least`, which a pair of nodes has, and `most`. */
typedef struct hrr_diameter {
    uint64_t least, most; /* equal: the diameter */
    uint64_t n_searches;  /* breadth-first searches that it took */
} hrr_diameter;

/* Searches end when the two meet or after about most_searches of them. 4 searches find `least` in
 * most real graphs; to prove it takes few where distances differ much, and most of the nodes where
 * they hardly do, as in random graphs.
 * Cost:   O(n + m) for the first searches, O((n + m) / 512) a step for each of the others; 200
 *         bytes a node and thread.
 * Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_diameter_find(hrr_diameter *out, const hrr_components *graph, uint64_t most_searches,
                             int threads, hrr_progress *progress, hrr_error *err);

#endif
