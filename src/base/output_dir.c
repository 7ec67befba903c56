/* output_dir.c: a directory that appears whole or not at all.
 *
 * Files are written into a hidden staging directory beside the target; commit renames it into
 * place. Replacing exchanges the two in one step and then removes the old one, which must be a
 * flat directory of the same kind or empty: a mistyped path never costs a
 * user anything else, least of all a release that was paid for. */
#include "base/memory.h"
#include "base/paths.h"
#include "base/output.h"

#include <dirent.h>
#include <fcntl.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

struct hrr_output_dir {
    char *path;
    char *staging;
    hrr_dir_kind kind;
    bool replace;
    bool present; /* the staging directory exists */
};

typedef struct directory_facts {
    bool exists, is_directory, empty, has_subdirectory;
    char more[NAME_MAX + 1]; /* a file that one of the kind does not have; "": there is none */
} directory_facts;

/* Whether a file in the directory can be read and begins with a text that has the word. */
static bool holds(const char *directory, const char *file, const char *word)
{
    /* No memory is asked for: without it a report of ours would look like somebody else's. */
    char text[16384], path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/%s", directory, file);
    FILE *from = length > 0 && length < PATH_MAX ? fopen(path, "r") : NULL;
    if (!from) return false;
    text[fread(text, 1, sizeof text - 1, from)] = '\0';
    fclose(from);
    return strstr(text, word);
}

static directory_facts look_at(const char *path, const char *without)
{
    directory_facts facts = {0};
    struct stat there;
    if (lstat(path, &there) != 0) return facts;
    facts.exists = true;
    DIR *directory = opendir(path);
    if (!directory) return facts;
    facts.is_directory = facts.empty = true;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        facts.empty = false;
        if (without && strncasecmp(entry->d_name, without, strlen(without)) == 0)
            snprintf(facts.more, sizeof facts.more, "%s", entry->d_name);
        struct stat inside;
        if (fstatat(dirfd(directory), entry->d_name, &inside, AT_SYMLINK_NOFOLLOW) != 0 ||
            S_ISDIR(inside.st_mode))
            facts.has_subdirectory = true;
    }
    closedir(directory);
    return facts;
}

static hrr_status refuse_to_lose(const char *path, const hrr_dir_kind *kind, bool replace,
                                 hrr_error *err)
{
    directory_facts there = look_at(path, kind->without);
    if (!there.exists || there.empty) return HRR_OK;
    if (!there.is_directory)
        return hrr_fail(err, HRR_EINVAL, "%s: exists and is not a directory; choose another path",
                        path);
    if (!replace)
        return hrr_fail(err, HRR_EINVAL,
                        "%s: exists already; remove it, choose another path, or pass `replace`",
                        path);
    if (*there.more)
        return hrr_fail(err, HRR_EINVAL,
                        "%s: is more than a %s: it also contains %s, so `replace` does not replace "
                        "it; choose another path, or remove it yourself",
                        path, kind->what, there.more);
    if (there.has_subdirectory || !holds(path, kind->file, kind->text))
        return hrr_fail(err, HRR_EINVAL,
                        "%s: does not look like a %s that heterorr wrote, so `replace` does not "
                        "replace it; choose another path",
                        path, kind->what);
    return HRR_OK;
}

hrr_status hrr_output_dir_open(hrr_output_dir **out, const char *path, const hrr_dir_kind *kind,
                               bool replace, hrr_error *err)
{
    *out = NULL;
    hrr_status status = refuse_to_lose(path, kind, replace, err);
    if (status) return status;
    hrr_output_dir *dir = hrr_alloc_zero(1, sizeof *dir);
    if (!dir) return hrr_no_memory(err);
    dir->kind = *kind;
    dir->replace = replace;
    dir->path = hrr_path_follow(path);
    dir->staging = dir->path ? hrr_path_partial(dir->path) : NULL;
    if (!dir->staging) {
        status = hrr_no_memory(err);
        goto done;
    }
    if (mkdir(dir->staging, 0777) != 0) {
        status = hrr_path_refused(path, "made", errno, err);
        goto done;
    }
    dir->present = true;
    *out = dir;
    dir = NULL;
done:
    hrr_output_dir_free(dir);
    return status;
}

hrr_status hrr_output_dir_check(const char *path, const hrr_dir_kind *kind, bool replace,
                                hrr_error *err)
{
    hrr_status status = refuse_to_lose(path, kind, replace, err);
    if (status) return status;
    char *place = hrr_path_follow(path);
    if (!place) return hrr_no_memory(err);
    const int reason = hrr_path_reason(place);
    hrr_free(place);
    return reason ? hrr_path_refused(path, "made", reason, err) : HRR_OK;
}

const char *hrr_output_dir_staging(const hrr_output_dir *dir)
{
    return dir->staging;
}

hrr_status hrr_output_dir_commit(hrr_output_dir *dir, hrr_error *err)
{
    hrr_status status = refuse_to_lose(dir->path, &dir->kind, dir->replace, err);
    if (status) return status;
    directory_facts there = look_at(dir->path, dir->kind.without);
    bool exchange = there.exists && !there.empty;
    unsigned flags = exchange ? RENAME_EXCHANGE : 0;
    if (renameat2(AT_FDCWD, dir->staging, AT_FDCWD, dir->path, flags) != 0)
        return hrr_fail(err, HRR_EIO, "%s: cannot be created: %s; nothing was changed", dir->path,
                        strerror(errno));
    if (exchange) hrr_path_remove_flat(dir->staging); /* now the old one */
    dir->present = false;
    return hrr_path_sync_parent(dir->path, err);
}

void hrr_output_dir_free(hrr_output_dir *dir)
{
    if (!dir) return;
    if (dir->present) hrr_path_remove_flat(dir->staging);
    hrr_free(dir->staging);
    hrr_free(dir->path);
    hrr_free(dir);
}
