/* bench_edge_sample.c: noisy counts, their estimate and edges sampled from a tree. Prints one JSON
 * object a line.
 *   bench_edge_sample GRAPH [THREADS [RUNS]]
 * All edges of the graph count as private and shape the tree as well: what is timed is a tree and
 * as many edges as a graph of this size has. CPU seconds with one thread, seconds with more. */
#include <heterorr/io.h>

#include "edge/counts.h"
#include "edge/estimate.h"
#include "edge/sample.h"
#include "edge/trees.h"
#include "base/memory.h"
#include "timing.h"

static void report(const char *name, int run, double seconds, uint64_t n_edges)
{
    printf("{\"name\": \"%s_run_%d\", \"seconds\": %.6g, \"n_edges\": %llu}\n", name, run, seconds,
           (unsigned long long)n_edges);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: bench_edge_sample GRAPH [THREADS [RUNS]]\n");
        return 2;
    }
    const int threads = argc > 2 ? atoi(argv[2]) : 1, runs = argc > 3 ? atoi(argv[3]) : 3;
    const clockid_t clock = threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    hrr_error err;
    hrr_graph *graph;
    must(hrr_graph_read(&graph, argv[1], NULL, NULL, &err), &err);
    const uint64_t n = hrr_graph_n_nodes(graph), m = hrr_graph_n_edges(graph);
    const hrr_edge_public shaping = {n, m, hrr_graph_sources(graph), hrr_graph_targets(graph),
                                     NULL};
    const hrr_edge_public known = {.n_nodes = n};
    const hrr_edge_secret secret = {m, hrr_graph_sources(graph), hrr_graph_targets(graph)};
    hrr_dendrogram tree;
    must(hrr_start_public(&tree, &shaping, 1, threads, NULL, &err), &err);
    int64_t *noisy = hrr_alloc(n, sizeof *noisy);
    double *expected = hrr_alloc(n, sizeof *expected);
    if (!noisy || !expected) must(hrr_no_memory(&err), &err);
    for (int run = 0; run < runs; run++) {
        hrr_random *random;
        hrr_queries queries;
        hrr_edge_list edges;
        must(hrr_random_new_insecure(&random, 1 + (uint64_t)run, &err), &err);
        double realised, begin = seconds_of(clock);
        must(hrr_queries_init(&queries, &tree, &known, HRR_QUERIES_EACH, HRR_EPS_UNIT, &err), &err);
        must(hrr_noisy_counts(noisy, &realised, &queries, &tree, &secret, HRR_EPS_UNIT, random,
                              threads, &err),
             &err);
        report("counts", run, seconds_of(clock) - begin, m);
        begin = seconds_of(clock);
        must(hrr_estimate_edges(expected, &queries, noisy, HRR_EPS_UNIT, HRR_ESTIMATE_POSTERIOR,
                                &err),
             &err);
        report("estimate", run, seconds_of(clock) - begin, m);
        begin = seconds_of(clock);
        must(hrr_sample_edges(&edges, &tree, &known, queries.node_pairs, expected,
                              HRR_SAMPLE_ROUNDED, 1 + (uint64_t)run, threads, NULL, &err),
             &err);
        report("sample", run, seconds_of(clock) - begin, edges.n_edges);
        hrr_edge_list_clear(&edges);
        hrr_queries_clear(&queries);
        hrr_random_free(random);
    }
    hrr_free(noisy);
    hrr_free(expected);
    hrr_dendrogram_clear(&tree);
    hrr_graph_free(graph);
    return 0;
}
