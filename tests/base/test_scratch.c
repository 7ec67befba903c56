/* Large blocks in nameless files: they behave as blocks of the allocator do, nothing is to be seen
 * of them in the directory, and a disk that has no room is an error. */
#include "support/check.h"
#include "support/brutal.h"
#include "support/files.h"

#include "base/memory.h"
#include "base/scratch.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum { LARGE = 3 * HRR_SCRATCH_LEAST };

static int set_scratch(void **state)
{
    return scratch_setup(state) || hrr_set_scratch(*state, NULL);
}

static int unset_scratch(void **state)
{
    return hrr_set_scratch(NULL, NULL) || scratch_teardown(state);
}

/* Whether a mapping of a file of the directory is shown by the system, as one that has no name. */
static bool is_mapped_from(const char *directory)
{
    char line[4096];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "re");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps))
        found |= strstr(line, directory) && strstr(line, "(deleted)") && strstr(line, "rw-s");
    fclose(maps);
    return found;
}

static void fill(unsigned char *block, size_t size)
{
    for (size_t i = 0; i < size; i++)
        block[i] = (unsigned char)(i * 31 + i / 251);
}

static bool is_filled(const unsigned char *block, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (block[i] != (unsigned char)(i * 31 + i / 251)) return false;
    return true;
}

static void test_scratch__large_blocks_are_files_without_a_name(void **state)
{
    const int open_before = count_entries("/proc/self/fd");
    unsigned char *large = hrr_alloc(LARGE, 1);
    void *small = hrr_alloc(HRR_SCRATCH_LEAST - 1, 1);
    assert_non_null(large);
    assert_int_equal(hrr_scratch_size(large), LARGE);
    assert_int_equal(hrr_scratch_size(small), 0);
    assert_true(is_mapped_from(*state));
    assert_int_equal(count_entries(*state), 0);
    assert_int_equal(count_entries("/proc/self/fd"), open_before);
    fill(large, LARGE);
    assert_true(is_filled(large, LARGE));
    hrr_free(large);
    hrr_free(small);
    assert_false(is_mapped_from(*state));
}

static void test_scratch__zero_blocks_are_zero(void **state)
{
    (void)state;
    for (int again = 0; again < 2; again++) {
        unsigned char *block = hrr_alloc_zero(LARGE, 1);
        assert_non_null(block);
        assert_int_equal(hrr_scratch_size(block), LARGE);
        for (size_t i = 0; i < LARGE; i++)
            assert_int_equal(block[i], 0);
        fill(block, LARGE);
        hrr_free(block);
    }
}

static void test_scratch__blocks_keep_their_bytes_when_they_are_resized(void **state)
{
    (void)state;
    /* From memory to a file, larger, smaller in many steps, and larger again. */
    static const size_t sizes[] = {1000, LARGE, LARGE + 1, 2 * LARGE, LARGE, LARGE / 2 + 17,
                                   5000, 1,     0,         LARGE,     12};
    size_t kept = 0;
    unsigned char *block = NULL;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        block = hrr_resize(block, sizes[i], 1);
        assert_non_null(block);
        if (sizes[i] < kept) kept = sizes[i];
        assert_true(is_filled(block, kept));
        kept = sizes[i];
        fill(block, kept);
    }
    hrr_free(block);
}

static void test_scratch__a_block_outlives_the_directory(void **state)
{
    unsigned char *block = hrr_alloc(LARGE, 1);
    fill(block, LARGE);
    assert_ok(hrr_set_scratch(NULL, NULL));
    void *other = hrr_alloc(LARGE, 1);
    assert_int_equal(hrr_scratch_size(other), 0);
    block = hrr_resize(block, 2 * LARGE, 1); /* back to memory */
    assert_int_equal(hrr_scratch_size(block), 0);
    assert_true(is_filled(block, LARGE));
    hrr_free(other);
    hrr_free(block);
    assert_ok(hrr_set_scratch(*state, NULL));
}

static void test_scratch__threads_do_not_disturb_each_other(void **state)
{
    (void)state;
    int wrong = 0;
#pragma omp parallel for num_threads(8) schedule(static, 1) reduction(+ : wrong)
    for (int i = 0; i < 64; i++) {
        uint32_t *block = hrr_alloc(HRR_SCRATCH_LEAST, 1);
        const size_t n = HRR_SCRATCH_LEAST / sizeof *block;
        for (size_t k = 0; k < n; k++)
            block[k] = (uint32_t)i;
        for (size_t k = 0; k < n; k++)
            wrong += block[k] != (uint32_t)i;
        hrr_free(block);
    }
    assert_int_equal(wrong, 0);
}

