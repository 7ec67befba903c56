/* count_private.c: read a graph in any format and say how many of its edges are private.
 *
 *     cc count_private.c $(pkg-config --cflags --libs heterorr) -o count_private
 *     ./count_private edges.csv */
#include <heterorr/heterorr.h>

#include <inttypes.h>
#include <stdio.h>

int main(int count, char **words)
{
    if (count != 2) {
        fprintf(stderr, "usage: count_private GRAPH\n");
        return 2;
    }
    hrr_graph *graph;
    hrr_error err;
    if (hrr_graph_read(&graph, words[1], NULL, NULL, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 3;
    }
    if (hrr_graph_marking(graph) == HRR_UNDECIDED)
        printf("nothing says which of %" PRIu64 " edges are private\n", hrr_graph_n_edges(graph));
    else
        printf("%" PRIu64 " of %" PRIu64 " edges are private\n", hrr_graph_n_private_edges(graph),
               hrr_graph_n_edges(graph));
    hrr_graph_free(graph);
    return 0;
}
