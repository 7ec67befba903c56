/* decoder_train.c: see decoder_train.h. Adam on small batches, a new draw of the features in every
 * epoch: a decoder that sees the same noise twice learns the noise.
 *
 * Workload: some thousand pictures of 8 to 64 pixels a side, up to 2,048 features. */
#include "learn/decoder_train.h"

#include "learn/linear_decoder.h"
#include "learn/model.h"
#include "learn/optimiser.h"
#include "base/memory.h"
#include "matrix/products.h"
#include "random/fast.h"

#include <math.h>
#include <string.h>

typedef struct training {
    const hrr_decoder_options *options;
    hrr_trained_decoder *out;
    const uint8_t *pictures;
    uint64_t n, n_valid, pixels, n_in;
    uint32_t *order; /* rows; the first n_valid are those that it is chosen by */
    hrr_dense x, x_valid;
    hrr_stepper stepper;
    hrr_decoder_pass pass;
    float *gradient, *best, *input, *truth, *linear;
    double least; /* squared error */
    hrr_fast_random random;
} training;

static void clear(training *t)
{
    hrr_dense_clear(&t->x);
    hrr_dense_clear(&t->x_valid);
    hrr_stepper_clear(&t->stepper);
    hrr_decoder_pass_clear(&t->pass);
    hrr_free(t->order);
    hrr_free(t->gradient);
    hrr_free(t->best);
    hrr_free(t->input);
    hrr_free(t->truth);
    hrr_free(t->linear);
}

void hrr_trained_decoder_clear(hrr_trained_decoder *decoder)
{
    hrr_decoder_clear(&decoder->network);
    hrr_dense_clear(&decoder->linear);
    hrr_free(decoder->centre);
    hrr_free(decoder->mean);
    *decoder = (hrr_trained_decoder){0};
}

/* ---- what the decoder begins with ------------------------------------------------------------ */

static void shuffle(uint32_t *rows, uint64_t n, hrr_fast_random *random)
{
    for (uint64_t i = n; i > 1; i--) {
        const uint64_t j = hrr_fast_below(random, i);
        const uint32_t row = rows[i - 1];
        rows[i - 1] = rows[j];
        rows[j] = row;
    }
}

/* The rows that the decoder is chosen by come first. They are runs of neighbouring rows: variants
 * of one picture usually lie side by side, and a decoder that has learnt from some of them must not
 * be judged by the others. */
static void deal_rows(training *t)
{
    enum { most_runs = 40, few = 10 };
    uint32_t run[most_runs];
    const uint32_t n_runs = t->n < most_runs ? few : most_runs;
    uint64_t at = 0;
    for (uint32_t r = 0; r < n_runs; r++)
        run[r] = r;
    shuffle(run, n_runs, &t->random);
    for (uint32_t r = 0; r < n_runs; r++) {
        const uint64_t end = t->n * (run[r] + 1) / n_runs;
        for (uint64_t row = t->n * run[r] / n_runs; row < end; row++)
            t->order[at++] = (uint32_t)row;
        if (r + 1 == n_runs / 10) t->n_valid = at;
    }
    shuffle(t->order + t->n_valid, t->n - t->n_valid, &t->random);
}

/* The mean picture, and its logit, where no pixel is certain. */
static void learn_mean(hrr_trained_decoder *out, const training *t)
{
    for (uint64_t k = 0; k < t->pixels; k++) {
        double sum = 0;
        for (uint64_t i = 0; i < t->n; i++)
            sum += t->pictures[i * t->pixels + k];
        const double mean = sum / (255 * (double)t->n);
        const double inside = fmin(fmax(mean, 0.005), 0.995);
        out->mean[k] = (float)mean;
        out->network.offset[k] = (float)log(inside / (1 - inside));
    }
}

