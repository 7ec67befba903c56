/* cmd_compare.c: heterorr compare: mechanisms side by side. */
#include "cli/verb.h"

static const cli_verb *const parts[] = {
    &cli_verb_compare_learning,
    &cli_verb_compare_structure,
    &cli_verb_compare_errors,
    NULL,
};

static const cli_old_form old_forms[] = {
    {.option = "structure", .means = "structure"},
    {.option = "expected-error", .means = "errors"},
    {.option = "mechanisms", .means = "learning", .kept = true},
    {0},
};

static const cli_example examples[] = {
    {"heterorr compare learning cora.npz --bounds 0,1 --mechanisms featurerr,multibit "
     "--eps-features .1,1,4 --runs 10 -o results.csv",
     "Train networks on protected features and on the baselines; one row per run. If interrupted, "
     "the same command continues."},
    {"heterorr compare structure graph released", "Random walks, degrees, triangles, communities "
                                                  "and eigenvalues of a release and its original."},
    {"heterorr compare errors -o errors.csv",
     "The distance between released and true features, for every mechanism."},
    {0},
};

const cli_verb cli_verb_compare = {
    .name = "compare",
    .summary = "compare mechanisms, or a release with its original",
    .description = "Compares mechanisms with each other and with baselines that spend no budget. "
                   "The output is for the owner of the graph: it is not protected.",
    .examples = examples,
    .sets = cli_common_sets,
    .args_size = sizeof(cli_common),
    .parts = parts,
    .old_forms = old_forms,
};
