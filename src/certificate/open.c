/* open.c: a bundle becomes a release again. What its certificate promises is about the files that
 * it lists, so they are checked first: whoever replaces edges.npy by the private edges keeps the
 * certificate's words, but not what they promise. */
#include "certificate/release.h"
#include "io/file_names.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/options.h"

static hrr_status check(const char *bundle, hrr_progress *progress, hrr_error *err)
{
    hrr_findings findings;
    hrr_status status = hrr_verify_bundle(&findings, bundle, progress, err);
    if (status || findings.count == 0) return status;
    return hrr_fail(err, HRR_ECHECK,
                    "%s: is not what its certificate says, so nothing is promised about it: %s%s",
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

hrr_status hrr_release_open(hrr_release **out, const char *bundle, const hrr_read_options *read,
                            hrr_progress *progress, hrr_error *err)
{
    hrr_read_options own;
    hrr_terms *terms = NULL;
    hrr_graph *graph = NULL;
    hrr_array count = {0}, counted = {0};
    *out = NULL;
    hrr_status status = HRR_ADOPT(hrr_read_options, &own, read, err);
    read = &own;
    if (!status) status = check(bundle, progress, err);
    if (!status) status = hrr_terms_read(&terms, bundle, err);
    if (!status) status = hrr_graph_read(&graph, bundle, read, progress, err);
    if (!status) status = read_part(&count, bundle, "block_counts.npy", err);
    if (!status && count.data) status = read_part(&counted, bundle, "counted.npy", err);
    if (!status) status = hrr_release_assemble(out, &graph, &terms, &count, &counted, err);
    if (!status) {
        (*out)->mixed = read->labels || read->features || read->private_edges;
        (*out)->mixed_labels = read->labels != NULL;
    }
    hrr_array_clear(&count);
    hrr_array_clear(&counted);
    hrr_graph_free(graph);
    hrr_terms_free(terms);
    return status;
}
