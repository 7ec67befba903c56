/* certificate.h: everything that a release says about itself, gathered in one place and written
 * twice: certificate.json for programs, CERTIFICATE.txt for people.
 *
 * Nothing in here may depend on private data except through a mechanism that is paid for. So there
 * is no number of private edges, no value and no hash of the input: a hash of data that can be
 * guessed confirms the guess. */
#ifndef HRR_RELEASE_CERTIFICATE_H
#define HRR_RELEASE_CERTIFICATE_H

#include <heterorr/release.h>

#include "io/hash.h"

#include <jansson.h>

enum { HRR_MOST_SENTENCES = 24, HRR_MOST_FILES = 32 };

/* Sentences that explain one thing; string literals. */
typedef struct hrr_sentences {
    const char *text[HRR_MOST_SENTENCES];
    int count;
} hrr_sentences;

typedef struct hrr_certified_file {
    const char *name; /* a literal */
    uint64_t size;
    char sha256[HRR_SHA256_TEXT_SIZE];
} hrr_certified_file;

typedef struct hrr_certificate {
    const hrr_protect_options *options;
    uint64_t n_nodes, n_features_in;
    uint32_t n_classes;
    bool has_labels, multilabel;
    bool insecure; /* the generator has a seed */

    const double *lo, *hi;         /* what features are clipped to; NULL: 0 and 1, or nothing is */
    hrr_feature_claim features;    /* nothing in it if n_features_in is 0 */
    uint64_t *eps_of_feature_nano; /* featurerr: the integer budgets; else NULL */
    double realised_eps_labels;
    hrr_edge_claim edges;
    const hrr_edge_claim *edges_of_graph; /* of a collection: each graph's own claim */
    const char *blocks_are;               /* what edgerr-node counts into */
    uint32_t n_graphs;                    /* 1: it is no collection, or one of one graph */
    bool protects_public_edges;           /* the mechanism takes the whole graph for private */
    bool edges_published;                 /* no edge is private: all are released as they are */
    uint64_t edges_out;                   /* filled in when they are drawn */

    hrr_sentences not_private_because; /* empty: the release is private */
    hrr_sentences not_certified;       /* claims of the paper that do not hold here */
    hrr_sentences not_protected;
    unsigned declared; /* hrr_public bits that it rests on */
    char statement[HRR_STATEMENT_SIZE];
    hrr_treatment treatment[HRR_N_PARTS];
    const char *data_set; /* the graph's name */
    char date[16];        /* the day, UTC; "": not stated */

    hrr_ledger_entry ledger_entry; /* number 0: none */
    hrr_spend account_before;      /* what was charged to its account before, if it has one */
    uint64_t account_charges_before;

    hrr_certified_file files[HRR_MOST_FILES];
    int n_files;
} hrr_certificate;

/* Fill in everything but the files, edges_out and edges_of_graph. `features` NULL: the graph has
 * none. blocks_are: what edgerr-node counts into, a literal. The certificate keeps pointers to
 * options and to the claims' texts. Errors: HRR_EINVAL, HRR_ENOMEM. */
hrr_status hrr_certificate_init(hrr_certificate *out, const hrr_graph *graph,
                                const hrr_protect_options *options,
                                const hrr_feature_claim *features, const hrr_edge_claim *edges,
                                const char *blocks_are, double realised_eps_labels, bool insecure,
                                hrr_error *err);
void hrr_certificate_clear(hrr_certificate *certificate);

/* True unless there is a reason why not. */
bool hrr_certificate_is_private(const hrr_certificate *certificate);

/* The decimal, rounded up to 1e-9 but never above `requested_nano`; "infinity". */
void hrr_realised_text(char text[HRR_EPS_TEXT_SIZE], double realised_eps, uint64_t requested_nano);

/* Each writes its file into the directory. */
hrr_status hrr_certificate_write_json(const hrr_certificate *certificate, const char *directory,
                                      hrr_error *err);
hrr_status hrr_certificate_write_text(const hrr_certificate *certificate, const char *directory,
                                      hrr_error *err);

/* What certificate.json says, its statement from its own terms; json_decref(). Errors: HRR_ENOMEM.
 */
hrr_status hrr_certificate_json(json_t **out, const hrr_certificate *certificate, hrr_error *err);

/* Words that several use. */
const char *hrr_decoding_name(hrr_decoding decoding);
/* What edgerr-node counts into, unless a maker of blocks says something else. */
extern const char hrr_blocks_given[], hrr_blocks_communities[];
extern const char hrr_neighbours_features[], hrr_neighbours_edges[], hrr_neighbours_pairs[],
    hrr_neighbours_labels[];
extern const char hrr_generator_secure[], hrr_generator_insecure[];

#endif
