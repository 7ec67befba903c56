/* links.c: attacks on links that LinkTeller is compared with, on the same pairs.
 *
 * LSA2 is in correlation.c, what needs no model in public_guess.c. The trained attack (He et al.,
 * "Stealing links from graph neural networks", USENIX Security 2021) learns from public edges and
 * random pairs how distances between predictions and between features, and the entropies of
 * predictions, go with edges. */
#include "attack/pairs.h"
#include "attack/ranking.h"
#include "attack/linkteller.h"
#include "attack/contest.h"
#include "attack/correlation.h"
#include "attack/service.h"
#include "base/memory.h"
#include "base/options.h"
#include "learn/head.h"
#include "matrix/dense.h"
#include "random/fast.h"

#include <heterorr/random.h>

#include <float.h>
#include <math.h>
#include <string.h>

const char *hrr_link_attack_name(hrr_link_attack attack)
{
    static const char *const names[HRR_LINK_ATTACKS] = {
        "linkteller", "lsa2-post", "lsa2-attr", "trained", "public-walks", "public-both"};
    return names[attack];
}

/* ---- the trained attack ---------------------------------------------------------------------- */

enum { n_distances = 8, n_entropies = 3, n_inputs = 2 * n_distances + n_entropies };
enum { most_learnt = 2000, fewest_learnt = 10 };

/* The distances that the authors take: cosine, Euclidean, correlation, Chebyshev, Bray-Curtis,
 * Canberra, city block, squared Euclidean. */
static void distances(double out[n_distances], const double *x, const double *y, uint64_t d)
{
    double xy = 0, xx = 0, yy = 0, sx = 0, sy = 0, most = 0, city = 0, sum = 0, canberra = 0,
           square = 0;
    for (uint64_t k = 0; k < d; k++) {
        const double apart = fabs(x[k] - y[k]), both = fabs(x[k]) + fabs(y[k]);
        xy += x[k] * y[k];
        xx += x[k] * x[k];
        yy += y[k] * y[k];
        sx += x[k];
        sy += y[k];
        most = fmax(most, apart);
        city += apart;
        sum += fabs(x[k] + y[k]);
        if (both > 0) canberra += apart / both;
        square += apart * apart;
    }
    const double n = (double)d, cxy = xy - sx * sy / n;
    const double cxx = xx - sx * sx / n, cyy = yy - sy * sy / n;
    out[0] = xx > 0 && yy > 0 ? 1 - xy / sqrt(xx * yy) : 1;
    out[1] = sqrt(square);
    out[2] = cxx > 0 && cyy > 0 ? 1 - cxy / sqrt(cxx * cyy) : 1;
    out[3] = most;
    out[4] = sum > 0 ? city / sum : 0;
    out[5] = canberra;
    out[6] = city;
    out[7] = square;
}

/* Of answers that need not be probabilities: of their shares. */
static double entropy(const double *p, uint64_t n)
{
    double sum = 0, total = 0;
    for (uint64_t c = 0; c < n; c++)
        total += fabs(p[c]);
    for (uint64_t c = 0; c < n && total > 0; c++)
        if (p[c] != 0) sum -= fabs(p[c]) / total * log(fabs(p[c]) / total);
    return sum;
}

static void describe(double out[n_inputs], const hrr_dense *answers, const hrr_dense *features,
                     uint32_t u, uint32_t v)
{
    const double *p = (const double *)answers->data + u * answers->cols;
    const double *q = (const double *)answers->data + v * answers->cols;
    distances(out, p, q, answers->cols);
    distances(out + n_distances, (const double *)features->data + u * features->cols,
              (const double *)features->data + v * features->cols, features->cols);
    const double a = entropy(p, answers->cols), b = entropy(q, answers->cols);
    out[2 * n_distances] = (a + b) / 2;
    out[2 * n_distances + 1] = fabs(a - b);
    out[2 * n_distances + 2] = a * b;
}

typedef struct yardstick {
    double mean[n_inputs], factor[n_inputs];
} yardstick;

