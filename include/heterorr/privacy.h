/* privacy.h: budgets as integers, the ledger of what was spent, and the statistics that try to
 * prove a claim wrong. */
#ifndef HETERORR_PRIVACY_H
#define HETERORR_PRIVACY_H

#include <heterorr/base.h>
#include <heterorr/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- epsilon ------------------------------------------------------------------------------ */

/* Budgets are integers in units of 1e-9: sums of parts never exceed the whole by rounding. */
#define HRR_EPS_UNIT 1000000000ull

/* A budget that buys nothing: no mechanism tells more than 1.3e-7 nats about a node with it. */
#define HRR_EPS_NOTHING (HRR_EPS_UNIT / 1000)
#define HRR_EPS_MAX (20 * HRR_EPS_UNIT)

/* A decimal such as "0.1", "2" or "1e-3", exactly; digits beyond the ninth are dropped (down).
 * Errors: HRR_EINVAL naming `option` for anything that is not a number in (0, 20]. */
HRR_API HRR_STATUS hrr_eps_parse(uint64_t *eps_nano, const char *text, const char *option,
                                 hrr_error *err);
/* The same for a limit, which bounds a sum of many budgets: a number in (0, 10^9]. */
#define HRR_LIMIT_MAX (1000000000 * HRR_EPS_UNIT)
HRR_API HRR_STATUS hrr_limit_parse(uint64_t *limit_nano, const char *text, const char *option,
                                   hrr_error *err);

/* The exact decimal, without trailing zeros. */
#define HRR_EPS_TEXT_SIZE 24
HRR_API void hrr_eps_format(char text[HRR_EPS_TEXT_SIZE], uint64_t eps_nano);

/* ---- mechanisms ---------------------------------------------------------------------------- */

/* What a mechanism does with private data; the tables of features and edges say it of each row. */
typedef enum hrr_effect {
    HRR_EFFECT_PROTECT = 0, /* reads them, and spends an epsilon on it */
    HRR_EFFECT_LEAVE_OUT,   /* does not read them: epsilon 0, and no budget; the floor that a budget
                               has to beat */
    HRR_EFFECT_KEEP         /* releases them as they are: NOT PRIVATE; the reference */
} hrr_effect;

/* ---- audits ------------------------------------------------------------------------------- */

/* Lower and upper Clopper-Pearson bounds of a probability, one-sided level alpha < 1/2 each. */
HRR_API double hrr_clopper_pearson_lower(uint64_t successes, uint64_t trials, double alpha);
HRR_API double hrr_clopper_pearson_upper(uint64_t successes, uint64_t trials, double alpha);

/* A lower bound of epsilon from outcomes of two neighbouring inputs: the largest over outcomes u of
 * ln(lower(P(u)) / upper(Q(u))), both directions; counts of n_outcomes outcomes in `trials` draws
 * each. Never negative. Each one-sided bound has level alpha, so the result exceeds the true
 * epsilon with probability at most 4 alpha n_outcomes; merge outcomes beforehand to audit rarer or
 * joint events (a tail, say) as one. Cost: O(n_outcomes sqrt(trials)). */
HRR_API double hrr_audit_lower_bound(const uint64_t *counts_p, const uint64_t *counts_q,
                                     size_t n_outcomes, uint64_t trials, double alpha);

/* ---- the ledger ---------------------------------------------------------------------------- */

/* What was spent on which private input, in one SQLite file that never forgets (docs/ledger.md).
 * A charge is written and synced before anything is drawn, and is never refunded. One handle is for
 * one thread; any number of processes may share a file. */
typedef struct hrr_ledger hrr_ledger;

/* What a release costs, or what all of them did. Each epsilon has its own neighbours, as in the
 * certificate; a limit is compared with their sum. */
typedef struct hrr_spend {
    uint64_t features_nano; /* per node feature vector */
    uint64_t edges_nano;    /* per private candidate pair */
    uint64_t labels_nano;   /* per node label */
    double delta;           /* of the features */
    bool unbounded;         /* not private: no epsilon bounds what it tells */
} hrr_spend;

/* Names of a graph and its secrets, keyed by the ledger: nobody without its key can tell what they
 * stand for, or whether two ledgers know the same graph. The secrets have names of their own
 * because they are spent on their own: new edges do not make old features new. All zero bytes: the
 * graph has no such part. */
