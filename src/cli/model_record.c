/* model_record.c: see model_record.h. A model says for ever what it was trained on. For a release
 * that is the certificate's own statement; for the non-private reference an infinite epsilon; for
 * any other graph, that nothing is promised because nothing was called private. */
#include "cli/model_record.h"
#include "cli/graph_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whoever replaces edges.npy by the private edges keeps the certificate's words, but not what they
 * promise. */
static hrr_status check_release(const char *path, hrr_progress *progress, hrr_error *err)
{
    hrr_findings findings;
    hrr_status status = hrr_verify_bundle(&findings, path, progress, err);
    if (status || findings.count == 0) return status;
    return hrr_fail(err, HRR_ECHECK,
                    "%s: is not what its certificate says, so nothing is promised about it: %s "
                    "(heterorr verify says more)",
                    path, findings.text[0]);
}

/* What a certificate says is about the files of its bundle. */
static void read_release(const char **statement, cli_provenance *out, const hrr_read_options *read)
{
    out->beside = read->labels || read->features || read->private_edges;
    if (!read->labels)
        out->eps_labels =
            (double)hrr_terms_of(out->terms, HRR_PART_LABELS).eps_nano / (double)HRR_EPS_UNIT;
    *statement = out->beside ? "Nothing is promised: the release was read together with other "
                               "data, which its certificate does not speak of."
                             : hrr_terms_statement(out->terms);
}

hrr_status cli_provenance_find(cli_provenance *out, const char *path, const hrr_read_options *read,
                               bool non_private, hrr_progress *progress, hrr_error *err)
{
    *out = (cli_provenance){.non_private = non_private};
    const char *statement = "The graph is no release and marks nothing as private; nothing is "
                            "promised about it.";
    if (cli_is_release(path)) {
        hrr_status status = non_private ? HRR_OK : check_release(path, progress, err);
        if (!status) status = hrr_terms_read(&out->terms, path, err);
        if (status) return status;
        read_release(&statement, out, read);
    }
    if (non_private)
        statement =
            "NOT PRIVATE: trained on the graph as it is, private edges included; epsilon is "
            "infinite.";
    out->statement = strdup(statement);
    return out->statement ? HRR_OK : hrr_fail(err, HRR_ENOMEM, "out of memory");
}

void cli_provenance_clear(cli_provenance *provenance)
{
    free(provenance->statement);
    hrr_terms_free(provenance->terms);
    *provenance = (cli_provenance){0};
}

bool cli_provenance_is_private(const cli_provenance *provenance)
{
    return provenance->terms && !provenance->beside && hrr_terms_are_private(provenance->terms);
}

json_t *cli_model_provenance(const char *model)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/model.json", model);
    json_t *all = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    json_t *said = json_object_get(json_object_get(all, "training"), "provenance");
    json_incref(said);
    json_decref(all);
    return said;
}

json_t *cli_provenance_json(const cli_provenance *p)
{
    const bool released = p->terms && !p->beside && !p->non_private;
    return json_pack("{s:b, s:o, s:b, s:s}", "released", released, "epsilon",
                     p->non_private ? json_string("infinity") : json_null(), "private",
                     cli_provenance_is_private(p) && !p->non_private, "statement", p->statement);
}
