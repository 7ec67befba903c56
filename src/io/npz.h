/* npz.h: archives whose arrays need not all be there. */
#ifndef HRR_IO_NPZ_H
#define HRR_IO_NPZ_H

#include <heterorr/io.h>

bool hrr_npz_has(const hrr_npz_reader *npz, const char *name); /* without ".npy" */

#endif
