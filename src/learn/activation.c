/* activation.c: see activation.h.
 *
 * The hash is a finaliser of 32 bits, whose multipliers C. Wellons found by search to have nearly
 * no bias ("Prospecting for hash functions", 2018); it runs in vectors. */
#include "learn/activation.h"
#include "matrix/wide.h"
#include "random/fast.h"

#include <math.h>

hrr_dropout hrr_dropout_for(double rate, uint64_t seed, uint32_t epoch, uint32_t layer)
{
    hrr_fast_random random;
    hrr_fast_init(&random, seed, UINT64_C(1) + ((uint64_t)epoch << 8) + layer);
    return (hrr_dropout){.threshold = (uint32_t)fmin(rate * 0x1p32, UINT32_MAX),
                         .scale = (float)(1 / (1 - rate)),
                         .key = hrr_fast_u64(&random)};
}

static inline __attribute__((always_inline)) uint32_t scramble(uint32_t x)
{
    x = (x ^ (x >> 16)) * UINT32_C(0x7feb352d);
    x = (x ^ (x >> 15)) * UINT32_C(0x846ca68b);
    return x ^ (x >> 16);
}

HRR_LOOP activate_loop(const hrr_activation *how, const float *block, size_t stride, uint64_t first,
                       uint64_t count)
{
    const size_t n = how->n_out;
    const hrr_dropout dropout = how->dropout;
    const float *const bias = how->bias;
    for (uint64_t i = 0; i < count; i++, block += stride) {
        float *const to = how->to + (first + i) * n;
        if (!how->relu) {
            for (size_t k = 0; k < n; k++)
                to[k] = block[k] + (bias ? bias[k] : 0);
        } else if (!dropout.threshold) {
#pragma omp simd
            for (size_t k = 0; k < n; k++) {
                const float x = block[k] + (bias ? bias[k] : 0);
                to[k] = x > 0 ? x : 0;
            }
        } else {
            const uint64_t word =
                (dropout.key ^ (how->first_row + first + i)) * UINT64_C(0x9e3779b97f4a7c15);
            const uint32_t row = (uint32_t)(word >> 32), twist = (uint32_t)word;
#pragma omp simd
            for (uint32_t k = 0; k < (uint32_t)n; k++) {
                const float x = block[k] + (bias ? bias[k] : 0);
                const bool kept = scramble(scramble(k + row) ^ twist) >= dropout.threshold;
                to[k] = x > 0 && kept ? x * dropout.scale : 0;
            }
        }
    }
}
HRR_WIDE(static, activate,
         (const hrr_activation *how, const float *block, size_t stride, uint64_t first,
          uint64_t count),
         (how, block, stride, first, count))

void hrr_activate_rows(void *activation, const float *block, size_t stride, uint64_t first,
                       uint64_t count)
{
    activate(activation, block, stride, first, count);
}

HRR_LOOP deactivate_loop(const hrr_deactivation *how, const float *block, size_t stride,
                         uint64_t first, uint64_t count)
{
    const size_t n = how->n_out;
    const float scale = how->scale;
    for (uint64_t i = 0; i < count; i++, block += stride) {
        float *const outputs = how->outputs + (first + i) * n;
#pragma omp simd
        for (size_t k = 0; k < n; k++)
            outputs[k] = outputs[k] > 0 ? block[k] * scale : 0;
    }
}
HRR_WIDE(static, deactivate,
         (const hrr_deactivation *how, const float *block, size_t stride, uint64_t first,
          uint64_t count),
         (how, block, stride, first, count))

void hrr_deactivate_rows(void *deactivation, const float *block, size_t stride, uint64_t first,
                         uint64_t count)
{
    deactivate(deactivation, block, stride, first, count);
}

/* sums (width) += the n rows at x, which are d apart */
HRR_LOOP add_rows_loop(float *restrict sums, const float *restrict x, uint64_t n, uint64_t d,
                       uint64_t width)
{
    for (uint64_t i = 0; i < n; i++)
#pragma omp simd
        for (uint64_t k = 0; k < width; k++)
            sums[k] += x[i * d + k];
}
HRR_WIDE(static, add_rows,
         (float *restrict sums, const float *restrict x, uint64_t n, uint64_t d, uint64_t width),
         (sums, x, n, d, width))

void hrr_column_sums(float *sums, const float *x, uint64_t n, uint64_t d, int threads)
{
    /* Each of 16 pieces of the rows, then the pieces in their order. Columns go in strips, so that
     * the sums of all pieces fit the stack. */
    enum { pieces = 16, strip = 256 };
    threads = hrr_threads(threads);
    for (uint64_t begin = 0; begin < d; begin += strip) {
        const uint64_t width = d - begin < strip ? d - begin : strip;
        float partial[pieces][strip] = {{0}};
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (int piece = 0; piece < pieces; piece++) {
            const uint64_t first = n * (uint64_t)piece / pieces;
            const uint64_t last = n * ((uint64_t)piece + 1) / pieces;
            add_rows(partial[piece], x + first * d + begin, last - first, d, width);
        }
        for (uint64_t k = 0; k < width; k++) {
            float sum = 0;
            for (int piece = 0; piece < pieces; piece++)
                sum += partial[piece][k];
            sums[begin + k] = sum;
        }
    }
}
