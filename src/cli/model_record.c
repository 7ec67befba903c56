/* model_record.c: see model_record.h. A model says for ever what it was trained on. For a release
 * that is the certificate's own statement; for the non-private reference an infinite epsilon; for
 * any other graph, that nothing is promised because nothing was called private. */
#include "cli/model_record.h"
#include "cli/graph_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hrr_status load_certificate(json_t **out, const char *bundle, hrr_error *err)
{
    char path[4096];
    json_error_t wrong;
    snprintf(path, sizeof path, "%s/certificate.json", bundle);
    *out = json_load_file(path, JSON_REJECT_DUPLICATES, &wrong);
    if (*out && json_is_string(json_object_get(*out, "statement"))) return HRR_OK;
    json_decref(*out);
    *out = NULL;
    return hrr_fail(
        err, HRR_EDATA,
        "%s: is not a certificate that can be read; the bundle is damaged, make it anew", path);
}

static double eps_of_labels(const json_t *certificate)
{
    const json_t *labels = json_object_get(certificate, "labels");
    const char *text = json_string_value(json_object_get(labels, "requested_eps"));
    return text ? strtod(text, NULL) : 0;
}

hrr_status cli_provenance_find(cli_provenance *out, const char *path, bool non_private,
                               hrr_error *err)
{
    *out = (cli_provenance){.non_private = non_private};
    const char *statement = "The graph is no release and marks nothing as private; nothing is "
                            "promised about it.";
    if (cli_is_release(path)) {
        hrr_status status = load_certificate(&out->certificate, path, err);
        if (status) return status;
        out->eps_labels = eps_of_labels(out->certificate);
        statement = json_string_value(json_object_get(out->certificate, "statement"));
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
    json_decref(provenance->certificate);
    *provenance = (cli_provenance){0};
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
    const json_t *is_private = json_object_get(p->certificate, "private");
    return json_pack("{s:b, s:o, s:b, s:s}", "released", p->certificate && !p->non_private,
                     "epsilon", p->non_private ? json_string("infinity") : json_null(), "private",
                     json_is_true(is_private) && !p->non_private, "statement", p->statement);
}
