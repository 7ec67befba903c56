/* bench_pgb: PGB's fifteen queries on one graph, each alone and all together.
 *
 *   bench_pgb GRAPH
 *
 * Prints one JSON object a line: seconds of the fastest of the calls that fit into a second (on a
 * busy machine the others measure the neighbours), by the clock and of processor time, and the
 * answer, which peer_pgb.py prints too. Each call starts from the adjacency matrix. */
#include "timing.h"

#include <heterorr/graph.h>
#include <heterorr/io.h>
#include <heterorr/structure.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const double patience = 1;

/* Distributions by their sums: of degrees, and of steps between nodes. */
static void print_answer(const hrr_pgb_answers *a, int query)
{
    double sum = 0;
    if (query == HRR_PGB_DEGREES)
        for (uint64_t d = 0; d < a->n_degrees; d++)
            sum += (double)d * (double)(d * a->degree_count[d]);
    if (query == HRR_PGB_DISTANCES)
        for (uint64_t d = 0; d < a->n_distances; d++)
            sum += (double)(d * d) * (double)a->distance_count[d];
    if (query == HRR_PGB_CENTRALITY)
        for (uint64_t i = 0; i < a->n_central; i++)
            sum += a->centrality[i];
    if (query == HRR_PGB_COMMUNITIES) sum = a->n_communities;
    printf("%.12g", isnan(a->value[query]) ? sum : a->value[query]);
}

static void measure(const char *name, const hrr_csr *graph, uint64_t queries, int threads)
{
    double best = 1e9, best_cpu = 1e9;
    hrr_pgb_answers answers = {0};
    hrr_pgb_options options;
    hrr_error err;
    hrr_pgb_options_init(&options);
    options.queries = queries;
    options.threads = threads;
    options.n_path_sources = UINT32_MAX;
    const double start = seconds_of(CLOCK_MONOTONIC);
    while (seconds_of(CLOCK_MONOTONIC) - start < patience) {
        hrr_pgb_answers_clear(&answers);
        const double begin = seconds_of(CLOCK_MONOTONIC),
                     cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        must(hrr_pgb_answer(&answers, graph, &options, NULL, &err), &err);
        const double took = seconds_of(CLOCK_MONOTONIC) - begin;
        const double took_cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        if (took < best) best = took;
        if (took_cpu < best_cpu) best_cpu = took_cpu;
    }
    printf("{\"name\": \"%s\", \"value\": %.9g, \"cpu\": %.9g, \"unit\": \"s\"", name, best,
           best_cpu);
    for (int q = 0; q < HRR_N_PGB_QUERIES; q++)
        if (queries == UINT64_C(1) << q) {
            printf(", \"answer\": ");
            print_answer(&answers, q);
        }
    printf("}\n");
    hrr_pgb_answers_clear(&answers);
}

/* What a graph knows of itself takes nanoseconds: many calls are timed together. */
static void measure_known(const char *name, const hrr_graph *graph, int query)
{
    enum { calls = 100000 };
    double best = 1e9;
    volatile double answer = 0;
    for (int k = 0; k < 100; k++) {
        const double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        for (int i = 0; i < calls; i++) {
            const double nodes = (double)hrr_graph_n_nodes(graph),
                         edges = (double)hrr_graph_n_edges(graph);
            answer = query == HRR_PGB_NODES   ? nodes
                     : query == HRR_PGB_EDGES ? edges
                                              : 2 * edges / nodes;
        }
        const double took = (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu) / calls;
        if (took < best) best = took;
    }
    printf(
        "{\"name\": \"%s\", \"value\": %.9g, \"cpu\": %.9g, \"unit\": \"s\", \"answer\": %.12g}\n",
        name, best, best, answer);
}

int main(int n_words, char **words)
{
    if (n_words != 2) return fprintf(stderr, "bench_pgb GRAPH\n"), 2;
    hrr_error err;
    hrr_graph *graph;
    hrr_csr matrix;
    hrr_read_options options;
    hrr_read_options_init(&options);
    must(hrr_graph_read(&graph, words[1], &options, NULL, &err), &err);
    must(hrr_graph_adjacency(&matrix, graph, NULL, &err), &err);
    for (int q = 0; q < HRR_N_PGB_QUERIES; q++) {
        const bool known = q == HRR_PGB_NODES || q == HRR_PGB_EDGES || q == HRR_PGB_MEAN_DEGREE;
        if (known)
            measure_known(hrr_pgb_rows()[q].name, graph, q);
        else
            measure(hrr_pgb_rows()[q].name, &matrix, UINT64_C(1) << q, 1);
    }
    measure("all_1_thread", &matrix, 0, 1);
    measure("all_threads", &matrix, 0, 0);
    hrr_csr_clear(&matrix);
    hrr_graph_free(graph);
    return 0;
}
