/* head_steering.h: a head that leans less on sensitive features.
 *
 * The penalty of a weight of feature i is multiplied by f_i = (1 + strength r_i^2) / G, where r_i
 * is its sensitivity over the mean and G the geometric mean of what is above it, so that the ridge
 * keeps its size. With a large strength that is the square of how far the masked part moves the
 * score, (r_i w_i)^2. sum_i f_i w_i^2 = sum_i v_i^2 with v_i = sqrt(f_i) w_i, and w_i x_i = v_i
 * (x_i / sqrt(f_i)): the plain penalty on features that are divided by sqrt(f_i). So whoever learns
 * divides features by the divisors, and weights by the same afterwards. */
#ifndef HRR_LEARN_HEAD_STEERING_H
#define HRR_LEARN_HEAD_STEERING_H

#include <heterorr/learn.h>

/* steering may be NULL, which is fine. Errors: HRR_EDATA (another number of features), HRR_EINVAL.
 */
hrr_status hrr_steering_check(const hrr_head_steering *steering, uint64_t n_features,
                              hrr_error *err);

/* sqrt(f_i) of every feature; hrr_free(). Error: HRR_ENOMEM. */
hrr_status hrr_steering_divisors(double **out, const hrr_head_steering *steering, hrr_error *err);

/* How far each answer of a linear head leans on sensitive features, from 0 to 1: the mean of
 * beta_i / max beta, weighted with how much feature i moves the answer's score, |w_ij| times the
 * deviation of feature i over these rows (F32; columns behind the features are not looked at).
 * Error: HRR_ENOMEM. */
hrr_status hrr_head_lean(double *lean, const hrr_head *head, const hrr_dense *rows,
                         const hrr_head_steering *steering, hrr_error *err);

#endif
