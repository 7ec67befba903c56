/* npy.h: what .npy files and .npz members share once the header is known, and files that are
 * written piece by piece. */
#ifndef HRR_IO_NPY_H
#define HRR_IO_NPY_H

#include "io/npy_header.h"

/* Whether data in this byte order, starting at this offset in memory, can be used as it lies. */
bool hrr_npy_is_native(const hrr_npy_header *header, size_t offset);
/* Bring the header's items from `data` into this machine's byte order and row-major order. `to` has
 * data_size bytes and does not overlap. */
void hrr_npy_convert(void *to, const hrr_npy_header *header, const void *data);

/* Begin a .npy file whose items come later: open the output and write the header for `shape` (its
 * type, item size and dimensions; data is not looked at). The caller then writes exactly
 * shape->n_items items with hrr_output_write() and commits, so that an array larger than memory can
 * be written block by block. */
hrr_status hrr_npy_begin(hrr_output **out, const char *npy_path, const hrr_array *shape,
                         hrr_error *err);
/* The same; the items begin at a multiple of `alignment`. 0: where numpy puts them. */
hrr_status hrr_npy_begin_aligned(hrr_output **out, const char *npy_path, const hrr_array *shape,
                                 size_t alignment, hrr_error *err);

#endif
