/* bundle.h: bundles that an audit makes by the thousand: a place for them, and numbers read
 * back from them. */
#ifndef HRR_AUDIT_BUNDLE_H
#define HRR_AUDIT_BUNDLE_H

#include <heterorr/io.h>
#include <heterorr/audit.h>

#include "release/protect.h"

/* A fresh directory: in memory (/dev/shm) where there is such a place, else where temporary files
 * go. hrr_free() the path, rmdir() the directory.
 * Errors: HRR_EIO, HRR_ENOMEM. */
hrr_status hrr_audit_scratch(char **directory, hrr_error *err);

/* hrr_protect_with_maker() with the seed. */
hrr_status hrr_audit_protect(hrr_protect_summary *summary, const char *bundle,
                             const hrr_graph *graph, const hrr_protect_options *options,
                             const hrr_block_maker *maker, uint64_t seed, hrr_error *err);

/* Makes a bundle with the seed, and looks at it. */
typedef hrr_status hrr_bundle_trial(float *out, const void *attack, const char *bundle, int side,
                                    uint64_t seed, hrr_error *err);
/* The run() of hrr_trials, one number a trial: each has a seed of its own, and each call a place of
 * its own in the directory, because several run at once. */
hrr_status hrr_audit_run_bundles(float *out, hrr_bundle_trial *trial, const void *attack,
                                 const char *directory, uint64_t seed, int side, uint64_t first,
                                 uint64_t n, hrr_error *err);

/* One array of a bundle; hrr_array_clear(). */
hrr_status hrr_audit_read_part(hrr_array *out, const char *bundle, const char *name,
                               hrr_error *err);
/* One number of it. */
hrr_status hrr_audit_read_number(double *out, const char *bundle, const char *name, uint64_t item,
                                 hrr_error *err);

#endif
