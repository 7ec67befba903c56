/* chart_lines.h: what the two halves of line charts share: chart_lines.c decides where everything
 * goes, chart_panel.c draws the data of one panel. */
#ifndef HRR_REPORT_CHART_LINES_H
#define HRR_REPORT_CHART_LINES_H

#include "report/chart_draw.h"

/* A name and its sign, beside a line or in the legend. */
typedef struct hrr_line_name {
    const hrr_series *series;
    size_t reference; /* which of the references it is */
    const char *dash;
    char name[64];
    double width, y;
} hrr_line_name;

/* A line chart on its way to the page: scales and places are decided, then panels are drawn. */
typedef struct hrr_lines {
    const hrr_drawing *d;
    hrr_scale x, y;
    hrr_ticks x_ticks, y_ticks;
    hrr_line_name *entries;
    size_t n_entries;
    size_t columns, rows;
    bool direct, divided;
    size_t n_references;
    double legend_height, left, gutter, panel_width, panel_height, plot_height, top;
} hrr_lines;

/* Where a value is; one that a logarithmic scale cannot hold is at its end. */
static inline double hrr_lines_y(const hrr_lines *l, double value)
{
    return hrr_scale_place(&l->y, l->y.log && value <= 0 ? l->y.low : value);
}

/* All lines of a divided chart, once: every panel shows them behind its own. `box` is any panel. */
void hrr_lines_context(hrr_lines *l, const hrr_box *box);
/* Axes, references, bands, lines and marks. */
void hrr_lines_panel(hrr_lines *l, const hrr_panel *panel, const hrr_box *box);

#endif
