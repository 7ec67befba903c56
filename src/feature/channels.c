/* channels.c: from the budgets of all features to the rows of limits that the kernels compare with.
 *
 * Independent channels compose: their epsilons add up. Tables depend on the budget alone, so equal
 * budgets share one; they are numbered in the order in which features first need them, which keeps
 * neighbours in a row neighbours in memory.
 *
 * Tables are bounded: with many bins and a budget of its own for every feature they would take
 * hundreds of megabytes (k = 256: 128 KB each). Budgets are then rounded down to fewer different
 * ones, as little as it takes; a smaller budget breaks no promise.
 *
 * Workload: one table (equal weights) to thousands (a theta for each feature). */
#include "feature/channels.h"
#include "feature/channel.h"
#include "base/memory.h"
#include "privacy/eps.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { cache_line = 64, most_table_memory = 40 << 20 };

typedef struct share {
    uint64_t eps_nano;
    uint32_t feature;
} share;

static int by_eps_then_feature(const void *a, const void *b)
{
    const share *x = a, *y = b;
    if (x->eps_nano != y->eps_nano) return x->eps_nano < y->eps_nano ? -1 : 1;
    return x->feature < y->feature ? -1 : x->feature > y->feature;
}

static void sort_shares(share *sorted, const uint64_t *eps_nano, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sorted[i] = (share){eps_nano[i], (uint32_t)i};
    qsort(sorted, n, sizeof *sorted, by_eps_then_feature);
}

/* table[i] for each feature, numbered by first use; returns how many. */
static uint32_t number_tables(uint32_t *table, const share *sorted, size_t n)
{
    /* First the feature that leads each group, then the leaders' numbers in their own order. */
    for (size_t i = 0, leader = 0; i < n; i++) {
        if (sorted[i].eps_nano != sorted[leader].eps_nano) leader = i;
        table[sorted[i].feature] = sorted[leader].feature;
    }
    uint32_t n_tables = 0;
    for (size_t i = 0; i < n; i++)
        table[i] = table[i] == i ? n_tables++ : table[table[i]];
    return n_tables;
}

/* Group budgets from the smallest up: a group is all that lie within a ratio of its smallest, and
 * gets that. Returns how many groups; eps_nano NULL: only counts. */
static size_t group_budgets(uint64_t *eps_nano, const share *sorted, size_t n, double ratio)
{
    size_t groups = 0;
    uint64_t smallest = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || (double)sorted[i].eps_nano > (double)smallest * ratio) {
            smallest = sorted[i].eps_nano;
            groups++;
        }
        if (eps_nano) eps_nano[sorted[i].feature] = smallest;
    }
    return groups;
}

