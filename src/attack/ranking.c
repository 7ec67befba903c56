/* ranking.c: how well scores rank pairs. Equal scores count as every order of them would on
 * average. */
#include "attack/ranking.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

double hrr_k_hat(int k)
{
    static const double times[HRR_K_HATS] = {0.25, 0.5, 1, 2, 4};
    assert(k >= 0 && k < HRR_K_HATS);
    return times[k];
}

static int by_falling_score(const void *a, const void *b)
{
    const double x = ((const hrr_ranked_pair *)a)->score, y = ((const hrr_ranked_pair *)b)->score;
    return (x < y) - (x > y);
}

hrr_status hrr_rank_pairs(hrr_ranked_pair **out, const hrr_link_pairs *pairs, const double *scores,
                          hrr_error *err)
{
    hrr_ranked_pair *order = *out = hrr_alloc(pairs->n, sizeof *order);
    if (!order) return hrr_no_memory(err);
    for (uint64_t p = 0; p < pairs->n; p++)
        order[p] = (hrr_ranked_pair){scores[p], p};
    qsort(order, pairs->n, sizeof *order, by_falling_score);
    return HRR_OK;
}

hrr_tie hrr_tie_at(const hrr_ranked_pair *order, const hrr_link_pairs *pairs, uint64_t begin)
{
    hrr_tie tie = {.begin = begin, .end = begin};
    for (; tie.end < pairs->n && !(order[tie.end].score < order[begin].score); tie.end++)
        tie.n_positive += pairs->positive[order[tie.end].pair];
    return tie;
}

hrr_status hrr_add_ranks(double *scores, const double *of, const hrr_link_pairs *pairs,
                         hrr_error *err)
{
    hrr_ranked_pair *order;
    hrr_status status = hrr_rank_pairs(&order, pairs, of, err);
    if (status) return status;
    for (uint64_t i = 0; i < pairs->n;) {
        const hrr_tie tie = hrr_tie_at(order, pairs, i);
        const double beaten =
            (double)(pairs->n - tie.end) + 0.5 * (double)(tie.end - tie.begin - 1);
        for (; i < tie.end; i++)
            scores[order[i].pair] += beaten;
    }
    hrr_free(order);
    return HRR_OK;
}

/* How many positives the first `count` hold. */
static double hits_among(const hrr_ranked_pair *order, const hrr_link_pairs *pairs, double count)
{
    double hits = 0;
    for (uint64_t i = 0; i < pairs->n && (double)i < count;) {
        const hrr_tie tie = hrr_tie_at(order, pairs, i);
        const double size = (double)(tie.end - tie.begin), taken = fmin(size, count - (double)i);
        hits += (double)tie.n_positive * taken / size;
        i = tie.end;
    }
    return hits;
}

/* Walk down the scores, all of one value at a time, as hrr_rank_quality() does; in doubles, because
 * influences of one sample span many magnitudes. */
static void rank(hrr_link_quality *out, const hrr_ranked_pair *order, const hrr_link_pairs *pairs)
{
    double wins = 0, precision = 0;
    uint64_t above = 0;
    for (uint64_t i = 0; i < pairs->n;) {
        const hrr_tie tie = hrr_tie_at(order, pairs, i);
        const double here = (double)tie.n_positive;
        wins += ((double)above + 0.5 * here) * ((double)(tie.end - tie.begin) - here);
        above += tie.n_positive;
        precision += here * (double)above / (double)tie.end;
        i = tie.end;
    }
    out->auc = wins / ((double)pairs->n_positive * (double)(pairs->n - pairs->n_positive));
    out->average_precision = precision / (double)pairs->n_positive;
}

hrr_status hrr_link_measure(hrr_link_quality *out, const hrr_link_pairs *pairs,
                            const double *scores, hrr_error *err)
{
    hrr_ranked_pair *order;
    *out = (hrr_link_quality){.n_pairs = (double)pairs->n, .n_positive = (double)pairs->n_positive};
    hrr_status status = hrr_rank_pairs(&order, pairs, scores, err);
    if (status) return status;
    rank(out, order, pairs);
    for (int k = 0; k < HRR_K_HATS; k++) {
        const double count = fmin((double)pairs->n, fmax(1, round(hrr_k_hat(k) * out->n_positive)));
        const double hits = hits_among(order, pairs, count);
        out->precision[k] = hits / count;
        out->recall[k] = hits / out->n_positive;
    }
    hrr_free(order);
    return HRR_OK;
}
