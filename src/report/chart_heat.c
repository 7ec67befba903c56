/* chart_heat.c: a value for every pair of budgets, written in its cell. Budgets are categories: the
 * distance between two columns says nothing. */
#include "report/chart_draw.h"
#include "report/svg_colour.h"
#include "report/svg_measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_levels = 24, cell_height = 30, widest_cell = 96, legend_height = 30 };

/* Different values of one axis, rising. */
typedef struct levels {
    size_t n;
    double value[most_levels];
} levels;

static size_t level_of(const levels *axis, double value)
{
    size_t at = 0;
    while (at < axis->n && axis->value[at] < value)
        at++;
    return at;
}

static void add_level(levels *axis, double value)
{
    const size_t at = level_of(axis, value);
    if ((at < axis->n && axis->value[at] == value) || axis->n == most_levels) return;
    memmove(axis->value + at + 1, axis->value + at, (axis->n - at) * sizeof axis->value[0]);
    axis->value[at] = value;
    axis->n++;
}

typedef struct heat_layout {
    levels x, y;
    double low, high; /* of values */
    double left, cell_width;
} heat_layout;

static heat_layout arrange(const hrr_drawing *d)
{
    heat_layout l = {.low = INFINITY, .high = -INFINITY};
    for (size_t p = 0; p < d->chart->n; p++)
        for (size_t s = 0; s < d->chart->panels[p].n; s++)
            for (size_t i = 0; i < d->chart->panels[p].series[s].n; i++) {
                const hrr_point *point = &d->chart->panels[p].series[s].points[i];
                add_level(&l.x, point->x);
                add_level(&l.y, point->y);
                if (!isfinite(point->value)) continue;
                l.low = fmin(l.low, point->value);
                l.high = fmax(l.high, point->value);
            }
    for (size_t i = 0; i < l.y.n; i++) {
        char label[hrr_tick_size];
        hrr_tick_label(label, l.y.value[i]);
        l.left = fmax(l.left, hrr_text_width(label, hrr_font) + 8);
    }
    l.cell_width = fmin(widest_cell, (d->width - l.left) / (double)l.x.n);
    return l;
}

static void draw_cell(const hrr_drawing *d, const heat_layout *l, const hrr_panel *panel,
                      const hrr_series *series, const hrr_point *point, double top)
{
    const size_t column = level_of(&l->x, point->x), row = level_of(&l->y, point->y);
    if (column == l->x.n || row == l->y.n || !isfinite(point->value)) return;
    const double x = l->left + (double)column * l->cell_width;
    const double y = top + (double)(l->y.n - 1 - row) * cell_height;
    const double share = l->high > l->low ? (point->value - l->low) / (l->high - l->low) : 0.5;
    char colour[8], words[32];
    hrr_svg_ramp(colour, share);
    hrr_svg_open_mark(d, x + l->cell_width / 2, y + cell_height / 2.0, "cell");
    hrr_text_printf(d->out,
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>", x, y,
                    l->cell_width, cell_height, colour);
    hrr_svg_close_mark(d, panel, series, point);
    snprintf(words, sizeof words, "%.3g", point->value);
    if (hrr_text_width(words, hrr_font) + 4 <= l->cell_width)
        hrr_svg_words(d->out, x + l->cell_width / 2, y + cell_height / 2.0 + 4, "middle",
                      hrr_svg_ramp_is_light(share) ? "on-light" : "on-dark", words);
}

static void draw_levels(const hrr_drawing *d, const heat_layout *l, double top)
{
    const double bottom = top + (double)l->y.n * cell_height;
    double free_right = -INFINITY;
    char label[hrr_tick_size];
    for (size_t i = 0; i < l->y.n; i++) {
        hrr_tick_label(label, l->y.value[i]);
        hrr_svg_words(d->out, l->left - 6, bottom - (double)i * cell_height - cell_height / 2.0 + 4,
                      "end", "", label);
    }
    for (size_t i = 0; i < l->x.n; i++) {
        const double at = l->left + ((double)i + 0.5) * l->cell_width;
        hrr_tick_label(label, l->x.value[i]);
        const double half = hrr_text_width(label, hrr_font) / 2;
        if (at - half < free_right) continue;
        hrr_svg_words(d->out, at, bottom + 16, "middle", "", label);
        free_right = at + half + 4;
    }
}

void hrr_draw_heat(const hrr_drawing *d)
{
    const heat_layout l = arrange(d);
    const double title_height = d->chart->n > 1 ? 24 : 0;
    const double panel_height = (double)l.y.n * cell_height + 28 + title_height;
    hrr_svg_open(d, legend_height + 22 + (double)d->chart->n * panel_height + 16);
    const double right = l.left + l.cell_width * (double)l.x.n;
    hrr_svg_ramp_legend(d, fmax(right, fmin(d->width, 340)), 2, l.low, l.high);
    hrr_svg_words(d->out, 0, legend_height + 13, "start", "ink", d->chart->y_label);
    for (size_t p = 0; p < d->chart->n; p++) {
        const hrr_panel *panel = &d->chart->panels[p];
        const double top = legend_height + 22 + (double)p * panel_height + title_height;
        if (*panel->title) {
            char title[sizeof panel->title];
            hrr_text_fit(title, sizeof title, panel->title, hrr_font * 1.1, d->width);
            hrr_svg_words(d->out, l.left, top - 8, "start", "name", title);
        }
        draw_levels(d, &l, top);
        for (size_t s = 0; s < panel->n; s++)
            for (size_t i = 0; i < panel->series[s].n; i++)
                draw_cell(d, &l, panel, &panel->series[s], &panel->series[s].points[i], top);
    }
    hrr_svg_words(d->out, l.left, legend_height + 22 + (double)d->chart->n * panel_height + 8,
                  "start", "ink", d->chart->x_label);
    hrr_svg_close(d);
}
