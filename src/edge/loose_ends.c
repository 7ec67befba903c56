/* loose_ends.c: the ends that groups have left, see wire.h.
 *
 * Ends are dealt to pairs of communities in proportion to the edges between these that groups have
 * not used up yet; without communities all are in one. Both sides of a pair of communities are
 * then dealt to pairs of classes of degrees, by the mixing that is left, and joined within a pair
 * of classes: ends are sorted by a place on a ring, that of the node's group and a step away from
 * it whose length is shortest^(u^.2), u uniform, and joined with those at the same rank on the
 * other side. So most edges are short, some go everywhere, and groups are parts of larger ones.
 * Short edges close triangles, also where the original has none: with chance 1 - near an end lies
 * anywhere instead (likeness.c). An edge that is there already changes ends with one of those just
 * made. */
#include "edge/wiring.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { balance_rounds = 300, cell_rounds = 40, repairs = 60, far_repairs = 500 };
enum { stretch_of_largest = 16, shortest_stretch = 64, most_stretches = 256 };
static const double shortest = .001, rarely_far = .2; /* steps on the ring */
static const double least_chance = .1; /* of an edge between classes, against chance */
static const double hardly = 1e-6;     /* instead of 0, so that sums can be met */

typedef double per_class[HRR_MOST_MIXING_CLASSES];
typedef uint64_t counts[HRR_MOST_MIXING_CLASSES][HRR_MOST_MIXING_CLASSES];

typedef struct deal {
    int n_classes, n_communities;
    hrr_mixing_matrix mixing; /* of classes: what groups have left of it */
    hrr_mixing_matrix rest;   /* the same of communities; later of one pair of them */
    counts begin, size;       /* in wiring.ends: of a community for another */
    counts want;
} deal;

static int class_of(const hrr_wiring *w, uint32_t node)
{
    return hrr_mixing_class(w->goal->degree[node]);
}

/* Without groups, and in a known order: edges are to be as short as the order says. */
static bool in_stretches(const hrr_wiring *w)
{
    return w->goal->place && w->goal->closure.level <= 0;
}

static void leave(hrr_wiring *w, uint32_t node)
{
    w->left[w->n_left++] = node;
}

/* Join u and v; if they may not, through one of the edges made from `first` on. */
static void join_somehow(hrr_wiring *w, uint32_t u, uint32_t v, uint64_t first)
{
    hrr_wires *wires = w->wires;
    if (hrr_wires_may_join(wires, u, v)) {
        hrr_wires_join(wires, u, v);
        return;
    }
    const uint64_t made = wires->n_edges - first;
    for (uint64_t t = 0; t < repairs && made > 0; t++) {
        const uint64_t near = 4 + t * t / 2, among = near < made ? near : made;
        const uint64_t word = hrr_fast_word(w->random);
        const uint64_t f = wires->n_edges - 1 - (word >> 32) % among;
        if (hrr_wires_join_through(wires, u, v, f, word & 1)) return;
    }
    leave(w, u);
    leave(w, v);
}

static void shuffle(hrr_wire_end *ends, uint64_t n, hrr_fast_random *random)
{
    for (uint64_t i = n; i > 1; i--) {
        const uint64_t j = hrr_fast_below(random, i);
        const hrr_wire_end swap = ends[i - 1];
        ends[i - 1] = ends[j];
        ends[j] = swap;
    }
}

/* ---- two sides ------------------------------------------------------------------------------- */

/* x has the sums `row` and `column` afterwards, nearly. */
static void balance_sides(hrr_mixing_matrix x, const double *row, const double *column, int n)
{
    for (int round = 0; round < cell_rounds; round++) {
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += x[i][j];
            const double factor = sum > 0 ? row[i] / sum : 0;
            for (int j = 0; j < n; j++)
                x[i][j] *= factor;
        }
        per_class sum = {0};
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                sum[j] += x[i][j];
        for (int j = 0; j < n; j++)
            sum[j] = sum[j] > 0 ? column[j] / sum[j] : 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                x[i][j] *= sum[j];
    }
}

/* Stable; begin[i] is where class i begins, n_classes + 1 of them. */
static void sort_by_class(uint64_t *begin, hrr_wiring *w, hrr_wire_end *ends, uint64_t n,
                          int n_classes)
{
    uint64_t next[HRR_MOST_MIXING_CLASSES + 1] = {0};
    for (uint64_t k = 0; k < n; k++)
        next[class_of(w, ends[k].node) + 1]++;
    for (int i = 0; i < n_classes; i++)
        next[i + 1] += next[i];
    memcpy(begin, next, ((size_t)n_classes + 1) * sizeof *begin);
    for (uint64_t k = 0; k < n; k++)
        w->other[next[class_of(w, ends[k].node)]++] = ends[k];
    memcpy(ends, w->other, n * sizeof *ends);
}

