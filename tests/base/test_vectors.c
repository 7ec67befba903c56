/* test_vectors.c: HETERORR_VECTORS makes vectors narrower and never wider. The variable is read
 * when a program is loaded, so this one runs itself again for each value. */
#include "base/vectors.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { asked = 64 }; /* exit codes of a program that was asked for its width begin here */

static hrr_vector_width width_with(const char *value)
{
    char command[64];
    assert_int_equal(setenv("HETERORR_VECTORS", value, 1), 0);
    snprintf(command, sizeof command, "/proc/%d/exe width", (int)getpid());
    const int status = system(command);
    assert_int_equal(unsetenv("HETERORR_VECTORS"), 0);
    return (hrr_vector_width)(status / 256 - asked);
}

static void test_vectors__are_as_narrow_as_asked(void **state)
{
    (void)state;
    assert_int_equal(width_with("plain"), HRR_VECTORS_PLAIN);
    assert_true(width_with("avx2") <= HRR_VECTORS_AVX2);
}

static void test_vectors__are_the_processors_otherwise(void **state)
{
    (void)state;
    const hrr_vector_width has = hrr_widest_vectors();
    assert_int_equal(width_with("avx512"), has);
    assert_int_equal(width_with("no such width"), has);
    assert_int_equal(width_with(""), has);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "width") == 0) return asked + (int)hrr_widest_vectors();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors__are_as_narrow_as_asked),
        cmocka_unit_test(test_vectors__are_the_processors_otherwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
