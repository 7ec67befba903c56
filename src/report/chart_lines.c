/* chart_lines.c: lines with confidence bands and reference lines, in one panel or several.
 *
 * One panel on a wide page: names stand beside the ends of their lines, in a gutter right of the
 * data, moved apart where they would touch. Otherwise a legend above the panels. Either way no word
 * is ever inside the plot. */
#include "report/chart_lines.h"
#include "report/chart_words.h"
#include "report/svg_colour.h"
#include "report/svg_labels.h"
#include "report/svg_measure.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { wide_from = 600, swatch_width = 36, swatch_line = 30, most_direct = 14, most_x_values = 9 };

/* ---- what there is --------------------------------------------------------------------------- */

/* Intervals widen a scale only as far as they help to read means: one wild interval of two runs
 * must not press everything else flat. They are clipped there. */
static void find_ranges(const hrr_chart *chart, double x[2], double y[2])
{
    double means[2] = {INFINITY, -INFINITY};
    x[0] = y[0] = INFINITY;
    x[1] = y[1] = -INFINITY;
    for (size_t p = 0; p < chart->n; p++)
        for (size_t s = 0; s < chart->panels[p].n; s++)
            for (size_t i = 0; i < chart->panels[p].series[s].n; i++) {
                const hrr_series *series = &chart->panels[p].series[s];
                if (!series->reference) hrr_range_add(x, series->points[i].x);
                hrr_range_add(means, series->points[i].y);
                hrr_range_add(y, series->points[i].low);
                hrr_range_add(y, series->points[i].high);
            }
    const double spread = means[1] - means[0];
    const double slack = spread > 0 ? spread / 2 : INFINITY;
    y[0] = fmax(fmin(y[0], means[0]), means[0] - slack);
    y[1] = fmin(fmax(y[1], means[1]), means[1] + slack);
    if (chart->y_log && y[0] <= 0 && means[0] > 0) y[0] = means[0] / 2;
    if (chart->y_from_zero && y[0] > 0) y[0] = 0;
    if (chart->y_is_share) hrr_range_of_share(y);
    if (chart->diagonal) x[0] = y[0] = 0, x[1] = y[1] = 1;
}

static bool is_entry(const hrr_line_name *entry, const hrr_series *series)
{
    return strcmp(entry->series->name, series->name) == 0 &&
           entry->series->not_free == series->not_free;
}

/* Everything that has a name, once: the same name in two panels looks the same. References come
 * last. */
static bool find_entries(hrr_lines *l)
{
    const hrr_chart *chart = l->d->chart;
    size_t room = 0;
    for (size_t p = 0; p < chart->n; p++)
        room += chart->panels[p].n;
    l->entries = hrr_alloc_zero(room, sizeof *l->entries);
    if (!l->entries) return false;
    hrr_used_dashes used = {0};
    for (int references = 0; references < 2; references++)
        for (size_t p = 0; p < chart->n; p++)
            for (size_t s = 0; s < chart->panels[p].n; s++) {
                const hrr_series *series = &chart->panels[p].series[s];
                size_t at = 0;
                while (at < l->n_entries && !is_entry(&l->entries[at], series))
                    at++;
                if (at < l->n_entries || series->reference != references) continue;
                hrr_line_name *e = &l->entries[l->n_entries++];
                e->series = series;
                if (!references) continue;
                e->reference = l->n_references++;
                e->dash = hrr_svg_reference_dash(series, &used);
            }
    return true;
}

/* Panels that show one line each under its name need no legend for it. */
static bool is_divided(const hrr_chart *chart)
{
    for (size_t p = 0; p < chart->n; p++) {
        size_t lines = 0;
        for (size_t s = 0; s < chart->panels[p].n; s++)
            lines += !chart->panels[p].series[s].reference;
        if (lines > 1) return false;
    }
    return chart->n > hrr_n_colours;
}

/* ---- layout ---------------------------------------------------------------------------------- */

