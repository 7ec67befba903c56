/* protect_summary.h: what `heterorr protect` says of a release it made, or of a dry run. */
#ifndef HRR_CLI_PROTECT_SUMMARY_H
#define HRR_CLI_PROTECT_SUMMARY_H

#include "cli/protect_args.h"

#include <heterorr/release.h>

/* For people, or into task->result. loading: seconds that reading the graph took.
 * Errors: HRR_ENOMEM. */
hrr_status cli_protect_tell(const hrr_protect_summary *s, const hrr_protect_options *options,
                            const protect_args *a, double loading, cli_task *task, hrr_error *err);

#endif
