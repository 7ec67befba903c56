/* decoding.c: what a drawn bin is turned back into. Post-processing: it costs no privacy.
 *
 * With q = e^(-eps/(k-1)) the channel is P(u|t) = q^|u-t| / C_t. The unbiased decoding solves
 * P v = target, that is K v = y with K[t][u] = q^|u-t| and y_t = C_t target_t. The inverse of K is
 * tridiagonal (Kac, Murdock and Szego 1953): 1/(1 - q^2) times 1 + q^2 on the diagonal (1 at both
 * ends) and -q beside it. So v takes O(k), and its size, about 1/eps, is the price of no bias. */
#include "feature/channels.h"
#include "feature/channel.h"

#include <assert.h>
#include <math.h>

const char *hrr_decoding_name(hrr_decoding decoding)
{
    static const char *const names[] = {"midpoint", "paper", "unbiased", "posterior", "bins"};
    return names[decoding];
}

/* C_t = sum over u of q^|u-t|. */
static long double total_of_row(long double q, uint32_t t, uint32_t n_bins)
{
    long double total = 1, power = q;
    for (uint32_t distance = 1; distance < n_bins; distance++, power *= q)
        total += power * ((distance <= t) + (distance + t < n_bins));
    return total;
}

void hrr_unbiased_values(double *value, const double *target, uint32_t n_bins, double eps)
{
    if (eps == 0) {
        double mean = 0;
        for (uint32_t t = 0; t < n_bins; t++)
            mean += target[t] / n_bins;
        for (uint32_t u = 0; u < n_bins; u++)
            value[u] = mean;
        return;
    }
    const long double step = (long double)eps / (n_bins - 1), q = expl(-step);
    const long double scale = -1 / expm1l(-2 * step);
    /* before, here, after: y at u - 1, u, u + 1, and 0 beyond the ends. */
    long double before = 0, here = total_of_row(q, 0, n_bins) * target[0];
    for (uint32_t u = 0; u < n_bins; u++) {
        const bool last = u + 1 == n_bins;
        long double after = last ? 0 : total_of_row(q, u + 1, n_bins) * target[u + 1];
        long double diagonal = u == 0 || last ? 1 : 1 + q * q;
        value[u] = (double)(scale * (diagonal * here - q * (before + after)));
        before = here;
        here = after;
    }
}

static void posterior_values(double *value, uint32_t n_bins, double eps)
{
    const long double q = expl(-(long double)eps / (n_bins - 1));
    long double power[HRR_MAX_BINS], row_total[HRR_MAX_BINS];
    power[0] = 1;
    for (uint32_t j = 1; j < n_bins; j++)
        power[j] = power[j - 1] * q;
    for (uint32_t t = 0; t < n_bins; t++)
        row_total[t] = total_of_row(q, t, n_bins);
    for (uint32_t u = 0; u < n_bins; u++) {
        long double total = 0, sum = 0;
        for (uint32_t t = 0; t < n_bins; t++) {
            long double p = power[u < t ? t - u : u - t] / row_total[t]; /* P(u|t) */
            total += p;
            sum += p * (t + 0.5L) / n_bins;
        }
        value[u] = (double)(sum / total);
    }
}

void hrr_decoding_values(double *value, hrr_decoding decoding, uint32_t n_bins, double eps)
{
    double midpoint[HRR_MAX_BINS];
    for (uint32_t u = 0; u < n_bins; u++)
        midpoint[u] = (u + 0.5) / n_bins;
    switch (decoding) {
    case HRR_DECODE_MIDPOINT:
        for (uint32_t u = 0; u < n_bins; u++)
            value[u] = midpoint[u];
        break;
    case HRR_DECODE_PAPER:
        for (uint32_t u = 0; u < n_bins; u++)
            value[u] = (u + 1.0) / n_bins;
        break;
    case HRR_DECODE_UNBIASED:
        hrr_unbiased_values(value, midpoint, n_bins, eps);
        break;
    case HRR_DECODE_POSTERIOR:
        posterior_values(value, n_bins, eps);
        break;
    case HRR_DECODE_BINS:
        assert(!"this mechanism does not decode bins");
        break;
    }
}
