/* ledger_open.c: finding and opening a ledger.
 *
 * Journal. A rollback journal with synchronous=EXTRA, not a write-ahead log: a charge takes one
 * transaction a release, so speed does not matter, and between transactions the ledger is one whole
 * file that can be copied, and read on a medium that cannot be written. A process that is killed at
 * any instant leaves either the old file, or the old file and a journal from which the next one to
 * open it restores it, or the new file, synced with its directory before the call returned.
 *
 * Making, in this order: (1) a whole ledger without entries appears (ledger_make.c), (2) a key as
 * PATH.key.new, (3) a check value of it in the ledger, under the ledger's write lock, (4) the key
 * takes its name, PATH.key. Killed or out of room in between, the next run goes on from there, and
 * what is there is a ledger without entries. So a key with its name is always that of a ledger that
 * says so. One beside a ledger without a check value means that somebody who has no key emptied the
 * ledger or put another in its place: sealing it anew would forget what was spent. Entries without
 * a key mean that the key was lost. All of that is refused before anything is written. */
#include "base/memory.h"
#include "base/paths.h"
#include "privacy/ledger.h"
#include "privacy/charge.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- where ---------------------------------------------------------------------------------- */

hrr_status hrr_ledger_default_path(char **out, hrr_error *err)
{
    /* The XDG base directory specification: a path that is not absolute counts as none. */
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    *out = NULL;
    if (data && data[0] == '/')
        *out = hrr_format_text("%s/heterorr/ledger.sqlite", data);
    else if (home && home[0] == '/')
        *out = hrr_format_text("%s/.local/share/heterorr/ledger.sqlite", home);
    else
        return hrr_fail(err, HRR_EINVAL,
                        "cannot locate the ledger: neither XDG_DATA_HOME nor HOME is set; give its "
                        "path (`ledger`)");
    return *out ? HRR_OK : hrr_no_memory(err);
}

static hrr_status no_directory(const char *path, int reason, hrr_error *err)
{
    return hrr_fail(err, HRR_EIO, "%s: cannot create the directory of the ledger: %s", path,
                    strerror(reason));
}

/* Whether make_directories() could do it: *ready if they are all there. */
static hrr_status check_directories(bool *ready, char *path, hrr_error *err)
{
    *ready = true;
    for (char *slash = path + 1; *ready && (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        int reason = access(path, F_OK) == 0 ? 0 : errno;
        *ready = !reason;
        if (reason == ENOENT) reason = hrr_path_reason(path);
        hrr_status status = reason ? no_directory(path, reason, err) : HRR_OK;
        *slash = '/';
        if (status) return status;
    }
    return HRR_OK;
}

/* The directories above the default path, for nobody but the user. */
static hrr_status make_directories(char *path, hrr_error *err)
{
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        bool made = mkdir(path, 0700) == 0;
        hrr_status status = HRR_OK;
        if (made)
            status = hrr_path_sync_parent(path, err);
        else if (errno != EEXIST)
            status = no_directory(path, errno, err);
        *slash = '/';
        if (status) return status;
    }
    return HRR_OK;
}

/* ---- the database --------------------------------------------------------------------------- */

static int wait_for_others(void *user, int waits)
{
    const hrr_ledger *ledger = user;
    if (waits >= ledger->most_waits || hrr_progress_cancelled(ledger->progress)) return 0;
    sqlite3_sleep(hrr_ledger_wait_ms);
    return 1;
}

