/* Columns to mean 0 and variance 1, rows to a length that does not grow with their number. */
#include "learn/model.h"
#include "support/check.h"

#include <math.h>

static void check(uint64_t rows, uint64_t cols)
{
    hrr_dense x;
    assert_ok(hrr_dense_init(&x, HRR_F32, rows, cols, NULL));
    float *value = x.data;
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t j = 0; j < cols; j++) /* column 1 does not vary */
            value[i * cols + j] =
                j == 1 ? 7.5f : (float)(1000 + (double)(j + 1) * sin((double)(i * cols + j)));
    hrr_dense scaled;
    hrr_model *model;
    const hrr_model_shape shape = {
        .n_layers = 1, .n_features = cols, .n_classes = 2, .normalisation = HRR_NORMALISE_MEAN};
    assert_ok(hrr_model_new(&model, &shape, NULL));
    assert_ok(hrr_model_learn_standards(model, &x, true, NULL));
    assert_ok(hrr_model_standardise(&scaled, model, &x, 1, NULL));
    value = scaled.data;
    const double variance = cols > 16 ? 16 / (double)cols : 1;
    for (uint64_t j = 0; j < cols; j++) {
        double sum = 0, square = 0;
        for (uint64_t i = 0; i < rows; i++) {
            sum += (double)value[i * cols + j];
            square += (double)value[i * cols + j] * (double)value[i * cols + j];
        }
        assert_true(fabs(sum / (double)rows) < 1e-4);
        assert_true(fabs(square / (double)rows - (j == 1 ? 0 : variance)) < 1e-4);
    }
    hrr_model_free(model);
    hrr_dense_clear(&scaled);
    hrr_dense_clear(&x);
}

static void test_standardise__means_and_variances(void **state)
{
    (void)state;
    check(50, 3);
    check(50, 16);
    check(40, 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_standardise__means_and_variances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
