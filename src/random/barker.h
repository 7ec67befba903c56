/* barker.h: Barker's acceptance, for chains. */
#ifndef HRR_RANDOM_BARKER_H
#define HRR_RANDOM_BARKER_H

#include <heterorr/random.h>

/* Barker's acceptance: true with probability 1 / (1 + exp(-z)), z = num/den; den >= 1,
 * den < 2^32. */
bool hrr_sample_barker(hrr_stream *stream, int64_t num, uint64_t den);

#endif
