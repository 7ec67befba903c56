/* dump_learn: statistics, metrics and losses as the library finds them, for Python oracles to
 * compare with theirs. The first word says what; numbers come as lines on standard input.
 *
 *     paired | holm | interval LEVEL | tail DEGREES | quantile DEGREES
 *     rank                            scores, then 0 and 1
 *     measure SCORES.npy LABELS.npy
 *     fusion LABEL_EPS LABELS.npy LOGITS.npy EVIDENCE.npy ...       weights, then the gain
 *     losses GRAPH FIRST ARCH NORM LAYERS HIDDEN OPTIMISER EPOCHS  (FIRST: where weights go) */
#include "learn/fit.h"
#include "learn/fusion.h"
#include "learn/model.h"
#include "learn/ranking.h"
#include "learn/statistics.h"

#include <heterorr/heterorr.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 100000 };

static hrr_error err;

static void need(hrr_status status)
{
    if (!status) return;
    fprintf(stderr, "%s\n", err.message);
    exit(1);
}

/* One line of numbers. */
static uint64_t read_line(double *to)
{
    uint64_t n = 0;
    char *line = NULL, *at;
    size_t size = 0;
    if (getline(&line, &size, stdin) < 0) return 0;
    at = line;
    for (char *end; n < most; at = end) {
        to[n] = strtod(at, &end);
        if (end == at) break;
        n++;
    }
    free(line);
    return n;
}

static void show(double number)
{
    printf("%.17g\n", number);
}

static void show_test(const hrr_t_test *test)
{
    show(test->difference);
    show(test->t);
    show(test->degrees);
    show(test->p);
}

static hrr_dense read_matrix(const char *path)
{
    hrr_array array;
    hrr_dense matrix;
    need(hrr_array_read(&array, path, &err));
    need(hrr_array_into_dense(&matrix, &array, path, &err));
    return matrix;
}

/* One column of labels holds classes; NULL of more. */
static int32_t *classes_of(const hrr_dense *labels)
{
    int32_t *classes = labels->cols == 1 ? malloc(labels->rows * sizeof *classes) : NULL;
    for (uint64_t i = 0; classes && i < labels->rows; i++)
        classes[i] = (int32_t)hrr_dense_get(labels, i, 0);
    return classes;
}

static void measure(const char *scores_path, const char *labels_path)
{
    hrr_dense scores = read_matrix(scores_path), labels = read_matrix(labels_path);
    int32_t *classes = classes_of(&labels);
    hrr_metrics m;
    need(hrr_measure(&m, &scores, classes, classes ? NULL : &labels, 0, NULL, HRR_TEST, &err));
    show(m.accuracy);
    show(m.f1_micro);
    show(m.f1_macro);
    show(m.auc);
    show(m.average_precision);
    show(m.n_one_sided);
    free(classes);
    hrr_dense_clear(&scores);
    hrr_dense_clear(&labels);
}

static void fuse(char **words, int n_words)
{
    hrr_dense labels = read_matrix(words[1]), terms[HRR_MOST_TERMS];
    const int n_terms = n_words - 2;
    hrr_fusion_options options;
    hrr_fusion found;
    for (int t = 0; t < n_terms; t++)
        terms[t] = read_matrix(words[2 + t]);
    int32_t *classes = classes_of(&labels);
    const hrr_targets targets = {.n = labels.rows,
                                 .n_classes = (uint32_t)terms[0].cols,
                                 .classes = classes,
                                 .labels = classes ? NULL : labels.data};
    hrr_fusion_options_init(&options);
    options.label_eps = atof(words[0]);
    need(hrr_fusion_fit(&found, &terms[0], terms + 1, (uint32_t)n_terms - 1, &targets, &options,
                        &err));
    for (int t = 0; t < n_terms; t++) {
        show(found.weight[t]);
        hrr_dense_clear(&terms[t]);
    }
    show(found.gain);
    free(classes);
    hrr_dense_clear(&labels);
}

static void show_loss(void *user, uint32_t epoch, double train_loss, double valid_loss)
{
    (void)user, (void)epoch;
    printf("%.9g %.9g\n", train_loss, valid_loss);
}

static void losses(char **words)
{
    hrr_graph *graph;
    hrr_model *model, *first;
    hrr_read_options read;
    hrr_train_options options;
    hrr_read_options_init(&read);
    hrr_train_options_init(&options);
    need(hrr_graph_read(&graph, words[0], &read, NULL, &err));
    options.arch = strcmp(words[2], "mlp") == 0 ? HRR_ARCH_MLP : HRR_ARCH_GCN;
    options.normalisation =
        strcmp(words[3], "mean") == 0 ? HRR_NORMALISE_MEAN : HRR_NORMALISE_SYMMETRIC;
    options.n_layers = (uint32_t)atoi(words[4]);
    options.n_hidden = (uint32_t)atoi(words[5]);
    options.optimiser = strcmp(words[6], "sgd") == 0 ? HRR_SGD : HRR_ADAM;
    options.momentum = 0.9;
    options.epochs = (uint32_t)atoi(words[7]);
    options.patience = options.epochs;
    options.dropout = 0;
    options.seen = show_loss;
    need(hrr_fit(&model, NULL, graph, &options, NULL, &err));
    need(hrr_model_new(&first, hrr_model_get_shape(model), &err));
    hrr_model_draw(first, options.seed);
    need(hrr_model_write(first, NULL, words[1], true, &err));
    hrr_model_free(first);
    hrr_model_free(model);
    hrr_graph_free(graph);
}

int main(int argc, char **argv)
{
    static double a[most], b[most];
    const char *what = argc > 1 ? argv[1] : "";
    const double number = argc > 2 ? atof(argv[2]) : 0;
    hrr_t_test test;
    if (strcmp(what, "losses") == 0 && argc == 10) {
        losses(argv + 2);
        return 0;
    }
    if (strcmp(what, "fusion") == 0) {
        fuse(argv + 2, argc - 2);
        return 0;
    }
    if (strcmp(what, "measure") == 0) {
        measure(argv[2], argv[3]);
        return 0;
    }
    const uint64_t n = read_line(a);
    if (strcmp(what, "paired") == 0) {
        read_line(b);
        need(hrr_t_test_paired(&test, a, b, n, &err));
        show_test(&test);
    } else if (strcmp(what, "holm") == 0) {
        need(hrr_holm(b, a, n, &err));
        for (uint64_t i = 0; i < n; i++)
            show(b[i]);
    } else if (strcmp(what, "interval") == 0) {
        need(hrr_mean_interval(&b[0], &b[1], a, n, number, &err));
        show(b[0]);
        show(b[1]);
    } else if (strcmp(what, "rank") == 0) {
        float *scores = malloc(n * sizeof *scores);
        uint8_t *positive = malloc(n);
        read_line(b);
        for (uint64_t i = 0; i < n; i++)
            scores[i] = (float)a[i], positive[i] = (uint8_t)b[i];
        need(hrr_rank_quality(&a[0], &a[1], scores, positive, n, &err));
        show(a[0]);
        show(a[1]);
        free(scores);
        free(positive);
    } else {
        for (uint64_t i = 0; i < n; i++)
            show(strcmp(what, "tail") == 0 ? hrr_t_two_tailed(a[i], number)
                                           : hrr_t_quantile(a[i], number));
    }
    return 0;
}
