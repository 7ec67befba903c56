/* decoder.c: see decoder.h. The first layer is a product with a row for each picture
 * (matrix/sgemm.h); the others are up-convolutions on sheets (learn/up_convolution.h). */
#include "learn/decoder.h"

#include "learn/activation.h"
#include "learn/model.h"
#include "base/memory.h"
#include "base/size.h"
#include "matrix/sgemm.h"
#include "matrix/wide.h"

#include <heterorr/random.h>

#include <math.h>
#include <string.h>

enum { first_side = HRR_DECODER_FIRST_SIDE, first_places = first_side * first_side, taps = 16 };

bool hrr_decoder_side(uint32_t side)
{
    for (uint32_t ups = 1; ups <= HRR_DECODER_MOST_UPS; ups++)
        if (side == (uint32_t)first_side << ups) return true;
    return false;
}

/* ---- shape ----------------------------------------------------------------------------------- */

/* Rows and columns of W_l. */
static uint64_t n_enter(const hrr_decoder *d, uint32_t layer)
{
    return layer ? d->width[layer - 1] : d->n_in;
}

static uint64_t n_leave(const hrr_decoder *d, uint32_t layer)
{
    return (uint64_t)(layer ? taps : first_places) * d->width[layer];
}

static uint64_t n_biases(const hrr_decoder *d, uint32_t layer)
{
    return layer ? d->width[layer] : n_leave(d, 0);
}

static void lay_out(hrr_decoder *d, uint32_t width)
{
    for (uint32_t l = 0; l < d->n_ups; l++)
        d->width[l] = width << (d->n_ups - 1 - l);
    d->width[d->n_ups] = d->channels;
    for (uint32_t l = 0; l <= d->n_ups; l++) {
        d->weight_at[l] = d->n_parameters;
        d->n_parameters += n_enter(d, l) * n_leave(d, l);
        d->bias_at[l] = d->n_parameters;
        d->n_parameters += n_biases(d, l);
    }
}

hrr_status hrr_decoder_init(hrr_decoder *out, uint64_t n_in, uint32_t side, uint32_t channels,
                            uint32_t width, uint64_t seed, hrr_error *err)
{
    hrr_decoder made = {.n_in = n_in, .side = side, .channels = channels};
    while ((uint32_t)first_side << made.n_ups < side)
        made.n_ups++;
    *out = (hrr_decoder){0};
    lay_out(&made, width);
    made.parameters = hrr_alloc_zero(made.n_parameters, sizeof *made.parameters);
    made.offset = hrr_alloc_zero(hrr_decoder_n_out(&made), sizeof *made.offset);
    if (!made.parameters || !made.offset) {
        hrr_decoder_clear(&made);
        return hrr_no_memory(err);
    }
    hrr_fast_random random;
    hrr_fast_init(&random, seed, UINT64_C(0x6465636f646572));
    for (uint32_t l = 0; l < made.n_ups; l++) {
        /* a pixel has four places that reach it */
        const double limit = sqrt(6 / (double)((l ? 4 : 1) * n_enter(&made, l)));
        float *w = made.parameters + made.weight_at[l];
        for (uint64_t i = 0; i < n_enter(&made, l) * n_leave(&made, l); i++)
            w[i] = (float)(limit * (2 * hrr_fast_uniform(&random) - 1));
    }
    *out = made;
    return HRR_OK;
}

void hrr_decoder_clear(hrr_decoder *decoder)
{
    hrr_free(decoder->parameters);
    hrr_free(decoder->offset);
    *decoder = (hrr_decoder){0};
}

/* ---- room ------------------------------------------------------------------------------------ */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t space_for(const hrr_decoder *d, int threads)
{
    size_t most = hrr_sgemm_rows_space(n_enter(d, 0), n_leave(d, 0), threads);
    most = larger(most, hrr_sgemm_inner_space(n_enter(d, 0), n_leave(d, 0), threads));
    for (uint32_t l = 1; l <= d->n_ups; l++)
        most = larger(most,
                      hrr_up_space((uint32_t)first_side << (l - 1), d->width[l - 1], d->width[l]));
    return most;
}

