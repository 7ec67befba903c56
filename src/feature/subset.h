/* subset.h: subset selection: one of k answers through a report that names w of them (Ye and Barg,
 * "Optimal schemes for discrete distribution estimation under locally differential privacy", IEEE
 * Trans. Inf. Theory 2018; Wang et al., "Mutual information optimally local private discrete
 * distribution estimation", 2016).
 *
 * Every set of w answers that holds the true one has the weight `high` of window.h, every other one
 * the weight `low`. There are C(k-1, w-1) and C(k-1, w) of them, in the ratio w : k - w, so the
 * true answer is named with probability w high / (w high + (k - w) low), and the other names are a
 * uniform choice among the other answers. With w = 1 this is k-ary randomised response.
 *
 * Claim: high <= e^eps low in integers, and the total does not depend on the answer. So
 *        P(set | h) <= e^eps P(set | h') for every set and every two answers. */
#ifndef HRR_FEATURE_SUBSET_H
#define HRR_FEATURE_SUBSET_H

#include "feature/window.h"

/* w with the largest mutual information between a uniform answer and its report, 1..k-1:
 *     I(w) = p ln(p k / w) + (1 - p) ln((1 - p) k / (k - w)),   p = w e / (w e + k - w).
 * 2 <= k < 2^31. Public: it looks at k and eps alone. */
uint32_t hrr_subset_best_width(uint32_t n_answers, uint64_t eps_nano);

/* Name width answers: named[0..k) become 0 or 1. others: room for k - 1 numbers. Which words are
 * drawn, and how many, does not depend on the answer. */
static inline void hrr_subset_draw(uint8_t *named, const hrr_window *window, uint32_t answer,
                                   uint32_t *others, hrr_stream *stream)
{
    const uint32_t k = window->n_cells, w = window->width;
    const bool tells = hrr_below(stream, window->total) < w * window->high;
    for (uint32_t i = 0; i + 1 < k; i++) {
        others[i] = i + (i >= answer);
        named[i] = 0;
    }
    named[k - 1] = 0;
    /* The first i of a shuffled list are a uniform set of i; the w-th is named if the answer is
     * not. */
    for (uint32_t i = 0; i < w; i++) {
        const uint32_t pick = i + (uint32_t)hrr_below(stream, k - 1 - i);
        const uint32_t other = others[pick];
        others[pick] = others[i];
        others[i] = other;
        named[other] = i + 1 < w || !tells;
    }
    named[answer] = tells;
}

#endif
