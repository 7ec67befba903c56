/* edge_protection.c: see edge_protection.h.
 *
 * Every graph draws with a generator of its own: streams are numbered from 0 in each, and two
 * secrets must not be hidden by the same draws. The children are made in the order of the graphs,
 * so that a seeded run repeats itself. */
#include "release/draws.h"
#include "release/edge_protection.h"
#include "edge/late_blocks.h"
#include "edge/promises.h"
#include "edge/secret.h"
#include <heterorr/release.h>
#include "graph/canonical.h"
#include "edge/traits.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* ---- plan ----------------------------------------------------------------------------------- */

static void add_claim(hrr_edge_claim *all, const hrr_edge_claim *one)
{
    if (one->n_blocks > all->n_blocks) all->n_blocks = one->n_blocks;
    all->n_candidate_pairs += one->n_candidate_pairs;
    all->expected_false_edges += one->expected_false_edges;
    all->chain_steps += one->chain_steps;
}

/* One claim for all graphs. Options are shared; numbers that are one graph's own say nothing of the
 * whole and are left to it. */
static hrr_status claim_for_all(hrr_edge_protection *all, const char *mechanism, hrr_error *err)
{
    const uint32_t n = all->sides.n_graphs;
    hrr_status status = hrr_edge_promise_join(&all->promise, mechanism, all->of_graph, n, err);
    if (status) return status;
    all->claim = all->of_graph[0];
    for (uint32_t g = 1; g < n; g++)
        add_claim(&all->claim, &all->of_graph[g]);
    if (n > 1) all->claim.n_candidates = all->claim.most_pairs_split = all->claim.most_edges = 0;
    all->claim.realised_eps = all->promise.realised_eps;
    all->claim.statement = all->promise.statement;
    all->claim.evidence = all->promise.evidence;
    return HRR_OK;
}

hrr_status hrr_edge_protection_init(hrr_edge_protection *out, const hrr_graph *graph,
                                    const hrr_edge_options *options, bool blocks_later,
                                    hrr_progress *progress, hrr_error *err)
{
    *out = (hrr_edge_protection){0};
    const bool whole_graph = hrr_edge_traits(options->mechanism)->whole_graph;
    hrr_status status = hrr_edge_sides_init(&out->sides, graph, whole_graph, err);
    if (status) return status;
    hrr_edge_options own = *options;
    out->plan = hrr_alloc_zero(out->sides.n_graphs, sizeof *out->plan);
    out->of_graph = hrr_alloc_zero(out->sides.n_graphs, sizeof *out->of_graph);
    if (!out->plan || !out->of_graph) status = hrr_no_memory(err);
    for (uint32_t g = 0; g < out->sides.n_graphs && !status; g++) {
        const hrr_edge_side *side = &out->sides.graph[g];
        if (options->blocks) own.blocks = options->blocks + side->first_node;
        if (options->need) own.need = options->need + side->first_node;
        if (options->rivals) own.rivals = options->rivals + 2 * (size_t)side->first_node;
        status = hrr_edge_check_secret(&side->known, &side->secret, err);
        if (!status)
            status = blocks_later
                         ? hrr_edge_plan_new_without_blocks(&out->plan[g], &side->known, &own,
                                                            progress, err)
                         : hrr_edge_plan_new(&out->plan[g], &side->known, &own, progress, err);
        if (!status) out->of_graph[g] = hrr_edge_plan_claim(out->plan[g]);
    }
    if (!status) status = claim_for_all(out, options->mechanism, err);
    if (status) hrr_edge_protection_clear(out);
    return status;
}

hrr_status hrr_edge_protection_give_blocks(hrr_edge_protection *protection, const uint32_t *blocks,
                                           const uint32_t *need, const uint32_t *rivals,
                                           hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (uint32_t g = 0; g < protection->sides.n_graphs && !status; g++) {
        const uint32_t first = protection->sides.graph[g].first_node;
        status = hrr_edge_plan_give_blocks(protection->plan[g], blocks + first, need + first,
                                           rivals ? rivals + 2 * (size_t)first : NULL, err);
    }
    return status;
}

void hrr_edge_protection_share(hrr_edge_protection *protection, hrr_ranks *ranks)
{
    protection->ranks = ranks;
    for (uint32_t g = 0; g < protection->sides.n_graphs; g++)
        hrr_edge_plan_share(protection->plan[g], ranks);
}

void hrr_edge_protection_digest(hrr_hash *hash, const hrr_edge_protection *protection)
{
    for (uint32_t g = 0; g < protection->sides.n_graphs; g++)
        hrr_edge_plan_digest(hash, protection->plan[g]);
}

uint64_t hrr_edge_protection_least(const hrr_edge_protection *protection)
{
    uint64_t n_known = 0;
    for (uint32_t g = 0; g < protection->sides.n_graphs; g++)
        n_known += protection->sides.graph[g].known.n_edges;
    return n_known + (uint64_t)llround(protection->claim.expected_false_edges);
}