hrr_status hrr_decoder_pass_init(hrr_decoder_pass *out, const hrr_decoder *decoder, uint64_t batch,
                                 int threads, hrr_error *err)
{
    hrr_decoder_pass made = {.decoder = decoder, .threads = hrr_threads(threads)};
    hrr_status status = HRR_OK;
    *out = made;
    for (uint32_t l = 0; l <= decoder->n_ups && !status; l++)
        status = hrr_sheet_init(&made.outputs[l], (uint32_t)first_side << l, decoder->width[l],
                                batch, err);
    if (status) goto done;
    made.pictures = hrr_alloc(batch, hrr_decoder_n_out(decoder) * sizeof(float));
    made.first = hrr_alloc(batch, n_leave(decoder, 0) * sizeof(float));
    made.space = hrr_alloc(space_for(decoder, made.threads), sizeof(float));
    if (!made.pictures || !made.first || !made.space) {
        status = hrr_no_memory(err);
        goto done;
    }
    *out = made;
    made = (hrr_decoder_pass){0};
done:
    hrr_decoder_pass_clear(&made);
    return status;
}

void hrr_decoder_pass_clear(hrr_decoder_pass *pass)
{
    for (uint32_t l = 0; l <= HRR_DECODER_MOST_UPS; l++)
        hrr_sheet_clear(&pass->outputs[l]);
    hrr_free(pass->pictures);
    hrr_free(pass->first);
    hrr_free(pass->space);
    *pass = (hrr_decoder_pass){0};
}

/* ---- forward --------------------------------------------------------------------------------- */

/* An hrr_take_rows: rows of the first layer, of 4 x 4 places each, become pictures of a sheet. */
static void take_first(void *user, const float *block, size_t stride, uint64_t first,
                       uint64_t count)
{
    const hrr_decoder_pass *pass = user;
    const hrr_decoder *d = pass->decoder;
    const hrr_sheet *to = &pass->outputs[0];
    hrr_activation activation = {.to = pass->first,
                                 .n_out = n_leave(d, 0),
                                 .bias = d->parameters + d->bias_at[0],
                                 .relu = true};
    hrr_activate_rows(&activation, block, stride, first, count);
    for (uint64_t i = first; i < first + count; i++)
        for (uint32_t r = 0; r < first_side; r++)
            memcpy(hrr_sheet_place(to, r, i, 0),
                   pass->first + (i * first_places + r * first_side) * to->width,
                   first_side * to->width * sizeof(float));
}

/* exp(x), off by less than 2e-7 of it: 2^k times a series for what is left, at most log(2) / 2, in
 * vectors, which expf() is not. */
static inline __attribute__((always_inline)) float exponential(float x)
{
    const float inside = x > 87 ? 87 : x < -87 ? -87 : x;
    const float shift = 0x1.8p23f; /* adding it rounds to an integer */
    const float k = (inside * 0x1.715476p0f + shift) - shift;
    const float rest = (inside - k * 0x1.62e4p-1f) - k * 0x1.7f7d1cp-20f;
    float sum = 1 / 5040.f;
    sum = sum * rest + 1 / 720.f;
    sum = sum * rest + 1 / 120.f;
    sum = sum * rest + 1 / 24.f;
    sum = sum * rest + 1 / 6.f;
    sum = sum * rest + 1 / 2.f;
    sum = sum * rest + 1;
    sum = sum * rest + 1;
    const union {
        uint32_t bits;
        float value;
    } power = {(uint32_t)((int32_t)k + 127) << 23};
    return sum * power.value;
}

