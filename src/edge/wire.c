/* wire.c: see wire.h.
 *
 * Groups. Each node joins up to two groups, in which it has x neighbours each (closure.h). Nodes
 * are sorted by x; x + 1 of them with the same x, and of one community where these are known, are a
 * group, and all of its pairs become edges. A law with much spread joins nodes of different
 * degrees. What is left of each degree are loose ends (loose_ends.c). */
#include "edge/wiring.h"
#include "base/memory.h"
#include "random/fast.h"

#include <math.h>
#include <string.h>

enum { memberships = 2, too_few = 64 };
static const double filled = .5; /* as many groups as this share of pairs has room for */

/* ---- storage --------------------------------------------------------------------------------- */

static uint64_t sum_of(const uint32_t *degree, uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += degree[i];
    return sum;
}

hrr_status hrr_wires_init(hrr_wires *out, const hrr_wire_goal *goal, hrr_error *err)
{
    *out = (hrr_wires){.room = sum_of(goal->degree, goal->known->n_nodes) / 2};
    out->source = hrr_alloc(out->room, sizeof *out->source);
    out->target = hrr_alloc(out->room, sizeof *out->target);
    hrr_status status = hrr_pair_set_init(&out->pairs, out->room + goal->known->n_edges + 1, err);
    if (!status && !(out->source && out->target)) status = hrr_no_memory(err);
    if (status) hrr_wires_clear(out);
    return status;
}

void hrr_wires_clear(hrr_wires *wires)
{
    hrr_free(wires->source);
    hrr_free(wires->target);
    hrr_pair_set_clear(&wires->pairs);
    *wires = (hrr_wires){0};
}

bool hrr_wires_may_join(const hrr_wires *wires, uint32_t u, uint32_t v)
{
    return u != v && !hrr_pair_set_has(&wires->pairs, u, v);
}

void hrr_wires_join(hrr_wires *wires, uint32_t u, uint32_t v)
{
    hrr_pair_set_add(&wires->pairs, u, v);
    wires->source[wires->n_edges] = u;
    wires->target[wires->n_edges++] = v;
}

/* Edge f = x-y and the ends u, v become u-y and x-v. */
bool hrr_wires_join_through(hrr_wires *wires, uint32_t u, uint32_t v, uint64_t f, bool turned)
{
    const uint32_t x = turned ? wires->target[f] : wires->source[f];
    const uint32_t y = turned ? wires->source[f] : wires->target[f];
    if (!hrr_wires_may_join(wires, u, y) || !hrr_wires_may_join(wires, x, v)) return false;
    hrr_pair_set_remove(&wires->pairs, x, y);
    hrr_pair_set_add(&wires->pairs, u, y);
    wires->source[f] = u;
    wires->target[f] = y;
    hrr_wires_join(wires, x, v);
    return true;
}

