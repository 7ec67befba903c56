/* bench_generate.c: how fast graphs are made, and in how much memory. Prints one JSON object a
 * line. The graph is checked before its time counts.
 *   bench_generate         1 and 10 million edges
 *   bench_generate --full  10 million nodes, 100 million edges, 16 byte-wide features as well */
#include "timing.h"

#include <heterorr/generate.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { RUNS = 3 };

static void print(const char *name, const char *size, double value, const char *unit)
{
    printf("{\"name\": \"%s_%s\", \"value\": %.6g, \"unit\": \"%s\"}\n", name, size, value, unit);
    fflush(stdout);
}

static void check(const hrr_graph *graph, const hrr_generate_options *options)
{
    double wanted = (double)options->n_nodes * options->average_degree / 2;
    double made = (double)hrr_graph_n_edges(graph), inside = 0;
    const uint32_t *source = hrr_graph_sources(graph), *target = hrr_graph_targets(graph);
    const int32_t *classes = hrr_graph_classes(graph);
    for (uint64_t e = 0; e < hrr_graph_n_edges(graph); e++)
        inside += classes[source[e]] == classes[target[e]];
    if (fabs(made / wanted - 1) < 0.001 && fabs(inside / made - options->homophily) < 0.001) return;
    fprintf(stderr, "bench_generate: the graph is not what was asked for\n");
    exit(1);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const char *size, uint64_t n_nodes, int runs)
{
    double seconds[RUNS];
    hrr_generate_options options;
    hrr_generate_options_init(&options);
    options.n_nodes = n_nodes;
    options.average_degree = 20;
    options.feature_dtype = HRR_U8;
    for (int run = 0; run < runs; run++) {
        hrr_graph *graph;
        hrr_error err;
        double began = seconds_of(CLOCK_MONOTONIC);
        if (hrr_generate(&graph, NULL, &options, NULL, &err)) {
            fprintf(stderr, "bench_generate: %s\n", err.message);
            exit(1);
        }
        seconds[run] = seconds_of(CLOCK_MONOTONIC) - began;
        check(graph, &options);
        hrr_graph_free(graph);
    }
    qsort(seconds, (size_t)runs, sizeof *seconds, compare);
    double n_edges = (double)n_nodes * options.average_degree / 2;
    print("generate_edges_per_second", size, n_edges / seconds[0], "edges/s");
    print("generate_seconds_minimum", size, seconds[0], "s");
    print("generate_seconds_median", size, seconds[runs / 2], "s");
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    print("generate_peak_rss", size, (double)usage.ru_maxrss * 1024, "bytes");
}

int main(int argc, char **argv)
{
    measure("1m", 100 * 1000, RUNS);
    measure("10m", 1000 * 1000, RUNS);
    if (argc > 1 && strcmp(argv[1], "--full") == 0) measure("100m", 10 * 1000 * 1000, 1);
    return 0;
}
