#include "support/brutal.h"
#include "support/check.h"
#include "support/statistics.h"
#include "feature/law_table.h"

#include "feature/window.h"

#include <heterorr/feature.h>

#include <math.h>
#include <stdlib.h>

static const double alpha = 1e-6; /* one test in a million fails by chance; seeds are fixed */

static const uint64_t eps_grid[] = {1,          100000,     100000000,   500000000,  1000000000,
                                    2000000000, 4000000000, 10000000000, 20000000000};
enum { n_eps = sizeof eps_grid / sizeof eps_grid[0] };

static double randomise(int32_t *out, const int32_t *in, uint64_t n, uint32_t n_classes,
                        uint64_t eps_nano, uint64_t seed)
{
    hrr_random *random;
    double realised;
    assert_ok(hrr_random_new_insecure(&random, seed, NULL));
    assert_ok(hrr_label_randomise(out, &realised, in, n, n_classes, eps_nano, random, NULL));
    hrr_random_free(random);
    return realised;
}

static void test_labels__weights_are_certified_for_all_classes(void **state)
{
    (void)state;
    enum { most = 50 };
    static uint64_t weight[most * most];
    for (uint32_t c = 2; c <= most; c++)
        for (int i = 0; i < n_eps; i++) {
            hrr_window window;
            hrr_window_init(&window, eps_grid[i], c, 1);
            for (uint32_t label = 0; label < c; label++)
                for (uint32_t u = 0; u < c; u++)
                    weight[label * c + u] = hrr_window_weight(&window, label, u);
            assert_true(table_certifies(weight, c, c, eps_grid[i]));
            const double e = exp((double)eps_grid[i] / HRR_EPS_UNIT);
            const double keep = (double)window.high / (double)window.total;
            assert_true(fabs(keep / (e / (e + c - 1)) - 1) < 1e-8);
        }
}

static void test_labels__frequencies_are_those_of_randomised_response(void **state)
{
    (void)state;
    enum { n = 200000, classes = 5 };
    int32_t *in = malloc(n * sizeof *in), *out = malloc(n * sizeof *out);
    for (int label = 0; label < classes; label++) {
        for (int i = 0; i < n; i++)
            in[i] = label;
        double realised = randomise(out, in, n, classes, HRR_EPS_UNIT, 31);
        assert_true(realised <= 1 && realised > 1 - 1e-9);
        uint64_t count[classes] = {0};
        double probability[classes];
        for (int u = 0; u < classes; u++)
            probability[u] = (u == label ? exp(1) : 1) / (exp(1) + classes - 1);
        for (int i = 0; i < n; i++) {
            assert_in_range(out[i], 0, classes - 1);
            count[out[i]]++;
        }
        assert_true(chi_square_p(count, probability, classes) > alpha);
    }
    free(in);
    free(out);
}

static void test_labels__unknown_stays_unknown(void **state)
{
    (void)state;
    enum { n = 10000 };
    int32_t in[n], out[n];
    for (int i = 0; i < n; i++)
        in[i] = i % 4 == 0 ? -1 : i % 3;
    randomise(out, in, n, 3, HRR_EPS_UNIT / 100, 5);
    for (int i = 0; i < n; i++)
        assert_int_equal(out[i] == -1, in[i] == -1);
}

static void test_labels__the_same_seed_gives_the_same_labels(void **state)
{
    (void)state;
    enum { n = 10000 };
    int32_t in[n] = {0}, one[n], other[n];
    randomise(one, in, n, 3, HRR_EPS_UNIT, 5);
    randomise(other, in, n, 3, HRR_EPS_UNIT, 5);
    assert_memory_equal(one, other, sizeof one);
    randomise(other, in, n, 3, HRR_EPS_UNIT, 6);
    assert_memory_not_equal(one, other, sizeof one);
    /* Blocks have streams of their own: a long list begins like a short one, and its second block
     * is no copy of the first. */
    randomise(other, in, 5000, 3, HRR_EPS_UNIT, 5);
    assert_memory_equal(one, other, 5000 * sizeof one[0]);
    assert_memory_not_equal(one, one + 4096, 4096 * sizeof one[0]);
}

static void test_labels__refuse_what_makes_no_sense(void **state)
{
    (void)state;
    hrr_random *random;
    hrr_error err;
    double realised;
    int32_t in[] = {0, 1, 2}, out[] = {7, 7, 7};
    assert_ok(hrr_random_new_insecure(&random, 1, NULL));
    assert_int_equal(hrr_label_randomise(out, &realised, in, 3, 1, HRR_EPS_UNIT, random, &err),
                     HRR_EINVAL);
    assert_says(err, "two classes");
    assert_int_equal(hrr_label_randomise(out, &realised, in, 3, 3, 0, random, &err), HRR_EINVAL);
    assert_says(err, "epsilon");
    assert_int_equal(hrr_label_randomise(out, &realised, in, 3, 3, HRR_EPS_MAX + 1, random, &err),
                     HRR_EINVAL);
    assert_int_equal(hrr_label_randomise(out, &realised, in, 3, 2, HRR_EPS_UNIT, random, &err),
                     HRR_EDATA);
    assert_says(err, "node 2");
    in[1] = -2;
    assert_int_equal(hrr_label_randomise(out, &realised, in, 3, 3, HRR_EPS_UNIT, random, &err),
                     HRR_EDATA);
    assert_says(err, "node 1");
    for (int i = 0; i < 3; i++)
        assert_int_equal(out[i], 7); /* nothing was drawn */
    hrr_random_free(random);
}

static hrr_status randomise_once(void *user)
{
    (void)user;
    hrr_random *random;
    hrr_status status = hrr_random_new_insecure(&random, 1, NULL);
    if (status) return status;
    int32_t in[] = {0, 1, 2}, out[3];
    double realised;
    status = hrr_label_randomise(out, &realised, in, 3, 3, HRR_EPS_UNIT, random, NULL);
    hrr_random_free(random);
    return status;
}

static void test_labels__survive_running_out_of_memory(void **state)
{
    (void)state;
    assert_int_equal(brutal(randomise_once, NULL), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels__weights_are_certified_for_all_classes),
        cmocka_unit_test(test_labels__frequencies_are_those_of_randomised_response),
        cmocka_unit_test(test_labels__unknown_stays_unknown),
        cmocka_unit_test(test_labels__the_same_seed_gives_the_same_labels),
        cmocka_unit_test(test_labels__refuse_what_makes_no_sense),
        cmocka_unit_test(test_labels__survive_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
