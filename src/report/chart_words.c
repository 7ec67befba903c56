/* chart_words.c: charts without pictures: a sentence, a table, a CSV file, the words of a point. */
#include "report/chart_words.h"
#include "experiment/references.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void hrr_series_words(char *out, size_t room, const char *name)
{
    const size_t length = strcspn(name, ","); /* settings may follow */
    const hrr_reference *reference = hrr_reference_find(name, length);
    if (reference)
        snprintf(out, room, "%s%s", reference->label, name + length);
    else
        snprintf(out, room, "%s", name);
}

void hrr_series_label(char *out, size_t room, const hrr_series *series)
{
    hrr_series_words(out, room, series->name);
    const size_t used = strlen(out);
    /* That no protection is not free says its name. */
    if (series->not_free && !hrr_is_unprotected(series->name))
        snprintf(out + used, room - used, " (not free)");
}

void hrr_point_text(char text[HRR_POINT_TEXT_SIZE], const hrr_chart *chart, const hrr_panel *panel,
                    const hrr_series *series, const hrr_point *point)
{
    char where[160] = "", interval[96] = "", runs[48] = "", title[176] = "", name[128];
    hrr_series_words(name, sizeof name, series->name);
    if (*panel->title) snprintf(title, sizeof title, "%s \u00b7 ", panel->title);
    const bool named = *series->name;
    if (chart->kind == HRR_CHART_SCATTER) {
        snprintf(text, HRR_POINT_TEXT_SIZE, "%.100s%s%s %.4g, %s %.4g, %s %.4g", named ? name : "",
                 named ? ": " : "", chart->x_label, point->x, chart->y_label, point->y,
                 chart->value_label, point->value);
        return;
    }
    if (chart->kind == HRR_CHART_HEAT)
        snprintf(where, sizeof where, "%.60s %.4g, %.60s %.4g", chart->x_label, point->x,
                 chart->y_label, point->y);
    else if (chart->x_names && !series->reference)
        snprintf(where, sizeof where, "%.90s", chart->x_names[(size_t)point->x]);
    else if (chart->kind != HRR_CHART_BARS && !series->reference)
        snprintf(where, sizeof where, "%.90s %.4g", chart->x_label, point->x);
    if (isfinite(point->low))
        snprintf(interval, sizeof interval, ", 95 %% interval %.4g to %.4g", point->low,
                 point->high);
    if (point->runs)
        snprintf(runs, sizeof runs, ", %u %s", (unsigned)point->runs,
                 hrr_plural(point->runs, "run", "runs"));
    const bool is_heat = chart->kind == HRR_CHART_HEAT;
    snprintf(text, HRR_POINT_TEXT_SIZE, "%s%.100s%s%s: %s %.4g%s%s", title, name,
             *where ? ", " : "", where, is_heat ? chart->value_label : chart->y_label,
             is_heat ? point->value : point->y, interval, runs);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* What the chart's table is made of; columns that say nothing are left out. */
typedef struct table_shape {
    bool panel, name, x, low, value, runs;
} table_shape;

static table_shape shape_of(const hrr_chart *chart)
{
    table_shape shape = {.panel = chart->n > 1,
                         .x = chart->kind != HRR_CHART_BARS,
                         .value =
                             chart->kind == HRR_CHART_HEAT || chart->kind == HRR_CHART_SCATTER};
    for (size_t p = 0; p < chart->n; p++)
        for (size_t s = 0; s < chart->panels[p].n; s++) {
            const hrr_series *series = &chart->panels[p].series[s];
            shape.name = shape.name || *series->name;
            for (size_t i = 0; i < series->n; i++) {
                shape.low = shape.low || isfinite(series->points[i].low);
                shape.runs = shape.runs || series->points[i].runs;
            }
        }
    return shape;
}

/* How one cell is written: escaped between tags, or as a field of a CSV file. */
typedef struct row_writer {
    hrr_text *out;
    bool html;
    const char *tag; /* td or th */
    bool first;
} row_writer;

static void cell(row_writer *w, const char *words)
{
    if (w->html) {
        hrr_text_printf(w->out, "<%s>", w->tag);
        hrr_text_escape(w->out, words);
        hrr_text_printf(w->out, "</%s>", w->tag);
    } else {
        if (!w->first) hrr_text_put(w->out, ",");
        hrr_text_field(w->out, words);
    }
    w->first = false;
}

static void number_cell(row_writer *w, double value)
{
    char words[40] = "";
    if (!isnan(value)) snprintf(words, sizeof words, "%.*g", w->html ? 5 : 9, value);
    cell(w, words);
}

static void head_row(row_writer *w, const hrr_chart *chart, const table_shape *shape)
{
    if (shape->panel) cell(w, "panel");
    if (shape->name) cell(w, "name");
    if (shape->x) cell(w, chart->x_label);
    cell(w, chart->y_label);
    if (shape->value) cell(w, chart->value_label);
    if (shape->low) {
        cell(w, "95% low");
        cell(w, "95% high");
    }
    if (shape->runs) cell(w, "runs");
}

static void point_row(row_writer *w, const hrr_chart *chart, const table_shape *shape,
                      const hrr_panel *panel, const hrr_series *series, const hrr_point *point)
{
    if (shape->panel) cell(w, panel->title);
    char name[128];
    hrr_series_words(name, sizeof name, series->name);
    if (shape->name) cell(w, w->html ? name : series->name);
    if (shape->x && chart->x_names)
        cell(w, series->reference ? "" : chart->x_names[(size_t)point->x]);
    else if (shape->x)
        number_cell(w, series->reference ? NAN : point->x);
    number_cell(w, point->y);
    if (shape->value) number_cell(w, point->value);
    if (shape->low) {
        number_cell(w, point->low);
        number_cell(w, point->high);
    }
    if (shape->runs) number_cell(w, point->runs ? (double)point->runs : NAN);
}

/* Returns how many points there are; the first `most` are written. */
static size_t rows(hrr_text *out, const hrr_chart *chart, bool html, size_t most)
{
    const table_shape shape = shape_of(chart);
    size_t n = 0;
    row_writer head = {out, html, "th", true};
    hrr_text_put(out, html ? "<thead><tr>" : "");
    head_row(&head, chart, &shape);
    hrr_text_put(out, html ? "</tr></thead><tbody>\n" : "\n");
    for (size_t p = 0; p < chart->n; p++)
        for (size_t s = 0; s < chart->panels[p].n; s++)
            for (size_t i = 0; i < chart->panels[p].series[s].n; i++) {
                const hrr_series *series = &chart->panels[p].series[s];
                if (n++ >= most) continue;
                row_writer w = {out, html, "td", true};
                hrr_text_put(out, html ? "<tr>" : "");
                point_row(&w, chart, &shape, &chart->panels[p], series, &series->points[i]);
                hrr_text_put(out, html ? "</tr>\n" : "\n");
            }
    hrr_text_put(out, html ? "</tbody>" : "");
    return n;
}

void hrr_chart_csv(hrr_text *out, const hrr_chart *chart)
{
    rows(out, chart, false, (size_t)-1);
}

void hrr_chart_table(hrr_text *out, const hrr_chart *chart, size_t most)
{
    hrr_text_put(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
    hrr_text_escape(out, chart->title);
    hrr_text_put(out, ", as a table\"><table>");
    const size_t n = rows(out, chart, true, most);
    hrr_text_put(out, "</table></div>");
    if (n > most)
        hrr_text_printf(out, "<p class=\"small\">The first %zu of %zu rows; the file has all.</p>",
                        most, n);
}

/* ---- a sentence ------------------------------------------------------------------------------ */

void hrr_chart_describe(hrr_text *out, const hrr_chart *chart)
{
    static const char *const kinds[] = {"Line chart", "Bar chart", "Dot plot", "Heat map",
                                        "Scatter plot"};
    size_t n_series = 0, n_references = 0, n_points = 0;
    const hrr_series *best = NULL;
    double most = -INFINITY, least = INFINITY;
    const bool by_value = chart->kind == HRR_CHART_HEAT || chart->kind == HRR_CHART_SCATTER;
    for (size_t p = 0; p < chart->n; p++)
        for (size_t s = 0; s < chart->panels[p].n; s++) {
            const hrr_series *series = &chart->panels[p].series[s];
            n_references += series->reference;
            n_series += !series->reference;
            for (size_t i = 0; i < series->n; i++) {
                const double v = by_value ? series->points[i].value : series->points[i].y;
                n_points++;
                if (v > most) most = v, best = series;
                if (v < least) least = v;
            }
        }
    hrr_text_printf(out, "%s of ", kinds[chart->kind]);
    hrr_text_escape(out, by_value ? chart->value_label : chart->y_label);
    if (chart->kind != HRR_CHART_BARS) {
        hrr_text_put(out, " against ");
        hrr_text_escape(out, chart->x_label);
    }
    if (chart->kind == HRR_CHART_HEAT || chart->kind == HRR_CHART_SCATTER) {
        hrr_text_put(out, " and ");
        hrr_text_escape(out, chart->y_label);
    }
    if (chart->kind == HRR_CHART_LINES || chart->kind == HRR_CHART_DOTS)
        hrr_text_printf(out, ": %zu %s and %zu %s", n_series,
                        chart->kind == HRR_CHART_DOTS ? hrr_plural(n_series, "row", "rows")
                                                      : hrr_plural(n_series, "line", "lines"),
                        n_references, hrr_plural(n_references, "reference", "references"));
    if (chart->n > 1) hrr_text_printf(out, " in %zu panels", chart->n);
    hrr_text_printf(out, ", %zu %s, from %.4g to %.4g", n_points,
                    hrr_plural(n_points, "point", "points"), least, most);
    if (best && *best->name) {
        char name[128];
        hrr_series_words(name, sizeof name, best->name);
        hrr_text_put(out, " (");
        hrr_text_escape(out, name);
        hrr_text_put(out, ")");
    }
    hrr_text_put(out, ". The table below it has every value.");
}
