/* privacy.h: budgets as integers, and the ledger of what was spent. */
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

/* One charge, and the release that came of it. */
#define HRR_DIGEST_TEXT_SIZE 65
typedef struct hrr_ledger_row {
    uint64_t number; /* of its entry */
    int64_t time;    /* seconds since 1970, as the clock said; the order is that of the numbers */
    hrr_fingerprint input;
    uint8_t request[HRR_FINGERPRINT_SIZE];
    hrr_spend spend;
    char *name;     /* of the graph */
    char *account;  /* "": none */
    char *bundle;   /* where it was released to; NULL: nowhere. It counts anyway. */
    bool in_memory; /* it was released without a bundle; without either it is under way, or was
                       interrupted */
    char certificate_sha256[HRR_DIGEST_TEXT_SIZE];
} hrr_ledger_row;

typedef struct hrr_ledger_list {
    hrr_ledger_row *rows;
    size_t n_rows;
} hrr_ledger_list;

/* Open the ledger at path to read it; NULL: $XDG_DATA_HOME/heterorr/ledger.sqlite, or the same
 * under ~/.local/share. Makes nothing, and does without its key (PATH.key) if that is not there.
 * progress (kept, may be NULL) can cancel a wait for another process. hrr_protect() is what
 * charges. Errors: HRR_EIO (unreadable, locked for too long), HRR_EDATA (not a ledger, damaged, of
 * a newer version), HRR_EINVAL, HRR_ENOMEM, HRR_ECANCEL. */
HRR_API HRR_STATUS hrr_ledger_open_existing(hrr_ledger **out, const char *path,
                                            hrr_progress *progress, hrr_error *err);
HRR_API void hrr_ledger_free(hrr_ledger *ledger);
HRR_API const char *hrr_ledger_path(const hrr_ledger *ledger);

/* Every charge, oldest first. */
HRR_API HRR_STATUS hrr_ledger_read(hrr_ledger_list *out, hrr_ledger *ledger, hrr_error *err);
HRR_API void hrr_ledger_list_clear(hrr_ledger_list *list);
/* What of the list counts for this input. A charge counts with all its epsilons if it was made to
 * the same account (NULL: none) or for a graph with the same name and nodes; otherwise each of its
 * epsilons counts that was charged for one of the same secrets. input NULL: for the account alone.
 */
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
