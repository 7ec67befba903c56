/* walk_exact.c: ||P^h - Q^h||_F by walking from every node.
 *
 *     row i of P^(h+1)  =  sum over k of P^h[i, k] / d_k  times  row k of A
 *
 * A row needs nothing of other rows, so memory is O(n) for each thread. Both graphs are walked in
 * one pass (walk_pair.h). A row's nonzeros are scattered over `mass` and listed as they appear;
 * then the list is settled: squared differences are summed, and what each node passes on is written
 * down densely, nodes with one group of neighbours first, because their loop needs no prediction.
 * At the last hop only the difference is wanted, one number a node instead of two; if the walk may
 * reach a good part of the graph, it is summed over all nodes without a list.
 *
 * A node whose only neighbour in both graphs is the same k repeats its row, one hop later:
 * row i of P^h is row k of P^(h-1), and so is the distance.
 *
 * Cora against itself with 30 % of the edges dropped, 4 hops: 2.1 M additions for hop 4, 0.7 M
 * before; 6.9 ms on one core. What was tried and was slower or no faster: storing P^3 and averaging
 * its rows (the same additions in long loops, but its page faults cost more than that gains),
 * stepping two hops at once through P^2 (4.5 times the additions), other orders of the nodes, dense
 * blocks of rows (20 times the additions). Half of the last hop could be saved by reversibility,
 * d_i P^h[i, j] = d_j P^h[j, i], at the price of two numbers a node and degrees in the sum. */
#include <heterorr/structure.h>

#include "base/memory.h"
#include "structure/shape.h"
#include "structure/walk_pair.h"

#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { rows_at_a_time = 16, list_limit = 32 };

/* What a node passes to each of its neighbours. */
typedef struct source {
    hrr_two share;
    uint32_t first_group, n_groups;
    uint64_t unused; /* two sources a cache line */
} source;

/* The scratch of one thread. Node n, which fills up groups, counts as seen. */
typedef struct scratch {
    hrr_two *mass;     /* n + 1, zero between hops */
    double *gap;       /* n + 1, zero between rows */
    uint8_t *seen;     /* n + 1 */
    uint32_t *touched; /* n + 1: scattering writes one past the list */
    source *sources;   /* n: those with one group from the front, the others from the back */
    uint32_t n_short, n_long;
} scratch;

typedef struct scratches {
    hrr_two *mass;
    double *gap;
    uint8_t *seen;
    uint32_t *touched;
    source *sources;
} scratches;

/* ---- one hop -------------------------------------------------------------------------------- */

/* Bytes may alias anything: local pointers keep the compiler from reading them again after each. */
static inline uint32_t scatter_group(hrr_two *restrict mass, uint8_t *restrict seen,
                                     uint32_t *restrict touched, uint32_t count,
                                     const hrr_two *part, const uint32_t *entry)
{
    for (int e = 0; e < HRR_WALK_GROUP; e++) {
        const uint32_t node = entry[e] >> 2;
        touched[count] = node; /* stays if it is new */
        count += !seen[node];
        seen[node] = 1;
        mass[node] += part[entry[e] & 3];
    }
    return count;
}

/* Pass on all shares; returns how many nodes were touched. */
static uint32_t scatter(const scratch *s, const hrr_walk_pair *pair)
{
    const source *at = s->sources, *end = at + s->n_short;
    uint32_t count = 0;
    for (; at < end; at++) {
        const hrr_two part[] = {{0, 0}, {at->share[0], 0}, {0, at->share[1]}, at->share};
        count = scatter_group(s->mass, s->seen, s->touched, count, part,
                              pair->entry + (uint64_t)at->first_group * HRR_WALK_GROUP);
    }
    for (end = s->sources + pair->n_nodes, at = end - s->n_long; at < end; at++) {
        const hrr_two part[] = {{0, 0}, {at->share[0], 0}, {0, at->share[1]}, at->share};
        const uint32_t *entry = pair->entry + (uint64_t)at->first_group * HRR_WALK_GROUP;
        for (uint32_t g = 0; g < at->n_groups; g++, entry += HRR_WALK_GROUP)
            count = scatter_group(s->mass, s->seen, s->touched, count, part, entry);
    }
    return count;
}

/* The squared distance of the rows; the touched nodes become the sources of the next hop. Four
 * sums, because each addition would wait for the one before. */
