/* degree_numbers.h: what edgerr-degrees buys about the private edges. This is all of the mechanism
 * that reads them: seven kinds of numbers, each with the noise of its share (edgerr_degrees.c has
 * the claim). */
#ifndef HRR_EDGE_DEGREE_NUMBERS_H
#define HRR_EDGE_DEGREE_NUMBERS_H

#include "edge/degree_shares.h"
#include "edge/mixing.h"

#include <heterorr/edge.h>
#include <heterorr/privacy.h>

/* A candidate node and its noisy degree. */
typedef struct hrr_ranked_node {
    int64_t noisy;
    uint32_t node;
} hrr_ranked_node;

/* The numbers, and what was made of them on the way because later ones rest on it. All of it may be
 * released but for `scratch`. */
typedef struct hrr_degree_numbers {
    uint64_t n_candidates;
    hrr_ranked_node *rank; /* n_candidates: largest noisy degree first */
    int64_t *row, *column; /* n_candidates: of the staircase */
    uint32_t *of_ranked;   /* n_candidates: degrees that the staircase amounts to, descending */
    uint32_t *degree;      /* n_nodes: of each node, that of its rank */
    double *noisy;         /* n_candidates: noisy degrees in the order of rank */
    uint32_t *scratch;     /* n_nodes */
    int n_classes;
    int64_t *count;       /* n_classes x n_classes edges between classes, upper triangle */
    int64_t triangles;    /* of the whole graph */
    int64_t closed;       /* the same, in units of 1 / HRR_CLOSED_UNIT */
    int64_t n_components; /* the same */
    uint32_t n_groups;    /* 0: too few edges for any */
    uint32_t *group;      /* n_nodes: of each node; public but for how many there are */
    uint32_t *place;      /* n_nodes: where it stands in the order of the groups, public */
    int64_t *group_count; /* n_groups x n_groups edges between groups, upper triangle */
} hrr_degree_numbers;

/* noise: of each part. The draws are those of `random` at HRR_PURPOSE_EDGE_COUNTS.
 * Errors: HRR_ENOMEM, HRR_ECANCEL; out is cleared then. */
hrr_status hrr_degree_numbers_draw(hrr_degree_numbers *out, const hrr_edge_public *known,
                                   const hrr_edge_secret *secret, const hrr_degree_noise *noise,
                                   const hrr_random *random, int threads, hrr_progress *progress,
                                   hrr_error *err);
void hrr_degree_numbers_clear(hrr_degree_numbers *numbers);

#endif
