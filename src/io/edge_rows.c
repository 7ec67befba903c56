/* edge_rows.c: see edge_rows.h. */
#include "io/edge_rows.h"
#include "base/memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Fresh memory costs a page fault for every 4 KiB, on virtual machines more time than parsing what
 * goes there: 278 us a MiB measured, 134 us if asked for at once, 41 us in huge pages. So both
 * columns share a block, which reaches the size of a huge page sooner than each alone, and begin
 * where one can begin. The rows will be written soon, so ask for the pages too; but not for many
 * that may stay unused, which would be taken from others. Old kernels know nothing of all this and
 * nothing is lost. */
enum { huge_page = 2 << 20, many_pages = 8 << 20 };

static uintptr_t round_up(uintptr_t address, uintptr_t unit)
{
    return (address + unit - 1) & ~(unit - 1);
}

static void ask_for_pages(void *start, size_t size, bool huge)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGE_SIZE);
    uintptr_t begin = round_up((uintptr_t)start, page), end = (uintptr_t)start + size;
    end &= ~(page - 1);
    if (begin >= end) return;
    if (huge) madvise((void *)begin, round_up(end - begin, huge_page), MADV_HUGEPAGE);
    if (size <= many_pages) madvise((void *)begin, end - begin, MADV_POPULATE_WRITE);
}

/* Move the columns to a block for n_rows rows, which is no fewer than there are. */
static bool resize_columns(hrr_edge_rows *rows, uint64_t n_rows)
{
    const size_t row_size = 2 * sizeof(uint32_t);
    bool huge = n_rows >= huge_page / 2 / row_size;
    /* Room to begin and to end where huge pages do; what is not touched costs nothing. */
    void *block = hrr_alloc(n_rows + (huge ? 2 * huge_page / row_size : 0), row_size);
    if (!block) return false;
    uint32_t *source = (uint32_t *)round_up((uintptr_t)block, huge ? huge_page : row_size);
    uint32_t *target = source + n_rows;
    ask_for_pages(source, n_rows * row_size, huge);
    if (rows->n_rows > 0) {
        memcpy(source, rows->source, rows->n_rows * sizeof *source);
        memcpy(target, rows->target, rows->n_rows * sizeof *target);
    }
    hrr_free(rows->columns);
    rows->columns = block;
    rows->source = source;
    rows->target = target;
    return true;
}

static bool resize(void *block, uint64_t count, size_t size)
{
    void **place = block;
    void *moved = hrr_resize(*place, count, size);
    if (!moved) return false;
    *place = moved;
    return true;
}

hrr_status hrr_edge_rows_reserve(hrr_edge_rows *rows, uint64_t n_rows, hrr_error *err)
{
    if (n_rows <= rows->capacity) return HRR_OK;
    bool done = rows->wide ? resize(&rows->wide_source, n_rows, sizeof(uint64_t)) &&
                                 resize(&rows->wide_target, n_rows, sizeof(uint64_t))
                           : resize_columns(rows, n_rows);
    if (done && rows->with_marks) done = resize(&rows->marks, n_rows, 1);
    if (!done) return hrr_no_memory(err);
    rows->capacity = n_rows;
    return HRR_OK;
}

hrr_status hrr_edge_rows_make_room(hrr_edge_rows *rows, uint64_t more, hrr_error *err)
{
    uint64_t needed = rows->n_rows + more;
    if (needed <= rows->capacity) return HRR_OK;
    uint64_t grown = 2 * rows->capacity;
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
    hrr_free(rows->columns);
    rows->columns = rows->source = rows->target = NULL;
    rows->wide_source = source;
    rows->wide_target = target;
    rows->wide = true;
    return HRR_OK;
}

hrr_status hrr_edge_rows_append(hrr_edge_rows *rows, hrr_edge_block *block, hrr_error *err)
{
    size_t count = block->n_rows;
    if (count == 0) return HRR_OK; /* there may be no columns yet */
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

void hrr_edge_rows_into_list(hrr_edge_list *out, hrr_edge_rows *rows)
{
    uint64_t n = rows->n_rows;
    bool much = rows->capacity - n > n / 4;
    /* Give back what was reserved and not used. If that cannot be, nothing is lost. */
    if (much) (void)!resize_columns(rows, n);
    if (much && rows->with_marks) (void)!resize(&rows->marks, n, 1);
    *out = (hrr_edge_list){.n_edges = n, .source = rows->source, .target = rows->target};
    out->source_storage = (hrr_region){
        .start = rows->columns, .size = 2 * n * sizeof(uint32_t), .kind = HRR_REGION_HEAP};
    out->target_storage = (hrr_region){
        .start = rows->target, .size = n * sizeof(uint32_t), .kind = HRR_REGION_BORROWED};
    if (rows->with_marks) {
        out->marks_storage = (hrr_region){.start = rows->marks, .size = n, .kind = HRR_REGION_HEAP};
        out->marks = rows->marks;
    }
    *rows = (hrr_edge_rows){0};
}

void hrr_edge_rows_clear(hrr_edge_rows *rows)
{
    hrr_free(rows->columns);
    hrr_free(rows->wide_source);
    hrr_free(rows->wide_target);
    hrr_free(rows->marks);
    *rows = (hrr_edge_rows){0};
}
