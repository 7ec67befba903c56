/* own_blocks.h: blocks for edgerr-node, and the need of nodes, that are made from the release they
 * belong to. */
#ifndef HRR_RELEASE_OWN_BLOCKS_H
#define HRR_RELEASE_OWN_BLOCKS_H

#include "learn/predicted_blocks.h"

#include <heterorr/release.h>

/* Who makes them, once for a release. The result must depend on nothing but what is shown, which
 * may be changed. Name and version are part of the request, so that nobody who asks for a stored
 * release gets one with another maker's blocks. */
typedef struct hrr_block_maker {
    const char *name;
    uint32_t version;
    const char *what; /* for the certificate: one clause that says what the blocks are */
    const char *need; /* the same of the need of a node */
    uint32_t n_blocks;
    double expected_seconds;
    bool has_rivals;
    /* Fills blocks[0 .. n) with numbers below n_blocks, and need[0 .. n), which is looked at if a
     * pair is counted at the end that needs it. rivals (n x 2): NULL, or zeros that it may replace
     * if it has rivals. */
    hrr_status (*make)(uint32_t *blocks, uint32_t *need, uint32_t *rivals, const hrr_shown *shown,
                       void *user, int threads, hrr_progress *progress, hrr_error *err);
    void *user;
} hrr_block_maker;

/* The maker of HRR_BLOCKS_PREDICTED. Errors: HRR_EINVAL if there is nothing to predict from. */
hrr_status hrr_block_maker_init(hrr_block_maker *out, const hrr_graph *graph, hrr_error *err);

/* What of a release is drawn when its blocks are made. */
typedef struct hrr_drawn_so_far {
    const hrr_graph *released; /* labels and split; edges are drawn later */
    const hrr_dense *features; /* NULL: there are none */
    bool features_are_randomised;
    uint32_t n_propagate; /* they are shown averaged over public edges, as often as the release will
                             show them averaged over its own */
    double label_eps;     /* negative: labels are as they were */
} hrr_drawn_so_far;

/* Fill blocks[0 .. n_nodes), need[0 .. n_nodes) and rivals (n_nodes x 2, zeros; NULL: not wanted)
 * by the maker, who is shown what is drawn so far and the public edges of `graph`, and nothing else
 * of it.
 *
 * Guarantee: they are a function of released and public data (and of the maker).
 * Cost:      the maker's, and O(n + m); a copy of the features if they are averaged.
 * Errors:    HRR_ENOMEM, HRR_ECANCEL, and what the maker says. */
hrr_status hrr_own_blocks(uint32_t *blocks, uint32_t *need, uint32_t *rivals,
                          const hrr_block_maker *maker, const hrr_drawn_so_far *drawn,
                          const hrr_graph *graph, int threads, hrr_progress *progress,
                          hrr_error *err);

#endif
