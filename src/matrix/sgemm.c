/* sgemm.c: see sgemm.h.
 *
 * Why not the BLAS: OpenBLAS 0.3.21, which Debian 12 has, does not know processors that are younger
 * than itself and falls back to SSE3: 33 Gflop/s a core where the same machine does 170. Its own
 * threads and those of OpenMP, spinning for the next loop, also take each other's cores. And a
 * network needs something done to every row of a product (bias, ReLU, dropout, a mask), which is
 * nearly free while the row is in the cache, and bytes multiplied as if they were floats. Products
 * of other shapes stay with the BLAS (gemm.c). bench/run learn measures both.
 *
 * The order of loops is that of Goto and van de Geijn (ACM TOMS 34, 2008): a panel of B, 256 steps
 * deep and a tile wide, stays in the first cache, a block of A, 84 rows, in the second. Everything
 * is padded to whole tiles, so that there is no special case at the edges.
 *
 * Work is cut into pieces that do not depend on the number of threads, and pieces of a sum are
 * added in their order: the result does not depend on it either. */
#include "matrix/sgemm.h"
#include "matrix/sgemm_tile.h"
#include "base/size.h"
#include "base/thread_number.h"

#include <assert.h>
#include <string.h>

enum {
    depth_step = HRR_TILE_DEPTH,
    group = HRR_TILE_GROUP,
    most_sums = 16,            /* pieces that a long sum is cut into */
    strip = 6 * HRR_TILE_GROUP /* rows of an inner product that one piece of work has */
};

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- packing ----------------------------------------------------------------------------------
 */

/* Panels of `cols` columns, one after another: B's rows 0 .. depth-1, zeros beyond n. */
static void pack_panels(float *to, const float *b, uint64_t depth, uint64_t n, size_t cols)
{
    for (uint64_t first = 0; first < n; first += cols) {
        const size_t count = smaller(cols, n - first);
        for (uint64_t k = 0; k < depth; k++, to += cols) {
            memcpy(to, b + k * n + first, count * sizeof *to);
            memset(to + count, 0, (cols - count) * sizeof *to);
        }
    }
}

/* The same of W^T, w n x depth. */
static void pack_panels_transposed(float *to, const float *w, uint64_t depth, uint64_t n,
                                   size_t cols)
{
    for (uint64_t first = 0; first < n; first += cols)
        for (uint64_t k = 0; k < depth; k++)
            for (size_t j = 0; j < cols; j++)
                *to++ = first + j < n ? w[(first + j) * depth + k] : 0;
}

HRR_LOOP widen_loop(float *restrict to, const uint8_t *restrict from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = from[i];
}
HRR_WIDE(static, widen, (float *restrict to, const uint8_t *restrict from, size_t count),
         (to, from, count))

/* A rectangle of X as floats with rows of `stride`, zeros beyond it up to `rows` x `stride`. */
static void copy_rectangle(float *to, size_t stride, size_t rows, const hrr_dense *x, uint64_t row,
                           uint64_t n_rows, uint64_t col, uint64_t n_cols)
{
    for (uint64_t i = 0; i < n_rows; i++, to += stride) {
        const size_t at = (row + i) * x->cols + col;
        if (x->dtype == HRR_F32)
            memcpy(to, (const float *)x->data + at, n_cols * sizeof *to);
        else
            widen(to, (const uint8_t *)x->data + at, n_cols);
        memset(to + n_cols, 0, (stride - n_cols) * sizeof *to);
    }
    memset(to, 0, (rows - n_rows) * stride * sizeof *to);
}

/* ---- X W --------------------------------------------------------------------------------------
 */

size_t hrr_sgemm_rows_space(uint64_t depth, uint64_t n, int threads)
{
    const size_t width = round_up(n, HRR_TILE_WIDTH);
    size_t rows, space;
    if (!hrr_mul_fits((size_t)hrr_threads(threads), group, &rows) ||
        !hrr_add_fits(rows, depth, &rows) || !hrr_mul_fits(rows, width, &space))
        return SIZE_MAX;
    return space;
}

/* out (group x width) = rows first .. first + count - 1 of X, times the packed panels. */
static void multiply_group(float *out, size_t width, const hrr_dense *x, uint64_t first,
                           uint64_t count, const float *panels, const hrr_tile *tile)
{
    float a[group * depth_step] __attribute__((aligned(64)));
    const uint64_t depth = x->cols;
    memset(out, 0, round_up(count, tile->rows) * width * sizeof *out);
    for (uint64_t k = 0; k < depth; k += depth_step) {
        const size_t steps = smaller(depth_step, depth - k);
        copy_rectangle(a, depth_step, round_up(count, tile->rows), x, first, count, k, steps);
        for (size_t j = 0; j < width; j += tile->cols) {
            const float *panel = panels + j * depth + k * tile->cols;
            for (size_t i = 0; i < count; i += tile->rows)
                tile->run(out + i * width + j, width, a + i * depth_step, panel, steps);
        }
    }
}

