/* compare_structure.h: heterorr compare structure GRAPH RELEASED: how much of a graph's structure a
 * release keeps. */
#ifndef CLI_COMPARE_STRUCTURE_H
#define CLI_COMPARE_STRUCTURE_H

#include "cli/verb.h"

#include <heterorr/io.h>

typedef struct cli_structure_args {
    int hops;
    uint32_t probes; /* 0: exact if the graph is small enough */
    uint32_t eigenvalues;
    bool exact;
} cli_structure_args;

void cli_structure_args_init(cli_structure_args *args);
/* `at` counts from a cli_structure_args. */
extern const cli_option cli_hops_options[];      /* --hops alone, which a sweep has, too */
extern const cli_option cli_exact_options[];     /* --exact alone, which every suite has */
extern const cli_option cli_structure_options[]; /* the others */

/* Prints the table, or sets task->result. Errors: those of reading and of hrr_structure_compare().
 */
hrr_status cli_compare_structure(const char *original, const char *released,
                                 const hrr_read_options *read, const cli_structure_args *args,
                                 uint64_t seed, cli_task *task, hrr_error *err);

#endif
