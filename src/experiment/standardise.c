/* standardise.c: see standardise.h. Columns are summed a block at a time, rows inside, so that
 * memory is walked through in its order. */
#include "experiment/standardise.h"

#include <math.h>

enum { columns_per_block = 64 };

static void standardise_block(hrr_dense *x, uint64_t begin, uint64_t end, double length)
{
    double mean[columns_per_block] = {0}, square[columns_per_block] = {0};
    float *const data = x->data;
    for (uint64_t i = 0; i < x->rows; i++)
        for (uint64_t j = begin; j < end; j++)
            mean[j - begin] += (double)data[i * x->cols + j];
    for (uint64_t j = 0; j < end - begin; j++)
        mean[j] /= (double)x->rows;
    for (uint64_t i = 0; i < x->rows; i++)
        for (uint64_t j = begin; j < end; j++) {
            const double off = (double)data[i * x->cols + j] - mean[j - begin];
            square[j - begin] += off * off;
        }
    for (uint64_t j = 0; j < end - begin; j++)
        square[j] = square[j] > 0 ? length / sqrt(square[j] / (double)x->rows) : 0;
    for (uint64_t i = 0; i < x->rows; i++)
        for (uint64_t j = begin; j < end; j++) {
            float *value = &data[i * x->cols + j];
            *value = (float)(((double)*value - mean[j - begin]) * square[j - begin]);
        }
}

void hrr_standardise(hrr_dense *x)
{
    const double length = x->cols > 16 ? 4 / sqrt((double)x->cols) : 1;
    for (uint64_t begin = 0; begin < x->cols; begin += columns_per_block) {
        const uint64_t left = x->cols - begin;
        standardise_block(x, begin, begin + (left < columns_per_block ? left : columns_per_block),
                          length);
    }
}
