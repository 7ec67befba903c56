/* scores_file.h: SCORES.npz: how important and how sensitive each feature is, the weights that
 * follow, where they came from, and whether they are declared public. */
#ifndef CLI_SCORES_FILE_H
#define CLI_SCORES_FILE_H

#include <heterorr/base.h>

typedef struct cli_scores {
    uint64_t n_features;
    double *alpha, *beta, *theta; /* n_features each, free() of alpha frees all */
    double gamma;
    bool is_public;
} cli_scores;

hrr_status cli_scores_new(cli_scores *out, uint64_t n_features, hrr_error *err);
void cli_scores_clear(cli_scores *scores);

/* `record`: one paragraph on where the scores came from. Replaces the file. */
hrr_status cli_scores_write(const cli_scores *scores, const char *record, const char *path,
                            hrr_error *err);
/* Errors: HRR_EDATA if the file does not hold the scores of n_features features. */
hrr_status cli_scores_read(cli_scores *out, const char *path, uint64_t n_features, hrr_error *err);

#endif
