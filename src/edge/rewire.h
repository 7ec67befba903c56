/* rewire.h: edges that change ends, so that every degree stays as it is and something else becomes
 * as it should be. Post-processing. */
#ifndef HRR_EDGE_REWIRE_H
#define HRR_EDGE_REWIRE_H

#include "edge/wire.h"

/* Correlation of degrees over the edges, public ones included; `degree` counts these too. */
double hrr_wires_assortativity(const hrr_wires *wires, const hrr_edge_public *known,
                               const uint32_t *degree);

/* Swap loose edges, near ones first, until the assortativity is the goal or 20 tries an edge are
 * over. community: of each node; as many edges stay between two of them. NULL: all are in one. */
void hrr_wires_assort(hrr_wires *wires, const hrr_edge_public *known, const uint32_t *degree,
                      const uint32_t *community, double goal, hrr_fast_random *random);

/* Join components until no more than `most` of those with edges are left: an edge of a small one
 * and an edge on a cycle of another change ends. place: of each node on a ring; edges near each
 * other are taken. NULL: any. Stops where no cycle is left. O(n + m).
 * Errors: HRR_ENOMEM. */
hrr_status hrr_wires_connect(hrr_wires *wires, const hrr_edge_public *known, const uint32_t *place,
                             uint64_t most, hrr_fast_random *random, hrr_error *err);

/* Components that have an edge, of two lists of edges; `parent` is scratch for n. O((n + m) log n).
 */
uint64_t hrr_count_components(uint32_t *parent, uint64_t n_nodes, const hrr_edge_public *known,
                              uint64_t n_edges, const uint32_t *source, const uint32_t *target);

#endif