bool hrr_wires_swap(hrr_wires *wires, uint64_t e, uint64_t f, bool turned)
{
    const uint32_t u = wires->source[e], v = wires->target[e];
    const uint32_t x = turned ? wires->target[f] : wires->source[f];
    const uint32_t y = turned ? wires->source[f] : wires->target[f];
    if (u == x || v == y || !hrr_wires_may_join(wires, u, y) || !hrr_wires_may_join(wires, x, v))
        return false;
    hrr_pair_set_remove(&wires->pairs, u, v);
    hrr_pair_set_remove(&wires->pairs, x, y);
    hrr_pair_set_add(&wires->pairs, u, y);
    hrr_pair_set_add(&wires->pairs, x, v);
    wires->source[e] = u, wires->target[e] = y;
    wires->source[f] = x, wires->target[f] = v;
    return true;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Ascending by `place`: radix sort, three passes; by insertion if there are few. */
void hrr_sort_ends(hrr_wire_end *ends, hrr_wire_end *scratch, uint64_t n)
{
    if (n < too_few) {
        for (uint64_t i = 1; i < n; i++) {
            const hrr_wire_end e = ends[i];
            uint64_t j = i;
            for (; j > 0 && ends[j - 1].place > e.place; j--)
                ends[j] = ends[j - 1];
            ends[j] = e;
        }
        return;
    }
    for (int shift = 0; shift < 33; shift += 11) {
        uint64_t begin[2049] = {0};
        for (uint64_t i = 0; i < n; i++)
            begin[(ends[i].place >> shift & 2047) + 1]++;
        for (int k = 0; k < 2048; k++)
            begin[k + 1] += begin[k];
        for (uint64_t i = 0; i < n; i++)
            scratch[begin[ends[i].place >> shift & 2047]++] = ends[i];
        hrr_wire_end *swap = ends;
        ends = scratch;
        scratch = swap;
    }
    memcpy(scratch, ends, n * sizeof *ends);
}

/* Memberships: `place` holds x above 12 bits of the place, for the order among equals. */
static uint64_t choose_sizes(hrr_wiring *w)
{
    const hrr_wire_goal *goal = w->goal;
    uint64_t n = 0;
    for (uint64_t v = 0; v < goal->known->n_nodes; v++) {
        const uint32_t degree = goal->degree[v];
        if (degree < 2) continue;
        const double share = hrr_closure_share(&goal->closure, degree, goal->z[v]);
        const int groups = share * memberships > filled ? 1 : memberships;
        uint32_t room = degree;
        for (int g = 0; g < groups; g++) {
            uint32_t x = hrr_closure_size(degree, share / groups, w->random);
            if (x > room) x = room;
            room -= x;
            if (x >= 2)
                w->ends[n++] = (hrr_wire_end){(x < 0xfffff ? x : 0xfffff) << 12 |
                                                  hrr_wire_place(w, (uint32_t)v) >> 20,
                                              (uint32_t)v};
        }
    }
    return n;
}

static void join_group(hrr_wiring *w, const hrr_wire_end *members, uint64_t size)
{
    const uint32_t place = hrr_wire_place(w, members[0].node);
    for (uint64_t i = 0; i < size; i++) {
        const uint32_t u = members[i].node;
        if (!w->place[u]) w->place[u] = place | 1;
        for (uint64_t j = i + 1; j < size; j++) {
            const uint32_t v = members[j].node;
            if (!w->loose[u] || !w->loose[v] || !hrr_wires_may_join(w->wires, u, v)) continue;
            hrr_wires_join(w->wires, u, v);
            w->loose[u]--;
            w->loose[v]--;
        }
    }
}

/* Members of one community after the other; within each the order stays. */
static void sort_by_community(hrr_wiring *w, uint64_t n)
{
    uint64_t begin[HRR_MOST_MIXING_CLASSES + 1] = {0};
    const uint32_t *of = w->goal->communities->of;
    for (uint64_t i = 0; i < n; i++)
        begin[of[w->ends[i].node] + 1]++;
    for (int c = 0; c < HRR_MOST_MIXING_CLASSES; c++)
        begin[c + 1] += begin[c];
    for (uint64_t i = 0; i < n; i++)
        w->other[begin[of[w->ends[i].node]]++] = w->ends[i];
    memcpy(w->ends, w->other, n * sizeof *w->ends);
}

/* From the largest x on: as many as all have room for, of one community. */
static void join_groups(hrr_wiring *w)
{
    const uint64_t n = choose_sizes(w);
    hrr_sort_ends(w->ends, w->other, n);
    if (w->goal->communities) sort_by_community(w, n);
    for (uint64_t last = n; last > 0;) {
        uint64_t first = last - 1;
        const uint32_t community = hrr_wire_community(w->goal, w->ends[first].node);
        while (first > 0 && last - first <= w->ends[first - 1].place >> 12 &&
               hrr_wire_community(w->goal, w->ends[first - 1].node) == community)
            first--;
        if (last - first >= 3) join_group(w, w->ends + first, last - first);
        last = first;
    }
}

hrr_status hrr_wires_draw(hrr_wires *wires, const hrr_wire_goal *goal, hrr_fast_random *random,
                          hrr_error *err)
{
    const hrr_edge_public *known = goal->known;
    const uint64_t n = known->n_nodes, sum = 2 * wires->room;
    const uint64_t room = (sum > memberships * n ? sum : memberships * n) + 1;
    hrr_status status = HRR_OK;
    hrr_wiring w = {.wires = wires,
                    .goal = goal,
                    .random = random,
                    .loose = hrr_alloc(n, sizeof *w.loose),
                    .place = hrr_alloc_zero(n, sizeof *w.place),
                    .ends = hrr_alloc(room, sizeof *w.ends),
                    .other = hrr_alloc(room, sizeof *w.other),
                    .left = hrr_alloc(2 * sum + 2, sizeof *w.left),
                    .to = hrr_alloc(room, sizeof *w.to)};
    if (!w.to || !w.loose || !w.place || !w.ends || !w.other || !w.left) {
        status = hrr_no_memory(err);
        goto done;
    }
    memcpy(w.loose, goal->degree, n * sizeof *w.loose);
    hrr_pair_set_empty(&wires->pairs);
    wires->n_edges = 0;
    for (uint64_t e = 0; e < known->n_edges; e++)
        hrr_pair_set_add(&wires->pairs, known->source[e], known->target[e]);
    if (goal->closure.level > 0) join_groups(&w);
    wires->first_loose = wires->n_edges;
    status = hrr_join_loose_ends(&w, err);
done:
    hrr_free(w.loose);
    hrr_free(w.place);
    hrr_free(w.ends);
    hrr_free(w.other);
    hrr_free(w.left);
    hrr_free(w.to);
    return status;
}
