/* score.h: likelihoods as integers, so that sensitivities are integers too.
 *
 *     Phi(x) = the integer nearest to 2^s x ln x            x = 0, 1, ..., floor(n^2 / 4)
 *     L(e, N) = Phi(e) + Phi(N - e) - Phi(N)                e edges among N pairs: log-likelihood
 *
 * n is the number of candidates. Phi is computed in long double, whose 64 bits (or more) carry
 * logl() to a few units in the last place. With d = the error before rounding:
 *
 *     |Phi(x) - 2^s x ln x| <= 1/2 + d,   d < 1/14,
 *
 * because s is chosen so that Phi stays below 2^57: an error of 4 units in the last place of the
 * logarithm and half a unit of the product then come to 2^57 (4 + 1/2) 2^-63 = 0.0703. (glibc
 * states 1 unit for its logl().)
 *
 * One flipped pair. Let Delta(N) = phi(N) - phi(N - 1), phi(x) = x ln x, in units of 2^-s.
 *   1. L(e + 1, N) - L(e, N) is largest in size at e = 0 and e = N - 1, where it is -+Delta(N): phi
 *      is convex. Phi(0) = Phi(1) = 0 exactly, so there the integers differ by Phi(N) - Phi(N - 1).
 *   2. For 1 <= e <= N - 2 the real difference is smaller by phi(2) = 2 ln 2 at least, which is
 * more than 5 units (s >= 2) and so more than what four roundings can add.
 *   3. Delta ascends, so for N' <= N: Phi(N') - Phi(N' - 1) <= Delta(N) + 1 + 2 d, which is at most
 *      Phi(N) - Phi(N - 1) + 2 + 4 d; integers, so at most 2 more.
 * Hence |L(e + 1, N') - L(e, N')| <= Delta_int(N) = Phi(N) - Phi(N - 1) + 2 for all N' <= N. */
#ifndef HRR_EDGE_SCORE_H
#define HRR_EDGE_SCORE_H

#include "edge/dendrogram.h"

/* 2^3 N ln N stays below 2^57 up to here, N = n^2 / 4. */
#define HRR_EDGE_SCORE_MOST_CANDIDATES ((uint64_t)1 << 25)
enum { HRR_EDGE_SCORE_LEAST_BITS = 2, HRR_EDGE_SCORE_MOST_BITS = 20 };

typedef struct hrr_edge_score {
    unsigned bits; /* s: a unit is 2^-s nats */
} hrr_edge_score;

/* The finest scale for so many candidates. n_candidates <= HRR_EDGE_SCORE_MOST_CANDIDATES. */
hrr_edge_score hrr_edge_score_for(uint64_t n_candidates);

/* |V_c|: the n above. */
uint64_t hrr_edge_score_candidates(const hrr_edge_public *known);
/* HRR_EINVAL if there are more candidates than that; `tree` names who asks. */
hrr_status hrr_edge_score_check(uint64_t n_candidates, const char *tree, hrr_error *err);

/* Phi(x). */
int64_t hrr_edge_score_phi(const hrr_edge_score *score, uint64_t x);
/* L(e, N), e <= N. Never positive but for rounding. */
int64_t hrr_edge_score_node(const hrr_edge_score *score, uint64_t n_edges, uint64_t n_pairs);
/* Delta_int(N); 2 for N <= 1. */
int64_t hrr_edge_score_sensitivity(const hrr_edge_score *score, uint64_t n_pairs);
/* L_pri: the sum over the nodes of a tree. */
int64_t hrr_edge_score_tree(const hrr_edge_score *score, uint32_t n_internal, const uint64_t *edges,
                            const uint64_t *pairs);

/* ---- the local move ((i, j), k) -> ((i, k), j) ---------------------------------------------- */

/* Pairs, or edges, between the three blocks. */
typedef struct hrr_edge_score_blocks {
    uint64_t ij, ik, jk;
} hrr_edge_score_blocks;

/* How much L grows by the move. */
int64_t hrr_edge_score_move(const hrr_edge_score *score, const hrr_edge_score_blocks *edges,
                            const hrr_edge_score_blocks *pairs);

/* What one flipped pair of each block can change hrr_edge_score_move() by, at most; 0 for a block
 * without pairs. With Delta from above,
 *
 *     ij, ik: Delta(N_jk + 1)
 *     jk:     max(Delta(N_ij + 1) + Delta(N_jk + N_ik), Delta(N_ik + 1) + Delta(N_jk + N_ij))
 *             - Delta(N_jk)
 *
 * in integers: a flip changes eight values of Phi, whose roundings add 4 + 8 d, and the three
 * differences of Phi in the formula lose 3 + 6 d: 8 units more cover both. */
typedef struct hrr_edge_score_shares {
    int64_t ij, ik, jk;
} hrr_edge_score_shares;
hrr_edge_score_shares hrr_edge_score_move_sensitivity(const hrr_edge_score *score,
                                                      const hrr_edge_score_blocks *pairs);

#endif