static hrr_status open_database(hrr_ledger *ledger, hrr_error *err)
{
    int code = sqlite3_open_v2(
        ledger->path, &ledger->database,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, NULL);
    if (!ledger->database) return hrr_no_memory(err);
    if (code != SQLITE_OK) return hrr_ledger_sql_fail(ledger, err);
    sqlite3_extended_result_codes(ledger->database, 1);
    sqlite3_busy_handler(ledger->database, wait_for_others, ledger);
    /* What a file says must not become what this process does. */
    sqlite3_db_config(ledger->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(ledger->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return hrr_ledger_run(ledger, "PRAGMA cell_size_check = ON; PRAGMA synchronous = EXTRA", err);
}

/* id and key_check of the ledger's one row; *has_check false: none is set yet, and no entry can be
 * there. */
static hrr_status read_identity(uint8_t key_check[HRR_FINGERPRINT_SIZE], bool *has_check,
                                hrr_ledger *ledger, hrr_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool row = false, good = false, has_entries = false;
    hrr_status status = hrr_ledger_prepare(
        &statement, ledger,
        "SELECT id, key_check, n_entries > 0 OR EXISTS (SELECT 1 FROM entry) FROM ledger", err);
    if (!status) status = hrr_ledger_step(&row, ledger, statement, err);
    if (!status && row && sqlite3_column_bytes(statement, 0) == hrr_ledger_id_size) {
        memcpy(ledger->id, sqlite3_column_blob(statement, 0), hrr_ledger_id_size);
        *has_check = sqlite3_column_type(statement, 1) != SQLITE_NULL;
        good = !*has_check || sqlite3_column_bytes(statement, 1) == HRR_FINGERPRINT_SIZE;
        if (good && *has_check)
            memcpy(key_check, sqlite3_column_blob(statement, 1), HRR_FINGERPRINT_SIZE);
        has_entries = sqlite3_column_int(statement, 2) != 0;
    }
    sqlite3_finalize(statement);
    if (!status && good && !*has_check && has_entries)
        return hrr_fail(err, HRR_EDATA,
                        "%s: the ledger was changed: it has entries but does not say which key "
                        "they were made with; restore it from a backup",
                        ledger->path);
    if (status || good) return status;
    return hrr_fail(err, HRR_EDATA,
                    "%s: the ledger has lost its identifier; restore it from a backup",
                    ledger->path);
}

/* ---- the key -------------------------------------------------------------------------------- */

static hrr_status make_key_check(uint8_t out[HRR_FINGERPRINT_SIZE], const hrr_ledger *ledger,
                                 hrr_error *err)
{
    uint8_t digest[hrr_sha256_size] = {0};
    memcpy(digest, ledger->id, sizeof ledger->id);
    return hrr_keyed(out, ledger->key, "this key", digest, err);
}

static hrr_status set_key_check(hrr_ledger *ledger, hrr_error *err)
{
    uint8_t check[HRR_FINGERPRINT_SIZE];
    sqlite3_stmt *statement = NULL;
    hrr_chain chain;
    bool row;
    hrr_status status = make_key_check(check, ledger, err);
    if (!status)
        status = hrr_ledger_prepare(&statement, ledger, "UPDATE ledger SET key_check = ?", err);
    if (!status && sqlite3_bind_blob(statement, 1, check, sizeof check, SQLITE_STATIC))
        status = hrr_ledger_sql_fail(ledger, err);
    if (!status) status = hrr_ledger_step(&row, ledger, statement, err);
    sqlite3_finalize(statement);
    if (!status) status = hrr_chain_begin(&chain, ledger, err);
    if (!status) status = hrr_chain_set_end(ledger, &chain, err);
    return status;
}

/* The key that was read must be the one that the ledger was made with. */
static hrr_status compare_key(const uint8_t key_check[HRR_FINGERPRINT_SIZE],
                              const hrr_ledger *ledger, hrr_error *err)
{
    uint8_t check[HRR_FINGERPRINT_SIZE];
    hrr_status status = make_key_check(check, ledger, err);
    if (status || memcmp(check, key_check, sizeof check) == 0) return status;
    return hrr_fail(err, HRR_EDATA,
                    "%s: is not the key of this ledger; restore the key file that belongs to it",
                    ledger->key_path);
}

static hrr_status no_key(const hrr_ledger *ledger, hrr_error *err)
{
    return hrr_fail(err, HRR_EDATA,
                    "%s: the key of the ledger is missing, and without it no input can be "
                    "recognised; restore the key file that belongs to %s",
                    ledger->key_path, ledger->path);
}

static hrr_status emptied(const hrr_ledger *ledger, hrr_error *err)
{
    return hrr_fail(err, HRR_EDATA,
                    "%s: the ledger was emptied or replaced: its key exists (%s), but the ledger "
                    "does not say which key it was made with. Restore it from a backup, and do not "
                    "protect the same data again before you know what was spent",
                    ledger->path, ledger->key_path);
}

/* The key that the ledger was made with, or none; a key beside a ledger that knows of none is
 * refused. */
static hrr_status match_key(bool *has_check, bool *found, hrr_ledger *ledger, hrr_error *err)
{
    uint8_t key_check[HRR_FINGERPRINT_SIZE];
    hrr_status status = read_identity(key_check, has_check, ledger, err);
    if (!status) status = hrr_ledger_key_read(ledger->key, found, ledger->key_path, err);
    if (status || !*found) return status;
    if (!*has_check) return emptied(ledger, err);
    status = compare_key(key_check, ledger, err);
    ledger->has_key = !status;
    return status;
}

/* A key that has not got its name yet: of a process that was killed, or is a step ahead of us. */
static hrr_status match_new_key(hrr_ledger *ledger, const char *new_key, hrr_error *err)
{
    uint8_t key_check[HRR_FINGERPRINT_SIZE];
    bool has_check, found;
    hrr_status status = read_identity(key_check, &has_check, ledger, err);
    if (!status) status = hrr_ledger_key_read(ledger->key, &found, new_key, err);
    if (status) return status;
    if (has_check && !found) return no_key(ledger, err);
    if (!found) status = hrr_ledger_key_make(ledger->key, new_key, err);
    if (!status && has_check) status = compare_key(key_check, ledger, err);
    ledger->has_key = !status;
    return status || has_check ? status : set_key_check(ledger, err);
}

/* The ledger knows the key: it takes its name. Somebody else may have seen to that. */
static hrr_status name_key(const hrr_ledger *ledger, const char *new_key, hrr_error *err)
{
    if (rename(new_key, ledger->key_path) != 0 && errno != ENOENT)
        return hrr_fail(err, HRR_EIO, "%s: cannot create the key of the ledger: %s",
                        ledger->key_path, strerror(errno));
    return hrr_path_sync_parent(ledger->key_path, err);
}

static hrr_status adopt_key(hrr_ledger *ledger, hrr_error *err)
{
    bool has_check, found = false;
    hrr_status status = hrr_ledger_run(ledger, "BEGIN IMMEDIATE", err);
    if (status) return status;
    char *new_key = hrr_format_text("%s.new", ledger->key_path);
    status = new_key ? match_key(&has_check, &found, ledger, err) : hrr_no_memory(err);
    if (!status && !found) status = match_new_key(ledger, new_key, err);
    status = hrr_ledger_end(ledger, status, err);
    if (!status && !found) status = name_key(ledger, new_key, err);
    hrr_free(new_key);
    return status;
}

/* Reading does without a key. */
static hrr_status find_key(hrr_ledger *ledger, hrr_error *err)
{
    bool has_check, found;
    return match_key(&has_check, &found, ledger, err);
}

/* ---- opening -------------------------------------------------------------------------------- */

static hrr_status new_ledger(hrr_ledger **out, const char *path, hrr_progress *progress,
                             hrr_error *err)
{
    *out = NULL;
    hrr_ledger *ledger = hrr_alloc_zero(1, sizeof *ledger);
    if (!ledger) return hrr_no_memory(err);
    ledger->progress = progress;
    ledger->most_waits = 30 * 1000 / hrr_ledger_wait_ms;
    hrr_status status = HRR_OK;
    if (path && !(ledger->path = hrr_copy_text(path))) status = hrr_no_memory(err);
    if (!path) status = hrr_ledger_default_path(&ledger->path, err);
    if (!status && !(ledger->key_path = hrr_format_text("%s.key", ledger->path)))
        status = hrr_no_memory(err);
    if (status)
        hrr_ledger_free(ledger);
    else
        *out = ledger;
    return status;
}

static hrr_status check_writable(hrr_ledger *ledger, hrr_error *err)
{
    if (sqlite3_db_readonly(ledger->database, "main") == 1)
        return hrr_fail(err, HRR_EIO,
                        "%s: the ledger is read-only, so nothing can be charged; change its "
                        "permissions or name another ledger",
                        ledger->path);
    return hrr_ledger_schema_check(ledger, err);
}

static hrr_status open_for_writing(hrr_ledger *ledger, hrr_error *err)
{
    hrr_status status = hrr_ledger_make(ledger, err);
    if (!status) status = open_database(ledger, err);
    if (status) return status;
    if ((status = check_writable(ledger, err))) return status;
    /* Another program may have left it in another mode. */
    if ((status = hrr_ledger_run(ledger, "PRAGMA journal_mode = DELETE", err))) return status;
    return adopt_key(ledger, err);
}

hrr_status hrr_ledger_open(hrr_ledger **out, const char *path, hrr_progress *progress,
                           hrr_error *err)
{
    hrr_ledger *ledger;
    *out = NULL;
    hrr_status status = new_ledger(&ledger, path, progress, err);
    if (status) return status;
    if (!path) status = make_directories(ledger->path, err);
    if (!status) status = open_for_writing(ledger, err);
    if (status)
        hrr_ledger_free(ledger);
    else
        *out = ledger;
    return status;
}

/* *empty: there is no key yet, and so no entry; the first charge makes both. */
static hrr_status look_at(hrr_ledger *ledger, bool *empty, hrr_error *err)
{
    bool has_check = false, found = false;
    *empty = false;
    hrr_status status = open_database(ledger, err);
    if (!status) status = check_writable(ledger, err);
    if (!status) status = match_key(&has_check, &found, ledger, err);
    if (status || found) return status;
    *empty = !has_check;
    return has_check ? no_key(ledger, err) : HRR_OK;
}

hrr_status hrr_ledger_look(hrr_ledger **out, const char *path, hrr_progress *progress,
                           hrr_error *err)
{
    hrr_ledger *ledger;
    bool ready = true, empty = true;
    *out = NULL;
    hrr_status status = new_ledger(&ledger, path, progress, err);
    if (status) return status;
    if (!path) status = check_directories(&ready, ledger->path, err);
    if (!status && ready)
        status = access(ledger->path, F_OK) == 0 ? look_at(ledger, &empty, err)
                                                 : hrr_ledger_make_check(ledger, err);
    if (status || empty)
        hrr_ledger_free(ledger);
    else
        *out = ledger;
    return status;
}

hrr_status hrr_ledger_open_existing(hrr_ledger **out, const char *path, hrr_progress *progress,
                                    hrr_error *err)
{
    hrr_ledger *ledger;
    *out = NULL;
    hrr_status status = new_ledger(&ledger, path, progress, err);
    if (status) return status;
    if (access(ledger->path, F_OK) != 0)
        status =
            hrr_fail(err, HRR_EIO, "%s: there is no ledger: %s", ledger->path, strerror(errno));
    if (!status) status = open_database(ledger, err);
    if (!status) status = hrr_ledger_schema_check(ledger, err);
    if (!status) status = find_key(ledger, err);
    if (status)
        hrr_ledger_free(ledger);
    else
        *out = ledger;
    return status;
}

void hrr_ledger_free(hrr_ledger *ledger)
{
    if (!ledger) return;
    sqlite3_close(ledger->database);
    hrr_free(ledger->path);
    hrr_free(ledger->key_path);
    OPENSSL_cleanse(ledger->key, sizeof ledger->key);
    hrr_free(ledger);
}

const char *hrr_ledger_path(const hrr_ledger *ledger)
{
    return ledger->path;
}
