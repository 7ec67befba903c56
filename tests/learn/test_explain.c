#include "learn/explained.h"
#include "matrix/dense.h"
#include "support/brutal.h"

/* f_c(row) through the public function, one row at a time: nothing is shared with the explainers'
 * own batches. */
static double output_of(const hrr_head *head, const double *row, uint64_t c, bool probabilities)
{
    hrr_dense x = hrr_f64_view(row, 1, hrr_head_n_features(head)), out;
    assert_ok(hrr_head_predict(&out, head, &x, probabilities, NULL));
    double value = *at(&out, 0, c);
    hrr_dense_clear(&out);
    return value;
}

static double worth_of(uint64_t members, const hrr_head *head, const double *x,
                       const hrr_dense *background, uint64_t c, bool probabilities)
{
    double mixed[16], sum = 0;
    for (uint64_t b = 0; b < background->rows; b++) {
        for (uint64_t i = 0; i < background->cols; i++)
            mixed[i] = members >> i & 1 ? x[i] : *at(background, b, i);
        sum += output_of(head, mixed, c, probabilities);
    }
    return sum / (double)background->rows;
}

/* Shapley's other definition: what feature i adds when it arrives, averaged over all d! orders. */
static void by_orders(double *value, const double *worth, uint64_t d)
{
    uint64_t order[8] = {0, 1, 2, 3, 4, 5, 6, 7}, turn[8] = {0}, n_orders = 0;
    memset(value, 0, d * sizeof *value);
    for (uint64_t level = 0;;) { /* Heap's algorithm, without recursion */
        if (level == 0) {
            uint64_t present = 0;
            for (uint64_t j = 0; j < d; j++) {
                uint64_t with = present | (uint64_t)1 << order[j];
                value[order[j]] += worth[with] - worth[present];
                present = with;
            }
            n_orders++;
            level = 1;
        }
        while (level < d && turn[level] == level)
            turn[level++] = 0;
        if (level >= d) break;
        uint64_t other = level % 2 ? turn[level] : 0, kept = order[other];
        order[other] = order[level];
        order[level] = kept;
        turn[level]++;
        level = 0;
    }
    for (uint64_t i = 0; i < d; i++)
        value[i] /= (double)n_orders;
}

static void test_exact__is_the_mean_over_all_orders_of_arrival(void **state)
{
    (void)state;
    enum { d = 6, outputs = 2 };
    hrr_dense rows = random_matrix(2, d, 21), background = random_matrix(3, d, 22);
    for (int kind = 0; kind < 8; kind++) {
        bool probabilities = kind & 1;
        hrr_head head = random_head(d, kind & 4 ? 7 : 0, outputs,
                                    kind & 2 ? HRR_OUTPUT_SIGMOID : HRR_OUTPUT_SOFTMAX, 23);
        hrr_dense values =
            explained(&head, &rows, &background, HRR_EXPLAIN_EXACT, probabilities, 0, 1);
        for (uint64_t i = 0; i < rows.rows; i++)
            for (uint64_t c = 0; c < outputs; c++) {
                double worth[1 << d], expected[d];
                for (uint64_t s = 0; s < 1 << d; s++)
                    worth[s] = worth_of(s, &head, at(&rows, i, 0), &background, c, probabilities);
                by_orders(expected, worth, d);
                for (uint64_t j = 0; j < d; j++)
                    assert_true(fabs(*at(&values, i * outputs + c, j) - expected[j]) < 1e-12);
            }
        hrr_dense_clear(&values);
        hrr_head_clear(&head);
    }
    hrr_dense_clear(&rows);
    hrr_dense_clear(&background);
}

static void test_linear__equals_enumeration(void **state)
{
    (void)state;
    for (uint64_t d = 1; d <= 12; d += d < 4 ? 1 : 4) {
        hrr_dense rows = random_matrix(3, d, 24), background = random_matrix(5, d, 25);
        hrr_head head = random_head(d, 0, 3, HRR_OUTPUT_SOFTMAX, 26);
        hrr_dense exact = explained(&head, &rows, &background, HRR_EXPLAIN_EXACT, false, 0, 1);
        hrr_dense linear = explained(&head, &rows, &background, HRR_EXPLAIN_LINEAR, false, 0, 1);
        hrr_dense gradient =
            explained(&head, &rows, &background, HRR_EXPLAIN_GRADIENT, false, 0, 1);
        assert_true(largest_difference(&exact, &linear) < 1e-12);
        assert_true(largest_difference(&exact, &gradient) < 1e-12);
        assert_true(incompleteness(&linear, &head, &rows, &background, false) < 1e-12);
        hrr_dense_clear(&exact);
        hrr_dense_clear(&linear);
        hrr_dense_clear(&gradient);
        hrr_head_clear(&head);
        hrr_dense_clear(&rows);
        hrr_dense_clear(&background);
    }
}

