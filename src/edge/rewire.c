/* rewire.c: see rewire.h. */
#include "edge/rewire.h"
#include "edge/wiring.h"
#include "base/memory.h"

enum { spare_tries = 1000 }; /* to each side */

/* ---- assortativity --------------------------------------------------------------------------- */

typedef struct moments {
    double n, products, mean, variance; /* of degrees at the ends of edges */
} moments;

static void add_edges(moments *out, uint64_t n, const uint32_t *source, const uint32_t *target,
                      const uint32_t *degree)
{
    for (uint64_t e = 0; e < n; e++) {
        const double a = degree[source[e]], b = degree[target[e]];
        out->products += a * b;
        out->mean += (a + b) / 2;
        out->variance += (a * a + b * b) / 2;
    }
    out->n += (double)n;
}

static moments measure(const hrr_wires *wires, const hrr_edge_public *known, const uint32_t *degree)
{
    moments m = {0};
    add_edges(&m, known->n_edges, known->source, known->target, degree);
    add_edges(&m, wires->n_edges, wires->source, wires->target, degree);
    if (m.n == 0) return m;
    m.mean /= m.n;
    m.variance = m.variance / m.n - m.mean * m.mean;
    return m;
}

double hrr_wires_assortativity(const hrr_wires *wires, const hrr_edge_public *known,
                               const uint32_t *degree)
{
    const moments m = measure(wires, known, degree);
    return m.n > 0 && m.variance > 1e-9 ? (m.products / m.n - m.mean * m.mean) / m.variance : 0;
}

/* Edges e = u-v and f = x-y may become u-y and x-v (turned: y is f's source): the same pairs of
 * communities are joined if two ends that are exchanged are of the same. */
static bool keeps_communities(const hrr_wires *wires, const uint32_t *community, uint64_t e,
                              uint64_t f, bool turned)
{
    if (!community) return true;
    const uint32_t x = turned ? wires->target[f] : wires->source[f];
    const uint32_t y = turned ? wires->source[f] : wires->target[f];
    return community[wires->source[e]] == community[x] ||
           community[wires->target[e]] == community[y];
}

void hrr_wires_assort(hrr_wires *wires, const hrr_edge_public *known, const uint32_t *degree,
                      const uint32_t *community, double goal, hrr_fast_random *random)
{
    const uint64_t first = wires->first_loose, n = wires->n_edges - first;
    const moments m = measure(wires, known, degree);
    const double wanted = m.n * (goal * m.variance + m.mean * m.mean);
    double sum = m.products;
    const bool raise = sum < wanted;
    if (n < 4) return;
    for (uint64_t t = 0; t < 20 * n && (raise ? sum < wanted : sum > wanted); t++) {
        /* The second edge lies near the first on the ring; in the end anywhere. */
        const uint64_t near = t < 10 * n && n / 50 + 2 < n ? n / 50 + 2 : n;
        uint64_t e = hrr_fast_below(random, n), f = (e + hrr_fast_below(random, near)) % n;
        if (e == f) continue;
        e += first, f += first;
        const double u = degree[wires->source[e]], v = degree[wires->target[e]];
        const double x = degree[wires->source[f]], y = degree[wires->target[f]];
        const double straight = u * y + x * v, turned = u * x + y * v;
        const bool turn = raise ? turned > straight : turned < straight;
        const double change = (turn ? turned : straight) - (u * v + x * y);
        if ((raise ? change > 0 : change < 0) && keeps_communities(wires, community, e, f, turn) &&
            hrr_wires_swap(wires, e, f, turn))
            sum += change;
    }
}

/* ---- components ------------------------------------------------------------------------------ */

