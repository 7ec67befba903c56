/* test_report_ceiling.c: no eps-LDP report is worth more than the formula says, and one is worth
 * it.
 *
 * The worth of a channel is convex in it, so the best is a corner of all channels. A corner names
 * each output y with probability w_y e^(eps b) for class c, b = 0 or 1 (Kairouz, Oh and Viswanath,
 * JMLR 2016): with three classes there are 8 patterns b, of which three have a weight, so that all
 * corners can be enumerated. */
#include "learn/report_ceiling.h"
#include "random/fast.h"
#include "support/check.h"

#include <math.h>

enum { k = 3, n_patterns = 1 << k };

static double cell(int pattern, int c, double eps)
{
    return pattern >> c & 1 ? exp(eps) : 1;
}

static double determinant(double m[k][k])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Weights of three patterns with which the reports about every class sum to 1; false: there are
 * none. */
static bool solve(double weight[k], const int pattern[k], double eps)
{
    double whole[k][k];
    for (int c = 0; c < k; c++)
        for (int y = 0; y < k; y++)
            whole[c][y] = cell(pattern[y], c, eps);
    const double all = determinant(whole);
    if (fabs(all) < 1e-9) return false;
    for (int y = 0; y < k; y++) { /* Cramer */
        double part[k][k];
        for (int c = 0; c < k; c++)
            for (int x = 0; x < k; x++)
                part[c][x] = x == y ? 1 : whole[c][x];
        weight[y] = determinant(part) / all;
        if (weight[y] < -1e-12) return false;
    }
    return true;
}

static double worth_of_best_corner(const double p[k], double eps)
{
    double best = 0;
    int y[k];
    for (y[0] = 0; y[0] < n_patterns; y[0]++)
        for (y[1] = y[0] + 1; y[1] < n_patterns; y[1]++)
            for (y[2] = y[1] + 1; y[2] < n_patterns; y[2]++) {
                double weight[k], worth = 0;
                if (!solve(weight, y, eps)) continue;
                for (int i = 0; i < k; i++) {
                    double most = 0;
                    for (int c = 0; c < k; c++)
                        most = fmax(most, p[c] * weight[i] * cell(y[i], c, eps));
                    worth += most;
                }
                best = fmax(best, worth);
            }
    return best;
}

static void test_ceiling__is_that_of_the_best_channel(void **state)
{
    (void)state;
    static const double budgets[] = {.1, .5, 1, 2, 4};
    hrr_fast_random random;
    hrr_fast_init(&random, 5, 0);
    for (int i = 0; i < 200; i++) {
        double p[k] = {0, 0, 0}, mass = 0;
        for (int c = 0; c < k; c++) { /* the largest first */
            const double x = pow(hrr_fast_uniform(&random), 3);
            int at = c;
            for (; at > 0 && p[at - 1] < x; at--)
                p[at] = p[at - 1];
            p[at] = x;
        }
        const double eps = budgets[i % 5];
        const hrr_report_ceiling found = hrr_report_best(p, k, eps);
        for (uint32_t c = 0; c < found.n_named; c++)
            mass += p[c];
        assert_true(fabs(found.right * mass - worth_of_best_corner(p, eps)) < 1e-9);
    }
}

static void test_ceiling__of_a_sure_node_is_what_is_known(void **state)
{
    (void)state;
    const double sure[] = {.9, .1, 0}, unsure[] = {.5, .5, 0}, even[] = {1, 1, 1, 1};
    assert_int_equal(hrr_report_best(sure, 3, 1).n_named, 1);
    assert_true(hrr_report_best(sure, 3, 1).right == 1);
    /* Two classes: binary randomised response. */
    assert_int_equal(hrr_report_best(unsure, 3, 1).n_named, 2);
    assert_true(fabs(hrr_report_best(unsure, 3, 1).right - exp(1) / (exp(1) + 1)) < 1e-15);
    assert_int_equal(hrr_report_best(even, 4, .1).n_named, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ceiling__is_that_of_the_best_channel),
        cmocka_unit_test(test_ceiling__of_a_sure_node_is_what_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
