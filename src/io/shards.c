/* shards.c: see shards.h.
 *
 * The joined array is a range of addresses behind which an empty file in memory stands. Pages of
 * the shards are mapped over it; what does not lie on pages is copied to its place. Either way the
 * range is one mapping to whoever owns it. */
#include "io/shards.h"
#include "io/file_names.h"
#include "io/npy_header.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/size.h"
#include "graph/canonical.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { digits = 5 };

uint64_t hrr_shard_length(uint64_t asked)
{
    const uint64_t pages = asked / HRR_SHARD_ALIGNMENT + (asked % HRR_SHARD_ALIGNMENT != 0);
    return (pages ? pages : 1) * HRR_SHARD_ALIGNMENT;
}

void hrr_shards_clear(hrr_shards *shards)
{
    for (uint64_t i = 0; i < shards->n; i++) {
        if (shards->array) hrr_array_clear(&shards->array[i]);
        if (shards->path) hrr_free(shards->path[i]);
    }
    hrr_free(shards->array);
    hrr_free(shards->path);
    *shards = (hrr_shards){0};
}

/* ---- names -------------------------------------------------------------------------------- */

/* Whether an entry of the directory is NAME-<digits>.npy, with any number of digits. */
static bool is_shard(const char *entry, const char *name, uint64_t *number, size_t *n_digits)
{
    const size_t length = strlen(name);
    if (strncmp(entry, name, length) != 0 || entry[length] != '-') return false;
    const char *text = entry + length + 1;
    *n_digits = strspn(text, "0123456789");
    if (*n_digits == 0 || strcmp(text + *n_digits, ".npy") != 0) return false;
    *number = strtoull(text, NULL, 10);
    return true;
}

/* Entries are sorted, so shards whose names have five digits come in their order. */
static hrr_status count_shards(uint64_t *n, const hrr_entries *entries, const char *directory,
                               const char *name, hrr_error *err)
{
    *n = 0;
    for (uint64_t i = 0; i < entries->n; i++) {
        uint64_t number;
        size_t n_digits;
        if (!is_shard(entries->names[i], name, &number, &n_digits)) continue;
        if (n_digits != digits)
            return hrr_fail(err, HRR_EDATA,
                            "%s/%s: the number of a shard has five digits, as in %s-00000.npy; "
                            "rename the file, or remove it if it repeats another",
                            directory, entries->names[i], name);
        if (number != *n)
            return hrr_fail(err, HRR_EDATA,
                            "%s: %s-%05" PRIu64 ".npy is missing, but %s is there; put it back, or "
                            "write the graph again",
                            directory, name, *n, entries->names[i]);
        ++*n;
    }
    return HRR_OK;
}

static char *shard_path(const char *directory, const char *name, uint64_t number)
{
    return hrr_format_text("%s/%s-%05" PRIu64 ".npy", directory, name, number);
}

static hrr_status check_not_whole(const char *directory, const char *name, hrr_error *err)
{
    char *whole = hrr_format_text("%s/%s.npy", directory, name);
    if (!whole) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    if (hrr_path_is_file(whole))
        status = hrr_fail(err, HRR_EDATA,
                          "%s: is there as one file and as shards (%s-00000.npy); remove the ones "
                          "that are not meant",
                          whole, name);
    hrr_free(whole);
    return status;
}

/* ---- shapes ------------------------------------------------------------------------------- */

/* Rows, or, of edges, columns. */
static uint64_t length_of(const hrr_array *array, int n_parts)
{
    return array->shape[n_parts - 1];
}

static size_t bytes_of(const hrr_array *array)
{
    return array->n_items * array->item_size;
}

