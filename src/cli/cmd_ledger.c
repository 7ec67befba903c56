/* cmd_ledger.c: heterorr ledger: what was spent on which private input, and whether the ledger is
 * whole. */
#include "cli/figures.h"
#include "cli/json.h"
#include "cli/verb.h"

#include <heterorr/privacy.h>

#include <inttypes.h>
#include <string.h>
#include <time.h>

typedef struct ledger_args {
    cli_common common;
    const char *action, *ledger;
} ledger_args;

static const char *const *actions(void)
{
    static const char *const names[] = {"show", "check", NULL};
    return names;
}

static const cli_option operands[] = {
    {.argument = "ACTION",
     .kind = CLI_CHOICE,
     .choices = actions,
     .required = true,
     .at = offsetof(ledger_args, action),
     .help = "show: list what was spent; check: look for damage"},
    {0},
};

static const cli_option options[] = {
    {.name = "ledger",
     .kind = CLI_PATH,
     .argument = "FILE",
     .at = offsetof(ledger_args, ledger),
     .field = "ledger",
     .help = "the path of the ledger; by default the one in your data directory"},
    {0},
};

static const cli_option_set sets[] = {
    {"Ledger", options, 0},
    {"Options", cli_common_options, offsetof(ledger_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr ledger show", "What has been spent on which input."},
    {"heterorr ledger check",
     "Is the ledger intact? If not, the exit code is 5 and the reason is printed."},
    {"heterorr ledger show --ledger copy.sqlite --json",
     "A copy of the ledger, for a script; no key is needed."},
    {0},
};

/* ---- texts ---------------------------------------------------------------------------------- */

/* The first digits tell inputs apart well enough for people. */
static cli_text input_text(const hrr_fingerprint *input, int n_bytes)
{
    cli_text text = {""};
    for (int i = 0; i < n_bytes; i++)
        snprintf(text.text + 2 * i, 3, "%02x", input->graph[i]);
    return text;
}

static cli_text time_text(int64_t seconds)
{
    cli_text text = {"-"};
    const time_t when = (time_t)seconds;
    struct tm parts;
    if (gmtime_r(&when, &parts))
        strftime(text.text, sizeof text.text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

static cli_text eps_text(uint64_t eps_nano)
{
    cli_text text;
    hrr_eps_format(text.text, eps_nano);
    return text;
}

static cli_text total_text(const hrr_spend *spend)
{
    if (spend->unbounded) return (cli_text){"infinity"};
    return eps_text(spend->features_nano + spend->edges_nano + spend->labels_nano);
}

static const char *state_of(const hrr_ledger_row *row)
{
    return row->bundle ? "released" : row->in_memory ? "kept in memory" : "charged";
}

/* Is row i the last of its input? Inputs are listed once, with what was spent by then. */
static bool is_last_of_input(const hrr_ledger_list *list, size_t i)
{
    for (size_t j = i + 1; j < list->n_rows; j++)
        if (memcmp(list->rows[i].input.graph, list->rows[j].input.graph, HRR_FINGERPRINT_SIZE) == 0)
            return false;
    return true;
}

static bool is_last_of_account(const hrr_ledger_list *list, size_t i)
{
    for (size_t j = i + 1; j < list->n_rows; j++)
        if (strcmp(list->rows[i].account, list->rows[j].account) == 0) return false;
    return list->rows[i].account[0] != '\0';
}

/* ---- for scripts ---------------------------------------------------------------------------- */

static json_t *spend_json(const hrr_spend *spend)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:f, s:b}", "eps_features",
                     eps_text(spend->features_nano).text, "eps_edges",
                     eps_text(spend->edges_nano).text, "eps_labels",
                     eps_text(spend->labels_nano).text, "eps_total", total_text(spend).text,
                     "delta", spend->delta, "unbounded", spend->unbounded);
}

static json_t *inputs_json(const hrr_ledger_list *list)
{
    json_t *inputs = json_array();
    for (size_t i = 0; i < list->n_rows; i++) {
        const hrr_ledger_row *row = &list->rows[i];
        if (!is_last_of_input(list, i)) continue;
        const hrr_spend spent = hrr_ledger_list_spent(list, &row->input, NULL);
        json_t *input = json_pack("{s:s, s:o, s:o}", "input", input_text(&row->input, 16).text,
                                  "name", cli_json_text(row->name), "spent", spend_json(&spent));
        json_array_append_new(inputs, input);
    }
    return inputs;
}

static json_t *accounts_json(const hrr_ledger_list *list)
{
    json_t *accounts = json_array();
    for (size_t i = 0; i < list->n_rows; i++) {
        const char *account = list->rows[i].account;
        if (!is_last_of_account(list, i)) continue;
        const hrr_spend spent = hrr_ledger_list_spent(list, NULL, account);
        json_array_append_new(accounts, json_pack("{s:o, s:o}", "account", cli_json_text(account),
                                                  "spent", spend_json(&spent)));
    }
    return accounts;
}

static json_t *charges_json(const hrr_ledger_list *list)
{
    json_t *charges = json_array();
    for (size_t i = 0; i < list->n_rows; i++) {
        const hrr_ledger_row *row = &list->rows[i];
        json_t *charge = json_pack(
            "{s:I, s:I, s:s, s:s, s:o, s:o, s:s, s:o, s:o, s:o}", "charge", (json_int_t)(i + 1),
            "entry", (json_int_t)row->number, "time", time_text(row->time).text, "input",
            input_text(&row->input, 16).text, "name", cli_json_text(row->name), "account",
            cli_json_text(row->account[0] ? row->account : NULL), "state", state_of(row), "spend",
            spend_json(&row->spend), "bundle", cli_json_text(row->bundle), "certificate_sha256",
            cli_json_text(row->certificate_sha256));
        json_array_append_new(charges, charge);
    }
    return charges;
}

/* ---- for people ----------------------------------------------------------------------------- */

static void print_spend(const hrr_spend *spend)
{
    printf("%11s %11s %11s %11s", eps_text(spend->features_nano).text,
           eps_text(spend->edges_nano).text, eps_text(spend->labels_nano).text,
           total_text(spend).text);
}

static void print_accounts(const hrr_ledger_list *list)
{
    bool any = false;
    for (size_t i = 0; i < list->n_rows; i++) {
        const char *account = list->rows[i].account;
        if (!is_last_of_account(list, i)) continue;
        if (!any)
            printf("  %-10s %11s %11s %11s %11s  %s\n", "Account", "features", "edges", "labels",
                   "in all", "name");
        any = true;
        const hrr_spend spent = hrr_ledger_list_spent(list, NULL, account);
        printf("  %-10s ", "");
        print_spend(&spent);
        printf("  %s\n", account);
    }
    if (any) printf("\n");
}

static void print_ledger(const hrr_ledger_list *list, const char *path)
{
    size_t n_open = 0;
    printf("%s\n\n", path);
    if (!list->n_rows) {
        printf("Nothing has been spent yet.\n");
        return;
    }
    print_accounts(list);
    printf("  %-10s %11s %11s %11s %11s  %s\n", "Input", "features", "edges", "labels", "in all",
           "name");
    for (size_t i = 0; i < list->n_rows; i++) {
        const hrr_ledger_row *row = &list->rows[i];
        if (!is_last_of_input(list, i)) continue;
        const hrr_spend spent = hrr_ledger_list_spent(list, &row->input, NULL);
        printf("  %-10s ", input_text(&row->input, 4).text);
        print_spend(&spent);
        printf("  %s\n", row->name);
    }
    printf("\n  %-10s %11s %11s %11s %11s  %-20s  %s\n", "Charge", "features", "edges", "labels",
           "in all", "time", "became");
    for (size_t i = 0; i < list->n_rows; i++) {
        const hrr_ledger_row *row = &list->rows[i];
        n_open += !row->bundle && !row->in_memory;
        printf("  %-10zu ", i + 1);
        print_spend(&row->spend);
        printf("  %-20s  %s\n", time_text(row->time).text,
               row->bundle      ? row->bundle
               : row->in_memory ? "a release that was kept in memory"
                                : "nothing yet (in progress or interrupted)");
    }
    printf("\nEpsilons are per node feature vector, per private pair and per label; a limit is "
           "compared with their\nsum.");
    if (n_open)
        printf(" %zu of %s did not produce a release; %s all the same.", n_open,
               cli_count(list->n_rows, "charge", "charges").text,
               hrr_plural(n_open, "it counts", "they count"));
    printf("\n");
}

/* ---- actions -------------------------------------------------------------------------------- */

static hrr_status show(const ledger_args *a, cli_task *task, hrr_error *err)
{
    hrr_ledger *ledger;
    hrr_ledger_list list;
    hrr_status status = hrr_ledger_open_existing(&ledger, a->ledger, task->progress, err);
    if (status) return status;
    status = hrr_ledger_read(&list, ledger, err);
    if (!status && task->json) {
        task->result = json_pack(
            "{s:o, s:o, s:o, s:o}", "ledger", cli_json_text(hrr_ledger_path(ledger)), "accounts",
            accounts_json(&list), "inputs", inputs_json(&list), "charges", charges_json(&list));
        if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    } else if (!status) {
        print_ledger(&list, hrr_ledger_path(ledger));
    }
    if (!status) hrr_ledger_list_clear(&list);
    hrr_ledger_free(ledger);
    return status;
}

static hrr_status check(const ledger_args *a, cli_task *task, hrr_error *err)
{
    size_t n_charges;
    bool with_key;
    hrr_status status = hrr_ledger_check(&n_charges, &with_key, a->ledger, task->progress, err);
    if (status) return status;
    if (task->json) {
        task->result = json_pack("{s:b, s:I, s:b}", "whole", true, "charges", (json_int_t)n_charges,
                                 "with_key", with_key);
        return task->result ? HRR_OK : hrr_fail(err, HRR_ENOMEM, "out of memory");
    }
    printf("The ledger is intact: %s.\n", cli_count(n_charges, "charge", "charges").text);
    if (!with_key)
        printf("Its key is not here, so the check cannot notice entries that were deliberately cut "
               "off at the end.\n");
    return HRR_OK;
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const ledger_args *a = args;
    return strcmp(a->action, "show") == 0 ? show(a, task, err) : check(a, task, err);
}

const cli_verb cli_verb_ledger = {
    .name = "ledger",
    .summary = "show what was spent on which private input",
    .description = "The ledger is one file that records every privacy budget that was spent: on "
                   "which account, and on which private input, identified by its fingerprint. It "
                   "is charged before anything is drawn and never refunds: an interrupted charge "
                   "counts. show lists accounts, inputs and charges; check reads every entry and "
                   "its hash, and exits with 5 if anything is damaged or was changed.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(ledger_args),
    .run = run,
};
