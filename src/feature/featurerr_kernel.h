/* featurerr_kernel.h: the inner loops of FeatureRR, for each kind of processor.
 *
 * All kinds give the same output, bit for bit. */
#ifndef HRR_FEATURE_FEATURERR_KERNEL_H
#define HRR_FEATURE_FEATURERR_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { hrr_limit_lanes = 8 }; /* rows of limits are padded to whole vectors of this many */

/* How many 64-bit limits one row takes: k - 1, padded. */
static inline size_t hrr_limit_stride(uint32_t n_bins)
{
    return (n_bins - 1 + hrr_limit_lanes - 1) / hrr_limit_lanes * (size_t)hrr_limit_lanes;
}

/* The same for 32-bit limits. */
enum { hrr_narrow_lanes = 16 };
static inline size_t hrr_narrow_stride(uint32_t n_bins)
{
    return (n_bins - 1 + hrr_narrow_lanes - 1) / hrr_narrow_lanes * (size_t)hrr_narrow_lanes;
}

/* How many rows of limits one table takes. The row of bin k-1-t is that of bin t read backwards, so
 * the first half is enough: where r < 2^64 draws u from row k-1-t, 2^64-1-r draws k-1-u from row t.
 */
static inline uint32_t hrr_limit_rows(uint32_t n_bins)
{
    return (n_bins + 1) / 2;
}

/* Channels as the kernels read them. A word drawn from the generator is read as a signed number,
 * because that is what vectors compare: bin t of the first half becomes u = the number of limits of
 * row t below the word, where  limit j = (W[t][0] + ... + W[t][j]) - 1 - 2^63.  Padding is
 * INT64_MAX, which is below no word. Rows start on cache lines. Narrow tables have 32 for 64 and 31
 * for 63 everywhere, and take words of 32 bits. */
typedef struct hrr_limits {
    uint32_t n_bins;     /* k */
    uint64_t n_features; /* d */
    uint32_t
        n_tables; /* tables of hrr_limit_rows(k), in the order in which features first use them */
    const uint32_t *first_row; /* feature -> where its table begins, in rows of `limit` */
    const int64_t *limit;      /* all rows of all tables, hrr_limit_stride(k) each; or */
    const int32_t *narrow;     /* the same, hrr_narrow_stride(k) each; the other is NULL */
} hrr_limits;

/* A block of rows of d features. */
typedef struct hrr_featurerr_rows {
    size_t n_rows;
    size_t pitch;        /* from one row to the next, in features; at least d */
    uint8_t *bin;        /* in: private bins; out: those drawn */
    const int64_t *word; /* one for each bin; or */
    const int32_t *narrow_word;
} hrr_featurerr_rows;

typedef struct hrr_featurerr_kernel {
    const char *name;
    /* Private bins: floor(k (x - lo) scale), clipped to 0..k-1. x: n_rows x d, without gaps; lo,
     * scale: d. False if a value is not finite; bins are defined, and to be thrown away. */
    bool (*find_bins)(const hrr_featurerr_rows *rows, const float *x, const double *lo,
                      const double *scale, const hrr_limits *limits);
    /* Each bin is replaced by the one that its word draws. */
    void (*draw)(const hrr_featurerr_rows *rows, const hrr_limits *limits);
    /* out[i] = first[i] + step[i] bin[i]. */
    void (*place)(float *out, const uint8_t *bin, const double *first, const double *step,
                  size_t n);
} hrr_featurerr_kernel;

/* NULL-terminated: the kernels this processor can run, the fastest first, the portable one last. */
const hrr_featurerr_kernel *const *hrr_featurerr_kernels(void);

/* The number of limits below the word. Reads them all, whatever the word. */
static inline uint32_t hrr_limits_below(const int64_t *limit, size_t stride, int64_t word)
{
    uint32_t below = 0;
    for (size_t j = 0; j < stride; j++)
        below += limit[j] < word;
    return below;
}

static inline uint32_t hrr_narrow_below(const int32_t *limit, size_t stride, int32_t word)
{
    uint32_t below = 0;
    for (size_t j = 0; j < stride; j++)
        below += limit[j] < word;
    return below;
}

/* The bin that a word draws for a feature whose private bin is t. Bins of the second half take the
 * row of their mirror image with the word turned round, ~word; what is turned is told by
 * arithmetic, not by branching. For narrow tables the word is one of 32 bits. */
static inline uint32_t hrr_limits_draw(const hrr_limits *limits, size_t feature, uint32_t t,
                                       int64_t word)
{
    const uint32_t last = limits->n_bins - 1, turned = t >= hrr_limit_rows(limits->n_bins);
    const size_t row = limits->first_row[feature] + t + turned * (last - 2 * t);
    const int64_t towards = word ^ -(int64_t)turned;
    uint32_t u;
    if (limits->narrow) {
        const size_t stride = hrr_narrow_stride(limits->n_bins);
        u = hrr_narrow_below(limits->narrow + row * stride, stride, (int32_t)towards);
    } else {
        const size_t stride = hrr_limit_stride(limits->n_bins);
        u = hrr_limits_below(limits->limit + row * stride, stride, towards);
    }
    return u + turned * (last - 2 * u);
}

#endif
