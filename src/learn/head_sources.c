/* head_sources.c: a head from PUBLIC graphs of other people, for answers about those of another
 * graph (featurerr-head).
 *
 * Populations differ in how frequent a class is, and a head must not learn which population
 * somebody is from instead of what sets people apart. So each source has intercepts of its own
 * while the head learns, as columns of 0 and 1 beside the features; what is kept are the features'
 * weights. Then the answers are set anew: of two classes, and of each label, half of the sources'
 * people get either answer, which a coin of a given epsilon tells most about; of more classes, the
 * bias has the mean of the intercepts.
 *
 * What a label's answer is worth is measured on the sources: the information between answer and
 * label, in proportion to which nodes are asked about it. Of many labels a head may ask fewer
 * questions (head_questions.c).
 *
 * A head may be steered away from sensitive features (head_steering.h): then it learns from
 * features that are divided by numbers, and its weights are divided by the same in the end. */
#include "learn/head.h"
#include "learn/head_steering.h"

#include "base/memory.h"

#include <heterorr/learn.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct stack {
    hrr_dense features; /* rows x (d + sources), F32 */
    hrr_dense labels;   /* rows x C, U8; empty where there are classes */
    int32_t *classes;
    uint64_t n_features;
    uint32_t n_classes;
} stack;

static void clear(stack *all)
{
    hrr_dense_clear(&all->features);
    hrr_dense_clear(&all->labels);
    hrr_free(all->classes);
}

static bool is_labelled(const hrr_graph *graph, uint64_t node)
{
    const int32_t *classes = hrr_graph_classes(graph);
    return !classes || classes[node] >= 0;
}

static hrr_status check(const hrr_graph *const *graphs, size_t n, hrr_error *err)
{
    const hrr_dense *first = n ? hrr_graph_features(graphs[0]) : NULL;
    for (size_t g = 0; g < n; g++) {
        const hrr_dense *own = hrr_graph_features(graphs[g]);
        if (!own || (!hrr_graph_classes(graphs[g]) && !hrr_graph_label_matrix(graphs[g])))
            return hrr_fail(err, HRR_EDATA, "%s has no features or no labels to learn from",
                            hrr_graph_name(graphs[g]));
        if (own->cols != first->cols)
            return hrr_fail(err, HRR_EDATA,
                            "%s has %" PRIu64 " features, but %s has %" PRIu64
                            "; all graphs must have the same features (`n_features`)",
                            hrr_graph_name(graphs[0]), first->cols, hrr_graph_name(graphs[g]),
                            own->cols);
        if (hrr_graph_n_classes(graphs[g]) != hrr_graph_n_classes(graphs[0]) ||
            hrr_graph_is_multilabel(graphs[g]) != hrr_graph_is_multilabel(graphs[0]))
            return hrr_fail(err, HRR_EDATA, "%s and %s have different classes",
                            hrr_graph_name(graphs[0]), hrr_graph_name(graphs[g]));
    }
    return n ? HRR_OK : hrr_fail(err, HRR_EINVAL, "a head needs at least one graph to learn from");
}

static void add_row(stack *all, uint64_t row, const hrr_graph *graph, uint64_t node, size_t source)
{
    const hrr_dense *features = hrr_graph_features(graph), *labels = hrr_graph_label_matrix(graph);
    float *out = (float *)all->features.data + row * all->features.cols;
    for (uint64_t i = 0; i < all->n_features; i++)
        out[i] = (float)hrr_dense_get(features, node, i);
    for (uint64_t i = all->n_features; i < all->features.cols; i++)
        out[i] = i - all->n_features == source;
    if (all->classes) all->classes[row] = hrr_graph_classes(graph)[node];
    for (uint32_t c = 0; !all->classes && c < all->n_classes; c++)
        ((uint8_t *)all->labels.data)[row * all->n_classes + c] =
            (uint8_t)hrr_dense_get(labels, node, c);
}

