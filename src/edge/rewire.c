/* rewire.c: see rewire.h. */
#include "edge/rewire.h"
#include "base/memory.h"
#include "random/fast.h"

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

void hrr_wires_assort(hrr_wires *wires, const hrr_edge_public *known, const uint32_t *degree,
                      double goal, hrr_fast_random *random)
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
        if ((raise ? change > 0 : change < 0) && hrr_wires_swap(wires, e, f, turn)) sum += change;
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

typedef struct parts {
    uint32_t *parent;  /* n */
    uint32_t *size;    /* n: of the component of a root */
    uint64_t *edge;    /* n: one synthetic edge of the component of a root; UINT64_MAX: none */
    uint64_t *closing; /* edges that close a cycle */
    uint64_t n_closing, n_components;
    uint32_t *small; /* roots of all but the largest, in random order */
    uint64_t n_small;
} parts;

static void find_parts(parts *p, const hrr_wires *wires, const hrr_edge_public *known,
                       hrr_fast_random *random)
{
    const uint64_t n = known->n_nodes;
    uint32_t largest = 0;
    start(p->parent, n, known);
    for (uint64_t e = wires->n_edges; e-- > 0;)
        if (!unite(p->parent, wires->source[e], wires->target[e])) p->closing[p->n_closing++] = e;
    flatten(p->parent, n);
    for (uint64_t i = 0; i < n; i++) {
        p->size[p->parent[i]]++;
        p->edge[i] = UINT64_MAX;
    }
    for (uint64_t e = wires->n_edges; e-- > 0;)
        p->edge[p->parent[wires->source[e]]] = e;
    for (uint64_t i = 0; i < n; i++)
        if (p->size[i] > p->size[largest]) largest = (uint32_t)i;
    for (uint64_t i = 0; i < n; i++) {
        p->n_components += p->size[i] > 1;
        if (i == largest || p->edge[i] == UINT64_MAX) continue;
        const uint64_t at = hrr_fast_below(random, p->n_small + 1);
        p->small[p->n_small++] = p->small[at];
        p->small[at] = (uint32_t)i;
    }
    uint64_t kept = 0;
    for (uint64_t k = 0; k < p->n_closing; k++)
        if (p->parent[wires->source[p->closing[k]]] == largest) p->closing[kept++] = p->closing[k];
    p->n_closing = kept;
}

hrr_status hrr_wires_connect(hrr_wires *wires, const hrr_edge_public *known, uint64_t most,
                             hrr_fast_random *random, hrr_error *err)
{
    const uint64_t n = known->n_nodes;
    hrr_status status = HRR_OK;
    parts p = {.parent = hrr_alloc(n, sizeof *p.parent),
               .size = hrr_alloc_zero(n, sizeof *p.size),
               .edge = hrr_alloc(n, sizeof *p.edge),
               .closing = hrr_alloc(wires->n_edges, sizeof *p.closing),
               .small = hrr_alloc(n, sizeof *p.small)};
    if (!p.parent || !p.size || !p.edge || !p.closing || !p.small) {
        status = hrr_no_memory(err);
        goto done;
    }
    find_parts(&p, wires, known, random);
    for (uint64_t k = 0; k < p.n_small && p.n_components > most && p.n_closing > 0; k++) {
        const uint64_t at = hrr_fast_below(random, p.n_closing), f = p.closing[at];
        /* Ends in different components: the new edges cannot be there already. */
        if (hrr_wires_swap(wires, p.edge[p.small[k]], f, hrr_fast_word(random) & 1))
            p.n_components--;
        p.closing[at] = p.closing[--p.n_closing];
    }
done:
    hrr_free(p.parent);
    hrr_free(p.size);
    hrr_free(p.edge);
    hrr_free(p.closing);
    hrr_free(p.small);
    return status;
}
