/* scratch.h: large blocks of memory in files without a name, for graphs that do not fit into
 * memory.
 *
 * hrr_set_scratch() names a directory. From then on hrr_alloc() and its kin (memory.h) take large
 * blocks from files there. Their pages are the system's to write out and to read again, so that an
 * array that is read from one end to the other takes little memory at any time, and what is used
 * everywhere stays. Nobody who uses such a block sees a difference. */
#ifndef HRR_BASE_SCRATCH_H
#define HRR_BASE_SCRATCH_H

#include <heterorr/base.h>

/* Smaller blocks stay in memory: a file would cost more than it saves. */
enum { HRR_SCRATCH_LEAST = 1 << 20 };

/* A file of this directory for one purpose: `size` bytes, all zero, whose space on the disk is
 * reserved. hrr_region_clear() is its end. Errors: HRR_EIO. */
hrr_status hrr_scratch_map(hrr_region *out, const char *directory, size_t size, hrr_error *err);

/* The rest is for memory.c. */

bool hrr_scratch_is_set(void);

/* size bytes, all zero, of a file whose space on the disk is reserved; a directory is set. NULL on
 * failure; then hrr_no_memory() says why. */
void *hrr_scratch_alloc(size_t size) HRR_CHECKED;

/* The size of a block that hrr_scratch_alloc() returned; 0 for any other address. */
size_t hrr_scratch_size(const void *block);

/* Keep the first `size` bytes of such a block, where they are. False: it has fewer. */
bool hrr_scratch_shrink(void *block, size_t size);

/* Whether the block was one of hrr_scratch_alloc(); it is then released. */
bool hrr_scratch_free(void *block);

/* Why the last call of hrr_scratch_alloc() failed, if the disk was the reason: HRR_EIO. Otherwise
 * HRR_OK. Asked once: the reason is then forgotten. */
hrr_status hrr_scratch_failure(hrr_error *err);

#endif
