/* release.h: the only code that turns private data into released data. */
#ifndef HETERORR_RELEASE_H
#define HETERORR_RELEASE_H

#include <heterorr/certificate.h>
#include <heterorr/edge.h>
#include <heterorr/feature.h>
#include <heterorr/graph.h>
#include <heterorr/random.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- protect --------------------------------------------------------------------------------- */

/* The blocks in which edgerr-node counts edges. */
typedef enum hrr_blocks_from {
    HRR_BLOCKS_COMMUNITIES = 0, /* of the public edges */
    HRR_BLOCKS_GIVEN,           /* edges.blocks, which the owner declares public */
    HRR_BLOCKS_PREDICTED /* classes predicted by a network that is trained on the features, labels
                            and public edges of this release, at no further cost. Needs features,
                            one class per node, and a training node with a known class */
} hrr_blocks_from;

/* Public bounds for features that are to be released: those in *features; otherwise those that the
 * graph's format states, which stay the graph's; otherwise HRR_EINVAL, if the mechanism needs any.
 * There is no default: wrong bounds would clip all values to a constant. The values are not read.
 */
HRR_API HRR_STATUS hrr_bounds_settle(hrr_feature_options *features, const hrr_graph *graph,
                                     hrr_error *err);

typedef struct hrr_protect_options {
    size_t size;              /* set by hrr_protect_options_init() */
    unsigned declared_public; /* hrr_public bits */
    bool allow_undeclared;    /* if a declaration is missing, make a release that is NOT PRIVATE
                                 instead of failing before anything is charged; does not apply to
                                 HRR_PUBLIC_EDGES */
    /* Ignored if the graph has no features. lo and hi NULL: the bounds that the graph states
     * (hrr_bounds_settle). */
    HRR_ROOM(hrr_feature_options, features, 256);
    const char *directions_from; /* for the certificate: what the directions are; may be NULL */
    const char *features_because,
        *edges_because; /* for the certificate: the rule by which
                           mechanisms were chosen; NULL: they were named */
    bool paper_mode; /* follow the published algorithm exactly; the certificate states what is not
                        certified */
    HRR_ROOM(hrr_edge_options, edges, 256); /* its threads are ignored; those below are used */
    hrr_blocks_from blocks_from;            /* of edgerr-node */
    uint64_t eps_labels_nano;               /* 0: labels are released as they are */
    bool scores_are_public; /* features.theta comes from public data; strict mode needs it */
    bool bounds_from_data;  /* smallest and largest value of each feature instead of lo and hi:
                               paper mode only, and NOT PRIVATE */
    uint32_t n_propagate; /* how often the released features are averaged over released edges; needs
                             memory for two copies of them */
    bool with_ledger;     /* charge what is spent before anything is drawn */
    const char *ledger;   /* its file; NULL: the default one */
    const char *account;  /* the named budget that is charged (privacy.h); NULL: none */
    uint64_t limit_nano;  /* refuse to spend more than this in total, on the account or, without an
                             account, on the input; 0: no limit */
    bool again; /* draw nothing: copy the stored release of the same public request, even if the
                   private data have changed since */
    const char
        *issuer; /* for the certificate: who is responsible for the release; NULL: not stated */
    const char *kept; /* for the certificate: how the raw data are kept; NULL: not stated */
    const hrr_signing_key *sign_with; /* sign the certificate into certificate.sig; NULL: do not */
    bool replace;
    bool dry_run;
    int threads;
} hrr_protect_options;

/* Strict mode, featurerr without a budget (the caller must name one), public-only edges, no ledger.
 */
HRR_API void hrr_protect_options_init_sized(hrr_protect_options *options, size_t size);
static inline void hrr_protect_options_init(hrr_protect_options *options)
{
    hrr_protect_options_init_sized(options, sizeof *options);
    options->features.size = sizeof options->features;
    options->edges.size = sizeof options->edges;
}

/* The missing hrr_public bits because of which hrr_protect() would fail. It depends on the format
 * of the graph, on the options and on which parts there are, never on private values. */
HRR_API unsigned hrr_public_refused(const hrr_graph *graph, const hrr_protect_options *options);

/* The time of each phase, in seconds. `ledger` includes hashing the input; `hashing` is that of the
 * bundle's files. */
typedef struct hrr_protect_phases {
    double plan, ledger, edges, features, labels, writing, hashing, publishing;
} hrr_protect_phases;

