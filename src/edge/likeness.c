/* likeness.c: see likeness.h.
 *
 * Groups account for triangles that are known in advance (closure.h). Edges beyond groups close
 * some more, public edges have theirs, and joining components opens some. So the goal of the groups
 * is the goal of the graph less what the last wiring had beyond its groups. Where groups make
 * degrees more alike than the released assortativity says, the spread of the law is kept, and
 * swaps bring the rest; where they make them less alike, the spread is reduced. */
#include "edge/likeness.h"
#include "edge/closed_pairs.h"
#include "edge/group_fit.h"
#include "edge/rewire.h"
#include "base/memory.h"
#include "graph/adjacency.h"
#include "graph/canonical.h"
#include "random/fast.h"

#include <math.h>
#include <string.h>

enum { usual_rounds = 8, few_rounds = 3, many_edges = 1000000 };
static const double first_spread = 1.2, spread_gain = 1.5, close_enough = .02, good_odds = 20;

hrr_status hrr_union_adjacency(hrr_csr *out, const hrr_edge_public *known, uint64_t n_edges,
                               const uint32_t *source, const uint32_t *target, hrr_error *err)
{
    hrr_edge_list all, sorted = {0};
    hrr_removed removed;
    hrr_status status = hrr_edge_list_init(&all, known->n_edges + n_edges, false, err);
    if (status) return status;
    if (known->n_edges) {
        memcpy(all.source, known->source, known->n_edges * sizeof *source);
        memcpy(all.target, known->target, known->n_edges * sizeof *target);
    }
    if (n_edges) {
        memcpy(all.source + known->n_edges, source, n_edges * sizeof *source);
        memcpy(all.target + known->n_edges, target, n_edges * sizeof *target);
    }
    status = hrr_edges_canonicalise(&sorted, &removed, &all, known->n_nodes, "edges", NULL, err);
    hrr_edge_list_clear(&all);
    if (!status)
        status = hrr_adjacency_of_edges(out, known->n_nodes, sorted.n_edges, sorted.source,
                                        sorted.target, err);
    hrr_edge_list_clear(&sorted);
    return status;
}

typedef struct workshop {
    hrr_wire_goal goal;
    hrr_wires wires;
    float *z;
    uint32_t *whole_degree; /* with public edges */
    uint64_t *n_of, n_degrees;
    hrr_fast_random random;
} workshop;

static hrr_status open_workshop(workshop *w, const hrr_likeness *like, const hrr_edge_public *known,
                                uint64_t seed, hrr_error *err)
{
    const uint64_t n = known->n_nodes;
    hrr_fast_init(&w->random, seed, 0);
    w->goal = (hrr_wire_goal){.known = known,
                              .degree = like->degree,
                              .mixing = like->mixing,
                              .communities = like->communities,
                              .place = like->table ? like->table->place : NULL};
    w->goal.closure.spread = first_spread;
    w->goal.near = 1;
    w->z = hrr_alloc(n, sizeof *w->z);
    w->whole_degree = hrr_alloc(n, sizeof *w->whole_degree);
    for (uint64_t i = 0; i < n; i++)
        if (like->degree[i] >= w->n_degrees) w->n_degrees = like->degree[i] + 1;
    w->n_of = hrr_alloc_zero(w->n_degrees, sizeof *w->n_of);
    if (!w->z || !w->whole_degree || !w->n_of) return hrr_no_memory(err);
    for (uint64_t i = 0; i < n; i++) {
        w->z[i] = (float)hrr_fast_normal(&w->random);
        w->whole_degree[i] = like->degree[i];
        w->n_of[like->degree[i]]++;
    }
    for (uint64_t e = 0; e < known->n_edges; e++) {
        w->whole_degree[known->source[e]]++;
        w->whole_degree[known->target[e]]++;
    }
    w->goal.z = w->z;
    return hrr_wires_init(&w->wires, &w->goal, err);
}

static void close_workshop(workshop *w)
{
    hrr_wires_clear(&w->wires);
    hrr_free(w->z);
    hrr_free(w->whole_degree);
    hrr_free(w->n_of);
}

/* One wiring, brought to the released assortativity and components. */
static hrr_status wire_once(double *assortativity, workshop *w, const hrr_likeness *like,
                            hrr_error *err)
{
    const hrr_edge_public *known = w->goal.known;
    hrr_status status = hrr_wires_draw(&w->wires, &w->goal, &w->random, err);
    if (status) return status;
    *assortativity = hrr_wires_assortativity(&w->wires, known, w->whole_degree);
    hrr_wires_assort(&w->wires, known, w->whole_degree,
                     w->goal.communities ? w->goal.communities->of : NULL,
                     like->mixing->assortativity, &w->random);
    return hrr_wires_connect(&w->wires, known, w->goal.place, like->n_components, &w->random, err);
}

