/* model.h: a graph network at rest: its layers, and all parameters in one array. */
#ifndef HRR_LEARN_MODEL_H
#define HRR_LEARN_MODEL_H

#include "io/hash.h"
#include "learn/public_base.h"
#include "learn/report_model.h"

#include <heterorr/learn.h>

enum { HRR_MOST_LAYERS = 64, HRR_MOST_HIDDEN = 1 << 16 };

typedef struct hrr_layer {
    uint64_t n_in, n_out;
    size_t weight_at, bias_at; /* where its n_in x n_out weights and n_out biases begin */
} hrr_layer;

struct hrr_model {
    hrr_model_shape shape;
    hrr_layer layers[HRR_MOST_LAYERS];
    size_t n_parameters;
    float *parameters;
    bool released, is_private; /* as in hrr_provenance; a model of which nobody said it is not */
    char *statement;           /* or NULL */
    char release_id[HRR_SHA256_TEXT_SIZE]; /* of what it was trained on; "": it does not say */
    float *
        standards; /* n_features means, then as many factors; NULL: features are used as they are */
    hrr_count_model counts;   /* empty: none */
    hrr_public_base base;     /* what counts join; empty: the network alone */
    hrr_report_model reports; /* empty: none */
};

/* All parameters zero. Errors: HRR_EINVAL for a shape that makes no sense, HRR_ENOMEM. */
hrr_status hrr_model_new(hrr_model **out, const hrr_model_shape *shape, hrr_error *err) HRR_CHECKED;

/* Weights uniform with variance 2 / (n_in + n_out) (Glorot and Bengio 2010), biases zero. */
void hrr_model_draw(hrr_model *model, uint64_t seed);

/* Remember mean and 1 / standard deviation of every feature (a constant one keeps its scale);
 * bound_length: HRR_SCALE_BOUNDED. Errors: HRR_ENOMEM. */
hrr_status hrr_model_learn_standards(hrr_model *model, const hrr_dense *features, bool bound_length,
                                     hrr_error *err) HRR_CHECKED;
/* out (a new F32 matrix) = (features - mean) factor, with what was remembered. */
hrr_status hrr_model_standardise(hrr_dense *out, const hrr_model *model, const hrr_dense *features,
                                 int threads, hrr_error *err) HRR_CHECKED;

/* Floats that somebody else owns, as a matrix. */
static inline hrr_dense hrr_f32_view(const float *data, uint64_t rows, uint64_t cols)
{
    return (hrr_dense){
        .dtype = HRR_F32, .rows = rows, .cols = cols, .data = (void *)(uintptr_t)data};
}

#endif
