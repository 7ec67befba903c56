/* shortlist.h: the candidate pairs that public edges suggest: likely links, found without looking
 * at a private edge. */
#ifndef HRR_EDGE_SHORTLIST_H
#define HRR_EDGE_SHORTLIST_H

#include <heterorr/edge.h>

enum { HRR_MOST_SHORTLIST_BANDS = 64 };

/* Pairs ascend like canonical edges. Bands part them by score: band 0 holds the likeliest. */
typedef struct hrr_shortlist {
    uint64_t n;
    uint32_t *source, *target;
    uint8_t *band;
    uint32_t n_bands;
} hrr_shortlist;

/* Candidate pairs with common public neighbours, scored by resource allocation: the sum of
 * 1/degree over those neighbours (T. Zhou, L. Lu, Y.-C. Zhang, Eur. Phys. J. B 71, 2009). The best
 * `most` are listed; where scores tie at the end of the list, the first in order.
 *
 * Guarantee: a function of `known` and `most` alone, for any number of threads.
 * Cost:      O(sum over nodes of degree^2) time, twice. Neighbours with more than 4,096 public
 *            edges are passed over, since they say next to nothing about a pair. Memory: 9 bytes
 *            a pair listed, and 12 bytes a node and thread.
 * Errors:    HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_shortlist_new(hrr_shortlist *out, const hrr_edge_public *known, uint64_t most,
                             int threads, hrr_progress *progress, hrr_error *err) HRR_CHECKED;
void hrr_shortlist_clear(hrr_shortlist *list);

#endif