static double settle(scratch *s, uint32_t count, const hrr_walk_pair *pair)
{
    const uint64_t n = pair->n_nodes;
    const uint32_t *restrict touched = s->touched, *restrict group_start = pair->group_start;
    const hrr_two *restrict inverse_degree = pair->inverse_degree;
    hrr_two *restrict mass = s->mass;
    uint8_t *restrict seen = s->seen;
    source *restrict sources = s->sources;
    double sum[4] = {0};
    uint64_t n_short = 0, n_long = 0;
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t node = touched[t];
        const hrr_two here = mass[node];
        const double difference = here[0] - here[1];
        mass[node] = (hrr_two){0, 0};
        seen[node] = 0;
        sum[t & 3] += difference * difference;
        const uint32_t first = group_start[node], groups = group_start[node + 1] - first;
        /* A walk that mixes steps of both graphs touches nodes that neither reaches. */
        const uint32_t reached = here[0] + here[1] > 0, is_short = groups <= 1;
        const uint64_t at = is_short ? n_short : n - 1 - n_long;
        sources[at].share = here * inverse_degree[node];
        sources[at].first_group = first;
        sources[at].n_groups = groups;
        n_short += reached & is_short;
        n_long += reached & (is_short ^ 1);
    }
    s->n_short = (uint32_t)n_short;
    s->n_long = (uint32_t)n_long;
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* ---- the last hop --------------------------------------------------------------------------- */

static inline void scatter_gap_group(double *gap, const double *part, const uint32_t *entry)
{
    for (int e = 0; e < HRR_WALK_GROUP; e++)
        gap[entry[e] >> 2] += part[entry[e] & 3];
}

/* settle() and the last scatter in one: every touched node passes on to its first group at once,
 * without a branch, and waits among the sources if it has more. */
static double settle_and_finish(scratch *s, uint32_t count, const hrr_walk_pair *pair)
{
    const uint32_t *restrict touched = s->touched, *restrict group_start = pair->group_start;
    const uint32_t *restrict entry = pair->entry;
    const hrr_two *restrict inverse_degree = pair->inverse_degree;
    hrr_two *restrict mass = s->mass;
    uint8_t *restrict seen = s->seen;
    source *restrict sources = s->sources;
    double *restrict gap = s->gap, sum[4] = {0};
    uint64_t n_waiting = 0;
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t node = touched[t];
        const hrr_two here = mass[node], share = here * inverse_degree[node];
        const double difference = here[0] - here[1];
        mass[node] = (hrr_two){0, 0};
        seen[node] = 0;
        sum[t & 3] += difference * difference;
        const uint32_t first = group_start[node], groups = group_start[node + 1] - first;
        const double part[] = {0, share[0], -share[1], share[0] - share[1]};
        scatter_gap_group(gap, part, entry + (uint64_t)first * HRR_WALK_GROUP);
        sources[n_waiting].share = share;
        sources[n_waiting].first_group = first + 1;
        sources[n_waiting].n_groups = groups - 1;
        n_waiting += groups > 1;
    }
    for (const source *at = sources, *end = at + n_waiting; at < end; at++) {
        const double part[] = {0, at->share[0], -at->share[1], at->share[0] - at->share[1]};
        const uint32_t *group = entry + (uint64_t)at->first_group * HRR_WALK_GROUP;
        for (uint32_t g = 0; g < at->n_groups; g++, group += HRR_WALK_GROUP)
            scatter_gap_group(gap, part, group);
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Sum of squares, leaving zeros. Eight sums in a fixed order: the width of vectors does not show.
 */
static inline __attribute__((always_inline)) double drain_by_eight(double *x, uint64_t n)
{
    double sum[8] = {0}, rest = 0;
    uint64_t j = 0;
    for (; j + 8 <= n; j += 8) {
        for (int l = 0; l < 8; l++)
            sum[l] += x[j + l] * x[j + l];
        for (int l = 0; l < 8; l++)
            x[j + l] = 0;
    }
    for (; j < n; j++) {
        rest += x[j] * x[j];
        x[j] = 0;
    }
    return rest +
           (((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7])));
}

#ifdef __x86_64__
__attribute__((target("avx512f"))) static double drain_avx512(double *x, uint64_t n)
{
    return drain_by_eight(x, n);
}
#endif

static double drain(double *x, uint64_t n)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f")) return drain_avx512(x, n);
#endif
    return drain_by_eight(x, n);
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* squares[h - 1] = squared distance of row `node` after h hops. */
static void walk_from(double *squares, uint32_t node, int hops, scratch *s,
                      const hrr_walk_pair *pair)
{
    const uint64_t n = pair->n_nodes;
    const uint32_t first = pair->group_start[node];
    const uint32_t groups = pair->group_start[node + 1] - first;
    s->sources[n - 1] = (source){pair->inverse_degree[node], first, groups, 0};
    s->n_short = 0;
    s->n_long = 1;
    for (int h = 1; h <= hops; h++) {
        const uint32_t count = scatter(s, pair);
        if (h == hops - 1 && (uint64_t)count * HRR_WALK_GROUP * list_limit >= n) {
            squares[h - 1] = settle_and_finish(s, count, pair);
            squares[h] = drain(s->gap, n);
            return;
        }
        squares[h - 1] = settle(s, count, pair);
    }
}

