/* edge_append.h: an edge list that grows, for layouts that do not say how long they are. */
#ifndef HRR_IO_EDGE_APPEND_H
#define HRR_IO_EDGE_APPEND_H

#include <heterorr/graph.h>

typedef struct hrr_edge_growth {
    hrr_edge_list edges; /* source and target have room for `room` */
    uint64_t room;
} hrr_edge_growth;

hrr_status hrr_edge_growth_add(hrr_edge_growth *growth, uint32_t source, uint32_t target,
                               hrr_error *err);
/* The same with marks, which all edges of the growth have or none. */
hrr_status hrr_edge_growth_add_marked(hrr_edge_growth *growth, uint32_t source, uint32_t target,
                                      uint8_t marks, hrr_error *err);
/* Append `more`, its node ids moved up by offset. Marks are kept if both sides have them or
 * growth is still empty. */
hrr_status hrr_edge_growth_append(hrr_edge_growth *growth, const hrr_edge_list *more,
                                  uint64_t offset, hrr_error *err);
void hrr_edge_growth_clear(hrr_edge_growth *growth);

#endif