HRR_LOOP to_picture_loop(float *restrict picture, const float *restrict logits,
                         const float *restrict offset, size_t n)
{
#pragma omp simd
    for (size_t k = 0; k < n; k++)
        picture[k] = 1 / (1 + exponential(-(logits[k] + offset[k])));
}
HRR_WIDE(static, to_picture,
         (float *restrict picture, const float *restrict logits, const float *restrict offset,
          size_t n),
         (picture, logits, offset, n))

const float *hrr_decoder_forward(hrr_decoder_pass *pass, const float *x, uint64_t n)
{
    const hrr_decoder *d = pass->decoder;
    const hrr_dense input = hrr_f32_view(x, n, d->n_in);
    const hrr_sheet *last = &pass->outputs[d->n_ups];
    const size_t row = (size_t)d->side * d->channels;
    hrr_sgemm_rows(take_first, pass, &input, d->parameters + d->weight_at[0], false, n_leave(d, 0),
                   pass->space, pass->threads, NULL);
    for (uint32_t l = 1; l <= d->n_ups; l++)
        hrr_up_forward(&pass->outputs[l], &pass->outputs[l - 1], d->parameters + d->weight_at[l],
                       d->parameters + d->bias_at[l], l < d->n_ups, n, pass->space, pass->threads);
#pragma omp parallel for schedule(static) num_threads(pass->threads)
    for (uint32_t y = 0; y < d->side; y++)
        for (uint64_t i = 0; i < n; i++)
            to_picture(pass->pictures + (i * d->side + y) * row, hrr_sheet_place(last, y, i, 0),
                       d->offset + y * row, row);
    return pass->pictures;
}

/* ---- backward -------------------------------------------------------------------------------- */

HRR_LOOP derive_loop(float *restrict delta, const float *restrict picture,
                     const float *restrict truth, size_t n, float scale)
{
#pragma omp simd
    for (size_t k = 0; k < n; k++)
        delta[k] = (picture[k] - truth[k]) * scale;
}
HRR_WIDE(static, derive,
         (float *restrict delta, const float *restrict picture, const float *restrict truth,
          size_t n, float scale),
         (delta, picture, truth, n, scale))

/* Sheets of outputs become sheets of their derivatives, from the last to the first. */
void hrr_decoder_backward(float *gradient, hrr_decoder_pass *pass, const float *x,
                          const float *truth, uint64_t n)
{
    const hrr_decoder *d = pass->decoder;
    const hrr_sheet *sheets = pass->outputs;
    const hrr_dense input = hrr_f32_view(x, n, d->n_in);
    const size_t row = (size_t)d->side * d->channels;
    const float scale = 1 / (float)(n * hrr_decoder_n_out(d));
#pragma omp parallel for schedule(static) num_threads(pass->threads)
    for (uint32_t y = 0; y < d->side; y++)
        for (uint64_t i = 0; i < n; i++) {
            const size_t at = (i * d->side + y) * row;
            derive(hrr_sheet_place(&sheets[d->n_ups], y, i, 0), pass->pictures + at, truth + at,
                   row, scale);
        }
    for (uint32_t l = d->n_ups; l >= 1; l--) {
        hrr_up_gradient(gradient + d->weight_at[l], gradient + d->bias_at[l], &sheets[l],
                        &sheets[l - 1], n, pass->space, pass->threads);
        hrr_up_back(&sheets[l - 1], &sheets[l], d->parameters + d->weight_at[l], n, pass->space,
                    pass->threads);
    }
    for (uint64_t i = 0; i < n; i++)
        for (uint32_t r = 0; r < first_side; r++)
            memcpy(pass->first + (i * first_places + r * first_side) * d->width[0],
                   hrr_sheet_place(&sheets[0], r, i, 0), first_side * d->width[0] * sizeof(float));
    hrr_column_sums(gradient + d->bias_at[0], pass->first, n, n_leave(d, 0), pass->threads);
    hrr_sgemm_inner(gradient + d->weight_at[0], &input, pass->first, n_leave(d, 0), pass->space,
                    pass->threads, NULL);
}
