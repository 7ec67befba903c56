/* smallest.h: the k pairs with the smallest ranks, ties broken uniformly at random. */
#ifndef HRR_EDGE_SMALLEST_H
#define HRR_EDGE_SMALLEST_H

#include <heterorr/random.h>

typedef struct hrr_ranked {
    uint64_t rank;
    uint32_t source, target;
} hrr_ranked;

/* Reorder so that item[0..k-1] are the k smallest, k <= n. Of several that share the rank at the
 * border, each choice is equally likely; the stream is drawn from only if there are such. O(n) on
 * average. */
void hrr_select_smallest(hrr_ranked *item, uint64_t n, uint64_t k, hrr_stream *stream);

#endif
