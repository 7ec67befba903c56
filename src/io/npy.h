/* npy.h: what .npy files and .npz members share once the header is known. */
#ifndef HRR_IO_NPY_H
#define HRR_IO_NPY_H

#include "io/npy_header.h"

/* Whether data in this byte order, starting at this offset in memory, can be used as it lies. */
bool hrr_npy_is_native(const hrr_npy_header *header, size_t offset);
/* Bring the header's items from `data` into this machine's byte order and row-major order. `to` has
 * data_size bytes and does not overlap. */
void hrr_npy_convert(void *to, const hrr_npy_header *header, const void *data);

#endif
