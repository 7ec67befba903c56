/* walk_exact.c: ||P^h - Q^h||_F by walking from every node.
 *
 *     row i of P^(h+1)  =  sum over k of P^h[i, k] / d_k  times  row k of A
 *
 * A row needs nothing of other rows, so memory is O(n) for each thread. Eight rows are walked
 * together and in both graphs at once (walk_pair.h): a visit to a neighbour adds vectors of eight
 * numbers. Rows that go together reach much the same nodes and stand together (walk_batches.h). The
 * nodes that the eight reach are listed as they appear; settling the list sums the squared
 * differences. Walks can be reversed, so the last hop, which is most of the work, looks at half of
 * the entries (finish()).
 *
 * A lane is a row, and every lane adds in the order of the list: the result depends neither on
 * threads nor on how wide the processor's vectors are.
 *
 * Cora against itself with 30 % of the edges dropped, 4 hops, one core: 3.7 ms; 4.9 with all
 * entries of the last hop; 7 one row at a time (2.8 M additions, no vectors). Also tried: storing
 * P^3 and averaging its rows (the same additions in long loops, but page faults cost more than that
 * gains), two hops at once through P^2 (4.5 times the additions), dense blocks (20 times), nodes
 * that sum what their neighbours have instead of neighbours that add to them (1.4 times the time:
 * most neighbours have nothing). */
#include <heterorr/structure.h>

#include "base/memory.h"
#include "base/vectors.h"
#include "structure/measures.h"
#include "structure/shape.h"
#include "structure/walk_batches.h"

#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { lanes = 8, line = 64, visited = 4 };

/* One number for each of eight rows. */
typedef double eight __attribute__((vector_size(lanes * sizeof(double))));

typedef struct both {
    eight original, released;
} both;

/* The scratch of one thread; arrays of n. */
typedef struct scratch {
    both *mass;                 /* of each node; zero but for the sources */
    both *next;                 /* after the hop; zero between hops */
    uint32_t *source, *touched; /* touched has n + 1: scattering writes one past the list */
    uint8_t *reach;             /* of each source: in which graphs any of the eight is there */
    uint8_t *seen;              /* the same of each node; zero between hops */
} scratch;

typedef struct batch {
    uint32_t first, n_walked; /* of the n_walked rows, those from first on */
    int n_rows, hops;         /* n_rows <= lanes */
    double *squares;          /* n x hops */
} batch;

#define KERNEL static inline __attribute__((always_inline))

/* List a neighbour the first time that it is visited; returns the length of the list. */
KERNEL uint32_t visit(uint32_t *restrict touched, uint8_t *restrict seen, uint32_t count,
                      uint32_t node, uint8_t graphs)
{
    const uint8_t before = seen[node];
    touched[count] = node; /* stays if it is new */
    seen[node] = before | graphs;
    return count + (before == 0);
}

/* What a node passes to each of its neighbours, by the graphs that the edge is in; the node itself
 * is left with nothing. */
KERNEL void take_parts(both part[4], both *restrict from, const hrr_walk_pair *pair, uint32_t node)
{
    const eight zero = {0};
    const eight original = from[node].original * pair->inverse_degree[0][node];
    const eight released = from[node].released * pair->inverse_degree[1][node];
    from[node] = (both){zero, zero};
    part[0] = (both){zero, zero};
    part[HRR_IN_ORIGINAL] = (both){original, zero};
    part[HRR_IN_RELEASED] = (both){zero, released};
    part[HRR_IN_BOTH] = (both){original, released};
}

/* All sources pass on what they have; returns how many nodes were visited. */
KERNEL uint32_t scatter(const scratch *s, uint32_t n_sources, const hrr_walk_pair *pair)
{
    both *restrict from = s->mass, *restrict mass = s->next;
    const uint32_t *restrict source = s->source;
    const uint8_t *restrict reached = s->reach;
    uint32_t *restrict touched = s->touched, count = 0;
    uint8_t *restrict seen = s->seen; /* a store of bytes might otherwise change any pointer */
    for (uint32_t a = 0; a < n_sources; a++) {
        const uint32_t node = source[a];
        const uint8_t reach = reached[a];
        both part[4];
        take_parts(part, from, pair, node);
        const uint32_t *entry = pair->entry + pair->start[node];
        const uint32_t *end = pair->entry + pair->start[node + 1];
        for (; entry < end; entry++) {
            const uint32_t to = *entry >> 2, graphs = *entry & 3;
            count = visit(touched, seen, count, to, (uint8_t)(visited | (graphs & reach)));
            mass[to].original += part[graphs].original;
            mass[to].released += part[graphs].released;
        }
    }
    return count;
}

