/* chart_dots.c: many mechanisms at few budgets: a row for each, the best first, a dot for each
 * budget, controls as lines from top to bottom. Lines of so many would be a tangle, and small
 * panels would hide which is better. */
#include "report/chart_draw.h"
#include "report/chart_words.h"
#include "report/svg_colour.h"
#include "report/svg_labels.h"
#include "report/svg_measure.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { row_height = 22, swatch_width = 28, title_height = 28, axis_height = 40, most_levels = 16 };

/* A sign and what it stands for: a budget, or a reference. */
typedef struct dots_entry {
    const hrr_series *reference; /* NULL: the budget `level` */
    size_t number;               /* of the level */
    const char *dash;            /* of the reference */
    char words[128];
    double width, x;
    size_t row;
} dots_entry;

typedef struct dots_layout {
    double level[most_levels];
    size_t n_levels;
    dots_entry *entries;
    size_t n_entries;
    double legend_height, names, left, right;
    hrr_scale scale;
    hrr_ticks ticks;
} dots_layout;

/* The beginning of a path in the colour of a level. Numbers go from dark to light, where the
 * lightest is too near to white paper; names have colours that say nothing of an order. */
static void open_path(const hrr_drawing *d, const dots_layout *l, size_t level)
{
    char colour[8];
    if (d->chart->x_names) {
        hrr_text_printf(d->out, "<path class=\"f%zu\" d=\"", level % hrr_n_colours);
        return;
    }
    hrr_svg_ramp(colour, l->n_levels > 1 ? 0.9 * (double)level / (double)(l->n_levels - 1) : 0.3);
    hrr_text_printf(d->out, "<path fill=\"%s\" d=\"", colour);
}

static size_t level_of(const dots_layout *l, double x)
{
    size_t at = 0;
    while (at + 1 < l->n_levels && l->level[at] < x)
        at++;
    return at;
}

/* Budgets of a row stand above each other, so that none hides another. */
static double level_offset(const dots_layout *l, size_t level)
{
    return ((double)level - (double)(l->n_levels - 1) / 2) * 11 / (double)l->n_levels;
}

/* ---- layout ---------------------------------------------------------------------------------- */

/* The entry of a reference, which has the same dashes in every panel; NULL if it has none yet. */
static const dots_entry *entry_of(const dots_layout *l, const hrr_series *series)
{
    for (size_t i = l->n_levels; i < l->n_entries; i++) {
        const hrr_series *other = l->entries[i].reference;
        if (strcmp(other->name, series->name) == 0 && other->not_free == series->not_free)
            return &l->entries[i];
    }
    return NULL;
}

static void name_levels(dots_layout *l, const hrr_chart *chart)
{
    for (size_t i = 0; i < l->n_levels; i++) {
        dots_entry *e = &l->entries[l->n_entries++];
        char value[hrr_tick_size];
        e->number = i;
        if (chart->x_names) {
            snprintf(e->words, sizeof e->words, "%s", chart->x_names[(size_t)l->level[i]]);
            continue;
        }
        hrr_tick_label(value, l->level[i]);
        snprintf(e->words, sizeof e->words, "%s%s%s", i ? "" : chart->x_label, i ? "" : " ", value);
    }
}

static void name_references(dots_layout *l, const hrr_chart *chart)
{
    hrr_used_dashes used = {0};
    for (size_t p = 0; p < chart->n; p++)
        for (size_t s = 0; s < chart->panels[p].n; s++) {
            const hrr_series *series = &chart->panels[p].series[s];
            if (!series->reference || entry_of(l, series)) continue;
            dots_entry *e = &l->entries[l->n_entries++];
            e->reference = series;
            e->dash = hrr_svg_reference_dash(series, &used);
            hrr_series_label(e->words, sizeof e->words, series);
        }
}

