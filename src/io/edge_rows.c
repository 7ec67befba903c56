/* edge_rows.c: see edge_rows.h. */
#include "io/edge_rows.h"
#include "base/memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Fresh memory costs a page fault for every 4 KiB, on virtual machines more time than parsing what
 * goes there: 278 us a MiB measured, 112 us if asked for at once, 41 us in huge pages. The rows
 * will be written soon, so ask; but not for much that may stay unused, which would be taken from
 * others: there, only allow huge pages. Old kernels know nothing of it and nothing is lost. */
static void ask_for_pages(void *block, size_t size)
{
    const size_t little = 8 << 20;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGE_SIZE);
    uintptr_t begin = ((uintptr_t)block + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)block + size) & ~(page - 1);
    if (begin >= end) return;
    madvise((void *)begin, end - begin, size <= little ? MADV_POPULATE_WRITE : MADV_HUGEPAGE);
}

static bool resize(void *block, uint64_t count, size_t size)
{
    void **place = block;
    void *moved = hrr_resize(*place, count, size);
    if (!moved) return false;
    *place = moved;
    ask_for_pages(moved, count * size);
    return true;
}

hrr_status hrr_edge_rows_reserve(hrr_edge_rows *rows, uint64_t n_rows, hrr_error *err)
{
    if (n_rows <= rows->capacity) return HRR_OK;
    bool done = rows->wide ? resize(&rows->wide_source, n_rows, sizeof(uint64_t)) &&
                                 resize(&rows->wide_target, n_rows, sizeof(uint64_t))
                           : resize(&rows->source, n_rows, sizeof(uint32_t)) &&
                                 resize(&rows->target, n_rows, sizeof(uint32_t));
    if (done && rows->with_marks) done = resize(&rows->marks, n_rows, 1);
    if (!done) return hrr_no_memory(err);
    rows->capacity = n_rows;
    return HRR_OK;
}

hrr_status hrr_edge_rows_make_room(hrr_edge_rows *rows, uint64_t more, hrr_error *err)
{
    uint64_t needed = rows->n_rows + more;
    if (needed <= rows->capacity) return HRR_OK;
    uint64_t grown = rows->capacity + rows->capacity / 2;
    return hrr_edge_rows_reserve(rows, grown > needed ? grown : needed, err);
}

static void widen_ids(uint64_t *to, const uint32_t *from, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        to[i] = from[i];
}

static hrr_status widen(hrr_edge_rows *rows, hrr_error *err)
{
    uint64_t *source = hrr_alloc(rows->capacity, sizeof *source);
    uint64_t *target = hrr_alloc(rows->capacity, sizeof *target);
    if (!source || !target) {
        hrr_free(source);
        hrr_free(target);
        return hrr_no_memory(err);
    }
    widen_ids(source, rows->source, rows->n_rows);
    widen_ids(target, rows->target, rows->n_rows);
    hrr_free(rows->source);
    hrr_free(rows->target);
    rows->source = rows->target = NULL;
    rows->wide_source = source;
    rows->wide_target = target;
    rows->wide = true;
    return HRR_OK;
}

hrr_status hrr_edge_rows_append(hrr_edge_rows *rows, hrr_edge_block *block, hrr_error *err)
{
    size_t count = block->n_rows;
    uint64_t largest = rows->largest;
    for (size_t i = 0; i < count; i++) {
        if (block->source[i] > largest) largest = block->source[i];
        if (block->target[i] > largest) largest = block->target[i];
    }
    rows->largest = largest;
    hrr_status status = HRR_OK;
    if (largest > UINT32_MAX && !rows->wide && (status = widen(rows, err))) return status;
    if ((status = hrr_edge_rows_make_room(rows, count, err))) return status;
    uint64_t at = rows->n_rows;
    if (rows->wide) {
        memcpy(rows->wide_source + at, block->source, count * sizeof(uint64_t));
        memcpy(rows->wide_target + at, block->target, count * sizeof(uint64_t));
    } else {
        for (size_t i = 0; i < count; i++)
            rows->source[at + i] = (uint32_t)block->source[i];
        for (size_t i = 0; i < count; i++)
            rows->target[at + i] = (uint32_t)block->target[i];
    }
    if (rows->with_marks) memcpy(rows->marks + at, block->marks, count);
    rows->n_rows += count;
    block->n_rows = 0;
    return HRR_OK;
}

hrr_status hrr_edge_rows_join(hrr_edge_rows *rows, hrr_edge_rows *more, hrr_error *err)
{
    hrr_status status = HRR_OK;
    if (more->n_rows == 0) goto done;
    if (rows->n_rows == 0) {
        hrr_edge_rows empty = *rows;
        *rows = *more;
        *more = empty;
        goto done;
    }
    if (rows->wide && !more->wide && (status = widen(more, err))) return status;
    if (more->wide && !rows->wide && (status = widen(rows, err))) return status;
    if ((status = hrr_edge_rows_make_room(rows, more->n_rows, err))) return status;
    uint64_t at = rows->n_rows, count = more->n_rows;
    if (rows->wide) {
        memcpy(rows->wide_source + at, more->wide_source, count * sizeof(uint64_t));
        memcpy(rows->wide_target + at, more->wide_target, count * sizeof(uint64_t));
    } else {
        memcpy(rows->source + at, more->source, count * sizeof(uint32_t));
        memcpy(rows->target + at, more->target, count * sizeof(uint32_t));
    }
    if (rows->with_marks) memcpy(rows->marks + at, more->marks, count);
    rows->n_rows += count;
    if (more->largest > rows->largest) rows->largest = more->largest;
done:
    hrr_edge_rows_clear(more);
    return HRR_OK;
}

/* Give back what was reserved and not used. If that cannot be, nothing is lost. */
static hrr_region trimmed(void *block, uint64_t used, uint64_t capacity, size_t size)
{
    void *moved = used < capacity ? hrr_resize(block, used, size) : NULL;
    return (hrr_region){
        .start = moved ? moved : block, .size = used * size, .kind = HRR_REGION_HEAP};
}

void hrr_edge_rows_into_list(hrr_edge_list *out, hrr_edge_rows *rows)
{
    uint64_t n = rows->n_rows;
    *out = (hrr_edge_list){.n_edges = n};
    out->source_storage = trimmed(rows->source, n, rows->capacity, sizeof(uint32_t));
    out->target_storage = trimmed(rows->target, n, rows->capacity, sizeof(uint32_t));
    out->source = out->source_storage.start;
    out->target = out->target_storage.start;
    if (rows->with_marks) {
        out->marks_storage = trimmed(rows->marks, n, rows->capacity, 1);
        out->marks = out->marks_storage.start;
    }
    *rows = (hrr_edge_rows){0};
}

void hrr_edge_rows_clear(hrr_edge_rows *rows)
{
    hrr_free(rows->source);
    hrr_free(rows->target);
    hrr_free(rows->wide_source);
    hrr_free(rows->wide_target);
    hrr_free(rows->marks);
    *rows = (hrr_edge_rows){0};
}
