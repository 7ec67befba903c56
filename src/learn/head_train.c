/* head_train.c: fit a head to PUBLIC features and labels, by Adam (Kingma and Ba 2015) on all rows.
 *
 * The scores that follow from the head are free of privacy cost only because nothing private is
 * seen here. Full batches keep the result a function of data, options and seed alone.
 *
 * Workload: some thousand rows of up to 2,048 features, a few hundred steps. */
#include "learn/head_loss.h"

#include "base/memory.h"
#include "base/options.h"
#include "matrix/dense.h"

#include <inttypes.h>
#include <math.h>

void hrr_head_train_options_init_sized(hrr_head_train_options *options, size_t size)
{
    const hrr_head_train_options own = {
        .hidden = 0, .epochs = 300, .learning_rate = 0.01, .weight_decay = 1e-4, .seed = 1};
    hrr_options_init(options, size, &own, sizeof own);
}

/* Uniform with variance 2 / (rows + cols) (Glorot and Bengio 2010). */
static void init_weight(hrr_dense *weight, hrr_fast_random *random)
{
    const double limit = sqrt(6 / (double)(weight->rows + weight->cols));
    double *w = weight->data;
    for (uint64_t i = 0; i < weight->rows * weight->cols; i++)
        w[i] = limit * (2 * hrr_fast_uniform(random) - 1);
}

/* One step for one part of the head: m and v are running means of the gradient and its square,
 * corrected for having started at zero. */
static void adam_step(hrr_dense *part, const hrr_dense *gradient, hrr_dense *mean,
                      hrr_dense *square, double learning_rate, uint32_t step)
{
    const double beta1 = 0.9, beta2 = 0.999, tiny = 1e-8;
    const double correct1 = 1 - pow(beta1, step), correct2 = 1 - pow(beta2, step);
    const double *g = gradient->data;
    double *w = part->data, *m = mean->data, *v = square->data;
    for (uint64_t i = 0; i < part->rows * part->cols; i++) {
        m[i] = beta1 * m[i] + (1 - beta1) * g[i];
        v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
        w[i] -= learning_rate * (m[i] / correct1) / (sqrt(v[i] / correct2) + tiny);
    }
}

static void adam(hrr_head *head, const hrr_head *gradient, hrr_head *mean, hrr_head *square,
                 double learning_rate, uint32_t step)
{
    adam_step(&head->weight, &gradient->weight, &mean->weight, &square->weight, learning_rate,
              step);
    adam_step(&head->bias, &gradient->bias, &mean->bias, &square->bias, learning_rate, step);
    if (hrr_head_is_linear(head)) return;
    adam_step(&head->hidden_weight, &gradient->hidden_weight, &mean->hidden_weight,
              &square->hidden_weight, learning_rate, step);
    adam_step(&head->hidden_bias, &gradient->hidden_bias, &mean->hidden_bias, &square->hidden_bias,
              learning_rate, step);
}

static hrr_status check_options(const hrr_head_train_options *options, hrr_error *err)
{
    if (options->epochs < 1)
        return hrr_fail(err, HRR_EINVAL, "training needs at least one epoch (`epochs`)");
    if (!(options->learning_rate > 0) || !isfinite(options->learning_rate))
        return hrr_fail(err, HRR_EINVAL,
                        "the learning rate (`learning_rate`) must be above 0; 0.01 is usual");
    if (!(options->weight_decay >= 0) || !isfinite(options->weight_decay))
        return hrr_fail(err, HRR_EINVAL,
                        "the weight decay (`weight_decay`) must be 0 or more; 1e-4 is usual");
    return HRR_OK;
}

