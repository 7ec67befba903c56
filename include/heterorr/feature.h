/* feature.h: protect node features with FeatureRR, its variants or any of its alternatives, through
 * one interface: plan with public data, then apply the plan to private rows. */
#ifndef HETERORR_FEATURE_H
#define HETERORR_FEATURE_H

#include <heterorr/base.h>
#include <heterorr/matrix.h>
#include <heterorr/privacy.h>
#include <heterorr/random.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- scores (public) ------------------------------------------------------------------------ */

/* Sensitivity beta_i (paper, eq. sensscore): |z_i - zhat_i| / ||z - zhat||_1 for each row, averaged
 * over the rows of a public sample. Rows where nothing changes are left out; if all are, beta is
 * uniform. n_features doubles. */
HRR_API HRR_STATUS hrr_score_sensitivity(double *beta, const hrr_dense *embeddings,
                                         const hrr_dense *masked, hrr_error *err);

/* Importance alpha_i (eq. shapscore) from a matrix of SHAP values, one row a sample (and class). */
HRR_API HRR_STATUS hrr_score_importance(double *alpha, const hrr_dense *shap, hrr_error *err);

/* theta_i = gamma alpha_i + (1 - gamma) [beta_min + (beta_max - beta_i)] (eq. overallscore), then
 * normalised to sum 1 (Algorithm 1, line 5). gamma in [0, 1]. */
HRR_API HRR_STATUS hrr_score_theta(double *theta, const double *alpha, const double *beta, size_t n,
                                   double gamma, hrr_error *err);

/* ---- directions (public) --------------------------------------------------------------------- */

/* Directions for featurerr-projected, their centre and their bounds, all public and in unit scale,
 * z = (x - lo) / (hi - lo). Coordinate a of a node is the sum over i of v_ai (z_i - centre_i),
 * clipped to [lo, hi] of a. */
typedef struct hrr_projection {
    hrr_dense directions; /* r x n_features, F64, orthonormal rows v_a */
    double *centre;       /* n_features; the three arrays are one block of memory */
    double *lo, *hi;      /* r each */
} hrr_projection;

HRR_API void hrr_projection_clear(hrr_projection *projection);

/* The first principal components of a public sample; centre: its mean; bounds: its smallest and
 * largest coordinates, 5 % of the range wider on each side, never wider than the features' bounds
 * allow. lo, hi: public bounds of the features, both NULL: 0 and 1; the sample is clipped to them.
 *
 * Errors: HRR_EINVAL when the sample does not vary in so many directions, HRR_EDATA, HRR_ENOMEM. */
HRR_API HRR_STATUS hrr_projection_from_sample(hrr_projection *out, const hrr_dense *sample,
                                              const double *lo, const double *hi,
                                              uint32_t n_directions, hrr_error *err);

/* Any public directions, made orthonormal in their order. Centre and bounds come from a public
 * sample as above; without one (NULL) they are 1/2 and whatever the features' bounds allow.
 *
 * Errors: HRR_EINVAL for directions that are zero, not finite or dependent; HRR_EDATA, HRR_ENOMEM.
 */
HRR_API HRR_STATUS hrr_projection_from_directions(hrr_projection *out, const hrr_dense *directions,
                                                  const hrr_dense *sample, const double *lo,
                                                  const double *hi, hrr_error *err);

/* ---- a head: features to answers (public) ---------------------------------------------------- */

typedef enum hrr_output_kind { HRR_OUTPUT_SOFTMAX = 0, HRR_OUTPUT_SIGMOID } hrr_output_kind;

/* Linear (no hidden layer) or one hidden ReLU layer; F64. learn.h trains, reads and explains heads.
 * Of a softmax head the class with the largest score is the answer, the first of several; of a
 * sigmoid head every output is a label, and the answer to it is yes if its score is above 0. */
