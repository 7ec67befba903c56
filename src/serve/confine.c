/* confine.c: a service needs its models, its tokens and its sockets, and nothing else. Privileges
 * cannot grow (no_new_privs), other programs cannot be started nor other processes looked into
 * (seccomp), and files are only read, below given directories (Landlock), so that models can be
 * read again. */
#include <heterorr/serve.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- system calls ---------------------------------------------------------------------------- */

static const int refused[] = {
#ifndef __SANITIZE_ADDRESS__ /* which looks for leaks by tracing its own process */
    SYS_ptrace,
#endif
    SYS_execve,      SYS_execveat,     SYS_process_vm_readv, SYS_process_vm_writev,
    SYS_mount,       SYS_umount2,      SYS_pivot_root,       SYS_bpf,
    SYS_init_module, SYS_finit_module, SYS_kexec_load,       SYS_setns,
    SYS_unshare};
enum { n_refused = sizeof refused / sizeof refused[0] };

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#endif

/* A number means another call under another way to call: those are all refused. */
static bool refuse_calls(void)
{
#ifdef OWN_ARCH
    struct sock_filter filter[n_refused + 6];
    unsigned at = 0;
    filter[at++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    filter[at++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCH, 0, n_refused + 2);
    filter[at++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (unsigned i = 0; i < n_refused; i++)
        filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)refused[i],
                                                    n_refused - i, 0);
    filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    const struct sock_fprog program = {.len = (unsigned short)at, .filter = filter};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
#else
    return false;
#endif
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Of the first version: what all kernels with Landlock know. */
static const uint64_t all_of_files =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE |
    LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
    LANDLOCK_ACCESS_FS_MAKE_SYM;

static bool allow_reading(int rules, const char *path)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE |
                                                                LANDLOCK_ACCESS_FS_READ_DIR,
                                              .parent_fd = open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent_fd < 0) return true; /* what is not there is not read */
    const bool added =
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    close(rule.parent_fd);
    return added;
}

static bool refuse_files(const char *const *readable, size_t n_readable)
{
    /* What OpenMP asks when it starts threads: how many there may be. */
    static const char *const always[] = {"/sys/devices/system/cpu", "/sys/fs/cgroup", "/proc/self"};
    const struct landlock_ruleset_attr all = {.handled_access_fs = all_of_files};
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
    if (rules < 0) return false;
    bool done = true;
    for (size_t i = 0; i < n_readable; i++)
        done = done && allow_reading(rules, readable[i]);
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
        done = done && allow_reading(rules, always[i]);
    done = done && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return done;
}

void hrr_confine(hrr_confinement *out, const char *const *readable, size_t n_readable)
{
    *out = (hrr_confinement){0};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
    out->files = refuse_files(readable, n_readable);
    out->no_new_privileges = refuse_calls();
}
