/* mechanism.h: what a feature mechanism is made of, for plan.c and apply.c, which run them all.
 * What it is for everybody else stands in `about`, a row of the public table. */
#ifndef HRR_FEATURE_MECHANISM_H
#define HRR_FEATURE_MECHANISM_H

#include <heterorr/feature.h>

typedef struct hrr_feature_method hrr_feature_method;
struct hrr_coordinate;

struct hrr_feature_plan {
    const hrr_feature_method *mechanism;
    hrr_feature_claim claim;
    char *statement, *evidence; /* what claim points at */
    uint64_t n_features;
    double *lo, *range, *scale; /* unit value = (x - lo) * scale, clipped to [0, 1]; what is
                                   released is back in the feature's units: lo + unit * range */
    void *state;                /* the mechanism's own: tables, thresholds */
};

struct hrr_feature_method {
    hrr_feature_mechanism about;
    /* Decide everything from public data: set plan->state and plan->claim (eps_nano, dtype_out and
     * n_features_out come preset: the request, F32, n_features). Options are validated as far as
     * they are common: eps, delta, bounds, theta. */
    hrr_status (*prepare)(hrr_feature_plan *plan, const hrr_feature_options *options,
                          hrr_error *err);
    void (*release)(void *state); /* may be NULL */
    /* Of mechanisms made of one law for single numbers (coordinates.h), else NULL: the law, and
     * what a sampled number is given of the budget before a second one is drawn. */
    void (*law)(struct hrr_coordinate *law, uint64_t eps_nano);
    uint64_t eps_each_nano;
    /* Bytes of scratch memory that one thread needs for n_rows rows, aligned like malloc()'s; may
     * be NULL. */
    size_t (*scratch_size)(const hrr_feature_plan *plan, uint64_t n_rows);
    /* Rows [begin, end) of `in` into the same rows of `out`; row i draws from stream
     * (HRR_PURPOSE_FEATURE_CHANNEL, first_row + i) and nowhere else, except coordinate choices,
     * which have HRR_PURPOSE_FEATURE_CHOICE. */
    void (*randomise)(hrr_dense *out, const hrr_feature_plan *plan, const hrr_dense *in,
                      uint64_t begin, uint64_t end, uint64_t first_row, hrr_stream *stream,
                      void *scratch);
    /* Instead of it, for a mechanism that looks for values that are not finite itself, on its way
     * through the rows: false if there is one, and then nothing of the rows is in `out`. */
    bool (*randomise_finite)(hrr_dense *out, const hrr_feature_plan *plan, const hrr_dense *in,
                             uint64_t begin, uint64_t end, uint64_t first_row, hrr_stream *stream,
                             void *scratch);
};

/* Asks for a row of the input, which then comes while something else is done. */
static inline void hrr_feature_fetch_row(const hrr_dense *in, uint64_t row)
{
    enum { cache_line = 64 };
    const size_t size = in->cols * hrr_dtype_size(in->dtype);
    const char *begin = (const char *)in->data + row * size;
    for (size_t i = 0; i < size; i += cache_line)
        __builtin_prefetch(begin + i);
}

/* Whether every value of a row is finite. */
bool hrr_feature_row_is_finite(const hrr_dense *in, uint64_t row);

static inline double hrr_clip_unit(double unit)
{
    unit = unit > 0 ? unit : 0;
    return unit < 1 ? unit : 1;
}

/* Row `row` of `in` in unit scale: n_features doubles in [0, 1]. */
void hrr_feature_unit_row(double *unit, const hrr_feature_plan *plan, const hrr_dense *in,
                          uint64_t row);

/* One value in unit scale. */
double hrr_feature_unit(const hrr_feature_plan *plan, const hrr_dense *in, uint64_t row,
                        uint64_t col);

/* The mechanisms, one file each. */
extern const hrr_feature_method hrr_feature_featurerr, hrr_feature_featurerr_sampled,
    hrr_feature_featurerr_projected, hrr_feature_featurerr_head, hrr_feature_duchi,
    hrr_feature_duchi_sampled, hrr_feature_piecewise, hrr_feature_piecewise_sampled,
    hrr_feature_hybrid, hrr_feature_hybrid_sampled, hrr_feature_three_output,
    hrr_feature_three_output_sampled, hrr_feature_pm_sub, hrr_feature_pm_sub_sampled,
    hrr_feature_multibit, hrr_feature_laplace, hrr_feature_gaussian, hrr_feature_featfree,
    hrr_feature_none;

/* Errors: HRR_EINVAL naming the choices. */
hrr_status hrr_feature_method_choose(const hrr_feature_method **out, const char *name,
                                     hrr_error *err);

/* Whether it needs an epsilon; otherwise eps_nano is not looked at. */
static inline bool hrr_feature_spends(const hrr_feature_method *method)
{
    return method->about.effect == HRR_EFFECT_PROTECT;
}

#endif