#define HRR_FINGERPRINT_SIZE 32
typedef struct hrr_fingerprint {
    uint8_t graph[HRR_FINGERPRINT_SIZE];    /* public: its name and who its nodes are */
    uint8_t features[HRR_FINGERPRINT_SIZE]; /* as they are */
    uint8_t clipped[HRR_FINGERPRINT_SIZE];  /* and as a mechanism with these bounds sees them */
    uint8_t edges[HRR_FINGERPRINT_SIZE];    /* those that are marked as private */
    uint8_t pairs[HRR_FINGERPRINT_SIZE];    /* and all edges, whatever their marks */
    uint8_t labels[HRR_FINGERPRINT_SIZE];
} hrr_fingerprint;

/* A budget with a name: the people whom data is about, whatever version of the data is protected.
 * All charges to an account add up. 1 to 63 letters, digits and any of . _ : / -, a letter or digit
 * first. The name is public: certificates show it. */
#define HRR_ACCOUNT_NAME_SIZE 64
HRR_API HRR_STATUS hrr_account_name_check(const char *name, hrr_error *err);

/* Where a charge stands in which ledger; for the certificate. The link cannot be foreseen, so a
 * certificate proves that the ledger once held the entry, and tells nothing of the input. */
#define HRR_DIGEST_TEXT_SIZE 65
typedef struct hrr_ledger_entry {
    uint64_t number; /* of the entry: charges and releases together are 1, 2, ... */
    uint64_t charge; /* of the charge: charges alone are 1, 2, ... */
    char account[HRR_ACCOUNT_NAME_SIZE]; /* "": none */
    char ledger_id[33];
    char link[HRR_DIGEST_TEXT_SIZE]; /* the hash of this entry and all before it */
} hrr_ledger_entry;

/* One charge, and the release that came of it. */
typedef struct hrr_ledger_row {
    uint64_t number; /* of its entry */
    int64_t time;    /* seconds since 1970, as the clock said; the order is that of the numbers */
    hrr_fingerprint input;
    uint8_t request[HRR_FINGERPRINT_SIZE];
    hrr_spend spend;
    char *name;    /* of the graph */
    char *account; /* "": none */
    char *bundle; /* where it was released to; NULL: under way, or interrupted. It counts anyway. */
    char certificate_sha256[HRR_DIGEST_TEXT_SIZE];
} hrr_ledger_row;

typedef struct hrr_ledger_list {
    hrr_ledger_row *rows;
    size_t n_rows;
} hrr_ledger_list;

/* $XDG_DATA_HOME/heterorr/ledger.sqlite, or the same under ~/.local/share. hrr_free().
 * Errors: HRR_EINVAL if the environment names neither, HRR_ENOMEM. */
HRR_API HRR_STATUS hrr_ledger_default_path(char **out, hrr_error *err);

/* Open the ledger at path, or make a new one; NULL: the default path, with its directories. Its key
 * is in PATH.key. progress (kept, may be NULL) can cancel a wait for another process.
 * Errors: HRR_EIO (read-only, full, locked for too long), HRR_EDATA (not a ledger, damaged, of a
 *         newer version, without its key), HRR_EINVAL, HRR_ENOMEM, HRR_ECANCEL. */
HRR_API HRR_STATUS hrr_ledger_open(hrr_ledger **out, const char *path, hrr_progress *progress,
                                   hrr_error *err);
/* Whether hrr_ledger_open() would succeed, as far as that can be foreseen: makes and writes
 * nothing. *out NULL: there is no ledger yet, or nothing was ever charged to it. */
HRR_API HRR_STATUS hrr_ledger_look(hrr_ledger **out, const char *path, hrr_progress *progress,
                                   hrr_error *err);
/* The same for reading: makes nothing, and does without the key if it is not there. */
HRR_API HRR_STATUS hrr_ledger_open_existing(hrr_ledger **out, const char *path,
                                            hrr_progress *progress, hrr_error *err);
HRR_API void hrr_ledger_free(hrr_ledger *ledger);
HRR_API const char *hrr_ledger_path(const hrr_ledger *ledger);

/* The names of the graph and of its secrets. lo, hi: the bounds that features are clipped to, one
 * for each; NULL: 0 and 1. Values count, not how they are stored: features are rounded to float32,
 * and -0 is 0. Reads all of the graph; nothing is drawn from it.
 * Cost: SHA-256 of the graph, chunks of the features in parallel; 64 bytes of memory a chunk. */
