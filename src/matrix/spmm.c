/* spmm.c: Y = S X, the product that a graph network spends its time in.
 *
 *     S  rows x n  sparse,  X  n x d  dense f32 or u8,  Y  rows x d  f32
 *     Y[i, :] = sum over entries (i, j) of S[i, j] X[j, :], j ascending
 *
 * One thread sums a row, in the order of its entries, each column on its own. So the result is the
 * same, bit for bit, whatever the number of threads and the width of the vectors. Degrees are
 * skewed: rows are cut into portions of about equally many entries, which threads take as they come
 * free. */
#include "matrix/csr.h"
#include "matrix/spmm.h"
#include "matrix/row_sum.h"
#include "base/size.h"
#include "base/thread_number.h"

#include <assert.h>

enum { entries_per_portion = 4096, rows_at_once = 16 };

/* The first row of portion p of n_portions: work is entries and rows together, since an empty row
 * is written, too. */
static uint64_t portion_start(const hrr_csr *s, uint64_t p, uint64_t n_portions)
{
    const uint64_t work = hrr_csr_n_entries(s) + s->rows;
    const uint64_t before = (uint64_t)((unsigned __int128)work * p / n_portions);
    uint64_t low = 0, high = s->rows;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (s->row_start[middle] + middle < before)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t count_portions(const hrr_csr *s)
{
    return (hrr_csr_n_entries(s) + s->rows) / entries_per_portion + 1;
}

/* y: count rows of diag(row_scale) S diag(col_scale) X */
static void sum_rows(float *y, const hrr_csr *s, uint64_t first, uint64_t count,
                     const float *row_scale, const float *col_scale, const hrr_dense *x)
{
    if (x->dtype == HRR_F32)
        hrr_row_sums_f32(y, s, first, count, row_scale, col_scale, x->data, x->cols);
    else
        hrr_row_sums_u8(y, s, first, count, row_scale, col_scale, x->data, x->cols);
}

size_t hrr_spmm_rows_space(uint64_t d, int threads)
{
    size_t rows = (size_t)hrr_threads(threads) * rows_at_once, space;
    return hrr_mul_fits(rows, d, &space) ? space : SIZE_MAX;
}

void hrr_spmm_rows(hrr_take_rows *take, void *user, const hrr_csr *s, const float *row_scale,
                   const float *col_scale, const hrr_dense *x, float *space, int threads,
                   const hrr_progress *progress)
{
    assert(s->cols == x->rows && (x->dtype == HRR_F32 || x->dtype == HRR_U8));
    assert(!s->value || !col_scale);
    const uint64_t n_portions = count_portions(s);
    threads = hrr_threads(threads);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (uint64_t p = 0; p < n_portions; p++) {
        if (hrr_progress_cancelled(progress)) continue;
        float *const block = space + (size_t)hrr_thread_number() * rows_at_once * x->cols;
        const uint64_t end = portion_start(s, p + 1, n_portions);
        for (uint64_t i = portion_start(s, p, n_portions); i < end; i += rows_at_once) {
            const uint64_t count = end - i < rows_at_once ? end - i : rows_at_once;
            sum_rows(block, s, i, count, row_scale, col_scale, x);
            take(user, block, x->cols, i, count);
        }
    }
}
