/* cmd_scores.c: heterorr scores: weights of the features from a sample: how much each matters to a
 * head (importance alpha, from SHAP values) and how much masking changes it (sensitivity beta). */
#include "cli/graph_input.h"
#include "cli/figures.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/scores_file.h"
#include "cli/verb.h"

#include <heterorr/feature.h>
#include <heterorr/io.h>
#include <heterorr/learn.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct scores_args {
    cli_common common;
    const char *embeddings, *masked, *head, *labels, *background, *explainer, *output;
    double gamma;
    bool is_public, force;
    int threads;
} scores_args;

static const char *const *explainers(void) /* in the order of hrr_explainer */
{
    static const char *const names[] = {"gradient", "linear", "kernel", NULL};
    return names;
}

static void init(void *args)
{
    scores_args *a = args;
    a->explainer = explainers()[0];
    a->gamma = 0.5;
}

static const cli_option sample_options[] = {
    {.name = "embeddings",
     .kind = CLI_PATH,
     .argument = "Z.npy",
     .required = true,
     .at = offsetof(scores_args, embeddings),
     .help = "the features of a sample, one row per node"},
    {.name = "masked",
     .kind = CLI_PATH,
     .argument = "ZHAT.npy",
     .required = true,
     .at = offsetof(scores_args, masked),
     .help = "the same rows with the sensitive part masked"},
    {.name = "head",
     .kind = CLI_PATH,
     .argument = "HEAD.npz",
     .at = offsetof(scores_args, head),
     .help = "weight and bias (and hidden_weight and hidden_bias) of the head to explain"},
    {.name = "labels",
     .kind = CLI_PATH,
     .argument = "Y.npy",
     .at = offsetof(scores_args, labels),
     .help = "train a linear head on these labels instead: one class per row, or rows of 0 and 1"},
    {.name = "background",
     .kind = CLI_PATH,
     .argument = "B.npy",
     .at = offsetof(scores_args, background),
     .help = "the values that replace a missing feature; by default 100 rows of the sample"},
    {.name = "public",
     .at = offsetof(scores_args, is_public),
     .help = "you declare that the sample is public; strict protection accepts no other scores"},
    {0},
};

static const cli_option run_options[] = {
    {.name = "explainer",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = explainers,
     .at = offsetof(scores_args, explainer),
     .field = "explainer",
     .help = "how SHAP values are computed"},
    {.name = "gamma",
     .kind = CLI_REAL,
     .argument = "G",
     .low = 0,
     .high = 1,
     .at = offsetof(scores_args, gamma),
     .help = "the weight of importance (1) against sensitivity (0)"},
    {.name = "threads",
     .kind = CLI_INT,
     .argument = "T",
     .most = 4096,
     .at = offsetof(scores_args, threads),
     .field = "threads",
     .help = "the number of threads; 0 uses all processors"},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_PATH,
     .argument = "S.npz",
     .required = true,
     .at = offsetof(scores_args, output),
     .help = "the file to write"},
    {.name = "force", .at = offsetof(scores_args, force), .help = "replace the file if it exists"},
    {0},
};