static void learn_standards(hrr_trained_decoder *out, const hrr_dense *x)
{
    const float *at = x->data;
    for (uint64_t k = 0; k < x->cols; k++) {
        double sum = 0, squares = 0;
        for (uint64_t i = 0; i < x->rows; i++)
            sum += (double)at[i * x->cols + k];
        const double mean = sum / (double)x->rows;
        for (uint64_t i = 0; i < x->rows; i++)
            squares += pow((double)at[i * x->cols + k] - mean, 2);
        const double deviation = sqrt(squares / (double)x->rows);
        out->centre[k] = (float)mean;
        out->factor[k] = deviation > 0 ? (float)(1 / deviation) : 0;
    }
}

static void standardise(float *to, const hrr_trained_decoder *d, const float *from)
{
    for (uint64_t k = 0; k < d->network.n_in; k++)
        to[k] = (from[k] - d->centre[k]) * d->factor[k];
}

static hrr_status prepare(training *t, hrr_error *err)
{
    const hrr_decoder_options *o = t->options;
    hrr_trained_decoder *out = t->out;
    hrr_train_options adam;
    hrr_train_options_init(&adam);
    adam.optimiser = HRR_ADAM;
    adam.learning_rate = o->learning_rate;
    adam.weight_decay = 0;
    hrr_status status =
        hrr_decoder_init(&out->network, t->n_in, o->side, o->channels, o->width, o->seed, err);
    if (!status) status = hrr_dense_init(&t->x, HRR_F32, t->n, t->n_in, err);
    if (!status) status = hrr_dense_init(&t->x_valid, HRR_F32, t->n, t->n_in, err);
    if (!status) status = hrr_stepper_init(&t->stepper, out->network.n_parameters, &adam, err);
    if (!status) status = hrr_decoder_pass_init(&t->pass, &out->network, o->batch, o->threads, err);
    if (status) return status;
    out->centre = hrr_alloc(2 * t->n_in, sizeof *out->centre);
    out->mean = hrr_alloc(t->pixels, sizeof *out->mean);
    t->order = hrr_alloc(t->n, sizeof *t->order);
    t->gradient = hrr_alloc(out->network.n_parameters, sizeof *t->gradient);
    t->best = hrr_alloc(out->network.n_parameters, sizeof *t->best);
    t->input = hrr_alloc(o->batch, t->n_in * sizeof *t->input);
    t->truth = hrr_alloc(o->batch, t->pixels * sizeof *t->truth);
    t->linear = hrr_alloc(o->batch, t->pixels * sizeof *t->linear);
    if (!out->centre || !out->mean || !t->order || !t->gradient || !t->best || !t->input ||
        !t->truth || !t->linear)
        return hrr_no_memory(err);
    out->factor = out->centre + t->n_in;
    return HRR_OK;
}

/* ---- the linear part ------------------------------------------------------------------------- */

/* way (count x pixels) from the mean picture, of inputs that are standardised */
static void guess_linear(float *way, const hrr_trained_decoder *d, const float *input,
                         uint64_t count)
{
    const hrr_dense x = {
        .dtype = HRR_F32, .rows = count, .cols = d->linear.rows, .data = (void *)(uintptr_t)input};
    hrr_dense to = hrr_f32_view(way, count, d->linear.cols);
    hrr_gemm(&to, &x, false, &d->linear, false, 1, 0);
}

static hrr_status learn_linear(training *t, hrr_draw_inputs *draw, void *user, hrr_error *err)
{
    hrr_dense x = {0}, y = {0};
    hrr_status status = draw(user, &t->x, 1, err);
    if (!status) status = hrr_dense_init(&x, HRR_F32, t->n, t->n_in, err);
    if (!status) status = hrr_dense_init(&y, HRR_F32, t->n, t->pixels, err);
    for (uint64_t i = 0; i < t->n && !status; i++) {
        const hrr_dense *from = i < t->n_valid ? &t->x_valid : &t->x;
        const uint64_t row = t->order[i];
        float *way = (float *)y.data + i * t->pixels;
        standardise((float *)x.data + i * t->n_in, t->out,
                    (const float *)from->data + row * t->n_in);
        for (uint64_t k = 0; k < t->pixels; k++)
            way[k] = (float)t->pictures[row * t->pixels + k] / 255 - t->out->mean[k];
    }
    if (!status)
        status =
            hrr_linear_decoder_fit(&t->out->linear, &x, &y, t->n_valid, t->options->threads, err);
    hrr_dense_clear(&x);
    hrr_dense_clear(&y);
    return status;
}

