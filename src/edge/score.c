/* score.c: see score.h, which has the proofs. */
#include "edge/score.h"

#include <assert.h>
#include <float.h>
#include <math.h>

_Static_assert(LDBL_MANT_DIG >= 64, "the rounding bound of score.h needs 64 bits");

static const int largest_log2 = 57;

uint64_t hrr_edge_score_candidates(const hrr_edge_public *known)
{
    if (!known->candidates) return known->n_nodes;
    uint64_t n = 0;
    for (uint64_t i = 0; i < known->n_nodes; i++)
        n += known->candidates[i];
    return n;
}

hrr_status hrr_edge_score_check(uint64_t n_candidates, const char *tree, hrr_error *err)
{
    if (n_candidates <= HRR_EDGE_SCORE_MOST_CANDIDATES) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "the tree \"%s\" supports at most 33554432 candidate nodes; name fewer "
                    "(`candidates`), or choose `edges.tree` public",
                    tree);
}

hrr_edge_score hrr_edge_score_for(uint64_t n_candidates)
{
    assert(n_candidates <= HRR_EDGE_SCORE_MOST_CANDIDATES);
    const long double most = (long double)(n_candidates * n_candidates / 4 + 1);
    const long double limit = ldexpl(1, largest_log2);
    hrr_edge_score score = {.bits = HRR_EDGE_SCORE_MOST_BITS};
    while (score.bits > HRR_EDGE_SCORE_LEAST_BITS &&
           ldexpl(most * logl(most), (int)score.bits) > limit)
        score.bits--;
    return score;
}

int64_t hrr_edge_score_phi(const hrr_edge_score *score, uint64_t x)
{
    if (x <= 1) return 0;
    return llroundl(ldexpl((long double)x * logl((long double)x), (int)score->bits));
}

int64_t hrr_edge_score_node(const hrr_edge_score *score, uint64_t n_edges, uint64_t n_pairs)
{
    assert(n_edges <= n_pairs);
    return hrr_edge_score_phi(score, n_edges) + hrr_edge_score_phi(score, n_pairs - n_edges) -
           hrr_edge_score_phi(score, n_pairs);
}

static int64_t delta(const hrr_edge_score *score, uint64_t n_pairs)
{
    return n_pairs < 2
               ? 0
               : hrr_edge_score_phi(score, n_pairs) - hrr_edge_score_phi(score, n_pairs - 1);
}

int64_t hrr_edge_score_sensitivity(const hrr_edge_score *score, uint64_t n_pairs)
{
    return delta(score, n_pairs) + 2;
}

int64_t hrr_edge_score_tree(const hrr_edge_score *score, uint32_t n_internal, const uint64_t *edges,
                            const uint64_t *pairs)
{
    int64_t sum = 0;
    for (uint32_t r = 0; r < n_internal; r++)
        if (edges[r] > 0) sum += hrr_edge_score_node(score, edges[r], pairs[r]);
    return sum;
}

int64_t hrr_edge_score_move(const hrr_edge_score *score, const hrr_edge_score_blocks *edges,
                            const hrr_edge_score_blocks *pairs)
{
    return hrr_edge_score_node(score, edges->ik, pairs->ik) +
           hrr_edge_score_node(score, edges->ij + edges->jk, pairs->ij + pairs->jk) -
           hrr_edge_score_node(score, edges->ij, pairs->ij) -
           hrr_edge_score_node(score, edges->ik + edges->jk, pairs->ik + pairs->jk);
}

hrr_edge_score_shares hrr_edge_score_move_sensitivity(const hrr_edge_score *score,
                                                      const hrr_edge_score_blocks *pairs)
{
    enum { ROUNDING = 8 };
    const int64_t one = delta(score, pairs->jk + 1) + ROUNDING;
    const int64_t by_ij = delta(score, pairs->ij + 1) + delta(score, pairs->jk + pairs->ik);
    const int64_t by_ik = delta(score, pairs->ik + 1) + delta(score, pairs->jk + pairs->ij);
    const int64_t both = (by_ij > by_ik ? by_ij : by_ik) - delta(score, pairs->jk) + ROUNDING;
    return (hrr_edge_score_shares){
        .ij = pairs->ij ? one : 0, .ik = pairs->ik ? one : 0, .jk = pairs->jk ? both : 0};
}
