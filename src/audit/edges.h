/* edges.h: what an onlooker sees of an edge mechanism on a tiny graph, as numbers that
 * trials.h can count. */
#ifndef HRR_AUDIT_EDGES_H
#define HRR_AUDIT_EDGES_H

#include "audit/trials.h"
#include "audit/pair_numbers.h"
#include <heterorr/edge.h>

typedef enum hrr_edge_view {
    HRR_VIEW_EDGES,   /* which pairs have an edge in the release */
    HRR_VIEW_NUMBERS, /* the released numbers that the pair in question moves */
    HRR_VIEW_APART,   /* the counts of a node that the pair moves, less others of the same nodes:
                         noise that they share would be gone */
    HRR_VIEW_COUNT,   /* of them the count alone: what is told without the shape of the tree */
    HRR_VIEW_PAIR,    /* whether the pair in question has an edge in the release: for graphs of any
                         size */
    HRR_VIEW_AMONG /* the same, and among how many: who keeps the cells that say yes loudest tells
                      most about a pair where few are kept */
} hrr_edge_view;

/* An attack on one mechanism: neighbouring secrets on a tiny public graph. */
typedef struct hrr_edge_attack {
    hrr_edge_public known;
    hrr_edge_secret secret[2];
    hrr_edge_plan *plan;
    hrr_edge_view view;
    hrr_numbers_kind numbers; /* of HRR_VIEW_NUMBERS */
    uint32_t width;           /* how many numbers a trial gives */
    uint32_t pair[2];         /* what the neighbours differ in */
    uint64_t seed;
    hrr_progress *progress; /* advanced by one for each trial; or NULL */
} hrr_edge_attack;

/* Plan the mechanism on tiny graph `which` (0..HRR_TINY_GRAPHS-1, or HRR_SPARSE_GRAPH, which is
 * large enough for HRR_VIEW_AMONG alone). *visible is false if the view shows nothing: the
 * mechanism releases no numbers, or its tree spends nothing; for HRR_VIEW_AMONG, if there are
 * numbers, which tell more. */
enum { HRR_TINY_GRAPHS = 2, HRR_SPARSE_GRAPH = HRR_TINY_GRAPHS };
hrr_status hrr_edge_attack_init(hrr_edge_attack *out, bool *visible,
                                const hrr_edge_options *options, int which, hrr_edge_view view,
                                uint64_t seed, hrr_error *err);
/* The same for neighbours of the caller's choice, whose arrays outlive the attack: secret[0] is
 * secret[1] without the pair. The view is that of the numbers, or of the pair where there are none.
 */
hrr_status hrr_edge_attack_init_pair(hrr_edge_attack *out, const hrr_edge_options *options,
                                     const hrr_edge_public *known, const hrr_edge_secret secret[2],
                                     const uint32_t pair[2], uint64_t seed, hrr_progress *progress,
                                     hrr_error *err);
/* The same for released edges, with the candidates of the caller's choice: n bytes of 0 and 1 that
 * outlive the attack. */
hrr_status hrr_edge_attack_init_on(hrr_edge_attack *out, const hrr_edge_options *options, int which,
                                   const uint8_t *candidates, uint64_t seed, hrr_error *err);
void hrr_edge_attack_clear(hrr_edge_attack *attack);

/* The run() of hrr_trials; user is an hrr_edge_attack, width its own. */
hrr_status hrr_edge_attack_run(float *out, const void *user, int side, uint64_t first, uint64_t n,
                               hrr_error *err);

/* Item `item` of an array of numbers. */
double hrr_array_number(const hrr_array *array, uint64_t item);

#endif
