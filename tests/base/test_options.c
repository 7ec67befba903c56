/* Option structs of programs that were built for an older or a newer library. */
#include "support/check.h"
#include "base/options.h"

#include <string.h>

/* Three versions of the same options, and what holds them. */
typedef struct hrr_old_options {
    size_t size;
    double share;
} hrr_old_options;

typedef struct hrr_some_options {
    size_t size;
    double share;
    uint64_t seed;
} hrr_some_options;

typedef struct hrr_new_options {
    size_t size;
    double share;
    uint64_t seed, wish;
} hrr_new_options;

static void hrr_some_options_init_sized(void *options, size_t size)
{
    const hrr_some_options own = {.share = 0.5, .seed = 7};
    hrr_options_init(options, size, &own, sizeof own);
}

static void hrr_some_options_init(hrr_some_options *options)
{
    hrr_some_options_init_sized(options, sizeof *options);
}

static void test_init__fills_what_the_program_has(void **state)
{
    (void)state;
    struct {
        hrr_old_options options;
        unsigned char behind[16];
    } old;
    memset(&old, 0xaa, sizeof old);
    hrr_some_options_init_sized(&old.options, sizeof old.options);
    assert_int_equal(old.options.size, sizeof old.options);
    assert_true(old.options.share == 0.5);
    for (size_t i = 0; i < sizeof old.behind; i++)
        assert_int_equal(old.behind[i], 0xaa);

    hrr_new_options later;
    memset(&later, 0xaa, sizeof later);
    hrr_some_options_init_sized(&later, sizeof later);
    assert_int_equal(later.size, sizeof later);
    assert_int_equal(later.seed, 7);
    assert_int_equal(later.wish, 0);
}

static void test_adopt__keeps_defaults_that_an_older_program_does_not_know(void **state)
{
    (void)state;
    hrr_some_options own;
    hrr_old_options old;
    hrr_some_options_init_sized(&old, sizeof old);
    old.share = 0.25;
    assert_ok(HRR_ADOPT(hrr_some_options, &own, &old, NULL));
    assert_true(own.share == 0.25);
    assert_int_equal(own.seed, 7);
    assert_int_equal(own.size, sizeof own);
    assert_ok(HRR_ADOPT(hrr_some_options, &own, NULL, NULL));
    assert_true(own.share == 0.5);
}

static void refused(const void *given, const char *why)
{
    hrr_some_options own;
    hrr_error err = {0};
    assert_int_equal(HRR_ADOPT(hrr_some_options, &own, given, &err), HRR_EINVAL);
    assert_non_null(strstr(err.message, why));
    assert_non_null(strstr(err.message, "hrr_some_options_init()"));
    assert_true(own.share == 0.5);
}

static void test_adopt__refuses_what_nobody_initialised_and_what_is_newer(void **state)
{
    (void)state;
    hrr_new_options later;
    refused(&(hrr_some_options){.share = 0.1}, "is 0");
    refused(&(hrr_some_options){.size = 7, .share = 0.1}, "is 7");
    hrr_some_options_init_sized(&later, sizeof later);
    later.share = 0.1;
    refused(&later, "the program was built for a newer library,");
}

/* ---- options inside options ------------------------------------------------------------------ */

typedef struct hrr_old_outer {
    size_t size;
    HRR_ROOM(hrr_old_options, inner, 64);
    double after;
} hrr_old_outer;

typedef struct hrr_outer {
    size_t size;
    HRR_ROOM(hrr_some_options, inner, 64);
    double after;
} hrr_outer;

typedef struct hrr_new_outer {
    size_t size;
    HRR_ROOM(hrr_new_options, inner, 64);
    double after;
} hrr_new_outer;

static void outer_init(void *options, size_t size, size_t inner_size)
{
    hrr_outer own = {.after = 3};
    hrr_some_options_init(&own.inner);
    own.inner.seed = 8; /* what holds them may want other defaults */
    hrr_options_init(options, size, &own, sizeof own);
    memcpy((char *)options + offsetof(hrr_outer, inner), &inner_size, sizeof inner_size);
}

static hrr_status adopt_outer(hrr_outer *own, const void *given, hrr_error *err)
{
    hrr_outer defaults;
    outer_init(&defaults, sizeof defaults, sizeof defaults.inner);
    *own = defaults;
    hrr_status status = hrr_options_adopt(own, sizeof *own, given, "hrr_outer", err);
    if (!status) status = HRR_ADOPT_INNER(hrr_some_options, &own->inner, &defaults.inner, err);
    return status;
}

static void test_adopt_inner__nothing_moves_when_the_inner_struct_grows(void **state)
{
    (void)state;
    hrr_outer own;
    hrr_old_outer old;
    outer_init(&old, sizeof old, sizeof old.inner);
    old.inner.share = 0.25;
    old.inner_room[2] = 99; /* where the seed is, of which the program knows nothing */
    old.after = 4;
    assert_ok(adopt_outer(&own, &old, NULL));
    assert_true(own.inner.share == 0.25 && own.after == 4);
    assert_int_equal(own.inner.seed, 8);
    assert_int_equal(own.inner.size, sizeof own.inner);
}

static void test_adopt_inner__a_newer_inner_struct_is_refused(void **state)
{
    (void)state;
    hrr_outer own;
    hrr_new_outer later;
    hrr_error err = {0};
    outer_init(&later, sizeof later, sizeof later.inner);
    later.inner.wish = 1;
    assert_int_equal(later.size, sizeof own);
    assert_int_equal(adopt_outer(&own, &later, &err), HRR_EINVAL);
    assert_non_null(strstr(err.message, "hrr_some_options"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_init__fills_what_the_program_has),
        cmocka_unit_test(test_adopt__keeps_defaults_that_an_older_program_does_not_know),
        cmocka_unit_test(test_adopt__refuses_what_nobody_initialised_and_what_is_newer),
        cmocka_unit_test(test_adopt_inner__nothing_moves_when_the_inner_struct_grows),
        cmocka_unit_test(test_adopt_inner__a_newer_inner_struct_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
