/* decoder.c: see decoder.h.
 *
 * An up-convolution is a product and a gathering. A place's numbers times W_l (width_{l-1} x 16
 * width_l) are what it adds to the 4 x 4 pixels around it; pixel (y, x) is the sum of the four
 * places that reach it. On the way back the derivatives of the 16 pixels stand beside each other in
 * a row, and all that is left are the two products of a dense layer. So each layer costs three
 * products with many rows, which are matrix/sgemm.h's. */
#include "learn/decoder.h"

#include "learn/activation.h"
#include "learn/model.h"
#include "base/memory.h"
#include "base/size.h"
#include "graph/aggregator.h"
#include "matrix/sgemm.h"

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

/* Places that enter up-convolution `layer`, of one picture. */
static uint64_t n_places(uint32_t layer)
{
    return (uint64_t)first_places << (2 * (layer - 1));
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
    size_t most = 0;
    for (uint32_t l = 0; l <= d->n_ups; l++) {
        most = larger(most, hrr_sgemm_rows_space(n_enter(d, l), n_leave(d, l), threads));
        most = larger(most, hrr_sgemm_rows_space(n_leave(d, l), n_enter(d, l), threads));
        most = larger(most, hrr_sgemm_inner_space(n_enter(d, l), n_leave(d, l), threads));
    }
    return most;
}

hrr_status hrr_decoder_pass_init(hrr_decoder_pass *out, const hrr_decoder *decoder, uint64_t batch,
                                 int threads, hrr_error *err)
{
    hrr_decoder_pass made = {.decoder = decoder, .batch = batch, .threads = hrr_threads(threads)};
    size_t widest = 0;
    *out = (hrr_decoder_pass){0};
    bool whole = true;
    for (uint32_t l = 0; l <= decoder->n_ups; l++) {
        const uint64_t numbers = l ? n_places(l) * 4 * decoder->width[l] : n_leave(decoder, 0);
        if (l) widest = larger(widest, n_places(l) * n_leave(decoder, l));
        made.outputs[l] = hrr_alloc(batch, numbers * sizeof(float));
        whole = whole && made.outputs[l];
    }
    made.columns = hrr_alloc(batch, widest * sizeof(float));
    made.space = hrr_alloc(space_for(decoder, made.threads), sizeof(float));
    if (!whole || !made.columns || !made.space) {
        hrr_decoder_pass_clear(&made);
        return hrr_no_memory(err);
    }
    *out = made;
    return HRR_OK;
}

void hrr_decoder_pass_clear(hrr_decoder_pass *pass)
{
    for (uint32_t l = 0; l <= HRR_DECODER_MOST_UPS; l++)
        hrr_free(pass->outputs[l]);
    hrr_free(pass->columns);
    hrr_free(pass->space);
    *pass = (hrr_decoder_pass){0};
}

/* ---- pixels and the places around them ------------------------------------------------------- */

/* Tap (v, u) of place (r, c) is pixel (2 r - 1 + v, 2 c - 1 + u). So pixel (y, x) is reached by tap
 * v of row r for the v of the parity of y + 1, r = (y + 1 - v) / 2. */
static void gather_pixel(float *pixel, const float *columns, uint32_t side, uint32_t width,
                         uint32_t y, uint32_t x)
{
    for (uint32_t v = (y + 1) % 2; v < 4; v += 2) {
        if (y + 1 < v || (y + 1 - v) / 2 >= side) continue;
        for (uint32_t u = (x + 1) % 2; u < 4; u += 2) {
            if (x + 1 < u || (x + 1 - u) / 2 >= side) continue;
            const uint64_t place = (uint64_t)(y + 1 - v) / 2 * side + (x + 1 - u) / 2;
            const float *from = columns + (place * taps + v * 4 + u) * width;
            for (uint32_t k = 0; k < width; k++)
                pixel[k] += from[k];
        }
    }
}

/* One picture: side x side places to twice as many rows and columns, with bias and ReLU. */
static void gather(float *pixels, const float *columns, uint32_t side, uint32_t width,
                   const float *bias, bool relu)
{
    for (uint32_t y = 0; y < 2 * side; y++)
        for (uint32_t x = 0; x < 2 * side; x++, pixels += width) {
            memcpy(pixels, bias, width * sizeof *pixels);
            gather_pixel(pixels, columns, side, width, y, x);
            for (uint32_t k = 0; relu && k < width; k++)
                if (!(pixels[k] > 0)) pixels[k] = 0;
        }
}

/* The way back: the 16 pixels that a place reaches, side by side; 0 where there is none. */
static void spread(float *columns, const float *pixels, uint32_t side, uint32_t width)
{
    const uint32_t twice = 2 * side;
    for (uint32_t r = 0; r < side; r++)
        for (uint32_t c = 0; c < side; c++)
            for (uint32_t tap = 0; tap < taps; tap++, columns += width) {
                const uint32_t y = 2 * r + tap / 4, x = 2 * c + tap % 4; /* of the pixel, plus 1 */
                if (y < 1 || y > twice || x < 1 || x > twice)
                    memset(columns, 0, width * sizeof *columns);
                else
                    memcpy(columns, pixels + ((uint64_t)(y - 1) * twice + x - 1) * width,
                           width * sizeof *columns);
            }
}

