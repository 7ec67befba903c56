/* release.c: a direct attack on released edges. The adversary of the guarantee knows everything but
 * one pair. The release depends on the pair through one noisy number (or through the pair's own
 * bit), so the likelihood ratio is a function of it, and monotone: the best test is a threshold.
 *
 * eps-DP bounds the ratio of probabilities of every event, and with it every test: from P <= e^eps
 * Q and 1 - Q <= e^eps (1 - P) follows P - Q <= (e^eps - 1) / (e^eps + 1) = tanh(eps / 2). Discrete
 * Laplace noise reaches it exactly. A measured advantage that is above it for certain refutes the
 * claim: another audit, on a real graph. */
#include "base/memory.h"
#include "release/audit_edges.h"
#include "release/edge_sides.h"

#include <heterorr/attack.h>
#include <heterorr/privacy.h>
#include <heterorr/random.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

void hrr_release_attack_options_init(hrr_release_attack_options *options)
{
    *options = (hrr_release_attack_options){
        .mechanism = "edgerr", .eps_nano = HRR_EPS_UNIT, .trials = 2000, .seed = 1};
}

/* ---- two worlds ------------------------------------------------------------------------------ */

typedef struct worlds {
    hrr_edge_sides sides;
    hrr_edge_secret secret[2]; /* without the pair, and with it */
    uint32_t *source, *target; /* of the first */
    uint32_t pair[2];
} worlds;

static void worlds_clear(worlds *w)
{
    hrr_edge_sides_clear(&w->sides);
    hrr_free(w->source);
    hrr_free(w->target);
}

/* One private edge, drawn, is taken away. A mechanism for whole graphs hides public edges, too; the
 * pair is a private one all the same. */
static hrr_status worlds_init(worlds *w, const hrr_graph *graph, bool whole, uint64_t seed,
                              hrr_error *err)
{
    *w = (worlds){0};
    const uint64_t n_private = hrr_graph_n_private_edges(graph), m = hrr_graph_n_edges(graph);
    const uint8_t *is_private = hrr_graph_is_private(graph);
    hrr_fast_random random;
    if (!n_private)
        return hrr_fail(err, HRR_EDATA,
                        "the graph marks no edge as private: there is no pair to ask about");
    hrr_status status = hrr_edge_sides_init(&w->sides, graph, whole, err);
    if (status) return status;
    if (w->sides.n_graphs != 1)
        return hrr_fail(err, HRR_EDATA,
                        "the graph is a collection; attack the release of one of its graphs");
    hrr_fast_init(&random, seed, UINT64_C(0x70616972));
    uint64_t left = hrr_fast_below(&random, n_private), e = 0;
    for (; e < m; e++)
        if (is_private[e] && left-- == 0) break;
    w->pair[0] = hrr_graph_sources(graph)[e];
    w->pair[1] = hrr_graph_targets(graph)[e];
    w->secret[1] = w->sides.graph[0].secret;
    const uint64_t count = w->secret[1].n_edges;
    w->source = hrr_alloc(count, sizeof *w->source);
    w->target = hrr_alloc(count, sizeof *w->target);
    if (!w->source || !w->target) return hrr_no_memory(err);
    uint64_t at = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (w->secret[1].source[i] == w->pair[0] && w->secret[1].target[i] == w->pair[1]) continue;
        w->source[at] = w->secret[1].source[i];
        w->target[at++] = w->secret[1].target[i];
    }
    w->secret[0] = (hrr_edge_secret){.n_edges = at, .source = w->source, .target = w->target};
    return HRR_OK;
}

/* ---- trials ---------------------------------------------------------------------------------- */

enum { block = 64 };

/* values: of trials [first, first + n) of a side. */
static hrr_status run_trials(float *values, const hrr_edge_attack *attack, int side, uint64_t first,
                             uint64_t n, int threads, hrr_progress *progress, hrr_error *err)
{
    hrr_status status = HRR_OK;
    const uint64_t n_blocks = (n + block - 1) / block;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (uint64_t b = 0; b < n_blocks; b++) {
        hrr_status failed;
#pragma omp atomic read
        failed = status;
        if (failed) continue;
        hrr_error mine = {0};
        const uint64_t at = b * block, count = n - at < block ? n - at : block;
        hrr_status ended = hrr_edge_attack_run(values + at, attack, side, first + at, count, &mine);
        if (!ended) ended = hrr_progress_advance(progress, count, &mine);
        if (!ended) continue;
#pragma omp critical(attack_release)
        if (!status) {
            if (err) *err = mine;
#pragma omp atomic write
            status = ended;
        }
    }
    return status;
}

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* "Yes" is a value of at least the threshold (or, if `below`, less than it). */
typedef struct test {
    float threshold;
    bool below;
} test;

