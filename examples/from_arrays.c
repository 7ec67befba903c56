/* from_arrays.c: a graph from arrays of one's own, protected in memory and saved as a bundle.
 *
 *     cc from_arrays.c $(pkg-config --cflags --libs heterorr) -o from_arrays
 *     ./from_arrays released */
#include <heterorr/heterorr.h>

#include <stdio.h>

enum { n = 400, d = 4 };

/* A ring in which every other edge is private, and d numbers between 0 and 1 for each node. */
static hrr_status build(hrr_graph **graph, hrr_error *err)
{
    hrr_edge_list edges = {0};
    hrr_dense features = {0};
    hrr_status status = hrr_graph_new(graph, "ring", n, err);
    if (!status) status = hrr_edge_list_init(&edges, n, true, err);
    for (uint32_t i = 0; !status && i < n; i++) {
        edges.source[i] = i;
        edges.target[i] = (i + 1) % n;
        edges.marks[i] = i % 2; /* 1: private */
    }
    if (!status) status = hrr_graph_take_edges(*graph, &edges, NULL, 0, NULL, err);
    if (!status) status = hrr_dense_init(&features, HRR_F32, n, d, err);
    for (int i = 0; !status && i < n * d; i++)
        ((float *)features.data)[i] = (float)(i % 7) / 7;
    if (!status) status = hrr_graph_take_features(*graph, &features, err);
    if (!status) status = hrr_graph_set_feature_range(*graph, 0, 1, err);
    hrr_edge_list_clear(&edges); /* what the graph has taken is not here any more */
    hrr_dense_clear(&features);
    return status;
}

int main(int count, char **words)
{
    hrr_graph *graph = NULL;
    hrr_random *random = NULL;
    hrr_release *release = NULL;
    hrr_protect_options options;
    hrr_error err = {.message = "usage: from_arrays BUNDLE"};
    hrr_protect_options_init(&options);
    options.features.eps_nano = options.edges.eps_nano = HRR_EPS_UNIT;
    options.edges.mechanism = "edgerr";
    options.with_ledger = true;
    const bool failed = count != 2 || build(&graph, &err) || hrr_random_new(&random, &err) ||
                        hrr_protect(&release, NULL, NULL, graph, &options, random, NULL, &err) ||
                        hrr_release_save(release, words[1], false, NULL, NULL, &err);
    puts(failed ? err.message : hrr_release_statement(release));
    hrr_release_free(release);
    hrr_random_free(random);
    hrr_graph_free(graph);
    return failed;
}
