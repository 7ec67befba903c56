#include "learn/decoder.h"
#include "learn/decoder_train.h"
#include "learn/linear_decoder.h"
#include "random/fast.h"
#include "support/brutal.h"
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the same network, slowly and in double ----------------------------------------------------
 */

/* The definition: each place adds its numbers times the weights to the 4 x 4 pixels that begin one
 * above and one left of twice its position. */
static double *slow_up(const double *in, uint32_t side, uint32_t n_in, uint32_t n_out,
                       const double *weight, const double *bias, bool relu)
{
    const int twice = 2 * (int)side;
    const size_t n_pixels = (size_t)twice * (size_t)twice;
    double *out = calloc(n_pixels * n_out, sizeof *out);
    for (size_t i = 0; i < n_pixels * n_out; i++)
        out[i] = bias[i % n_out];
    for (int r = 0; r < (int)side; r++)
        for (int c = 0; c < (int)side; c++)
            for (int v = 0; v < 4; v++)
                for (int u = 0; u < 4; u++) {
                    const int y = 2 * r - 1 + v, x = 2 * c - 1 + u;
                    if (y < 0 || x < 0 || y >= twice || x >= twice) continue;
                    for (uint32_t i = 0; i < n_in; i++)
                        for (uint32_t o = 0; o < n_out; o++)
                            out[(size_t)(y * twice + x) * n_out + o] +=
                                in[(size_t)(r * (int)side + c) * n_in + i] *
                                weight[(i * 16 + (uint32_t)(v * 4 + u)) * n_out + o];
                }
    for (size_t i = 0; relu && i < n_pixels * n_out; i++)
        out[i] = fmax(out[i], 0);
    return out;
}

static double *slow_picture(const hrr_decoder *d, const double *w, const float *x)
{
    const size_t first = 16 * d->width[0];
    double *now = calloc(first, sizeof *now);
    for (size_t k = 0; k < first; k++) {
        now[k] = w[d->bias_at[0] + k];
        for (uint64_t i = 0; i < d->n_in; i++)
            now[k] += (double)x[i] * w[d->weight_at[0] + i * first + k];
        now[k] = fmax(now[k], 0);
    }
    for (uint32_t l = 1; l <= d->n_ups; l++) {
        double *next = slow_up(now, 4U << (l - 1), d->width[l - 1], d->width[l],
                               w + d->weight_at[l], w + d->bias_at[l], l < d->n_ups);
        free(now);
        now = next;
    }
    for (uint64_t k = 0; k < hrr_decoder_n_out(d); k++)
        now[k] = 1 / (1 + exp(-(now[k] + (double)d->offset[k])));
    return now;
}

static double slow_loss(const hrr_decoder *d, const double *w, const float *x, const float *truth,
                        uint64_t n)
{
    const uint64_t size = hrr_decoder_n_out(d);
    double loss = 0;
    for (uint64_t i = 0; i < n; i++) {
        double *guess = slow_picture(d, w, x + i * d->n_in);
        for (uint64_t k = 0; k < size; k++) {
            const double t = (double)truth[i * size + k];
            loss -= t * log(guess[k]) + (1 - t) * log(1 - guess[k]);
        }
        free(guess);
    }
    return loss / (double)(n * size);
}

enum { rows = 3, features = 5 };

typedef struct small {
    hrr_decoder decoder;
    float x[rows * features], *truth;
} small;

/* width: 3 is narrower than a vector, 20 takes more than one and is no multiple of any. */
static void make_small(small *s, uint32_t channels, uint32_t width)
{
    hrr_fast_random random;
    hrr_fast_init(&random, 7, 1);
    assert_ok(hrr_decoder_init(&s->decoder, features, 16, channels, width, 2, NULL));
    const uint64_t size = hrr_decoder_n_out(&s->decoder);
    for (size_t k = 0; k < s->decoder.n_parameters; k++)
        if (s->decoder.parameters[k] == 0) s->decoder.parameters[k] = 0.03f * (float)(k % 7);
    for (uint64_t k = 0; k < size; k++)
        s->decoder.offset[k] = (float)(hrr_fast_uniform(&random) - 0.5);
    for (int i = 0; i < rows * features; i++)
        s->x[i] = (float)hrr_fast_normal(&random);
    s->truth = malloc(rows * size * sizeof *s->truth);
    for (uint64_t i = 0; i < rows * size; i++)
        s->truth[i] = (float)hrr_fast_uniform(&random);
}