static uint64_t says_yes(const test *t, const float *values, uint64_t n)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < n; i++)
        count += (values[i] >= t->threshold) != t->below;
    return count;
}

/* The threshold that told the worlds apart best. values: without, with; sorted here. */
static test choose_test(float *values[2], uint64_t n)
{
    test best = {.threshold = INFINITY};
    double most = 0;
    uint64_t without = 0;
    qsort(values[0], n, sizeof **values, ascending);
    qsort(values[1], n, sizeof **values, ascending);
    for (uint64_t i = 0; i < n; i++) {
        if (i && values[1][i] == values[1][i - 1]) continue;
        while (without < n && values[0][without] < values[1][i])
            without++;
        const double apart = ((double)without - (double)i) / (double)n;
        if (fabs(apart) > most) {
            most = fabs(apart);
            best = (test){.threshold = values[1][i], .below = apart < 0};
        }
    }
    return best;
}

/* ---- the attack ------------------------------------------------------------------------------ */

static hrr_status count_trials(hrr_release_attack *out, const hrr_edge_attack *attack,
                               const hrr_release_attack_options *o, hrr_progress *progress,
                               hrr_error *err)
{
    const double alpha = 1e-3 / 4; /* two probabilities, two sides */
    const uint64_t pilot = o->trials < 65536 ? o->trials : 65536;
    const int threads = hrr_threads(o->threads);
    float *values[2] = {hrr_alloc(o->trials, sizeof(float)), hrr_alloc(o->trials, sizeof(float))};
    hrr_status status = values[0] && values[1] ? HRR_OK : hrr_no_memory(err);
    hrr_progress_begin(progress, "drawing releases", 2 * (pilot + o->trials));
    for (int side = 0; side < 2 && !status; side++)
        status = run_trials(values[side], attack, side, o->trials, pilot, threads, progress, err);
    if (!status) {
        const test best = choose_test(values, pilot);
        uint64_t yes[2];
        for (int side = 0; side < 2 && !status; side++) {
            status = run_trials(values[side], attack, side, 0, o->trials, threads, progress, err);
            yes[side] = says_yes(&best, values[side], o->trials);
        }
        const double n = (double)o->trials;
        if (!status) {
            out->advantage = ((double)yes[1] - (double)yes[0]) / n;
            out->lower = hrr_clopper_pearson_lower(yes[1], o->trials, alpha) -
                         hrr_clopper_pearson_upper(yes[0], o->trials, alpha);
            out->upper = hrr_clopper_pearson_upper(yes[1], o->trials, alpha) -
                         hrr_clopper_pearson_lower(yes[0], o->trials, alpha);
        }
    }
    hrr_free(values[0]);
    hrr_free(values[1]);
    return status;
}

hrr_status hrr_attack_release(hrr_release_attack *out, const hrr_graph *graph,
                              const hrr_release_attack_options *options, hrr_progress *progress,
                              hrr_error *err)
{
    const hrr_release_attack_options *o = options;
    hrr_release_attack made = {.trials = o->trials};
    hrr_edge_options how;
    hrr_edge_attack attack = {0};
    worlds w = {0};
    bool visible = false;
    *out = (hrr_release_attack){0};
    if (o->trials < 10)
        return hrr_fail(err, HRR_EINVAL, "an attack on releases needs at least 10 trials");
    hrr_edge_options_init(&how);
    how.mechanism = o->mechanism;
    how.eps_nano = o->eps_nano;
    how.tree = o->tree;
    how.threads = 1;
    hrr_status status =
        worlds_init(&w, graph, hrr_edge_takes_whole_graph(o->mechanism), o->seed, err);
    if (status) goto done;
    const hrr_edge_public *known = &w.sides.graph[0].known;
    hrr_fast_random spread; /* trials count on from here: seeds that are near must not overlap */
    hrr_fast_init(&spread, o->seed, UINT64_C(0x747269616c));
    const uint64_t trial_seed = hrr_fast_u64(&spread);
    for (int view = HRR_VIEW_NUMBERS; view <= HRR_VIEW_PAIR && !visible; view++) {
        hrr_edge_attack_clear(&attack);
        if ((status = hrr_edge_attack_init_pair(&attack, &visible, &how, known, w.secret, w.pair,
                                                (hrr_edge_view)view, trial_seed, err)))
            goto done;
        made.sees_number = view == HRR_VIEW_NUMBERS;
    }
    made.realised_eps = hrr_edge_plan_claim(attack.plan).realised_eps;
    made.bound = isfinite(made.realised_eps) ? tanh(made.realised_eps / 2) : 1;
    if ((status = count_trials(&made, &attack, o, progress, err))) goto done;
    *out = made;
done:
    hrr_edge_attack_clear(&attack);
    worlds_clear(&w);
    return status;
}
