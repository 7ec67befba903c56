/* chart_lines.c: lines with confidence bands and reference lines, in one panel or several.
 *
 * One panel on a wide page: names stand beside the ends of their lines, in a gutter right of the
 * data, moved apart where they would touch. Otherwise a legend above the panels. Either way no word
 * is ever inside the plot. */
#include "report/chart_draw.h"
#include "report/svg_colour.h"
#include "report/svg_labels.h"
#include "report/svg_measure.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    wide_from = 600,
    swatch_width = 28,
    most_direct = 14,
    name_size = 64,
    most_x_values = 9
};

/* A name and its sign, beside a line or in the legend. */
typedef struct entry {
    const hrr_series *series;
    size_t reference; /* which of the references it is */
    char name[name_size];
    double width, y;
} entry;

typedef struct layout {
    const hrr_drawing *d;
    hrr_scale x, y;
    hrr_ticks x_ticks, y_ticks;
    entry *entries;
    size_t n_entries;
    size_t columns, rows;
    bool direct, divided;
    double legend_height, left, gutter, panel_width, panel_height, plot_height, top;
} layout;

/* ---- what there is --------------------------------------------------------------------------- */

static void stretch(double range[2], double value)
{
    if (!isfinite(value)) return;
    range[0] = fmin(range[0], value);
    range[1] = fmax(range[1], value);
}

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
                if (!series->reference) stretch(x, series->points[i].x);
                stretch(means, series->points[i].y);
                stretch(y, series->points[i].low);
                stretch(y, series->points[i].high);
            }
    const double reach = means[1] - means[0];
    const double slack = reach > 0 ? reach / 2 : INFINITY;
    y[0] = fmax(fmin(y[0], means[0]), means[0] - slack);
    y[1] = fmin(fmax(y[1], means[1]), means[1] + slack);
    if (chart->y_log && y[0] <= 0 && means[0] > 0) y[0] = means[0] / 2;
    if (chart->y_from_zero && y[0] > 0) y[0] = 0;
    if (chart->diagonal) x[0] = y[0] = 0, x[1] = y[1] = 1;
}

/* Different x of all lines, rising; more than `most` are not counted. */
static size_t distinct_x(double *values, size_t most, const hrr_chart *chart)
{
    size_t n = 0;
    for (size_t p = 0; p < chart->n; p++)
        for (size_t s = 0; s < chart->panels[p].n; s++)
            for (size_t i = 0; i < chart->panels[p].series[s].n; i++) {
                const hrr_series *series = &chart->panels[p].series[s];
                const double value = series->points[i].x;
                if (series->reference || !isfinite(value)) continue;
                size_t at = 0;
                while (at < n && values[at] < value)
                    at++;
                if (at < n && values[at] == value) continue;
                if (n == most) return most + 1;
                memmove(values + at + 1, values + at, (n - at) * sizeof *values);
                values[at] = value;
                n++;
            }
    return n;
}

/* Everything that has a name, once: the same name in two panels looks the same. */
static bool find_entries(layout *l)
{
    const hrr_chart *chart = l->d->chart;
    size_t room = 0;
    for (size_t p = 0; p < chart->n; p++)
        room += chart->panels[p].n;
    l->entries = hrr_alloc_zero(room, sizeof *l->entries);
    if (!l->entries) return false;
    size_t n_references = 0;
    for (size_t p = 0; p < chart->n; p++)
        for (size_t s = 0; s < chart->panels[p].n; s++) {
            const hrr_series *series = &chart->panels[p].series[s];
            size_t at = 0;
            while (at < l->n_entries && strcmp(l->entries[at].series->name, series->name) != 0)
                at++;
            if (at < l->n_entries) continue;
            entry *e = &l->entries[l->n_entries++];
            e->series = series;
            if (series->reference) e->reference = n_references++;
        }
    return true;
}

static size_t reference_number(const layout *l, const hrr_series *series)
{
    size_t i = 0;
    while (i + 1 < l->n_entries && strcmp(l->entries[i].series->name, series->name) != 0)
        i++;
    return l->entries[i].reference;
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

static void keep_references(layout *l)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->n_entries; i++)
        if (l->entries[i].series->reference) l->entries[kept++] = l->entries[i];
    l->n_entries = kept;
}

static void measure_entries(layout *l, double most)
{
    for (size_t i = 0; i < l->n_entries; i++) {
        entry *e = &l->entries[i];
        hrr_text_fit(e->name, sizeof e->name, e->series->name, hrr_font, most - swatch_width);
        e->width = swatch_width + hrr_text_width(e->name, hrr_font);
        l->gutter = fmax(l->gutter, e->width);
    }
}

static void choose_scales(layout *l)
{
    const hrr_chart *chart = l->d->chart;
    double x[2], y[2], values[most_x_values + 1];
    find_ranges(chart, x, y);
    l->x = hrr_scale_for(x[0], x[1], chart->x_log);
    const int about_y = l->plot_height > 200 ? 6 : l->divided ? 2 : 4;
    l->y = hrr_scale_round(hrr_scale_for(y[0], y[1], chart->y_log), about_y);
    l->y_ticks = hrr_scale_ticks(&l->y, about_y);
    const size_t n = distinct_x(values, most_x_values, chart);
    l->x_ticks = n <= most_x_values ? hrr_ticks_at(values, n)
                                    : hrr_scale_ticks(&l->x, l->panel_width > 300 ? 6 : 4);
}

