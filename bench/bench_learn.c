/* bench_learn: an epoch of training (forward, loss, backward, step) of a two-layer GCN, hidden 128,
 * Adam.
 *
 *     bench_learn prepare CASE DATA DIR
 *         make DIR: a graph in the native layout, and first weights
 *     bench_learn run DIR [THREADS]
 *         train on it; one JSON line
 *     bench_learn gemm [THREADS]
 *         products of the widest case, and the processor's own speed
 *
 * Cases: cora; facebook (its edges and classes, 128 features drawn); ppi (the edges of the 20
 * training graphs, 50 features and 121 labels drawn); generated (200,000 nodes, 2 million edges,
 * 128 features); wide and wide_u8 (14,445 nodes, 2,048 features, floats or bytes of 0 and 1); tenth
 * and million (100,000 and 1,000,000 nodes, ten edges and 64 u8 features each). The peer,
 * peer_torch_gcn.py, reads the same directory. Losses without dropout are printed for bench/run to
 * compare; the time is that of epochs with dropout .5, the best and the median of them, on the wall
 * and of the processors. */
#include "timing.h"
#include "learn/model.h"
#include "matrix/dense.h"
#include "matrix/sgemm.h"
#include "matrix/sgemm_tile.h"
#include "matrix/products.h"
#include "random/fast.h"

#include <heterorr/heterorr.h>

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { hidden = 128, compared = 5, most_epochs = 60 };

static hrr_error err;

