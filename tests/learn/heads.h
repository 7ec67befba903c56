/* heads.h: random heads and features for the tests of this room. */
#ifndef TESTS_LEARN_HEADS_H
#define TESTS_LEARN_HEADS_H

#include "support/check.h"

#include "learn/head.h"
#include "random/fast.h"

#include <math.h>

static inline double *at(const hrr_dense *matrix, uint64_t row, uint64_t col)
{
    return (double *)matrix->data + row * matrix->cols + col;
}

static inline void fill_normal(hrr_dense *matrix, double scale, hrr_fast_random *random)
{
    for (uint64_t i = 0; i < matrix->rows * matrix->cols; i++)
        ((double *)matrix->data)[i] = scale * hrr_fast_normal(random);
}

static inline hrr_dense random_matrix(uint64_t rows, uint64_t cols, uint64_t seed)
{
    hrr_dense matrix;
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    assert_ok(hrr_dense_init(&matrix, HRR_F64, rows, cols, NULL));
    fill_normal(&matrix, 1, &random);
    return matrix;
}

/* Weights of variance 1 / (number of inputs), so that outputs are of the order of 1. */
static inline hrr_head random_head(uint64_t d, uint64_t hidden, uint64_t n_outputs,
                                   hrr_output_kind output, uint64_t seed)
{
    hrr_head head;
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 1);
    assert_ok(hrr_head_init(&head, d, hidden, n_outputs, output, NULL));
    if (hidden) {
        fill_normal(&head.hidden_weight, 1 / sqrt((double)d), &random);
        fill_normal(&head.hidden_bias, .3, &random);
    }
    fill_normal(&head.weight, 1.5 / sqrt((double)(hidden ? hidden : d)), &random);
    fill_normal(&head.bias, .3, &random);
    return head;
}

static inline double largest_difference(const hrr_dense *a, const hrr_dense *b)
{
    double worst = 0;
    assert_true(a->rows == b->rows && a->cols == b->cols);
    for (uint64_t i = 0; i < a->rows * a->cols; i++) {
        double off = fabs(((double *)a->data)[i] - ((double *)b->data)[i]);
        if (!(off <= worst)) worst = off; /* NaN counts as the worst */
    }
    return worst;
}

#endif
