/* node_link.h: networkx's node-link JSON, as GraphSAGE and the PPI releases use it:
 *   {"nodes": [{"id": ..., "val": false, "test": false, ...}, ...],
 *    "links": [{"source": ..., "target": ...}, ...], ...}        ("edges" in newer exports)
 * Integer ends of a link are positions in `nodes`; texts are node ids. */
#ifndef HRR_IO_NODE_LINK_H
#define HRR_IO_NODE_LINK_H

#include "graph/name_index.h"

typedef struct hrr_node_link {
    uint64_t n_nodes;
    hrr_edge_list edges; /* ends are rows */
    bool passed_over;    /* links say more than is read, perhaps that they are private */
    uint8_t *split;      /* by row, from the val and test flags; NULL if no node has any */
} hrr_node_link;

/* rows says which row a node id has and must name every node once; NULL: a node's row is its
 * position. Streamed: memory is O(nodes + links). Errors: HRR_EDATA, HRR_EIO, HRR_ENOMEM,
 * HRR_ECANCEL. */
hrr_status hrr_node_link_read(hrr_node_link *out, const char *path, const hrr_name_index *rows,
                              hrr_progress *progress, hrr_error *err);
void hrr_node_link_clear(hrr_node_link *graph);

#endif
