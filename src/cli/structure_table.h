/* structure_table.h: what mechanisms leave of a graph's structure, statistic by statistic, for
 * people and for scripts. */
#ifndef CLI_STRUCTURE_TABLE_H
#define CLI_STRUCTURE_TABLE_H

#include "cli/verb.h"

#include <heterorr/experiment.h>

void cli_structure_print(const hrr_structure_mean *means, size_t n, FILE *to);
json_t *cli_structure_json(const hrr_structure_mean *means, size_t n);

#endif
