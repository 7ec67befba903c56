/* npz_write.c: write .npz archives that numpy.load reads.
 *
 * Members are stored, as numpy.savez does, straight from the arrays' memory. The archive is made
 * under a temporary name beside its place and renamed, because libzip needs to seek and
 * hrr_output does not. Times in it are fixed: the same arrays make the same bytes. */
#include "io/npy_header.h"
#include "base/memory.h"
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

static const zip_uint16_t dos_date_1980_01_01 = 1 << 5 | 1; /* day 1, month 1, year 0 */

static hrr_status write_failed(const char *path, const char *reason, hrr_error *err)
{
    return hrr_fail(err, HRR_EIO, "%s: cannot be written: %s; nothing was changed", path, reason);
}

/* Add one array; *header must live until the archive is closed. */
static hrr_status add_item(zip_t *zip, const hrr_npz_item *item, char **header, const char *path,
                           hrr_error *err)
{
    const hrr_array *array = item->array;
    size_t header_size;
    hrr_status status = hrr_npy_header_make(header, &header_size, array, err);
    if (status) return status;
    char *name = hrr_format_text("%s.npy", item->name);
    if (!name) return hrr_no_memory(err);
    zip_buffer_fragment_t parts[2] = {
        {.data = (zip_uint8_t *)*header, .length = header_size},
        {.data = array->data, .length = array->n_items * array->item_size},
    };
    zip_source_t *source = zip_source_buffer_fragment(zip, parts, parts[1].length ? 2 : 1, 0);
    zip_int64_t index = source ? zip_file_add(zip, name, source, ZIP_FL_ENC_UTF_8) : -1;
    hrr_free(name);
    if (index < 0) {
        zip_source_free(source);
    } else if (zip_set_file_compression(zip, (zip_uint64_t)index, ZIP_CM_STORE, 0) == 0 &&
               zip_file_set_dostime(zip, (zip_uint64_t)index, 0, dos_date_1980_01_01, 0) == 0) {
        return HRR_OK;
    }
    return write_failed(path, zip_strerror(zip), err);
}

/* Sync the finished archive and give it its name. */
static hrr_status publish(const char *temporary, const char *path, hrr_error *err)
{
    int fd = open(temporary, O_RDONLY | O_CLOEXEC);
    bool moved = fd >= 0 && fsync(fd) == 0 && rename(temporary, path) == 0;
    int reason = errno;
    if (fd >= 0) close(fd);
    return moved ? hrr_path_sync_parent(path, err) : write_failed(path, strerror(reason), err);
}

hrr_status hrr_npz_write(const char *path, const hrr_npz_item *items, size_t n_items,
                         hrr_error *err)
{
    hrr_status status = HRR_OK;
    zip_t *zip = NULL;
    char *target = hrr_path_follow(path);
    char *temporary = target ? hrr_path_partial(target) : NULL;
    char **headers = hrr_alloc_zero(n_items, sizeof *headers);
    if (!temporary || !headers) {
        status = hrr_no_memory(err);
        goto done;
    }
    int code;
    zip = zip_open(temporary, ZIP_CREATE | ZIP_EXCL, &code);
    if (!zip) {
        zip_error_t reason;
        zip_error_init_with_code(&reason, code);
        status = write_failed(path, zip_error_strerror(&reason), err);
        zip_error_fini(&reason);
        goto done;
    }
    for (size_t i = 0; i < n_items; i++)
        if ((status = add_item(zip, &items[i], &headers[i], path, err))) goto done;
    if (zip_close(zip) != 0) {
        zip_error_t *reason = zip_get_error(zip);
        const bool lost =
            zip_error_system_type(reason) == ZIP_ET_SYS && zip_error_code_system(reason) == ENOENT;
        status = lost ? hrr_path_refused(path, "written", ENOENT, err)
                      : write_failed(path, zip_strerror(zip), err);
        goto done;
    }
    zip = NULL;
    status = publish(temporary, target, err);
    if (status) unlink(temporary);
done:
    if (zip) zip_discard(zip);
    for (size_t i = 0; headers && i < n_items; i++)
        hrr_free(headers[i]);
    hrr_free(headers);
    hrr_free(temporary);
    hrr_free(target);
    return status;
}