void hrr_sgemm_rows(hrr_take_rows *take, void *user, const hrr_dense *x, const float *w,
                    bool transpose_w, uint64_t n, float *space, int threads,
                    const hrr_progress *progress)
{
    assert(x->dtype == HRR_F32 || x->dtype == HRR_U8);
    const hrr_tile tile = hrr_tile_for(hrr_widest_vectors(), n);
    const size_t width = round_up(n, tile.cols);
    float *const blocks = space + x->cols * width;
    (transpose_w ? pack_panels_transposed : pack_panels)(space, w, x->cols, n, tile.cols);
    threads = hrr_threads(threads);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (uint64_t first = 0; first < x->rows; first += group) {
        if (hrr_progress_cancelled(progress)) continue;
        float *const block = blocks + (size_t)hrr_thread_number() * group * width;
        const uint64_t count = smaller(group, x->rows - first);
        multiply_group(block, width, x, first, count, space, &tile);
        take(user, block, width, first, count);
    }
}

/* ---- X^T D ------------------------------------------------------------------------------------
 */

/* How a product m x n over many rows is cut: strips of m, and pieces of the sum over rows. */
typedef struct cut {
    size_t strips, sums, height, width; /* height and width are padded to whole tiles */
} cut;

static cut cut_for(uint64_t m, uint64_t n)
{
    cut made = {.strips = (m + strip - 1) / strip};
    made.sums = made.strips >= most_sums ? 1 : most_sums / (made.strips ? made.strips : 1);
    made.height = round_up(m, group);
    made.width = round_up(n, HRR_TILE_WIDTH);
    return made;
}

/* A sum for every piece, and a packed block of D for every thread. */
size_t hrr_sgemm_inner_space(uint64_t m, uint64_t n, int threads)
{
    const cut how = cut_for(m, n);
    size_t rows, packed, space;
    if (!hrr_mul_fits(how.height, how.sums, &rows) ||
        !hrr_mul_fits((size_t)hrr_threads(threads), depth_step, &packed) ||
        !hrr_add_fits(rows, packed, &rows) || !hrr_mul_fits(rows, how.width, &space))
        return SIZE_MAX;
    return space;
}

/* sum (as many rows as the strip at `top` has) += X^T D over rows begin .. end - 1 */
static void add_strip(float *sum, size_t width, const hrr_dense *x, uint64_t top, const float *d,
                      uint64_t n, uint64_t begin, uint64_t end, const hrr_tile *tile, float *panels)
{
    float a[depth_step * group] __attribute__((aligned(64)));
    const uint64_t bottom = smaller(top + strip, x->cols);
    for (uint64_t k = begin; k < end; k += depth_step) {
        const size_t steps = smaller(depth_step, end - k);
        pack_panels(panels, d + k * n, steps, n, tile->cols);
        for (uint64_t m = top; m < bottom; m += group) {
            const uint64_t count = smaller(group, bottom - m);
            copy_rectangle(a, group, steps, x, k, steps, m, count);
            for (size_t j = 0; j < width; j += tile->cols)
                for (size_t i = 0; i < count; i += tile->rows)
                    tile->run_transposed(sum + (m - top + i) * width + j, width, a + i,
                                         panels + j * steps, steps);
        }
    }
}

/* g's rows from the pieces of their sums, which are added in their order */
static void add_pieces(float *g, uint64_t m, uint64_t n, const float *sums, const cut *how,
                       size_t width, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t i = 0; i < m; i++)
        for (size_t piece = 0; piece < how->sums; piece++) {
            const float *from = sums + (piece * how->height + i) * width;
            for (uint64_t j = 0; j < n; j++)
                g[i * n + j] = piece ? g[i * n + j] + from[j] : from[j];
        }
}

void hrr_sgemm_inner(float *g, const hrr_dense *x, const float *d, uint64_t n, float *space,
                     int threads, const hrr_progress *progress)
{
    assert(x->dtype == HRR_F32 || x->dtype == HRR_U8);
    const hrr_tile tile = hrr_tile_for(hrr_widest_vectors(), n);
    cut how = cut_for(x->cols, n);
    const size_t width = round_up(n, tile.cols);
    const uint64_t rows = round_up((x->rows + how.sums - 1) / how.sums, depth_step);
    if (x->rows <= rows * (how.sums - 1)) /* few rows: the last pieces would be empty */
        how.sums = x->rows ? (x->rows + rows - 1) / rows : 1;
    float *const packed = space + how.sums * how.height * width;
    threads = hrr_threads(threads);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t task = 0; task < how.sums * how.strips; task++) {
        if (hrr_progress_cancelled(progress)) continue;
        const size_t piece = task / how.strips, top = task % how.strips * strip;
        const size_t height = smaller(strip, how.height - top);
        float *const sum = space + (piece * how.height + top) * width;
        memset(sum, 0, height * width * sizeof *sum);
        add_strip(sum, width, x, top, d, n, piece * rows, smaller((piece + 1) * rows, x->rows),
                  &tile, packed + (size_t)hrr_thread_number() * depth_step * width);
    }
    add_pieces(g, x->cols, n, space, &how, width, threads);
}
