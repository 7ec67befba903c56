/* up_convolution.c: see up_convolution.h.
 *
 * Rows of the products are pictures, or, for the derivatives of weights, numbers of a place. So
 * each is as deep as a place is wide, or deeper, and its result stays in registers. Convolutions by
 * one large product (a row for each place, 16 columns for each of its outputs) spend most of their
 * time on moving that product to the pixels. */
#include "learn/up_convolution.h"

#include "base/memory.h"
#include "base/size.h"
#include "matrix/sgemm_tile.h"

#include <string.h>

enum { reach = 4, line = 16 }; /* pixels of a place in a row or column; floats of a cache line */

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* ---- sheets ---------------------------------------------------------------------------------- */

hrr_status hrr_sheet_init(hrr_sheet *out, uint32_t side, uint32_t width, uint64_t batch,
                          hrr_error *err)
{
    hrr_sheet made = {.side = side, .width = width, .batch = round_up(batch, HRR_PLACED_ROWS)};
    size_t rows, size;
    *out = (hrr_sheet){0};
    /* Tiles reach behind the last place. An odd number of cache lines: rows of different pictures
     * then share no set of the cache. */
    made.row = round_up((size_t)(side + 2) * width + HRR_TILE_WIDTH, 2 * line) + line;
    if (!hrr_mul_fits(made.batch, side + 2, &rows) || !hrr_mul_fits(rows, made.row, &size) ||
        !hrr_add_fits(size, line, &size) ||
        !(made.memory = hrr_alloc_zero(size, sizeof *made.memory)))
        return hrr_no_memory(err);
    made.at = made.memory + (line - (uintptr_t)made.memory / sizeof *made.memory % line) % line;
    *out = made;
    return HRR_OK;
}

void hrr_sheet_clear(hrr_sheet *sheet)
{
    hrr_free(sheet->memory);
    *sheet = (hrr_sheet){0};
}

/* ---- weights as panels ----------------------------------------------------------------------- */

static float *align(float *space)
{
    return space + (line - (uintptr_t)space / sizeof *space % line) % line;
}

static size_t panels_size(uint64_t depth, uint64_t n)
{
    return reach * depth * round_up(n, HRR_TILE_WIDTH);
}

size_t hrr_up_space(uint32_t side, uint32_t n_in, uint32_t n_out)
{
    const size_t forward = panels_size(n_in, (uint64_t)reach * n_out) + (size_t)2 * side * n_out;
    const size_t back = panels_size((uint64_t)reach * n_out, n_in);
    const size_t sums = 2 * (size_t)side * n_out; /* of a row of pixels, in each row */
    return larger(larger(forward, back), 2 * side * sums) + line;
}

/* Panel j of row v: columns j .. j + cols - 1 of what a place adds to its v-th row of pixels, n_in
 * steps deep; zeros beyond the last column. */
static void pack_forward(float *to, const float *weights, uint32_t n_in, uint32_t n_out,
                         size_t cols)
{
    const size_t n = (size_t)reach * n_out;
    for (size_t v = 0; v < reach; v++)
        for (size_t j = 0; j < n; j += cols)
            for (size_t k = 0; k < n_in; k++, to += cols) {
                const size_t count = n - j < cols ? n - j : cols;
                memcpy(to, weights + (k * reach + v) * n + j, count * sizeof *to);
                memset(to + count, 0, (cols - count) * sizeof *to);
            }
}

/* Panel j: columns j .. j + cols - 1 of the transposed weights, for all 4 rows of pixels. */
static void pack_back(float *to, const float *weights, uint32_t n_in, uint32_t n_out, size_t cols)
{
    const size_t depth = (size_t)reach * reach * n_out;
    for (size_t j = 0; j < n_in; j += cols, to += depth * cols)
        for (size_t i = 0; i < cols; i++) {
            const float *from = weights + (j + i) * depth;
            for (size_t k = 0; k < depth; k++)
                to[k * cols + i] = j + i < n_in ? from[k] : 0;
        }
}

/* ---- forward --------------------------------------------------------------------------------- */

