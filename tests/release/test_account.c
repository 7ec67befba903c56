/* test_account.c: a release is charged before it is drawn, found again, and refused if its input
 * changed. */
#include "release/account.h"
#include "release/releases.h"
#include "support/brutal.h"

static hrr_account_terms usual_terms(const char *ledger, const hrr_graph *graph)
{
    const hrr_protect_options options = usual_options();
    hrr_account_terms terms = {.graph = graph, .ledger = ledger, .threads = 1};
    assert_ok(hrr_account_request(terms.request, graph, false, &options.features, small_features,
                                  NULL, NULL, 0, NULL, NULL));
    return terms;
}

static hrr_account open_account(const char *ledger, const hrr_graph *graph)
{
    hrr_account account;
    const hrr_account_terms terms = usual_terms(ledger, graph);
    assert_ok(hrr_account_open(&account, &terms, NULL, NULL));
    return account;
}

static void test_account__a_release_is_charged_and_found_again(void **state)
{
    const char *ledger = in_dir(*state, "ledger"), *bundle = in_dir(*state, "bundle");
    hrr_graph *graph = small_graph(7);
    const hrr_protect_options options = usual_options();
    const hrr_spend spend = {.features_nano = HRR_EPS_UNIT};
    const hrr_account_terms terms = usual_terms(ledger, graph);
    hrr_error err = {0};
    char *stored;
    assert_int_equal(hrr_account_stored(&stored, &terms, NULL, &err), HRR_EINVAL);
    assert_says(err, "knows no release of");
    assert_null(stored);
    assert_int_equal(count_entries(*state), 0); /* to look makes nothing */
    hrr_account account = open_account(ledger, graph);
    assert_int_equal(account.charge_before, 0);
    assert_ok(hrr_account_charge(&account, &spend, HRR_EPS_UNIT, NULL));
    assert_int_equal(account.entry.number, 1);
    protect(bundle, graph, &options);
    assert_ok(hrr_account_confirm(&account, NULL));
    assert_ok(hrr_account_certified(&account, bundle, NULL, NULL));
    assert_ok(hrr_account_released(&account, bundle, NULL));
    hrr_account_clear(&account);

    assert_ok(hrr_account_stored(&stored, &terms, NULL, NULL));
    assert_string_equal(stored, bundle);
    hrr_free(stored);
    hrr_account_terms other = terms;
    other.name = "patients";
    assert_int_equal(hrr_account_stored(&stored, &other, NULL, &err), HRR_EINVAL);
    assert_says(err, "on account patients");
    account = open_account(ledger, graph);
    assert_int_equal(account.charge_before, 1);
    /* A second draw is refused under the limit. */
    assert_int_equal(hrr_account_charge(&account, &spend, HRR_EPS_UNIT, &err), HRR_EBUDGET);
    assert_says(err, "spent 1 + requested 1 > limit 1");
    hrr_account_clear(&account);
    /* A certificate that is not what it was is no stored release; nor is one that is gone. Neither
     * is drawn again unasked. */
    write_text(in_dir(bundle, "certificate.json"), "{}");
    assert_int_equal(hrr_account_stored(&stored, &terms, NULL, &err), HRR_EINVAL);
    assert_says(err, "gone or changed");
    assert_null(stored);
    remove(in_dir(bundle, "certificate.json"));
    assert_int_equal(hrr_account_stored(&stored, &terms, NULL, NULL), HRR_EINVAL);
    assert_null(stored);
    hrr_graph_free(graph);
}

/* Another version of the private data: nothing that the ledger says or does is different. */
static void test_account__what_is_private_decides_nothing(void **state)
{
    const char *ledger = in_dir(*state, "ledger"), *bundle = in_dir(*state, "bundle");
    hrr_graph *graph = small_graph(7), *same = small_graph(7), *changed = small_graph(7);
    const hrr_protect_options options = usual_options();
    const hrr_spend spend = {.features_nano = HRR_EPS_UNIT};
    hrr_account account = open_account(ledger, graph);
    assert_ok(hrr_account_charge(&account, &spend, 0, NULL));
    protect(bundle, graph, &options);
    assert_ok(hrr_account_certified(&account, bundle, NULL, NULL));
    assert_ok(hrr_account_released(&account, bundle, NULL));
    hrr_account_clear(&account);
    ((float *)hrr_graph_features(changed)->data)[4] += .25f;
    const hrr_graph *versions[] = {same, changed};
    for (int i = 0; i < 2; i++) {
        hrr_spend spent;
        char *stored;
        account = open_account(ledger, versions[i]);
        assert_int_equal(account.charge_before, 1);
        assert_ok(hrr_account_spent(&spent, &account, NULL));
        assert_int_equal(spent.features_nano, HRR_EPS_UNIT);
        assert_int_equal(hrr_account_charge(&account, &spend, HRR_EPS_UNIT, NULL), HRR_EBUDGET);
        assert_ok(hrr_account_stored(&stored, &account.terms, NULL, NULL));
        assert_string_equal(stored, bundle);
        hrr_free(stored);
        hrr_account_clear(&account);
    }
    hrr_graph_free(graph);
    hrr_graph_free(same);
    hrr_graph_free(changed);
}

