/* distances.c: breadth-first search from 512 nodes at once.
 *
 * Bit k of a node's row of words says that source k has reached it, so one pass over the edges
 * takes a step for all of them (Then et al., "The more the merrier", VLDB 2014). A row is a cache
 * line: a neighbour costs one access for 512 sources. Sources of one batch lie in one component,
 * so that a node that all of them have reached is done and drops out; in a small world most nodes
 * do after a few steps.
 *
 * Batches go to threads whole and counts are whole numbers: threads do not show. */
#include "structure/distances.h"
#include "base/memory.h"
#include "base/thread_number.h"
#include "matrix/wide.h"
#include "random/fast.h"

#include <heterorr/random.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { words = HRR_SOURCES_TOGETHER / 64, line = 64 };

typedef uint64_t row __attribute__((vector_size(words * sizeof(uint64_t))));

typedef struct batch {
    uint64_t component, n_sources;
    const uint32_t *sources; /* NULL: the numbers from `first` on */
    uint64_t first;
    uint64_t group; /* number of its first group of 64 */
} batch;

/* What a group of 64 sources has found. */
typedef struct group {
    uint64_t pairs, steps;
} group;

/* The scratch of one thread; rows of the component's nodes. */
typedef struct search {
    row *seen, *here, *next;
    uint32_t *open;  /* nodes that a source has still to reach */
    uint64_t *count; /* n_nodes + 1 */
    uint64_t longest;
} search;

typedef struct job {
    const hrr_components *graph;
    uint64_t most_steps;
    batch *batches;
    uint64_t n_batches;
    group *groups;
    uint64_t n_groups;
    search *searches; /* one a thread */
    int threads;
    char *memory;
} job;

/* ---- one step -------------------------------------------------------------------------------- */

static inline bool is_zero(const row *r)
{
    uint64_t any = 0;
    for (int w = 0; w < words; w++)
        any |= (*r)[w];
    return any == 0;
}

typedef struct step {
    const hrr_components *graph;
    search *s;
    uint64_t begin;  /* of the component */
    uint64_t n_open; /* in and out */
    row all;         /* bits of every source */
    uint64_t found[words];
} step;

/* next = what the sources reach for the first time. A node that all have reached drops out; what
 * stays in its rows is old, and its neighbours have it. */
HRR_LOOP take_step_loop(step *t)
{
    search *const s = t->s;
    const uint64_t *const row_start = t->graph->row_start + t->begin;
    const uint32_t *const col = t->graph->col;
    const uint32_t begin = (uint32_t)t->begin;
    const row all = t->all, zero = {0};
    uint64_t n_open = 0;
    for (uint64_t k = 0; k < t->n_open; k++) {
        const uint32_t i = s->open[k];
        const row missing = all & ~s->seen[i];
        if (is_zero(&missing)) continue;
        s->open[n_open++] = i;
        row reached = zero;
        for (uint64_t e = row_start[i]; e < row_start[i + 1]; e++)
            reached |= s->here[col[e] - begin];
        reached &= missing;
        s->next[i] = reached;
        s->seen[i] |= reached;
        for (int w = 0; w < words; w++)
            t->found[w] += (uint64_t)__builtin_popcountll(reached[w]);
    }
    t->n_open = n_open;
}

HRR_WIDE(static, take_step, (step * t), (t))

/* ---- one batch ------------------------------------------------------------------------------- */

