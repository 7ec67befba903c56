/* shared_file.c: see shared_file.h. */
#include "base/shared_file.h"
#include "base/memory.h"
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

struct hrr_shared_file {
    char *path;
    int fd;
    off_t at;
};

static hrr_status refused(const char *path, hrr_error *err)
{
    return hrr_fail(err, HRR_EIO, "%s: cannot be written: %s; nothing was published", path,
                    strerror(errno));
}

hrr_status hrr_shared_file_resize(const char *path, uint64_t size, hrr_error *err)
{
    return truncate(path, (off_t)size) == 0 ? HRR_OK : refused(path, err);
}

hrr_status hrr_shared_file_open(hrr_shared_file **out, const char *path, uint64_t offset,
                                hrr_error *err)
{
    hrr_status status = HRR_OK;
    *out = NULL;
    hrr_shared_file *file = hrr_alloc_zero(1, sizeof *file);
    if (!file) return hrr_no_memory(err);
    file->at = (off_t)offset;
    file->fd = open(path, O_WRONLY | O_CLOEXEC);
    if (file->fd < 0) status = refused(path, err);
    file->path = status ? NULL : hrr_copy_text(path);
    if (!status && !file->path) status = hrr_no_memory(err);
    if (status) {
        hrr_shared_file_free(file);
        return status;
    }
    *out = file;
    return HRR_OK;
}

hrr_status hrr_shared_file_write(hrr_shared_file *file, const void *bytes, size_t size,
                                 hrr_error *err)
{
    const char *from = bytes;
    while (size > 0) {
        const ssize_t written = pwrite(file->fd, from, size, file->at);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return refused(file->path, err);
        from += written;
        size -= (size_t)written;
        file->at += written;
    }
    return HRR_OK;
}

hrr_status hrr_shared_file_sync(hrr_shared_file *file, hrr_error *err)
{
    return fsync(file->fd) == 0 ? HRR_OK : refused(file->path, err);
}

void hrr_shared_file_free(hrr_shared_file *file)
{
    if (!file) return;
    if (file->fd >= 0) close(file->fd);
    hrr_free(file->path);
    hrr_free(file);
}

/* ---- a directory ----------------------------------------------------------------------------- */

int hrr_staging_hold(const char *path)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
    if (fd >= 0) close(fd);
    return -1;
}

void hrr_staging_sweep(const char *path)
{
    enum { most_tries = 10 };
    const struct timespec between = {.tv_nsec = 50 * 1000 * 1000};
    /* A process that was just killed holds it for a moment; one that lives removes it by itself. */
    for (int i = 0; i < most_tries && access(path, F_OK) == 0; i++) {
        const int fd = hrr_staging_hold(path);
        if (fd >= 0) {
            hrr_path_remove_flat(path);
            close(fd);
            return;
        }
        nanosleep(&between, NULL);
    }
}
