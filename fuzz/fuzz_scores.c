/* fuzz_scores: SCORES.npz for three features. */
#include "fuzz_files.h"

#include "cli/scores_file.h"

#include <heterorr/feature.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"scores.npz"};
    const char *directory = fuzz_directory(names, FUZZ_COUNT(names));
    char path[256];
    cli_scores scores;
    hrr_error err;
    fuzz_put(directory, names[0], bytes, size);
    snprintf(path, sizeof path, "%s/%s", directory, names[0]);
    if (cli_scores_read(&scores, path, 3, &err)) return 0;
    /* Whatever they are, a plan takes them or refuses them. */
    hrr_feature_options options;
    hrr_feature_plan *plan;
    hrr_feature_options_init(&options);
    options.theta = scores.theta;
    if (hrr_feature_plan_new(&plan, 3, &options, &err) == HRR_OK) hrr_feature_plan_free(plan);
    cli_scores_clear(&scores);
    return 0;
}
