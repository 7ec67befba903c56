/* cmd_compare.c: heterorr compare: mechanisms side by side. Each kind of comparison is chosen by a
 * flag: --expected-error is the error of a feature by mechanism and budget, with a remark on the
 * fair form of the baselines, which the paper's figure leaves out; --structure
 * (compare_structure.c) is a released graph beside the original, or, with --mechanisms
 * (compare_mechanisms.c), what many mechanisms make of it. */
#include "cli/compare_mechanisms.h"
#include "cli/compare_structure.h"
#include "cli/expected_error.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/verb.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct compare_args {
    cli_common common;
    hrr_read_options read;
    cli_structure_args walks;
    cli_mechanisms_args sweep;
    const char *original, *released;
    const char *output;
    uint64_t features;
    uint32_t bins;
    bool expected_error, structure, force;
} compare_args;

static void init(void *args)
{
    compare_args *a = args;
    a->output = "-";
    hrr_read_options_init(&a->read);
    cli_structure_args_init(&a->walks);
    cli_mechanisms_args_init(&a->sweep);
}

static const cli_option operands[] = {
    {.argument = "ORIGINAL",
     .kind = CLI_PATH,
     .at = offsetof(compare_args, original),
     .help = "with --structure: the private graph, in any known layout"},
    {.argument = "RELEASED",
     .kind = CLI_PATH,
     .at = offsetof(compare_args, released),
     .help = "with --structure: what was made of it: a bundle, or any graph on its nodes; not with "
             "--mechanisms, which make their own"},
    {0},
};

static const cli_option options[] = {
    {.name = "expected-error",
     .at = offsetof(compare_args, expected_error),
     .help = "the expected error of one feature for budgets from 0.01 to 10"},
    {.name = "structure",
     .at = offsetof(compare_args, structure),
     .help = "how far the structure of RELEASED is from that of ORIGINAL"},
    {.name = "features",
     .kind = CLI_U64,
     .argument = "D",
     .most = 100000,
     .at = offsetof(compare_args, features),
     .help = "how many features share the budget; 0 means 1 and then 100"},
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
     .help = "where the rows go; - is standard output"},
    {.name = "force", .at = offsetof(compare_args, force), .help = "replace the file if it exists"},
    {0},
};

