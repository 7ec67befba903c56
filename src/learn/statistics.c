/* statistics.c: do two sets of results differ, and by how much?
 *
 * Student's t with v degrees of freedom has P(|T| >= t) = I_x(v/2, 1/2), x = v / (v + t^2), the
 * incomplete beta function that the bounds of audits stand on, too. */
#include <heterorr/learn.h>

#include "base/memory.h"
#include "learn/statistics.h"
#include "privacy/incomplete_beta.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

double hrr_t_two_tailed(double t, double degrees)
{
    assert(degrees > 0);
    if (isnan(t)) return NAN;
    if (isinf(t)) return 0;
    const long double v = (long double)degrees, square = (long double)t * (long double)t;
    return (double)hrr_incomplete_beta(v / 2, 0.5L, v / (v + square), square / (v + square));
}

double hrr_t_quantile(double p, double degrees)
{
    assert(p > 0 && p < 1);
    if (p == 0.5) return 0;
    const double tail = 2 * (p < 0.5 ? p : 1 - p); /* of |T|, falling in t: bisection finds it */
    double low = 0, high = 1;
    while (hrr_t_two_tailed(high, degrees) > tail && high < 0x1p1000)
        high *= 2;
    for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
        const double middle = low + (high - low) / 2;
        if (hrr_t_two_tailed(middle, degrees) > tail)
            low = middle;
        else
            high = middle;
    }
    return p < 0.5 ? -high : high;
}

/* Mean and unbiased variance, n >= 2. */
static void moments(double *mean, double *variance, const double *x, uint64_t n)
{
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += x[i];
    *mean = sum / (double)n;
    for (uint64_t i = 0; i < n; i++)
        squares += (x[i] - *mean) * (x[i] - *mean);
    *variance = squares / (double)(n - 1);
}

static hrr_status check_sizes(uint64_t least, hrr_error *err)
{
    if (least >= 2) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL, "a t-test needs at least two results of each kind");
}

/* Results files keep nine digits. What varies by no more than their rounding does not vary: two
 * runs that differ by one node of 75 each are no proof with p = 1e-8. */
static const double rounding = 4e-9;

static double largest(const double *x, uint64_t n)
{
    double most = 0;
    for (uint64_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* If nothing varies, no test can be made. `scale`: the largest result. */
static void finish(hrr_t_test *out, double difference, double standard_error, double degrees,
                   double scale)
{
    out->difference = difference;
    out->standard_error = standard_error;
    out->t = standard_error > rounding * scale ? difference / standard_error : NAN;
    out->degrees = degrees;
    out->p = isnan(out->t) ? NAN : hrr_t_two_tailed(out->t, degrees);
}

hrr_status hrr_t_test_paired(hrr_t_test *out, const double *a, const double *b, uint64_t n,
                             hrr_error *err)
{
    *out = (hrr_t_test){0};
    hrr_status status = check_sizes(n, err);
    if (status) return status;
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += a[i] - b[i];
    const double mean = sum / (double)n;
    for (uint64_t i = 0; i < n; i++)
        squares += (a[i] - b[i] - mean) * (a[i] - b[i] - mean);
    finish(out, mean, sqrt(squares / (double)(n - 1) / (double)n), (double)(n - 1),
           fmax(largest(a, n), largest(b, n)));
    return HRR_OK;
}

typedef struct test_result {
    double p;
    uint64_t at;
} test_result;

static int by_p(const void *a, const void *b)
{
    const double x = ((const test_result *)a)->p, y = ((const test_result *)b)->p;
    return (x > y) - (x < y);
}

/* The smallest p times the number of tests, the next times one fewer, ... but never falling. */
hrr_status hrr_holm(double *adjusted, const double *p, uint64_t n, hrr_error *err)
{
    test_result *order = hrr_alloc(n, sizeof *order);
    if (!order) return hrr_no_memory(err);
    uint64_t count = 0;
    for (uint64_t i = 0; i < n; i++) {
        adjusted[i] = NAN;
        if (!isnan(p[i])) order[count++] = (test_result){p[i], i};
    }
    qsort(order, count, sizeof *order, by_p);
    double largest = 0;
    for (uint64_t i = 0; i < count; i++) {
        largest = fmax(largest, fmin(1, order[i].p * (double)(count - i)));
        adjusted[order[i].at] = largest;
    }
    hrr_free(order);
    return HRR_OK;
}

hrr_status hrr_mean_interval(double *mean, double *half_width, const double *x, uint64_t n,
                             double level, hrr_error *err)
{
    *mean = *half_width = NAN;
    if (n < 2) return hrr_fail(err, HRR_EINVAL, "a confidence interval needs at least two results");
    if (!(level > 0 && level < 1))
        return hrr_fail(err, HRR_EINVAL,
                        "the level of a confidence interval must lie between 0 and 1");
    double variance;
    moments(mean, &variance, x, n);
    *half_width = hrr_t_quantile((1 + level) / 2, (double)(n - 1)) * sqrt(variance / (double)n);
    return HRR_OK;
}
