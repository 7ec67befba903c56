/* chart_draw.c: see chart_draw.h. */
#include "report/chart_draw.h"
#include "report/chart_words.h"
#include "report/svg_colour.h"
#include "report/svg_measure.h"
#include "experiment/references.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { heading_height = 34, ramp_width = 120 };

void hrr_range_add(double range[2], double value)
{
    if (!isfinite(value)) return;
    range[0] = fmin(range[0], value);
    range[1] = fmax(range[1], value);
}

void hrr_range_of_share(double range[2])
{
    const double room = range[0] == range[1] ? 0.05 : 0;
    range[0] = fmax(range[0] - room, 0);
    range[1] = fmin(range[1] + room, 1);
}

void hrr_svg_open(const hrr_drawing *d, double height)
{
    hrr_text *out = d->out;
    /* A file of its own has a heading and a margin. */
    const double margin = d->with_style ? 20 : 0, above = d->with_style ? heading_height : 0;
    const double width = d->width + 2 * margin, tall = height + above + 2 * margin;
    hrr_text_printf(out,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" "
                    "viewBox=\"%g %g %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
                    "aria-labelledby=\"%s-%s-t %s-%s-d\">",
                    0 - margin, 0 - margin, width, tall, width, tall, d->chart->id, d->suffix,
                    d->chart->id, d->suffix);
    hrr_text_printf(out, "<title id=\"%s-%s-t\">", d->chart->id, d->suffix);
    hrr_text_escape(out, d->chart->title);
    hrr_text_printf(out, "</title><desc id=\"%s-%s-d\">", d->chart->id, d->suffix);
    hrr_chart_describe(out, d->chart);
    hrr_text_put(out, "</desc>\n");
    if (!d->with_style) return;
    hrr_text_put(out, "<style>");
    hrr_svg_style(out);
    hrr_text_printf(out,
                    "</style><rect class=\"paper\" x=\"%g\" y=\"%g\" width=\"%.0f\" "
                    "height=\"%.0f\"/>",
                    0 - margin, 0 - margin, width, tall);
    char heading[sizeof d->chart->title];
    hrr_text_fit(heading, sizeof heading, d->chart->title, 15 * 1.1, d->width);
    hrr_svg_words(out, 0, 18, "start", "head", heading);
    hrr_text_printf(out, "<g transform=\"translate(0,%d)\">\n", heading_height);
}

void hrr_svg_close(const hrr_drawing *d)
{
    hrr_text_put(d->out, d->with_style ? "</g></svg>\n" : "</svg>\n");
}

void hrr_svg_words(hrr_text *out, double x, double y, const char *anchor, const char *class,
                   const char *words)
{
    hrr_text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"", x, y, anchor);
    if (*class) hrr_text_printf(out, " class=\"%s\"", class);
    hrr_text_put(out, ">");
    hrr_text_escape(out, words);
    hrr_text_put(out, "</text>\n");
}

const char *hrr_svg_line_dash(int style)
{
    /* Round ends make each dash longer, and each gap shorter, by the width of the line. */
    static const char *const dashes[hrr_n_colours] = {"none", "8 5", "1 4",        "10 5 1 5",
                                                      "16 5", "4 4", "8 4 1 4 1 4"};
    return dashes[(style + 3 * (style / hrr_n_colours)) % hrr_n_colours];
}

/* A cross of two bars, upright or turned by 45 degrees. */
static void draw_cross(hrr_text *out, double x, double y, double r, bool turned)
{
    static const double corner[12][2] = {{-1, -3}, {1, -3}, {1, -1}, {3, -1}, {3, 1},   {1, 1},
                                         {1, 3},   {-1, 3}, {-1, 1}, {-3, 1}, {-3, -1}, {-1, -1}};
    const double unit = r * 1.2 / 3, half = sqrt(0.5);
    for (int i = 0; i < 12; i++) {
        const double dx = unit * corner[i][0], dy = unit * corner[i][1];
        hrr_text_printf(out, "%s%.1f %.1f", i ? "L" : "M", x + (turned ? half * (dx - dy) : dx),
                        y + (turned ? half * (dx + dy) : dy));
    }
    hrr_text_put(out, "z");
}

void hrr_svg_shape(hrr_text *out, int shape, double x, double y, double radius)
{
    const double r = radius;
    switch (shape % hrr_n_shapes) {
    case 0:
        hrr_text_printf(out, "M%.1f %.1fa%.1f %.1f 0 1 0 %.1f 0a%.1f %.1f 0 1 0 %.1f 0z", x - r, y,
                        r, r, 2 * r, r, r, -2 * r);
        break;
    case 1:
        hrr_text_printf(out, "M%.1f %.1fh%.1fv%.1fh%.1fz", x - r * 0.9, y - r * 0.9, r * 1.8,
                        r * 1.8, -r * 1.8);
        break;
    case 2:
        hrr_text_printf(out, "M%.1f %.1fl%.1f %.1fh%.1fz", x, y - r * 1.2, r * 1.15, r * 2.1,
                        -r * 2.3);
        break;
    case 3:
        hrr_text_printf(out, "M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz", x, y - r * 1.3, r * 1.3,
                        r * 1.3, -r * 1.3, r * 1.3, -r * 1.3, -r * 1.3);
        break;
    case 4:
        draw_cross(out, x, y, r, false);
        break;
    case 5:
        draw_cross(out, x, y, r, true);
        break;
    default:
        hrr_text_printf(out, "M%.1f %.1fl%.1f %.1fh%.1fz", x, y + r * 1.2, r * 1.15, -r * 2.1,
                        -r * 2.3);
    }
}