/* What places of one or two rows add to row y of the pixels. Row v of place row r is row
 * 2 r + v - 1: v is 0 or 1 for one of the two, and 2 more for the row of places before it. */
static void add_places(const hrr_sheet *out, const hrr_sheet *in, const float *panels,
                       const hrr_placed_tile *tile, uint32_t y, uint64_t n)
{
    const size_t n_cols = (size_t)reach * out->width;
    const size_t per_row = round_up(n_cols, tile->cols) * in->width;
    uint32_t v = (y + 1) % 2, r = (y + 1) / 2;
    size_t runs = r && r < in->side ? 2 : 1;
    if (r == in->side) {
        r--;
        v += 2;
    }
    for (size_t j = 0; j < n_cols; j += tile->cols)
        for (uint32_t c = 0; c < in->side; c++)
            for (uint64_t i = 0; i < n; i += tile->rows) {
                const hrr_placed_product product = {.a = hrr_sheet_place(in, r, i, c),
                                                    .a_stride = in->row,
                                                    .a_jump = -(ptrdiff_t)(in->batch * in->row),
                                                    .b = panels + v * per_row + j * in->width,
                                                    .b_stride = tile->cols,
                                                    .b_jump = (ptrdiff_t)(2 * per_row),
                                                    .depth = in->width,
                                                    .runs = runs};
                tile->run(hrr_sheet_place(out, y, i, 2 * (int64_t)c - 1) + j, out->row, &product);
            }
}

HRR_LOOP rectify_loop(float *x, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        x[i] = x[i] > 0 ? x[i] : 0;
}
HRR_WIDE(static, rectify, (float *x, size_t n), (x, n))

void hrr_up_forward(const hrr_sheet *out, const hrr_sheet *in, const float *weights,
                    const float *bias, bool relu, uint64_t n, float *space, int threads)
{
    const hrr_placed_tile tile =
        hrr_placed_tile_for(hrr_widest_vectors(), (size_t)reach * out->width);
    const size_t inside = (size_t)out->side * out->width, after = out->row - out->width - inside;
    float *panels = align(space);
    float *biases = panels + panels_size(in->width, (uint64_t)reach * out->width);
    pack_forward(panels, weights, in->width, out->width, tile.cols);
    for (uint32_t x = 0; x < out->side; x++)
        memcpy(biases + (size_t)x * out->width, bias, out->width * sizeof *bias);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint32_t y = 0; y < out->side; y++) {
        for (uint64_t i = 0; i < n; i++)
            memcpy(hrr_sheet_place(out, y, i, 0), biases, inside * sizeof *biases);
        add_places(out, in, panels, &tile, y, n);
        for (uint64_t i = 0; i < n; i++) {
            if (relu) rectify(hrr_sheet_place(out, y, i, 0), inside);
            /* what places added to the border */
            memset(hrr_sheet_place(out, y, i, -1), 0, out->width * sizeof(float));
            memset(hrr_sheet_place(out, y, i, out->side), 0, after * sizeof(float));
        }
    }
}

/* ---- derivatives ----------------------------------------------------------------------------- */

HRR_LOOP add_loop(float *restrict sum, const float *restrict x, size_t n)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        sum[i] += x[i];
}
HRR_WIDE(static, add, (float *restrict sum, const float *restrict x, size_t n), (sum, x, n))

static void sum_pixels(float *bias, const hrr_sheet *out, uint64_t n, float *space, int threads)
{
    const size_t inside = (size_t)out->side * out->width;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint32_t y = 0; y < out->side; y++) {
        float *const sums = space + y * inside;
        memset(sums, 0, inside * sizeof *sums);
        for (uint64_t i = 0; i < n; i++)
            add(sums, hrr_sheet_place(out, y, i, 0), inside);
    }
    memset(bias, 0, out->width * sizeof *bias);
    for (size_t pixel = 0; pixel < out->side * (size_t)out->side; pixel++)
        for (uint32_t k = 0; k < out->width; k++)
            bias[k] += space[pixel * out->width + k];
}

