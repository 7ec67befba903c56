/* public_bounds.h: what --bounds means. */
#ifndef CLI_PUBLIC_BOUNDS_H
#define CLI_PUBLIC_BOUNDS_H

#include <heterorr/base.h>

typedef struct cli_bounds {
    double *lo, *hi; /* n_features each, free() of lo frees both; NULL: none were given */
    bool from_data;
} cli_bounds;

/* How a file of bounds begins that were looked up in private values: it is refused until its owner
 * has deleted that line. */
extern const char cli_bounds_undeclared[];

/* "LO,HI" for every feature, "data", a .npy file (2 x d or d x 2), or a text file with one line
 * "LO,HI" a feature; # begins a remark. NULL: nothing was said.
 * Errors: HRR_EINVAL, HRR_EDATA naming the line, HRR_EIO, HRR_ENOMEM. */
hrr_status cli_bounds_read(cli_bounds *out, const char *text, uint64_t n_features, hrr_error *err);
void cli_bounds_clear(cli_bounds *bounds);

#endif
