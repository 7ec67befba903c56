/* standardise.h: released features to a scale that networks learn from. */
#ifndef HRR_EXPERIMENT_STANDARDISE_H
#define HRR_EXPERIMENT_STANDARDISE_H

#include <heterorr/matrix.h>

/* Every column (F32) to mean 0 and variance 1; columns that do not vary to 0. More than 16 columns
 * are made smaller together, so that a row's mean square length stays 16: otherwise the step that a
 * network takes would grow with the number of columns. */
void hrr_standardise(hrr_dense *x);

#endif
