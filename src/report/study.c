/* study.c: results to samples; see study.h. study_charts.c draws them. */
#include "report/study.h"
#include "experiment/judge.h"
#include "experiment/references.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

void hrr_study_clear(hrr_study *study)
{
    hrr_settings_clear(&study->settings);
    hrr_free(study->samples.at);
    hrr_free(study->cells.at);
    hrr_free(study->value_of_base);
    hrr_free(study->not_free);
    *study = (hrr_study){0};
}

static hrr_status finish(hrr_study *study, hrr_status status, hrr_error *err)
{
    if (!status) status = hrr_cells_make(&study->cells, &study->samples, err);
    if (status) hrr_study_clear(study);
    return status;
}

/* The measure of every base. */
static hrr_status set_measure(hrr_study *study, hrr_column value, hrr_error *err)
{
    const size_t n_bases = study->settings.bases.n_names;
    study->value_of_base = hrr_alloc(n_bases, sizeof *study->value_of_base);
    if (!study->value_of_base) return hrr_no_memory(err);
    for (size_t b = 0; b < n_bases; b++)
        study->value_of_base[b] = value;
    return HRR_OK;
}

/* ---- networks, as they were judged ----------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const hrr_cell *x = a, *y = b;
    if (x->facet != y->facet) return x->facet < y->facet ? -1 : 1;
    if (x->series != y->series) return x->series < y->series ? -1 : 1;
    if (x->x != y->x) return x->x < y->x ? -1 : 1;
    return (x->other > y->other) - (x->other < y->other);
}

/* Whether a row belongs to a facet, or to all of its base. */
static bool stands_in(const hrr_settings *s, uint64_t row, uint32_t facet)
{
    return s->facet_of[row] == HRR_EVERY_FACET ? s->base_of_facet[facet] == s->base_of[row]
                                               : s->facet_of[row] == facet;
}

/* A setting is a cell in its facet, or in all that it stands for. */
static void add_cells(hrr_study *study, hrr_cell cell, uint64_t row)
{
    for (uint32_t f = 0; f < study->settings.facets.n_names; f++) {
        cell.facet = f;
        if (stands_in(&study->settings, row, f)) study->cells.at[study->cells.n++] = cell;
    }
}

/* A baseline is free in a facet if it is free for everything there that spends along x. */
static hrr_status find_not_free(hrr_study *study, const hrr_rows *rows, const hrr_utility *found,
                                hrr_error *err)
{
    const hrr_settings *s = &study->settings;
    study->not_free =
        hrr_alloc_zero(s->facets.n_names * s->series.n_names, sizeof *study->not_free);
    if (!study->not_free) return hrr_no_memory(err);
    for (uint32_t f = 0; f < s->facets.n_names; f++)
        for (size_t i = 0; i < found->n; i++) {
            const uint64_t row = found->first[i];
            if (hrr_budget_place(hrr_row_number(rows, study->x, row)) <= 0 || !stands_in(s, row, f))
                continue;
            for (size_t k = 0; k < found->n; k++) {
                const uint64_t own = found->first[k];
                if (found->means[k].spends || !stands_in(s, own, f)) continue;
                if (!hrr_baseline_is_free(&found->means[k], &found->means[i]))
                    study->not_free[f * s->series.n_names + s->series_of[own]] = true;
            }
        }
    return HRR_OK;
}

bool hrr_study_is_not_free(const hrr_study *study, uint32_t facet, uint32_t series)
{
    if (study->not_free) return study->not_free[facet * study->settings.series.n_names + series];
    return hrr_is_unprotected(hrr_words_text(&study->settings.series, series));
}

hrr_status hrr_study_utility(hrr_study *out, const hrr_all_rows *all, const hrr_utility *found,
                             hrr_column x, hrr_column other, hrr_error *err)
{
    const hrr_rows *rows = &all->kind[HRR_ROWS_UTILITY];
    *out = (hrr_study){.x = x, .other = other};
    hrr_status status = hrr_settings_make(&out->settings, rows, &all->words, err);
    if (!status) status = set_measure(out, HRR_COL_ACCURACY, err);
    if (status) goto done;
    out->cells.at = hrr_alloc(found->n * out->settings.facets.n_names, sizeof *out->cells.at);
    if (!out->cells.at) {
        status = hrr_no_memory(err);
        goto done;
    }
    for (size_t i = 0; i < found->n; i++) {
        const hrr_training_mean *mean = &found->means[i];
        const uint64_t row = found->first[i];
        out->value_of_base[out->settings.base_of[row]] = hrr_results_column(mean->metric);
        add_cells(out,
                  (hrr_cell){.series = out->settings.series_of[row],
                             .x = hrr_budget_place(hrr_row_number(rows, x, row)),
                             .other = hrr_budget_place(hrr_row_number(rows, other, row)),
                             .n = mean->measured,
                             .n_missing = mean->runs - mean->measured,
                             .mean = mean->mean,
                             .half_width = mean->half_width},
                  row);
    }
    if (out->cells.n) qsort(out->cells.at, out->cells.n, sizeof *out->cells.at, by_place);
    status = find_not_free(out, rows, found, err);
done:
    if (status) hrr_study_clear(out);
    return status;
}

