/* block_counts.h: the counts of neighbours that a bundle of edgerr-node holds. */
#ifndef HRR_CLI_BLOCK_COUNTS_H
#define HRR_CLI_BLOCK_COUNTS_H

#include "cli/verb.h"

#include <heterorr/io.h>
#include <heterorr/learn.h>

/* The words that --counts takes: auto, ignore. */
const char *const *cli_counts_words(void);

typedef struct cli_block_counts {
    hrr_array count, counted;
    hrr_block_counts counts; /* n_blocks 0: the path is no such bundle */
} cli_block_counts;

/* Errors: HRR_EDATA for counts that do not go with the certificate, HRR_EIO, HRR_ENOMEM. */
hrr_status cli_block_counts_read(cli_block_counts *out, const char *bundle, hrr_error *err);
void cli_block_counts_clear(cli_block_counts *counts);

#endif
