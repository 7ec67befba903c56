/* certificate.h: the terms of a release: what it protects and how strongly, what it publishes as it
 * is, and which declarations it depends on. All other code gets these facts from here, so that all
 * texts agree.
 */
#ifndef HETERORR_CERTIFICATE_H
#define HETERORR_CERTIFICATE_H

#include <heterorr/base.h>
#include <heterorr/edge.h>
#include <heterorr/feature.h>
#include <heterorr/graph.h>
#include <heterorr/io.h>
#include <heterorr/privacy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- declarations ---------------------------------------------------------------------------- */

/* What the owner of the data declares to be public knowledge. If the format does not state a
 * property that a release shows, it is inferred from the private data itself; and some inputs of a
 * mechanism must be public. A release that depends on such a property or input is refused unless it
 * is declared public. */
typedef enum hrr_public {
    HRR_PUBLIC_NODES =
        1 << 0, /* the set of nodes, if it was inferred from the rows of an edge list */
    HRR_PUBLIC_EDGES = 1 << 1,   /* all edges, if nothing states which are private */
    HRR_PUBLIC_CLASSES = 1 << 2, /* the set of classes, if it was inferred from the labels */
    HRR_PUBLIC_COLUMNS = 1 << 3, /* the number of features, if it was inferred from the features */
    HRR_PUBLIC_BOUNDS =
        1 << 4, /* given bounds of the features; giving bounds declares them public */
    HRR_PUBLIC_DIRECTIONS = 1 << 5, /* directions to project on */
    HRR_PUBLIC_CANDIDATES = 1 << 7, /* a given candidate set */
    HRR_PUBLIC_BLOCKS = 1 << 6,     /* the blocks that edgerr-node counts edges into */
    HRR_PUBLIC_HEAD = 1 << 8        /* the head whose answers featurerr-head reports */
} hrr_public;

/* The names that `--public` takes, in the order of the bits; NULL-terminated. */
HRR_API const char *const *hrr_public_names(void);
/* Why it must be declared, a clause; "" if `bit` is none of them. A literal. */
HRR_API const char *hrr_public_reason(unsigned bit);

/* ---- the terms of a release ------------------------------------------------------------------ */

typedef enum hrr_part { HRR_PART_FEATURES = 0, HRR_PART_EDGES, HRR_PART_LABELS } hrr_part;
enum { HRR_N_PARTS = 3 };

typedef enum hrr_treatment {
    HRR_NOT_THERE = 0, /* the input has none */
    HRR_PROTECTED,     /* drawn by a mechanism, with an epsilon */
    HRR_LEFT_OUT,      /* nothing in the release depends on its private data: epsilon 0 */
    HRR_PUBLISHED,     /* as it is; there is no epsilon */
    HRR_UNPROTECTED    /* no certified bound on what the release reveals: NOT PRIVATE */
} hrr_treatment;

typedef struct hrr_term {
    hrr_treatment treatment;
    uint64_t eps_nano; /* the requested epsilon of HRR_PROTECTED; else 0 */
    double delta;
} hrr_term;

typedef struct hrr_terms hrr_terms;

/* No statement is longer. */
#define HRR_STATEMENT_SIZE 2048

/* Read BUNDLE/certificate.json as recorded; hrr_verify_bundle() checks whether it is correct.
 * Ownership: hrr_terms_free().
 * Errors:    HRR_EDATA for a certificate that cannot be read or is of another version, HRR_ENOMEM.
 */
HRR_API HRR_STATUS hrr_terms_read(hrr_terms **out, const char *bundle, hrr_error *err);
HRR_API void hrr_terms_free(hrr_terms *terms);

/* Getters; texts belong to the terms. */
HRR_API bool hrr_terms_are_private(const hrr_terms *terms);
HRR_API hrr_term hrr_terms_of(const hrr_terms *terms, hrr_part part);
/* The promise in one sentence; begins with NOT PRIVATE if there is none. */
HRR_API const char *hrr_terms_statement(const hrr_terms *terms);
/* What is protected, in capitals: PRIVATE if all of it is, FEATURES ONLY and the like if some is,
 * NOT PRIVATE. */
HRR_API const char *hrr_terms_badge(const hrr_terms *terms);

/* ---- a release --------------------------------------------------------------------------------
 */

/* What may be published: the released graph, the terms that it was released under and, of
 * edgerr-node, the counts, of featurerr-head the reports. Functions that train, predict or attack
 * take a release, so that a private graph cannot be passed by mistake. There are three ways to get
 * one: hrr_protect() draws it, hrr_release_open() reads it from a bundle, and
 * hrr_release_non_private() makes the non-private baseline from any graph. Everything that is made
 * from the baseline is marked as not private.
 */
typedef struct hrr_release hrr_release;

/* Read a bundle. The guarantee covers certified files, so a bundle that fails hrr_verify_bundle()
 * is refused. read: how to read it; NULL: the defaults. If read names other files with features,
 * labels or edges, these replace those of the release, and nothing is guaranteed.
 *
 * Ownership: *out belongs to the caller, hrr_release_free(); NULL on failure.
 * Errors:    HRR_ECHECK for a bundle that is not what its certificate says, HRR_EDATA, HRR_EIO,
 *            HRR_ENOMEM, HRR_ECANCEL. */
HRR_API HRR_STATUS hrr_release_open(hrr_release **out, const char *bundle,
                                    const hrr_read_options *read, hrr_progress *progress,
                                    hrr_error *err);