static void test_account__an_input_that_changed_is_not_released(void **state)
{
    hrr_graph *graph = small_graph(7);
    const hrr_spend spend = {.features_nano = HRR_EPS_UNIT};
    hrr_account account = open_account(in_dir(*state, "ledger"), graph);
    assert_ok(hrr_account_charge(&account, &spend, 0, NULL));
    ((float *)hrr_graph_features(graph)->data)[4] += .25f;
    hrr_error err = {0};
    assert_int_equal(hrr_account_confirm(&account, &err), HRR_EDATA);
    assert_says(err, "changed while it was protected");
    hrr_account_clear(&account);
    hrr_graph_free(graph);
}

static void test_account__without_a_ledger_nothing_happens(void **state)
{
    hrr_account account = {0};
    const hrr_spend spend = {.features_nano = HRR_EPS_UNIT};
    hrr_spend spent = spend;
    assert_ok(hrr_account_charge(&account, &spend, 1, NULL));
    assert_ok(hrr_account_spent(&spent, &account, NULL));
    assert_int_equal(spent.features_nano, 0);
    assert_ok(hrr_account_confirm(&account, NULL));
    assert_ok(hrr_account_certified(&account, *state, NULL, NULL));
    assert_ok(hrr_account_released(&account, *state, NULL));
    hrr_account_clear(&account);
}

