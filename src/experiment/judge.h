/* judge.h: the one judge of results. Rows that agree in everything but run, seed and measures are a
 * setting; settings have means, intervals and paired tests against controls that spend nothing, and
 * tests become verdicts together. What a summary prints and a report draws is what this says. */
#ifndef HRR_EXPERIMENT_JUDGE_H
#define HRR_EXPERIMENT_JUDGE_H

#include "experiment/samples.h"

#include <heterorr/experiment.h>

/* The settings of rows, in the order in which they first appear. */
typedef struct hrr_judged {
    size_t n;
    uint64_t *first; /* row of each setting */
    uint32_t *of;    /* setting of each row */
} hrr_judged;

void hrr_judged_clear(hrr_judged *judged);
/* Cost: O(rows). Errors: HRR_ENOMEM. */
hrr_status hrr_judge_settings(hrr_judged *out, const hrr_rows *rows, hrr_error *err);

/* A test that is not made yet. */
hrr_worth_test hrr_test_none(void);
/* A paired t-test of x against y over the runs that both have; nothing if these are fewer than two.
 */
hrr_status hrr_test_pair(hrr_worth_test *test, const hrr_cell *x, const hrr_cell *y,
                         hrr_error *err);
/* Verdicts of all tests of a table: Holm's procedure over those that were made. The control of a
 * test is the best of several in the same results, which favours the control: what is better than
 * it is so all the more, but what is worse has its p multiplied by their number first (Bonferroni).
 */
hrr_status hrr_tests_decide(hrr_worth_test *const *tests, size_t n, bool lower_is_better,
                            hrr_error *err);

/* What hrr_training_means() says, of all rows that were read. Ownership: *means and *first (a row
 * of each setting) are freed with hrr_free(). */
hrr_status hrr_judge_training(hrr_training_mean **means, uint64_t **first, size_t *n,
                              const hrr_all_rows *all, const hrr_graph *of, const char *metric,
                              hrr_error *err);
/* Whether a baseline is free where `setting` was measured: it spends nothing, and uses nothing that
 * the setting protects. */
bool hrr_baseline_is_free(const hrr_training_mean *baseline, const hrr_training_mean *setting);
/* Verdicts of these rows, as one family. */
hrr_status hrr_structure_decide(hrr_structure_mean *means, size_t n_means, hrr_error *err);
/* What hrr_structure_means() says; *means: hrr_free(). */
hrr_status hrr_judge_structure(hrr_structure_mean **means, size_t *n, const hrr_all_rows *all,
                               hrr_error *err);

/* What hrr_pgb_means() says, of runs and of published values, which are rows without a run. */
hrr_status hrr_judge_pgb(hrr_pgb_table *out, const hrr_all_rows *all, hrr_error *err);

#endif
