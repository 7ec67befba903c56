/* cmd_compare.c: heterorr compare: mechanisms side by side. What they are compared by is chosen by
 * a flag: --expected-error (compare_errors.c) is the error of a feature by mechanism and budget;
 * --structure (compare_structure.c) is a released graph beside the original, or, with --mechanisms
 * (compare_mechanisms.c), what many mechanisms make of it; and --mechanisms alone
 * (compare_training.c) is what networks learn from their releases. */
#include "cli/compare_errors.h"
#include "cli/compare_mechanisms.h"
#include "cli/compare_structure.h"
#include "cli/compare_training.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/results_place.h"

#include <string.h>

typedef struct compare_args {
    cli_common common;
    hrr_read_options read;
    cli_structure_args walks;
    cli_mechanisms_args sweep;
    cli_training_args training;
    const char *graph, *released;
    const char *output;
    uint64_t features, seed;
    uint32_t bins;
    bool expected_error, structure, force;
} compare_args;

static void init(void *args)
{
    compare_args *a = args;
    a->output = "-";
    a->seed = 1;
    hrr_read_options_init(&a->read);
    cli_structure_args_init(&a->walks);
    cli_mechanisms_args_init(&a->sweep);
    cli_training_args_init(&a->training);
}

static const cli_option operands[] = {
    {.argument = "GRAPH",
     .kind = CLI_PATH,
     .at = offsetof(compare_args, graph),
     .help = "the private graph, in any known layout; --expected-error needs none"},
    {.argument = "RELEASED",
     .kind = CLI_PATH,
     .at = offsetof(compare_args, released),
     .help = "with --structure: what was made of it: a bundle, or any graph on its nodes; not with "
             "--mechanisms, which make their own"},
    {0},
};

static const cli_option options[] = {
    {.name = "structure",
     .at = offsetof(compare_args, structure),
     .help = "compare by structure: how far RELEASED, or what mechanisms release, is from GRAPH"},
    {.name = "expected-error",
     .at = offsetof(compare_args, expected_error),
     .help = "the expected error of one feature for budgets from 0.01 to 10"},
    {.name = "features",
     .kind = CLI_U64,
     .argument = "D",
     .most = 100000,
     .at = offsetof(compare_args, features),
     .help = "with --expected-error: how many features share the budget; 0 means 1 and then 100"},
    {.name = "bins",
     .kind = CLI_U32,
     .argument = "K",
     .most = 256,
     .at = offsetof(compare_args, bins),
     .help = "how many bins FeatureRR has; 0 chooses the best"},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_PATH,
     .argument = "FILE.csv",
     .at = offsetof(compare_args, output),
     .help = "where the rows go; - is standard output, and the summary goes to standard error "
             "then. A results file of --mechanisms that exists is continued"},
    {.name = "seed",
     .kind = CLI_U64,
     .argument = "N",
     .at = offsetof(compare_args, seed),
     .help = "of everything that is drawn; run i has seed N + i"},
    {.name = "force",
     .at = offsetof(compare_args, force),
     .help = "with --expected-error: replace the file if it exists"},
    {0},
};

static const cli_option_set sets[] = {
    {"Comparing", options, 0},
    {"Running mechanisms on GRAPH", cli_mechanisms_options, offsetof(compare_args, sweep)},
    {"Training networks on what they release, without --structure", cli_training_options,
     offsetof(compare_args, training)},
    {"Directions of featurerr-projected", cli_directions_options,
     offsetof(compare_args, training.directions)},
    {"Networks", cli_network_options, offsetof(compare_args, training.network)},
    {"With --structure", cli_structure_options, offsetof(compare_args, walks)},
    {"Reading GRAPH", cli_graph_options, offsetof(compare_args, read)},
    {"Options", cli_common_options, offsetof(compare_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr compare cora.npz --bounds 0,1 --mechanisms featurerr,multibit --eps-features .1,1,4 "
     "--runs 10 -o "
     "results.csv",
     "Train networks on protected features, and on the controls; one row a run, and it goes on "
     "where it was interrupted."},
    {"heterorr compare cora.npz --mechanisms edgerr,edgerr-node,lapgraph-private --eps-edges 1,4 "
     "--private-fractions .3 --runs 10 -o results.csv",
     "The same for protected edges, three in ten of them private."},
    {"heterorr compare graph --mechanisms multibit+edgerr --eps-features 1,4 --eps-edges 1,4 -o "
     "grid.csv",
     "Both protected, every budget of the one with every budget of the other."},
    {"heterorr compare --structure graph released",
     "Walks, degrees, triangles, communities and eigenvalues of a release and its original."},
    {"heterorr compare --structure cora.npz --mechanisms edgerr,edgerand,lapgraph --eps-edges 1 "
     "--private-fractions .05,.1,.2 -o walks.csv",
     "Mechanisms on one graph, five runs each, one row a run."},
    {"heterorr compare --expected-error -o errors.csv",
     "How far released features lie from the true ones, for every mechanism."},
    {0},
};

/* ---- what can be wrong ----------------------------------------------------------------------- */

static hrr_status check_sweep(const compare_args *a, hrr_error *err)
{
    if (!a->graph)
        return hrr_fail(err, HRR_EINVAL,
                        "GRAPH is missing: heterorr compare GRAPH --mechanisms LIST -o FILE.csv");
    if (a->released)
        return hrr_fail(err, HRR_EINVAL, "--mechanisms make their own releases; leave %.99s out",
                        a->released);
    return HRR_OK;
}

static hrr_status check_structure(const compare_args *a, hrr_error *err)
{
    if (!a->released)
        return hrr_fail(err, HRR_EINVAL,
                        "%s is missing: heterorr compare --structure GRAPH RELEASED",
                        a->graph ? "RELEASED" : "GRAPH");
    if (strcmp(a->output, "-") == 0) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "--structure prints one table; --output is for rows. Use --json and > to keep "
                    "it");
}

