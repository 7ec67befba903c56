/* test_charge.c: a release is charged before it is drawn, found again, and refused if its input
 * changed. */
#include "release/charge.h"
#include "release/request.h"
#include "release/releases.h"
#include "support/brutal.h"

static hrr_charge_terms usual_terms(const char *ledger, const hrr_graph *graph)
{
    const hrr_protect_options options = usual_options();
    hrr_charge_terms terms = {.graph = graph, .ledger = ledger, .threads = 1};
    assert_ok(hrr_request_hash(terms.request, graph, false, &options.features, small_features, NULL,
                               NULL, 0, NULL, NULL));
    return terms;
}

static hrr_charge open_charge(const char *ledger, const hrr_graph *graph)
{
    hrr_charge charge;
    const hrr_charge_terms terms = usual_terms(ledger, graph);
    assert_ok(hrr_charge_open(&charge, &terms, NULL, NULL));
    return charge;
}

static void test_charge__a_release_is_charged_and_found_again(void **state)
{
    const char *ledger = in_dir(*state, "ledger"), *bundle = in_dir(*state, "bundle");
    hrr_graph *graph = small_graph(7);
    const hrr_protect_options options = usual_options();
    const hrr_spend spend = {.features_nano = HRR_EPS_UNIT};
    const hrr_charge_terms terms = usual_terms(ledger, graph);
    hrr_error err = {0};
    char *stored;
    assert_int_equal(hrr_charge_find_stored(&stored, &terms, NULL, &err), HRR_EINVAL);
    assert_says(err, "has no release of");
    assert_null(stored);
    assert_int_equal(count_entries(*state), 0); /* to look makes nothing */
    hrr_charge charge = open_charge(ledger, graph);
    assert_int_equal(charge.charge_before, 0);
    assert_ok(hrr_charge_make(&charge, &spend, HRR_EPS_UNIT, NULL));
    assert_int_equal(charge.entry.number, 1);
    protect(bundle, graph, &options);
    assert_ok(hrr_charge_confirm(&charge, NULL));
    assert_ok(hrr_charge_certified(&charge, bundle, NULL, NULL));
    assert_ok(hrr_charge_released(&charge, bundle, NULL));
    hrr_charge_clear(&charge);

    assert_ok(hrr_charge_find_stored(&stored, &terms, NULL, NULL));
    assert_string_equal(stored, bundle);
    hrr_free(stored);
    hrr_charge_terms other = terms;
    other.account = "patients";
    assert_int_equal(hrr_charge_find_stored(&stored, &other, NULL, &err), HRR_EINVAL);
    assert_says(err, "on account patients");
    charge = open_charge(ledger, graph);
    assert_int_equal(charge.charge_before, 1);
    /* A second draw is refused under the limit. */
    assert_int_equal(hrr_charge_make(&charge, &spend, HRR_EPS_UNIT, &err), HRR_EBUDGET);
    assert_says(err, "spent 1 + requested 1 > limit 1");
    hrr_charge_clear(&charge);
    /* A certificate that is not what it was is no stored release; nor is one that is gone. Neither
     * is drawn again unasked. */
    write_text(in_dir(bundle, "certificate.json"), "{}");
    assert_int_equal(hrr_charge_find_stored(&stored, &terms, NULL, &err), HRR_EINVAL);
    assert_says(err, "is missing or was changed");
    assert_null(stored);
    remove(in_dir(bundle, "certificate.json"));
    assert_int_equal(hrr_charge_find_stored(&stored, &terms, NULL, NULL), HRR_EINVAL);
    assert_null(stored);
    hrr_graph_free(graph);
}

/* Another version of the private data: nothing that the ledger says or does is different. */
static void test_charge__what_is_private_decides_nothing(void **state)
{
    const char *ledger = in_dir(*state, "ledger"), *bundle = in_dir(*state, "bundle");
    hrr_graph *graph = small_graph(7), *same = small_graph(7), *changed = small_graph(7);
    const hrr_protect_options options = usual_options();
    const hrr_spend spend = {.features_nano = HRR_EPS_UNIT};
    hrr_charge charge = open_charge(ledger, graph);
    assert_ok(hrr_charge_make(&charge, &spend, 0, NULL));
    protect(bundle, graph, &options);
    assert_ok(hrr_charge_certified(&charge, bundle, NULL, NULL));
    assert_ok(hrr_charge_released(&charge, bundle, NULL));
    hrr_charge_clear(&charge);
    ((float *)hrr_graph_features(changed)->data)[4] += .25f;
    const hrr_graph *versions[] = {same, changed};
    for (int i = 0; i < 2; i++) {
        hrr_spend spent;
        char *stored;
        charge = open_charge(ledger, versions[i]);
        assert_int_equal(charge.charge_before, 1);
        assert_ok(hrr_charge_spent(&spent, &charge, NULL));
        assert_int_equal(spent.features_nano, HRR_EPS_UNIT);
        assert_int_equal(hrr_charge_make(&charge, &spend, HRR_EPS_UNIT, NULL), HRR_EBUDGET);
        assert_ok(hrr_charge_find_stored(&stored, &charge.terms, NULL, NULL));
        assert_string_equal(stored, bundle);
        hrr_free(stored);
        hrr_charge_clear(&charge);
    }
    hrr_graph_free(graph);
    hrr_graph_free(same);
    hrr_graph_free(changed);
}

