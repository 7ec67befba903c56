/* shards.h: a sweep that several processes share, each with a results file of its own.
 *
 * Files of their own, not one file with locks: a row that is appended over a network file system by
 * two machines at once may be lost. The runs of a shard depend on their numbers alone, so a shard
 * that was killed is continued by the same call. */
#ifndef HRR_EXPERIMENT_SHARDS_H
#define HRR_EXPERIMENT_SHARDS_H

#include "experiment/run_all.h"

#include <heterorr/experiment.h>

/* As hrr_results_open(), with the file that the shard writes: its own, where runs of the results
 * file count as finished; the results file itself where shards are put together or there are none.
 * Errors: also HRR_EINVAL for a number beyond the count. */
hrr_status hrr_shard_open(hrr_results **out, const char *path, hrr_shard shard,
                          const char *const *columns, int n_settings, const char *version,
                          hrr_error *err) HRR_CHECKED;

/* What hrr_run_all() is for a sweep that may be a shard: its part of the runs, or the rows of all
 * shards appended to the results in the order of the runs. Before the first row is written, every
 * run is known to be there. `also` of the runs: put together after the results.
 * Errors: those of hrr_run_all(); HRR_EDATA: a shard is missing, unfinished, or has rows of other
 *         settings; HRR_EINVAL: it is being written. */
hrr_status hrr_shard_run(const hrr_runs *runs, hrr_results *results, hrr_shard shard, int threads,
                         hrr_progress *progress, hrr_error *err) HRR_CHECKED;

#endif
