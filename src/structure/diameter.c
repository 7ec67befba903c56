/* diameter.c: the diameter by iFUB (Crescenzi, Grossi, Habib, Lanzi, Marino, "On computing the
 * diameter of real-world undirected graphs", Theoretical Computer Science 514, 2013).
 *
 * A node u in the middle of the component is found by four searches: from a node of high degree to
 * the farthest one, from there to the farthest, to the middle of that path, and again. Two nodes at
 * most i steps from u are at most 2 i steps apart. So the nodes of the outermost level are searched
 * from, then those of the next; as soon as a path of 2 i steps is known, the levels up to i cannot
 * have a longer one. Nodes of a level are searched from together (distances.c). */
#include "structure/diameter.h"
#include "structure/distances.h"
#include "base/memory.h"

#include <string.h>

/* Sources of one call, however many threads there are: when searches run out does not depend on
 * them. */
enum { together = 4 * HRR_SOURCES_TOGETHER };

/* Searches of one component; nodes count from `begin`. */
typedef struct fringe {
    const hrr_components *graph;
    uint64_t begin, size;
    uint32_t *steps;  /* from the node of the last search */
    uint32_t *parent; /* on a shortest path back to it */
    uint32_t *order;  /* nearest first */
} fringe;

/* The farthest node; its steps are the eccentricity of `from`. */
static uint32_t search(fringe *f, uint32_t from)
{
    const uint64_t *row_start = f->graph->row_start + f->begin;
    uint64_t tail = 0;
    memset(f->steps, 0xff, f->size * sizeof *f->steps);
    f->order[tail++] = from;
    f->parent[from] = from;
    f->steps[from] = 0;
    for (uint64_t head = 0; head < tail; head++) {
        const uint32_t node = f->order[head];
        for (uint64_t e = row_start[node]; e < row_start[node + 1]; e++) {
            const uint32_t next = f->graph->col[e] - (uint32_t)f->begin;
            if (f->steps[next] != UINT32_MAX) continue;
            f->steps[next] = f->steps[node] + 1;
            f->parent[next] = node;
            f->order[tail++] = next;
        }
    }
    return f->order[tail - 1];
}

static uint32_t of_high_degree(const fringe *f)
{
    const uint64_t *row_start = f->graph->row_start + f->begin;
    uint32_t best = 0;
    for (uint32_t i = 1; i < f->size; i++)
        if (row_start[i + 1] - row_start[i] > row_start[best + 1] - row_start[best]) best = i;
    return best;
}

/* Two sweeps: out and across. Returns the middle of the path; *least grows to its length. */
static uint32_t sweep(fringe *f, uint32_t from, uint64_t *least)
{
    const uint32_t far = search(f, from);
    uint32_t middle = search(f, far);
    const uint32_t length = f->steps[middle];
    if (length > *least) *least = length;
    for (uint32_t back = 0; back < length / 2; back++)
        middle = f->parent[middle];
    return middle;
}

/* Search from nodes [first, last) of the order; out->least grows to the longest path found. */
static hrr_status search_level(hrr_diameter *out, const fringe *f, uint32_t *sources,
                               uint64_t first, uint64_t last, int threads, hrr_progress *progress,
                               hrr_error *err)
{
    hrr_distances found;
    for (uint64_t k = first; k < last; k++)
        sources[k - first] = f->order[k] + (uint32_t)f->begin;
    hrr_sources_sort(sources, last - first);
    hrr_status status = hrr_distances_from(&found, f->graph, sources, last - first, UINT64_MAX,
                                           threads, progress, err);
    if (status) return status;
    if (found.longest > out->least) out->least = found.longest;
    out->n_searches += last - first;
    hrr_distances_clear(&found);
    return HRR_OK;
}

/* Levels from the outside in, until no pair of nodes inside can be farther apart than one that was
 * found, or searches run out: then what is left open bounds out->most. */
static hrr_status close_in(hrr_diameter *out, const fringe *f, uint32_t *sources,
                           uint64_t most_searches, int threads, hrr_progress *progress,
                           hrr_error *err)
{
    uint64_t last = f->size;
    while (last > 0) {
        const uint64_t level = f->steps[f->order[last - 1]];
        if (2 * level <= out->least) break;
        if (out->n_searches >= most_searches) {
            if (2 * level > out->most) out->most = 2 * level;
            break;
        }
        uint64_t first = last;
        while (first > 0 && last - first < together && f->steps[f->order[first - 1]] == level)
            first--;
        hrr_status status = search_level(out, f, sources, first, last, threads, progress, err);
        if (status) return status;
        last = first;
    }
    return HRR_OK;
}

static hrr_status look_at(hrr_diameter *out, const hrr_components *graph, uint64_t component,
                          uint64_t most_searches, int threads, hrr_progress *progress,
                          hrr_error *err)
{
    fringe f = {.graph = graph, .begin = graph->start[component]};
    f.size = graph->start[component + 1] - f.begin;
    f.steps = hrr_alloc(f.size, sizeof *f.steps);
    f.parent = hrr_alloc(f.size, sizeof *f.parent);
    f.order = hrr_alloc(f.size, sizeof *f.order);
    uint32_t *sources = hrr_alloc(together, sizeof *sources);
    hrr_status status = HRR_OK;
    if (!f.steps || !f.parent || !f.order || !sources) {
        status = hrr_no_memory(err);
    } else {
        const uint32_t once = sweep(&f, of_high_degree(&f), &out->least);
        search(&f, sweep(&f, once, &out->least));
        out->n_searches += 5;
        status = close_in(out, &f, sources, most_searches, threads, progress, err);
    }
    hrr_free(f.steps);
    hrr_free(f.parent);
    hrr_free(f.order);
    hrr_free(sources);
    return status;
}

hrr_status hrr_diameter_find(hrr_diameter *out, const hrr_components *graph, uint64_t most_searches,
                             int threads, hrr_progress *progress, hrr_error *err)
{
    hrr_status status = HRR_OK;
    uint64_t largest = 0, size = 0;
    *out = (hrr_diameter){0};
    for (uint64_t c = 0; c < graph->n; c++)
        if (graph->start[c + 1] - graph->start[c] > size) {
            size = graph->start[c + 1] - graph->start[c];
            largest = c;
        }
    if (size > 1) /* the largest first: it rules most of the others out */
        status = look_at(out, graph, largest, most_searches, threads, progress, err);
    for (uint64_t c = 0; c < graph->n && !status; c++)
        if (c != largest && graph->start[c + 1] - graph->start[c] > out->least + 1)
            status = look_at(out, graph, c, most_searches, threads, progress, err);
    if (out->most < out->least) out->most = out->least;
    return status;
}
