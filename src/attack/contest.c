/* contest.c: see contest.h.
 *
 * The AUC is the mean over positives of the share of negatives that they beat, and the mean over
 * negatives of the share of positives that beat them: the pull of a pair on it is its share less
 * the AUC, over the number of pairs of its kind (DeLong, DeLong, Clarke-Pearson 1988). The pull on
 * the difference of two AUCs is the difference of pulls, so that what they have in common cancels.
 *
 * Pairs that share a node are not independent. The variance adds the products of pulls over all
 * pairs of pairs that share a node (Aronow, Samii, Assenova 2015): the squares of what each node's
 * pairs pull together, less the squares of single pairs, which that counts twice. Nodes are those
 * of the graph: samples that overlap are no news.
 *
 * Alone, an attack that knows some private edges for sure and nothing else loses against a guess
 * that knows a little of all; together with it, it shows. A model that has seen public edges only
 * says no more about pairs than walks over them do, and adds nothing to these. */
#include "attack/contest.h"
#include "attack/ranking.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

static const double half_width_factor = 2.5758293035489; /* 99 % of a normal law */

const char *hrr_leak_name(hrr_leak leak)
{
    static const char *const names[] = {"undecided", "leaks", "public-knowledge"};
    return names[leak];
}

hrr_status hrr_contest_init(hrr_contest *out, uint64_t n_nodes, uint32_t runs, hrr_error *err)
{
    *out = (hrr_contest){.n_nodes = n_nodes, .runs = runs};
    for (int c = 0; c < HRR_CONTESTS; c++)
        for (int g = 0; g < HRR_PUBLIC_GUESSES; g++)
            if (!(out->rival[c][g].pull = hrr_alloc_zero(n_nodes, sizeof(double)))) {
                hrr_contest_clear(out);
                return hrr_no_memory(err);
            }
    return HRR_OK;
}

void hrr_contest_clear(hrr_contest *contest)
{
    for (int c = 0; c < HRR_CONTESTS; c++)
        for (int g = 0; g < HRR_PUBLIC_GUESSES; g++)
            hrr_free(contest->rival[c][g].pull);
    *contest = (hrr_contest){0};
}

/* How each pair fares. */
typedef struct showing {
    double *share; /* n */
    double auc;
} showing;

static hrr_status show(showing *s, const hrr_link_pairs *pairs, const double *scores,
                       hrr_error *err)
{
    const double n_positive = (double)pairs->n_positive;
    const double n_negative = (double)(pairs->n - pairs->n_positive);
    double above[2] = {0, 0}; /* negatives and positives so far */
    hrr_ranked_pair *order;
    hrr_status status = hrr_rank_pairs(&order, pairs, scores, err);
    if (status) return status;
    s->auc = 0;
    for (uint64_t i = 0; i < pairs->n;) {
        const hrr_tie tie = hrr_tie_at(order, pairs, i);
        const double positive = (double)tie.n_positive;
        const double negative = (double)(tie.end - tie.begin) - positive;
        const double beats = 1 - (above[0] + 0.5 * negative) / n_negative;
        const double is_beaten = (above[1] + 0.5 * positive) / n_positive;
        for (; i < tie.end; i++)
            s->share[order[i].pair] = pairs->positive[order[i].pair] ? beats : is_beaten;
        s->auc += beats * positive / n_positive;
        above[0] += negative;
        above[1] += positive;
    }
    hrr_free(order);
    return HRR_OK;
}

static void pull(struct hrr_rival *rival, const showing *own, const showing *guess,
                 const hrr_link_pairs *pairs, const uint32_t *nodes, uint32_t runs)
{
    const double weight[2] = {1 / (double)(pairs->n - pairs->n_positive) / runs,
                              1 / (double)pairs->n_positive / runs};
    rival->present = true;
    rival->value += own->auc / runs;
    rival->guess += guess->auc / runs;
    for (uint64_t p = 0; p < pairs->n; p++) {
        const double apart = (own->share[p] - own->auc) - (guess->share[p] - guess->auc);
        const double by = apart * weight[pairs->positive[p]];
        rival->pull[nodes[pairs->i[p]]] += by;
        rival->pull[nodes[pairs->j[p]]] += by;
        rival->squares += by * by;
    }
}