/* Both sides are sorted by place: those before an end that are not joined yet wait on a stack, so
 * that it meets the one next to it on the other side. */
static void join_nearest(hrr_wiring *w, const hrr_wire_end *a, const hrr_wire_end *b, uint64_t n,
                         uint64_t first)
{
    hrr_wire_end *stack = w->other;
    uint64_t waiting = 0;
    bool waits_a = true;
    for (uint64_t i = 0, j = 0; i < n || j < n;) {
        const bool next_a = j == n || (i < n && a[i].place <= b[j].place);
        const hrr_wire_end next = next_a ? a[i++] : b[j++];
        if (waiting == 0 || waits_a == next_a) {
            waits_a = next_a;
            stack[waiting++] = next;
        } else {
            join_somehow(w, stack[--waiting].node, next.node, first);
        }
    }
}

static void join_ranks(hrr_wiring *w, const hrr_wire_end *a, const hrr_wire_end *b, uint64_t n,
                       uint64_t first)
{
    for (uint64_t k = 0; k < n; k++)
        join_somehow(w, a[k].node, b[k].node, first);
}

/* n ends on each side, in random order: each of one becomes an edge with one of the other. */
static void join_sides(hrr_wiring *w, deal *d, hrr_wire_end *a, hrr_wire_end *b, uint64_t n)
{
    const uint64_t first = w->wires->n_edges;
    const int n_classes = d->n_classes;
    uint64_t at_a[HRR_MOST_MIXING_CLASSES + 1], at_b[HRR_MOST_MIXING_CLASSES + 1];
    uint64_t end_a[HRR_MOST_MIXING_CLASSES], end_b[HRR_MOST_MIXING_CLASSES];
    per_class row, column;
    sort_by_class(at_a, w, a, n, n_classes);
    sort_by_class(at_b, w, b, n, n_classes);
    for (int i = 0; i < n_classes; i++) {
        row[i] = (double)((end_a[i] = at_a[i + 1]) - at_a[i]);
        column[i] = (double)((end_b[i] = at_b[i + 1]) - at_b[i]);
    }
    memcpy(d->rest, d->mixing, sizeof d->rest);
    balance_sides(d->rest, row, column, n_classes);
    for (int i = 0; i < n_classes; i++)
        for (int j = 0; j < n_classes && at_a[i] < end_a[i]; j++) {
            uint64_t size = (uint64_t)(d->rest[i][j] + hrr_fast_uniform(w->random));
            if (size > end_a[i] - at_a[i]) size = end_a[i] - at_a[i];
            if (size > end_b[j] - at_b[j]) size = end_b[j] - at_b[j];
            const uint64_t from = w->wires->n_edges;
            hrr_sort_ends(a + at_a[i], w->other, size);
            hrr_sort_ends(b + at_b[j], w->other, size);
            if (w->goal->place)
                join_nearest(w, a + at_a[i], b + at_b[j], size, from);
            else
                join_ranks(w, a + at_a[i], b + at_b[j], size, from);
            at_a[i] += size;
            at_b[j] += size;
        }
    uint64_t rest_a = 0, rest_b = 0;
    for (int i = 0; i < n_classes; i++) {
        for (uint64_t k = at_a[i]; k < end_a[i]; k++)
            a[rest_a++] = a[k];
        for (uint64_t k = at_b[i]; k < end_b[i]; k++)
            b[rest_b++] = b[k];
    }
    shuffle(a, rest_a, w->random);
    join_ranks(w, a, b, rest_a, first);
}

/* Two sides of one community: of two ends next to each other, each goes to another side. */
static void split_sides(hrr_wiring *w, hrr_wire_end *ends, uint64_t n)
{
    const uint64_t half = n - n / 2;
    hrr_sort_ends(ends, w->other, n);
    memcpy(w->other, ends, n * sizeof *ends);
    for (uint64_t k = 0; k + 1 < n; k += 2) {
        const uint64_t first = hrr_fast_word(w->random) & 1;
        ends[k / 2] = w->other[k + first];
        ends[half + k / 2] = w->other[k + 1 - first];
    }
    if (n % 2) ends[half - 1] = w->other[n - 1];
    shuffle(ends, half, w->random);
    shuffle(ends + half, n / 2, w->random);
}