void hrr_edge_protection_clear(hrr_edge_protection *protection)
{
    for (uint32_t g = 0; protection->plan && g < protection->sides.n_graphs; g++)
        hrr_edge_plan_free(protection->plan[g]);
    hrr_free(protection->plan);
    hrr_free(protection->of_graph);
    hrr_edge_promise_clear(&protection->promise);
    hrr_edge_sides_clear(&protection->sides);
    *protection = (hrr_edge_protection){0};
}

/* ---- draw ----------------------------------------------------------------------------------- */

/* Two canonical lists of one graph, which share no edge, merged into the collection's list. */
static void merge(hrr_edge_list *to, uint64_t *at, const hrr_edge_side *side,
                  const hrr_edge_list *drawn)
{
    const hrr_edge_public *known = &side->known;
    const uint32_t first = side->first_node;
    uint64_t k = 0, d = 0;
    while (k < known->n_edges || d < drawn->n_edges) {
        const bool from_known =
            d == drawn->n_edges ||
            (k < known->n_edges && hrr_edge_key(known->source[k], known->target[k]) <
                                       hrr_edge_key(drawn->source[d], drawn->target[d]));
        to->source[*at] = first + (from_known ? known->source[k] : drawn->source[d]);
        to->target[*at] = first + (from_known ? known->target[k] : drawn->target[d]);
        (*at)++;
        if (from_known)
            k++;
        else
            d++;
    }
}

static hrr_status unite_edges(hrr_edge_list *out, const hrr_edge_sides *sides,
                              const hrr_edge_release *drawn, hrr_error *err)
{
    uint64_t total = 0, at = 0;
    for (uint32_t g = 0; g < sides->n_graphs; g++)
        total += sides->graph[g].known.n_edges + drawn[g].edges.n_edges;
    hrr_status status = hrr_edge_list_init(out, total, false, err);
    for (uint32_t g = 0; g < sides->n_graphs && !status; g++)
        merge(out, &at, &sides->graph[g], &drawn[g].edges);
    return status;
}

/* Part i of all graphs, one after another along the first axis. Rows of a graph that has fewer
 * columns than another (blocks, say) end with zeros. */
static hrr_status unite_part(hrr_array *out, const hrr_edge_release *drawn, uint32_t n_graphs,
                             int i, hrr_error *err)
{
    hrr_array all = drawn[0].parts[i].array;
    all.storage = (hrr_region){0};
    all.shape[0] = 0;
    uint64_t n_cols = 1;
    for (uint32_t g = 0; g < n_graphs; g++) {
        const hrr_array *part = &drawn[g].parts[i].array;
        all.shape[0] += part->shape[0];
        if (all.n_dims == 2 && part->shape[1] > n_cols) n_cols = part->shape[1];
    }
    if (all.n_dims == 2) all.shape[1] = n_cols;
    all.n_items = all.shape[0] * n_cols;
    const size_t row_size = n_cols * all.item_size;
    hrr_status status = hrr_region_alloc(&all.storage, all.shape[0], row_size, true, err);
    if (status) return status;
    char *at = all.data = all.storage.start;
    for (uint32_t g = 0; g < n_graphs; g++) {
        const hrr_array *part = &drawn[g].parts[i].array;
        const size_t part_row = (part->n_dims == 2 ? part->shape[1] : 1) * part->item_size;
        for (uint64_t row = 0; row < part->shape[0]; row++, at += row_size)
            memcpy(at, (const char *)part->data + row * part_row, part_row);
    }
    *out = all;
    return HRR_OK;
}

static hrr_status unite(hrr_edge_release *out, const hrr_edge_sides *sides,
                        const hrr_edge_release *drawn, hrr_error *err)
{
    hrr_status status = unite_edges(&out->edges, sides, drawn, err);
    for (int i = 0; i < drawn[0].n_parts && !status; i++) {
        out->parts[i].name = drawn[0].parts[i].name;
        status = unite_part(&out->parts[i].array, drawn, sides->n_graphs, i, err);
        if (!status) out->n_parts++;
    }
    /* A pair lies in one graph: the largest epsilon of any is that of all. */
    for (uint32_t g = 0; g < sides->n_graphs; g++)
        out->realised_eps = fmax(out->realised_eps, drawn[g].realised_eps);
    return status;
}

static hrr_status draw_graph(hrr_edge_release *out, const hrr_edge_plan *plan,
                             const hrr_edge_secret *secret, hrr_random *random,
                             hrr_progress *progress, hrr_error *err)
{
    hrr_random *own;
    hrr_status status = hrr_random_new_child(&own, random, err);
    if (status) return status;
    status = hrr_edge_plan_draw(out, plan, secret, own, progress, err);
    hrr_random_free(own);
    return status;
}

