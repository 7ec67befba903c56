/* optimiser.h: from a gradient to the next parameters. */
#ifndef HRR_LEARN_OPTIMISER_H
#define HRR_LEARN_OPTIMISER_H

#include <heterorr/learn.h>

typedef struct hrr_stepper {
    hrr_optimiser kind;
    double learning_rate, momentum, weight_decay;
    size_t n;
    float *mean, *square; /* running means of the gradient and its square; SGD has no square */
    uint32_t steps;
} hrr_stepper;

hrr_status hrr_stepper_init(hrr_stepper *out, size_t n_parameters, const hrr_train_options *options,
                            hrr_error *err) HRR_CHECKED;
void hrr_stepper_clear(hrr_stepper *stepper);

/* One step down. The same numbers as PyTorch's Adam and SGD: weight_decay * parameter is added to
 * the gradient first. */
void hrr_step(float *parameters, const float *gradient, hrr_stepper *stepper);

#endif
