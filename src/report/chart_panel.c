/* chart_panel.c: one panel of a line chart; see chart_lines.h. Bands lie under lines, lines under
 * marks, so that nothing that carries a value is covered by something that carries less. */
#include "report/chart_lines.h"
#include "report/svg_colour.h"
#include "report/svg_measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { whisker_step = 4, most_whiskers = 6 };

/* The entry of a reference: the same name has the same dashes in every panel. */
static const hrr_line_name *entry_of(const hrr_lines *l, const hrr_series *series)
{
    size_t i = 0;
    while (i + 1 < l->n_entries && (strcmp(l->entries[i].series->name, series->name) != 0 ||
                                    l->entries[i].series->not_free != series->not_free))
        i++;
    return &l->entries[i];
}

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static void draw_reference(hrr_lines *l, const hrr_panel *panel, const hrr_series *series,
                           const hrr_box *box)
{
    hrr_text *out = l->d->out;
    if (series->n == 0 || !isfinite(series->points[0].y)) return;
    const hrr_point *p = &series->points[0];
    const double y = hrr_lines_y(l, p->y);
    const hrr_line_name *entry = entry_of(l, series);
    /* A band from side to side would bury the lines: the interval stands right of the data. */
    if (isfinite(p->low))
        hrr_text_printf(out, "<path class=\"refwhisker\" d=\"M%.1f %.1fV%.1f\"/>",
                        box->right - 3 - whisker_step * (double)(entry->reference % most_whiskers),
                        clamp(hrr_lines_y(l, p->high), box->top, box->bottom),
                        clamp(hrr_lines_y(l, p->low), box->top, box->bottom));
    hrr_svg_open_mark(l->d, box->right, y, "r");
    hrr_text_printf(out, "<path class=\"ref\" stroke-dasharray=\"%s\" d=\"M%.1f %.1fH%.1f\"/>",
                    entry->dash, box->left, y, box->right);
    hrr_svg_close_mark(l->d, panel, series, p);
}

/* The band: there along the upper ends, back along the lower ones. */
static void draw_band(hrr_lines *l, const hrr_series *series, const hrr_box *box)
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
                            clamp(hrr_lines_y(l, pass ? p->low : p->high), box->top, box->bottom));
            step = "L";
        }
    hrr_text_put(out, "z\"/>");
}

static double inset_of(const hrr_chart *chart)
{
    return chart->diagonal ? 0 : chart->n > 1 ? 6 : 12;
}

/* Room for the intervals of references. */
static double inset_right(const hrr_lines *l)
{
    const size_t n = l->n_references < most_whiskers ? l->n_references : most_whiskers;
    return inset_of(l->d->chart) + whisker_step * (double)n;
}

/* The steps of a path along the means. */
static void trace(hrr_lines *l, const hrr_series *series)
{
    hrr_text *out = l->d->out;
    bool joined = false; /* a value that is missing breaks the line */
    for (size_t i = 0; i < series->n; i++) {
        const hrr_point *p = &series->points[i];
        if (isfinite(p->y))
            hrr_text_printf(out, "%s%.1f %.1f", joined ? "L" : "M", hrr_scale_place(&l->x, p->x),
                            hrr_lines_y(l, p->y));
        joined = isfinite(p->y);
    }
}

static void draw_line(hrr_lines *l, const hrr_series *series)
{
    hrr_text_printf(l->d->out, "<path class=\"line l%d\" stroke-dasharray=\"%s\" d=\"",
                    series->style % hrr_n_colours, hrr_svg_line_dash(series->style));
    trace(l, series);
    hrr_text_put(l->d->out, "\"/>");
}

static void draw_marks(hrr_lines *l, const hrr_panel *panel, const hrr_series *series,
                       const hrr_box *box)
{
    hrr_text *out = l->d->out;
    const int colour = series->style % hrr_n_colours;
    const double radius = l->d->chart->n > 1 ? 3.5 : 4;
    /* With too many points for marks, some still answer to the pointer. */
    const size_t stride = l->d->chart->no_marks ? series->n / 20 + 1 : 1;
    for (size_t i = 0; i < series->n; i += stride) {
        const hrr_point *p = &series->points[i];
        if (!isfinite(p->y)) continue;
        const double x = hrr_scale_place(&l->x, p->x), y = hrr_lines_y(l, p->y);
        if (isfinite(p->low) && series->n == 1) /* no band to show it */
            hrr_text_printf(out, "<path class=\"line l%d\" d=\"M%.1f %.1fV%.1f\"/>", colour, x,
                            clamp(hrr_lines_y(l, p->low), box->top, box->bottom),
                            clamp(hrr_lines_y(l, p->high), box->top, box->bottom));
        char class[16];
        snprintf(class, sizeof class, "f%d%s", colour, l->d->chart->no_marks ? " quiet" : "");
        hrr_svg_open_mark(l->d, x, y, class);
        hrr_text_put(out, "<path d=\"");
        hrr_svg_shape(out, hrr_shape_of_style(series->style), x, y, radius);
        hrr_text_put(out, "\"/>");
        hrr_svg_close_mark(l->d, panel, series, p);
    }
}

/* Drawn at the origin, in the size that panels share. */
void hrr_lines_context(hrr_lines *l, const hrr_box *box)
{
    hrr_text *out = l->d->out;
    hrr_text_printf(out, "<defs><path id=\"%s-%s-all\" d=\"", l->d->chart->id, l->d->suffix);
    l->x.from = inset_of(l->d->chart);
    l->x.to = box->right - box->left - inset_right(l);
    l->y.from = box->bottom - box->top;
    l->y.to = 0;
    for (size_t p = 0; p < l->d->chart->n; p++)
        for (size_t s = 0; s < l->d->chart->panels[p].n; s++)
            if (!l->d->chart->panels[p].series[s].reference)
                trace(l, &l->d->chart->panels[p].series[s]);
    hrr_text_put(out, "\"/></defs>\n");
}

void hrr_lines_panel(hrr_lines *l, const hrr_panel *panel, const hrr_box *box)
{
    const double inset = inset_of(l->d->chart);
    hrr_text *out = l->d->out;
    l->x.from = box->left + inset;
    l->x.to = box->right - inset_right(l);
    l->y.from = box->bottom;
    l->y.to = box->top;
    if (*panel->title) {
        char title[sizeof panel->title];
        /* A long title may also use the room above the labels of the axis. */
        const bool fits = hrr_text_width(panel->title, hrr_font * 1.1) <= box->right - box->left;
        const double left = fits ? box->left : box->left - l->left;
        hrr_text_fit(title, sizeof title, panel->title, hrr_font * 1.1, box->right - left);
        hrr_svg_words(out, left, box->top - 10, "start", "name", title);
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
