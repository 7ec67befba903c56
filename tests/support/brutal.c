#include "support/brutal.h"
#include "support/check.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_int allowed;
static atomic_int live;

static bool may_allocate(void)
{
    return atomic_fetch_sub(&allowed, 1) > 0;
}

static void *brutal_allocate(size_t size)
{
    void *block = may_allocate() ? malloc(size) : NULL;
    if (block) atomic_fetch_add(&live, 1);
    return block;
}

static void *brutal_resize(void *block, size_t size)
{
    if (!may_allocate()) return NULL;
    void *moved = realloc(block, size);
    if (moved && !block) atomic_fetch_add(&live, 1);
    return moved;
}

static void brutal_release(void *block)
{
    atomic_fetch_sub(&live, 1);
    free(block);
}

int brutal(brutal_call *call, void *user)
{
    static const hrr_allocator allocator = {brutal_allocate, brutal_resize, brutal_release};
    hrr_set_allocator(&allocator);
    int count = 0;
    for (;; count++) {
        assert_true(count < 100000);
        atomic_store(&allowed, count);
        atomic_store(&live, 0);
        hrr_status status = call(user);
        if (atomic_load(&live) != 0)
            print_error("with %d allocations allowed, %d blocks leaked\n", count,
                        atomic_load(&live));
        assert_int_equal(atomic_load(&live), 0);
        if (status == HRR_OK) break;
        assert_int_equal(status, HRR_ENOMEM);
    }
    hrr_set_allocator(NULL);
    return count;
}
