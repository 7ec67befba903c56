/* bench_edge_chain.c: how fast the public chain walks, and how far it comes. Prints one JSON object
 * a line.
 *   bench_edge_chain GRAPH STEPS_PER_NODE [THREADS [RUNS]]
 * All edges of the graph count as public; the tree starts random. Steps per CPU second; with
 * threads, per second. The likelihood is counted afresh after the time is taken. */
#include <heterorr/io.h>

#include "edge/chain.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void must(hrr_status status, const hrr_error *err)
{
    if (!status) return;
    fprintf(stderr, "bench_edge_chain: %s\n", err->message);
    exit(1);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: bench_edge_chain GRAPH STEPS_PER_NODE [THREADS [RUNS]]\n");
        return 2;
    }
    const double per_node = atof(argv[2]);
    const int threads = argc > 3 ? atoi(argv[3]) : 1, runs = argc > 4 ? atoi(argv[4]) : 1;
    hrr_error err;
    hrr_graph *graph;
    must(hrr_graph_read(&graph, argv[1], NULL, NULL, &err), &err);
    const hrr_edge_public known = {.n_nodes = hrr_graph_n_nodes(graph),
                                   .n_edges = hrr_graph_n_edges(graph),
                                   .source = hrr_graph_sources(graph),
                                   .target = hrr_graph_targets(graph)};
    const uint64_t n_steps = (uint64_t)(per_node * (double)known.n_nodes);
    for (int run = 0; run < runs; run++) {
        hrr_dendrogram tree;
        must(hrr_start_random(&tree, (uint32_t)known.n_nodes, 1 + (uint64_t)run, &err), &err);
        const double wall = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        must(hrr_chain_public(&tree, &known, n_steps, 1 + (uint64_t)run, threads, NULL, &err),
             &err);
        const double cpu_spent = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        const double wall_spent = seconds_of(CLOCK_MONOTONIC) - wall;
        double likelihood;
        must(hrr_dendrogram_likelihood(&likelihood, &tree, known.n_edges, known.source,
                                       known.target, &err),
             &err);
        printf(
            "{\"name\": \"chain_run_%d\", \"steps_per_cpu_second\": %.6g, \"cpu_seconds\": %.6g, "
            "\"seconds\": %.6g, \"likelihood\": %.1f, \"n_nodes\": %llu, \"n_edges\": %llu}\n",
            run, (double)n_steps / cpu_spent, cpu_spent, wall_spent, likelihood,
            (unsigned long long)known.n_nodes, (unsigned long long)known.n_edges);
        hrr_dendrogram_clear(&tree);
    }
    hrr_graph_free(graph);
    return 0;
}