static void measure_inputs(yardstick *out, const hrr_dense *x)
{
    for (int k = 0; k < n_inputs; k++) {
        double sum = 0, square = 0;
        for (uint64_t i = 0; i < x->rows; i++)
            sum += hrr_dense_get(x, i, (uint64_t)k);
        out->mean[k] = sum / (double)x->rows;
        for (uint64_t i = 0; i < x->rows; i++)
            square += pow(hrr_dense_get(x, i, (uint64_t)k) - out->mean[k], 2);
        const double deviation = sqrt(square / (double)x->rows);
        out->factor[k] = deviation > 1e-12 * fabs(out->mean[k]) + DBL_MIN ? 1 / deviation : 0;
    }
}

static void apply_yardstick(hrr_dense *x, const yardstick *by)
{
    for (uint64_t i = 0; i < x->rows; i++)
        for (int k = 0; k < n_inputs; k++) {
            double *value = (double *)x->data + i * n_inputs + k;
            *value = (*value - by->mean[k]) * by->factor[k];
        }
}

/* Public edges, and as many random pairs that are none. Fewer than ten: *out stays empty. */
static hrr_status lessons(hrr_dense *out, int32_t **labels, const hrr_graph *truth,
                          const hrr_dense *answers, const hrr_dense *features, uint64_t seed,
                          hrr_error *err)
{
    const uint64_t m = hrr_graph_n_edges(truth), n = hrr_graph_n_nodes(truth);
    const uint32_t *source = hrr_graph_sources(truth), *target = hrr_graph_targets(truth);
    const uint8_t *is_private = hrr_graph_is_private(truth);
    hrr_csr known;
    hrr_fast_random random;
    hrr_fast_init(&random, seed, UINT64_C(0x6c6561726e));
    *out = (hrr_dense){0};
    *labels = NULL;
    const uint64_t n_public = m - hrr_graph_n_private_edges(truth);
    const uint64_t count = n_public < most_learnt ? n_public : most_learnt;
    if (count < fewest_learnt) return HRR_OK;
    hrr_adjacency_options public_edges;
    hrr_adjacency_options_init(&public_edges);
    public_edges.edges = HRR_EDGES_PUBLIC;
    hrr_status status = hrr_graph_adjacency(&known, truth, &public_edges, err);
    if (status) return status;
    status = hrr_dense_init(out, HRR_F64, 2 * count, n_inputs, err);
    if (!status && !(*labels = hrr_alloc(2 * count, sizeof **labels))) status = hrr_no_memory(err);
    uint64_t at = 0, left = n_public;
    for (uint64_t e = 0; e < m && at < count && !status; e++) {
        if (is_private && is_private[e]) continue;
        if (hrr_fast_below(&random, left--) >= count - at) continue;
        describe((double *)out->data + at * n_inputs, answers, features, source[e], target[e]);
        (*labels)[at++] = 1;
    }
    while (at < 2 * count && !status) {
        const uint32_t u = (uint32_t)hrr_fast_below(&random, n);
        const uint32_t v = (uint32_t)hrr_fast_below(&random, n);
        bool joined = u == v;
        for (uint64_t e = known.row_start[u]; e < known.row_start[u + 1] && !joined; e++)
            joined = known.col[e] == v;
        if (joined && n > 4) continue;
        describe((double *)out->data + at * n_inputs, answers, features, u, v);
        (*labels)[at++] = 0;
    }
    hrr_csr_clear(&known);
    return status;
}