static const cli_option_set sets[] = {
    {"Comparing", options, 0},
    {"With --structure", cli_structure_options, offsetof(compare_args, walks)},
    {"Running mechanisms on ORIGINAL, with --structure", cli_mechanisms_options,
     offsetof(compare_args, sweep)},
    {"Reading ORIGINAL", cli_graph_options, offsetof(compare_args, read)},
    {"Options", cli_common_options, offsetof(compare_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr compare --expected-error -o errors.csv",
     "How far released features lie from the true ones, for every mechanism."},
    {"heterorr compare --expected-error --features 2048 --bins 10",
     "The same for 2048 features that share the budget, as rows on standard output."},
    {"heterorr compare --structure graph released",
     "Walks, degrees, triangles, communities and eigenvalues of a release and its original."},
    {"heterorr compare --structure cora.npz --mechanisms edgerr,edgerand,lapgraph --eps-edges 1 "
     "--private-fractions .05,.1,.2 -o walks.csv",
     "Mechanisms on one graph, five runs each, one row a run; it goes on where it was "
     "interrupted."},
    {0},
};

/* ---- the remark ------------------------------------------------------------------------------ */

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

/* Baselines in the fair form; multibit samples by design. FeatureRR's own variant is none. */
static bool is_fair_baseline(const char *mechanism)
{
    return strcmp(mechanism, "multibit") == 0 ||
           (ends_with(mechanism, "-sampled") && strncmp(mechanism, "featurerr", 9) != 0);
}

static bool is_split_baseline(const char *mechanism)
{
    static const char *const names[] = {"duchi", "piecewise", "hybrid", "three-output", "pm-sub"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(mechanism, names[i]) == 0) return true;
    return false;
}

/* The row with the least mean error at this budget among those that `wanted` picks. */
static const cli_error_row *best_at(const cli_error_row *rows, size_t n_rows, double eps,
                                    bool (*wanted)(const char *mechanism))
{
    const cli_error_row *best = NULL;
    for (size_t i = 0; i < n_rows; i++)
        if (rows[i].eps == eps && wanted(rows[i].mechanism) && (!best || rows[i].mean < best->mean))
            best = &rows[i];
    return best;
}

static bool is_featurerr(const char *mechanism)
{
    return strcmp(mechanism, "featurerr") == 0;
}

static bool is_featfree(const char *mechanism)
{
    return strcmp(mechanism, "featfree") == 0;
}

/* One line for each d: where fair baselines beat FeatureRR, or how close they come. Random features
 * are named beside it, because staying in the bounds is most of what this measure rewards. */
static void remark(char *text, size_t size, const cli_error_row *rows, size_t n_rows)
{
    double first_win = -1, closest = 0;
    const cli_error_row *near = NULL, *split = NULL;
    const uint64_t d = rows[0].n_features;
    for (size_t i = 0; i < n_rows; i++) {
        if (!is_featurerr(rows[i].mechanism)) continue;
        const cli_error_row *fair = best_at(rows, n_rows, rows[i].eps, is_fair_baseline);
        double ratio = fair->mean / rows[i].mean;
        if (ratio < 1 && first_win < 0) first_win = rows[i].eps;
        if (!near || ratio < closest) {
            closest = ratio;
            near = fair;
            split = best_at(rows, n_rows, rows[i].eps, is_split_baseline);
        }
    }
    if (first_win >= 0)
        snprintf(text, size,
                 "d = %" PRIu64 ": sampled baselines beat FeatureRR from eps %g on; at eps %g %s "
                 "has %.2f times its mean error",
                 d, first_win, near->eps, near->mechanism, closest);
    else
        snprintf(text, size,
                 "d = %" PRIu64 ": FeatureRR has the least mean error for every eps; the closest "
                 "sampled baseline is %s at eps %g with %.2f times its error (%s split over all "
                 "features, as in the paper's figure: %.1f times; random features: %.2f times)",
                 d, near->mechanism, near->eps, closest, split->mechanism,
                 split->mean * closest / near->mean,
                 best_at(rows, n_rows, near->eps, is_featfree)->mean * closest / near->mean);
}

/* ---- output ---------------------------------------------------------------------------------- */

static void print_rows(FILE *to, const cli_error_row *rows, size_t n_rows)
{
    for (size_t i = 0; i < n_rows; i++)
        fprintf(to, "%s,%g,%" PRIu64 ",%.6g,%.6g,%s\n", rows[i].mechanism, rows[i].eps,
                rows[i].n_features, rows[i].largest, rows[i].mean,
                rows[i].exact ? "formula" : "draws");
}

static json_t *rows_json(const cli_error_row *rows, size_t n_rows)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n_rows; i++)
        json_array_append_new(list, json_pack("{s:s, s:f, s:I, s:f, s:f, s:b}", "mechanism",
                                              rows[i].mechanism, "eps", rows[i].eps, "features",
                                              (json_int_t)rows[i].n_features, "expected_error",
                                              rows[i].largest, "mean_expected_error", rows[i].mean,
                                              "exact", rows[i].exact));
    return list;
}

static hrr_status deliver(const char *text, size_t size, const compare_args *a,
                          const cli_task *task, hrr_error *err)
{
    if (strcmp(a->output, "-") == 0) {
        if (!task->json) fwrite(text, 1, size, stdout);
        return HRR_OK;
    }
    hrr_output *output;
    hrr_status status = hrr_output_open(&output, a->output, err);
    if (status) return status;
    status = hrr_output_write(output, text, size, err);
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    return status;
}

/* ---- together -------------------------------------------------------------------------------- */

static hrr_status check_sweep(const compare_args *a, hrr_error *err)
{
    if (!a->structure)
        return hrr_fail(err, HRR_EINVAL, "--mechanisms are compared by --structure: name it too");
    if (!a->original)
        return hrr_fail(err, HRR_EINVAL,
                        "ORIGINAL is missing: heterorr compare --structure ORIGINAL --mechanisms "
                        "LIST -o FILE.csv");
    if (a->released)
        return hrr_fail(err, HRR_EINVAL, "--mechanisms make their own releases; leave %.99s out",
                        a->released);
    if (strcmp(a->output, "-") == 0)
        return hrr_fail(err, HRR_EINVAL,
                        "-o FILE.csv is missing: every run is a row of a results file, which goes "
                        "on where it was interrupted");
    return HRR_OK;
}

