/* new_file.c: see new_file.h. Written beside its place, synced, and put there in one step that
 * replaces nothing. What a process that is killed may leave behind is a hidden file
 * ".NAME.partial-...", which nobody reads. */
#include "base/new_file.h"
#include "base/memory.h"
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool write_all(int fd, const unsigned char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes += written;
        size -= (size_t)written;
    }
    return fsync(fd) == 0;
}

/* Some file systems know only one of the two ways to put a file where none may be. */
static int move_without_replacing(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    if (link(from, to) != 0) return -1;
    unlink(from);
    return 0;
}

hrr_status hrr_new_file_put(bool *was_there, const char *path, const void *bytes, size_t size,
                            const char *what, hrr_error *err)
{
    *was_there = false;
    char *partial = hrr_path_partial(path);
    if (!partial) return hrr_no_memory(err);
    /* For nobody but its owner. */
    int fd = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool made = fd >= 0 && write_all(fd, bytes, size);
    int reason = errno;
    if (fd >= 0 && close(fd) != 0 && made) {
        made = false;
        reason = errno;
    }
    if (made && move_without_replacing(partial, path) != 0) {
        made = false;
        reason = errno;
        *was_there = reason == EEXIST;
    }
    if (!made && fd >= 0) unlink(partial);
    hrr_free(partial);
    if (made) return hrr_path_sync_parent(path, err);
    if (*was_there) return HRR_OK;
    return hrr_fail(err, HRR_EIO, "%s: cannot create %s: %s", path, what, strerror(reason));
}
