#include "learn/heads.h"
#include "support/brutal.h"
#include "support/files.h"

#include <heterorr/io.h>

/* 2 features, 2 hidden units, 2 outputs, small enough for paper. */
static hrr_head paper_head(void)
{
    hrr_head head;
    assert_ok(hrr_head_init(&head, 2, 2, 2, HRR_OUTPUT_SOFTMAX, NULL));
    memcpy(head.hidden_weight.data, (double[]){1, -1, 2, 1}, 4 * sizeof(double));
    memcpy(head.hidden_bias.data, (double[]){0.5, 0}, 2 * sizeof(double));
    memcpy(head.weight.data, (double[]){1, 0, 3, -2}, 4 * sizeof(double));
    memcpy(head.bias.data, (double[]){0, 1}, 2 * sizeof(double));
    return head;
}

static void test_head__computes_what_paper_does(void **state)
{
    (void)state;
    hrr_head head = paper_head();
    /* x = (1, 1): hidden relu(3.5, 0) -> logits (3.5, 1). x = (-1, 2): relu(3.5, 3) -> (12.5, -5)
     */
    hrr_dense x, out;
    assert_ok(hrr_dense_init(&x, HRR_F32, 2, 2, NULL));
    memcpy(x.data, (float[]){1, 1, -1, 2}, 4 * sizeof(float));
    assert_ok(hrr_head_predict(&out, &head, &x, false, NULL));
    assert_true(*at(&out, 0, 0) == 3.5 && *at(&out, 0, 1) == 1);
    assert_true(*at(&out, 1, 0) == 12.5 && *at(&out, 1, 1) == -5);
    hrr_dense_clear(&out);
    assert_ok(hrr_head_predict(&out, &head, &x, true, NULL));
    assert_true(fabs(*at(&out, 0, 0) - 1 / (1 + exp(-2.5))) < 1e-15);
    assert_true(fabs(*at(&out, 0, 0) + *at(&out, 0, 1) - 1) < 1e-15);
    hrr_dense_clear(&out);
    head.output = HRR_OUTPUT_SIGMOID;
    assert_ok(hrr_head_predict(&out, &head, &x, true, NULL));
    assert_true(fabs(*at(&out, 0, 1) - 1 / (1 + exp(-1))) < 1e-15);
    hrr_dense_clear(&out);
    hrr_dense_clear(&x);
    hrr_head_clear(&head);
}

static void test_head__many_rows_are_each_their_own(void **state)
{
    (void)state;
    hrr_head head = random_head(7, 5, 3, HRR_OUTPUT_SOFTMAX, 1);
    hrr_dense x = random_matrix(600, 7, 2), all, one;
    assert_ok(hrr_head_predict(&all, &head, &x, true, NULL));
    for (uint64_t i = 0; i < 600; i += 7) {
        hrr_dense row = hrr_f64_view(at(&x, i, 0), 1, 7);
        assert_ok(hrr_head_predict(&one, &head, &row, true, NULL));
        for (uint64_t c = 0; c < 3; c++)
            assert_true(fabs(*at(&one, 0, c) - *at(&all, i, c)) < 1e-14);
        hrr_dense_clear(&one);
    }
    hrr_dense_clear(&all);
    hrr_dense_clear(&x);
    hrr_head_clear(&head);
}

static void test_output__does_not_overflow(void **state)
{
    (void)state;
    double z[] = {1e308, -1e308, 0, 800, 799, -800};
    hrr_output_apply(z, HRR_OUTPUT_SOFTMAX, 2, 3);
    assert_true(z[0] == 1 && z[1] == 0 && z[2] == 0);
    assert_true(fabs(z[3] - 1 / (1 + exp(-1))) < 1e-15 && z[5] == 0);
    double s[] = {1e308, -1e308, 0, -745};
    hrr_output_apply(s, HRR_OUTPUT_SIGMOID, 1, 4);
    assert_true(s[0] == 1 && s[1] == 0 && s[2] == .5 && s[3] > 0 && s[3] < 1e-320);
}

static void check_same(const hrr_head *a, const hrr_head *b)
{
    assert_true(largest_difference(&a->weight, &b->weight) == 0);
    assert_true(largest_difference(&a->bias, &b->bias) == 0);
    assert_true(largest_difference(&a->hidden_weight, &b->hidden_weight) == 0);
    assert_true(largest_difference(&a->hidden_bias, &b->hidden_bias) == 0);
    assert_int_equal(a->output, b->output);
}

