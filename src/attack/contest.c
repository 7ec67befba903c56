/* contest.c: see contest.h.
 *
 * Both figures are means over pairs. The AUC is the mean over positives of the share of negatives
 * that they beat, and the mean over negatives of the share of positives that beat them: the pull of
 * a pair on it is its share less the AUC, over the number of pairs of its kind (DeLong, DeLong,
 * Clarke-Pearson 1988). Precision at k, k the number of positives, is the mean over positives of
 * being among the k highest; the threshold is taken as given. The pull of a pair on the difference
 * of two attacks is the difference of its pulls, so that what the attacks share cancels.
 *
 * Pairs that share a node are not independent. The variance adds the products of pulls over all
 * pairs of pairs that share a node (Aronow, Samii, Assenova 2015): the squares of what each node's
 * pairs pull together, less the squares of single pairs, which that counts twice. Nodes are those
 * of the graph: samples that overlap are no news. */
#include "attack/contest.h"
#include "attack/ranking.h"
#include "base/memory.h"

#include <math.h>

static const double reach_factor = 2.5758293035489; /* 99 % of a normal law */

const char *hrr_leak_name(hrr_leak leak)
{
    static const char *const names[] = {"undecided", "leaks", "public-knowledge"};
    return names[leak];
}

hrr_status hrr_contest_init(hrr_contest *out, uint64_t n_nodes, uint32_t runs, hrr_error *err)
{
    *out = (hrr_contest){.n_nodes = n_nodes, .runs = runs};
    for (int f = 0; f < HRR_CONTEST_FIGURES; f++)
        for (int g = 0; g < HRR_PUBLIC_GUESSES; g++)
            if (!(out->rival[f][g].pull = hrr_alloc_zero(n_nodes, sizeof(double)))) {
                hrr_contest_clear(out);
                return hrr_no_memory(err);
            }
    return HRR_OK;
}

void hrr_contest_clear(hrr_contest *contest)
{
    for (int f = 0; f < HRR_CONTEST_FIGURES; f++)
        for (int g = 0; g < HRR_PUBLIC_GUESSES; g++)
            hrr_free(contest->rival[f][g].pull);
    *contest = (hrr_contest){0};
}

/* How each pair fares, and the figure: the mean over positives. */
typedef struct showing {
    double *share; /* n */
    double mean;
} showing;

static void take_mean(showing *s, const hrr_link_pairs *pairs)
{
    s->mean = 0;
    for (uint64_t p = 0; p < pairs->n; p++)
        if (pairs->positive[p]) s->mean += s->share[p] / (double)pairs->n_positive;
}

static void show_auc(showing *s, const hrr_ranked_pair *order, const hrr_link_pairs *pairs)
{
    const double n_positive = (double)pairs->n_positive;
    const double n_negative = (double)(pairs->n - pairs->n_positive);
    double above[2] = {0, 0}; /* negatives and positives so far */
    for (uint64_t i = 0; i < pairs->n;) {
        const hrr_tie tie = hrr_tie_at(order, pairs, i);
        const double positive = (double)tie.n_positive;
        const double negative = (double)(tie.end - tie.begin) - positive;
        for (; i < tie.end; i++)
            s->share[order[i].pair] = pairs->positive[order[i].pair]
                                          ? 1 - (above[0] + 0.5 * negative) / n_negative
                                          : (above[1] + 0.5 * positive) / n_positive;
        above[0] += negative;
        above[1] += positive;
    }
    take_mean(s, pairs);
}

/* Negatives do not pull: their share is set to the mean. */
static void show_precision(showing *s, const hrr_ranked_pair *order, const hrr_link_pairs *pairs)
{
    for (uint64_t i = 0; i < pairs->n;) {
        const hrr_tie tie = hrr_tie_at(order, pairs, i);
        const double room = fmax(0, (double)pairs->n_positive - (double)tie.begin);
        const double chance = fmin(1, room / (double)(tie.end - tie.begin));
        for (; i < tie.end; i++)
            s->share[order[i].pair] = chance;
    }
    take_mean(s, pairs);
    for (uint64_t p = 0; p < pairs->n; p++)
        if (!pairs->positive[p]) s->share[p] = s->mean;
}

