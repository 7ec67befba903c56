/* decoder.h: a network from features to pictures: a fully connected layer to 4 x 4 places, and
 * up-convolutions that double the sides.
 *
 *     H_0 = relu(x W_0 + b_0)                         4 x 4 places of width_0 numbers
 *     H_l = relu(up(H_{l-1}, W_l) + b_l)              twice as many rows and columns of width_l
 *     picture = sigmoid(up(H_{L-1}, W_L) + b_L + offset)
 *
 * up() is the transposed convolution with 4 x 4 weights and stride 2: each place adds to 16 pixels.
 * `offset` is the logit of the mean picture, so that a decoder that has learnt nothing says that.
 */
#ifndef HRR_LEARN_DECODER_H
#define HRR_LEARN_DECODER_H

#include "learn/up_convolution.h"

enum { HRR_DECODER_FIRST_SIDE = 4, HRR_DECODER_MOST_UPS = 5 }; /* sides 8 to 128 */

typedef struct hrr_decoder {
    uint64_t n_in;     /* features */
    uint32_t side;     /* of a picture: 8, 16, .. 128 */
    uint32_t channels; /* of a picture: 1 or 3 */
    uint32_t n_ups;
    uint32_t width[HRR_DECODER_MOST_UPS + 1]; /* after each layer; the last is `channels` */
    size_t weight_at[HRR_DECODER_MOST_UPS + 1], bias_at[HRR_DECODER_MOST_UPS + 1];
    size_t n_parameters;
    float *parameters;
    float *offset; /* side x side x channels */
} hrr_decoder;

/* Whether there are decoders of that side. */
bool hrr_decoder_side(uint32_t side);
/* Numbers in a picture. */
static inline uint64_t hrr_decoder_n_out(const hrr_decoder *decoder)
{
    return (uint64_t)decoder->side * decoder->side * decoder->channels;
}

/* Weights are uniform with variance 2 / (numbers that enter a unit), those of the last layer and
 * offsets 0: a decoder begins with the mean picture. `width`: of the
 * layer before the last; each before it is twice as wide. Errors: HRR_ENOMEM. */
hrr_status hrr_decoder_init(hrr_decoder *out, uint64_t n_in, uint32_t side, uint32_t channels,
                            uint32_t width, uint64_t seed, hrr_error *err) HRR_CHECKED;
void hrr_decoder_clear(hrr_decoder *decoder);

/* Room for what layers make of up to `batch` rows. */
typedef struct hrr_decoder_pass {
    const hrr_decoder *decoder;
    hrr_sheet outputs[HRR_DECODER_MOST_UPS + 1]; /* of every layer; of the last: logits */
    float *pictures;                             /* batch x pixels, 0 to 1 */
    float *first;                                /* the first layer's outputs, a row a picture */
    float *space;
    int threads;
} hrr_decoder_pass;

hrr_status hrr_decoder_pass_init(hrr_decoder_pass *out, const hrr_decoder *decoder, uint64_t batch,
                                 int threads, hrr_error *err) HRR_CHECKED;
void hrr_decoder_pass_clear(hrr_decoder_pass *pass);

/* The pictures of n rows of features (n x n_in), n <= batch: side * side * channels numbers each,
 * the channels of a pixel side by side. They live in the pass. The same bits for any number of
 * threads, here and below. */
const float *hrr_decoder_forward(hrr_decoder_pass *pass, const float *x, uint64_t n);

/* The gradient of the mean cross-entropy between the pictures of the last forward() and `truth`
 * (n x pixels, 0 to 1), n_parameters numbers. What the pass holds is used up. Cross-entropy and
 * squared error are least for the same picture, the expected one; its gradient does not vanish
 * where the sigmoid is flat. */
void hrr_decoder_backward(float *gradient, hrr_decoder_pass *pass, const float *x,
                          const float *truth, uint64_t n);

#endif