static hrr_status put_together(stack *out, const hrr_graph *const *graphs, size_t n, hrr_error *err)
{
    uint64_t n_rows = 0, row = 0;
    for (size_t g = 0; g < n; g++)
        for (uint64_t i = 0; i < hrr_graph_n_nodes(graphs[g]); i++)
            n_rows += is_labelled(graphs[g], i);
    if (!n_rows) return hrr_fail(err, HRR_EDATA, "no node has a label, so nothing can be learned");
    *out = (stack){.n_features = hrr_graph_features(graphs[0])->cols,
                   .n_classes = hrr_graph_n_classes(graphs[0])};
    hrr_status status = hrr_dense_init(&out->features, HRR_F32, n_rows, out->n_features + n, err);
    if (status) return status;
    if (hrr_graph_classes(graphs[0])) {
        out->classes = hrr_alloc(n_rows, sizeof *out->classes);
        if (!out->classes) return hrr_no_memory(err);
    } else if ((status = hrr_dense_init(&out->labels, HRR_U8, n_rows, out->n_classes, err))) {
        return status;
    }
    for (size_t g = 0; g < n; g++)
        for (uint64_t i = 0; i < hrr_graph_n_nodes(graphs[g]); i++)
            if (is_labelled(graphs[g], i)) add_row(out, row++, graphs[g], i, g);
    return HRR_OK;
}

/* ---- intercepts ------------------------------------------------------------------------------ */

/* The features' weights alone; the mean of what sources add goes to the bias. */
static hrr_status drop_sources(hrr_head *out, const hrr_head *trained, const stack *all,
                               hrr_error *err)
{
    const uint64_t d = all->n_features, k = hrr_head_n_outputs(trained);
    const uint64_t n_sources = all->features.cols - d, n = all->features.rows;
    hrr_status status = hrr_head_init(out, d, 0, k, trained->output, err);
    if (status) return status;
    const double *weight = trained->weight.data;
    double *bias = out->bias.data;
    memcpy(out->weight.data, weight, d * k * sizeof *weight);
    memcpy(bias, trained->bias.data, k * sizeof *bias);
    for (uint64_t s = 0; s < n_sources; s++) {
        double share = 0;
        for (uint64_t i = 0; i < n; i++)
            share += ((const float *)all->features.data)[i * (d + n_sources) + d + s];
        for (uint64_t c = 0; c < k; c++)
            bias[c] += share / (double)n * weight[(d + s) * k + c];
    }
    return HRR_OK;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *value, uint64_t n)
{
    qsort(value, n, sizeof *value, compare);
    return (value[(n - 1) / 2] + value[n / 2]) / 2;
}

/* Rows of the sources as the head sees them, without their intercepts; n x C. */
static hrr_status find_scores(hrr_dense *out, const hrr_head *head, const stack *all,
                              hrr_error *err)
{
    const uint64_t d = all->n_features, n = all->features.rows;
    hrr_dense alone;
    hrr_status status = hrr_dense_init(&alone, HRR_F32, n, d, err);
    if (status) return status;
    for (uint64_t i = 0; i < n; i++)
        memcpy((float *)alone.data + i * d,
               (const float *)all->features.data + i * all->features.cols, d * sizeof(float));
    status = hrr_head_predict(out, head, &alone, false, err);
    hrr_dense_clear(&alone);
    return status;
}

/* Half of the rows get either answer: to class 1 rather than 0, or to each label. */
static hrr_status balance(hrr_head *head, hrr_dense *scores, hrr_error *err)
{
    const uint64_t n = scores->rows, k = scores->cols;
    const bool labels = head->output == HRR_OUTPUT_SIGMOID;
    double *value = hrr_alloc(n, sizeof *value), *s = scores->data, *bias = head->bias.data;
    if (!value) return hrr_no_memory(err);
    for (uint64_t c = labels ? 0 : 1; c < k; c++) {
        for (uint64_t i = 0; i < n; i++)
            value[i] = s[i * k + c] - (labels ? 0 : s[i * k]);
        const double middle = median(value, n);
        bias[c] -= middle;
        for (uint64_t i = 0; i < n; i++)
            s[i * k + c] -= middle;
    }
    hrr_free(value);
    return HRR_OK;
}

/* ---- what labels are worth ------------------------------------------------------------------- */

/* Information between a label and the answer to it, in nats. */
static double worth(const hrr_dense *scores, const stack *all, uint64_t c)
{
    const uint64_t n = scores->rows, k = scores->cols;
    double count[2][2] = {{0}}, sum = 0;
    for (uint64_t i = 0; i < n; i++)
        count[((const double *)scores->data)[i * k + c] > 0]
             [((const uint8_t *)all->labels.data)[i * k + c] != 0]++;
    for (int said = 0; said < 2; said++)
        for (int is = 0; is < 2; is++) {
            const double both = count[said][is];
            const double apart = (count[said][0] + count[said][1]) * (count[0][is] + count[1][is]);
            if (both > 0) sum += both / (double)n * log(both * (double)n / apart);
        }
    return sum > 0 ? sum : 0;
}

