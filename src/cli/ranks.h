/* ranks.h: a verb that several processes do together, started by mpirun. Only rank 0 talks; the
 * others tell it what is wrong with them, and it tells the user. */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include "cli/verb.h"

/* Connect with the other ranks, if there are any: task->ranks. Before anything is said. */
hrr_status cli_ranks_join(cli_task *task, hrr_error *err);

/* After the last word was said: tell the others of a failure, and wait for them. */
void cli_ranks_leave(cli_task *task, hrr_status status, const hrr_error *err);

#endif