HRR_API HRR_STATUS hrr_ledger_fingerprint(hrr_fingerprint *out, const hrr_ledger *ledger,
                                          const hrr_graph *graph, const double *lo,
                                          const double *hi, int threads, hrr_error *err);

/* What was charged so far for this input. A charge counts with all its epsilons if it was made to
 * the same account (NULL: none) or for a graph with the same name and nodes; otherwise each of its
 * epsilons counts that was charged for one of the same secrets. */
HRR_API HRR_STATUS hrr_ledger_spent(hrr_spend *spent, hrr_ledger *ledger,
                                    const hrr_fingerprint *input, const char *account,
                                    hrr_error *err);

/* Spend. If spent + spend would be more than limit_nano (0: no limit), all kinds added up, nothing
 * is written. Two processes never both pass the limit. When this returns HRR_OK the charge is on
 * the disk; after any other status it may be, and nothing must be drawn. request: a hash of all
 * that is public and decides what the release looks like; name: what people call the graph;
 * account: NULL for none.
 * Errors: HRR_EBUDGET, which says spent + requested > limit; HRR_EINVAL for a name that no account
 *         can have; those of hrr_ledger_open(). */
HRR_API HRR_STATUS hrr_ledger_charge(hrr_ledger_entry *entry, hrr_ledger *ledger,
                                     const hrr_fingerprint *input, const char *account,
                                     const hrr_spend *spend,
                                     const uint8_t request[HRR_FINGERPRINT_SIZE], const char *name,
                                     uint64_t limit_nano, hrr_error *err);
/* The failures of hrr_ledger_charge() that can be foreseen; nothing is written. ledger NULL: one to
 * which nothing was charged yet. */
HRR_API HRR_STATUS hrr_ledger_charge_check(hrr_ledger *ledger, const hrr_fingerprint *input,
                                           const char *account, const hrr_spend *spend,
                                           uint64_t limit_nano, hrr_error *err);

/* Write down that the charge became a bundle that is in its place, with the hash of its
 * certificate.json. Without it the charge counts all the same. */
HRR_API HRR_STATUS hrr_ledger_released(hrr_ledger *ledger, const hrr_ledger_entry *charge,
                                       const char *bundle, const char *certificate_sha256,
                                       hrr_error *err);

/* The public name of a graph alone: out->graph. No secret is looked at. */
HRR_API HRR_STATUS hrr_ledger_name_graph(hrr_fingerprint *out, const hrr_ledger *ledger,
                                         const hrr_graph *graph, hrr_error *err);

/* The newest release for the same request of a graph with this public name, on the same account
 * (NULL: none). Secrets are not compared: who is given a release again, or is told of one, must not
 * learn from it whether the data changed. *found is all zero bytes if there is none; else
 * hrr_ledger_release_clear(). The caller sees to it that the bundle is still there and whole. */
typedef struct hrr_ledger_release {
    uint64_t charge; /* 1, 2, ...; 0: there is none */
    char *bundle;
    char certificate_sha256[HRR_DIGEST_TEXT_SIZE];
} hrr_ledger_release;
HRR_API HRR_STATUS hrr_ledger_find_release(hrr_ledger_release *found, hrr_ledger *ledger,
                                           const uint8_t graph[HRR_FINGERPRINT_SIZE],
                                           const char *account,
                                           const uint8_t request[HRR_FINGERPRINT_SIZE],
                                           hrr_error *err);
HRR_API void hrr_ledger_release_clear(hrr_ledger_release *found);

/* Every charge, oldest first. */
HRR_API HRR_STATUS hrr_ledger_read(hrr_ledger_list *out, hrr_ledger *ledger, hrr_error *err);
HRR_API void hrr_ledger_list_clear(hrr_ledger_list *list);
/* The part of the list that counts for this input and account, as in hrr_ledger_spent(); input
 * NULL: for the account alone. */
HRR_API hrr_spend hrr_ledger_list_spent(const hrr_ledger_list *list, const hrr_fingerprint *input,
                                        const char *account);

/* Look for damage: the database's own check, the chain of hashes over all entries, and, if the key
 * is there (*with_key), that nothing was taken away at the end.
 * Errors: HRR_ECHECK with the first thing that is wrong; HRR_EIO, HRR_ENOMEM, HRR_ECANCEL. */
HRR_API HRR_STATUS hrr_ledger_check(size_t *n_charges, bool *with_key, const char *path,
                                    hrr_progress *progress, hrr_error *err);

#ifdef __cplusplus
}
#endif
#endif