hrr_status hrr_contest_add(hrr_contest *contest, const hrr_link_pairs *pairs, const uint32_t *nodes,
                           const double *scores, const hrr_public_guesses *guesses, hrr_error *err)
{
    const uint64_t n = pairs->n;
    showing own[HRR_CONTESTS] = {{.share = hrr_alloc(n, sizeof(double))},
                                 {.share = hrr_alloc(n, sizeof(double))}};
    showing guess = {.share = hrr_alloc(n, sizeof(double))};
    double *ranks = hrr_alloc(n, sizeof *ranks);
    hrr_status status = HRR_OK;
    if (!own[0].share || !own[1].share || !guess.share || !ranks) status = hrr_no_memory(err);
    if (!status) status = show(&own[HRR_CONTEST_ALONE], pairs, scores, err);
    for (int g = 0; g < HRR_PUBLIC_GUESSES && !status; g++) {
        if (!guesses->scores[g]) continue;
        memset(ranks, 0, n * sizeof *ranks);
        if ((status = show(&guess, pairs, guesses->scores[g], err))) break;
        if ((status = hrr_add_ranks(ranks, guesses->scores[g], pairs, err))) break;
        if ((status = hrr_add_ranks(ranks, scores, pairs, err))) break;
        if ((status = show(&own[HRR_CONTEST_TOGETHER], pairs, ranks, err))) break;
        for (int c = 0; c < HRR_CONTESTS; c++)
            pull(&contest->rival[c][g], &own[c], &guess, pairs, nodes, contest->runs);
    }
    hrr_free(own[0].share);
    hrr_free(own[1].share);
    hrr_free(guess.share);
    hrr_free(ranks);
    return status;
}

static double half_width_of(const struct hrr_rival *rival, uint64_t n_nodes)
{
    double variance = -rival->squares;
    for (uint64_t v = 0; v < n_nodes; v++)
        variance += rival->pull[v] * rival->pull[v];
    /* the estimate can fall below that of independent pairs, even below 0 */
    return half_width_factor * sqrt(fmax(variance, rival->squares));
}

/* Beside the guess that leaves the smallest difference; *above_all: every one is left behind. */
static struct hrr_beside_public compare(bool *above_all, const hrr_contest *contest, int which)
{
    struct hrr_beside_public nearest = {.difference = INFINITY};
    *above_all = true;
    for (int g = 0; g < HRR_PUBLIC_GUESSES; g++) {
        const struct hrr_rival *rival = &contest->rival[which][g];
        if (!rival->present) continue;
        const struct hrr_beside_public one = {
            .guess = hrr_public_guess_name((hrr_public_guess)g),
            .auc = rival->value,
            .public_auc = rival->guess,
            .difference = rival->value - rival->guess,
            .half_width = half_width_of(rival, contest->n_nodes),
        };
        if (one.difference - one.half_width <= 0) *above_all = false;
        if (one.difference < nearest.difference) nearest = one;
    }
    return nearest;
}

static bool is_nothing(const struct hrr_beside_public *figure)
{
    return figure->difference + figure->half_width <= HRR_LEAK_MARGIN;
}

void hrr_contest_judge(hrr_link_verdict *out, const hrr_contest *contest)
{
    bool alone, together;
    *out = (hrr_link_verdict){0};
    out->alone = compare(&alone, contest, HRR_CONTEST_ALONE);
    out->together = compare(&together, contest, HRR_CONTEST_TOGETHER);
    if (alone || together)
        out->verdict = HRR_LEAKS;
    else if (is_nothing(&out->alone) && is_nothing(&out->together))
        out->verdict = HRR_LEAK_PUBLIC_KNOWLEDGE;
}
