/* bench_multibit: multi-bit on 2,048 floats a row, one thread, whole call (the rows are also
 * checked to be finite): 10,000 rows, which memory limits, and 1,000, which the cache holds. Checks
 * the result first (exit 1 if it is wrong), then prints one JSON object a line: millions of
 * features per second of processor time, `value` of the median repetition, `best` of the fastest.
 * The peer is peer_numpy_multibit.py. */
#include "timing.h"

#include <heterorr/feature.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { cols = 2048, repetitions = 15 };

static void stop_unless(bool good, const char *what)
{
    if (good) return;
    fprintf(stderr, "bench_multibit: %s\n", what);
    exit(1);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* m features of each row away from the middle, and their mean that of the input. */
static void check(const hrr_dense *out, int m, double mean_of_input)
{
    double sum = 0, squares = 0;
    for (uint64_t r = 0; r < out->rows; r++) {
        int drawn = 0;
        for (uint64_t c = 0; c < cols; c++) {
            const double y = ((const float *)out->data)[r * cols + c];
            drawn += y != 0.5;
            sum += y, squares += y * y;
        }
        stop_unless(drawn == m, "a row has another number of features than the budget feeds");
    }
    const double n = (double)out->rows * cols, mean = sum / n;
    stop_unless(fabs(mean - mean_of_input) < 5 * sqrt(squares / n / n), "the mean is off");
}

static void measure(double eps, int m, const hrr_dense *in, hrr_dense *out,
                    const hrr_random *random)
{
    hrr_feature_options options;
    hrr_feature_options_init(&options);
    options.mechanism = "multibit";
    options.eps_nano = (uint64_t)llround(eps * HRR_EPS_UNIT);
    hrr_feature_plan *plan;
    stop_unless(hrr_feature_plan_new(&plan, cols, &options, NULL) == HRR_OK, "no plan");
    double took[repetitions];
    for (int i = 0; i < repetitions; i++) {
        const double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        stop_unless(hrr_feature_plan_apply(out, plan, in, 0, random, 1, NULL, NULL) == HRR_OK,
                    "the plan cannot be applied");
        took[i] = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin;
        if (i == 0) check(out, m, 0.3);
    }
    hrr_feature_plan_free(plan);
    qsort(took, repetitions, sizeof took[0], by_size);
    const double amount = 1e-6 * (double)in->rows * cols;
    printf("{\"name\": \"multibit_eps_%g_rows_%d\", \"value\": %.1f, \"best\": %.1f, \"unit\": "
           "\"M features/s\"}\n",
           eps, (int)in->rows, amount / took[repetitions / 2], amount / took[0]);
}

int main(void)
{
    hrr_random *random;
    stop_unless(hrr_random_new(&random, NULL) == HRR_OK, "out of memory");
    for (uint64_t rows = 10000; rows >= 1000; rows /= 10) {
        hrr_dense in, out;
        stop_unless(hrr_dense_init(&in, HRR_F32, rows, cols, NULL) == HRR_OK &&
                        hrr_dense_init(&out, HRR_F32, rows, cols, NULL) == HRR_OK,
                    "out of memory");
        for (uint64_t i = 0; i < rows * cols; i++)
            ((float *)in.data)[i] = (float)(i % 7) / 10; /* 0, .1, ... .6: mean .3 */
        measure(1, 1, &in, &out, random);
        measure(20, 9, &in, &out, random);
        hrr_dense_clear(&in);
        hrr_dense_clear(&out);
    }
    hrr_random_free(random);
    return 0;
}
