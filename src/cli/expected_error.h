/* expected_error.h: how far a released feature lies from the true one, by mechanism and budget
 * (the paper's supplementary figure 10). */
#ifndef CLI_EXPECTED_ERROR_H
#define CLI_EXPECTED_ERROR_H

#include <heterorr/base.h>

typedef struct cli_error_row {
    const char *mechanism;
    double eps;          /* of the whole vector */
    uint64_t n_features; /* d */
    double largest;      /* over true values of the feature */
    double mean;         /* over true values, uniform on [0, 1] */
    bool exact;          /* by formula; otherwise by draws, to about one percent */
} cli_error_row;

/* Rows for every mechanism and budget at d features, n_bins of FeatureRR (0: the best).
 * *rows: free().
 * Errors: HRR_EINVAL, HRR_ENOMEM, HRR_ECANCEL. */
hrr_status cli_expected_errors(cli_error_row **rows, size_t *n_rows, uint64_t n_features,
                               uint32_t n_bins, hrr_progress *progress, hrr_error *err);

#endif