static void test_kernel__equals_enumeration_when_it_sees_all_coalitions(void **state)
{
    (void)state;
    for (uint64_t d = 1; d <= 12; d += d < 4 ? 1 : 4)
        for (int kind = 0; kind < 4; kind++) {
            bool probabilities = kind & 1;
            hrr_dense rows = random_matrix(2, d, 27), background = random_matrix(4, d, 28);
            hrr_head head = random_head(d, kind & 2 ? 9 : 0, 3, HRR_OUTPUT_SOFTMAX, 29);
            hrr_dense exact =
                explained(&head, &rows, &background, HRR_EXPLAIN_EXACT, probabilities, 0, 1);
            hrr_dense kernel =
                explained(&head, &rows, &background, HRR_EXPLAIN_KERNEL, probabilities, 0, 1);
            assert_true(largest_difference(&exact, &kernel) < 1e-10);
            assert_true(incompleteness(&exact, &head, &rows, &background, probabilities) < 1e-12);
            assert_true(incompleteness(&kernel, &head, &rows, &background, probabilities) < 1e-12);
            hrr_dense_clear(&exact);
            hrr_dense_clear(&kernel);
            hrr_head_clear(&head);
            hrr_dense_clear(&rows);
            hrr_dense_clear(&background);
        }
}

static void test_kernel__a_sample_comes_close_and_is_always_complete(void **state)
{
    (void)state;
    /* A tenth and a third of the 16,382 coalitions of 14 features. */
    enum { d = 14 };
    hrr_dense rows = random_matrix(2, d, 30), background = random_matrix(4, d, 31);
    hrr_head head = random_head(d, 10, 2, HRR_OUTPUT_SOFTMAX, 32);
    hrr_dense exact = explained(&head, &rows, &background, HRR_EXPLAIN_EXACT, true, 0, 1);
    const uint32_t n_samples[] = {28, 1600, 5400};
    const double off[] = {.03, .002, .001};
    for (int i = 0; i < 3; i++) {
        hrr_dense kernel =
            explained(&head, &rows, &background, HRR_EXPLAIN_KERNEL, true, n_samples[i], 1);
        assert_true(incompleteness(&kernel, &head, &rows, &background, true) < 1e-12);
        assert_true(largest_difference(&exact, &kernel) < off[i]);
        hrr_dense_clear(&kernel);
    }
    hrr_dense_clear(&exact);
    /* A linear head is additive: any sample gives the exact values. */
    hrr_head linear = random_head(100, 0, 2, HRR_OUTPUT_SOFTMAX, 33);
    hrr_dense wide = random_matrix(2, 100, 34), wide_background = random_matrix(3, 100, 35);
    hrr_dense truth = explained(&linear, &wide, &wide_background, HRR_EXPLAIN_LINEAR, false, 0, 1);
    hrr_dense sampled =
        explained(&linear, &wide, &wide_background, HRR_EXPLAIN_KERNEL, false, 400, 1);
    assert_true(largest_difference(&truth, &sampled) < 1e-10);
    hrr_dense_clear(&truth);
    hrr_dense_clear(&sampled);
    hrr_dense_clear(&wide);
    hrr_dense_clear(&wide_background);
    hrr_head_clear(&linear);
    hrr_dense_clear(&rows);
    hrr_dense_clear(&background);
    hrr_head_clear(&head);
}

