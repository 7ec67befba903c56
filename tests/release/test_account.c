/* test_account.c: a release is charged before it is drawn, found again, and refused if its input
 * changed. */
#include "release/account.h"
#include "release/releases.h"
#include "support/brutal.h"

static void usual_request(uint8_t request[HRR_FINGERPRINT_SIZE])
{
    const hrr_protect_options options = usual_options();
    assert_ok(
        hrr_account_request(request, &options.features, small_features, NULL, 0, NULL, 0, NULL));
}

static hrr_account open_account(const char *ledger, const hrr_graph *graph)
{
    hrr_account account;
    uint8_t request[HRR_FINGERPRINT_SIZE];
    usual_request(request);
    assert_ok(hrr_account_open(&account, graph, ledger, request, false, 1, NULL, NULL));
    return account;
}

static void test_account__a_release_is_charged_and_found_again(void **state)
{
    const char *ledger = in_dir(*state, "ledger"), *bundle = in_dir(*state, "bundle");
    hrr_graph *graph = small_graph(7);
    const hrr_protect_options options = usual_options();
    const hrr_spend spend = {.features_nano = HRR_EPS_UNIT};
    char *stored;
    hrr_account account = open_account(ledger, graph);
    assert_ok(hrr_account_stored(&stored, &account, NULL, NULL));
    assert_null(stored);
    assert_ok(hrr_account_charge(&account, graph, &spend, HRR_EPS_UNIT, NULL));
    assert_int_equal(account.entry.number, 1);
    protect(bundle, graph, &options);
    assert_ok(hrr_account_confirm(&account, graph, 1, NULL));
    assert_ok(hrr_account_certified(&account, bundle, NULL, NULL));
    assert_ok(hrr_account_released(&account, bundle, NULL));
    hrr_account_clear(&account);

    account = open_account(ledger, graph);
    assert_ok(hrr_account_stored(&stored, &account, NULL, NULL));
    assert_string_equal(stored, bundle);
    hrr_free(stored);
    /* A second draw is refused under the limit. */
    hrr_error err = {0};
    assert_int_equal(hrr_account_charge(&account, graph, &spend, HRR_EPS_UNIT, &err), HRR_EBUDGET);
    assert_says(err, "spent 1 + requested 1 > limit 1");
    /* A certificate that is not what it was is no stored release; nor is one that is gone. Neither
     * is drawn again unasked. */
    char *text = read_file(in_dir(bundle, "certificate.json"), NULL);
    write_text(in_dir(bundle, "certificate.json"), "{}");
    assert_int_equal(hrr_account_stored(&stored, &account, NULL, &err), HRR_EINVAL);
    assert_says(err, "--fresh");
    assert_null(stored);
    remove(in_dir(bundle, "certificate.json"));
    assert_int_equal(hrr_account_stored(&stored, &account, NULL, NULL), HRR_EINVAL);
    assert_null(stored);
    free(text);
    hrr_account_clear(&account);
    hrr_graph_free(graph);
}

static void test_account__an_input_that_changed_is_not_released(void **state)
{
    hrr_graph *graph = small_graph(7);
    const hrr_spend spend = {.features_nano = HRR_EPS_UNIT};
    hrr_account account = open_account(in_dir(*state, "ledger"), graph);
    assert_ok(hrr_account_charge(&account, graph, &spend, 0, NULL));
    ((float *)hrr_graph_features(graph)->data)[4] += .25f;
    hrr_error err = {0};
    assert_int_equal(hrr_account_confirm(&account, graph, 1, &err), HRR_EDATA);
    assert_says(err, "changed while it was protected");
    hrr_account_clear(&account);
    hrr_graph_free(graph);
}

static void test_account__without_a_ledger_nothing_happens(void **state)
{
    hrr_account account = {0};
    hrr_graph *graph = small_graph(7);
    const hrr_spend spend = {.features_nano = HRR_EPS_UNIT};
    char *stored;
    assert_ok(hrr_account_stored(&stored, &account, NULL, NULL));
    assert_null(stored);
    assert_ok(hrr_account_charge(&account, graph, &spend, 1, NULL));
    assert_ok(hrr_account_confirm(&account, graph, 1, NULL));
    assert_ok(hrr_account_certified(&account, *state, NULL, NULL));
    assert_ok(hrr_account_released(&account, *state, NULL));
    hrr_account_clear(&account);
    hrr_graph_free(graph);
}

/* Each option by itself makes another request. */
static void test_account__every_option_is_part_of_the_request(void **state)
{
    (void)state;
    const double reals[] = {.25, .5, 1}, more[] = {.25, .5, 2};
    float values[] = {1, 0, 0};
    const hrr_dense directions = {.dtype = HRR_F32, .rows = 1, .cols = 3, .data = values};
    enum { n_variants = 25 };
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
    uint8_t request[n_variants][HRR_FINGERPRINT_SIZE], again[HRR_FINGERPRINT_SIZE];
    for (int i = 0; i < n_variants; i++) {
        assert_ok(
            hrr_account_request(request[i], &f[i], n_features[i], &e[i], 6, others[i], 2, NULL));
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(request[i], request[j], HRR_FINGERPRINT_SIZE);
    }
    e[0].threads = 7; /* changes nothing in a release */
    assert_ok(hrr_account_request(again, &f[0], 3, &e[0], 6, others[0], 2, NULL));
    assert_memory_equal(again, request[0], HRR_FINGERPRINT_SIZE);
}

static hrr_status open_and_look(void *user)
{
    hrr_account account;
    const uint8_t request[HRR_FINGERPRINT_SIZE] = {0};
    hrr_graph *const *graph = user;
    char *stored = NULL;
    hrr_status status = hrr_account_open(&account, *graph, NULL, request, false, 1, NULL, NULL);
    if (status) return status;
    status = hrr_account_stored(&stored, &account, NULL, NULL);
    hrr_free(stored);
    hrr_account_clear(&account);
    return status;
}

static void test_account__runs_out_of_memory_without_a_trace(void **state)
{
    hrr_graph *graph = small_graph(7);
    setenv("XDG_DATA_HOME", *state, 1);
    assert_true(brutal(open_and_look, &graph) > 3);
    hrr_graph_free(graph);
}

#define ACCOUNT_TEST(name) cmocka_unit_test_setup_teardown(name, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ACCOUNT_TEST(test_account__a_release_is_charged_and_found_again),
        ACCOUNT_TEST(test_account__an_input_that_changed_is_not_released),
        ACCOUNT_TEST(test_account__without_a_ledger_nothing_happens),
        ACCOUNT_TEST(test_account__every_option_is_part_of_the_request),
        ACCOUNT_TEST(test_account__runs_out_of_memory_without_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
