/* head_steering.c: see head_steering.h. */
#include "learn/head_steering.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>

hrr_status hrr_steering_check(const hrr_head_steering *steering, uint64_t n_features,
                              hrr_error *err)
{
    double total = 0;
    if (!steering) return HRR_OK;
    if (steering->n_features != n_features)
        return hrr_fail(err, HRR_EDATA,
                        "there are scores for %" PRIu64 " features, but the graphs have %" PRIu64,
                        steering->n_features, n_features);
    if (!(steering->strength >= 0 && steering->strength <= HRR_MOST_STEERING))
        return hrr_fail(err, HRR_EINVAL, "the strength of steering must lie between 0 and %g",
                        (double)HRR_MOST_STEERING);
    for (uint64_t i = 0; i < n_features; i++) {
        if (!(steering->sensitivity[i] >= 0 && isfinite(steering->sensitivity[i])))
            return hrr_fail(err, HRR_EINVAL,
                            "the sensitivity of feature %" PRIu64 " is negative or not a number",
                            i + 1);
        total += steering->sensitivity[i];
    }
    if (!(total > 0))
        return hrr_fail(err, HRR_EINVAL,
                        "no feature is sensitive, so there is nothing to steer the head away from");
    return HRR_OK;
}

hrr_status hrr_steering_divisors(double **out, const hrr_head_steering *steering, hrr_error *err)
{
    const uint64_t n = steering->n_features;
    double mean = 0, log_mean = 0;
    if (!(*out = hrr_alloc(n, sizeof **out))) return hrr_no_memory(err);
    double *divisor = *out;
    for (uint64_t i = 0; i < n; i++)
        mean += steering->sensitivity[i] / (double)n;
    for (uint64_t i = 0; i < n; i++) {
        const double r = steering->sensitivity[i] / mean;
        divisor[i] = sqrt(1 + steering->strength * r * r);
        log_mean += log(divisor[i]) / (double)n;
    }
    for (uint64_t i = 0; i < n; i++)
        divisor[i] /= exp(log_mean);
    return HRR_OK;
}

static double deviation(const hrr_dense *rows, uint64_t column)
{
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < rows->rows; i++) {
        const double x = ((const float *)rows->data)[i * rows->cols + column];
        sum += x;
        squares += x * x;
    }
    const double mean = sum / (double)rows->rows;
    return sqrt(fmax(0, squares / (double)rows->rows - mean * mean));
}

hrr_status hrr_head_lean(double *lean, const hrr_head *head, const hrr_dense *rows,
                         const hrr_head_steering *steering, hrr_error *err)
{
    const uint64_t d = head->weight.rows, k = head->weight.cols;
    const double *w = head->weight.data;
    double most = 0, *moved = hrr_alloc_zero(k, sizeof *moved);
    if (!moved) return hrr_no_memory(err);
    for (uint64_t i = 0; i < d; i++)
        most = fmax(most, steering->sensitivity[i]);
    for (uint64_t c = 0; c < k; c++)
        lean[c] = 0;
    for (uint64_t i = 0; i < d; i++) {
        const double varies = deviation(rows, i);
        for (uint64_t c = 0; c < k; c++) {
            moved[c] += fabs(w[i * k + c]) * varies;
            lean[c] += fabs(w[i * k + c]) * varies * steering->sensitivity[i] / most;
        }
    }
    for (uint64_t c = 0; c < k; c++)
        lean[c] = moved[c] > 0 ? fmin(1, lean[c] / moved[c]) : 0;
    hrr_free(moved);
    return HRR_OK;
}
