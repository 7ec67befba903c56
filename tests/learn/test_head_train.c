#include "learn/heads.h"
#include "learn/head_loss.h"
#include "support/brutal.h"

static double loss_at(const hrr_head *head, const hrr_dense *x, const double *target, double decay)
{
    hrr_head gradient;
    hrr_head_loss_scratch scratch;
    assert_ok(hrr_head_init(&gradient, x->cols, hrr_head_n_hidden(head), hrr_head_n_outputs(head),
                            head->output, NULL));
    assert_ok(hrr_head_loss_scratch_init(&scratch, head, x->rows, NULL));
    double loss = hrr_head_loss(&gradient, head, x->data, target, x->rows, decay, &scratch);
    hrr_head_loss_scratch_clear(&scratch);
    hrr_head_clear(&gradient);
    return loss;
}

/* Every derivative against a central difference: error of the order of 1e-10 for step 1e-5. */
static void check_part(const hrr_dense *gradient, hrr_dense *part, const hrr_head *head,
                       const hrr_dense *x, const double *target, double decay)
{
    const double step = 1e-5;
    for (uint64_t i = 0; i < part->rows * part->cols; i++) {
        double *w = (double *)part->data + i, kept = *w;
        *w = kept + step;
        double above = loss_at(head, x, target, decay);
        *w = kept - step;
        double below = loss_at(head, x, target, decay);
        *w = kept;
        double derivative = ((double *)gradient->data)[i];
        assert_true(fabs(derivative - (above - below) / (2 * step)) < 1e-8);
    }
}

static void test_loss__gradient_agrees_with_finite_differences(void **state)
{
    (void)state;
    enum { n = 9, d = 4, classes = 3 };
    hrr_dense x = random_matrix(n, d, 11);
    double target[n * classes] = {0};
    for (int kind = 0; kind < 4; kind++) {
        hrr_output_kind output = kind & 1 ? HRR_OUTPUT_SIGMOID : HRR_OUTPUT_SOFTMAX;
        hrr_head head = random_head(d, kind & 2 ? 5 : 0, classes, output, 12), gradient;
        for (int i = 0; i < n * classes; i++)
            target[i] =
                output == HRR_OUTPUT_SOFTMAX ? i % classes == i / classes % classes : i * 7 % 5 < 2;
        assert_ok(hrr_head_init(&gradient, d, kind & 2 ? 5 : 0, classes, output, NULL));
        hrr_head_loss_scratch scratch;
        assert_ok(hrr_head_loss_scratch_init(&scratch, &head, n, NULL));
        hrr_head_loss(&gradient, &head, x.data, target, n, .1, &scratch);
        check_part(&gradient.weight, &head.weight, &head, &x, target, .1);
        check_part(&gradient.bias, &head.bias, &head, &x, target, .1);
        check_part(&gradient.hidden_weight, &head.hidden_weight, &head, &x, target, .1);
        check_part(&gradient.hidden_bias, &head.hidden_bias, &head, &x, target, .1);
        hrr_head_loss_scratch_clear(&scratch);
        hrr_head_clear(&gradient);
        hrr_head_clear(&head);
    }
    hrr_dense_clear(&x);
}

static void test_loss__has_its_value(void **state)
{
    (void)state;
    /* Zero weights: uniform softmax costs ln C, sigmoid ln 2; the decay of weight 2 adds .5 * 4. */
    hrr_dense x = random_matrix(6, 2, 13);
    hrr_head head;
    double target[18] = {0};
    for (int i = 0; i < 6; i++)
        target[3 * i + i % 3] = 1;
    assert_ok(hrr_head_init(&head, 2, 0, 3, HRR_OUTPUT_SOFTMAX, NULL));
    assert_true(fabs(loss_at(&head, &x, target, 1) - log(3)) < 1e-14);
    head.output = HRR_OUTPUT_SIGMOID;
    assert_true(fabs(loss_at(&head, &x, target, 1) - log(2)) < 1e-14);
    memset(x.data, 0, 12 * sizeof(double));
    *at(&head.weight, 1, 2) = 2;
    assert_true(fabs(loss_at(&head, &x, target, 1) - log(2) - 2) < 1e-14);
    /* Huge logits: finite, and as large as the logit is wrong. */
    memset(head.weight.data, 0, 6 * sizeof(double));
    *at(&head.bias, 0, 0) = 1e6;
    head.output = HRR_OUTPUT_SOFTMAX;
    assert_true(fabs(loss_at(&head, &x, target, 0) - 1e6 * 4 / 6) < 1);
    hrr_head_clear(&head);
    hrr_dense_clear(&x);
}

