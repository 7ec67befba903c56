/* memory.c: the allocator and regions. Large blocks come from scratch files if there are to be any
 * (scratch.h), all others from the allocator. The allocator is the library's one piece of
 * process-wide state: failure injection needs a place that every room's allocations pass through.
 */
#include "base/memory.h"
#include "base/scratch.h"
#include "base/size.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const hrr_allocator c_library = {malloc, realloc, free};
static const hrr_allocator *installed = &c_library;

void hrr_set_allocator(const hrr_allocator *allocator)
{
    installed = allocator ? allocator : &c_library;
}

void hrr_free(void *block)
{
    if (block && !hrr_scratch_free(block)) installed->release(block);
}

static bool goes_to_scratch(size_t bytes)
{
    return bytes >= HRR_SCRATCH_LEAST && hrr_scratch_is_set();
}

/* Matrices are read at the speed of memory, and with pages of 4 KB FeatureRR is 7 % slower,
 * because processors do not fetch ahead across a page. Trees and communities follow edges to nodes
 * that lie anywhere, and a processor knows the places of few pages by heart. Advice only: whatever
 * the system answers is fine. */
void hrr_ask_for_huge_pages(void *start, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t page = 4096, large = (uintptr_t)4 << 20;
    if (bytes < large) return;
    const uintptr_t begin = ((uintptr_t)start + page - 1) / page * page;
    const uintptr_t end = ((uintptr_t)start + bytes) / page * page;
    (void)madvise((char *)start + (begin - (uintptr_t)start), end - begin, MADV_HUGEPAGE);
#else
    (void)start, (void)bytes;
#endif
}

void *hrr_alloc(size_t count, size_t size)
{
    size_t bytes;
    if (!hrr_mul_fits(count, size, &bytes)) return NULL;
    if (goes_to_scratch(bytes)) return hrr_scratch_alloc(bytes);
    void *block = installed->allocate(bytes ? bytes : 1);
    if (block) hrr_ask_for_huge_pages(block, bytes);
    return block;
}

void *hrr_alloc_zero(size_t count, size_t size)
{
    /* Checked here and not left to calloc, whose own check AddressSanitizer turns into an abort. */
    size_t bytes;
    if (!hrr_mul_fits(count, size, &bytes)) return NULL;
    if (goes_to_scratch(bytes)) return hrr_scratch_alloc(bytes); /* new files are zero */
    /* calloc gets large blocks from the system as zero pages, which stay untouched until used. */
    if (installed == &c_library) return calloc(bytes ? bytes : 1, 1);
    void *block = hrr_alloc(bytes, 1);
    return block ? memset(block, 0, bytes) : NULL;
}

static void *move(void *block, size_t held, size_t bytes)
{
    void *moved = hrr_alloc(bytes, 1);
    if (!moved) return NULL;
    if (block) memcpy(moved, block, held < bytes ? held : bytes);
    hrr_free(block);
    return moved;
}

void *hrr_resize(void *block, size_t count, size_t size)
{
    size_t bytes;
    if (!hrr_mul_fits(count, size, &bytes)) return NULL;
    const size_t in_scratch = hrr_scratch_size(block);
    if (in_scratch && bytes > 0 && hrr_scratch_shrink(block, bytes)) return block;
    if (in_scratch) return move(block, in_scratch, bytes);
    /* Only the C library can say how much of a block there is to be moved to a file. */
    if (goes_to_scratch(bytes) && installed == &c_library)
        return move(block, malloc_usable_size(block), bytes);
    return installed->resize(block, bytes ? bytes : 1);
}

char *hrr_copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = hrr_alloc(size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

char *hrr_format_text(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : hrr_alloc((size_t)length + 1, 1);
    if (!text) return NULL;
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

uint64_t hrr_physical_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

hrr_status hrr_no_memory(hrr_error *err)
{
    const hrr_status status = hrr_scratch_failure(err);
    if (status) return status;
    return hrr_fail(err, HRR_ENOMEM,
                    "out of memory; close other programs, or use a machine with more memory");
}

hrr_status hrr_region_alloc(hrr_region *out, size_t count, size_t size, bool zero, hrr_error *err)
{
    void *start = zero ? hrr_alloc_zero(count, size) : hrr_alloc(count, size);
    if (!start) return hrr_no_memory(err);
    if (zero) hrr_ask_for_huge_pages(start, count * size);
    *out = (hrr_region){.start = start, .size = count * size, .kind = HRR_REGION_HEAP};
    return HRR_OK;
}

void hrr_region_clear(hrr_region *region)
{
    switch (region->kind) {
    case HRR_REGION_HEAP:
        hrr_free(region->start);
        break;
    case HRR_REGION_MAPPED:
        munmap(region->start, region->size);
        break;
    case HRR_REGION_BORROWED:
        break;
    }
    *region = (hrr_region){0};
}

void hrr_region_let_go(const hrr_region *region)
{
    /* mappings are private and read-only: no page holds anything that the file does not */
    if (region->kind == HRR_REGION_MAPPED) madvise(region->start, region->size, MADV_DONTNEED);
}