static void search_from(const job *j, search *s, const batch *b)
{
    const hrr_components *graph = j->graph;
    step t = {.graph = graph, .s = s, .begin = graph->start[b->component]};
    t.n_open = graph->start[b->component + 1] - t.begin;
    memset(s->seen, 0, t.n_open * sizeof *s->seen);
    memset(s->next, 0, t.n_open * sizeof *s->next); /* of nodes that are done at once */
    for (uint64_t i = 0; i < t.n_open; i++)
        s->open[i] = (uint32_t)i;
    for (uint64_t k = 0; k < b->n_sources; k++) {
        const uint64_t at = (b->sources ? b->sources[k] : b->first + k) - t.begin;
        const uint64_t bit = UINT64_C(1) << k % 64;
        s->seen[at][k / 64] |= bit;
        t.all[k / 64] |= bit;
    }
    memcpy(s->here, s->seen, t.n_open * sizeof *s->here);
    s->count[0] += b->n_sources;
    for (uint64_t d = 1; d <= j->most_steps; d++) {
        memset(t.found, 0, sizeof t.found);
        take_step(&t);
        uint64_t found = 0;
        for (int w = 0; w < words; w++) {
            if (t.found[w] == 0) continue;
            found += t.found[w];
            j->groups[b->group + (uint64_t)w].pairs += t.found[w];
            j->groups[b->group + (uint64_t)w].steps += d * t.found[w];
        }
        if (found == 0) break;
        s->count[d] += found;
        if (d > s->longest) s->longest = d;
        row *last = s->here;
        s->here = s->next;
        s->next = last;
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Cut the sources into batches of one component each; batches NULL: only count them. */
static void cut(job *j, const uint32_t *sources, uint64_t n_sources)
{
    const hrr_components *graph = j->graph;
    uint64_t at = 0;
    j->n_batches = j->n_groups = 0;
    for (uint64_t c = 0; c < graph->n && at < n_sources; c++)
        while (at < n_sources && (sources ? sources[at] : at) < graph->start[c + 1]) {
            uint64_t some = 0;
            while (some < HRR_SOURCES_TOGETHER && at + some < n_sources &&
                   (sources ? sources[at + some] : at + some) < graph->start[c + 1])
                some++;
            if (j->batches)
                j->batches[j->n_batches] = (batch){.component = c,
                                                   .n_sources = some,
                                                   .sources = sources ? sources + at : NULL,
                                                   .first = at,
                                                   .group = j->n_groups};
            j->n_batches++;
            j->n_groups += (some + 63) / 64;
            at += some;
        }
}

static hrr_status make_room(job *j, hrr_error *err)
{
    const hrr_components *graph = j->graph;
    uint64_t largest = 0;
    for (uint64_t c = 0; c < graph->n; c++) {
        const uint64_t size = graph->start[c + 1] - graph->start[c];
        largest = size > largest ? size : largest;
    }
    j->batches = hrr_alloc(j->n_batches, sizeof *j->batches);
    j->groups = hrr_alloc_zero(j->n_groups, sizeof *j->groups);
    j->searches = hrr_alloc_zero((size_t)j->threads, sizeof *j->searches);
    j->memory = hrr_alloc(3 * largest * (uint64_t)j->threads + 1, sizeof(row));
    if (!j->batches || !j->groups || !j->searches || !j->memory) return hrr_no_memory(err);
    row *rows = (row *)(j->memory + (line - (uintptr_t)j->memory % line) % line);
    for (int k = 0; k < j->threads; k++) {
        search *s = &j->searches[k];
        s->seen = rows + 3 * largest * (uint64_t)k;
        s->here = s->seen + largest;
        s->next = s->here + largest;
        s->open = hrr_alloc(largest, sizeof *s->open);
        s->count = hrr_alloc_zero(graph->n_nodes + 1, sizeof *s->count);
        if (!s->open || !s->count) return hrr_no_memory(err);
    }
    return HRR_OK;
}

static void clear(job *j)
{
    for (int k = 0; k < j->threads && j->searches; k++) {
        hrr_free(j->searches[k].open);
        hrr_free(j->searches[k].count);
    }
    hrr_free(j->batches);
    hrr_free(j->groups);
    hrr_free(j->searches);
    hrr_free(j->memory);
}

static void run(const job *j, hrr_progress *progress)
{
#pragma omp parallel for schedule(dynamic) num_threads(j->threads)
    for (uint64_t k = 0; k < j->n_batches; k++) {
        if (hrr_progress_cancelled(progress)) continue;
        search_from(j, &j->searches[hrr_thread_number()], &j->batches[k]);
        (void)hrr_progress_advance(progress, j->batches[k].n_sources, NULL);
    }
}

/* The mean is a ratio of sums over groups g of sources, R = sum S_g / sum C_g; its variance is
 * G / (G - 1) sum (S_g - R C_g)^2 / (sum C_g)^2 (Cochran, Sampling Techniques, chapter 6). */
static void summarise(hrr_distances *out, const job *j)
{
    double pairs = 0, steps = 0, squares = 0;
    for (int k = 0; k < j->threads; k++) {
        const search *s = &j->searches[k];
        out->longest = s->longest > out->longest ? s->longest : out->longest;
        for (uint64_t d = 0; d <= s->longest; d++)
            out->count[d] += s->count[d];
    }
    for (uint64_t d = 1; d <= out->longest; d++) {
        pairs += (double)out->count[d];
        steps += (double)d * (double)out->count[d];
    }
    out->mean = pairs > 0 ? steps / pairs : NAN;
    for (uint64_t g = 0; g < j->n_groups; g++) {
        const double gap = (double)j->groups[g].steps - out->mean * (double)j->groups[g].pairs;
        squares += gap * gap;
    }
    const double n = (double)j->n_groups;
    out->standard_error = n > 1 ? sqrt(n / (n - 1) * squares) / pairs : NAN;
}

hrr_status hrr_distances_from(hrr_distances *out, const hrr_components *graph,
                              const uint32_t *sources, uint64_t n_sources, uint64_t most_steps,
                              int threads, hrr_progress *progress, hrr_error *err)
{
    job j = {.graph = graph, .most_steps = most_steps};
    if (!sources) n_sources = graph->n_nodes;
    *out = (hrr_distances){.n_sources = n_sources, .mean = NAN, .standard_error = NAN};
    cut(&j, sources, n_sources);
    j.threads = hrr_threads(threads);
    if ((uint64_t)j.threads > j.n_batches) j.threads = j.n_batches ? (int)j.n_batches : 1;
    hrr_status status = make_room(&j, err);
    if (!status && !(out->count = hrr_alloc_zero(graph->n_nodes + 1, sizeof *out->count)))
        status = hrr_no_memory(err);
    if (!status) {
        cut(&j, sources, n_sources);
        hrr_progress_begin(progress, "measuring paths", n_sources);
        run(&j, progress);
        if (hrr_progress_cancelled(progress)) status = hrr_progress_advance(progress, 0, err);
    }
    if (!status) summarise(out, &j);
    if (status) hrr_distances_clear(out);
    clear(&j);
    return status;
}

void hrr_distances_clear(hrr_distances *distances)
{
    hrr_free(distances->count);
    *distances = (hrr_distances){0};
}

/* ---- sources --------------------------------------------------------------------------------- */

/* The first `some` of n items become a random choice of all, in random order. */
static void shuffle(uint32_t *items, uint64_t n, uint64_t some, hrr_fast_random *random)
{
    for (uint64_t i = 0; i < some; i++) {
        const uint64_t j = i + hrr_fast_below(random, n - i);
        const uint32_t drawn = items[j];
        items[j] = items[i];
        items[i] = drawn;
    }
}

void hrr_sources_draw(uint32_t *nodes, uint64_t n, uint64_t n_sources, uint64_t seed)
{
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    for (uint64_t i = 0; i < n; i++)
        nodes[i] = (uint32_t)i;
    if (n_sources < n) shuffle(nodes, n, n_sources, &random);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void hrr_sources_sort(uint32_t *sources, uint64_t n_sources)
{
    if (n_sources) qsort(sources, n_sources, sizeof *sources, by_number);
}

void hrr_sources_number(uint32_t *sources, const uint32_t *nodes, uint64_t n_sources,
                        const hrr_components *graph, uint64_t seed)
{
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 1);
    for (uint64_t k = 0; k < n_sources; k++)
        sources[k] = graph->number[nodes[k]];
    hrr_sources_sort(sources, n_sources);
    for (uint64_t c = 0, first = 0; c < graph->n; c++) {
        uint64_t last = first;
        while (last < n_sources && sources[last] < graph->start[c + 1])
            last++;
        shuffle(sources + first, last - first, last - first, &random);
        first = last;
    }
}
