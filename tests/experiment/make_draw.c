/* make_draw.c: make_draw GRAPH MECHANISM EPS SEED: the edges that run SEED of an experiment on
 * GRAPH releases where every edge is private, "u,v" a line, for test_pgb_rows.py. EPS is in units
 * of 1e-9. */
#include "release/draws.h"

#include <heterorr/io.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    hrr_graph *graph = NULL, *released = NULL;
    hrr_random *random = NULL;
    hrr_read_options read;
    hrr_edge_options how;
    hrr_error err = {0};
    if (argc != 5) return 2;
    hrr_read_options_init(&read);
    hrr_edge_options_init(&how);
    read.all_private = true;
    how.mechanism = argv[2];
    how.eps_nano = strtoull(argv[3], NULL, 10);
    hrr_status status = hrr_graph_read(&graph, argv[1], &read, NULL, &err);
    if (!status) status = hrr_random_new_insecure(&random, strtoull(argv[4], NULL, 10), &err);
    if (!status) status = hrr_draw_edges(&released, NULL, graph, &how, random, NULL, &err);
    for (uint64_t i = 0; !status && i < hrr_graph_n_edges(released); i++)
        printf("%" PRIu32 ",%" PRIu32 "\n", hrr_graph_sources(released)[i],
               hrr_graph_targets(released)[i]);
    if (status) fprintf(stderr, "%s\n", err.message);
    hrr_random_free(random);
    hrr_graph_free(released);
    hrr_graph_free(graph);
    return status != HRR_OK;
}
