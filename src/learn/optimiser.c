/* optimiser.c: see optimiser.h. Adam (Kingma and Ba 2015), and gradient descent with momentum. */
#include "learn/optimiser.h"
#include "base/memory.h"
#include "matrix/wide.h"

#include <math.h>

hrr_status hrr_stepper_init(hrr_stepper *out, size_t n_parameters, const hrr_train_options *options,
                            hrr_error *err)
{
    hrr_stepper made = {.kind = options->optimiser,
                        .learning_rate = options->learning_rate,
                        .momentum = options->momentum,
                        .weight_decay = options->weight_decay,
                        .n = n_parameters};
    *out = (hrr_stepper){0};
    made.mean = hrr_alloc_zero(n_parameters, sizeof *made.mean);
    made.square = hrr_alloc_zero(made.kind == HRR_ADAM ? n_parameters : 0, sizeof *made.square);
    if (!made.mean || !made.square) {
        hrr_stepper_clear(&made);
        return hrr_no_memory(err);
    }
    *out = made;
    return HRR_OK;
}

void hrr_stepper_clear(hrr_stepper *stepper)
{
    hrr_free(stepper->mean);
    hrr_free(stepper->square);
    *stepper = (hrr_stepper){0};
}

/* Means are corrected for having started at zero: `rate` and `root` hold the corrections. */
HRR_LOOP adam_loop(float *restrict w, const float *restrict g, float *restrict m, float *restrict v,
                   size_t n, float rate, float root, float decay)
{
    const float beta1 = 0.9f, rest1 = 0.1f, beta2 = 0.999f, rest2 = 0.001f, tiny = 1e-8f;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        const float slope = g[i] + decay * w[i];
        m[i] = beta1 * m[i] + rest1 * slope;
        v[i] = beta2 * v[i] + rest2 * slope * slope;
        w[i] -= rate * m[i] / (sqrtf(v[i]) / root + tiny);
    }
}
HRR_WIDE(static, adam,
         (float *restrict w, const float *restrict g, float *restrict m, float *restrict v,
          size_t n, float rate, float root, float decay),
         (w, g, m, v, n, rate, root, decay))

HRR_LOOP descend_loop(float *restrict w, const float *restrict g, float *restrict m, size_t n,
                      float rate, float momentum, float decay)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        m[i] = momentum * m[i] + (g[i] + decay * w[i]);
        w[i] -= rate * m[i];
    }
}
HRR_WIDE(static, descend,
         (float *restrict w, const float *restrict g, float *restrict m, size_t n, float rate,
          float momentum, float decay),
         (w, g, m, n, rate, momentum, decay))

void hrr_step(float *parameters, const float *gradient, hrr_stepper *stepper)
{
    const uint32_t steps = ++stepper->steps;
    const float decay = (float)stepper->weight_decay;
    if (stepper->kind == HRR_ADAM)
        adam(parameters, gradient, stepper->mean, stepper->square, stepper->n,
             (float)(stepper->learning_rate / (1 - pow(0.9, steps))),
             (float)sqrt(1 - pow(0.999, steps)), decay);
    else
        descend(parameters, gradient, stepper->mean, stepper->n, (float)stepper->learning_rate,
                (float)stepper->momentum, decay);
}
