/* choice.h: the mechanisms that the table of defaults names. */
#ifndef HRR_RELEASE_CHOICE_H
#define HRR_RELEASE_CHOICE_H

#include <heterorr/release.h>

/* A row of the table; the texts are literals. */
typedef struct hrr_chosen_features {
    const char *mechanism, *because;
    uint32_t n_propagate;
} hrr_chosen_features;
typedef struct hrr_chosen_edges {
    const char *mechanism, *because;
    bool sample_edges;
} hrr_chosen_edges;

hrr_chosen_features hrr_choose_features(const hrr_public_facts *facts);
hrr_chosen_edges hrr_choose_edges(const hrr_public_facts *facts);

#endif
