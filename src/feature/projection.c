/* projection.c: the public side of featurerr-projected: directions, where they start, how far they
 * reach.
 *
 * In unit scale z = (x - lo) / (hi - lo), a node's coordinate along direction v_a is
 *
 *     c_a = sum over i of v_ai (z_i - centre_i).
 *
 * Without a sample the centre is 1/2 and the bounds are those that no vector of the unit cube
 * leaves. They grow like sqrt(d), and noise grows with them. A public sample says where coordinates
 * really lie: then the centre is its mean and the bounds are its smallest and largest coordinate
 * with a margin, never wider than those of the cube; private coordinates outside are clipped. All
 * of it is computed from public data alone, so none of it costs budget. */
#include "feature/mechanism.h"
#include "feature/projection.h"
#include "base/memory.h"
#include "matrix/dense.h"
#include "matrix/products.h"

#include <math.h>
#include <string.h>

static const double margin = 0.05; /* of the sample's range, on each side */

void hrr_projection_clear(hrr_projection *projection)
{
    hrr_dense_clear(&projection->directions);
    hrr_free(projection->centre);
    *projection = (hrr_projection){0};
}

/* Gram-Schmidt, twice over, which is enough for full accuracy. */
static hrr_status orthonormalise(double *direction, size_t n_directions, size_t n, hrr_error *err)
{
    const double dependent = 1e-8; /* what is left of a direction once the others are taken away */
    for (size_t a = 0; a < n_directions; a++) {
        double *row = direction + a * n;
        const double length = sqrt(hrr_dot(row, row, n));
        for (int pass = 0; pass < 2; pass++)
            for (size_t b = 0; b < a; b++) {
                const double *before = direction + b * n, along = hrr_dot(row, before, n);
                for (size_t i = 0; i < n; i++)
                    row[i] -= along * before[i];
            }
        const double rest = sqrt(hrr_dot(row, row, n));
        if (!isfinite(length) || !(rest > dependent * length))
            return hrr_fail(
                err, HRR_EINVAL,
                "direction %llu is zero, not finite, or a combination of the directions before it",
                (unsigned long long)a);
        for (size_t i = 0; i < n; i++)
            row[i] /= rest;
    }
    return HRR_OK;
}

/* A sample in unit scale, clipped as private rows will be. */
static hrr_status sample_in_units(hrr_dense *out, const hrr_dense *sample, const double *lo,
                                  const double *hi, hrr_error *err)
{
    const uint64_t d = sample->cols;
    hrr_status status = hrr_dense_init(out, HRR_F64, sample->rows, d, err);
    double *unit = out->data;
    for (uint64_t i = 0; !status && i < sample->rows * d; i++) {
        const uint64_t col = i % d;
        const double low = lo ? lo[col] : 0, range = (hi ? hi[col] : 1) - low;
        const double x = hrr_dense_get(sample, i / d, col);
        if (!isfinite(x))
            status = hrr_fail(err, HRR_EDATA,
                              "row %llu, column %llu of the public sample is not a finite number",
                              (unsigned long long)(i / d), (unsigned long long)col);
        else if (!(range > 0))
            status = hrr_fail(err, HRR_EINVAL, "the bounds of feature %llu are not in order",
                              (unsigned long long)col);
        else
            unit[i] = hrr_clip_unit((x - low) / range);
    }
    if (status) hrr_dense_clear(out);
    return status;
}

/* What no vector of the unit cube leaves. */
static void cube_bounds(double *lo, double *hi, const double *v, const double *centre, size_t d)
{
    *lo = *hi = 0;
    for (size_t i = 0; i < d; i++) {
        const double at_0 = -v[i] * centre[i], at_1 = v[i] * (1 - centre[i]);
        *lo += at_0 < at_1 ? at_0 : at_1;
        *hi += at_0 < at_1 ? at_1 : at_0;
    }
}

