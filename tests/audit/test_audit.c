/* test_audit.c: bounds come close, do not depend on threads, and failures are named. That claims
 * hold and controls are caught is in tests/cli/test_audit.py: the whole audit is long, and runs
 * once. */
#include "audit/edge_controls.h"
#include "audit/edges.h"
#include "audit/parts.h"
#include "audit/protect.h"
#include "audit/trials.h"
#include "support/brutal.h"
#include "support/check.h"

#include <heterorr/privacy.h>
#include <heterorr/audit.h>
#include <heterorr/release.h>

#include <math.h>

#include <string.h>

static hrr_audit_options quick(void)
{
    hrr_audit_options options;
    hrr_audit_options_init(&options);
    options.trials = 20000;
    options.threads = 1;
    return options;
}

/* A blind audit would find every claim to hold. Wanted are the Clopper-Pearson bounds if counts hit
 * their expectation, less two standard deviations. */
static void test_audit__lower_bounds_are_close(void **state)
{
    (void)state;
    hrr_audit_options options = quick();
    options.trials = 200000;
    options.mechanism = "featurerr";
    hrr_audit_row *rows;
    size_t n_rows;
    assert_ok(hrr_audit(&rows, &n_rows, &options, NULL, NULL));
    assert_int_equal(n_rows, 4); /* one of them outside the bounds */
    for (size_t i = 0; i < n_rows; i++)
        assert_true(rows[i].lower_bound > .94 && rows[i].lower_bound <= 1);
    hrr_free(rows);
}

static void test_audit__same_seed_same_rows_for_any_threads(void **state)
{
    (void)state;
    static const char *const names[] = {"piecewise", "labels", "lapgraph"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        hrr_audit_options options = quick();
        hrr_audit_row *one, *two;
        size_t n_one, n_two;
        options.mechanism = names[k];
        options.threads = 1;
        assert_ok(hrr_audit(&one, &n_one, &options, NULL, NULL));
        options.threads = 3;
        assert_ok(hrr_audit(&two, &n_two, &options, NULL, NULL));
        assert_int_equal(n_one, n_two);
        for (size_t i = 0; i < n_one; i++)
            assert_true(one[i].lower_bound == two[i].lower_bound);
        hrr_free(one);
        hrr_free(two);
    }
}

/* Whole bundles, several at once: the same numbers again. A bundle is long, so that draws are few:
 * two calls of run() a side, and a pilot. */
static void test_audit__bundles_made_at_once_are_the_same(void **state)
{
    (void)state;
    hrr_trials_finding found[2];
    for (int i = 0; i < 2; i++) {
        hrr_protect_attack attack;
        assert_ok(hrr_protect_attack_init(&attack, HRR_SEE_COUNTS, HRR_NO_MISTAKE, HRR_EPS_UNIT, 1,
                                          NULL));
        const hrr_trials experiment = {
            .run = hrr_protect_attack_run, .user = &attack, .width = 1, .pilot = 50};
        assert_ok(hrr_audit_trials(&found[i], &experiment, HRR_TRIALS_PER_CALL + 44, 1 + 2 * i,
                                   NULL, NULL));
        hrr_protect_attack_clear(&attack);
    }
    assert_true(found[0].lower_bound == found[1].lower_bound);
    assert_int_equal(found[0].n_outcomes, found[1].n_outcomes);
}

/* A fair coin on side 0, three quarters on side 1: ln(.75/.5) and ln(.5/.25); the larger counts. */
static hrr_status coin(float *out, const void *user, int side, uint64_t first, uint64_t n,
                       hrr_error *err)
{
    hrr_stream *stream;
    hrr_status status = hrr_stream_new(&stream, user, err);
    if (status) return status;
    for (uint64_t i = 0; i < n; i++) {
        hrr_stream_seek(stream, HRR_PURPOSE_TEST, 2 * (first + i) + (uint64_t)side);
        out[i] = hrr_sample_bernoulli(stream, side ? 3 : 2, 4) ? 7 : -7;
    }
    hrr_stream_free(stream);
    return HRR_OK;
}

/* Trial 300 of side 1 and all after it fail: the first of them is named, whichever thread is
 * faster. */
static hrr_status fails_from_300(float *out, const void *user, int side, uint64_t first, uint64_t n,
                                 hrr_error *err)
{
    (void)user;
    for (uint64_t i = 0; i < n; i++) {
        out[i] = 0;
        if (side && first + i >= 300) return hrr_fail(err, HRR_EIO, "trial %d", (int)(first + i));
    }
    return HRR_OK;
}

