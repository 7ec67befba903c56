/* bench_python: what one small call costs in C, for the overhead of the Python package: a child of
 * the generator, room for the result, FeatureRR on one row of four features, one thread. Prints one
 * JSON object a line, microseconds of processor time, `best` of the fastest repetition. The Python
 * side is python_calls.py. */
#include "timing.h"

#include <heterorr/feature.h>

enum { calls = 4000, repetitions = 9, n_features = 4 };

int main(void)
{
    hrr_error err;
    hrr_feature_options options;
    hrr_feature_plan *plan;
    hrr_random *random;
    double zeros[n_features] = {0}, best = 1e9;
    hrr_dense in = {.dtype = HRR_F64, .rows = 1, .cols = n_features, .data = zeros};
    hrr_feature_options_init(&options);
    options.mechanism = "featurerr";
    options.eps_nano = HRR_EPS_UNIT;
    must(hrr_feature_plan_new(&plan, n_features, &options, &err), &err);
    must(hrr_random_new(&random, &err), &err);
    for (int r = 0; r < repetitions; r++) {
        const double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        for (int i = 0; i < calls; i++) {
            hrr_random *child;
            hrr_dense out;
            const hrr_feature_claim claim = hrr_feature_plan_claim(plan);
            must(hrr_dense_init(&out, claim.dtype_out, 1, claim.n_features_out, &err), &err);
            must(hrr_random_new_child(&child, random, &err), &err);
            must(hrr_feature_plan_apply(&out, plan, &in, 0, child, 1, NULL, &err), &err);
            hrr_random_free(child);
            hrr_dense_clear(&out);
        }
        const double took = (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin) / calls * 1e6;
        if (took < best) best = took;
    }
    printf("{\"name\": \"apply\", \"best\": %.3f, \"unit\": \"us\"}\n", best);
    hrr_random_free(random);
    hrr_feature_plan_free(plan);
    return 0;
}