static double legend(const layout *l, bool draw);

static bool arrange(layout *l)
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
    measure_entries(l, l->direct ? 210 : l->d->width);
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

static void swatch(const layout *l, const entry *e, double x, double y)
{
    hrr_text *out = l->d->out;
    if (e->series->reference) {
        hrr_text_printf(out, "<path class=\"ref\" stroke-dasharray=\"%s\" d=\"M%.1f %.1fh22\"/>",
                        hrr_svg_dash(e->reference), x, y - 4);
        return;
    }
    const int colour = e->series->style % hrr_n_colours;
    hrr_text_printf(out, "<path class=\"line l%d\" d=\"M%.1f %.1fh22\"/>", colour, x, y - 4);
    if (l->d->chart->no_marks) return;
    hrr_text_printf(out, "<path class=\"f%d\" d=\"", colour);
    hrr_svg_shape(out, e->series->style, x + 11, y - 4, 3.5);
    hrr_text_put(out, "\"/>");
}

/* Height of the legend; drawn if asked. */
static double legend(const layout *l, bool draw)
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

static double y_place(const layout *l, double value)
{
    return hrr_scale_place(&l->y, l->y.log && value <= 0 ? l->y.low : value);
}

/* Where a line stops: the last value that it has. ROC curves all stop in one corner: their middle
 * orders them. */
static double end_of(const layout *l, const hrr_series *series)
{
    const size_t from = l->d->chart->diagonal ? series->n / 2 + 1 : series->n;
    for (size_t i = from; i-- > 0;)
        if (isfinite(series->points[i].y)) return y_place(l, series->points[i].y);
    return l->y.from;
}

static void names_at_ends(layout *l, const hrr_box *box)
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
        const entry *e = &l->entries[i];
        const double x = box->right + 18;
        if (!l->d->chart->diagonal)
            hrr_text_printf(l->d->out, "<path class=\"lead\" d=\"M%.1f %.1fL%.1f %.1f\"/>",
                            box->right + 5, e->y, x - 2, place[i]);
        swatch(l, e, x, place[i] + 4);
        hrr_svg_words(l->d->out, x + swatch_width, place[i] + 4, "start", "ink", e->name);
    }
    hrr_free(place);
}

/* ---- data ------------------------------------------------------------------------------------ */

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static void draw_reference(layout *l, const hrr_panel *panel, const hrr_series *series,
                           const hrr_box *box)
{
    hrr_text *out = l->d->out;
    if (series->n == 0 || !isfinite(series->points[0].y)) return;
    const hrr_point *p = &series->points[0];
    const double y = y_place(l, p->y);
    if (isfinite(p->low)) {
        const double top = clamp(y_place(l, p->high), box->top, box->bottom);
        const double bottom = clamp(y_place(l, p->low), box->top, box->bottom);
        hrr_text_printf(
            out, "<rect class=\"refband\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
            box->left, top, box->right - box->left, bottom - top);
    }
    hrr_svg_open_mark(l->d, box->right, y, "r");
    hrr_text_printf(out, "<path class=\"ref\" stroke-dasharray=\"%s\" d=\"M%.1f %.1fH%.1f\"/>",
                    hrr_svg_dash(reference_number(l, series)), box->left, y, box->right);
    hrr_svg_close_mark(l->d, panel, series, p);
}

/* The band: there along the upper ends, back along the lower ones. */
static void draw_band(layout *l, const hrr_series *series, const hrr_box *box)
{
    size_t n = 0;
    for (size_t i = 0; i < series->n; i++)
        n += isfinite(series->points[i].low) && isfinite(series->points[i].y);
    if (n < 2) return;
    hrr_text *out = l->d->out;
    hrr_text_printf(out, "<path class=\"band f%d\" d=\"", series->style % hrr_n_colours);
    const char *step = "M";
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < series->n; i++) {
            const hrr_point *p = &series->points[pass ? series->n - 1 - i : i];
            if (!isfinite(p->low) || !isfinite(p->y)) continue;
            hrr_text_printf(out, "%s%.1f %.1f", step, hrr_scale_place(&l->x, p->x),
                            clamp(y_place(l, pass ? p->low : p->high), box->top, box->bottom));
            step = "L";
        }
    hrr_text_put(out, "z\"/>");
}

static double inset_of(const hrr_chart *chart)
{
    return chart->diagonal ? 0 : chart->n > 1 ? 6 : 12;
}

/* The steps of a path along the means. */
static void trace(layout *l, const hrr_series *series)
{
    hrr_text *out = l->d->out;
    bool joined = false; /* a value that is missing breaks the line */
    for (size_t i = 0; i < series->n; i++) {
        const hrr_point *p = &series->points[i];
        if (isfinite(p->y))
            hrr_text_printf(out, "%s%.1f %.1f", joined ? "L" : "M", hrr_scale_place(&l->x, p->x),
                            y_place(l, p->y));
        joined = isfinite(p->y);
    }
}