/* Asked when features and labels are drawn: is the charge on the disk? */
static hrr_status look_for_charge(uint32_t *blocks, uint32_t *need, const hrr_shown *shown,
                                  void *ledger, int threads, hrr_progress *progress, hrr_error *err)
{
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

static void test_account__is_charged_before_anything_is_drawn(void **state)
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

/* Each option by itself makes another request. */
static void test_account__every_option_is_part_of_the_request(void **state)
{
    (void)state;
    const double reals[] = {.25, .5, 1}, more[] = {.25, .5, 2};
    float values[] = {1, 0, 0};
    const hrr_dense directions = {.dtype = HRR_F32, .rows = 1, .cols = 3, .data = values};
    enum { n_variants = 31 };
    hrr_feature_options f[n_variants];
    hrr_edge_options e[n_variants];
    uint64_t others[n_variants][2] = {0}, n_features[n_variants];
    for (int i = 0; i < n_variants; i++) {
        hrr_feature_options_init(&f[i]);
        hrr_edge_options_init(&e[i]);
        n_features[i] = 3;
    }
    f[1].mechanism = "laplace";
    f[2].eps_nano++;
    f[3].delta = 1e-9;
    f[4].n_bins = 7;
    f[5].decoding = HRR_DECODE_BINS;
    f[6].n_sampled = 2;
    f[7].theta = reals;
    f[8].lo = reals;
    f[9].hi = reals;
    f[10].theta = more;
    f[11].directions = &directions;
    n_features[12] = 4;
    e[13].mechanism = "none";
    e[14].eps_nano++;
    e[15].tree = "barker";
    e[16].tree_share = .125;
    e[17].steps_per_node++;
    e[18].public_seed++;
    others[19][1] = 1;
    const uint32_t blocks[] = {0, 1, 1, 0, 2, 2}, other_blocks[] = {0, 1, 1, 0, 2, 1};
    e[20].count_ends = 1;
    e[21].sample_edges = true;
    for (int i = 22; i < 25; i++)
        e[i].n_blocks = 3;
    e[23].blocks = blocks;
    e[24].blocks = other_blocks;
    e[28].count_ends = e[29].count_ends = e[30].count_ends = HRR_ENDS_NEEDED;
    e[29].need = blocks;
    e[30].need = other_blocks;
    const hrr_block_maker makers[] = {{.name = "one"}, {.name = "other"}, {"other", .version = 1}};
    const hrr_block_maker *maker[n_variants] = {NULL};
    for (int i = 25; i < 28; i++)
        maker[i] = &makers[i - 25];
    uint8_t request[n_variants][HRR_FINGERPRINT_SIZE], again[HRR_FINGERPRINT_SIZE];
    hrr_graph *graph = small_graph(7);
    for (int i = 0; i < n_variants; i++) {
        assert_ok(hrr_account_request(request[i], graph, false, &f[i], n_features[i], &e[i],
                                      others[i], 2, maker[i], NULL));
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(request[i], request[j], HRR_FINGERPRINT_SIZE);
    }
    e[0].threads = 7; /* changes nothing in a release */
    assert_ok(hrr_account_request(again, graph, false, &f[0], 3, &e[0], others[0], 2, NULL, NULL));
    assert_memory_equal(again, request[0], HRR_FINGERPRINT_SIZE);
    hrr_graph_free(graph);
}

/* The edges 0-1, 1-2 and 2-3 of four nodes, with these marks. */
static hrr_graph *marked_path(uint64_t n_edges, const uint8_t *marks)
{
    static const uint32_t pairs[] = {0, 1, 1, 2, 2, 3};
    return graph_of(4, n_edges, pairs, marks);
}

static void request_of(uint8_t request[HRR_FINGERPRINT_SIZE], const hrr_graph *graph,
                       bool every_edge)
{
    assert_ok(hrr_account_request(request, graph, every_edge, NULL, 0, NULL, NULL, 0, NULL, NULL));
}

/* Of the graph, what is public makes another request, and nothing else does. */
static void test_account__public_parts_are_part_of_the_request(void **state)
{
    (void)state;
    const uint8_t last[] = {0, 0, 1}, last_two[] = {0, 1, 1};
    uint8_t request[6][HRR_FINGERPRINT_SIZE];
    hrr_graph *with = marked_path(3, last), *without = marked_path(2, last);
    hrr_graph *less_public = marked_path(3, last_two);
    request_of(request[0], with, false);
    request_of(request[1], without, false);
    assert_memory_equal(request[0], request[1], HRR_FINGERPRINT_SIZE);
    request_of(request[1], less_public, false);
    request_of(request[2], with, true);
    request_of(request[5], without, true); /* every edge is a secret */
    assert_memory_equal(request[2], request[5], HRR_FINGERPRINT_SIZE);
    uint8_t *split = calloc(4, 1), *candidates = malloc(4);
    memset(candidates, 1, 4);
    assert_ok(hrr_graph_take_split(with, &split, NULL));
    request_of(request[3], with, false);
    assert_ok(hrr_graph_take_candidates(with, &candidates, NULL));
    request_of(request[4], with, false);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(request[i], request[j], HRR_FINGERPRINT_SIZE);
    hrr_graph_free(with);
    hrr_graph_free(without);
    hrr_graph_free(less_public);
}

static hrr_status open_and_look(void *user)
{
    hrr_account account;
    hrr_graph *const *graph = user;
    const hrr_account_terms terms = {.graph = *graph, .threads = 1};
    char *stored = NULL;
    hrr_status status = hrr_account_open(&account, &terms, NULL, NULL);
    if (status) return status;
    hrr_account_clear(&account);
    status = hrr_account_stored(&stored, &terms, NULL, NULL);
    return status == HRR_EINVAL ? HRR_OK : status; /* there is none */
}

static void test_account__runs_out_of_memory_without_a_trace(void **state)
{
    hrr_graph *graph = small_graph(7);
    setenv("XDG_DATA_HOME", *state, 1);
    assert_true(brutal(open_and_look, &graph) > 3);
    hrr_graph_free(graph);
}

#define ACCOUNT_TEST(name) cmocka_unit_test_setup_teardown(name, scratch_setup, scratch_teardown)

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
        ACCOUNT_TEST(test_account__a_release_is_charged_and_found_again),
        ACCOUNT_TEST(test_account__is_charged_before_anything_is_drawn),
        ACCOUNT_TEST(test_account__what_is_private_decides_nothing),
        ACCOUNT_TEST(test_account__an_input_that_changed_is_not_released),
        ACCOUNT_TEST(test_account__without_a_ledger_nothing_happens),
        ACCOUNT_TEST(test_account__every_option_is_part_of_the_request),
        ACCOUNT_TEST(test_account__public_parts_are_part_of_the_request),
        ACCOUNT_TEST(test_account__runs_out_of_memory_without_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