static bool make_entries(dots_layout *l, const hrr_drawing *d)
{
    size_t room = most_levels;
    for (size_t p = 0; p < d->chart->n; p++)
        room += d->chart->panels[p].n;
    l->n_levels = hrr_chart_distinct_x(l->level, most_levels - 1, d->chart);
    l->entries = hrr_alloc_zero(room, sizeof *l->entries);
    size_t *row = hrr_alloc(room, sizeof *row);
    double *x = hrr_alloc(room, sizeof *x), *width = hrr_alloc(room, sizeof *width);
    const bool ok = l->entries && row && x && width;
    if (ok) {
        name_levels(l, d->chart);
        name_references(l, d->chart);
        for (size_t i = 0; i < l->n_entries; i++)
            width[i] = swatch_width + hrr_text_width(l->entries[i].words, hrr_font);
        const size_t rows = hrr_labels_wrap(row, x, width, l->n_entries, 18, d->width);
        for (size_t i = 0; i < l->n_entries; i++) {
            l->entries[i].row = row[i];
            l->entries[i].x = x[i];
        }
        l->legend_height = (double)rows * (hrr_line_height + 2) + 8;
    }
    hrr_free(row);
    hrr_free(x);
    hrr_free(width);
    return ok;
}

static void choose_scale(dots_layout *l, const hrr_drawing *d)
{
    double range[2] = {INFINITY, -INFINITY};
    for (size_t p = 0; p < d->chart->n; p++)
        for (size_t s = 0; s < d->chart->panels[p].n; s++) {
            const hrr_series *series = &d->chart->panels[p].series[s];
            char words[128];
            hrr_series_words(words, sizeof words, series->name);
            if (!series->reference) l->names = fmax(l->names, hrr_text_width(words, hrr_font));
            for (size_t i = 0; i < series->n; i++) {
                hrr_range_add(range, series->points[i].y);
                if (!d->chart->y_is_share && !d->chart->room_for_intervals) continue;
                hrr_range_add(range, series->points[i].low);
                hrr_range_add(range, series->points[i].high);
            }
        }
    if (d->chart->y_is_share) hrr_range_of_share(range);
    const int about = d->width >= 600 ? 6 : 4;
    l->scale = hrr_scale_round(hrr_scale_for(range[0], range[1], d->chart->y_log), about);
    l->ticks = hrr_scale_ticks(&l->scale, about);
    l->names = fmin(l->names, d->width * 0.42);
    l->left = l->names + 14;
    l->right = d->width - 14;
    l->scale.from = l->left + 4;
    l->scale.to = l->right - 4;
}

