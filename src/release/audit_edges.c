/* audit_edges.c: see audit_edges.h.
 *
 * The graphs are so small that all sets of released edges are told apart. Numbers that a mechanism
 * releases beside edges say more than edges sampled from them. Which of them a pair moves, an
 * attacker finds out as this does: run the mechanism with the largest budget, where noise is rare,
 * with and without the pair, and see what changes. */
#include "release/audit_edges.h"
#include "base/memory.h"

#include <string.h>

/* Two neighbouring secrets: without the last edge, and with it. */
typedef struct tiny {
    uint64_t n_nodes, n_known, n_secret;
    uint32_t known_source[4], known_target[4], secret_source[4], secret_target[4];
} tiny;

static const tiny graphs[HRR_TINY_GRAPHS] = {
    {.n_nodes = 4, .n_secret = 1, .secret_source = {0}, .secret_target = {1}},
    {.n_nodes = 5,
     .n_known = 4,
     .known_source = {0, 0, 1, 3},
     .known_target = {1, 2, 2, 4},
     .n_secret = 3,
     .secret_source = {0, 1, 2},
     .secret_target = {3, 4, 4}},
};

/* ---- one draw ------------------------------------------------------------------------------- */

static hrr_status draw(hrr_edge_release *out, const hrr_edge_plan *plan,
                       const hrr_edge_secret *secret, uint64_t seed, hrr_error *err)
{
    hrr_random *random;
    hrr_status status = hrr_random_new_insecure(&random, seed, err);
    if (status) return status;
    status = hrr_edge_plan_draw(out, plan, secret, random, NULL, err);
    hrr_random_free(random);
    return status;
}

/* One bit for each pair of nodes; at most ten pairs, so that a float holds it. */
static float edges_seen(const hrr_edge_release *release, uint64_t n_nodes)
{
    uint32_t bits = 0;
    for (uint64_t e = 0; e < release->edges.n_edges; e++) {
        const uint64_t u = release->edges.source[e], v = release->edges.target[e];
        bits |= 1u << (u * (2 * n_nodes - u - 1) / 2 + (v - u - 1));
    }
    return (float)bits;
}

static float pair_seen(const hrr_edge_release *release, const uint32_t pair[2])
{
    for (uint64_t e = 0; e < release->edges.n_edges; e++)
        if (release->edges.source[e] == pair[0] && release->edges.target[e] == pair[1]) return 1;
    return 0;
}

/* A tree that is drawn may have fewer counts than another: that there is no such number is an
 * outcome like any other. */
double hrr_array_number(const hrr_array *array, uint64_t item)
{
    const double not_there = -1e6;
    if (item >= array->n_items) return not_there;
    switch (array->type) {
    case HRR_ARRAY_I64:
        return (double)((const int64_t *)array->data)[item];
    case HRR_ARRAY_I32:
        return ((const int32_t *)array->data)[item];
    case HRR_ARRAY_U32:
        return ((const uint32_t *)array->data)[item];
    case HRR_ARRAY_F64:
        return ((const double *)array->data)[item];
    case HRR_ARRAY_F32:
        return ((const float *)array->data)[item];
    default:
        return 0;
    }
}

/* ---- where to look -------------------------------------------------------------------------- */

/* A released number that differs between the two sides. Counts come after the tree they belong to,
 * and say more: the last part first. */
static bool find_difference(int *part, uint64_t *item, const hrr_edge_release *a,
                            const hrr_edge_release *b)
{
    for (int i = (a->n_parts < b->n_parts ? a->n_parts : b->n_parts) - 1; i >= 0; i--) {
        const hrr_array *x = &a->parts[i].array, *y = &b->parts[i].array;
        for (uint64_t at = 0; at < x->n_items && at < y->n_items; at++) {
            if (hrr_array_number(x, at) == hrr_array_number(y, at)) continue;
            *part = i;
            *item = at;
            return true;
        }
    }
    return false;
}

/* The same seed on both sides, so that what is drawn without regard to the secret is the same. */
static hrr_status find_number_at(hrr_edge_attack *attack, bool *found,
                                 const hrr_edge_options *options, hrr_error *err)
{
    hrr_edge_plan *plan = NULL;
    hrr_edge_release sides[2] = {{.n_parts = 0}};
    hrr_status status = hrr_edge_plan_new(&plan, &attack->known, options, NULL, err);
    for (int side = 0; side < 2 && !status; side++)
        status = draw(&sides[side], plan, &attack->secret[side], attack->seed, err);
    *found = !status && find_difference(&attack->part, &attack->item, &sides[0], &sides[1]);
    hrr_edge_release_clear(&sides[0]);
    hrr_edge_release_clear(&sides[1]);
    hrr_edge_plan_free(plan);
    return status;
}