void hrr_svg_open_mark(const hrr_drawing *d, double x, double y, const char *class)
{
    hrr_text_printf(d->out, "<g class=\"m %s\" data-x=\"%.1f\" data-y=\"%.1f\">", class, x, y);
}

void hrr_svg_close_mark(const hrr_drawing *d, const hrr_panel *panel, const hrr_series *series,
                        const hrr_point *point)
{
    char words[HRR_POINT_TEXT_SIZE];
    hrr_point_text(words, d->chart, panel, series, point);
    hrr_text_put(d->out, "<title>");
    hrr_text_escape(d->out, words);
    hrr_text_put(d->out, "</title></g>\n");
}

const char *hrr_svg_reference_dash(const hrr_series *reference, hrr_used_dashes *used)
{
    static const char *const dashes[hrr_n_free_dashes] = {
        "7 4", "2 3", "11 3 2 3", "4 6", "1 5", "9 3 2 3 2 3", "4 2", "13 7", "2 2 2 7"};
    static const char *const others[hrr_n_other_dashes] = {"20 3", "20 3 4 3", "20 3 4 3 4 3",
                                                           "32 3", "32 3 8 3"};
    if (hrr_is_unprotected(reference->name)) return "none";
    if (reference->not_free) return others[used->n_others++ % hrr_n_other_dashes];
    const hrr_reference *known = hrr_reference_find(reference->name, strcspn(reference->name, ","));
    size_t at = (known ? (size_t)(known - hrr_references) : 0) % hrr_n_free_dashes;
    for (size_t i = 0; i < hrr_n_free_dashes && used->free[at]; i++)
        at = (at + 1) % hrr_n_free_dashes;
    used->free[at] = true;
    return dashes[at];
}

double hrr_ticks_width(const hrr_ticks *ticks)
{
    double widest = 0;
    for (int i = 0; i < ticks->n; i++)
        widest = fmax(widest, hrr_text_width(ticks->at[i].label, hrr_font));
    return widest;
}

void hrr_svg_axes(hrr_text *out, const hrr_box *box, const hrr_scale *x, const hrr_ticks *x_ticks,
                  const hrr_scale *y, const hrr_ticks *y_ticks)
{
    double free_below = INFINITY; /* y grows downwards, ticks upwards */
    for (int i = 0; i < y_ticks->n; i++) {
        const double at = hrr_scale_place(y, y_ticks->at[i].value);
        hrr_text_printf(out, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>", box->left, at,
                        box->right);
        if (at + hrr_font / 2.0 > free_below) continue;
        hrr_svg_words(out, box->left - 6, at + 4, "end", "", y_ticks->at[i].label);
        free_below = at - hrr_font / 2.0 - 2;
    }
    double free_right = -INFINITY;
    for (int i = 0; i < x_ticks->n; i++) {
        const double at = hrr_scale_place(x, x_ticks->at[i].value);
        const double half = hrr_text_width(x_ticks->at[i].label, hrr_font) / 2;
        hrr_text_printf(out, "<path class=\"axis\" d=\"M%.1f %.1fv4\"/>", at, box->bottom);
        if (at - half < free_right) continue;
        hrr_svg_words(out, at, box->bottom + 19, "middle", "", x_ticks->at[i].label);
        free_right = at + half + 6;
    }
    hrr_text_printf(out, "<path class=\"axis\" d=\"M%.1f %.1fH%.1f\"/>\n", box->left, box->bottom,
                    box->right);
}

void hrr_svg_ramp_legend(const hrr_drawing *d, double right, double y, double low, double high)
{
    enum { steps = 24 };
    char colour[8], label[hrr_tick_size];
    char rounded[32];
    hrr_text *out = d->out;
    hrr_tick_label(label, strtod((snprintf(rounded, sizeof rounded, "%.3g", high), rounded), NULL));
    const double end = right - hrr_text_width(label, hrr_font) - 6, start = end - ramp_width;
    hrr_svg_words(out, right, y + 10, "end", "", label);
    for (int i = 0; i < steps; i++) {
        hrr_svg_ramp(colour, (i + 0.5) / steps);
        hrr_text_printf(
            out, "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"12\" fill=\"%s\"/>",
            start + i * (double)ramp_width / steps, y, (double)ramp_width / steps + 0.4, colour);
    }
    hrr_tick_label(label, strtod((snprintf(rounded, sizeof rounded, "%.3g", low), rounded), NULL));
    hrr_svg_words(out, start - 6, y + 10, "end", "", label);
    const double room = start - 14 - hrr_text_width(label, hrr_font);
    char words[sizeof d->chart->value_label];
    hrr_text_fit(words, sizeof words, d->chart->value_label, hrr_font, room);
    hrr_svg_words(out, room, y + 10, "end", "ink", words);
}

void hrr_chart_draw(hrr_text *out, const hrr_chart *chart, double width, const char *suffix,
                    bool with_style)
{
    static void (*const draw[])(const hrr_drawing *) = {
        hrr_draw_lines, hrr_draw_bars, hrr_draw_dots, hrr_draw_heat, hrr_draw_scatter};
    const hrr_drawing d = {out, chart, width, suffix, with_style};
    draw[chart->kind](&d);
}
