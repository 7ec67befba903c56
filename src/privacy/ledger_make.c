/* ledger_make.c: a ledger that does not exist yet.
 *
 * It is made in memory, written beside its place, synced, and put there in one step that replaces
 * nothing. So a process that is killed, or a disk that is full, leaves either no ledger or a whole
 * one without entries, and of several processes that make it at once one succeeds and the others
 * find its ledger. What may stay behind is a hidden file ".NAME.partial-...", which nobody reads.
 *
 * A file that is missing and a file that was lost look alike, and taking the second for the first
 * would forget what was spent. The key is made after the ledger and a journal exists only beside
 * one; either of them without a ledger can only mean that a ledger was lost, and is refused. */
#include "privacy/ledger.h"
#include "base/memory.h"
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- a small file, whole or not at all ------------------------------------------------------ */

static bool write_all(int fd, const unsigned char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes += written;
        size -= (size_t)written;
    }
    return fsync(fd) == 0;
}

/* Some file systems know only one of the two ways to put a file where none may be. */
static int move_without_replacing(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    if (link(from, to) != 0) return -1;
    unlink(from);
    return 0;
}

static hrr_status cannot_make(const char *path, const char *what, int reason, hrr_error *err)
{
    return hrr_fail(err, HRR_EIO, "%s: %s cannot be made: %s", path, what, strerror(reason));
}

hrr_status hrr_ledger_put_file(bool *was_there, const char *path, const void *bytes, size_t size,
                               const char *what, hrr_error *err)
{
    *was_there = false;
    char *partial = hrr_path_partial(path);
    if (!partial) return hrr_no_memory(err);
    /* For nobody but its owner. */
    int fd = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool made = fd >= 0 && write_all(fd, bytes, size);
    int reason = errno;
    if (fd >= 0 && close(fd) != 0 && made) {
        made = false;
        reason = errno;
    }
    if (made && move_without_replacing(partial, path) != 0) {
        made = false;
        reason = errno;
        *was_there = reason == EEXIST;
    }
    if (!made && fd >= 0) unlink(partial);
    hrr_free(partial);
    if (made) return hrr_path_sync_parent(path, err);
    if (*was_there) return HRR_OK;
    return cannot_make(path, what, reason, err);
}

/* ---- the ledger ----------------------------------------------------------------------------- */

static bool exists(const char *path)
{
    return access(path, F_OK) == 0 || errno != ENOENT;
}

/* What is beside a ledger and never without one. */
static hrr_status refuse_lost(const hrr_ledger *ledger, hrr_error *err)
{
    static const struct {
        const char *suffix, *what;
    } beside[] = {{".key", "key"}, {"-journal", "journal"}, {"-wal", "journal"}};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        char *other = hrr_format_text("%s%s", ledger->path, beside[i].suffix);
        if (!other) return hrr_no_memory(err);
        hrr_status status = HRR_OK;
        /* Asked in this order: another process makes the ledger before these. */
        if (exists(other) && !exists(ledger->path))
            status = hrr_fail(err, HRR_EDATA,
                              "%s: there is a %s (%s) but no ledger: it was moved or lost. Put it "
                              "back; or, if you are sure that nothing was ever spent, remove the "
                              "%s to begin anew",
                              ledger->path, beside[i].what, other, beside[i].what);
        hrr_free(other);
        if (status) return status;
    }
    return HRR_OK;
}

/* The bytes of a ledger without entries and key; *bytes: sqlite3_free(). */
static hrr_status build(unsigned char **bytes, sqlite3_int64 *size, const char *path,
                        hrr_error *err)
{
    *bytes = NULL;
    char *name = hrr_copy_text(path); /* for messages */
    if (!name) return hrr_no_memory(err);
    hrr_ledger made = {.path = name};
    hrr_status status = HRR_OK;
    if (sqlite3_open(":memory:", &made.database) != SQLITE_OK)
        status = made.database ? hrr_ledger_sql_fail(&made, err) : hrr_no_memory(err);
    if (!status) status = hrr_ledger_schema_make(&made, err);
    if (!status && !(*bytes = sqlite3_serialize(made.database, "main", size, 0)))
        status = hrr_no_memory(err);
    sqlite3_close(made.database);
    hrr_free(name);
    return status;
}

hrr_status hrr_ledger_make(const hrr_ledger *ledger, hrr_error *err)
{
    unsigned char *bytes;
    sqlite3_int64 size;
    bool was_there;
    if (exists(ledger->path)) return HRR_OK;
    hrr_status status = refuse_lost(ledger, err);
    if (status || exists(ledger->path)) return status;
    status = build(&bytes, &size, ledger->path, err);
    if (!status)
        status =
            hrr_ledger_put_file(&was_there, ledger->path, bytes, (size_t)size, "the ledger", err);
    sqlite3_free(bytes);
    return status;
}

hrr_status hrr_ledger_make_check(const hrr_ledger *ledger, hrr_error *err)
{
    hrr_status status = refuse_lost(ledger, err);
    const int reason = status ? 0 : hrr_path_reason(ledger->path);
    return reason ? cannot_make(ledger->path, "the ledger", reason, err) : status;
}
