/* charge.h: the ledger for who spends: open it, charge, say what came of it. Programs read ledgers;
 * only release/ writes into one. */
#ifndef HRR_PRIVACY_CHARGE_H
#define HRR_PRIVACY_CHARGE_H

#include <heterorr/privacy.h>

/* Where a charge stands in which ledger; for the certificate. The link cannot be foreseen, so a
 * certificate proves that the ledger once held the entry, and tells nothing of the input. */
typedef struct hrr_ledger_entry {
    uint64_t number; /* of the entry: charges and releases together are 1, 2, ... */
    uint64_t charge; /* of the charge: charges alone are 1, 2, ... */
    char account[HRR_ACCOUNT_NAME_SIZE]; /* "": none */
    char ledger_id[33];
    char link[HRR_DIGEST_TEXT_SIZE]; /* the hash of this entry and all before it */
} hrr_ledger_entry;

/* $XDG_DATA_HOME/heterorr/ledger.sqlite, or the same under ~/.local/share. hrr_free().
 * Errors: HRR_EINVAL if the environment names neither, HRR_ENOMEM. */
HRR_STATUS hrr_ledger_default_path(char **out, hrr_error *err);

/* Open the ledger at path, or make a new one; NULL: the default path, with its directories. Its key
 * is in PATH.key. progress (kept, may be NULL) can cancel a wait for another process.
 * Errors: HRR_EIO (read-only, full, locked for too long), HRR_EDATA (not a ledger, damaged, of a
 *         newer version, without its key), HRR_EINVAL, HRR_ENOMEM, HRR_ECANCEL. */
HRR_STATUS hrr_ledger_open(hrr_ledger **out, const char *path, hrr_progress *progress,
                           hrr_error *err);

/* Whether hrr_ledger_open() would succeed, as far as that can be foreseen: makes and writes
 * nothing. *out NULL: there is no ledger yet, or nothing was ever charged to it. */
HRR_STATUS hrr_ledger_look(hrr_ledger **out, const char *path, hrr_progress *progress,
                           hrr_error *err);

/* The names of the graph and of its secrets. lo, hi: the bounds that features are clipped to, one
 * for each; NULL: 0 and 1. Values count, not how they are stored: features are rounded to float32,
 * and -0 is 0. Reads all of the graph; nothing is drawn from it.
 * Cost: SHA-256 of the graph, chunks of the features in parallel; 64 bytes of memory a chunk. */
HRR_STATUS hrr_ledger_fingerprint(hrr_fingerprint *out, const hrr_ledger *ledger,
                                  const hrr_graph *graph, const double *lo, const double *hi,
                                  int threads, hrr_error *err);

/* The public name of a graph alone: out->graph. No secret is looked at. */
HRR_STATUS hrr_ledger_name_graph(hrr_fingerprint *out, const hrr_ledger *ledger,
                                 const hrr_graph *graph, hrr_error *err);

/* What was charged so far for this input, as hrr_ledger_list_spent() says. */
HRR_STATUS hrr_ledger_spent(hrr_spend *spent, hrr_ledger *ledger, const hrr_fingerprint *input,
                            const char *account, hrr_error *err);

/* Spend. If spent + spend would be more than limit_nano (0: no limit), all kinds added up, nothing
 * is written. Two processes never both pass the limit. When this returns HRR_OK the charge is on
 * the disk; after any other status it may be, and nothing must be drawn. request: a hash of all
 * that is public and decides what the release looks like; name: what people call the graph;
 * account: NULL for none.
 * Errors: HRR_EBUDGET, which says spent + requested > limit; HRR_EINVAL for a name that no account
 *         can have; those of hrr_ledger_open(). */
HRR_STATUS hrr_ledger_charge(hrr_ledger_entry *entry, hrr_ledger *ledger,
                             const hrr_fingerprint *input, const char *account,
                             const hrr_spend *spend, const uint8_t request[HRR_FINGERPRINT_SIZE],
                             const char *name, uint64_t limit_nano, hrr_error *err);

/* The failures of hrr_ledger_charge() that can be foreseen; nothing is written. ledger NULL: one to
 * which nothing was charged yet. */
HRR_STATUS hrr_ledger_charge_check(hrr_ledger *ledger, const hrr_fingerprint *input,
                                   const char *account, const hrr_spend *spend, uint64_t limit_nano,
                                   hrr_error *err);

/* Write down that the charge became a bundle that is in its place, with the hash of its
 * certificate.json; both NULL: it became a release that was kept in memory, and cannot be given out
 * again. Without it the charge counts all the same. */
HRR_STATUS hrr_ledger_released(hrr_ledger *ledger, const hrr_ledger_entry *charge,
                               const char *bundle, const char *certificate_sha256, hrr_error *err);

/* The newest release for the same request of a graph with this public name, on the same account
 * (NULL: none). Secrets are not compared: who is given a release again, or is told of one, must not
 * learn from it whether the data changed. *found is all zero bytes if there is none; else
 * hrr_ledger_release_clear(). The caller sees to it that the bundle is still there and whole. */
typedef struct hrr_ledger_release {
    uint64_t charge; /* 1, 2, ...; 0: there is none */
    char *bundle;
    char certificate_sha256[HRR_DIGEST_TEXT_SIZE];
} hrr_ledger_release;
HRR_STATUS hrr_ledger_find_release(hrr_ledger_release *found, hrr_ledger *ledger,
                                   const uint8_t graph[HRR_FINGERPRINT_SIZE], const char *account,
                                   const uint8_t request[HRR_FINGERPRINT_SIZE], hrr_error *err);
void hrr_ledger_release_clear(hrr_ledger_release *found);

#endif