/* The only neighbour, if it is the same in both graphs; n otherwise. */
static uint64_t only_neighbour(const hrr_walk_pair *pair, uint64_t node)
{
    const uint64_t n = pair->n_nodes, first = pair->group_start[node];
    if (pair->group_start[node + 1] != first + 1) return n;
    const uint32_t *entry = pair->entry + first * HRR_WALK_GROUP;
    return (entry[0] & 3) == HRR_WALK_IN_BOTH && (entry[1] & 3) == 0 ? entry[0] >> 2 : n;
}

/* The rows that walk_from() was spared. Two such nodes that have only each other never differ. */
static void copy_rows(double *squares, int hops, const hrr_walk_pair *pair)
{
    const uint64_t n = pair->n_nodes;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t k = only_neighbour(pair, i);
        if (k == n || only_neighbour(pair, k) != n) continue;
        for (int h = 2; h <= hops; h++)
            squares[i * hops + h - 1] = squares[k * hops + h - 2];
    }
}

static hrr_status walk_all(double *squares, int hops, const hrr_walk_pair *pair,
                           const scratches *all, int threads, hrr_progress *progress,
                           hrr_error *err)
{
    const uint64_t n = pair->n_nodes, n_batches = (n + rows_at_a_time - 1) / rows_at_a_time;
    hrr_status status = HRR_OK;
#pragma omp parallel num_threads(threads)
    {
        uint64_t me = 0;
#ifdef _OPENMP
        me = (uint64_t)omp_get_thread_num();
#endif
        scratch mine = {
            .mass = all->mass + me * (n + 1),
            .gap = all->gap + me * (n + 1),
            .seen = all->seen + me * (n + 1),
            .touched = all->touched + me * (n + 1),
            .sources = all->sources + me * n,
        };
        mine.seen[n] = 1;
#pragma omp for schedule(dynamic)
        for (uint64_t batch = 0; batch < n_batches; batch++) {
            if (hrr_progress_cancelled(progress)) continue;
            const uint64_t begin = batch * rows_at_a_time;
            const uint64_t end = begin + rows_at_a_time < n ? begin + rows_at_a_time : n;
            for (uint64_t i = begin; i < end; i++)
                if (only_neighbour(pair, i) == n)
                    walk_from(squares + i * hops, (uint32_t)i, hops, &mine, pair);
            (void)hrr_progress_advance(progress, end - begin, NULL);
        }
    }
    if (hrr_progress_cancelled(progress)) status = hrr_progress_advance(progress, 0, err);
    return status;
}

hrr_status hrr_walk_distance_exact(hrr_walk_distance *out, const hrr_csr *original,
                                   const hrr_csr *released, int hops, int threads,
                                   hrr_progress *progress, hrr_error *err)
{
    *out = (hrr_walk_distance){.hops = hops, .exact = true};
    hrr_status status = hrr_hops_fit(hops, err);
    if (!status) status = hrr_same_nodes(original, released, err);
    if (status) return status;
    const uint64_t n = original->rows;
    if (n == 0) return HRR_OK;
    threads = hrr_threads(threads);
    if ((uint64_t)threads > n) threads = (int)n;
    hrr_walk_pair pair = {0};
    scratches all = {0};
    double *squares = NULL;
    if ((status = hrr_walk_pair_init(&pair, original, released, err))) goto done;
    const uint64_t each = (n + 1) * (uint64_t)threads; /* n < 2^30: fits */
    all.mass = hrr_alloc_zero(each, sizeof *all.mass);
    all.gap = hrr_alloc_zero(each, sizeof *all.gap);
    all.seen = hrr_alloc_zero(each, sizeof *all.seen);
    all.touched = hrr_alloc(each, sizeof *all.touched);
    all.sources = hrr_alloc(each, sizeof *all.sources);
    squares = hrr_alloc_zero(n, (size_t)hops * sizeof *squares);
    if (!all.mass || !all.gap || !all.seen || !all.touched || !all.sources || !squares) {
        status = hrr_no_memory(err);
        goto done;
    }
    hrr_progress_begin(progress, "walking from every node", n);
    if ((status = walk_all(squares, hops, &pair, &all, threads, progress, err))) goto done;
    copy_rows(squares, hops, &pair);
    /* In the order of the nodes, whoever walked. */
    for (int h = 1; h <= hops; h++) {
        double sum = 0;
        for (uint64_t i = 0; i < n; i++)
            sum += squares[i * hops + h - 1];
        out->rms[h] = sqrt(sum) / (double)n;
    }
done:
    hrr_free(squares);
    hrr_free(all.mass);
    hrr_free(all.gap);
    hrr_free(all.seen);
    hrr_free(all.touched);
    hrr_free(all.sources);
    hrr_walk_pair_clear(&pair);
    return status;
}
