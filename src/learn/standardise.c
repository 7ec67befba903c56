/* standardise.c: features brought to mean 0 and variance 1, as the model saw them in training. The
 * factors belong to the model: a graph it is applied to is measured with the same yardstick. */
#include "learn/model.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>

hrr_status hrr_model_learn_standards(hrr_model *model, const hrr_dense *features, bool bound_length,
                                     hrr_error *err)
{
    enum { most_length_squared = 16 };
    const uint64_t n = features->rows, d = features->cols;
    const double length =
        bound_length && d > most_length_squared ? sqrt(most_length_squared / (double)d) : 1;
    float *standards = hrr_alloc(2 * d, sizeof *standards);
    double *sums = hrr_alloc_zero(2 * d, sizeof *sums);
    if (!standards || !sums) {
        hrr_free(standards);
        hrr_free(sums);
        return hrr_no_memory(err);
    }
    double *const mean = sums, *const square = sums + d;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < d; k++)
            mean[k] += hrr_dense_get(features, i, k);
    for (uint64_t k = 0; k < d; k++)
        mean[k] /= (double)n;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < d; k++) {
            const double apart = hrr_dense_get(features, i, k) - mean[k];
            square[k] += apart * apart / (double)n;
        }
    for (uint64_t k = 0; k < d; k++) {
        /* what rounding alone makes of a constant */
        const double rounding = (double)n * DBL_EPSILON * mean[k];
        standards[k] = (float)mean[k];
        standards[d + k] = square[k] > rounding * rounding ? (float)(length / sqrt(square[k])) : 1;
    }
    hrr_free(sums);
    hrr_free(model->standards);
    model->standards = standards;
    return HRR_OK;
}

hrr_status hrr_model_standardise(hrr_dense *out, const hrr_model *model, const hrr_dense *features,
                                 int threads, hrr_error *err)
{
    const uint64_t d = features->cols;
    const float *const mean = model->standards, *const factor = mean + d;
    hrr_status status = hrr_dense_init(out, HRR_F32, features->rows, d, err);
    if (status) return status;
    threads = hrr_threads(threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t i = 0; i < features->rows; i++)
        for (uint64_t k = 0; k < d; k++)
            ((float *)out->data)[i * d + k] =
                ((float)hrr_dense_get(features, i, k) - mean[k]) * factor[k];
    return HRR_OK;
}

hrr_dense hrr_model_standards(const hrr_model *model)
{
    if (!model->standards) return (hrr_dense){0};
    return hrr_f32_view(model->standards, 2, model->shape.n_features);
}
