/* samples.c: see samples.h. */
#include "experiment/samples.h"
#include "base/memory.h"
#include "learn/statistics.h"

#include <heterorr/learn.h>

#include <math.h>
#include <stdlib.h>

static const double level = 0.95;

hrr_run_id hrr_run_of(const hrr_rows *rows, uint64_t row)
{
    const uint32_t *seed = rows->word[HRR_COL_SEED], *run = rows->word[HRR_COL_RUN];
    if (seed && seed[row]) return (hrr_run_id){seed[row], true};
    return (hrr_run_id){run ? run[row] : 0, false};
}

hrr_status hrr_samples_add(hrr_samples *samples, hrr_sample sample, hrr_error *err)
{
    if (samples->n == samples->room) {
        const size_t room = 2 * samples->room + 64;
        hrr_sample *at = hrr_resize(samples->at, room, sizeof *at);
        if (!at) return hrr_no_memory(err);
        samples->at = at;
        samples->room = room;
    }
    samples->at[samples->n++] = sample;
    return HRR_OK;
}

double hrr_budget_place(double eps)
{
    return isfinite(eps) && eps > 0 ? eps : -1;
}

/* ---- order ----------------------------------------------------------------------------------- */

static int by_cell(const hrr_sample *a, const hrr_sample *b)
{
    if (a->facet != b->facet) return a->facet < b->facet ? -1 : 1;
    if (a->series != b->series) return a->series < b->series ? -1 : 1;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    if (a->other != b->other) return a->other < b->other ? -1 : 1;
    return 0;
}

static int by_run(const hrr_run_id *a, const hrr_run_id *b)
{
    if (a->is_seed != b->is_seed) return a->is_seed - b->is_seed;
    return (a->word > b->word) - (a->word < b->word);
}

static int by_value(double a, double b)
{
    if (!isfinite(a) || !isfinite(b)) return !isfinite(a) - !isfinite(b);
    return (a > b) - (a < b);
}

static int by_row(const hrr_sample *a, const hrr_sample *b)
{
    return (a->row > b->row) - (a->row < b->row);
}

/* Seeds in the order of the file, so that the first row of a run is the one that counts; names by
 * value, so that equal ones stand together. */
static int as_read(const void *a, const void *b)
{
    const hrr_sample *x = a, *y = b;
    int order = by_cell(x, y);
    if (!order) order = by_run(&x->run, &y->run);
    if (!order && !x->run.is_seed) order = by_value(x->value, y->value);
    return order ? order : by_row(x, y);
}

static int missing_last(const void *a, const void *b)
{
    const hrr_sample *x = a, *y = b;
    int order = by_cell(x, y);
    if (!order) order = !isfinite(x->value) - !isfinite(y->value);
    if (!order) order = by_run(&x->run, &y->run);
    return order ? order : by_row(x, y);
}

static bool is_same_run(const hrr_sample *a, const hrr_sample *b)
{
    return a->run.word != 0 && by_cell(a, b) == 0 && by_run(&a->run, &b->run) == 0 &&
           (a->run.is_seed || by_value(a->value, b->value) == 0);
}

static void drop_repeated(hrr_samples *samples)
{
    size_t kept = 0;
    if (samples->n) qsort(samples->at, samples->n, sizeof *samples->at, as_read);
    for (size_t i = 0; i < samples->n; i++)
        if (kept == 0 || !is_same_run(&samples->at[kept - 1], &samples->at[i]))
            samples->at[kept++] = samples->at[i];
    samples->n = kept;
    if (kept) qsort(samples->at, kept, sizeof *samples->at, missing_last);
}

/* ---- means ----------------------------------------------------------------------------------- */

/* Quantiles of Student's t are costly and there are few sizes of cells: each is found once. */
enum { most_known = 64 };
typedef struct quantiles {
    double of[most_known + 1];
} quantiles;

static double quantile(quantiles *known, uint32_t n)
{
    if (n > most_known) return hrr_t_quantile((1 + level) / 2, n - 1);
    if (known->of[n] == 0) known->of[n] = hrr_t_quantile((1 + level) / 2, n - 1);
    return known->of[n];
}

static void measure(hrr_cell *cell, quantiles *known)
{
    double sum = 0, squares = 0;
    cell->mean = cell->half_width = NAN;
    if (cell->n == 0) return;
    for (uint32_t i = 0; i < cell->n; i++)
        sum += cell->samples[i].value;
    cell->mean = sum / cell->n;
    if (cell->n < 2) return;
    for (uint32_t i = 0; i < cell->n; i++)
        squares += (cell->samples[i].value - cell->mean) * (cell->samples[i].value - cell->mean);
    cell->half_width = quantile(known, cell->n) * sqrt(squares / (cell->n - 1) / cell->n);
}

hrr_status hrr_cells_make(hrr_cells *out, hrr_samples *samples, hrr_error *err)
{
    quantiles known = {{0}};
    size_t n = 0;
    *out = (hrr_cells){0};
    drop_repeated(samples);
    for (size_t i = 0; i < samples->n; i++)
        n += i == 0 || by_cell(&samples->at[i - 1], &samples->at[i]) != 0;
    out->at = hrr_alloc_zero(n, sizeof *out->at);
    if (!out->at) return hrr_no_memory(err);
    for (size_t i = 0; i < samples->n; i++) {
        const hrr_sample *s = &samples->at[i];
        if (i == 0 || by_cell(s - 1, s) != 0)
            out->at[out->n++] = (hrr_cell){
                .facet = s->facet, .series = s->series, .x = s->x, .other = s->other, .samples = s};
        hrr_cell *cell = &out->at[out->n - 1];
        if (isfinite(s->value))
            cell->n++;
        else
            cell->n_missing++;
    }
    for (size_t i = 0; i < out->n; i++)
        measure(&out->at[i], &known);
    return HRR_OK;
}

static bool has_names(const hrr_cell *cell)
{
    for (uint32_t i = 0; i < cell->n; i++) {
        if (cell->samples[i].run.word == 0) return false;
        if (i && by_run(&cell->samples[i - 1].run, &cell->samples[i].run) == 0) return false;
    }
    return true;
}

uint32_t hrr_cells_pair(double *a, double *b, const hrr_cell *x, const hrr_cell *y)
{
    uint32_t n = 0;
    if (!has_names(x) || !has_names(y)) return 0;
    for (uint32_t i = 0, k = 0; i < x->n && k < y->n;) {
        const int order = by_run(&x->samples[i].run, &y->samples[k].run);
        if (order == 0) {
            a[n] = x->samples[i].value;
            b[n++] = y->samples[k].value;
        }
        i += order <= 0;
        k += order >= 0;
    }
    return n;
}
