/* attributes.h: guesses of features, between the ways to make them. */
#ifndef HRR_ATTACK_ATTRIBUTES_H
#define HRR_ATTACK_ATTRIBUTES_H

#include <heterorr/attack.h>

/* What the adversary has, and who is guessed. */
typedef struct hrr_guessing {
    hrr_dense x; /* n x d, F32 */
    const hrr_csr *edges;
    const uint8_t *known;
    uint32_t *target; /* n_targets */
    uint64_t n_targets;
    float *mean; /* of known nodes, d */
    const hrr_attribute_options *options;
    hrr_dense
        *regressed; /* gets the regression's guesses, a row for each target; NULL: nobody asks */
    int threads;
} hrr_guessing;

/* hrr_attributes_infer(), and the regression's guesses as a new F32 matrix, a row for each target
 * by ascending node, if guess is not NULL. */
hrr_status hrr_attributes_guess(hrr_attribute_result *out, hrr_dense *guess,
                                const hrr_dense *features, const hrr_csr *edges,
                                const uint8_t *known, const uint8_t *targets,
                                const hrr_attribute_options *options, hrr_progress *progress,
                                hrr_error *err) HRR_CHECKED;

/* guess: rows of d numbers for the targets, `stride` apart (0: the same row for everybody). */
hrr_status hrr_guess_judge(hrr_attribute_quality *out, const hrr_guessing *g, const float *guess,
                           uint64_t stride, hrr_error *err) HRR_CHECKED;

/* row = mean of the rows of a node's neighbours, known ones only if asked; if it has none,
 * `otherwise`. */
void hrr_neighbours_mean(float *row, const hrr_guessing *g, const float *from, uint32_t node,
                         bool known_only, const float *otherwise);

/* *ridge: the one that was chosen. */
hrr_status hrr_guess_regress(hrr_attribute_quality *out, double *ridge, const hrr_guessing *g,
                             hrr_progress *progress, hrr_error *err) HRR_CHECKED;

#endif
