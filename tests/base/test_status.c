#include "support/check.h"

static void test_status__fail_records_and_returns(void **state)
{
    (void)state;
    hrr_error err = {0};
    assert_int_equal(hrr_fail(&err, HRR_EDATA, "row %d", 7), HRR_EDATA);
    assert_int_equal(err.status, HRR_EDATA);
    assert_string_equal(err.message, "row 7");
    assert_int_equal(hrr_fail(NULL, HRR_EIO, "nobody listens"), HRR_EIO);
}

static void test_status__fail_records_the_first_field(void **state)
{
    static const struct {
        const char *message, *field;
    } cases[] = {
        {"`homophily` must lie between 0 and 1", "homophily"},
        {"leave `edges.tree_share` out or choose another `edges.tree`", "edges.tree_share"},
        {"row 7 is empty", ""},
        {"g`/`: `n_nodes` is 0", "n_nodes"}, /* a path, not a name */
        {"``, ` `, `N`, `a", ""},
        {"`a23456789_123456789_123456789_123456789_123456789_123456789_123`",
         "a23456789_123456789_123456789_123456789_123456789_123456789_123"},
        {"`a23456789_123456789_123456789_123456789_123456789_123456789_1234`", ""},
    };
    (void)state;
    hrr_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hrr_fail(&err, HRR_EINVAL, "%s", cases[i].message);
        assert_string_equal(err.field, cases[i].field);
    }
}

static void test_status__long_messages_are_cut_not_overrun(void **state)
{
    (void)state;
    struct {
        hrr_error err;
        char guard;
    } box = {.guard = 42};
    char text[3 * HRR_ERROR_SIZE];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    hrr_fail(&box.err, HRR_EDATA, "%s", text);
    assert_int_equal(strlen(box.err.message), HRR_ERROR_SIZE - 1);
    assert_int_equal(box.guard, 42);
}

static void test_status__every_status_has_its_own_name(void **state)
{
    (void)state;
    for (int a = HRR_OK; a <= HRR_ERANKS; a++) {
        assert_string_not_equal(hrr_status_name((hrr_status)a), "unknown");
        for (int b = HRR_OK; b < a; b++)
            assert_string_not_equal(hrr_status_name((hrr_status)a), hrr_status_name((hrr_status)b));
    }
    assert_string_equal(hrr_status_name((hrr_status)99), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_status__fail_records_and_returns),
        cmocka_unit_test(test_status__fail_records_the_first_field),
        cmocka_unit_test(test_status__long_messages_are_cut_not_overrun),
        cmocka_unit_test(test_status__every_status_has_its_own_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