typedef struct hrr_head {
    hrr_dense hidden_weight; /* d x h; empty for a linear head */
    hrr_dense hidden_bias;   /* 1 x h */
    hrr_dense weight;        /* d (or h) x C */
    hrr_dense bias;          /* 1 x C */
    hrr_output_kind output;
    hrr_dense shares; /* of a sigmoid head, 1 x C: the worth of each answer, measured on public
                         data; the budget is split in proportion. Empty: all equal */
} hrr_head;

/* ---- mechanisms ----------------------------------------------------------------------------- */

/* The properties of a mechanism, for code that chooses a mechanism, checks options or reads a
 * release. The rows and their texts belong to the library and never change while it runs. New
 * members are added at the end and are 0 in rows that do not set them. */
typedef struct hrr_feature_mechanism {
    const char *name;
    const char *what; /* it does, in one clause: "one bit for each feature" */
    const char *page; /* of the documentation: "docs/mechanisms/duchi.md" */
    hrr_effect effect;
    bool certified;     /* its epsilon is proved: 0 if it reads nothing */
    bool needs_bounds;  /* clips private values to public bounds */
    bool has_bins;      /* uses the options n_bins and theta */
    bool has_decodings; /* uses the option decoding */
    bool weighs_budget; /* theta gives each feature its share of the budget; the certificate lists
                           the shares */
    bool samples;       /* a node reports only some of the features: uses the option n_sampled */
    const char *sampled_form; /* the name of the same mechanism for only some features per node,
                                 with more budget for each: the fair comparison with other
                                 mechanisms. NULL: there is none, or this is it */
    bool needs_directions;    /* the option directions or projection is required */
    bool needs_delta;         /* the option delta is required */
    bool needs_head; /* the option head is required; the release consists of reports of its answers
                        (hrr_reports) */
} hrr_feature_mechanism;

/* The rows, NULL-terminated, in the order in which they are shown. */
HRR_API const hrr_feature_mechanism *const *hrr_feature_mechanisms(void);
/* The row of that name; NULL if there is none. name may be NULL. */
HRR_API const hrr_feature_mechanism *hrr_feature_mechanism_find(const char *name);
/* The first row with that effect: featfree (leaves out), none (keeps). */
HRR_API const hrr_feature_mechanism *hrr_feature_mechanism_with(hrr_effect effect);

typedef enum hrr_decoding {
    HRR_DECODE_MIDPOINT = 0, /* (t - 1/2)/k */
    HRR_DECODE_PAPER,        /* t/k */
    HRR_DECODE_UNBIASED,     /* inverse of the channel's mean: E[decode | t] = midpoint of t */
    HRR_DECODE_POSTERIOR,    /* posterior mean under a uniform prior */
    HRR_DECODE_BINS          /* the bin number 0..k-1 itself, U8 */
} hrr_decoding;

typedef struct hrr_feature_options {
    size_t size;           /* set by hrr_feature_options_init() */
    const char *mechanism; /* the name of a row of hrr_feature_mechanisms() */
    uint64_t eps_nano;     /* for one node's whole feature vector */
    double delta;          /* gaussian only */
    uint32_t n_bins;       /* featurerr*: 0 chooses by expected error */
    uint32_t n_sampled;    /* sampled forms: 0 chooses by the budget */
    const double *theta;   /* public weights of the features; NULL: equal */
    const double *lo, *hi; /* public bounds, n_features each; values outside are clipped;
                              both NULL: 0 and 1 */
    hrr_decoding decoding;
    const hrr_dense *directions; /* featurerr-projected: r x n_features public directions */
    const hrr_projection
        *projection;      /* alternatively, directions with a public centre and bounds */
    const hrr_head *head; /* featurerr-head: the public head */
} hrr_feature_options;

HRR_API void hrr_feature_options_init_sized(hrr_feature_options *options, size_t size);
static inline void hrr_feature_options_init(hrr_feature_options *options)
{
    hrr_feature_options_init_sized(options, sizeof *options);
}

