/* test_ledger.c: what a ledger keeps, what it refuses, and what it remembers. */
#include "privacy/ledgers.h"
#include "privacy/charge.h"
#include "support/brutal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char sha_a[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
static const char sha_b[] = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

static void test_ledger__charges_add_up_for_each_secret(void **state)
{
    hrr_ledger *ledger = ledger_at(in_dir(*state, "l"));
    hrr_ledger_entry entry;
    hrr_fingerprint input = input_of(1), same_features = input_of(2);
    memcpy(same_features.features, input.features, sizeof input.features);
    hrr_spend spend = spend_of(1, 2, 3), spent;
    assert_ok(hrr_ledger_charge(&entry, ledger, &input, NULL, &spend, any_request, "g", 0, NULL));
    assert_int_equal(entry.number, 1);
    spend = spend_of(4, 5, 6);
    spend.delta = 1e-6;
    assert_ok(
        hrr_ledger_charge(&entry, ledger, &same_features, NULL, &spend, any_request, "h", 0, NULL));
    assert_int_equal(entry.number, 2);

    /* The features were drawn twice, the edges and labels of each input once. */
    assert_ok(hrr_ledger_spent(&spent, ledger, &input, NULL, NULL));
    assert_int_equal(spent.features_nano, 5 * HRR_EPS_UNIT);
    assert_int_equal(spent.edges_nano, 2 * HRR_EPS_UNIT);
    assert_int_equal(spent.labels_nano, 3 * HRR_EPS_UNIT);
    assert_true(spent.delta == 1e-6);
    assert_ok(hrr_ledger_spent(&spent, ledger, &same_features, NULL, NULL));
    assert_int_equal(spent.features_nano, 5 * HRR_EPS_UNIT);
    assert_int_equal(spent.edges_nano, 5 * HRR_EPS_UNIT);
    input = input_of(3);
    assert_ok(hrr_ledger_spent(&spent, ledger, &input, NULL, NULL));
    assert_int_equal(spent.features_nano + spent.edges_nano + spent.labels_nano, 0);
    hrr_ledger_free(ledger);
}

static void test_ledger__the_limit_is_on_the_sum_and_the_refusal_shows_it(void **state)
{
    hrr_ledger *ledger = ledger_at(in_dir(*state, "l"));
    hrr_ledger_entry entry;
    hrr_error err = {0};
    const hrr_fingerprint input = input_of(1);
    hrr_spend spend = spend_of(1, 1, 0);
    spend.edges_nano = HRR_EPS_UNIT / 2;
    const uint64_t limit = 3 * HRR_EPS_UNIT;
    assert_ok(
        hrr_ledger_charge(&entry, ledger, &input, NULL, &spend, any_request, "g", limit, NULL));
    /* 1.5 + 1.5 is the limit and allowed; one more unit of 1e-9 is not. */
    assert_int_equal(
        hrr_ledger_charge(&entry, ledger, &input, NULL, &spend, any_request, "g", limit - 1, &err),
        HRR_EBUDGET);
    assert_says(err, "spent 1.5 + requested 1.5 > limit 2.999999999");
    assert_says(err, "features 1, edges 0.5, labels 0");
    assert_ok(
        hrr_ledger_charge(&entry, ledger, &input, NULL, &spend, any_request, "g", limit, NULL));
    assert_int_equal(entry.number, 2); /* the refusal left no entry */
    /* Another input has a budget of its own. */
    assert_ok(charge_one(ledger, 2, 1, &entry, NULL));
    hrr_ledger_free(ledger);
}

static void test_ledger__what_has_no_bound_passes_no_limit(void **state)
{
    hrr_ledger *ledger = ledger_at(in_dir(*state, "l"));
    hrr_ledger_entry entry;
    hrr_error err = {0};
    const hrr_fingerprint input = input_of(1);
    const hrr_spend spend = {.unbounded = true};
    const uint64_t limit = 20 * HRR_EPS_UNIT;
    assert_int_equal(
        hrr_ledger_charge(&entry, ledger, &input, NULL, &spend, any_request, "g", limit, &err),
        HRR_EBUDGET);
    assert_says(err, "this release is NOT PRIVATE");
    assert_ok(hrr_ledger_charge(&entry, ledger, &input, NULL, &spend, any_request, "g", 0, NULL));
    assert_int_equal(charge_one(ledger, 1, 20, &entry, &err), HRR_EBUDGET);
    assert_says(err, "a release that is NOT PRIVATE was charged before");
    hrr_ledger_free(ledger);
}

