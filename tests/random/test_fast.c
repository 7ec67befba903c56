#include "random/draws.h"
#include "random/fast.h"
#include "support/statistics.h"

#include <math.h>

enum { draws = 1000000 };

static void test_fast__steps_like_xoshiro256_plus_plus(void **state)
{
    (void)state;
    /* From state 1, 2, 3, 4 by hand: result rotl(1 + 4, 23) + 1, next state 7, 0, 262146,
     * rotl(6, 45); and again. */
    hrr_fast_random fast = {{1, 2, 3, 4}};
    assert_true(hrr_fast_u64(&fast) == (UINT64_C(5) << 23) + 1);
    assert_true(fast.state[0] == 7 && fast.state[1] == 0 && fast.state[2] == 262146);
    assert_true(fast.state[3] == UINT64_C(6) << 45);
    uint64_t sum = 7 + (UINT64_C(6) << 45);
    assert_true(hrr_fast_u64(&fast) == ((sum << 23) | (sum >> 41)) + 7);
}

static void test_fast__seeds_and_streams_are_unrelated(void **state)
{
    (void)state;
    /* Bits in common between 64-bit draws of neighbouring generators: half of them. */
    uint64_t same[3] = {0};
    for (uint64_t i = 0; i < 20000; i++) {
        hrr_fast_random here, next_seed, next_stream, swapped;
        hrr_fast_init(&here, i, i + 1);
        hrr_fast_init(&next_seed, i + 1, i + 1);
        hrr_fast_init(&next_stream, i, i + 2);
        hrr_fast_init(&swapped, i + 1, i);
        for (int k = 0; k < 10; k++) {
            uint64_t word = hrr_fast_u64(&here);
            same[0] += (unsigned)__builtin_popcountll(word ^ hrr_fast_u64(&next_seed));
            same[1] += (unsigned)__builtin_popcountll(word ^ hrr_fast_u64(&next_stream));
            same[2] += (unsigned)__builtin_popcountll(word ^ hrr_fast_u64(&swapped));
        }
    }
    for (int i = 0; i < 3; i++)
        assert_true(proportion_p(same[i], 20000 * 640, 0.5) > alpha);
}

static void test_fast__below_is_uniform(void **state)
{
    (void)state;
    hrr_fast_random fast;
    hrr_fast_init(&fast, 1, 0);
    uint64_t small[7] = {0}, large[3] = {0};
    double seventh[7], third[3] = {1 / 3., 1 / 3., 1 / 3.};
    for (int i = 0; i < 7; i++)
        seventh[i] = 1 / 7.;
    for (int i = 0; i < draws; i++) {
        small[hrr_fast_below(&fast, 7)]++;
        large[hrr_fast_below(&fast, (uint64_t)3 << 62) % 3]++; /* without rejection: 1/2 1/4 1/4 */
    }
    assert_true(chi_square_p(small, seventh, 7) > alpha);
    assert_true(chi_square_p(large, third, 3) > alpha);
    assert_int_equal(hrr_fast_below(&fast, 1), 0);
}

static void test_fast__uniform_fills_the_unit_interval(void **state)
{
    (void)state;
    hrr_fast_random fast;
    hrr_fast_init(&fast, 2, 0);
    uint64_t observed[100] = {0};
    double probability[100];
    for (int i = 0; i < 100; i++)
        probability[i] = 0.01;
    for (int i = 0; i < draws; i++) {
        double u = hrr_fast_uniform(&fast);
        assert_true(u >= 0 && u < 1);
        observed[(int)(u * 100)]++;
    }
    assert_true(chi_square_p(observed, probability, 100) > alpha);
}

static void test_fast__normal_is_normal(void **state)
{
    (void)state;
    hrr_fast_random fast;
    hrr_fast_init(&fast, 3, 0);
    /* Cells of a quarter from -4 to 4, and the tails. */
    uint64_t observed[34] = {0};
    double probability[34], below = 0;
    for (int i = 0; i < 34; i++) {
        double up_to = i < 33 ? erfc(-(-4 + i * .25) / sqrt(2)) / 2 : 1;
        probability[i] = up_to - below;
        below = up_to;
    }
    for (int i = 0; i < draws; i++) {
        double cell = ceil((hrr_fast_normal(&fast) + 4) * 4);
        observed[cell < 0 ? 0 : cell > 33 ? 33 : (int)cell]++;
    }
    assert_true(chi_square_p(observed, probability, 34) > alpha);
}

static void test_fast__geometric_counts_failures(void **state)
{
    (void)state;
    hrr_fast_random fast;
    hrr_fast_init(&fast, 4, 0);
    const double ps[] = {0.05, 0.3, 0.9};
    for (int c = 0; c < 3; c++) {
        double p = ps[c], probability[200];
        uint64_t observed[200] = {0};
        size_t last = 0;
        while (last < 199 && draws * pow(1 - p, (double)last + 1) > 200)
            last++;
        for (size_t k = 0; k < last; k++)
            probability[k] = p * pow(1 - p, (double)k);
        probability[last] = pow(1 - p, (double)last);
        for (int i = 0; i < draws; i++) {
            uint64_t k = hrr_fast_geometric(&fast, p);
            observed[k < last ? k : last]++;
        }
        assert_true(chi_square_p(observed, probability, last + 1) > alpha);
    }
    assert_int_equal(hrr_fast_geometric(&fast, 1), 0);
    assert_true(hrr_fast_geometric(&fast, 1e-300) == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fast__steps_like_xoshiro256_plus_plus),
        cmocka_unit_test(test_fast__seeds_and_streams_are_unrelated),
        cmocka_unit_test(test_fast__below_is_uniform),
        cmocka_unit_test(test_fast__uniform_fills_the_unit_interval),
        cmocka_unit_test(test_fast__normal_is_normal),
        cmocka_unit_test(test_fast__geometric_counts_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
