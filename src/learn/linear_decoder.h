/* linear_decoder.h: pictures as a linear function of features. Where there are few pictures to
 * learn from, it guesses better than layers that learn them by heart. */
#ifndef HRR_LEARN_LINEAR_DECODER_H
#define HRR_LEARN_LINEAR_DECODER_H

#include <heterorr/matrix.h>

/* weights (d x pixels, F32) = the ridge regression of y on x (both F32; n x d and n x pixels, about
 * their means), with the ridge that has the least squared error on the first n_held rows, which
 * nothing is learnt from. All 0 if none is better than that. 1 <= n_held < n.
 *
 * Cost:   d^2 (n + d + pixels) operations.
 * Errors: HRR_ENOMEM. */
hrr_status hrr_linear_decoder_fit(hrr_dense *weights, const hrr_dense *x, const hrr_dense *y,
                                  uint64_t n_held, int threads, hrr_error *err) HRR_CHECKED;

#endif
