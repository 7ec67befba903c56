/* features.h: matrices over arrays and plans in a line, for the tests of feature mechanisms. */
#ifndef TESTS_FEATURE_FEATURES_H
#define TESTS_FEATURE_FEATURES_H

#include "support/check.h"

#include <heterorr/feature.h>

/* A matrix over memory that the test owns. */
static inline hrr_dense view(hrr_dtype dtype, uint64_t rows, uint64_t cols, const void *data)
{
    return (hrr_dense){.dtype = dtype, .rows = rows, .cols = cols, .data = (void *)(uintptr_t)data};
}

static inline hrr_feature_options options_for(const char *mechanism, uint64_t eps_nano,
                                              uint32_t n_bins)
{
    hrr_feature_options options;
    hrr_feature_options_init(&options);
    options.mechanism = mechanism;
    options.eps_nano = eps_nano;
    options.n_bins = n_bins;
    return options;
}

static inline hrr_feature_plan *plan_for(uint64_t n_features, const hrr_feature_options *options)
{
    hrr_feature_plan *plan = NULL;
    hrr_error err = {0};
    if (hrr_feature_plan_new(&plan, n_features, options, &err)) print_error("%s\n", err.message);
    assert_non_null(plan);
    return plan;
}

/* The plan must be refused with a message that says `text`. */
static inline void assert_refused(uint64_t n_features, const hrr_feature_options *options,
                                  const char *text)
{
    hrr_feature_plan *plan = NULL;
    hrr_error err = {0};
    assert_int_equal(hrr_feature_plan_new(&plan, n_features, options, &err), HRR_EINVAL);
    assert_null(plan);
    assert_says(err, text);
}

static inline hrr_random *seeded(uint64_t seed)
{
    hrr_random *random = NULL;
    assert_ok(hrr_random_new_insecure(&random, seed, NULL));
    return random;
}

/* Where draws of a test come from; hrr_stream_free(). */
static inline hrr_stream *stream_of_seed(uint64_t seed)
{
    hrr_random *random = seeded(seed);
    hrr_stream *stream;
    assert_ok(hrr_stream_new(&stream, random, NULL));
    hrr_random_free(random);
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 0);
    return stream;
}

#endif
