/* edge_ids.h: from the ids of a file to 0..n-1, by the rules of edge_text.h. */
#ifndef HRR_IO_EDGE_IDS_H
#define HRR_IO_EDGE_IDS_H

#include "io/edge_rows.h"
#include "io/edge_text.h"

/* Integers, ascending. Moves the rows into out->edges and fills n_nodes, ids and removed. `path`
 * names the file in messages. Cost: O(m + range) time where ids are dense, O(m log m) otherwise. */
hrr_status hrr_edge_ids_compact(hrr_edge_text *out, hrr_edge_rows *rows, const char *path,
                                int threads, hrr_error *err);

/* Texts, which the rows call 0..n_names-1. `texts` has n_names of them; it is
 * moved into out->ids. */
hrr_status hrr_edge_names_compact(hrr_edge_text *out, hrr_edge_rows *rows, hrr_node_ids *texts,
                                  uint64_t n_names, const char *path, hrr_error *err);

#endif
