/* pgb_table.h: what mechanisms make of PGB's queries, beside published values. */
#ifndef CLI_PGB_TABLE_H
#define CLI_PGB_TABLE_H

#include "cli/verb.h"

#include <heterorr/experiment.h>

void cli_pgb_table_print(const hrr_pgb_table *table, FILE *to);
/* NULL: no memory. */
json_t *cli_pgb_table_json(const hrr_pgb_table *table);

#endif
