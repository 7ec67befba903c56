/* channel.h: the FeatureRR channel on k bins as a table of integers that certifies its epsilon.
 *
 * Claim: for any two bins t, t' and any output u,  W[t][u] <= e^eps W[t'][u],  and every row of W
 *        sums to 2^64. Drawing u with probability W[t][u] / 2^64 is eps-LDP exactly, in integers. */
#ifndef HRR_FEATURE_CHANNEL_H
#define HRR_FEATURE_CHANNEL_H

#include <heterorr/base.h>

#define HRR_MIN_BINS 2
#define HRR_MAX_BINS 256

typedef struct hrr_channel {
    uint32_t n_bins;          /* k */
    uint64_t eps_nano;        /* what was asked for, in units of 1e-9 */
    double realised_eps;      /* max over u of ln(max_t W / min_t W), rounded up; <= eps */
    uint64_t *weight;         /* k x k: W[t][u] */
} hrr_channel;

/* Build and certify. eps_nano in 1..HRR_EPS_MAX, n_bins in HRR_MIN_BINS..HRR_MAX_BINS.
 * Cost: O(k^2). Errors: HRR_EINVAL, HRR_ENOMEM. */
hrr_status hrr_channel_init(hrr_channel *out, uint32_t n_bins, uint64_t eps_nano, hrr_error *err);
void hrr_channel_clear(hrr_channel *channel);

/* The certificate itself, for a k x k table from anywhere: every row sums to 2^64 and no ratio in a
 * column exceeds e^eps. */
bool hrr_channel_certifies(const uint64_t *weight, uint32_t n_bins, uint64_t eps_nano);

#endif
