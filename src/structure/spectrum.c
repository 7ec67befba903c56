/* spectrum.c: the largest eigenvalues of N = D^-1/2 A D^-1/2 below the trivial ones.
 *
 * N has eigenvalues in [-1, 1] and is similar to the walk matrix P. Each component C that has edges
 * gives one eigenvalue 1 with the vector u_C[i] = sqrt(d_i / sum of degrees in C): known without
 * computing, and many of them in a sparse graph. They are projected away, and the next ones, which
 * say how slowly walks mix, are found by subspace iteration (Saad, Numerical Methods for Large
 * Eigenvalue Problems, chapter 5): a block of vectors V is multiplied by a Chebyshev polynomial in
 * N that is small on [-1, cut] and grows above, made orthonormal, and rotated to the eigenvectors
 * of V^T N V. A block finds eigenvalues of any multiplicity up to its width, which a single Lanczos
 * vector does not: equal components, common after edges were dropped, have equal eigenvalues.
 *
 * Every printed value lies within its residual ||N v - value v|| of an eigenvalue, because N is
 * symmetric; the error is about its square over the gap.
 *
 * V is n x width, row by row, so that a neighbour is one or two cache lines for all vectors. Sums
 * go over fixed portions of rows: threads do not show. */
#include <heterorr/structure.h>

#include <heterorr/random.h>

#include "base/memory.h"
#include "matrix/csr.h"
#include "structure/components.h"
#include "structure/measures.h"
#include "structure/shape.h"
#include "structure/symmetric_eigen.h"

#include <math.h>
#include <string.h>

enum { spare = 6, most_width = HRR_MAX_EIGENVALUES + spare, portion = 4096, most_rounds = 60 };
/* Below these a pass takes less time than threads take to meet, on a busy machine much less. */
enum { few_edges = 1 << 16, few_rows = 1 << 17 };
static const double good_residual = 1e-7;

typedef struct subspace {
    const hrr_csr *graph;
    uint64_t n, n_portions;
    int width;
    int edge_threads, row_threads; /* for passes over edges, over rows */
    double *scale;                 /* d^-1/2, 0 without edges */
    uint32_t *component;           /* of each node */
    double *volume;                /* sum of degrees of each component */
    double *trivial_part;          /* components x width */
    uint64_t n_components;         /* with isolated nodes */
    double *v, *w;                 /* n x width each */
    double *partial;               /* portions x width^2 */
    hrr_fast_random random;
} subspace;

static uint64_t portion_end(const subspace *s, uint64_t part)
{
    return (part + 1) * portion < s->n ? (part + 1) * portion : s->n;
}

/* ---- the trivial eigenvectors ---------------------------------------------------------------- */

/* order: room for n. */
static void find_components(subspace *s, uint32_t *order)
{
    s->n_components = hrr_components_find(s->component, order, s->graph);
    memset(s->volume, 0, s->n_components * sizeof *s->volume);
    for (uint64_t i = 0; i < s->n; i++)
        s->volume[s->component[i]] += (double)hrr_degree(s->graph, i);
}

/* V -= sum over components of u_C (u_C^T V). Supports do not overlap, so it is one pass each way.
 */
static void remove_trivial(subspace *s)
{
    const int width = s->width;
    memset(s->trivial_part, 0, s->n_components * (size_t)width * sizeof *s->trivial_part);
    for (uint64_t i = 0; i < s->n; i++) {
        if (s->scale[i] == 0) continue;
        double *part = s->trivial_part + (uint64_t)s->component[i] * width;
        const double u = 1 / (s->scale[i] * sqrt(s->volume[s->component[i]]));
        for (int k = 0; k < width; k++)
            part[k] += u * s->v[i * width + k];
    }
    for (uint64_t i = 0; i < s->n; i++) {
        if (s->scale[i] == 0) continue;
        const double *part = s->trivial_part + (uint64_t)s->component[i] * width;
        const double u = 1 / (s->scale[i] * sqrt(s->volume[s->component[i]]));
        for (int k = 0; k < width; k++)
            s->v[i * width + k] -= u * part[k];
    }
}

/* ---- products -------------------------------------------------------------------------------- */

/* out = a N in + b in + c out */
static void multiply(const subspace *s, double *out, const double *in, double a, double b, double c)
{
    const int width = s->width;
#pragma omp parallel for schedule(dynamic, 256) num_threads(s->edge_threads)
    for (uint64_t i = 0; i < s->n; i++) {
        double sum[most_width] = {0};
        for (uint64_t e = s->graph->row_start[i]; e < s->graph->row_start[i + 1]; e++) {
            const uint64_t j = s->graph->col[e];
            const double weight = s->scale[j];
            for (int k = 0; k < width; k++)
                sum[k] += weight * in[j * width + k];
        }
        for (int k = 0; k < width; k++) {
            const double old = c == 0 ? 0 : c * out[i * width + k];
            out[i * width + k] = a * s->scale[i] * sum[k] + b * in[i * width + k] + old;
        }
    }
}

