/* chart.c: a chart's content; see chart.h. */
#include "report/chart.h"
#include "report/svg_colour.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more item of `size` bytes; false and failed if there is none. */
static bool more(hrr_chart *chart, void **items, size_t n, size_t *room, size_t size)
{
    if (n < *room) return true;
    const size_t wanted = 2 * *room + 8;
    void *grown = hrr_resize(*items, wanted, size);
    if (!grown) {
        chart->failed = true;
        return false;
    }
    *items = grown;
    *room = wanted;
    return true;
}

static void clear_panel(hrr_panel *panel)
{
    for (size_t i = 0; i < panel->n; i++)
        hrr_free(panel->series[i].points);
    hrr_free(panel->series);
}

void hrr_chart_clear(hrr_chart *chart)
{
    for (size_t i = 0; i < chart->n; i++)
        clear_panel(&chart->panels[i]);
    hrr_free(chart->panels);
    *chart = (hrr_chart){0};
}

hrr_panel *hrr_chart_panel(hrr_chart *chart, const char *title)
{
    void *panels = chart->panels;
    if (!more(chart, &panels, chart->n, &chart->room, sizeof(hrr_panel))) return NULL;
    chart->panels = panels;
    hrr_panel *panel = &chart->panels[chart->n++];
    *panel = (hrr_panel){0};
    snprintf(panel->title, sizeof panel->title, "%s", title);
    return panel;
}

hrr_series *hrr_chart_series(hrr_chart *chart, hrr_panel *panel, const char *name, int style,
                             bool reference)
{
    void *series = panel ? panel->series : NULL;
    if (!panel || !more(chart, &series, panel->n, &panel->room, sizeof(hrr_series))) return NULL;
    panel->series = series;
    hrr_series *one = &panel->series[panel->n++];
    *one = (hrr_series){.name = name, .style = style, .reference = reference};
    return one;
}

void hrr_chart_point(hrr_chart *chart, hrr_series *series, hrr_point point)
{
    void *points = series ? series->points : NULL;
    if (!series || !more(chart, &points, series->n, &series->room, sizeof(hrr_point))) return;
    series->points = points;
    series->points[series->n++] = point;
}

size_t hrr_chart_points(const hrr_chart *chart)
{
    size_t n = 0;
    for (size_t p = 0; p < chart->n; p++)
        for (size_t s = 0; s < chart->panels[p].n; s++)
            n += chart->panels[p].series[s].n;
    return n;
}

void hrr_chart_keep_panels(hrr_chart *chart, size_t n)
{
    while (chart->n > n)
        clear_panel(&chart->panels[--chart->n]);
}

void hrr_panel_drop_last(hrr_panel *panel)
{
    hrr_free(panel->series[--panel->n].points);
}

static void copy_series(hrr_chart *to, hrr_panel *panel, const hrr_series *from)
{
    hrr_series *copy = hrr_chart_series(to, panel, from->name, from->style, from->reference);
    if (copy) copy->not_free = from->not_free;
    for (size_t i = 0; i < from->n; i++)
        hrr_chart_point(to, copy, from->points[i]);
}

/* One panel for each series of `panel`, with all its references. Titles say which; a panel that had
 * a title keeps it in front. */
static void divide_panel(hrr_chart *to, const hrr_panel *panel, size_t most, size_t *left_out)
{
    for (size_t i = 0; i < panel->n; i++) {
        if (panel->series[i].reference) continue;
        if (to->n == most) {
            ++*left_out;
            continue;
        }
        char title[sizeof panel->title];
        snprintf(title, sizeof title, "%.90s%s%.60s", panel->title, *panel->title ? ": " : "",
                 panel->series[i].name);
        hrr_panel *own = hrr_chart_panel(to, title);
        copy_series(to, own, &panel->series[i]);
        for (size_t k = 0; k < panel->n; k++)
            if (panel->series[k].reference) copy_series(to, own, &panel->series[k]);
    }
}

