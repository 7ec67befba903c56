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

/* A budget that buys nothing: with it, no mechanism reveals more than 1.3e-7 nats about a node. */
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

/* What a mechanism does with private data; the tables of feature and edge mechanisms state it for
 * each row. */
typedef enum hrr_effect {
    HRR_EFFECT_PROTECT = 0, /* reads the data and spends an epsilon */
    HRR_EFFECT_LEAVE_OUT,   /* does not read the data: epsilon 0 and no budget. A baseline that a
                               budget must beat */
    HRR_EFFECT_KEEP /* releases the data as they are: NOT PRIVATE. The non-private baseline */
} hrr_effect;

/* ---- the ledger ---------------------------------------------------------------------------- */

/* The record of what was spent on which private input: one SQLite file whose entries are never
 * removed (docs/ledger.md). A charge is written and synced before anything is drawn, and is never
 * refunded. One handle is for one thread; any number of processes may share a file. */
typedef struct hrr_ledger hrr_ledger;

/* The cost of one release, or of several together. Each epsilon has its own neighbouring inputs, as
 * in the certificate; a limit is compared with the sum of the epsilons. */
typedef struct hrr_spend {
    uint64_t features_nano; /* per node feature vector */
    uint64_t edges_nano;    /* per private candidate pair */
    uint64_t labels_nano;   /* per node label */
    double delta;           /* of the features */
    bool unbounded;         /* NOT PRIVATE: no epsilon bounds what it reveals */
} hrr_spend;

/* Keyed hashes of a graph and of its private parts. Without the key of the ledger, nobody can tell
 * what they stand for, or whether two ledgers contain the same graph. Each private part has its own
 * hash because budgets are spent on each part separately: new edges do not make old features new.
 * All zero bytes: the graph has no such part. */
#define HRR_FINGERPRINT_SIZE 32
typedef struct hrr_fingerprint {
    uint8_t graph[HRR_FINGERPRINT_SIZE];    /* public: its name and its nodes */
    uint8_t features[HRR_FINGERPRINT_SIZE]; /* as they are */
    uint8_t clipped[HRR_FINGERPRINT_SIZE];  /* the features after clipping to the bounds */
    uint8_t edges[HRR_FINGERPRINT_SIZE];    /* the edges that are marked as private */
    uint8_t pairs[HRR_FINGERPRINT_SIZE];    /* all edges, whatever their marks */
    uint8_t labels[HRR_FINGERPRINT_SIZE];
} hrr_fingerprint;

/* The name of a budget. It stands for the people in the data, whichever version of their data is
 * protected. All charges to an account add up. 1 to 63 letters, digits and any of . _ : / -, a
 * letter or digit first. The name is public: certificates show it. */
#define HRR_ACCOUNT_NAME_SIZE 64
HRR_API HRR_STATUS hrr_account_name_check(const char *name, hrr_error *err);

/* One charge, and the release that it paid for. */
#define HRR_DIGEST_TEXT_SIZE 65
typedef struct hrr_ledger_row {
    uint64_t number; /* of its entry */
    int64_t time;    /* seconds since 1970, as the clock said; the order is that of the numbers */
    hrr_fingerprint input;
    uint8_t request[HRR_FINGERPRINT_SIZE];
    hrr_spend spend;
    char *name;    /* of the graph */
    char *account; /* "": none */
    char *bundle;  /* the path of the release; NULL: there is none, but the charge counts anyway. */
    bool in_memory; /* the release was kept in memory. If there is neither a bundle nor this, the
                       release is in progress or was interrupted */
    char certificate_sha256[HRR_DIGEST_TEXT_SIZE];
} hrr_ledger_row;

typedef struct hrr_ledger_list {
    hrr_ledger_row *rows;
    size_t n_rows;
} hrr_ledger_list;

/* Open the ledger at path to read it; NULL: $XDG_DATA_HOME/heterorr/ledger.sqlite, or the same
 * under ~/.local/share. It creates no file, and needs no key (PATH.key).
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
/* The part of the list that counts for this input. A charge counts with all its epsilons if it was
 * made to the same account (NULL: none) or for a graph with the same name and nodes; otherwise each
 * of its epsilons counts that was charged for one of the same secrets. input NULL: for the account
 * alone.
 */
HRR_API hrr_spend hrr_ledger_list_spent(const hrr_ledger_list *list, const hrr_fingerprint *input,
                                        const char *account);

/* Look for damage: the database's own check, the chain of hashes over all entries, and, if the key
 * is there (*with_key), that no entry was removed at the end.
 * Errors: HRR_ECHECK with the first thing that is wrong; HRR_EIO, HRR_ENOMEM, HRR_ECANCEL. */
HRR_API HRR_STATUS hrr_ledger_check(size_t *n_charges, bool *with_key, const char *path,
                                    hrr_progress *progress, hrr_error *err);

#ifdef __cplusplus
}
#endif
#endif