static void draw_line(layout *l, const hrr_series *series)
{
    hrr_text_printf(l->d->out, "<path class=\"line l%d\" d=\"", series->style % hrr_n_colours);
    trace(l, series);
    hrr_text_put(l->d->out, "\"/>");
}

static void draw_marks(layout *l, const hrr_panel *panel, const hrr_series *series,
                       const hrr_box *box)
{
    hrr_text *out = l->d->out;
    const int colour = series->style % hrr_n_colours;
    const double radius = l->d->chart->n > 1 ? 3 : 4;
    /* With too many points for marks, some still answer to the pointer. */
    const size_t stride = l->d->chart->no_marks ? series->n / 20 + 1 : 1;
    for (size_t i = 0; i < series->n; i += stride) {
        const hrr_point *p = &series->points[i];
        if (!isfinite(p->y)) continue;
        const double x = hrr_scale_place(&l->x, p->x), y = y_place(l, p->y);
        if (isfinite(p->low) && series->n == 1) /* no band to show it */
            hrr_text_printf(out, "<path class=\"line l%d\" d=\"M%.1f %.1fV%.1f\"/>", colour, x,
                            clamp(y_place(l, p->low), box->top, box->bottom),
                            clamp(y_place(l, p->high), box->top, box->bottom));
        char class[16];
        snprintf(class, sizeof class, "f%d%s", colour, l->d->chart->no_marks ? " quiet" : "");
        hrr_svg_open_mark(l->d, x, y, class);
        hrr_text_put(out, "<path d=\"");
        hrr_svg_shape(out, series->style, x, y, radius);
        hrr_text_put(out, "\"/>");
        hrr_svg_close_mark(l->d, panel, series, p);
    }
}

/* All lines of a divided chart, once, at the origin: every panel shows them behind its own. */
static void define_context(layout *l, const hrr_box *box)
{
    hrr_text *out = l->d->out;
    hrr_text_printf(out, "<defs><path id=\"%s-%s-all\" d=\"", l->d->chart->id, l->d->suffix);
    l->x.from = inset_of(l->d->chart);
    l->x.to = box->right - box->left - inset_of(l->d->chart);
    l->y.from = box->bottom - box->top;
    l->y.to = 0;
    for (size_t p = 0; p < l->d->chart->n; p++)
        for (size_t s = 0; s < l->d->chart->panels[p].n; s++)
            if (!l->d->chart->panels[p].series[s].reference)
                trace(l, &l->d->chart->panels[p].series[s]);
    hrr_text_put(out, "\"/></defs>\n");
}

static void draw_panel(layout *l, const hrr_panel *panel, const hrr_box *box)
{
    const double inset = inset_of(l->d->chart);
    hrr_text *out = l->d->out;
    l->x.from = box->left + inset;
    l->x.to = box->right - inset;
    l->y.from = box->bottom;
    l->y.to = box->top;
    if (*panel->title) {
        char title[sizeof panel->title];
        hrr_text_fit(title, sizeof title, panel->title, hrr_font * 1.1, box->right - box->left);
        hrr_svg_words(out, box->left, box->top - 10, "start", "name", title);
    }
    hrr_svg_axes(out, box, &l->x, &l->x_ticks, &l->y, &l->y_ticks);
    if (l->divided)
        hrr_text_printf(out, "<use class=\"context\" href=\"#%s-%s-all\" x=\"%.1f\" y=\"%.1f\"/>",
                        l->d->chart->id, l->d->suffix, box->left, box->top);
    if (l->d->chart->diagonal)
        hrr_text_printf(out,
                        "<path class=\"ref\" stroke-dasharray=\"2 4\" d=\"M%.1f %.1fL%.1f %.1f\"/>",
                        l->x.from, l->y.from, l->x.to, l->y.to);
    for (size_t i = 0; i < panel->n; i++)
        if (panel->series[i].reference) draw_reference(l, panel, &panel->series[i], box);
    for (size_t i = 0; i < panel->n; i++)
        if (!panel->series[i].reference) draw_band(l, &panel->series[i], box);
    for (size_t i = 0; i < panel->n; i++)
        if (!panel->series[i].reference) draw_line(l, &panel->series[i]);
    for (size_t i = 0; i < panel->n; i++)
        if (!panel->series[i].reference) draw_marks(l, panel, &panel->series[i], box);
}

void hrr_draw_lines(const hrr_drawing *d)
{
    layout l = {.d = d};
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
        if (l.divided && i == 0) define_context(&l, &box);
        draw_panel(&l, &d->chart->panels[i], &box);
    }
    if (l.direct) names_at_ends(&l, &box);
    hrr_svg_words(d->out, l.left, l.top + grid_height + 16, "start", "ink", d->chart->x_label);
    hrr_svg_close(d);
    hrr_free(l.entries);
}
