/* Who may ask, how fast and how much. */
#include "serve/tokens.h"
#include "support/brutal.h"
#include "support/check.h"

#include <math.h>

/* SHA-256 of "alpha" and "beta". */
#define ALPHA "8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8"
#define BETA "f44e64e75f3948e9f73f8dfa94721c4ce8cbb4f265c4790c702b2d41cfbf2753"

static void test_tokens__are_known_by_their_hash(void **state)
{
    (void)state;
    hrr_tokens tokens;
    hrr_accounts accounts;
    hrr_accounts_init(&accounts);
    assert_ok(hrr_tokens_init(&tokens,
                              "# who\n\nann " ALPHA " rate=2 limit=10\n  bob\t" BETA "\r\n", 5,
                              &accounts, NULL));
    assert_int_equal(tokens.n_callers, 2);
    assert_string_equal(hrr_tokens_find(&tokens, "alpha")->name, "ann");
    assert_string_equal(hrr_tokens_find(&tokens, "beta")->name, "bob");
    assert_true(hrr_tokens_find(&tokens, "alpha")->rate == 2);
    assert_true(hrr_tokens_find(&tokens, "beta")->rate == 5);
    assert_null(hrr_tokens_find(&tokens, "gamma"));
    assert_null(hrr_tokens_find(&tokens, ""));
    assert_null(hrr_tokens_find(&tokens, NULL));
    assert_null(hrr_tokens_find(&tokens, ALPHA)); /* the hash is no token */
    hrr_tokens_clear(&tokens);
    hrr_accounts_clear(&accounts);
}

static void test_tokens__nobody_is_missing_without_a_file(void **state)
{
    (void)state;
    hrr_tokens tokens;
    hrr_accounts accounts;
    hrr_accounts_init(&accounts);
    assert_ok(hrr_tokens_init(&tokens, NULL, 0, &accounts, NULL));
    assert_non_null(hrr_tokens_find(&tokens, NULL));
    hrr_tokens_clear(&tokens);
    hrr_accounts_clear(&accounts);
}

static void test_tokens__wrong_lines_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "has no token"},
        {"# nobody\n", "has no token"},
        {"ann\n", "line 1"},
        {"\nann alpha\n", "line 2"},
        {"ann " ALPHA "0\n", "64 hexadecimal digits"},
        {"ann g" ALPHA "\n", "64 hexadecimal digits"},
        {"a\"b " ALPHA "\n", "letters, digits"},
        {"ann " ALPHA " rate=-1\n", "rate="},
        {"ann " ALPHA " rate=nan\n", "rate="},
        {"ann " ALPHA " rate=0\n", "rate="}, /* nothing, or as much as one likes? */
        {"ann " ALPHA " rate=\n", "rate="},
        {"ann " ALPHA " limit=-1\n", "limit="},
        {"ann " ALPHA " limit=0\n", "limit="},
        {"ann " ALPHA " speed=1\n", "'speed=1'"},
        {"ann " ALPHA " metrics=mine\n", "metrics=all"},
        {"ann " ALPHA "\nann " BETA "\n", "line 2"},
        {"ann " ALPHA "\nbob " ALPHA "\n", "line 2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        hrr_tokens tokens;
        hrr_accounts accounts;
        hrr_error err = {0};
        hrr_accounts_init(&accounts);
        assert_int_equal(hrr_tokens_init(&tokens, bad[i].text, 0, &accounts, &err), HRR_EDATA);
        assert_says(err, bad[i].says);
        hrr_accounts_clear(&accounts);
    }
}

static void test_callers__wait_for_their_rate(void **state)
{
    (void)state;
    hrr_tokens tokens;
    hrr_accounts accounts;
    double wait;
    hrr_accounts_init(&accounts);
    assert_ok(hrr_tokens_init(&tokens, "ann " ALPHA " rate=2\n", 0, &accounts, NULL));
    const hrr_caller *ann = hrr_tokens_find(&tokens, "alpha");
    assert_true(hrr_caller_may_ask(&tokens, ann, 100, &wait));
    assert_true(hrr_caller_may_ask(&tokens, ann, 100, &wait));
    assert_false(hrr_caller_may_ask(&tokens, ann, 100, &wait));
    assert_true(fabs(wait - .5) < 1e-9);
    assert_false(hrr_caller_may_ask(&tokens, ann, 100.25, &wait));
    assert_true(fabs(wait - .25) < 1e-9);
    assert_true(hrr_caller_may_ask(&tokens, ann, 100.5, &wait));
    /* Who was quiet for long may not ask at once for all that time. */
    assert_true(hrr_caller_may_ask(&tokens, ann, 1000, &wait));
    assert_true(hrr_caller_may_ask(&tokens, ann, 1000, &wait));
    assert_false(hrr_caller_may_ask(&tokens, ann, 1000, &wait));
    assert_int_equal(ann->account->requests, 5);
    assert_int_equal(ann->account->refused, 3);
    hrr_tokens_clear(&tokens);
    hrr_accounts_clear(&accounts);
}

