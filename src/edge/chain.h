/* chain.h: the public chain with its schedule open, for tests and benchmarks. */
#ifndef HRR_EDGE_CHAIN_H
#define HRR_EDGE_CHAIN_H

#include "edge/trees.h"

typedef struct hrr_chain_schedule {
    uint32_t whole_below;    /* a tree of fewer leaves is one piece */
    uint64_t one_in;         /* of its nodes is frozen in a round, otherwise */
    uint64_t steps_per_node; /* in one round */
} hrr_chain_schedule;

/* What hrr_chain_public() uses. */
extern const hrr_chain_schedule hrr_chain_default;

hrr_status hrr_chain_run(hrr_dendrogram *tree, const hrr_edge_public *known,
                         const hrr_chain_schedule *schedule, uint64_t n_steps, uint64_t seed,
                         int threads, hrr_progress *progress, hrr_error *err);

#endif
