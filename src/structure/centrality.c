/* centrality.c: the eigenvector of the adjacency matrix's largest eigenvalue.
 *
 * Power iteration's error shrinks by the ratio of the first two eigenvalues in each round, and in a
 * road network that ratio is .999. The best vector among x, its residual r = A x - value x and the
 * last change p costs the same product A r in each round and takes about the root of power
 * iteration's number of rounds (Knyazev, "Toward the optimal preconditioned eigensolver", SIAM J.
 * Scientific Computing 23, 2001, without a preconditioner). Everything is made of (1, ..., 1) and
 * products with A, so the limit is that of power iteration from equal weights.
 *
 * Sums are added in a fixed order: threads do not show. */
#include "structure/centrality.h"
#include "base/memory.h"
#include "matrix/csr.h"
#include "structure/symmetric_eigen.h"

#include <math.h>

enum { lanes = 8, fresh = 32 /* rounds until rounding errors of A x are removed */ };
enum { few_edges = 1 << 16 }; /* below, a product takes less time than threads take to meet */
static const double good_residual = 1e-10;
/* Additions of all products together: half a minute on one core. At least `least_rounds`. */
static const double most_additions = 2e10, least_rounds = 100;

typedef double eight __attribute__((vector_size(lanes * sizeof(double)), aligned(sizeof(double))));

/* A direction and its image. */
typedef struct direction {
    double *v, *image;
} direction;

typedef struct solver {
    const hrr_csr *graph;
    uint64_t n;
    int threads;
    direction x, r, p;
} solver;

static double dot(const double *a, const double *b, uint64_t n)
{
    eight sums = {0};
    double sum = 0;
    uint64_t i = 0;
    for (; i + lanes <= n; i += lanes)
        sums += *(const eight *)(a + i) * *(const eight *)(b + i);
    for (; i < n; i++)
        sum += a[i] * b[i];
    for (int k = 0; k < lanes; k++)
        sum += sums[k];
    return sum;
}

/* image = A v */
static void multiply(const solver *s, const direction *d)
{
    const hrr_csr *graph = s->graph;
#pragma omp parallel for schedule(dynamic, 1024) num_threads(s->threads)
    for (uint64_t i = 0; i < s->n; i++) {
        double sum = 0;
        for (uint64_t e = graph->row_start[i]; e < graph->row_start[i + 1]; e++)
            sum += d->v[graph->col[e]];
        d->image[i] = sum;
    }
}

/* to = a to + b by, with its image */
static void combine(const solver *s, const direction *to, double a, const direction *by, double b)
{
    for (uint64_t i = 0; i < s->n; i++) {
        to->v[i] = a * to->v[i] + b * by->v[i];
        to->image[i] = a * to->image[i] + b * by->image[i];
    }
}

/* Take away what is parallel to `by`, of length 1; the image follows. */
static void part_from(const solver *s, const direction *d, const direction *by)
{
    combine(s, d, 1, by, -dot(d->v, by->v, s->n));
}

/* Length 1; false if nothing is left. */
static bool scale(const solver *s, const direction *d)
{
    const double length = sqrt(dot(d->v, d->v, s->n));
    if (!(length > 0)) return false;
    combine(s, d, 1 / length, d, 0);
    return true;
}

/* r = A x - value x, not scaled; returns its length. */
static double residual_of(const solver *s, double value)
{
    for (uint64_t i = 0; i < s->n; i++)
        s->r.v[i] = s->x.image[i] - value * s->x.v[i];
    return sqrt(dot(s->r.v, s->r.v, s->n));
}

/* x becomes the vector of largest quotient among the directions, p what was added to the old x. */
static void step(solver *s, bool has_p)
{
    const direction *d[3] = {&s->x, &s->r, &s->p};
    const int size = has_p ? 3 : 2;
    double h[9], values[3], vectors[9];
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            h[i * size + j] =
                (dot(d[i]->v, d[j]->image, s->n) + dot(d[j]->v, d[i]->image, s->n)) / 2;
    hrr_symmetric_eigen(values, vectors, h, size);
    const double at_x = vectors[0], at_r = vectors[size], at_p = has_p ? vectors[2 * size] : 0;
    combine(s, &s->p, at_p, &s->r, at_r);
    combine(s, &s->x, at_x, &s->p, 1);
}

static hrr_status solve(solver *s, hrr_centrality *out, hrr_progress *progress, hrr_error *err)
{
    const double entries = (double)hrr_csr_n_entries(s->graph) + 1;
    const double most_rounds = fmax(least_rounds, most_additions / entries);
    bool has_p = false;
    multiply(s, &s->x);
    for (double round = 0;; round++) {
        out->value = dot(s->x.v, s->x.image, s->n);
        out->residual = residual_of(s, out->value) / out->value;
        if (out->residual <= good_residual || round >= most_rounds) return HRR_OK;
        hrr_status status = hrr_progress_advance(progress, 1, err);
        if (status) return status;
        part_from(s, &s->r, &s->x); /* only rounding is left of it; its image comes below */
        if (!scale(s, &s->r)) return HRR_OK;
        multiply(s, &s->r);
        if (has_p) {
            part_from(s, &s->p, &s->x);
            part_from(s, &s->p, &s->r);
            has_p = scale(s, &s->p);
        }
        step(s, has_p);
        has_p = true;
        if (!scale(s, &s->x)) return HRR_OK;
        if ((uint64_t)round % fresh == fresh - 1) multiply(s, &s->x);
    }
}

hrr_status hrr_centrality_find(double *x, hrr_centrality *out, const hrr_csr *graph, int threads,
                               hrr_progress *progress, hrr_error *err)
{
    hrr_status status = HRR_OK;
    const uint64_t n = graph->rows, n_entries = hrr_csr_n_entries(graph);
    *out = (hrr_centrality){0};
    for (uint64_t i = 0; i < n; i++)
        x[i] = 1 / sqrt((double)n);
    if (n_entries == 0) return HRR_OK;
    double *memory = hrr_alloc_zero(5 * n, sizeof *memory);
    if (!memory) return hrr_no_memory(err);
    solver s = {.graph = graph,
                .n = n,
                .threads = n_entries < few_edges ? 1 : hrr_threads(threads),
                .x = {x, memory},
                .r = {memory + n, memory + 2 * n},
                .p = {memory + 3 * n, memory + 4 * n}};
    hrr_progress_begin(progress, "finding central nodes", 0);
    status = solve(&s, out, progress, err);
    for (uint64_t i = 0; i < n; i++) /* no weight is negative but by rounding */
        x[i] = fabs(x[i]);
    hrr_free(memory);
    return status;
}
