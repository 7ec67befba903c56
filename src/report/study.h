/* study.h: results of one kind as means, and charts of them: a chart for every graph (and attack),
 * a panel for every private fraction, a line for every mechanism. */
#ifndef HRR_REPORT_STUDY_H
#define HRR_REPORT_STUDY_H

#include "report/page.h"
#include "report/settings.h"

#include <heterorr/experiment.h>

/* What the judge of experiment/ says of networks: settings, and a row of each. */
typedef struct hrr_utility {
    hrr_training_mean *means;
    uint64_t *first;
    size_t n;
} hrr_utility;

typedef struct hrr_study {
    hrr_settings settings;
    hrr_samples samples;
    hrr_cells cells;
    hrr_column x, other;       /* budgets along the axis and beside it; HRR_N_COLUMNS: neither */
    hrr_column *value_of_base; /* what is measured on each base; NULL: not a column of its own */
    bool *not_free; /* of each facet and series: a baseline that uses what something in the
                       facet protects; NULL: nobody judged that */
} hrr_study;

void hrr_study_clear(hrr_study *study);

/* Networks as they were judged, with budgets as x and, unless HRR_N_COLUMNS, as `other`. */
hrr_status hrr_study_utility(hrr_study *out, const hrr_all_rows *all, const hrr_utility *found,
                             hrr_column x, hrr_column other, hrr_error *err);
/* Values of column `value` of other rows; budgets likewise. */
hrr_status hrr_study_budgets(hrr_study *out, const hrr_rows *rows, const hrr_words *words,
                             hrr_column x, hrr_column other, hrr_column value, hrr_error *err);
/* Hops as x, RMS distances as values, the budget as `other`. */
hrr_status hrr_study_hops(hrr_study *out, const hrr_rows *rows, const hrr_words *words,
                          hrr_error *err);
/* ROC curves, read at the same false positive rates: these are x; the budget is `other`. */
hrr_status hrr_study_roc(hrr_study *out, const hrr_rows *rows, const hrr_words *words,
                         hrr_error *err);

/* The columns of budgets, the one with most values first; HRR_N_COLUMNS where there is no second
 * one that varies. */
void hrr_budget_columns(hrr_column *x, hrr_column *other, const hrr_rows *rows);

/* Fixes `other` at hrr_study_usual_other(). */
#define HRR_USUAL_OTHER (-1.0)

/* Different values of `other` that are budgets, rising; at most `most`. */
size_t hrr_study_others(double *values, size_t most, const hrr_study *study);

bool hrr_study_is_in(const hrr_study *study, const hrr_cell *cell, uint32_t base);
/* Does everything in a base that spends, spend the other budget alone? */
bool hrr_study_spends_other_only(const hrr_study *study, uint32_t base);
/* The value of `other` that most cells of a base have that spend both budgets, the nearest to 1 of
 * several; NAN if there are none. */
double hrr_study_usual_other(const hrr_study *study, uint32_t base);
/* The x of all lines of a base: -1 if there is none, NAN if there are several. */
double hrr_study_single_x(const hrr_study *study, uint32_t base);

/* Whether a cell is to be seen where `other` is fixed; fixed NAN: everywhere. */
bool hrr_cell_is_at(const hrr_cell *cell, double fixed);
/* The mean of a series that spends nothing, in a facet; NULL if there is none. */
const hrr_cell *hrr_study_level(const hrr_study *study, uint32_t facet, const char *name);
/* Whether a baseline is not free in a facet. */
bool hrr_study_is_not_free(const hrr_study *study, uint32_t facet, uint32_t series);
/* How many values were no numbers. */
uint64_t hrr_study_missing(const hrr_study *study);

/* Draw lines (bars, if x has a single value; dots, if there are too many), a chart for each base,
 * or for all `together`. `like` has kind, labels and flags; its id and title get the base appended.
 * fixed: the value of `other` to show, NAN for all, or HRR_USUAL_OTHER, which the note then names.
 * What was measured becomes the y_label, and goes before the title, if it is a column. */
hrr_status hrr_study_draw(hrr_page *page, const hrr_study *study, const hrr_chart *like,
                          double fixed, hrr_error *err);
/* The same as heat maps of x and other, for series that have several of both; what was measured
 * becomes the value_label. */
hrr_status hrr_study_draw_heat(hrr_page *page, const hrr_study *study, const hrr_chart *like,
                               hrr_error *err);

#endif