/* ---- forward --------------------------------------------------------------------------------- */

static void go_up(hrr_decoder_pass *pass, uint32_t l, uint64_t n)
{
    const hrr_decoder *d = pass->decoder;
    const uint32_t side = (uint32_t)first_side << (l - 1), width = d->width[l];
    const hrr_dense input = hrr_f32_view(pass->outputs[l - 1], n * n_places(l), n_enter(d, l));
    hrr_dense columns = hrr_f32_view(pass->columns, input.rows, n_leave(d, l));
    const uint64_t per_picture = n_places(l) * n_leave(d, l), pixels = n_places(l) * 4 * width;
    hrr_sgemm_rows(hrr_keep_rows, &columns, &input, d->parameters + d->weight_at[l], false,
                   columns.cols, pass->space, pass->threads, NULL);
#pragma omp parallel for schedule(static) num_threads(pass->threads)
    for (uint64_t i = 0; i < n; i++)
        gather(pass->outputs[l] + i * pixels, pass->columns + i * per_picture, side, width,
               d->parameters + d->bias_at[l], l < d->n_ups);
}

static void to_pictures(float *logits, const hrr_decoder *d, uint64_t n, int threads)
{
    const uint64_t size = hrr_decoder_n_out(d);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < size; k++) {
            float *pixel = &logits[i * size + k];
            *pixel = 1 / (1 + expf(-(*pixel + d->offset[k])));
        }
}

const float *hrr_decoder_forward(hrr_decoder_pass *pass, const float *x, uint64_t n)
{
    const hrr_decoder *d = pass->decoder;
    const hrr_dense input = hrr_f32_view(x, n, d->n_in);
    hrr_activation first = {.to = pass->outputs[0],
                            .n_out = n_leave(d, 0),
                            .bias = d->parameters + d->bias_at[0],
                            .relu = true};
    hrr_sgemm_rows(hrr_activate_rows, &first, &input, d->parameters + d->weight_at[0], false,
                   first.n_out, pass->space, pass->threads, NULL);
    for (uint32_t l = 1; l <= d->n_ups; l++)
        go_up(pass, l, n);
    to_pictures(pass->outputs[d->n_ups], d, n, pass->threads);
    return pass->outputs[d->n_ups];
}

/* ---- backward -------------------------------------------------------------------------------- */

/* outputs[l] hold the derivatives of layer l; then outputs[l - 1] hold those of the layer before.
 */
static void go_down(float *gradient, hrr_decoder_pass *pass, uint32_t l, uint64_t n)
{
    const hrr_decoder *d = pass->decoder;
    const uint32_t side = (uint32_t)first_side << (l - 1), width = d->width[l];
    const uint64_t per_picture = n_places(l) * n_leave(d, l), pixels = n_places(l) * 4 * width;
    const hrr_dense input = hrr_f32_view(pass->outputs[l - 1], n * n_places(l), n_enter(d, l));
    const hrr_dense columns = hrr_f32_view(pass->columns, input.rows, n_leave(d, l));
    hrr_deactivation back = {.outputs = pass->outputs[l - 1], .n_out = n_enter(d, l), .scale = 1};
    hrr_column_sums(gradient + d->bias_at[l], pass->outputs[l], n * n_places(l) * 4, width,
                    pass->threads);
#pragma omp parallel for schedule(static) num_threads(pass->threads)
    for (uint64_t i = 0; i < n; i++)
        spread(pass->columns + i * per_picture, pass->outputs[l] + i * pixels, side, width);
    hrr_sgemm_inner(gradient + d->weight_at[l], &input, pass->columns, columns.cols, pass->space,
                    pass->threads, NULL);
    hrr_sgemm_rows(hrr_deactivate_rows, &back, &columns, d->parameters + d->weight_at[l], true,
                   input.cols, pass->space, pass->threads, NULL);
}

void hrr_decoder_backward(float *gradient, hrr_decoder_pass *pass, const float *x,
                          const float *truth, uint64_t n)
{
    const hrr_decoder *d = pass->decoder;
    const uint64_t size = n * hrr_decoder_n_out(d);
    const hrr_dense input = hrr_f32_view(x, n, d->n_in);
    float *delta = pass->outputs[d->n_ups];
    for (uint64_t i = 0; i < size; i++)
        delta[i] = (delta[i] - truth[i]) / (float)size;
    for (uint32_t l = d->n_ups; l >= 1; l--)
        go_down(gradient, pass, l, n);
    hrr_column_sums(gradient + d->bias_at[0], pass->outputs[0], n, n_leave(d, 0), pass->threads);
    hrr_sgemm_inner(gradient + d->weight_at[0], &input, pass->outputs[0], n_leave(d, 0),
                    pass->space, pass->threads, NULL);
}
