/* certificate.h: everything that a release says about itself, gathered in one place and written
 * twice: certificate.json for programs, CERTIFICATE.txt for people.
 *
 * Nothing in here may depend on private data except through a mechanism that is paid for. So there
 * is no number of private edges, no value and no hash of the input: a hash of data that can be
 * guessed confirms the guess. */
#ifndef HRR_CERTIFICATE_CERTIFICATE_H
#define HRR_CERTIFICATE_CERTIFICATE_H

#include <heterorr/certificate.h>
#include <heterorr/feature.h>

#include "io/hash.h"
#include "privacy/charge.h"

#include <jansson.h>

enum { HRR_MOST_SENTENCES = 24 };

/* Sentences that explain one thing; string literals. */
typedef struct hrr_sentences {
    const char *text[HRR_MOST_SENTENCES];
    int count;
} hrr_sentences;

/* What was asked for, as far as it is recorded. Texts that may be NULL are not stated then. */
typedef struct hrr_recorded_request {
    bool paper_mode;
    const hrr_feature_options *features; /* not looked at without features */
    const char *edge_mechanism;
    uint64_t eps_labels_nano;
    uint32_t n_propagate;
    bool scores_are_public, bounds_from_data;
    const char *directions_from;
    const char *blocks_are; /* what edgerr-node counts into */
    const char *need_is;    /* what the need of a node is, where a pair is counted at the end that
                               needs it */
    const char *rivals_are; /* which blocks of a node share a count; NULL: none do */
    const char *features_because, *edges_because; /* NULL: the mechanism was named */
    const char *issuer, *kept;
    const char *signer; /* the fingerprint of the key that it will be signed with */
} hrr_recorded_request;

typedef struct hrr_certificate {
    hrr_recorded_request request;
    uint64_t n_nodes, n_features_in;
    uint32_t n_classes;
    bool has_labels, multilabel;
    bool insecure; /* the generator has a seed */

    const double *lo, *hi;         /* what features are clipped to; NULL: 0 and 1, or nothing is */
    hrr_feature_claim features;    /* nothing in it if n_features_in is 0 */
    uint64_t *eps_of_feature_nano; /* featurerr: the integer budgets; else NULL */
    uint64_t *eps_of_answer_nano;  /* featurerr-head: the budgets of labels; else NULL */
    double realised_eps_labels;
    hrr_edge_claim edges;
    const hrr_edge_claim *edges_of_graph; /* of a collection: each graph's own claim */
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
} hrr_certificate;

/* Fill in what follows from the rest: the budgets of single features, the date, and the statement
 * and treatment that readers will find. edges_out and edges_of_graph may be filled in later.
 * Errors: HRR_EINVAL, HRR_ENOMEM. */
hrr_status hrr_certificate_settle(hrr_certificate *certificate, hrr_error *err);
void hrr_certificate_clear(hrr_certificate *certificate);

/* True unless there is a reason why not. */
bool hrr_certificate_is_private(const hrr_certificate *certificate);

/* What certificate.json says, its statement from its own terms, and an empty list of files;
 * json_decref(). Errors: HRR_ENOMEM. */
hrr_status hrr_certificate_json(json_t **out, const hrr_certificate *certificate, hrr_error *err);

#endif
