/* featurerr_kernel.h: the inner loops of FeatureRR, for each kind of processor.
 *
 * All kinds give the same output, bit for bit. */
#ifndef HRR_FEATURE_FEATURERR_KERNEL_H
#define HRR_FEATURE_FEATURERR_KERNEL_H

#include <stddef.h>
#include <stdint.h>

enum { hrr_limit_lanes = 8 }; /* rows of limits are padded to whole vectors of this many */

/* How many 64-bit limits one row takes: k - 1, padded. */
static inline size_t hrr_limit_stride(uint32_t n_bins)
{
    return (n_bins - 1 + hrr_limit_lanes - 1) / hrr_limit_lanes * (size_t)hrr_limit_lanes;
}

/* Channels as the kernels read them. A word drawn from the generator is read as a signed number,
 * because that is what vectors compare: bin t becomes u = the number of limits of row t below the
 * word, where  limit j = (W[t][0] + ... + W[t][j]) - 1 - 2^63.  Padding is INT64_MAX, which is
 * below no word. Rows start on cache lines. */
typedef struct hrr_limits {
    uint32_t n_bins;           /* k */
    uint64_t n_features;       /* d */
    uint32_t n_tables;         /* tables of k rows, in the order in which features first use them */
    const uint32_t *first_row; /* feature -> where its table begins, in rows of `limit` */
    const int64_t *limit;      /* n_tables k rows of hrr_limit_stride(k) */
} hrr_limits;

typedef struct hrr_featurerr_kernel {
    const char *name;
    /* bin[i] = floor(k (x[i] - lo[i]) scale[i]), clipped to 0..k-1. */
    void (*find_bins)(uint8_t *bin, const float *x, const double *lo, const double *scale,
                      uint32_t n_bins, size_t n);
    /* bin, word: n_rows x d. Each bin is replaced by the one that its word draws. */
    void (*draw)(uint8_t *bin, const int64_t *word, const hrr_limits *limits, size_t n_rows);
    /* out[i] = first[i] + step[i] bin[i]. */
    void (*place)(float *out, const uint8_t *bin, const double *first, const double *step,
                  size_t n);
} hrr_featurerr_kernel;

/* NULL-terminated: the kernels this processor can run, the fastest first, the portable one last. */
const hrr_featurerr_kernel *const *hrr_featurerr_kernels(void);

/* One draw: the number of limits below the word. Reads them all, whatever the word. */
static inline uint32_t hrr_limits_below(const int64_t *limit, size_t stride, int64_t word)
{
    uint32_t below = 0;
    for (size_t j = 0; j < stride; j++)
        below += limit[j] < word;
    return below;
}

#endif
