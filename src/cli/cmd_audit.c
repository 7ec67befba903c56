/* cmd_audit.c: heterorr audit: tries to prove the mechanisms' claims wrong. */
#include "cli/figures.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "cli/verb.h"

#include <heterorr/audit.h>
#include <heterorr/privacy.h>

#include <math.h>

typedef struct audit_args {
    cli_common common;
    const char *mechanism, *eps;
    uint64_t trials, seed;
    int threads;
    bool all;
} audit_args;

static void init(void *args)
{
    audit_args *a = args;
    hrr_audit_options defaults;
    hrr_audit_options_init(&defaults);
    a->eps = "1";
    a->trials = defaults.trials;
    a->seed = defaults.seed;
}

static const char *const *names(void)
{
    static const char *list[64];
    for (size_t i = 0; i + 1 < sizeof list / sizeof *list; i++)
        if (!(list[i] = hrr_audit_name(i))) break;
    return list;
}

static const cli_option operands[] = {
    {.argument = "MECHANISM",
     .kind = CLI_CHOICE,
     .choices = names,
     .at = offsetof(audit_args, mechanism),
     .help = "a mechanism for features or edges, or labels"},
    {0},
};

static const cli_option options[] = {
    {.name = "all",
     .at = offsetof(audit_args, all),
     .help = "every mechanism, and mechanisms that are wrong on purpose and must be caught"},
    {.name = "eps",
     .kind = CLI_TEXT,
     .argument = "E",
     .at = offsetof(audit_args, eps),
     .field = "eps_nano",
     .help = "the claimed budget"},
    {.name = "trials",
     .kind = CLI_U64,
     .argument = "N",
     .least = 10000,
     .most = UINT64_C(1) << 36,
     .at = offsetof(audit_args, trials),
     .field = "trials",
     .help = "how often each of two inputs is randomised"},
    {.name = "seed",
     .kind = CLI_U64,
     .argument = "N",
     .at = offsetof(audit_args, seed),
     .field = "seed",
     .help = "the same seed gives the same audit"},
    {.name = "threads",
     .kind = CLI_INT,
     .argument = "T",
     .most = 4096,
     .at = offsetof(audit_args, threads),
     .field = "threads",
     .help = "the number of threads; 0 uses all processors"},
    {0},
};

static const cli_option_set sets[] = {
    {"Audit", options, 0},
    {"Options", cli_common_options, offsetof(audit_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr audit featurerr",
     "One mechanism at eps 1, with a million draws for each of two inputs."},
    {"heterorr audit --all", "All mechanisms, and mechanisms that are wrong on purpose."},
    {"heterorr audit piecewise --eps 4 --trials 1e7 --json",
     "More draws, with output for a script."},
    {0},
};

static const char *verdict_of(const hrr_audit_row *row)
{
    if (row->is_control) return row->verdict == HRR_HOLDS ? "caught" : "NOT CAUGHT";
    if (!isfinite(row->claimed_eps)) return "no claim";
    return row->verdict == HRR_HOLDS ? "holds" : "BROKEN";
}

/* null where there is no such number. */
static json_t *eps_json(double eps)
{
    return isfinite(eps) && eps >= 0 ? json_real(eps) : json_null();
}

static json_t *rows_json(const hrr_audit_row *rows, size_t n_rows)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n_rows; i++)
        json_array_append_new(list, json_pack("{s:s, s:b, s:o, s:o, s:o, s:s, s:s}", "mechanism",
                                              rows[i].mechanism, "control", rows[i].is_control,
                                              "claimed_eps", eps_json(rows[i].claimed_eps),
                                              "realised_eps", eps_json(rows[i].realised_eps),
                                              "lower_bound", eps_json(rows[i].lower_bound), "how",
                                              rows[i].how, "verdict", verdict_of(&rows[i])));
    return list;
}

static cli_text eps_text(double eps)
{
    cli_text text = {"-"};
    if (eps >= 0) snprintf(text.text, sizeof text.text, isfinite(eps) ? "%.6f" : "none", eps);
    return text;
}

/* A row is printed when it is finished: whoever gives up has what was done by then. */
static void print_row(void *user, const hrr_audit_row *row)
{
    size_t *n_printed = user;
    cli_progress_erase();
    if ((*n_printed)++ == 0)
        printf("%-30s %9s %10s %12s  %-10s  %s\n", "mechanism", "claim", "realised", "lower bound",
               "verdict", "how");
    printf("%-30s %9s %10s %12s  %-10s  %s\n", row->mechanism, eps_text(row->claimed_eps).text,
           eps_text(row->realised_eps).text, eps_text(row->lower_bound).text, verdict_of(row),
           row->how);
    fflush(stdout);
}

static void print_meaning(void)
{
    printf("\nrealised: proved from the integers that are drawn. lower bound: proved by the draws; "
           "each row is wrong\nwith probability at most 1e-3. A claim below its lower bound is "
           "refuted.\n");
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const audit_args *a = args;
    hrr_audit_options audit;
    hrr_audit_options_init(&audit);
    if (!a->mechanism == !a->all)
        return hrr_fail(err, HRR_EINVAL, "give a MECHANISM or --all (see heterorr audit --help)");
    hrr_status status = hrr_eps_parse(&audit.eps_nano, a->eps, "--eps", err);
    if (status) return status;
    audit.mechanism = a->mechanism;
    audit.trials = a->trials;
    audit.seed = a->seed;
    audit.threads = a->threads;
    hrr_audit_row *rows;
    size_t n_rows, n_broken = 0, n_printed = 0;
    if (!task->json) {
        audit.watch = print_row;
        audit.watch_user = &n_printed;
    }
    status = hrr_audit(&rows, &n_rows, &audit, task->progress, err);
    cli_progress_erase();
    if (n_printed) print_meaning();
    if (status == HRR_ECANCEL && n_printed)
        return hrr_fail(err, HRR_ECANCEL,
                        "interrupted; the audit is incomplete: %s finished, see above (fewer "
                        "--trials take less time)",
                        cli_count(n_printed, "row has", "rows have").text);
    if (status) return status;
    for (size_t i = 0; i < n_rows; i++)
        n_broken += rows[i].verdict != HRR_HOLDS;
    if (task->json)
        task->result = json_pack("{s:o, s:I, s:b}", "rows", rows_json(rows, n_rows), "trials",
                                 (json_int_t)a->trials, "holds", n_broken == 0);
    hrr_free(rows);
    if (task->json && !task->result) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    if (n_broken == 0) return HRR_OK;
    return hrr_fail(err, HRR_ECHECK, "the audit failed in %zu of %s: do not rely on %s", n_broken,
                    cli_count(n_rows, "row", "rows").text,
                    hrr_plural(n_broken, "the mechanism it names", "the mechanisms it names"));
}

const cli_verb cli_verb_audit = {
    .name = "audit",
    .summary = "try to refute the privacy claims",
    .description =
        "Runs a mechanism many times on two opposite inputs and counts the outputs. An event that "
        "is more likely on one side than the claimed epsilon allows refutes the claim. The table "
        "shows the largest epsilon that the counts prove, next to the one that the mechanism "
        "proves for itself. With --all, mechanisms that are wrong on purpose must be caught. The "
        "exit code is 5 if a claim is refuted or a wrong mechanism is not caught.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(audit_args),
    .init = init,
    .run = run,
};