static uint32_t find(uint32_t *parent, uint32_t node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

/* False if they were in one component already. Smaller numbers become roots of larger: fair enough
 * with halved paths. */
static bool unite(uint32_t *parent, uint32_t u, uint32_t v)
{
    u = find(parent, u);
    v = find(parent, v);
    if (u == v) return false;
    parent[u < v ? v : u] = u < v ? u : v;
    return true;
}

static void start(uint32_t *parent, uint64_t n_nodes, const hrr_edge_public *known)
{
    for (uint64_t i = 0; i < n_nodes; i++)
        parent[i] = (uint32_t)i;
    for (uint64_t e = 0; e < known->n_edges; e++)
        unite(parent, known->source[e], known->target[e]);
}

static void flatten(uint32_t *parent, uint64_t n_nodes)
{
    for (uint64_t i = 0; i < n_nodes; i++)
        parent[i] = find(parent, (uint32_t)i);
}

uint64_t hrr_count_components(uint32_t *parent, uint64_t n_nodes, const hrr_edge_public *known,
                              uint64_t n_edges, const uint32_t *source, const uint32_t *target)
{
    uint64_t n = 0;
    start(parent, n_nodes, known);
    for (uint64_t e = 0; e < n_edges; e++)
        unite(parent, source[e], target[e]);
    flatten(parent, n_nodes);
    /* A root with another node below it is counted once, and marked. */
    for (uint64_t i = 0; i < n_nodes; i++) {
        const uint32_t root = parent[i];
        if (root == i || root == UINT32_MAX || parent[root] == UINT32_MAX) continue;
        parent[root] = UINT32_MAX;
        n++;
    }
    return n;
}

/* Edges that close a cycle can be spared where they are. */
typedef struct parts {
    uint32_t *parent; /* n */
    uint64_t *edge;   /* n: one synthetic edge of the component of a root; UINT64_MAX: none */
    hrr_wire_end *spare, *scratch; /* edges that close a cycle, by place; `node` is their number */
    uint64_t n_of_groups;          /* of these, which come first; others are loose */
    uint64_t n_spare, n_components;
    bool *used;      /* n_edges: it may hold a component together by now */
    uint32_t *small; /* roots of all with a synthetic edge but the largest, in random order */
    uint64_t n_small;
} parts;

static hrr_status parts_init(parts *p, uint64_t n, uint64_t n_edges, hrr_error *err)
{
    *p = (parts){.parent = hrr_alloc(n, sizeof *p->parent),
                 .edge = hrr_alloc(n, sizeof *p->edge),
                 .spare = hrr_alloc(n_edges, sizeof *p->spare),
                 .scratch = hrr_alloc(n_edges, sizeof *p->scratch),
                 .used = hrr_alloc_zero(n_edges, sizeof *p->used),
                 .small = hrr_alloc(n, sizeof *p->small)};
    if (p->parent && p->edge && p->spare && p->scratch && p->used && p->small) return HRR_OK;
    return hrr_no_memory(err);
}

static void parts_clear(parts *p)
{
    hrr_free(p->parent);
    hrr_free(p->edge);
    hrr_free(p->spare);
    hrr_free(p->scratch);
    hrr_free(p->used);
    hrr_free(p->small);
}

static uint32_t place_of(const uint32_t *place, uint32_t node, hrr_fast_random *random)
{
    return place ? place[node] : hrr_wire_anywhere(random);
}

/* Groups hold themselves together, so that loose edges can be spared: these come first. */
static void find_spare(parts *p, const hrr_wires *wires, const hrr_edge_public *known,
                       const uint32_t *place, hrr_fast_random *random)
{
    start(p->parent, known->n_nodes, known);
    uint64_t n_of_groups = 0;
    for (uint64_t e = 0; e < wires->n_edges; e++) {
        if (e == wires->first_loose) n_of_groups = p->n_spare;
        if (!unite(p->parent, wires->source[e], wires->target[e]))
            p->spare[p->n_spare++] =
                (hrr_wire_end){place_of(place, wires->source[e], random), (uint32_t)e};
    }
    if (wires->n_edges <= wires->first_loose) n_of_groups = p->n_spare;
    hrr_sort_ends(p->spare, p->scratch, n_of_groups);
    hrr_sort_ends(p->spare + n_of_groups, p->scratch, p->n_spare - n_of_groups);
    p->n_of_groups = n_of_groups;
    flatten(p->parent, known->n_nodes);
}

/* size: scratch for n. */
static void find_small(parts *p, uint32_t *size, const hrr_wires *wires, uint64_t n,
                       hrr_fast_random *random)
{
    uint32_t largest = 0;
    for (uint64_t i = 0; i < n; i++) {
        size[i] = 0;
        p->edge[i] = UINT64_MAX;
    }
    for (uint64_t i = 0; i < n; i++)
        size[p->parent[i]]++;
    /* The last one stays: a loose edge, if there is any, for those of groups are in triangles. */
    for (uint64_t e = 0; e < wires->n_edges; e++)
        p->edge[p->parent[wires->source[e]]] = e;
    for (uint64_t i = 0; i < n; i++)
        if (size[i] > size[largest]) largest = (uint32_t)i;
    for (uint64_t i = 0; i < n; i++) {
        p->n_components += size[i] > 1;
        if (i == largest || p->edge[i] == UINT64_MAX) continue;
        const uint64_t at = hrr_fast_below(random, p->n_small + 1);
        p->small[p->n_small++] = p->small[at];
        p->small[at] = (uint32_t)i;
    }
}

/* Join the component of edge e with another through an edge that this one can spare, of n, near
 * `from`. */
static bool join_through_spare(parts *p, hrr_wires *wires, uint64_t e, const hrr_wire_end *spare,
                               uint64_t n, uint32_t from, hrr_fast_random *random)
{
    uint64_t low = 0, high = n;
    while (low < high) {
        const uint64_t mid = (low + high) / 2;
        if (spare[mid].place < from)
            low = mid + 1;
        else
            high = mid;
    }
    const uint32_t own = find(p->parent, wires->source[e]);
    /* To both sides in turn. */
    for (uint64_t t = 0; t < 2 * spare_tries && t < n; t++) {
        const uint64_t away = t / 2;
        const uint64_t f = spare[t % 2 ? (low + n - 1 - away) % n : (low + away) % n].node;
        const uint32_t other = find(p->parent, wires->source[f]);
        if (p->used[f] || other == own) continue;
        /* Ends in different components: the new edges cannot be there already. */
        if (!hrr_wires_swap(wires, e, f, hrr_fast_word(random) & 1)) continue;
        p->used[e] = p->used[f] = true;
        unite(p->parent, own, other);
        return true;
    }
    return false;
}

static bool join_part(parts *p, hrr_wires *wires, uint64_t e, const uint32_t *place,
                      hrr_fast_random *random)
{
    const uint32_t from = place_of(place, wires->source[e], random);
    const uint64_t n = p->n_of_groups;
    return join_through_spare(p, wires, e, p->spare + n, p->n_spare - n, from, random) ||
           join_through_spare(p, wires, e, p->spare, n, from, random);
}

hrr_status hrr_wires_connect(hrr_wires *wires, const hrr_edge_public *known, const uint32_t *place,
                             uint64_t most, hrr_fast_random *random, hrr_error *err)
{
    const uint64_t n = known->n_nodes;
    parts p;
    uint32_t *size = hrr_alloc(n, sizeof *size);
    hrr_status status = parts_init(&p, n, wires->n_edges, err);
    if (!status && !size) status = hrr_no_memory(err);
    if (status) goto done;
    find_spare(&p, wires, known, place, random);
    find_small(&p, size, wires, n, random);
    for (uint64_t k = 0; k < p.n_small && p.n_components > most; k++)
        p.n_components -= join_part(&p, wires, p.edge[p.small[k]], place, random);
done:
    parts_clear(&p);
    hrr_free(size);
    return status;
}
