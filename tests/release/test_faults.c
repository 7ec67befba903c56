/* test_faults.c: releases that fail inside the library: no memory at any allocation, a clock that
 * is wrong, a ledger that cannot write down what was published. What happens to whole processes is
 * in tests/cli/test_faults.py. */
#include "base/paths.h"
#include "privacy/ledger.h"
#include "privacy/charge.h"
#include "release/releases.h"
#include "support/brutal.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

static hrr_protect_options everything(const char *ledger)
{
    hrr_protect_options options = usual_options();
    options.edges.mechanism = "edgerr";
    options.edges.eps_nano = HRR_EPS_UNIT;
    options.eps_labels_nano = HRR_EPS_UNIT;
    options.with_ledger = true;
    options.ledger = ledger;
    options.replace = true;
    options.threads = 1;
    return options;
}

/* Past the library, which has no memory to look with. */
static int64_t ask(const char *ledger, const char *sql)
{
    sqlite3 *database;
    sqlite3_stmt *statement;
    int64_t answer = 0;
    if (access(ledger, F_OK) != 0) return 0;
    assert_int_equal(sqlite3_open(ledger, &database), SQLITE_OK);
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK) {
        assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
        answer = sqlite3_column_int64(statement, 0);
        sqlite3_finalize(statement);
    }
    sqlite3_close(database);
    return answer;
}

static int64_t count_charges(const char *ledger)
{
    return ask(ledger, "SELECT count(*) FROM entry WHERE kind = 1");
}

/* ---- memory ---------------------------------------------------------------------------------- */

typedef struct attempt {
    const hrr_graph *graph;
    const char *directory, *bundle, *ledger;
    int n_refused_before_charge, n_failed_after_charge;
} attempt;

static hrr_status protect_once(void *user)
{
    attempt *self = user;
    const hrr_protect_options options = everything(self->ledger);
    hrr_random *random;
    hrr_protect_summary summary;
    hrr_status status = hrr_random_new_insecure(&random, 1, NULL);
    if (status) return status;
    status = hrr_protect(NULL, &summary, self->bundle, self->graph, &options, random, NULL, NULL);
    hrr_random_free(random);
    const int64_t charged = count_charges(self->ledger);
    assert_true(charged == 0 || charged == 1);
    if (!status) {
        assert_int_equal(charged, 1);
        /* Only the note that it was published may be missing: then all is whole and paid for. */
        return summary.not_recorded ? HRR_ENOMEM : HRR_OK;
    }
    assert_int_not_equal(access(self->bundle, F_OK), 0);
    /* More memory gets further: what was charged with less is charged with more. */
    assert_true(charged == 1 || self->n_failed_after_charge == 0);
    self->n_refused_before_charge += charged == 0;
    self->n_failed_after_charge += charged == 1;
    return status;
}

/* Every attempt finds an empty place and a new ledger: one with more entries takes more memory. */
static hrr_status protect_anew(void *user)
{
    const attempt *self = user;
    char path[4200];
    unlink(self->ledger);
    snprintf(path, sizeof path, "%s.key", self->ledger);
    unlink(path);
    hrr_path_remove_flat(self->bundle);
    return protect_once(user);
}

static int count_hidden(const char *directory)
{
    char command[4200];
    snprintf(command, sizeof command, "ls -A '%s' | grep -c '^\\.' || true", directory);
    FILE *pipe = popen(command, "r");
    int count = -1;
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    pclose(pipe);
    return count;
}

static void test_memory__may_run_out_anywhere(void **state)
{
    hrr_graph *graph = small_graph(7);
    attempt self = {.graph = graph,
                    .directory = *state,
                    .bundle = in_dir(*state, "bundle"),
                    .ledger = in_dir(*state, "ledger")};
    char bundle[4096], ledger[4096];
    snprintf(bundle, sizeof bundle, "%s", self.bundle);
    snprintf(ledger, sizeof ledger, "%s", self.ledger);
    self.bundle = bundle;
    self.ledger = ledger;
    const int n = brutal(protect_anew, &self);
    assert_true(n > 100);
    assert_true(self.n_refused_before_charge > 10 && self.n_failed_after_charge > 10);
    assert_int_equal(count_hidden(*state), 0);
    size_t n_charges;
    bool with_key;
    assert_ok(hrr_ledger_check(&n_charges, &with_key, ledger, NULL, NULL));
    assert_int_equal(n_charges, 1);
    print_message("no memory at each of %d allocations: %d times before the charge, %d times after "
                  "it, which stays; no leak, no bundle\n",
                  n, self.n_refused_before_charge, self.n_failed_after_charge);
    hrr_graph_free(graph);
}

static hrr_status dry_run(void *user)
{
    const attempt *self = user;
    hrr_protect_options options = everything(self->ledger);
    options.dry_run = true;
    hrr_random *random;
    hrr_protect_summary summary;
    hrr_status status = hrr_random_new_insecure(&random, 1, NULL);
    if (status) return status;
    status = hrr_protect(NULL, &summary, NULL, self->graph, &options, random, NULL, NULL);
    hrr_random_free(random);
    return status;
}