static void test_head__reads_what_it_wrote(void **state)
{
    const char *path = in_dir(*state, "head.npz");
    for (uint64_t hidden = 0; hidden <= 4; hidden += 4) {
        hrr_head head = random_head(5, hidden, 3, HRR_OUTPUT_SIGMOID, 3), back;
        assert_ok(hrr_head_write(&head, path, NULL));
        assert_ok(hrr_head_read(&back, path, HRR_OUTPUT_SIGMOID, NULL));
        check_same(&head, &back);
        hrr_head_clear(&head);
        hrr_head_clear(&back);
    }
}

static void test_head__an_npy_is_the_weight_alone(void **state)
{
    const char *path = in_dir(*state, "weight.npy");
    hrr_dense weight = random_matrix(6, 2, 4);
    assert_ok(hrr_dense_write(&weight, path, NULL));
    hrr_head head;
    assert_ok(hrr_head_read(&head, path, HRR_OUTPUT_SOFTMAX, NULL));
    assert_true(hrr_head_is_linear(&head));
    assert_true(largest_difference(&head.weight, &weight) == 0);
    assert_true(head.bias.rows == 1 && head.bias.cols == 2 && *at(&head.bias, 0, 1) == 0);
    hrr_head_clear(&head);
    hrr_dense_clear(&weight);
}

/* A matrix of zeros but for its last number. */
typedef struct named_shape {
    const char *name;
    uint64_t rows, cols;
    double last;
} named_shape;

static void write_shapes(const char *path, const named_shape *shapes, size_t n)
{
    hrr_dense matrix[4] = {0};
    hrr_array array[4];
    hrr_npz_item items[4];
    for (size_t i = 0; i < n; i++) {
        assert_ok(hrr_dense_init(&matrix[i], HRR_F64, shapes[i].rows, shapes[i].cols, NULL));
        if (matrix[i].rows > 0 && matrix[i].cols > 0)
            *at(&matrix[i], shapes[i].rows - 1, shapes[i].cols - 1) = shapes[i].last;
        array[i] = (hrr_array){.type = HRR_ARRAY_F64,
                               .item_size = 8,
                               .n_dims = 2,
                               .shape = {shapes[i].rows, shapes[i].cols},
                               .n_items = shapes[i].rows * shapes[i].cols,
                               .data = matrix[i].data};
        items[i] = (hrr_npz_item){shapes[i].name, &array[i]};
    }
    assert_ok(hrr_npz_write(path, items, n, NULL));
    for (size_t i = 0; i < n; i++)
        hrr_dense_clear(&matrix[i]);
}

static void test_head__refuses_shapes_that_do_not_fit(void **state)
{
    const struct {
        named_shape shapes[4];
        size_t n;
        const char *says;
    } bad[] = {
        {{{"bias", 1, 3, 0}}, 1, "weight is missing"},
        {{{"weight", 4, 3, 0}}, 1, "bias is missing"},
        {{{"weight", 4, 3, 0}, {"bias", 1, 2, 0}}, 2, "bias is 1 x 2, but the weight has 3"},
        {{{"weight", 4, 4, 0}, {"bias", 2, 2, 0}}, 2, "bias is 2 x 2"},
        {{{"weight", 0, 3, 0}, {"bias", 1, 3, 0}}, 2, "weight: is empty"},
        {{{"weight", 4, 3, NAN}, {"bias", 1, 3, 0}}, 2, "weight: row 4, column 3 is not a finite"},
        {{{"weight", 4, 3, 0}, {"bias", 1, 3, INFINITY}}, 2, "bias: row 1, column 3"},
        {{{"weight", 4, 3, 0}, {"bias", 1, 3, 0}, {"hidden_weight", 9, 4, 0}},
         3,
         "hidden_bias is missing"},
        {{{"weight", 4, 3, 0}, {"bias", 1, 3, 0}, {"hidden_bias", 1, 4, 0}},
         3,
         "hidden_weight is missing"},
        {{{"weight", 4, 3, 0},
          {"bias", 3, 1, 0},
          {"hidden_weight", 4, 9, 0},
          {"hidden_bias", 1, 9, 0}},
         4,
         "hidden_weight has 9 columns, but weight has 4 rows"},
    };
    const char *path = in_dir(*state, "bad.npz");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        write_shapes(path, bad[i].shapes, bad[i].n);
        hrr_head head;
        hrr_error err = {0};
        assert_int_equal(hrr_head_read(&head, path, HRR_OUTPUT_SOFTMAX, &err), HRR_EDATA);
        assert_says(err, bad[i].says);
        assert_says(err, "bad.npz");
        assert_null(head.weight.data);
    }
    hrr_head head;
    assert_int_equal(hrr_head_read(&head, in_dir(*state, "none.npz"), HRR_OUTPUT_SOFTMAX, NULL),
                     HRR_EIO);
}

