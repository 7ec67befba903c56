/* memory.h: the library's heap, through the allocator that hrr_set_allocator() installed, with
 * sizes multiplied under a check. Every function returns NULL on failure. */
#ifndef HRR_BASE_MEMORY_H
#define HRR_BASE_MEMORY_H

#include <heterorr/base.h>

/* count * size bytes; never NULL for a zero size that succeeds. */
void *hrr_alloc(size_t count, size_t size) HRR_CHECKED;
void *hrr_alloc_zero(size_t count, size_t size) HRR_CHECKED;
/* Like realloc(): on failure the old block is untouched. */
void *hrr_resize(void *block, size_t count, size_t size) HRR_CHECKED;
char *hrr_copy_text(const char *text) HRR_CHECKED;
/* printf into fresh memory. */
char *hrr_format_text(const char *format, ...) HRR_CHECKED HRR_PRINTF(1, 2);

/* Tell the system that a block of many megabytes will be written all through. */
void hrr_ask_for_huge_pages(void *start, size_t size);

/* Bytes of memory in this machine; 0 if the system does not say. For refusing at once what cannot
 * fit. */
uint64_t hrr_physical_memory(void);

/* The one way to report that any of the above failed. */
hrr_status hrr_no_memory(hrr_error *err);

/* A region on the heap of count * size bytes, zeroed if asked. */
hrr_status hrr_region_alloc(hrr_region *out, size_t count, size_t size, bool zero,
                            hrr_error *err) HRR_CHECKED;

/* A mapped region need not stay in memory: it is read from the file again when it is next touched.
 * Nothing happens to other kinds. */
void hrr_region_let_go(const hrr_region *region);

void hrr_region_clear(hrr_region *region);

#endif