/* out (rows x width) = columns [first, first + rows) of x, transposed, times y. */
static void inner(double *out, subspace *s, const double *x, const double *y, int first, int rows)
{
    const int width = s->width;
    const size_t size = (size_t)rows * (size_t)width;
#pragma omp parallel for num_threads(s->row_threads)
    for (uint64_t part = 0; part < s->n_portions; part++) {
        double *sum = s->partial + part * (uint64_t)width * width;
        memset(sum, 0, size * sizeof *sum);
        for (uint64_t i = part * portion; i < portion_end(s, part); i++)
            for (int r = 0; r < rows; r++) {
                const double factor = x[i * width + first + r];
                for (int k = 0; k < width; k++)
                    sum[r * width + k] += factor * y[i * width + k];
            }
    }
    memset(out, 0, size * sizeof *out);
    for (uint64_t part = 0; part < s->n_portions; part++)
        for (size_t k = 0; k < size; k++)
            out[k] += s->partial[part * (uint64_t)width * width + k];
}

/* x = x Q */
static void turn(const subspace *s, double *x, const double *q)
{
    const int width = s->width;
#pragma omp parallel for num_threads(s->row_threads)
    for (uint64_t i = 0; i < s->n; i++) {
        double row[most_width] = {0};
        for (int r = 0; r < width; r++)
            for (int k = 0; k < width; k++)
                row[k] += x[i * width + r] * q[r * width + k];
        memcpy(x + i * width, row, (size_t)width * sizeof *row);
    }
}

/* ---- the iteration --------------------------------------------------------------------------- */

static void fill_column(subspace *s, int column)
{
    for (uint64_t i = 0; i < s->n; i++)
        s->v[i * s->width + column] = hrr_fast_uniform(&s->random) - 0.5;
}

/* Take the columns before it out of a column, twice, which is enough for working precision (Giraud
 * and others 2005); its length becomes 1. False if nothing is left of it. */
static bool orthogonalise(subspace *s, int column)
{
    const int width = s->width;
    double part[most_width], length_before = 0, length = 0;
    for (int pass = 0; pass < 3; pass++) {
        inner(part, s, s->v, s->v, column, 1);
        length = sqrt(part[column]);
        if (pass == 0) length_before = length;
        if (!(length > 1e-10 * length_before) || !(length > 1e-150)) return false;
        const double factor = pass == 2 ? 1 / length : 1;
#pragma omp parallel for num_threads(s->row_threads)
        for (uint64_t i = 0; i < s->n; i++) {
            double *row = s->v + i * width, take = 0;
            for (int k = 0; pass < 2 && k < column; k++)
                take += part[k] * row[k];
            row[column] = (row[column] - take) * factor;
        }
    }
    return true;
}

static void orthonormalise(subspace *s)
{
    remove_trivial(s);
    for (int column = 0; column < s->width; column++)
        for (int attempt = 0; !orthogonalise(s, column) && attempt < 8; attempt++) {
            fill_column(s, column); /* the filter made it a mixture of the others: a fresh one */
            remove_trivial(s);
        }
}

/* V = T_degree((N - centre) / radius) V, where the interval [-1, cut] is mapped to [-1, 1]. */
static void filter(subspace *s, double cut, int degree)
{
    const double centre = (cut - 1) / 2, radius = (cut + 1) / 2;
    multiply(s, s->w, s->v, 1 / radius, -centre / radius, 0);
    for (int d = 2; d <= degree; d++) {
        /* T_d = 2 x T_(d-1) - T_(d-2): the oldest is overwritten. */
        multiply(s, s->v, s->w, 2 / radius, -2 * centre / radius, -1);
        double *newest = s->v;
        s->v = s->w;
        s->w = newest;
    }
    double *result = s->w;
    s->w = s->v;
    s->v = result;
}

/* Eigenvectors of N in the span of V, which is orthonormal; W = N V. */
static void rotate(subspace *s, double *value)
{
    const int width = s->width;
    double h[most_width * most_width], q[most_width * most_width];
    multiply(s, s->w, s->v, 1, 0, 0);
    inner(h, s, s->v, s->w, 0, width);
    for (int r = 0; r < width; r++)
        for (int k = 0; k < r; k++)
            h[r * width + k] = h[k * width + r] = (h[r * width + k] + h[k * width + r]) / 2;
    hrr_symmetric_eigen(value, q, h, width);
    turn(s, s->v, q);
    turn(s, s->w, q);
}

