/* The guess that looks at no node: which labels it takes, and that no other set is better. */
#include "support/brutal.h"
#include "support/check.h"

#include <heterorr/learn.h>

#include <math.h>

enum { n_nodes = 12 };

static const uint8_t split[n_nodes] = {HRR_TRAIN, HRR_TRAIN, HRR_TRAIN, HRR_TRAIN,
                                       HRR_TRAIN, HRR_TRAIN, HRR_VALID, HRR_VALID,
                                       HRR_TEST,  HRR_TEST,  HRR_TEST,  HRR_TEST};

/* Class 2 is frequent in the other parts, class 1 among training nodes; unknown ones do not count.
 */
static void test_majority__is_that_of_the_training_nodes(void **state)
{
    (void)state;
    static const int32_t classes[n_nodes] = {1, 0, 1, 2, -1, -1, 2, 2, 2, 2, 1, -1};
    hrr_metrics parts[3];
    assert_ok(hrr_measure_majority(parts, classes, NULL, 3, n_nodes, split, NULL));
    assert_true(parts[HRR_TRAIN].accuracy == .5 && parts[HRR_TRAIN].n == 4);
    assert_true(parts[HRR_VALID].accuracy == 0);
    assert_true(fabs(parts[HRR_TEST].accuracy - 1. / 3) < 1e-12 && parts[HRR_TEST].n == 3);
    assert_true(parts[HRR_TEST].auc == .5); /* everybody looks alike */
}

static void test_majority__of_equal_ones_the_first(void **state)
{
    (void)state;
    static const int32_t classes[n_nodes] = {2, 2, 1, 1, 0, -1, 0, 0, 1, 1, 1, 2};
    hrr_metrics parts[3];
    assert_ok(hrr_measure_majority(parts, classes, NULL, 3, n_nodes, split, NULL));
    assert_true(parts[HRR_TEST].accuracy == .75);
}

enum { n_labels = 5 };

/* Label c is common in about 1 / (c + 1) of the nodes, none in more than half but the first. */
static hrr_dense made_labels(uint8_t labels[n_nodes * n_labels], unsigned variant)
{
    for (unsigned i = 0; i < n_nodes; i++)
        for (unsigned c = 0; c < n_labels; c++)
            labels[i * n_labels + c] = (i * 7 + c * 3 + variant) % (c + 2) == 0;
    return (hrr_dense){.dtype = HRR_U8, .rows = n_nodes, .cols = n_labels, .data = labels};
}

/* Micro F1 of one set of labels for everybody, on the training nodes. */
static double f1_of(const uint8_t *labels, unsigned set)
{
    double hits = 0, given = 0, true_ones = 0;
    for (int i = 0; i < n_nodes; i++)
        for (int c = 0; split[i] == HRR_TRAIN && c < n_labels; c++) {
            hits += labels[i * n_labels + c] && set >> c & 1;
            true_ones += labels[i * n_labels + c];
            given += set >> c & 1;
        }
    return hits > 0 ? 2 * hits / (given + true_ones) : 0;
}

static void test_majority__no_set_of_labels_has_a_larger_f1(void **state)
{
    (void)state;
    for (unsigned variant = 0; variant < 8; variant++) {
        uint8_t labels[n_nodes * n_labels];
        const hrr_dense matrix = made_labels(labels, variant);
        hrr_metrics parts[3];
        double best = 0;
        for (unsigned set = 0; set < 1 << n_labels; set++)
            best = fmax(best, f1_of(labels, set));
        assert_ok(hrr_measure_majority(parts, NULL, &matrix, n_labels, n_nodes, split, NULL));
        assert_true(best > 0 && fabs(parts[HRR_TRAIN].f1_micro - best) < 1e-12);
    }
}

static hrr_status measure_once(void *labels)
{
    hrr_metrics parts[3];
    const hrr_dense matrix = made_labels(labels, 0);
    return hrr_measure_majority(parts, NULL, &matrix, n_labels, n_nodes, split, NULL);
}

static void test_majority__survives_every_failed_allocation(void **state)
{
    (void)state;
    uint8_t labels[n_nodes * n_labels];
    assert_true(brutal(measure_once, labels) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_majority__is_that_of_the_training_nodes),
        cmocka_unit_test(test_majority__of_equal_ones_the_first),
        cmocka_unit_test(test_majority__no_set_of_labels_has_a_larger_f1),
        cmocka_unit_test(test_majority__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
