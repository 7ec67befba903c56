#include "attack/picture_quality.h"
#include "support/brutal.h"
#include "support/check.h"

#include <math.h>
#include <stdlib.h>

static void test_psnr__is_that_of_the_formula(void **state)
{
    (void)state;
    const float truth[] = {0, 0.5f, 1, 0.25f}, guess[] = {0.1f, 0.5f, 0.9f, 0.25f};
    /* mean squared error 0.02 / 4 */
    assert_true(fabs(hrr_psnr(guess, truth, 4) - -10 * log10(0.005)) < 1e-5);
    assert_true(hrr_psnr(truth, truth, 4) == 100);
}

/* 8 x 8: windows of 7 x 7, of which there are four. */
static void test_ssim__is_one_for_equal_pictures_and_falls_with_noise(void **state)
{
    (void)state;
    float truth[64 * 3], near[64 * 3], other[64 * 3];
    for (int i = 0; i < 64 * 3; i++) {
        truth[i] = (float)(i % 7) / 7;
        near[i] = truth[i] + 0.05f * (float)(i % 2);
        other[i] = 1 - truth[i];
    }
    for (uint32_t channels = 1; channels <= 3; channels += 2) {
        assert_true(fabs(hrr_ssim(truth, truth, 8, channels) - 1) < 1e-9);
        const double close = hrr_ssim(near, truth, 8, channels);
        assert_true(close < 1 && close > 0.9);
        assert_true(hrr_ssim(other, truth, 8, channels) < 0);
        assert_true(hrr_ssim(truth, near, 8, channels) == close);
    }
}

static hrr_dense rows_of(const float *data, uint64_t rows)
{
    hrr_dense out;
    assert_ok(hrr_dense_init(&out, HRR_F32, rows, 2, NULL));
    memcpy(out.data, data, rows * 2 * sizeof *data);
    return out;
}

/* Around the mean (1, 1) the truths lie in four directions. Guess 0 points to its own; guess 1 to
 * truth 0, then to its own; guess 2 is the mean itself, to which all are equally near; guess 3
 * points away from its own. */
static void test_reidentify__ranks_by_direction_from_the_mean(void **state)
{
    (void)state;
    const float truths[] = {2, 1, 1, 2, 0, 1, 1, 0};
    const float guesses[] = {1.1f, 1, 1.2f, 1.1f, 1, 1, 1, 5};
    const float mean[] = {1, 1};
    hrr_dense truth = rows_of(truths, 4), guess = rows_of(guesses, 4);
    double rank[4];
    assert_ok(hrr_reidentify(rank, &guess, &truth, mean, NULL));
    assert_true(rank[0] == 0);
    assert_true(rank[1] == 1);
    assert_true(rank[2] == 1.5);
    assert_true(rank[3] == 3);
    hrr_dense_clear(&truth);
    hrr_dense_clear(&guess);
}

static hrr_status rank_once(void *user)
{
    const hrr_dense *both = user;
    const float mean[] = {0, 0};
    double rank[4];
    return hrr_reidentify(rank, both, both, mean, NULL);
}

static void test_reidentify__survives_running_out_of_memory(void **state)
{
    (void)state;
    const float numbers[] = {2, 1, 1, 2, 0, 1, 1, 0};
    hrr_dense both = rows_of(numbers, 4);
    assert_true(brutal(rank_once, &both) > 2);
    hrr_dense_clear(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_psnr__is_that_of_the_formula),
        cmocka_unit_test(test_ssim__is_one_for_equal_pictures_and_falls_with_noise),
        cmocka_unit_test(test_reidentify__ranks_by_direction_from_the_mean),
        cmocka_unit_test(test_reidentify__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
