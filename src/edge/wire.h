/* wire.h: edges that give every node its degree, with groups that all know each other and, beyond
 * them, as many edges between classes of degrees as there should be. Post-processing of released
 * numbers: nothing here has seen a private edge. */
#ifndef HRR_EDGE_WIRE_H
#define HRR_EDGE_WIRE_H

#include "edge/closure.h"
#include "edge/mixing.h"
#include "edge/pair_set.h"

#include <heterorr/edge.h>

/* Which community each node is in, and how many ends of edges are to be between two of them. */
typedef struct hrr_wire_communities {
    uint32_t n;                   /* at most HRR_MOST_MIXING_CLASSES */
    uint32_t *of;                 /* n_nodes, below n */
    uint32_t n_groups, *of_group; /* the same of parts of equal length of the order of nodes */
    hrr_mixing_matrix ends;       /* symmetric, twice the edges on the diagonal */
} hrr_wire_communities;

/* What is asked for. */
typedef struct hrr_wire_goal {
    const hrr_edge_public *known;
    const uint32_t *degree; /* n: synthetic edges of each node; their sum is even */
    const float *z;         /* n: of each node, for the law of closure */
    hrr_closure closure;    /* level 0: no groups */
    double near;            /* chance that a loose end seeks a partner near its place */
    const hrr_mixing *mixing;
    const hrr_wire_communities *communities; /* NULL: all are in one */
    const uint32_t *place; /* n: where each stands in an order whose neighbours tend to be joined,
                              from 0 to 2^32; NULL: no order is known */
} hrr_wire_goal;

/* The edges, in no order, and all pairs that have one, public ones too. */
typedef struct hrr_wires {
    uint64_t n_edges, room;
    uint64_t first_loose; /* edges from here on are in no group, in the order of their place */
    uint32_t *source, *target;
    hrr_pair_set pairs;
} hrr_wires;

/* Room for half the sum of degrees. Errors: HRR_ENOMEM. */
hrr_status hrr_wires_init(hrr_wires *out, const hrr_wire_goal *goal, hrr_error *err);
void hrr_wires_clear(hrr_wires *wires);

/* Wire anew. Ends that fit nowhere without repeating an edge, a handful on most graphs, stay loose.
 * O(n + m log m). Errors: HRR_ENOMEM. */
hrr_status hrr_wires_draw(hrr_wires *wires, const hrr_wire_goal *goal, hrr_fast_random *random,
                          hrr_error *err);

/* Whether edges e and f may become u-y and x-v, where e is u-v and f is x-y or, if `turned`, y-x;
 * and that. Degrees stay as they are. */
bool hrr_wires_swap(hrr_wires *wires, uint64_t e, uint64_t f, bool turned);

#endif
