/* seen.h: what an adversary sees of pictures in one world: features as they are, as a mechanism
 * releases them, classes, or noise. */
#ifndef HRR_ATTACK_SEEN_H
#define HRR_ATTACK_SEEN_H

#include <heterorr/attack.h>
#include <heterorr/feature.h>

typedef enum hrr_seeing { HRR_SEE_ALL, HRR_SEE_NOISE, HRR_SEE_CLASS, HRR_SEE_RELEASE } hrr_seeing;

typedef struct hrr_seen {
    hrr_seeing how;
    const hrr_pictured *public_side, *private_side;
    uint32_t n_classes;
    hrr_feature_plan *plan; /* of a release */
    hrr_random *public_random, *private_random;
    uint64_t seed;
    uint64_t n_in; /* numbers that are seen of one picture */
    double realised_eps;
    int threads;
} hrr_seen;

/* What public data decides, for all mechanisms and budgets: bounds, directions, a head. */
typedef struct hrr_seen_public {
    double *lo, *hi; /* of public features; one block of memory */
    hrr_projection projection;
    hrr_head own_head; /* trained on the public side */
    const hrr_head *head;
} hrr_seen_public;

/* Directions and heads only where one of the mechanisms needs them.
 * Errors: HRR_EINVAL (a mechanism that protects nothing, or needs classes and there are none). */
hrr_status hrr_seen_public_init(hrr_seen_public *out, const hrr_pictured *public_side,
                                const hrr_reconstruct_options *options, hrr_progress *progress,
                                hrr_error *err) HRR_CHECKED;
void hrr_seen_public_clear(hrr_seen_public *known);

/* how: not HRR_SEE_RELEASE, or a mechanism with its budget. */
hrr_status hrr_seen_init(hrr_seen *out, hrr_seeing how, const char *mechanism, uint64_t eps_nano,
                         const hrr_seen_public *known, const hrr_pictured *public_side,
                         const hrr_pictured *private_side, const hrr_reconstruct_options *options,
                         hrr_error *err) HRR_CHECKED;
void hrr_seen_clear(hrr_seen *seen);

/* An hrr_draw_inputs: of the public side, as often as he likes. */
hrr_status hrr_seen_of_public(void *seen, hrr_dense *x, uint32_t number, hrr_error *err);
/* Of the private side, once; a new F32 matrix. */
hrr_status hrr_seen_of_private(hrr_dense *out, hrr_seen *seen, hrr_error *err) HRR_CHECKED;

#endif
