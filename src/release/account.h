/* account.h: one release and the ledger that it is charged to. The order of the calls is the order
 * of the promise: open, charge, [draw], confirm, certified, [publish], released.
 *
 * An account that was never opened (all zero bytes) is a release without a ledger: every call
 * succeeds and does nothing, so that the one who draws need not ask. */
#ifndef HRR_RELEASE_ACCOUNT_H
#define HRR_RELEASE_ACCOUNT_H

#include <heterorr/edge.h>
#include <heterorr/feature.h>
#include <heterorr/privacy.h>

typedef struct hrr_account {
    hrr_ledger *ledger; /* NULL: none is asked */
    bool every_edge;    /* all edges are the secret, not the marked ones alone */
    hrr_fingerprint input;
    uint8_t request[HRR_FINGERPRINT_SIZE];
    hrr_ledger_entry entry; /* number 0: nothing was charged */
    char certificate_sha256[HRR_DIGEST_TEXT_SIZE];
} hrr_account;

/* A hash of all that decides what a release looks like beside the input. `others`: every option
 * that is a number or a flag, in an order that never changes. How many threads there are and where
 * the bundle goes do not belong to it. features or edges NULL: there are none. Errors: HRR_ENOMEM.
 */
hrr_status hrr_account_request(uint8_t request[HRR_FINGERPRINT_SIZE],
                               const hrr_feature_options *features, uint64_t n_features,
                               const hrr_edge_options *edges, uint64_t n_nodes,
                               const uint64_t *others, size_t n_others, hrr_error *err);

/* Open the ledger (NULL: the default one) and take the graph's fingerprint. Nothing is charged.
 * Errors: those of hrr_ledger_open(). */
hrr_status hrr_account_open(hrr_account *out, const hrr_graph *graph, const char *ledger,
                            const uint8_t request[HRR_FINGERPRINT_SIZE], bool every_edge,
                            int threads, hrr_progress *progress, hrr_error *err);
void hrr_account_clear(hrr_account *account);

/* The bundle (hrr_free()) that the same request for the same input became, if its certificate still
 * is what it was; NULL: draw one. Whether its other files are whole, verify tells. */
hrr_status hrr_account_stored(char **bundle, hrr_account *account, hrr_progress *progress,
                              hrr_error *err);

/* Charge: on the disk when this returns. Errors: HRR_EBUDGET, those of hrr_ledger_open(). */
hrr_status hrr_account_charge(hrr_account *account, const hrr_graph *graph, const hrr_spend *spend,
                              uint64_t limit_nano, hrr_error *err);

/* HRR_EDATA if the graph is no longer what was charged for: mapped files may change under a run.
 * To be asked after the draw and before the bundle is published. */
hrr_status hrr_account_confirm(const hrr_account *account, const hrr_graph *graph, int threads,
                               hrr_error *err);

/* The certificate in `directory` is written: take its hash, before the bundle is published. */
hrr_status hrr_account_certified(hrr_account *account, const char *directory,
                                 hrr_progress *progress, hrr_error *err);

/* The bundle is in its place: write that down, so that it is found again. If that fails the bundle
 * is no less whole and paid for; the next request for it will be drawn, and charged, again. */
hrr_status hrr_account_released(hrr_account *account, const char *bundle, hrr_error *err);

/* For a dry run: what was spent on the graph's secrets so far (*spent), and whether the same
 * request would be given out again at no cost. Nothing is made or written; without a ledger at the
 * path nothing was spent. Errors: those of hrr_ledger_open_existing(). */
hrr_status hrr_account_peek(hrr_spend *spent, bool *stored, const hrr_graph *graph,
                            const char *ledger, const uint8_t request[HRR_FINGERPRINT_SIZE],
                            bool every_edge, int threads, hrr_progress *progress, hrr_error *err);

#endif
