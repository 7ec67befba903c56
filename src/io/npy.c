/* npy.c: read and write .npy files.
 *
 * A file in this machine's byte order, row-major, whose data is aligned (numpy pads the header so
 * that it is) stays mapped: opening costs the same for any size and pages are read when touched.
 * Any other file is converted into heap memory. */
#include "io/npy.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void hrr_array_clear(hrr_array *array)
{
    hrr_region_clear(&array->storage);
    *array = (hrr_array){0};
}

/* The part of an item that a byte order applies to. */
static size_t unit_size(const hrr_array *array)
{
    if (array->type == HRR_ARRAY_BYTES) return 1;
    return array->type == HRR_ARRAY_UCS4 ? 4 : array->item_size;
}

bool hrr_npy_is_native(const hrr_npy_header *header, size_t offset)
{
    bool in_order = !header->columns_first || header->array.n_dims < 2;
    return in_order && !header->swap_bytes && offset % unit_size(&header->array) == 0;
}

static void copy_item(unsigned char *to, const unsigned char *from, size_t size, size_t unit,
                      bool swap)
{
    if (!swap) {
        memcpy(to, from, size);
        return;
    }
    for (size_t start = 0; start < size; start += unit)
        for (size_t i = 0; i < unit; i++)
            to[start + i] = from[start + unit - 1 - i];
}

void hrr_npy_convert(void *to, const hrr_npy_header *header, const void *data)
{
    const hrr_array *array = &header->array;
    size_t size = array->item_size, unit = unit_size(array);
    uint64_t shape[HRR_ARRAY_MAX_DIMS], stride[HRR_ARRAY_MAX_DIMS];
    /* Missing dimensions are put in front with length 1. */
    int missing = HRR_ARRAY_MAX_DIMS - array->n_dims;
    for (int i = 0; i < HRR_ARRAY_MAX_DIMS; i++)
        shape[i] = i < missing ? 1 : array->shape[i - missing];
    for (int i = 0; i < HRR_ARRAY_MAX_DIMS; i++) {
        stride[i] = size;
        if (header->columns_first)
            for (int j = 0; j < i; j++)
                stride[i] *= shape[j];
        else
            for (int j = i + 1; j < HRR_ARRAY_MAX_DIMS; j++)
                stride[i] *= shape[j];
    }
    if (array->n_items == 0) return;
    unsigned char *next = to;
    const unsigned char *from = data;
    for (uint64_t a = 0; a < shape[0]; a++)
        for (uint64_t b = 0; b < shape[1]; b++)
            for (uint64_t c = 0; c < shape[2]; c++)
                for (uint64_t d = 0; d < shape[3]; d++, next += size)
                    copy_item(next,
                              from + a * stride[0] + b * stride[1] + c * stride[2] + d * stride[3],
                              size, unit, header->swap_bytes);
}

static hrr_status map_file(hrr_region *out, const char *path, hrr_error *err)
{
    hrr_status status = HRR_OK;
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return hrr_fail(err, HRR_EIO, "%s: cannot be read: %s; check the path and its permissions",
                        path, strerror(errno));
    if (fstat(fd, &info) != 0) {
        status = hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", path, strerror(errno));
    } else if (S_ISDIR(info.st_mode)) {
        status = hrr_fail(err, HRR_EIO, "%s: is a directory; name a file in it", path);
    } else if (!S_ISREG(info.st_mode)) {
        status = hrr_fail(err, HRR_EIO, "%s: is not a regular file; save it to a file first", path);
    } else if (info.st_size == 0) {
        status = hrr_fail(err, HRR_EDATA,
                          "%s: is empty, so it is not a .npy file; write it with numpy.save", path);
    } else {
        size_t size = (size_t)info.st_size;
        void *start = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (start == MAP_FAILED)
            status = hrr_fail(err, HRR_EIO, "%s: cannot be mapped: %s", path, strerror(errno));
        else
            *out = (hrr_region){.start = start, .size = size, .kind = HRR_REGION_MAPPED};
    }
    close(fd);
    return status;
}

hrr_status hrr_array_read(hrr_array *out, const char *npy_path, hrr_error *err)
{
    *out = (hrr_array){0};
    hrr_npy_header header;
    hrr_region file = {0};
    hrr_status status = map_file(&file, npy_path, err);
    if (status) return status;
    if ((status = hrr_npy_header_parse(&header, file.start, file.size, file.size, npy_path, err)))
        goto done;
    unsigned char *data = (unsigned char *)file.start + header.size;
    if (hrr_npy_is_native(&header, header.size)) {
        header.array.storage = file;
        header.array.data = data;
        file = (hrr_region){0};
    } else {
        hrr_region *storage = &header.array.storage;
        if ((status = hrr_region_alloc(storage, header.data_size, 1, false, err))) goto done;
        header.array.data = storage->start;
        hrr_npy_convert(storage->start, &header, data);
    }
    *out = header.array;
done:
    hrr_region_clear(&file);
    return status;
}

hrr_status hrr_npy_begin(hrr_output **out, const char *npy_path, const hrr_array *shape,
                         hrr_error *err)
{
    return hrr_npy_begin_aligned(out, npy_path, shape, 0, err);
}

hrr_status hrr_npy_begin_aligned(hrr_output **out, const char *npy_path, const hrr_array *shape,
                                 size_t alignment, hrr_error *err)
{
    *out = NULL;
    char *header = NULL;
    size_t size;
    hrr_output *output = NULL;
    hrr_status status = alignment
                            ? hrr_npy_header_make_aligned(&header, &size, shape, alignment, err)
                            : hrr_npy_header_make(&header, &size, shape, err);
    if (status) goto done;
    if ((status = hrr_output_open(&output, npy_path, err))) goto done;
    if ((status = hrr_output_write(output, header, size, err))) goto done;
    *out = output;
    output = NULL;
done:
    hrr_output_free(output);
    hrr_free(header);
    return status;
}

hrr_status hrr_array_write(const hrr_array *array, const char *npy_path, hrr_error *err)
{
    hrr_output *output;
    hrr_status status = hrr_npy_begin(&output, npy_path, array, err);
    if (status) return status;
    status = hrr_output_write(output, array->data, array->n_items * array->item_size, err);
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    return status;
}