static hrr_status set_shares(hrr_head *head, const hrr_dense *scores, const stack *all,
                             hrr_error *err)
{
    hrr_status status = hrr_dense_init(&head->shares, HRR_F64, 1, scores->cols, err);
    if (status) return status;
    for (uint64_t c = 0; c < scores->cols; c++)
        ((double *)head->shares.data)[c] = worth(scores, all, c);
    return HRR_OK;
}

/* An answer that leans on nothing but the most sensitive features has no share. */
static hrr_status lower_shares(hrr_head *head, const stack *all, const hrr_head_steering *steering,
                               hrr_error *err)
{
    double *share = head->shares.data, total = 0;
    double *lean = hrr_alloc(head->shares.cols, sizeof *lean);
    hrr_status status = lean ? HRR_OK : hrr_no_memory(err);
    if (!status && steering) status = hrr_head_lean(lean, head, &all->features, steering, err);
    for (uint64_t c = 0; !status && c < head->shares.cols; c++)
        total += share[c] *= steering ? 1 - lean[c] : 1;
    if (!status && !(total > 0)) /* none is worth more than another */
        hrr_dense_clear(&head->shares);
    hrr_free(lean);
    return status;
}

/* ---- steering -------------------------------------------------------------------------------- */

static void divide_columns(hrr_dense *features, const double *by, uint64_t n_columns)
{
    float *x = features->data;
    for (uint64_t i = 0; i < features->rows; i++)
        for (uint64_t j = 0; j < n_columns; j++)
            x[i * features->cols + j] /= (float)by[j];
}

static void divide_rows(hrr_dense *weight, const double *by)
{
    double *w = weight->data;
    for (uint64_t i = 0; i < weight->rows * weight->cols; i++)
        w[i] /= by[i / weight->cols];
}

/* ---- together -------------------------------------------------------------------------------- */

hrr_status hrr_head_from_graphs(hrr_head *out, const hrr_graph *const *graphs, size_t n_graphs,
                                double ridge, uint32_t n_questions,
                                const hrr_head_steering *steering, hrr_progress *progress,
                                hrr_error *err)
{
    stack all = {0};
    hrr_head trained = {0}, made = {0};
    hrr_dense scores = {0};
    double *divisors = NULL;
    hrr_head_train_options how;
    *out = (hrr_head){0};
    hrr_status status = check(graphs, n_graphs, err);
    if (!status) status = hrr_steering_check(steering, hrr_graph_features(graphs[0])->cols, err);
    if (status) return status;
    if ((status = put_together(&all, graphs, n_graphs, err))) goto done;
    if (steering) {
        if ((status = hrr_steering_divisors(&divisors, steering, err))) goto done;
        divide_columns(&all.features, divisors, all.n_features);
    }
    hrr_head_train_options_init(&how);
    /* A linear head: larger steps and fewer of them end where 300 of .01 do (loss .6210 and .6205
     * on four Twitch countries, the same AUC on the fifth). */
    how.learning_rate = .05;
    how.epochs = 60;
    how.weight_decay = ridge / (double)all.features.rows;
    if ((status = hrr_head_train(&trained, &all.features, all.classes,
                                 all.labels.data ? &all.labels : NULL, all.n_classes, &how,
                                 progress, err)))
        goto done;
    if ((status = drop_sources(&made, &trained, &all, err))) goto done;
    if ((status = find_scores(&scores, &made, &all, err))) goto done;
    const bool few = !all.classes && n_questions && n_questions < all.n_classes;
    if (few) {
        if ((status = hrr_head_ask_principal(&made, &scores, n_questions, err))) goto done;
        hrr_dense_clear(&scores);
        if ((status = find_scores(&scores, &made, &all, err))) goto done;
    }
    if (!all.classes || all.n_classes == 2) status = balance(&made, &scores, err);
    if (!status && !all.classes && !few) status = set_shares(&made, &scores, &all, err);
    if (!status && made.shares.data) status = lower_shares(&made, &all, steering, err);
    if (status) goto done;
    if (steering) divide_rows(&made.weight, divisors);
    *out = made;
    made = (hrr_head){0};
done:
    hrr_free(divisors);
    clear(&all);
    hrr_head_clear(&trained);
    hrr_head_clear(&made);
    hrr_dense_clear(&scores);
    return status;
}
