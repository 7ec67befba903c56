/* count_tables.c: see count_tables.h.
 *
 * The count of a node in block b is negative binomial with mean level * exposure * rate[b]; noise
 * is convolved with it exactly (edge/count_law.h). Levels are a grid that is even in the logarithm,
 * so that an exposure is a shift: tables are looked up between their levels. */
#include "learn/count_tables.h"
#include "edge/count_law.h"
#include "base/memory.h"
#include "base/size.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    n_levels = HRR_COUNT_LEVELS,
    longest_law = 2 * HRR_MOST_COUNTED,
    below_levels = 9 /* levels below the first, for exposures down to .008 */
};
static const double first_level = -4, level_step = .54;

/* .018 to 12, evenly in the logarithm. */
static double level_of(int l)
{
    return exp(first_level + level_step * l);
}

void hrr_count_tables_clear(hrr_count_tables *t)
{
    hrr_free(t->value);
    hrr_free(t->column);
    hrr_free(t->law);
    hrr_free(t->mean);
    hrr_rival_tables_clear(&t->rivals);
    *t = (hrr_count_tables){0};
}

hrr_status hrr_count_tables_init(hrr_count_tables *t, const hrr_block_counts *counts,
                                 bool with_rivals, hrr_error *err)
{
    int64_t most = 0;
    size_t items;
    for (uint64_t k = 0; k < counts->n_nodes * counts->n_blocks; k++)
        if (counts->count[k] > most) most = counts->count[k];
    *t = (hrr_count_tables){.n_blocks = counts->n_blocks};
    t->n_below = counts->need ? below_levels : 0;
    t->n_rows = (size_t)(most < HRR_MOST_COUNTED ? most : HRR_MOST_COUNTED) + 1;
    t->n_law = (size_t)fmin((double)t->n_rows + 40 / counts->eps, longest_law);
    if (t->n_law < t->n_rows) t->n_law = t->n_rows;
    if (!hrr_mul_fits(t->n_blocks, t->n_rows * (size_t)(t->n_below + n_levels), &items))
        return hrr_no_memory(err);
    t->value = hrr_alloc(items, sizeof *t->value);
    t->column = hrr_alloc(t->n_rows, sizeof *t->column);
    t->law = hrr_alloc(t->n_law, sizeof *t->law);
    t->mean = hrr_alloc(t->n_blocks, (size_t)(t->n_below + n_levels) * sizeof *t->mean);
    if (!t->value || !t->column || !t->law || !t->mean) return hrr_no_memory(err);
    return with_rivals ? hrr_rival_tables_init(&t->rivals, counts, t->n_below + n_levels, err)
                       : HRR_OK;
}

void hrr_count_tables_fill(hrr_count_tables *t, const double *rate, double scale, double shape,
                           double eps)
{
    const int width = t->n_below + n_levels;
    for (uint32_t b = 0; b < t->n_blocks; b++)
        for (int l = 0; l < width; l++) {
            const double mean = fmin(level_of(l - t->n_below) * scale * rate[b], HRR_MOST_COUNTED);
            t->mean[b * (uint32_t)width + (uint32_t)l] = mean;
            hrr_count_table(t->column, t->n_rows, t->law, t->n_law, mean, shape, eps);
            for (size_t x = 0; x < t->n_rows; x++)
                t->value[((size_t)b * t->n_rows + x) * (size_t)width + (size_t)l] = t->column[x];
        }
    hrr_rival_tables_fill(&t->rivals, t->mean, shape, eps);
}

/* Levels side by side at an exposure: `row` is that of its table, shifted down by the exposure's
 * logarithm. Exposures below the table's say as little as its lowest level. */
static void add_exposed(double *by_level, const double *row, int n_below, double exposure)
{
    const double shift = fmin(exposure > 0 ? -log(exposure) / level_step : n_below, n_below);
    const int whole = (int)shift < n_below ? (int)shift : n_below - 1;
    const double part = shift - whole;
    const double *at = row + n_below - whole;
    for (int l = 0; l < n_levels; l++)
        by_level[l] += (1 - part) * at[l] + part * at[l - 1];
}

/* Levels side by side, of the row of a table. */
static void add_row(double *by_level, const double *row, int n_below, const double *exposure)
{
    if (exposure)
        add_exposed(by_level, row, n_below, *exposure);
    else
        for (int l = 0; l < n_levels; l++)
            by_level[l] += row[n_below + l];
}

static void add_rivals(double *by_level, const hrr_count_tables *t, uint64_t node,
                       const uint32_t *rivals, const double *exposure)
{
    const int width = t->n_below + n_levels;
    const double both = exposure ? sqrt(exposure[rivals[0]] * exposure[rivals[1]]) : 1;
    assert(t->rivals.n_rows);
    add_row(by_level, t->rivals.value + t->rivals.row_of[node] * (size_t)width, t->n_below,
            exposure ? &both : NULL);
}

void hrr_count_look_up(double by_level[n_levels], const hrr_count_tables *t,
                       const hrr_block_counts *counts, uint64_t node, const double *exposure)
{
    const int width = t->n_below + n_levels;
    const int64_t *count = counts->count + node * counts->n_blocks;
    const uint32_t *rivals = hrr_has_rivals(counts, node) ? counts->rivals + 2 * node : NULL;
    memset(by_level, 0, n_levels * sizeof *by_level);
    if (rivals) add_rivals(by_level, t, node, rivals, exposure);
    for (uint32_t b = 0; b < t->n_blocks; b++) {
        if (rivals && (b == rivals[0] || b == rivals[1])) continue;
        const size_t x = count[b] < 0                      ? 0
                         : (uint64_t)count[b] >= t->n_rows ? t->n_rows - 1
                                                           : (size_t)count[b];
        const double *row = t->value + ((size_t)b * t->n_rows + x) * (size_t)width;
        add_row(by_level, row, t->n_below, exposure ? &exposure[b] : NULL);
    }
}

double hrr_count_sum_levels(double *part, const double by_level[n_levels], const double *share)
{
    double top = by_level[0], sum = 0, term[n_levels];
    for (int l = 1; l < n_levels; l++)
        top = fmax(top, by_level[l]);
    for (int l = 0; l < n_levels; l++)
        sum += term[l] = share[l] * exp(by_level[l] - top);
    for (int l = 0; part && l < n_levels; l++)
        part[l] = term[l] / sum;
    return top + log(sum);
}
