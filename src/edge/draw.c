/* draw.c: private edges through a plan.
 *
 * The secret is checked before anything is drawn: sensitivities rest on each pair being there once
 * and being a candidate pair. What the mechanism returns is brought to canonical form here, once
 * for all of them, and public edges are taken out: they stay public edges. */
#include "edge/mechanism.h"
#include "edge/secret.h"
#include "graph/canonical.h"
#include "base/memory.h"
#include "base/size.h"
#include "random/stream.h"

#include <assert.h>

static uint64_t key_of(const uint32_t *source, const uint32_t *target, uint64_t e)
{
    return hrr_edge_key(source[e], target[e]);
}

static bool is_candidate(const hrr_edge_public *known, uint32_t node)
{
    return !known->candidates || known->candidates[node];
}

/* Both lists ascend, so one walk over both finds a pair that is in both. */
hrr_status hrr_edge_check_secret(const hrr_edge_public *known, const hrr_edge_secret *secret,
                                 hrr_error *err)
{
    uint64_t before = 0, e_public = 0;
    bool bad = false;
    for (uint64_t e = 0; e < secret->n_edges; e++) {
        const uint32_t source = secret->source[e], target = secret->target[e];
        const uint64_t key = hrr_edge_key(source, target);
        if (key <= before || source >= target || target >= known->n_nodes)
            return hrr_fail(err, HRR_EINVAL, "the private edges are not in canonical form");
        before = key;
        bad |= !is_candidate(known, source) || !is_candidate(known, target);
        while (e_public < known->n_edges && key_of(known->source, known->target, e_public) < key)
            e_public++;
        bad |= e_public < known->n_edges && key_of(known->source, known->target, e_public) == key;
    }
    if (!bad) return HRR_OK;
    return hrr_fail(err, HRR_EDATA,
                    "a private edge is not a candidate pair: both ends must be in the candidate "
                    "set (`candidates`), and no public edge may join them. The message does not "
                    "name the edge, because it is private");
}

#ifndef NDEBUG
static bool are_canonical(const hrr_edge_list *edges, uint64_t n_nodes)
{
    bool canonical;
    return !hrr_edges_are_canonical(&canonical, edges, n_nodes, NULL, NULL) && canonical;
}
#endif

/* Sort, drop repetitions, self-loops and public edges. */
static hrr_status make_canonical(hrr_edge_list *edges, const hrr_edge_plan *plan, hrr_error *err)
{
    const hrr_edge_public *known = &plan->known;
    hrr_edge_list sorted = *edges;
    if (plan->mechanism->draws_canonical) {
        assert(are_canonical(edges, known->n_nodes));
        *edges = (hrr_edge_list){0};
    } else {
        hrr_removed removed;
        hrr_status status = hrr_edges_canonicalise(&sorted, &removed, edges, known->n_nodes,
                                                   "synthetic edges", NULL, err);
        if (status) return status;
        hrr_edge_list_clear(edges);
    }
    uint64_t kept = 0, e_public = 0;
    if (known->n_edges == 0) kept = sorted.n_edges;
    for (uint64_t e = kept; e < sorted.n_edges; e++) {
        const uint64_t key = key_of(sorted.source, sorted.target, e);
        while (e_public < known->n_edges && key_of(known->source, known->target, e_public) < key)
            e_public++;
        if (e_public < known->n_edges && key_of(known->source, known->target, e_public) == key)
            continue;
        sorted.source[kept] = sorted.source[e];
        sorted.target[kept++] = sorted.target[e];
    }
    sorted.n_edges = kept;
    *edges = sorted;
    return HRR_OK;
}

void hrr_edge_release_clear(hrr_edge_release *release)
{
    hrr_edge_list_clear(&release->edges);
    for (int i = 0; i < release->n_parts; i++)
        hrr_array_clear(&release->parts[i].array);
    *release = (hrr_edge_release){0};
}

hrr_status hrr_edge_add_part(hrr_edge_release *out, const char *name, hrr_array_type type,
                             size_t item_size, uint64_t n_rows, uint64_t n_cols, hrr_error *err)
{
    hrr_array array = {
        .type = type, .item_size = item_size, .n_dims = n_cols ? 2 : 1, .shape = {n_rows, n_cols}};
    size_t n_items = n_rows;
    if (n_cols && !hrr_mul_fits(n_rows, n_cols, &n_items)) return hrr_no_memory(err);
    hrr_status status = hrr_region_alloc(&array.storage, n_items, item_size, true, err);
    if (status) return status;
    array.n_items = n_items;
    array.data = array.storage.start;
    out->parts[out->n_parts].name = name;
    out->parts[out->n_parts++].array = array;
    return HRR_OK;
}

hrr_status hrr_edge_postprocess_seed(uint64_t *seed, const hrr_random *random, hrr_error *err)
{
    hrr_stream *stream;
    hrr_status status = hrr_stream_new(&stream, random, err);
    if (status) return status;
    hrr_stream_seek(stream, HRR_PURPOSE_POSTPROCESS_SEED, 0);
    *seed = hrr_stream_u64(stream);
    hrr_stream_free(stream);
    return HRR_OK;
}

/* The promise was made from the terms; this is what the samplers were handed. One number, found in
 * two ways: should they differ, the promise is not about what was drawn. */
static hrr_status check_drawn(hrr_edge_release *drawn, const hrr_edge_plan *plan, hrr_error *err)
{
    drawn->realised_eps = hrr_edge_without_rounding(drawn->realised_eps, plan->claim.eps_nano);
    if (drawn->realised_eps == plan->claim.realised_eps) return HRR_OK;
    return hrr_fail(err, HRR_ECHECK,
                    "%s drew noise of epsilon %.17g, but the certificate promises %.17g, so "
                    "nothing was released; this is a bug in heterorr, please report it",
                    plan->mechanism->about.name, drawn->realised_eps, plan->claim.realised_eps);
}

hrr_status hrr_edge_plan_draw(hrr_edge_release *out, const hrr_edge_plan *plan,
                              const hrr_edge_secret *secret, const hrr_random *random,
                              hrr_progress *progress, hrr_error *err)
{
    const bool takes = hrr_ranks_rank(plan->ranks) == 0;
    *out = (hrr_edge_release){0};
    if (!takes && !hrr_edge_ranks(plan)) {
        out->realised_eps = plan->claim.realised_eps;
        return HRR_OK;
    }
    hrr_status status = hrr_edge_check_secret(&plan->known, secret, err);
    if (hrr_edge_ranks(plan)) status = hrr_ranks_agree(plan->ranks, status, err);
    if (!status) status = plan->mechanism->draw(out, plan, secret, random, progress, err);
    if (!status) status = check_drawn(out, plan, err);
    if (!status && takes) status = make_canonical(&out->edges, plan, err);
    if (status) hrr_edge_release_clear(out);
    return status;
}
