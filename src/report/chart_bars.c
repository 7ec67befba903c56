/* chart_bars.c: horizontal bars with intervals: what a line chart of a single budget becomes. Names
 * stand left of the bars and values right of them, so that neither covers the other. */
#include "report/chart_draw.h"
#include "report/chart_words.h"
#include "report/svg_colour.h"
#include "report/svg_measure.h"

#include <math.h>
#include <stdio.h>

enum { bar_height = 14, row_height = 24, value_width = 56 };

typedef struct bars_layout {
    double names, left, right;
    hrr_scale scale;
} bars_layout;

static bars_layout arrange(const hrr_drawing *d)
{
    bars_layout l = {0};
    double low = 0, high = 0;
    for (size_t p = 0; p < d->chart->n; p++)
        for (size_t s = 0; s < d->chart->panels[p].n; s++) {
            const hrr_series *series = &d->chart->panels[p].series[s];
            char words[128];
            hrr_series_label(words, sizeof words, series);
            l.names = fmax(l.names, hrr_text_width(words, hrr_font));
            for (size_t i = 0; i < series->n; i++) {
                if (!isfinite(series->points[i].y)) continue;
                low = fmin(low, series->points[i].y);
                high = fmax(high, series->points[i].y);
                if (isfinite(series->points[i].high)) high = fmax(high, series->points[i].high);
            }
        }
    l.names = fmin(l.names, d->width * 0.42);
    l.left = l.names + 10;
    l.right = d->width - value_width;
    l.scale = hrr_scale_round(hrr_scale_for(low, high > low ? high : low + 1, false), 5);
    l.scale.from = l.left;
    l.scale.to = l.right;
    return l;
}

static void draw_bar(const hrr_drawing *d, const bars_layout *l, const hrr_panel *panel,
                     const hrr_series *series, double y)
{
    char words[128], name[128], value[32];
    hrr_text *out = d->out;
    hrr_series_label(words, sizeof words, series);
    hrr_text_fit(name, sizeof name, words, hrr_font, l->names);
    hrr_svg_words(out, l->names, y + 4, "end", "ink", name);
    if (series->n == 0 || !isfinite(series->points[0].y)) {
        hrr_svg_words(out, l->left + 4, y + 4, "start", "", "no value");
        return;
    }
    const hrr_point *p = &series->points[0];
    const double zero = hrr_scale_place(&l->scale, 0), end = hrr_scale_place(&l->scale, p->y);
    char class[16] = "grey";
    if (!series->reference) snprintf(class, sizeof class, "f%d", series->style % hrr_n_colours);
    hrr_svg_open_mark(d, end, y, class);
    hrr_text_printf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"1.5\"/>",
                    fmin(zero, end), y - bar_height / 2.0, fabs(end - zero), bar_height);
    hrr_svg_close_mark(d, panel, series, p);
    double beside = fmax(zero, end);
    if (isfinite(p->low)) {
        const double low = fmax(hrr_scale_place(&l->scale, p->low), l->left);
        const double high = fmin(hrr_scale_place(&l->scale, p->high), l->right);
        hrr_text_printf(out,
                        "<path class=\"whisker\" d=\"M%.1f %.1fH%.1fM%.1f %.1fv6M%.1f %.1fv6\"/>",
                        low, y, high, low, y - 3, high, y - 3);
        beside = fmax(beside, high);
    }
    snprintf(value, sizeof value, "%.3g", p->y);
    hrr_svg_words(out, beside + 6, y + 4, "start", "ink", value);
}

void hrr_draw_bars(const hrr_drawing *d)
{
    const bars_layout l = arrange(d);
    double height = 26;
    for (size_t p = 0; p < d->chart->n; p++)
        height +=
            (*d->chart->panels[p].title ? 26 : 0) + (double)d->chart->panels[p].n * row_height;
    hrr_svg_open(d, height);
    hrr_svg_words(d->out, 0, 13, "start", "ink", d->chart->y_label);
    double y = 24;
    for (size_t p = 0; p < d->chart->n; p++) {
        const hrr_panel *panel = &d->chart->panels[p];
        if (*panel->title) {
            char title[sizeof panel->title];
            hrr_text_fit(title, sizeof title, panel->title, hrr_font * 1.1, d->width);
            hrr_svg_words(d->out, 0, y + 16, "start", "name", title);
            y += 26;
        }
        const double zero = hrr_scale_place(&l.scale, 0);
        hrr_text_printf(d->out, "<path class=\"axis\" d=\"M%.1f %.1fV%.1f\"/>", zero, y,
                        y + (double)panel->n * row_height);
        for (size_t s = 0; s < panel->n; s++, y += row_height)
            draw_bar(d, &l, panel, &panel->series[s], y + row_height / 2.0);
    }
    hrr_svg_close(d);
}
