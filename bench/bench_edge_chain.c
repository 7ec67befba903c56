/* bench_edge_chain.c: how fast the public chain walks, and how far it comes. Prints one JSON object
 * a line.
 *   bench_edge_chain GRAPH STEPS_PER_NODE [RUNS]
 * All edges of the graph count as public. `chain` starts from a random tree, as the peer does, and
 * gives the best and the median of its runs in steps per CPU second, all of it included: adjacency,
 * rounds, the tree put together again. `chain_1_thread` and `chain_2_threads` are the same work by
 * the clock, in turn, and must give the same tree. `chain_from_public_start` includes the start.
 * Likelihoods are counted afresh after the time is taken. */
#include <heterorr/io.h>

#include "edge/trees.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 100 };

typedef struct outcome {
    double cpu, wall, likelihood;
    hrr_dendrogram tree;
} outcome;

static outcome walk(const hrr_edge_public *known, uint64_t n_steps, uint64_t seed, int threads,
                    bool public_start)
{
    outcome out = {0};
    hrr_error err;
    if (!public_start)
        must(hrr_start_random(&out.tree, (uint32_t)known->n_nodes, seed, &err), &err);
    const double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID), wall = seconds_of(CLOCK_MONOTONIC);
    if (public_start) must(hrr_start_public(&out.tree, known, seed, threads, NULL, &err), &err);
    must(hrr_chain_public(&out.tree, known, n_steps, seed, threads, NULL, &err), &err);
    out.cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    out.wall = seconds_of(CLOCK_MONOTONIC) - wall;
    must(hrr_dendrogram_likelihood(&out.likelihood, &out.tree, known->n_edges, known->source,
                                   known->target, &err),
         &err);
    return out;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print(const char *name, const hrr_edge_public *known, uint64_t n_steps, double *seconds,
                  int runs, double likelihood)
{
    qsort(seconds, (size_t)runs, sizeof *seconds, ascending);
    printf(
        "{\"name\": \"%s\", \"best\": %.6g, \"median\": %.6g, \"unit\": \"steps/s\", \"seconds\": "
        "%.6g, \"likelihood\": %.1f, \"n_nodes\": %llu, \"n_edges\": %llu}\n",
        name, (double)n_steps / seconds[0], (double)n_steps / seconds[runs / 2], seconds[0],
        likelihood, (unsigned long long)known->n_nodes, (unsigned long long)known->n_edges);
    fflush(stdout);
}

/* The median of the likelihoods belongs to the runs' median, not to the fastest of them. */
static void measure_cpu(const char *name, const hrr_edge_public *known, uint64_t n_steps, int runs,
                        bool public_start)
{
    double seconds[MOST_RUNS], likelihood[MOST_RUNS];
    for (int run = 0; run < runs; run++) {
        outcome o = walk(known, n_steps, 1 + (uint64_t)run, 1, public_start);
        seconds[run] = o.cpu;
        likelihood[run] = o.likelihood;
        hrr_dendrogram_clear(&o.tree);
    }
    qsort(likelihood, (size_t)runs, sizeof *likelihood, ascending);
    print(name, known, n_steps, seconds, runs, likelihood[runs / 2]);
}

static void measure_threads(const hrr_edge_public *known, uint64_t n_steps, int runs)
{
    double seconds[2][MOST_RUNS], likelihood = 0;
    for (int run = 0; run < runs; run++) {
        outcome one = walk(known, n_steps, 1, 1, false), two = walk(known, n_steps, 1, 2, false);
        if (memcmp(one.tree.leaf, two.tree.leaf, known->n_nodes * sizeof *one.tree.leaf) != 0) {
            fprintf(stderr, "bench_edge_chain: two threads gave another tree\n");
            exit(1);
        }
        seconds[0][run] = one.wall;
        seconds[1][run] = two.wall;
        likelihood = one.likelihood;
        hrr_dendrogram_clear(&one.tree);
        hrr_dendrogram_clear(&two.tree);
    }
    print("chain_1_thread", known, n_steps, seconds[0], runs, likelihood);
    print("chain_2_threads", known, n_steps, seconds[1], runs, likelihood);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: bench_edge_chain GRAPH STEPS_PER_NODE [RUNS]\n");
        return 2;
    }
    int runs = argc > 3 ? atoi(argv[3]) : 5;
    if (runs < 1 || runs > MOST_RUNS) runs = 5;
    hrr_error err;
    hrr_graph *graph;
    must(hrr_graph_read(&graph, argv[1], NULL, NULL, &err), &err);
    const hrr_edge_public known = {.n_nodes = hrr_graph_n_nodes(graph),
                                   .n_edges = hrr_graph_n_edges(graph),
                                   .source = hrr_graph_sources(graph),
                                   .target = hrr_graph_targets(graph)};
    const uint64_t n_steps = (uint64_t)(atof(argv[2]) * (double)known.n_nodes);
    measure_cpu("chain", &known, n_steps, runs, false);
    measure_cpu("chain_from_public_start", &known, n_steps, runs, true);
    measure_threads(&known, n_steps, runs);
    hrr_graph_free(graph);
    return 0;
}
