/* release.c: a direct attack on released edges. The adversary of the guarantee knows everything but
 * one pair, and looks at what a release shows of it (audit/pair_numbers.h). Counting is that of
 * the audit (audit/trials.c): another audit, on a real graph, of one pair.
 *
 * An attack that finds nothing may be blind. So the same tests are run with the largest budget,
 * where a mechanism hides next to nothing: unless they find nearly everything there, they say
 * nothing about smaller budgets. */
#include "base/memory.h"
#include "base/options.h"
#include "edge/mechanism.h"
#include "edge/traits.h"
#include "audit/edges.h"
#include "random/fast.h"
#include "release/edge_sides.h"

#include <heterorr/attack.h>
#include <heterorr/privacy.h>
#include <heterorr/random.h>

#include <math.h>

void hrr_release_attack_options_init_sized(hrr_release_attack_options *options, size_t size)
{
    const hrr_release_attack_options own = {.mechanism = hrr_edge_edgerr.about.name,
                                            .eps_nano = HRR_EPS_UNIT,
                                            .trials = 2000,
                                            .seed = 1};
    hrr_options_init(options, size, &own, sizeof own);
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
        return hrr_fail(
            err, HRR_EDATA,
            "the graph marks no edge as private, so there is no pair to attack; mark a share of "
            "the edges (`private_fraction`), or make all private (`all_private`)");
    hrr_status status = hrr_edge_sides_init(&w->sides, graph, whole, err);
    if (status) return status;
    if (w->sides.n_graphs != 1)
        return hrr_fail(err, HRR_EDATA, "the graph is a collection; attack one of its graphs");
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

/* ---- the attack ------------------------------------------------------------------------------ */

enum { open_trials = 100, fewest_trials = 10 };
static const double nearly_all = 0.9; /* of the advantage, at the largest budget */

typedef struct attacker {
    const worlds *worlds;
    hrr_edge_options how;
    uint64_t seed;
    int threads;
    hrr_progress *progress;
} attacker;

static const char *what_it_sees(const hrr_edge_attack *attack)
{
    static const char *const names[] = {[HRR_NUMBERS_NONE] = "pair",
                                        [HRR_NUMBERS_TREE] = "count",
                                        [HRR_NUMBERS_TREE_DRAWN] = "count and tree",
                                        [HRR_NUMBERS_NODES] = "two counts"};
    return names[attack->numbers];
}

/* *sees, *realised_eps: may be NULL. */
static hrr_status attack_at(hrr_trials_finding *out, const char **sees, double *realised_eps,
                            const attacker *self, uint64_t eps_nano, uint64_t trials,
                            hrr_error *err)
{
    const worlds *w = self->worlds;
    hrr_edge_options how = self->how;
    hrr_edge_attack attack;
    how.eps_nano = eps_nano;
    hrr_status status =
        hrr_edge_attack_init_pair(&attack, &how, &w->sides.graph[0].known, w->secret, w->pair,
                                  self->seed, self->progress, err);
    if (status) return status;
    const hrr_trials experiment = {
        .run = hrr_edge_attack_run, .user = &attack, .width = attack.width};
    if (sees) *sees = what_it_sees(&attack);
    if (realised_eps) *realised_eps = hrr_edge_plan_claim(attack.plan).realised_eps;
    /* Trials report and are cancelled one by one: a release of a large graph takes its time. */
    status = hrr_audit_trials(out, &experiment, trials, self->threads, NULL, err);
    hrr_edge_attack_clear(&attack);
    return status;
}

static hrr_attack_verdict judge(const hrr_release_attack *found)
{
    if (isinf(found->realised_eps)) return HRR_ATTACK_PROMISES_NOTHING;
    if (found->eps_lower > found->realised_eps) return HRR_ATTACK_BROKEN;
    return found->open_advantage < nearly_all ? HRR_ATTACK_SEES_NOTHING : HRR_ATTACK_HOLDS;
}

static hrr_status attack_pair(hrr_release_attack *out, const attacker *self, uint64_t trials,
                              hrr_error *err)
{
    hrr_trials_finding found, open;
    hrr_release_attack made = {.trials = trials, .open_advantage = NAN};
    const uint64_t pilot = trials < 65536 ? trials : 65536;
    hrr_progress_begin(self->progress, "drawing releases",
                       2 * (pilot + trials + 2 * (uint64_t)open_trials));
    hrr_status status =
        attack_at(&found, &made.sees, &made.realised_eps, self, self->how.eps_nano, trials, err);
    if (status) return status;
    if (isfinite(made.realised_eps)) {
        if ((status = attack_at(&open, NULL, NULL, self, HRR_EPS_MAX, open_trials, err)))
            return status;
        made.open_advantage = open.advantage;
    }
    made.advantage = found.advantage;
    made.lower = found.least_advantage;
    made.upper = found.most_advantage;
    made.eps_lower = found.lower_bound;
    made.bound = isfinite(made.realised_eps) ? tanh(made.realised_eps / 2) : 1;
    made.verdict = judge(&made);
    *out = made;
    return HRR_OK;
}

hrr_status hrr_attack_release(hrr_release_attack *out, const hrr_graph *graph,
                              const hrr_release_attack_options *options, hrr_progress *progress,
                              hrr_error *err)
{
    hrr_release_attack_options own;
    const hrr_release_attack_options *o = &own;
    worlds w = {0};
    *out = (hrr_release_attack){0};
    hrr_status status = HRR_ADOPT(hrr_release_attack_options, &own, options, err);
    if (status) return status;
    if (o->trials < fewest_trials)
        return hrr_fail(err, HRR_EINVAL,
                        "an attack on releases needs at least %d trials (`trials`)", fewest_trials);
    hrr_fast_random spread; /* trials count on from here: seeds that are near must not overlap */
    hrr_fast_init(&spread, o->seed, UINT64_C(0x747269616c));
    attacker self = {
        .worlds = &w, .seed = hrr_fast_u64(&spread), .threads = o->threads, .progress = progress};
    hrr_edge_options_init(&self.how);
    self.how.mechanism = o->mechanism;
    self.how.eps_nano = o->eps_nano;
    self.how.tree = o->tree;
    self.how.threads = 1;
    status = worlds_init(&w, graph, hrr_edge_traits(o->mechanism)->whole_graph, o->seed, err);
    if (!status) status = attack_pair(out, &self, o->trials, err);
    worlds_clear(&w);
    return status;
}
