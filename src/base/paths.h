/* paths.h: the path arithmetic that atomic output needs. */
#ifndef HRR_BASE_PATHS_H
#define HRR_BASE_PATHS_H

#include <heterorr/base.h>

/* The path with its last symbolic link resolved, so that a rename replaces the file and not the
 * link. NULL: out of memory. */
char *hrr_path_follow(const char *path);

/* "DIR/.NAME.partial-<16 random digits>" for "DIR/NAME". NULL: out of memory. */
char *hrr_path_partial(const char *path);

/* Whether something can be made at path, as far as its directory tells: 0, or the errno of why not.
 */
int hrr_path_reason(const char *path);

/* Sync the directory that holds path, so that a rename survives a power cut. */
hrr_status hrr_path_sync_parent(const char *path, hrr_error *err);

/* Remove a directory and the files in it; subdirectories stay, and then so does it. */
void hrr_path_remove_flat(const char *path);

/* HRR_EIO for a place where nothing can be made, `reason` being errno; a directory that is not
 * there is named. `what`: "made" or "written". */
hrr_status hrr_path_refused(const char *path, const char *what, int reason, hrr_error *err);

/* The directory that holds path, "." if it has no slash. NULL: out of memory. */
char *hrr_path_parent(const char *path);

/* "DIRECTORY/NAME". NULL: out of memory. */
char *hrr_path_join(const char *directory, const char *name);

#endif
