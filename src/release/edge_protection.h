/* edge_protection.h: all edges of a private graph through one mechanism: a plan for each graph of
 * the collection, then one draw of each, then the union with the public edges. */
#ifndef HRR_RELEASE_EDGE_PROTECTION_H
#define HRR_RELEASE_EDGE_PROTECTION_H

#include "release/edge_sides.h"
#include "edge/over_ranks.h"
#include "edge/promise.h"

typedef struct hrr_edge_protection {
    hrr_edge_sides sides;
    hrr_edge_plan **plan;     /* one for each graph */
    hrr_edge_claim *of_graph; /* what each plan claims */
    hrr_edge_promise promise; /* of all together */
    hrr_edge_claim claim;     /* of all together: sums, largest numbers, the promise above */
    hrr_ranks *ranks;         /* that draw; NULL: this process alone */
} hrr_edge_protection;

/* Decide everything from public data; that private edges are candidate pairs is checked here,
 * before anything is charged. A pair lies in one graph only, so the budget of the whole is the
 * largest of any graph (parallel composition). blocks_later: options->n_blocks of them are given
 * before the draw. */
hrr_status hrr_edge_protection_init(hrr_edge_protection *out, const hrr_graph *graph,
                                    const hrr_edge_options *options, bool blocks_later,
                                    hrr_progress *progress, hrr_error *err);
/* Block, need and rivals (NULL: none) of every node of the collection. Errors: HRR_EINVAL for a
 * block that is none, HRR_ENOMEM. */
hrr_status hrr_edge_protection_give_blocks(hrr_edge_protection *protection, const uint32_t *blocks,
                                           const uint32_t *need, const uint32_t *rivals,
                                           hrr_error *err);
/* The draw becomes collective (edge/over_ranks.h). NULL: nothing changes. */
void hrr_edge_protection_share(hrr_edge_protection *protection, hrr_ranks *ranks);
/* What every rank must have decided alike. */
void hrr_edge_protection_digest(hrr_hash *hash, const hrr_edge_protection *protection);
/* Edges that a release has on average if no candidate pair has an edge: public. */
uint64_t hrr_edge_protection_least(const hrr_edge_protection *protection);
void hrr_edge_protection_clear(hrr_edge_protection *protection);

/* Draw: out->edges are the released edges of the whole collection, public ones included, canonical;
 * parts of several graphs stand one after another. */
hrr_status hrr_edge_protection_draw(hrr_edge_release *out, const hrr_edge_protection *protection,
                                    hrr_random *random, hrr_progress *progress, hrr_error *err);

/* The released edges as a graph of their own, beside which nothing private stands. `drawn` is left
 * without its edges. */
hrr_status hrr_edge_protection_graph(hrr_graph **released, hrr_edge_release *drawn,
                                     const hrr_graph *graph, hrr_error *err);

#endif
