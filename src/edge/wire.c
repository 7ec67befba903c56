/* wire.c: see wire.h.
 *
 * Groups. Each node joins up to two groups, in which it has x neighbours each (closure.h). Nodes
 * are sorted by x; x + 1 of them with the same x are a group, and all of its pairs become edges. A
 * law with much spread joins nodes of different degrees.
 *
 * The rest. What is left of each degree are loose ends. They are dealt to pairs of classes in
 * proportion to the mixing that groups have not used up yet, and joined within a pair of classes:
 * ends are sorted by a place on a ring, that of the node's group and a step away from it whose
 * length is shortest^(u^.2), u uniform, and joined with those next to them. So most edges are
 * short, some go everywhere, and groups are parts of larger ones. Short edges close triangles, also
 * where the original has none: with chance 1 - near an end lies anywhere instead (likeness.c). An
 * edge that is there already changes ends with one of those just made. */
#include "edge/wire.h"
#include "base/memory.h"
#include "random/fast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { memberships = 2, balance_rounds = 300, repairs = 60, far_repairs = 500 };
static const double filled = .5; /* as many groups as this share of pairs has room for */
static const double shortest = .001, rarely_far = .2; /* steps on the ring */
static const double least_chance = .1; /* of an edge between classes, against chance */

typedef struct end {
    uint32_t place, node;
} end;

typedef struct wiring {
    hrr_wires *wires;
    const hrr_wire_goal *goal;
    hrr_fast_random *random;
    uint32_t *loose;   /* n: ends that are not joined yet */
    uint32_t *place;   /* n: on the ring */
    end *ends, *other; /* room for all ends, and scratch */
    uint32_t *left;    /* ends that found no partner yet */
    uint64_t n_left;
} wiring;

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

static bool may_join(const hrr_wires *wires, uint32_t u, uint32_t v)
{
    return u != v && !hrr_pair_set_has(&wires->pairs, u, v);
}

static void join(hrr_wires *wires, uint32_t u, uint32_t v)
{
    hrr_pair_set_add(&wires->pairs, u, v);
    wires->source[wires->n_edges] = u;
    wires->target[wires->n_edges++] = v;
}

/* Edge f = x-y and the ends u, v become u-y and x-v. */
static bool join_through(hrr_wires *wires, uint32_t u, uint32_t v, uint64_t f, bool turned)
{
    const uint32_t x = turned ? wires->target[f] : wires->source[f];
    const uint32_t y = turned ? wires->source[f] : wires->target[f];
    if (!may_join(wires, u, y) || !may_join(wires, x, v)) return false;
    hrr_pair_set_remove(&wires->pairs, x, y);
    hrr_pair_set_add(&wires->pairs, u, y);
    wires->source[f] = u;
    wires->target[f] = y;
    join(wires, x, v);
    return true;
}

bool hrr_wires_swap(hrr_wires *wires, uint64_t e, uint64_t f, bool turned)
{
    const uint32_t u = wires->source[e], v = wires->target[e];
    const uint32_t x = turned ? wires->target[f] : wires->source[f];
    const uint32_t y = turned ? wires->source[f] : wires->target[f];
    if (u == x || v == y || !may_join(wires, u, y) || !may_join(wires, x, v)) return false;
    hrr_pair_set_remove(&wires->pairs, u, v);
    hrr_pair_set_remove(&wires->pairs, x, y);
    hrr_pair_set_add(&wires->pairs, u, y);
    hrr_pair_set_add(&wires->pairs, x, v);
    wires->source[e] = u, wires->target[e] = y;
    wires->source[f] = x, wires->target[f] = v;
    return true;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Ascending by `place`: radix sort, three passes. */
static void sort_ends(end *ends, end *scratch, uint64_t n)
{
    for (int shift = 0; shift < 33; shift += 11) {
        uint64_t begin[2049] = {0};
        for (uint64_t i = 0; i < n; i++)
            begin[(ends[i].place >> shift & 2047) + 1]++;
        for (int k = 0; k < 2048; k++)
            begin[k + 1] += begin[k];
        for (uint64_t i = 0; i < n; i++)
            scratch[begin[ends[i].place >> shift & 2047]++] = ends[i];
        end *swap = ends;
        ends = scratch;
        scratch = swap;
    }
    memcpy(scratch, ends, n * sizeof *ends);
}

static uint32_t anywhere(hrr_fast_random *random)
{
    return (uint32_t)(hrr_fast_word(random) >> 32);
}

/* Memberships: `place` holds x above 12 random bits, for a random order among equals. */
static uint64_t choose_sizes(wiring *w)
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
                w->ends[n++] = (end){
                    (x < 0xfffff ? x : 0xfffff) << 12 | (anywhere(w->random) & 0xfff), (uint32_t)v};
        }
    }
    return n;
}

