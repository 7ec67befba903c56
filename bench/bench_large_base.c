/* bench_large_base GRAPH...: how often the classes that edgerr-node counts into are right, and what
 * they cost, by both ways to predict them: all that is free on all nodes (learn/public_base.h), and
 * the way of large graphs (learn/large_base.h). Public edges alone are used. A row a graph and way:
 * accuracy on test nodes and processor seconds. For choosing where one gives way to the other. */
#include "learn/fit.h"
#include "learn/large_base.h"
#include "learn/public_base.h"

#include <heterorr/graph.h>
#include <heterorr/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void must(hrr_status status, const hrr_error *err)
{
    if (!status) return;
    fprintf(stderr, "bench_large_base: %s\n", err->message);
    exit(1);
}

static hrr_graph *read_public(const char *path)
{
    hrr_error err = {0};
    hrr_graph *graph, *known;
    hrr_read_options read;
    hrr_read_options_init(&read);
    must(hrr_graph_read(&graph, path, &read, NULL, &err), &err);
    must(hrr_graph_copy(
             &known, graph,
             HRR_COPY_PUBLIC_EDGES | HRR_COPY_FEATURES | HRR_COPY_LABELS | HRR_COPY_SPLIT, &err),
         &err);
    hrr_graph_free(graph);
    if (!hrr_graph_split(known)) {
        uint8_t *split =
            hrr_split_new(hrr_graph_n_nodes(known), HRR_TRAIN_SHARE, HRR_VALID_SHARE, 1, &err);
        must(hrr_graph_take_split(known, &split, &err), &err);
    }
    return known;
}

static void on_all_nodes(hrr_dense *logits, const hrr_graph *graph, const hrr_train_options *how)
{
    hrr_error err = {0};
    hrr_model *model;
    hrr_public_base base;
    must(hrr_fit(&model, NULL, graph, how, NULL, &err), &err);
    must(hrr_forward(logits, model, graph, NULL, how->threads, NULL, &err), &err);
    must(hrr_public_base_fit(&base, logits, graph, how, NULL, &err), &err);
    hrr_public_base_clear(&base);
    hrr_model_free(model);
}

static void report(const char *path, const char *way, const hrr_graph *graph,
                   const hrr_train_options *how)
{
    hrr_error err = {0};
    hrr_dense logits;
    hrr_metrics found;
    const clock_t began = clock();
    if (strcmp(way, "large") == 0)
        must(hrr_large_base(&logits, graph, how, NULL, &err), &err);
    else
        on_all_nodes(&logits, graph, how);
    const double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    must(hrr_measure(&found, &logits, hrr_graph_classes(graph), NULL, 0, hrr_graph_split(graph),
                     HRR_TEST, &err),
         &err);
    printf("{\"graph\": \"%s\", \"way\": \"%s\", \"accuracy\": %.4f, \"seconds\": %.1f}\n", path,
           way, found.accuracy, seconds);
    fflush(stdout);
    hrr_dense_clear(&logits);
}

int main(int argc, char **argv)
{
    hrr_train_options how;
    hrr_train_options_init(&how);
    how.threads = 1;
    how.scale = HRR_SCALE_BOUNDED;
    for (int a = 1; a < argc; a++) {
        hrr_graph *graph = read_public(argv[a]);
        report(argv[a], "large", graph, &how);
        if (!getenv("HETERORR_LARGE_ONLY")) report(argv[a], "all nodes", graph, &how);
        hrr_graph_free(graph);
    }
    return 0;
}
