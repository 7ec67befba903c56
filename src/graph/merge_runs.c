/* merge_runs.c: see merge_runs.h.
 *
 * Throwing edges into the buckets of their ends (canonical.c) touches all of the result in no
 * order, so that each edge would wait for the disk if the result is larger than memory. Here the
 * input is cut into runs. Each is sorted by itself and laid behind the one before; then all runs
 * are read side by side, always the one whose next edge is the smallest (Knuth, The Art of Computer
 * Programming 3, 5.4.1). All large arrays are walked from one end to the other. */
#include "graph/merge_runs.h"
#include "graph/canonical.h"
#include "graph/key_sort.h"
#include "base/memory.h"

/* One sorted run, without repetitions. */
typedef struct run {
    uint64_t at, end; /* of its edges among those of all runs; at: the next one */
} run;

typedef struct sorting {
    hrr_keys all;        /* the runs, one behind the other */
    hrr_keys run, spare; /* the one that is being sorted */
    struct run *runs;    /* a heap while they are merged: the smallest edge is at the top */
    uint64_t n_runs;
    uint64_t self_loops, duplicates;
} sorting;

static bool alloc_keys(hrr_keys *out, uint64_t count, bool with_marks)
{
    *out = (hrr_keys){.key = hrr_alloc(count, sizeof *out->key),
                      .mark = with_marks ? hrr_alloc(count, 1) : NULL};
    return out->key && (out->mark || !with_marks);
}

static void free_keys(hrr_keys *keys)
{
    hrr_free(keys->key);
    hrr_free(keys->mark);
    *keys = (hrr_keys){0};
}

static hrr_status alloc_sorting(sorting *out, uint64_t n_edges, uint64_t run_length,
                                bool with_marks, hrr_error *err)
{
    const uint64_t n_runs = (n_edges + run_length - 1) / run_length;
    if (run_length > n_edges) run_length = n_edges;
    out->runs = hrr_alloc(n_runs, sizeof *out->runs);
    if (out->runs && alloc_keys(&out->all, n_edges, with_marks) &&
        alloc_keys(&out->run, run_length, with_marks) &&
        alloc_keys(&out->spare, run_length, with_marks))
        return HRR_OK;
    return hrr_no_memory(err);
}

/* ---- runs -------------------------------------------------------------------------------------
 */

/* Edges begin..end-1, without self-loops; *count: how many those are. */
static hrr_status fill_run(sorting *s, uint64_t *count, const hrr_edge_list *edges, uint64_t begin,
                           uint64_t end, uint64_t n_nodes, const char *what, hrr_error *err)
{
    *count = 0;
    for (uint64_t e = begin; e < end; e++) {
        const uint32_t u = edges->source[e], v = edges->target[e];
        if (u >= n_nodes || v >= n_nodes) return hrr_edges_refuse_node(what, e, n_nodes, err);
        if (u == v) {
            s->self_loops++;
            continue;
        }
        s->run.key[*count] = u < v ? hrr_edge_key(u, v) : hrr_edge_key(v, u);
        if (s->run.mark) s->run.mark[*count] = edges->marks[e];
        ++*count;
    }
    return HRR_OK;
}

/* Lay a sorted run behind those that are there already. */
static void append_run(sorting *s, hrr_keys sorted, uint64_t count)
{
    const uint64_t begin = s->n_runs ? s->runs[s->n_runs - 1].end : 0;
    uint64_t end = begin;
    for (uint64_t i = 0; i < count; i++) {
        if (end > begin && s->all.key[end - 1] == sorted.key[i]) {
            if (sorted.mark) s->all.mark[end - 1] |= sorted.mark[i];
            s->duplicates++;
            continue;
        }
        s->all.key[end] = sorted.key[i];
        if (sorted.mark) s->all.mark[end] = sorted.mark[i];
        end++;
    }
    if (end > begin) s->runs[s->n_runs++] = (run){.at = begin, .end = end};
}