static void join_group(wiring *w, const end *members, uint64_t size)
{
    const uint32_t place = anywhere(w->random);
    for (uint64_t i = 0; i < size; i++) {
        const uint32_t u = members[i].node;
        if (!w->place[u]) w->place[u] = place | 1;
        for (uint64_t j = i + 1; j < size; j++) {
            const uint32_t v = members[j].node;
            if (!w->loose[u] || !w->loose[v] || !may_join(w->wires, u, v)) continue;
            join(w->wires, u, v);
            w->loose[u]--;
            w->loose[v]--;
        }
    }
}

/* From the largest x on: as many as all have room for. */
static void join_groups(wiring *w)
{
    const uint64_t n = choose_sizes(w);
    sort_ends(w->ends, w->other, n);
    for (uint64_t last = n; last > 0;) {
        uint64_t first = last - 1;
        while (first > 0 && last - first <= w->ends[first - 1].place >> 12)
            first--;
        if (last - first >= 3) join_group(w, w->ends + first, last - first);
        last = first;
    }
}

/* ---- loose ends ------------------------------------------------------------------------------ */

typedef struct dealt {
    int n_classes;
    uint64_t begin[HRR_MOST_MIXING_CLASSES][HRR_MOST_MIXING_CLASSES]; /* in wiring.ends */
    uint64_t size[HRR_MOST_MIXING_CLASSES][HRR_MOST_MIXING_CLASSES];
} dealt;

static int class_at(const wiring *w, uint64_t node)
{
    return hrr_mixing_class(w->goal->degree[node]);
}

/* What the groups have left of the mixing, in ends; at least a little everywhere. */
static void find_rest(hrr_mixing_matrix rest, const double *loose, const wiring *w, int n)
{
    double total = 0;
    for (int i = 0; i < n; i++)
        total += loose[i];
    memcpy(rest, w->goal->mixing->ends, sizeof(hrr_mixing_matrix));
    for (uint64_t e = 0; e < w->wires->n_edges; e++) {
        const int i = class_at(w, w->wires->source[e]), j = class_at(w, w->wires->target[e]);
        rest[i][j]--;
        rest[j][i]--;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double chance = total > 0 ? loose[i] * loose[j] / total : 0;
            rest[i][j] = fmax(fmax(rest[i][j], least_chance * chance), 1e-6);
        }
}

/* factor[i] factor[j] rest[i][j] has the loose ends of each class as sums. */
static void balance(double *factor, hrr_mixing_matrix rest, const double *loose, int n)
{
    for (int i = 0; i < n; i++)
        factor[i] = 1;
    for (int round = 0; round < balance_rounds; round++)
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += rest[i][j] * factor[j];
            if (sum > 0) factor[i] = sqrt(factor[i] * loose[i] / sum);
        }
}

static void shuffle(end *ends, uint64_t n, hrr_fast_random *random)
{
    for (uint64_t i = n; i > 1; i--) {
        const uint64_t j = hrr_fast_below(random, i);
        const end swap = ends[i - 1];
        ends[i - 1] = ends[j];
        ends[j] = swap;
    }
}