static hrr_status count(hrr_closure_goal *out, const workshop *w, int threads, hrr_error *err)
{
    hrr_csr graph = {0};
    hrr_closed_pairs found;
    hrr_status status = hrr_union_adjacency(&graph, w->goal.known, w->wires.n_edges,
                                            w->wires.source, w->wires.target, err);
    if (!status) status = hrr_closed_pairs_count(&found, &graph, threads, NULL, err);
    hrr_csr_clear(&graph);
    if (!status)
        *out = (hrr_closure_goal){(double)found.triangles, (double)found.closed / HRR_CLOSED_UNIT};
    return status;
}

static double positive(double x)
{
    return x > 0 ? x : 0;
}

static int rounds_of(const workshop *w)
{
    return w->wires.room > many_edges ? few_rounds : usual_rounds;
}

/* ---- without groups -------------------------------------------------------------------------- */

/* A wiring in the order of nodes; near: the share of ends that seek a partner near their place. */
static hrr_status wire_in_order(hrr_group_fit *out, double near,
                                const hrr_wire_communities *communities, workshop *w,
                                const hrr_likeness *like, hrr_error *err)
{
    double assortativity;
    w->goal.communities = communities;
    w->goal.near = near;
    hrr_status status = wire_once(&assortativity, w, like, err);
    return status ? status : hrr_group_fit_measure(out, &w->wires, like->table, err);
}

/* The order alone, if that has the released counts between groups, or communities as well: what is
 * nearer to these counts. All ends are near, unless that makes more near edges than were released:
 * then *near is the share that makes as many. */
static hrr_status choose_order(double *near, workshop *w, const hrr_likeness *like, hrr_error *err)
{
    const hrr_wire_communities *const ways[] = {NULL, like->communities}, *chosen = ways[1];
    const double goal = hrr_group_near(like->table);
    const double by_noise = hrr_group_squares_by_noise(like->table, w->wires.room);
    double least = INFINITY;
    *near = 1;
    if (w->wires.room > many_edges) return HRR_OK;
    for (int k = 0; k < 2 && least > by_noise; k++) {
        hrr_group_fit fit, none;
        double share = 1;
        hrr_status status = wire_in_order(&fit, 1, ways[k], w, like, err);
        if (!status && fit.squares > by_noise && fit.near > goal) {
            status = wire_in_order(&none, 0, ways[k], w, like, err);
            share =
                fit.near > none.near ? positive((goal - none.near) / (fit.near - none.near)) : 0;
            if (!status) status = wire_in_order(&fit, share, ways[k], w, like, err);
        }
        if (status) return status;
        if (fit.squares >= least) continue;
        least = fit.squares;
        chosen = ways[k];
        *near = share;
    }
    w->goal.communities = chosen;
    return HRR_OK;
}

/* Rungs of a ladder between what was released and what a wiring has. */
static double rungs_between(double a, double b, double first, double slope)
{
    const double c = first / slope - .5;
    return sqrt(c * c + 2 * fabs(a - b) / slope) - c;
}

/* How unlikely the released numbers are if the graph has those that were found: - log of the
 * density of both ladders, where no pair has much in common. */
static double unlikeliness(const hrr_closure_goal *found, const hrr_likeness *like)
{
    const hrr_closure_goal *drawn = &like->clustering;
    return rungs_between(drawn->triangles, found->triangles, 1, 1) / like->rungs.triangles +
           rungs_between(drawn->closed, found->closed, 4. / 3, 1. / 3) / like->rungs.closed;
}

static hrr_status wire_and_count(hrr_closure_goal *found, double near, workshop *w,
                                 const hrr_likeness *like, int threads, hrr_error *err)
{
    double assortativity;
    w->goal.near = near;
    hrr_status status = wire_once(&assortativity, w, like, err);
    return status ? status : count(found, w, threads, err);
}

/* The share of near ends that closes as many triangles as were released, between two that close
 * too few and too many. */