static size_t rows_of(const hrr_panel *panel)
{
    size_t n = 0;
    for (size_t s = 0; s < panel->n; s++)
        n += !panel->series[s].reference;
    return n;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void draw_legend(const hrr_drawing *d, const dots_layout *l)
{
    for (size_t i = 0; i < l->n_entries; i++) {
        const dots_entry *e = &l->entries[i];
        const double y = 13 + (double)e->row * (hrr_line_height + 2);
        if (e->reference) {
            hrr_text_printf(d->out,
                            "<path class=\"ref key\" stroke-dasharray=\"%s\" d=\"M%.1f %.1fh22\"/>",
                            e->dash, e->x, y - 4);
        } else {
            hrr_text_put(d->out, "<g class=\"dot\">");
            open_path(d, l, e->number);
            hrr_svg_shape(d->out, (int)e->number, e->x + 16, y - 4, 4.5);
            hrr_text_put(d->out, "\"/></g>");
        }
        hrr_svg_words(d->out, e->x + swatch_width, y, "start", "ink", e->words);
    }
}

static void draw_reference(const hrr_drawing *d, const dots_layout *l, const hrr_panel *panel,
                           const hrr_series *series, double top, double bottom)
{
    if (series->n == 0 || !isfinite(series->points[0].y)) return;
    const double x = hrr_scale_place(&l->scale, series->points[0].y);
    hrr_svg_open_mark(d, x, top, "r");
    hrr_text_printf(d->out, "<path class=\"ref\" stroke-dasharray=\"%s\" d=\"M%.1f %.1fV%.1f\"/>",
                    entry_of(l, series)->dash, x, top, bottom);
    hrr_svg_close_mark(d, panel, series, &series->points[0]);
}

static double clamp_place(const dots_layout *l, double value)
{
    return fmin(fmax(hrr_scale_place(&l->scale, value), l->left), l->right);
}

static void draw_row(const hrr_drawing *d, const dots_layout *l, const hrr_panel *panel,
                     const hrr_series *series, double y)
{
    char words[128], name[128];
    hrr_series_words(words, sizeof words, series->name);
    hrr_text_fit(name, sizeof name, words, hrr_font, l->names);
    hrr_svg_words(d->out, l->names, y + 4, "end", "ink", name);
    hrr_text_printf(d->out, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>", l->left, y, l->right);
    for (size_t i = 0; i < series->n; i++) {
        const hrr_point *p = &series->points[i];
        if (!isfinite(p->y)) continue;
        const size_t level = level_of(l, p->x);
        const double x = hrr_scale_place(&l->scale, p->y), at = y + level_offset(l, level);
        if (isfinite(p->low))
            hrr_text_printf(d->out, "<path class=\"whisker\" d=\"M%.1f %.1fH%.1f\"/>",
                            clamp_place(l, p->low), at, clamp_place(l, p->high));
        hrr_svg_open_mark(d, x, at, "dot");
        open_path(d, l, level);
        hrr_svg_shape(d->out, (int)level, x, at, 4);
        hrr_text_put(d->out, "\"/>");
        hrr_svg_close_mark(d, panel, series, p);
    }
}

static double draw_panel(const hrr_drawing *d, dots_layout *l, const hrr_panel *panel, double top)
{
    if (d->chart->n > 1) {
        char title[sizeof panel->title];
        hrr_text_fit(title, sizeof title, panel->title, hrr_font * 1.1, d->width);
        hrr_svg_words(d->out, 0, top + 16, "start", "name", title);
        top += title_height;
    }
    const double bottom = top + (double)rows_of(panel) * row_height;
    double y = top + row_height / 2.0, free_right = -INFINITY;
    for (size_t s = 0; s < panel->n; s++)
        if (panel->series[s].reference) draw_reference(d, l, panel, &panel->series[s], top, bottom);
    for (size_t s = 0; s < panel->n; s++) {
        if (panel->series[s].reference) continue;
        draw_row(d, l, panel, &panel->series[s], y);
        y += row_height;
    }
    hrr_text_printf(d->out, "<path class=\"axis\" d=\"M%.1f %.1fH%.1f\"/>", l->left, bottom,
                    l->right);
    for (int i = 0; i < l->ticks.n; i++) {
        const double x = hrr_scale_place(&l->scale, l->ticks.at[i].value);
        const double half = hrr_text_width(l->ticks.at[i].label, hrr_font) / 2;
        hrr_text_printf(d->out, "<path class=\"axis\" d=\"M%.1f %.1fv4\"/>", x, bottom);
        if (x - half < free_right || x + half > d->width) continue;
        hrr_svg_words(d->out, x, bottom + 18, "middle", "", l->ticks.at[i].label);
        free_right = x + half + 6;
    }
    const bool fits = l->left + hrr_text_width(d->chart->y_label, hrr_font) <= d->width;
    hrr_svg_words(d->out, fits ? l->left : d->width, bottom + 35, fits ? "start" : "end", "ink",
                  d->chart->y_label);
    return bottom + axis_height;
}

void hrr_draw_dots(const hrr_drawing *d)
{
    dots_layout l = {0};
    if (!make_entries(&l, d)) {
        d->out->failed = true;
        hrr_free(l.entries);
        return;
    }
    choose_scale(&l, d);
    double height = l.legend_height;
    for (size_t p = 0; p < d->chart->n; p++)
        height += (d->chart->n > 1 ? title_height : 0) + axis_height +
                  (double)rows_of(&d->chart->panels[p]) * row_height;
    hrr_svg_open(d, height);
    draw_legend(d, &l);
    double y = l.legend_height;
    for (size_t p = 0; p < d->chart->n; p++)
        y = draw_panel(d, &l, &d->chart->panels[p], y);
    hrr_svg_close(d);
    hrr_free(l.entries);
}
