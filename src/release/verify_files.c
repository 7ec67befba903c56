/* verify_files.c: every file that the certificate lists is there with its size and hash, and there
 * is no other: a file that nobody vouches for may tell anything. */
#include "release/verify.h"
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

static hrr_status check_file(hrr_findings *findings, const char *bundle, const char *name,
                             const json_t *listed, hrr_progress *progress, hrr_error *err)
{
    char sha256[HRR_SHA256_TEXT_SIZE];
    uint64_t size;
    hrr_error wrong = {0};
    struct stat there;
    char *path = hrr_path_join(bundle, name);
    if (!path) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    if (lstat(path, &there) != 0)
        hrr_find(findings, "%.100s is missing", name);
    else if (!S_ISREG(there.st_mode))
        hrr_find(findings, "%.100s is not a plain file", name);
    else
        status = hrr_sha256_file(sha256, &size, path, progress, &wrong);
    if (status == HRR_EIO) {
        hrr_find(findings, "%.300s", wrong.message);
        status = HRR_OK;
    } else if (status) {
        hrr_fail(err, status, "%s", wrong.message);
    } else if (S_ISREG(there.st_mode)) {
        if ((json_int_t)size != json_integer_value(json_object_get(listed, "bytes")) ||
            strcmp(sha256, hrr_json_word(listed, "sha256")) != 0)
            hrr_find(findings, "%.100s is not the file that was certified: its SHA-256 is %s", name,
                     sha256);
    }
    hrr_free(path);
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
        if (strcmp(name, "certificate.json") == 0 || json_object_get(files, name)) continue;
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
    const char *name;
    json_t *listed;
    hrr_progress_begin(progress, "hashing the bundle", 0);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (!json_object_get(files, always[i]))
            hrr_find(findings, "the certificate does not list %s", always[i]);
    json_object_foreach(files, name, listed)
    {
        hrr_status status = HRR_OK;
        if (is_plain_name(name))
            status = check_file(findings, bundle, name, listed, progress, err);
        else
            hrr_find(findings, "the certificate lists \"%.100s\", which is not a name in it", name);
        if (status) return status;
    }
    return look_for_others(findings, files, bundle, err);
}
