/* hop_rows.c: see hop_rows.h.
 *
 * Columns do not meet when features are propagated, so that a strip of them goes over all hops by
 * itself: memory is two strips, however many features there are. Of each hop only the rows that
 * somebody asked for are kept. The file is filled with blocks before it is mapped: a disk that is
 * full is an error then, not a signal later. */
#include "learn/hop_rows.h"
#include "base/memory.h"
#include "base/size.h"
#include "graph/aggregator.h"
#include "matrix/dense.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { strip_bytes = 256 << 20 };

/* ---- where rows are kept --------------------------------------------------------------------- */

static hrr_status cannot(const char *directory, const char *what, int why, hrr_error *err)
{
    return hrr_fail(err, HRR_EIO, "%s: the file for propagated features cannot be %s: %s",
                    directory, what, strerror(why));
}

/* A file that has lost its name already: it ends with its last user, however that comes. */
static hrr_status open_nameless(int *fd, const char *directory, hrr_error *err)
{
    char *path = hrr_format_text("%s/.heterorr-hops-XXXXXX", directory);
    if (!path) return hrr_no_memory(err);
    *fd = mkstemp(path);
    hrr_status status = *fd < 0 ? cannot(directory, "made", errno, err) : HRR_OK;
    if (!status) unlink(path);
    hrr_free(path);
    return status;
}

static hrr_status map_rows(hrr_dense *out, uint64_t rows, uint64_t cols, const char *directory,
                           hrr_error *err)
{
    size_t size;
    int fd = -1;
    if (!hrr_mul_fits(rows, cols, &size) || !hrr_mul_fits(size, sizeof(float), &size))
        return hrr_no_memory(err);
    hrr_status status = open_nameless(&fd, directory, err);
    if (status) return status;
    const int full = posix_fallocate(fd, 0, (off_t)size);
    void *start = MAP_FAILED;
    if (full)
        status = cannot(directory, "written", full, err);
    else if ((start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED)
        status = cannot(directory, "mapped", errno, err);
    close(fd);
    if (status) return status;
    *out = (hrr_dense){.dtype = HRR_F32,
                       .rows = rows,
                       .cols = cols,
                       .data = start,
                       .storage = {start, size, HRR_REGION_MAPPED}};
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
