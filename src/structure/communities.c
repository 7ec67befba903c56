/* communities.c: communities by Louvain's method (Blondel, Guillaume, Lambiotte, Lefebvre 2008).
 *
 * Every node starts alone. In random order each moves to the neighbouring community that raises
 * modularity most; when nobody wants to move, communities become the nodes of a smaller graph and
 * it begins again. Moving node i (weighted degree k) into community c is worth
 *
 *     links(i, c) 2 m - k D_c
 *
 * up to a factor that all candidates share: whole numbers, compared in 128 bits. So every move
 * really raises modularity, the method ends by itself, and a seed gives the same communities
 * everywhere. */
#include <heterorr/structure.h>

#include <heterorr/random.h>

#include "base/memory.h"
#include "matrix/csr.h"
#include "random/fast.h"
#include "structure/communities.h"
#include "structure/measures.h"
#include "structure/shape.h"

#include <string.h>

enum { most_passes = 64 };

__extension__ typedef __int128 wide;

/* A weighted graph without its self-loops, which no move changes. */
typedef struct level {
    uint32_t n_nodes;
    uint64_t *start, *weight;
    uint32_t *to;
    uint64_t *degree; /* weighted, self-loops included */
} level;

typedef struct louvain {
    level now, next;
    uint32_t *community;  /* of each node of `now` */
    uint64_t *total;      /* D_c */
    uint64_t *link;       /* zero outside `near` */
    uint32_t *near;       /* communities around a node */
    uint32_t *order;      /* of visits; later nodes by community */
    uint32_t *member_end; /* counting sort by community */
    uint64_t ends;        /* 2 m */
    hrr_fast_random random;
} louvain;

static hrr_status level_init(level *l, uint32_t n_nodes, uint64_t n_entries, hrr_error *err)
{
    l->n_nodes = n_nodes;
    l->start = hrr_alloc((size_t)n_nodes + 1, sizeof *l->start);
    l->to = hrr_alloc(n_entries, sizeof *l->to);
    l->weight = hrr_alloc(n_entries, sizeof *l->weight);
    l->degree = hrr_alloc_zero(n_nodes, sizeof *l->degree);
    return l->start && l->to && l->weight && l->degree ? HRR_OK : hrr_no_memory(err);
}

static void level_clear(level *l)
{
    hrr_free(l->start);
    hrr_free(l->to);
    hrr_free(l->weight);
    hrr_free(l->degree);
    *l = (level){0};
}

/* ---- moving --------------------------------------------------------------------------------- */

static void shuffle(louvain *w)
{
    for (uint32_t i = 0; i < w->now.n_nodes; i++)
        w->order[i] = i;
    for (uint32_t i = w->now.n_nodes; i > 1; i--) {
        const uint32_t j = (uint32_t)hrr_fast_below(&w->random, i), last = w->order[i - 1];
        w->order[i - 1] = w->order[j];
        w->order[j] = last;
    }
}

static wide worth(const louvain *w, uint32_t community, uint64_t degree)
{
    return (wide)w->link[community] * (wide)w->ends - (wide)degree * (wide)w->total[community];
}

/* Whether the node found a better community. Equal worth: the present one, then the lowest. */
static bool move(louvain *w, uint32_t node)
{
    const level *l = &w->now;
    const uint32_t home = w->community[node];
    const uint64_t degree = l->degree[node];
    uint32_t n_near = 0;
    for (uint64_t e = l->start[node]; e < l->start[node + 1]; e++) {
        const uint32_t c = w->community[l->to[e]];
        if (w->link[c] == 0) w->near[n_near++] = c;
        w->link[c] += l->weight[e];
    }
    w->total[home] -= degree;
    uint32_t best = home;
    wide best_worth = worth(w, home, degree);
    for (uint32_t k = 0; k < n_near; k++) {
        const uint32_t c = w->near[k];
        const wide value = worth(w, c, degree);
        if (value > best_worth || (value == best_worth && best != home && c < best)) {
            best = c;
            best_worth = value;
        }
    }
    w->total[best] += degree;
    w->community[node] = best;
    for (uint32_t k = 0; k < n_near; k++)
        w->link[w->near[k]] = 0;
    return best != home;
}

static hrr_status move_all(louvain *w, hrr_progress *progress, hrr_error *err)
{
    const uint32_t n = w->now.n_nodes;
    for (uint32_t i = 0; i < n; i++) {
        w->community[i] = i;
        w->total[i] = w->now.degree[i];
    }
    bool moved = true;
    for (int pass = 0; moved && pass < most_passes; pass++) {
        moved = false;
        shuffle(w);
        for (uint32_t i = 0; i < n; i++)
            moved |= move(w, w->order[i]);
        hrr_status status = hrr_progress_advance(progress, n, err);
        if (status) return status;
    }
    return HRR_OK;
}

/* ---- shrinking ------------------------------------------------------------------------------ */

/* Number the communities by their first nodes; returns how many there are. Uses `near`. */
static uint32_t renumber(uint32_t *community, uint32_t n, uint32_t *number)
{
    uint32_t count = 0;
    memset(number, 0xff, n * sizeof *number);
    for (uint32_t i = 0; i < n; i++) {
        if (number[community[i]] == UINT32_MAX) number[community[i]] = count++;
        community[i] = number[community[i]];
    }
    return count;
}