/* Adds up the squared distances of the rows; the nodes that any row is at become the sources of the
 * next hop. Returns how many. */
KERNEL uint32_t settle(eight *squares, scratch *s, uint32_t count)
{
    eight sum = {0};
    const both *restrict mass = s->next;
    uint32_t *restrict touched = s->touched, kept = 0;
    uint8_t *restrict seen = s->seen, *restrict reach = s->reach;
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t node = touched[t];
        const eight difference = mass[node].original - mass[node].released;
        const uint8_t graphs = seen[node] & HRR_IN_BOTH;
        sum += difference * difference;
        touched[kept] = node;
        reach[kept] = graphs;
        seen[node] = 0;
        kept += graphs != 0;
    }
    *squares = sum;
    *s = (scratch){.mass = s->next,
                   .next = s->mass,
                   .source = s->touched,
                   .touched = s->source,
                   .reach = s->reach,
                   .seen = s->seen};
    return kept;
}

/* The last hop, for columns from the batch's first row on. What is at a later row j comes back from
 * there: d_i P^h[i, j] = d_j P^h[j, i], in each graph with its own degrees d. So the distance in
 * entry (j, i) is counted here, and row j leaves it out. Nodes that are not walked from have one
 * neighbour, which tells what they get, and no row to leave anything out of. */
KERNEL void finish(eight *squares, const scratch *s, uint32_t n_sources, const batch *b,
                   const hrr_walk_pair *pair)
{
    const eight zero = {0};
    both *restrict from = s->mass, *restrict mass = s->next;
    const uint32_t *restrict source = s->source, first = b->first;
    eight sum = zero, degree[2] = {zero, zero};
    uint32_t *restrict touched = s->touched, count = 0;
    uint8_t *restrict seen = s->seen;
    for (uint32_t a = 0; a < n_sources; a++) {
        const uint32_t node = source[a];
        both part[4];
        take_parts(part, from, pair, node);
        const eight to_end = part[HRR_IN_BOTH].original - part[HRR_IN_BOTH].released;
        sum += to_end * to_end * (double)(pair->start[node + 1] - pair->ends[node]);
        const uint32_t *begin = pair->entry + pair->start[node];
        const uint32_t *entry = pair->entry + pair->ends[node];
        while (entry > begin && *--entry >> 2 >= first) {
            const uint32_t to = *entry >> 2, graphs = *entry & 3;
            count = visit(touched, seen, count, to, visited);
            mass[to].original += part[graphs].original;
            mass[to].released += part[graphs].released;
        }
    }
    for (int g = 0; g < 2; g++)
        for (int l = 0; l < b->n_rows; l++) {
            const double inverse = pair->inverse_degree[g][first + (uint32_t)l];
            degree[g][l] = inverse > 0 ? 1 / inverse : 0;
        }
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t node = touched[t];
        const both here = mass[node];
        const bool comes_back = node >= first + lanes;
        const double inverse[2] = {comes_back ? pair->inverse_degree[0][node] : 0,
                                   comes_back ? pair->inverse_degree[1][node] : 0};
        const eight there = here.original - here.released;
        const eight back =
            here.original * inverse[0] * degree[0] - here.released * inverse[1] * degree[1];
        sum += there * there + back * back;
        mass[node] = (both){zero, zero};
        seen[node] = 0;
    }
    *squares = sum;
}

KERNEL void walk(const batch *b, scratch *s, const hrr_walk_pair *pair)
{
    uint32_t n_sources = (uint32_t)b->n_rows;
    for (int l = 0; l < b->n_rows; l++) {
        const uint32_t node = b->first + (uint32_t)l;
        s->source[l] = node;
        s->reach[l] = HRR_IN_BOTH;
        s->mass[node].original[l] = s->mass[node].released[l] = 1;
    }
    for (int h = 1; h <= b->hops; h++) {
        eight squares;
        if (h < b->hops)
            n_sources = settle(&squares, s, scatter(s, n_sources, pair));
        else
            finish(&squares, s, n_sources, b, pair);
        for (int l = 0; l < b->n_rows; l++)
            b->squares[(uint64_t)(b->first + (uint32_t)l) * (uint64_t)b->hops + h - 1] = squares[l];
    }
}

static void walk_plain(const batch *b, scratch *s, const hrr_walk_pair *pair)
{
    walk(b, s, pair);
}