static void test_head__refuses_features_it_was_not_made_for(void **state)
{
    (void)state;
    hrr_head head = random_head(4, 0, 2, HRR_OUTPUT_SOFTMAX, 5);
    hrr_dense x = random_matrix(3, 5, 6), out;
    hrr_error err;
    assert_int_equal(hrr_head_predict(&out, &head, &x, false, &err), HRR_EINVAL);
    assert_says(err, "5 columns, but the head takes 4 features");
    x.cols = 4;
    *at(&x, 2, 1) = NAN;
    assert_int_equal(hrr_head_predict(&out, &head, &x, false, &err), HRR_EDATA);
    assert_says(err, "row 3, column 2");
    hrr_dense_clear(&x);
    hrr_head_clear(&head);
}

typedef struct head_and_path {
    hrr_head head;
    const char *path;
} head_and_path;

static hrr_status predict_once(void *user)
{
    const head_and_path *given = user;
    double numbers[6] = {1, 2, 3, 4, 5, 6};
    hrr_dense x = hrr_f64_view(numbers, 2, 3), out;
    hrr_status status = hrr_head_predict(&out, &given->head, &x, true, NULL);
    hrr_dense_clear(&out);
    return status;
}

static hrr_status read_once(void *user)
{
    const head_and_path *given = user;
    hrr_head back;
    hrr_status status = hrr_head_read(&back, given->path, HRR_OUTPUT_SOFTMAX, NULL);
    hrr_head_clear(&back);
    return status;
}

static hrr_status write_once(void *user)
{
    const head_and_path *given = user;
    return hrr_head_write(&given->head, given->path, NULL);
}

static void test_head__survives_running_out_of_memory(void **state)
{
    head_and_path given = {random_head(3, 2, 2, HRR_OUTPUT_SOFTMAX, 7), in_dir(*state, "h.npz")};
    assert_ok(write_once(&given));
    assert_true(brutal(predict_once, &given) >= 3);
    assert_true(brutal(read_once, &given) >= 4);
    assert_true(brutal(write_once, &given) >= 1);
    hrr_head_clear(&given.head);
}

/* Two classes that differ in one feature: that feature is the direction. Bounds stretch it, so that
 * a feature with a wide range outweighs one with a large weight. tests/feature/test_projection.py
 * has the comparison with numpy. */
static void test_head_directions__are_what_the_head_tells_apart(void **state)
{
    (void)state;
    hrr_head head;
    hrr_dense found;
    hrr_error err = {0};
    assert_ok(hrr_head_init(&head, 3, 0, 2, HRR_OUTPUT_SOFTMAX, NULL));
    *at(&head.weight, 0, 0) = *at(&head.weight, 0, 1) = 7; /* the same for both */
    *at(&head.weight, 1, 0) = 2, *at(&head.weight, 1, 1) = -1;
    assert_ok(hrr_head_directions(&found, &head, NULL, NULL, 0, NULL));
    assert_true(found.rows == 1 && found.cols == 3);
    assert_true(*at(&found, 0, 1) > 1 - 1e-12);
    hrr_dense_clear(&found);
    assert_int_equal(hrr_head_directions(&found, &head, NULL, NULL, 2, &err), HRR_EINVAL);
    assert_null(found.data);

    head.output = HRR_OUTPUT_SIGMOID;
    const double lo[] = {0, 0, 0}, hi[] = {1, 100, 1};
    assert_ok(hrr_head_directions(&found, &head, lo, hi, 2, NULL));
    assert_true(found.rows == 2 && *at(&found, 0, 1) > .99 && *at(&found, 1, 0) > .99);
    hrr_dense_clear(&found);
    hrr_head_clear(&head);
}

static hrr_status directions_once(void *user)
{
    hrr_dense found;
    hrr_status status = hrr_head_directions(&found, user, NULL, NULL, 0, NULL);
    hrr_dense_clear(&found);
    return status;
}

static void test_head_directions__survive_without_memory(void **state)
{
    (void)state;
    hrr_head head = random_head(4, 3, 2, HRR_OUTPUT_SOFTMAX, 5);
    assert_true(brutal(directions_once, &head) > 4);
    hrr_head_clear(&head);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_head__computes_what_paper_does),
        cmocka_unit_test(test_head__many_rows_are_each_their_own),
        cmocka_unit_test(test_output__does_not_overflow),
        WITH_SCRATCH(test_head__reads_what_it_wrote),
        WITH_SCRATCH(test_head__an_npy_is_the_weight_alone),
        WITH_SCRATCH(test_head__refuses_shapes_that_do_not_fit),
        cmocka_unit_test(test_head__refuses_features_it_was_not_made_for),
        WITH_SCRATCH(test_head__survives_running_out_of_memory),
        cmocka_unit_test(test_head_directions__are_what_the_head_tells_apart),
        cmocka_unit_test(test_head_directions__survive_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