static void keep_references(hrr_lines *l)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->n_entries; i++)
        if (l->entries[i].series->reference) l->entries[kept++] = l->entries[i];
    l->n_entries = kept;
}

static void measure_entries(hrr_lines *l, double most)
{
    for (size_t i = 0; i < l->n_entries; i++) {
        hrr_line_name *e = &l->entries[i];
        char words[160];
        hrr_series_label(words, sizeof words, e->series);
        hrr_text_fit(e->name, sizeof e->name, words, hrr_font, most - swatch_width);
        e->width = swatch_width + hrr_text_width(e->name, hrr_font);
        l->gutter = fmax(l->gutter, e->width);
    }
}

static void choose_scales(hrr_lines *l)
{
    const hrr_chart *chart = l->d->chart;
    double x[2], y[2], values[most_x_values + 1];
    find_ranges(chart, x, y);
    l->x = hrr_scale_for(x[0], x[1], chart->x_log);
    const int about_y = l->plot_height > 200 ? 6 : l->divided ? 2 : 4;
    l->y = hrr_scale_round(hrr_scale_for(y[0], y[1], chart->y_log), about_y);
    l->y_ticks = hrr_scale_ticks(&l->y, about_y);
    const size_t n = hrr_chart_distinct_x(values, most_x_values, chart);
    l->x_ticks = n <= most_x_values ? hrr_ticks_at(values, n)
                                    : hrr_scale_ticks(&l->x, l->panel_width > 300 ? 6 : 4);
}

static double legend(const hrr_lines *l, bool draw);

static bool arrange(hrr_lines *l)
{
    const hrr_chart *chart = l->d->chart;
    const bool wide = l->d->width >= wide_from;
    if (!find_entries(l)) return false;
    const bool divided = l->divided = is_divided(chart);
    l->columns = chart->n == 1 ? 1
                 : wide        ? (chart->n == 2 || chart->n == 4 ? 2
                                  : chart->n > 12                ? 4
                                                                 : 3)
                               : 2;
    if (!wide && chart->n <= 4) l->columns = 1;
    l->rows = (chart->n + l->columns - 1) / l->columns;
    l->plot_height = chart->n == 1     ? (wide ? 300 : 220)
                     : divided         ? 84
                     : l->columns == 1 ? 170
                                       : 150;
    l->direct = chart->n == 1 && wide && l->n_entries <= most_direct;
    measure_entries(l, l->direct ? 0.4 * l->d->width : l->d->width);
    if (!l->direct) l->gutter = 0;
    /* References are drawn by their numbers, which divided panels look up here, too. */
    l->panel_width = l->d->width / (double)l->columns;
    choose_scales(l);
    l->left = hrr_ticks_width(&l->y_ticks) + 8;
    if (!l->direct) {
        if (divided) keep_references(l);
        l->legend_height = legend(l, false);
    }
    l->top = l->legend_height + 22;
    l->panel_height = l->plot_height + 28 + (chart->n > 1 ? 24 : 0);
    return true;
}

/* ---- words ----------------------------------------------------------------------------------- */

static void swatch(const hrr_lines *l, const hrr_line_name *e, double x, double y)
{
    hrr_text *out = l->d->out;
    if (e->series->reference) {
        hrr_text_printf(out,
                        "<path class=\"ref key\" stroke-dasharray=\"%s\" d=\"M%.1f %.1fh%d\"/>",
                        e->dash, x, y - 4, swatch_line);
        return;
    }
    const int colour = e->series->style % hrr_n_colours;
    hrr_text_printf(out,
                    "<path class=\"line key l%d\" stroke-dasharray=\"%s\" d=\"M%.1f %.1fh%d\"/>",
                    colour, hrr_svg_line_dash(e->series->style), x, y - 4, swatch_line);
    if (l->d->chart->no_marks) return;
    hrr_text_printf(out, "<path class=\"key f%d\" d=\"", colour);
    hrr_svg_shape(out, hrr_shape_of_style(e->series->style), x + swatch_line / 2.0, y - 4, 4);
    hrr_text_put(out, "\"/>");
}