static void sort_by_community(louvain *w, uint32_t n_communities)
{
    const uint32_t n = w->now.n_nodes;
    memset(w->member_end, 0, n_communities * sizeof *w->member_end);
    for (uint32_t i = 0; i < n; i++)
        w->member_end[w->community[i]]++;
    for (uint32_t c = 0, sum = 0; c < n_communities; c++) {
        const uint32_t count = w->member_end[c];
        w->member_end[c] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < n; i++)
        w->order[w->member_end[w->community[i]]++] = i;
}

/* Communities become nodes; edges between them are added up. */
static hrr_status shrink(louvain *w, uint32_t n_communities, hrr_error *err)
{
    const level *l = &w->now;
    hrr_status status = level_init(&w->next, n_communities, l->start[l->n_nodes], err);
    if (status) return status;
    sort_by_community(w, n_communities);
    uint64_t at = 0;
    uint32_t member = 0;
    for (uint32_t c = 0; c < n_communities; c++) {
        uint32_t n_near = 0;
        w->next.start[c] = at;
        for (; member < w->member_end[c]; member++) {
            const uint32_t i = w->order[member];
            w->next.degree[c] += l->degree[i];
            for (uint64_t e = l->start[i]; e < l->start[i + 1]; e++) {
                const uint32_t other = w->community[l->to[e]];
                if (other == c) continue;
                if (w->link[other] == 0) w->near[n_near++] = other;
                w->link[other] += l->weight[e];
            }
        }
        for (uint32_t k = 0; k < n_near; k++, at++) {
            w->next.to[at] = w->near[k];
            w->next.weight[at] = w->link[w->near[k]];
            w->link[w->near[k]] = 0;
        }
    }
    w->next.start[n_communities] = at;
    level_clear(&w->now);
    w->now = w->next;
    w->next = (level){0};
    return HRR_OK;
}

/* ---- together ------------------------------------------------------------------------------- */

static hrr_status first_level(louvain *w, const hrr_weighted_links *links, hrr_error *err)
{
    const uint32_t n = links->n_nodes;
    const uint64_t n_entries = links->start[n];
    hrr_status status = level_init(&w->now, n, n_entries, err);
    if (status) return status;
    memcpy(w->now.start, links->start, ((size_t)n + 1) * sizeof *w->now.start);
    if (n_entries) memcpy(w->now.to, links->to, n_entries * sizeof *w->now.to);
    for (uint32_t i = 0; i < n; i++) {
        w->now.degree[i] = links->loops ? 2 * links->loops[i] : 0;
        for (uint64_t e = links->start[i]; e < links->start[i + 1]; e++) {
            w->now.weight[e] = links->weight ? links->weight[e] : 1;
            w->now.degree[i] += w->now.weight[e];
        }
        w->ends += w->now.degree[i];
    }
    w->community = hrr_alloc(n, sizeof *w->community);
    w->total = hrr_alloc(n, sizeof *w->total);
    w->link = hrr_alloc_zero(n, sizeof *w->link);
    w->near = hrr_alloc(n, sizeof *w->near);
    w->order = hrr_alloc(n, sizeof *w->order);
    w->member_end = hrr_alloc(n, sizeof *w->member_end);
    if (w->community && w->total && w->link && w->near && w->order && w->member_end) return HRR_OK;
    return hrr_no_memory(err);
}

hrr_status hrr_communities_find(uint32_t *community, uint32_t *n_communities, const hrr_csr *graph,
                                uint64_t seed, hrr_progress *progress, hrr_error *err)
{
    *n_communities = 0;
    hrr_status status = hrr_same_nodes(graph, graph, err);
    if (status || graph->rows == 0) return status;
    const hrr_weighted_links links = {
        .n_nodes = (uint32_t)graph->rows, .start = graph->row_start, .to = graph->col};
    return hrr_communities_of_links(community, n_communities, &links, seed, progress, err);
}

hrr_status hrr_communities_of_links(uint32_t *community, uint32_t *n_communities,
                                    const hrr_weighted_links *links, uint64_t seed,
                                    hrr_progress *progress, hrr_error *err)
{
    const uint32_t n = links->n_nodes;
    hrr_status status;
    louvain w = {0};
    hrr_fast_init(&w.random, seed, 0);
    if ((status = first_level(&w, links, err))) goto done;
    for (uint32_t i = 0; i < n; i++)
        community[i] = i;
    hrr_progress_begin(progress, "finding communities", 0);
    for (;;) {
        if ((status = move_all(&w, progress, err))) goto done;
        const uint32_t before = w.now.n_nodes;
        const uint32_t count = renumber(w.community, before, w.near);
        for (uint32_t i = 0; i < n; i++)
            community[i] = w.community[community[i]];
        *n_communities = count;
        if (count == before) break;
        if ((status = shrink(&w, count, err))) goto done;
    }
done:
    level_clear(&w.now);
    level_clear(&w.next);
    hrr_free(w.community);
    hrr_free(w.total);
    hrr_free(w.link);
    hrr_free(w.near);
    hrr_free(w.order);
    hrr_free(w.member_end);
    return status;
}
