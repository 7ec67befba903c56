/* cmd_compare_structure.c: heterorr compare structure: a released graph beside the original
 * (compare_structure.c), or what many mechanisms make of it (compare_mechanisms.c); by our own
 * statistics or by PGB's queries (compare_pgb.c, compare_pgb_sweep.c). */
#include "cli/compare_mechanisms.h"
#include "cli/compare_pgb.h"
#include "cli/compare_structure.h"
#include "cli/graph_input.h"
#include "cli/mechanism_names.h"
#include "cli/printed_command.h"

#include <string.h>

typedef struct structure_args {
    cli_common common;
    hrr_read_options read;
    const char *graph, *released, *mechanisms, *suite, *published;
    cli_sweep_args sweep;
    cli_structure_args walks;
} structure_args;

static const char *const *suites(void)
{
    static const char *const names[] = {"standard", "pgb", NULL};
    return names;
}

static bool is_pgb(const structure_args *args)
{
    return strcmp(args->suite, "pgb") == 0;
}

static void init(void *args)
{
    structure_args *a = args;
    a->suite = "standard";
    hrr_read_options_init(&a->read);
    cli_sweep_args_init(&a->sweep);
    cli_structure_args_init(&a->walks);
}

static const cli_option operands[] = {
    {.argument = "GRAPH",
     .kind = CLI_PATH,
     .required = true,
     .at = offsetof(structure_args, graph),
     .help = "the private graph, in any known format"},
    {.argument = "RELEASED",
     .kind = CLI_PATH,
     .at = offsetof(structure_args, released),
     .help = "its release: a bundle, or any graph on the same nodes; not with --mechanisms, which "
             "make their own releases"},
    {0},
};

static const cli_option suite_options[] = {
    {.name = "suite",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = suites,
     .at = offsetof(structure_args, suite),
     .help = "what to measure: random walks, degrees, paths, clustering, communities and "
             "eigenvalues; or the fifteen queries of the benchmark PGB"},
    {0},
};

static const cli_option mechanisms_options[] = {
    {.name = "mechanisms",
     .kind = CLI_LIST,
     .argument = "A,B,..",
     .choices = cli_edge_mechanisms,
     .at = offsetof(structure_args, mechanisms),
     .field = "mechanisms",
     .help = "the mechanisms to run on GRAPH; with --suite standard, public-only is always added"},
    {0},
};

static const cli_option published_options[] = {
    {.name = "published",
     .kind = CLI_PATH,
     .argument = "FILE",
     .at = offsetof(structure_args, published),
     .help =
         "with --suite pgb: published values for comparison, also used to count which mechanism is "
         "nearest to GRAPH; a CSV file with the columns graph, query, mechanism, eps and value"},
    {0},
};

