/* samples.c: see samples.h. */
#include "report/samples.h"
#include "base/memory.h"

#include <heterorr/learn.h>

#include <math.h>
#include <stdlib.h>

static const double level = 0.95;

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

static int by_cell(const hrr_sample *a, const hrr_sample *b)
{
    if (a->facet != b->facet) return a->facet < b->facet ? -1 : 1;
    if (a->series != b->series) return a->series < b->series ? -1 : 1;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    if (a->other != b->other) return a->other < b->other ? -1 : 1;
    return 0;
}

static int by_run(const void *a, const void *b)
{
    const hrr_sample *x = a, *y = b;
    const int order = by_cell(x, y);
    if (order) return order;
    const int missing_x = !isfinite(x->value), missing_y = !isfinite(y->value);
    if (missing_x != missing_y) return missing_x - missing_y;
    if (x->run != y->run) return x->run < y->run ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value); /* any order, but always the same */
}

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
    cell->mean = cell->reach = NAN;
    if (cell->n == 0) return;
    for (uint32_t i = 0; i < cell->n; i++)
        sum += cell->samples[i].value;
    cell->mean = sum / cell->n;
    if (cell->n < 2) return;
    for (uint32_t i = 0; i < cell->n; i++)
        squares += (cell->samples[i].value - cell->mean) * (cell->samples[i].value - cell->mean);
    cell->reach = quantile(known, cell->n) * sqrt(squares / (cell->n - 1) / cell->n);
}

hrr_status hrr_cells_make(hrr_cells *out, hrr_samples *samples, hrr_error *err)
{
    quantiles known = {{0}};
    size_t n = 0;
    *out = (hrr_cells){0};
    if (samples->n) qsort(samples->at, samples->n, sizeof *samples->at, by_run);
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
