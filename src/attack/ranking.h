/* ranking.h: pairs in the order of their scores. */
#ifndef HRR_ATTACK_RANKING_H
#define HRR_ATTACK_RANKING_H

#include <heterorr/attack.h>

typedef struct hrr_ranked_pair {
    double score;
    uint64_t pair;
} hrr_ranked_pair;

/* *out: pairs->n of them, the highest score first; hrr memory of the caller. */
hrr_status hrr_rank_pairs(hrr_ranked_pair **out, const hrr_link_pairs *pairs, const double *scores,
                          hrr_error *err) HRR_CHECKED;

/* Pairs begin..end - 1 of the order have the same score. */
typedef struct hrr_tie {
    uint64_t begin, end, n_positive;
} hrr_tie;

/* The pairs from `begin` on that are equal; begin < n. */
hrr_tie hrr_tie_at(const hrr_ranked_pair *order, const hrr_link_pairs *pairs, uint64_t begin);

/* scores[p] += how many pairs p beats by another score; equals count half. */
hrr_status hrr_add_ranks(double *scores, const double *of, const hrr_link_pairs *pairs,
                         hrr_error *err) HRR_CHECKED;

/* scores: one for each pair, high: edge. Among equal scores every order is as likely. */
hrr_status hrr_link_measure(hrr_link_quality *out, const hrr_link_pairs *pairs,
                            const double *scores, hrr_error *err);

#endif