static void test_audit__the_first_failure_is_named(void **state)
{
    (void)state;
    const hrr_trials experiment = {.run = fails_from_300, .width = 1, .pilot = 100};
    hrr_trials_finding found;
    for (int threads = 1; threads < 4; threads++) {
        hrr_error err = {0};
        /* The pilot's trials come after the main run's, and so fail first. */
        assert_int_equal(hrr_audit_trials(&found, &experiment, 10000, threads, NULL, &err),
                         HRR_EIO);
        assert_string_equal(err.message, "trial 10000");
    }
}

static void test_audit__trials_find_the_better_event(void **state)
{
    (void)state;
    hrr_random *random;
    hrr_trials_finding found;
    assert_ok(hrr_random_new_insecure(&random, 3, NULL));
    hrr_trials experiment = {.run = coin, .user = random, .width = 1};
    assert_ok(hrr_audit_trials(&found, &experiment, 100000, 1, NULL, NULL));
    assert_int_equal(found.n_outcomes, 2);
    assert_true(found.lower_bound < log(2) && found.lower_bound > log(2) - .05);
    experiment.delta = .1; /* (.5 - .1) / .25 */
    assert_ok(hrr_audit_trials(&found, &experiment, 100000, 2, NULL, NULL));
    assert_true(found.lower_bound < log(1.6) && found.lower_bound > log(1.6) - .05);
    hrr_random_free(random);
}

/* Side 0 is always 1, side 1 always 0. */
static hrr_status opposite(float *out, const void *user, int side, uint64_t first, uint64_t n,
                           hrr_error *err)
{
    (void)user, (void)first, (void)err;
    for (uint64_t i = 0; i < n; i++)
        out[i] = (float)!side;
    return HRR_OK;
}

static void test_audit__a_constant_on_the_lower_side_is_told_apart(void **state)
{
    (void)state;
    const hrr_trials experiment = {.run = opposite, .width = 1};
    hrr_trials_finding found;
    assert_ok(hrr_audit_trials(&found, &experiment, 1000, 1, NULL, NULL));
    assert_true(found.advantage == 1 && found.least_advantage > .98 && found.most_advantage == 1);
    assert_true(found.lower_bound > 4);
}

/* The truth, and it says so, with probability .4; else a coin. Epsilon is infinite, and the
 * advantage is less than eps = 1 allows. */
static void test_audit__ratios_show_what_advantages_do_not(void **state)
{
    (void)state;
    hrr_random *random;
    hrr_trials_finding found;
    assert_ok(hrr_random_new_insecure(&random, 3, NULL));
    const hrr_trials experiment = {.run = hrr_control_truth_or_coin, .user = random, .width = 1};
    assert_ok(hrr_audit_trials(&found, &experiment, 2000, 1, NULL, NULL));
    assert_true(found.most_advantage < tanh(.5));
    assert_true(found.lower_bound > 3);
    hrr_random_free(random);
}

/* Both ends of a pair: each count by itself keeps a claim of 1, and so does every advantage. */
static void test_audit__two_counts_are_seen_together(void **state)
{
    (void)state;
    const hrr_trials experiment = {.run = hrr_control_not_halved, .width = 2};
    hrr_trials_finding found;
    assert_ok(hrr_audit_trials(&found, &experiment, 5000, 1, NULL, NULL));
    assert_true(found.least_advantage < tanh(.5));
    assert_true(found.lower_bound > 1.4 && found.lower_bound < 2);
}

/* A pair moves two degrees: noise for one shows. A ladder as wide as this graph needs tells which
 * graph it is. */
static void test_audit__wrong_noise_on_degrees_and_triangles_is_caught(void **state)
{
    (void)state;
    const hrr_trials one_degree = {.run = hrr_control_one_degree, .width = 2};
    hrr_random *random;
    hrr_trials_finding found;
    assert_ok(hrr_audit_trials(&found, &one_degree, 5000, 1, NULL, NULL));
    assert_true(found.lower_bound > 1.4 && found.lower_bound < 2);
    assert_ok(hrr_random_new_insecure(&random, 3, NULL));
    const hrr_trials local = {.run = hrr_control_local_noise, .user = random, .width = 1};
    assert_ok(hrr_audit_trials(&found, &local, 5000, 1, NULL, NULL));
    assert_true(found.lower_bound > 3);
    hrr_random_free(random);
}

