/* edges.c: see edges.h.
 *
 * The graphs are so small that all sets of released edges are told apart. Numbers that a mechanism
 * releases beside edges say more than edges sampled from them (pair_numbers.h). */
#include "audit/edges.h"
#include "base/memory.h"

#include <string.h>

/* Two neighbouring secrets: without the last edge, and with it. */
typedef struct tiny {
    uint64_t n_nodes, n_known, n_secret;
    uint32_t known_source[4], known_target[4], secret_source[4], secret_target[4];
} tiny;

static const tiny graphs[] = {
    {.n_nodes = 4, .n_secret = 1, .secret_source = {0}, .secret_target = {1}},
    {.n_nodes = 5,
     .n_known = 3,
     .known_source = {1, 2, 3}, /* 1-3 and 2-4 are likely links */
     .known_target = {2, 3, 4},
     .n_secret = 3,
     .secret_source = {0, 1, 2},
     .secret_target = {3, 4, 4}},
    [HRR_SPARSE_GRAPH] = {.n_nodes = 32, .n_secret = 1, .secret_source = {3}, .secret_target = {7}},
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

/* 0: it has none. Otherwise how many binary digits the number of edges has: few outcomes, and fine
 * where few are kept, whatever the budget. */
static float pair_among(const hrr_edge_release *release, const uint32_t pair[2])
{
    if (pair_seen(release, pair) == 0) return 0;
    return (float)(64 - __builtin_clzll(release->edges.n_edges)); /* at least 1 */
}

/* That there is no such number is an outcome like any other. */
double hrr_array_number(const hrr_array *array, uint64_t item)
{
    const double not_there = -1e6;
    if (item >= array->n_items) return not_there;
    switch (array->type) {
    case HRR_ARRAY_U8:
        return ((const uint8_t *)array->data)[item];
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

/* ---- the attack ----------------------------------------------------------------------------- */

static void choose_graph(hrr_edge_attack *out, int which, hrr_edge_view view, uint64_t seed)
{
    const tiny *graph = &graphs[which];
    const uint64_t last = graph->n_secret - 1;
    *out = (hrr_edge_attack){.known = {.n_nodes = graph->n_nodes,
                                       .n_edges = graph->n_known,
                                       .source = graph->known_source,
                                       .target = graph->known_target},
                             .view = view,
                             .width = 1,
                             .pair = {graph->secret_source[last], graph->secret_target[last]},
                             .seed = seed};
    for (int side = 0; side < 2; side++)
        out->secret[side] = (hrr_edge_secret){.n_edges = graph->n_secret - (side == 0),
                                              .source = graph->secret_source,
                                              .target = graph->secret_target};
}

/* Which numbers there are, an attacker sees in any release. */
static hrr_status find_numbers(hrr_edge_attack *attack, hrr_error *err)
{
    hrr_edge_release release;
    hrr_status status = draw(&release, attack->plan, &attack->secret[0], attack->seed, err);
    if (status) return status;
    attack->numbers = hrr_pair_numbers_kind(&release, attack->plan);
    attack->width = hrr_pair_numbers_width(attack->numbers);
    hrr_edge_release_clear(&release);
    return HRR_OK;
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
    hrr_status status = hrr_edge_plan_new(&out->plan, &out->known, options, NULL, err);
    if (!status && view != HRR_VIEW_EDGES) status = find_numbers(out, err);
    *visible = out->width > 0;
    if (view == HRR_VIEW_COUNT) {
        *visible = out->numbers == HRR_NUMBERS_TREE_DRAWN;
        out->numbers = HRR_NUMBERS_TREE;
    }
    if (view == HRR_VIEW_AMONG) *visible = out->numbers == HRR_NUMBERS_NONE;
    if (view == HRR_VIEW_APART) {
        *visible = out->numbers == HRR_NUMBERS_NODES;
        out->numbers = HRR_NUMBERS_NODES_APART;
    }
    if (view != HRR_VIEW_NUMBERS && view != HRR_VIEW_APART) out->width = 1;
    if (status) hrr_edge_attack_clear(out);
    return status;
}

hrr_status hrr_edge_attack_init_pair(hrr_edge_attack *out, const hrr_edge_options *options,
                                     const hrr_edge_public *known, const hrr_edge_secret secret[2],
                                     const uint32_t pair[2], uint64_t seed, hrr_progress *progress,
                                     hrr_error *err)
{
    *out = (hrr_edge_attack){.known = *known,
                             .secret = {secret[0], secret[1]},
                             .view = HRR_VIEW_NUMBERS,
                             .pair = {pair[0], pair[1]},
                             .seed = seed,
                             .progress = progress};
    hrr_status status = hrr_edge_plan_new(&out->plan, &out->known, options, NULL, err);
    if (!status) status = find_numbers(out, err);
    if (status) hrr_edge_attack_clear(out);
    if (status || out->width > 0) return status;
    out->view = HRR_VIEW_PAIR;
    out->width = 1;
    return HRR_OK;
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
    hrr_status status = HRR_OK;
    for (uint64_t i = 0; i < n && !status; i++, out += attack->width) {
        hrr_edge_release release;
        status = draw(&release, attack->plan, &attack->secret[side], seed_of_side + first + i, err);
        if (status) return status;
        if (attack->view == HRR_VIEW_EDGES)
            *out = edges_seen(&release, attack->known.n_nodes);
        else if (attack->view == HRR_VIEW_PAIR)
            *out = pair_seen(&release, attack->pair);
        else if (attack->view == HRR_VIEW_AMONG)
            *out = pair_among(&release, attack->pair);
        else
            status = hrr_pair_numbers(out, attack->numbers, &release, &attack->secret[0],
                                      attack->pair, err);
        hrr_edge_release_clear(&release);
        if (!status) status = hrr_progress_advance(attack->progress, 1, err);
    }
    return status;
}
