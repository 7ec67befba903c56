/* spmm.c: Y = S X, the product that a graph network spends its time in.
 *
 *     S  rows x n  sparse,  X  n x d  dense f32 or u8,  Y  rows x d  f32
 *     Y[i, :] = sum over entries (i, j) of S[i, j] X[j, :], j ascending
 *
 * One thread sums a row, in the order of its entries, each column on its own. So the result is the
 * same, bit for bit, whatever the number of threads and the width of the vectors (under -std=c17
 * the compiler may not fuse a multiplication with an addition). Degrees are skewed: rows are dealt
 * out in small portions as threads come free.
 *
 * The rows of X are gathered from all over memory, which is what takes the time. Four entries at a
 * time, Y's row is loaded and stored a quarter as often and four gathers are under way together,
 * the next four being fetched ahead: 1.5 times the speed of the plain loop (n = 100,000, 20 entries
 * a row, d = 128). Tiles of columns held in registers were slower: they gather every row again for
 * each tile. */
#include <heterorr/matrix.h>

#include <assert.h>
#include <string.h>

enum { portion = 64, line = 64, fetch_limit = 1024 };

/* Ask for the start of a row; the processor follows by itself where the row is long. */
static inline void fetch(const void *row, size_t size)
{
    for (size_t at = 0; at < size && at < fetch_limit; at += line)
        __builtin_prefetch((const char *)row + at);
}

/* clang-format off: it knows no _Pragma in a macro */
/* y (d) = sum over e < count of value[e] x[col[e], :], x n x d of type T; value NULL: ones. */
#define SUM_ROW(T)                                                                                 \
    static void sum_row_##T(float *restrict y, const T *restrict x, size_t d, const uint32_t *col, \
                            const float *value, size_t count)                                      \
    {                                                                                              \
        size_t e = 0;                                                                              \
        memset(y, 0, d * sizeof *y);                                                               \
        for (; e + 4 <= count; e += 4) {                                                           \
            for (size_t ahead = e + 4; ahead < e + 8 && ahead < count; ahead++)                    \
                fetch(x + col[ahead] * d, d * sizeof *x);                                          \
            const T *x0 = x + col[e] * d, *x1 = x + col[e + 1] * d;                                \
            const T *x2 = x + col[e + 2] * d, *x3 = x + col[e + 3] * d;                            \
            const float v0 = value ? value[e] : 1, v1 = value ? value[e + 1] : 1;                  \
            const float v2 = value ? value[e + 2] : 1, v3 = value ? value[e + 3] : 1;              \
            _Pragma("omp simd") for (size_t k = 0; k < d; k++) y[k] =                              \
                (((y[k] + v0 * x0[k]) + v1 * x1[k]) + v2 * x2[k]) + v3 * x3[k];                    \
        }                                                                                          \
        for (; e < count; e++) {                                                                   \
            const T *x0 = x + col[e] * d;                                                          \
            const float v0 = value ? value[e] : 1;                                                 \
            _Pragma("omp simd") for (size_t k = 0; k < d; k++) y[k] += v0 * x0[k];                 \
        }                                                                                          \
    }
/* clang-format on */
SUM_ROW(float)
SUM_ROW(uint8_t)

void hrr_csr_mul_dense(hrr_dense *y, const hrr_csr *s, const hrr_dense *x, int threads)
{
    assert(y->rows == s->rows && s->cols == x->rows && y->cols == x->cols);
    assert(y->dtype == HRR_F32 && (x->dtype == HRR_F32 || x->dtype == HRR_U8));
    const size_t d = x->cols;
    threads = hrr_threads(threads);
    if (d == 0) return;
#pragma omp parallel for schedule(dynamic, portion) num_threads(threads)
    for (uint64_t i = 0; i < s->rows; i++) {
        const uint64_t start = s->row_start[i], count = s->row_start[i + 1] - start;
        const float *value = s->value ? s->value + start : NULL;
        float *out = (float *)y->data + i * d;
        if (x->dtype == HRR_F32)
            sum_row_float(out, x->data, d, s->col + start, value, count);
        else
            sum_row_uint8_t(out, x->data, d, s->col + start, value, count);
    }
}
