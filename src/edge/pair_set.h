/* pair_set.h: a set of pairs of nodes that grows and shrinks: open addressing, linear probes, and
 * removal that closes the gap, so that any number of changes leaves it as fast as it was. */
#ifndef HRR_EDGE_PAIR_SET_H
#define HRR_EDGE_PAIR_SET_H

#include <heterorr/base.h>

typedef struct hrr_pair_set {
    uint64_t *key; /* 0: free; a pair of two nodes is never 0 */
    uint64_t mask;
} hrr_pair_set;

/* For up to `most` pairs: 16 to 32 bytes each. Errors: HRR_ENOMEM. */
hrr_status hrr_pair_set_init(hrr_pair_set *out, uint64_t most, hrr_error *err);
void hrr_pair_set_clear(hrr_pair_set *set);
void hrr_pair_set_empty(hrr_pair_set *set);

/* Pairs without order; u and v differ. */
bool hrr_pair_set_has(const hrr_pair_set *set, uint32_t u, uint32_t v);
void hrr_pair_set_add(hrr_pair_set *set, uint32_t u, uint32_t v);    /* it is not there */
void hrr_pair_set_remove(hrr_pair_set *set, uint32_t u, uint32_t v); /* it is there */

#endif
