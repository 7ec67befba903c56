/* key_sort.h: many 64-bit keys, with a byte for each or without, in ascending order. */
#ifndef HRR_GRAPH_KEY_SORT_H
#define HRR_GRAPH_KEY_SORT_H

#include <stdint.h>

typedef struct hrr_keys {
    uint64_t *key;
    uint8_t *mark; /* of each key; NULL: keys have none */
} hrr_keys;

/* Sort keys, and marks with them; `spare` has the same size. The sorted keys are where the result
 * points: one of the two. Equal keys keep their order. O(count) for each byte in which keys differ.
 */
hrr_keys hrr_keys_sort(hrr_keys keys, hrr_keys spare, uint64_t count);

#endif
