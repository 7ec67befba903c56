/* output.h: what atomic output can refuse before it is asked to. */
#ifndef HRR_BASE_OUTPUT_H
#define HRR_BASE_OUTPUT_H

#include <heterorr/base.h>

/* The failures of hrr_output_dir_open() that can be foreseen; nothing is made. */
HRR_STATUS hrr_output_dir_check(const char *path, const hrr_dir_kind *kind, bool replace,
                                hrr_error *err);

#endif
