/* tiny.h: graphs of a few nodes, and releases of them as sets of cells. */
#ifndef TESTS_EDGE_TINY_H
#define TESTS_EDGE_TINY_H

#include "support/check.h"

#include <heterorr/edge.h>

/* Four nodes, six pairs: bit i of a mask is pair i, in canonical order. */
enum { tiny_nodes = 4, tiny_pairs = 6, tiny_masks = 64 };
static const uint32_t tiny_source[] = {0, 0, 0, 1, 1, 2};
static const uint32_t tiny_target[] = {1, 2, 3, 2, 3, 3};

typedef struct tiny_edges {
    uint64_t n;
    uint32_t source[tiny_pairs], target[tiny_pairs];
} tiny_edges;

static inline tiny_edges edges_of_mask(unsigned mask)
{
    tiny_edges edges = {0};
    for (int i = 0; i < tiny_pairs; i++)
        if (mask >> i & 1) {
            edges.source[edges.n] = tiny_source[i];
            edges.target[edges.n++] = tiny_target[i];
        }
    return edges;
}

static inline unsigned mask_of_edges(const hrr_edge_list *edges)
{
    unsigned mask = 0;
    for (uint64_t e = 0; e < edges->n_edges; e++)
        for (int i = 0; i < tiny_pairs; i++)
            if (edges->source[e] == tiny_source[i] && edges->target[e] == tiny_target[i])
                mask |= 1u << i;
    assert_int_equal(__builtin_popcount(mask), edges->n_edges);
    return mask;
}

static inline hrr_edge_options edge_options(const char *mechanism, uint64_t eps_nano)
{
    hrr_edge_options options;
    hrr_edge_options_init(&options);
    options.mechanism = mechanism;
    options.eps_nano = eps_nano;
    options.threads = 1;
    return options;
}

static inline hrr_edge_plan *plan_of(const hrr_edge_public *known, const hrr_edge_options *options)
{
    hrr_edge_plan *plan;
    hrr_error err;
    if (hrr_edge_plan_new(&plan, known, options, NULL, &err)) fail_msg("%s", err.message);
    return plan;
}

static inline hrr_edge_plan *tiny_plan(const hrr_edge_options *options)
{
    const hrr_edge_public known = {.n_nodes = tiny_nodes};
    return plan_of(&known, options);
}

static inline hrr_random *seeded(uint64_t seed)
{
    hrr_random *random;
    assert_ok(hrr_random_new_insecure(&random, seed, NULL));
    return random;
}

/* Plan and draw once, for brutal(): any status, and nothing left over. */
static inline hrr_status release_once(const hrr_edge_public *known, const hrr_edge_secret *secret,
                                      const hrr_edge_options *options)
{
    hrr_edge_plan *plan = NULL;
    hrr_random *random = NULL;
    hrr_edge_release released;
    hrr_status status = hrr_edge_plan_new(&plan, known, options, NULL, NULL);
    if (!status) status = hrr_random_new_insecure(&random, 1, NULL);
    if (!status) status = hrr_edge_plan_draw(&released, plan, secret, random, NULL, NULL);
    if (!status) hrr_edge_release_clear(&released);
    hrr_random_free(random);
    hrr_edge_plan_free(plan);
    return status;
}

/* One thread and several release the same, edges and parts; returns how many edges. */
static inline uint64_t assert_threads_do_not_show(const hrr_edge_public *known,
                                                  const hrr_edge_secret *secret,
                                                  hrr_edge_options options)
{
    hrr_edge_release released[2];
    for (int way = 0; way < 2; way++) {
        options.threads = way ? 3 : 1;
        hrr_edge_plan *plan = plan_of(known, &options);
        hrr_random *random = seeded(3);
        assert_ok(hrr_edge_plan_draw(&released[way], plan, secret, random, NULL, NULL));
        hrr_random_free(random);
        hrr_edge_plan_free(plan);
    }
    const hrr_edge_list *one = &released[0].edges, *more = &released[1].edges;
    const uint64_t n_edges = one->n_edges;
    assert_int_equal(n_edges, more->n_edges);
    assert_memory_equal(one->source, more->source, n_edges * sizeof *one->source);
    assert_memory_equal(one->target, more->target, n_edges * sizeof *one->target);
    assert_int_equal(released[0].n_parts, released[1].n_parts);
    for (int i = 0; i < released[0].n_parts; i++) {
        const hrr_array *part = &released[0].parts[i].array;
        assert_int_equal(part->n_items, released[1].parts[i].array.n_items);
        assert_memory_equal(part->data, released[1].parts[i].array.data,
                            part->n_items * part->item_size);
    }
    hrr_edge_release_clear(&released[0]);
    hrr_edge_release_clear(&released[1]);
    return n_edges;
}

/* One release of the graph `mask`, with draws of its own. */
static inline void tiny_draw(hrr_edge_release *out, const hrr_edge_plan *plan, unsigned mask,
                             hrr_random *parent)
{
    const tiny_edges edges = edges_of_mask(mask);
    const hrr_edge_secret secret = {edges.n, edges.source, edges.target};
    hrr_random *random;
    assert_ok(hrr_random_new_child(&random, parent, NULL));
    assert_ok(hrr_edge_plan_draw(out, plan, &secret, random, NULL, NULL));
    hrr_random_free(random);
}

/* How often each graph comes out of `mask`. */
static inline void count_masks(uint64_t count[tiny_masks], const hrr_edge_plan *plan, unsigned mask,
                               int draws, uint64_t seed)
{
    hrr_random *parent = seeded(seed);
    memset(count, 0, tiny_masks * sizeof *count);
    for (int i = 0; i < draws; i++) {
        hrr_edge_release released;
        tiny_draw(&released, plan, mask, parent);
        count[mask_of_edges(&released.edges)]++;
        hrr_edge_release_clear(&released);
    }
    hrr_random_free(parent);
}

/* Canonical, inside the candidates, and no public edge. */
static inline void assert_release_is_sound(const hrr_edge_list *edges, const hrr_edge_public *known)
{
    uint64_t before = 0;
    for (uint64_t e = 0; e < edges->n_edges; e++) {
        const uint32_t u = edges->source[e], v = edges->target[e];
        const uint64_t key = (uint64_t)u << 32 | v;
        assert_true(u < v && v < known->n_nodes);
        assert_true(key > before);
        before = key;
        assert_true(!known->candidates || (known->candidates[u] && known->candidates[v]));
        for (uint64_t p = 0; p < known->n_edges; p++)
            assert_false(known->source[p] == u && known->target[p] == v);
    }
}

#endif
