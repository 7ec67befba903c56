/* public_guess.h: which pairs look like private edges to somebody who has public data and no model.
 */
#ifndef HRR_ATTACK_PUBLIC_GUESS_H
#define HRR_ATTACK_PUBLIC_GUESS_H

#include <heterorr/attack.h>

typedef enum hrr_public_guess {
    HRR_GUESS_WALKS = 0, /* friends of friends: short walks over public edges */
    HRR_GUESS_FEATURES,  /* correlated features */
    HRR_GUESS_BOTH,      /* the sum of the two ranks */
    HRR_PUBLIC_GUESSES
} hrr_public_guess;

/* "public-walks", "lsa2-attr", "public-both" */
const char *hrr_public_guess_name(hrr_public_guess guess);

/* Without public edges (or if all edges count as private) there are features alone. */
bool hrr_public_guess_exists(hrr_public_guess guess, const hrr_graph *truth, bool all_edges);

/* One score for each pair; NULL: there is no such guess. */
typedef struct hrr_public_guesses {
    double *scores[HRR_PUBLIC_GUESSES];
} hrr_public_guesses;

/* Of the truth only its public edges are read.
 *
 * Cost:   walks: for each node of the sample the edges within two steps of it, and the public
 *         edges of the sample; features: O(d) for each pair.
 * Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_public_guesses_init(hrr_public_guesses *out, const hrr_link_pairs *pairs,
                                   const hrr_graph *truth, const hrr_dense *features,
                                   const uint32_t *nodes, uint64_t n_nodes, bool all_edges,
                                   int threads, hrr_progress *progress, hrr_error *err) HRR_CHECKED;
void hrr_public_guesses_clear(hrr_public_guesses *guesses);

#endif