static void end_small(small *s)
{
    hrr_decoder_clear(&s->decoder);
    free(s->truth);
}

/* Single precision against double: sums of some hundred products of size 1, off by 1e-6 at most. */
static void test_decoder__pictures_are_those_of_the_definition(void **state)
{
    (void)state;
    for (int wide = 0; wide < 4; wide++) {
        small s;
        hrr_decoder_pass pass;
        make_small(&s, wide % 2 ? 3 : 1, wide < 2 ? 3 : 20);
        const hrr_decoder *d = &s.decoder;
        double *w = malloc(d->n_parameters * sizeof *w);
        for (size_t k = 0; k < d->n_parameters; k++)
            w[k] = (double)d->parameters[k];
        assert_ok(hrr_decoder_pass_init(&pass, d, rows, 2, NULL));
        const float *guess = hrr_decoder_forward(&pass, s.x, rows);
        for (uint64_t i = 0; i < rows; i++) {
            double *slow = slow_picture(d, w, s.x + i * features);
            for (uint64_t k = 0; k < hrr_decoder_n_out(d); k++)
                assert_true(fabs((double)guess[i * hrr_decoder_n_out(d) + k] - slow[k]) < 1e-5);
            free(slow);
        }
        hrr_decoder_pass_clear(&pass);
        free(w);
        end_small(&s);
    }
}

/* Finite differences with step 1e-5 are good to 1e-9; what is left is rounding to float. Every
 * `stride`-th parameter: all layers, weights and biases. */
static void check_gradient(uint32_t channels, uint32_t width, size_t stride)
{
    small s;
    hrr_decoder_pass pass;
    make_small(&s, channels, width);
    const hrr_decoder *d = &s.decoder;
    double *w = malloc(d->n_parameters * sizeof *w), largest = 0;
    float *gradient = malloc(d->n_parameters * sizeof *gradient);
    for (size_t k = 0; k < d->n_parameters; k++)
        w[k] = (double)d->parameters[k];
    assert_ok(hrr_decoder_pass_init(&pass, d, rows, 2, NULL));
    hrr_decoder_forward(&pass, s.x, rows);
    hrr_decoder_backward(gradient, &pass, s.x, s.truth, rows);
    for (size_t k = 0; k < d->n_parameters; k += stride) {
        const double step = 1e-5, kept = w[k];
        w[k] = kept + step;
        const double above = slow_loss(d, w, s.x, s.truth, rows);
        w[k] = kept - step;
        const double below = slow_loss(d, w, s.x, s.truth, rows);
        w[k] = kept;
        const double expected = (above - below) / (2 * step);
        largest = fmax(largest, fabs(expected));
        if (fabs((double)gradient[k] - expected) >= 1e-6)
            print_error("parameter %zu: %g, not %g\n", k, (double)gradient[k], expected);
        assert_true(fabs((double)gradient[k] - expected) < 1e-6);
    }
    assert_true(largest > 1e-3); /* there was something to compare */
    hrr_decoder_pass_clear(&pass);
    free(gradient);
    free(w);
    end_small(&s);
}

static void test_decoder__the_gradient_is_that_of_finite_differences(void **state)
{
    (void)state;
    check_gradient(1, 3, 7);
    check_gradient(3, 20, 97);
}

/* What a pass still holds of a larger batch changes nothing. */
static void test_decoder__batches_do_not_know_of_each_other(void **state)
{
    (void)state;
    enum { many = 11 };
    small s;
    hrr_decoder_pass pass, fresh;
    make_small(&s, 3, 3);
    const hrr_decoder *d = &s.decoder;
    const uint64_t size = hrr_decoder_n_out(d);
    float x[many * features], *truth = malloc(many * size * sizeof *truth);
    float *found = malloc(d->n_parameters * sizeof *found);
    float *expected = malloc(d->n_parameters * sizeof *expected);
    for (size_t i = 0; i < many * features; i++)
        x[i] = 1.5f * s.x[i % (rows * features)];
    for (size_t i = 0; i < many * size; i++)
        truth[i] = s.truth[i % (rows * size)];
    assert_ok(hrr_decoder_pass_init(&pass, d, many, 1, NULL));
    assert_ok(hrr_decoder_pass_init(&fresh, d, rows, 1, NULL));
    hrr_decoder_forward(&pass, x, many);
    hrr_decoder_backward(found, &pass, x, truth, many);
    assert_memory_equal(hrr_decoder_forward(&pass, s.x, rows),
                        hrr_decoder_forward(&fresh, s.x, rows), rows * size * sizeof(float));
    hrr_decoder_backward(found, &pass, s.x, s.truth, rows);
    hrr_decoder_backward(expected, &fresh, s.x, s.truth, rows);
    assert_memory_equal(found, expected, d->n_parameters * sizeof *found);
    hrr_decoder_pass_clear(&pass);
    hrr_decoder_pass_clear(&fresh);
    free(truth);
    free(found);
    free(expected);
    end_small(&s);
}

