/* paths.c: see paths.h. */
#include "base/paths.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* Length of the directory part with its slash; 0 if there is none. Trailing slashes belong to
 * the name. */
static size_t directory_length(const char *path)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    while (end > 0 && path[end - 1] != '/')
        end--;
    return end;
}

char *hrr_path_follow(const char *path)
{
    struct stat link;
    if (lstat(path, &link) == 0 && S_ISLNK(link.st_mode)) {
        char *target = realpath(path, NULL);
        if (target) {
            char *copy = hrr_copy_text(target);
            free(target);
            return copy;
        }
    }
    return hrr_copy_text(path);
}

char *hrr_path_partial(const char *path)
{
    int directory = (int)directory_length(path);
    size_t end = strlen(path);
    while (end > (size_t)directory + 1 && path[end - 1] == '/')
        end--;
    uint64_t unique = 0;
    if (getrandom(&unique, sizeof unique, 0) != sizeof unique) unique = (uint64_t)getpid();
    return hrr_format_text("%.*s.%.*s.partial-%016" PRIx64, directory, path, (int)end - directory,
                           path + directory, unique);
}

hrr_status hrr_path_sync_parent(const char *path, hrr_error *err)
{
    /* Called after a rename: running out of memory here would report a failure that is none. The
     * system took the path, so it fits. */
    char parent[PATH_MAX];
    int length = (int)directory_length(path);
    snprintf(parent, sizeof parent, "%.*s", length ? length : 1, length ? path : ".");
    int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* EINVAL: a file system that cannot sync directories has nothing to sync. */
    bool synced = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL);
    int reason = errno;
    if (fd >= 0) close(fd);
    if (!synced)
        return hrr_fail(err, HRR_EIO, "%s: cannot sync the directory that contains it: %s", path,
                        strerror(reason));
    return HRR_OK;
}

hrr_status hrr_path_refused(const char *path, const char *what, int reason, hrr_error *err)
{
    struct stat there;
    char parent[PATH_MAX];
    const int length = (int)directory_length(path);
    snprintf(parent, sizeof parent, "%.*s", length, path);
    if (reason == ENOENT && length > 1 && stat(parent, &there) != 0)
        return hrr_fail(err, HRR_EIO, "%s: the directory %.*s does not exist; create it first",
                        path, length - 1, path);
    return hrr_fail(err, HRR_EIO, "%s: cannot be %s: %s", path, what, strerror(reason));
}

void hrr_path_remove_flat(const char *path)
{
    DIR *directory = opendir(path);
    if (!directory) return;
    for (struct dirent *entry; (entry = readdir(directory));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
    rmdir(path);
}

char *hrr_path_parent(const char *path)
{
    const int length = (int)directory_length(path);
    return hrr_format_text("%.*s", length ? length : 1, length ? path : ".");
}

int hrr_path_reason(const char *path)
{
    char *parent = hrr_path_parent(path);
    const int reason = !parent ? ENOMEM : access(parent, W_OK | X_OK) == 0 ? 0 : errno;
    hrr_free(parent);
    return reason;
}

char *hrr_path_join(const char *directory, const char *name)
{
    size_t length = strlen(directory);
    const char *slash = length && directory[length - 1] == '/' ? "" : "/";
    return hrr_format_text("%s%s%s", directory, slash, name);
}
