/* report_terms.c: see report_terms.h. */
#include "learn/report_terms.h"
#include "learn/cross_entropy.h"
#include "learn/spread.h"
#include "base/memory.h"
#include "random/fast.h"

#include <math.h>
#include <string.h>

/* ---- terms ----------------------------------------------------------------------------------- */

static void centre_columns(float *value, uint64_t n, uint64_t n_classes)
{
    for (uint64_t c = 0; c < n_classes; c++) {
        double sum = 0;
        for (uint64_t i = 0; i < n; i++)
            sum += (double)value[i * n_classes + c];
        for (uint64_t i = 0; i < n; i++)
            value[i * n_classes + c] -= (float)(sum / (double)n);
    }
}

/* Evidence without what all nodes share, and what the classes of a node share: otherwise a sum over
 * neighbours would tell how many there are, which is not the reports' merit. */
static hrr_status centre(hrr_dense *out, const hrr_dense *evidence, hrr_output_kind output,
                         hrr_error *err)
{
    const uint64_t n = evidence->rows, n_classes = evidence->cols;
    hrr_status status = hrr_dense_init(out, HRR_F32, n, n_classes, err);
    if (status) return status;
    float *to = out->data;
    memcpy(to, evidence->data, n * n_classes * sizeof *to);
    centre_columns(to, n, n_classes);
    for (uint64_t i = 0; i < n && output == HRR_OUTPUT_SOFTMAX; i++) {
        double sum = 0;
        for (uint64_t c = 0; c < n_classes; c++)
            sum += (double)to[i * n_classes + c];
        for (uint64_t c = 0; c < n_classes; c++)
            to[i * n_classes + c] -= (float)(sum / (double)n_classes);
    }
    return HRR_OK;
}

/* The same evidence, handed to other nodes at random: what it says far away is chance. */
static hrr_status shuffle(hrr_dense *out, const hrr_dense *evidence, hrr_error *err)
{
    const uint64_t n = evidence->rows, n_classes = evidence->cols;
    hrr_status status = hrr_dense_init(out, HRR_F32, n, n_classes, err);
    if (status) return status;
    float *row = out->data;
    hrr_fast_random random;
    hrr_fast_init(&random, 1, 0);
    memcpy(row, evidence->data, n * n_classes * sizeof *row);
    for (uint64_t i = n; i > 1; i--) {
        const uint64_t j = (uint64_t)(hrr_fast_uniform(&random) * (double)i);
        for (uint64_t c = 0; c < n_classes; c++) {
            const float kept = row[(i - 1) * n_classes + c];
            row[(i - 1) * n_classes + c] = row[j * n_classes + c];
            row[j * n_classes + c] = kept;
        }
    }
    return HRR_OK;
}

/* far[0] is given; the others become what it says one, two and four steps away, centred. */
static hrr_status spread_far(hrr_dense far[HRR_REPORT_TERMS], const hrr_graph *graph, int threads,
                             hrr_progress *progress, hrr_error *err)
{
    hrr_dense near[HRR_SPREAD_TERMS] = {far[0]}, further[HRR_SPREAD_TERMS] = {0};
    hrr_status status = hrr_spread(near, graph, threads, progress, err);
    if (status) return status;
    far[1] = near[1], far[2] = further[0] = near[2];
    status = hrr_spread(further, graph, threads, progress, err);
    if (!status) far[3] = further[2];
    hrr_dense_clear(&further[1]);
    for (int t = 1; t < HRR_REPORT_TERMS && !status; t++)
        centre_columns(far[t].data, far[t].rows, far[t].cols);
    return status;
}

static double mean_square(const hrr_dense *term)
{
    const uint64_t count = term->rows * term->cols;
    const float *value = term->data;
    double squares = 0;
    for (uint64_t i = 0; i < count; i++)
        squares += (double)value[i] * (double)value[i];
    return squares / (double)count;
}

/* What is spread becomes small, the more the further: the weights that it needs would be out of
 * reach of their prior. So it is made as large as the opinion of a reasonable neighbourhood, as far
 * as it is more than chance. */
static void scale(hrr_dense *term, double chance, hrr_output_kind output)
{
    const double usual = output == HRR_OUTPUT_SOFTMAX ? .25 : .5, squares = mean_square(term);
    const double more = squares > chance ? 1 - chance / squares : 0;
    const double factor = squares > 0 ? usual * more / sqrt(squares) : 0;
    float *value = term->data;
    for (uint64_t i = 0; i < term->rows * term->cols; i++)
        value[i] = (float)((double)value[i] * factor);
}

hrr_status hrr_report_terms_spread(hrr_dense terms[HRR_REPORT_TERMS], const hrr_graph *graph,
                                   hrr_output_kind output, int threads, hrr_progress *progress,
                                   hrr_error *err)
{
    hrr_dense far[HRR_REPORT_TERMS] = {0}, chance[HRR_REPORT_TERMS] = {0};
    hrr_status status = centre(&far[0], &terms[0], output, err);
    if (!status) status = shuffle(&chance[0], &far[0], err);
    if (!status) status = spread_far(far, graph, threads, progress, err);
    if (!status) status = spread_far(chance, graph, threads, progress, err);
    for (int t = 1; t < HRR_REPORT_TERMS && !status; t++) {
        scale(&far[t], mean_square(&chance[t]), output);
        terms[t] = far[t];
        far[t] = (hrr_dense){0};
    }
    hrr_report_terms_clear(far);
    hrr_report_terms_clear(chance);
    return status;
}

