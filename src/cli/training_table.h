/* training_table.h: what a results file of trained networks says, for people and for scripts. */
#ifndef CLI_TRAINING_TABLE_H
#define CLI_TRAINING_TABLE_H

#include "cli/verb.h"

#include <heterorr/experiment.h>

/* The table and the plain sentences under it. */
void cli_training_print(const hrr_training_mean *means, size_t n, FILE *to);
/* A test as an object; null if there is no control. */
json_t *cli_worth_test_json(const hrr_worth_test *test, const char *verdict);
/* The same as a list of objects. */
json_t *cli_training_json(const hrr_training_mean *means, size_t n);

#endif
