/* progress.h: tasks inside a task. */
#ifndef HRR_BASE_PROGRESS_H
#define HRR_BASE_PROGRESS_H

#include <heterorr/base.h>

/* A task inside `parent` (NULL: of its own): it shows nothing, and is cancelled when the parent is,
 * which must outlive it. For work that goes on beside other such work. */
HRR_STATUS hrr_progress_new_inner(hrr_progress **out, const hrr_progress *parent, hrr_error *err);

#endif