/* Feature 0 does nothing, features 1 and 2 are the same to the head, the row and the background. */
static void test_every_explainer__has_symmetry_and_dummy(void **state)
{
    (void)state;
    enum { d = 6, hidden = 5 };
    hrr_dense rows = random_matrix(2, d, 36), background = random_matrix(4, d, 37);
    for (uint64_t i = 0; i < rows.rows; i++)
        *at(&rows, i, 2) = *at(&rows, i, 1);
    for (uint64_t i = 0; i < background.rows; i++)
        *at(&background, i, 2) = *at(&background, i, 1);
    for (int kind = 0; kind < 4; kind++) {
        hrr_head head = random_head(d, kind & 1 ? hidden : 0, 2, HRR_OUTPUT_SOFTMAX, 38);
        hrr_dense *first = kind & 1 ? &head.hidden_weight : &head.weight;
        for (uint64_t k = 0; k < first->cols; k++) {
            *at(first, 0, k) = 0;
            *at(first, 2, k) = *at(first, 1, k);
        }
        const bool probabilities = kind & 2;
        for (int explainer = HRR_EXPLAIN_GRADIENT; explainer <= HRR_EXPLAIN_EXACT; explainer++) {
            if (explainer == HRR_EXPLAIN_LINEAR && kind != 0) continue;
            hrr_dense values =
                explained(&head, &rows, &background, (hrr_explainer)explainer, probabilities, 0, 1);
            for (uint64_t i = 0; i < values.rows; i++) {
                assert_true(fabs(*at(&values, i, 0)) < 1e-11);
                assert_true(fabs(*at(&values, i, 1) - *at(&values, i, 2)) < 1e-11);
                assert_true(fabs(*at(&values, i, 1)) > 1e-6);
            }
            hrr_dense_clear(&values);
        }
        hrr_head_clear(&head);
    }
    hrr_dense_clear(&rows);
    hrr_dense_clear(&background);
}

static void test_every_explainer__gives_the_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    enum { d = 13 };
    hrr_dense rows = random_matrix(9, d, 39), background = random_matrix(70, d, 40);
    hrr_head mlp = random_head(d, 6, 3, HRR_OUTPUT_SOFTMAX, 41);
    hrr_head linear = random_head(d, 0, 3, HRR_OUTPUT_SOFTMAX, 42);
    for (int explainer = HRR_EXPLAIN_GRADIENT; explainer <= HRR_EXPLAIN_EXACT; explainer++) {
        const bool closed = explainer == HRR_EXPLAIN_LINEAR;
        const hrr_head *head = closed ? &linear : &mlp;
        const uint32_t n_samples = explainer == HRR_EXPLAIN_KERNEL ? 100 : 0;
        hrr_dense one =
            explained(head, &rows, &background, (hrr_explainer)explainer, !closed, n_samples, 1);
        for (int threads = 2; threads <= 5; threads += 3) {
            hrr_dense many = explained(head, &rows, &background, (hrr_explainer)explainer, !closed,
                                       n_samples, threads);
            assert_memory_equal(one.data, many.data, one.rows * one.cols * sizeof(double));
            hrr_dense_clear(&many);
        }
        hrr_dense_clear(&one);
    }
    hrr_head_clear(&mlp);
    hrr_head_clear(&linear);
    hrr_dense_clear(&rows);
    hrr_dense_clear(&background);
}

static void test_explain__takes_bytes_and_floats(void **state)
{
    (void)state;
    hrr_dense wide = random_matrix(3, 5, 43), rows, as_f32, as_f64;
    for (uint64_t i = 0; i < 15; i++)
        ((double *)wide.data)[i] = (double)(i * 7 % 5);
    assert_ok(hrr_dense_convert(&rows, &wide, HRR_U8, NULL));
    assert_ok(hrr_dense_convert(&as_f32, &wide, HRR_F32, NULL));
    hrr_head head = random_head(5, 4, 2, HRR_OUTPUT_SOFTMAX, 44);
    as_f64 = explained(&head, &wide, &wide, HRR_EXPLAIN_EXACT, true, 0, 1);
    hrr_dense mixed = explained(&head, &rows, &as_f32, HRR_EXPLAIN_EXACT, true, 0, 1);
    assert_true(largest_difference(&as_f64, &mixed) == 0);
    hrr_dense_clear(&wide);
    hrr_dense_clear(&rows);
    hrr_dense_clear(&as_f32);
    hrr_dense_clear(&as_f64);
    hrr_dense_clear(&mixed);
    hrr_head_clear(&head);
}

