/* chart_draw.h: what the kinds of charts draw with. Places are pixels of the drawing's own size. */
#ifndef HRR_REPORT_CHART_DRAW_H
#define HRR_REPORT_CHART_DRAW_H

#include "report/chart.h"
#include "report/svg_colour.h"
#include "report/svg_scale.h"

enum { hrr_font = 12, hrr_line_height = 17 };

typedef struct hrr_drawing {
    hrr_text *out;
    const hrr_chart *chart;
    double width;
    const char *suffix;
    bool with_style;
} hrr_drawing;

typedef struct hrr_box {
    double left, top, right, bottom;
} hrr_box;

/* Widen a range to hold a value, unless it is none. */
void hrr_range_add(double range[2], double value);
/* Cut a range of shares off at 0 and 1; one that is a single value gets some room around it. */
void hrr_range_of_share(double range[2]);

/* The first and last tag of an SVG whose content is `height` tall. */
void hrr_svg_open(const hrr_drawing *d, double height);
void hrr_svg_close(const hrr_drawing *d);

/* Words, escaped; anchor "start", "middle" or "end"; class as in hrr_svg_style(). */
void hrr_svg_words(hrr_text *out, double x, double y, const char *anchor, const char *class,
                   const char *words);
/* The shape of a style: the next round of colours has them in another order. */
static inline int hrr_shape_of_style(int style)
{
    return (style + style / hrr_n_colours) % hrr_n_shapes;
}
/* The dashes of a style's line, as the value of stroke-dasharray. */
const char *hrr_svg_line_dash(int style);
/* The sign with this number around a place, `radius` large; as a path's attribute. */
void hrr_svg_shape(hrr_text *out, int shape, double x, double y, double radius);
/* A mark to hover over: opens a group that the caller draws into and closes with
 * hrr_svg_close_mark.
 */
void hrr_svg_open_mark(const hrr_drawing *d, double x, double y, const char *class);
void hrr_svg_close_mark(const hrr_drawing *d, const hrr_panel *panel, const hrr_series *series,
                        const hrr_point *point);

enum { hrr_n_free_dashes = 9, hrr_n_other_dashes = 5 };
/* The dashes that references of a chart have already. */
typedef struct hrr_used_dashes {
    bool free[hrr_n_free_dashes];
    size_t n_others;
} hrr_used_dashes;
/* The dashes of a reference. One that is free has the same in every chart, unless another one of
 * this chart has them already. One that is not free is solid or nearly so. */
const char *hrr_svg_reference_dash(const hrr_series *reference, hrr_used_dashes *used);

/* Grid, ticks and the words at them. Labels that would touch the one before are left out. */
void hrr_svg_axes(hrr_text *out, const hrr_box *box, const hrr_scale *x, const hrr_ticks *x_ticks,
                  const hrr_scale *y, const hrr_ticks *y_ticks);
/* Room that the labels of ticks take beside an axis. */
double hrr_ticks_width(const hrr_ticks *ticks);

/* A bar of the colour ramp with its ends named, right-aligned at `right`; it takes 34 pixels. */
void hrr_svg_ramp_legend(const hrr_drawing *d, double right, double y, double low, double high);

void hrr_draw_lines(const hrr_drawing *d);
void hrr_draw_bars(const hrr_drawing *d);
void hrr_draw_dots(const hrr_drawing *d);
void hrr_draw_heat(const hrr_drawing *d);
void hrr_draw_scatter(const hrr_drawing *d);

#endif