static const cli_option_set sets[] = {
    {"Comparing", suite_options, 0},
    {NULL, cli_hops_options, offsetof(structure_args, walks)},
    {NULL, cli_sweep_seed_options, offsetof(structure_args, sweep)},
    {"GRAPH and RELEASED", cli_exact_options, offsetof(structure_args, walks)},
    {NULL, cli_structure_options, offsetof(structure_args, walks)},
    {"GRAPH and the releases of mechanisms", mechanisms_options, 0},
    {NULL, cli_sweep_options, offsetof(structure_args, sweep)},
    {NULL, cli_shard_options, offsetof(structure_args, sweep.shard)},
    {NULL, published_options, 0},
    {"Reading GRAPH", cli_graph_options, offsetof(structure_args, read)},
    {"Options", cli_common_options, offsetof(structure_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr compare structure graph released", "Random walks, degrees, triangles, communities "
                                                  "and eigenvalues of a release and its original."},
    {"heterorr compare structure graph released --suite pgb",
     "The fifteen queries of the benchmark PGB."},
    {"heterorr compare structure cora.npz --mechanisms edgerr,edgerand,lapgraph --eps-edges 1 "
     "--private-fractions .05,.1,.2 -o walks.csv",
     "Several mechanisms on one graph, five runs each, one row per run."},
    {"heterorr compare structure CA-HepPh.pairs --suite pgb --all-private --mechanisms "
     "edgerr,lapgraph --eps-edges 1 --published published.csv -o pgb.csv",
     "Mechanisms on a graph of PGB, compared with published values."},
    {0},
};

/* HRR_EINVAL if an option of this table was given. */
static hrr_status refuse_given(const cli_option *options, const void *values, const void *usual,
                               const char *why, hrr_error *err)
{
    cli_command given = {0};
    hrr_status status = HRR_OK;
    cli_command_add_given(&given, options, values, usual);
    if (given.n) status = hrr_fail(err, HRR_EINVAL, "%.99s %s", given.words[0], why);
    cli_command_clear(&given);
    return status;
}

/* Options that the suite does not look at. */
static hrr_status check_suite(const structure_args *a, const structure_args *usual, hrr_error *err)
{
    static const char why[] = "applies to --suite standard; with --suite pgb, leave it out";
    if (a->published && !(is_pgb(a) && a->mechanisms))
        return hrr_fail(err, HRR_EINVAL,
                        "--published applies to --suite pgb with --mechanisms; leave it out");
    if (!is_pgb(a)) return HRR_OK;
    if (a->mechanisms && a->sweep.private_fractions)
        return hrr_fail(err, HRR_EINVAL,
                        "--private-fractions applies to --suite standard; in PGB every edge is "
                        "private, so use --all-private");
    hrr_status status = refuse_given(cli_hops_options, &a->walks, &usual->walks, why, err);
    if (!status) status = refuse_given(cli_structure_options, &a->walks, &usual->walks, why, err);
    return status;
}

static hrr_status check(const structure_args *a, hrr_error *err)
{
    static const char one_release[] = "applies to one RELEASED; with --mechanisms, leave it out";
    structure_args usual = {0};
    init(&usual);
    hrr_status status = check_suite(a, &usual, err);
    if (status) return status;
    if (a->mechanisms && a->released)
        return hrr_fail(err, HRR_EINVAL, "--mechanisms make their own releases; leave %.99s out",
                        a->released);
    if (a->mechanisms) {
        status = refuse_given(cli_exact_options, &a->walks, &usual.walks, one_release, err);
        if (!status)
            status = refuse_given(cli_structure_options, &a->walks, &usual.walks, one_release, err);
        return status;
    }
    if (!a->released)
        return hrr_fail(err, HRR_EINVAL,
                        "RELEASED is missing: give heterorr compare structure GRAPH RELEASED, or "
                        "--mechanisms to make releases");
    static const char many_rows[] =
        "applies to --mechanisms, which write many rows; one RELEASED has only one table (redirect "
        "--json to keep it)";
    status = refuse_given(cli_sweep_options, &a->sweep, &usual.sweep, many_rows, err);
    if (!status)
        status =
            refuse_given(cli_shard_options, &a->sweep.shard, &usual.sweep.shard, many_rows, err);
    return status;
}

static hrr_status sweep(const char *results, hrr_shard shard, const void *args, cli_task *task,
                        hrr_error *err)
{
    const structure_args *a = args;
    if (is_pgb(a))
        return cli_compare_pgb_sweep(a->graph, results, shard, &a->read, a->mechanisms,
                                     a->published, &a->sweep, task, err);
    return cli_compare_mechanisms(a->graph, results, shard, &a->read, a->mechanisms, &a->sweep,
                                  a->walks.hops, task, err);
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const structure_args *a = args;
    hrr_status status = check(a, err);
    if (status) return status;
    if (a->mechanisms) return cli_sweep_run(&a->sweep, &a->read, sweep, a, task, err);
    if (is_pgb(a))
        return cli_compare_pgb(a->graph, a->released, &a->read, a->walks.exact, a->sweep.seed, task,
                               err);
    return cli_compare_structure(a->graph, a->released, &a->read, &a->walks, a->sweep.seed, task,
                                 err);
}

const cli_verb cli_verb_compare_structure = {
    .name = "compare structure",
    .summary = "how much of the structure a release preserves",
    .description =
        "Measures how much of the structure of GRAPH is preserved in RELEASED, or in the releases "
        "of edge mechanisms: the distance of random-walk matrices and of degree distributions, "
        "triangles and clustering, paths, modularity, eigenvalues, and how many private edges are "
        "recovered. The results are computed from the private graph and are not protected.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(structure_args),
    .over_ranks = true,
    .init = init,
    .run = run,
};
