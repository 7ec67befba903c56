/* ledger_check.c: is a ledger whole? First the database's own structure, then every entry against
 * the chain of hashes, and the end of the chain against its seal if the key is there. */
#include "privacy/ledger.h"

#include <string.h>

/* SQLite answers "ok", or with one row for each fault it finds. */
static hrr_status check_pages(hrr_ledger *ledger, hrr_error *err)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    hrr_status status = hrr_ledger_prepare(&statement, ledger, "PRAGMA integrity_check(1)", err);
    if (!status) status = hrr_ledger_step(&row, ledger, statement, err);
    if (!status && row) {
        const char *answer = (const char *)sqlite3_column_text(statement, 0);
        if (!answer || strcmp(answer, "ok") != 0)
            status = hrr_fail(err, HRR_EDATA,
                              "%s: the database is damaged: %.400s; restore it from a backup",
                              ledger->path, answer ? answer : "no answer");
    }
    sqlite3_finalize(statement);
    return status;
}

hrr_status hrr_ledger_check(size_t *n_charges, bool *with_key, const char *path,
                            hrr_progress *progress, hrr_error *err)
{
    hrr_ledger *ledger;
    hrr_ledger_list list = {0};
    hrr_status status = hrr_ledger_open_existing(&ledger, path, progress, err);
    if (!status) status = check_pages(ledger, err);
    if (!status) status = hrr_ledger_read(&list, ledger, err);
    if (!status) {
        *n_charges = list.n_rows;
        *with_key = ledger->has_key;
    }
    hrr_ledger_list_clear(&list);
    hrr_ledger_free(ledger);
    if (status != HRR_EDATA) return status;
    if (err) err->status = HRR_ECHECK;
    return HRR_ECHECK;
}