typedef struct hrr_protect_summary {
    uint64_t eps_features_nano, eps_edges_nano, eps_labels_nano; /* requested */
    double realised_eps_features, realised_eps_edges, realised_eps_labels;
    bool is_private;
    hrr_treatment treatment[HRR_N_PARTS]; /* how features, edges and labels were treated */
    unsigned undeclared; /* hrr_public bits that would have to be declared for it to be private */
    char statement[HRR_STATEMENT_SIZE];
    uint64_t edges_out; /* in a dry run: the expected number if no pair had a private edge */
    double seconds, features_per_second;
    hrr_protect_phases phases;
    uint64_t chain_steps;
    double chain_steps_per_second;
    bool stored;            /* the stored release was copied, as requested, and nothing was spent */
    uint64_t charge_before; /* the charge of the newest release for the same public request, which
                               `again` would copy; 0: there is none */
    uint64_t ledger_entry;  /* 0: nothing was charged */
    uint64_t ledger_charge; /* the charges of a ledger are 1, 2, ...; 0: nothing was charged */
    hrr_spend
        spent_in_all;  /* the total of the ledger for the account or input, including this release;
                          in a dry run, without it; undefined if the release was copied */
    bool not_recorded; /* the ledger could not record the path of the release: the bundle is
                          complete and paid for, but `again` will not find it */
    /* Only in a dry run: */
    double expected_seconds;  /* an estimate of the remaining time: see docs/certificate.md */
    uint64_t expected_memory; /* bytes in addition to those already in use */
    const char *advice; /* why the chosen options may not pay, judged by public data, or NULL */
} hrr_protect_summary;

/* Randomise the graph. *out: the release, in memory; out NULL: do not keep it in memory. bundle:
 * the directory to write, in the native layout with certificate.json and CERTIFICATE.txt
 * (docs/certificate.md); NULL: do not write it. With both, *out has the contents of the bundle. The
 * draws are the same in all three cases.
 *
 * Everything public is decided and checked first: a request that is not valid fails before private
 * values are read. Same insecure seed, same input: the same bytes for any number of threads. A dry
 * run (options->dry_run) draws and writes nothing, and leaves *out NULL: it reports what the
 * release would need, and fails where the release would fail, as far as this can be foreseen;
 * without a bundle it does not check its path. summary may be NULL.
 *
 * With a ledger the budget is charged first, and never refunded. Every call draws and charges
 * again, even for the same input: to copy a release only if the data are the same would reveal
 * whether they are. options->again requests the stored release. A release that was kept in memory
 * alone is not stored, and the ledger says so.
 *
 * Guarantee: what summary->statement says, if summary->is_private.
 * Cost:      O(n d + m) time; memory for the released edges, labels and ids, and 64 MB. Features
 *            go to a bundle in blocks of rows, so that a mapped file may be larger than memory;
 *            they are held in memory for *out, for predicted blocks and to be averaged, which takes
 *            a second copy.
 * Ownership: *out belongs to the caller, hrr_release_free(); NULL on failure.
 * Errors:    HRR_EINVAL, HRR_EDATA, HRR_EIO, HRR_EBUDGET, HRR_ENOMEM, HRR_ECANCEL; nothing remains
 * except the charge in the ledger. */
HRR_API HRR_STATUS hrr_protect(hrr_release **out, hrr_protect_summary *summary, const char *bundle,
                               const hrr_graph *graph, const hrr_protect_options *options,
                               hrr_random *random, hrr_progress *progress, hrr_error *err);

/* hrr_protect() by several processes: the bundle that one of them would have written, byte for
 * byte. Collective: every rank calls it with the same graph, options and generator, which is
 * checked before anything is charged. A generator that is keyed by the system gets rank 0's key.
 * The ranks share the directory of the bundle. ranks NULL: this process alone.
 *
 * Rank 0 charges before any rank draws, and publishes when all have drawn; only there is *summary
 * filled in. A rank that fails stops the others: every one of them returns its failure.
 * Errors: those of hrr_protect(); HRR_ERANKS. */
HRR_EXPERIMENTAL HRR_STATUS hrr_protect_over(hrr_protect_summary *summary, const char *bundle,
                                             const hrr_graph *graph,
                                             const hrr_protect_options *options, hrr_ranks *ranks,
                                             hrr_random *random, hrr_progress *progress,
                                             hrr_error *err);

