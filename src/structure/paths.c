/* paths.c: how many steps apart nodes are, in one graph and in another.
 *
 * Breadth-first search from 64 nodes at once: bit k of a node's word says that source k has reached
 * it, so one pass over the edges takes a step for all of them (Then et al., "The more the merrier",
 * VLDB 2014). Counting stops after HRR_MAX_PATH steps: what is farther, or not joined at all, is
 * one value of its own, which bounds the work on long chains. */
#include <heterorr/structure.h>

#include <heterorr/random.h>

#include "base/memory.h"
#include "random/fast.h"
#include "structure/measures.h"
#include "structure/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { batch = 64 };

typedef struct search {
    uint64_t *seen, *here, *next; /* a word a node */
} search;

static int count_bits(uint64_t word)
{
    return __builtin_popcountll(word);
}

/* count[d] += pairs (source, node) that are d steps apart, 1 <= d <= HRR_MAX_PATH. */
static void search_from(uint64_t count[HRR_MAX_PATH + 1], search *s, const hrr_csr *graph,
                        const uint32_t *sources, uint64_t n_sources)
{
    const uint64_t n = graph->rows;
    memset(s->seen, 0, n * sizeof *s->seen);
    for (uint64_t k = 0; k < n_sources; k++)
        s->seen[sources[k]] |= UINT64_C(1) << k;
    memcpy(s->here, s->seen, n * sizeof *s->here);
    bool moves = true;
    for (int d = 1; d <= HRR_MAX_PATH && moves; d++) {
        moves = false;
        for (uint64_t i = 0; i < n; i++) {
            uint64_t reached = 0;
            for (uint64_t e = graph->row_start[i]; e < graph->row_start[i + 1]; e++)
                reached |= s->here[graph->col[e]];
            s->next[i] = reached & ~s->seen[i];
        }
        for (uint64_t i = 0; i < n; i++) {
            s->seen[i] |= s->next[i];
            count[d] += (uint64_t)count_bits(s->next[i]);
            moves |= s->next[i] != 0;
        }
        uint64_t *last = s->here;
        s->here = s->next;
        s->next = last;
    }
}

/* The first n_sources of all nodes in random order; all of them in their own. */
static void draw_sources(uint32_t *nodes, uint64_t n, uint64_t n_sources, uint64_t seed)
{
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    for (uint64_t i = 0; i < n; i++)
        nodes[i] = (uint32_t)i;
    for (uint64_t i = 0; i < n_sources && n_sources < n; i++) {
        const uint64_t j = i + hrr_fast_below(&random, n - i);
        const uint32_t drawn = nodes[j];
        nodes[j] = nodes[i];
        nodes[i] = drawn;
    }
}

static void summarise(hrr_path_distance *out, const uint64_t *a, const uint64_t *b, uint64_t pairs)
{
    uint64_t near_a = 0, near_b = 0;
    double sum_a = 0, sum_b = 0;
    for (int d = 1; d <= HRR_MAX_PATH; d++) {
        near_a += a[d];
        near_b += b[d];
        sum_a += d * (double)a[d];
        sum_b += d * (double)b[d];
        const double apart = pairs ? fabs((double)near_a - (double)near_b) / (double)pairs : 0;
        out->kolmogorov_smirnov = fmax(out->kolmogorov_smirnov, apart);
    }
    out->mean_original = near_a ? sum_a / (double)near_a : NAN;
    out->mean_released = near_b ? sum_b / (double)near_b : NAN;
    out->joined_original = pairs ? (double)near_a / (double)pairs : NAN;
    out->joined_released = pairs ? (double)near_b / (double)pairs : NAN;
}

hrr_status hrr_path_distances(hrr_path_distance *out, const hrr_csr *original,
                              const hrr_csr *released, uint64_t n_sources, uint64_t seed,
                              hrr_progress *progress, hrr_error *err)
{
    *out = (hrr_path_distance){0};
    hrr_status status = hrr_same_nodes(original, released, err);
    if (status) return status;
    const uint64_t n = original->rows;
    if (n_sources == 0 || n_sources > n) n_sources = n;
    uint64_t a[HRR_MAX_PATH + 1] = {0}, b[HRR_MAX_PATH + 1] = {0};
    uint64_t *words = hrr_alloc(3 * n, sizeof *words);
    uint32_t *nodes = hrr_alloc(n, sizeof *nodes);
    search s = {words, words ? words + n : NULL, words ? words + 2 * n : NULL};
    if (!words || !nodes) status = hrr_no_memory(err);
    if (!status && n) draw_sources(nodes, n, n_sources, seed);
    hrr_progress_begin(progress, "measuring paths", n_sources);
    for (uint64_t i = 0; i < n_sources && !status; i += batch) {
        const uint64_t some = n_sources - i < batch ? n_sources - i : batch;
        search_from(a, &s, original, nodes + i, some);
        search_from(b, &s, released, nodes + i, some);
        status = hrr_progress_advance(progress, some, err);
    }
    if (!status) summarise(out, a, b, n_sources * (n ? n - 1 : 0));
    out->n_sources = n_sources;
    hrr_free(words);
    hrr_free(nodes);
    return status;
}
