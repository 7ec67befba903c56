/* walk_probed.c: ||P^h - Q^h||_F estimated by random sign vectors.
 *
 *     M = P^h - Q^h,  z uniform in {-1, +1}^n:   E ||M z||^2 = trace(M^T M) = ||M||_F^2
 *
 * (Hutchinson 1990, with M^T M as the matrix whose trace is wanted.) Probes are independent, so the
 * spread of their squares gives the standard error, and the delta method that of the root:
 * se(sqrt(F)) = se(F) / (2 sqrt(F)). The same probes serve all hops.
 *
 * Eight probes go together: a node's eight numbers are one cache line, and gathering neighbours is
 * gathering lines. Norms are summed by fixed portions of rows, so that threads do not show. */
#include <heterorr/structure.h>

#include <heterorr/random.h>

#include "base/memory.h"
#include "matrix/csr.h"
#include "random/fast.h"
#include "structure/measures.h"
#include "structure/shape.h"

#include <math.h>

/* A hop over fewer edges takes less time than threads take to meet, on a busy machine much less. */
enum { lanes = 8, portion = 512, few_edges = 1 << 16 };

typedef struct probes {
    double *in[2], *out[2]; /* for each graph, n x lanes */
    double *partial;        /* portions x lanes */
    double *square;         /* hops x n_probes: ||M z||^2 */
} probes;

static void free_probes(probes *p)
{
    for (int g = 0; g < 2; g++) {
        hrr_free(p->in[g]);
        hrr_free(p->out[g]);
    }
    hrr_free(p->partial);
    hrr_free(p->square);
}

/* One 64-bit draw is the signs of eight nodes in eight probes. */
static void draw_signs(probes *p, uint64_t n, uint64_t seed, uint64_t batch, int threads)
{
    const uint64_t n_portions = (n + portion - 1) / portion;
#pragma omp parallel for num_threads(threads)
    for (uint64_t part = 0; part < n_portions; part++) {
        hrr_fast_random random;
        hrr_fast_init(&random, seed, batch * n_portions + part);
        const uint64_t begin = part * portion, end = begin + portion < n ? begin + portion : n;
        uint64_t bits = 0;
        for (uint64_t i = begin; i < end; i++) {
            if ((i - begin) % 8 == 0) bits = hrr_fast_u64(&random);
            for (int l = 0; l < lanes; l++, bits >>= 1)
                p->in[0][i * lanes + l] = p->in[1][i * lanes + l] = bits & 1 ? 1 : -1;
        }
    }
}

/* to = (mean of the neighbours' lines); zero for a node without any. */
static inline void average(double *restrict to, const double *restrict from, const hrr_csr *graph,
                           uint64_t node)
{
    double sum[lanes] = {0};
    const uint64_t begin = graph->row_start[node], end = graph->row_start[node + 1];
    for (uint64_t e = begin; e < end; e++)
        for (int l = 0; l < lanes; l++)
            sum[l] += from[(uint64_t)graph->col[e] * lanes + l];
    const double inverse = end > begin ? 1.0 / (double)(end - begin) : 0;
    for (int l = 0; l < lanes; l++)
        to[l] = sum[l] * inverse;
}

/* One hop of eight probes in both graphs; squares[l] = the squared distance of probe l. */
static void hop(double *squares, probes *p, const hrr_csr *original, const hrr_csr *released,
                int threads)
{
    const uint64_t n = original->rows, n_portions = (n + portion - 1) / portion;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (uint64_t part = 0; part < n_portions; part++) {
        const uint64_t begin = part * portion, end = begin + portion < n ? begin + portion : n;
        double sum[lanes] = {0};
        for (uint64_t i = begin; i < end; i++) {
            double *x = p->out[0] + i * lanes, *y = p->out[1] + i * lanes;
            average(x, p->in[0], original, i);
            average(y, p->in[1], released, i);
            for (int l = 0; l < lanes; l++)
                sum[l] += (x[l] - y[l]) * (x[l] - y[l]);
        }
        for (int l = 0; l < lanes; l++)
            p->partial[part * lanes + l] = sum[l];
    }
    for (int l = 0; l < lanes; l++) {
        squares[l] = 0;
        for (uint64_t part = 0; part < n_portions; part++)
            squares[l] += p->partial[part * lanes + l];
    }
    for (int g = 0; g < 2; g++) {
        double *swapped = p->in[g];
        p->in[g] = p->out[g];
        p->out[g] = swapped;
    }
}

static void conclude(hrr_walk_distance *out, const probes *p, uint64_t n)
{
    const double count = out->n_probes;
    for (int h = 1; h <= out->hops; h++) {
        const double *square = p->square + (uint64_t)(h - 1) * out->n_probes;
        double mean = 0, spread = 0;
        for (uint32_t k = 0; k < out->n_probes; k++)
            mean += square[k] / count;
        for (uint32_t k = 0; k < out->n_probes; k++)
            spread += (square[k] - mean) * (square[k] - mean);
        const double error_of_mean = sqrt(spread / (count - 1) / count);
        out->rms[h] = sqrt(mean) / (double)n;
        out->standard_error[h] = mean > 0 ? error_of_mean / (2 * sqrt(mean)) / (double)n : 0;
    }
}

hrr_status hrr_walk_distance_probed(hrr_walk_distance *out, const hrr_csr *original,
                                    const hrr_csr *released, int hops, uint32_t n_probes,
                                    uint64_t seed, int threads, hrr_progress *progress,
                                    hrr_error *err)
{
    *out = (hrr_walk_distance){.hops = hops};
    hrr_status status = hrr_hops_fit(hops, err);
    if (!status) status = hrr_same_nodes(original, released, err);
    if (!status && (n_probes < 2 || n_probes > 1 << 20))
        status = hrr_fail(err, HRR_EINVAL,
                          "cannot estimate walks with %u %s (`n_probes`); use 2 to 1048576, "
                          "because a standard error needs at least two",
                          (unsigned)n_probes, hrr_plural(n_probes, "probe", "probes"));
    if (status) return status;
    const uint64_t n = original->rows;
    out->n_probes = (n_probes + lanes - 1) / lanes * lanes;
    if (n == 0) return HRR_OK;
    const bool small = hrr_csr_n_entries(original) + hrr_csr_n_entries(released) < few_edges;
    threads = small ? 1 : hrr_threads(threads);
    probes p = {0};
    for (int g = 0; g < 2; g++) {
        p.in[g] = hrr_alloc(n, lanes * sizeof *p.in[g]);
        p.out[g] = hrr_alloc(n, lanes * sizeof *p.out[g]);
        if (!p.in[g] || !p.out[g]) status = HRR_ENOMEM;
    }
    p.partial = hrr_alloc(n / portion + 1, lanes * sizeof *p.partial);
    p.square = hrr_alloc(out->n_probes, (size_t)hops * sizeof *p.square);
    if (status || !p.partial || !p.square) {
        status = hrr_no_memory(err);
        goto done;
    }
    const uint64_t n_batches = out->n_probes / lanes;
    hrr_progress_begin(progress, "probing walks", n_batches * (uint64_t)hops);
    for (uint64_t batch = 0; batch < n_batches; batch++) {
        draw_signs(&p, n, seed, batch, threads);
        for (int h = 1; h <= hops; h++) {
            hop(p.square + (uint64_t)(h - 1) * out->n_probes + batch * lanes, &p, original,
                released, threads);
            if ((status = hrr_progress_advance(progress, 1, err))) goto done;
        }
    }
    conclude(out, &p, n);
done:
    free_probes(&p);
    return status;
}
