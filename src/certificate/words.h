/* words.h: words that certificates are written in and checked by. */
#ifndef HRR_CERTIFICATE_WORDS_H
#define HRR_CERTIFICATE_WORDS_H

extern const char hrr_neighbours_features[], hrr_neighbours_edges[], hrr_neighbours_pairs[],
    hrr_neighbours_labels[];
/* What an epsilon is, for whoever reads of one. */
extern const char hrr_epsilon_means[];
extern const char hrr_generator_secure[], hrr_generator_insecure[];

/* What edgerr-node counts into, if it was not made from the release. */
extern const char hrr_blocks_given[], hrr_blocks_communities[];
extern const char hrr_need_given[], hrr_need_of_public_edges[];

/* Who stated the bounds that features are clipped to. */
extern const char hrr_bounds_by_owner[], hrr_bounds_by_format[];

#endif
