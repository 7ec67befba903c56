/* bench_feature: FeatureRR with k = 10 on 10,000 x 2,048 floats, a weight for each feature, and the
 * making of its 2,048 tables. Checks the frequencies of a small case first (exit 1 if they are
 * wrong), then prints one JSON object a line: `value` is the rate of the median of the repetitions,
 * `best` that of the fastest. One thread is timed by the processor time it used, which is the same
 * on an idle machine and fair on a busy one; all threads by the clock. The peer,
 * bench/peer_numpy_feature.py, does the same. */
#include "timing.h"

#include <heterorr/feature.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { repetitions = 9, n_bins = 10, n_rows = 10000, n_features = 2048 };
enum { check_rows = 200000, check_features = 16 };

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void need(hrr_status status)
{
    if (!status) return;
    fprintf(stderr, "bench_feature: %s\n", hrr_status_name(status));
    exit(1);
}

static void report(const char *name, double amount, double *took, const char *unit)
{
    qsort(took, repetitions, sizeof took[0], by_size);
    double median = took[repetitions / 2], least = took[0];
    if (amount == 0) /* a time in milliseconds, not a rate */
        printf("{\"name\": \"%s\", \"value\": %.4g, \"best\": %.4g, \"unit\": \"%s\"}\n", name,
               1e3 * median, 1e3 * least, unit);
    else
        printf("{\"name\": \"%s\", \"value\": %.4g, \"best\": %.4g, \"unit\": \"%s\"}\n", name,
               amount / median, amount / least, unit);
    fflush(stdout);
}

/* Weights between 1/2 and 3/2, all different. */
static void fill_theta(double *theta, size_t n)
{
    for (size_t i = 0; i < n; i++)
        theta[i] = 0.5 + (double)i / (double)n;
}

static hrr_feature_plan *make_plan(const double *theta, size_t n, hrr_decoding decoding)
{
    hrr_feature_options options;
    hrr_feature_options_init(&options);
    options.eps_nano = HRR_EPS_MAX;
    options.n_bins = n_bins;
    options.theta = theta;
    options.decoding = decoding;
    hrr_feature_plan *plan = NULL;
    need(hrr_feature_plan_new(&plan, n, &options, NULL));
    return plan;
}

/* The lowest value everywhere: output u must appear with the mean over features of
 * P(u|1), within 6 standard errors (a correct mechanism fails with probability below 1e-7). */
static bool frequencies_are_right(const hrr_random *random)
{
    double theta[check_features], sum = 0, expected[n_bins] = {0};
    fill_theta(theta, check_features);
    for (int i = 0; i < check_features; i++)
        sum += theta[i];
    for (int i = 0; i < check_features; i++) {
        double q = exp(-20 * theta[i] / sum / (n_bins - 1)), total = 0;
        for (int u = 0; u < n_bins; u++)
            total += pow(q, u);
        for (int u = 0; u < n_bins; u++)
            expected[u] += pow(q, u) / total * check_rows;
    }
    hrr_dense in = {0}, out = {0};
    need(hrr_dense_init(&in, HRR_F32, check_rows, check_features, NULL));
    need(hrr_dense_init(&out, HRR_U8, check_rows, check_features, NULL));
    hrr_feature_plan *plan = make_plan(theta, check_features, HRR_DECODE_BINS);
    need(hrr_feature_plan_apply(&out, plan, &in, 0, random, 1, NULL, NULL));
    double count[n_bins] = {0};
    for (size_t i = 0; i < (size_t)check_rows * check_features; i++)
        count[((const uint8_t *)out.data)[i]]++;
    bool right = true;
    for (int u = 0; u < n_bins; u++)
        right &= fabs(count[u] - expected[u]) < 6 * sqrt(expected[u]);
    hrr_feature_plan_free(plan);
    hrr_dense_clear(&in);
    hrr_dense_clear(&out);
    return right;
}

static void measure_apply(const char *name, const hrr_feature_plan *plan, hrr_dense *out,
                          const hrr_dense *in, const hrr_random *random, int threads)
{
    const clockid_t clock = threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    double took[repetitions];
    for (int i = -1; i < repetitions; i++) { /* the first run touches the pages of the output */
        double began = seconds_of(clock);
        need(hrr_feature_plan_apply(out, plan, in, 0, random, threads, NULL, NULL));
        if (i >= 0) took[i] = seconds_of(clock) - began;
    }
    report(name, (double)in->rows * (double)in->cols, took, "features/s");
}

int main(void)
{
    hrr_random *random = NULL;
    need(hrr_random_new(&random, NULL));
    if (!frequencies_are_right(random)) {
        fprintf(stderr, "bench_feature: the frequencies are wrong, so the speed means nothing\n");
        return 1;
    }
    double *theta = malloc(n_features * sizeof *theta), took[repetitions];
    if (!theta) return 1;
    fill_theta(theta, n_features);
    for (int i = 0; i < repetitions; i++) {
        double began = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        hrr_feature_plan_free(make_plan(theta, n_features, HRR_DECODE_MIDPOINT));
        took[i] = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - began;
    }
    report("featurerr_2048_tables", 0, took, "ms");

    hrr_dense in = {0}, out = {0}, bins = {0};
    need(hrr_dense_init(&in, HRR_F32, n_rows, n_features, NULL));
    need(hrr_dense_init(&out, HRR_F32, n_rows, n_features, NULL));
    need(hrr_dense_init(&bins, HRR_U8, n_rows, n_features, NULL));
    hrr_fast_random fast;
    hrr_fast_init(&fast, 1, 0);
    for (size_t i = 0; i < (size_t)n_rows * n_features; i++)
        ((float *)in.data)[i] = (float)hrr_fast_uniform(&fast);
    hrr_feature_plan *plan = make_plan(theta, n_features, HRR_DECODE_MIDPOINT);
    measure_apply("featurerr_one_thread", plan, &out, &in, random, 1);
    measure_apply("featurerr_all_threads", plan, &out, &in, random, 0);
    hrr_feature_plan_free(plan);
    plan = make_plan(NULL, n_features, HRR_DECODE_MIDPOINT);
    measure_apply("featurerr_equal_weights_one_thread", plan, &out, &in, random, 1);
    hrr_feature_plan_free(plan);
    plan = make_plan(theta, n_features, HRR_DECODE_BINS);
    measure_apply("featurerr_bins_one_thread", plan, &bins, &in, random, 1);
    hrr_feature_plan_free(plan);
    hrr_dense_clear(&in);
    hrr_dense_clear(&out);
    hrr_dense_clear(&bins);
    hrr_random_free(random);
    free(theta);
    return 0;
}
