/* compare_errors.h: heterorr compare --expected-error: the error of a feature by mechanism and
 * budget. */
#ifndef CLI_COMPARE_ERRORS_H
#define CLI_COMPARE_ERRORS_H

#include "cli/verb.h"

/* Rows to the file `output` ("-": standard output), remarks for people. features 0: 1 and then 100
 * of them share the budget; bins 0: the best number of them. */
hrr_status cli_compare_errors(const char *output, uint64_t features, uint32_t bins, cli_task *task,
                              hrr_error *err);

#endif
