/* channels.c: from the budgets of all features to the rows of limits that the kernels compare with.
 *
 * Independent channels compose: their epsilons add up. Tables depend on the budget alone, so equal
 * budgets share one; they are numbered in the order in which features first need them, which keeps
 * neighbours in a row neighbours in memory.
 *
 * Workload: one table (equal weights) to thousands (a theta for each feature). */
#include "feature/channels.h"
#include "feature/channel.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { cache_line = 64 };

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

/* table[i] for each feature, numbered by first use; returns how many. `sorted` is working space. */
static uint32_t number_tables(uint32_t *table, share *sorted, const uint64_t *eps_nano, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sorted[i] = (share){eps_nano[i], (uint32_t)i};
    qsort(sorted, n, sizeof *sorted, by_eps_then_feature);
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

/* The limits of one table row from its weights (featurerr_kernel.h has the formula). */
static void set_limits(int64_t *limit, const uint64_t *weight, uint32_t n_bins)
{
    uint64_t cumulative = 0;
    for (uint32_t j = 0; j + 1 < n_bins; j++) {
        cumulative += weight[j];
        limit[j] = (int64_t)((cumulative - 1) ^ (UINT64_C(1) << 63));
    }
    for (size_t j = n_bins - 1; j < hrr_limit_stride(n_bins); j++)
        limit[j] = INT64_MAX;
}

/* Every row the same: 2^64 / k to each bin, as evenly as integers go, and the rest to the middle:
 * rows must be the same read backwards. (With two bins in the middle the rest is even.) */
static void set_uniform_limits(int64_t *limit, uint32_t n_bins)
{
    uint64_t weight[HRR_MAX_BINS];
    const uint64_t share_of_bin = UINT64_MAX / n_bins, rest = 0 - share_of_bin * n_bins;
    const uint32_t middle = (n_bins - 1) / 2;
    for (uint32_t u = 0; u < n_bins; u++)
        weight[u] = share_of_bin;
    weight[middle] += n_bins % 2 ? rest : rest / 2;
    if (n_bins % 2 == 0) weight[middle + 1] += rest / 2;
    for (uint32_t t = 0; t < hrr_limit_rows(n_bins); t++)
        set_limits(limit + t * hrr_limit_stride(n_bins), weight, n_bins);
}

static hrr_status fill_table(int64_t *limit, double *realised_eps, uint32_t n_bins,
                             uint64_t eps_nano, hrr_error *err)
{
    *realised_eps = 0;
    if (eps_nano == 0) {
        set_uniform_limits(limit, n_bins);
        return HRR_OK;
    }
    hrr_channel channel;
    hrr_status status = hrr_channel_init(&channel, n_bins, eps_nano, err);
    if (status) return status;
    for (uint32_t t = 0; t < hrr_limit_rows(n_bins); t++)
        set_limits(limit + t * hrr_limit_stride(n_bins), channel.weight + (size_t)t * n_bins,
                   n_bins);
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

hrr_status hrr_channels_init(hrr_channels *out, const uint64_t *eps_nano, size_t n, uint32_t n_bins,
                             hrr_error *err)
{
    *out = (hrr_channels){0};
    if (n > UINT32_MAX / HRR_MAX_BINS)
        return hrr_fail(err, HRR_EINVAL, "there are more than %u features",
                        UINT32_MAX / HRR_MAX_BINS);
    if (n_bins == 0) n_bins = hrr_featurerr_best_bins_for(eps_nano, n);
    hrr_channels made = {.limits = {.n_bins = n_bins, .n_features = n}};
    hrr_status status = HRR_OK;
    const size_t table_size = hrr_limit_rows(n_bins) * hrr_limit_stride(n_bins);
    share *sorted = hrr_alloc(n, sizeof *sorted);
    made.first_row = hrr_alloc(n, sizeof *made.first_row);
    if (!sorted || !made.first_row) {
        status = hrr_no_memory(err);
        goto done;
    }
    const uint32_t n_tables = number_tables(made.first_row, sorted, eps_nano, n);
    for (size_t i = 0; i < n; i++)
        made.first_row[i] *= hrr_limit_rows(n_bins);

    made.table_eps = hrr_alloc(n_tables, sizeof *made.table_eps);
    /* One table more than needed leaves room to begin on a cache line. */
    made.storage = hrr_alloc((size_t)n_tables + 1, table_size * sizeof(int64_t));
    if (!made.table_eps || !made.storage) {
        status = hrr_no_memory(err);
        goto done;
    }
    const size_t off = (uintptr_t)made.storage % cache_line;
    int64_t *limit = (int64_t *)((char *)made.storage + (off ? cache_line - off : 0));
    uint32_t next = 0;
    for (size_t i = 0; i < n; i++) { /* tables are numbered by first use */
        if (hrr_channels_table(&made, i) != next) continue;
        status =
            fill_table(limit + next * table_size, &made.table_eps[next], n_bins, eps_nano[i], err);
        if (status) goto done;
        next++;
    }
    made.limits.n_tables = n_tables;
    made.limits.first_row = made.first_row;
    made.limits.limit = limit;
    made.realised_eps = vector_eps(&made, eps_nano, n);
    *out = made;
    made = (hrr_channels){0};
done:
    hrr_free(sorted);
    hrr_channels_clear(&made);
    return status;
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