/* Three clouds around corners of a triangle, or (xor) four around those of a square. */
static hrr_dense clouds(int32_t *classes, uint64_t n, bool xor_labels)
{
    hrr_dense x = random_matrix(n, 2, 14);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t corner = i % (xor_labels ? 4 : 3);
        double angle = 6.283185307179586 * (double)corner / (xor_labels ? 4 : 3);
        *at(&x, i, 0) = .15 * *at(&x, i, 0) + cos(angle);
        *at(&x, i, 1) = .15 * *at(&x, i, 1) + sin(angle);
        classes[i] = (int32_t)(xor_labels ? corner % 2 : corner);
    }
    return x;
}

static double accuracy(const hrr_head *head, const hrr_dense *x, const int32_t *classes)
{
    hrr_dense out;
    uint64_t right = 0;
    assert_ok(hrr_head_predict(&out, head, x, false, NULL));
    for (uint64_t i = 0; i < x->rows; i++) {
        int32_t best = 0;
        for (int32_t c = 1; c < (int32_t)out.cols; c++)
            if (*at(&out, i, (uint64_t)c) > *at(&out, i, (uint64_t)best)) best = c;
        right += best == classes[i];
    }
    hrr_dense_clear(&out);
    return (double)right / (double)x->rows;
}

static void test_train__learns_what_can_be_separated(void **state)
{
    (void)state;
    enum { n = 300 };
    int32_t classes[n];
    hrr_head_train_options options;
    hrr_head_train_options_init(&options);
    hrr_head head;
    hrr_dense x = clouds(classes, n, false);
    assert_ok(hrr_head_train(&head, &x, classes, NULL, 3, &options, NULL, NULL));
    assert_int_equal(head.output, HRR_OUTPUT_SOFTMAX);
    assert_true(accuracy(&head, &x, classes) == 1);
    hrr_head_clear(&head);
    hrr_dense_clear(&x);

    /* Opposite corners share a class: no line does it, a hidden layer does. */
    x = clouds(classes, n, true);
    assert_ok(hrr_head_train(&head, &x, classes, NULL, 2, &options, NULL, NULL));
    assert_true(accuracy(&head, &x, classes) < .8);
    hrr_head_clear(&head);
    options.hidden = 16;
    assert_ok(hrr_head_train(&head, &x, classes, NULL, 2, &options, NULL, NULL));
    assert_true(accuracy(&head, &x, classes) == 1);
    hrr_head_clear(&head);
    hrr_dense_clear(&x);
}

static void test_train__learns_several_labels_a_row(void **state)
{
    (void)state;
    enum { n = 200 };
    hrr_dense x = random_matrix(n, 3, 15), labels, out;
    assert_ok(hrr_dense_init(&labels, HRR_U8, n, 2, NULL));
    for (uint64_t i = 0; i < n; i++) {
        ((uint8_t *)labels.data)[2 * i] = *at(&x, i, 0) > 0;
        ((uint8_t *)labels.data)[2 * i + 1] = *at(&x, i, 1) + *at(&x, i, 2) > 0;
    }
    hrr_head_train_options options;
    hrr_head_train_options_init(&options);
    options.learning_rate = .05;
    hrr_head head;
    assert_ok(hrr_head_train(&head, &x, NULL, &labels, 2, &options, NULL, NULL));
    assert_int_equal(head.output, HRR_OUTPUT_SIGMOID);
    assert_ok(hrr_head_predict(&out, &head, &x, true, NULL));
    int right = 0;
    for (uint64_t i = 0; i < 2 * n; i++)
        right += (((double *)out.data)[i] > .5) == ((uint8_t *)labels.data)[i];
    assert_true(right >= 2 * n * 98 / 100);
    hrr_dense_clear(&out);
    hrr_head_clear(&head);
    hrr_dense_clear(&labels);
    hrr_dense_clear(&x);
}

static void test_train__is_a_function_of_its_seed(void **state)
{
    (void)state;
    enum { n = 60 };
    int32_t classes[n];
    hrr_dense x = clouds(classes, n, false);
    hrr_head_train_options options;
    hrr_head_train_options_init(&options);
    options.hidden = 4;
    options.epochs = 20;
    hrr_head first, again, other;
    assert_ok(hrr_head_train(&first, &x, classes, NULL, 3, &options, NULL, NULL));
    assert_ok(hrr_head_train(&again, &x, classes, NULL, 3, &options, NULL, NULL));
    options.seed = 2;
    assert_ok(hrr_head_train(&other, &x, classes, NULL, 3, &options, NULL, NULL));
    assert_true(largest_difference(&first.weight, &again.weight) == 0);
    assert_true(largest_difference(&first.hidden_weight, &again.hidden_weight) == 0);
    assert_true(largest_difference(&first.weight, &other.weight) > .01);
    hrr_head_clear(&first);
    hrr_head_clear(&again);
    hrr_head_clear(&other);
    hrr_dense_clear(&x);
}

