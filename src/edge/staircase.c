/* staircase.c: see staircase.h.
 *
 * The fit. Rows and columns are 0 from the corner on, the place h where the staircase crosses the
 * diagonal. The corner is where a fit that is 0 behind it explains most, each number before it
 * costing twice the squared scale of the noise. Before it, row[i] + i and column[k - 1] + k do not
 * increase: pool adjacent violators. Degrees in a pool would all be the same, where the truth was
 * merely too faint to be told apart; so they are spread between the middles of pools. */
#include "edge/staircase.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

void hrr_staircase_count(int64_t *row, int64_t *column, uint32_t *sorted, const uint32_t *degree,
                         uint64_t n)
{
    memset(column, 0, n * sizeof *column);
    for (uint64_t v = 0; v < n; v++)
        column[degree[v]]++;
    uint64_t next = 0;
    for (uint64_t d = n; d-- > 0;)
        for (int64_t i = 0; i < column[d]; i++)
            sorted[next++] = (uint32_t)d;
    uint64_t at_least = n;
    for (uint64_t i = 0; i < n; i++) {
        row[i] = sorted[i] > i ? (int64_t)(sorted[i] - i) : 0;
        at_least -= (uint64_t)column[i]; /* now of degree i + 1 or more */
        column[i] = at_least > i + 1 ? (int64_t)(at_least - (i + 1)) : 0;
    }
}

/* ---- isotonic regression --------------------------------------------------------------------- */

typedef struct pool {
    double sum;
    uint64_t begin, size;
} pool;

static double mean(const pool *p)
{
    return p->sum / (double)p->size;
}

/* The pools of y[i] + slope i, not increasing; returns how many. */
static uint64_t pool_violators(pool *pools, const int64_t *y, double slope, uint64_t n)
{
    uint64_t n_pools = 0;
    for (uint64_t i = 0; i < n; i++) {
        pool last = {(double)y[i] + slope * (double)i, i, 1};
        for (; n_pools && mean(&pools[n_pools - 1]) <= mean(&last); n_pools--) {
            last.sum += pools[n_pools - 1].sum;
            last.size += pools[n_pools - 1].size;
            last.begin = pools[n_pools - 1].begin;
        }
        pools[n_pools++] = last;
    }
    return n_pools;
}

static double middle(const pool *p)
{
    return (double)p->begin + ((double)p->size - 1) / 2;
}

static double clamp(double x, double least, double most)
{
    return x < least ? least : x > most ? most : x;
}

/* The fit at each place, spread between the middles of pools, no farther from the mean of a pool
 * than its noise: a step of the truth beside a flat part stays a step. */
static void spread(double *fit, const pool *pools, uint64_t n_pools, double least, double most,
                   double scale)
{
    for (uint64_t p = 0; p < n_pools; p++)
        for (uint64_t i = pools[p].begin; i < pools[p].begin + pools[p].size; i++) {
            const double here = middle(&pools[p]), x = (double)i;
            const pool *other =
                x < here ? (p ? &pools[p - 1] : NULL) : (p + 1 < n_pools ? &pools[p + 1] : NULL);
            const double y = clamp(mean(&pools[p]), least, most);
            const double noise = 6 * scale / sqrt((double)pools[p].size);
            double off = 0;
            if (other && x != here)
                off = (clamp(mean(other), least, most) - y) * (x - here) / (middle(other) - here);
            fit[i] = y + clamp(off, -noise, noise);
        }
}

/* ---- the corner ------------------------------------------------------------------------------ */

/* gain[i] += how much better the fit explains y[i] than 0 does. */
static void add_gain(double *gain, const pool *pools, uint64_t n_pools, const int64_t *y)
{
    for (uint64_t p = 0; p < n_pools; p++) {
        const double m = mean(&pools[p]);
        for (uint64_t i = pools[p].begin; m > 0 && i < pools[p].begin + pools[p].size; i++)
            gain[i] += 2 * (double)y[i] * m - m * m;
    }
}

static uint64_t find_corner(double *gain, pool *pools, const int64_t *row, const int64_t *column,
                            uint64_t n, double scale)
{
    uint64_t corner = 1;
    double sum = 0, best = 0;
    memset(gain, 0, n * sizeof *gain);
    add_gain(gain, pools, pool_violators(pools, row, 0, n), row);
    add_gain(gain, pools, pool_violators(pools, column, 0, n), column);
    for (uint64_t i = 0; i < n; i++) {
        sum += gain[i] - 2 * scale * scale;
        if (sum > best) best = sum, corner = i + 1;
    }
    return corner;
}

/* Whether the rows say more than that the largest degrees are about the corner. */
static bool rows_tell(const int64_t *row, uint64_t corner, double scale)
{
    double above = 0;
    for (uint64_t i = 0; i < corner; i++)
        above += (double)row[i] + (double)i - (double)corner;
    return above > 3 * sqrt(2 * (double)corner) * scale;
}

hrr_status hrr_staircase_fit(uint32_t *degree, const int64_t *row, const int64_t *column,
                             uint64_t n, double eps, hrr_error *err)
{
    double *fit = hrr_alloc(n, sizeof *fit);
    pool *pools = hrr_alloc(n, sizeof *pools);
    if (!fit || !pools) {
        hrr_free(fit);
        hrr_free(pools);
        return hrr_no_memory(err);
    }
    memset(degree, 0, n * sizeof *degree);
    const uint64_t corner = n ? find_corner(fit, pools, row, column, n, 1 / eps) : 0;
    const double h = (double)corner;
    /* column k - 1 fits #{degrees >= k} = column + k */
    spread(fit, pools, pool_violators(pools, column, 1, corner), h - 1, (double)n - 1, 1 / eps);
    uint64_t done = 0;
    for (uint64_t k = corner; k > 0; k--) {
        const uint64_t at_least = (uint64_t)llround(fit[k - 1] + 1);
        for (; done < at_least && done < n; done++)
            degree[done] = (uint32_t)k;
    }
    if (rows_tell(row, corner, 1 / eps)) {
        spread(fit, pools, pool_violators(pools, row, 1, corner), h, (double)n - 1, 1 / eps);
        for (uint64_t i = 0; i < corner; i++)
            if (fit[i] > (double)degree[i]) degree[i] = (uint32_t)llround(fit[i]);
    }
    if (n == 1) degree[0] = 0;
    hrr_free(fit);
    hrr_free(pools);
    return HRR_OK;
}
