/* structure.c: how much of a graph's structure is left: RMS distance of random walks by hops. */
#include "report/sections.h"
#include "report/study.h"

#include <math.h>
#include <stdio.h>

hrr_status hrr_section_structure(hrr_page *page, const hrr_all_rows *all, hrr_error *err)
{
    enum { most_budgets = 6 };
    const hrr_rows *rows = &all->kind[HRR_ROWS_STRUCTURE];
    hrr_study study = {0};
    double budget[most_budgets] = {NAN};
    if (rows->n == 0) return HRR_OK;
    hrr_page_section(page, "structure", "What is left of the structure",
                     "Root mean square distance between the random-walk matrices of the original "
                     "and of the released graph, after so many hops. Lower is nearer.");
    hrr_status status = hrr_study_hops(&study, rows, &all->words, err);
    size_t n = status ? 0 : hrr_study_others(budget, most_budgets, &study);
    if (n == 0) n = 1;
    for (size_t i = 0; i < n && !status; i++) {
        hrr_chart like = {.y_from_zero = true};
        snprintf(like.id, sizeof like.id, "structure-%zu", i + 1);
        snprintf(like.title, sizeof like.title, "RMS distance by hops");
        if (isfinite(budget[i]))
            snprintf(like.title, sizeof like.title, "RMS distance by hops at epsilon %g",
                     budget[i]);
        snprintf(like.x_label, sizeof like.x_label, "hops");
        snprintf(like.y_label, sizeof like.y_label, "RMS distance");
        status = hrr_study_draw(page, &study, &like, budget[i], err);
    }
    hrr_page_end_section(page);
    hrr_study_clear(&study);
    return status;
}
