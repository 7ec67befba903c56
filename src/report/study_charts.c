/* study_charts.c: means to charts; see study.h. */
#include "report/study.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_charts = 12, most_panels = 24, most_divided = 120, most_heat_panels = 8 };

static hrr_point point_of(const hrr_cell *cell)
{
    return (hrr_point){.x = cell->x,
                       .y = cell->mean,
                       .low = cell->mean - cell->reach,
                       .high = cell->mean + cell->reach,
                       .runs = cell->n};
}

/* The cells of one facet, which stand together. */
typedef struct span {
    const hrr_cell *first;
    size_t n;
} span;

static span facet_span(const hrr_study *study, uint32_t facet)
{
    size_t begin = 0, end;
    while (begin < study->cells.n && study->cells.at[begin].facet < facet)
        begin++;
    for (end = begin; end < study->cells.n && study->cells.at[end].facet == facet;)
        end++;
    return (span){study->cells.at + begin, end - begin};
}

static size_t series_length(const hrr_cell *cell, size_t left)
{
    size_t n = 1;
    while (n < left && cell[n].series == cell->series)
        n++;
    return n;
}

/* A series of one level, which spends nothing along x, is a reference. */
static bool is_reference(const hrr_cell *cells, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (cells[i].x >= 0) return false;
    return true;
}

static hrr_status add_series(hrr_chart *chart, hrr_panel *panel, hrr_page *page,
                             const hrr_study *study, const hrr_cell *cells, size_t n, double fixed,
                             hrr_error *err)
{
    const char *name = hrr_words_text(&study->settings.series, cells->series);
    const bool reference = is_reference(cells, n);
    int style = 0;
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any = any || (hrr_cell_is_at(&cells[i], fixed) && cells[i].n > 0);
    if (!any) return HRR_OK;
    hrr_status status = reference ? HRR_OK : hrr_page_style(&style, page, name, err);
    if (status) return status;
    hrr_series *series =
        hrr_chart_series(chart, panel, name, style,
                         reference || (chart->kind == HRR_CHART_BARS && hrr_is_control(name)));
    for (size_t i = 0; i < n; i++) {
        if (!hrr_cell_is_at(&cells[i], fixed)) continue;
        if (!reference && cells[i].x < 0) continue;
        if (!reference || cells[i].n > 0) hrr_chart_point(chart, series, point_of(&cells[i]));
        if (reference && cells[i].n > 0) break; /* one level */
    }
    return HRR_OK;
}

/* How many different x the lines of a base have; two are enough to know. */
static int x_values(const hrr_study *study, uint32_t base)
{
    double first = NAN;
    for (size_t i = 0; i < study->cells.n; i++) {
        const hrr_cell *cell = &study->cells.at[i];
        if (study->settings.base_of_facet[cell->facet] != base || cell->x < 0) continue;
        if (isnan(first)) first = cell->x;
        if (cell->x != first) return 2;
    }
    return isnan(first) ? 0 : 1;
}

/* Id and title of the chart of a base. */
static void name_chart(hrr_chart *chart, const hrr_chart *like, const hrr_study *study,
                       uint32_t base)
{
    *chart = *like;
    const char *name = hrr_words_text(&study->settings.bases, base);
    snprintf(chart->id, sizeof chart->id, "%.48s-%u", like->id, (unsigned)base + 1);
    snprintf(chart->title, sizeof chart->title, "%.120s%s%.120s", like->title, *name ? ": " : "",
             name);
    chart->title[0] = (char)toupper((unsigned char)chart->title[0]);
}

static void add_note(hrr_chart *chart, const char *words)
{
    const size_t used = strlen(chart->note);
    snprintf(chart->note + used, sizeof chart->note - used, "%s%s", used ? " " : "", words);
}

/* What a facet says beyond its base. */
static const char *panel_title(const hrr_study *study, uint32_t facet, uint32_t base)
{
    const char *title = hrr_words_text(&study->settings.facets, facet);
    const size_t length = strlen(hrr_words_text(&study->settings.bases, base));
    title += length;
    return title + strspn(title, ", ");
}

static hrr_status fill_panel(hrr_chart *chart, hrr_page *page, const hrr_study *study,
                             uint32_t facet, double fixed, hrr_error *err)
{
    hrr_status status = HRR_OK;
    const span cells = facet_span(study, facet);
    hrr_panel *panel =
        hrr_chart_panel(chart, panel_title(study, facet, study->settings.base_of_facet[facet]));
    for (size_t i = 0, n; i < cells.n && !status; i += n) {
        n = series_length(cells.first + i, cells.n - i);
        status = add_series(chart, panel, page, study, cells.first + i, n, fixed, err);
    }
    return status;
}

