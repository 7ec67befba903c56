/* likeness.h: a graph made from a few released numbers, so that it has them itself. Post-processing
 * of what edgerr_degrees.c drew. */
#ifndef HRR_EDGE_LIKENESS_H
#define HRR_EDGE_LIKENESS_H

#include "edge/closure.h"
#include "edge/found_communities.h"
#include "edge/wire.h"

#include <heterorr/edge.h>
#include <heterorr/matrix.h>

typedef struct hrr_likeness {
    const uint32_t *degree; /* n: private edges of each node */
    const hrr_mixing *mixing;
    hrr_closure_goal clustering; /* of the whole graph */
    bool groups;                 /* clustering is more than noise: make groups that have it */
    hrr_closure_goal rungs;      /* of the ladders of both, on average */
    uint64_t n_components;       /* with edges, at most */
    const hrr_wire_communities *communities; /* NULL: none are known */
    const hrr_group_table *table;            /* that shows them; NULL if none are known */
} hrr_likeness;

/* Wire, count, and wire again with what was learnt: up to eight times, three times if there are
 * more than a million edges. out: in no order. Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_likeness_draw(hrr_edge_list *out, const hrr_likeness *like,
                             const hrr_edge_public *known, uint64_t seed, int threads,
                             hrr_progress *progress, hrr_error *err);

/* The adjacency of public edges and others, in any order.
 * Errors: HRR_ENOMEM. */
hrr_status hrr_union_adjacency(hrr_csr *out, const hrr_edge_public *known, uint64_t n_edges,
                               const uint32_t *source, const uint32_t *target, hrr_error *err);

#endif
