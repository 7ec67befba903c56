/* learn.h: models over features: heads on embeddings and why they decide (SHAP). */
#ifndef HETERORR_LEARN_H
#define HETERORR_LEARN_H

#include <heterorr/base.h>
#include <heterorr/matrix.h>
#include <heterorr/random.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a head: features to class scores ---------------------------------------------------------
 */

typedef enum hrr_output_kind { HRR_OUTPUT_SOFTMAX = 0, HRR_OUTPUT_SIGMOID } hrr_output_kind;

/* Linear (no hidden layer) or one hidden ReLU layer; F64. */
typedef struct hrr_head {
    hrr_dense hidden_weight; /* d x h; empty for a linear head */
    hrr_dense hidden_bias;   /* 1 x h */
    hrr_dense weight;        /* d (or h) x C */
    hrr_dense bias;          /* 1 x C */
    hrr_output_kind output;
} hrr_head;

HRR_API void hrr_head_clear(hrr_head *head);
/* npz with weight, bias and optionally hidden_weight, hidden_bias; or one npy: weight alone. */
HRR_API hrr_status hrr_head_read(hrr_head *out, const char *path, hrr_output_kind output,
                                 hrr_error *err);
HRR_API hrr_status hrr_head_write(const hrr_head *head, const char *path, hrr_error *err);

typedef struct hrr_head_train_options {
    uint32_t hidden; /* 0: linear */
    uint32_t epochs;
    double learning_rate, weight_decay;
    uint64_t seed;
} hrr_head_train_options;
HRR_API void hrr_head_train_options_init(hrr_head_train_options *options);
/* Full-batch Adam on PUBLIC features (n x d) and labels: n classes, or n x C of 0 and 1. */
HRR_API hrr_status hrr_head_train(hrr_head *out, const hrr_dense *features, const int32_t *classes,
                                  const hrr_dense *label_matrix, uint32_t n_classes,
                                  const hrr_head_train_options *options, hrr_progress *progress,
                                  hrr_error *err);
/* out: n x C, F64. Logits, or probabilities if asked. */
HRR_API hrr_status hrr_head_predict(hrr_dense *out, const hrr_head *head, const hrr_dense *features,
                                    bool probabilities, hrr_error *err);

/* What the first layer of a PUBLIC head looks at: the principal directions of its weights (of the
 * differences between classes, for a linear softmax head, which sees no more), as many x d, F64, in
 * the unit scale of the features' public bounds lo and hi (both NULL: 0 and 1). n 0: all of them.
 * Errors: HRR_EINVAL when there are fewer than n, HRR_ENOMEM. */
HRR_API hrr_status hrr_head_directions(hrr_dense *out, const hrr_head *head, const double *lo,
                                       const double *hi, uint32_t n, hrr_error *err);

/* ---- SHAP -------------------------------------------------------------------------------------
 */

typedef enum hrr_explainer {
    HRR_EXPLAIN_GRADIENT = 0, /* expected gradients over the background set */
    HRR_EXPLAIN_LINEAR,       /* exact for linear heads, on logits */
    HRR_EXPLAIN_KERNEL,       /* Kernel SHAP: model-agnostic */
    HRR_EXPLAIN_EXACT         /* enumeration of all coalitions, d <= 16 */
} hrr_explainer;

typedef struct hrr_explain_options {
    hrr_explainer explainer;
    bool probabilities; /* explain probabilities rather than logits */
    uint32_t n_samples; /* steps over all background rows, rounded up to as many for each (gradient,
                         * probabilities only: logits are exact), coalitions (kernel); 0: a good
                         * default */
    uint64_t seed;      /* of the kernel's coalitions; the others draw nothing */
    int threads;
} hrr_explain_options;
HRR_API void hrr_explain_options_init(hrr_explain_options *options);

/* out: (n * C) x d, row i * C + c holds the SHAP values of output c at row i, F64. Missing features
 * are replaced by those of background rows (interventional SHAP). The same for any number of
 * threads. Errors: HRR_EINVAL for widths that differ, an empty background or an explainer that
 * cannot take this head, HRR_EDATA for a value that is not finite, HRR_ENOMEM, HRR_ECANCEL. */
HRR_API hrr_status hrr_explain(hrr_dense *out, const hrr_head *head, const hrr_dense *rows,
                               const hrr_dense *background, const hrr_explain_options *options,
                               hrr_progress *progress, hrr_error *err);

#ifdef __cplusplus
}
#endif
#endif