static hrr_status search_near(hrr_closure_goal *found, workshop *w, const hrr_likeness *like,
                              double low, double at_low, double high, double at_high, int threads,
                              hrr_progress *progress, hrr_error *err)
{
    const double goal = positive(like->clustering.triangles);
    hrr_status status = HRR_OK;
    for (int round = 2, rounds = rounds_of(w); round < rounds && !status; round++) {
        /* Where a square through both ends of the interval meets the goal. */
        const double near =
            sqrt(low * low + (high * high - low * low) * (goal - at_low) / (at_high - at_low));
        status = wire_and_count(found, near, w, like, threads, err);
        if (status || fabs(found->triangles - goal) <= close_enough * goal) break;
        if (found->triangles < goal)
            low = near, at_low = found->triangles;
        else
            high = near, at_high = found->triangles;
        status = hrr_progress_advance(progress, 1, err);
    }
    return status;
}

/* Short edges close triangles. Where an order of nodes is known edges are short, so near ends come
 * first; elsewhere nothing is made up. Triangles are noisy: another share of near ends is taken
 * only if it makes the released numbers `odds` times as likely. */
static hrr_status wire_near(workshop *w, const hrr_likeness *like, int threads,
                            hrr_progress *progress, hrr_error *err)
{
    const double goal = positive(like->clustering.triangles), odds = log(good_odds);
    const bool ordered = like->table;
    double most = 1;
    hrr_closure_goal first, other;
    w->goal.closure.level = 0;
    hrr_status status = ordered ? choose_order(&most, w, like, err) : HRR_OK;
    const double simple = ordered ? most : 0;
    if (!status) status = wire_and_count(&first, simple, w, like, threads, err);
    if (status) return status;
    const double doubt = unlikeliness(&first, like);
    if (doubt <= odds || (ordered ? first.triangles <= goal : first.triangles >= goal))
        return HRR_OK;
    status = wire_and_count(&other, most - simple, w, like, threads, err);
    if (!status && (other.triangles < goal) != (first.triangles < goal)) {
        const double at[] = {first.triangles, other.triangles};
        status = search_near(&other, w, like, 0, at[ordered], most, at[!ordered], threads, progress,
                             err);
    }
    if (!status && doubt - unlikeliness(&other, like) <= odds)
        status = wire_and_count(&other, simple, w, like, threads, err);
    return status;
}

/* ---- with groups ----------------------------------------------------------------------------- */

static hrr_status wire_groups(workshop *w, const hrr_likeness *like, int threads,
                              hrr_progress *progress, hrr_error *err)
{
    const int rounds = rounds_of(w);
    hrr_closure_goal beyond = {0}, whole;
    hrr_closure *law = &w->goal.closure;
    hrr_status status = HRR_OK;
    for (int round = 0; round < rounds; round++) {
        hrr_closure_goal groups = {like->clustering.triangles - beyond.triangles,
                                   positive(like->clustering.closed - beyond.closed)};
        /* Near edges close more than there are. */
        if (groups.triangles <= 0) return wire_near(w, like, threads, progress, err);
        hrr_closure_fit(law, &groups, w->n_of, w->n_degrees);
        groups = hrr_closure_expect(law, w->n_of, w->n_degrees);
        double assortativity;
        status = wire_once(&assortativity, w, like, err);
        if (status || round + 1 == rounds) break;
        if ((status = count(&whole, w, threads, err))) break;
        const double keep = round == 0 ? 0 : .3;
        beyond.triangles =
            keep * beyond.triangles + (1 - keep) * (whole.triangles - groups.triangles);
        beyond.closed = keep * beyond.closed + (1 - keep) * (whole.closed - groups.closed);
        if (round + 2 < rounds && assortativity < like->mixing->assortativity)
            law->spread =
                positive(law->spread - spread_gain * (like->mixing->assortativity - assortativity));
        if ((status = hrr_progress_advance(progress, 1, err))) break;
    }
    return status;
}

static hrr_status wire_all(workshop *w, const hrr_likeness *like, int threads,
                           hrr_progress *progress, hrr_error *err)
{
    hrr_progress_begin(progress, "wiring", (uint64_t)rounds_of(w));
    return (like->groups ? wire_groups : wire_near)(w, like, threads, progress, err);
}

hrr_status hrr_likeness_draw(hrr_edge_list *out, const hrr_likeness *like,
                             const hrr_edge_public *known, uint64_t seed, int threads,
                             hrr_progress *progress, hrr_error *err)
{
    workshop w = {0};
    hrr_status status = open_workshop(&w, like, known, seed, err);
    if (!status) status = wire_all(&w, like, threads, progress, err);
    if (!status) status = hrr_edge_list_init(out, w.wires.n_edges, false, err);
    if (!status && w.wires.n_edges) {
        memcpy(out->source, w.wires.source, w.wires.n_edges * sizeof *out->source);
        memcpy(out->target, w.wires.target, w.wires.n_edges * sizeof *out->target);
    }
    close_workshop(&w);
    return status;
}
