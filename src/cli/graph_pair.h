/* graph_pair.h: a graph and what was released of it, read from two places. */
#ifndef CLI_GRAPH_PAIR_H
#define CLI_GRAPH_PAIR_H

#include <heterorr/io.h>

typedef struct cli_graph_pair {
    hrr_graph *original_graph, *released_graph;
    hrr_csr original, released; /* nodes numbered as in the original */
} cli_graph_pair;

/* read: how the original is read. Errors: those of reading; HRR_EDATA if `released` has a node that
 * `original` has not. Ownership: cli_graph_pair_clear(), also after a failure. */
hrr_status cli_graph_pair_read(cli_graph_pair *out, const char *original, const char *released,
                               const hrr_read_options *read, hrr_progress *progress,
                               hrr_error *err);
void cli_graph_pair_clear(cli_graph_pair *pair);

#endif