static hrr_status show(showing out[HRR_CONTEST_FIGURES], const hrr_link_pairs *pairs,
                       const double *scores, hrr_error *err)
{
    hrr_ranked_pair *order;
    hrr_status status = hrr_rank_pairs(&order, pairs, scores, err);
    if (status) return status;
    show_auc(&out[HRR_CONTEST_AUC], order, pairs);
    show_precision(&out[HRR_CONTEST_PRECISION], order, pairs);
    hrr_free(order);
    return HRR_OK;
}

static void pull(struct hrr_rival *rival, const showing *own, const showing *other,
                 const hrr_link_pairs *pairs, const uint32_t *nodes, uint32_t runs)
{
    const double weight[2] = {1 / (double)(pairs->n - pairs->n_positive) / runs,
                              1 / (double)pairs->n_positive / runs};
    rival->present = true;
    rival->value += other->mean / runs;
    for (uint64_t p = 0; p < pairs->n; p++) {
        const double apart = (own->share[p] - own->mean) - (other->share[p] - other->mean);
        const double by = apart * weight[pairs->positive[p]];
        rival->pull[nodes[pairs->i[p]]] += by;
        rival->pull[nodes[pairs->j[p]]] += by;
        rival->squares += by * by;
    }
}

hrr_status hrr_contest_add(hrr_contest *contest, const hrr_link_pairs *pairs, const uint32_t *nodes,
                           const double *scores, const hrr_public_guesses *guesses, hrr_error *err)
{
    showing own[HRR_CONTEST_FIGURES] = {{0}}, other[HRR_CONTEST_FIGURES] = {{0}};
    hrr_status status = HRR_OK;
    for (int f = 0; f < HRR_CONTEST_FIGURES; f++) {
        own[f].share = hrr_alloc(pairs->n, sizeof(double));
        other[f].share = hrr_alloc(pairs->n, sizeof(double));
        if (!own[f].share || !other[f].share) status = hrr_no_memory(err);
    }
    if (!status) status = show(own, pairs, scores, err);
    for (int f = 0; f < HRR_CONTEST_FIGURES && !status; f++)
        contest->own[f] += own[f].mean / contest->runs;
    for (int g = 0; g < HRR_PUBLIC_GUESSES && !status; g++) {
        if (!guesses->scores[g]) continue;
        status = show(other, pairs, guesses->scores[g], err);
        for (int f = 0; f < HRR_CONTEST_FIGURES && !status; f++)
            pull(&contest->rival[f][g], &own[f], &other[f], pairs, nodes, contest->runs);
    }
    for (int f = 0; f < HRR_CONTEST_FIGURES; f++) {
        hrr_free(own[f].share);
        hrr_free(other[f].share);
    }
    return status;
}

static double reach_of(const struct hrr_rival *rival, uint64_t n_nodes)
{
    double variance = -rival->squares;
    for (uint64_t v = 0; v < n_nodes; v++)
        variance += rival->pull[v] * rival->pull[v];
    /* the estimate can fall below that of independent pairs, even below 0 */
    return reach_factor * sqrt(fmax(variance, rival->squares));
}

/* Beside the best guess; *above_all: the attack is above every one of them. */
static struct hrr_beside_public compare(bool *above_all, const hrr_contest *contest, int figure)
{
    struct hrr_beside_public best = {.public_value = -1};
    *above_all = true;
    for (int g = 0; g < HRR_PUBLIC_GUESSES; g++) {
        const struct hrr_rival *rival = &contest->rival[figure][g];
        if (!rival->present) continue;
        const struct hrr_beside_public one = {
            .guess = hrr_public_guess_name((hrr_public_guess)g),
            .value = contest->own[figure],
            .public_value = rival->value,
            .difference = contest->own[figure] - rival->value,
            .reach = reach_of(rival, contest->n_nodes),
        };
        if (one.difference - one.reach <= 0) *above_all = false;
        if (one.public_value > best.public_value) best = one;
    }
    return best;
}

void hrr_contest_judge(hrr_link_verdict *out, const hrr_contest *contest)
{
    bool by_auc, by_precision;
    *out = (hrr_link_verdict){0};
    out->auc = compare(&by_auc, contest, HRR_CONTEST_AUC);
    out->precision_at_k = compare(&by_precision, contest, HRR_CONTEST_PRECISION);
    if (by_auc || by_precision)
        out->verdict = HRR_LEAKS;
    else if (out->auc.difference + out->auc.reach <= HRR_LEAK_MARGIN)
        out->verdict = HRR_LEAK_PUBLIC_KNOWLEDGE;
}
