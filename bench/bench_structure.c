/* bench_structure: distance of the random-walk matrices of two graphs, 4 hops.
 *
 *   bench_structure ORIGINAL RELEASED   two graphs
 *
 * Prints one JSON object a line: milliseconds of the fastest of the calls that fit into four
 * seconds (on a busy machine the others measure the neighbours), with "rms" for each hop, which
 * peer_scipy_structure.py prints too. Each call starts from the adjacency matrices, as the peer
 * does. */
#include "structure/measures.h"
#include "timing.h"

#include <heterorr/graph.h>
#include <heterorr/io.h>
#include <heterorr/structure.h>

#include <stdio.h>
#include <stdlib.h>

enum { hops = 4 };
static const double patience = 4; /* seconds for each line; the peer has as long */

static hrr_csr read_matrix(const char *path)
{
    hrr_error err;
    hrr_graph *graph;
    hrr_csr matrix;
    hrr_read_options options;
    hrr_read_options_init(&options);
    must(hrr_graph_read(&graph, path, &options, NULL, &err), &err);
    must(hrr_graph_adjacency(&matrix, graph, NULL, &err), &err);
    hrr_graph_free(graph);
    return matrix;
}

static void report(const char *name, double seconds, double cpu, const hrr_walk_distance *d)
{
    printf("{\"name\": \"%s\", \"value\": %.4f, \"cpu\": %.4f, \"unit\": \"ms\", \"rms\": [", name,
           1e3 * seconds, 1e3 * cpu);
    for (int h = 0; h <= d->hops; h++)
        printf("%s%.17g", h ? ", " : "", d->rms[h]);
    printf("], \"standard_error\": [");
    for (int h = 0; h <= d->hops; h++)
        printf("%s%.17g", h ? ", " : "", d->standard_error[h]);
    printf("]}\n");
}

static void measure(const char *name, const hrr_csr *a, const hrr_csr *b, int threads, bool exact)
{
    double best = 1e9, best_cpu = 1e9;
    hrr_walk_distance d;
    hrr_error err;
    const double start = seconds_of(CLOCK_MONOTONIC);
    while (seconds_of(CLOCK_MONOTONIC) - start < patience) {
        const double begin = seconds_of(CLOCK_MONOTONIC),
                     cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        hrr_status status =
            exact ? hrr_walk_distance_exact(&d, a, b, hops, threads, NULL, &err)
                  : hrr_walk_distance_probed(&d, a, b, hops, 64, 1, threads, NULL, &err);
        const double took = seconds_of(CLOCK_MONOTONIC) - begin;
        const double took_cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        must(status, &err);
        if (took < best) best = took;
        if (took_cpu < best_cpu) best_cpu = took_cpu;
    }
    report(name, best, best_cpu, &d);
}

int main(int n_words, char **words)
{
    if (n_words != 3) return fprintf(stderr, "bench_structure ORIGINAL RELEASED\n"), 2;
    hrr_csr a = read_matrix(words[1]), b = read_matrix(words[2]);
    measure("walk_exact_1_thread", &a, &b, 1, true);
    measure("walk_exact_all_threads", &a, &b, 0, true);
    measure("walk_probed_64_all_threads", &a, &b, 0, false);
    hrr_csr_clear(&a);
    hrr_csr_clear(&b);
    return 0;
}