static void test_explain__refuses_what_makes_no_sense(void **state)
{
    (void)state;
    hrr_head mlp = random_head(17, 4, 2, HRR_OUTPUT_SOFTMAX, 45);
    hrr_head linear = random_head(17, 0, 2, HRR_OUTPUT_SOFTMAX, 45);
    hrr_dense rows = random_matrix(2, 17, 46), other = random_matrix(2, 16, 47), out;
    hrr_dense none = hrr_f64_view(NULL, 0, 17);
    hrr_explain_options options;
    hrr_error err;
#define refuses(code, text, head, rows_, background)                                               \
    do {                                                                                           \
        assert_int_equal(hrr_explain(&out, head, rows_, background, &options, NULL, &err), code);  \
        assert_says(err, text);                                                                    \
        assert_null(out.data);                                                                     \
    } while (0)
    hrr_explain_options_init(&options);
    assert_int_equal(options.explainer, HRR_EXPLAIN_GRADIENT);
    refuses(HRR_EINVAL, "background rows: there are 16 columns, but the head takes 17", &mlp, &rows,
            &other);
    refuses(HRR_EINVAL, "rows to explain: there are 16 columns", &mlp, &other, &rows);
    refuses(HRR_EINVAL, "background set is empty", &mlp, &rows, &none);
    options.explainer = HRR_EXPLAIN_EXACT;
    refuses(HRR_EINVAL, "at most 16 features", &mlp, &rows, &rows);
    options.explainer = HRR_EXPLAIN_LINEAR;
    refuses(HRR_EINVAL, "without a hidden layer", &mlp, &rows, &rows);
    options.probabilities = true;
    refuses(HRR_EINVAL, "logits, not probabilities", &linear, &rows, &rows);
    options.explainer = HRR_EXPLAIN_KERNEL;
    options.n_samples = 33;
    refuses(HRR_EINVAL, "that is 34, but `n_samples` is 33", &mlp, &rows, &rows);
    options.explainer = (hrr_explainer)99;
    refuses(HRR_EINVAL, "no explainer number 99", &mlp, &rows, &rows);
    hrr_explain_options_init(&options);
    *at(&rows, 1, 3) = NAN;
    refuses(HRR_EDATA, "rows to explain: row 2, column 4", &mlp, &rows, &rows);
    hrr_dense_clear(&rows);
    hrr_dense_clear(&other);
    hrr_head_clear(&mlp);
    hrr_head_clear(&linear);
}

static void test_explain__stops_when_cancelled_and_takes_no_rows(void **state)
{
    (void)state;
    hrr_head head = random_head(4, 3, 2, HRR_OUTPUT_SOFTMAX, 48);
    hrr_dense rows = random_matrix(50, 4, 49), none = hrr_f64_view(NULL, 0, 4), out;
    hrr_explain_options options;
    hrr_explain_options_init(&options);
    options.threads = 3;
    hrr_progress *progress;
    hrr_error err = {0};
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(hrr_explain(&out, &head, &rows, &rows, &options, progress, &err), HRR_ECANCEL);
    assert_int_equal(err.status, HRR_ECANCEL);
    assert_null(out.data);
    hrr_progress_free(progress);
    assert_ok(hrr_explain(&out, &head, &none, &rows, &options, NULL, NULL));
    assert_int_equal(out.rows, 0);
    hrr_dense_clear(&out);
    hrr_dense_clear(&rows);
    hrr_head_clear(&head);
}

typedef struct explain_call {
    hrr_head head;
    hrr_dense rows;
    hrr_explain_options options;
} explain_call;

static hrr_status explain_once(void *user)
{
    const explain_call *call = user;
    hrr_dense out;
    hrr_status status =
        hrr_explain(&out, &call->head, &call->rows, &call->rows, &call->options, NULL, NULL);
    hrr_dense_clear(&out);
    return status;
}

static void test_every_explainer__survives_running_out_of_memory(void **state)
{
    (void)state;
    explain_call call = {.rows = random_matrix(4, 5, 50)};
    for (int threads = 1; threads <= 3; threads += 2)
        for (int explainer = HRR_EXPLAIN_GRADIENT; explainer <= HRR_EXPLAIN_EXACT; explainer++) {
            const bool closed = explainer == HRR_EXPLAIN_LINEAR;
            call.head = random_head(5, closed ? 0 : 3, 2, HRR_OUTPUT_SOFTMAX, 51);
            hrr_explain_options_init(&call.options);
            call.options.explainer = (hrr_explainer)explainer;
            call.options.probabilities = !closed;
            call.options.threads = threads;
            assert_true(brutal(explain_once, &call) >= 4);
            hrr_head_clear(&call.head);
        }
    hrr_dense_clear(&call.rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact__is_the_mean_over_all_orders_of_arrival),
        cmocka_unit_test(test_linear__equals_enumeration),
        cmocka_unit_test(test_kernel__equals_enumeration_when_it_sees_all_coalitions),
        cmocka_unit_test(test_kernel__a_sample_comes_close_and_is_always_complete),
        cmocka_unit_test(test_every_explainer__has_symmetry_and_dummy),
        cmocka_unit_test(test_every_explainer__gives_the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(test_explain__takes_bytes_and_floats),
        cmocka_unit_test(test_explain__refuses_what_makes_no_sense),
        cmocka_unit_test(test_explain__stops_when_cancelled_and_takes_no_rows),
        cmocka_unit_test(test_every_explainer__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
