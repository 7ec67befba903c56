/* What vision/vips_functions.h declares is what libvips's own header declares. */
#include "support/check.h"

#include "vision/vips_functions.h"

#include <vips/vips.h>

/* Enumerations are ints on every system that heterorr builds on; the rest must be the same type. */
#define SAME_TYPE(name, result, ...)                                                               \
    _Static_assert(sizeof(result(*)(__VA_ARGS__)) == sizeof(&(name)), #name);                      \
    {                                                                                              \
        result (*declared)(__VA_ARGS__) = (result(*)(__VA_ARGS__))(name);                          \
        assert_true(                                                                               \
            __builtin_types_compatible_p(__typeof__(result(__VA_ARGS__)), __typeof__(name)) ||     \
            takes_enumeration(#name));                                                             \
        assert_non_null(declared);                                                                 \
    }

/* Those of which the header gives an enumeration, a GLib type or a void * in place of our int. */
static bool takes_enumeration(const char *name)
{
    static const char *const names[] = {"vips_image_new_from_memory", "vips_image_get_format",
                                        "vips_colourspace"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

static void test_vips__declarations_are_those_of_the_header(void **state)
{
    (void)state;
    HRR_VIPS_FUNCTIONS(SAME_TYPE, VipsImage)
    _Static_assert(sizeof(VipsInterpretation) == sizeof(int) &&
                       sizeof(VipsBandFormat) == sizeof(int),
                   "enumerations are passed as int");
}

static void test_vips__numbers_are_those_of_the_header(void **state)
{
    (void)state;
    assert_int_equal(hrr_vips_format_uchar, VIPS_FORMAT_UCHAR);
    assert_int_equal(hrr_vips_srgb, VIPS_INTERPRETATION_sRGB);
    assert_int_equal(hrr_vips_size_down, VIPS_SIZE_DOWN);
    assert_int_equal(hrr_vips_kernel_linear, VIPS_KERNEL_LINEAR);
    assert_int_equal(hrr_vips_access_sequential, VIPS_ACCESS_SEQUENTIAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vips__declarations_are_those_of_the_header),
        cmocka_unit_test(test_vips__numbers_are_those_of_the_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
