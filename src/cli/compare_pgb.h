/* compare_pgb.h: heterorr compare structure --suite pgb: a release, or mechanisms, judged by the
 * fifteen queries of PGB. */
#ifndef CLI_COMPARE_PGB_H
#define CLI_COMPARE_PGB_H

#include "cli/compare.h"

/* One released graph. exact: paths from every node. Prints the table, or sets task->result.
 * Errors: those of reading, of hrr_pgb_answer() and hrr_pgb_compare(). */
hrr_status cli_compare_pgb(const char *original, const char *released, const hrr_read_options *read,
                           bool exact, uint64_t seed, cli_task *task, hrr_error *err);

#endif
