/* set_lists.h: a split given as three lists of node numbers, as OGB and gnn-benchmark publish it.
 * A node in no list goes to the test set: there it is never trained on. */
#ifndef HRR_IO_SET_LISTS_H
#define HRR_IO_SET_LISTS_H

#include <heterorr/graph.h>

typedef struct hrr_set_lists {
    uint64_t n;
    uint8_t *split; /* hrr_split, or 255 so far */
} hrr_set_lists;

hrr_status hrr_set_lists_init(hrr_set_lists *lists, uint64_t n, hrr_error *err);
/* false if the number is out of range or in another list already. */
bool hrr_set_lists_put(hrr_set_lists *lists, int64_t number, hrr_split split);
/* The finished split, which stays in lists->split. */
void hrr_set_lists_finish(hrr_set_lists *lists);
void hrr_set_lists_clear(hrr_set_lists *lists);

#endif