/* Who counts a pair is decided by private edges: another pair changes hands with it. */
static void test_audit__need_of_private_edges_is_caught(void **state)
{
    (void)state;
    const hrr_trials experiment = {.run = hrr_control_private_need, .width = 2};
    hrr_trials_finding found;
    assert_ok(hrr_audit_trials(&found, &experiment, 5000, 1, NULL, NULL));
    assert_true(found.lower_bound > 1.4 && found.lower_bound < 2);
}

/* LapGraph keeps a noisy number of edges, nearly always all pairs or none on a tiny graph. Seen
 * where few are kept, it comes close to its claim, and with half the noise far beyond. */
static void test_audit__lapgraph_with_half_the_noise_is_caught(void **state)
{
    (void)state;
    for (uint64_t times = 1; times <= 2; times++) {
        hrr_edge_options options;
        hrr_edge_attack attack;
        hrr_trials_finding found;
        bool visible;
        hrr_edge_options_init(&options);
        options.mechanism = "lapgraph";
        options.eps_nano = times * HRR_EPS_UNIT;
        options.threads = 1;
        assert_ok(hrr_edge_attack_init(&attack, &visible, &options, HRR_SPARSE_GRAPH,
                                       HRR_VIEW_AMONG, 1, NULL));
        assert_true(visible);
        const hrr_trials experiment = {.run = hrr_edge_attack_run, .user = &attack, .width = 1};
        assert_ok(hrr_audit_trials(&found, &experiment, 10000, 1, NULL, NULL));
        if (times == 1) assert_true(found.lower_bound > .6 && found.lower_bound <= 1);
        if (times == 2) assert_true(found.lower_bound > 1.4 && found.lower_bound <= 2);
        hrr_edge_attack_clear(&attack);
    }
}

static hrr_status look_at_parts(void *user)
{
    const hrr_parts_view *view = user;
    hrr_parts_attack attack;
    float seen;
    hrr_status status = hrr_parts_attack_init(&attack, *view, HRR_EPS_UNIT, 1, NULL);
    if (status) return status;
    status = hrr_parts_attack_run(&seen, &attack, 1, 0, 1, NULL);
    hrr_parts_attack_clear(&attack);
    return status;
}

/* But for the one whose bundles are long. */
static void test_audit__parts_survive_every_failed_allocation(void **state)
{
    (void)state;
    for (hrr_parts_view view = 0; view < HRR_PARTS_VIEWS; view++)
        if (view != HRR_PARTS_ROWS) assert_true(brutal(look_at_parts, &view) > 20);
}

static void test_audit__bad_requests(void **state)
{
    (void)state;
    hrr_audit_options options = quick();
    hrr_audit_row *rows;
    size_t n_rows;
    hrr_error err = {0};
    options.mechanism = "featurrr";
    assert_int_equal(hrr_audit(&rows, &n_rows, &options, NULL, &err), HRR_EINVAL);
    assert_says(err, "featurrr");
    options = quick();
    options.trials = 10;
    assert_int_equal(hrr_audit(&rows, &n_rows, &options, NULL, &err), HRR_EINVAL);
    options = quick();
    options.eps_nano = HRR_EPS_MAX + 1;
    assert_int_equal(hrr_audit(&rows, &n_rows, &options, NULL, &err), HRR_EINVAL);
}

static hrr_status audit_once(void *user)
{
    hrr_audit_row *rows;
    size_t n_rows;
    hrr_status status = hrr_audit(&rows, &n_rows, user, NULL, NULL);
    hrr_free(rows);
    return status;
}

static void test_audit__out_of_memory(void **state)
{
    (void)state;
    hrr_audit_options options = quick();
    options.mechanism = "labels";
    assert_true(brutal(audit_once, &options) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_audit__lower_bounds_are_close),
        cmocka_unit_test(test_audit__same_seed_same_rows_for_any_threads),
        cmocka_unit_test(test_audit__bundles_made_at_once_are_the_same),
        cmocka_unit_test(test_audit__trials_find_the_better_event),
        cmocka_unit_test(test_audit__a_constant_on_the_lower_side_is_told_apart),
        cmocka_unit_test(test_audit__ratios_show_what_advantages_do_not),
        cmocka_unit_test(test_audit__two_counts_are_seen_together),
        cmocka_unit_test(test_audit__wrong_noise_on_degrees_and_triangles_is_caught),
        cmocka_unit_test(test_audit__need_of_private_edges_is_caught),
        cmocka_unit_test(test_audit__the_first_failure_is_named),
        cmocka_unit_test(test_audit__lapgraph_with_half_the_noise_is_caught),
        cmocka_unit_test(test_audit__parts_survive_every_failed_allocation),
        cmocka_unit_test(test_audit__bad_requests),
        cmocka_unit_test(test_audit__out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
