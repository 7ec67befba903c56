/* hop_rows.c: see hop_rows.h.
 *
 * Columns do not meet when features are propagated, so that a strip of them goes over all hops by
 * itself: memory is two strips, however many features there are. Of each hop only the rows that
 * somebody asked for are kept, in memory or in a scratch file. */
#include "learn/hop_rows.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "base/size.h"
#include "graph/aggregator.h"
#include "matrix/dense.h"

#include <string.h>

enum { strip_bytes = 256 << 20 };

/* ---- where rows are kept --------------------------------------------------------------------- */

static hrr_status map_rows(hrr_dense *out, uint64_t rows, uint64_t cols, const char *directory,
                           hrr_error *err)
{
    size_t size;
    if (!hrr_mul_fits(rows, cols, &size) || !hrr_mul_fits(size, sizeof(float), &size))
        return hrr_no_memory(err);
    hrr_dense made = {.dtype = HRR_F32, .rows = rows, .cols = cols};
    hrr_status status = hrr_scratch_map(&made.storage, directory, size, err);
    if (status) return status;
    made.data = made.storage.start;
    *out = made;
    return HRR_OK;
}

/* ---- hops ------------------------------------------------------------------------------------ */

typedef struct strips {
    const hrr_model *model;
    const hrr_dense *features;
    hrr_aggregator edges;
    hrr_dense from, to; /* n x width */
    float *space;
    int threads;
} strips;

/* Columns first.. of the features as the network takes them. */
static void take_columns(hrr_dense *strip, const strips *self, uint64_t first)
{
    const float *mean = self->model->standards;
    const uint64_t d = self->features->cols, width = strip->cols;
    float *const to = strip->data;
#pragma omp parallel for schedule(static) num_threads(self->threads)
    for (uint64_t i = 0; i < strip->rows; i++)
        for (uint64_t k = 0; k < width; k++) {
            const float value = (float)hrr_dense_get(self->features, i, first + k);
            to[i * width + k] = mean ? (value - mean[first + k]) * mean[d + first + k] : value;
        }
}

static void keep_chosen(hrr_dense *out, const hrr_dense *strip, uint64_t at, const uint32_t *nodes,
                        int threads)
{
    const uint64_t width = strip->cols;
    (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t r = 0; r < out->rows; r++)
        memcpy((float *)out->data + r * out->cols + at,
               (const float *)strip->data + nodes[r] * width, width * sizeof(float));
}

static hrr_status run_strip(hrr_dense *out, strips *self, uint64_t first, uint64_t width,
                            const uint32_t *nodes, hrr_progress *progress, hrr_error *err)
{
    const uint32_t n_hops = self->model->shape.n_propagate;
    const uint64_t n = self->from.rows;
    hrr_dense from = hrr_f32_view(self->from.data, n, width);
    hrr_dense to = hrr_f32_view(self->to.data, n, width);
    take_columns(&from, self, first);
    for (uint32_t k = 0;; k++) {
        keep_chosen(out, &from, k * self->features->cols + first, nodes, self->threads);
        if (k == n_hops) return HRR_OK;
        hrr_aggregate(hrr_keep_rows, &to, &self->edges, false, &from, self->space, self->threads,
                      progress);
        const hrr_dense swapped = from;
        from = to;
        to = swapped;
        const hrr_status status = hrr_progress_advance(progress, width, err);
        if (status) return status;
    }
}

/* As many columns as two strips have room for. */
static uint64_t width_of_strips(uint64_t n, uint64_t d)
{
    const uint64_t width = strip_bytes / (2 * sizeof(float) * (n ? n : 1));
    return width < 1 ? 1 : width > d ? d : width;
}

hrr_status hrr_hop_rows(hrr_dense *out, const hrr_model *model, const hrr_graph *graph,
                        const uint32_t *nodes, uint64_t n_nodes, const char *scratch, int threads,
                        hrr_progress *progress, hrr_error *err)
{
    strips self = {
        .model = model, .features = hrr_graph_features(graph), .threads = hrr_threads(threads)};
    const uint32_t n_hops = model->shape.n_propagate;
    const uint64_t n = self.features->rows, d = self.features->cols;
    const uint64_t width = width_of_strips(n, d);
    *out = (hrr_dense){0};
    hrr_status status = scratch ? map_rows(out, n_nodes, (n_hops + 1) * d, scratch, err)
                                : hrr_dense_init(out, HRR_F32, n_nodes, (n_hops + 1) * d, err);
    if (!status)
        status = hrr_aggregator_init(&self.edges, graph, model->shape.normalisation,
                                     HRR_DIAGONAL_ALL, err);
    if (!status) status = hrr_dense_init(&self.from, HRR_F32, n, width, err);
    if (!status) status = hrr_dense_init(&self.to, HRR_F32, n, width, err);
    if (!status &&
        !(self.space = hrr_alloc(hrr_spmm_rows_space(width, self.threads), sizeof *self.space)))
        status = hrr_no_memory(err);
    hrr_progress_begin(progress, "propagating features", d * n_hops);
    for (uint64_t first = 0; first < d && !status; first += width)
        status = run_strip(out, &self, first, d - first < width ? d - first : width, nodes,
                           progress, err);
    hrr_aggregator_clear(&self.edges);
    hrr_dense_clear(&self.from);
    hrr_dense_clear(&self.to);
    hrr_free(self.space);
    if (status) hrr_dense_clear(out);
    return status;
}