/* Everything a mechanism decides before it sees private data: budgets, tables, thresholds. */
typedef struct hrr_feature_plan hrr_feature_plan;

/* Reads public data only. Errors: HRR_EINVAL for options that are not valid. */
HRR_API HRR_STATUS hrr_feature_plan_new(hrr_feature_plan **out, uint64_t n_features,
                                        const hrr_feature_options *options, hrr_error *err);
HRR_API void hrr_feature_plan_free(hrr_feature_plan *plan);

typedef struct hrr_feature_claim {
    uint64_t eps_nano;   /* requested */
    double realised_eps; /* proved for the integers that are drawn; INFINITY for `none` */
    double delta;
    uint64_t n_features_out;
    hrr_dtype dtype_out;
    const char *statement; /* one sentence, belongs to the plan */
    const char *evidence;  /* how realised_eps is known, one sentence */
    uint32_t n_bins;       /* k that was given or chosen; 0: the mechanism has no bins */
    uint32_t n_sampled;    /* features that one node answers; 0: all of them */
    uint32_t n_answers;    /* that the head can give: classes or labels; 0: there is no head */
    uint32_t report_size;  /* classes that a report names; 0: it says yes or no to each label */
} hrr_feature_claim;

HRR_API hrr_feature_claim hrr_feature_plan_claim(const hrr_feature_plan *plan);

/* Randomise rows: row i of `in` becomes row i of `out` (n_features_out wide, dtype_out, allocated
 * by the caller) with the draws of stream row first_row + i, in the units of `in`. The result does
 * not depend on threads or on how rows are cut into calls. `in` must be finite; rows are checked
 * before they are randomised.
 *
 * Errors: HRR_EINVAL for shapes, HRR_EDATA naming the row and column of a value that is not finite,
 * HRR_ENOMEM, HRR_ECANCEL. After a failure `out` is unchanged or zero, and is not a release.
 */
HRR_API HRR_STATUS hrr_feature_plan_apply(hrr_dense *out, const hrr_feature_plan *plan,
                                          const hrr_dense *in, uint64_t first_row,
                                          const hrr_random *random, int threads,
                                          hrr_progress *progress, hrr_error *err);

/* ---- reports of a head ----------------------------------------------------------------------- */

/* The output of featurerr-head, in the form that training needs. A report names some answers. With
 * one class per node (report_size > 0), P(report | answer h) is proportional to e^(log_ratio[h] [h
 * is named]). With labels (report_size 0), separately for each label: P(named or not | yes) / P(the
 * same | no) is e^(log_ratio[j]) if j is named, and 1 over it if not. A silent answer carries no
 * information. */
#define HRR_REPORT_SILENT 2
typedef struct hrr_reports {
    uint64_t n_nodes;
    uint32_t n_answers, report_size;
    uint8_t *named;    /* n_nodes x n_answers, of 0, 1 and HRR_REPORT_SILENT */
    double *log_ratio; /* n_answers; the same for all classes */
} hrr_reports;

/* The expected error of FeatureRR (paper's supplement, figure 10): EEB = max_t and mean_t of the
 * expected |u - t| / k. */
HRR_API void hrr_featurerr_expected_error(double *largest, double *mean, uint32_t n_bins,
                                          double eps);
/* The number of bins with the least mean squared error (uniform prior, midpoints). */
HRR_API uint32_t hrr_featurerr_best_bins(double eps);

/* Labels: c-ary randomized response, P(keep) = e/(e + c - 1), in certified integers. -1 stays -1.
 */
HRR_API HRR_STATUS hrr_label_randomise(int32_t *out, double *realised_eps, const int32_t *in,
                                       uint64_t n, uint32_t n_classes, uint64_t eps_nano,
                                       const hrr_random *random, hrr_error *err);

#ifdef __cplusplus
}
#endif
#endif
