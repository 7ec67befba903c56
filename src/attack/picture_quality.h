/* picture_quality.h: how near a guessed picture is to the true one. Pictures are rows of numbers
 * from 0 to 1: side x side pixels, the channels of a pixel side by side. */
#ifndef HRR_ATTACK_PICTURE_QUALITY_H
#define HRR_ATTACK_PICTURE_QUALITY_H

#include <heterorr/matrix.h>

/* Peak signal-to-noise ratio in decibels: -10 log10(mean squared error). Equal pictures have 100.
 */
double hrr_psnr(const float *guess, const float *truth, uint64_t n);

/* Structural similarity (Wang, Bovik, Sheikh and Simoncelli, IEEE TIP 13, 2004): windows are
 * Gaussian with deviation 1.5, 11 pixels a side (7 in pictures of 8), only whole ones count; the
 * mean over windows and channels. 1: equal. */
double hrr_ssim(const float *guess, const float *truth, uint32_t side, uint32_t channels);

/* rank[i]: how many of the n true pictures look more like guess i than true picture i does, 0 if
 * none. Likeness is the cosine between what sets each apart from the mean picture; ties count half.
 * rank / (n - 1) is 1/2 on average for a guess that knows nothing.
 * Errors: HRR_ENOMEM. */
hrr_status hrr_reidentify(double *rank, const hrr_dense *guess, const hrr_dense *truth,
                          const float *mean, hrr_error *err) HRR_CHECKED;

#endif
