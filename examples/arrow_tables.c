/* arrow_tables.c: a graph goes to a program that speaks Arrow, and comes back, without a library
 * for it. The tables are the graph's own memory until the last of them is released.
 *
 *     cc arrow_tables.c $(pkg-config --cflags --libs heterorr) -o arrow_tables
 *     ./arrow_tables graph */
#include <heterorr/heterorr.h>

#include <inttypes.h>
#include <stdio.h>

int main(int count, char **words)
{
    hrr_graph *graph = NULL, *again = NULL;
    struct ArrowArray edges = {0}, features = {0};
    struct ArrowSchema of_edges = {0}, of_features = {0};
    hrr_error err = {.message = "usage: arrow_tables GRAPH, one with features"};
    const bool failed =
        count != 2 || hrr_graph_read(&graph, words[1], NULL, NULL, &err) ||
        hrr_graph_to_arrow(&edges, &of_edges, graph, HRR_ARROW_EDGES, NULL, NULL, &err) ||
        hrr_graph_to_arrow(&features, &of_features, graph, HRR_ARROW_FEATURES, NULL, NULL, &err) ||
        hrr_graph_new(&again, "again", hrr_graph_n_nodes(graph), &err) ||
        hrr_graph_edges_from_arrow(again, &edges, &of_edges, NULL, NULL, &err) ||
        hrr_graph_features_from_arrow(again, &features, &of_features, &err);
    if (failed)
        puts(err.message);
    else
        printf("%" PRIu64 " edges and %" PRIu64 " features a node came back\n",
               hrr_graph_n_edges(again), hrr_graph_features(again)->cols);
    if (edges.release) edges.release(&edges), of_edges.release(&of_edges);
    if (features.release) features.release(&features), of_features.release(&of_features);
    hrr_graph_free(again);
    hrr_graph_free(graph);
    return failed;
}
