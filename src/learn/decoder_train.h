/* decoder_train.h: a decoder that has learnt from public pictures and their features, and what it
 * makes of other features. */
#ifndef HRR_LEARN_DECODER_TRAIN_H
#define HRR_LEARN_DECODER_TRAIN_H

#include "learn/decoder.h"

typedef struct hrr_decoder_options {
    uint32_t side, channels; /* of pictures */
    uint32_t width, epochs, batch;
    double learning_rate; /* at the beginning; falls to 0 evenly */
    uint64_t seed;
    int threads;
} hrr_decoder_options;

/* x (n x n_in, F32) = the features of the public pictures, drawn for the number-th time: a
 * mechanism adds other noise each time. Number 0 is what the decoder is chosen by. */
typedef hrr_status hrr_draw_inputs(void *user, hrr_dense *x, uint32_t number, hrr_error *err);

typedef struct hrr_trained_decoder {
    hrr_decoder network;
    float *centre, *factor; /* n_in each: features are standardised first; one block of memory */
    float *mean;            /* picture, 0 to 1 */
    hrr_dense linear;       /* n_in x pixels: a linear guess of the way from the mean picture */
    float strength, linear_strength; /* by how much of the way of the layers, and of the linear
                                        part, the guess leaves the mean picture */
    double gain; /* over the mean picture on the tenth of the public pictures that it is chosen by:
                    share of the squared error that it takes away */
} hrr_trained_decoder;

/* Learn from pictures (n x pixels, U8; n >= 10). A tenth of them is not learnt from: the ridge and
 * the epoch with the least squared error on it are kept, and the strengths are what suits it best,
 * so that features which tell nothing end at the mean picture.
 *
 * Errors: HRR_ENOMEM, HRR_ECANCEL, those of draw. */
hrr_status hrr_decoder_train(hrr_trained_decoder *out, const hrr_dense *pictures, uint64_t n_in,
                             hrr_draw_inputs *draw, void *user, const hrr_decoder_options *options,
                             hrr_progress *progress, hrr_error *err) HRR_CHECKED;
void hrr_trained_decoder_clear(hrr_trained_decoder *decoder);

/* guess (n x pixels, F32, 0 to 1) of features (n x n_in, F32). Errors: HRR_ENOMEM. */
hrr_status hrr_decode(hrr_dense *guess, const hrr_trained_decoder *decoder,
                      const hrr_dense *features, int threads, hrr_error *err) HRR_CHECKED;

#endif
