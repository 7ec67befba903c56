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
    for (int a = HRR_OK; a <= HRR_ECHECK; a++) {
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
        cmocka_unit_test(test_status__long_messages_are_cut_not_overrun),
        cmocka_unit_test(test_status__every_status_has_its_own_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
