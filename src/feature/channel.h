/* channel.h: the FeatureRR channel on k bins as a table of integers that certifies its epsilon.
 *
 * Claim: for any two bins t, t' and any output u,  W[t][u] <= e^eps W[t'][u],  and every row of W
 *        sums to 2^bits. Drawing u with probability W[t][u] / 2^bits is eps-LDP exactly, in
 *        integers, whatever the bits: fewer of them cost epsilon (the table is built for a smaller
 *        one until it is certified), never truth. */
#ifndef HRR_FEATURE_CHANNEL_H
#define HRR_FEATURE_CHANNEL_H

#include <heterorr/base.h>

#define HRR_MIN_BINS 2
#define HRR_MAX_BINS 256

typedef struct hrr_channel {
    uint32_t n_bins;     /* k */
    int bits;            /* 64, or 32 for a narrow table */
    uint64_t eps_nano;   /* what was asked for, in units of 1e-9 */
    double realised_eps; /* max over u of ln(max_t W / min_t W), rounded up; <= eps */
    uint64_t *weight;    /* k x k: W[t][u] */
} hrr_channel;

/* Build and certify. eps_nano in 1..HRR_EPS_MAX, n_bins in HRR_MIN_BINS..HRR_MAX_BINS.
 * Cost: O(k^2). Errors: HRR_EINVAL, HRR_ENOMEM. */
hrr_status hrr_channel_init(hrr_channel *out, uint32_t n_bins, uint64_t eps_nano, hrr_error *err);

/* The same with rows that sum to 2^32. Where that is too coarse to come within half of eps, the
 * table is uniform and realised_eps 0. */
hrr_status hrr_channel_init_narrow(hrr_channel *out, uint32_t n_bins, uint64_t eps_nano,
                                   hrr_error *err);
void hrr_channel_clear(hrr_channel *channel);

/* The certificate itself, for a k x k table from anywhere: every row sums to 2^bits and no ratio in
 * a column exceeds e^eps. */
bool hrr_channel_certifies(const uint64_t *weight, uint32_t n_bins, int bits, uint64_t eps_nano);

/* One row, the same for every bin: 2^bits / k to each, as evenly as integers go, the rest to the
 * middle, because a row must be the same read backwards. */
void hrr_channel_uniform_row(uint64_t *row, uint32_t n_bins, int bits);

#endif
