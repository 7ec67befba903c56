/* linear_decoder.c: see linear_decoder.h. (X^T X + ridge I)^-1 X^T Y for a few ridges.
 *
 * Workload: some thousand pictures, 100 to 2,000 features, 1,000 to 12,000 pixels. */
#include "learn/linear_decoder.h"

#include "base/memory.h"
#include "learn/cholesky.h"
#include "learn/model.h"
#include "matrix/products.h"

#include <string.h>

typedef struct fitting {
    hrr_dense gram, inverse, cross, weights, guess; /* F32 */
    double *factor, *column;                        /* d x d, and d for each thread */
} fitting;

static void clear(fitting *f)
{
    hrr_dense_clear(&f->gram);
    hrr_dense_clear(&f->inverse);
    hrr_dense_clear(&f->cross);
    hrr_dense_clear(&f->weights);
    hrr_dense_clear(&f->guess);
    hrr_free(f->factor);
    hrr_free(f->column);
}

static hrr_status prepare(fitting *f, uint64_t d, uint64_t pixels, uint64_t n_held, hrr_error *err)
{
    hrr_status status = hrr_dense_init(&f->gram, HRR_F32, d, d, err);
    if (!status) status = hrr_dense_init(&f->inverse, HRR_F32, d, d, err);
    if (!status) status = hrr_dense_init(&f->cross, HRR_F32, d, pixels, err);
    if (!status) status = hrr_dense_init(&f->weights, HRR_F32, d, pixels, err);
    if (!status) status = hrr_dense_init(&f->guess, HRR_F32, n_held, pixels, err);
    if (status) return status;
    f->factor = hrr_alloc(d * sizeof *f->factor, d);
    f->column = hrr_alloc(d * sizeof *f->column, d);
    return f->factor && f->column ? HRR_OK : hrr_no_memory(err);
}

/* weights = (gram + ridge I)^-1 cross; false: there is no inverse */
static bool solve(fitting *f, double ridge, int threads)
{
    const uint64_t d = f->gram.rows;
    for (uint64_t i = 0; i < d * d; i++)
        f->factor[i] = (double)((const float *)f->gram.data)[i];
    for (uint64_t i = 0; i < d; i++)
        f->factor[i * d + i] += ridge;
    if (!hrr_cholesky_factor(f->factor, d)) return false;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (uint64_t i = 0; i < d; i++) {
        double *column = f->column + i * d;
        memset(column, 0, d * sizeof *column);
        column[i] = 1;
        hrr_cholesky_solve(column, f->factor, d);
        for (uint64_t k = 0; k < d; k++)
            ((float *)f->inverse.data)[i * d + k] = (float)column[k];
    }
    hrr_gemm(&f->weights, &f->inverse, false, &f->cross, false, 1, 0);
    return true;
}

static double squared_difference(const hrr_dense *guess, const hrr_dense *truth)
{
    double sum = 0;
    for (uint64_t i = 0; i < guess->rows * guess->cols; i++) {
        const double apart =
            (double)((const float *)guess->data)[i] - (double)((const float *)truth->data)[i];
        sum += apart * apart;
    }
    return sum;
}

hrr_status hrr_linear_decoder_fit(hrr_dense *weights, const hrr_dense *x, const hrr_dense *y,
                                  uint64_t n_held, int threads, hrr_error *err)
{
    static const double ridges[] = {0.01, 0.1, 1, 10}; /* for each row and feature */
    const uint64_t d = x->cols, pixels = y->cols, n_fit = x->rows - n_held;
    float *at_x = x->data, *at_y = y->data;
    const hrr_dense held_x = hrr_f32_view(at_x, n_held, d);
    const hrr_dense held_y = hrr_f32_view(at_y, n_held, pixels);
    const hrr_dense fit_x = hrr_f32_view(at_x + n_held * d, n_fit, d);
    const hrr_dense fit_y = hrr_f32_view(at_y + n_held * pixels, n_fit, pixels);
    fitting f = {0};
    hrr_status status = hrr_dense_init(weights, HRR_F32, d, pixels, err);
    if (!status) status = prepare(&f, d, pixels, n_held, err);
    if (status) goto done;
    memset(f.guess.data, 0, n_held * pixels * sizeof(float));
    double least = squared_difference(&f.guess, &held_y);
    hrr_gemm(&f.gram, &fit_x, true, &fit_x, false, 1, 0);
    hrr_gemm(&f.cross, &fit_x, true, &fit_y, false, 1, 0);
    for (size_t r = 0; r < sizeof ridges / sizeof *ridges; r++) {
        if (!solve(&f, ridges[r] * (double)n_fit, hrr_threads(threads))) continue;
        hrr_gemm(&f.guess, &held_x, false, &f.weights, false, 1, 0);
        const double error = squared_difference(&f.guess, &held_y);
        if (error >= least) continue;
        least = error;
        memcpy(weights->data, f.weights.data, d * pixels * sizeof(float));
    }
done:
    if (status) hrr_dense_clear(weights);
    clear(&f);
    return status;
}
