/* terms.h: what the rooms behind know of the terms of a release. */
#ifndef HRR_CERTIFICATE_TERMS_H
#define HRR_CERTIFICATE_TERMS_H

#include <heterorr/certificate.h>

#include <jansson.h>

enum { HRR_MOST_DECLARED = 16 };

struct hrr_terms {
    json_t *certificate; /* what they are read from */
    hrr_term part[HRR_N_PARTS];
    bool is_private;
    bool all_pairs;                    /* the mechanism took the whole graph for private */
    char *declared[HRR_MOST_DECLARED]; /* what, and why it has to be; NULL after the last */
    char *statement;
    char badge[64];
};

/* The terms that a certificate records, well formed or not: what is not readable is not protected.
 * Errors: HRR_ENOMEM. */
hrr_status hrr_terms_of_certificate(hrr_terms **out, const json_t *certificate, hrr_error *err);

/* Epsilon of one count of edgerr-node; 0 if there are none. */
double hrr_terms_eps_of_count(const hrr_terms *terms);
/* Whether networks learn from the features only if they are brought to scale (HRR_SCALE_BOUNDED of
 * hrr_train_options): they are randomised. */
bool hrr_terms_scale_features(const hrr_terms *terms);

/* The part's own object; NULL or null if there is none. */
const json_t *hrr_terms_record(const hrr_terms *terms, hrr_part part);

/* What the record says of a part. Texts belong to the terms, "" where there is none: what is
 * published has no epsilon, and what was asked for without a budget none that was requested. */
typedef struct hrr_part_words {
    const char *mechanism, *requested_eps, *realised_eps, *neighbours;
} hrr_part_words;
hrr_part_words hrr_terms_words(const hrr_terms *terms, hrr_part part);

/* Sentences that the record lists, under these titles. The i-th of them; NULL: there are no more.
 */
typedef enum hrr_term_list {
    HRR_NOT_PRIVATE_BECAUSE = 0,
    HRR_NOT_PROTECTED,
    HRR_DECLARED_PUBLIC,
    HRR_NOT_CERTIFIED
} hrr_term_list;
extern const char *const hrr_term_list_titles[];
const char *hrr_terms_listed(const hrr_terms *terms, hrr_term_list list, size_t i);

/* Where the release comes from; "" where it is not stated. */
typedef struct hrr_origin_words {
    const char *program, *mode, *issuer, *kept;
    const char *signer; /* a fingerprint */
} hrr_origin_words;
hrr_origin_words hrr_terms_origin(const hrr_terms *terms);

/* plain_words.c: what the treatment of a part means for somebody, one sentence; "" where there is
 * nothing to say. Of a release that is private. */
enum { HRR_PLAIN_SIZE = 512 };
void hrr_terms_plain_words(char text[HRR_PLAIN_SIZE], const hrr_terms *terms, hrr_part part);

/* Why all edges are published: the sentence of the statement, the certificate and the report. */
const char *hrr_terms_why_published(const json_t *certificate);

/* statement.c: hrr_free(); NULL: out of memory. */
char *hrr_terms_state(const hrr_terms *terms);
void hrr_terms_name_badge(hrr_terms *terms);
extern const char hrr_part_names[HRR_N_PARTS][9]; /* features, edges, labels */

/* strength.c: how often somebody is right at most who was undecided: (e^eps + delta) / (1 + e^eps)
 * in tenths of a percent, rounded up. */
double hrr_right_at_most(double eps, double delta);
/* The sum of the epsilons of what is protected of one person with so many pairs. */
uint64_t hrr_terms_sum_nano(const hrr_terms *terms, uint64_t n_pairs);

#endif
