/* graph_pair.c: see graph_pair.h. */
#include "cli/graph_pair.h"
#include "cli/graph_input.h"
#include "cli/same_nodes.h"

hrr_status cli_graph_pair_read(cli_graph_pair *out, const char *original, const char *released,
                               const hrr_read_options *read, hrr_progress *progress, hrr_error *err)
{
    hrr_read_options plain;
    hrr_read_options_init(&plain);
    plain.threads = read->threads;
    *out = (cli_graph_pair){0};
    hrr_status status = cli_read_graph(&out->original_graph, original, read, progress, err);
    if (!status) status = cli_read_graph(&out->released_graph, released, &plain, progress, err);
    if (!status) status = hrr_graph_adjacency(&out->original, out->original_graph, NULL, err);
    if (!status)
        status =
            cli_released_adjacency(&out->released, out->original_graph, out->released_graph, err);
    return status;
}

void cli_graph_pair_clear(cli_graph_pair *pair)
{
    hrr_csr_clear(&pair->released);
    hrr_csr_clear(&pair->original);
    hrr_graph_free(pair->released_graph);
    hrr_graph_free(pair->original_graph);
    *pair = (cli_graph_pair){0};
}