static hrr_status check_errors(const compare_args *a, hrr_error *err)
{
    if (a->graph)
        return hrr_fail(err, HRR_EINVAL, "--expected-error needs no graph; leave %.99s out",
                        a->graph);
    return cli_refuse_existing(a->output, a->force || strcmp(a->output, "-") == 0, err);
}

static hrr_status check(const compare_args *a, hrr_error *err)
{
    if (a->expected_error ? a->structure || a->sweep.mechanisms
                          : !a->structure && !a->sweep.mechanisms)
        return hrr_fail(err, HRR_EINVAL,
                        "say what to compare: --mechanisms LIST to train on what they release, "
                        "--structure, or --expected-error (see heterorr compare --help)");
    if (a->read.all_private && a->sweep.private_fractions)
        return hrr_fail(err, HRR_EINVAL,
                        "--all-private takes every edge for private, so --private-fractions says "
                        "nothing more; leave one of them out");
    if (a->bins == 1) return hrr_fail(err, HRR_EINVAL, "--bins: one bin tells nothing; 2 to 256");
    return a->sweep.mechanisms ? check_sweep(a, err)
           : a->structure      ? check_structure(a, err)
                               : check_errors(a, err);
}

/* ---- together -------------------------------------------------------------------------------- */

static bool to_stdout(const compare_args *a)
{
    return strcmp(a->output, "-") == 0;
}

/* A sweep that is stopped leaves the rows it has finished, on standard output as in a file. */
static hrr_status run_sweep(const compare_args *a, cli_task *task, hrr_error *err)
{
    cli_results_place place;
    hrr_status status = cli_results_open(&place, to_stdout(a) ? NULL : a->output, err);
    if (status) return status;
    status = a->structure ? cli_compare_mechanisms(a->graph, place.file, &a->read, &a->sweep,
                                                   a->walks.hops, a->seed, task, err)
                          : cli_compare_training(a->graph, place.file, &a->read, &a->sweep,
                                                 &a->training, a->bins, a->seed, task, err);
    if (task->result)
        json_object_set_new(task->result, "results",
                            to_stdout(a) ? json_null() : cli_json_text(a->output));
    else if (to_stdout(a) && !task->json)
        cli_results_print(&place);
    else if (!status)
        fprintf(task->talk, "every run is a row of %s\n", a->output);
    cli_results_close(&place);
    return status;
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const compare_args *a = args;
    hrr_status status = check(a, err);
    if (status) return status;
    if (a->expected_error) return cli_compare_errors(a->output, a->features, a->bins, task, err);
    if (a->sweep.mechanisms) return run_sweep(a, task, err);
    return cli_compare_structure(a->graph, a->released, &a->read, &a->walks, a->seed, task, err);
}

const cli_verb cli_verb_compare = {
    .name = "compare",
    .summary = "compare mechanisms, or a release with its original",
    .description =
        "With --mechanisms: train a graph network on what each mechanism releases at each budget, "
        "again and again with fresh noise, private edges, split and weights, and say which beat "
        "the controls that spend no budget: no private edges, no edges at all, random features. "
        "With --structure: how much of the structure of GRAPH is left in RELEASED, or in what edge "
        "mechanisms release: distance of random-walk matrices and of degree distributions, "
        "triangles and clustering, modularity, eigenvalues, and which private edges were hit. "
        "With --expected-error: how far a released feature lies from the true one on the scale of "
        "its bounds, in the worst case and on average over a uniform value, for every mechanism "
        "and budgets from 0.01 to 10. Baselines appear twice: with the budget split over all "
        "features, as the paper runs them, and with names that end in -sampled, in the fair form "
        "that answers few features of each node. "
        "All of it is for the owner of GRAPH: the figures are not protected.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(compare_args),
    .init = init,
    .run = run,
};
