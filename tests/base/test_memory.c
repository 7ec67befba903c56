#include "support/check.h"
#include "support/brutal.h"

#include "base/memory.h"
#include "base/size.h"

#include <math.h>
#include <stdlib.h>

static void test_memory__sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    size_t out = 5;
    assert_false(hrr_mul_fits(SIZE_MAX, 2, &out));
    assert_false(hrr_add_fits(SIZE_MAX, 1, &out));
    assert_int_equal(out, 5);
    assert_true(hrr_mul_fits(1u << 20, 1u << 20, &out));
    assert_true(out == (size_t)1 << 40);
    assert_null(hrr_alloc(SIZE_MAX / 2, 4));
    assert_null(hrr_alloc_zero(SIZE_MAX / 2, 4));
    assert_null(hrr_resize(NULL, SIZE_MAX / 2, 4));
}

static void test_memory__a_zero_size_is_a_block(void **state)
{
    (void)state;
    void *block = hrr_alloc(0, 8);
    assert_non_null(block);
    hrr_free(block);
    hrr_free(NULL);
}

static hrr_status make_two_blocks(void *user)
{
    (void)user;
    hrr_status status = HRR_OK;
    hrr_region first = {0};
    char *text = NULL;
    if ((status = hrr_region_alloc(&first, 10, 10, true, NULL))) goto done;
    for (int i = 0; i < 100; i++)
        assert_int_equal(((char *)first.start)[i], 0);
    if (!(text = hrr_format_text("%d and %s", 3, "four"))) {
        status = hrr_no_memory(NULL);
        goto done;
    }
    assert_string_equal(text, "3 and four");
done:
    hrr_free(text);
    hrr_region_clear(&first);
    return status;
}

static void test_memory__failure_injection_counts_allocations(void **state)
{
    (void)state;
    assert_int_equal(brutal(make_two_blocks, NULL), 2);
}

static void test_memory__the_compiler_keeps_nan(void **state)
{
    (void)state;
    /* -ffast-math would make this true, and validation would vanish. */
    volatile double nan = strtod("nan", NULL);
    assert_false(isfinite(nan));
    assert_false(nan == nan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory__sizes_that_overflow_are_refused),
        cmocka_unit_test(test_memory__a_zero_size_is_a_block),
        cmocka_unit_test(test_memory__failure_injection_counts_allocations),
        cmocka_unit_test(test_memory__the_compiler_keeps_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
