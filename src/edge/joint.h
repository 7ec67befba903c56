/* joint.h: steps of a chain that weighs public and private edges, with secure draws in integers.
 *
 * A step looks at a random move and takes it with probability min(1, e^z),
 *
 *     z = weight_public dL_pub + weight_private dL_pri,
 *
 * L in units of score.h and weights in units of 2^-16, so that z is a rational number and the coin
 * is exact. Scores are sums over internal nodes of integers, so a move and its way back have
 * opposite z: the law exp(weight_public L_pub + weight_private L_pri) is kept exactly. */
#ifndef HRR_EDGE_JOINT_H
#define HRR_EDGE_JOINT_H

#include "edge/score.h"
#include "edge/tree.h"
#include "edge/trees.h"

enum { HRR_JOINT_WEIGHT_BITS = 16, HRR_JOINT_SCORE_MOST_BITS = 12 };
#define HRR_JOINT_ONE (INT64_C(1) << HRR_JOINT_WEIGHT_BITS)

typedef struct hrr_joint {
    hrr_edge_score score;
    hrr_tree *tree;
    hrr_csr adjacency[HRR_MOST_FAMILIES];
    /* Family whose edges are no candidate pairs: public edges between candidates. -1: none. */
    int taken;
    uint64_t n_private_leaves; /* that count for L_pri: candidates, or as published */
    int64_t likelihood;        /* what accepted moves added to L_pub + L_pri */
} hrr_joint;

/* The scale of scores for so many nodes. */
hrr_edge_score hrr_joint_score(uint64_t n_nodes);

/* strict: L_pub over all leaves; L_pri over candidate pairs as PRIVACY says: pairs of candidates
 * that are no public edge. */
hrr_status hrr_joint_init(hrr_joint *out, const hrr_dendrogram *start, const hrr_edge_public *known,
                          const hrr_edge_secret *secret, hrr_error *err);
/* As published: pairs of leaves that have an edge of the family. Leaks; tree_paper.c says how. */
hrr_status hrr_joint_init_published(hrr_joint *out, const hrr_dendrogram *start,
                                    const hrr_edge_public *known, const hrr_edge_secret *secret,
                                    hrr_error *err);
void hrr_joint_clear(hrr_joint *joint);

/* Candidate pairs, or private edges, between the blocks of a move. */
hrr_edge_score_blocks hrr_joint_pairs(const hrr_joint *joint, const hrr_tree_move *move);
hrr_edge_score_blocks hrr_joint_edges(const hrr_tree_move *move);

/* n_leaves >= 3. */
void hrr_joint_step(hrr_joint *joint, int64_t weight_public, int64_t weight_private,
                    hrr_stream *stream);

/* A chain over trees, none of which is proved private. */
typedef struct hrr_joint_chain {
    /* One of the two above. */
    hrr_status (*init)(hrr_joint *out, const hrr_dendrogram *start, const hrr_edge_public *known,
                       const hrr_edge_secret *secret, hrr_error *err);
    int64_t (*weight_private)(uint64_t eps_tree_nano, const hrr_joint *joint);
    /* n_steps, or fewer; a cancel is seen soon. */
    hrr_status (*walk)(hrr_joint *joint, int64_t weight_private, uint64_t n_steps,
                       hrr_stream *stream, hrr_progress *progress, hrr_error *err);
} hrr_joint_chain;

/* The draw() of a tree method: walk from plan->start with secure draws; *out is the tree at the
 * end. */
hrr_status hrr_joint_draw(hrr_dendrogram *out, double *realised_eps, const hrr_joint_chain *chain,
                          const hrr_tree_plan *plan, const hrr_edge_secret *secret,
                          const hrr_random *random, hrr_progress *progress, hrr_error *err);

#endif
