/* What a confined process is refused. It cannot be let go again: each question is asked by a child.
 */
#include "support/check.h"

#include <heterorr/serve.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char below[] = "/tmp/heterorr-confine-XXXXXX", above[64], file[96];

/* Each: 0 if it was done, else errno. */
static int failed(long result)
{
    return result < 0 ? errno : 0;
}
static int reads_below(void)
{
    return failed(open(file, O_RDONLY | O_CLOEXEC));
}
static int reads_elsewhere(void)
{
    return failed(open("/etc/passwd", O_RDONLY | O_CLOEXEC));
}
static int writes(void)
{
    return failed(open(file, O_WRONLY | O_CLOEXEC));
}
static int makes(void)
{
    return failed(mkdir(above, 0700));
}
static int truncates(void)
{
    return failed(truncate(file, 0));
}
static int truncates_open(void)
{
    return failed(open(file, O_RDONLY | O_TRUNC | O_CLOEXEC));
}
static int changes_mode(void)
{
    return failed(chmod(file, 0666));
}
static int changes_owner(void)
{
    return failed(chown(file, getuid(), getgid()));
}
static int starts(void)
{
    char name[] = "/bin/true";
    char *words[] = {name, NULL};
    return failed(execv(name, words));
}
static int connects(void)
{
    const struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return failed(connect(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
                          (const struct sockaddr *)&to, sizeof to));
}
static int signals_its_parent(void)
{
    return failed(kill(getppid(), 0));
}
#ifdef __x86_64__
/* getpid() by the numbers of x32; a kernel without them says ENOSYS. */
static int calls_by_other_numbers(void)
{
    return failed(syscall(0x40000000 | SYS_getpid));
}
#endif

/* What the child finds; confined or not. */
static int ask(int (*question)(void), bool confined, hrr_confinement *found)
{
    int ends[2], answer = -1;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const char *const readable[] = {below};
        struct {
            hrr_confinement found;
            int answer;
        } said = {{0}, 0};
        if (confined) hrr_confine(&said.found, readable, 1);
        said.answer = question();
        _exit(write(ends[1], &said, sizeof said) != sizeof said);
    }
    close(ends[1]);
    struct {
        hrr_confinement found;
        int answer;
    } said;
    if (read(ends[0], &said, sizeof said) == sizeof said) {
        answer = said.answer;
        *found = said.found;
    }
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return answer;
}

static int landlock_version(void)
{
    const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1u);
    return version > 0 ? (int)version : 0;
}

static void test_confine__refuses_all_but_reading_what_was_named(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int (*question)(void);
        int version; /* of Landlock that refuses it; 0: seccomp does */
        int refused; /* with; 0: it is allowed */
    } rows[] = {
        {"reads below", reads_below, 1, 0},
        {"reads elsewhere", reads_elsewhere, 1, EACCES},
        {"writes", writes, 1, EACCES},
        {"makes a directory", makes, 1, EACCES},
        {"truncates", truncates, 0, EPERM},
        {"truncates by opening", truncates_open, 3, EACCES},
        {"changes who may read", changes_mode, 0, EPERM},
        {"changes whose it is", changes_owner, 0, EPERM},
        {"starts a program", starts, 0, EPERM},
        {"connects", connects, 4, EACCES},
        {"signals another process", signals_its_parent, 6, EPERM},
#ifdef __x86_64__
        {"calls by other numbers", calls_by_other_numbers, 0, EPERM},
#endif
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hrr_confinement found = {0};
        const int said = ask(rows[i].question, true, &found);
        print_message("%s: %s\n", rows[i].what, strerror(said));
        const bool can_refuse =
            rows[i].version ? landlock_version() >= rows[i].version : found.no_new_privileges;
        if (!can_refuse && rows[i].refused)
            print_message("SKIPPED: this kernel cannot refuse it\n");
        else
            assert_int_equal(said, rows[i].refused);
    }
}

/* The questions themselves can be answered with yes. */
static void test_confine__is_what_refuses(void **state)
{
    (void)state;
    hrr_confinement found;
    int (*const allowed[])(void) = {reads_below,   reads_elsewhere,   writes,
                                    truncates,     truncates_open,    changes_mode,
                                    changes_owner, signals_its_parent};
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
        assert_int_equal(ask(allowed[i], false, &found), 0);
    assert_int_equal(ask(connects, false, &found), ECONNREFUSED);
}

static int make_places(void **state)
{
    (void)state;
    if (!mkdtemp(below)) return -1;
    snprintf(above, sizeof above, "%s-above", below);
    snprintf(file, sizeof file, "%s/file", below);
    const int made = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    return made < 0 ? -1 : close(made);
}

static int remove_places(void **state)
{
    (void)state;
    unlink(file);
    rmdir(above);
    return rmdir(below);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_confine__refuses_all_but_reading_what_was_named),
        cmocka_unit_test(test_confine__is_what_refuses),
    };
    return cmocka_run_group_tests(tests, make_places, remove_places);
}
