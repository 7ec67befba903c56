/* stored.c: see stored.h. A second draw for the same request adds its epsilon to the first; the
 * same bytes again add nothing. */
#include "release/stored.h"
#include "certificate/file.h"
#include "certificate/keys.h"
#include "certificate/terms.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/output.h"

#include <heterorr/io.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same_place(const char *a, const char *b)
{
    struct stat at_a, at_b;
    return stat(a, &at_a) == 0 && stat(b, &at_b) == 0 && at_a.st_dev == at_b.st_dev &&
           at_a.st_ino == at_b.st_ino;
}

static hrr_status check_whole(const char *stored, hrr_progress *progress, hrr_error *err)
{
    hrr_findings *findings = hrr_alloc_zero(1, sizeof *findings);
    if (!findings) return hrr_no_memory(err);
    hrr_status status = hrr_verify_bundle(findings, stored, progress, err);
    if (!status && findings->count)
        status = hrr_fail(err, HRR_EDATA,
                          "%s: the stored release is damaged: %s. Restore it, or leave `again` out "
                          "to draw and charge a new release",
                          stored, findings->text[0]);
    hrr_free(findings);
    return status;
}

static hrr_status count_edges(uint64_t *edges, const char *bundle, hrr_error *err)
{
    hrr_array array = {0};
    char *path = hrr_path_join(bundle, "edges.npy");
    if (!path) return hrr_no_memory(err);
    hrr_status status = hrr_array_read(&array, path, err);
    *edges = status ? 0 : array.shape[1];
    hrr_array_clear(&array);
    hrr_free(path);
    return status;
}

static hrr_status copy_bytes(hrr_output *to, int from, const char *path, hrr_progress *progress,
                             hrr_error *err)
{
    enum { block_size = 1 << 20 };
    char *block = hrr_alloc(block_size, 1);
    hrr_status status = block ? HRR_OK : hrr_no_memory(err);
    while (!status) {
        const ssize_t size = read(from, block, block_size);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0)
            status = hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", path, strerror(errno));
        if (size <= 0) break;
        status = hrr_output_write(to, block, (size_t)size, err);
        if (!status) status = hrr_progress_advance(progress, (uint64_t)size, err);
    }
    hrr_free(block);
    return status;
}

static hrr_status copy_file(const char *to_dir, const char *from_dir, const char *name,
                            hrr_progress *progress, hrr_error *err)
{
    char *from = hrr_path_join(from_dir, name), *to = hrr_path_join(to_dir, name);
    hrr_output *output = NULL;
    int fd = -1;
    hrr_status status = from && to ? HRR_OK : hrr_no_memory(err);
    if (!status && (fd = open(from, O_RDONLY | O_CLOEXEC)) < 0)
        status = hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", from, strerror(errno));
    if (!status) status = hrr_output_open(&output, to, err);
    if (!status) status = copy_bytes(output, fd, from, progress, err);
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    if (fd >= 0) close(fd);
    hrr_free(from);
    hrr_free(to);
    return status;
}

/* A bundle is flat; verify has refused one with anything else in it. */
static hrr_status copy_all(const char *to_dir, const char *from_dir, hrr_progress *progress,
                           hrr_error *err)
{
    DIR *dir = opendir(from_dir);
    if (!dir) return hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", from_dir, strerror(errno));
    hrr_status status = HRR_OK;
    for (const struct dirent *entry; !status && (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            status = copy_file(to_dir, from_dir, entry->d_name, progress, err);
    closedir(dir);
    return status;
}

static hrr_status check_word(const char *field, const char *asked, const char *recorded,
                             hrr_error *err)
{
    if (!asked || strcmp(asked, recorded) == 0) return HRR_OK;
    return hrr_fail(
        err, HRR_EINVAL,
        "the stored release is copied unchanged, but `%s` is \"%.100s\" and its certificate "
        "%s%.100s%s. Leave `%s` out, or leave `again` out to draw and charge a new release",
        field, asked, *recorded ? "says \"" : "says nothing", recorded, *recorded ? "\"" : "",
        field);
}

static hrr_status check_signer(const hrr_signing_key *key, const char *recorded, hrr_error *err)
{
    if (!key || !*recorded || strcmp(hrr_signing_key_fingerprint(key), recorded) == 0)
        return HRR_OK;
    return hrr_fail(
        err, HRR_EINVAL,
        "the stored release is copied unchanged; it was signed by the key %s, not by %s. Leave "
        "`sign_with` out, or leave `again` out to draw and charge a new release",
        recorded, hrr_signing_key_fingerprint(key));
}

hrr_status hrr_stored_check_words(const char *stored, const hrr_protect_options *options,
                                  hrr_error *err)
{
    hrr_terms *terms;
    hrr_status status = hrr_terms_read(&terms, stored, err);
    if (status) return status;
    const hrr_origin_words origin = hrr_terms_origin(terms);
    status = check_word("issuer", options->issuer, origin.issuer, err);
    if (!status) status = check_word("kept", options->kept, origin.kept, err);
    if (!status) status = check_signer(options->sign_with, origin.signer, err);
    hrr_terms_free(terms);
    return status;
}

hrr_status hrr_stored_check(const char *to, const char *stored, bool replace,
                            hrr_progress *progress, hrr_error *err)
{
    hrr_status status = check_whole(stored, progress, err);
    if (status || same_place(to, stored)) return status;
    return hrr_output_dir_check(to, &hrr_bundle_directory, replace, err);
}

hrr_status hrr_stored_copy(uint64_t *edges_out, const char *to, const char *stored, bool replace,
                           hrr_progress *progress, hrr_error *err)
{
    hrr_status status = hrr_stored_check(to, stored, replace, progress, err);
    if (!status) status = count_edges(edges_out, stored, err);
    if (status || same_place(to, stored)) return status;
    hrr_output_dir *dir;
    if ((status = hrr_output_dir_open(&dir, to, &hrr_bundle_directory, replace, err)))
        return status;
    hrr_progress_begin(progress, "copying the stored release", 0);
    status = copy_all(hrr_output_dir_staging(dir), stored, progress, err);
    if (!status) status = hrr_output_dir_commit(dir, err);
    hrr_output_dir_free(dir);
    return status;
}