/* A step from the node's place, of log-uniform length; or anywhere. */
static uint32_t step_from(uint32_t place, double near, hrr_fast_random *random)
{
    if (near < 1 && hrr_fast_uniform(random) >= near) return anywhere(random);
    const double length = pow(shortest, pow(hrr_fast_uniform(random), rarely_far));
    const double step = length * (hrr_fast_uniform(random) - .5) * 0x1p32;
    return place + (uint32_t)(int64_t)step;
}

static void deal(dealt *out, wiring *w, const double *loose, hrr_mixing_matrix rest)
{
    const int n = out->n_classes;
    const uint64_t n_nodes = w->goal->known->n_nodes;
    double factor[HRR_MOST_MIXING_CLASSES];
    uint64_t want[HRR_MOST_MIXING_CLASSES][HRR_MOST_MIXING_CLASSES] = {{0}};
    uint64_t first[HRR_MOST_MIXING_CLASSES + 1] = {0}, next[HRR_MOST_MIXING_CLASSES];
    balance(factor, rest, loose, n);
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            const double ends = rest[i][j] * factor[i] * factor[j];
            uint64_t whole = (uint64_t)(ends + hrr_fast_uniform(w->random));
            if (i == j) whole &= ~(uint64_t)1;
            want[i][j] = want[j][i] = whole;
        }
    for (int i = 0; i < n; i++)
        first[i + 1] = first[i] + (uint64_t)loose[i];
    memcpy(next, first, sizeof next);
    for (uint64_t v = 0; v < n_nodes; v++)
        for (uint32_t k = 0; k < w->loose[v]; k++)
            w->ends[next[class_at(w, v)]++] =
                (end){step_from(w->place[v], w->goal->near, w->random), (uint32_t)v};
    for (int i = 0; i < n; i++) {
        uint64_t at = first[i];
        shuffle(w->ends + at, first[i + 1] - at, w->random);
        for (int j = 0; j < n; j++) {
            const uint64_t rest_of_class = first[i + 1] - at;
            out->begin[i][j] = at;
            out->size[i][j] = want[i][j] < rest_of_class ? want[i][j] : rest_of_class;
            at += out->size[i][j];
        }
        for (; at < first[i + 1]; at++)
            w->left[w->n_left++] = w->ends[at].node;
    }
}

/* Join u and v; if they may not, through one of the edges just made, from `first` on. */
static void join_somehow(wiring *w, uint32_t u, uint32_t v, uint64_t first)
{
    hrr_wires *wires = w->wires;
    if (may_join(wires, u, v)) {
        join(wires, u, v);
        return;
    }
    const uint64_t made = wires->n_edges - first;
    for (uint64_t t = 0; t < repairs && made > 0; t++) {
        const uint64_t near = 4 + t * t / 2, among = near < made ? near : made;
        const uint64_t word = hrr_fast_word(w->random);
        const uint64_t f = wires->n_edges - 1 - (word >> 32) % among;
        if (join_through(wires, u, v, f, word & 1)) return;
    }
    w->left[w->n_left++] = u;
    w->left[w->n_left++] = v;
}

static void join_classes(wiring *w, const dealt *d, int i, int j)
{
    const uint64_t first = w->wires->n_edges;
    end *a = w->ends + d->begin[i][j], *b = w->ends + d->begin[j][i];
    if (i == j) {
        const uint64_t n = d->size[i][i];
        sort_ends(a, w->other, n);
        for (uint64_t k = 0; k + 1 < n; k += 2)
            join_somehow(w, a[k].node, a[k + 1].node, first);
        if (n % 2) w->left[w->n_left++] = a[n - 1].node;
        return;
    }
    const uint64_t n = d->size[i][j] < d->size[j][i] ? d->size[i][j] : d->size[j][i];
    for (uint64_t k = n; k < d->size[i][j]; k++)
        w->left[w->n_left++] = a[k].node;
    for (uint64_t k = n; k < d->size[j][i]; k++)
        w->left[w->n_left++] = b[k].node;
    sort_ends(a, w->other, n);
    sort_ends(b, w->other, n);
    for (uint64_t k = 0; k < n; k++)
        join_somehow(w, a[k].node, b[k].node, first);
}

