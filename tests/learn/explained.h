/* explained.h: one explanation, checked for completeness. */
#ifndef TESTS_LEARN_EXPLAINED_H
#define TESTS_LEARN_EXPLAINED_H

#include "learn/heads.h"

static inline hrr_dense explained(const hrr_head *head, const hrr_dense *rows,
                                  const hrr_dense *background, hrr_explainer explainer,
                                  bool probabilities, uint32_t n_samples, int threads)
{
    hrr_explain_options options;
    hrr_explain_options_init(&options);
    options.explainer = explainer;
    options.probabilities = probabilities;
    options.n_samples = n_samples;
    options.threads = threads;
    hrr_dense values;
    hrr_error err = {0};
    hrr_status status = hrr_explain(&values, head, rows, background, &options, NULL, &err);
    if (status) print_error("%s\n", err.message);
    assert_int_equal(status, HRR_OK);
    assert_true(values.rows == rows->rows * hrr_head_n_outputs(head));
    assert_true(values.cols == hrr_head_n_features(head));
    return values;
}

/* The largest | sum of values - (f(x) - mean f(b)) | over rows and outputs. */
static inline double incompleteness(const hrr_dense *values, const hrr_head *head,
                                    const hrr_dense *rows, const hrr_dense *background,
                                    bool probabilities)
{
    hrr_dense at_rows, at_background;
    double worst = 0;
    assert_ok(hrr_head_predict(&at_rows, head, rows, probabilities, NULL));
    assert_ok(hrr_head_predict(&at_background, head, background, probabilities, NULL));
    for (uint64_t i = 0; i < rows->rows; i++)
        for (uint64_t c = 0; c < at_rows.cols; c++) {
            double mean = 0, sum = 0;
            for (uint64_t b = 0; b < background->rows; b++)
                mean += *at(&at_background, b, c) / (double)background->rows;
            for (uint64_t j = 0; j < values->cols; j++)
                sum += *at(values, i * at_rows.cols + c, j);
            double off = fabs(sum - (*at(&at_rows, i, c) - mean));
            if (!(off <= worst)) worst = off;
        }
    hrr_dense_clear(&at_rows);
    hrr_dense_clear(&at_background);
    return worst;
}

#endif
