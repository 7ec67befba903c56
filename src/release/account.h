/* account.h: one release and the ledger that it is charged to. The order of the calls is the order
 * of the promise: open, charge, [draw], confirm, certified, [publish], released.
 *
 * An account that was never opened (all zero bytes) is a release without a ledger: every call
 * succeeds and does nothing, so that the one who draws need not ask. */
#ifndef HRR_RELEASE_ACCOUNT_H
#define HRR_RELEASE_ACCOUNT_H

#include "release/own_blocks.h"
#include "privacy/charge.h"

#include <heterorr/edge.h>
#include <heterorr/feature.h>
#include <heterorr/privacy.h>

/* What a release is charged for, and where. */
typedef struct hrr_account_terms {
    const hrr_graph *graph;
    const char *ledger;    /* its file; NULL: the default one */
    const char *name;      /* of the budget that several graphs share; NULL: none */
    const double *lo, *hi; /* bounds of the features; NULL: 0 and 1 */
    int threads;
    uint8_t request[HRR_FINGERPRINT_SIZE];
} hrr_account_terms;

typedef struct hrr_account {
    hrr_ledger *ledger; /* NULL: none is asked */
    hrr_account_terms terms;
    hrr_fingerprint input;
    uint64_t charge_before; /* of the newest release for the same public request; 0: none */
    hrr_ledger_entry entry; /* number 0: nothing was charged */
    char certificate_sha256[HRR_DIGEST_TEXT_SIZE];
} hrr_account;

/* A hash of all that is public and decides what a release looks like: options, and of the graph
 * its public edges (left out where every_edge is secret), candidates, split and classes. `others`:
 * every option that is a number or a flag, in an order that never changes. How many threads there
 * are and where the bundle goes do not belong to it, and nothing private does: whether two requests
 * are the same must not depend on that. features or edges NULL: there are none.
 * maker NULL: blocks are not made from the release. Errors: HRR_ENOMEM. */
hrr_status hrr_account_request(uint8_t request[HRR_FINGERPRINT_SIZE], const hrr_graph *graph,
                               bool every_edge, const hrr_feature_options *features,
                               uint64_t n_features, const hrr_edge_options *edges,
                               const uint64_t *others, size_t n_others,
                               const hrr_block_maker *maker, hrr_error *err);

/* Open the ledger and take the graph's fingerprint. Nothing is charged. The terms' texts and arrays
 * are kept. Errors: those of hrr_ledger_open(). */
hrr_status hrr_account_open(hrr_account *out, const hrr_account_terms *terms,
                            hrr_progress *progress, hrr_error *err);
void hrr_account_clear(hrr_account *account);

/* The bundle (hrr_free()) that the same public request became. The graph's secrets are not looked
 * at: the owner asked for what is stored, and gets it whether or not they changed since. Nothing is
 * made or written. Whether the bundle is whole, verify tells.
 * Errors: HRR_EINVAL if there is none, or it is gone or changed; those of
 *         hrr_ledger_open_existing(). */
hrr_status hrr_account_stored(char **bundle, const hrr_account_terms *terms, hrr_progress *progress,
                              hrr_error *err);

/* Charge: on the disk when this returns. Errors: HRR_EBUDGET, those of hrr_ledger_open(). */
hrr_status hrr_account_charge(hrr_account *account, const hrr_spend *spend, uint64_t limit_nano,
                              hrr_error *err);

/* What was spent so far. */
hrr_status hrr_account_spent(hrr_spend *spent, const hrr_account *account, hrr_error *err);

/* What was charged to the named account before this release, for its certificate: by the name
 * alone, which is public. What was spent on the same input is found by its fingerprint, which is
 * not. */
hrr_status hrr_account_before(hrr_spend *spent, uint64_t *n_charges, const hrr_account *account,
                              hrr_error *err);

/* HRR_EDATA if the graph is no longer what was charged for: mapped files may change under a run.
 * To be asked after the draw and before the bundle is published. */
hrr_status hrr_account_confirm(const hrr_account *account, hrr_error *err);

/* The certificate in `directory` is written: take its hash, before the bundle is published. */
hrr_status hrr_account_certified(hrr_account *account, const char *directory,
                                 hrr_progress *progress, hrr_error *err);

/* For a dry run: the failures of hrr_account_charge() that can be foreseen. */
hrr_status hrr_account_charge_check(const hrr_account *account, const hrr_spend *spend,
                                    uint64_t limit_nano, hrr_error *err);

/* The bundle is in its place: write that down, so that it is found again. NULL: the release was
 * kept in memory, and cannot be asked for again. If that fails the release is no less whole and
 * paid for. */
hrr_status hrr_account_released(hrr_account *account, const char *bundle, hrr_error *err);

/* For a dry run: the account as hrr_account_open() would find it, but nothing is made or written;
 * without a ledger at the path it is all zero bytes but for the terms, and nothing was spent.
 * Errors: those of hrr_account_open(), as far as they can be foreseen. */
hrr_status hrr_account_peek(hrr_account *out, const hrr_account_terms *terms,
                            hrr_progress *progress, hrr_error *err);

#endif