/* ---- other rows ------------------------------------------------------------------------------ */

hrr_status hrr_study_budgets(hrr_study *out, const hrr_rows *rows, const hrr_words *words,
                             hrr_column x, hrr_column other, hrr_column value, hrr_error *err)
{
    *out = (hrr_study){.x = x, .other = other};
    hrr_status status = hrr_settings_make(&out->settings, rows, words, err);
    if (!status) status = set_measure(out, value, err);
    for (uint64_t i = 0; i < rows->n && !status; i++) {
        const hrr_sample sample = {.run = hrr_run_of(rows, i),
                                   .row = i,
                                   .x = hrr_budget_place(hrr_row_number(rows, x, i)),
                                   .other = hrr_budget_place(hrr_row_number(rows, other, i)),
                                   .value = hrr_row_number(rows, value, i)};
        status = hrr_settings_add(&out->samples, &out->settings, i, sample, err);
    }
    return finish(out, status, err);
}

hrr_status hrr_study_hops(hrr_study *out, const hrr_rows *rows, const hrr_words *words,
                          hrr_error *err)
{
    hrr_column budget, none;
    *out = (hrr_study){.x = HRR_N_COLUMNS, .other = HRR_N_COLUMNS};
    hrr_budget_columns(&budget, &none, rows);
    hrr_status status = hrr_settings_make(&out->settings, rows, words, err);
    for (int hop = 0; hop <= HRR_MAX_HOPS; hop++) {
        const hrr_column column = (hrr_column)(HRR_COL_RMS_0 + hop);
        for (uint64_t i = 0; i < rows->n && rows->number[column] && !status; i++) {
            const hrr_sample sample = {.run = hrr_run_of(rows, i),
                                       .row = i,
                                       .x = hop,
                                       .other = hrr_budget_place(hrr_row_number(rows, budget, i)),
                                       .value = rows->number[column][i]};
            status = hrr_settings_add(&out->samples, &out->settings, i, sample, err);
        }
    }
    return finish(out, status, err);
}

/* ---- ROC curves ------------------------------------------------------------------------------ */

/* A point of a curve, and which curve it belongs to. */
typedef struct roc_point {
    uint32_t series, facet, base;
    hrr_run_id run;
    double eps, x, y;
    uint64_t row;
} roc_point;

static int by_curve(const roc_point *a, const roc_point *b)
{
    if (a->series != b->series) return a->series < b->series ? -1 : 1;
    if (a->facet != b->facet) return a->facet < b->facet ? -1 : 1;
    if (a->base != b->base) return a->base < b->base ? -1 : 1;
    if (a->eps != b->eps) return a->eps < b->eps ? -1 : 1;
    if (a->run.is_seed != b->run.is_seed) return a->run.is_seed ? 1 : -1;
    if (a->run.word != b->run.word) return a->run.word < b->run.word ? -1 : 1;
    return 0;
}

