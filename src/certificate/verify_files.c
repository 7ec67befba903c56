/* verify_files.c: every file that the certificate lists is there with its size and hash, and there
 * is no other: a file that nobody vouches for may tell anything. */
#include "certificate/verify.h"
#include "certificate/file.h"
#include "certificate/signature.h"
#include "base/memory.h"
#include "base/paths.h"
#include "io/hash.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* A certificate from elsewhere must not make us read outside of its bundle. */
static bool is_plain_name(const char *name)
{
    return *name && *name != '.' && !strchr(name, '/');
}

/* A listed file that is there. */
typedef struct listed_file {
    const char *name;
    const json_t *listed;
} listed_file;

/* What can be said of a file before it is read; *path NULL: no more. */
static hrr_status look_at(char **path, hrr_findings *findings, const char *bundle, const char *name,
                          hrr_error *err)
{
    struct stat there;
    *path = NULL;
    if (!is_plain_name(name)) {
        hrr_find(findings, "the certificate lists \"%.100s\", which is not a valid file name",
                 name);
        return HRR_OK;
    }
    char *where = hrr_path_join(bundle, name);
    if (!where) return hrr_no_memory(err);
    if (lstat(where, &there) != 0)
        hrr_find(findings, "%.100s is missing", name);
    else if (!S_ISREG(there.st_mode))
        hrr_find(findings, "%.100s is not a regular file", name);
    else
        *path = where;
    if (!*path) hrr_free(where);
    return HRR_OK;
}

static void compare(hrr_findings *findings, const listed_file *file, const hrr_hashed_file *found)
{
    if (found->error.status)
        hrr_find(findings, "%.300s", found->error.message);
    else if ((json_int_t)found->size !=
                 json_integer_value(json_object_get(file->listed, "bytes")) ||
             strcmp(found->sha256, hrr_json_word(file->listed, "sha256")) != 0)
        hrr_find(findings, "%.100s is not the certified file: its SHA-256 is %s", file->name,
                 found->sha256);
}

static hrr_status check_files(hrr_findings *findings, const json_t *files, const char *bundle,
                              hrr_progress *progress, hrr_error *err)
{
    const size_t n_listed = json_object_size(files);
    listed_file *present = hrr_alloc_zero(n_listed, sizeof *present);
    hrr_hashed_file *found = hrr_alloc_zero(n_listed, sizeof *found);
    hrr_status status = present && found ? HRR_OK : hrr_no_memory(err);
    size_t n = 0;
    const char *name;
    json_t *listed;
    json_object_foreach((json_t *)files, name, listed)
    {
        char *path = NULL;
        if (!status) status = look_at(&path, findings, bundle, name, err);
        if (!path) continue;
        present[n] = (listed_file){name, listed};
        found[n++].path = path;
    }
    if (!status) status = hrr_sha256_files(found, n, 0, progress, err);
    for (size_t i = 0; i < n; i++) {
        if (!status) compare(findings, &present[i], &found[i]);
        hrr_free((void *)found[i].path);
    }
    hrr_free(present);
    hrr_free(found);
    return status;
}

static hrr_status look_for_others(hrr_findings *findings, const json_t *files, const char *bundle,
                                  hrr_error *err)
{
    DIR *directory = opendir(bundle);
    if (!directory)
        return hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", bundle, strerror(errno));
    for (struct dirent *entry; (entry = readdir(directory));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        if (strcmp(name, hrr_certificate_name) == 0 || strcmp(name, hrr_signature_name) == 0)
            continue;
        if (json_object_get(files, name)) continue;
        hrr_find(findings, "%.100s is not listed in the certificate", name);
    }
    closedir(directory);
    return HRR_OK;
}

hrr_status hrr_verify_files(hrr_findings *findings, const json_t *certificate, const char *bundle,
                            hrr_progress *progress, hrr_error *err)
{
    json_t *files = json_object_get(certificate, "files");
    static const char *const always[] = {"graph.json", "edges.npy", "CERTIFICATE.txt"};
    hrr_progress_begin(progress, "hashing the bundle", 0);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (!json_object_get(files, always[i]))
            hrr_find(findings, "the certificate does not list %s", always[i]);
    hrr_status status = check_files(findings, files, bundle, progress, err);
    return status ? status : look_for_others(findings, files, bundle, err);
}
