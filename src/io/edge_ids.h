/* edge_ids.h: from the ids of a file to 0..n-1, by the rules of edge_text.h. */
#ifndef HRR_IO_EDGE_IDS_H
#define HRR_IO_EDGE_IDS_H

#include "io/edge_names.h"
#include "io/edge_rows.h"
#include "io/edge_text.h"

/* Integers, ascending. Moves the rows into out->edges and fills n_nodes, ids and removed. `path`
 * names the file in messages. Cost: O(m + range) time where ids are dense, O(m log m) otherwise. */
hrr_status hrr_edge_ids_compact(hrr_edge_text *out, hrr_edge_rows *rows, const char *path,
                                int threads, hrr_error *err);

/* Texts, which the rows call by their numbers among the names. The names are spent. */
hrr_status hrr_edge_names_into_ids(hrr_edge_text *out, hrr_edge_rows *rows, hrr_edge_names *names,
                                   const char *path, hrr_error *err);

#endif
