/* picture_quality.c: see picture_quality.h. */
#include "attack/picture_quality.h"

#include "base/memory.h"
#include "matrix/products.h"

#include <math.h>
#include <string.h>

double hrr_psnr(const float *guess, const float *truth, uint64_t n)
{
    static const double least = 1e-10;
    double sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        const double off = (double)guess[i] - (double)truth[i];
        sum += off * off;
    }
    return -10 * log10(fmax(sum / (double)n, least));
}

/* ---- structural similarity ------------------------------------------------------------------- */

enum { most_window = 11 };

/* The means of a window: of both pictures, their squares and their product. */
typedef struct moments {
    double x, y, xx, yy, xy;
} moments;

static double window_ssim(const moments *m)
{
    static const double c1 = 0.01 * 0.01, c2 = 0.03 * 0.03;
    const double var_x = m->xx - m->x * m->x, var_y = m->yy - m->y * m->y;
    const double cov = m->xy - m->x * m->y;
    return (2 * m->x * m->y + c1) * (2 * cov + c2) /
           ((m->x * m->x + m->y * m->y + c1) * (var_x + var_y + c2));
}

static void gaussian(double *weight, uint32_t window)
{
    const double radius = (window - 1) / 2.0;
    double sum = 0;
    for (uint32_t i = 0; i < window; i++)
        sum += weight[i] = exp(-(i - radius) * (i - radius) / (2 * 1.5 * 1.5));
    for (uint32_t i = 0; i < window; i++)
        weight[i] /= sum;
}

static moments at_window(const float *x, const float *y, uint32_t side, uint32_t channels,
                         uint32_t window, const double *weight)
{
    moments m = {0};
    for (uint32_t r = 0; r < window; r++)
        for (uint32_t c = 0; c < window; c++) {
            const uint64_t at = ((uint64_t)r * side + c) * channels;
            const double w = weight[r] * weight[c], a = (double)x[at], b = (double)y[at];
            m.x += w * a;
            m.y += w * b;
            m.xx += w * a * a;
            m.yy += w * b * b;
            m.xy += w * a * b;
        }
    return m;
}

double hrr_ssim(const float *guess, const float *truth, uint32_t side, uint32_t channels)
{
    const uint32_t window = side < most_window ? (side - 1) / 2 * 2 + 1 : most_window;
    const uint32_t places = side - window + 1;
    double weight[most_window], sum = 0;
    gaussian(weight, window);
    for (uint32_t r = 0; r < places; r++)
        for (uint32_t c = 0; c < places; c++)
            for (uint32_t k = 0; k < channels; k++) {
                const uint64_t at = ((uint64_t)r * side + c) * channels + k;
                const moments m = at_window(guess + at, truth + at, side, channels, window, weight);
                sum += window_ssim(&m);
            }
    return sum / ((double)places * places * channels);
}

/* ---- which one is it? ------------------------------------------------------------------------ */

/* What sets rows apart from the mean picture, with length 1 (or 0). */
static hrr_status directions(hrr_dense *out, const hrr_dense *pictures, const float *mean,
                             hrr_error *err)
{
    hrr_status status = hrr_dense_init(out, HRR_F64, pictures->rows, pictures->cols, err);
    for (uint64_t i = 0; i < pictures->rows && !status; i++) {
        double *row = (double *)out->data + i * out->cols, squares = 0;
        const float *from = (const float *)pictures->data + i * out->cols;
        for (uint64_t k = 0; k < out->cols; k++) {
            row[k] = (double)from[k] - (double)mean[k];
            squares += row[k] * row[k];
        }
        for (uint64_t k = 0; k < out->cols && squares > 0; k++)
            row[k] /= sqrt(squares);
    }
    return status;
}

hrr_status hrr_reidentify(double *rank, const hrr_dense *guess, const hrr_dense *truth,
                          const float *mean, hrr_error *err)
{
    hrr_dense a = {0}, b = {0}, likeness = {0};
    hrr_status status = directions(&a, guess, mean, err);
    if (!status) status = directions(&b, truth, mean, err);
    if (!status) status = hrr_dense_init(&likeness, HRR_F64, guess->rows, truth->rows, err);
    if (!status) hrr_gemm(&likeness, &a, false, &b, true, 1, 0);
    for (uint64_t i = 0; i < guess->rows && !status; i++) {
        const double *row = (const double *)likeness.data + i * truth->rows;
        double above = 0;
        for (uint64_t j = 0; j < truth->rows; j++)
            if (j != i) above += row[j] > row[i] ? 1 : row[j] == row[i] ? 0.5 : 0;
        rank[i] = above;
    }
    hrr_dense_clear(&a);
    hrr_dense_clear(&b);
    hrr_dense_clear(&likeness);
    return status;
}
