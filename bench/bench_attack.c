/* bench_attack: the influence of 500 nodes on each other, our side and our own published way.
 *
 *   bench_attack MODEL GRAPH OUT.npy [exact]   OUT.npy receives the nodes and the first ten rows
 *
 * Prints one JSON object a line. "exact": seconds and processor seconds of the fastest of the calls
 * that fit into four seconds; "forward": the same for 500 forward passes, each of the whole graph
 * with one node's features changed (ten are run and multiplied). Before that, the exact rows are
 * held against differences in doubles. With `exact` the rest is left out. */
#include "attack/influence.h"
#include "attack/local_service.h"
#include "matrix/dense.h"
#include "timing.h"
#include "attack/pairs.h"

#include <heterorr/attack.h>
#include <heterorr/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n_nodes = 500, n_rows = 10 };
static const double patience = 4;

static void time_exact(hrr_dense *influence, const hrr_model *model, const hrr_release *served,
                       const uint32_t *nodes, uint64_t count)
{
    double best = INFINITY, cpu = INFINITY;
    const double began = seconds_of(CLOCK_MONOTONIC);
    hrr_error err;
    do {
        const double wall = seconds_of(CLOCK_MONOTONIC),
                     busy = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        hrr_dense_clear(influence);
        must(hrr_influence_exact(influence, model, served, nodes, count, false, 0, NULL, &err),
             &err);
        best = fmin(best, seconds_of(CLOCK_MONOTONIC) - wall);
        cpu = fmin(cpu, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - busy);
    } while (seconds_of(CLOCK_MONOTONIC) - began < patience);
    printf("{\"name\": \"exact\", \"value\": %.6g, \"cpu\": %.6g, \"nodes\": %u}\n", best, cpu,
           (unsigned)count);
}

/* The largest difference, as a share of the largest influence. */
static void check(const hrr_dense *influence, const hrr_model *model, const hrr_release *served,
                  const uint32_t *nodes, uint64_t count)
{
    hrr_local_service *local;
    hrr_dense asked;
    hrr_error err;
    double most = 0, apart = 0;
    hrr_serve_options how;
    hrr_serve_options_init(&how);
    must(hrr_local_service_new(&local, model, served, &how, NULL, &err), &err);
    const hrr_service service = hrr_local_service_view(local);
    must(hrr_influence_measure(&asked, &service, hrr_graph_features(hrr_release_graph(served)),
                               nodes, n_rows, 1e-4, NULL, &err),
         &err);
    for (uint64_t i = 0; i < n_rows; i++)
        for (uint64_t j = 0; j < n_rows; j++) {
            const double x = hrr_dense_get(influence, i, j), y = hrr_dense_get(&asked, i, j);
            most = fmax(most, x);
            apart = fmax(apart, fabs(x - y));
        }
    hrr_dense_clear(&asked);
    hrr_local_service_free(local);
    printf("{\"name\": \"agreement\", \"value\": %.3g, \"nodes\": %u}\n", apart / most,
           (unsigned)count);
}

static void time_forward(const hrr_model *model, const hrr_release *served, const uint32_t *nodes)
{
    hrr_dense x, out;
    hrr_error err;
    const hrr_predict_options how = {
        .size = sizeof(hrr_predict_options), .features = &x, .logits = true};
    must(hrr_dense_convert(&x, hrr_graph_features(hrr_release_graph(served)), HRR_F32, &err), &err);
    const double wall = seconds_of(CLOCK_MONOTONIC), busy = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < n_rows; i++) {
        float *row = (float *)x.data + nodes[i] * x.cols;
        for (uint64_t k = 0; k < x.cols; k++)
            row[k] *= 1 + 1e-4f;
        must(hrr_model_predict(&out, model, served, &how, NULL, &err), &err);
        hrr_dense_clear(&out);
        for (uint64_t k = 0; k < x.cols; k++)
            row[k] /= 1 + 1e-4f;
    }
    const double times = n_nodes / (double)n_rows;
    printf("{\"name\": \"forward\", \"value\": %.6g, \"cpu\": %.6g}\n",
           times * (seconds_of(CLOCK_MONOTONIC) - wall),
           times * (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - busy));
    hrr_dense_clear(&x);
}

/* The nodes, then the first rows. */
static void write_rows(const char *path, const hrr_dense *influence, const uint32_t *nodes,
                       uint64_t count)
{
    hrr_dense out;
    hrr_error err;
    must(hrr_dense_init(&out, HRR_F64, 1 + n_rows, count, &err), &err);
    for (uint64_t j = 0; j < count; j++)
        ((double *)out.data)[j] = nodes[j];
    memcpy((double *)out.data + count, influence->data, n_rows * count * sizeof(double));
    must(hrr_dense_write(&out, path, &err), &err);
    hrr_dense_clear(&out);
}

int main(int argc, char **argv)
{
    hrr_model *model;
    hrr_graph *graph;
    hrr_release *served;
    hrr_read_options read;
    hrr_error err;
    uint32_t *nodes;
    uint64_t count;
    hrr_dense influence = {0};
    if (argc < 4) {
        fprintf(stderr, "usage: bench_attack MODEL GRAPH OUT.npy [exact]\n");
        return 2;
    }
    hrr_read_options_init(&read);
    must(hrr_model_read(&model, argv[1], &err), &err);
    must(hrr_graph_read(&graph, argv[2], &read, NULL, &err), &err);
    must(hrr_release_non_private(&served, graph, &err), &err);
    must(hrr_attack_nodes(&nodes, &count, graph, HRR_POOL_ALL, 0, 0, n_nodes, 1, &err), &err);
    time_exact(&influence, model, served, nodes, count);
    write_rows(argv[3], &influence, nodes, count);
    if (argc == 4) {
        check(&influence, model, served, nodes, count);
        time_forward(model, served, nodes);
    }
    hrr_dense_clear(&influence);
    hrr_free(nodes);
    hrr_release_free(served);
    hrr_graph_free(graph);
    hrr_model_free(model);
    return 0;
}
