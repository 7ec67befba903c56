/* compare_mechanisms.h: heterorr compare --structure GRAPH --mechanisms ...: edge mechanisms side
 * by side on one graph, as rows of a results file. */
#ifndef CLI_COMPARE_MECHANISMS_H
#define CLI_COMPARE_MECHANISMS_H

#include "cli/verb.h"

#include <heterorr/experiment.h>
#include <heterorr/io.h>

typedef struct cli_mechanisms_args {
    const char *mechanisms; /* NULL: no sweep is asked for */
    const char *eps_edges, *private_fractions, *tree;
    uint32_t runs;
} cli_mechanisms_args;

void cli_mechanisms_args_init(cli_mechanisms_args *args);
/* `at` counts from a cli_mechanisms_args. */
extern const cli_option cli_mechanisms_options[];

/* Runs what is not in `results` yet, then says what the file holds. */
hrr_status cli_compare_mechanisms(const char *graph, const char *results,
                                  const hrr_read_options *read, const cli_mechanisms_args *args,
                                  int hops, uint64_t seed, cli_task *task, hrr_error *err);

#endif
