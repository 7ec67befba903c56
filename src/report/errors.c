/* errors.c: expected error of a released feature, for every mechanism. */
#include "report/sections.h"
#include "report/study.h"

#include <math.h>
#include <stdio.h>

hrr_status hrr_section_errors(hrr_page *page, const hrr_all_rows *all, hrr_error *err)
{
    const hrr_rows *rows = &all->kind[HRR_ROWS_ERRORS];
    hrr_study study = {0};
    hrr_chart like = {.x_log = true, .y_log = true};
    if (rows->n == 0) return HRR_OK;
    hrr_page_section(page, "errors", "Expected error of a feature",
                     "The expected distance between a true value and the released one, on the "
                     "scale of its bounds, averaged over a uniform value. Lower is better; "
                     "mechanisms that stay inside the bounds cannot exceed 1.");
    hrr_status status = hrr_study_budgets(&study, rows, &all->words, HRR_COL_EPS, HRR_N_COLUMNS,
                                          HRR_COL_MEAN_ERROR, err);
    snprintf(like.id, sizeof like.id, "errors");
    snprintf(like.x_label, sizeof like.x_label, "epsilon of a node's features");
    if (!status) status = hrr_study_draw(page, &study, &like, NAN, err);
    hrr_page_end_section(page);
    hrr_study_clear(&study);
    return status;
}
