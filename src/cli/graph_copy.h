/* graph_copy.h: is a copy of a graph true, and what does it lack? */
#ifndef CLI_GRAPH_COPY_H
#define CLI_GRAPH_COPY_H

#include <heterorr/graph.h>
#include <jansson.h>

/* Compare a copy that was written in some format and read again with its original. Parts of the
 * original that the copy has (equal, or it is an error) are listed in *kept, parts that it lacks
 * in *dropped: arrays of texts that belong to the caller. Nodes are matched by their names,
 * because a format may number them anew.
 * Cost:   O(n log n + m log m + n d) time, O(n) memory.
 * Errors: HRR_ECHECK with what differs, HRR_ENOMEM, HRR_ECANCEL. */
hrr_status cli_compare_copy(json_t **kept, json_t **dropped, const hrr_graph *original,
                            const hrr_graph *copy, hrr_progress *progress, hrr_error *err);

#endif
