/* report_model.c: see report_model.h.
 *
 * Reports of one class a node are one question with k answers, reports of labels k questions with
 * two; questions are independent given the class. Of a node's label, and labels that the head was
 * asked about in the same number, only the answer to that label is looked at.
 *
 * The confusion is pulled by as much as `pull` nodes would weigh whose answers are seen as they
 * are. With a small budget a node's report says less than that: few labels leave the evidence near
 * what it is pulled to, instead of at random. Where the head answers with the classes themselves,
 * or to the labels themselves, it is pulled to a head that means what it says with some probability
 * and otherwise answers as it answers everybody. That probability is one number, which a few
 * labelled nodes can tell; 0 for a head whose answers are others' names. Any other head is pulled
 * to its answers to everybody. */
#include "learn/report_terms.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { n_folds = 5, n_rounds = 50 };
static const double pull = 4, aligned_pull = 16;

void hrr_report_model_clear(hrr_report_model *model)
{
    hrr_dense_clear(&model->confusion);
    *model = (hrr_report_model){0};
}

typedef struct fitting {
    const hrr_reports *reports;
    hrr_targets targets;
    uint32_t n_rows; /* of the confusion */
    bool own;        /* of a label only the answer to itself is looked at */
    bool aligned;    /* answer j is class j, or a yes to label j */
    double *usual;   /* k: how the head answers everybody */
    double *pulled;  /* k: what a row is pulled to */
    double *sum;     /* k: scratch */
} fitting;

/* ---- the channel ----------------------------------------------------------------------------- */

/* P(what node i's report says of answer j | it is the answer) over P(the same | it is not). */
static double ratio(const hrr_reports *reports, uint64_t i, uint32_t j)
{
    const uint8_t named = reports->named[i * reports->n_answers + j];
    if (named == HRR_REPORT_SILENT) return 1;
    if (reports->report_size) return named ? exp(reports->log_ratio[j]) : 1;
    return exp(named ? reports->log_ratio[j] : -reports->log_ratio[j]);
}

/* ln sum over h of p[h] P(r | h), up to what does not depend on p; of labels for answers
 * [begin, end). */
static double log_likelihood(const double *p, const hrr_reports *reports, uint64_t i,
                             uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t j = begin; j < end; j++) {
        const double r = ratio(reports, i, j);
        sum += reports->report_size ? p[j] * r : log1p(p[j] * (r - 1));
    }
    return reports->report_size ? log(sum) : sum;
}

/* ---- how the head answers -------------------------------------------------------------------- */

/* Whether node i, labelled, is of this row of the confusion. */
static bool is_of_row(const fitting *f, uint64_t i, uint32_t row)
{
    const uint32_t n_classes = f->targets.n_classes;
    if (row < n_classes) return hrr_target_has(&f->targets, i, row);
    return !hrr_target_has(&f->targets, i, row - n_classes);
}

/* One round of EM over the nodes of a row (UINT32_MAX: all nodes) that are not in the fold: p
 * becomes the mean of what each says about its answer, and of `pull` nodes that say what it is
 * pulled to. */
static void improve(double *p, const fitting *f, uint32_t row, uint32_t fold)
{
    const hrr_reports *reports = f->reports;
    const uint32_t k = reports->n_answers;
    const uint32_t begin = row != UINT32_MAX && f->own ? row % f->targets.n_classes : 0;
    const uint32_t end = row != UINT32_MAX && f->own ? begin + 1 : k;
    double count = 0;
    memset(f->sum, 0, k * sizeof *f->sum);
    for (uint64_t i = 0; i < reports->n_nodes; i++) {
        if (row != UINT32_MAX &&
            (i % n_folds == fold || !hrr_is_known(&f->targets, i) || !is_of_row(f, i, row)))
            continue;
        double total = 0;
        for (uint32_t j = 0; j < k && reports->report_size; j++)
            total += p[j] * ratio(reports, i, j);
        for (uint32_t j = begin; j < end; j++) {
            const double r = ratio(reports, i, j);
            f->sum[j] += p[j] * r / (reports->report_size ? total : 1 + p[j] * (r - 1));
        }
        count++;
    }
    const double weight = row == UINT32_MAX ? 1 : f->aligned ? aligned_pull : pull;
    for (uint32_t j = begin; j < end; j++)
        p[j] = (f->sum[j] + weight * f->pulled[j]) / (count + weight);
}

static hrr_status find_usual(fitting *f, hrr_error *err)
{
    const uint32_t k = f->reports->n_answers;
    f->usual = hrr_alloc(k, sizeof *f->usual);
    f->pulled = hrr_alloc(k, sizeof *f->pulled);
    f->sum = hrr_alloc(k, sizeof *f->sum);
    double *p = hrr_alloc(k, sizeof *p);
    if (!f->usual || !f->pulled || !f->sum || !p) {
        hrr_free(p);
        return hrr_no_memory(err);
    }
    for (uint32_t j = 0; j < k; j++)
        p[j] = f->pulled[j] = f->reports->report_size ? 1. / k : .5;
    for (int round = 0; round < n_rounds; round++)
        improve(p, f, UINT32_MAX, n_folds);
    memcpy(f->usual, p, k * sizeof *p);
    hrr_free(p);
    return HRR_OK;
}