static void sample_bounds(double *lo, double *hi, const double *v, const double *centre,
                          const hrr_dense *unit)
{
    const size_t d = unit->cols;
    const double start = hrr_dot(v, centre, d);
    double least = INFINITY, most = -INFINITY;
    for (uint64_t row = 0; row < unit->rows; row++) {
        const double c = hrr_dot(v, (const double *)unit->data + row * d, d) - start;
        least = fmin(least, c), most = fmax(most, c);
    }
    if (!(most - least > 1e-9 * (*hi - *lo))) return; /* says nothing: keep those of the cube */
    const double wider = margin * (most - least);
    *lo = fmax(*lo, least - wider);
    *hi = fmin(*hi, most + wider);
}

/* Takes the directions. unit: the sample, or NULL. */
static hrr_status finish(hrr_projection *out, hrr_dense *directions, const hrr_dense *unit,
                         hrr_error *err)
{
    const size_t r = directions->rows, d = directions->cols;
    double *const v = directions->data;
    hrr_status status = orthonormalise(v, r, d, err);
    if (status) return status;
    double *centre = hrr_alloc_zero(d + 2 * r, sizeof *centre);
    if (!centre) return hrr_no_memory(err);
    double *const lo = centre + d, *const hi = lo + r;
    for (size_t i = 0; i < d; i++)
        centre[i] = unit ? 0 : 0.5;
    for (uint64_t row = 0; unit && row < unit->rows; row++)
        for (size_t i = 0; i < d; i++)
            centre[i] += ((const double *)unit->data)[row * d + i] / (double)unit->rows;
    for (size_t a = 0; a < r; a++) {
        cube_bounds(&lo[a], &hi[a], v + a * d, centre, d);
        if (unit) sample_bounds(&lo[a], &hi[a], v + a * d, centre, unit);
    }
    *out = (hrr_projection){.directions = *directions, .centre = centre, .lo = lo, .hi = hi};
    *directions = (hrr_dense){0};
    return HRR_OK;
}

hrr_status hrr_projection_from_directions(hrr_projection *out, const hrr_dense *directions,
                                          const hrr_dense *sample, const double *lo,
                                          const double *hi, hrr_error *err)
{
    *out = (hrr_projection){0};
    if (directions->rows < 1 || directions->rows > directions->cols)
        return hrr_fail(err, HRR_EINVAL,
                        "the directions are %llu x %llu; at most %llu directions of %llu numbers "
                        "each are possible",
                        (unsigned long long)directions->rows, (unsigned long long)directions->cols,
                        (unsigned long long)directions->cols, (unsigned long long)directions->cols);
    if (sample && (sample->cols != directions->cols || sample->rows < 1))
        return hrr_fail(
            err, HRR_EINVAL,
            "the public sample is %llu x %llu, but the directions have %llu numbers each",
            (unsigned long long)sample->rows, (unsigned long long)sample->cols,
            (unsigned long long)directions->cols);
    hrr_dense copy = {0}, unit = {0};
    hrr_status status = hrr_dense_convert(&copy, directions, HRR_F64, err);
    if (!status && sample) status = sample_in_units(&unit, sample, lo, hi, err);
    if (!status) status = finish(out, &copy, sample ? &unit : NULL, err);
    hrr_dense_clear(&copy);
    hrr_dense_clear(&unit);
    return status;
}

hrr_status hrr_projection_from_sample(hrr_projection *out, const hrr_dense *sample,
                                      const double *lo, const double *hi, uint32_t n_directions,
                                      hrr_error *err)
{
    *out = (hrr_projection){0};
    if (n_directions < 1)
        return hrr_fail(err, HRR_EINVAL, "the number of directions must be at least 1");
    hrr_dense unit = {0}, directions = {0};
    hrr_status status = sample_in_units(&unit, sample, lo, hi, err);
    if (!status) status = hrr_dense_principal(&directions, NULL, &unit, n_directions, true, err);
    if (!status) status = finish(out, &directions, &unit, err);
    hrr_dense_clear(&directions);
    hrr_dense_clear(&unit);
    return status;
}