static void test_charge__an_input_that_changed_is_not_released(void **state)
{
    hrr_graph *graph = small_graph(7);
    const hrr_spend spend = {.features_nano = HRR_EPS_UNIT};
    hrr_charge charge = open_charge(in_dir(*state, "ledger"), graph);
    assert_ok(hrr_charge_make(&charge, &spend, 0, NULL));
    ((float *)hrr_graph_features(graph)->data)[4] += .25f;
    hrr_error err = {0};
    assert_int_equal(hrr_charge_confirm(&charge, &err), HRR_EDATA);
    assert_says(err, "the input changed while it was being protected,");
    hrr_charge_clear(&charge);
    hrr_graph_free(graph);
}

static void test_charge__without_a_ledger_nothing_happens(void **state)
{
    hrr_charge charge = {0};
    const hrr_spend spend = {.features_nano = HRR_EPS_UNIT};
    hrr_spend spent = spend;
    assert_ok(hrr_charge_make(&charge, &spend, 1, NULL));
    assert_ok(hrr_charge_spent(&spent, &charge, NULL));
    assert_int_equal(spent.features_nano, 0);
    assert_ok(hrr_charge_confirm(&charge, NULL));
    assert_ok(hrr_charge_certified(&charge, *state, NULL, NULL));
    assert_ok(hrr_charge_released(&charge, *state, NULL));
    hrr_charge_clear(&charge);
}

/* Asked when features and labels are drawn: is the charge on the disk? */
static hrr_status look_for_charge(uint32_t *blocks, uint32_t *need, uint32_t *rivals,
                                  const hrr_shown *shown, void *ledger, int threads,
                                  hrr_progress *progress, hrr_error *err)
{
    (void)rivals;
    (void)threads;
    size_t n_charges = 0;
    bool with_key;
    hrr_status status = hrr_ledger_check(&n_charges, &with_key, ledger, progress, err);
    assert_ok(status);
    assert_int_equal(n_charges, 1);
    memset(blocks, 0, hrr_graph_n_nodes(shown->graph) * sizeof *blocks);
    memset(need, 0, hrr_graph_n_nodes(shown->graph) * sizeof *need);
    return status;
}

static void test_charge__is_charged_before_anything_is_drawn(void **state)
{
    char ledger[256];
    snprintf(ledger, sizeof ledger, "%s", in_dir(*state, "ledger"));
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = usual_options();
    options.with_ledger = true;
    options.ledger = ledger;
    options.edges.mechanism = "edgerr-node";
    options.edges.eps_nano = HRR_EPS_UNIT;
    const hrr_block_maker maker = {.name = "test",
                                   .what = "made for a test",
                                   .n_blocks = 1,
                                   .make = look_for_charge,
                                   .user = ledger};
    hrr_protect_summary summary;
    assert_ok(try_protect_with(&summary, in_dir(*state, "bundle"), graph, &options, &maker, NULL));
    assert_int_equal(summary.ledger_charge, 1);
    hrr_graph_free(graph);
}

static hrr_status open_and_look(void *user)
{
    hrr_charge charge;
    hrr_graph *const *graph = user;
    const hrr_charge_terms terms = {.graph = *graph, .threads = 1};
    char *stored = NULL;
    hrr_status status = hrr_charge_open(&charge, &terms, NULL, NULL);
    if (status) return status;
    hrr_charge_clear(&charge);
    status = hrr_charge_find_stored(&stored, &terms, NULL, NULL);
    return status == HRR_EINVAL ? HRR_OK : status; /* there is none */
}

static void test_charge__runs_out_of_memory_without_a_trace(void **state)
{
    hrr_graph *graph = small_graph(7);
    setenv("XDG_DATA_HOME", *state, 1);
    assert_true(brutal(open_and_look, &graph) > 3);
    hrr_graph_free(graph);
}

/* ---- through protect ------------------------------------------------------------------------- */

/* What is drawn is what is paid: each kind of budget, and each release again. */
static void test_protect__charges_everything_that_it_draws(void **state)
{
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = usual_options();
    options.eps_labels_nano = HRR_EPS_UNIT / 2;
    options.edges.mechanism = "edgerr";
    options.edges.eps_nano = 2 * HRR_EPS_UNIT;
    options.with_ledger = true;
    options.ledger = in_dir(*state, "ledger.db");
    options.replace = true;
    for (uint64_t times = 1; times <= 2; times++) {
        const hrr_protect_summary made =
            protect_privately(in_dir(*state, "bundle"), graph, &options);
        assert_int_equal(made.ledger_charge, times);
        assert_int_equal(made.spent_in_all.features_nano, times * HRR_EPS_UNIT);
        assert_int_equal(made.spent_in_all.edges_nano, times * 2 * HRR_EPS_UNIT);
        assert_int_equal(made.spent_in_all.labels_nano, times * HRR_EPS_UNIT / 2);
        assert_false(made.spent_in_all.unbounded);
    }
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_protect__charges_everything_that_it_draws),
        WITH_SCRATCH(test_charge__a_release_is_charged_and_found_again),
        WITH_SCRATCH(test_charge__is_charged_before_anything_is_drawn),
        WITH_SCRATCH(test_charge__what_is_private_decides_nothing),
        WITH_SCRATCH(test_charge__an_input_that_changed_is_not_released),
        WITH_SCRATCH(test_charge__without_a_ledger_nothing_happens),
        WITH_SCRATCH(test_charge__runs_out_of_memory_without_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