static hrr_status check_shape(const hrr_shards *s, uint64_t i, int n_parts, hrr_error *err)
{
    const hrr_array *first = &s->array[0], *this = &s->array[i];
    const char *path = s->path[i];
    if (n_parts == 2 && (this->n_dims != 2 || this->shape[0] != 2 || this->type > HRR_ARRAY_U64))
        return hrr_fail(err, HRR_EDATA,
                        "%s: must contain 2 x E integers, one column per edge; if it has one row "
                        "per edge, transpose it",
                        path);
    if (this->n_dims == 0 || this->n_dims > 2)
        return hrr_fail(err, HRR_EDATA, "%s: has %d dimensions; shards have one or two", path,
                        this->n_dims);
    if (this->type != first->type || this->item_size != first->item_size)
        return hrr_fail(
            err, HRR_EDATA, "%s: holds %s where %s holds %s; all shards of a part have one type",
            path, hrr_array_type_name(this->type), s->path[0], hrr_array_type_name(first->type));
    if (this->n_dims != first->n_dims ||
        (n_parts == 1 && this->n_dims == 2 && this->shape[1] != first->shape[1]))
        return hrr_fail(err, HRR_EDATA,
                        "%s: its rows have another length than those of %s; all shards of a part "
                        "have equal rows",
                        path, s->path[0]);
    const uint64_t usual = length_of(first, n_parts), here = length_of(this, n_parts);
    const bool last = i + 1 == s->n;
    const char *items = n_parts == 2 ? "edges" : "rows";
    if (here == 0 && s->n > 1)
        return hrr_fail(err, HRR_EDATA,
                        "%s: holds no %s; a shard may be empty only if it is the only one. It may "
                        "be damaged; remove it if it is not needed",
                        path, items);
    if (here == usual || (last && here < usual)) return HRR_OK;
    return hrr_fail(err, HRR_EDATA,
                    "%s: holds %" PRIu64 " %s where %s holds %" PRIu64 "; all shards but the last "
                    "are equally long, and the last is not longer: one may be missing, damaged or "
                    "misnamed",
                    path, here, items, s->path[0], usual);
}

hrr_status hrr_shards_open(hrr_shards *out, const char *directory, const char *name, int n_parts,
                           hrr_error *err)
{
    hrr_shards s = {0};
    hrr_entries entries;
    uint64_t n = 0;
    *out = s;
    hrr_status status = hrr_entries_read(&entries, directory, err);
    if (!status) status = count_shards(&n, &entries, directory, name, err);
    hrr_entries_clear(&entries);
    if (status || n == 0) return status;
    if ((status = check_not_whole(directory, name, err))) return status;
    s.array = hrr_alloc_zero(n, sizeof *s.array);
    s.path = hrr_alloc_zero(n, sizeof *s.path);
    s.n = n;
    if (!s.array || !s.path) status = hrr_no_memory(err);
    for (uint64_t i = 0; i < n && !status; i++) {
        s.path[i] = shard_path(directory, name, i);
        status = s.path[i] ? hrr_array_read(&s.array[i], s.path[i], err) : hrr_no_memory(err);
    }
    for (uint64_t i = 0; i < n && !status; i++)
        status = check_shape(&s, i, n_parts, err);
    if (status)
        hrr_shards_clear(&s);
    else
        *out = s;
    return status;
}

/* ---- one range of addresses --------------------------------------------------------------- */

/* A file in memory without a name: bytes that are copied into it stay when the region's pages are
 * let go, as those of other mapped files do, and what nobody writes takes no memory. */
static hrr_status reserve(hrr_region *out, size_t size, hrr_error *err)
{
    const size_t room = size ? size : 1;
    const int fd = memfd_create("heterorr-shards", MFD_CLOEXEC);
    if (fd < 0)
        return hrr_fail(err, HRR_EIO, "shards cannot be joined in memory: %s", strerror(errno));
    void *start = MAP_FAILED;
    if (ftruncate(fd, (off_t)room) == 0)
        start = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (start == MAP_FAILED) return hrr_no_memory(err);
    *out = (hrr_region){start, room, HRR_REGION_MAPPED};
    return HRR_OK;
}

/* Map `size` bytes of the file, whole pages, over `to`. The file is opened again: if it has become
 * shorter since its header was read, touching the pages would kill the process. */
static hrr_status map_over(char *to, const char *path, uint64_t offset, size_t size, hrr_error *err)
{
    struct stat info;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", path, strerror(errno));
    hrr_status status = HRR_OK;
    if (fstat(fd, &info) != 0 || (uint64_t)info.st_size < offset + size)
        status =
            hrr_fail(err, HRR_EIO, "%s: was changed while it was read; read the graph again", path);
    else if (mmap(to, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, (off_t)offset) == MAP_FAILED)
        status = hrr_fail(err, HRR_EIO,
                          "%s: cannot be mapped: %s; the system allows vm.max_map_count mappings, "
                          "larger shards need fewer",
                          path, strerror(errno));
    close(fd);
    return status;
}