/* ---- too many for colours -------------------------------------------------------------------- */

enum { most_lines = hrr_n_colours + 2 };

/* Lines of different names, the first `most` of them; returns how many, at most `most`. */
static size_t distinct_lines(hrr_series **lines, size_t most, const hrr_chart *chart)
{
    size_t n = 0;
    for (size_t p = 0; p < chart->n; p++)
        for (size_t s = 0; s < chart->panels[p].n; s++) {
            hrr_series *series = &chart->panels[p].series[s];
            size_t at = 0;
            while (at < n && strcmp(lines[at]->name, series->name) != 0)
                at++;
            if (series->reference || at < n) continue;
            if (n == most) return n;
            lines[n++] = series;
        }
    return n;
}

bool hrr_chart_is_crowded(const hrr_chart *chart)
{
    hrr_series *lines[most_lines + 1];
    return distinct_lines(lines, most_lines + 1, chart) > most_lines;
}

static void restyle(hrr_chart *chart, const char *name, int style)
{
    for (size_t p = 0; p < chart->n; p++)
        for (size_t s = 0; s < chart->panels[p].n; s++)
            if (strcmp(chart->panels[p].series[s].name, name) == 0)
                chart->panels[p].series[s].style = style;
}

void hrr_chart_tell_apart(hrr_chart *chart)
{
    hrr_series *lines[most_lines];
    bool used[hrr_n_colours] = {false};
    const size_t n = distinct_lines(lines, most_lines, chart);
    for (size_t i = 0; i < n; i++) {
        int style = lines[i]->style % hrr_n_colours;
        while (i < hrr_n_colours && used[style])
            style = (style + 1) % hrr_n_colours;
        if (i >= hrr_n_colours) style = (int)i; /* the next round */
        used[style % hrr_n_colours] = true;
        restyle(chart, lines[i]->name, style);
    }
}

void hrr_chart_divide(hrr_chart *chart, size_t most)
{
    size_t left_out = 0;
    hrr_chart divided = *chart;
    divided.panels = NULL;
    divided.n = divided.room = 0;
    for (size_t i = 0; i < chart->n; i++)
        divide_panel(&divided, &chart->panels[i], most, &left_out);
    const size_t used = strlen(divided.note);
    if (left_out)
        snprintf(divided.note + used, sizeof divided.note - used,
                 "%s%zu more lines are left out; compare fewer mechanisms to see them.",
                 used ? " " : "", left_out);
    hrr_chart_clear(chart);
    *chart = divided;
}

/* ---- ranking --------------------------------------------------------------------------------- */

static double largest_of(const hrr_series *series)
{
    double largest = -INFINITY;
    for (size_t i = 0; i < series->n; i++)
        if (series->points[i].y > largest) largest = series->points[i].y;
    return largest;
}

/* References first: they are no rows. */
static int by_rank(const void *a, const void *b)
{
    const hrr_series *x = a, *y = b;
    if (x->reference != y->reference) return x->reference ? -1 : 1;
    const double p = largest_of(x), q = largest_of(y);
    if (p != q) return p > q ? -1 : 1;
    return strcmp(x->name, y->name);
}

size_t hrr_chart_rank(hrr_chart *chart, size_t most)
{
    size_t left_out = 0;
    chart->kind = HRR_CHART_DOTS;
    for (size_t p = 0; p < chart->n; p++) {
        hrr_panel *panel = &chart->panels[p];
        size_t n_references = 0;
        if (panel->n) qsort(panel->series, panel->n, sizeof *panel->series, by_rank);
        while (n_references < panel->n && panel->series[n_references].reference)
            n_references++;
        for (; panel->n - n_references > most; left_out++)
            hrr_panel_drop_last(panel);
    }
    return left_out;
}

size_t hrr_chart_distinct_x(double *values, size_t most, const hrr_chart *chart)
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
