/* chart_words.h: a chart in words: the sentence of one point, which hovering shows. */
#ifndef HRR_REPORT_CHART_WORDS_H
#define HRR_REPORT_CHART_WORDS_H

#include "report/chart.h"

/* Not escaped. */
#define HRR_POINT_TEXT_SIZE 1024
void hrr_point_text(char text[HRR_POINT_TEXT_SIZE], const hrr_chart *chart, const hrr_panel *panel,
                    const hrr_series *series, const hrr_point *point);

#endif
