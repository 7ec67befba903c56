#include "support/check.h"
#include "base/progress.h"

#include <math.h>
#include <time.h>

typedef struct seen {
    int calls;
    hrr_progress_view last;
} seen;

static void remember(void *user, const hrr_progress_view *view)
{
    seen *record = user;
    record->calls++;
    record->last = *view;
}

static void wait_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

static void test_progress__estimates_what_is_left(void **state)
{
    (void)state;
    seen record = {0};
    hrr_progress *progress;
    assert_ok(hrr_progress_new(&progress, remember, &record, NULL));
    hrr_progress_begin(progress, "counting", 100);
    wait_ms(400);
    assert_ok(hrr_progress_advance(progress, 50, NULL));
    assert_int_equal(record.calls, 1);
    assert_string_equal(record.last.phase, "counting");
    assert_int_equal(record.last.done, 50);
    /* Half is done: as long again as it took. */
    assert_true(record.last.seconds >= 0.4);
    assert_true(fabs(record.last.seconds_left - record.last.seconds) < 1e-9);
    hrr_progress_free(progress);
}

static void test_progress__says_nothing_of_time_it_cannot_know(void **state)
{
    (void)state;
    seen record = {0};
    hrr_progress *progress;
    assert_ok(hrr_progress_new(&progress, remember, &record, NULL));
    hrr_progress_begin(progress, "reading", 0);
    wait_ms(400);
    assert_ok(hrr_progress_advance(progress, 7, NULL));
    assert_true(record.last.seconds_left < 0);
    hrr_progress_free(progress);
}

static void test_progress__cancel_is_seen_by_the_next_step(void **state)
{
    (void)state;
    hrr_error err = {0};
    hrr_progress *progress;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    assert_ok(hrr_progress_advance(progress, 1, &err));
    assert_false(hrr_progress_cancelled(progress));
    hrr_progress_cancel(progress);
    assert_true(hrr_progress_cancelled(progress));
    assert_int_equal(hrr_progress_advance(progress, 1, &err), HRR_ECANCEL);
    assert_says(err, "interrupted");
    hrr_progress_free(progress);
}

static void test_progress__null_is_a_task_nobody_watches(void **state)
{
    (void)state;
    hrr_progress_begin(NULL, "x", 1);
    assert_ok(hrr_progress_advance(NULL, 1, NULL));
    hrr_progress_cancel(NULL);
    assert_false(hrr_progress_cancelled(NULL));
    hrr_progress_free(NULL);
}

static void test_progress__threads_asked_for_are_given(void **state)
{
    (void)state;
    assert_int_equal(hrr_threads(3), 3);
    assert_true(hrr_threads(0) >= 1);
}

static void test_progress__work_inside_is_cancelled_with_the_whole(void **state)
{
    (void)state;
    hrr_error err = {0};
    seen record = {0};
    hrr_progress *whole, *inner, *alone;
    assert_ok(hrr_progress_new(&whole, remember, &record, NULL));
    assert_ok(hrr_progress_new_inner(&inner, whole, NULL));
    assert_ok(hrr_progress_new_inner(&alone, NULL, NULL));
    hrr_progress_begin(inner, "inside", 10);
    wait_ms(150);
    assert_ok(hrr_progress_advance(inner, 5, &err));
    assert_int_equal(record.calls, 0);
    hrr_progress_cancel(whole);
    assert_true(hrr_progress_cancelled(inner));
    assert_int_equal(hrr_progress_advance(inner, 1, &err), HRR_ECANCEL);
    assert_false(hrr_progress_cancelled(alone));
    hrr_progress_cancel(alone);
    assert_true(hrr_progress_cancelled(alone));
    hrr_progress_free(alone);
    hrr_progress_free(inner);
    hrr_progress_free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_progress__estimates_what_is_left),
        cmocka_unit_test(test_progress__says_nothing_of_time_it_cannot_know),
        cmocka_unit_test(test_progress__cancel_is_seen_by_the_next_step),
        cmocka_unit_test(test_progress__null_is_a_task_nobody_watches),
        cmocka_unit_test(test_progress__threads_asked_for_are_given),
        cmocka_unit_test(test_progress__work_inside_is_cancelled_with_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
