/* canonical.c: the canonical form of an edge list.
 *
 * Privacy depends on it: every candidate pair must be counted once, or one edge moves a count by
 * two. Files written by this library are canonical already, which one scan finds out. Anything
 * else is sorted like a matrix that is transposed twice (Gustavson 1978): throw each edge into
 * the bucket of its larger end, then walk those buckets in order and throw each edge into the
 * bucket of its smaller end, where the larger ends now arrive in ascending order. Two scatters,
 * no comparison, a hub costs no more than anyone else, and only one end has to be stored, because
 * the bucket is the other. The input is never written: it may be a mapped file, and a cancelled
 * call leaves it whole. Where large arrays are in scratch files (base/scratch.h), merge_runs.c
 * sorts instead. */
#include "graph/canonical.h"
#include "graph/merge_runs.h"
#include "base/memory.h"
#include "base/scratch.h"

#include <inttypes.h>

enum { STEP = 1 << 16 }; /* edges between two looks at the progress */

static inline uint64_t step_end(uint64_t begin, uint64_t n)
{
    return n - begin < STEP ? n : begin + STEP;
}

hrr_status hrr_edges_are_canonical(bool *out, const hrr_edge_list *edges, uint64_t n_nodes,
                                   hrr_progress *progress, hrr_error *err)
{
    const uint32_t *source = edges->source, *target = edges->target;
    const uint32_t limit = n_nodes < UINT32_MAX ? (uint32_t)n_nodes : UINT32_MAX;
    *out = false;
    if (edges->n_edges > 0 && (source[0] >= target[0] || target[0] >= limit)) return HRR_OK;
    for (uint64_t begin = 0, end; begin < edges->n_edges; begin = end) {
        end = step_end(begin, edges->n_edges);
        uint32_t bad = 0; /* 32-bit integers throughout, so that compilers make vectors of it */
        for (uint64_t e = begin + (begin == 0); e < end; e++) {
            const uint32_t not_after = (source[e] < source[e - 1]) | ((source[e] == source[e - 1]) &
                                                                      (target[e] <= target[e - 1]));
            bad |= not_after | (source[e] >= target[e]) | (target[e] >= limit);
        }
        if (bad) return HRR_OK;
        hrr_status status = hrr_progress_advance(progress, end - begin, err);
        if (status) return status;
    }
    *out = true;
    return HRR_OK;
}

/* counts[i] becomes the sum of those before it; the return value is the sum of all n. */
static uint64_t starts_from_counts(uint64_t *counts, uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
    return sum;
}

hrr_status hrr_edges_refuse_node(const char *what, uint64_t e, uint64_t n_nodes, hrr_error *err)
{
    return hrr_fail(err, HRR_EDATA,
                    "%s: edge %" PRIu64
                    " (counting from 0) names a node that does not exist; the graph has %" PRIu64
                    " %s, 0 to %" PRIu64,
                    what, e, n_nodes, hrr_plural(n_nodes, "node", "nodes"), n_nodes - 1);
}

/* Sizes of the buckets by larger and by smaller end; the one place that sees every endpoint
 * before it is used as an index. */
static hrr_status count_ends(uint64_t *by_larger, uint64_t *by_smaller, uint64_t *self_loops,
                             const hrr_edge_list *edges, uint64_t n_nodes, const char *what,
                             hrr_progress *progress, hrr_error *err)
{
    for (uint64_t begin = 0, end; begin < edges->n_edges; begin = end) {
        end = step_end(begin, edges->n_edges);
        for (uint64_t e = begin; e < end; e++) {
            uint32_t u = edges->source[e], v = edges->target[e];
            if (u >= n_nodes || v >= n_nodes) return hrr_edges_refuse_node(what, e, n_nodes, err);
            if (u == v) {
                ++*self_loops;
                continue;
            }
            by_larger[u > v ? u : v]++;
            by_smaller[u < v ? u : v]++;
        }
        hrr_status status = hrr_progress_advance(progress, end - begin, err);
        if (status) return status;
    }
    return HRR_OK;
}

/* First scatter: into the bucket of the larger end goes the smaller. */
static hrr_status scatter_by_larger(uint32_t *smaller, uint8_t *marks, uint64_t *next,
                                    const hrr_edge_list *edges, hrr_progress *progress,
                                    hrr_error *err)
{
    for (uint64_t begin = 0, end; begin < edges->n_edges; begin = end) {
        end = step_end(begin, edges->n_edges);
        for (uint64_t e = begin; e < end; e++) {
            uint32_t u = edges->source[e], v = edges->target[e];
            if (u == v) continue;
            uint64_t place = next[u > v ? u : v]++;
            smaller[place] = u < v ? u : v;
            if (marks) marks[place] = edges->marks[e];
        }
        hrr_status status = hrr_progress_advance(progress, end - begin, err);
        if (status) return status;
    }
    return HRR_OK;
}