hrr_status hrr_edge_protection_draw(hrr_edge_release *out, const hrr_edge_protection *protection,
                                    hrr_random *random, hrr_progress *progress, hrr_error *err)
{
    const hrr_edge_sides *sides = &protection->sides;
    *out = (hrr_edge_release){0};
    hrr_edge_release *drawn = hrr_alloc_zero(sides->n_graphs, sizeof *drawn);
    if (!drawn) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    for (uint32_t g = 0; g < sides->n_graphs && !status; g++)
        status = draw_graph(&drawn[g], protection->plan[g], &sides->graph[g].secret, random,
                            progress, err);
    if (!status && hrr_ranks_rank(protection->ranks) == 0) status = unite(out, sides, drawn, err);
    for (uint32_t g = 0; g < sides->n_graphs; g++)
        hrr_edge_release_clear(&drawn[g]);
    hrr_free(drawn);
    if (status) hrr_edge_release_clear(out);
    return status;
}

/* ---- as a graph ----------------------------------------------------------------------------- */

hrr_status hrr_edge_protection_graph(hrr_graph **released, hrr_edge_release *drawn,
                                     const hrr_graph *graph, hrr_error *err)
{
    hrr_status status = hrr_graph_copy(released, graph, 0, err);
    if (status) return status;
    status = hrr_graph_take_edges(*released, &drawn->edges, NULL, 0, NULL, err);
    if (status) {
        hrr_graph_free(*released);
        *released = NULL;
    }
    return status;
}

/* ---- in memory, for experiments ------------------------------------------------------------- */

/* Plan and draw; the claim without texts, which die with the plan. */
static hrr_status draw_in_memory(hrr_edge_release *drawn, hrr_edge_claim *claim,
                                 const hrr_graph *graph, const hrr_edge_options *options,
                                 hrr_random *random, hrr_progress *progress, hrr_error *err)
{
    hrr_edge_protection protection;
    hrr_status status = hrr_edge_protection_init(&protection, graph, options, false, progress, err);
    if (status) return status;
    status = hrr_edge_protection_draw(drawn, &protection, random, progress, err);
    *claim = protection.claim;
    claim->statement = claim->evidence = NULL;
    hrr_edge_protection_clear(&protection);
    return status;
}

hrr_status hrr_draw_edges(hrr_graph **released, hrr_edge_claim *claim, const hrr_graph *graph,
                          const hrr_edge_options *options, hrr_random *random,
                          hrr_progress *progress, hrr_error *err)
{
    hrr_edge_release drawn = {.n_parts = 0};
    hrr_edge_claim found;
    hrr_edge_options as_edges = *options;
    as_edges.sample_edges = true; /* counts would be lost */
    *released = NULL;
    hrr_status status = draw_in_memory(&drawn, &found, graph, &as_edges, random, progress, err);
    if (!status) status = hrr_edge_protection_graph(released, &drawn, graph, err);
    if (!status && claim) *claim = found;
    hrr_edge_release_clear(&drawn);
    return status;
}

static const hrr_array *part_named(const hrr_edge_release *release, const char *name)
{
    for (int i = 0; i < release->n_parts; i++)
        if (strcmp(release->parts[i].name, name) == 0) return &release->parts[i].array;
    return NULL;
}

hrr_status hrr_draw_counts(hrr_block_counts *counts, hrr_edge_release *drawn, hrr_edge_claim *claim,
                           const hrr_graph *graph, const hrr_edge_options *options,
                           hrr_random *random, hrr_progress *progress, hrr_error *err)
{
    hrr_edge_claim found;
    *counts = (hrr_block_counts){0};
    *drawn = (hrr_edge_release){0};
    if (!hrr_edge_traits(options->mechanism)->has_counts)
        return hrr_fail(err, HRR_EINVAL, "%s releases no counts; use edgerr-node",
                        options->mechanism);
    hrr_status status = draw_in_memory(drawn, &found, graph, options, random, progress, err);
    if (status) return status;
    const hrr_array *count = part_named(drawn, "block_counts.npy");
    const hrr_array *counted = part_named(drawn, "counted.npy");
    const hrr_array *need = part_named(drawn, "need.npy");
    const hrr_array *rivals = part_named(drawn, "rivals.npy");
    const int n_ends = found.count_ends == HRR_ENDS_BOTH ? 2 : 1;
    *counts = (hrr_block_counts){.n_nodes = count->shape[0],
                                 .n_blocks = (uint32_t)count->shape[1],
                                 .count = count->data,
                                 .counted = counted ? counted->data : NULL,
                                 .eps = (double)found.eps_nano / (double)HRR_EPS_UNIT / n_ends,
                                 .need = need ? need->data : NULL,
                                 .block = part_named(drawn, "blocks.npy")->data,
                                 .rivals = rivals ? rivals->data : NULL};
    if (claim) *claim = found;
    return HRR_OK;
}
