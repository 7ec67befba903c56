/* results.h: a results file: one CSV row a run, written as soon as the run is done, so that an
 * interrupted experiment goes on where it stopped. The first columns are the settings of a run; two
 * rows with the same settings are the same run. */
#ifndef HRR_EXPERIMENT_RESULTS_H
#define HRR_EXPERIMENT_RESULTS_H

#include <heterorr/base.h>

typedef struct hrr_results hrr_results;

/* Create the file with its header, or go on with one whose header is the same. A last line without
 * its end, which an interrupted run left, is cut off. columns: NULL-terminated names, the first
 * n_settings of which are settings. version: what the first column of every row must say, NULL:
 * anything; rows of another version of the program are not to be mixed with these.
 * Errors: HRR_EDATA if the file is something else or another process has it open, HRR_EIO,
 *         HRR_ENOMEM. */
hrr_status hrr_results_open(hrr_results **out, const char *path, const char *const *columns,
                            int n_settings, const char *version, hrr_error *err);
void hrr_results_close(hrr_results *results);

/* Take the runs of another file of the same columns for finished; one that does not exist has none.
 * It is only read. Errors: as above. */
hrr_status hrr_results_count_in(hrr_results *results, const char *path, hrr_error *err) HRR_CHECKED;

const char *hrr_results_path(const hrr_results *results);

/* Another file of the same columns: that of a shard. Errors: as hrr_results_open(). */
hrr_status hrr_results_open_like(hrr_results **out, const char *path, const hrr_results *like,
                                 hrr_error *err) HRR_CHECKED;

/* Whether a run with these settings ("a,b,c", as they stand in the file) is finished. */
bool hrr_results_has(const hrr_results *results, const char *settings);

/* Sees the settings of a row, and what stands behind them. */
typedef void hrr_results_see(void *user, const char *settings, const char *values);
/* Every row that is in the file now, in its order. Errors: HRR_EIO, HRR_ENOMEM. */
hrr_status hrr_results_each(const hrr_results *results, hrr_results_see *see, void *user,
                            hrr_error *err) HRR_CHECKED;

/* Append one row, settings and all, without its end of line; or several, with ends of line between
 * them. It is on disk when this returns. Threads may call it at the same time. */
hrr_status hrr_results_add(hrr_results *results, const char *row, hrr_error *err);

#endif
