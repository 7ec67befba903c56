/* significance.h: do mechanisms differ from controls and from each other, or is it chance? */
#ifndef HRR_REPORT_SIGNIFICANCE_H
#define HRR_REPORT_SIGNIFICANCE_H

#include "report/study.h"

#include <heterorr/learn.h>

typedef struct hrr_comparison {
    const hrr_cell *cell, *with;
    hrr_t_test test;
    double adjusted; /* p by Holm's procedure over all comparisons of the report */
    uint32_t n;      /* pairs, or the runs of `cell` */
    bool paired;
} hrr_comparison;

/* Every cell with a budget against every control of its facet, and against the series `against` at
 * the same budgets (NULL: the first that is no control). Runs with the same name are paired: they
 * share seed, split and marks; without names it is Welch's test. Cells of one run are passed over.
 *
 * Ownership: *out is freed with hrr_free(). Errors: HRR_EINVAL if no series is called `against`,
 * HRR_ENOMEM. */
hrr_status hrr_significance(hrr_comparison **out, size_t *n, const hrr_study *study,
                            const char *against, hrr_error *err);

/* What matters of it as a table of the page and, if controls were there (*said), as a sentence; all
 * of it in significance.csv. Nothing if there is nothing to compare. */
hrr_status hrr_put_p_values(bool *said, hrr_page *page, const hrr_study *study, const char *against,
                            hrr_error *err);

/* Whether a control is what a mechanism at its budgets has to beat: it spends nothing and protects
 * the same. Without edges, or with public ones, private edges are safe but features are not; random
 * features are safe, and private edges not. */
bool hrr_is_fair_control(const hrr_study *study, const hrr_cell *cell, const hrr_cell *control);

#endif
