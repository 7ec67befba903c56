/* The results file: a row survives, a torn one does not, and finished runs are known again. */
#include "support/brutal.h"
#include "support/check.h"
#include "support/files.h"
#include "experiment/results.h"

#include <heterorr/experiment.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const columns[] = {"mechanism", "eps", "run", "error", NULL};

static hrr_results *opened(void **state)
{
    hrr_results *results;
    assert_ok(hrr_results_open(&results, in_dir(*state, "r.csv"), columns, 3, NULL, NULL));
    return results;
}

static void assert_holds(void **state, const char *expected)
{
    size_t size;
    char *text = read_file(in_dir(*state, "r.csv"), &size);
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(text, expected, size);
    free(text);
}

static void test_results__finished_runs_are_known_again(void **state)
{
    hrr_results *results = opened(state);
    assert_false(hrr_results_has(results, "edgerr,1,0"));
    assert_ok(hrr_results_add(results, "edgerr,1,0,0.25", NULL));
    assert_ok(hrr_results_add(results, "edgerr,1,10,0.5", NULL));
    hrr_results_close(results);
    results = opened(state);
    assert_true(hrr_results_has(results, "edgerr,1,0"));
    assert_true(hrr_results_has(results, "edgerr,1,10"));
    assert_false(hrr_results_has(results, "edgerr,1,1"));
    assert_false(hrr_results_has(results, "edgerr,1"));
    hrr_results_close(results);
    assert_holds(state, "mechanism,eps,run,error\nedgerr,1,0,0.25\nedgerr,1,10,0.5\n");
}

static void see_row(void *user, const char *settings, const char *values)
{
    char *text = user;
    sprintf(text + strlen(text), "[%s|%s]", settings, values);
}

static void test_results__rows_are_seen_in_two_parts(void **state)
{
    char text[200] = "";
    hrr_results *results = opened(state);
    assert_ok(hrr_results_each(results, see_row, text, NULL));
    assert_string_equal(text, "");
    assert_ok(hrr_results_add(results, "edgerr,1,0,0.25\nedgerr,,1,", NULL));
    assert_ok(hrr_results_each(results, see_row, text, NULL));
    assert_string_equal(text, "[edgerr,1,0|0.25][edgerr,,1|]");
    hrr_results_close(results);
}

static void test_results__a_torn_row_is_cut_off(void **state)
{
    static const char *const torn[] = {"", "mech", "mechanism,eps,run,error",
                                       "mechanism,eps,run,error\nedgerr,1,0,0.2"};
    for (int i = 0; i < 4; i++) {
        write_text(in_dir(*state, "r.csv"), torn[i]);
        hrr_results *results = opened(state);
        assert_false(hrr_results_has(results, "edgerr,1,0"));
        hrr_results_close(results);
        assert_holds(state, "mechanism,eps,run,error\n");
    }
}

static void test_results__refuses_another_file(void **state)
{
    static const char *const others[] = {"hello", "a,b\n1,2\n", "mechanism,eps,run\n"};
    for (int i = 0; i < 3; i++) {
        hrr_results *results;
        hrr_error err = {0};
        write_text(in_dir(*state, "r.csv"), others[i]);
        assert_int_equal(
            hrr_results_open(&results, in_dir(*state, "r.csv"), columns, 3, NULL, &err), HRR_EDATA);
        assert_says(err, "r.csv");
        assert_holds(state, others[i]);
    }
}

static void test_results__refuses_rows_of_another_version(void **state)
{
    static const char *const files[] = {"mechanism,eps,run,error\nedgerr,1,0,1\nedgerr2,1,0,1\n",
                                        "mechanism,eps,run,error\nedger,1,0,1\n"};
    hrr_results *results;
    hrr_error err = {0};
    const char *path = in_dir(*state, "r.csv");
    for (int i = 0; i < 2; i++) {
        write_text(path, files[i]);
        assert_int_equal(hrr_results_open(&results, path, columns, 3, "edgerr", &err), HRR_EDATA);
        assert_says(err, i ? "version edger," : "version edgerr2");
        assert_holds(state, files[i]);
    }
    write_text(path, "mechanism,eps,run,error\nedgerr,1,0,1\n");
    assert_ok(hrr_results_open(&results, path, columns, 3, "edgerr", &err));
    hrr_results_close(results);
}

static void test_results__names_need_no_quotes(void **state)
{
    (void)state;
    char text[8];
    hrr_results_name(text, sizeof text, "a,\"b\n\r123456");
    assert_string_equal(text, "a__b__1");
}

static hrr_status open_and_add(void *path)
{
    hrr_results *results;
    hrr_error err;
    hrr_status status = hrr_results_open(&results, path, columns, 3, NULL, &err);
    if (status) return status;
    status = hrr_results_add(results, "edgerr,1,0,1", &err);
    hrr_results_close(results);
    return status;
}

static void test_results__survives_running_out_of_memory(void **state)
{
    write_text(in_dir(*state, "r.csv"), "mechanism,eps,run,error\na,b,c,d\n");
    assert_true(brutal(open_and_add, (void *)in_dir(*state, "r.csv")) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_results__finished_runs_are_known_again, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(test_results__rows_are_seen_in_two_parts, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(test_results__a_torn_row_is_cut_off, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(test_results__refuses_another_file, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(test_results__refuses_rows_of_another_version,
                                        scratch_setup, scratch_teardown),
        cmocka_unit_test(test_results__names_need_no_quotes),
        cmocka_unit_test_setup_teardown(test_results__survives_running_out_of_memory, scratch_setup,
                                        scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
