#include "learn/explained.h"

enum { d = 9, hidden = 12, outputs = 3 };

typedef struct setting {
    hrr_head head;
    hrr_dense rows, background;
} setting;

static setting make_setting(uint64_t n_hidden, hrr_output_kind output)
{
    return (setting){
        .head = random_head(d, n_hidden, outputs, output, 61),
        .rows = random_matrix(4, d, 62),
        .background = random_matrix(70, d, 63), /* more than one block */
    };
}

static void clear_setting(setting *made)
{
    hrr_head_clear(&made->head);
    hrr_dense_clear(&made->rows);
    hrr_dense_clear(&made->background);
}

static double incompleteness_of(const setting *made, bool probabilities, uint32_t n_samples)
{
    hrr_dense values = explained(&made->head, &made->rows, &made->background, HRR_EXPLAIN_GRADIENT,
                                 probabilities, n_samples, 1);
    double off =
        incompleteness(&values, &made->head, &made->rows, &made->background, probabilities);
    hrr_dense_clear(&values);
    return off;
}

static void test_gradient__logits_are_complete_to_rounding(void **state)
{
    (void)state;
    for (uint64_t n_hidden = 0; n_hidden <= hidden; n_hidden += hidden) {
        setting made = make_setting(n_hidden, HRR_OUTPUT_SOFTMAX);
        assert_true(incompleteness_of(&made, false, 0) < 1e-13);
        clear_setting(&made);
    }
}

/* 32 steps a background row are the default; the error falls with their square. */
static void test_gradient__probabilities_are_complete_as_steps_allow(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        setting made =
            make_setting(kind & 1 ? hidden : 0, kind & 2 ? HRR_OUTPUT_SIGMOID : HRR_OUTPUT_SOFTMAX);
        double by_default = incompleteness_of(&made, true, 0);
        assert_true(by_default < 1e-4);
        assert_true(incompleteness_of(&made, true, 70 * 32) == by_default);
        assert_true(incompleteness_of(&made, true, 70 * 31 + 1) == by_default);
        assert_true(incompleteness_of(&made, true, 70 * 320) < by_default / 50);
        assert_true(incompleteness_of(&made, true, 70 * 2000) < 2e-8);
        clear_setting(&made);
    }
}

/* f_c at b + t (x - b) with feature i moved by step. */
static double output_on_line(const hrr_head *head, const double *b, const double *x, double t,
                             uint64_t i, double step, uint64_t c, bool probabilities)
{
    double row[d];
    for (uint64_t j = 0; j < d; j++)
        row[j] = b[j] + t * (x[j] - b[j]);
    row[i] += step;
    hrr_dense one = hrr_f64_view(row, 1, d), out;
    assert_ok(hrr_head_predict(&out, head, &one, probabilities, NULL));
    double value = *at(&out, 0, c);
    hrr_dense_clear(&out);
    return value;
}

/* The definition itself, by central differences and the midpoint rule with 2,000 positions, whose
 * error at the kinks of relu is of the order of 1 / 2000 of a unit's slope. */
static void test_gradient__is_the_integral_of_the_gradient(void **state)
{
    (void)state;
    enum { positions = 2000 };
    for (int kind = 0; kind < 6; kind++) {
        const bool probabilities = kind & 1;
        hrr_head head = random_head(d, kind & 2 ? hidden : 0, outputs,
                                    kind & 4 ? HRR_OUTPUT_SIGMOID : HRR_OUTPUT_SOFTMAX, 64);
        hrr_dense x = random_matrix(1, d, 65), b = random_matrix(1, d, 66);
        hrr_dense values =
            explained(&head, &x, &b, HRR_EXPLAIN_GRADIENT, probabilities, positions, 1);
        for (uint64_t i = 0; i < d; i += 4)
            for (uint64_t c = 0; c < outputs; c++) {
                double mean = 0;
                for (int j = 0; j < positions; j++) {
                    double t = (j + .5) / positions;
                    mean += output_on_line(&head, b.data, x.data, t, i, 1e-6, c, probabilities) -
                            output_on_line(&head, b.data, x.data, t, i, -1e-6, c, probabilities);
                }
                mean /= positions * 2e-6;
                double expected = (*at(&x, 0, i) - *at(&b, 0, i)) * mean;
                assert_true(fabs(*at(&values, c, i) - expected) < 2e-3);
            }
        hrr_dense_clear(&values);
        hrr_dense_clear(&x);
        hrr_dense_clear(&b);
        hrr_head_clear(&head);
    }
}

/* Not the same numbers, as the paths differ (straight lines here, along the axes there), but close:
 * within a quarter in norm for outputs as bent as these, and exact where nothing bends. */
static void test_gradient__comes_close_to_enumeration(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        const bool probabilities = kind & 1;
        setting made = make_setting(kind & 2 ? hidden : 0, HRR_OUTPUT_SOFTMAX);
        hrr_dense exact = explained(&made.head, &made.rows, &made.background, HRR_EXPLAIN_EXACT,
                                    probabilities, 0, 2);
        hrr_dense gradient = explained(&made.head, &made.rows, &made.background,
                                       HRR_EXPLAIN_GRADIENT, probabilities, 0, 2);
        double off = 0, norm = 0;
        for (uint64_t i = 0; i < exact.rows * exact.cols; i++) {
            double e = ((double *)exact.data)[i], g = ((double *)gradient.data)[i];
            off += (e - g) * (e - g);
            norm += e * e;
        }
        assert_true(sqrt(off / norm) < (kind == 0 ? 1e-12 : .25));
        hrr_dense_clear(&exact);
        hrr_dense_clear(&gradient);
        clear_setting(&made);
    }
}

static void test_gradient__needs_no_seed(void **state)
{
    (void)state;
    setting made = make_setting(hidden, HRR_OUTPUT_SOFTMAX);
    hrr_explain_options options;
    hrr_explain_options_init(&options);
    options.probabilities = true;
    hrr_dense first, other;
    assert_ok(hrr_explain(&first, &made.head, &made.rows, &made.background, &options, NULL, NULL));
    options.seed = 2;
    assert_ok(hrr_explain(&other, &made.head, &made.rows, &made.background, &options, NULL, NULL));
    assert_true(largest_difference(&first, &other) == 0);
    hrr_dense_clear(&first);
    hrr_dense_clear(&other);
    clear_setting(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradient__logits_are_complete_to_rounding),
        cmocka_unit_test(test_gradient__probabilities_are_complete_as_steps_allow),
        cmocka_unit_test(test_gradient__is_the_integral_of_the_gradient),
        cmocka_unit_test(test_gradient__comes_close_to_enumeration),
        cmocka_unit_test(test_gradient__needs_no_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
