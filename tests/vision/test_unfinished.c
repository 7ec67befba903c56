/* Rows that are kept until there are all of them. */
#include "support/brutal.h"
#include "support/check.h"
#include "support/files.h"

#include "vision/unfinished.h"

#include <heterorr/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { n_rows = 5, d = 3 };

static const uint8_t plan[hrr_sha256_size] = {1}, other_plan[hrr_sha256_size] = {2};

static void keep(hrr_unfinished *unfinished, uint64_t row)
{
    float z[d], zhat[d];
    hrr_boxes boxes = {0};
    for (int i = 0; i < d; i++) {
        z[i] = (float)(10 * row) + (float)i;
        zhat[i] = -z[i];
    }
    for (uint64_t i = 0; i < row; i++) /* row r has r boxes */
        assert_ok(hrr_boxes_add(&boxes, (hrr_box){0.1, 0.2, (double)i + 1, 1e9, 1 / 3.0}, NULL));
    assert_ok(hrr_unfinished_keep(unfinished, &row, 1, z, zhat, &boxes, NULL));
    hrr_boxes_clear(&boxes);
}

static hrr_unfinished *begin(const char *directory)
{
    hrr_unfinished *unfinished;
    assert_ok(hrr_unfinished_open(&unfinished, in_dir(directory, "out"), plan, n_rows, d, true,
                                  false, NULL));
    return unfinished;
}

static void test_unfinished__rows_are_there_when_it_is_opened_again(void **state)
{
    hrr_unfinished *unfinished = begin(*state);
    assert_int_equal(hrr_unfinished_count(unfinished), 0);
    keep(unfinished, 3);
    keep(unfinished, 0);
    hrr_unfinished_free(unfinished);

    unfinished = begin(*state);
    assert_int_equal(hrr_unfinished_count(unfinished), 2);
    assert_true(hrr_unfinished_has(unfinished, 3) && hrr_unfinished_has(unfinished, 0));
    assert_false(hrr_unfinished_has(unfinished, 1));
    const hrr_boxes *boxes = hrr_unfinished_boxes(unfinished, 3);
    assert_int_equal(boxes->n, 3);
    const hrr_box last = {0.1, 0.2, 3, 1e9, 1 / 3.0}; /* to the last bit */
    assert_memory_equal(&boxes->items[2], &last, sizeof last);
    for (uint64_t row = 0; row < n_rows; row++)
        if (!hrr_unfinished_has(unfinished, row)) keep(unfinished, row);

    for (int masked = 0; masked < 2; masked++) {
        hrr_array array;
        char *path = hrr_unfinished_array(unfinished, masked);
        assert_ok(hrr_array_read(&array, path, NULL));
        assert_int_equal(array.shape[0], n_rows);
        assert_int_equal(array.shape[1], d);
        for (int i = 0; i < n_rows * d; i++)
            assert_float_equal(((const float *)array.data)[i],
                               (masked ? -1 : 1) * (10.0 * (i / d) + i % d), 0);
        hrr_array_clear(&array);
        hrr_free(path);
    }
    hrr_unfinished_remove(unfinished);
    assert_int_equal(count_entries(*state), 0);
}

/* A run that was killed leaves half a line: its row is not taken for done. */
static void test_unfinished__half_a_line_is_no_row(void **state)
{
    hrr_unfinished *unfinished = begin(*state);
    keep(unfinished, 4);
    hrr_unfinished_free(unfinished);
    char journal[512];
    strcpy(journal, in_dir(*state, "out.unfinished/journal"));
    size_t size;
    char *text = read_file(journal, &size);
    for (size_t cut = 1; cut < size - 1; cut++) { /* but its newline is all that may be missing */
        write_file(journal, text, cut);
        unfinished = begin(*state);
        assert_int_equal(hrr_unfinished_count(unfinished), 0);
        keep(unfinished, 2);
        hrr_unfinished_free(unfinished);
        unfinished = begin(*state);
        assert_int_equal(hrr_unfinished_count(unfinished), 1);
        assert_true(hrr_unfinished_has(unfinished, 2));
        hrr_unfinished_free(unfinished);
    }
    free(text);
}

static void test_unfinished__another_plan_is_refused_or_begun_anew(void **state)
{
    hrr_unfinished *unfinished = begin(*state), *second;
    hrr_error err = {0};
    const char *out = in_dir(*state, "out/");
    assert_int_equal(hrr_unfinished_open(&second, out, plan, n_rows, d, true, false, &err),
                     HRR_EINVAL);
    assert_says(err, "another process");
    keep(unfinished, 1);
    hrr_unfinished_free(unfinished);
    assert_int_equal(hrr_unfinished_open(&second, out, other_plan, n_rows, d, true, false, &err),
                     HRR_EINVAL);
    assert_says(err, "other pictures or settings");
    assert_ok(hrr_unfinished_open(&second, out, other_plan, n_rows, d, true, true, &err));
    assert_int_equal(hrr_unfinished_count(second), 0);
    hrr_unfinished_remove(second);
}

static hrr_status open_and_keep(void *user)
{
    hrr_unfinished *unfinished = NULL;
    hrr_boxes boxes = {0};
    const float row[d] = {0};
    const uint64_t at = 1;
    hrr_status status = hrr_unfinished_open(&unfinished, user, plan, n_rows, d, true, true, NULL);
    if (!status) status = hrr_boxes_add(&boxes, (hrr_box){0, 0, 1, 1, 1}, NULL);
    if (!status) status = hrr_unfinished_keep(unfinished, &at, 1, row, row, &boxes, NULL);
    hrr_boxes_clear(&boxes);
    if (status)
        hrr_unfinished_free(unfinished);
    else
        hrr_unfinished_remove(unfinished);
    return status;
}

static void test_unfinished__running_out_of_memory_is_an_error(void **state)
{
    char out[512];
    strcpy(out, in_dir(*state, "out"));
    brutal(open_and_keep, out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_unfinished__rows_are_there_when_it_is_opened_again),
        WITH_SCRATCH(test_unfinished__half_a_line_is_no_row),
        WITH_SCRATCH(test_unfinished__another_plan_is_refused_or_begun_anew),
        WITH_SCRATCH(test_unfinished__running_out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