static hrr_status make_runs(sorting *s, const hrr_edge_list *edges, uint64_t n_nodes,
                            const char *what, uint64_t run_length, hrr_progress *progress,
                            hrr_error *err)
{
    for (uint64_t begin = 0, end; begin < edges->n_edges; begin = end) {
        uint64_t count;
        end = edges->n_edges - begin < run_length ? edges->n_edges : begin + run_length;
        hrr_status status = fill_run(s, &count, edges, begin, end, n_nodes, what, err);
        if (status) return status;
        append_run(s, hrr_keys_sort(s->run, s->spare, count), count);
        if ((status = hrr_progress_advance(progress, 2 * (end - begin), err))) return status;
    }
    return HRR_OK;
}

/* ---- merge ------------------------------------------------------------------------------------
 */

static uint64_t next_key(const sorting *s, uint64_t place)
{
    return s->all.key[s->runs[place].at];
}

/* The run at `place` may be larger than those below it: it goes down until it is not. */
static void sink(sorting *s, uint64_t place)
{
    for (uint64_t child; (child = 2 * place + 1) < s->n_runs; place = child) {
        if (child + 1 < s->n_runs && next_key(s, child + 1) < next_key(s, child)) child++;
        if (next_key(s, place) <= next_key(s, child)) return;
        const run moved = s->runs[place];
        s->runs[place] = s->runs[child];
        s->runs[child] = moved;
    }
}

/* Go past the smallest edge. */
static void advance_top(sorting *s)
{
    if (++s->runs[0].at == s->runs[0].end) s->runs[0] = s->runs[--s->n_runs];
    sink(s, 0);
}

static hrr_status merge(hrr_edge_list *to, sorting *s, hrr_progress *progress, hrr_error *err)
{
    enum { edges_a_report = 1 << 16 };
    uint64_t kept = 0, before = UINT64_MAX, n_read = 0;
    for (uint64_t place = s->n_runs / 2; place-- > 0;)
        sink(s, place);
    for (; s->n_runs > 0; advance_top(s)) {
        const uint64_t at = s->runs[0].at, key = s->all.key[at];
        if (++n_read % edges_a_report == 0) {
            const hrr_status status = hrr_progress_advance(progress, edges_a_report, err);
            if (status) return status;
        }
        if (key == before) {
            if (to->marks) to->marks[kept - 1] |= s->all.mark[at];
            s->duplicates++;
            continue;
        }
        before = key;
        to->source[kept] = (uint32_t)(key >> 32);
        to->target[kept] = (uint32_t)key;
        if (to->marks) to->marks[kept] = s->all.mark[at];
        kept++;
    }
    hrr_edge_list_shrink(to, kept);
    return HRR_OK;
}

hrr_status hrr_edges_merge_runs(hrr_edge_list *out, hrr_removed *removed,
                                const hrr_edge_list *edges, uint64_t n_nodes, const char *what,
                                uint64_t run_length, hrr_progress *progress, hrr_error *err)
{
    sorting s = {0};
    hrr_edge_list sorted = {0};
    const bool with_marks = edges->marks != NULL;
    *out = sorted;
    hrr_status status = alloc_sorting(&s, edges->n_edges, run_length, with_marks, err);
    if (!status) status = make_runs(&s, edges, n_nodes, what, run_length, progress, err);
    if (status) goto done;
    free_keys(&s.run);
    free_keys(&s.spare);
    const uint64_t n_there = s.n_runs ? s.runs[s.n_runs - 1].end : 0;
    if ((status = hrr_edge_list_init(&sorted, n_there, with_marks, err))) goto done;
    if ((status = merge(&sorted, &s, progress, err))) goto done;
    *removed = (hrr_removed){.self_loops = s.self_loops, .duplicates = s.duplicates};
    *out = sorted;
    sorted = (hrr_edge_list){0};
done:
    hrr_edge_list_clear(&sorted);
    free_keys(&s.all);
    free_keys(&s.run);
    free_keys(&s.spare);
    hrr_free(s.runs);
    return status;
}
