/* compare_mechanisms.h: heterorr compare structure GRAPH --mechanisms ...: edge mechanisms side by
 * side on one graph, as rows of a results file. */
#ifndef CLI_COMPARE_MECHANISMS_H
#define CLI_COMPARE_MECHANISMS_H

#include "cli/compare.h"

/* Runs what is not in `results` yet, then says what the file holds. */
hrr_status cli_compare_mechanisms(const char *graph, const char *results, hrr_shard shard,
                                  const hrr_read_options *read, const char *mechanisms,
                                  const cli_sweep_args *args, int hops, cli_task *task,
                                  hrr_error *err);

#endif
