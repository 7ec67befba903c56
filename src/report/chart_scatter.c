/* chart_scatter.c: one mark a point, coloured by a third value. */
#include "report/chart_draw.h"
#include "report/svg_colour.h"

#include <math.h>

enum { legend_height = 30 };

typedef struct ranges {
    double x[2], y[2], value[2];
} ranges;

static void draw_point(const hrr_drawing *d, const hrr_scale *x, const hrr_scale *y,
                       const double range[2], const hrr_series *series, const hrr_point *point)
{
    if (!isfinite(point->x) || !isfinite(point->y)) return;
    const double at_x = hrr_scale_place(x, point->x), at_y = hrr_scale_place(y, point->y);
    const double share =
        range[1] > range[0] ? (point->value - range[0]) / (range[1] - range[0]) : 0.5;
    char colour[8];
    hrr_svg_ramp(colour, share);
    hrr_svg_open_mark(d, at_x, at_y, "dot");
    hrr_text_printf(d->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"%s\"/>", at_x, at_y,
                    series->n > 500 ? 3 : 4, colour);
    hrr_svg_close_mark(d, d->chart->panels, series, point);
}

void hrr_draw_scatter(const hrr_drawing *d)
{
    const hrr_chart *chart = d->chart;
    const double height = d->width >= 600 ? 340 : 260;
    ranges r = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    for (size_t s = 0; s < chart->panels[0].n; s++)
        for (size_t i = 0; i < chart->panels[0].series[s].n; i++) {
            const hrr_point *p = &chart->panels[0].series[s].points[i];
            hrr_range_add(r.x, p->x);
            hrr_range_add(r.y, p->y);
            hrr_range_add(r.value, p->value);
        }
    hrr_scale x = hrr_scale_round(hrr_scale_for(r.x[0], r.x[1], chart->x_log), 6);
    hrr_scale y = hrr_scale_round(hrr_scale_for(r.y[0], r.y[1], chart->y_log), 6);
    const hrr_ticks x_ticks = hrr_scale_ticks(&x, d->width >= 600 ? 7 : 4);
    const hrr_ticks y_ticks = hrr_scale_ticks(&y, 6);
    const hrr_box box = {hrr_ticks_width(&y_ticks) + 8, legend_height + 28, d->width - 14,
                         legend_height + 28 + height};
    x.from = box.left + 8;
    x.to = box.right - 8;
    y.from = box.bottom;
    y.to = box.top;
    hrr_svg_open(d, box.bottom + 42);
    hrr_svg_ramp_legend(d, d->width, 2, r.value[0], r.value[1]);
    hrr_svg_words(d->out, 0, legend_height + 13, "start", "ink", chart->y_label);
    hrr_svg_axes(d->out, &box, &x, &x_ticks, &y, &y_ticks);
    for (size_t s = 0; s < chart->panels[0].n; s++)
        for (size_t i = 0; i < chart->panels[0].series[s].n; i++)
            draw_point(d, &x, &y, r.value, &chart->panels[0].series[s],
                       &chart->panels[0].series[s].points[i]);
    hrr_svg_words(d->out, box.left, box.bottom + 36, "start", "ink", chart->x_label);
    hrr_svg_close(d);
}
