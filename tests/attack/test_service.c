/* A service that is busy is asked again, one that errs or answers nonsense ends the attack. */
#include "support/check.h"

#include <heterorr/attack.h>

#include <math.h>

typedef struct fake {
    int calls, refusals; /* how often it was asked; how often it says "not now" first */
    hrr_status fails;
    double says;
} fake;

static hrr_status answer(void *user, double *out, const hrr_question *question, hrr_error *err)
{
    fake *f = user;
    f->calls++;
    if (f->calls <= f->refusals) return hrr_fail(err, HRR_EIO, "429 too many requests");
    if (f->fails) return hrr_fail(err, f->fails, "500 oh dear");
    for (uint64_t i = 0; i < 2 * question->n_asked; i++)
        out[i] = i == 3 ? f->says : 0;
    return HRR_OK;
}

static const uint32_t asked[] = {4, 7};

static hrr_status ask(fake *f, uint32_t retries, hrr_error *err)
{
    const hrr_service service = {
        .query = answer, .user = f, .n_nodes = 9, .n_classes = 2, .retries = retries, .wait = 1e-4};
    const hrr_question question = {.asked = asked, .n_asked = 2, .changed = -1};
    double out[4];
    return hrr_service_ask(out, &service, &question, NULL, err);
}

static void test_service__is_asked_again_when_busy(void **state)
{
    (void)state;
    fake f = {.refusals = 3, .says = 1};
    assert_ok(ask(&f, 3, NULL));
    assert_int_equal(f.calls, 4);
}

static void test_service__is_given_up_when_it_stays_busy(void **state)
{
    (void)state;
    fake f = {.refusals = 100};
    hrr_error err = {0};
    assert_int_equal(ask(&f, 3, &err), HRR_EIO);
    assert_int_equal(f.calls, 4);
    assert_says(err, "4 times");
    assert_says(err, "429 too many requests");
}

static void test_service__is_not_asked_again_after_a_failure(void **state)
{
    (void)state;
    fake f = {.fails = HRR_EDATA};
    hrr_error err = {0};
    assert_int_equal(ask(&f, 3, &err), HRR_EDATA);
    assert_int_equal(f.calls, 1);
    assert_says(err, "500 oh dear");
}

static void test_service__nonsense_is_named(void **state)
{
    (void)state;
    fake f = {.says = NAN};
    hrr_error err = {0};
    assert_int_equal(ask(&f, 0, &err), HRR_EDATA);
    assert_says(err, "node 7");
    assert_says(err, "column 2");
    f.says = INFINITY;
    assert_int_equal(ask(&f, 0, &err), HRR_EDATA);
    assert_says(err, "infinite");
}

static void test_service__waiting_ends_when_cancelled(void **state)
{
    (void)state;
    fake f = {.refusals = 100};
    hrr_progress *progress;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    const hrr_service service = {
        .query = answer, .user = &f, .n_classes = 2, .retries = 100, .wait = 1e6};
    const hrr_question question = {.asked = asked, .n_asked = 2, .changed = -1};
    double out[4];
    assert_int_equal(hrr_service_ask(out, &service, &question, progress, NULL), HRR_ECANCEL);
    hrr_progress_free(progress);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_service__is_asked_again_when_busy),
        cmocka_unit_test(test_service__is_given_up_when_it_stays_busy),
        cmocka_unit_test(test_service__is_not_asked_again_after_a_failure),
        cmocka_unit_test(test_service__nonsense_is_named),
        cmocka_unit_test(test_service__waiting_ends_when_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
