/* charge.h: the charge of one release, and the ledger that it stands in. The order of the calls is
 * the order of the promise: open, make, [draw], confirm, certified, [publish], released.
 *
 * A charge that was never opened (all zero bytes) is a release without a ledger: every call
 * succeeds and does nothing, so that the one who draws need not ask. */
#ifndef HRR_RELEASE_CHARGE_H
#define HRR_RELEASE_CHARGE_H

#include "privacy/charge.h"

#include <heterorr/privacy.h>

/* What a release is charged for, and where. */
typedef struct hrr_charge_terms {
    const hrr_graph *graph;
    const char *ledger;    /* its file; NULL: the default one */
    const char *account;   /* the budget that several graphs share; NULL: none */
    const double *lo, *hi; /* bounds of the features; NULL: 0 and 1 */
    int threads;
    uint8_t request[HRR_FINGERPRINT_SIZE]; /* hrr_request_hash() */
} hrr_charge_terms;

typedef struct hrr_charge {
    hrr_ledger *ledger; /* NULL: none is asked */
    hrr_charge_terms terms;
    hrr_fingerprint input;
    uint64_t charge_before; /* of the newest release for the same public request; 0: none */
    hrr_ledger_entry entry; /* number 0: nothing was charged */
    char certificate_sha256[HRR_DIGEST_TEXT_SIZE];
} hrr_charge;

/* Open the ledger and take the graph's fingerprint. Nothing is charged. The terms' texts and arrays
 * are kept. Errors: those of hrr_ledger_open(). */
hrr_status hrr_charge_open(hrr_charge *out, const hrr_charge_terms *terms, hrr_progress *progress,
                           hrr_error *err);
void hrr_charge_clear(hrr_charge *charge);

/* The bundle (hrr_free()) that the same public request became. The graph's secrets are not looked
 * at: the owner asked for what is stored, and gets it whether or not they changed since. Nothing is
 * made or written. Whether the bundle is whole, verify tells.
 * Errors: HRR_EINVAL if there is none, or it is gone or changed; those of
 *         hrr_ledger_open_existing(). */
hrr_status hrr_charge_find_stored(char **bundle, const hrr_charge_terms *terms,
                                  hrr_progress *progress, hrr_error *err);

/* Make the charge: it is on the disk when this returns. Errors: HRR_EBUDGET, those of
 * hrr_ledger_open(). */
hrr_status hrr_charge_make(hrr_charge *charge, const hrr_spend *spend, uint64_t limit_nano,
                           hrr_error *err);

/* What was spent so far, on the account or the input. */
hrr_status hrr_charge_spent(hrr_spend *spent, const hrr_charge *charge, hrr_error *err);

/* What was charged to the named account before this release, for its certificate: by the name
 * alone, which is public. What was spent on the same input is found by its fingerprint, which is
 * not. */
hrr_status hrr_charge_before(hrr_spend *spent, uint64_t *n_charges, const hrr_charge *charge,
                             hrr_error *err);

/* HRR_EDATA if the graph is no longer what was charged for: mapped files may change under a run.
 * To be asked after the draw and before the bundle is published. */
hrr_status hrr_charge_confirm(const hrr_charge *charge, hrr_error *err);

/* The certificate in `directory` is written: take its hash, before the bundle is published. */
hrr_status hrr_charge_certified(hrr_charge *charge, const char *directory, hrr_progress *progress,
                                hrr_error *err);

/* For a dry run: the failures of hrr_charge_make() that can be foreseen. */
hrr_status hrr_charge_check(const hrr_charge *charge, const hrr_spend *spend, uint64_t limit_nano,
                            hrr_error *err);

/* The bundle is in its place: write that down, so that it is found again. NULL: the release was
 * kept in memory, and cannot be asked for again. If that fails the release is no less whole and
 * paid for. */
hrr_status hrr_charge_released(hrr_charge *charge, const char *bundle, hrr_error *err);

/* For a dry run: the charge as hrr_charge_open() would find it, but nothing is made or written;
 * without a ledger at the path it is all zero bytes but for the terms, and nothing was spent.
 * Errors: those of hrr_charge_open(), as far as they can be foreseen. */
hrr_status hrr_charge_peek(hrr_charge *out, const hrr_charge_terms *terms, hrr_progress *progress,
                           hrr_error *err);

#endif
