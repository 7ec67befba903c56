/* significance.c: see significance.h. */
#include "report/significance.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Values of runs that both have, side by side. Cells are sorted by run. */
static uint32_t pair_up(double *a, double *b, const hrr_cell *x, const hrr_cell *y)
{
    uint32_t n = 0;
    for (uint32_t i = 0, k = 0; i < x->n && k < y->n;) {
        if (x->samples[i].run == y->samples[k].run) {
            a[n] = x->samples[i++].value;
            b[n++] = y->samples[k++].value;
        } else if (x->samples[i].run < y->samples[k].run) {
            i++;
        } else {
            k++;
        }
    }
    return n;
}

/* Runs are told apart by their names: without them, none can be paired. */
static bool has_names(const hrr_cell *cell)
{
    for (uint32_t i = 1; i < cell->n; i++)
        if (cell->samples[i].run == cell->samples[i - 1].run) return false;
    return true;
}

static hrr_status compare(hrr_comparison *out, double *a, double *b, hrr_error *err)
{
    const hrr_cell *x = out->cell, *y = out->with;
    out->n = has_names(x) && has_names(y) ? pair_up(a, b, x, y) : 0;
    out->paired = out->n >= 2;
    if (out->paired) return hrr_t_test_paired(&out->test, a, b, out->n, err);
    for (uint32_t i = 0; i < x->n; i++)
        a[i] = x->samples[i].value;
    for (uint32_t i = 0; i < y->n; i++)
        b[i] = y->samples[i].value;
    out->n = x->n;
    return hrr_t_test_welch(&out->test, a, x->n, b, y->n, err);
}

static bool is_level(const hrr_cell *cell)
{
    return cell->x < 0 && cell->other < 0;
}

/* Whether `with` is what `cell` is to be compared with. */
static bool is_wanted(const hrr_cell *cell, const hrr_cell *with, uint32_t against)
{
    if (cell->series == with->series || cell->facet != with->facet || with->n < 2) return false;
    if (is_level(with)) return true;
    return with->series == against && with->x == cell->x && with->other == cell->other;
}

static bool spends(const hrr_study *study, const hrr_cell *cell, hrr_column budget)
{
    return (study->x == budget && cell->x > 0) || (study->other == budget && cell->other > 0);
}

bool hrr_is_fair_control(const hrr_study *study, const hrr_cell *cell, const hrr_cell *control)
{
    const char *mechanism = hrr_words_text(&study->settings.series, cell->series);
    const char *name = hrr_words_text(&study->settings.series, control->series);
    const bool keeps_features = hrr_series_is(name, "public-only") || hrr_series_is(name, "mlp");
    const bool keeps_edges = hrr_series_is(name, "featfree");
    const bool keeps_neither = hrr_series_is(name, "featfree+public-only");
    if (!is_level(control)) return false;
    if (memchr(mechanism, '+', strcspn(mechanism, ","))) return keeps_neither;
    if (spends(study, cell, HRR_COL_EPS_EDGES)) return keeps_features;
    if (spends(study, cell, HRR_COL_EPS_FEATURES)) return keeps_edges;
    return keeps_features || keeps_edges || keeps_neither;
}

static hrr_status find_against(uint32_t *out, const hrr_study *study, const char *name,
                               hrr_error *err)
{
    const hrr_words *series = &study->settings.series;
    *out = UINT32_MAX;
    if (name) {
        if (hrr_name_index_find(series, name, out)) return HRR_OK;
        return hrr_fail(err, HRR_EINVAL,
                        "there is no mechanism '%.60s' in the results to test against; the first "
                        "one is '%.60s'",
                        name, hrr_words_text(series, 0));
    }
    for (size_t i = 0; i < study->cells.n; i++)
        if (!is_level(&study->cells.at[i]) && study->cells.at[i].series < *out)
            *out = study->cells.at[i].series;
    return HRR_OK;
}

/* Where the cells of the facet of `at` begin and end. */
static void facet_range(size_t *begin, size_t *end, const hrr_cells *cells, size_t at)
{
    for (*begin = at; *begin > 0 && cells->at[*begin - 1].facet == cells->at[at].facet;)
        --*begin;
    for (*end = at; *end < cells->n && cells->at[*end].facet == cells->at[at].facet;)
        ++*end;
}

typedef struct growing {
    hrr_comparison *at;
    size_t n, room;
} growing;

static hrr_status add(growing *all, const hrr_cell *cell, const hrr_cell *with, hrr_error *err)
{
    if (all->n == all->room) {
        const size_t room = 2 * all->room + 32;
        hrr_comparison *at = hrr_resize(all->at, room, sizeof *at);
        if (!at) return hrr_no_memory(err);
        all->at = at;
        all->room = room;
    }
    all->at[all->n++] = (hrr_comparison){.cell = cell, .with = with};
    return HRR_OK;
}

/* Candidates of a facet are few: its levels, and the cells of one series. They are listed once, so
 * that ten thousand cells do not look at ten thousand others each. */
static hrr_status list_facet(growing *all, const hrr_study *study, size_t begin, size_t end,
                             uint32_t against, hrr_error *err)
{
    const hrr_cell *cells = study->cells.at;
    size_t n = 0;
    size_t *candidate = hrr_alloc(end - begin, sizeof *candidate);
    hrr_status status = candidate ? HRR_OK : hrr_no_memory(err);
    for (size_t i = begin; i < end && !status; i++)
        if (is_level(&cells[i]) || cells[i].series == against) candidate[n++] = i;
    for (size_t i = begin; i < end && !status; i++) {
        if (is_level(&cells[i]) || cells[i].n < 2) continue;
        for (size_t k = 0; k < n && !status; k++)
            if (is_wanted(&cells[i], &cells[candidate[k]], against))
                status = add(all, &cells[i], &cells[candidate[k]], err);
    }
    hrr_free(candidate);
    return status;
}

static hrr_status test_all(growing *all, hrr_error *err)
{
    uint32_t most = 0;
    for (size_t i = 0; i < all->n; i++) {
        if (all->at[i].cell->n > most) most = all->at[i].cell->n;
        if (all->at[i].with->n > most) most = all->at[i].with->n;
    }
    double *a = hrr_alloc(most, sizeof *a), *b = hrr_alloc(most, sizeof *b);
    double *p = hrr_alloc(all->n, sizeof *p), *adjusted = hrr_alloc(all->n, sizeof *adjusted);
    hrr_status status = a && b && p && adjusted ? HRR_OK : hrr_no_memory(err);
    for (size_t i = 0; i < all->n && !status; i++) {
        status = compare(&all->at[i], a, b, err);
        p[i] = all->at[i].test.p;
    }
    if (!status) status = hrr_holm(adjusted, p, all->n, err);
    for (size_t i = 0; i < all->n && !status; i++)
        all->at[i].adjusted = adjusted[i];
    hrr_free(a);
    hrr_free(b);
    hrr_free(p);
    hrr_free(adjusted);
    return status;
}

hrr_status hrr_significance(hrr_comparison **out, size_t *n, const hrr_study *study,
                            const char *against, hrr_error *err)
{
    growing all = {0};
    uint32_t reference;
    *out = NULL;
    *n = 0;
    hrr_status status = find_against(&reference, study, against, err);
    for (size_t begin = 0, end; begin < study->cells.n && !status; begin = end) {
        facet_range(&begin, &end, &study->cells, begin);
        status = list_facet(&all, study, begin, end, reference, err);
    }
    if (!status) status = test_all(&all, err);
    if (status) {
        hrr_free(all.at);
        return status;
    }
    *out = all.at;
    *n = all.n;
    return HRR_OK;
}