static void test_train__refuses_what_it_cannot_learn_from(void **state)
{
    (void)state;
    int32_t classes[6];
    hrr_dense x = clouds(classes, 6, false), labels = random_matrix(6, 3, 16), empty = {0};
    hrr_head_train_options options;
    hrr_head_train_options_init(&options);
    hrr_head head;
    hrr_error err;
#define refuses(code, text, ...)                                                                   \
    do {                                                                                           \
        assert_int_equal(hrr_head_train(&head, __VA_ARGS__, &options, NULL, &err), code);          \
        assert_says(err, text);                                                                    \
        assert_null(head.weight.data);                                                             \
    } while (0)
    refuses(HRR_EINVAL, "exactly one", &x, NULL, NULL, 3);
    refuses(HRR_EINVAL, "exactly one", &x, classes, &labels, 3);
    refuses(HRR_EINVAL, "no features", &empty, classes, NULL, 3);
    refuses(HRR_EINVAL, "only one class", &x, classes, NULL, 1);
    refuses(HRR_EDATA, "row 3: the label must lie between 0 and 1", &x, classes, NULL, 2);
    refuses(HRR_EINVAL, "6 x 3, but 6 rows and 2 classes", &x, NULL, &labels, 2);
    refuses(HRR_EDATA, "row 1, column 1: the label must be 0 or 1", &x, NULL, &labels, 3);
    options.epochs = 0;
    refuses(HRR_EINVAL, "epoch", &x, classes, NULL, 3);
    hrr_head_train_options_init(&options);
    options.learning_rate = NAN;
    refuses(HRR_EINVAL, "learning rate", &x, classes, NULL, 3);
    hrr_head_train_options_init(&options);
    options.weight_decay = -1;
    refuses(HRR_EINVAL, "weight decay", &x, classes, NULL, 3);
    hrr_head_train_options_init(&options);
    *at(&x, 4, 1) = INFINITY;
    refuses(HRR_EDATA, "features: row 5, column 2", &x, classes, NULL, 3);
    *at(&x, 4, 1) = 1;
    options.learning_rate = 1e308;
    refuses(HRR_EDATA, "diverged", &x, classes, NULL, 3);
    hrr_dense_clear(&labels);
    hrr_dense_clear(&x);
}

static void test_train__stops_when_cancelled(void **state)
{
    (void)state;
    int32_t classes[6];
    hrr_dense x = clouds(classes, 6, false);
    hrr_head_train_options options;
    hrr_head_train_options_init(&options);
    hrr_progress *progress;
    hrr_head head;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(hrr_head_train(&head, &x, classes, NULL, 3, &options, progress, NULL),
                     HRR_ECANCEL);
    assert_null(head.weight.data);
    hrr_progress_free(progress);
    hrr_dense_clear(&x);
}

static hrr_status train_once(void *user)
{
    const hrr_dense *x = user;
    const int32_t classes[6] = {0, 1, 2, 0, 1, 2};
    hrr_head_train_options options;
    hrr_head_train_options_init(&options);
    options.hidden = 2;
    options.epochs = 2;
    hrr_head head;
    hrr_status status = hrr_head_train(&head, x, classes, NULL, 3, &options, NULL, NULL);
    hrr_head_clear(&head);
    return status;
}

static void test_train__survives_running_out_of_memory(void **state)
{
    (void)state;
    hrr_dense x = random_matrix(6, 2, 17);
    assert_int_equal(brutal(train_once, &x), 4 * 4 + 3 + 1 + 1);
    hrr_dense_clear(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loss__gradient_agrees_with_finite_differences),
        cmocka_unit_test(test_loss__has_its_value),
        cmocka_unit_test(test_train__learns_what_can_be_separated),
        cmocka_unit_test(test_train__learns_several_labels_a_row),
        cmocka_unit_test(test_train__is_a_function_of_its_seed),
        cmocka_unit_test(test_train__refuses_what_it_cannot_learn_from),
        cmocka_unit_test(test_train__stops_when_cancelled),
        cmocka_unit_test(test_train__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