static void need(hrr_status status)
{
    must(status, &err);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- prepare ----------------------------------------------------------------------------------
 */

static hrr_dense draw_features(uint64_t n, uint64_t d)
{
    hrr_dense x;
    hrr_fast_random random;
    hrr_fast_init(&random, 1, 0);
    need(hrr_dense_init(&x, HRR_F32, n, d, &err));
    for (uint64_t k = 0; k < n * d; k++)
        ((float *)x.data)[k] = (float)hrr_fast_uniform(&random);
    return x;
}

/* The first n nodes and the edges among them. */
static hrr_graph *edges_of(const hrr_graph *from, const char *name, uint64_t n)
{
    const uint32_t *s = hrr_graph_sources(from), *t = hrr_graph_targets(from);
    hrr_graph *graph;
    hrr_edge_list edges;
    uint64_t count = 0;
    for (uint64_t e = 0; e < hrr_graph_n_edges(from); e++)
        count += s[e] < n && t[e] < n;
    need(hrr_edge_list_init(&edges, count, false, &err));
    count = 0;
    for (uint64_t e = 0; e < hrr_graph_n_edges(from); e++)
        if (s[e] < n && t[e] < n) {
            edges.source[count] = s[e];
            edges.target[count++] = t[e];
        }
    need(hrr_graph_new(&graph, name, n, &err));
    need(hrr_graph_take_edges(graph, &edges, NULL, 0, NULL, &err));
    return graph;
}

static hrr_graph *read_graph(const char *data, const char *name)
{
    char path[4096];
    hrr_graph *graph;
    hrr_read_options options;
    hrr_read_options_init(&options);
    snprintf(path, sizeof path, "%s/%s", data, name);
    need(hrr_graph_read(&graph, path, &options, NULL, &err));
    return graph;
}

/* Features and labels are drawn where the case has none of its own. */
static hrr_graph *real_case(const char *name, const char *data)
{
    const bool cora = strcmp(name, "cora") == 0, ppi = strcmp(name, "ppi") == 0;
    hrr_graph *from = read_graph(data, cora ? "planetoid/cora.npz" : ppi ? "ppi" : "facebook");
    const uint64_t n = ppi ? 44906 : hrr_graph_n_nodes(from);
    hrr_graph *graph = edges_of(from, name, n);
    hrr_dense x;
    if (cora)
        need(hrr_dense_convert(&x, hrr_graph_features(from), HRR_U8, &err));
    else
        x = draw_features(n, ppi ? 50 : 128);
    need(hrr_graph_take_features(graph, &x, &err));
    if (ppi) {
        hrr_dense labels;
        hrr_fast_random random;
        hrr_fast_init(&random, 2, 0);
        need(hrr_dense_init(&labels, HRR_U8, n, 121, &err));
        for (uint64_t k = 0; k < n * 121; k++)
            ((uint8_t *)labels.data)[k] = hrr_fast_below(&random, 10) < 3;
        need(hrr_graph_take_label_matrix(graph, &labels, &err));
    } else {
        hrr_dense copy; /* hrr memory for n classes */
        need(hrr_dense_init(&copy, HRR_F32, n, 1, &err));
        memcpy(copy.data, hrr_graph_classes(from), n * sizeof(int32_t));
        int32_t *classes = copy.data;
        need(hrr_graph_take_classes(graph, &classes, hrr_graph_n_classes(from), &err));
    }
    hrr_graph_free(from);
    return graph;
}

static hrr_graph *generated_case(const char *name)
{
    const bool bytes = strcmp(name, "wide_u8") == 0;
    const bool wide = bytes || strcmp(name, "wide") == 0, big = strcmp(name, "generated") == 0;
    hrr_generate_options options;
    hrr_generate_options_init(&options);
    options.n_nodes = wide ? 14445 : big ? 200000 : strcmp(name, "tenth") == 0 ? 100000 : 1000000;
    options.n_features = wide ? 2048 : big ? 128 : 64;
    options.average_degree = 20;
    options.n_classes = 10;
    options.private_fraction = 0;
    options.feature_dtype = wide || big ? HRR_F32 : HRR_U8;
    hrr_graph *made, *graph;
    need(hrr_generate(&made, NULL, &options, NULL, &err));
    graph = edges_of(made, name, options.n_nodes);
    hrr_dense x, copy;
    need(hrr_dense_convert(&x, hrr_graph_features(made), bytes ? HRR_U8 : options.feature_dtype,
                           &err)); /* 0..1 is rounded to 0 and 1 */
    need(hrr_graph_take_features(graph, &x, &err));
    need(hrr_dense_init(&copy, HRR_F32, options.n_nodes, 1, &err));
    memcpy(copy.data, hrr_graph_classes(made), options.n_nodes * sizeof(int32_t));
    int32_t *classes = copy.data;
    need(hrr_graph_take_classes(graph, &classes, 10, &err));
    hrr_graph_free(made);
    return graph;
}

static hrr_train_options usual(int threads)
{
    hrr_train_options options;
    hrr_train_options_init(&options);
    options.n_hidden = hidden;
    options.patience = 0;
    options.threads = threads;
    return options;
}

static void prepare(const char *name, const char *data, const char *directory)
{
    const bool real =
        strcmp(name, "cora") == 0 || strcmp(name, "facebook") == 0 || strcmp(name, "ppi") == 0;
    hrr_graph *graph = real ? real_case(name, data) : generated_case(name);
    uint8_t *split = hrr_split_new(hrr_graph_n_nodes(graph), 0.5, 0.25, 1, &err);
    need(split ? HRR_OK : err.status);
    need(hrr_graph_take_split(graph, &split, &err));
    hrr_write_options how;
    hrr_write_options_init(&how);
    how.replace = true;
    char path[4096];
    snprintf(path, sizeof path, "%s/graph", directory);
    need(hrr_graph_write(graph, path, &how, NULL, &err));
    const hrr_model_shape shape = {.normalisation = HRR_NORMALISE_SYMMETRIC,
                                   .n_layers = 2,
                                   .n_hidden = hidden,
                                   .n_features = hrr_graph_features(graph)->cols,
                                   .n_classes = hrr_graph_n_classes(graph),
                                   .output = hrr_graph_is_multilabel(graph) ? HRR_OUTPUT_SIGMOID
                                                                            : HRR_OUTPUT_SOFTMAX,
                                   .bias = true};
    hrr_model *model;
    need(hrr_model_new(&model, &shape, &err));
    hrr_model_draw(model, usual(1).seed); /* what training will draw, too */
    snprintf(path, sizeof path, "%s/first", directory);
    need(hrr_model_write(model, NULL, path, true, &err));
    hrr_model_free(model);
    hrr_graph_free(graph);
}

/* ---- run --------------------------------------------------------------------------------------
 */

typedef struct watch {
    double losses[most_epochs + 1], wall[most_epochs + 1], cpu[most_epochs + 1];
    uint32_t count;
} watch;

static void look(void *user, uint32_t epoch, double train_loss, double valid_loss)
{
    watch *w = user;
    (void)epoch, (void)valid_loss;
    w->losses[w->count] = train_loss;
    w->wall[w->count] = seconds_of(CLOCK_MONOTONIC);
    w->cpu[w->count++] = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static void train(watch *w, const hrr_graph *graph, uint32_t epochs, double dropout, int threads)
{
    hrr_train_options options = usual(threads);
    options.epochs = epochs;
    options.dropout = dropout;
    options.seen = look;
    options.seen_user = w;
    *w = (watch){0};
    hrr_model *model;
    hrr_release *reference;
    need(hrr_release_non_private(&reference, graph, &err));
    need(hrr_model_train(&model, NULL, reference, &options, NULL, &err));
    hrr_model_free(model);
    hrr_release_free(reference);
}

/* Times between epochs. */
static void spread(const double *at, uint32_t n, double *best, double *median)
{
    double took[most_epochs];
    for (uint32_t i = 0; i + 1 < n; i++)
        took[i] = at[i + 1] - at[i];
    qsort(took, n - 1, sizeof took[0], by_size);
    *best = took[0];
    *median = took[(n - 1) / 2];
}

/* getrusage() would count the program that started this one, too. */
static double peak_mb(void)
{
    char line[256];
    double kb = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0) kb = atof(line + 6);
    if (file) fclose(file);
    return kb / 1024;
}

static void run(const char *directory, int threads)
{
    char path[4096];
    watch first, timed;
    hrr_graph *graph;
    hrr_read_options options;
    hrr_read_options_init(&options);
    const double begun_mb = peak_mb();
    snprintf(path, sizeof path, "%s/graph", directory);
    need(hrr_graph_read(&graph, path, &options, NULL, &err));
    train(&first, graph, compared, 0, threads);
    const double one = first.wall[2] - first.wall[1];
    const uint32_t epochs = one > 1 ? 6 : one > 0.05 ? 20 : most_epochs;
    train(&timed, graph, epochs, 0.5, threads);
    double wall, wall_median, cpu, cpu_median;
    spread(timed.wall, timed.count, &wall, &wall_median);
    spread(timed.cpu, timed.count, &cpu, &cpu_median);
    printf("{\"name\": \"epoch\", \"wall_ms\": %.3f, \"wall_median_ms\": %.3f, \"cpu_ms\": %.3f, "
           "\"cpu_median_ms\": %.3f, \"peak_mb\": %.1f, \"begun_mb\": %.1f, \"losses\": [",
           1e3 * wall, 1e3 * wall_median, 1e3 * cpu, 1e3 * cpu_median, peak_mb(), begun_mb);
    for (int i = 0; i < compared; i++)
        printf("%s%.7f", i ? ", " : "", first.losses[i]);
    printf("]}\n");
    hrr_graph_free(graph);
}

/* ---- gemm -------------------------------------------------------------------------------------
 */

static void nothing(void *user, const float *block, size_t stride, uint64_t first, uint64_t count)
{
    (void)user, (void)block, (void)stride, (void)first, (void)count;
}

/* What a core can multiply and add when nothing has to be fetched: one tile over and over. */
static double peak(void)
{
    static float a[HRR_TILE_GROUP * HRR_TILE_DEPTH], b[HRR_TILE_DEPTH * HRR_TILE_WIDTH];
    static float c[HRR_TILE_GROUP * HRR_TILE_WIDTH];
    enum { times = 2000 };
    const hrr_tile tile = hrr_tile_for(hrr_widest_vectors(), HRR_TILE_WIDTH);
    double best = INFINITY;
    for (int i = 0; i < 30; i++) {
        const double began = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        for (int k = 0; k < times; k++)
            tile.run(c, HRR_TILE_WIDTH, a, b, HRR_TILE_DEPTH);
        best = fmin(best, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - began);
    }
    return 2e-9 * times * (double)(tile.rows * tile.cols * HRR_TILE_DEPTH) / best;
}

static void gemm(int threads)
{
    enum { n = 14445, d = 2048 };
    hrr_dense x = draw_features(n, d), w = draw_features(d, hidden),
              delta = draw_features(n, hidden);
    hrr_dense y = draw_features(n, hidden), g = draw_features(d, hidden);
    float *rows = malloc(hrr_sgemm_rows_space(d, hidden, threads) * sizeof *rows);
    float *inner = malloc(hrr_sgemm_inner_space(d, hidden, threads) * sizeof *inner);
    double took[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    for (int i = 0; i < 12; i++) {
        double at[5];
        at[0] = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        hrr_sgemm_rows(nothing, NULL, &x, w.data, false, hidden, rows, threads, NULL);
        at[1] = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        hrr_sgemm_inner(g.data, &x, delta.data, hidden, inner, threads, NULL);
        at[2] = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        hrr_gemm(&y, &x, false, &w, false, 1, 0);
        at[3] = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        hrr_gemm(&g, &x, true, &delta, false, 1, 0);
        at[4] = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        for (int k = 0; k < 4; k++)
            took[k] = fmin(took[k], at[k + 1] - at[k]);
    }
    const double flops = 2e-9 * n * d * (double)hidden;
    printf(
        "{\"name\": \"gemm\", \"rows\": %.1f, \"inner\": %.1f, \"blas_rows\": %.1f, "
        "\"blas_inner\": %.1f, \"peak\": %.1f, \"blas\": \"%s\", \"unit\": \"Gflop/s a core\"}\n",
        flops / took[0], flops / took[1], flops / took[2], flops / took[3], peak(),
        openblas_get_corename());
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "prepare") == 0)
        prepare(argv[2], argv[3], argv[4]);
    else if (argc >= 3 && strcmp(argv[1], "run") == 0)
        run(argv[2], argc > 3 ? atoi(argv[3]) : 2);
    else if (argc >= 2 && strcmp(argv[1], "gemm") == 0)
        gemm(argc > 2 ? atoi(argv[2]) : 2);
    else
        return 2;
    return 0;
}
