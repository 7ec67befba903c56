/* pair_set.c: see pair_set.h. */
#include "edge/pair_set.h"
#include "base/memory.h"
#include "base/size.h"

#include <assert.h>
#include <string.h>

hrr_status hrr_pair_set_init(hrr_pair_set *out, uint64_t most, hrr_error *err)
{
    uint64_t slots = 16;
    while (slots / 2 < most)
        slots *= 2;
    out->mask = slots - 1;
    out->key = hrr_alloc_zero(slots, sizeof *out->key);
    return out->key ? HRR_OK : hrr_no_memory(err);
}

void hrr_pair_set_clear(hrr_pair_set *set)
{
    hrr_free(set->key);
    *set = (hrr_pair_set){0};
}

void hrr_pair_set_empty(hrr_pair_set *set)
{
    memset(set->key, 0, (set->mask + 1) * sizeof *set->key);
}

static uint64_t key_of(uint32_t u, uint32_t v)
{
    return u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u;
}

static uint64_t home(const hrr_pair_set *set, uint64_t key)
{
    key *= UINT64_C(0x9e3779b97f4a7c15);
    return (key ^ key >> 29) & set->mask;
}

/* The slot of the key, or the free one where it would go. */
static uint64_t find(const hrr_pair_set *set, uint64_t key)
{
    uint64_t i = home(set, key);
    while (set->key[i] && set->key[i] != key)
        i = (i + 1) & set->mask;
    return i;
}

bool hrr_pair_set_has(const hrr_pair_set *set, uint32_t u, uint32_t v)
{
    return set->key[find(set, key_of(u, v))] != 0;
}

void hrr_pair_set_add(hrr_pair_set *set, uint32_t u, uint32_t v)
{
    const uint64_t key = key_of(u, v), slot = find(set, key);
    assert(!set->key[slot]);
    set->key[slot] = key;
}

void hrr_pair_set_remove(hrr_pair_set *set, uint32_t u, uint32_t v)
{
    uint64_t gap = find(set, key_of(u, v));
    assert(set->key[gap]);
    for (uint64_t i = (gap + 1) & set->mask; set->key[i]; i = (i + 1) & set->mask) {
        /* A key stays only if its home lies behind the gap. */
        const uint64_t from_home = (i - home(set, set->key[i])) & set->mask;
        if (from_home < ((i - gap) & set->mask)) continue;
        set->key[gap] = set->key[i];
        gap = i;
    }
    set->key[gap] = 0;
}
