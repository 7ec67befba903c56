/* protect.h: protect itself as a black box: neighbouring tiny graphs go in, bundles come out,
 * and what stands in their files is counted. */
#ifndef HRR_AUDIT_PROTECT_H
#define HRR_AUDIT_PROTECT_H

#include "audit/trials.h"

#include "release/own_blocks.h"

/* What the neighbours differ in, and where the onlooker looks. */
typedef enum hrr_protect_view {
    HRR_SEE_EDGES,   /* one private pair: which pairs have an edge */
    HRR_SEE_COUNTS,  /* one private pair: the noisy count that it moves */
    HRR_SEE_FEATURE, /* one node's feature: its released value */
    HRR_SEE_LABEL,   /* one node's label: the released one */
    HRR_SEE_ALL,     /* all three at once, which is to cost the sum */
    /* edgerr-node with blocks that are made from the release itself: */
    HRR_SEE_BLOCK_COUNTS,  /* one private pair: the counts that it moves, and a node's block */
    HRR_SEE_BLOCK_FEATURE, /* one node's feature: its released value, and the node's block */
    HRR_SEE_NEED_COUNT, /* one private pair: the count of the end that needs it, and a node's need
                         */
    HRR_PROTECT_VIEWS
} hrr_protect_view;

/* What a control does wrong. */
typedef enum hrr_protect_mistake {
    HRR_NO_MISTAKE,
    HRR_KEEPS_PRIVATE_EDGES,
    HRR_BLOCKS_OF_PRIVATE_EDGES, /* the maker of the blocks looks at the private graph */
    HRR_NEED_OF_PRIVATE_EDGES    /* who decides the need does */
} hrr_protect_mistake;

typedef struct hrr_protect_attack {
    hrr_protect_view view;
    hrr_protect_mistake mistake;
    hrr_graph *graph[2];
    hrr_protect_options options;
    hrr_block_maker maker;       /* make NULL: there are no blocks, or communities */
    hrr_protect_summary summary; /* of one release: what it claims */
    char *directory, *bundle;    /* a scratch directory, and the place of the first bundle */
    uint64_t item;               /* which count the pair moves */
    double usual;                /* what it is without the pair */
    uint64_t seed;
} hrr_protect_attack;

/* Make the graphs and a scratch directory: in memory (/dev/shm) where there is such a place, else
 * where temporary files go. Every kind of budget is eps_nano.
 * Errors: HRR_EIO, HRR_ENOMEM. */
hrr_status hrr_protect_attack_init(hrr_protect_attack *out, hrr_protect_view view,
                                   hrr_protect_mistake mistake, uint64_t eps_nano, uint64_t seed,
                                   hrr_error *err);
void hrr_protect_attack_clear(hrr_protect_attack *attack);

/* The run() of hrr_trials; user is an hrr_protect_attack, width 1. Each trial is one hrr_protect()
 * with a seed of its own, and its bundle read back. */
hrr_status hrr_protect_attack_run(float *out, const void *user, int side, uint64_t first,
                                  uint64_t n, hrr_error *err);

#endif