static void join_both_sides(hrr_wiring *w, deal *d, hrr_wire_end *ends, uint64_t n)
{
    split_sides(w, ends, n);
    if (n % 2) leave(w, ends[n / 2].node);
    join_sides(w, d, ends, ends + n - n / 2, n / 2);
}

/* Where ends stand in a long row, some meet nobody of the right class near them. So the row is cut
 * into stretches, each with room for the ends of its largest node. */
static void join_community(hrr_wiring *w, deal *d, hrr_wire_end *ends, uint64_t n)
{
    uint64_t stretch = n;
    if (in_stretches(w)) {
        uint64_t most = 0;
        for (uint64_t k = 0; k < n; k++)
            if (w->loose[ends[k].node] > most) most = w->loose[ends[k].node];
        stretch = stretch_of_largest * most;
        if (stretch < shortest_stretch) stretch = shortest_stretch;
        if (stretch < n / most_stretches) stretch = n / most_stretches;
        stretch += stretch % 2;
        hrr_sort_ends(ends, w->other, n);
    }
    for (uint64_t size; n > 0; ends += size, n -= size) {
        size = n < 2 * stretch ? n : stretch;
        join_both_sides(w, d, ends, size);
    }
}

static void join_communities(hrr_wiring *w, deal *d, int c, int e)
{
    hrr_wire_end *a = w->ends + d->begin[c][e], *b = w->ends + d->begin[e][c];
    const uint64_t size_a = d->size[c][e], size_b = d->size[e][c];
    const uint64_t n = size_a < size_b ? size_a : size_b;
    for (uint64_t k = n; k < size_a; k++)
        leave(w, a[k].node);
    for (uint64_t k = n; k < size_b; k++)
        leave(w, b[k].node);
    join_sides(w, d, a, b, n);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* What the groups have left of the mixing of classes, in ends; at least a little everywhere. */
static void find_mixing(deal *d, const hrr_wiring *w)
{
    const int n = d->n_classes;
    per_class loose = {0};
    double total = 0;
    for (uint32_t v = 0; v < w->goal->known->n_nodes; v++)
        loose[class_of(w, v)] += w->loose[v];
    for (int i = 0; i < n; i++)
        total += loose[i];
    memcpy(d->mixing, w->goal->mixing->ends, sizeof d->mixing);
    for (uint64_t e = 0; e < w->wires->n_edges; e++) {
        const int i = class_of(w, w->wires->source[e]), j = class_of(w, w->wires->target[e]);
        d->mixing[i][j]--;
        d->mixing[j][i]--;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double chance = total > 0 ? loose[i] * loose[j] / total : 0;
            d->mixing[i][j] = fmax(fmax(d->mixing[i][j], least_chance * chance), hardly);
        }
}

/* The same of communities. */
static void find_rest(deal *d, const hrr_wiring *w)
{
    const hrr_wire_communities *communities = w->goal->communities;
    memcpy(d->rest, communities->ends, sizeof d->rest);
    for (uint64_t e = 0; e < w->wires->n_edges; e++) {
        const uint32_t i = communities->of[w->wires->source[e]];
        const uint32_t j = communities->of[w->wires->target[e]];
        d->rest[i][j]--;
        d->rest[j][i]--;
    }
    for (int i = 0; i < d->n_communities; i++)
        for (int j = 0; j < d->n_communities; j++)
            d->rest[i][j] = fmax(d->rest[i][j], hardly);
}

/* factor[i] factor[j] rest[i][j] has the loose ends of each community as sums. */
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

static void find_want(deal *d, hrr_wiring *w, const double *loose)
{
    const int n = d->n_communities;
    per_class factor;
    balance(factor, d->rest, loose, n);
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            const double ends = d->rest[i][j] * factor[i] * factor[j];
            d->want[i][j] = d->want[j][i] = (uint64_t)(ends + hrr_fast_uniform(w->random));
        }
}

/* A step from the node's place, of log-uniform length; or anywhere. */
static uint32_t step_from(uint32_t place, double near, hrr_fast_random *random)
{
    if (near < 1 && hrr_fast_uniform(random) >= near) return hrr_wire_anywhere(random);
    const double length = pow(shortest, pow(hrr_fast_uniform(random), rarely_far));
    const double step = length * (hrr_fast_uniform(random) - .5) * 0x1p32;
    return place + (uint32_t)(int64_t)step;
}