/* Write a release that hrr_protect() made in memory: the bundle that it would have written itself,
 * byte for byte. Nothing is drawn or spent, and the ledger does not learn where the bundle is.
 * sign_with: sign its certificate; NULL: do not.
 *
 * Errors: HRR_EINVAL for a release that has its files already (copy those), is the non-private
 *         reference or was given another split, or if the place is taken and not to be replaced;
 *         HRR_EIO, HRR_ENOMEM, HRR_ECANCEL; nothing is left behind. */
HRR_API HRR_STATUS hrr_release_save(const hrr_release *release, const char *bundle, bool replace,
                                    const hrr_signing_key *sign_with, hrr_progress *progress,
                                    hrr_error *err);

/* The public part of a graph: its nodes, public edges, graph ids and split, and its features and
 * labels if they are public. It contains neither private edges, features and labels, nor their
 * number, nor the number of classes. The arrays of features and label matrix belong to `graph`,
 * which must outlive the view.
 *
 * Guarantee: epsilon 0 for private edges, and for features and labels that are not public.
 * Errors:    HRR_ENOMEM. */
HRR_API HRR_STATUS hrr_public_view(hrr_graph **out, const hrr_graph *graph,
                                   bool features_are_public, bool labels_are_public,
                                   hrr_error *err);

/* ---- default mechanisms, chosen by measurement
 * ------------------------------------------------------
 */

/* The purpose of a release. */
typedef enum hrr_use { HRR_FOR_LEARNING = 0, HRR_FOR_STRUCTURE } hrr_use;
/* Their names, in that order; NULL-terminated. */
HRR_EXPERIMENTAL const char *const *hrr_uses(void);
/* Learning where there are features and labels to learn from. */
HRR_EXPERIMENTAL hrr_use hrr_usual_use(const hrr_graph *graph);

/* The public facts on which a choice may depend. */
typedef enum hrr_fact {
    HRR_FACT_LEARNING = 1 << 0,     /* what the release is for */
    HRR_FACT_PUBLIC_EDGES = 1 << 1, /* there are some */
    HRR_FACT_ONE_CLASS = 1 << 2,    /* one class a node, and features to predict it from */
    HRR_FACT_PAPER_MODE = 1 << 3,
    /* Options that one mechanism alone looks at: */
    HRR_FACT_DIRECTIONS = 1 << 4, /* featurerr-projected */
    HRR_FACT_BINS = 1 << 5,       /* featurerr: weights, bins, a decoding */
    HRR_FACT_DELTA = 1 << 6,      /* gaussian */
    HRR_FACT_TREE = 1 << 7,       /* edgerr */
    HRR_FACT_BLOCKS = 1 << 8,     /* edgerr-node */
    HRR_FACT_HEAD = 1 << 9,       /* featurerr-head */
    /* Half of the nodes or more are trained on. */
    HRR_FACT_HALF_LABELLED = 1 << 10
} hrr_fact;

typedef struct hrr_public_facts {
    unsigned bits; /* hrr_fact */
    uint64_t n_features;
    uint64_t eps_features_nano, eps_edges_nano; /* 0: no budget */
} hrr_public_facts;

HRR_EXPERIMENTAL hrr_public_facts hrr_public_facts_of(const hrr_graph *graph,
                                                      const hrr_protect_options *options,
                                                      hrr_use use);

/* Fill in the options that are not set, for this graph: if features.mechanism is NULL, it and
 * n_propagate; if edges.mechanism is NULL, it and sample_edges; and predicted blocks for
 * edgerr-node, if no blocks are given and they can be predicted. The certificate names the rule.
 * Without a budget, features are refused later, and private edges are left out. No private data is
 * read. */
HRR_EXPERIMENTAL void hrr_protect_choose(hrr_protect_options *options, const hrr_graph *graph,
                                         hrr_use use);

/* One line if a release with these options is known to be no better than something that costs
 * nothing, which it names; otherwise NULL. Of features, and of edges. */
HRR_EXPERIMENTAL const char *hrr_caution_features(const hrr_public_facts *facts,
                                                  const hrr_protect_options *options);
HRR_EXPERIMENTAL const char *hrr_caution_edges(const hrr_public_facts *facts,
                                               const hrr_protect_options *options);

#ifdef __cplusplus
}
#endif
#endif
