/* expected_error.c: how far FeatureRR is off before anything is drawn, and the k that is off least.
 *
 * With q = e^(-eps/(k-1)), S_p(m) = sum for j = 1..m of j^p q^j:
 *
 *     E[|u - t|^p | t] = (S_p(t-1) + S_p(k-t)) / (1 + S_0(t-1) + S_0(k-t)),   t = 1..k.
 *
 * The paper's error (its supplement, figure 10) is p = 1 over k. The mean squared error of a value
 * uniform in its bin, decoded to midpoints, is p = 2 over k^2, plus 1/(12 k^2) for the bin itself.
 */
#include "feature/channels.h"
#include "feature/channel.h"

#include <math.h>

/* The largest and the mean over t of E[|u - t|^power | t]. */
static void expected_distance(double *largest, double *mean, uint32_t n_bins, double eps, int power)
{
    const double q = exp(-eps / (n_bins - 1));
    double sum[HRR_MAX_BINS], weighted[HRR_MAX_BINS]; /* S_0(m), S_power(m) */
    sum[0] = weighted[0] = 0;
    double q_to_j = 1;
    for (uint32_t j = 1; j < n_bins; j++) {
        q_to_j *= q;
        sum[j] = sum[j - 1] + q_to_j;
        weighted[j] = weighted[j - 1] + q_to_j * (power == 1 ? j : (double)j * j);
    }
    *largest = *mean = 0;
    for (uint32_t t = 0; t < n_bins; t++) {
        const uint32_t right = n_bins - 1 - t;
        double distance = (weighted[t] + weighted[right]) / (1 + sum[t] + sum[right]);
        *largest = fmax(*largest, distance);
        *mean += distance / n_bins;
    }
}

void hrr_featurerr_expected_error(double *largest, double *mean, uint32_t n_bins, double eps)
{
    expected_distance(largest, mean, n_bins, eps, 1);
    *largest /= n_bins;
    *mean /= n_bins;
}

double hrr_featurerr_squared_error(uint32_t n_bins, double eps)
{
    double largest, mean;
    expected_distance(&largest, &mean, n_bins, eps, 2);
    return (mean + 1.0 / 12) / ((double)n_bins * n_bins);
}

/* The best k grows with epsilon and is 7 at 20, the largest that is allowed. */
enum { most_bins_worth_trying = 16 };

uint32_t hrr_featurerr_best_bins_for(const uint64_t *eps_nano, size_t n)
{
    uint32_t best = HRR_MIN_BINS;
    double least = INFINITY;
    for (uint32_t k = HRR_MIN_BINS; k <= most_bins_worth_trying; k++) {
        double total = 0;
        for (size_t i = 0; i < n; i++)
            total += hrr_featurerr_squared_error(k, (double)eps_nano[i] / HRR_EPS_UNIT);
        if (total < least) {
            least = total;
            best = k;
        }
    }
    return best;
}

uint32_t hrr_featurerr_best_bins(double eps)
{
    const double most = (double)HRR_EPS_MAX / HRR_EPS_UNIT;
    const double in_range = eps > 0 ? fmin(eps, most) : 0;
    const uint64_t eps_nano = (uint64_t)(in_range * HRR_EPS_UNIT);
    return hrr_featurerr_best_bins_for(&eps_nano, 1);
}