/* Round budgets down to at most so many different ones, with the least ratio that does. */
static void round_budgets(uint64_t *eps_nano, const share *sorted, size_t n, size_t most)
{
    assert(most >= 2);                  /* 0 and all others, within 2^40 of each other */
    double enough = 40, too_little = 0; /* logarithms of the ratio */
    if (group_budgets(NULL, sorted, n, 1) <= most) enough = 0;
    for (int i = 0; i < 60 && enough > 0; i++) {
        const double middle = (enough + too_little) / 2;
        if (group_budgets(NULL, sorted, n, exp2(middle)) <= most)
            enough = middle;
        else
            too_little = middle;
    }
    group_budgets(eps_nano, sorted, n, exp2(enough));
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Rows of 64-bit limits, or of 32-bit ones; each row starts on a cache line. */
static size_t row_size(uint32_t n_bins, int bits)
{
    return bits == 64 ? hrr_limit_stride(n_bins) * sizeof(int64_t)
                      : hrr_narrow_stride(n_bins) * sizeof(int32_t);
}

/* The limits of one table row from its weights (featurerr_kernel.h has the formula). */
static void set_limits(void *row, const uint64_t *weight, uint32_t n_bins, int bits)
{
    uint64_t cumulative = 0;
    int64_t *const wide = row;
    int32_t *const narrow = row;
    for (uint32_t j = 0; j + 1 < n_bins; j++) {
        cumulative += weight[j];
        if (bits == 64)
            wide[j] = (int64_t)((cumulative - 1) ^ (UINT64_C(1) << 63));
        else
            narrow[j] = (int32_t)((uint32_t)(cumulative - 1) ^ (UINT32_C(1) << 31));
    }
    for (size_t j = n_bins - 1; bits == 64 && j < hrr_limit_stride(n_bins); j++)
        wide[j] = INT64_MAX;
    for (size_t j = n_bins - 1; bits == 32 && j < hrr_narrow_stride(n_bins); j++)
        narrow[j] = INT32_MAX;
}

static hrr_status fill_table(char *table, double *realised_eps, uint32_t n_bins, int bits,
                             uint64_t eps_nano, hrr_error *err)
{
    const size_t size = row_size(n_bins, bits);
    *realised_eps = 0;
    if (eps_nano == 0) {
        uint64_t weight[HRR_MAX_BINS];
        hrr_channel_uniform_row(weight, n_bins, bits);
        for (uint32_t t = 0; t < hrr_limit_rows(n_bins); t++)
            set_limits(table + t * size, weight, n_bins, bits);
        return HRR_OK;
    }
    hrr_channel channel;
    hrr_status status = bits == 64 ? hrr_channel_init(&channel, n_bins, eps_nano, err)
                                   : hrr_channel_init_narrow(&channel, n_bins, eps_nano, err);
    if (status) return status;
    for (uint32_t t = 0; t < hrr_limit_rows(n_bins); t++)
        set_limits(table + t * size, channel.weight + (size_t)t * n_bins, n_bins, bits);
    *realised_eps = channel.realised_eps;
    hrr_channel_clear(&channel);
    return HRR_OK;
}

/* The sum of realised epsilons, rounded up. Where every channel keeps to its own budget the sum of
 * the budgets bounds it too, and rounding stops there; a channel that did not would show. */
static double vector_eps(const hrr_channels *channels, const uint64_t *eps_nano, size_t n)
{
    long double realised = 0;
    uint64_t budget = 0;
    bool all_keep = true;
    for (size_t i = 0; i < n; i++) {
        const double eps = channels->table_eps[hrr_channels_table(channels, i)];
        all_keep &= eps <= (double)eps_nano[i] / HRR_EPS_UNIT;
        realised += eps;
        budget += eps_nano[i];
    }
    /* n additions of numbers that are not negative err by n units in the last place at most. */
    realised *= 1 + ((long double)n + 1) * 0x1p-63L;
    const double rounded = realised > 0 ? nextafter((double)realised, INFINITY) : 0;
    return all_keep ? fmin(rounded, (double)budget / HRR_EPS_UNIT) : rounded;
}

/* *asked: the sum of the budgets that tables were asked for, after rounding. */
static hrr_status init(hrr_channels *out, double *asked, const uint64_t *eps_nano, size_t n,
                       uint32_t n_bins, int bits, hrr_error *err)
{
    *out = (hrr_channels){0};
    *asked = 0;
    if (n > UINT32_MAX / HRR_MAX_BINS)
        return hrr_fail(err, HRR_EINVAL, "there are more than %u features",
                        UINT32_MAX / HRR_MAX_BINS);
    if (n_bins == 0) n_bins = hrr_featurerr_best_bins_for(eps_nano, n);
    hrr_channels made = {.limits = {.n_bins = n_bins, .n_features = n}};
    hrr_status status = HRR_OK;
    const size_t table_size = hrr_limit_rows(n_bins) * row_size(n_bins, bits);
    share *sorted = hrr_alloc(n, sizeof *sorted);
    uint64_t *rounded = hrr_alloc(n, sizeof *rounded);
    made.first_row = hrr_alloc(n, sizeof *made.first_row);
    if (!sorted || !rounded || !made.first_row) {
        status = hrr_no_memory(err);
        goto done;
    }
    sort_shares(sorted, eps_nano, n);
    round_budgets(rounded, sorted, n, most_table_memory / table_size);
    sort_shares(sorted, rounded, n);
    const uint32_t n_tables = number_tables(made.first_row, sorted, n);
    for (size_t i = 0; i < n; i++) {
        made.first_row[i] *= hrr_limit_rows(n_bins);
        *asked += (double)rounded[i] / HRR_EPS_UNIT;
    }

    made.table_eps = hrr_alloc(n_tables, sizeof *made.table_eps);
    made.storage = hrr_alloc((size_t)n_tables * table_size + cache_line, 1);
    if (!made.table_eps || !made.storage) {
        status = hrr_no_memory(err);
        goto done;
    }
    const size_t off = (uintptr_t)made.storage % cache_line;
    char *tables = (char *)made.storage + (off ? cache_line - off : 0);
    uint32_t next = 0;
    for (size_t i = 0; i < n; i++) { /* tables are numbered by first use */
        if (hrr_channels_table(&made, i) != next) continue;
        status = fill_table(tables + next * table_size, &made.table_eps[next], n_bins, bits,
                            rounded[i], err);
        if (status) goto done;
        next++;
    }
    made.limits.n_tables = n_tables;
    made.limits.first_row = made.first_row;
    if (bits == 64)
        made.limits.limit = (const int64_t *)tables;
    else
        made.limits.narrow = (const int32_t *)tables;
    made.realised_eps = vector_eps(&made, rounded, n);
    *out = made;
    made = (hrr_channels){0};
done:
    hrr_free(sorted);
    hrr_free(rounded);
    hrr_channels_clear(&made);
    return status;
}

hrr_status hrr_channels_init(hrr_channels *out, const uint64_t *eps_nano, size_t n, uint32_t n_bins,
                             hrr_error *err)
{
    double asked;
    return init(out, &asked, eps_nano, n, n_bins, 64, err);
}

hrr_status hrr_channels_init_narrow(hrr_channels *out, const uint64_t *eps_nano, size_t n,
                                    uint32_t n_bins, hrr_error *err)
{
    const double most_lost = 1e-4; /* of the budget: nobody could tell the outputs apart */
    double asked;
    hrr_status status = init(out, &asked, eps_nano, n, n_bins, 32, err);
    if (status || out->realised_eps >= asked * (1 - most_lost)) return status;
    hrr_channels_clear(out);
    return init(out, &asked, eps_nano, n, n_bins, 64, err);
}

void hrr_channels_clear(hrr_channels *channels)
{
    hrr_free(channels->table_eps);
    hrr_free(channels->first_row);
    hrr_free(channels->storage);
    *channels = (hrr_channels){0};
}

hrr_status hrr_channels_split(uint64_t *eps_nano, uint64_t total_nano, const double *theta,
                              size_t n, hrr_error *err)
{
    if (theta) return hrr_eps_split(eps_nano, total_nano, theta, n, err);
    for (size_t i = 0; i < n; i++)
        eps_nano[i] = total_nano / n;
    return HRR_OK;
}
