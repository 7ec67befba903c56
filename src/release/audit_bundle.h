/* audit_bundle.h: bundles that an audit makes by the thousand: a place for them, and numbers read
 * back from them. */
#ifndef HRR_RELEASE_AUDIT_BUNDLE_H
#define HRR_RELEASE_AUDIT_BUNDLE_H

#include <heterorr/io.h>

/* A fresh directory: in memory (/dev/shm) where there is such a place, else where temporary files
 * go. hrr_free() the path, rmdir() the directory.
 * Errors: HRR_EIO, HRR_ENOMEM. */
hrr_status hrr_audit_scratch(char **directory, hrr_error *err);

/* One array of a bundle; hrr_array_clear(). */
hrr_status hrr_audit_read_part(hrr_array *out, const char *bundle, const char *name,
                               hrr_error *err);
/* One number of it. */
hrr_status hrr_audit_read_number(double *out, const char *bundle, const char *name, uint64_t item,
                                 hrr_error *err);

#endif
