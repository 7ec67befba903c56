/* verdicts.h: what the judge of experiment/ decided, as tables of the page and as files. */
#ifndef HRR_REPORT_VERDICTS_H
#define HRR_REPORT_VERDICTS_H

#include "report/study.h"

/* Networks: a table, a sentence if anything could be tested (*said), and all tests in
 * significance.csv. Nothing if nothing could be tested. */
hrr_status hrr_put_verdicts(bool *said, hrr_page *page, const hrr_study *study,
                            const hrr_utility *found, hrr_error *err);

/* What is worth its budget: the gain over the best control that spends nothing, as a chart and a
 * table. Nothing if nothing could be tested. */
hrr_status hrr_put_gains(hrr_page *page, const hrr_study *study, const hrr_utility *found,
                         hrr_error *err);

/* An adjusted p-value as people read it. */
void hrr_put_p(hrr_text *html, double p_adjusted);

#endif