static hrr_status check(const compare_args *a, hrr_error *err)
{
    if (a->expected_error == a->structure)
        return hrr_fail(err, HRR_EINVAL,
                        "say what to compare: --expected-error or --structure (see heterorr "
                        "compare --help)");
    if (a->sweep.mechanisms) return check_sweep(a, err);
    if (a->structure && !a->released)
        return hrr_fail(err, HRR_EINVAL,
                        "%s is missing: heterorr compare --structure ORIGINAL RELEASED",
                        a->original ? "RELEASED" : "ORIGINAL");
    if (a->structure && strcmp(a->output, "-") != 0)
        return hrr_fail(err, HRR_EINVAL,
                        "--structure prints one table; --output is for rows. Use --json and > "
                        "to keep it");
    if (a->expected_error && a->original)
        return hrr_fail(err, HRR_EINVAL, "--expected-error needs no graph; leave %.99s out",
                        a->original);
    if (a->bins == 1) return hrr_fail(err, HRR_EINVAL, "--bins: one bin tells nothing; 2 to 256");
    FILE *there = a->force || strcmp(a->output, "-") == 0 ? NULL : fopen(a->output, "r");
    if (!there) return HRR_OK;
    fclose(there);
    return hrr_fail(err, HRR_EINVAL,
                    "%s: exists already; remove it, choose another path, or pass --force",
                    a->output);
}

static hrr_status compare_errors(const compare_args *a, cli_task *task, hrr_error *err)
{
    const uint64_t widths[] = {a->features ? a->features : 1, 100};
    const int n_widths = a->features ? 1 : 2;
    char *text = NULL, remarks[2][512];
    size_t size = 0;
    json_t *list = json_array();
    hrr_status status = HRR_OK;
    FILE *page = open_memstream(&text, &size);
    if (!page || !list) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    if (status) goto done;
    fprintf(page, "mechanism,eps,features,expected_error,mean_expected_error,how\n");
    for (int w = 0; w < n_widths; w++) {
        cli_error_row *rows;
        size_t n_rows;
        if ((status = cli_expected_errors(&rows, &n_rows, widths[w], a->bins, task->progress, err)))
            goto done;
        print_rows(page, rows, n_rows);
        remark(remarks[w], sizeof remarks[w], rows, n_rows);
        json_t *part = rows_json(rows, n_rows);
        json_array_extend(list, part);
        json_decref(part);
        free(rows);
    }
    fflush(page);
    cli_progress_erase();
    if ((status = deliver(text, size, a, task, err))) goto done;
    for (int w = 0; w < n_widths; w++)
        if (!task->json) fprintf(task->talk, "%s\n", remarks[w]);
    if (task->json) {
        json_t *said = json_array();
        for (int w = 0; w < n_widths; w++)
            json_array_append_new(said, json_string(remarks[w]));
        task->result = json_pack("{s:O, s:o}", "rows", list, "remarks", said);
        if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    }
done:
    if (page) fclose(page);
    free(text);
    json_decref(list);
    return status;
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const compare_args *a = args;
    hrr_status status = check(a, err);
    if (status) return status;
    if (a->sweep.mechanisms)
        return cli_compare_mechanisms(a->original, a->output, &a->read, &a->sweep, a->walks.hops,
                                      a->walks.seed, task, err);
    if (a->structure)
        return cli_compare_structure(a->original, a->released, &a->read, &a->walks, task, err);
    return compare_errors(a, task, err);
}

const cli_verb cli_verb_compare = {
    .name = "compare",
    .summary = "compare mechanisms, or a release with its original",
    .description =
        "With --expected-error: how far a released feature lies from the true one on the scale of "
        "its bounds, in the worst case and on average over a uniform value, for every mechanism "
        "and budgets from 0.01 to 10. Baselines appear twice: with the budget split over all "
        "features, as the paper runs them, and with names that end in -sampled, in the fair form "
        "that answers few features of each node. "
        "With --structure: how much of the structure of ORIGINAL is left in RELEASED: distance of "
        "random-walk matrices and of degree distributions, triangles and clustering, modularity, "
        "eigenvalues, and which private edges were hit. For the owner of ORIGINAL: the figures are "
        "not protected.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(compare_args),
    .init = init,
    .run = run,
};
