/* bench_random: how fast one core draws. Checks the draws first (exit 1 if they are wrong), then
 * prints one JSON object a line: `value` is the rate of the median of the repetitions, `best` that
 * of the fastest. The peer is one getrandom(2) system call a draw, the usual "secure" alternative.
 */
#include "random/stream.h"
#include "timing.h"

#include <heterorr/random.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

enum { repetitions = 9, laplace_count = 2000000, row_count = 100000, row_words = 16 };
static const size_t big = (size_t)256 << 20;
static const size_t words = 20000000, syscalls = 500000;

typedef struct work {
    const char *name, *unit;
    double amount; /* units in one run */
    void (*run)(struct work *work);
    uint64_t num, den; /* epsilon, for the Laplace */
    hrr_stream *stream;
    void *memory;
    uint64_t sink; /* keeps the compiler from dropping draws */
} work;

static void run_bytes(work *w)
{
    hrr_stream_bytes(w->stream, w->memory, big);
}

static void run_words(work *w)
{
    for (size_t i = 0; i < words; i++)
        w->sink ^= hrr_stream_u64(w->stream);
}

static void run_rows(work *w)
{
    for (uint64_t row = 0; row < row_count; row++) {
        hrr_stream_seek(w->stream, HRR_PURPOSE_TEST, row);
        for (int i = 0; i < row_words; i++)
            w->sink ^= hrr_stream_u64(w->stream);
    }
}

static void run_laplace(work *w)
{
    hrr_sample_laplace_fill(w->memory, laplace_count, w->stream, w->num, w->den);
}

static void run_getrandom(work *w)
{
    for (size_t i = 0; i < syscalls; i++) {
        uint64_t word;
        if (getrandom(&word, sizeof word, 0) != sizeof word) exit(1);
        w->sink ^= word;
    }
}

/* Mean and variance within 6 standard errors of the law's: a correct sampler fails with
 * probability below 1e-8. The error of the variance is taken from the draws. */
static bool laplace_is_right(const int64_t *noise, double eps)
{
    double sum = 0, squares = 0, fourths = 0;
    for (size_t i = 0; i < laplace_count; i++) {
        double y = (double)noise[i];
        sum += y;
        squares += y * y;
        fourths += y * y * y * y;
    }
    double n = laplace_count, a = exp(-eps), variance = 2 * a / ((1 - a) * (1 - a));
    double mean_error = sqrt(variance / n);
    double square_error = sqrt((fourths / n - squares / n * squares / n) / n);
    return fabs(sum / n) < 6 * mean_error && fabs(squares / n - variance) < 6 * square_error;
}

static bool words_are_right(hrr_stream *stream)
{
    /* 6 standard errors again, for the number of one bits. */
    double ones = 0, bits = 64e6;
    for (int i = 0; i < 1000000; i++)
        ones += __builtin_popcountll(hrr_stream_u64(stream));
    return fabs(ones - bits / 2) < 6 * sqrt(bits / 4);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(work *w)
{
    double took[repetitions];
    w->run(w); /* warms caches and, for the bytes, the pages */
    for (int i = 0; i < repetitions; i++) {
        double began = seconds_of(CLOCK_THREAD_CPUTIME_ID);
        w->run(w);
        took[i] = seconds_of(CLOCK_THREAD_CPUTIME_ID) - began;
    }
    qsort(took, repetitions, sizeof took[0], by_size);
    printf("{\"name\": \"%s\", \"value\": %.4g, \"best\": %.4g, \"unit\": \"%s\"}\n", w->name,
           w->amount / took[repetitions / 2], w->amount / took[0], w->unit);
    fflush(stdout);
}

int main(void)
{
    hrr_random *random = NULL;
    hrr_stream *stream = NULL;
    void *memory = malloc(big);
    if (!memory || hrr_random_new(&random, NULL) || hrr_stream_new(&stream, random, NULL)) return 1;
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 0);
    work works[] = {
        {"stream_bytes", "bytes/s", (double)big, run_bytes, 0, 0, stream, memory, 0},
        {"stream_u64", "draws/s", (double)words, run_words, 0, 0, stream, memory, 0},
        {"stream_rows_of_16_u64", "rows/s", row_count, run_rows, 0, 0, stream, memory, 0},
        {"laplace_eps_1", "draws/s", laplace_count, run_laplace, 1, 1, stream, memory, 0},
        {"laplace_eps_0.5", "draws/s", laplace_count, run_laplace, 1, 2, stream, memory, 0},
        {"laplace_eps_0.123456789", "draws/s", laplace_count, run_laplace, 123456789, 1000000000,
         stream, memory, 0},
        {"getrandom_u64", "draws/s", (double)syscalls, run_getrandom, 0, 0, stream, memory, 0},
    };
    int wrong = !words_are_right(stream);
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        if (works[i].run != run_laplace) continue;
        run_laplace(&works[i]);
        wrong |= !laplace_is_right(memory, (double)works[i].num / (double)works[i].den);
    }
    if (wrong) fprintf(stderr, "bench_random: the draws are wrong, so their speed means nothing\n");
    for (size_t i = 0; !wrong && i < sizeof works / sizeof works[0]; i++)
        measure(&works[i]);
    hrr_stream_free(stream);
    hrr_random_free(random);
    free(memory);
    return wrong;
}