/* The non-private baseline: the graph as it is, including private edges. Its epsilon is
 * infinite. The graph is borrowed and must outlive the release. Errors: HRR_ENOMEM. */
HRR_API HRR_STATUS hrr_release_non_private(hrr_release **out, const hrr_graph *graph,
                                           hrr_error *err);
HRR_API void hrr_release_free(hrr_release *release);

/* Getters; everything belongs to the release. */
HRR_API const hrr_graph *hrr_release_graph(const hrr_release *release);
/* Whether its guarantee covers all of it. False for a release that is NOT PRIVATE, for one that was
 * read together with other data, and for the non-private baseline. */
HRR_API bool hrr_release_is_private(const hrr_release *release);
/* Whether epsilon is infinite: it was made by hrr_release_non_private(). */
HRR_API bool hrr_release_is_reference(const hrr_release *release);
/* Whether features, labels or edges of other files replaced its own, which its certificate does not
 * cover. */
HRR_API bool hrr_release_is_mixed(const hrr_release *release);
HRR_API const char *hrr_release_statement(const hrr_release *release);
/* NULL: it has no certificate. */
HRR_API const hrr_terms *hrr_release_terms(const hrr_release *release);
/* The budget that labels were randomised with; 0: they are as they were. */
HRR_API double hrr_release_label_eps(const hrr_release *release);
/* NULL: it has none. */
HRR_API const hrr_block_counts *hrr_release_counts(const hrr_release *release);
/* Reports of a head's answers; the graph's features are the same, decoded. NULL: there are none, or
 * they were averaged over edges since. */
HRR_EXPERIMENTAL const hrr_reports *hrr_release_reports(const hrr_release *release);

/* Replace the split of the release, for training. As hrr_graph_take_split(). HRR_EINVAL for the
 * non-private baseline, whose graph is borrowed. */
HRR_API HRR_STATUS hrr_release_take_split(hrr_release *release, uint8_t **split, hrr_error *err);

/* Whether the path is a bundle, by its certificate. */
HRR_API bool hrr_path_is_bundle(const char *path);

/* ---- keys ------------------------------------------------------------------------------------ */

/* Whoever makes a release may sign its certificate, which has the hash of every file, with an
 * Ed25519 key; whoever receives it checks the signature with the public half. Keys are PEM files.
 * A private and a public key are two types: neither is taken for the other. */
typedef struct hrr_signing_key hrr_signing_key; /* private */
typedef struct hrr_signer hrr_signer;           /* public */

/* A key's name, for people to compare: 32 hexadecimal digits of the SHA-256 of the public key. */
#define HRR_KEY_TEXT_SIZE 33

/* Make a pair. The private file is readable by its owner alone. Files that are there are never
 * replaced. Errors: HRR_EIO, HRR_ENOMEM; nothing is left behind. */
HRR_API HRR_STATUS hrr_signing_key_make(char fingerprint[HRR_KEY_TEXT_SIZE],
                                        const char *private_path, const char *public_path,
                                        hrr_error *err);

/* Keys with a passphrase are not supported, and neither are other kinds of keys.
 * Ownership: *out belongs to the caller, hrr_signing_key_free() and hrr_signer_free().
 * Errors:    HRR_EIO, HRR_EDATA, HRR_ENOMEM. */
HRR_API HRR_STATUS hrr_signing_key_read(hrr_signing_key **out, const char *path, hrr_error *err);
HRR_API void hrr_signing_key_free(hrr_signing_key *key);
HRR_API HRR_STATUS hrr_signer_read(hrr_signer **out, const char *path, hrr_error *err);
HRR_API const char *hrr_signer_fingerprint(const hrr_signer *signer);
HRR_API void hrr_signer_free(hrr_signer *signer);

/* ---- verify ---------------------------------------------------------------------------------- */

#define HRR_MOST_FINDINGS 32
#define HRR_FINDING_SIZE 400

/* What is wrong with a bundle, a sentence each. */
typedef struct hrr_findings {
    int count; /* may be more than there is room for */
    char text[HRR_MOST_FINDINGS][HRR_FINDING_SIZE];
} hrr_findings;

/* Check that the bundle matches its certificate, and that the certificate is consistent. Every file
 * is hashed; the guarantee is derived again from the recorded parameters, with the realised
 * epsilons that the mechanisms compute for them; the graph is read. No findings: the bundle is
 * intact. A finding is a result, not an error.
 *
 * It cannot detect a bundle and a certificate that were forged together consistently. That needs a
 * signature, which hrr_verify_signature() checks. Errors: HRR_EIO if there is no such directory,
 * HRR_ENOMEM, HRR_ECANCEL. */
HRR_API HRR_STATUS hrr_verify_bundle(hrr_findings *findings, const char *bundle,
                                     hrr_progress *progress, hrr_error *err);

/* Did the owner of the public key sign this certificate? Adds to what hrr_verify_bundle() found:
 * the signature covers certificate.json alone, which covers the files. signer NULL: *is_signed says
 * whether there is a signature, which is not checked. Errors: HRR_ENOMEM; a signature that is
 * missing, damaged or another's is a finding. */
HRR_API HRR_STATUS hrr_verify_signature(hrr_findings *findings, bool *is_signed, const char *bundle,
                                        const hrr_signer *signer, hrr_error *err);

#ifdef __cplusplus
}
#endif
#endif