/* ---- epochs ---------------------------------------------------------------------------------- */

/* Rows first .. first + count - 1 of the order, as what goes in and what should come out. */
static void fill(training *t, const hrr_dense *x, uint64_t first, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t row = t->order[first + i];
        standardise(t->input + i * t->n_in, t->out, (const float *)x->data + row * t->n_in);
        for (uint64_t k = 0; k < t->pixels; k++)
            t->truth[i * t->pixels + k] = (float)t->pictures[row * t->pixels + k] / 255;
    }
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Sums over the pictures that the decoder is chosen by, of ways from the mean picture: a guess of
 * the layers, one of the linear part, the truth. */
typedef struct valid_sums {
    double layers_layers, layers_linear, linear_linear;
    double layers_truth, linear_truth, truth_truth;
} valid_sums;

static valid_sums validate(training *t)
{
    valid_sums sums = {0};
    for (uint64_t first = 0; first < t->n_valid; first += t->options->batch) {
        const uint64_t count = smaller(t->options->batch, t->n_valid - first);
        fill(t, &t->x_valid, first, count);
        const float *guess = hrr_decoder_forward(&t->pass, t->input, count);
        guess_linear(t->linear, t->out, t->input, count);
        for (uint64_t i = 0; i < count * t->pixels; i++) {
            const double mean = (double)t->out->mean[i % t->pixels];
            const double layers = (double)guess[i] - mean, truth = (double)t->truth[i] - mean;
            const double linear = (double)t->linear[i];
            sums.layers_layers += layers * layers;
            sums.layers_linear += layers * linear;
            sums.linear_linear += linear * linear;
            sums.layers_truth += layers * truth;
            sums.linear_truth += linear * truth;
            sums.truth_truth += truth * truth;
        }
    }
    return sums;
}

static double layers_error(const valid_sums *s)
{
    return s->truth_truth - 2 * s->layers_truth + s->layers_layers;
}

static void run_epoch(training *t, uint32_t epoch)
{
    const uint64_t batch = t->options->batch, n_train = t->n - t->n_valid;
    hrr_decoder *network = &t->out->network;
    shuffle(t->order + t->n_valid, n_train, &t->random);
    for (uint64_t first = 0; first < n_train; first += batch) {
        const uint64_t count = smaller(batch, n_train - first);
        const double done = (epoch + (double)first / (double)n_train) / t->options->epochs;
        fill(t, &t->x, t->n_valid + first, count);
        hrr_decoder_forward(&t->pass, t->input, count);
        hrr_decoder_backward(t->gradient, &t->pass, t->input, t->truth, count);
        t->stepper.learning_rate = t->options->learning_rate * (1 - done);
        hrr_step(network->parameters, t->gradient, &t->stepper);
    }
}

static hrr_status run_epochs(training *t, hrr_draw_inputs *draw, void *user, hrr_progress *progress,
                             hrr_error *err)
{
    const size_t size = t->out->network.n_parameters * sizeof *t->best;
    hrr_progress_begin(progress, "training a decoder", t->options->epochs);
    for (uint32_t epoch = 0; epoch < t->options->epochs; epoch++) {
        hrr_status status = draw(user, &t->x, epoch + 1, err);
        if (status) return status;
        run_epoch(t, epoch);
        const valid_sums sums = validate(t);
        const double error = layers_error(&sums);
        if (epoch == 0 || error < t->least) {
            t->least = error;
            memcpy(t->best, t->out->network.parameters, size);
        }
        if ((status = hrr_progress_advance(progress, 1, err))) return status;
    }
    memcpy(t->out->network.parameters, t->best, size);
    return HRR_OK;
}