static hrr_status check_data(const hrr_dense *features, const int32_t *classes,
                             const hrr_dense *label_matrix, uint32_t n_classes, hrr_error *err)
{
    if (!classes == !label_matrix)
        return hrr_fail(err, HRR_EINVAL,
                        "give labels as classes or as a matrix, exactly one of the two");
    if (features->rows == 0 || features->cols == 0)
        return hrr_fail(err, HRR_EINVAL, "there are no features to train on");
    if (n_classes < (classes ? 2 : 1))
        return hrr_fail(err, HRR_EINVAL, "there is only one class, so nothing can be learned");
    if (classes)
        for (uint64_t i = 0; i < features->rows; i++)
            if (classes[i] < 0 || (uint32_t)classes[i] >= n_classes)
                return hrr_fail(err, HRR_EDATA,
                                "row %" PRIu64 ": the label must lie between 0 and %" PRIu32, i + 1,
                                n_classes - 1);
    if (label_matrix && (label_matrix->rows != features->rows || label_matrix->cols != n_classes))
        return hrr_fail(err, HRR_EINVAL,
                        "the labels are %" PRIu64 " x %" PRIu64 ", but %" PRIu64
                        " rows and %" PRIu32 " classes are needed",
                        label_matrix->rows, label_matrix->cols, features->rows, n_classes);
    if (label_matrix)
        for (uint64_t i = 0; i < label_matrix->rows; i++)
            for (uint64_t c = 0; c < label_matrix->cols; c++) {
                double label = hrr_dense_get(label_matrix, i, c);
                if (label != 0 && label != 1)
                    return hrr_fail(err, HRR_EDATA,
                                    "row %" PRIu64 ", column %" PRIu64 ": the label must be 0 or 1",
                                    i + 1, c + 1);
            }
    return hrr_check_finite(features, "features", err);
}

/* n x C of 0 and 1 */
static void fill_target(double *target, const int32_t *classes, const hrr_dense *label_matrix,
                        uint64_t n, uint32_t n_classes)
{
    for (uint64_t i = 0; i < n; i++)
        for (uint32_t c = 0; c < n_classes; c++)
            target[i * n_classes + c] =
                classes ? (double)((uint32_t)classes[i] == c) : hrr_dense_get(label_matrix, i, c);
}

hrr_status hrr_head_train(hrr_head *out, const hrr_dense *features, const int32_t *classes,
                          const hrr_dense *label_matrix, uint32_t n_classes,
                          const hrr_head_train_options *options, hrr_progress *progress,
                          hrr_error *err)
{
    const uint64_t n = features->rows, d = features->cols;
    const hrr_output_kind output = classes ? HRR_OUTPUT_SOFTMAX : HRR_OUTPUT_SIGMOID;
    hrr_head head = {0}, gradient = {0}, mean = {0}, square = {0};
    hrr_head_loss_scratch scratch = {0};
    hrr_dense x = {0};
    double *target = NULL;
    *out = (hrr_head){0};
    hrr_head_train_options own;
    hrr_status status = HRR_ADOPT(hrr_head_train_options, &own, options, err);
    if (status) return status;
    options = &own;
    if ((status = check_options(options, err))) return status;
    if ((status = check_data(features, classes, label_matrix, n_classes, err))) return status;

    hrr_head *const parts[] = {&head, &gradient, &mean, &square};
    for (int i = 0; i < 4; i++)
        if ((status = hrr_head_init(parts[i], d, options->hidden, n_classes, output, err)))
            goto done;
    if ((status = hrr_head_loss_scratch_init(&scratch, &head, n, err))) goto done;
    if ((status = hrr_dense_convert(&x, features, HRR_F64, err))) goto done;
    if (!(target = hrr_alloc(n * sizeof *target, n_classes))) {
        status = hrr_no_memory(err);
        goto done;
    }
    fill_target(target, classes, label_matrix, n, n_classes);
    hrr_fast_random random;
    hrr_fast_init(&random, options->seed, 0);
    if (options->hidden) init_weight(&head.hidden_weight, &random);
    init_weight(&head.weight, &random);

    hrr_progress_begin(progress, "training the head", options->epochs);
    for (uint32_t epoch = 1; epoch <= options->epochs; epoch++) {
        double loss =
            hrr_head_loss(&gradient, &head, x.data, target, n, options->weight_decay, &scratch);
        if (!isfinite(loss)) {
            status = hrr_fail(
                err, HRR_EDATA,
                "training diverged in epoch %" PRIu32
                "; scale the features to 0..1 or reduce the learning rate (`learning_rate`)",
                epoch);
            goto done;
        }
        adam(&head, &gradient, &mean, &square, options->learning_rate, epoch);
        if ((status = hrr_progress_advance(progress, 1, err))) goto done;
    }
    *out = head;
    head = (hrr_head){0};
done:
    hrr_free(target);
    hrr_dense_clear(&x);
    hrr_head_loss_scratch_clear(&scratch);
    for (int i = 0; i < 4; i++)
        hrr_head_clear(parts[i]);
    return status;
}