/* Which community an end of community i leads to: the one in which its place lies, if that is
 * another and wants more. n_communities: it is not decided yet. */
static int leads_to(const hrr_wiring *w, const deal *d, int i, uint32_t place)
{
    const int j = in_stretches(w) ? (int)hrr_wire_community_at(w->goal, place) : i;
    return j != i && d->size[i][j] < d->want[i][j] ? j : d->n_communities;
}

/* n ends of community i, from `first` on, in the order of the communities that they lead to. So
 * edges over the border of two communities are short as well; others lead anywhere. */
static void deal_community(deal *d, hrr_wiring *w, int i, uint64_t first, uint64_t n)
{
    const int undecided = d->n_communities, nowhere = undecided + 1;
    hrr_wire_end *ends = w->ends + first;
    shuffle(ends, n, w->random);
    for (uint64_t k = 0; k < n; k++) {
        w->to[k] = (uint8_t)leads_to(w, d, i, ends[k].place);
        if (w->to[k] < undecided) d->size[i][w->to[k]]++;
    }
    int j = 0;
    for (uint64_t k = 0; k < n; k++) {
        if (w->to[k] < undecided) continue;
        while (j < undecided && d->size[i][j] >= d->want[i][j])
            j++;
        if (j == undecided) {
            leave(w, ends[k].node);
            w->to[k] = (uint8_t)nowhere;
            continue;
        }
        if (j != i) ends[k].place = hrr_wire_anywhere(w->random);
        w->to[k] = (uint8_t)j;
        d->size[i][j]++;
    }
    uint64_t next[HRR_MOST_MIXING_CLASSES], at = first;
    for (j = 0; j < undecided; j++) {
        next[j] = d->begin[i][j] = at;
        at += d->size[i][j];
    }
    memcpy(w->other, ends, n * sizeof *ends);
    for (uint64_t k = 0; k < n; k++)
        if (w->to[k] < undecided) w->ends[next[w->to[k]]++] = w->other[k];
}

static void deal_ends(deal *d, hrr_wiring *w)
{
    const int n = d->n_communities;
    const uint32_t n_nodes = (uint32_t)w->goal->known->n_nodes;
    per_class loose = {0};
    uint64_t first[HRR_MOST_MIXING_CLASSES + 1] = {0}, next[HRR_MOST_MIXING_CLASSES];
    for (uint32_t v = 0; v < n_nodes; v++)
        loose[hrr_wire_community(w->goal, v)] += w->loose[v];
    if (w->goal->communities) {
        find_rest(d, w);
        find_want(d, w, loose);
    } else {
        d->want[0][0] = (uint64_t)loose[0];
    }
    for (int i = 0; i < n; i++) {
        next[i] = first[i];
        first[i + 1] = first[i] + (uint64_t)loose[i];
    }
    for (uint32_t v = 0; v < n_nodes; v++)
        for (uint32_t k = 0; k < w->loose[v]; k++)
            w->ends[next[hrr_wire_community(w->goal, v)]++] =
                (hrr_wire_end){step_from(w->place[v], w->goal->near, w->random), v};
    for (int i = 0; i < n; i++)
        deal_community(d, w, i, first[i], first[i + 1] - first[i]);
}

/* Where a loose edge stands: by the pair of communities, and then by the place of its source. */
static uint32_t standing(const hrr_wiring *w, uint32_t u, uint32_t v)
{
    uint32_t i = hrr_wire_community(w->goal, u), j = hrr_wire_community(w->goal, v);
    if (i < j) i ^= j, j ^= i, i ^= j;
    const uint32_t cell = i * (i + 1) / 2 + j; /* below 2^11 */
    return cell << 21 | w->place[u] >> 11;
}

/* So that near ones can be found. */
static void sort_loose(hrr_wiring *w)
{
    hrr_wires *wires = w->wires;
    const uint64_t first = wires->first_loose, n = wires->n_edges - first;
    for (uint64_t e = 0; e < n; e++)
        w->ends[e] = (hrr_wire_end){standing(w, wires->source[first + e], wires->target[first + e]),
                                    (uint32_t)e};
    hrr_sort_ends(w->ends, w->other, n);
    /* `node` is the number of an edge here; `left` has room behind its ends for a copy of one side:
     * n edges have 2 n ends. */
    uint32_t *const sides[] = {wires->source + first, wires->target + first};
    uint32_t *copy = w->left + w->n_left;
    for (int side = 0; side < 2; side++) {
        for (uint64_t e = 0; e < n; e++)
            copy[e] = sides[side][w->ends[e].node];
        memcpy(sides[side], copy, n * sizeof *copy);
    }
}

