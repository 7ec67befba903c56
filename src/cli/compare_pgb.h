/* compare_pgb.h: heterorr compare structure --suite pgb: a release, or mechanisms, judged by the
 * fifteen queries of PGB. */
#ifndef CLI_COMPARE_PGB_H
#define CLI_COMPARE_PGB_H

#include "cli/compare.h"

/* One released graph. exact: paths from every node. Prints the table, or sets task->result.
 * Errors: those of reading, of hrr_pgb_answer() and hrr_pgb_compare(). */
hrr_status cli_compare_pgb(const char *original, const char *released, const hrr_read_options *read,
                           bool exact, uint64_t seed, cli_task *task, hrr_error *err);

/* Runs what is not in `results` yet, then says what the file holds. published: a file of published
 * values, or NULL; it is read before anything is run. */
hrr_status cli_compare_pgb_sweep(const char *graph, const char *results, hrr_shard shard,
                                 const hrr_read_options *read, const char *mechanisms,
                                 const char *published, const cli_sweep_args *args, cli_task *task,
                                 hrr_error *err);

#endif
