/* chart.c: a chart's content; see chart.h. */
#include "report/chart.h"
#include "report/svg_colour.h"
#include "base/memory.h"

#include <stdio.h>
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

void hrr_panel_drop_last(hrr_panel *panel)
{
    hrr_free(panel->series[--panel->n].points);
}

static void copy_series(hrr_chart *to, hrr_panel *panel, const hrr_series *from)
{
    hrr_series *copy = hrr_chart_series(to, panel, from->name, from->style, from->reference);
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

void hrr_chart_divide(hrr_chart *chart, size_t most)
{
    size_t largest = 0, left_out = 0;
    for (size_t i = 0; i < chart->n; i++) {
        size_t lines = 0;
        for (size_t k = 0; k < chart->panels[i].n; k++)
            lines += !chart->panels[i].series[k].reference;
        if (lines > largest) largest = lines;
    }
    if (largest <= hrr_n_colours + 2) return;
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
