/* bench_io: how fast files become pairs and arrays. Prints one JSON object a line.
 *
 *   bench_io edges FILE   text to pairs, then to compacted pairs, each with one thread and all,
 * then with canonical form bench_io npy FILE     open an array, then touch every page of it
 *   bench_io graph FILE COPY   a graph read, and written to the file COPY
 *
 * "checksum" is the sum of both columns of the original ids; peer_numpy_io.py prints the same. */
#include "timing.h"

#include <heterorr/io.h>

#include "io/edge_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { repetitions = 31 };

static void stop(const hrr_error *err)
{
    fprintf(stderr, "bench_io: %s\n", err->message);
    exit(1);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(const char *name, double *seconds, uint64_t n_edges, uint64_t checksum)
{
    qsort(seconds, repetitions, sizeof *seconds, ascending);
    printf("{\"name\": \"%s\", \"value\": %.6e, \"median\": %.6e, \"unit\": \"s\", "
           "\"n_edges\": %" PRIu64 ", \"checksum\": %" PRIu64 "}\n",
           name, seconds[0], seconds[repetitions / 2], n_edges, checksum);
}

static uint64_t original(const hrr_edge_text *text, uint32_t node)
{
    return text->ids.integer ? (uint64_t)text->ids.integer[node] : node;
}

/* Self-loops that were dropped with their nodes are in the peer's sum and not in ours; both are
 * reported without any self-loop. */
static uint64_t checksum_of(const hrr_edge_text *text, uint64_t *n_edges)
{
    uint64_t sum = 0;
    *n_edges = 0;
    for (uint64_t i = 0; i < text->edges.n_edges; i++) {
        uint32_t source = text->edges.source[i], target = text->edges.target[i];
        if (source == target) continue;
        sum += original(text, source) + original(text, target);
        ++*n_edges;
    }
    return sum;
}

static void bench_edges(const char *path, hrr_id_policy ids, int threads, bool canonical,
                        const char *name)
{
    hrr_edge_text_options options = {.ids = ids, .threads = threads};
    hrr_error err;
    double seconds[repetitions];
    uint64_t n_edges = 0, checksum = 0;
    for (int i = 0; i < repetitions; i++) {
        hrr_edge_text text;
        hrr_graph *graph = NULL;
        double start = seconds_of(CLOCK_MONOTONIC);
        if (hrr_edge_text_read(&text, path, &options, NULL, &err)) stop(&err);
        if (i == 0) checksum = checksum_of(&text, &n_edges), start = seconds_of(CLOCK_MONOTONIC);
        if (canonical) {
            if (hrr_graph_new(&graph, "bench", text.n_nodes, &err)) stop(&err);
            if (hrr_graph_take_edges(graph, &text.edges, (const char *const *)text.mark_names,
                                     text.n_marks, NULL, &err))
                stop(&err);
        }
        seconds[i] =
            i == 0 ? 1e9 : seconds_of(CLOCK_MONOTONIC) - start; /* the first fills the caches */
        hrr_graph_free(graph);
        hrr_edge_text_clear(&text);
    }
    report(name, seconds, n_edges, checksum);
}

static void bench_npy(const char *path)
{
    hrr_error err;
    double opened[repetitions], touched[repetitions];
    uint64_t sum = 0;
    for (int i = 0; i < repetitions; i++) {
        hrr_array array;
        double start = seconds_of(CLOCK_MONOTONIC);
        if (hrr_array_read(&array, path, &err)) stop(&err);
        opened[i] = seconds_of(CLOCK_MONOTONIC) - start;
        const unsigned char *bytes = array.data;
        sum = 0;
        for (size_t at = 0; at < array.n_items * array.item_size; at += 4096)
            sum += bytes[at];
        touched[i] = seconds_of(CLOCK_MONOTONIC) - start;
        hrr_array_clear(&array);
    }
    report("npy_open", opened, 0, sum);
    report("npy_open_and_touch", touched, 0, sum);
}

/* A whole graph through the public interface, and back to a file of the same kind. */
static void bench_graph(const char *path, const char *copy)
{
    hrr_error err;
    double reading[repetitions], writing[repetitions];
    uint64_t n_edges = 0, checksum = 0;
    hrr_write_options options;
    hrr_write_options_init(&options);
    options.replace = true;
    for (int i = 0; i < repetitions; i++) {
        hrr_graph *graph;
        double start = seconds_of(CLOCK_MONOTONIC);
        if (hrr_graph_read(&graph, path, NULL, NULL, &err)) stop(&err);
        reading[i] = seconds_of(CLOCK_MONOTONIC) - start;
        const hrr_node_ids *ids = hrr_graph_node_ids(graph);
        n_edges = hrr_graph_n_edges(graph);
        checksum = 0;
        for (uint64_t e = 0; e < n_edges; e++) {
            const uint32_t source = hrr_graph_sources(graph)[e];
            const uint32_t target = hrr_graph_targets(graph)[e];
            checksum += ids ? (uint64_t)(ids->integer[source] + ids->integer[target])
                            : (uint64_t)source + target;
        }
        start = seconds_of(CLOCK_MONOTONIC);
        if (hrr_graph_write(graph, copy, &options, NULL, &err)) stop(&err);
        writing[i] = seconds_of(CLOCK_MONOTONIC) - start;
        hrr_graph_free(graph);
    }
    report("graph_read", reading, n_edges, checksum);
    report("graph_write", writing, n_edges, checksum);
}

int main(int count, char **words)
{
    if (count == 3 && strcmp(words[1], "edges") == 0) {
        bench_edges(words[2], HRR_IDS_DIRECT, 1, false, "edges_pairs_1_thread");
        bench_edges(words[2], HRR_IDS_DIRECT, 0, false, "edges_pairs");
        bench_edges(words[2], HRR_IDS_MAP, 1, false, "edges_1_thread");
        bench_edges(words[2], HRR_IDS_MAP, 0, false, "edges_all_threads");
        bench_edges(words[2], HRR_IDS_MAP, 0, true, "edges_canonical");
        return 0;
    }
    if (count == 3 && strcmp(words[1], "npy") == 0) {
        bench_npy(words[2]);
        return 0;
    }
    if (count == 4 && strcmp(words[1], "graph") == 0) {
        bench_graph(words[2], words[3]);
        return 0;
    }
    fprintf(stderr, "usage: bench_io edges|npy FILE, or bench_io graph FILE COPY\n");
    return 2;
}