/* P(answer j | row) of a head that means what it says with this probability. */
static double aligned_answer(const fitting *f, uint32_t row, uint32_t j, double meant)
{
    const double unmeant = (1 - meant) * f->usual[j];
    if (f->reports->report_size) return unmeant + (j == row ? meant : 0);
    return unmeant + (row < f->targets.n_classes ? meant : 0);
}

/* How likely node i's report is if the head means what it says of a row, over how likely it is
 * otherwise. */
static double meant_ratio(const fitting *f, uint64_t i, uint32_t row)
{
    const hrr_reports *reports = f->reports;
    const uint32_t j = row % f->targets.n_classes;
    double otherwise = 0;
    for (uint32_t h = 0; h < reports->n_answers && reports->report_size; h++)
        otherwise += f->usual[h] * ratio(reports, i, h);
    if (reports->report_size) return ratio(reports, i, j) / otherwise;
    const double yes = ratio(reports, i, j);
    return (row < f->targets.n_classes ? yes : 1) / (1 + f->usual[j] * (yes - 1));
}

/* How often the head means what it says, by EM over labelled nodes that are not in the fold, and
 * one that it did not mean. */
static double find_meant(const fitting *f, uint32_t fold)
{
    double meant = f->aligned ? .5 : 0;
    for (int round = 0; round < n_rounds && f->aligned; round++) {
        double sum = 0, count = 1;
        for (uint64_t i = 0; i < f->reports->n_nodes; i++) {
            if (i % n_folds == fold || !hrr_is_known(&f->targets, i)) continue;
            for (uint32_t row = 0; row < f->n_rows; row++) {
                if (!is_of_row(f, i, row)) continue;
                const double r = meant_ratio(f, i, row);
                sum += meant * r / (meant * r + 1 - meant);
                count++;
            }
        }
        meant = sum / count;
    }
    return meant;
}

/* fold n_folds: nothing is left out. */
static void find_confusion(hrr_dense *confusion, const fitting *f, uint32_t fold)
{
    const uint32_t k = f->reports->n_answers;
    const double meant = find_meant(f, fold);
    for (uint32_t row = 0; row < f->n_rows; row++) {
        double *p = (double *)confusion->data + (size_t)row * k;
        for (uint32_t j = 0; j < k; j++)
            f->pulled[j] = f->aligned ? aligned_answer(f, row, j, meant) : f->usual[j];
        memcpy(p, f->pulled, k * sizeof *p);
        for (int round = 0; round < n_rounds; round++)
            improve(p, f, row, fold);
    }
}

/* ---- evidence -------------------------------------------------------------------------------- */

/* Whether the head is asked about the labels themselves. */
static bool asks_labels(const hrr_reports *reports, hrr_output_kind output, uint32_t n_classes)
{
    return output == HRR_OUTPUT_SIGMOID && !reports->report_size && reports->n_answers == n_classes;
}

static void evidence_of(float *out, const hrr_dense *confusion, const hrr_reports *reports,
                        hrr_output_kind output, uint64_t i, uint32_t n_classes)
{
    const uint32_t k = reports->n_answers;
    const bool own = asks_labels(reports, output, n_classes);
    for (uint32_t c = 0; c < n_classes; c++) {
        const uint32_t begin = own ? c : 0, end = own ? c + 1 : k;
        const double *p = (const double *)confusion->data + (size_t)c * k;
        double value = log_likelihood(p, reports, i, begin, end);
        if (output == HRR_OUTPUT_SIGMOID)
            value -= log_likelihood(p + (size_t)n_classes * k, reports, i, begin, end);
        out[c] = (float)value;
    }
}

/* What reports say about nodes of a fold, and of n_folds about all that are in none. */
static void add_evidence(hrr_dense *out, const hrr_dense *confusion, const fitting *f,
                         hrr_output_kind output, uint32_t fold)
{
    for (uint64_t i = 0; i < out->rows; i++) {
        const uint32_t own = hrr_is_known(&f->targets, i) ? (uint32_t)(i % n_folds) : n_folds;
        if (own == fold)
            evidence_of((float *)out->data + i * out->cols, confusion, f->reports, output, i,
                        (uint32_t)out->cols);
    }
}

static hrr_status check(const hrr_dense *logits, const hrr_reports *reports, uint64_t n_nodes,
                        hrr_error *err)
{
    if (logits->rows == n_nodes && reports->n_nodes == n_nodes && logits->dtype == HRR_F32)
        return HRR_OK;
    return hrr_fail(err, HRR_EDATA,
                    "there are reports for %" PRIu64 " nodes, but scores for %" PRIu64,
                    reports->n_nodes, logits->rows);
}

