/* wiring.h: what one wiring holds, for wire.c and loose_ends.c, which share the work. */
#ifndef HRR_EDGE_WIRING_H
#define HRR_EDGE_WIRING_H

#include "edge/wire.h"
#include "random/fast.h"

typedef struct hrr_wire_end {
    uint32_t place, node;
} hrr_wire_end;

typedef struct hrr_wiring {
    hrr_wires *wires;
    const hrr_wire_goal *goal;
    hrr_fast_random *random;
    uint32_t *loose;            /* n: ends that are not joined yet */
    uint32_t *place;            /* n: on the ring */
    hrr_wire_end *ends, *other; /* room for all ends, and scratch */
    uint32_t *left;             /* ends that found no partner yet */
    uint64_t n_left;
    uint8_t *to; /* scratch: the community that an end leads to */
} hrr_wiring;

/* Join all loose ends. Errors: HRR_ENOMEM. */
hrr_status hrr_join_loose_ends(hrr_wiring *w, hrr_error *err);

bool hrr_wires_may_join(const hrr_wires *wires, uint32_t u, uint32_t v);
void hrr_wires_join(hrr_wires *wires, uint32_t u, uint32_t v);
/* Edge f = x-y and the ends u, v become u-y and x-v, if they may. */
bool hrr_wires_join_through(hrr_wires *wires, uint32_t u, uint32_t v, uint64_t f, bool turned);

/* Ascending by `place`. */
void hrr_sort_ends(hrr_wire_end *ends, hrr_wire_end *scratch, uint64_t n);

static inline uint32_t hrr_wire_anywhere(hrr_fast_random *random)
{
    return (uint32_t)(hrr_fast_word(random) >> 32);
}

/* Where a node stands on the ring: anywhere, unless an order is known. */
static inline uint32_t hrr_wire_place(const hrr_wiring *w, uint32_t node)
{
    return w->goal->place ? w->goal->place[node] : hrr_wire_anywhere(w->random);
}

static inline uint32_t hrr_wire_community(const hrr_wire_goal *goal, uint32_t node)
{
    return goal->communities ? goal->communities->of[node] : 0;
}

/* That of the nodes around a place. */
static inline uint32_t hrr_wire_community_at(const hrr_wire_goal *goal, uint32_t place)
{
    if (!goal->communities) return 0;
    return goal->communities->of_group[(uint64_t)place * goal->communities->n_groups >> 32];
}

#endif