/* On larger graphs a tree may have other counts for another budget: then what the same noise shows
 * on both sides is looked at first. */
static hrr_status find_number(hrr_edge_attack *attack, bool *found, const hrr_edge_options *options,
                              bool own_budget_first, hrr_error *err)
{
    hrr_edge_options loud = *options;
    loud.eps_nano = HRR_EPS_MAX;
    *found = false;
    hrr_status status = own_budget_first ? find_number_at(attack, found, options, err) : HRR_OK;
    return status || *found ? status : find_number_at(attack, found, &loud, err);
}

/* ---- the attack ----------------------------------------------------------------------------- */

static void choose_graph(hrr_edge_attack *out, int which, hrr_edge_view view, uint64_t seed)
{
    const tiny *graph = &graphs[which];
    *out = (hrr_edge_attack){.known = {.n_nodes = graph->n_nodes,
                                       .n_edges = graph->n_known,
                                       .source = graph->known_source,
                                       .target = graph->known_target},
                             .view = view,
                             .seed = seed};
    for (int side = 0; side < 2; side++)
        out->secret[side] = (hrr_edge_secret){.n_edges = graph->n_secret - (side == 0),
                                              .source = graph->secret_source,
                                              .target = graph->secret_target};
}

static hrr_status find_and_plan(hrr_edge_attack *attack, bool *visible,
                                const hrr_edge_options *options, bool is_tiny, hrr_error *err)
{
    hrr_status status = HRR_OK;
    *visible = true;
    if (attack->view == HRR_VIEW_NUMBERS)
        status = find_number(attack, visible, options, !is_tiny, err);
    if (!status) status = hrr_edge_plan_new(&attack->plan, &attack->known, options, NULL, err);
    return status;
}

hrr_status hrr_edge_attack_init_on(hrr_edge_attack *out, const hrr_edge_options *options, int which,
                                   const uint8_t *candidates, uint64_t seed, hrr_error *err)
{
    choose_graph(out, which, HRR_VIEW_EDGES, seed);
    out->known.candidates = candidates;
    return hrr_edge_plan_new(&out->plan, &out->known, options, NULL, err);
}

hrr_status hrr_edge_attack_init(hrr_edge_attack *out, bool *visible,
                                const hrr_edge_options *options, int which, hrr_edge_view view,
                                uint64_t seed, hrr_error *err)
{
    choose_graph(out, which, view, seed);
    return find_and_plan(out, visible, options, true, err);
}

hrr_status hrr_edge_attack_init_pair(hrr_edge_attack *out, bool *visible,
                                     const hrr_edge_options *options, const hrr_edge_public *known,
                                     const hrr_edge_secret secret[2], const uint32_t pair[2],
                                     hrr_edge_view view, uint64_t seed, hrr_error *err)
{
    *out = (hrr_edge_attack){.known = *known,
                             .secret = {secret[0], secret[1]},
                             .view = view,
                             .pair = {pair[0], pair[1]},
                             .seed = seed};
    return find_and_plan(out, visible, options, false, err);
}

void hrr_edge_attack_clear(hrr_edge_attack *attack)
{
    hrr_edge_plan_free(attack->plan);
    *attack = (hrr_edge_attack){0};
}

hrr_status hrr_edge_attack_run(float *out, const void *user, int side, uint64_t first, uint64_t n,
                               hrr_error *err)
{
    const hrr_edge_attack *attack = user;
    const uint64_t seed_of_side = attack->seed + ((uint64_t)(side + 1) << 40);
    for (uint64_t i = 0; i < n; i++) {
        hrr_edge_release release;
        hrr_status status =
            draw(&release, attack->plan, &attack->secret[side], seed_of_side + first + i, err);
        if (status) return status;
        if (attack->view == HRR_VIEW_EDGES)
            out[i] = edges_seen(&release, attack->known.n_nodes);
        else if (attack->view == HRR_VIEW_PAIR)
            out[i] = pair_seen(&release, attack->pair);
        else
            out[i] = (float)hrr_array_number(&release.parts[attack->part].array, attack->item);
        hrr_edge_release_clear(&release);
    }
    return HRR_OK;
}