/* The largest ||W_k - value_k V_k|| of the first n_values. */
static double largest_residual(const subspace *s, const double *value, uint32_t n_values)
{
    double square[most_width] = {0}, largest = 0;
    for (uint64_t i = 0; i < s->n; i++)
        for (uint32_t k = 0; k < n_values; k++) {
            const uint64_t at = i * s->width + k;
            const double off = s->w[at] - value[k] * s->v[at];
            square[k] += off * off;
        }
    for (uint32_t k = 0; k < n_values; k++)
        largest = fmax(largest, sqrt(square[k]));
    return largest;
}

static hrr_status iterate(hrr_spectrum *out, subspace *s, hrr_progress *progress, hrr_error *err)
{
    double value[most_width];
    for (int column = 0; column < s->width; column++)
        fill_column(s, column);
    orthonormalise(s);
    rotate(s, value);
    for (int round = 0; round < most_rounds; round++) {
        out->residual = largest_residual(s, value, out->n_values);
        if (out->residual <= good_residual) break;
        /* Gently at first: all columns would turn into the same vector. */
        const int degree = round < 2 ? 6 : 24;
        filter(s, fmax(value[s->width - 1], -0.9), degree);
        orthonormalise(s);
        rotate(s, value);
        hrr_status status = hrr_progress_advance(progress, 1, err);
        if (status) return status;
    }
    out->residual = largest_residual(s, value, out->n_values);
    memcpy(out->value, value, out->n_values * sizeof *value);
    return HRR_OK;
}

static void free_subspace(subspace *s)
{
    hrr_free(s->scale);
    hrr_free(s->component);
    hrr_free(s->volume);
    hrr_free(s->trivial_part);
    hrr_free(s->v);
    hrr_free(s->w);
    hrr_free(s->partial);
}

hrr_status hrr_spectrum_of(hrr_spectrum *out, const hrr_csr *graph, uint32_t n_values,
                           uint64_t seed, int threads, hrr_progress *progress, hrr_error *err)
{
    *out = (hrr_spectrum){0};
    hrr_status status = hrr_same_nodes(graph, graph, err);
    if (status) return status;
    if (n_values > HRR_MAX_EIGENVALUES)
        return hrr_fail(err, HRR_EINVAL,
                        "cannot compute %u eigenvalues (`n_eigenvalues`); the largest number is %d",
                        (unsigned)n_values, HRR_MAX_EIGENVALUES);
    const uint64_t n = graph->rows;
    if (n == 0) return HRR_OK;
    subspace s = {
        .graph = graph,
        .n = n,
        .n_portions = (n + portion - 1) / portion,
        .scale = hrr_alloc(n, sizeof *s.scale),
        .component = hrr_alloc(n, sizeof *s.component),
        .volume = hrr_alloc(n, sizeof *s.volume),
    };
    uint32_t *queue = hrr_alloc(n, sizeof *queue);
    if (!s.scale || !s.component || !s.volume || !queue) {
        status = hrr_no_memory(err);
        goto done;
    }
    hrr_fast_init(&s.random, seed, 0);
    find_components(&s, queue);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t degree = hrr_degree(graph, i);
        s.scale[i] = degree ? 1 / sqrt((double)degree) : 0;
    }
    for (uint64_t c = 0; c < s.n_components; c++)
        out->components += s.volume[c] > 0;
    const uint64_t others = n - out->components;
    out->n_values = n_values < others ? n_values : (uint32_t)others;
    s.width = (int)(out->n_values + spare < others ? out->n_values + spare : others);
    if (out->n_values == 0) goto done;
    threads = hrr_threads(threads);
    s.edge_threads = hrr_csr_n_entries(graph) > few_edges ? threads : 1;
    s.row_threads = n > few_rows ? threads : 1;
    const size_t row = (size_t)s.width * sizeof *s.v;
    s.v = hrr_alloc(n, row);
    s.w = hrr_alloc(n, row);
    s.trivial_part = hrr_alloc(s.n_components, row);
    s.partial = hrr_alloc(s.n_portions, (size_t)s.width * row);
    if (!s.v || !s.w || !s.trivial_part || !s.partial) {
        status = hrr_no_memory(err);
        goto done;
    }
    hrr_progress_begin(progress, "finding eigenvalues", 0);
    status = iterate(out, &s, progress, err);
done:
    hrr_free(queue);
    free_subspace(&s);
    return status;
}

double hrr_spectral_distance(const hrr_spectrum *original, const hrr_spectrum *released)
{
    const uint32_t n =
        original->n_values < released->n_values ? original->n_values : released->n_values;
    double sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum +=
            (original->value[k] - released->value[k]) * (original->value[k] - released->value[k]);
    return n ? sqrt(sum / n) : 0;
}