void hrr_report_terms_clear(hrr_dense terms[HRR_REPORT_TERMS])
{
    for (int t = 0; t < HRR_REPORT_TERMS; t++)
        hrr_dense_clear(&terms[t]);
}

/* ---- weights --------------------------------------------------------------------------------- */

/* Nodes to find weights with: validation nodes with what the model says of them, and training
 * nodes. Of these a model knows the label, and would leave nothing to evidence; in its place stands
 * how frequent labels are. */
typedef struct trial {
    hrr_dense logits;
    uint8_t *split;
    hrr_targets targets;
    uint64_t n_known;
} trial;

static void clear_trial(trial *t)
{
    hrr_dense_clear(&t->logits);
    hrr_free(t->split);
}

/* ln of the share of each class, or of the odds of each label, among known nodes. */
static void find_frequencies(float *out, const hrr_targets *targets)
{
    const uint32_t n_classes = targets->n_classes;
    for (uint32_t c = 0; c < n_classes; c++) {
        double with = .5, all = 1;
        for (uint64_t i = 0; i < targets->n; i++) {
            if (!hrr_is_known(targets, i)) continue;
            with += hrr_target_has(targets, i, c);
            all++;
        }
        out[c] = (float)log(targets->classes ? with / all : with / (all - with));
    }
}

static hrr_status make_trial(trial *out, const hrr_dense *logits, const hrr_targets *targets,
                             hrr_error *err)
{
    const uint64_t n = logits->rows, n_classes = logits->cols;
    *out = (trial){.targets = *targets, .split = hrr_alloc(n, 1)};
    float *usual = hrr_alloc(n_classes, sizeof *usual);
    hrr_status status = out->split && usual ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_dense_init(&out->logits, HRR_F32, n, n_classes, err);
    if (status) goto done;
    memcpy(out->logits.data, logits->data, n * n_classes * sizeof(float));
    find_frequencies(usual, targets);
    for (uint64_t i = 0; i < n; i++) {
        const bool known = hrr_is_known(targets, i);
        out->split[i] = known ? HRR_VALID : HRR_TEST;
        out->n_known += known;
        if (known && targets->split[i] == HRR_TRAIN)
            memcpy((float *)out->logits.data + i * n_classes, usual, n_classes * sizeof *usual);
    }
    out->targets.split = out->split;
done:
    hrr_free(usual);
    return status;
}

/* By how much a node's own evidence, as it is, makes known labels likelier: the mean logarithm. */
static hrr_status find_gain(double *gain, const trial *t, const hrr_fusion *fusion,
                            const hrr_dense *terms, hrr_output_kind output, int threads,
                            hrr_error *err)
{
    hrr_dense fused = {0};
    *gain = 0;
    if (!t->n_known) return HRR_OK;
    hrr_status status = hrr_dense_init(&fused, HRR_F32, t->logits.rows, t->logits.cols, err);
    if (status) return status;
    memcpy(fused.data, t->logits.data, fused.rows * fused.cols * sizeof(float));
    hrr_fusion_apply(&fused, fusion, terms, output, threads);
    *gain = hrr_cross_entropy(t->logits.data, &t->targets, HRR_VALID, t->n_known, false, threads) -
            hrr_cross_entropy(fused.data, &t->targets, HRR_VALID, t->n_known, false, threads);
    hrr_dense_clear(&fused);
    return HRR_OK;
}

/* Weights as known nodes tell them, if that is worth more on nodes that were left out than a node's
 * own evidence as theory has it, which takes no node to learn; and none if neither is worth
 * anything. */
hrr_status hrr_report_terms_weigh(hrr_report_model *model, const hrr_dense *logits,
                                  const hrr_dense *terms, const hrr_targets *targets,
                                  double label_eps, int threads, hrr_error *err)
{
    hrr_fusion_options how;
    hrr_fusion found = {0}, theory = {.n_terms = 1 + HRR_REPORT_TERMS, .weight = {1, 1}};
    trial t;
    double gain = 0;
    hrr_fusion_options_init(&how);
    how.hold_network = true;
    how.label_eps = label_eps;
    how.threads = threads;
    hrr_status status = make_trial(&t, logits, targets, err);
    if (!status)
        status = hrr_fusion_fit(&found, &t.logits, terms, HRR_REPORT_TERMS, &t.targets, &how, err);
    if (!status) status = find_gain(&gain, &t, &theory, terms, model->output, threads, err);
    clear_trial(&t);
    if (status) return status;
    if (!(found.gain > 0) || found.gain < gain) {
        found = theory;
        if (!(gain > 0)) found.weight[1] = 0;
    }
    model->weight_model = found.weight[0];
    memcpy(model->weight, found.weight + 1, sizeof model->weight);
    return HRR_OK;
}
