#include "support/death.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

bool aborts_saying(const char *text, void (*call)(void *user), void *user)
{
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0) return false;
    pid_t child = fork();
    if (child < 0) return false;
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(SIGABRT, SIG_DFL);
        call(user);
        _exit(0);
    }
    close(ends[1]);
    char said[4096] = "";
    size_t used = 0;
    for (ssize_t got; used < sizeof said - 1; used += (size_t)got)
        if ((got = read(ends[0], said + used, sizeof said - 1 - used)) <= 0) break;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    bool right = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && strstr(said, text);
    if (!right) fprintf(stderr, "status %d, said \"%s\", expected \"%s\"\n", status, said, text);
    return right;
}
