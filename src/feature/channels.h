/* channels.h: the channels of a whole feature vector, and what their outputs are decoded to. */
#ifndef HRR_FEATURE_CHANNELS_H
#define HRR_FEATURE_CHANNELS_H

#include "feature/featurerr_kernel.h"

#include <heterorr/feature.h>

#include <endian.h>

typedef struct hrr_channels {
    hrr_limits limits;
    double *table_eps;   /* realised epsilon of each table */
    double realised_eps; /* of the vector: the sum over features, rounded up */
    uint32_t *first_row; /* what limits points at */
    void *storage;
} hrr_channels;

/* One channel for each of n features; features with the same budget share a table. A budget of 0
 * is the uniform channel, whose output tells nothing. n_bins 0: the number with the least squared
 * error over all features.
 *
 * Claim:  drawing every feature from its channel is realised_eps-LDP for the vector, and
 *         realised_eps <= (sum of eps_nano) / 1e9.
 *         Where tables would take more than 40 MB, budgets are rounded down until fewer do.
 * Cost:   O(n log n + tables k^2) time, O(n + tables k^2) memory.
 * Errors: HRR_EINVAL, HRR_ENOMEM. */
hrr_status hrr_channels_init(hrr_channels *out, const uint64_t *eps_nano, size_t n, uint32_t n_bins,
                             hrr_error *err);
void hrr_channels_clear(hrr_channels *channels);

/* The same with tables of 32 bits if these realise all but 1e-4 of the budget, which is the case
 * unless features get less than about 1e-5 or more than 10 each; else with tables of 64 bits. */
hrr_status hrr_channels_init_narrow(hrr_channels *out, const uint64_t *eps_nano, size_t n,
                                    uint32_t n_bins, hrr_error *err);

/* The table that a feature uses. */
static inline uint32_t hrr_channels_table(const hrr_channels *channels, size_t feature)
{
    return channels->first_row[feature] / hrr_limit_rows(channels->limits.n_bins);
}

/* Bytes of the stream that one draw takes, and the i-th draw of so many that lie in memory. */
static inline size_t hrr_limits_word_size(const hrr_limits *limits)
{
    return limits->narrow ? sizeof(int32_t) : sizeof(int64_t);
}

static inline int64_t hrr_limits_word(const hrr_limits *limits, const void *drawn, size_t i)
{
    if (limits->narrow) return (int32_t)le32toh(((const uint32_t *)drawn)[i]);
    return (int64_t)le64toh(((const uint64_t *)drawn)[i]);
}

/* The bin t - 1 = min(k, floor(z k) + 1) - 1 of a unit value, 0..k-1. */
static inline uint8_t hrr_bin_of(double unit, uint32_t n_bins)
{
    double bin = unit * n_bins, last = n_bins - 1;
    return (uint8_t)(bin < last ? bin : last);
}

/* Split the budget over n features in proportion to theta; NULL: equally. Never adds up to more.
 * Errors: HRR_EINVAL. */
hrr_status hrr_channels_split(uint64_t *eps_nano, uint64_t total_nano, const double *theta,
                              size_t n, hrr_error *err);

/* The word that options and certificates have for it. */
const char *hrr_decoding_name(hrr_decoding decoding);

/* value[u], u = 0..k-1, in unit scale, of a channel with this realised epsilon; any decoding but
 * HRR_DECODE_BINS. */
void hrr_decoding_values(double *value, hrr_decoding decoding, uint32_t n_bins, double eps);

/* The decoding under which the mean of channel t is target[t]. With eps = 0 there is none: then
 * value is the mean of the targets. */
void hrr_unbiased_values(double *value, const double *target, uint32_t n_bins, double eps);

/* Mean squared error of FeatureRR for a value uniform on [0, 1], decoded to midpoints. */
double hrr_featurerr_squared_error(uint32_t n_bins, double eps);

/* The number of bins with the least squared error, summed over features with these budgets. */
uint32_t hrr_featurerr_best_bins_for(const uint64_t *eps_nano, size_t n);

#endif
