/* model_record.h: what a model was trained on, and what was promised about it. */
#ifndef CLI_MODEL_RECORD_H
#define CLI_MODEL_RECORD_H

#include <heterorr/io.h>
#include <heterorr/release.h>
#include <jansson.h>

typedef struct cli_provenance {
    char *statement;
    hrr_terms *terms;  /* of a bundle; NULL: the graph is no release */
    double eps_labels; /* 0: labels are as they were */
    bool non_private;
    bool beside; /* other data was read with the release, of which its certificate says nothing */
} cli_provenance;

/* From BUNDLE/certificate.json, if the path is a bundle. A promise is about certified files: the
 * bundle is verified first, unless it is used as the non-private reference. read: how it is read;
 * features, labels or edges from other files are no part of the release.
 * Errors: HRR_ECHECK for a bundle that is not what its certificate says, HRR_EDATA for a
 * certificate that cannot be read, HRR_ENOMEM, HRR_ECANCEL. */
hrr_status cli_provenance_find(cli_provenance *out, const char *path, const hrr_read_options *read,
                               bool non_private, hrr_progress *progress, hrr_error *err);
/* Whether it is a release that calls itself private, and nothing was added to it. */
bool cli_provenance_is_private(const cli_provenance *provenance);
void cli_provenance_clear(cli_provenance *provenance);

/* What train wrote about a model: as cli_provenance_json() has it; NULL if it says nothing. */
json_t *cli_model_provenance(const char *model);

/* released, epsilon ("infinity" or null), private, statement. */
json_t *cli_provenance_json(const cli_provenance *provenance);

#endif
