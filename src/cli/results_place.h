/* results_place.h: where the rows of a sweep go: a file that the user named, or a scratch file
 * for rows that nobody keeps or that are printed in the end. */
#ifndef CLI_RESULTS_PLACE_H
#define CLI_RESULTS_PLACE_H

#include "cli/verb.h"

#include <heterorr/base.h>

/* -o of a sweep, for a table of options; place: where its const char * is. */
#define CLI_RESULTS_OPTION(place)                                                                  \
    {                                                                                              \
        .name = "output", .letter = 'o', .kind = CLI_PATH, .argument = "RESULTS.csv", .at = place, \
        .help = "write one row per run; a file that exists is continued, and its runs are not "    \
                "repeated. - writes rows to standard output and the table to standard error"       \
    }

typedef struct cli_results_place {
    const char *file; /* the rows; good until cli_results_close() */
    char scratch[560];
    size_t directory_length; /* of the part of scratch that is the directory; 0: no scratch */
} cli_results_place;

/* The place for `output`; NULL: a scratch file, which cli_results_close() removes.
 * Errors: HRR_EIO. */
hrr_status cli_results_open(cli_results_place *place, const char *output, hrr_error *err);

/* Copy what the file has to standard output; a file that was not begun has nothing. */
void cli_results_print(const cli_results_place *place);

void cli_results_close(cli_results_place *place);

#endif
