/* bench_edge_baselines MECHANISM NODES EPS: seconds of processor time and memory of one release,
 * one thread, of a graph with ten edges a node. Checks the result first (exit 1 if it is wrong),
 * then prints one JSON object: `value` is the median repetition, `best` the fastest; bytes_per_edge
 * is what the draw adds to the resident memory at its highest, for each edge that goes in or comes
 * out. The peer is peer_numpy_edges.py. */
#include "timing.h"

#include <heterorr/edge.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { edges_per_node = 5, most_repetitions = 9 }; /* each edge has two ends */

static double peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024. * (double)usage.ru_maxrss;
}

static void stop_unless(bool good, const char *what)
{
    if (good) return;
    fprintf(stderr, "bench_edge_baselines: %s\n", what);
    exit(1);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Node u and u + 1, u + 38, u + 75, ...: sorted, each once. */
static hrr_edge_list make_edges(uint32_t n)
{
    hrr_edge_list edges;
    stop_unless(hrr_edge_list_init(&edges, (uint64_t)n * edges_per_node, false, NULL) == HRR_OK,
                "out of memory");
    edges.n_edges = 0;
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t k = 0; k < edges_per_node && u + 1 + 37 * k < n; k++) {
            edges.source[edges.n_edges] = u;
            edges.target[edges.n_edges++] = u + 1 + 37 * k;
        }
    return edges;
}

/* Numbers of edges within six standard deviations of what the law says. */
static void check(const char *mechanism, double eps, uint64_t n_in, uint64_t n_out, double pairs)
{
    const double flip = 1 / (1 + exp(eps)), in = (double)n_in;
    if (strncmp(mechanism, "edgerand", 8) == 0) {
        const double mean = in * (1 - flip) + (pairs - in) * flip;
        stop_unless(fabs((double)n_out - mean) < 6 * sqrt(pairs * flip * (1 - flip)) + 1,
                    "the number of edges is off");
    } else { /* noise of .01 eps; beyond 30 scales once in 10^13 */
        stop_unless(fabs((double)n_out - in) < 30 / (.01 * eps) + 1, "the number of edges is off");
    }
}

int main(int argc, char **argv)
{
    stop_unless(argc == 4, "needs MECHANISM NODES EPS");
    const char *mechanism = argv[1];
    const uint32_t n = (uint32_t)strtoul(argv[2], NULL, 10);
    const double eps = strtod(argv[3], NULL);
    const int repetitions = n > 100000 ? 3 : most_repetitions;
    hrr_edge_list edges = make_edges(n);
    const hrr_edge_public known = {.n_nodes = n};
    const hrr_edge_secret secret = {edges.n_edges, edges.source, edges.target};
    hrr_edge_options options;
    hrr_edge_options_init(&options);
    options.mechanism = mechanism;
    options.eps_nano = (uint64_t)llround(eps * HRR_EPS_UNIT);
    options.threads = 1;
    hrr_random *random;
    stop_unless(hrr_random_new(&random, NULL) == HRR_OK, "out of memory");
    double took[most_repetitions], before = peak_bytes(), added = 0;
    uint64_t n_out = 0;
    for (int i = 0; i < repetitions; i++) {
        hrr_random *child;
        hrr_edge_plan *plan;
        hrr_edge_release released;
        hrr_error err;
        const double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        stop_unless(hrr_random_new_child(&child, random, NULL) == HRR_OK, "out of memory");
        stop_unless(hrr_edge_plan_new(&plan, &known, &options, NULL, &err) == HRR_OK, err.message);
        stop_unless(hrr_edge_plan_draw(&released, plan, &secret, child, NULL, &err) == HRR_OK,
                    err.message);
        took[i] = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin;
        n_out = released.edges.n_edges;
        check(mechanism, eps, edges.n_edges, n_out, (double)n * (n - 1.) / 2);
        if (i == 0) added = peak_bytes() - before;
        hrr_edge_release_clear(&released);
        hrr_edge_plan_free(plan);
        hrr_random_free(child);
    }
    qsort(took, (size_t)repetitions, sizeof took[0], by_size);
    printf("{\"name\": \"%s_n_%u_eps_%g\", \"value\": %.4g, \"best\": %.4g, \"unit\": \"s\", "
           "\"edges_out\": %llu, \"bytes\": %.4g, \"bytes_per_edge\": %.1f}\n",
           mechanism, n, eps, took[repetitions / 2], took[0], (unsigned long long)n_out, added,
           added / (double)(n_out + edges.n_edges));
    hrr_edge_list_clear(&edges);
    hrr_random_free(random);
    return 0;
}