/* `size` bytes of a shard, from byte `from` of its data, to their place. */
static hrr_status place(char *to, const hrr_array *shard, const char *path, size_t from,
                        size_t size, hrr_error *err)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const char *data = (const char *)shard->data + from;
    size_t mapped = 0;
    if (shard->storage.kind == HRR_REGION_MAPPED) {
        const uint64_t offset = (uint64_t)(data - (const char *)shard->storage.start);
        if (offset % page == 0 && (uintptr_t)to % page == 0) mapped = size / page * page;
        hrr_status status = mapped ? map_over(to, path, offset, mapped, err) : HRR_OK;
        if (status) return status;
    }
    if (size > mapped) memcpy(to + mapped, data + mapped, size - mapped);
    return HRR_OK;
}

/* Part `part` of n_parts of each shard, one behind the other. */
static hrr_status place_all(char *to, const hrr_shards *s, int part, int n_parts, hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (uint64_t i = 0; i < s->n && !status; i++) {
        const size_t size = bytes_of(&s->array[i]) / (size_t)n_parts;
        status = place(to, &s->array[i], s->path[i], (size_t)part * size, size, err);
        to += size;
    }
    return status;
}

/* Nobody writes into what was read, mapped or not. */
static void seal(const hrr_region *region)
{
    mprotect(region->start, region->size, PROT_READ);
}

static size_t bytes_of_all(const hrr_shards *s)
{
    size_t bytes = 0; /* of files that are mapped at once, so the sum fits */
    for (uint64_t i = 0; i < s->n; i++)
        bytes += bytes_of(&s->array[i]);
    return bytes;
}

hrr_status hrr_shards_join(hrr_array *out, const hrr_shards *s, int n_parts, hrr_error *err)
{
    hrr_array all = s->array[0];
    const size_t bytes = bytes_of_all(s);
    all.storage = (hrr_region){0};
    hrr_status status = reserve(&all.storage, bytes, err);
    for (int part = 0; part < n_parts && !status; part++)
        status = place_all((char *)all.storage.start + bytes / (size_t)n_parts * (size_t)part, s,
                           part, n_parts, err);
    if (status) {
        hrr_region_clear(&all.storage);
        return status;
    }
    seal(&all.storage);
    all.shape[n_parts - 1] = 0;
    all.n_items = 0;
    for (uint64_t i = 0; i < s->n; i++) {
        all.shape[n_parts - 1] += length_of(&s->array[i], n_parts);
        all.n_items += s->array[i].n_items;
    }
    all.data = all.storage.start;
    *out = all;
    return HRR_OK;
}

hrr_status hrr_shards_join_edges(hrr_edge_list *out, const hrr_shards *s, hrr_error *err)
{
    const size_t bytes = bytes_of_all(s) / 2;
    hrr_edge_list edges = {.n_edges = bytes / sizeof(uint32_t)};
    hrr_status status = reserve(&edges.source_storage, bytes, err);
    if (!status) status = reserve(&edges.target_storage, bytes, err);
    if (!status) status = place_all(edges.source_storage.start, s, 0, 2, err);
    if (!status) status = place_all(edges.target_storage.start, s, 1, 2, err);
    if (status) {
        hrr_edge_list_clear(&edges);
        return status;
    }
    seal(&edges.source_storage);
    seal(&edges.target_storage);
    edges.source = edges.source_storage.start;
    edges.target = edges.target_storage.start;
    *out = edges;
    return HRR_OK;
}

hrr_status hrr_shards_check_order(const hrr_shards *s, const hrr_edge_list *edges, hrr_error *err)
{
    uint64_t begin = 0;
    for (uint64_t i = 1; i < s->n; i++) {
        begin += length_of(&s->array[i - 1], 2);
        if (hrr_edge_key(edges->source[begin - 1], edges->target[begin - 1]) <
            hrr_edge_key(edges->source[begin], edges->target[begin]))
            continue;
        return hrr_fail(err, HRR_EDATA,
                        "%s: does not begin behind the last edge of %s; shards are in ascending "
                        "order of (source, target), each edge once: check their numbers, or make "
                        "them anew from an edge list",
                        s->path[i], s->path[i - 1]);
    }
    return HRR_OK;
}
