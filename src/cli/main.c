/* main.c: the heterorr command: the process around the verbs. Results on stdout, everything else
 * on stderr; with --json exactly one object, whatever happens; the exit code says which kind of
 * failure it was. */
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/ranks.h"
#include "cli/verb.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int exit_code(hrr_status status)
{
    switch (status) {
    case HRR_OK:
        return 0;
    case HRR_ENOMEM:
    case HRR_ERANKS:
        return 1;
    case HRR_EINVAL:
        return 2;
    case HRR_EDATA:
    case HRR_EIO:
        return 3;
    case HRR_EBUDGET:
        return 4;
    case HRR_ECHECK:
        return 5;
    case HRR_ECANCEL:
        return 130;
    }
    return 1;
}

/* Looked for before parsing, because an error in the options is an error in JSON too. */
static bool wants_json(char **words)
{
    for (; *words && strcmp(*words, "--") != 0; words++)
        if (strcmp(*words, "--json") == 0) return true;
    return false;
}

/* Every byte must have arrived: a full disk or a closed pipe is a failure like any other. */
static hrr_status check_stdout(hrr_error *err)
{
    errno = 0;
    bool failed = fflush(stdout) != 0 || ferror(stdout);
    if (!failed) return HRR_OK;
    return hrr_fail(err, HRR_EIO, "standard output cannot be written%s%s", errno ? ": " : "",
                    errno ? strerror(errno) : "");
}

static hrr_status print_json(const json_t *object, hrr_error *err)
{
    if (!object) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    if (json_dumpf(object, stdout, JSON_INDENT(2)) == 0) putchar('\n');
    return HRR_OK;
}

static void print_json_error(const hrr_error *error)
{
    json_t *object = json_pack(
        "{s:{s:s, s:o, s:s*}}", "error", "code", hrr_status_name(error->status), "message",
        cli_json_text(error->message), "field", error->field[0] ? error->field : NULL);
    print_json(object, NULL);
    json_decref(object);
}

static hrr_status run(const char *const *words, cli_task *task, hrr_error *err)
{
    hrr_status status = cli_progress_start(&task->progress, err);
    if (status) return status;
    status = cli_dispatch(words, task, err);
    /* An interrupted system call fails in many ways; they all mean that the user said stop. */
    if (status && status != HRR_ECANCEL && hrr_progress_cancelled(task->progress))
        status = hrr_fail(err, HRR_ECANCEL, "interrupted; no incomplete file was left");
    cli_progress_stop(task->progress);
    return status;
}

/* Threads of OpenMP that wait for the next loop spin, by default for some 10 ms: on a machine with
 * other work they take the processor from the very thread that they wait for, and small loops
 * become fifty times slower. The library reads its environment when it is loaded, so it is set here
 * and the program begins again. Whoever has set it stays in charge. */
static void wait_politely(char **argv)
{
    if (getenv("GOMP_SPINCOUNT") || getenv("OMP_WAIT_POLICY")) return;
    if (setenv("GOMP_SPINCOUNT", "1000", 1) == 0) execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
    (void)argc;
    wait_politely(argv);
    setlocale(LC_CTYPE, ""); /* what the terminal can show; numbers stay in the C locale */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like a full disk */
    cli_task task = {.talk = stdout, .json = wants_json(argv + 1)};
    hrr_error err = {0};
    hrr_status status = run((const char *const *)argv + 1, &task, &err);
    if (!status && task.result) status = print_json(task.result, &err);
    if (status && task.json) print_json_error(&err);
    json_decref(task.result);
    hrr_error output = {0};
    hrr_status delivered = check_stdout(&output);
    if (status) cli_error(err.message);
    if (delivered) cli_error(output.message);
    cli_ranks_leave(&task, status, &err);
    return exit_code(status ? status : delivered);
}
