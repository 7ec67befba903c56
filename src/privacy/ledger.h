/* ledger.h: what the files of the ledger share. docs/ledger.md describes the whole. */
#ifndef HRR_PRIVACY_LEDGER_H
#define HRR_PRIVACY_LEDGER_H

#include "io/hash.h"
#include "privacy/fingerprint.h"

#include <sqlite3.h>

enum { hrr_ledger_id_size = 16 };

struct hrr_ledger {
    sqlite3 *database;
    char *path, *key_path;
    uint8_t id[hrr_ledger_id_size];
    bool has_key;
    uint8_t key[hrr_ledger_key_size];
    int most_waits; /* of hrr_ledger_wait_ms each, for another process */
    hrr_progress *progress;
};

enum { hrr_ledger_wait_ms = 10 };

/* ---- ledger_sql.c: SQLite with our errors -------------------------------------------------- */

/* What SQLite last complained about, as a status and a sentence that says what to do. */
hrr_status hrr_ledger_sql_fail(const hrr_ledger *ledger, hrr_error *err);
/* Statements without results. */
hrr_status hrr_ledger_run(hrr_ledger *ledger, const char *sql, hrr_error *err);
hrr_status hrr_ledger_prepare(sqlite3_stmt **out, hrr_ledger *ledger, const char *sql,
                              hrr_error *err);
/* *row: is there another one? */
hrr_status hrr_ledger_step(bool *row, hrr_ledger *ledger, sqlite3_stmt *statement, hrr_error *err);
/* The one number that the query yields. */
hrr_status hrr_ledger_number(int64_t *out, hrr_ledger *ledger, const char *sql, hrr_error *err);
/* Ends the transaction that BEGIN began: COMMIT if status is HRR_OK, else as if nothing had been.
 * Returns the first failure. */
hrr_status hrr_ledger_end(hrr_ledger *ledger, hrr_status status, hrr_error *err);

/* ---- ledger_make.c -------------------------------------------------------------------------- */

/* If there is nothing at the ledger's path: a ledger without entries and key, whole.
 * Errors: HRR_EDATA: something tells that there was one; HRR_EIO, HRR_ENOMEM. */
hrr_status hrr_ledger_make(const hrr_ledger *ledger, hrr_error *err);
/* The failures of hrr_ledger_make() that can be foreseen; nothing is made. */
hrr_status hrr_ledger_make_check(const hrr_ledger *ledger, hrr_error *err);

/* ---- ledger_key.c --------------------------------------------------------------------------- */

/* *found false: there is no key file. Errors: HRR_EIO, HRR_EDATA. */
hrr_status hrr_ledger_key_read(uint8_t key[hrr_ledger_key_size], bool *found, const char *path,
                               hrr_error *err);
/* A fresh key from the operating system, on the disk when this returns. There must be none. */
hrr_status hrr_ledger_key_make(uint8_t key[hrr_ledger_key_size], const char *path, hrr_error *err);

/* ---- ledger_chain.c: the entries ------------------------------------------------------------ */

typedef enum hrr_entry_kind { HRR_ENTRY_CHARGE = 1, HRR_ENTRY_RELEASE = 2 } hrr_entry_kind;

/* An entry is written once and never changed. A release refers to its charge. */
typedef struct hrr_entry {
    uint64_t number;
    int64_t time;
    hrr_entry_kind kind;
    /* of a charge */
    const char *account; /* "": none */
    hrr_fingerprint input;
    uint8_t request[HRR_FINGERPRINT_SIZE];
    hrr_spend spend;
    /* of a release */
    uint64_t charge;
    uint8_t certificate[hrr_sha256_size];

    const char *text; /* the graph's name, or the bundle's path; "": it was kept in memory, and the
                         hash of its certificate is zero */
} hrr_entry;

/* The end of the chain. */
typedef struct hrr_chain {
    uint64_t n_entries;
    uint8_t link[hrr_sha256_size];
} hrr_chain;

/* The chain without entries. */
hrr_status hrr_chain_begin(hrr_chain *out, const hrr_ledger *ledger, hrr_error *err);
/* Write where the chain ends; within a transaction. */
hrr_status hrr_chain_set_end(hrr_ledger *ledger, const hrr_chain *chain, hrr_error *err);
/* Read all entries and check every link; within a transaction. `list` may be NULL.
 * Errors: HRR_EDATA names the first entry that is wrong. */
hrr_status hrr_chain_read(hrr_chain *out, hrr_ledger_list *list, hrr_ledger *ledger,
                          hrr_error *err);
/* Append the entry (its number is filled in); within a transaction. */
hrr_status hrr_chain_append(hrr_chain *chain, hrr_entry *entry, hrr_ledger *ledger, hrr_error *err);

/* ---- ledger_schema.c ------------------------------------------------------------------------ */

/* HRR_EDATA unless the database is a ledger of this version as this program makes them. */
hrr_status hrr_ledger_schema_check(hrr_ledger *ledger, hrr_error *err);
/* In a database without tables: a ledger of its own, without entries. */
hrr_status hrr_ledger_schema_make(hrr_ledger *ledger, hrr_error *err);

#endif
