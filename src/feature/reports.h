/* reports.h: reports of a head's answers, before they are drawn and after they are released. */
#ifndef HRR_FEATURE_REPORTS_H
#define HRR_FEATURE_REPORTS_H

#include <heterorr/feature.h>

/* How many of its labels a node is asked about; 0: all that have a share, or the one question of a
 * class. Public: of the number that have a share and the budget, the number m for which m answers
 * with a budget of eps/m each tell most. */
uint32_t hrr_head_asked(const hrr_head *head, uint64_t total_nano);

/* Budgets of the answers, if they are asked for: the whole of it for a class; for labels an equal
 * part for each that a node is asked about, or shares if it is asked about all (n_answers each).
 * Public: what hrr_feature_plan_new() decides for this head. Errors: HRR_EINVAL, HRR_ENOMEM. */
hrr_status hrr_head_budgets(uint64_t *eps_nano, const hrr_head *head, uint64_t total_nano,
                            hrr_error *err);

/* Which answers the rows of a release name, and of labels which were not asked about: those at one
 * half. eps_nano: n_answers budgets, as above.
 * Ownership: hrr_reports_clear(). Errors: HRR_ENOMEM. */
hrr_status hrr_reports_read(hrr_reports *out, const hrr_dense *released, uint32_t report_size,
                            const uint64_t *eps_nano, hrr_error *err);
void hrr_reports_clear(hrr_reports *reports);

/* value: n_answers x 3: what an answer that is not named is released as, one that is, and one that
 * was not asked about. report_size: of a class; 0: labels. eps_nano: n_answers budgets, as above.
 * Errors: HRR_ENOMEM. */
hrr_status hrr_report_values(float *value, uint32_t n_answers, uint32_t report_size,
                             const uint64_t *eps_nano, hrr_error *err);

/* What a head answers, without noise: NOT PRIVATE, the reference for experiments. Errors:
 * HRR_EINVAL for a head that does not fit, HRR_ENOMEM. */
hrr_status hrr_reports_of_answers(hrr_reports *out, const hrr_head *head, const hrr_dense *features,
                                  hrr_error *err);

#endif
