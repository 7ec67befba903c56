/* pass.h: a model at work on a graph: forward to the logits, back to the gradient. */
#ifndef HRR_LEARN_PASS_H
#define HRR_LEARN_PASS_H

#include "learn/activation.h"
#include "learn/halo.h"
#include "learn/inputs.h"
#include "learn/model.h"

/* Where a layer aggregates: nowhere, before its weights, (A H) W, or after them, A (H W). */
typedef enum hrr_layer_order { HRR_NO_EDGES, HRR_EDGES_FIRST, HRR_EDGES_LAST } hrr_layer_order;

/* Everything allocated, so that an epoch allocates nothing. */
typedef struct hrr_pass {
    const hrr_model *model; /* its layers: parameters are given to each call */
    const hrr_inputs *inputs;
    const hrr_aggregator *aggregator; /* NULL: no edges */
    hrr_halo *halo; /* aggregates instead, if this rank has a part of the rows; NULL: it has all */
    uint64_t first_row; /* of that part */
    hrr_layer_order order[HRR_MOST_LAYERS];
    hrr_dense outputs[HRR_MOST_LAYERS];  /* n x n_out; the last one's are the logits */
    hrr_dense gathered[HRR_MOST_LAYERS]; /* A H of layers that aggregate first */
    hrr_dense between; /* H W of a layer that aggregates last, or A^T of its derivatives */
    float *space;      /* of the kernels */
    int threads;
    const hrr_progress *progress;
    float kept_scale; /* what dropout multiplied kept units with in the last forward pass */
} hrr_pass;

hrr_status hrr_pass_init(hrr_pass *out, const hrr_model *model, const hrr_inputs *inputs,
                         const hrr_aggregator *aggregator, int threads,
                         const hrr_progress *progress, hrr_error *err) HRR_CHECKED;
void hrr_pass_clear(hrr_pass *pass);

/* Work on the first n rows from now on, at most as many as the inputs had at first; the inputs have
 * been cut likewise. */
void hrr_pass_cut(hrr_pass *pass, uint64_t n);

/* n x C; after hrr_pass_forward() the logits. */
static inline hrr_dense *hrr_pass_logits(hrr_pass *pass)
{
    return &pass->outputs[pass->model->shape.n_layers - 1];
}

/* dropout 0: as for prediction. epoch and seed choose which units are dropped. */
void hrr_pass_forward(hrr_pass *pass, const float *parameters, double dropout, uint64_t seed,
                      uint32_t epoch);

/* The same right after a forward pass without dropout of the same parameters: the outputs of the
 * first layer, whose product is the largest where features are many, are at hand and only lose
 * units. Same bits as hrr_pass_forward(). The logits may have been written over. */
void hrr_pass_forward_again(hrr_pass *pass, const float *parameters, double dropout, uint64_t seed,
                            uint32_t epoch);

/* The logits have been replaced by the derivatives of the loss in them; gradient, in the layout of
 * the parameters, receives those in the parameters. The outputs of all layers are used up. */
void hrr_pass_backward(hrr_pass *pass, const float *parameters, float *gradient);

#endif
