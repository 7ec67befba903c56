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
    /* Other programs and other processes. */
    SYS_execve,
    SYS_execveat,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_pidfd_getfd,
    SYS_perf_event_open,
    /* The machine. */
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_bpf,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_setns,
    SYS_unshare,
    SYS_chroot,
    SYS_add_key,
    SYS_keyctl,
    SYS_request_key,
    /* A queue of system calls that this filter would not see. */
    SYS_io_uring_setup,
    /* What Landlock does not look at: whose a file is, who may read it, when it was written. */
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_truncate,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
#ifdef SYS_fchmodat2
    SYS_fchmodat2,
#endif
#ifdef SYS_chmod /* the old spellings, which newer machines do not have */
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
};
enum { n_refused = sizeof refused / sizeof refused[0] };

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#endif
/* The third way to call on an x86-64 (x32): the same calls under other numbers, from here on. */
enum { first_of_x32 = 0x40000000 };

/* A number means another call under another way to call: those are all refused. */
static bool refuse_calls(void)
{
#ifdef OWN_ARCH
    struct sock_filter filter[n_refused + 7];
    unsigned at = 0;
    filter[at++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    filter[at++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCH, 0, n_refused + 3);
    filter[at++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    filter[at++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, first_of_x32, n_refused + 1, 0);
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

/* Newer than some headers: what each version of Landlock can refuse beside what the one before
 * could (linux/landlock.h). */
enum {
    refer = 1 << 13,           /* version 2: moving files between directories */
    truncate_files = 1 << 14,  /* version 3 */
    connect_tcp = 1 << 1,      /* version 4, of the network */
    control_devices = 1 << 15, /* version 5 */
    other_sockets = 1 << 0,
    other_signals = 1 << 1 /* version 6: processes outside */
};

typedef struct ruleset {
    uint64_t files, network, scoped;
} ruleset;

/* All that the kernel's version can refuse. A service answers connections and makes none. */
static ruleset all_refused(int version)
{
    ruleset all = {.files = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                            LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR |
                            LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                            LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
                            LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                            LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                            LANDLOCK_ACCESS_FS_MAKE_SYM};
    if (version >= 2) all.files |= refer;
    if (version >= 3) all.files |= truncate_files;
    if (version >= 4) all.network = connect_tcp;
    if (version >= 5) all.files |= control_devices;
    if (version >= 6) all.scoped = other_sockets | other_signals;
    return all;
}

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
    const int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1u); /* 1: asks for it */
    if (version < 1) return false;
    const ruleset all = all_refused(version);
    const size_t size = version >= 6   ? sizeof all
                        : version >= 4 ? offsetof(ruleset, scoped)
                                       : offsetof(ruleset, network);
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
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