/* In random order, and by community. `ends` is free by now. */
static void order_left(hrr_wiring *w)
{
    for (uint64_t i = 0; i < w->n_left; i++)
        w->ends[i] = (hrr_wire_end){
            hrr_wire_community(w->goal, w->left[i]) << 24 |
                (in_stretches(w) ? w->place[w->left[i]] : hrr_wire_anywhere(w->random)) >> 8,
            w->left[i]};
    hrr_sort_ends(w->ends, w->other, w->n_left);
    for (uint64_t i = 0; i < w->n_left; i++)
        w->left[i] = w->ends[i].node;
}

/* Among n sorted loose edges, about where one within the community of u would stand. */
static uint64_t stand_near(const hrr_wiring *w, uint32_t u, uint64_t n)
{
    const hrr_wires *wires = w->wires;
    const uint32_t at = standing(w, u, u);
    uint64_t low = 0, high = n;
    while (low < high) {
        const uint64_t mid = (low + high) / 2, e = wires->first_loose + mid;
        if (standing(w, wires->source[e], wires->target[e]) < at)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* The t-th try. In stretches it is a loose edge, ever farther away. With communities it is a loose
 * edge, since those of groups hold their triangles. Without either, and in the end, it is any edge:
 * loose ones alone would be drawn out into long paths. */
static uint64_t choose_repair(const hrr_wiring *w, uint64_t near, uint64_t n_sorted, uint64_t t)
{
    const hrr_wires *wires = w->wires;
    const bool any = !w->goal->communities && !in_stretches(w);
    if (any || t > far_repairs / 2 || n_sorted == 0)
        return hrr_fast_below(w->random, wires->n_edges);
    if (!in_stretches(w))
        return wires->first_loose + hrr_fast_below(w->random, wires->n_edges - wires->first_loose);
    const uint64_t reach = 4 + t * t / 2;
    const uint64_t from = near > reach ? near - reach : 0;
    const uint64_t to = near + reach < n_sorted ? near + reach : n_sorted;
    return wires->first_loose + from + hrr_fast_below(w->random, to - from);
}

/* Ends that found no partner in their classes, with whoever is left of their community, or through
 * another edge. */
static void join_left(hrr_wiring *w)
{
    hrr_wires *wires = w->wires;
    const uint64_t n_sorted = wires->n_edges - wires->first_loose;
    order_left(w);
    for (uint64_t k = 0; k + 1 < w->n_left; k += 2) {
        const uint32_t u = w->left[k], v = w->left[k + 1];
        const uint32_t community = hrr_wire_community(w->goal, u);
        bool joined = hrr_wires_may_join(wires, u, v);
        if (joined) hrr_wires_join(wires, u, v);
        const uint64_t near = joined || !in_stretches(w) ? 0 : stand_near(w, u, n_sorted);
        for (int t = 0; t < far_repairs && !joined && wires->n_edges > 0; t++) {
            const uint64_t f = choose_repair(w, near, n_sorted, (uint64_t)t);
            const bool inside = hrr_wire_community(w->goal, wires->source[f]) == community &&
                                hrr_wire_community(w->goal, wires->target[f]) == community;
            if (inside || t > far_repairs / 2 || n_sorted == 0)
                joined = hrr_wires_join_through(wires, u, v, f, hrr_fast_word(w->random) & 1);
        }
    }
}

hrr_status hrr_join_loose_ends(hrr_wiring *w, hrr_error *err)
{
    deal *d = hrr_alloc_zero(1, sizeof *d);
    if (!d) return hrr_no_memory(err);
    d->n_classes = w->goal->mixing->n_classes;
    d->n_communities = w->goal->communities ? (int)w->goal->communities->n : 1;
    for (uint64_t v = 0; v < w->goal->known->n_nodes; v++)
        if (!w->place[v]) w->place[v] = hrr_wire_place(w, (uint32_t)v);
    find_mixing(d, w);
    deal_ends(d, w);
    for (int c = 0; c < d->n_communities; c++)
        for (int e = c; e < d->n_communities; e++)
            if (c == e)
                join_community(w, d, w->ends + d->begin[c][c], d->size[c][c]);
            else
                join_communities(w, d, c, e);
    hrr_free(d);
    sort_loose(w);
    join_left(w);
    return HRR_OK;
}
