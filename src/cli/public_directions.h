/* public_directions.h: what --directions, --public-sample and --public-head say. */
#ifndef HRR_CLI_PUBLIC_DIRECTIONS_H
#define HRR_CLI_PUBLIC_DIRECTIONS_H

#include "cli/verb.h"

#include <heterorr/feature.h>

typedef struct cli_directions_words {
    const char *directions; /* FILE.npy, pca:R, head or head:R; NULL: none */
    const char *sample, *head;
} cli_directions_words;

/* `at` counts from a cli_directions_words. */
extern const cli_option cli_directions_options[];

typedef struct cli_directions {
    hrr_projection projection;
    char from[200]; /* one phrase for the certificate */
} cli_directions;

/* What can be said of the words alone. */
hrr_status cli_directions_check(const cli_directions_words *words, hrr_error *err);

/* A head that takes so many features; hrr_head_clear(). What its file does not say: classes, or a
 * label if there is one output. */
hrr_status cli_head_read(hrr_head *out, const char *path, uint64_t n_features, hrr_error *err);

/* lo, hi: public bounds of the n_features features. */
hrr_status cli_directions_read(cli_directions *out, const cli_directions_words *words,
                               uint64_t n_features, const double *lo, const double *hi,
                               hrr_error *err);
void cli_directions_clear(cli_directions *directions);

#endif
