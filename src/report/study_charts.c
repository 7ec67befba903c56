/* study_charts.c: means to charts; see study.h. */
#include "report/study.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    most_charts = 12,
    most_panels = 24,
    most_divided = 120,
    most_heat_panels = 8,
    most_bars = 60,
    most_marks = 3000,
    most_dots = 6 /* budgets in a row of dots */
};

static hrr_point point_of(const hrr_cell *cell)
{
    return (hrr_point){.x = cell->x,
                       .y = cell->mean,
                       .low = cell->mean - cell->half_width,
                       .high = cell->mean + cell->half_width,
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
    /* What spends the other budget alone has a chart of its own, along that one. */
    if (reference && study->other != HRR_N_COLUMNS && !hrr_is_control(name)) return HRR_OK;
    for (size_t i = 0; i < n; i++)
        any = any || (hrr_cell_is_at(&cells[i], fixed) && cells[i].n > 0);
    if (!any) return HRR_OK;
    hrr_status status = reference ? HRR_OK : hrr_page_style(&style, page, name, err);
    if (status) return status;
    hrr_series *series =
        hrr_chart_series(chart, panel, name, style,
                         reference || (chart->kind == HRR_CHART_BARS && hrr_is_control(name)));
    if (series)
        series->not_free =
            series->reference && hrr_study_is_not_free(study, cells->facet, cells->series);
    for (size_t i = 0; i < n; i++) {
        if (!hrr_cell_is_at(&cells[i], fixed)) continue;
        if (!reference && cells[i].x < 0) continue;
        if (!reference || cells[i].n > 0) hrr_chart_point(chart, series, point_of(&cells[i]));
        if (reference && cells[i].n > 0) break; /* one level */
    }
    return HRR_OK;
}

/* Id and title of the chart of a base. The title may have more behind its own already. */
static void name_chart(hrr_chart *chart, const hrr_study *study, uint32_t base)
{
    char id[sizeof chart->id], title[sizeof chart->title];
    const char *name = chart->together ? "" : hrr_words_text(&study->settings.bases, base);
    snprintf(id, sizeof id, "%.48s-%u", chart->id, (unsigned)base + 1);
    snprintf(title, sizeof title, "%.120s%s%.120s", chart->title, *name ? ": " : "", name);
    if (*chart->only) {
        const size_t used = strlen(title);
        snprintf(title + used, sizeof title - used, "%s%.100s", *name ? ", " : ": ", chart->only);
    }
    memcpy(chart->id, id, sizeof id);
    memcpy(chart->title, title, sizeof title);
    chart->title[0] = (char)toupper((unsigned char)chart->title[0]);
}

static void add_note(hrr_chart *chart, const char *format, ...) HRR_PRINTF(2, 3);
static void add_note(hrr_chart *chart, const char *format, ...)
{
    va_list arguments;
    size_t used = strlen(chart->note);
    if (used && used + 1 < sizeof chart->note) chart->note[used++] = ' ';
    va_start(arguments, format);
    vsnprintf(chart->note + used, sizeof chart->note - used, format, arguments);
    va_end(arguments);
}

/* What a facet says beyond its base; all of it where bases stand together. */
static const char *panel_title(const hrr_study *study, uint32_t facet, bool together)
{
    const char *title = hrr_words_text(&study->settings.facets, facet);
    if (together) return title;
    const uint32_t base = study->settings.base_of_facet[facet];
    title += strlen(hrr_words_text(&study->settings.bases, base));
    return title + strspn(title, ", ");
}

static hrr_status fill_panel(hrr_chart *chart, hrr_page *page, const hrr_study *study,
                             uint32_t facet, double fixed, hrr_error *err)
{
    hrr_status status = HRR_OK;
    const span cells = facet_span(study, facet);
    hrr_panel *panel = hrr_chart_panel(chart, panel_title(study, facet, chart->together));
    for (size_t i = 0, n; i < cells.n && !status; i += n) {
        n = series_length(cells.first + i, cells.n - i);
        status = add_series(chart, panel, page, study, cells.first + i, n, fixed, err);
    }
    return status;
}

static bool has_lines(const hrr_panel *panel)
{
    for (size_t s = 0; s < panel->n; s++)
        if (!panel->series[s].reference) return true;
    return false;
}

/* Panels of controls alone show nothing beside others that have more. */
static void drop_idle_panels(hrr_chart *chart)
{
    size_t kept = 0, n_busy = 0;
    for (size_t i = 0; i < chart->n; i++)
        n_busy += has_lines(&chart->panels[i]);
    for (size_t i = 0; n_busy && i < chart->n; i++) {
        if (has_lines(&chart->panels[i])) {
            const hrr_panel busy = chart->panels[i];
            chart->panels[i] = chart->panels[kept];
            chart->panels[kept++] = busy;
        }
    }
    if (n_busy) hrr_chart_keep_panels(chart, kept);
}

/* One panel needs no title: what it would say goes to the chart's. Of several each needs one. */
static void title_panels(hrr_chart *chart)
{
    for (size_t i = 0; i < chart->n && chart->n > 1; i++)
        if (!*chart->panels[i].title)
            snprintf(chart->panels[i].title, sizeof chart->panels[i].title,
                     "whichever edges are private");
    if (chart->n != 1) return;
    memcpy(chart->only, chart->panels[0].title, sizeof chart->only);
    chart->panels[0].title[0] = '\0';
}

/* Fill the chart of a base; n_left_out counts panels that there was no room for. */
typedef hrr_status fill_chart(hrr_chart *chart, hrr_page *page, const hrr_study *study,
                              uint32_t base, double fixed, size_t *n_left_out, hrr_error *err);
/* What is to be done with a chart that is filled. */
typedef void finish_chart(hrr_chart *chart, size_t *n_left_out);

static bool is_share(hrr_column column)
{
    return (column >= HRR_COL_ACCURACY && column <= HRR_COL_LINK_PRECISION) ||
           column == HRR_COL_ATTRIBUTE_AUC;
}

/* A chart of what was measured on a base. */
static hrr_chart chart_like(const hrr_chart *like, const hrr_study *study, uint32_t base)
{
    hrr_chart chart = *like;
    if (!study->value_of_base) return chart;
    const char *measure = hrr_column_title(study->value_of_base[base]);
    chart.y_is_share = is_share(study->value_of_base[base]);
    if (!*chart.y_label)
        snprintf(chart.y_label, sizeof chart.y_label, "%s", measure);
    else
        snprintf(chart.value_label, sizeof chart.value_label, "%s", measure);
    snprintf(chart.title, sizeof chart.title, "%.90s%.120s", measure, like->title);
    return chart;
}

/* Where to fix the second budget of a base; the note says so if anything is not shown for it. */
static double fix_other(hrr_chart *chart, const hrr_study *study, uint32_t base, double fixed)
{
    if (fixed != HRR_USUAL_OTHER) return fixed;
    if (study->other == HRR_N_COLUMNS) return NAN;
    const double usual = hrr_study_usual_other(study, base);
    for (size_t i = 0; i < study->cells.n && isfinite(usual); i++) {
        const hrr_cell *cell = &study->cells.at[i];
        if (!hrr_study_is_in(study, cell, base) || cell->x < 0 || hrr_cell_is_at(cell, usual))
            continue;
        add_note(chart, "Mechanisms that spend both budgets are shown at %s %g.",
                 hrr_column_title(study->other), usual);
        break;
    }
    return usual;
}

/* Bases stand together if that leaves charts of lines. */
static bool can_stand_together(const hrr_study *study)
{
    const uint32_t n_bases = (uint32_t)study->settings.bases.n_names;
    if (n_bases < 2 || study->settings.facets.n_names > most_panels) return false;
    for (uint32_t base = 0; base < n_bases; base++)
        if (!isnan(hrr_study_single_x(study, base))) return false;
    return true;
}

static hrr_status finish_and_put(hrr_chart *chart, hrr_page *page, const hrr_study *study,
                                 uint32_t base, finish_chart *finish, size_t n_left_out,
                                 hrr_error *err)
{
    finish(chart, &n_left_out);
    name_chart(chart, study, base);
    if (n_left_out) add_note(chart, "%zu more panels, rows or bars are left out.", n_left_out);
    return hrr_page_chart(page, chart, err);
}

static hrr_status draw_together(hrr_page *page, const hrr_study *study, const hrr_chart *like,
                                fill_chart *fill, finish_chart *finish, double fixed,
                                hrr_error *err)
{
    hrr_chart chart = chart_like(like, study, 0);
    size_t n_left_out = 0;
    hrr_status status = HRR_OK;
    for (uint32_t base = 0; base < study->settings.bases.n_names && !status; base++)
        status = fill(&chart, page, study, base, fix_other(&chart, study, base, fixed), &n_left_out,
                      err);
    if (!status) status = finish_and_put(&chart, page, study, 0, finish, n_left_out, err);
    hrr_chart_clear(&chart);
    return status;
}

static hrr_status draw_each(hrr_page *page, const hrr_study *study, const hrr_chart *like,
                            fill_chart *fill, finish_chart *finish, double fixed, hrr_error *err)
{
    hrr_status status = HRR_OK;
    const uint32_t n_bases = (uint32_t)study->settings.bases.n_names;
    for (uint32_t base = 0; base < n_bases && base < most_charts && !status; base++) {
        if (study->other != HRR_N_COLUMNS && hrr_study_spends_other_only(study, base)) continue;
        hrr_chart chart = chart_like(like, study, base);
        size_t n_left_out = 0;
        chart.together = false;
        const double here = fix_other(&chart, study, base, fixed);
        status = fill(&chart, page, study, base, here, &n_left_out, err);
        if (base + 1 == most_charts && n_bases > most_charts)
            add_note(&chart, "%u more graphs or attacks are left out.",
                     (unsigned)(n_bases - most_charts));
        if (!status) status = finish_and_put(&chart, page, study, base, finish, n_left_out, err);
        hrr_chart_clear(&chart);
    }
    return status;
}

/* Bars stand for one budget, which the title names. */
static void become_bars(hrr_chart *chart, const hrr_study *study, uint32_t base)
{
    const double x = hrr_study_single_x(study, base);
    chart->kind = HRR_CHART_BARS;
    if (x >= 0)
        snprintf(chart->title, sizeof chart->title, "%.90s at %.90s %g", chart->y_label,
                 chart->x_label, x);
    else
        snprintf(chart->title, sizeof chart->title, "%.90s", chart->y_label);
}

/* More bars than anybody reads. */
static void keep_some_bars(hrr_chart *chart, size_t *n_left_out)
{
    for (size_t p = 0; p < chart->n; p++)
        while (chart->panels[p].n > most_bars) {
            hrr_panel_drop_last(&chart->panels[p]);
            ++*n_left_out;
        }
}

static hrr_status fill_lines(hrr_chart *chart, hrr_page *page, const hrr_study *study,
                             uint32_t base, double fixed, size_t *n_left_out, hrr_error *err)
{
    hrr_status status = HRR_OK;
    if (chart->x_log && !chart->together && !isnan(hrr_study_single_x(study, base)))
        become_bars(chart, study, base);
    for (uint32_t f = 0; f < study->settings.facets.n_names && !status; f++) {
        if (study->settings.base_of_facet[f] != base) continue;
        if (chart->n == most_panels)
            ++*n_left_out;
        else
            status = fill_panel(chart, page, study, f, fixed, err);
    }
    return status;
}

/* Crowds become rows of dots where budgets are few, otherwise small panels. */
static void finish_lines(hrr_chart *chart, size_t *n_left_out)
{
    double x[most_dots];
    drop_idle_panels(chart);
    chart->no_marks = chart->no_marks || hrr_chart_points(chart) > most_marks;
    title_panels(chart);
    if (chart->kind == HRR_CHART_BARS)
        keep_some_bars(chart, n_left_out);
    else if (!hrr_chart_is_crowded(chart))
        hrr_chart_tell_apart(chart);
    else if (chart->x_log && hrr_chart_distinct_x(x, most_dots, chart) <= most_dots)
        *n_left_out += hrr_chart_rank(chart, most_divided);
    else
        hrr_chart_divide(chart, most_divided);
}

hrr_status hrr_study_draw(hrr_page *page, const hrr_study *study, const hrr_chart *like,
                          double fixed, hrr_error *err)
{
    if (like->together && can_stand_together(study))
        return draw_together(page, study, like, fill_lines, finish_lines, fixed, err);
    return draw_each(page, study, like, fill_lines, finish_lines, fixed, err);
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
    const char *where = panel_title(study, cells->facet, false);
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

static hrr_status fill_heat(hrr_chart *chart, hrr_page *page, const hrr_study *study, uint32_t base,
                            double fixed, size_t *n_left_out, hrr_error *err)
{
    (void)page, (void)fixed, (void)err; /* the heat map has no styles, and all budgets */
    chart->kind = HRR_CHART_HEAT;
    for (size_t i = 0, n; i < study->cells.n; i += n) {
        const hrr_cell *cells = study->cells.at + i;
        for (n = 1; i + n < study->cells.n && cells[n].series == cells->series &&
                    cells[n].facet == cells->facet;)
            n++;
        if (study->settings.base_of_facet[cells->facet] != base || !varies_in_both(cells, n))
            continue;
        if (chart->n == most_heat_panels)
            ++*n_left_out;
        else
            add_heat_panel(chart, study, cells, n);
    }
    return HRR_OK;
}

static void finish_heat(hrr_chart *chart, size_t *n_left_out)
{
    (void)n_left_out;
    title_panels(chart);
}

hrr_status hrr_study_draw_heat(hrr_page *page, const hrr_study *study, const hrr_chart *like,
                               hrr_error *err)
{
    return draw_each(page, study, like, fill_heat, finish_heat, NAN, err);
}