static void test_memory__may_run_out_in_a_dry_run(void **state)
{
    hrr_graph *graph = small_graph(7);
    const hrr_protect_options options = everything(in_dir(*state, "ledger"));
    protect(in_dir(*state, "bundle"), graph, &options);
    attempt self = {.graph = graph, .ledger = options.ledger};
    assert_true(brutal(dry_run, &self) > 30);
    assert_int_equal(count_charges(options.ledger), 1);
    hrr_graph_free(graph);
}

/* ---- the clock ------------------------------------------------------------------------------- */

/* The newest entry is from the year 2100, and now the clock is right again. */
static void test_clock__the_ledger_may_know_the_future(void **state)
{
    const char *ledger = in_dir(*state, "ledger");
    const hrr_protect_options options = everything(ledger);
    const int64_t future = 4102444800;
    hrr_graph *graph = small_graph(7);
    protect(in_dir(*state, "first"), graph, &options);
    hrr_ledger *open;
    hrr_chain chain;
    hrr_ledger_list list;
    assert_ok(hrr_ledger_open(&open, ledger, NULL, NULL));
    hrr_entry entry = {.kind = HRR_ENTRY_CHARGE, .time = future, .text = "", .account = ""};
    assert_ok(hrr_ledger_run(open, "BEGIN IMMEDIATE", NULL));
    assert_ok(hrr_chain_read(&chain, &list, open, NULL));
    hrr_ledger_list_clear(&list);
    assert_ok(hrr_ledger_end(open, hrr_chain_append(&chain, &entry, open, NULL), NULL));
    hrr_ledger_free(open);

    const hrr_protect_summary summary = protect(in_dir(*state, "second"), graph, &options);
    assert_int_equal(summary.spent_in_all.features_nano, 2 * HRR_EPS_UNIT);
    assert_int_equal(ask(ledger, "SELECT max(time) FROM entry"), future);
    size_t n_charges;
    bool with_key;
    assert_ok(hrr_ledger_check(&n_charges, &with_key, ledger, NULL, NULL));
    assert_int_equal(n_charges, 3);
    hrr_graph_free(graph);
}

/* ---- a dry run ------------------------------------------------------------------------------- */

static void test_dry_run__reads_the_ledger_and_writes_nothing(void **state)
{
    const char *ledger = in_dir(*state, "ledger");
    hrr_protect_options options = everything(ledger);
    hrr_graph *graph = small_graph(7);
    hrr_protect_summary summary = foresee(graph, &options);
    assert_int_equal(count_entries(*state), 0);
    assert_int_equal(summary.spent_in_all.features_nano, 0);
    assert_true(summary.expected_seconds > 0 && summary.expected_memory > 0);

    protect(in_dir(*state, "bundle"), graph, &options);
    const int n_entries = count_entries(*state);
    size_t size, size_after;
    char *bytes = read_file(ledger, &size);
    summary = foresee(graph, &options);
    assert_int_equal(summary.spent_in_all.features_nano, HRR_EPS_UNIT);
    assert_int_equal(summary.spent_in_all.edges_nano, HRR_EPS_UNIT);
    assert_int_equal(summary.ledger_entry, 0);
    options.dry_run = true;
    options.limit_nano = HRR_EPS_UNIT; /* and a seeded release never passes a limit */
    hrr_error err;
    assert_int_equal(try_protect(&err, NULL, graph, &options), HRR_EBUDGET);
    assert_says(err, "so it exceeds every limit.");
    char *after = read_file(ledger, &size_after);
    assert_int_equal(size, size_after);
    assert_memory_equal(bytes, after, size);
    assert_int_equal(count_entries(*state), n_entries);
    free(bytes);
    free(after);
    hrr_graph_free(graph);
}

/* How many private edges there are shows in no forecast; time is measured, so it is not compared.
 */
static void test_dry_run__does_not_count_private_edges(void **state)
{
    (void)state;
    hrr_protect_options options = everything(NULL);
    options.with_ledger = false;
    hrr_graph *with = small_graph(7), *without = small_graph(6);
    const hrr_protect_summary a = foresee(with, &options);
    const hrr_protect_summary b = foresee(without, &options);
    assert_int_equal(a.edges_out, b.edges_out);
    assert_int_equal(a.expected_memory, b.expected_memory);
    hrr_graph_free(with);
    hrr_graph_free(without);
}

int main(void)
{
    /* Hundreds of releases, each synced: in memory, where there is such a place. */
    if (access("/dev/shm", W_OK) == 0) setenv("TMPDIR", "/dev/shm", 0);
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_memory__may_run_out_anywhere),
        WITH_SCRATCH(test_memory__may_run_out_in_a_dry_run),
        WITH_SCRATCH(test_clock__the_ledger_may_know_the_future),
        WITH_SCRATCH(test_dry_run__reads_the_ledger_and_writes_nothing),
        WITH_SCRATCH(test_dry_run__does_not_count_private_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