static void test_callers__are_told_no_more_than_their_limit(void **state)
{
    (void)state;
    hrr_tokens tokens;
    hrr_accounts accounts;
    double wait;
    hrr_accounts_init(&accounts);
    assert_ok(hrr_tokens_init(&tokens, "ann " ALPHA " limit=5\n", 0, &accounts, NULL));
    const hrr_caller *ann = hrr_tokens_find(&tokens, "alpha");
    assert_true(hrr_caller_take(&tokens, ann, 3));
    assert_false(hrr_caller_take(&tokens, ann, 3));
    assert_false(hrr_caller_take(&tokens, ann, UINT64_MAX));
    assert_true(hrr_caller_may_ask(&tokens, ann, 0, &wait));
    assert_true(hrr_caller_take(&tokens, ann, 2));
    assert_false(hrr_caller_may_ask(&tokens, ann, 0, &wait));
    assert_true(wait < 0);
    assert_int_equal(ann->account->nodes, 5);
    hrr_tokens_clear(&tokens);
    hrr_accounts_clear(&accounts);
}

/* Requests that began before a reload are answered with the file as it was. */
static void test_callers__spend_their_limit_once_across_a_reload(void **state)
{
    (void)state;
    static const char text[] = "ann " ALPHA " limit=5\n", less[] = "ann " BETA " limit=2\n";
    hrr_accounts accounts;
    hrr_tokens before, after, later;
    double wait;
    hrr_accounts_init(&accounts);
    assert_ok(hrr_tokens_init(&before, text, 0, &accounts, NULL));
    assert_true(hrr_caller_take(&before, hrr_tokens_find(&before, "alpha"), 1));
    assert_ok(hrr_tokens_init(&after, text, 0, &accounts, NULL));
    assert_true(hrr_caller_take(&before, hrr_tokens_find(&before, "alpha"), 2));
    assert_false(hrr_caller_take(&after, hrr_tokens_find(&after, "alpha"), 3));
    assert_true(hrr_caller_take(&after, hrr_tokens_find(&after, "alpha"), 2));
    assert_false(hrr_caller_take(&before, hrr_tokens_find(&before, "alpha"), 1));
    hrr_tokens_clear(&before);
    /* The limit of a name, whatever its token is now; it may be less than was told already. */
    assert_ok(hrr_tokens_init(&later, less, 0, &accounts, NULL));
    assert_false(hrr_caller_take(&later, hrr_tokens_find(&later, "beta"), 1));
    assert_false(hrr_caller_may_ask(&later, hrr_tokens_find(&later, "beta"), 0, &wait));
    hrr_tokens_clear(&after);
    hrr_tokens_clear(&later);
    hrr_accounts_clear(&accounts);
}

static hrr_status init_once(void *user)
{
    hrr_tokens tokens;
    hrr_accounts accounts;
    (void)user;
    hrr_accounts_init(&accounts);
    const hrr_status status = hrr_tokens_init(&tokens, "ann " ALPHA "\n", 0, &accounts, NULL);
    if (!status) hrr_tokens_clear(&tokens);
    hrr_accounts_clear(&accounts);
    return status;
}

static void test_tokens__survive_want_of_memory(void **state)
{
    (void)state;
    brutal(init_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens__are_known_by_their_hash),
        cmocka_unit_test(test_tokens__nobody_is_missing_without_a_file),
        cmocka_unit_test(test_tokens__wrong_lines_are_named),
        cmocka_unit_test(test_callers__wait_for_their_rate),
        cmocka_unit_test(test_callers__are_told_no_more_than_their_limit),
        cmocka_unit_test(test_callers__spend_their_limit_once_across_a_reload),
        cmocka_unit_test(test_tokens__survive_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