static void test_ledger__an_impossible_charge_is_refused(void **state)
{
    hrr_ledger *ledger = ledger_at(in_dir(*state, "l"));
    hrr_ledger_entry entry;
    const hrr_fingerprint input = input_of(1);
    const hrr_spend bad[] = {{.features_nano = HRR_EPS_MAX + 1},
                             {.edges_nano = UINT64_MAX},
                             {.labels_nano = HRR_EPS_MAX + 1},
                             {.delta = -1},
                             {.delta = 1},
                             {.delta = (double)NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(
            hrr_ledger_charge(&entry, ledger, &input, NULL, &bad[i], any_request, "g", 0, NULL),
            HRR_EINVAL);
    hrr_ledger_free(ledger);
}

/* The bundle that is found for a request; "": none. */
static const char *found(hrr_ledger *ledger, uint8_t number, const char *account,
                         const uint8_t request[HRR_FINGERPRINT_SIZE])
{
    static char bundle[256];
    const hrr_fingerprint input = input_of(number);
    hrr_ledger_release release;
    assert_ok(hrr_ledger_find_release(&release, ledger, input.graph, account, request, NULL));
    assert_int_equal(release.charge == 0, release.bundle == NULL);
    snprintf(bundle, sizeof bundle, "%s", release.bundle ? release.bundle : "");
    hrr_ledger_release_clear(&release);
    return bundle;
}

static void test_ledger__the_newest_release_of_the_same_request_is_found(void **state)
{
    hrr_ledger *ledger = ledger_at(in_dir(*state, "l"));
    hrr_ledger_entry entry;
    const uint8_t other_request[HRR_FINGERPRINT_SIZE] = "another";
    assert_ok(charge_one(ledger, 1, 0, &entry, NULL));
    assert_string_equal(found(ledger, 1, NULL, any_request), ""); /* charged is not released */
    assert_ok(hrr_ledger_released(ledger, &entry, *state, sha_a, NULL));
    assert_string_equal(found(ledger, 1, NULL, any_request), *state);

    assert_ok(charge_one(ledger, 1, 0, &entry, NULL));
    assert_ok(hrr_ledger_released(ledger, &entry, "/new", sha_b, NULL));
    assert_ok(charge_one(ledger, 1, 0, &entry, NULL)); /* interrupted */
    assert_string_equal(found(ledger, 1, NULL, any_request), "/new");
    assert_string_equal(found(ledger, 2, NULL, any_request), "");
    assert_string_equal(found(ledger, 1, NULL, other_request), "");
    assert_string_equal(found(ledger, 1, "patients", any_request), "");
    hrr_ledger_free(ledger);
}

/* What is secret has no part in it: the data may be what it was, or not. */
static void test_ledger__a_release_is_found_by_what_is_public(void **state)
{
    hrr_ledger *ledger = ledger_at(in_dir(*state, "l"));
    hrr_ledger_entry entry;
    hrr_fingerprint input = input_of(2);
    const hrr_spend spend = spend_of(1, 0, 0);
    memset(input.graph, 1, sizeof input.graph);
    assert_ok(
        hrr_ledger_charge(&entry, ledger, &input, "patients", &spend, any_request, "g", 0, NULL));
    assert_ok(hrr_ledger_released(ledger, &entry, "/b", sha_a, NULL));
    assert_string_equal(found(ledger, 1, "patients", any_request), "/b");
    assert_string_equal(found(ledger, 1, NULL, any_request), "");
    assert_string_equal(found(ledger, 2, "patients", any_request), ""); /* the same secrets */
    hrr_ledger_free(ledger);
}

static uint64_t spent_on(hrr_ledger *ledger, const hrr_fingerprint *input, const char *account)
{
    hrr_spend spent;
    assert_ok(hrr_ledger_spent(&spent, ledger, input, account, NULL));
    return spent.features_nano / HRR_EPS_UNIT + 100 * (spent.edges_nano / HRR_EPS_UNIT) +
           10000 * (spent.labels_nano / HRR_EPS_UNIT);
}

static void test_ledger__an_account_adds_up_whatever_the_data(void **state)
{
    hrr_ledger *ledger = ledger_at(in_dir(*state, "l"));
    hrr_ledger_entry entry;
    hrr_error err = {0};
    const hrr_fingerprint january = input_of(1), february = input_of(2), march = input_of(3);
    const hrr_spend spend = spend_of(1, 2, 3);
    const uint64_t limit = 12 * HRR_EPS_UNIT;
    assert_ok(hrr_ledger_charge(&entry, ledger, &january, "ward-7", &spend, any_request, "g", limit,
                                NULL));
    assert_ok(hrr_ledger_charge(&entry, ledger, &february, "ward-7", &spend, any_request, "g",
                                limit, NULL));
    assert_int_equal(spent_on(ledger, &march, "ward-7"), 60402);
    assert_int_equal(spent_on(ledger, &march, "ward-8"), 0);
    assert_int_equal(spent_on(ledger, &march, NULL), 0);
    assert_int_equal(spent_on(ledger, &january, NULL), 30201);
    assert_int_equal(
        hrr_ledger_charge(&entry, ledger, &march, "ward-7", &spend, any_request, "g", limit, &err),
        HRR_EBUDGET);
    assert_says(err,
                "the budget of account ward-7 does not allow this release: spent 12 + requested 6");
    assert_ok(
        hrr_ledger_charge(&entry, ledger, &march, "ward-8", &spend, any_request, "g", limit, NULL));
    /* What was charged to another account, or to none, for the same data counts too, once. */
    assert_int_equal(spent_on(ledger, &january, "ward-8"), 60402);
    assert_int_equal(spent_on(ledger, &january, "ward-7"), 60402);

    hrr_ledger_list list;
    assert_ok(hrr_ledger_read(&list, ledger, NULL));
    assert_string_equal(list.rows[0].account, "ward-7");
    assert_int_equal(hrr_ledger_list_spent(&list, NULL, "ward-7").edges_nano, 4 * HRR_EPS_UNIT);
    assert_int_equal(hrr_ledger_list_spent(&list, NULL, NULL).edges_nano, 0);
    hrr_ledger_list_clear(&list);
    hrr_ledger_free(ledger);
}

static void test_ledger__an_account_has_a_plain_name(void **state)
{
    const char *good[] = {"a", "ward-7", "2024/study:3.b_c"};
    const char *bad[] = {"",
                         "-a",
                         ".a",
                         "two words",
                         "caf\xc3\xa9",
                         "a\n",
                         "a\"b",
                         "a,b",
                         "0123456789012345678901234567890123456789"
                         "012345678901234567890123"};
    hrr_ledger *ledger = ledger_at(in_dir(*state, "l"));
    hrr_ledger_entry entry;
    const hrr_fingerprint input = input_of(1);
    const hrr_spend spend = spend_of(1, 0, 0);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_ok(hrr_account_name_check(good[i], NULL));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(hrr_account_name_check(bad[i], NULL), HRR_EINVAL);
    assert_int_equal(
        hrr_ledger_charge(&entry, ledger, &input, "two words", &spend, any_request, "g", 0, NULL),
        HRR_EINVAL);
    hrr_ledger_free(ledger);
}

/* Six names, each of its own. */
static hrr_fingerprint names_from(uint8_t first)
{
    hrr_fingerprint input;
    uint8_t *name = (uint8_t *)&input;
    for (size_t i = 0; i < sizeof input; i++)
        name[i] = (uint8_t)(first + i / HRR_FINGERPRINT_SIZE);
    return input;
}

/* Each input has two names for its features and two for its edges; sharing any is enough, and no
 * other name is the same. */
static void test_ledger__a_secret_is_known_by_any_of_its_names(void **state)
{
    hrr_ledger *ledger = ledger_at(in_dir(*state, "l"));
    hrr_ledger_entry entry;
    enum { n_names = sizeof(hrr_fingerprint) / HRR_FINGERPRINT_SIZE };
    enum { graph, features, clipped, edges, pairs, labels }; /* in the order of hrr_fingerprint */
    static const uint64_t spent[n_names][n_names] = {
        [graph] = {[graph] = 10101},
        [features] = {[features] = 1, [clipped] = 1},
        [clipped] = {[features] = 1, [clipped] = 1},
        [edges] = {[edges] = 100, [pairs] = 100},
        [pairs] = {[edges] = 100, [pairs] = 100},
        [labels] = {[labels] = 10000},
    };
    const hrr_fingerprint charged = names_from(1);
    const hrr_spend spend = spend_of(1, 1, 1);
    assert_ok(hrr_ledger_charge(&entry, ledger, &charged, NULL, &spend, any_request, "g", 0, NULL));
    for (size_t i = 0; i < n_names; i++)
        for (size_t j = 0; j < n_names; j++) {
            hrr_fingerprint input = names_from(101);
            memcpy((char *)&input + i * HRR_FINGERPRINT_SIZE,
                   (const char *)&charged + j * HRR_FINGERPRINT_SIZE, HRR_FINGERPRINT_SIZE);
            assert_int_equal(spent_on(ledger, &input, NULL), spent[i][j]);
        }
    /* What a graph does not have is nobody's secret. */
    const hrr_fingerprint none = {0};
    assert_ok(hrr_ledger_charge(&entry, ledger, &none, NULL, &spend, any_request, "g", 0, NULL));
    assert_int_equal(spent_on(ledger, &none, NULL), 0);
    hrr_ledger_free(ledger);
}

static void test_ledger__a_charge_is_released_once(void **state)
{
    hrr_ledger *ledger = ledger_at(in_dir(*state, "l"));
    hrr_ledger_entry entry;
    hrr_error err = {0};
    assert_ok(charge_one(ledger, 1, 0, &entry, NULL));
    assert_int_equal(hrr_ledger_released(ledger, &entry, "/b", "abc", &err), HRR_EINVAL);
    assert_ok(hrr_ledger_released(ledger, &entry, "/b", sha_a, NULL));
    assert_int_equal(hrr_ledger_released(ledger, &entry, "/b", sha_a, &err), HRR_EINVAL);
    assert_says(err, "no open charge 1");
    entry.number = 7;
    assert_int_equal(hrr_ledger_released(ledger, &entry, "/b", sha_a, &err), HRR_EINVAL);
    hrr_ledger_free(ledger);
}

static void test_ledger__is_there_again_with_all_it_held(void **state)
{
    const char *path = in_dir(*state, "l");
    make_ledger(path, 3);
    hrr_ledger *ledger = ledger_at(path);
    hrr_ledger_list list;
    assert_ok(hrr_ledger_read(&list, ledger, NULL));
    assert_int_equal(list.n_rows, 3);
    assert_int_equal(list.rows[0].number, 1);
    assert_int_equal(list.rows[1].number, 3); /* 2 is the release of 1 */
    assert_string_equal(list.rows[0].bundle, "/somewhere/bundle");
    assert_null(list.rows[2].bundle);
    assert_string_equal(list.rows[2].name, "graph");
    assert_true(list.rows[2].time > 1600000000);
    hrr_ledger_list_clear(&list);
    hrr_ledger_free(ledger);
    size_t n;
    bool with_key;
    assert_ok(hrr_ledger_check(&n, &with_key, path, NULL, NULL));
    assert_int_equal(n, 3);
    assert_true(with_key);
}

static void test_ledger__is_for_its_owner_alone(void **state)
{
    struct stat file;
    make_ledger(in_dir(*state, "l"), 1);
    assert_int_equal(stat(in_dir(*state, "l"), &file), 0);
    assert_int_equal(file.st_mode & 0777, 0600);
    assert_int_equal(stat(in_dir(*state, "l.key"), &file), 0);
    assert_int_equal(file.st_mode & 0777, 0600);
    assert_int_equal(count_entries(*state), 2); /* no journal, nothing partial */
}

static void test_ledger__default_path_follows_xdg(void **state)
{
    char *path;
    hrr_error err = {0};
    struct stat there;
    setenv("XDG_DATA_HOME", in_dir(*state, "data"), 1);
    hrr_ledger *ledger = ledger_at(NULL);
    assert_string_equal(hrr_ledger_path(ledger), in_dir(*state, "data/heterorr/ledger.sqlite"));
    hrr_ledger_free(ledger);
    assert_int_equal(stat(in_dir(*state, "data/heterorr"), &there), 0);
    assert_int_equal(there.st_mode & 0777, 0700);

    setenv("XDG_DATA_HOME", "relative", 1);
    setenv("HOME", *state, 1);
    assert_ok(hrr_ledger_default_path(&path, NULL));
    assert_string_equal(path, in_dir(*state, ".local/share/heterorr/ledger.sqlite"));
    hrr_free(path);
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    assert_int_equal(hrr_ledger_default_path(&path, &err), HRR_EINVAL);
    assert_says(err, "`ledger`");
}

/* Two ledgers know the same input by different names, and their links have nothing in common. */
static void test_ledger__ids_and_links_are_its_own(void **state)
{
    hrr_ledger *a = ledger_at(in_dir(*state, "a")), *b = ledger_at(in_dir(*state, "b"));
    hrr_ledger_entry in_a, in_b;
    assert_ok(charge_one(a, 1, 0, &in_a, NULL));
    assert_ok(charge_one(b, 1, 0, &in_b, NULL));
    assert_int_equal(strlen(in_a.ledger_id), 32);
    assert_int_equal(strlen(in_a.link), 64);
    assert_string_not_equal(in_a.ledger_id, in_b.ledger_id);
    assert_string_not_equal(in_a.link, in_b.link);
    hrr_ledger_free(a);
    hrr_ledger_free(b);
}

/* A new ledger each time: a failure behind the charge leaves an entry, and entries need memory. */
static hrr_status open_charge_and_read(void *user)
{
    hrr_ledger *ledger;
    unlink(user);
    char key[4096];
    snprintf(key, sizeof key, "%s.key", (const char *)user);
    unlink(key);
    hrr_ledger_entry entry;
    hrr_ledger_list list;
    hrr_status status = hrr_ledger_open(&ledger, user, NULL, NULL);
    if (status) return status;
    status = charge_one(ledger, 1, 0, &entry, NULL);
    if (!status) status = hrr_ledger_released(ledger, &entry, "/b", sha_a, NULL);
    if (!status) status = hrr_ledger_read(&list, ledger, NULL);
    if (!status) hrr_ledger_list_clear(&list);
    hrr_ledger_free(ledger);
    return status;
}

static void test_ledger__runs_out_of_memory_without_a_trace(void **state)
{
    const char *path = in_dir(*state, "l");
    int tries = brutal(open_charge_and_read, (void *)path);
    assert_true(tries > 5);
    size_t n;
    bool with_key;
    assert_ok(hrr_ledger_check(&n, &with_key, path, NULL, NULL));
    assert_int_equal(n, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_ledger__charges_add_up_for_each_secret),
        WITH_SCRATCH(test_ledger__the_limit_is_on_the_sum_and_the_refusal_shows_it),
        WITH_SCRATCH(test_ledger__what_has_no_bound_passes_no_limit),
        WITH_SCRATCH(test_ledger__an_impossible_charge_is_refused),
        WITH_SCRATCH(test_ledger__the_newest_release_of_the_same_request_is_found),
        WITH_SCRATCH(test_ledger__a_release_is_found_by_what_is_public),
        WITH_SCRATCH(test_ledger__an_account_adds_up_whatever_the_data),
        WITH_SCRATCH(test_ledger__an_account_has_a_plain_name),
        WITH_SCRATCH(test_ledger__a_secret_is_known_by_any_of_its_names),
        WITH_SCRATCH(test_ledger__a_charge_is_released_once),
        WITH_SCRATCH(test_ledger__is_there_again_with_all_it_held),
        WITH_SCRATCH(test_ledger__is_for_its_owner_alone),
        WITH_SCRATCH(test_ledger__default_path_follows_xdg),
        WITH_SCRATCH(test_ledger__ids_and_links_are_its_own),
        WITH_SCRATCH(test_ledger__runs_out_of_memory_without_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
