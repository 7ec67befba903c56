/* npz.c: read .npz archives: zip files whose members are .npy files.
 *
 * Nothing is extracted to disk. Every size that the archive declares is a claim to be checked
 * before memory is taken on its word: a member may not claim to come from more bytes than the
 * archive has, nor to have been deflated better than deflate can (1032 to 1), nor to exceed this
 * machine's memory, and it must be exactly what its own .npy header announces. */
#include "io/npy.h"
#include "io/npz.h"
#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

enum { deflate_limit = 1032, deflate_slack = 64 };

struct hrr_npz_reader {
    char *path;
    zip_t *zip;
    uint64_t size; /* of the archive file */
};

static hrr_status zip_failed(int code, const char *path, const char *member, hrr_error *err)
{
    if (code == ZIP_ER_MEMORY) return hrr_no_memory(err);
    if (code == ZIP_ER_OPEN || code == ZIP_ER_NOENT)
        return hrr_fail(err, HRR_EIO, "%s: cannot be read; check the path and its permissions",
                        path);
    if (code == ZIP_ER_EXISTS)
        return hrr_fail(err, HRR_EDATA,
                        "%s: two members have the same name; create the archive again", path);
    zip_error_t reason;
    zip_error_init_with_code(&reason, code);
    hrr_fail(err, HRR_EDATA, "%s%s%s: is damaged, or is not an .npz archive (%s); create it again",
             path, member ? ":" : "", member ? member : "", zip_error_strerror(&reason));
    zip_error_fini(&reason);
    return HRR_EDATA;
}

/* ---- opening: what may be in an archive at all -------------------------------------------- */

static hrr_status check_member(const hrr_npz_reader *npz, zip_uint64_t index, hrr_error *err)
{
    zip_stat_t info;
    if (zip_stat_index(npz->zip, index, ZIP_FL_ENC_RAW, &info) != 0)
        return zip_failed(zip_error_code_zip(zip_get_error(npz->zip)), npz->path, NULL, err);
    const zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
                                ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if ((info.valid & needed) != needed) return zip_failed(ZIP_ER_INCONS, npz->path, NULL, err);
    int number = (int)index + 1;
    if (strchr(info.name, '/') || strchr(info.name, '\\') || strstr(info.name, ".."))
        return hrr_fail(err, HRR_EDATA,
                        "%s: the name of member %d is a path; an .npz archive has plain names, "
                        "create it with numpy.savez",
                        npz->path, number);
    if (info.encryption_method != ZIP_EM_NONE)
        return hrr_fail(err, HRR_EDATA,
                        "%s: member %d is encrypted; create the archive without a password",
                        npz->path, number);
    return HRR_OK;
}

static hrr_status check_members(const hrr_npz_reader *npz, hrr_error *err)
{
    zip_int64_t count = zip_get_num_entries(npz->zip, 0);
    for (zip_int64_t i = 0; i < count; i++) {
        hrr_status status = check_member(npz, (zip_uint64_t)i, err);
        if (status) return status;
    }
    return HRR_OK;
}