/* Height of the legend; drawn if asked. */
static double legend(const hrr_lines *l, bool draw)
{
    size_t *row = hrr_alloc(l->n_entries, sizeof *row);
    double *x = hrr_alloc(l->n_entries, sizeof *x), *width = hrr_alloc(l->n_entries, sizeof *width);
    size_t n_rows = 0;
    if (row && x && width) {
        for (size_t i = 0; i < l->n_entries; i++)
            width[i] = l->entries[i].width;
        n_rows = hrr_labels_wrap(row, x, width, l->n_entries, 18, l->d->width);
        for (size_t i = 0; i < l->n_entries && draw; i++) {
            const double y = 13 + (double)row[i] * (hrr_line_height + 2);
            swatch(l, &l->entries[i], x[i], y);
            hrr_svg_words(l->d->out, x[i] + swatch_width, y, "start", "ink", l->entries[i].name);
        }
    } else {
        l->d->out->failed = true;
    }
    hrr_free(row);
    hrr_free(x);
    hrr_free(width);
    return n_rows ? (double)n_rows * (hrr_line_height + 2) + 8 : 0;
}

/* Where a line stops: the last value that it has. ROC curves all stop in one corner: their middle
 * orders them. */
static double end_of(const hrr_lines *l, const hrr_series *series)
{
    const size_t from = l->d->chart->diagonal ? series->n / 2 + 1 : series->n;
    for (size_t i = from; i-- > 0;)
        if (isfinite(series->points[i].y)) return hrr_lines_y(l, series->points[i].y);
    return l->y.from;
}

static void names_at_ends(hrr_lines *l, const hrr_box *box)
{
    double *place = hrr_alloc(l->n_entries, sizeof *place);
    if (!place) {
        l->d->out->failed = true;
        return;
    }
    for (size_t i = 0; i < l->n_entries; i++)
        place[i] = l->entries[i].y = end_of(l, l->entries[i].series);
    /* most_direct lines fit by its choice, so that only memory can be missing */
    if (!hrr_labels_spread(place, l->n_entries, hrr_line_height, box->top, box->bottom))
        l->d->out->failed = true;
    for (size_t i = 0; i < l->n_entries; i++) {
        const hrr_line_name *e = &l->entries[i];
        const double x = box->right + 18;
        if (!l->d->chart->diagonal)
            hrr_text_printf(l->d->out, "<path class=\"lead\" d=\"M%.1f %.1fL%.1f %.1f\"/>",
                            box->right + 5, e->y, x - 2, place[i]);
        swatch(l, e, x, place[i] + 4);
        hrr_svg_words(l->d->out, x + swatch_width, place[i] + 4, "start", "ink", e->name);
    }
    hrr_free(place);
}

void hrr_draw_lines(const hrr_drawing *d)
{
    hrr_lines l = {.d = d};
    if (!arrange(&l)) {
        d->out->failed = true;
        return;
    }
    const double grid_height = (double)l.rows * l.panel_height;
    hrr_svg_open(d, l.top + grid_height + 22);
    if (!l.direct) legend(&l, true);
    hrr_svg_words(d->out, 0, l.legend_height + 13, "start", "ink", d->chart->y_label);
    hrr_box box = {0};
    for (size_t i = 0; i < d->chart->n; i++) {
        const double column = (double)(i % l.columns), row = (double)(i / l.columns);
        box.left = column * l.panel_width + l.left;
        box.right = (column + 1) * l.panel_width - (l.direct ? l.gutter + 26 : 10);
        box.top = l.top + row * l.panel_height + (d->chart->n > 1 ? 22 : 4);
        box.bottom = box.top + l.plot_height;
        if (l.divided && i == 0) hrr_lines_context(&l, &box);
        hrr_lines_panel(&l, &d->chart->panels[i], &box);
    }
    if (l.direct) names_at_ends(&l, &box);
    hrr_svg_words(d->out, l.left, l.top + grid_height + 16, "start", "ink", d->chart->x_label);
    hrr_svg_close(d);
    hrr_free(l.entries);
}