hrr_status hrr_report_model_fit(hrr_report_model *out, const hrr_dense *logits,
                                const hrr_reports *reports, const hrr_graph *graph,
                                double label_eps, int threads, hrr_progress *progress,
                                hrr_error *err)
{
    const bool classes = hrr_graph_classes(graph) != NULL;
    const uint32_t n_classes = hrr_graph_n_classes(graph);
    fitting f = {.reports = reports,
                 .targets = hrr_targets_of(graph),
                 .n_rows = classes ? n_classes : 2 * n_classes};
    hrr_dense terms[HRR_REPORT_TERMS] = {0};
    *out = (hrr_report_model){.output = classes ? HRR_OUTPUT_SOFTMAX : HRR_OUTPUT_SIGMOID};
    f.aligned = reports->n_answers == n_classes && classes == (reports->report_size > 0);
    f.own = asks_labels(reports, out->output, n_classes);
    hrr_status status = check(logits, reports, f.targets.n, err);
    if (status) return status;
    if ((!classes && !f.targets.labels) || !f.targets.split || logits->cols != n_classes)
        return hrr_fail(err, HRR_EDATA,
                        "the model of reports is learned from labelled nodes, but the graph has no "
                        "labels or no split");
    if ((status = find_usual(&f, err))) goto done;
    if ((status = hrr_dense_init(&out->confusion, HRR_F64, f.n_rows, reports->n_answers, err)))
        goto done;
    if ((status = hrr_dense_init(&terms[0], HRR_F32, f.targets.n, n_classes, err))) goto done;
    for (uint32_t fold = 0; fold <= n_folds; fold++) { /* the last leaves nobody out, and is kept */
        find_confusion(&out->confusion, &f, fold);
        add_evidence(&terms[0], &out->confusion, &f, out->output, fold);
        if ((status = hrr_progress_advance(progress, 0, err))) goto done;
    }
    if ((status = hrr_report_terms_spread(terms, graph, out->output, threads, progress, err)))
        goto done;
    status = hrr_report_terms_weigh(out, logits, terms, &f.targets, label_eps, threads, err);
done:
    hrr_report_terms_clear(terms);
    hrr_free(f.usual);
    hrr_free(f.pulled);
    hrr_free(f.sum);
    if (status) hrr_report_model_clear(out);
    return status;
}

/* Nodes are ranked by single columns, too, which need the others' share. */
static void to_log_probabilities(hrr_dense *logits)
{
    for (uint64_t i = 0; i < logits->rows; i++) {
        float *row = (float *)logits->data + i * logits->cols;
        double largest = -INFINITY, sum = 0;
        for (uint64_t c = 0; c < logits->cols; c++)
            largest = fmax(largest, (double)row[c]);
        for (uint64_t c = 0; c < logits->cols; c++)
            sum += exp((double)row[c] - largest);
        for (uint64_t c = 0; c < logits->cols; c++)
            row[c] = (float)((double)row[c] - largest - log(sum));
    }
}

hrr_status hrr_report_model_apply(hrr_dense *logits, const hrr_report_model *model,
                                  const hrr_reports *reports, const hrr_graph *graph, int threads,
                                  hrr_progress *progress, hrr_error *err)
{
    const uint64_t rows_each = model->output == HRR_OUTPUT_SIGMOID ? 2 : 1;
    hrr_dense terms[HRR_REPORT_TERMS] = {0};
    hrr_status status = check(logits, reports, hrr_graph_n_nodes(graph), err);
    if (status) return status;
    if (model->confusion.cols != reports->n_answers ||
        model->confusion.rows != rows_each * logits->cols)
        return hrr_fail(err, HRR_EDATA,
                        "the model was trained on reports of %" PRIu64
                        " answers, but these reports have %u",
                        model->confusion.cols, reports->n_answers);
    if ((status = hrr_dense_init(&terms[0], HRR_F32, logits->rows, logits->cols, err))) goto done;
    for (uint64_t i = 0; i < logits->rows; i++)
        evidence_of((float *)terms[0].data + i * logits->cols, &model->confusion, reports,
                    model->output, i, (uint32_t)logits->cols);
    if ((status = hrr_report_terms_spread(terms, graph, model->output, threads, progress, err)))
        goto done;
    hrr_fusion fusion = {.n_terms = 1 + HRR_REPORT_TERMS, .weight = {model->weight_model}};
    memcpy(fusion.weight + 1, model->weight, sizeof model->weight);
    hrr_fusion_apply(logits, &fusion, terms, model->output, threads);
    if (model->output == HRR_OUTPUT_SOFTMAX) to_log_probabilities(logits);
done:
    hrr_report_terms_clear(terms);
    return status;
}
