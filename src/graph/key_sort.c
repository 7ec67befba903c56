/* key_sort.c: see key_sort.h. Keys are thrown into 256 buckets by each of their bytes, from the
 * lowest to the highest. Bytes that are equal in all keys cost one look. */
#include "graph/key_sort.h"

static void scatter(hrr_keys to, hrr_keys from, uint64_t *next, int shift, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t place = next[from.key[i] >> shift & 255]++;
        to.key[place] = from.key[i];
        to.mark[place] = from.mark[i];
    }
}

static void scatter_unmarked(uint64_t *to, const uint64_t *from, uint64_t *next, int shift,
                             uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        to[next[from[i] >> shift & 255]++] = from[i];
}

hrr_keys hrr_keys_sort(hrr_keys keys, hrr_keys spare, uint64_t count)
{
    for (int shift = 0; count > 0 && shift < 64; shift += 8) {
        uint64_t start[256] = {0}, total = 0;
        for (uint64_t i = 0; i < count; i++)
            start[keys.key[i] >> shift & 255]++;
        if (start[keys.key[0] >> shift & 255] == count) continue;
        for (int byte = 0; byte < 256; byte++) {
            const uint64_t here = start[byte];
            start[byte] = total;
            total += here;
        }
        if (keys.mark)
            scatter(spare, keys, start, shift, count);
        else
            scatter_unmarked(spare.key, keys.key, start, shift, count);
        const hrr_keys sorted = spare;
        spare = keys;
        keys = sorted;
    }
    return keys;
}
