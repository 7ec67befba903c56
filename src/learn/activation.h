/* activation.h: what follows the products of a layer, on blocks of rows as they are finished. */
#ifndef HRR_LEARN_ACTIVATION_H
#define HRR_LEARN_ACTIVATION_H

#include <heterorr/learn.h>

/* Inverted dropout: a unit is kept with probability 1 - rate and then divided by it. Whether unit
 * (row, k) is kept is a hash of key, row and k: nothing is stored, and any thread finds the same.
 */
typedef struct hrr_dropout {
    uint32_t threshold; /* rate 2^32: kept if the hash reaches it; 0: every unit is kept */
    float scale;
    uint64_t key;
} hrr_dropout;

/* rate in [0, 1); one key for every (seed, epoch, layer). */
hrr_dropout hrr_dropout_for(double rate, uint64_t seed, uint32_t epoch, uint32_t layer);

/* to = block + bias, or relu of that, with dropout. */
typedef struct hrr_activation {
    float *to;
    uint64_t n_out;
    const float *bias; /* or NULL */
    bool relu;
    hrr_dropout dropout; /* with relu only */
    uint64_t first_row;  /* what dropout takes row 0 for: these may be rows of a larger matrix */
} hrr_activation;

void hrr_activate_rows(void *activation, const float *block, size_t stride, uint64_t first,
                       uint64_t count); /* an hrr_take_rows */

/* The way back. An output of relu and dropout is above 0 exactly where the unit was active and
 * kept, so that the outputs are the mask: each is replaced by what the block says about its
 * derivative times `scale`, or by 0. */
typedef struct hrr_deactivation {
    float *outputs;
    uint64_t n_out;
    float scale;
} hrr_deactivation;

void hrr_deactivate_rows(void *deactivation, const float *block, size_t stride, uint64_t first,
                         uint64_t count); /* an hrr_take_rows */

/* sums (d) = the columns of x (n x d) added up; the same bits for any number of threads. */
void hrr_column_sums(float *sums, const float *x, uint64_t n, uint64_t d, int threads);

#endif
