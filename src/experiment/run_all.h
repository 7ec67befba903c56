/* run_all.h: many independent runs, several at the same time. */
#ifndef HRR_EXPERIMENT_RUN_ALL_H
#define HRR_EXPERIMENT_RUN_ALL_H

#include "experiment/results.h"

/* Runs of an experiment: what run i is called in the results file (hrr memory, NULL if there is
 * none), and running it, which ends with adding its row. What a run does depends on i alone.
 * `progress` is for cancelling only. */
typedef struct hrr_runs {
    const void *user;
    const char *what;  /* is done, for progress: "comparing" */
    hrr_results *also; /* a file that must have the run, too, or it is done again; or NULL */
    size_t n;
    size_t first, step; /* only runs first, first + step...; step 0: all */
    char *(*settings)(const void *user, size_t i);
    /* Where a run has several rows, which differ in their settings: how many, and what row k is
     * called. The settings above are those of the last. n_rows 0: one. */
    size_t n_rows;
    char *(*row_settings)(const void *user, size_t i, size_t k);
    hrr_status (*run)(const void *user, size_t i, const char *settings, hrr_progress *progress,
                      hrr_error *err);
} hrr_runs;

/* Those of the runs that the file does not have, `threads` at a time, beginning in their order; the
 * first failure ends it and is what is reported. Progress counts runs.
 * Errors: those of a run, HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_run_all(const hrr_runs *runs, const hrr_results *results, int threads,
                       hrr_progress *progress, hrr_error *err);

/* Seconds of a clock that only ever goes forward. */
double hrr_run_clock(void);

#endif
