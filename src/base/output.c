/* output.c: a file that appears whole or not at all.
 *
 * The bytes go to ".NAME.partial-..." in the same directory; commit syncs them, renames the
 * file into place and syncs the directory. Whatever happens before that leaves the old file as it
 * was. A path that is a device or a pipe (/dev/stdout) is written directly. */
#include "base/memory.h"
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { buffer_size = 1 << 18, hand_over_size = 16 << 20 };

struct hrr_output {
    char *path;      /* where the file will appear */
    char *temporary; /* where it is written; NULL when written directly */
    int fd;
    size_t used;
    unsigned char *buffer;
    off_t written, handed_over; /* bytes given to the system, and to its disk */
};

hrr_status hrr_output_open(hrr_output **out, const char *path, hrr_error *err)
{
    hrr_status status = HRR_OK;
    *out = NULL;
    hrr_output *output = hrr_alloc_zero(1, sizeof *output);
    if (!output) return hrr_no_memory(err);
    output->fd = -1;
    output->buffer = hrr_alloc(buffer_size, 1);
    output->path = hrr_path_follow(path);
    if (!output->buffer || !output->path) {
        status = hrr_no_memory(err);
        goto done;
    }
    struct stat there;
    bool exists = stat(output->path, &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) {
        status = hrr_fail(err, HRR_EINVAL, "%s: is a directory; name a file", path);
        goto done;
    }
    if (exists && !S_ISREG(there.st_mode)) {
        output->fd = open(output->path, O_WRONLY | O_CLOEXEC);
    } else {
        output->temporary = hrr_path_partial(output->path);
        if (!output->temporary) {
            status = hrr_no_memory(err);
            goto done;
        }
        output->fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (output->fd < 0) {
        int reason = errno;
        if (output->temporary) output->temporary[0] = '\0'; /* nothing there to remove */
        status = hrr_path_refused(path, "written", reason, err);
        goto done;
    }
    *out = output;
    output = NULL;
done:
    hrr_output_free(output);
    return status;
}

static hrr_status write_all(hrr_output *output, const unsigned char *bytes, size_t size,
                            hrr_error *err)
{
    while (size > 0) {
        ssize_t written = write(output->fd, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0)
            return hrr_fail(err, HRR_EIO, "%s: cannot be written: %s; nothing was changed",
                            output->path, strerror(errno));
        bytes += written;
        size -= (size_t)written;
        output->written += written;
    }
    /* Let the disk begin now, so that the sync at the end does not keep a user who pressed Ctrl-C
     * waiting for gigabytes. A hint: where it is not supported the sync still does it all. */
    if (output->written - output->handed_over >= hand_over_size) {
        sync_file_range(output->fd, output->handed_over, output->written - output->handed_over,
                        SYNC_FILE_RANGE_WRITE);
        output->handed_over = output->written;
    }
    return HRR_OK;
}

static hrr_status flush(hrr_output *output, hrr_error *err)
{
    size_t used = output->used;
    output->used = 0;
    return write_all(output, output->buffer, used, err);
}

hrr_status hrr_output_write(hrr_output *output, const void *bytes, size_t size, hrr_error *err)
{
    if (size > buffer_size - output->used) {
        hrr_status status = flush(output, err);
        if (status) return status;
        if (size >= buffer_size) return write_all(output, bytes, size, err);
    }
    if (size) memcpy(output->buffer + output->used, bytes, size);
    output->used += size;
    return HRR_OK;
}

hrr_status hrr_output_printf(hrr_output *output, hrr_error *err, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < (int)sizeof line) return hrr_output_write(output, line, (size_t)length, err);

    char *text = hrr_alloc((size_t)length + 1, 1);
    if (!text) return hrr_no_memory(err);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    hrr_status status = hrr_output_write(output, text, (size_t)length, err);
    hrr_free(text);
    return status;
}

hrr_status hrr_output_commit(hrr_output *output, hrr_error *err)
{
    hrr_status status = flush(output, err);
    if (status || !output->temporary) return status;
    if (fsync(output->fd) != 0 || rename(output->temporary, output->path) != 0)
        return hrr_fail(err, HRR_EIO, "%s: cannot be written: %s; nothing was changed",
                        output->path, strerror(errno));
    output->temporary[0] = '\0';
    return hrr_path_sync_parent(output->path, err);
}

void hrr_output_free(hrr_output *output)
{
    if (!output) return;
    if (output->fd >= 0) close(output->fd);
    if (output->temporary && output->temporary[0]) unlink(output->temporary);
    hrr_free(output->temporary);
    hrr_free(output->path);
    hrr_free(output->buffer);
    hrr_free(output);
}