/* Loose edges in the order of the place of their sources, so that near ones can be found. */
static void sort_loose(wiring *w)
{
    hrr_wires *wires = w->wires;
    const uint64_t first = wires->first_loose, n = wires->n_edges - first;
    /* `node` is the number of an edge here; `left` is free for a copy of one side: n edges have 2 n
     * ends. */
    for (uint64_t e = 0; e < n; e++)
        w->ends[e] = (end){w->place[wires->source[first + e]], (uint32_t)e};
    sort_ends(w->ends, w->other, n);
    uint32_t *const sides[] = {wires->source + first, wires->target + first};
    for (int side = 0; side < 2; side++) {
        for (uint64_t e = 0; e < n; e++)
            w->left[w->n_left + e] = sides[side][w->ends[e].node];
        memcpy(sides[side], w->left + w->n_left, n * sizeof *w->left);
    }
}

/* Ends that found no partner in their classes, with whoever is left or through any edge. */
static void join_left(wiring *w)
{
    hrr_wires *wires = w->wires;
    for (uint64_t i = w->n_left; i > 1; i--) {
        const uint64_t j = hrr_fast_below(w->random, i);
        const uint32_t swap = w->left[i - 1];
        w->left[i - 1] = w->left[j];
        w->left[j] = swap;
    }
    for (uint64_t k = 0; k + 1 < w->n_left; k += 2) {
        const uint32_t u = w->left[k], v = w->left[k + 1];
        bool joined = may_join(wires, u, v);
        if (joined) join(wires, u, v);
        for (int t = 0; t < far_repairs && !joined && wires->n_edges > 0; t++)
            joined = join_through(wires, u, v, hrr_fast_below(w->random, wires->n_edges),
                                  hrr_fast_word(w->random) & 1);
    }
}

static void join_loose(wiring *w, dealt *d)
{
    double loose[HRR_MOST_MIXING_CLASSES] = {0};
    hrr_mixing_matrix rest;
    *d = (dealt){.n_classes = w->goal->mixing->n_classes};
    for (uint64_t v = 0; v < w->goal->known->n_nodes; v++) {
        loose[class_at(w, v)] += w->loose[v];
        if (!w->place[v]) w->place[v] = anywhere(w->random);
    }
    find_rest(rest, loose, w, d->n_classes);
    deal(d, w, loose, rest);
    for (int i = 0; i < d->n_classes; i++)
        for (int j = i; j < d->n_classes; j++)
            join_classes(w, d, i, j);
}

hrr_status hrr_wires_draw(hrr_wires *wires, const hrr_wire_goal *goal, hrr_fast_random *random,
                          hrr_error *err)
{
    const hrr_edge_public *known = goal->known;
    const uint64_t n = known->n_nodes, sum = 2 * wires->room;
    const uint64_t room = (sum > memberships * n ? sum : memberships * n) + 1;
    hrr_status status = HRR_OK;
    wiring w = {.wires = wires,
                .goal = goal,
                .random = random,
                .loose = hrr_alloc(n, sizeof *w.loose),
                .place = hrr_alloc_zero(n, sizeof *w.place),
                .ends = hrr_alloc(room, sizeof *w.ends),
                .other = hrr_alloc(room, sizeof *w.other),
                .left = hrr_alloc(2 * sum + 2, sizeof *w.left)};
    dealt *d = hrr_alloc(1, sizeof *d);
    if (!w.loose || !w.place || !w.ends || !w.other || !w.left || !d) {
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
    join_loose(&w, d);
    sort_loose(&w);
    join_left(&w);
done:
    hrr_free(w.loose);
    hrr_free(w.place);
    hrr_free(w.ends);
    hrr_free(w.other);
    hrr_free(w.left);
    hrr_free(d);
    return status;
}
