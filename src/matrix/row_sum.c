/* row_sum.c: see row_sum.h.
 *
 * The rows of x are gathered from all over memory, which is what takes the time; they are asked for
 * some entries ahead, across the ends of rows. Sums are held in registers, up to eight vectors of
 * them, so that beside the gathers nothing is loaded or stored. The last vector of a row that is
 * not a whole number of vectors long overlaps the one before it: its columns are computed twice, to
 * the same bits. */
#include "matrix/row_sum.h"
#include "matrix/wide.h"

#include <string.h>

enum { line = 64, fetch_ahead = 8 /* entries */, most_vectors = 8 /* held at a time */ };

#define INLINE static inline __attribute__((always_inline))

/* Everything that the sums of some rows have in common. */
typedef struct product {
    const uint32_t *col, *last_col; /* of the whole matrix */
    const float *value, *col_scale;
} product;

INLINE float worth(const product *p, uint64_t e)
{
    if (p->value) return p->value[e];
    return p->col_scale ? p->col_scale[p->col[e]] : 1;
}

/* Ask for the row of a later entry; the processor follows by itself where the row is long. */
INLINE void fetch(const product *p, uint64_t e, const void *x, size_t row_size, size_t size)
{
    const uint32_t *const later = p->col + e + fetch_ahead;
    const char *row = (const char *)x + *(later < p->last_col ? later : p->last_col) * row_size;
    for (size_t at = 0; at < size; at += line)
        __builtin_prefetch(row + at);
}

/* clang-format off: it knows no _Pragma in a macro */
#define UNROLLED(v, n) _Pragma("GCC unroll 8") for (int v = 0; v < (n); v++)

/* sum_T_LANES: columns begin .. begin + n LANES - 1 of one row, but that the last vector ends with
 * column d - 1. A vector may be wider than what this processor's calls can pass, so it never is an
 * argument. */
#define DEFINE_SUM(T, LANES)                                                                       \
    INLINE void sum_##T##_##LANES(float *y, const product *p, uint64_t e, uint64_t end,            \
                                  float scale, const T *x, size_t d, size_t begin, const int n)    \
    {                                                                                              \
        typedef float floats __attribute__((vector_size((LANES) * sizeof(float))));                \
        typedef T elements __attribute__((vector_size((LANES) * sizeof(T))));                      \
        const size_t stop = begin + (size_t)n * (LANES), last = (stop < d ? stop : d) - (LANES);   \
        floats sum[most_vectors];                                                                  \
        UNROLLED(v, n) sum[v] = (floats){0};                                                       \
        for (; e < end; e++) {                                                                     \
            fetch(p, e, x + begin, d * sizeof *x, (size_t)n * (LANES) * sizeof *x);                \
            const T *const row = x + p->col[e] * d;                                                \
            const float w = worth(p, e);                                                           \
            UNROLLED(v, n)                                                                         \
            {                                                                                      \
                elements from;                                                                     \
                memcpy(&from, row + (v + 1 < n ? begin + (size_t)v * (LANES) : last),              \
                       sizeof from);                                                               \
                sum[v] += w * __builtin_convertvector(from, floats);                               \
            }                                                                                      \
        }                                                                                          \
        UNROLLED(v, n)                                                                             \
        {                                                                                          \
            sum[v] *= scale;                                                                       \
            memcpy(y + (v + 1 < n ? begin + (size_t)v * (LANES) : last), &sum[v], sizeof sum[v]);  \
        }                                                                                          \
    }

#define CASE(T, LANES, n)                                                                          \
    case n:                                                                                        \
        sum_##T##_##LANES(y, p, e, end, scale, x, d, begin, n);                                    \
        break

