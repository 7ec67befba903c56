/* ledger_sql.c: SQLite with our errors: a status, and a sentence that says what to do. */
#include "privacy/ledger.h"
#include "base/memory.h"

hrr_status hrr_ledger_sql_fail(const hrr_ledger *ledger, hrr_error *err)
{
    const char *path = ledger->path;
    const int code = sqlite3_extended_errcode(ledger->database);
    const char *words = sqlite3_errmsg(ledger->database);
    switch (code & 0xff) {
    case SQLITE_NOMEM:
        return hrr_no_memory(err);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        if (hrr_progress_cancelled(ledger->progress))
            return hrr_progress_advance(ledger->progress, 0, err);
        return hrr_fail(err, HRR_EIO,
                        "%s: another process has locked the ledger; try again when it is done",
                        path);
    case SQLITE_FULL:
        return hrr_fail(
            err, HRR_EIO,
            "%s: the disk is full, so the ledger cannot be written; free some space and try again",
            path);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        return hrr_fail(err, HRR_EIO,
                        "%s: the ledger and its directory must be writable (%s); change their "
                        "permissions or name another ledger",
                        path, words);
    case SQLITE_NOTADB:
        return hrr_fail(err, HRR_EDATA,
                        "%s: is not a ledger: it is not an SQLite database, or its beginning was "
                        "overwritten; restore it from a backup or name another file",
                        path);
    case SQLITE_CORRUPT:
        return hrr_fail(err, HRR_EDATA,
                        "%s: the ledger is damaged (%s); restore it from a backup, and do not "
                        "protect the same data again before you know what was spent",
                        path, words);
    default:
        return hrr_fail(err, HRR_EIO, "%s: the ledger cannot be used: %s (SQLite error %d)", path,
                        words, code);
    }
}

hrr_status hrr_ledger_run(hrr_ledger *ledger, const char *sql, hrr_error *err)
{
    int code = sqlite3_exec(ledger->database, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? HRR_OK : hrr_ledger_sql_fail(ledger, err);
}

hrr_status hrr_ledger_prepare(sqlite3_stmt **out, hrr_ledger *ledger, const char *sql,
                              hrr_error *err)
{
    int code = sqlite3_prepare_v2(ledger->database, sql, -1, out, NULL);
    return code == SQLITE_OK ? HRR_OK : hrr_ledger_sql_fail(ledger, err);
}

hrr_status hrr_ledger_step(bool *row, hrr_ledger *ledger, sqlite3_stmt *statement, hrr_error *err)
{
    int code = sqlite3_step(statement);
    *row = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? HRR_OK : hrr_ledger_sql_fail(ledger, err);
}

hrr_status hrr_ledger_number(int64_t *out, hrr_ledger *ledger, const char *sql, hrr_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    *out = 0;
    hrr_status status = hrr_ledger_prepare(&statement, ledger, sql, err);
    if (!status) status = hrr_ledger_step(&row, ledger, statement, err);
    if (row) *out = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return status;
}

hrr_status hrr_ledger_end(hrr_ledger *ledger, hrr_status status, hrr_error *err)
{
    if (!status) status = hrr_ledger_run(ledger, "COMMIT", err);
    /* Some failures have rolled back already; then there is nothing to undo. */
    if (status && !sqlite3_get_autocommit(ledger->database))
        sqlite3_exec(ledger->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}
