/* open.c: a bundle becomes a release again. What its certificate promises is about the files that
 * it lists, so they are checked first: whoever replaces edges.npy by the private edges keeps the
 * certificate's words, but not what they promise. */
#include "certificate/release.h"
#include "certificate/file.h"
#include "io/file_names.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/options.h"

#include <string.h>

static hrr_status check(const char *bundle, hrr_progress *progress, hrr_error *err)
{
    hrr_findings findings;
    hrr_status status = hrr_verify_bundle(&findings, bundle, progress, err);
    if (status || findings.count == 0) return status;
    return hrr_fail(err, HRR_ECHECK,
                    "%s: does not match its certificate, so nothing is guaranteed about it: %s%s",
                    bundle, findings.text[0], findings.count > 1 ? " (and more)" : "");
}

/* An array of the bundle; none if it has no such file. */
static hrr_status read_part(hrr_array *out, const char *bundle, const char *name, hrr_error *err)
{
    char *path = hrr_path_join(bundle, name);
    if (!path) return hrr_no_memory(err);
    hrr_status status = hrr_path_is_file(path) ? hrr_array_read(out, path, err) : HRR_OK;
    hrr_free(path);
    return status;
}

/* A certificate lists the hashes of all other files, so that its own is that of the release. */
static hrr_status identify(char id[HRR_SHA256_TEXT_SIZE], const char *bundle, hrr_error *err)
{
    uint64_t size;
    char *path = hrr_path_join(bundle, hrr_certificate_name);
    const hrr_status status =
        path ? hrr_sha256_file(id, &size, path, NULL, err) : hrr_no_memory(err);
    hrr_free(path);
    return status;
}

hrr_status hrr_release_open(hrr_release **out, const char *bundle, const hrr_read_options *read,
                            hrr_progress *progress, hrr_error *err)
{
    hrr_read_options own;
    hrr_terms *terms = NULL;
    hrr_graph *graph = NULL;
    hrr_count_parts parts = {0};
    char id[HRR_SHA256_TEXT_SIZE];
    *out = NULL;
    hrr_status status = HRR_ADOPT(hrr_read_options, &own, read, err);
    read = &own;
    if (!status) status = check(bundle, progress, err);
    if (!status) status = identify(id, bundle, err);
    if (!status) status = hrr_terms_read(&terms, bundle, err);
    if (!status) status = hrr_graph_read(&graph, bundle, read, progress, err);
    if (!status) status = read_part(&parts.count, bundle, "block_counts.npy", err);
    const bool counts = !status && parts.count.data;
    if (counts) status = read_part(&parts.counted, bundle, "counted.npy", err);
    if (counts && !status) status = read_part(&parts.need, bundle, "need.npy", err);
    if (counts && !status && parts.need.data)
        status = read_part(&parts.block, bundle, "blocks.npy", err);
    if (counts && !status) status = read_part(&parts.rivals, bundle, "rivals.npy", err);
    if (!status) status = hrr_release_assemble(out, &graph, &terms, &parts, err);
    if (!status && !read->features) status = hrr_release_find_reports(*out, err);
    if (status) {
        hrr_release_free(*out);
        *out = NULL;
    }
    if (!status) {
        memcpy((*out)->id, id, sizeof id);
        (*out)->mixed = read->labels || read->features || read->private_edges;
        (*out)->mixed_labels = read->labels != NULL;
    }
    hrr_count_parts_clear(&parts);
    hrr_graph_free(graph);
    hrr_terms_free(terms);
    return status;
}
