/* test_figures.c: numbers as people read them: one thing is one, and units fit. */
#include "cli/figures.h"

#include "support/check.h"

static void test_count__one_is_singular(void **state)
{
    (void)state;
    assert_string_equal(cli_count(0, "edge", "edges").text, "0 edges");
    assert_string_equal(cli_count(1, "edge", "edges").text, "1 edge");
    assert_string_equal(cli_count(2, "class", "classes").text, "2 classes");
    assert_string_equal(cli_count(1234567, "setting that spends", "settings that spend").text,
                        "1,234,567 settings that spend");
    assert_string_equal(cli_count(UINT64_MAX, "x", "x").text, "18,446,744,073,709,551,615 x");
}

static void test_duration__has_a_unit_that_fits(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } rows[] = {{0, "0.00 ms"},     {.0012345, "1.23 ms"}, {.0099949, "9.99 ms"},
                {.0999, "99.9 ms"}, {.9994, "999 ms"},     {.9996, "1.0 s"},
                {1.02, "1.0 s"},    {99.4, "99.4 s"},      {99.6, "2 min"},
                {720, "12 min"},    {5399, "90 min"},      {11520, "3.2 h"},
                {360000, "100.0 h"}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        assert_string_equal(cli_duration(rows[r].seconds).text, rows[r].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_count__one_is_singular),
        cmocka_unit_test(test_duration__has_a_unit_that_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
