/* chart_words.h: a chart in words: what its series are called, and the sentence of one point, which
 * hovering shows. */
#ifndef HRR_REPORT_CHART_WORDS_H
#define HRR_REPORT_CHART_WORDS_H

#include "report/chart.h"

/* Not escaped. */
#define HRR_POINT_TEXT_SIZE 1024
void hrr_point_text(char text[HRR_POINT_TEXT_SIZE], const hrr_chart *chart, const hrr_panel *panel,
                    const hrr_series *series, const hrr_point *point);

/* What people call a series: controls have names that say what they do; others keep theirs. */
/* The words of a series in a legend: those of its name, and whether a baseline is not free here. */
void hrr_series_label(char *out, size_t room, const hrr_series *series);
void hrr_series_words(char *out, size_t room, const char *name);

#endif
