#include "support/brutal.h"
#include "support/check.h"

#include "learn/kernel_coalitions.h"

#include <math.h>
#include <stdlib.h>

static uint64_t size_of(const hrr_coalition_set *set, uint64_t j, uint64_t d)
{
    uint64_t size = 0;
    for (uint64_t i = 0; i < d; i++)
        size += set->member[j * d + i];
    return size;
}

/* (d - 1) / (binomial(d, s) s (d - s)), the Shapley kernel, normalised over all coalitions. */
static double kernel(uint64_t d, uint64_t s)
{
    double total = 0, binomial = exp(lgamma((double)d + 1) - lgamma((double)s + 1) -
                                     lgamma((double)(d - s) + 1));
    for (uint64_t r = 1; r < d; r++)
        total += 1 / ((double)r * (double)(d - r));
    return 1 / (binomial * (double)s * (double)(d - s) * total);
}

static void test_coalitions__all_of_them_once_with_the_shapley_kernel(void **state)
{
    (void)state;
    for (uint64_t d = 2; d <= 12; d++) {
        hrr_coalition_set set;
        assert_ok(hrr_kernel_coalitions(&set, d, (uint64_t)1 << d, 1, NULL));
        assert_int_equal(set.n, ((uint64_t)1 << d) - 2);
        uint8_t *seen = calloc((size_t)1 << d, 1);
        for (uint64_t j = 0; j < set.n; j++) {
            uint64_t code = 0;
            for (uint64_t i = 0; i < d; i++)
                code |= (uint64_t)set.member[j * d + i] << i;
            assert_int_equal(seen[code]++, 0);
            double expected = kernel(d, size_of(&set, j, d));
            assert_true(fabs(set.weight[j] - expected) < 1e-12 * expected);
        }
        assert_int_equal(seen[0] + seen[((size_t)1 << d) - 1], 0);
        free(seen);
        hrr_coalition_set_clear(&set);
    }
}

static void test_coalitions__a_sample_has_every_feature_alone_and_every_complement(void **state)
{
    (void)state;
    enum { d = 40, n = 500 };
    hrr_coalition_set set;
    assert_ok(hrr_kernel_coalitions(&set, d, n, 1, NULL));
    assert_int_equal(set.n, n);
    double total = 0;
    uint64_t per_size[d] = {0};
    double weight_of_size[d] = {0};
    for (uint64_t j = 0; j < n; j += 2) {
        assert_true(set.weight[j] == set.weight[j + 1]);
        for (uint64_t i = 0; i < d; i++)
            assert_int_equal(set.member[j * d + i] + set.member[(j + 1) * d + i], 1);
    }
    for (uint64_t j = 0; j < n; j++) {
        uint64_t size = size_of(&set, j, d);
        assert_true(size >= 1 && size <= d - 1);
        per_size[size]++;
        weight_of_size[size] += set.weight[j];
        total += set.weight[j];
    }
    assert_int_equal(per_size[1], d);
    assert_int_equal(per_size[d - 1], d);
    assert_true(fabs(total - 1) < 1e-12);
    /* Sizes at even steps: each gets its weight to within one draw. */
    double one_draw = set.weight[n - 1];
    for (uint64_t s = 1; s < d; s++) {
        double binomial = exp(lgamma(d + 1.) - lgamma((double)s + 1) - lgamma((double)(d - s) + 1));
        assert_true(fabs(weight_of_size[s] - binomial * kernel(d, s)) < 2.001 * one_draw);
    }
    hrr_coalition_set_clear(&set);
}

static void test_coalitions__features_are_drawn_alike(void **state)
{
    (void)state;
    /* 10,000 pairs: each feature is in exactly half of a pair, and with feature 0 in the same
     * proportion whichever it is: 5 standard deviations of a proportion near one half. */
    enum { d = 30, n = 20000 };
    hrr_coalition_set set;
    assert_ok(hrr_kernel_coalitions(&set, d, n, 7, NULL));
    double low = 1, high = 0;
    for (uint64_t i = 1; i < d; i++) {
        double together = 0;
        for (uint64_t j = 1000; j < set.n; j++)
            together += set.member[j * d] == set.member[j * d + i];
        together /= (double)(set.n - 1000);
        low = fmin(low, together);
        high = fmax(high, together);
    }
    assert_true(high - low < 2 * 5 * .5 / sqrt((n - 1000) / 2.));
    hrr_coalition_set_clear(&set);
}

static void test_coalitions__are_a_function_of_the_seed(void **state)
{
    (void)state;
    enum { d = 30, n = 200 };
    hrr_coalition_set a, b, c;
    assert_ok(hrr_kernel_coalitions(&a, d, n, 1, NULL));
    assert_ok(hrr_kernel_coalitions(&b, d, n, 1, NULL));
    assert_ok(hrr_kernel_coalitions(&c, d, n, 2, NULL));
    assert_memory_equal(a.member, b.member, d * n);
    assert_memory_not_equal(a.member, c.member, d * n);
    hrr_coalition_set_clear(&a);
    hrr_coalition_set_clear(&b);
    hrr_coalition_set_clear(&c);
}

static void test_coalitions__stay_within_any_budget(void **state)
{
    (void)state;
    for (uint64_t d = 2; d <= 14; d++)
        for (uint64_t n = 2 * d; n <= 300; n++) {
            const uint64_t all = ((uint64_t)1 << d) - 2, wanted = n < all ? n : all;
            hrr_coalition_set set;
            assert_ok(hrr_kernel_coalitions(&set, d, n, n, NULL));
            assert_true(set.n == wanted || set.n + 1 == wanted); /* draws come in pairs */
            hrr_coalition_set_clear(&set);
        }
}

static hrr_status make(void *user)
{
    (void)user;
    hrr_coalition_set set;
    hrr_status status = hrr_kernel_coalitions(&set, 20, 100, 1, NULL);
    hrr_coalition_set_clear(&set);
    return status;
}

static void test_coalitions__survive_running_out_of_memory(void **state)
{
    (void)state;
    assert_int_equal(brutal(make, NULL), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coalitions__all_of_them_once_with_the_shapley_kernel),
        cmocka_unit_test(test_coalitions__a_sample_has_every_feature_alone_and_every_complement),
        cmocka_unit_test(test_coalitions__features_are_drawn_alike),
        cmocka_unit_test(test_coalitions__are_a_function_of_the_seed),
        cmocka_unit_test(test_coalitions__stay_within_any_budget),
        cmocka_unit_test(test_coalitions__survive_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
