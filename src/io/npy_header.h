/* npy_header.h: the text at the front of a .npy file, which says what the bytes after it are.
 * Format: numpy.lib.format, versions 1.0, 2.0 and 3.0. */
#ifndef HRR_IO_NPY_HEADER_H
#define HRR_IO_NPY_HEADER_H

#include <heterorr/io.h>

enum {
    HRR_NPY_PREFIX = 12,           /* so many first bytes tell how long the header is */
    HRR_NPY_MAX_HEADER = 64 << 10, /* a real one is a line */
};

typedef struct hrr_npy_header {
    hrr_array array;    /* type, item_size and shape; no data */
    bool swap_bytes;    /* items are in the other byte order */
    bool columns_first; /* Fortran order */
    size_t size;        /* of the header: where the data begins */
    size_t data_size;
} hrr_npy_header;

/* The size of the header that starts with these bytes (HRR_NPY_PREFIX of them, or fewer if the
 * file ends before). `name` names the file or member in messages. Errors: HRR_EDATA. */
hrr_status hrr_npy_header_size(size_t *size, const void *prefix, size_t available, const char *name,
                               hrr_error *err);
/* Parse a whole header. file_size: all bytes of the file; anything but exactly the size that the
 * header announces is refused, so that no later allocation exceeds what the file holds. */
hrr_status hrr_npy_header_parse(hrr_npy_header *out, const void *bytes, size_t size,
                                uint64_t file_size, const char *name, hrr_error *err);
/* The header for this array, in heap memory. *size is a multiple of 64. */
hrr_status hrr_npy_header_make(char **out, size_t *size, const hrr_array *array, hrr_error *err);
/* The same, padded to a multiple of `alignment`, at most 32 KB: the data of a file that begins with
 * it is aligned so. */
hrr_status hrr_npy_header_make_aligned(char **out, size_t *size, const hrr_array *array,
                                       size_t alignment, hrr_error *err);

const char *hrr_array_type_name(hrr_array_type type);

#endif