/* Scores are NAN if there is nothing to learn from. */
static hrr_status learn_and_score(double *scores, const hrr_link_pairs *pairs,
                                  const hrr_graph *truth, const hrr_dense *answers,
                                  const hrr_dense *features, const uint32_t *nodes,
                                  const hrr_linkteller_options *o, uint64_t seed,
                                  hrr_progress *progress, hrr_error *err)
{
    hrr_head_train_options how;
    hrr_dense x = {0}, y = {0}, z = {0};
    int32_t *labels = NULL;
    hrr_head head = {0};
    yardstick by;
    hrr_head_train_options_init(&how);
    how.hidden = 32;
    how.seed = seed;
    hrr_status status = HRR_OK;
    if (!o->all_edges) status = lessons(&x, &labels, truth, answers, features, seed, err);
    if (!status && !x.data)
        for (uint64_t p = 0; p < pairs->n; p++)
            scores[p] = NAN;
    if (status || !x.data) goto done;
    measure_inputs(&by, &x);
    apply_yardstick(&x, &by);
    if ((status = hrr_head_train(&head, &x, labels, NULL, 2, &how, progress, err))) goto done;
    if ((status = hrr_dense_init(&y, HRR_F64, pairs->n, n_inputs, err))) goto done;
    const int threads = hrr_threads(o->threads);
    (void)threads; /* the fuzz targets are built without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t p = 0; p < pairs->n; p++)
        describe((double *)y.data + p * n_inputs, answers, features, nodes[pairs->i[p]],
                 nodes[pairs->j[p]]);
    apply_yardstick(&y, &by);
    if ((status = hrr_head_predict(&z, &head, &y, false, err))) goto done;
    for (uint64_t p = 0; p < pairs->n; p++)
        scores[p] = ((const double *)z.data)[2 * p + 1] - ((const double *)z.data)[2 * p];
done:
    hrr_head_clear(&head);
    hrr_free(labels);
    hrr_dense_clear(&x);
    hrr_dense_clear(&y);
    hrr_dense_clear(&z);
    return status;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* What the service says about every node. */
static hrr_status ask_all(hrr_dense *out, const hrr_model *model, const hrr_release *served,
                          const hrr_linkteller_options *o, hrr_progress *progress, hrr_error *err)
{
    const hrr_graph *graph = hrr_release_graph(served);
    hrr_serve_options how = hrr_linkteller_serves(o);
    if (o->service) return hrr_service_ask_all(out, o->service, o->returns, graph, progress, err);
    if (how.returns == HRR_RETURNS_LOGITS) how.returns = HRR_RETURNS_PROBABILITIES;
    hrr_local_service *local = NULL;
    *out = (hrr_dense){0};
    hrr_status status = hrr_local_service_new(&local, model, served, &how, progress, err);
    if (status) return status;
    const hrr_service service = hrr_local_service_view(local);
    status = hrr_service_ask_all(out, &service, how.returns, graph, progress, err);
    hrr_local_service_free(local);
    return status;
}

typedef struct case_file {
    const hrr_model *model;
    const hrr_release *served;
    const hrr_graph *truth;
    const hrr_linkteller_options *options;
    hrr_dense answers, features; /* F64 */
    hrr_progress *progress;
} case_file;

/* How to score; those that public data alone makes are there already. */
static hrr_status score(double *scores, hrr_link_attack attack, const hrr_link_pairs *pairs,
                        const case_file *c, const hrr_public_guesses *guesses,
                        const uint32_t *nodes, uint64_t n_nodes, uint64_t seed, hrr_error *err)
{
    const hrr_linkteller_options *o = c->options;
    const double *made = NULL;
    switch (attack) {
    case HRR_LINKS_LINKTELLER:
        return hrr_linkteller_scores(scores, pairs, c->model, c->served, nodes, n_nodes, o,
                                     c->progress, err);
    case HRR_LINKS_POSTERIORS:
        return hrr_correlate(scores, pairs, &c->answers, nodes, n_nodes, o->threads, err);
    case HRR_LINKS_TRAINED:
        return learn_and_score(scores, pairs, c->truth, &c->answers, &c->features, nodes, o, seed,
                               c->progress, err);
    case HRR_LINKS_ATTRIBUTES:
        made = guesses->scores[HRR_GUESS_FEATURES];
        break;
    case HRR_LINKS_WALKS:
        made = guesses->scores[HRR_GUESS_WALKS];
        break;
    case HRR_LINKS_BOTH:
    case HRR_LINK_ATTACKS:
        made = guesses->scores[HRR_GUESS_BOTH];
        break;
    }
    for (uint64_t p = 0; p < pairs->n; p++)
        scores[p] = made ? made[p] : NAN;
    return HRR_OK;
}

static hrr_status run_attack(hrr_link_quality *found, hrr_contest *contest, hrr_link_attack attack,
                             double *scores, const hrr_link_pairs *pairs, const case_file *c,
                             const hrr_public_guesses *guesses, const uint32_t *nodes,
                             uint64_t n_nodes, uint32_t run, hrr_error *err)
{
    const hrr_linkteller_options *o = c->options;
    hrr_status status =
        score(scores, attack, pairs, c, guesses, nodes, n_nodes, o->seed + run, err);
    if (!status) status = hrr_link_measure(found, pairs, scores, err);
    if (status) return status;
    if (isnan(scores[0]))
        found->auc = found->average_precision = NAN;
    else if (o->seen)
        o->seen(o->seen_user, hrr_link_attack_name(attack), 0, run, pairs, scores);
    if (attack != HRR_LINKS_LINKTELLER) return HRR_OK;
    return hrr_contest_add(contest, pairs, nodes, scores, guesses, err);
}

static hrr_status run_sample(hrr_link_quality *found, hrr_contest *contest, uint64_t *n_nodes,
                             const case_file *c, uint32_t run, hrr_error *err)
{
    const hrr_linkteller_options *o = c->options;
    uint32_t *nodes = NULL;
    double *scores = NULL;
    hrr_link_pairs pairs = {0};
    hrr_public_guesses guesses = {0};
    hrr_status status = hrr_attack_nodes(&nodes, n_nodes, c->truth, o->pool, o->low, o->high,
                                         o->n_samples, o->seed + run, err);
    if (!status) status = hrr_link_pairs_init(&pairs, c->truth, nodes, *n_nodes, o->all_edges, err);
    if (!status)
        status = hrr_public_guesses_init(&guesses, &pairs, c->truth, &c->features, nodes, *n_nodes,
                                         o->all_edges, o->threads, c->progress, err);
    if (!status && !(scores = hrr_alloc(pairs.n, sizeof *scores))) status = hrr_no_memory(err);
    for (int attack = 0; attack < HRR_LINK_ATTACKS && !status; attack++)
        status = run_attack(&found[attack], contest, (hrr_link_attack)attack, scores, &pairs, c,
                            &guesses, nodes, *n_nodes, run, err);
    hrr_free(nodes);
    hrr_free(scores);
    hrr_public_guesses_clear(&guesses);
    hrr_link_pairs_clear(&pairs);
    return status;
}

hrr_status hrr_links(hrr_link_quality *mean, hrr_link_quality *deviation, hrr_link_verdict *verdict,
                     uint64_t *n_nodes, const hrr_model *model, const hrr_release *served,
                     const hrr_graph *truth, const hrr_linkteller_options *options,
                     hrr_progress *progress, hrr_error *err)
{
    hrr_linkteller_options own;
    case_file c = {
        .model = model, .served = served, .truth = truth, .options = &own, .progress = progress};
    hrr_contest contest = {0};
    hrr_link_quality *found = NULL;
    hrr_status status = HRR_ADOPT(hrr_linkteller_options, &own, options, err);
    if (status) return status;
    options = &own;
    if ((status = hrr_linkteller_check(hrr_release_graph(served), truth, options, err)))
        return status;
    if ((status = hrr_contest_init(&contest, hrr_graph_n_nodes(truth), options->runs, err)))
        return status;
    if (!(found = hrr_alloc_zero(options->runs * HRR_LINK_ATTACKS, sizeof *found))) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status = ask_all(&c.answers, model, served, options, progress, err))) goto done;
    if ((status = hrr_dense_convert(&c.features, hrr_graph_features(hrr_release_graph(served)),
                                    HRR_F64, err)))
        goto done;
    for (uint32_t run = 0; run < options->runs && !status; run++)
        status = run_sample(found + run * HRR_LINK_ATTACKS, &contest, n_nodes, &c, run, err);
    if (status) goto done;
    for (int attack = 0; attack < HRR_LINK_ATTACKS; attack++)
        hrr_link_summarise(&mean[attack], &deviation[attack], found + attack, options->runs,
                           HRR_LINK_ATTACKS);
    hrr_contest_judge(verdict, &contest);
done:
    hrr_contest_clear(&contest);
    hrr_free(found);
    hrr_dense_clear(&c.answers);
    hrr_dense_clear(&c.features);
    return status;
}