/* Second scatter, buckets of larger ends in order. larger_end[v] is where bucket v ends: the
 * first scatter left its cursors there. */
static hrr_status scatter_by_smaller(uint32_t *larger, uint8_t *larger_marks, uint64_t *next,
                                     const uint32_t *smaller, const uint8_t *marks,
                                     const uint64_t *larger_end, uint64_t n_nodes,
                                     hrr_progress *progress, hrr_error *err)
{
    uint64_t e = 0, reported = 0;
    for (uint64_t v = 0; v < n_nodes; v++) {
        for (; e < larger_end[v]; e++) {
            uint64_t place = next[smaller[e]]++;
            larger[place] = (uint32_t)v;
            if (marks) larger_marks[place] = marks[e];
        }
        if (e - reported >= STEP) {
            hrr_status status = hrr_progress_advance(progress, e - reported, err);
            if (status) return status;
            reported = e;
        }
    }
    return HRR_OK;
}

/* Write out the sources that the buckets imply and squeeze repeats out, in place. */
static uint64_t write_unique(uint32_t *source, uint32_t *target, uint8_t *marks,
                             const uint64_t *smaller_end, uint64_t n_nodes)
{
    uint64_t kept = 0, e = 0;
    for (uint64_t u = 0; u < n_nodes; u++) {
        uint64_t first = kept;
        for (; e < smaller_end[u]; e++) {
            if (kept > first && target[kept - 1] == target[e]) {
                if (marks) marks[kept - 1] |= marks[e];
                continue;
            }
            source[kept] = (uint32_t)u;
            target[kept] = target[e];
            if (marks) marks[kept] = marks[e];
            kept++;
        }
    }
    return kept;
}

static void shrink(hrr_region *region, uint64_t count, size_t size)
{
    if (!region->start || region->size == count * size) return;
    void *smaller = hrr_resize(region->start, count, size);
    if (!smaller) return; /* keeping it all is no error */
    region->start = smaller;
    region->size = count * size;
}

void hrr_edge_list_shrink(hrr_edge_list *edges, uint64_t n_edges)
{
    shrink(&edges->source_storage, n_edges, sizeof *edges->source);
    shrink(&edges->target_storage, n_edges, sizeof *edges->target);
    shrink(&edges->marks_storage, n_edges, 1);
    edges->n_edges = n_edges;
    edges->source = edges->source_storage.start;
    edges->target = edges->target_storage.start;
    edges->marks = edges->marks_storage.start;
}

hrr_status hrr_edges_canonicalise(hrr_edge_list *out, hrr_removed *removed,
                                  const hrr_edge_list *edges, uint64_t n_nodes, const char *what,
                                  hrr_progress *progress, hrr_error *err)
{
    if (hrr_scratch_is_set() && edges->n_edges > HRR_RUN_EDGES)
        return hrr_edges_merge_runs(out, removed, edges, n_nodes, what, HRR_RUN_EDGES, progress,
                                    err);
    hrr_status status;
    uint64_t self_loops = 0;
    hrr_edge_list sorted = {0};
    uint8_t *marks = NULL;
    uint64_t *by_larger = hrr_alloc_zero(n_nodes, sizeof *by_larger);
    uint64_t *by_smaller = hrr_alloc_zero(n_nodes, sizeof *by_smaller);
    *out = (hrr_edge_list){0};
    if (!by_larger || !by_smaller) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status =
             count_ends(by_larger, by_smaller, &self_loops, edges, n_nodes, what, progress, err)))
        goto done;
    uint64_t n_sorted = starts_from_counts(by_larger, n_nodes);
    starts_from_counts(by_smaller, n_nodes);

    if ((status = hrr_edge_list_init(&sorted, n_sorted, edges->marks != NULL, err))) goto done;
    if (edges->marks && !(marks = hrr_alloc(n_sorted, 1))) {
        status = hrr_no_memory(err);
        goto done;
    }
    /* The source array holds the smaller ends between the scatters, and the sources after. */
    if ((status = scatter_by_larger(sorted.source, marks, by_larger, edges, progress, err)))
        goto done;
    if ((status = scatter_by_smaller(sorted.target, sorted.marks, by_smaller, sorted.source, marks,
                                     by_larger, n_nodes, progress, err)))
        goto done;
    hrr_edge_list_shrink(
        &sorted, write_unique(sorted.source, sorted.target, sorted.marks, by_smaller, n_nodes));

    *removed = (hrr_removed){.self_loops = self_loops, .duplicates = n_sorted - sorted.n_edges};
    *out = sorted;
    sorted = (hrr_edge_list){0};
done:
    hrr_edge_list_clear(&sorted);
    hrr_free(marks);
    hrr_free(by_smaller);
    hrr_free(by_larger);
    return status;
}