/* ---- training ----------------------------------------------------------------------------------
 */

/* Pictures of 8 x 8 with a bright half, which feature 0 tells and the others do not. */
typedef struct halves {
    hrr_dense pictures, x;
    bool is_blind; /* features are noise, another one each time */
} halves;

static const hrr_decoder_options quick = {.side = 8,
                                          .channels = 1,
                                          .width = 4,
                                          .epochs = 30,
                                          .batch = 16,
                                          .learning_rate = 0.01,
                                          .seed = 3,
                                          .threads = 1};

static void make_halves(halves *h, uint64_t n, uint64_t seed)
{
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    *h = (halves){.is_blind = false};
    assert_ok(hrr_dense_init(&h->pictures, HRR_U8, n, 64, NULL));
    assert_ok(hrr_dense_init(&h->x, HRR_F32, n, 3, NULL));
    for (uint64_t i = 0; i < n; i++) {
        const bool left = hrr_fast_uniform(&random) < 0.5;
        for (int k = 0; k < 64; k++)
            ((uint8_t *)h->pictures.data)[i * 64 + (uint64_t)k] =
                (uint8_t)((k % 8 < 4) == left ? 200 + hrr_fast_below(&random, 30)
                                              : hrr_fast_below(&random, 30));
        ((float *)h->x.data)[i * 3] = left ? 5.0f : 4.0f;
        ((float *)h->x.data)[i * 3 + 1] = (float)hrr_fast_normal(&random);
        ((float *)h->x.data)[i * 3 + 2] = 9.0f; /* says nothing, and has no variance */
    }
}

static void end_halves(halves *h)
{
    hrr_dense_clear(&h->pictures);
    hrr_dense_clear(&h->x);
}

static hrr_status draw(void *user, hrr_dense *x, uint32_t number, hrr_error *err)
{
    const halves *h = user;
    hrr_fast_random random;
    (void)err;
    hrr_fast_init(&random, 11, number);
    for (uint64_t i = 0; i < x->rows * x->cols; i++)
        ((float *)x->data)[i] =
            h->is_blind ? (float)hrr_fast_normal(&random) : ((const float *)h->x.data)[i];
    return HRR_OK;
}

static void test_decoder__features_that_tell_are_used(void **state)
{
    (void)state;
    halves known, other;
    hrr_trained_decoder decoder;
    hrr_dense guess;
    make_halves(&known, 200, 1);
    make_halves(&other, 40, 2);
    assert_ok(hrr_decoder_train(&decoder, &known.pictures, 3, draw, &known, &quick, NULL, NULL));
    assert_true(decoder.gain > 0.9);
    assert_ok(hrr_decode(&guess, &decoder, &other.x, 1, NULL));
    for (uint64_t i = 0; i < 40 * 64; i++)
        assert_true(fabs((double)((float *)guess.data)[i] -
                         ((uint8_t *)other.pictures.data)[i] / 255.0) < 0.3);
    hrr_dense_clear(&guess);
    hrr_trained_decoder_clear(&decoder);
    end_halves(&known);
    end_halves(&other);
}

