/* reports.h: reports of a head's answers, before they are drawn and after they are released. */
#ifndef HRR_FEATURE_REPORTS_H
#define HRR_FEATURE_REPORTS_H

#include <heterorr/feature.h>

/* Budgets of the answers: the whole of it for a class, shares of it for labels (n_answers each).
 * Public: what hrr_feature_plan_new() decides for this head. Errors: HRR_EINVAL, HRR_ENOMEM. */
hrr_status hrr_head_budgets(uint64_t *eps_nano, const hrr_head *head, uint64_t total_nano,
                            hrr_error *err);

/* Which answers the rows of a release name. eps_nano: n_answers budgets, as above.
 * Ownership: hrr_reports_clear(). Errors: HRR_ENOMEM. */
hrr_status hrr_reports_read(hrr_reports *out, const hrr_dense *released, uint32_t report_size,
                            const uint64_t *eps_nano, hrr_error *err);
void hrr_reports_clear(hrr_reports *reports);

#endif