static hrr_status make_three_blocks(void *user)
{
    (void)user;
    hrr_status status = HRR_OK;
    char *first = hrr_alloc(LARGE, 1), *second = hrr_alloc_zero(LARGE, 1);
    char *larger = first ? hrr_resize(first, LARGE, 2) : NULL;
    if (larger) first = larger;
    if (!first || !second || !larger) status = hrr_no_memory(NULL);
    hrr_free(first);
    hrr_free(second);
    return status;
}

static void test_scratch__every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(brutal(make_three_blocks, NULL) >= 3); /* more where a file first has a name */
}

static void test_scratch__sizes_that_no_disk_has_are_refused(void **state)
{
    (void)state;
    hrr_error err = {0};
    assert_null(hrr_alloc(SIZE_MAX / 4, 2));
    assert_int_equal(hrr_no_memory(&err), HRR_EIO);
    assert_null(hrr_alloc(SIZE_MAX / 2, 4)); /* not even a size */
    assert_int_equal(hrr_no_memory(&err), HRR_ENOMEM);
}

static void test_scratch__a_full_disk_is_an_error(void **state)
{
    /* A file-size limit refuses room just as a full disk does. */
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = LARGE - 1;
    unsigned char *kept = hrr_alloc(LARGE, 1);
    fill(kept, LARGE);
    setrlimit(RLIMIT_FSIZE, &small);
    void *refused = hrr_alloc(LARGE, 1), *refused_zero = hrr_alloc_zero(LARGE, 1);
    void *grown = hrr_resize(kept, 2 * LARGE, 1);
    hrr_error err = {0}, next = {0};
    const hrr_status status = hrr_no_memory(&err);
    const hrr_status forgotten = hrr_no_memory(&next);
    void *fits = hrr_alloc(LARGE - 1, 1);
    const size_t in_file = hrr_scratch_size(fits);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_null(refused);
    assert_null(refused_zero);
    assert_null(grown);
    assert_int_equal(status, HRR_EIO);
    assert_says(err, (const char *)*state);
    assert_says(err, "make room there");
    assert_int_equal(forgotten, HRR_ENOMEM); /* an older reason is not that of a new failure */
    assert_int_equal(in_file, LARGE - 1);
    assert_true(is_filled(kept, LARGE));
    hrr_free(fits);
    hrr_free(kept);
    assert_int_equal(count_entries(*state), 0);
}

static void test_scratch__a_place_that_holds_no_files_is_named(void **state)
{
    const char *path = in_dir(*state, "absent");
    hrr_error err = {0};
    assert_int_equal(hrr_set_scratch(path, &err), HRR_EIO);
    assert_says(err, "/absent: cannot hold scratch files: No such file");
    write_text(path, "a file");
    assert_int_equal(hrr_set_scratch(path, &err), HRR_EIO);
    assert_says(err, "Not a directory");
    assert_int_equal(hrr_set_scratch("/proc/self", &err), HRR_EIO);
    /* The directory from before is still the one. */
    void *block = hrr_alloc(LARGE, 1);
    assert_true(is_mapped_from(*state));
    hrr_free(block);
}

#define SCRATCH_TEST(name) cmocka_unit_test_setup_teardown(name, set_scratch, unset_scratch)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(test_scratch__large_blocks_are_files_without_a_name),
        SCRATCH_TEST(test_scratch__zero_blocks_are_zero),
        SCRATCH_TEST(test_scratch__blocks_keep_their_bytes_when_they_are_resized),
        SCRATCH_TEST(test_scratch__a_block_outlives_the_directory),
        SCRATCH_TEST(test_scratch__threads_do_not_disturb_each_other),
        SCRATCH_TEST(test_scratch__every_allocation_may_fail),
        SCRATCH_TEST(test_scratch__sizes_that_no_disk_has_are_refused),
        SCRATCH_TEST(test_scratch__a_full_disk_is_an_error),
        SCRATCH_TEST(test_scratch__a_place_that_holds_no_files_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