/* y = x W on the rows that are learnt from, the held ones among them; and nothing to learn. */
static void test_decoder__the_linear_part_is_a_ridge_regression(void **state)
{
    (void)state;
    enum { n = 300, held = 30, d = 5, pixels = 7 };
    hrr_dense x, y, found;
    float truth[d * pixels];
    hrr_fast_random random;
    hrr_fast_init(&random, 5, 1);
    assert_ok(hrr_dense_init(&x, HRR_F32, n, d, NULL));
    assert_ok(hrr_dense_init(&y, HRR_F32, n, pixels, NULL));
    for (int i = 0; i < d * pixels; i++)
        truth[i] = (float)hrr_fast_normal(&random);
    for (int i = 0; i < n * d; i++)
        ((float *)x.data)[i] = (float)hrr_fast_normal(&random);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < pixels; k++) {
            float sum = 0;
            for (int j = 0; j < d; j++)
                sum += ((float *)x.data)[i * d + j] * truth[j * pixels + k];
            ((float *)y.data)[i * pixels + k] = sum;
        }
    assert_ok(hrr_linear_decoder_fit(&found, &x, &y, held, 1, NULL));
    for (int i = 0; i < d * pixels; i++) /* the least ridge shrinks by a hundredth */
        assert_true(fabs((double)(((float *)found.data)[i] - truth[i])) < 0.05);
    hrr_dense_clear(&found);
    for (int i = 0; i < held * pixels; i++) /* the held rows say the opposite: nothing is learnt */
        ((float *)y.data)[i] *= -1;
    assert_ok(hrr_linear_decoder_fit(&found, &x, &y, held, 1, NULL));
    for (int i = 0; i < d * pixels; i++)
        assert_true(((float *)found.data)[i] == 0);
    hrr_dense_clear(&found);
    hrr_dense_clear(&x);
    hrr_dense_clear(&y);
}

static void test_decoder__features_that_tell_nothing_end_at_the_mean_picture(void **state)
{
    (void)state;
    halves known;
    hrr_trained_decoder decoder;
    hrr_dense guess;
    make_halves(&known, 200, 1);
    known.is_blind = true;
    assert_ok(hrr_decoder_train(&decoder, &known.pictures, 3, draw, &known, &quick, NULL, NULL));
    assert_true(decoder.gain < 0.05);
    assert_ok(draw(&known, &known.x, 1000, NULL));
    assert_ok(hrr_decode(&guess, &decoder, &known.x, 1, NULL));
    for (uint64_t k = 0; k < 64; k++) {
        double mean = 0;
        for (uint64_t i = 0; i < 200; i++)
            mean += ((uint8_t *)known.pictures.data)[i * 64 + k] / (255.0 * 200);
        assert_true(fabs((double)decoder.mean[k] - mean) < 1e-6);
        assert_true(fabs((double)((float *)guess.data)[k] - mean) < 0.15);
    }
    hrr_dense_clear(&guess);
    hrr_trained_decoder_clear(&decoder);
    end_halves(&known);
}

static void test_decoder__threads_do_not_change_a_bit(void **state)
{
    (void)state;
    halves known;
    hrr_trained_decoder one, three;
    hrr_decoder_options how = quick;
    make_halves(&known, 100, 4);
    how.epochs = 2;
    assert_ok(hrr_decoder_train(&one, &known.pictures, 3, draw, &known, &how, NULL, NULL));
    how.threads = 3;
    assert_ok(hrr_decoder_train(&three, &known.pictures, 3, draw, &known, &how, NULL, NULL));
    assert_memory_equal(one.network.parameters, three.network.parameters,
                        one.network.n_parameters * sizeof(float));
    assert_true(one.strength == three.strength);
    hrr_trained_decoder_clear(&one);
    hrr_trained_decoder_clear(&three);
    end_halves(&known);
}

static hrr_status train_and_decode(void *user)
{
    halves *known = user;
    hrr_trained_decoder decoder = {0};
    hrr_dense guess = {0};
    hrr_decoder_options how = quick;
    how.epochs = 1;
    hrr_status status =
        hrr_decoder_train(&decoder, &known->pictures, 3, draw, known, &how, NULL, NULL);
    if (!status) status = hrr_decode(&guess, &decoder, &known->x, 1, NULL);
    hrr_dense_clear(&guess);
    hrr_trained_decoder_clear(&decoder);
    return status;
}

static void test_decoder__failing_allocations_leak_nothing(void **state)
{
    (void)state;
    halves known;
    make_halves(&known, 20, 5);
    assert_true(brutal(train_and_decode, &known) > 10);
    end_halves(&known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decoder__pictures_are_those_of_the_definition),
        cmocka_unit_test(test_decoder__the_gradient_is_that_of_finite_differences),
        cmocka_unit_test(test_decoder__batches_do_not_know_of_each_other),
        cmocka_unit_test(test_decoder__features_that_tell_are_used),
        cmocka_unit_test(test_decoder__the_linear_part_is_a_ridge_regression),
        cmocka_unit_test(test_decoder__features_that_tell_nothing_end_at_the_mean_picture),
        cmocka_unit_test(test_decoder__threads_do_not_change_a_bit),
        cmocka_unit_test(test_decoder__failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
