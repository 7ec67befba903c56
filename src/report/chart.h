/* chart.h: what a chart shows. It says nothing about places and colours: the same chart is drawn
 * wide for a desk, narrow for a phone, and on its own as a file; and it is a table, too. */
#ifndef HRR_REPORT_CHART_H
#define HRR_REPORT_CHART_H

#include "report/text.h"

typedef enum hrr_chart_kind {
    HRR_CHART_LINES,
    HRR_CHART_BARS,
    HRR_CHART_DOTS,
    HRR_CHART_HEAT,
    HRR_CHART_SCATTER
} hrr_chart_kind;

/* low and high: the confidence interval, NAN without one. Lines: x, y. Bars: y is the length. Dots:
 * y is the place, x the colour and shape. Heat maps: y is the row, value the colour. Scatter: value
 * the colour. */
typedef struct hrr_point {
    double x, y, low, high, value;
    uint32_t runs; /* what it is the mean of; 0: not a mean */
} hrr_point;

/* Points with rising x. A reference is one level, drawn from side to side: dashed, or nearly
 * solid if it is not free. */
typedef struct hrr_series {
    const char *name; /* not owned: it outlives the chart */
    int style;        /* the same name has the same style in every chart */
    bool reference;
    bool not_free; /* a reference that uses what is protected in the setting shown */
    hrr_point *points;
    size_t n, room;
} hrr_series;

/* Panels of one chart share their scales. */
typedef struct hrr_panel {
    char title[160]; /* empty if the chart has one panel */
    hrr_series *series;
    size_t n, room;
} hrr_panel;

typedef struct hrr_chart {
    hrr_chart_kind kind;
    char id[64]; /* of files and elements: letters, digits, dashes */
    char title[256], note[512];
    char only[160]; /* what the title of a single panel would say */
    char x_label[96], y_label[96], value_label[96];
    const char *const *x_names; /* of dots: x is a place in this list; NULL: x is a number. Not
                                   owned */
    bool x_log, y_log;
    bool y_from_zero;
    bool room_for_intervals; /* the scale of dots has room for them */
    bool y_is_share;         /* from 0 to 1, whatever an interval reaches to */
    bool together;           /* all graphs in one chart, a panel each */
    bool diagonal;           /* of a ROC curve */
    bool no_marks;           /* too many points for a mark each */
    hrr_panel *panels;
    size_t n, room;
    bool failed; /* out of memory */
} hrr_chart;

void hrr_chart_clear(hrr_chart *chart);
/* NULL if memory is out, which the chart remembers; whatever is added to NULL is lost. */
hrr_panel *hrr_chart_panel(hrr_chart *chart, const char *title);
hrr_series *hrr_chart_series(hrr_chart *chart, hrr_panel *panel, const char *name, int style,
                             bool reference);
void hrr_panel_drop_last(hrr_panel *panel);
/* Drop all panels but the first n. */
void hrr_chart_keep_panels(hrr_chart *chart, size_t n);
void hrr_chart_point(hrr_chart *chart, hrr_series *series, hrr_point point);

size_t hrr_chart_points(const hrr_chart *chart);

/* Are there more lines than colours and shapes tell apart? */
bool hrr_chart_is_crowded(const hrr_chart *chart);
/* Lines get styles that differ; up to hrr_n_colours of them differ in colour, shape and dashes. */
void hrr_chart_tell_apart(hrr_chart *chart);
/* Each line gets a panel of its own, references stand in all. At most `most` panels; the note says
 * how many lines are left out. */
void hrr_chart_divide(hrr_chart *chart, size_t most);
/* Lines become rows of dots, the one with the largest value first; at most `most` rows a panel.
 * Returns how many are left out. */
size_t hrr_chart_rank(hrr_chart *chart, size_t most);

/* Different x of all lines, rising; `most` + 1 if there are more than `most`, for which `values`
 * has room. */
size_t hrr_chart_distinct_x(double *values, size_t most, const hrr_chart *chart);

/* Draw a chart that has a point at least and has not failed. width: of the drawing, in pixels at
 * its own size; its height follows. with_style: a file of its own with colours and heading. suffix
 * makes ids of the same chart unique on a page. Errors: hrr_text.failed. */
void hrr_chart_draw(hrr_text *out, const hrr_chart *chart, double width, const char *suffix,
                    bool with_style);

/* One sentence for those who do not see it. */
void hrr_chart_describe(hrr_text *out, const hrr_chart *chart);
/* Every point. */
void hrr_chart_csv(hrr_text *out, const hrr_chart *chart);
/* The first `most` points as an HTML table. */
void hrr_chart_table(hrr_text *out, const hrr_chart *chart, size_t most);

#endif
