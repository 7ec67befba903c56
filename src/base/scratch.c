/* scratch.c: see scratch.h.
 *
 * A file has no name (O_TMPFILE, or removed as soon as it is there), so that nothing is left behind
 * however the process ends, and nobody else can open it. Its space is reserved before it is mapped:
 * a full disk is then an error here, and not a signal at the first write to a page that has no
 * place. The mapping is shared, which means that its pages are the file's: the system writes them
 * out when memory is short. What was written to the disk is not overwritten when the file is
 * gone; docs/scale.md says so.
 *
 * The directory and the list of blocks are process-wide, as the allocator is: blocks of every room
 * come from there, and hrr_free() has to tell them from others. */
#include "base/scratch.h"
#include "base/memory.h"
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { page = 4096 }; /* mappings begin at multiples of it on every system */

typedef struct block {
    void *start;
    size_t size;
    struct block *next;
} block;

static struct {
    pthread_mutex_t lock;
    char *directory; /* NULL: all blocks are in memory */
    block *blocks;
    int failed; /* errno of the last allocation, if the disk refused it */
} scratch = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- a file -----------------------------------------------------------------------------------
 */

/* -1 with errno on failure. */
static int open_unnamed(const char *directory)
{
    int file = open(directory, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
    char *path = hrr_path_join(directory, ".heterorr-scratch-XXXXXX");
    if (!path) {
        errno = ENOMEM;
        return -1;
    }
    file = mkostemp(path, O_CLOEXEC); /* mode 0600 */
    if (file >= 0) unlink(path);
    hrr_free(path);
    return file;
}

/* NULL with *reason, an errno, on failure. */
static void *map_new_file(const char *directory, size_t size, int *reason)
{
    void *start = MAP_FAILED;
    int file = open_unnamed(directory);
    if (file < 0) {
        *reason = errno;
        return NULL;
    }
    do
        *reason = posix_fallocate(file, 0, (off_t)size);
    while (*reason == EINTR);
    if (!*reason) {
        start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (start == MAP_FAILED) *reason = errno;
    }
    close(file);
    return start == MAP_FAILED ? NULL : start;
}

/* The size is not told: some arrays have an entry for each private edge, whose number is private.
 */
static hrr_status refuse(const char *directory, int reason, hrr_error *err)
{
    return hrr_fail(err, HRR_EIO,
                    "%s: a scratch file of 1 MiB or more cannot be made: %s; make room there, or "
                    "name a directory on another disk (`scratch`)",
                    directory, strerror(reason));
}

hrr_status hrr_scratch_map(hrr_region *out, const char *directory, size_t size, hrr_error *err)
{
    int reason = 0;
    void *start = map_new_file(directory, size, &reason);
    *out = (hrr_region){0};
    if (!start) return refuse(directory, reason, err);
    *out = (hrr_region){.start = start, .size = size, .kind = HRR_REGION_MAPPED};
    return HRR_OK;
}

/* ---- blocks -----------------------------------------------------------------------------------
 */

bool hrr_scratch_is_set(void)
{
    return __atomic_load_n(&scratch.directory, __ATOMIC_ACQUIRE);
}

void *hrr_scratch_alloc(size_t size)
{
    int reason = 0;
    const char *directory = scratch.directory;
    block *made = hrr_alloc(1, sizeof *made);
    void *start = made ? map_new_file(directory, size, &reason) : NULL;
    pthread_mutex_lock(&scratch.lock);
    if (start) {
        *made = (block){.start = start, .size = size, .next = scratch.blocks};
        __atomic_store_n(&scratch.blocks, made, __ATOMIC_RELEASE);
    }
    scratch.failed = reason == ENOMEM ? 0 : reason; /* no memory is not the disk's fault */
    pthread_mutex_unlock(&scratch.lock);
    if (!start) hrr_free(made);
    return start;
}

/* Where the list points to the block; NULL: it is not in the list. The lock is held. */
static block **find(const void *start)
{
    for (block **at = &scratch.blocks; *at; at = &(*at)->next)
        if ((*at)->start == start) return at;
    return NULL;
}

/* A look without the lock: most addresses cannot be ours. */
static bool may_be_block(const void *start)
{
    return (uintptr_t)start % page == 0 && __atomic_load_n(&scratch.blocks, __ATOMIC_ACQUIRE);
}

size_t hrr_scratch_size(const void *start)
{
    if (!may_be_block(start)) return 0;
    pthread_mutex_lock(&scratch.lock);
    block **at = find(start);
    const size_t size = at ? (*at)->size : 0;
    pthread_mutex_unlock(&scratch.lock);
    return size;
}

bool hrr_scratch_shrink(void *start, size_t size)
{
    pthread_mutex_lock(&scratch.lock);
    block *shrunk = *find(start);
    const size_t kept = (size + page - 1) / page * page;
    if (kept < shrunk->size && mremap(start, shrunk->size, kept, 0) != MAP_FAILED)
        shrunk->size = kept;
    const bool fits = size <= shrunk->size;
    pthread_mutex_unlock(&scratch.lock);
    return fits;
}

bool hrr_scratch_free(void *start)
{
    if (!may_be_block(start)) return false;
    pthread_mutex_lock(&scratch.lock);
    block **at = find(start), *gone = at ? *at : NULL;
    if (gone) __atomic_store_n(at, gone->next, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&scratch.lock);
    if (!gone) return false;
    munmap(gone->start, gone->size);
    hrr_free(gone);
    return true;
}

/* ---- the directory ----------------------------------------------------------------------------
 */

hrr_status hrr_scratch_failure(hrr_error *err)
{
    pthread_mutex_lock(&scratch.lock);
    hrr_status status = HRR_OK;
    if (scratch.failed) status = refuse(scratch.directory, scratch.failed, err);
    scratch.failed = 0;
    pthread_mutex_unlock(&scratch.lock);
    return status;
}

hrr_status hrr_set_scratch(const char *directory, hrr_error *err)
{
    char *copy = NULL;
    if (directory) {
        int reason = 0;
        void *trial = map_new_file(directory, page, &reason);
        if (!trial)
            return hrr_fail(err, HRR_EIO,
                            "%s: cannot hold scratch files: %s; name a directory that exists, can "
                            "be written and has room (`scratch`)",
                            directory, strerror(reason));
        munmap(trial, page);
        if (!(copy = hrr_copy_text(directory))) return hrr_no_memory(err);
    }
    pthread_mutex_lock(&scratch.lock);
    char *before = scratch.directory;
    __atomic_store_n(&scratch.directory, copy, __ATOMIC_RELEASE);
    scratch.failed = 0;
    pthread_mutex_unlock(&scratch.lock);
    hrr_free(before);
    return HRR_OK;
}