void hrr_up_gradient(float *weights, float *bias, const hrr_sheet *out, const hrr_sheet *in,
                     uint64_t n, float *space, int threads)
{
    const size_t n_cols = (size_t)reach * out->width;
    const hrr_placed_tile tile = hrr_placed_tile_for(hrr_widest_vectors(), n_cols);
    sum_pixels(bias, out, n, space, threads);
#pragma omp parallel for collapse(2) schedule(dynamic) num_threads(threads)
    for (uint32_t v = 0; v < reach; v++)
        for (size_t m = 0; m < in->width; m += tile.rows)
            for (size_t j = 0; j < n_cols; j += tile.cols) {
                float sum[HRR_PLACED_ROWS * HRR_TILE_WIDTH] __attribute__((aligned(64))) = {0};
                for (uint32_t r = 0; r < in->side; r++) {
                    const hrr_placed_product product = {
                        .a = hrr_sheet_place(in, r, 0, 0) + m,
                        .a_stride = in->row,
                        .a_jump = in->width,
                        .b = hrr_sheet_place(out, 2 * (int64_t)r + v - 1, 0, -1) + j,
                        .b_stride = out->row,
                        .b_jump = 2 * (ptrdiff_t)out->width,
                        .depth = n,
                        .runs = in->side};
                    tile.run_transposed(sum, tile.cols, &product);
                }
                const size_t count = n_cols - j < tile.cols ? n_cols - j : tile.cols;
                for (size_t i = 0; i < tile.rows && m + i < in->width; i++)
                    memcpy(weights + ((m + i) * reach + v) * n_cols + j, sum + i * tile.cols,
                           count * sizeof *sum);
            }
}

/* Outputs (rows x n, stride) of a relu become the derivatives, or 0 where the unit was not active.
 */
HRR_LOOP deactivate_loop(float *restrict outputs, size_t stride, const float *restrict derivatives,
                         size_t cols, size_t rows, size_t n)
{
    for (size_t i = 0; i < rows; i++, outputs += stride, derivatives += cols)
#pragma omp simd
        for (size_t k = 0; k < n; k++)
            outputs[k] = outputs[k] > 0 ? derivatives[k] : 0;
}
HRR_WIDE(static, deactivate,
         (float *restrict outputs, size_t stride, const float *restrict derivatives, size_t cols,
          size_t rows, size_t n),
         (outputs, stride, derivatives, cols, rows, n))

void hrr_up_back(const hrr_sheet *in, const hrr_sheet *out, const float *weights, uint64_t n,
                 float *space, int threads)
{
    const hrr_placed_tile tile = hrr_placed_tile_for(hrr_widest_vectors(), in->width);
    const size_t depth = (size_t)reach * out->width;
    float *panels = align(space);
    pack_back(panels, weights, in->width, out->width, tile.cols);
#pragma omp parallel for collapse(2) schedule(static) num_threads(threads)
    for (uint32_t r = 0; r < in->side; r++)
        for (uint32_t c = 0; c < in->side; c++)
            for (size_t j = 0; j < in->width; j += tile.cols)
                for (uint64_t i = 0; i < n; i += tile.rows) {
                    float sum[HRR_PLACED_ROWS * HRR_TILE_WIDTH] __attribute__((aligned(64))) = {0};
                    const hrr_placed_product product = {
                        .a = hrr_sheet_place(out, 2 * (int64_t)r - 1, i, 2 * (int64_t)c - 1),
                        .a_stride = out->row,
                        .a_jump = (ptrdiff_t)(out->batch * out->row),
                        .b = panels + j * reach * depth,
                        .b_stride = tile.cols,
                        .b_jump = (ptrdiff_t)(depth * tile.cols),
                        .depth = depth,
                        .runs = reach};
                    tile.run(sum, tile.cols, &product);
                    const size_t count = in->width - j < tile.cols ? in->width - j : tile.cols;
                    deactivate(hrr_sheet_place(in, r, i, c) + j, in->row, sum, tile.cols, tile.rows,
                               count);
                }
}