/* sum_strips_T_LANES: one row of at least LANES columns, in strips of most_vectors vectors. */
#define DEFINE_STRIPS(T, LANES)                                                                    \
    DEFINE_SUM(T, LANES)                                                                           \
    INLINE void sum_strips_##T##_##LANES(float *y, const product *p, uint64_t e, uint64_t end,     \
                                         float scale, const T *x, size_t d)                        \
    {                                                                                              \
        for (size_t begin = 0; begin < d; begin += most_vectors * (LANES))                         \
            switch ((d - begin + (LANES)-1) / (LANES)) {                                           \
                CASE(T, LANES, 1);                                                                 \
                CASE(T, LANES, 2);                                                                 \
                CASE(T, LANES, 3);                                                                 \
                CASE(T, LANES, 4);                                                                 \
                CASE(T, LANES, 5);                                                                 \
                CASE(T, LANES, 6);                                                                 \
                CASE(T, LANES, 7);                                                                 \
            default:                                                                               \
                sum_##T##_##LANES(y, p, e, end, scale, x, d, begin, most_vectors);                 \
            }                                                                                      \
    }

#define DEFINE_SUMS(T)                                                                             \
    DEFINE_STRIPS(T, 16)                                                                           \
    DEFINE_STRIPS(T, 8)                                                                            \
    DEFINE_STRIPS(T, 4)                                                                            \
    INLINE void sum_row_##T(const int lanes, float *y, const product *p, uint64_t e, uint64_t end, \
                            float scale, const T *x, size_t d)                                     \
    {                                                                                              \
        if (lanes >= 16 && d >= 16) {                                                              \
            sum_strips_##T##_16(y, p, e, end, scale, x, d);                                        \
        } else if (lanes >= 8 && d >= 8) {                                                         \
            sum_strips_##T##_8(y, p, e, end, scale, x, d);                                         \
        } else if (d >= 4) {                                                                       \
            sum_strips_##T##_4(y, p, e, end, scale, x, d);                                         \
        } else {                                                                                   \
            for (size_t k = 0; k < d; k++) {                                                       \
                float sum = 0;                                                                     \
                for (uint64_t i = e; i < end; i++)                                                 \
                    sum += worth(p, i) * x[p->col[i] * d + k];                                     \
                y[k] = sum * scale;                                                                \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    INLINE void sum_rows_##T(const int lanes, float *y, const hrr_csr *s, uint64_t first,          \
                             uint64_t count, const float *row_scale, const float *col_scale,       \
                             const T *x, size_t d)                                                 \
    {                                                                                              \
        const uint64_t *const start = s->row_start;                                                \
        const uint64_t last = start[s->rows] ? start[s->rows] - 1 : 0;                             \
        const product p = {s->col, s->col + last, s->value, col_scale};                            \
        for (uint64_t i = first; i < first + count; i++, y += d)                                   \
            sum_row_##T(lanes, y, &p, start[i], start[i + 1], row_scale ? row_scale[i] : 1, x, d); \
    }
/* clang-format on */

DEFINE_SUMS(float)
DEFINE_SUMS(uint8_t)

HRR_LOOP hrr_row_sums_f32_loop(const int lanes, float *y, const hrr_csr *s, uint64_t first,
                               uint64_t count, const float *row_scale, const float *col_scale,
                               const float *x, size_t d)
{
    sum_rows_float(lanes, y, s, first, count, row_scale, col_scale, x, d);
}
HRR_WIDE_LANES(, hrr_row_sums_f32,
               (float *y, const hrr_csr *s, uint64_t first, uint64_t count, const float *row_scale,
                const float *col_scale, const float *x, size_t d),
               (y, s, first, count, row_scale, col_scale, x, d))

HRR_LOOP hrr_row_sums_u8_loop(const int lanes, float *y, const hrr_csr *s, uint64_t first,
                              uint64_t count, const float *row_scale, const float *col_scale,
                              const uint8_t *x, size_t d)
{
    sum_rows_uint8_t(lanes, y, s, first, count, row_scale, col_scale, x, d);
}
HRR_WIDE_LANES(, hrr_row_sums_u8,
               (float *y, const hrr_csr *s, uint64_t first, uint64_t count, const float *row_scale,
                const float *col_scale, const uint8_t *x, size_t d),
               (y, s, first, count, row_scale, col_scale, x, d))
