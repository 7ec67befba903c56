/* words.h: words that certificates are written in and checked by. */
#ifndef HRR_CERTIFICATE_WORDS_H
#define HRR_CERTIFICATE_WORDS_H

#include <jansson.h>

/* The sentence `now`, or `then` in the page of a certificate before HRR_CERTIFICATE_PLAIN_WORDS.
 * Both are formats of the same arguments. */
__attribute__((format_arg(2), format_arg(3))) const char *
hrr_words_of(const json_t *certificate, const char *now, const char *then);
/* What is systematically wrong about edges: `now`, what their mechanism says today, or what it said
 * in the page of an older certificate. */
const char *hrr_bias_of(const json_t *certificate, const char *mechanism, const char *now);

extern const char hrr_neighbours_features[], hrr_neighbours_edges[], hrr_neighbours_pairs[],
    hrr_neighbours_labels[];
/* What an epsilon is, for whoever reads of one. */
extern const char hrr_epsilon_means[];
extern const char hrr_generator_secure[], hrr_generator_insecure[];

/* How labels were drawn. */
typedef enum hrr_label_mechanism {
    HRR_LABELS_KEPT = 0,   /* they are as they were */
    HRR_LABELS_RANDOMISED, /* one class a node */
    HRR_LABELS_EVERY_BIT,  /* several labels a node */
    HRR_N_LABEL_MECHANISMS /* of a name that there is not */
} hrr_label_mechanism;
const char *hrr_label_mechanism_name(hrr_label_mechanism mechanism);
hrr_label_mechanism hrr_label_mechanism_find(const char *name);

/* What edgerr-node counts into, if it was not made from the release. */
extern const char hrr_blocks_given[], hrr_blocks_communities[];
extern const char hrr_need_given[], hrr_need_of_public_edges[];
extern const char hrr_rivals_given[], hrr_rivals_predicted[];

/* Who stated the bounds that features are clipped to. */
extern const char hrr_bounds_by_owner[], hrr_bounds_by_format[];

#endif
