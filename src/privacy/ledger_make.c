/* ledger_make.c: a ledger that does not exist yet.
 *
 * It is made in memory and put into its place in one step that replaces nothing (base/new_file.h).
 * So a process that is killed, or a disk that is full, leaves either no ledger or a whole one
 * without entries, and of several processes that make it at once one succeeds and the others find
 * its ledger.
 *
 * A file that is missing and a file that was lost look alike, and taking the second for the first
 * would forget what was spent. The key is made after the ledger and a journal exists only beside
 * one; either of them without a ledger can only mean that a ledger was lost, and is refused. */
#include "privacy/ledger.h"
#include "base/memory.h"
#include "base/new_file.h"
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
                              "%s: there is a %s (%s) but no ledger: the ledger was moved or lost. "
                              "Put it back; or, if you are sure that nothing was ever spent, "
                              "remove the %s and start a new ledger",
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
        status = hrr_new_file_put(&was_there, ledger->path, bytes, (size_t)size, "the ledger", err);
    sqlite3_free(bytes);
    return status;
}

hrr_status hrr_ledger_make_check(const hrr_ledger *ledger, hrr_error *err)
{
    hrr_status status = refuse_lost(ledger, err);
    const int reason = status ? 0 : hrr_path_reason(ledger->path);
    if (!reason) return status;
    return hrr_fail(err, HRR_EIO, "%s: cannot create the ledger: %s", ledger->path,
                    strerror(reason));
}
