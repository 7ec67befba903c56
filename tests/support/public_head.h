/* public_head.h: a head for tests, by its shape alone. A row whose features are 5 on average or
 * less is of the first class and has no label; others are of the last class and have all. */
#ifndef TESTS_SUPPORT_PUBLIC_HEAD_H
#define TESTS_SUPPORT_PUBLIC_HEAD_H

#include <heterorr/feature.h>

#include <assert.h>

static inline hrr_dense public_head_part(double *data, uint64_t rows, uint64_t cols)
{
    return (hrr_dense){.dtype = HRR_F64, .rows = rows, .cols = cols, .data = data};
}

/* One at a time: a second call changes what the first one gave. */
static inline hrr_head *public_head(uint64_t n_features, uint32_t n_answers, hrr_output_kind output)
{
    enum { most_numbers = 1 << 15, most_answers = 16 };
    static double weight[most_numbers], bias[most_answers];
    static hrr_head head;
    assert(n_features * n_answers <= most_numbers && n_answers <= most_answers);
    for (uint32_t j = 0; j < n_answers; j++) {
        const double of_answer = output == HRR_OUTPUT_SIGMOID ? 1 : j;
        for (uint64_t i = 0; i < n_features; i++)
            weight[i * n_answers + j] = of_answer;
        bias[j] = -5 * (double)n_features * of_answer;
    }
    head = (hrr_head){.weight = public_head_part(weight, n_features, n_answers),
                      .bias = public_head_part(bias, 1, n_answers),
                      .output = output};
    return &head;
}

#endif