#ifdef __x86_64__
__attribute__((target("avx512f"))) static void walk_avx512(const batch *b, scratch *s,
                                                           const hrr_walk_pair *pair)
{
    walk(b, s, pair);
}
#endif

typedef void walk_kernel(const batch *b, scratch *s, const hrr_walk_pair *pair);

/* AVX2 for vectors of eight is slower than plain code: 9.8 ms against 7.1 (gcc 12). */
static walk_kernel *choose_kernel(void)
{
#ifdef __x86_64__
    if (hrr_widest_vectors() == HRR_VECTORS_AVX512) return walk_avx512;
#endif
    return walk_plain;
}

/* ---- all rows -------------------------------------------------------------------------------- */

static size_t whole_lines(size_t size)
{
    return (size + line - 1) / line * line;
}

/* Bytes of one thread's scratch, a whole number of cache lines. n < 2^30, so nothing overflows. */
static size_t scratch_size(uint64_t n)
{
    return whole_lines(n * (2 * sizeof(both) + 2) + 2 * (n + 1) * sizeof(uint32_t));
}

/* Source and touched change places, so both have n + 1. */
static scratch carve(char *from, uint64_t n)
{
    scratch s;
    s.mass = (both *)from;
    s.next = s.mass + n;
    s.source = (uint32_t *)(s.next + n);
    s.touched = s.source + n + 1;
    s.reach = (uint8_t *)(s.touched + n + 1);
    s.seen = s.reach + n;
    return s;
}

static hrr_status walk_all(double *squares, int hops, const hrr_walk_pair *pair, uint64_t n_rows,
                           char *room, int threads, hrr_progress *progress, hrr_error *err)
{
    const uint64_t n = pair->n_nodes, n_batches = (n_rows + lanes - 1) / lanes;
    const size_t size = scratch_size(n);
    walk_kernel *kernel = choose_kernel();
#pragma omp parallel num_threads(threads)
    {
        size_t me = 0;
#ifdef _OPENMP
        me = (size_t)omp_get_thread_num();
#endif
        scratch mine = carve(room + me * size, n);
#pragma omp for schedule(dynamic)
        for (uint64_t at = 0; at < n_batches; at++) {
            if (hrr_progress_cancelled(progress)) continue;
            const uint64_t left = n_rows - at * lanes;
            const batch b = {.first = (uint32_t)(at * lanes),
                             .n_walked = (uint32_t)n_rows,
                             .n_rows = left < lanes ? (int)left : lanes,
                             .hops = hops,
                             .squares = squares};
            kernel(&b, &mine, pair);
            (void)hrr_progress_advance(progress, (uint64_t)b.n_rows, NULL);
        }
    }
    return hrr_progress_advance(progress, 0, err);
}

/* The rows that nobody walked. Two such nodes that have only each other never differ. */
static void copy_rows(double *squares, int hops, const hrr_walk_pair *pair)
{
    const uint64_t n = pair->n_nodes;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t k = hrr_only_neighbour(pair, i);
        if (k == n || hrr_only_neighbour(pair, k) != n) continue;
        for (int h = 2; h <= hops; h++)
            squares[i * hops + h - 1] = squares[k * hops + h - 2];
    }
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
    hrr_walk_pair pair = {0};
    uint32_t *order = NULL;
    double *squares = NULL;
    char *room = NULL;
    uint64_t n_rows;
    if ((status = hrr_walk_pair_init(&pair, original, released, err))) goto done;
    order = hrr_alloc(n, sizeof *order);
    squares = hrr_alloc_zero(n, (size_t)hops * sizeof *squares);
    room = hrr_alloc_zero((size_t)threads * (scratch_size(n) / line) + 1, line); /* 1 to align */
    if (!order || !squares || !room) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status = hrr_walk_order(order, &n_rows, &pair, err))) goto done;
    if ((status = hrr_walk_pair_renumber(&pair, order, n_rows, err))) goto done;
    hrr_progress_begin(progress, "walking from every node", n_rows);
    char *aligned = room + (line - (uintptr_t)room % line) % line;
    status = walk_all(squares, hops, &pair, n_rows, aligned, threads, progress, err);
    if (status) goto done;
    copy_rows(squares, hops, &pair);
    /* In the order of the nodes, whoever walked. */
    for (int h = 1; h <= hops; h++) {
        double sum = 0;
        for (uint64_t i = 0; i < n; i++)
            sum += squares[i * hops + h - 1];
        out->rms[h] = sqrt(sum) / (double)n;
    }
done:
    hrr_free(room);
    hrr_free(squares);
    hrr_free(order);
    hrr_walk_pair_clear(&pair);
    return status;
}
