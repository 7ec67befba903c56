/* progress.h: how far the work is, on the terminal, and Ctrl-C. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <heterorr/base.h>

/* A progress that shows itself on stderr, once the work has taken two seconds, if that is a
 * terminal; and that SIGINT, SIGTERM and SIGHUP cancel. One at a time in a process. */
hrr_status cli_progress_start(hrr_progress **out, hrr_error *err);

/* Take the line off the terminal; it comes back with the next report. */
void cli_progress_erase(void);

/* Erase, give the signals back their usual meaning, and free. NULL is allowed. */
void cli_progress_stop(hrr_progress *progress);

#endif
