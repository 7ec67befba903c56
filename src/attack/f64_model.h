/* f64_model.h: a model at work in f64, on the nodes that matter. Differences of 1e-4 need more
 * digits than floats have. */
#ifndef HRR_ATTACK_F64_MODEL_H
#define HRR_ATTACK_F64_MODEL_H

#include "attack/receptive_field.h"

/* Weights in f64; those of the first layer take features as they are given (standardising is
 * part of them, but for the constant `centre`). */
typedef struct hrr_f64_model {
    hrr_model_shape shape;
    hrr_dense *weights; /* n_layers, n_in x n_out, F64 */
    hrr_dense *biases;  /* n_layers, 1 x n_out; zero without */
    double *centre;     /* n_out of the first layer: mean W, taken off each node's product */
} hrr_f64_model;

hrr_status hrr_f64_model_init(hrr_f64_model *out, const hrr_model *model,
                              hrr_error *err) HRR_CHECKED;
void hrr_f64_model_clear(hrr_f64_model *f64);

/* How wide the result of layer l is. */
static inline uint64_t hrr_f64_model_width(const hrr_f64_model *f64, uint32_t layer)
{
    return f64->weights[layer].cols;
}

/* y (n_out of the first layer) = x W; x has d numbers. Standardising moves the result by `centre`,
 * which is not taken off here. */
void hrr_f64_model_first(double *y, const hrr_f64_model *f64, const double *x);

/* out (a new F64 matrix): what the first layer makes of each of the nodes, before any hop. */
hrr_status hrr_f64_model_first_rows(hrr_dense *out, const hrr_f64_model *f64,
                                    const hrr_dense *features, const uint32_t *nodes,
                                    uint64_t n_nodes, int threads, hrr_progress *progress,
                                    hrr_error *err) HRR_CHECKED;

/* From there to the logits of the nodes asked about (out: a new F64 matrix, n_asked x C).
 * active, if not NULL: n_layers - 1 pointers that receive hrr memory, bytes of 0 and 1: which
 * hidden units are above 0 at the nodes after the hop of layer l. */
hrr_status hrr_f64_model_forward(hrr_dense *out, uint8_t **active, const hrr_f64_model *f64,
                                 const hrr_receptive_field *field, const hrr_dense *first,
                                 int threads, hrr_progress *progress, hrr_error *err) HRR_CHECKED;

/* Refuse a graph or features that the model does not fit. Errors: HRR_EDATA. */
hrr_status hrr_attack_check_shapes(const hrr_model *model, const hrr_graph *graph,
                                   const hrr_dense *features, hrr_error *err) HRR_CHECKED;

/* By what the features of a node are moved: themselves, or ones if they are all 0. */
void hrr_attack_nudge(double *out, const hrr_dense *features, uint32_t node);

#endif
