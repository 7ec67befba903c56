/* cross_entropy.c: see cross_entropy.h.
 *
 * With P the probabilities and T the targets, both losses have the derivative (P - T) / n in the
 * logits (nC for sigmoid). head_loss.c does the same in doubles for heads; here it runs in vectors,
 * which needs an exponential that the compiler can put into them. Of numbers <= 0 only: it may
 * vanish but not overflow. Sums of ln(1 + e) are logarithms of products, taken before they can
 * overflow. */
#include "learn/cross_entropy.h"
#include "matrix/wide.h"

#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* exp(x), x <= 0, to 2 units in the last place: 2^k exp(r), |r| <= ln 2 / 2, by the polynomial of
 * the Cephes library (S. Moshier). k is found by adding 1.5 2^23, which rounds. NaN stays NaN. */
INLINE float exp_of_negative(float x)
{
    const float rounder = 12582912;
    x = x < -87 ? -87 : x;
    const float shifted = x * 1.44269504f + rounder, k = shifted - rounder;
    const float r = (x - k * 0.693359375f) + k * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    int32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    const uint32_t power = ((uint32_t)bits - UINT32_C(0x4b400000) + 127) << 23;
    float scale;
    memcpy(&scale, &power, sizeof scale);
    return (p * r * r + r + 1) * scale;
}

/* The sum of exp(z - largest); if asked, they take the place of z. */
INLINE float exponentials(float *z, uint32_t n, float *largest_z, bool store)
{
    float largest = z[0], sum = 0;
#pragma omp simd reduction(max : largest)
    for (uint32_t c = 0; c < n; c++)
        largest = z[c] > largest ? z[c] : largest;
#pragma omp simd reduction(+ : sum)
    for (uint32_t c = 0; c < n; c++) {
        const float x = z[c], e = exp_of_negative(x - largest);
        z[c] = store ? e : x;
        sum += e;
    }
    *largest_z = largest;
    return sum;
}

/* -ln softmax(z)[target]; scale above 0: z becomes (softmax - target) scale. */
INLINE double softmax_row(float *z, uint32_t n, int32_t target, float scale)
{
    const float at_target = z[target];
    float largest;
    const float sum = exponentials(z, n, &largest, scale > 0);
    if (scale > 0) {
        const float factor = scale / sum;
        for (uint32_t c = 0; c < n; c++)
            z[c] *= factor;
        z[target] -= scale;
    }
    return log((double)sum) + (double)(largest - at_target);
}

/* sum over c of -t ln sigmoid(z) - (1 - t) ln sigmoid(-z) = max(z, 0) - t z + ln(1 + exp(-|z|)) */
INLINE double sigmoid_row(float *z, uint32_t n, const uint8_t *labels, float scale)
{
    double loss = 0;
    for (uint32_t begin = 0; begin < n; begin += 126) { /* a product of 126 factors <= 2 */
        const uint32_t end = n - begin < 126 ? n : begin + 126;
        float product = 1, linear = 0;
#pragma omp simd reduction(* : product) reduction(+ : linear)
        for (uint32_t c = begin; c < end; c++) {
            const float target = labels[c], x = z[c];
            const float e = exp_of_negative(x < 0 ? x : -x);
            linear += (x > 0 ? x : 0) - target * x;
            product *= 1 + e;
            const float p = (x < 0 ? e : 1) / (1 + e);
            z[c] = scale > 0 ? (p - target) * scale : x;
        }
        loss += (double)linear + log((double)product);
    }
    return loss;
}

/* Rows first .. last - 1. Returned through a pointer: HRR_WIDE makes procedures. */
HRR_LOOP add_losses_loop(double *loss, float *logits, const hrr_targets *targets, hrr_split part,
                         float scale, uint64_t first, uint64_t last)
{
    const uint32_t n = targets->n_classes;
    double sum = 0;
    for (uint64_t i = first; i < last; i++) {
        float *const z = logits + i * n;
        if (!hrr_target_counts(targets, i, part)) {
            if (scale > 0) memset(z, 0, n * sizeof *z);
        } else if (targets->classes) {
            sum += softmax_row(z, n, targets->classes[i], scale);
        } else {
            sum += sigmoid_row(z, n, targets->labels + i * n, scale);
        }
    }
    *loss = sum;
}
HRR_WIDE(static, add_losses,
         (double *loss, float *logits, const hrr_targets *targets, hrr_split part, float scale,
          uint64_t first, uint64_t last),
         (loss, logits, targets, part, scale, first, last))

double hrr_cross_entropy(float *logits, const hrr_targets *targets, hrr_split part, uint64_t n_part,
                         bool differentiate, int threads)
{
    enum { pieces = 64 }; /* fixed, and added in their order */
    const double terms = (double)n_part * (targets->classes ? 1 : targets->n_classes);
    const float scale = differentiate ? (float)(1 / terms) : 0;
    double losses[pieces], sum = 0;
    threads = hrr_threads(threads);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int piece = 0; piece < pieces; piece++)
        add_losses(&losses[piece], logits, targets, part, scale,
                   targets->n * (uint64_t)piece / pieces,
                   targets->n * ((uint64_t)piece + 1) / pieces);
    for (int piece = 0; piece < pieces; piece++)
        sum += losses[piece];
    return sum / terms;
}

/* ---- probabilities ----------------------------------------------------------------------------
 */

HRR_LOOP probability_row_loop(float *z, uint32_t n, hrr_output_kind output)
{
    if (output == HRR_OUTPUT_SOFTMAX) {
        float largest;
        const float sum = exponentials(z, n, &largest, true);
        for (uint32_t c = 0; c < n; c++)
            z[c] /= sum;
    } else {
        for (uint32_t c = 0; c < n; c++) {
            const float e = exp_of_negative(z[c] < 0 ? z[c] : -z[c]);
            z[c] = (z[c] < 0 ? e : 1) / (1 + e);
        }
    }
}
HRR_WIDE(static, probability_row, (float *z, uint32_t n, hrr_output_kind output), (z, n, output))

void hrr_to_probabilities(float *logits, uint64_t n, uint64_t n_classes, hrr_output_kind output,
                          int threads)
{
    threads = hrr_threads(threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t i = 0; i < n; i++)
        probability_row(logits + i * n_classes, (uint32_t)n_classes, output);
}