static int by_point(const void *a, const void *b)
{
    const roc_point *p = a, *q = b;
    const int order = by_curve(p, q);
    if (order) return order;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* The curve at x, by straight lines between its points, from (0, 0) to (1, 1). At a step it is its
 * upper end. */
static double curve_at(const roc_point *points, size_t n, double x)
{
    double x0 = 0, y0 = 0, x1 = 1, y1 = 1;
    size_t i = 0;
    while (i < n && points[i].x <= x) {
        x0 = points[i].x;
        y0 = points[i++].y;
    }
    if (i < n) {
        x1 = points[i].x;
        y1 = points[i].y;
    }
    return x1 > x0 ? y0 + (y1 - y0) * (x - x0) / (x1 - x0) : y0;
}

static hrr_status add_curve(hrr_study *study, const roc_point *points, size_t n, hrr_error *err)
{
    enum { steps = 100 };
    hrr_status status = HRR_OK;
    for (int k = 0; k <= steps && !status; k++) {
        const double x = (double)k / steps;
        const hrr_sample sample = {.run = points->run,
                                   .row = points->row,
                                   .x = x,
                                   .other = points->eps,
                                   .value = curve_at(points, n, x)};
        status = hrr_settings_add(&study->samples, &study->settings, points->row, sample, err);
    }
    return status;
}

hrr_status hrr_study_roc(hrr_study *out, const hrr_rows *rows, const hrr_words *words,
                         hrr_error *err)
{
    hrr_column budget, none;
    *out = (hrr_study){.x = HRR_N_COLUMNS, .other = HRR_N_COLUMNS};
    hrr_budget_columns(&budget, &none, rows);
    roc_point *points = hrr_alloc(rows->n, sizeof *points);
    hrr_status status = points ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_settings_make(&out->settings, rows, words, err);
    size_t n = 0;
    for (uint64_t i = 0; i < rows->n && !status; i++) {
        const roc_point point = {out->settings.series_of[i],
                                 out->settings.facet_of[i],
                                 out->settings.base_of[i],
                                 hrr_run_of(rows, i),
                                 hrr_budget_place(hrr_row_number(rows, budget, i)),
                                 rows->number[HRR_COL_FALSE_POSITIVES][i],
                                 rows->number[HRR_COL_TRUE_POSITIVES][i],
                                 i};
        if (point.x >= 0 && point.x <= 1 && point.y >= 0 && point.y <= 1) points[n++] = point;
    }
    if (!status && n) qsort(points, n, sizeof *points, by_point);
    for (size_t i = 0, next; i < n && !status; i = next) {
        for (next = i + 1; next < n && by_curve(&points[i], &points[next]) == 0;)
            next++;
        status = add_curve(out, &points[i], next - i, err);
    }
    hrr_free(points);
    return finish(out, status, err);
}

/* ---- budgets --------------------------------------------------------------------------------- */

/* Insert a budget into `n` rising ones, if it is new and there is room. */
static size_t insert(double *values, size_t n, size_t most, double value)
{
    size_t at = n;
    if (value <= 0) return n;
    for (size_t i = 0; i < n; i++)
        if (values[i] == value) return n;
    if (n == most) return n;
    for (; at > 0 && values[at - 1] > value; at--)
        values[at] = values[at - 1];
    values[at] = value;
    return n + 1;
}

void hrr_budget_columns(hrr_column *x, hrr_column *other, const hrr_rows *rows)
{
    static const hrr_column candidates[] = {HRR_COL_EPS_EDGES, HRR_COL_EPS_FEATURES, HRR_COL_EPS};
    enum { most = 64 };
    size_t best = 0, second = 0;
    *x = *other = HRR_N_COLUMNS;
    for (size_t c = 0; c < sizeof candidates / sizeof *candidates; c++) {
        double values[most];
        size_t n = 0;
        const double *number = rows->number[candidates[c]];
        for (uint64_t i = 0; number && i < rows->n; i++)
            n = insert(values, n, most, hrr_budget_place(number[i]));
        if (!number) continue;
        if (*x == HRR_N_COLUMNS || n > best) {
            *other = *x;
            second = best;
            *x = candidates[c];
            best = n;
        } else if (*other == HRR_N_COLUMNS || n > second) {
            *other = candidates[c];
            second = n;
        }
    }
    if (second < 2) *other = HRR_N_COLUMNS;
}

size_t hrr_study_others(double *values, size_t most, const hrr_study *study)
{
    size_t n = 0;
    for (size_t i = 0; i < study->cells.n; i++)
        n = insert(values, n, most, study->cells.at[i].other);
    return n;
}

bool hrr_cell_is_at(const hrr_cell *cell, double fixed)
{
    return isnan(fixed) || cell->other == fixed || cell->other < 0;
}

uint64_t hrr_study_missing(const hrr_study *study)
{
    uint64_t n = 0;
    for (size_t i = 0; i < study->cells.n; i++)
        n += study->cells.at[i].n_missing;
    return n;
}

const hrr_cell *hrr_study_level(const hrr_study *study, uint32_t facet, const char *name)
{
    uint32_t series;
    if (!hrr_name_index_find(&study->settings.series, name, &series)) return NULL;
    for (size_t i = 0; i < study->cells.n; i++) {
        const hrr_cell *cell = &study->cells.at[i];
        if (cell->facet == facet && cell->series == series && cell->x < 0 && cell->n) return cell;
    }
    return NULL;
}

/* ---- what a base has ------------------------------------------------------------------------- */

bool hrr_study_is_in(const hrr_study *study, const hrr_cell *cell, uint32_t base)
{
    return study->settings.base_of_facet[cell->facet] == base;
}

bool hrr_study_spends_other_only(const hrr_study *study, uint32_t base)
{
    bool other = false;
    for (size_t i = 0; i < study->cells.n; i++) {
        if (!hrr_study_is_in(study, &study->cells.at[i], base)) continue;
        if (study->cells.at[i].x >= 0) return false;
        other = other || study->cells.at[i].other >= 0;
    }
    return other;
}

double hrr_study_usual_other(const hrr_study *study, uint32_t base)
{
    enum { most = 64 };
    double values[most], best = NAN;
    size_t best_count = 0;
    const size_t n = hrr_study_others(values, most, study);
    for (size_t i = 0; i < n; i++) {
        size_t count = 0;
        for (size_t k = 0; k < study->cells.n; k++) {
            const hrr_cell *cell = &study->cells.at[k];
            count += cell->other == values[i] && cell->x >= 0 && hrr_study_is_in(study, cell, base);
        }
        if (count == 0 || count < best_count) continue;
        if (count > best_count || fabs(log(values[i])) < fabs(log(best))) best = values[i];
        best_count = count;
    }
    return best;
}

double hrr_study_single_x(const hrr_study *study, uint32_t base)
{
    double x = -1;
    for (size_t i = 0; i < study->cells.n; i++) {
        const hrr_cell *cell = &study->cells.at[i];
        if (!hrr_study_is_in(study, cell, base) || cell->x < 0) continue;
        if (x >= 0 && cell->x != x) return NAN;
        x = cell->x;
    }
    return x;
}