hrr_status hrr_npz_open(hrr_npz_reader **out, const char *path, hrr_error *err)
{
    *out = NULL;
    struct stat info;
    if (stat(path, &info) != 0)
        return hrr_fail(err, HRR_EIO, "%s: cannot be read: %s; check the path and its permissions",
                        path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return hrr_fail(err, HRR_EIO, "%s: is a directory; name a file in it", path);
    if (!S_ISREG(info.st_mode))
        return hrr_fail(err, HRR_EIO, "%s: is not a regular file; save it to a file first", path);

    hrr_status status = HRR_OK;
    hrr_npz_reader *npz = hrr_alloc_zero(1, sizeof *npz);
    if (!npz) return hrr_no_memory(err);
    npz->size = (uint64_t)info.st_size;
    npz->path = hrr_copy_text(path);
    if (!npz->path) {
        status = hrr_no_memory(err);
        goto done;
    }
    int code;
    /* CHECKCONS: both copies of the metadata must agree, and names must differ. */
    npz->zip = zip_open(path, ZIP_RDONLY | ZIP_CHECKCONS, &code);
    if (!npz->zip) {
        status = zip_failed(code, path, NULL, err);
        goto done;
    }
    if ((status = check_members(npz, err))) goto done;
    *out = npz;
    npz = NULL;
done:
    hrr_npz_close(npz);
    return status;
}

void hrr_npz_close(hrr_npz_reader *npz)
{
    if (!npz) return;
    if (npz->zip) zip_discard(npz->zip);
    hrr_free(npz->path);
    hrr_free(npz);
}

/* ---- reading one member ------------------------------------------------------------------- */

static zip_int64_t locate(const hrr_npz_reader *npz, const char *name)
{
    char member[256]; /* the names we look for are short */
    int length = snprintf(member, sizeof member, "%s.npy", name);
    if (length < 0 || length >= (int)sizeof member) return -1;
    return zip_name_locate(npz->zip, member, ZIP_FL_ENC_RAW);
}

bool hrr_npz_has(const hrr_npz_reader *npz, const char *name)
{
    return locate(npz, name) >= 0;
}

static hrr_status check_claims(const hrr_npz_reader *npz, const zip_stat_t *info, const char *label,
                               hrr_error *err)
{
    bool stored = info->comp_method == ZIP_CM_STORE;
    if (!stored && info->comp_method != ZIP_CM_DEFLATE)
        return hrr_fail(err, HRR_EDATA,
                        "%s: the compression method is not supported; create the archive with "
                        "numpy.savez or numpy.savez_compressed",
                        label);
    uint64_t packed = info->comp_size;
    bool possible =
        packed <= npz->size &&
        (stored ? info->size == packed : info->size <= deflate_limit * packed + deflate_slack);
    if (!possible)
        return hrr_fail(err, HRR_EDATA,
                        "%s: claims to expand from %" PRIu64 " to %" PRIu64
                        " bytes, which is impossible; create the archive again",
                        label, (uint64_t)info->size, packed);
    const uint64_t memory = hrr_physical_memory();
    if (memory > 0 && info->size > memory)
        return hrr_fail(err, HRR_EDATA,
                        "%s: needs %" PRIu64 " bytes, more than the memory of this machine", label,
                        (uint64_t)info->size);
    return HRR_OK;
}

/* Read exactly `size` bytes. A damaged member that ends early is an error like any other. */
static hrr_status read_exactly(zip_file_t *file, void *to, size_t size, const hrr_npz_reader *npz,
                               const char *name, hrr_error *err)
{
    unsigned char *next = to;
    while (size > 0) {
        zip_int64_t got = zip_fread(file, next, size);
        if (got <= 0) {
            int code = got < 0 ? zip_error_code_zip(zip_file_get_error(file)) : ZIP_ER_EOF;
            return zip_failed(code, npz->path, name, err);
        }
        next += got;
        size -= (size_t)got;
    }
    return HRR_OK;
}

/* The checksum is compared when the end is reached, so the end must be read. */
static hrr_status read_end(zip_file_t *file, const hrr_npz_reader *npz, const char *name,
                           hrr_error *err)
{
    char extra;
    zip_int64_t got = zip_fread(file, &extra, 1);
    if (got == 0) return HRR_OK;
    int code = got < 0 ? zip_error_code_zip(zip_file_get_error(file)) : ZIP_ER_INCONS;
    return zip_failed(code, npz->path, name, err);
}

static hrr_status read_header(hrr_npy_header *header, zip_file_t *file, uint64_t size,
                              const hrr_npz_reader *npz, const char *name, const char *label,
                              hrr_error *err)
{
    unsigned char *bytes = hrr_alloc(HRR_NPY_PREFIX + HRR_NPY_MAX_HEADER, 1);
    if (!bytes) return hrr_no_memory(err);
    size_t available = size < HRR_NPY_PREFIX ? (size_t)size : HRR_NPY_PREFIX, whole = 0;
    hrr_status status = read_exactly(file, bytes, available, npz, name, err);
    if (status) goto done;
    if ((status = hrr_npy_header_size(&whole, bytes, available, label, err))) goto done;
    if (whole > available && whole <= size) {
        status = read_exactly(file, bytes + available, whole - available, npz, name, err);
        available = whole;
    }
    if (!status) status = hrr_npy_header_parse(header, bytes, available, size, label, err);
done:
    hrr_free(bytes);
    return status;
}

hrr_status hrr_npz_read(hrr_array *out, hrr_npz_reader *npz, const char *name, hrr_error *err)
{
    *out = (hrr_array){0};
    hrr_status status = HRR_OK;
    hrr_npy_header header = {0};
    hrr_region raw = {0};
    zip_file_t *file = NULL;
    zip_stat_t info;
    char *label = hrr_format_text("%s:%s", npz->path, name);
    if (!label) return hrr_no_memory(err);
    zip_int64_t index = locate(npz, name);
    if (index < 0) {
        status = hrr_fail(err, HRR_EDATA, "%s: the archive has no array of this name", label);
        goto done;
    }
    if (zip_stat_index(npz->zip, (zip_uint64_t)index, 0, &info) != 0 ||
        !(file = zip_fopen_index(npz->zip, (zip_uint64_t)index, 0))) {
        status = zip_failed(zip_error_code_zip(zip_get_error(npz->zip)), npz->path, name, err);
        goto done;
    }
    if ((status = check_claims(npz, &info, label, err))) goto done;
    if ((status = read_header(&header, file, info.size, npz, name, label, err))) goto done;
    if ((status = hrr_region_alloc(&raw, header.data_size, 1, false, err))) goto done;
    if ((status = read_exactly(file, raw.start, header.data_size, npz, name, err))) goto done;
    if ((status = read_end(file, npz, name, err))) goto done;
    if (!hrr_npy_is_native(&header, 0)) { /* 0: heap memory is aligned for every type */
        hrr_region turned = {0};
        if ((status = hrr_region_alloc(&turned, header.data_size, 1, false, err))) goto done;
        hrr_npy_convert(turned.start, &header, raw.start);
        hrr_region_clear(&raw);
        raw = turned;
    }
    *out = header.array;
    out->storage = raw;
    out->data = raw.start;
    raw = (hrr_region){0};
done:
    if (file) zip_fclose(file);
    hrr_region_clear(&raw);
    hrr_free(label);
    return status;
}
