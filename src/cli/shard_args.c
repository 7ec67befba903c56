/* shard_args.c: see shard_args.h. */
#include "cli/shard_args.h"
#include "cli/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const cli_option cli_shard_options[] = {
    {.name = "shard",
     .kind = CLI_TEXT,
     .argument = "I/N",
     .at = offsetof(cli_shard_args, shard),
     .field = "shard",
     .help =
         "make only every N-th run, starting with run I, and write it to RESULTS.csv.shard-I-of-N; "
         "N processes or machines that share a directory can divide the runs like this"},
    {.name = "merge",
     .kind = CLI_U32,
     .argument = "N",
     .least = 1,
     .most = cli_most_shards,
     .at = offsetof(cli_shard_args, merge),
     .help = "merge the rows of N finished shards into RESULTS.csv, in the order of a single "
             "process, and remove the files of the shards"},
    {0},
};

/* A whole number up to cli_most_shards, and what follows it; false: none. */
static bool read_number(uint32_t *out, const char **text)
{
    char *end;
    if (**text < '0' || **text > '9') return false;
    const unsigned long number = strtoul(*text, &end, 10);
    if (number > cli_most_shards) return false;
    *out = (uint32_t)number;
    *text = end;
    return true;
}

static hrr_status parse(hrr_shard *shard, const char *text, hrr_error *err)
{
    const char *at = text;
    if (!read_number(&shard->number, &at) || *at++ != '/' || !read_number(&shard->count, &at) ||
        *at)
        return hrr_fail(err, HRR_EINVAL,
                        "--shard: '%.40s' is not the number of a shard and the number of shards "
                        "(at most %d), such as 1/8",
                        text, cli_most_shards);
    if (shard->number == 0 || shard->number > shard->count)
        return hrr_fail(err, HRR_EINVAL,
                        "--shard %.40s: %" PRIu32 " shards are numbered 1 to %" PRIu32, text,
                        shard->count, shard->count);
    return HRR_OK;
}

static hrr_status read_ranks(hrr_shard *shard, const cli_shard_args *args, bool has_no_file,
                             const hrr_ranks *ranks, hrr_error *err)
{
    if (args->shard || args->merge)
        return hrr_fail(err, HRR_EINVAL,
                        "processes started by mpirun divide the runs and merge the results "
                        "themselves; leave --%s out",
                        args->shard ? "shard" : "merge");
    if (has_no_file)
        return hrr_fail(err, HRR_EINVAL,
                        "several processes need a results file: name it with -o RESULTS.csv");
    *shard = (hrr_shard){(uint32_t)hrr_ranks_rank(ranks) + 1, (uint32_t)hrr_ranks_size(ranks)};
    return HRR_OK;
}

hrr_status cli_shard_wait(hrr_shard *shard, bool *is_done, hrr_ranks *ranks, hrr_error *err)
{
    *is_done = hrr_ranks_rank(ranks) != 0;
    if (hrr_ranks_size(ranks) == 1) return HRR_OK;
    shard->number = 0;
    return hrr_ranks_barrier(ranks, err);
}

hrr_status cli_shard_read(hrr_shard *shard, const cli_shard_args *args, bool has_no_file,
                          const hrr_ranks *ranks, hrr_error *err)
{
    if (hrr_ranks_size(ranks) > 1) return read_ranks(shard, args, has_no_file, ranks, err);
    *shard = (hrr_shard){.count = args->merge};
    if (!args->shard && !args->merge) return HRR_OK;
    if (args->shard && args->merge)
        return hrr_fail(err, HRR_EINVAL,
                        "--shard makes runs, and --merge merges them when all shards are finished; "
                        "leave one of them out");
    if (has_no_file)
        return hrr_fail(err, HRR_EINVAL, "--%s needs a results file: name it with -o RESULTS.csv",
                        args->shard ? "shard" : "merge");
    return args->shard ? parse(shard, args->shard, err) : HRR_OK;
}

hrr_status cli_shard_tell(hrr_shard shard, const char *results, cli_task *task, hrr_error *err)
{
    char *path = hrr_shard_path(results, shard);
    hrr_status status = path ? HRR_OK : hrr_fail(err, HRR_ENOMEM, "out of memory");
    if (!status && task->json) {
        task->result = json_pack("{s:I, s:I, s:o}", "shard", (json_int_t)shard.number, "shards",
                                 (json_int_t)shard.count, "results", cli_json_text(path));
        if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    } else if (!status) {
        fprintf(task->talk,
                "shard %" PRIu32 " of %" PRIu32
                " is finished, and its runs are in %s. When all shards are finished, the same "
                "command with --merge %" PRIu32 " instead of --shard merges them into %s\n",
                shard.number, shard.count, path, shard.count, results);
    }
    hrr_free(path);
    return status;
}
