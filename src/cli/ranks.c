/* ranks.c: see ranks.h. */
#include "cli/ranks.h"
#include "cli/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the launcher says, because a rank that cannot connect must know whether to talk, too. */
static bool is_first(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *rank = getenv(names[i]);
        if (rank) return strcmp(rank, "0") == 0;
    }
    return true;
}

hrr_status cli_ranks_join(cli_task *task, hrr_error *err)
{
    /* Launchers end all processes as soon as one fails: rank 0 is the first to leave. */
    enum { seconds_for_rank_0 = 2 };
    if (task->ranks || !hrr_ranks_expected()) return HRR_OK;
    const bool talks = is_first();
    if (!talks) cli_be_quiet();
    if (!talks && !freopen("/dev/null", "w", stdout))
        return hrr_fail(err, HRR_EIO, "/dev/null cannot be written");
    hrr_status status = hrr_ranks_open(&task->ranks, err);
    if (status && !talks) sleep(seconds_for_rank_0);
    return status;
}

void cli_ranks_leave(cli_task *task, hrr_status status, const hrr_error *err)
{
    if (status) hrr_ranks_fail(task->ranks, err);
    hrr_ranks_free(task->ranks);
    task->ranks = NULL;
}
