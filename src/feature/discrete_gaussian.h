/* discrete_gaussian.h: integers y with P(y) proportional to exp(-y^2 / (2 sigma^2)), exactly. */
#ifndef HRR_FEATURE_DISCRETE_GAUSSIAN_H
#define HRR_FEATURE_DISCRETE_GAUSSIAN_H

#include <heterorr/random.h>

/* sigma is a whole number, 1 <= sigma < 2^32. */
int64_t hrr_sample_discrete_gaussian(hrr_stream *stream, uint64_t sigma);

#endif
