/* test_names.c: rows by name, whoever's table it is. */
#include "base/names.h"
#include "support/check.h"

static const char *fruit_at(size_t i)
{
    static const char *const names[] = {"apple", "pear", "pea", NULL};
    return names[i];
}

/* More than a message has room for. */
static const char *many_at(size_t i)
{
    return i < 100 ? "a-name-of-some-length" : NULL;
}

static void test_names__a_row_is_found_by_its_whole_name(void **state)
{
    (void)state;
    assert_int_equal(hrr_names_find(fruit_at, "apple"), 0);
    assert_int_equal(hrr_names_find(fruit_at, "pea"), 2);
    assert_int_equal(hrr_names_find(fruit_at, "p"), 3);
    assert_int_equal(hrr_names_find(fruit_at, "pears"), 3);
    assert_int_equal(hrr_names_find(fruit_at, ""), 3);
    assert_int_equal(hrr_names_find(fruit_at, NULL), 3);
}

static void test_names__one_that_is_not_there_is_told_the_choices(void **state)
{
    (void)state;
    hrr_error err = {0};
    size_t row = 77;
    assert_ok(hrr_names_choose(&row, fruit_at, "pear", "fruit", "basket.fruit", &err));
    assert_int_equal(row, 1);
    assert_int_equal(hrr_names_choose(&row, fruit_at, "plum", "fruit", "basket.fruit", &err),
                     HRR_EINVAL);
    assert_string_equal(
        err.message, "there is no fruit \"plum\" (`basket.fruit`); choose one of apple, pear, pea");
    assert_string_equal(err.field, "basket.fruit");
    assert_int_equal(hrr_names_choose(&row, fruit_at, NULL, "fruit", "basket.fruit", &err),
                     HRR_EINVAL);
    assert_says(err, "no fruit \"\"");
}

static void test_names__a_list_that_is_too_long_ends_with_a_whole_name(void **state)
{
    (void)state;
    hrr_error err = {0};
    size_t row;
    assert_int_equal(hrr_names_choose(&row, many_at, "plum", "fruit", "basket.fruit", &err),
                     HRR_EINVAL);
    const size_t length = strlen(err.message), name = strlen("a-name-of-some-length");
    assert_string_equal(err.message + length - name, "a-name-of-some-length");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names__a_row_is_found_by_its_whole_name),
        cmocka_unit_test(test_names__one_that_is_not_there_is_told_the_choices),
        cmocka_unit_test(test_names__a_list_that_is_too_long_ends_with_a_whole_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
