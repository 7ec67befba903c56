/* ledger_schema.c: the tables of a ledger, and how a file is known to be one.
 *
 * Every object of the database must read exactly as written here: a view in place of a table or a
 * missing trigger would be another ledger than the one that is checked. */
#include "privacy/ledger.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

enum {
    application_id = 0x6872726c, /* "hrrl" */
    schema_version = 2
};

/* In the order of their names. */
static const struct {
    const char *name, *sql;
} objects[] = {
    /* Text: NULL is what an entry of the other kind has. */
    {"entry", "CREATE TABLE entry (number INTEGER PRIMARY KEY, time INTEGER NOT NULL, "
              "kind INTEGER NOT NULL, text TEXT NOT NULL, account TEXT, "
              "graph BLOB, features BLOB, clipped BLOB, edges BLOB, pairs BLOB, labels BLOB, "
              "request BLOB, "
              "eps_features INTEGER, eps_edges INTEGER, eps_labels INTEGER, delta REAL, "
              "unbounded INTEGER, charge INTEGER, certificate BLOB, link BLOB NOT NULL) STRICT"},
    {"entry_is_kept", "CREATE TRIGGER entry_is_kept BEFORE DELETE ON entry BEGIN "
                      "SELECT RAISE(ABORT, 'an entry of a ledger is never removed'); END"},
    {"entry_stays", "CREATE TRIGGER entry_stays BEFORE UPDATE ON entry BEGIN "
                    "SELECT RAISE(ABORT, 'an entry of a ledger is never changed'); END"},
    /* One row: which ledger this is, and where its chain ends. */
    {"ledger", "CREATE TABLE ledger (id BLOB NOT NULL, key_check BLOB, n_entries INTEGER NOT NULL, "
               "link BLOB NOT NULL, seal BLOB) STRICT"},
};
enum { n_objects = sizeof objects / sizeof objects[0] };

/* *same: exactly our objects; *n: how many there are. */
static hrr_status compare_objects(bool *same, int *n, hrr_ledger *ledger, hrr_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool row = true;
    *same = true;
    *n = 0;
    hrr_status status = hrr_ledger_prepare(
        &statement, ledger, "SELECT name, sql FROM sqlite_schema ORDER BY name", err);
    while (!status && row) {
        if ((status = hrr_ledger_step(&row, ledger, statement, err)) || !row) break;
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        const char *sql = (const char *)sqlite3_column_text(statement, 1);
        if (*n >= n_objects || !name || !sql || strcmp(name, objects[*n].name) != 0 ||
            strcmp(sql, objects[*n].sql) != 0)
            *same = false;
        ++*n;
    }
    sqlite3_finalize(statement);
    if (*n != n_objects) *same = false;
    return status;
}

hrr_status hrr_ledger_schema_check(hrr_ledger *ledger, hrr_error *err)
{
    int64_t application, version;
    bool same;
    int n;
    hrr_status status = hrr_ledger_number(&application, ledger, "PRAGMA application_id", err);
    if (!status) status = hrr_ledger_number(&version, ledger, "PRAGMA user_version", err);
    if (!status) status = compare_objects(&same, &n, ledger, err);
    if (status) return status;
    if (application == 0 && version == 0 && n == 0)
        return hrr_fail(err, HRR_EDATA,
                        "%s: is empty, but even a new ledger is not. Restore it from a backup; or, "
                        "if you are sure that nothing was ever spent, remove it (and %s, if it "
                        "exists) and start a new ledger",
                        ledger->path, ledger->key_path);
    if (application != application_id)
        return hrr_fail(err, HRR_EDATA,
                        "%s: is not a ledger: it is an SQLite database of another program; name "
                        "another file",
                        ledger->path);
    if (version > schema_version)
        return hrr_fail(err, HRR_EDATA,
                        "%s: is a ledger of version %lld, and this program reads version %d; use a "
                        "newer heterorr",
                        ledger->path, (long long)version, schema_version);
    if (version < schema_version)
        return hrr_fail(err, HRR_EDATA,
                        "%s: is a ledger of version %lld, which identifies inputs differently from "
                        "version %d, so it cannot be extended. Keep it, start another one "
                        "(`ledger`), and count what it shows as spent",
                        ledger->path, (long long)version, schema_version);
    if (!same)
        return hrr_fail(err, HRR_EDATA,
                        "%s: the tables of the ledger were changed; restore it from a backup",
                        ledger->path);
    return HRR_OK;
}

static hrr_status make_objects(hrr_ledger *ledger, const char *kind, hrr_error *err)
{
    for (int i = 0; i < n_objects; i++) {
        if (strncmp(objects[i].sql, kind, strlen(kind)) != 0) continue;
        hrr_status status = hrr_ledger_run(ledger, objects[i].sql, err);
        if (status) return status;
    }
    return HRR_OK;
}

/* The ledger's one row: who it is, and the end of a chain without entries. */
static hrr_status make_row(hrr_ledger *ledger, hrr_error *err)
{
    sqlite3_stmt *to = NULL;
    hrr_chain chain;
    bool row;
    if (getrandom(ledger->id, sizeof ledger->id, 0) != sizeof ledger->id)
        return hrr_fail(
            err, HRR_EIO,
            "the operating system provides no entropy for the identifier of the ledger");
    hrr_status status = hrr_chain_begin(&chain, ledger, err);
    if (!status)
        status = hrr_ledger_prepare(
            &to, ledger, "INSERT INTO ledger (id, n_entries, link) VALUES (?, 0, x'')", err);
    if (status) return status;
    if (sqlite3_bind_blob(to, 1, ledger->id, sizeof ledger->id, SQLITE_STATIC))
        status = hrr_ledger_sql_fail(ledger, err);
    if (!status) status = hrr_ledger_step(&row, ledger, to, err);
    sqlite3_finalize(to);
    return status ? status : hrr_chain_set_end(ledger, &chain, err);
}

hrr_status hrr_ledger_schema_make(hrr_ledger *ledger, hrr_error *err)
{
    char pragmas[96];
    snprintf(pragmas, sizeof pragmas, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             application_id, schema_version);
    hrr_status status = hrr_ledger_run(ledger, pragmas, err);
    if (!status) status = make_objects(ledger, "CREATE TABLE", err);
    if (!status) status = make_objects(ledger, "CREATE TRIGGER", err);
    return status ? status : make_row(ledger, err);
}