/* One panel needs no title: what it would say goes to the chart's. */
static void title_of_single_panel(hrr_chart *chart)
{
    if (chart->n != 1 || !*chart->panels[0].title) return;
    const size_t used = strlen(chart->title);
    snprintf(chart->title + used, sizeof chart->title - used, ", %.100s", chart->panels[0].title);
    chart->panels[0].title[0] = '\0';
}

hrr_status hrr_study_draw(hrr_page *page, const hrr_study *study, const hrr_chart *like,
                          double fixed, hrr_error *err)
{
    hrr_status status = HRR_OK;
    const uint32_t n_bases = (uint32_t)study->settings.bases.n_names;
    for (uint32_t base = 0; base < n_bases && base < most_charts && !status; base++) {
        hrr_chart chart;
        size_t n_left_out = 0;
        name_chart(&chart, like, study, base);
        if (chart.kind == HRR_CHART_LINES && chart.x_log && x_values(study, base) < 2)
            chart.kind = HRR_CHART_BARS;
        for (uint32_t f = 0; f < study->settings.facets.n_names && !status; f++) {
            if (study->settings.base_of_facet[f] != base) continue;
            if (chart.n == most_panels)
                n_left_out++;
            else
                status = fill_panel(&chart, page, study, f, fixed, err);
        }
        char words[128];
        snprintf(words, sizeof words, "%zu more private fractions are not drawn.", n_left_out);
        if (n_left_out) add_note(&chart, words);
        snprintf(words, sizeof words, "%u more graphs or attacks are not drawn.",
                 (unsigned)(n_bases - most_charts));
        if (base + 1 == most_charts && n_bases > most_charts) add_note(&chart, words);
        title_of_single_panel(&chart);
        if (chart.kind == HRR_CHART_LINES) hrr_chart_divide(&chart, most_divided);
        if (!status) status = hrr_page_chart(page, &chart, err);
        hrr_chart_clear(&chart);
    }
    return status;
}

/* ---- heat maps ------------------------------------------------------------------------------- */

static bool varies_in_both(const hrr_cell *cells, size_t n)
{
    double x = -1, other = -1;
    bool x_varies = false, other_varies = false;
    for (size_t i = 0; i < n; i++) {
        if (cells[i].x < 0 || cells[i].other < 0) continue;
        x_varies = x_varies || (x >= 0 && cells[i].x != x);
        other_varies = other_varies || (other >= 0 && cells[i].other != other);
        x = cells[i].x;
        other = cells[i].other;
    }
    return x_varies && other_varies;
}

static void add_heat_panel(hrr_chart *chart, const hrr_study *study, const hrr_cell *cells,
                           size_t n)
{
    const char *name = hrr_words_text(&study->settings.series, cells->series);
    const char *where =
        panel_title(study, cells->facet, study->settings.base_of_facet[cells->facet]);
    char title[160];
    snprintf(title, sizeof title, "%.90s%s%.60s", name, *where ? ", " : "", where);
    hrr_panel *panel = hrr_chart_panel(chart, title);
    hrr_series *series = hrr_chart_series(chart, panel, name, 0, false);
    for (size_t i = 0; i < n; i++) {
        if (cells[i].x < 0 || cells[i].other < 0 || cells[i].n == 0) continue;
        hrr_point point = point_of(&cells[i]);
        point.value = point.y;
        point.y = cells[i].other;
        hrr_chart_point(chart, series, point);
    }
}

hrr_status hrr_study_draw_heat(hrr_page *page, const hrr_study *study, const hrr_chart *like,
                               hrr_error *err)
{
    hrr_status status = HRR_OK;
    const uint32_t n_bases = (uint32_t)study->settings.bases.n_names;
    for (uint32_t base = 0; base < n_bases && base < most_charts && !status; base++) {
        hrr_chart chart;
        size_t n_left_out = 0;
        name_chart(&chart, like, study, base);
        chart.kind = HRR_CHART_HEAT;
        for (size_t i = 0, n; i < study->cells.n; i += n) {
            const hrr_cell *cells = study->cells.at + i;
            for (n = 1; i + n < study->cells.n && cells[n].series == cells->series &&
                        cells[n].facet == cells->facet;)
                n++;
            if (study->settings.base_of_facet[cells->facet] != base || !varies_in_both(cells, n))
                continue;
            if (chart.n == most_heat_panels)
                n_left_out++;
            else
                add_heat_panel(&chart, study, cells, n);
        }
        char words[64];
        snprintf(words, sizeof words, "%zu more are not drawn.", n_left_out);
        if (n_left_out) add_note(&chart, words);
        status = hrr_page_chart(page, &chart, err);
        hrr_chart_clear(&chart);
    }
    return status;
}
