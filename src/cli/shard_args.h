/* shard_args.h: --shard and --merge: a sweep that many processes share. */
#ifndef CLI_SHARD_ARGS_H
#define CLI_SHARD_ARGS_H

#include "cli/verb.h"

#include <heterorr/experiment.h>

typedef struct cli_shard_args {
    const char *shard; /* "2/8"; NULL: none */
    uint32_t merge;    /* 0: no */
} cli_shard_args;

extern const cli_option cli_shard_options[];

enum { cli_most_shards = 100000 };

/* What the words say; of several processes that mpirun started, each has a shard. has_no_file: rows
 * would go to standard output. Errors: HRR_EINVAL. */
hrr_status cli_shard_read(hrr_shard *shard, const cli_shard_args *args, bool has_no_file,
                          const hrr_ranks *ranks, hrr_error *err);

/* After a shard: waits for the other ranks, if there are any. *shard becomes what is left to do for
 * this one: to put the shards together, at rank 0, or nothing (*is_done). Alone, nothing changes.
 */
hrr_status cli_shard_wait(hrr_shard *shard, bool *is_done, hrr_ranks *ranks, hrr_error *err);

/* Say that a shard is done and where its rows are. Errors: HRR_ENOMEM. */
hrr_status cli_shard_tell(hrr_shard shard, const char *results, cli_task *task, hrr_error *err);

#endif