static const cli_option_set sets[] = {
    {"Sample", sample_options, 0},
    {"Scoring", run_options, 0},
    {"Options", cli_common_options, offsetof(scores_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr scores --embeddings z.npy --masked zhat.npy --labels y.npy --public -o s.npz",
     "Train a head on a public sample, explain it, and weight the features."},
    {"heterorr scores --embeddings z.npy --masked zhat.npy --head head.npz -o s.npz",
     "Explain an existing head; the scores may then be private."},
    {0},
};

/* ---- inputs ---------------------------------------------------------------------------------- */

static hrr_status read_matrix(hrr_dense *out, const char *path, hrr_error *err)
{
    hrr_array array = {0};
    hrr_status status = hrr_array_read(&array, path, err);
    if (!status) status = hrr_array_into_dense(out, &array, path, err);
    hrr_array_clear(&array);
    return status;
}

static hrr_status train_head(hrr_head *out, const hrr_dense *sample, const char *path,
                             hrr_progress *progress, hrr_error *err)
{
    hrr_head_train_options options;
    hrr_head_train_options_init(&options);
    hrr_dense labels = {0};
    int32_t *classes = NULL;
    uint32_t n_classes = 0;
    hrr_status status = read_matrix(&labels, path, err);
    if (status) goto done;
    if (labels.rows != sample->rows) {
        status = hrr_fail(err, HRR_EDATA, "%s: has %" PRIu64 " %s, but the sample has %" PRIu64,
                          path, labels.rows, hrr_plural(labels.rows, "row", "rows"), sample->rows);
        goto done;
    }
    if (labels.cols > 1) {
        status = hrr_head_train(out, sample, NULL, &labels, (uint32_t)labels.cols, &options,
                                progress, err);
        goto done;
    }
    classes = malloc(labels.rows * sizeof *classes);
    if (!classes) {
        status = hrr_fail(err, HRR_ENOMEM, "out of memory");
        goto done;
    }
    for (uint64_t i = 0; i < labels.rows; i++) {
        double label = hrr_dense_get(&labels, i, 0);
        if (!(label >= 0 && label < 65536) || label != (double)(int32_t)label) {
            status = hrr_fail(err, HRR_EDATA, "%s: row %" PRIu64 " is not a class 0, 1, 2, ...",
                              path, i);
            goto done;
        }
        classes[i] = (int32_t)label;
        if ((uint32_t)label >= n_classes) n_classes = (uint32_t)label + 1;
    }
    status = hrr_head_train(out, sample, classes, NULL, n_classes, &options, progress, err);
done:
    free(classes);
    hrr_dense_clear(&labels);
    return status;
}

/* The background given, or evenly spaced rows of the sample, so that sorted samples do no harm. */
static hrr_status read_background(hrr_dense *out, const hrr_dense *sample, const char *path,
                                  hrr_error *err)
{
    const uint64_t most_rows = 100;
    if (path) return read_matrix(out, path, err);
    uint64_t rows = sample->rows < most_rows ? sample->rows : most_rows;
    hrr_status status = hrr_dense_init(out, sample->dtype, rows, sample->cols, err);
    const size_t row_size = sample->cols * hrr_dtype_size(sample->dtype);
    for (uint64_t i = 0; !status && i < rows; i++)
        memcpy((char *)out->data + i * row_size,
               (const char *)sample->data + i * sample->rows / rows * row_size, row_size);
    return status;
}

/* ---- importance ------------------------------------------------------------------------------ */

static uint64_t rows_with_signal(const hrr_dense *shap)
{
    uint64_t count = 0;
    for (uint64_t row = 0; row < shap->rows; row++) {
        uint64_t i = 0;
        while (i < shap->cols && hrr_dense_get(shap, row, i) == 0)
            i++;
        count += i < shap->cols;
    }
    return count;
}

/* hrr_score_importance() over the whole sample, explained in blocks: there are as many SHAP values
 * as rows times classes times features. `part` has room for one alpha. */
static hrr_status find_importance(double *alpha, double *part, const hrr_head *head,
                                  const hrr_dense *sample, const hrr_dense *background,
                                  const hrr_explain_options *options, hrr_progress *progress,
                                  hrr_error *err)
{
    const uint64_t values_per_block = 1 << 23, d = sample->cols; /* 64 MB */
    uint64_t block = values_per_block / (d * head->weight.cols);
    if (block < 1) block = 1;
    double counted = 0;
    hrr_status status = HRR_OK;
    for (uint64_t begin = 0; begin < sample->rows && !status; begin += block) {
        hrr_dense rows = hrr_dense_view(sample), shap = {0};
        rows.rows = sample->rows - begin < block ? sample->rows - begin : block;
        rows.data = (char *)sample->data + begin * d * hrr_dtype_size(sample->dtype);
        status = hrr_explain(&shap, head, &rows, background, options, progress, err);
        if (!status) status = hrr_score_importance(part, &shap, err);
        double share = status ? 0 : (double)rows_with_signal(&shap);
        for (uint64_t i = 0; i < d && share > 0; i++)
            alpha[i] += (part[i] - alpha[i]) * share / (counted + share);
        counted += share;
        hrr_dense_clear(&shap);
    }
    for (uint64_t i = 0; i < d && !status && counted == 0; i++)
        alpha[i] = 1 / (double)d; /* no row tells anything: every feature is as good */
    return status;
}

/* ---- together -------------------------------------------------------------------------------- */

static hrr_status score(cli_scores *scores, const scores_args *a, const hrr_dense *sample,
                        const hrr_dense *masked, cli_task *task, hrr_error *err)
{
    hrr_explain_options options;
    hrr_explain_options_init(&options);
    options.threads = a->threads;
    for (int i = 0; explainers()[i]; i++)
        if (strcmp(a->explainer, explainers()[i]) == 0) options.explainer = (hrr_explainer)i;
    hrr_head head = {0};
    hrr_dense background = {0};
    hrr_status status = hrr_score_sensitivity(scores->beta, sample, masked, err);
    if (status) goto done;
    status = a->head ? hrr_head_read(&head, a->head, HRR_OUTPUT_SOFTMAX, err)
                     : train_head(&head, sample, a->labels, task->progress, err);
    if (status) goto done;
    if ((status = read_background(&background, sample, a->background, err))) goto done;
    if ((status = find_importance(scores->alpha, scores->theta, &head, sample, &background,
                                  &options, task->progress, err)))
        goto done;
    status = hrr_score_theta(scores->theta, scores->alpha, scores->beta, scores->n_features,
                             a->gamma, err);
done:
    hrr_head_clear(&head);
    hrr_dense_clear(&background);
    return status;
}

static hrr_status summarise(const cli_scores *scores, const scores_args *a, uint64_t rows,
                            cli_task *task, hrr_error *err)
{
    cli_progress_erase();
    if (!task->json) {
        fprintf(task->talk, "%s: weights of %s from %s, %s\n", a->output,
                cli_count(scores->n_features, "feature", "features").text,
                cli_count(rows, "row", "rows").text,
                a->is_public ? "declared public"
                             : "NOT declared public: strict protection will refuse them");
        return HRR_OK;
    }
    task->result = json_pack("{s:I, s:I, s:s, s:f, s:b, s:o, s:f}", "features",
                             (json_int_t)scores->n_features, "rows", (json_int_t)rows, "explainer",
                             a->explainer, "gamma", a->gamma, "public", a->is_public, "output",
                             cli_json_text(a->output), "seconds", cli_clock() - task->began);
    return task->result ? HRR_OK : hrr_fail(err, HRR_ENOMEM, "out of memory");
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const scores_args *a = args;
    if (!a->head == !a->labels)
        return hrr_fail(err, HRR_EINVAL,
                        "give either --head or --labels (see heterorr scores --help)");
    hrr_status status = cli_refuse_existing(a->output, a->force, err);
    if (status) return status;
    cli_scores scores = {0};
    hrr_dense sample = {0}, masked = {0};
    char record[512];
    if ((status = read_matrix(&sample, a->embeddings, err))) goto done;
    if ((status = read_matrix(&masked, a->masked, err))) goto done;
    if ((status = cli_scores_new(&scores, sample.cols, err))) goto done;
    scores.gamma = a->gamma;
    scores.is_public = a->is_public;
    if ((status = score(&scores, a, &sample, &masked, task, err))) goto done;
    snprintf(record, sizeof record,
             "heterorr %s scores: %" PRIu64 " %s, %s, explainer %s, gamma %g, %s", hrr_version(),
             sample.rows, hrr_plural(sample.rows, "row", "rows"),
             a->head ? "a given head" : "a linear head trained on labels", a->explainer, a->gamma,
             a->is_public ? "declared public" : "not declared public");
    if ((status = cli_scores_write(&scores, record, a->output, err))) goto done;
    status = summarise(&scores, a, sample.rows, task, err);
done:
    cli_scores_clear(&scores);
    hrr_dense_clear(&sample);
    hrr_dense_clear(&masked);
    return status;
}

const cli_verb cli_verb_scores = {
    .name = "scores",
    .summary = "weight features by importance and sensitivity",
    .description =
        "Computes from a sample how important each feature is to a classifying head (SHAP values) "
        "and how much masking changes it. It combines both into weights that split the feature "
        "budget: more for important features, less for sensitive ones. The weights cost no budget "
        "only if the sample is public; declare that with --public.",
    .examples = examples,
    .sets = sets,
    .args_size = sizeof(scores_args),
    .init = init,
    .run = run,
};
