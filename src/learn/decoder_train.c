/* decoder_train.c: see decoder_train.h. Adam on small batches, a new draw of the features in every
 * epoch: a decoder that sees the same noise twice learns the noise.
 *
 * Workload: some thousand pictures of 8 to 64 pixels a side, up to 2,048 features. */
#include "learn/decoder_train.h"

#include "learn/optimiser.h"
#include "base/memory.h"
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
    float *gradient, *best, *input, *truth;
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
}

void hrr_trained_decoder_clear(hrr_trained_decoder *decoder)
{
    hrr_decoder_clear(&decoder->network);
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
    if (!out->centre || !out->mean || !t->order || !t->gradient || !t->best || !t->input ||
        !t->truth)
        return hrr_no_memory(err);
    out->factor = out->centre + t->n_in;
    return HRR_OK;
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

typedef struct valid_sums {
    double error;            /* squared, of the decoder */
    double of_mean;          /* of the mean picture */
    double product, squares; /* of (guess - mean) with (truth - mean), and with itself */
} valid_sums;

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static valid_sums validate(training *t)
{
    valid_sums sums = {0};
    for (uint64_t first = 0; first < t->n_valid; first += t->options->batch) {
        const uint64_t count = smaller(t->options->batch, t->n_valid - first);
        fill(t, &t->x_valid, first, count);
        const float *guess = hrr_decoder_forward(&t->pass, t->input, count);
        for (uint64_t i = 0; i < count * t->pixels; i++) {
            const double mean = (double)t->out->mean[i % t->pixels];
            const double step = (double)guess[i] - mean, way = (double)t->truth[i] - mean;
            sums.error += (step - way) * (step - way);
            sums.of_mean += way * way;
            sums.product += step * way;
            sums.squares += step * step;
        }
    }
    return sums;
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
        const double error = validate(t).error;
        if (epoch == 0 || error < t->least) {
            t->least = error;
            memcpy(t->best, t->out->network.parameters, size);
        }
        if ((status = hrr_progress_advance(progress, 1, err))) return status;
    }
    memcpy(t->out->network.parameters, t->best, size);
    return HRR_OK;
}

static void choose_strength(training *t)
{
    const valid_sums sums = validate(t);
    const double best = sums.squares > 0 ? sums.product / sums.squares : 0;
    const double s = fmin(fmax(best, 0), 1);
    const double error = sums.of_mean - 2 * s * sums.product + s * s * sums.squares;
    t->out->strength = (float)s;
    t->out->gain = sums.of_mean > 0 ? 1 - error / sums.of_mean : 0;
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
                  .n_valid = pictures->rows / 10,
                  .pixels = pictures->cols,
                  .n_in = n_in};
    *out = made;
    hrr_status status = prepare(&t, err);
    if (!status) status = draw(user, &t.x_valid, 0, err);
    if (status) goto done;
    for (uint64_t i = 0; i < t.n; i++)
        t.order[i] = (uint32_t)i;
    hrr_fast_init(&t.random, options->seed, UINT64_C(0x65706f636873));
    shuffle(t.order, t.n, &t.random);
    learn_mean(&made, &t);
    learn_standards(&made, &t.x_valid);
    if ((status = run_epochs(&t, draw, user, progress, err))) goto done;
    choose_strength(&t);
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
        for (uint64_t i = 0; i < count * pixels; i++)
            to[i] = decoder->mean[i % pixels] +
                    decoder->strength * (from[i] - decoder->mean[i % pixels]);
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