/* What is taken of a guess that explains `product` of itself and has `squares`: none to all. */
static double share(double product, double squares)
{
    return squares > 0 ? fmin(fmax(product / squares, 0), 1) : 0;
}

/* The two strengths with the least squared error, each from 0 to 1: one after the other, until they
 * settle. */
static void choose_strengths(training *t)
{
    enum { rounds = 100 };
    const valid_sums s = validate(t);
    double layers = 0, linear = 0;
    for (int round = 0; round < rounds; round++) {
        linear = share(s.linear_truth - layers * s.layers_linear, s.linear_linear);
        layers = share(s.layers_truth - linear * s.layers_linear, s.layers_layers);
    }
    const double error = s.truth_truth - 2 * (layers * s.layers_truth + linear * s.linear_truth) +
                         layers * layers * s.layers_layers + linear * linear * s.linear_linear +
                         2 * layers * linear * s.layers_linear;
    t->out->gain = s.truth_truth > 0 ? 1 - error / s.truth_truth : 0;
    t->out->strength = (float)layers;
    t->out->linear_strength = (float)linear;
}

hrr_status hrr_decoder_train(hrr_trained_decoder *out, const hrr_dense *pictures, uint64_t n_in,
                             hrr_draw_inputs *draw, void *user, const hrr_decoder_options *options,
                             hrr_progress *progress, hrr_error *err)
{
    hrr_trained_decoder made = {0};
    training t = {.options = options,
                  .out = &made,
                  .pictures = pictures->data,
                  .n = pictures->rows,
                  .pixels = pictures->cols,
                  .n_in = n_in};
    *out = made;
    hrr_status status = prepare(&t, err);
    if (!status) status = draw(user, &t.x_valid, 0, err);
    if (status) goto done;
    hrr_fast_init(&t.random, options->seed, UINT64_C(0x65706f636873));
    deal_rows(&t);
    learn_mean(&made, &t);
    learn_standards(&made, &t.x_valid);
    if ((status = learn_linear(&t, draw, user, err))) goto done;
    if ((status = run_epochs(&t, draw, user, progress, err))) goto done;
    choose_strengths(&t);
    *out = made;
    made = (hrr_trained_decoder){0};
done:
    clear(&t);
    hrr_trained_decoder_clear(&made);
    return status;
}

/* ---- decoding -------------------------------------------------------------------------------- */

hrr_status hrr_decode(hrr_dense *guess, const hrr_trained_decoder *decoder,
                      const hrr_dense *features, int threads, hrr_error *err)
{
    enum { at_once = 64 };
    const uint64_t d = decoder->network.n_in, pixels = hrr_decoder_n_out(&decoder->network);
    hrr_decoder_pass pass = {0};
    hrr_dense made = {0};
    float *input = NULL;
    *guess = made;
    hrr_status status = hrr_dense_init(&made, HRR_F32, features->rows, pixels, err);
    if (!status) status = hrr_decoder_pass_init(&pass, &decoder->network, at_once, threads, err);
    if (!status && !(input = hrr_alloc(at_once, d * sizeof *input))) status = hrr_no_memory(err);
    for (uint64_t first = 0; first < features->rows && !status; first += at_once) {
        const uint64_t count = smaller(at_once, features->rows - first);
        float *to = (float *)made.data + first * pixels;
        for (uint64_t i = 0; i < count; i++)
            standardise(input + i * d, decoder, (const float *)features->data + (first + i) * d);
        const float *from = hrr_decoder_forward(&pass, input, count);
        guess_linear(to, decoder, input, count);
        for (uint64_t i = 0; i < count * pixels; i++) {
            const float mean = decoder->mean[i % pixels];
            to[i] = mean + decoder->strength * (from[i] - mean) + decoder->linear_strength * to[i];
            to[i] = fminf(fmaxf(to[i], 0), 1);
        }
    }
    if (!status) {
        *guess = made;
        made = (hrr_dense){0};
    }
    hrr_dense_clear(&made);
    hrr_decoder_pass_clear(&pass);
    hrr_free(input);
    return status;
}
