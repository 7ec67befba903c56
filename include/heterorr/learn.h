/* learn.h: graph networks and their metrics; heads on embeddings and explanations of their
 * decisions (SHAP). */
#ifndef HETERORR_LEARN_H
#define HETERORR_LEARN_H

#include <heterorr/base.h>
#include <heterorr/certificate.h>
#include <heterorr/edge.h>
#include <heterorr/feature.h>
#include <heterorr/graph.h>
#include <heterorr/matrix.h>
#include <heterorr/random.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a head: features to class scores ---------------------------------------------------------
 */

HRR_EXPERIMENTAL void hrr_head_clear(hrr_head *head);
/* npz with weight, bias and optionally hidden_weight, hidden_bias, output (0: softmax, 1: sigmoid)
 * and shares; or one npy: weight alone. output: used if the file does not state it. */
HRR_EXPERIMENTAL HRR_STATUS hrr_head_read(hrr_head *out, const char *path, hrr_output_kind output,
                                          hrr_error *err);
HRR_EXPERIMENTAL HRR_STATUS hrr_head_write(const hrr_head *head, const char *path, hrr_error *err);

typedef struct hrr_head_train_options {
    size_t size;     /* set by hrr_head_train_options_init() */
    uint32_t hidden; /* 0: linear */
    uint32_t epochs;
    double learning_rate, weight_decay;
    uint64_t seed;
} hrr_head_train_options;
HRR_EXPERIMENTAL void hrr_head_train_options_init_sized(hrr_head_train_options *options,
                                                        size_t size);
static inline void hrr_head_train_options_init(hrr_head_train_options *options)
{
    hrr_head_train_options_init_sized(options, sizeof *options);
}
/* Full-batch Adam on PUBLIC features (n x d) and labels: n classes, or n x C of 0 and 1. */
HRR_EXPERIMENTAL HRR_STATUS hrr_head_train(hrr_head *out, const hrr_dense *features,
                                           const int32_t *classes, const hrr_dense *label_matrix,
                                           uint32_t n_classes,
                                           const hrr_head_train_options *options,
                                           hrr_progress *progress, hrr_error *err);
enum { HRR_USUAL_QUESTIONS = 4, HRR_USUAL_STEERING = 100, HRR_MOST_STEERING = 1000000 };
/* Makes a head rely less on sensitive features: the penalty of a weight of feature i is multiplied
 * by 1 + strength r^2, where r is the sensitivity of feature i divided by the mean sensitivity, and
 * all penalties are divided by their geometric mean. PUBLIC, like everything that a head learns
 * from. */
typedef struct hrr_head_steering {
    const double *sensitivity; /* of each feature, as computed by hrr_score_sensitivity() */
    uint64_t n_features;
    double strength; /* HRR_USUAL_STEERING; up to HRR_MOST_STEERING */
} hrr_head_steering;
/* Train a linear head for featurerr-head on all labelled nodes of PUBLIC graphs that have the same
 * features and classes. Each graph has its own intercepts during training; the head does not keep
 * them. With two classes, and for each label, the threshold is chosen so that half of the nodes get
 * each answer. For labels, shares states what the answers reveal about the labels of these nodes.
 * ridge: the strength of regularisation, in nodes; 100 is usual. n_questions: if there are more
 * labels than this, the head asks this many questions, each about several labels, along the
 * directions in which its scores vary most (fewer if the scores vary in fewer directions); 0: one
 * question per label. steering: NULL, or the features to rely on less; the shares of labels and
 * questions are then multiplied by 1 minus the degree to which their answers rely on these
 * features. Cost:   O(n d C), 60 times; 12 bytes a feature of every node. Errors: HRR_EINVAL,
 * HRR_EDATA for graphs that differ or have no labels, HRR_ENOMEM, HRR_ECANCEL.
 */
HRR_EXPERIMENTAL HRR_STATUS hrr_head_from_graphs(hrr_head *out, const hrr_graph *const *graphs,
                                                 size_t n_graphs, double ridge,
                                                 uint32_t n_questions,
                                                 const hrr_head_steering *steering,
                                                 hrr_progress *progress, hrr_error *err);
/* out: n x C, F64. Logits, or probabilities if asked. */
HRR_EXPERIMENTAL HRR_STATUS hrr_head_predict(hrr_dense *out, const hrr_head *head,
                                             const hrr_dense *features, bool probabilities,
                                             hrr_error *err);

/* The principal directions of the first layer's weights of a PUBLIC head (of the differences
 * between classes, for a linear softmax head, which depends on nothing else): n x d, F64, in the
 * unit scale of the features' public bounds lo and hi (both NULL: 0 and 1). n 0: all of them.
 * Errors: HRR_EINVAL if there are fewer than n, HRR_ENOMEM. */
HRR_EXPERIMENTAL HRR_STATUS hrr_head_directions(hrr_dense *out, const hrr_head *head,
                                                const double *lo, const double *hi, uint32_t n,
                                                hrr_error *err);

/* ---- SHAP -------------------------------------------------------------------------------------
 */

typedef enum hrr_explainer {
    HRR_EXPLAIN_GRADIENT = 0, /* expected gradients over the background set */
    HRR_EXPLAIN_LINEAR,       /* exact for linear heads, on logits */
    HRR_EXPLAIN_KERNEL,       /* Kernel SHAP: model-agnostic */
    HRR_EXPLAIN_EXACT         /* enumeration of all coalitions, d <= 16 */
} hrr_explainer;

typedef struct hrr_explain_options {
    size_t size; /* set by hrr_explain_options_init() */
    hrr_explainer explainer;
    bool probabilities; /* explain probabilities rather than logits */
    uint32_t n_samples; /* steps over all background rows, rounded up to as many for each (gradient,
                         * probabilities only: logits are exact), coalitions (kernel); 0: a good
                         * default */
    int threads;
    uint64_t seed; /* of the kernel's coalitions; the others draw nothing */
} hrr_explain_options;
HRR_EXPERIMENTAL void hrr_explain_options_init_sized(hrr_explain_options *options, size_t size);
static inline void hrr_explain_options_init(hrr_explain_options *options)
{
    hrr_explain_options_init_sized(options, sizeof *options);
}

/* out: (n * C) x d, row i * C + c holds the SHAP values of output c at row i, F64. Missing features
 * are replaced by those of background rows (interventional SHAP). The same for any number of
 * threads. Errors: HRR_EINVAL for widths that differ, an empty background or an explainer that
 * cannot take this head, HRR_EDATA for a value that is not finite, HRR_ENOMEM, HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_explain(hrr_dense *out, const hrr_head *head, const hrr_dense *rows,
                                        const hrr_dense *background,
                                        const hrr_explain_options *options, hrr_progress *progress,
                                        hrr_error *err);

/* ---- metrics of predictions ----------------------------------------------------------------
 */

/* Over the n nodes of one part of the split that have labels. Undefined numbers are NAN. */
typedef struct hrr_metrics {
    uint64_t n;
    double accuracy;           /* all of a node's labels right */
    double f1_micro, f1_macro; /* over classes that occur or are predicted; over all labels */
    double auc;                /* ROC-AUC, mean over classes against the rest */
    double average_precision;  /* the same mean */
    uint32_t n_one_sided;      /* classes that all or none of the nodes have: left out of both */
} hrr_metrics;

/* scores n x C, F32: larger is more likely; the largest is predicted, and with label_matrix every
 * label whose score exceeds `threshold` (0 for logits). Labels: n classes (-1: unknown, not
 * counted) or n x C of 0 and 1, U8. split NULL: all nodes count. Errors: HRR_EDATA naming the
 * position of a score that is not finite, HRR_ENOMEM. */
HRR_API HRR_STATUS hrr_measure(hrr_metrics *out, const hrr_dense *scores, const int32_t *classes,
                               const hrr_dense *label_matrix, double threshold,
                               const uint8_t *split, hrr_split part, hrr_error *err);

/* The same for a guess that is equal for all nodes, in each part of the split: the most frequent
 * class of the training nodes; with label_matrix the set of labels that, given to everybody, has
 * the best micro F1 on training nodes. A network that is no better has learned nothing. Errors:
 * HRR_ENOMEM.
 */
HRR_API HRR_STATUS hrr_measure_majority(hrr_metrics parts[3], const int32_t *classes,
                                        const hrr_dense *label_matrix, uint32_t n_classes,
                                        uint64_t n, const uint8_t *split, hrr_error *err);

/* ---- graph networks --------------------------------------------------------------------------
 */

typedef enum hrr_arch {
    HRR_ARCH_GCN = 0,
    HRR_ARCH_MLP,
    HRR_ARCH_SIGN /* an MLP on [X, A X, ..., A^K X], where K is n_propagate: edges are used once,
                     before training, which then works on a few nodes at a time */
} hrr_arch;

/* The default number of hops of HRR_ARCH_SIGN, and of nodes in a training step. */
enum { HRR_USUAL_HOPS = 2, HRR_USUAL_BATCH = 4096 };

/* Averaging features more often than this makes them equal on a connected graph. */
enum { HRR_MOST_PROPAGATE = 1000 };

/* A model without its weights. */
typedef struct hrr_model_shape {
    hrr_arch arch;
    hrr_normalisation normalisation; /* of A in a GCN or SIGN, with self-loops; not none */
    uint32_t n_layers, n_hidden;     /* n_hidden: the width of all layers but the last */
    uint64_t n_features;
    uint32_t n_classes;
    hrr_output_kind output;
    bool bias;
    uint32_t
        n_propagate; /* how often features are averaged over edges before the model uses them, at
                        most HRR_MOST_PROPAGATE times; SIGN: the number of hops, at least one */
    bool node_rows;  /* the model uses no features: its first layer has one row of weights per node,
                        n_features is the number of nodes, and the model works on this graph only */
} hrr_model_shape;

typedef struct hrr_model hrr_model;

HRR_API void hrr_model_free(hrr_model *model);
HRR_API const hrr_model_shape *hrr_model_get_shape(const hrr_model *model);
/* Weight (n_in x n_out) and bias (1 x n_out, or empty) of a layer, as views of the model. */
HRR_API hrr_dense hrr_model_weight(const hrr_model *model, uint32_t layer);
HRR_API hrr_dense hrr_model_bias(const hrr_model *model, uint32_t layer);

/* A standardising model's means (first row) and factors (second), as a view: it takes (feature -
 * mean) factor. Empty: it takes features as they are. */
HRR_API hrr_dense hrr_model_standards(const hrr_model *model);

/* What a model was trained on. */
typedef struct hrr_provenance {
    bool released;   /* a release, and nothing else */
    bool is_private; /* the guarantee of the release holds for the model; otherwise the epsilon of
                        the model is infinite */
    const char *statement; /* the promise in a sentence; NULL: the model does not say */
} hrr_provenance;

typedef enum hrr_training_match {
    HRR_TRAINED_UNKNOWN = 0, /* the model does not say. Models of older versions do not, nor those
                                that were trained on a release before it was written */
    HRR_TRAINED_HERE,
    HRR_TRAINED_ELSEWHERE
} hrr_training_match;
/* Was the model trained on this release? Two releases with the same statement have different
 * certificates, and their budgets add up. */
HRR_EXPERIMENTAL hrr_training_match hrr_model_match(const hrr_model *model,
                                                    const hrr_release *release);

/* The text belongs to the model. */
HRR_API hrr_provenance hrr_model_provenance(const hrr_model *model);

typedef enum hrr_optimiser { HRR_ADAM = 0, HRR_SGD } hrr_optimiser;

/* The scale of the features that the network uses. */
typedef enum hrr_scale {
    HRR_SCALE_AUTO = 0, /* as the release says: bounded if they are randomised, otherwise none */
    HRR_SCALE_NONE,     /* as they are */
    HRR_SCALE_STANDARD, /* mean 0 and variance 1 over the nodes of the graph; the model stores the
                           scale */
    HRR_SCALE_BOUNDED   /* the same; and if there are more than 16 features, they are scaled down
                           together so that rows have mean square length 16. Otherwise the steps of
                           training would grow with the number of features */
} hrr_scale;

/* Called with the losses of each epoch: the training loss, including dropout, and the validation
 * loss (NAN without validation nodes or patience) with the weights at the beginning of the epoch.
 */
typedef void hrr_epoch_seen(void *user, uint32_t epoch, double train_loss, double valid_loss);

typedef struct hrr_train_options {
    size_t size; /* set by hrr_train_options_init() */
    hrr_arch arch;
    hrr_normalisation normalisation;
    uint32_t n_layers, n_hidden;
    bool bias;
    uint32_t n_propagate;
    bool node_rows; /* instead of features: a row of weights for every node (identity features) */
    hrr_scale scale;
    bool ignore_counts;  /* counts of neighbours (edgerr-node) that the release has */
    bool ignore_reports; /* treat reports of a head's answers (featurerr-head), in their decoded
                            form, as ordinary features. Otherwise a model of edges and labels
                            replaces the network and is combined with the reports */
    uint32_t epochs;
    uint32_t patience; /* stop after this many epochs without a lower validation loss and keep the
                          best weights; 0: run all epochs and keep the last weights */
    hrr_optimiser optimiser;
    double learning_rate, momentum; /* momentum: of SGD */
    double weight_decay;            /* of weights and biases, added to the gradient */
    double dropout;                 /* of hidden layers, 0 .. 1 */
    /* Drop (LPGNN): the labels went through randomised response with this budget. 0: no correction;
     * negative: as the release says, without correction if nodes have several labels. The loss uses
     * the released labels, propagated label_steps steps. */
    double label_eps;
    uint32_t label_steps;
    uint64_t seed; /* of initial weights and dropout */
    int threads;
    hrr_epoch_seen *seen; /* or NULL */
    void *seen_user;
    uint32_t batch; /* SIGN: nodes of a step; 0: HRR_USUAL_BATCH */
    const char
        *scratch; /* SIGN: a directory for an unnamed temporary file with the propagated features of
                     training and validation nodes; NULL: they are kept in memory */
} hrr_train_options;
/* Two layers, 128 hidden, 200 epochs of Adam at .01, patience 50, dropout .5, decay 5e-4. */
HRR_API void hrr_train_options_init_sized(hrr_train_options *options, size_t size);
static inline void hrr_train_options_init(hrr_train_options *options)
{
    hrr_train_options_init_sized(options, sizeof *options);
}

typedef struct hrr_train_summary {
    hrr_metrics parts[3]; /* by hrr_split */
    double train_loss, valid_loss;
    uint32_t epochs, best_epoch; /* epochs that were run, and the epoch that began with the weights
                                    that were kept */
    double seconds_per_epoch;
    uint64_t n_unlabelled;     /* training nodes without a label: not used */
    uint32_t n_classes_unseen; /* classes that no training node has: they cannot be learned */
    bool diverged;             /* whether training failed because it diverged */
    hrr_scale scale;           /* the scale that was used; never HRR_SCALE_AUTO */
    double label_eps;          /* the budget that labels were corrected for; 0: they were not */
    /* For reports of a head: the weight of a node's own report, and the total weight of the reports
     * of other nodes. NAN: there are no reports, or they were not used. */
    double weight_report, weight_far_reports;
    /* For counts of neighbours: the weights of the three models that they are combined with: the
     * network, a network without edges, and a model of edges and labels without features. NAN:
     * there are no counts, or they were not used. */
    double weight_network, weight_no_edges, weight_free;
} hrr_train_summary;

/* Train on a release. Its graph needs features, labels and a split. Counts of neighbours
 * (edgerr-node) are also used: they are combined with the network, a network without edges, and a
 * model of edges and labels, with weights that are chosen on validation nodes. The model contains
 * all of these, and the summary describes the combination. Such a model works only on the nodes of
 * its release, unless counts are ignored. The result is a function of release, options and seed,
 * for any number of threads, on processors with the same vectors.
 *
 * Guarantee: post-processing: the guarantee of the release holds for the model, which states it
 * (hrr_model_provenance()). If the release has no guarantee, the model has none. Cost:      an
 * epoch O(m h + n d h) time; n (layers h + C) floats beside the graph. With counts three networks
 * are trained instead of one. SIGN: O(K m d) once, then an epoch O(t K d h) for t training and
 * validation nodes; (K + 1) d t floats, in the scratch file if there is one, and n (2 h + C) in the
 * end, when all nodes are predicted. Ownership: *out belongs to the caller, hrr_model_free(); NULL
 * on failure. summary may be NULL; of a failure it says no more than whether training diverged.
 * Errors:    HRR_EINVAL, HRR_EDATA (no labels, features or split; training diverged), HRR_ENOMEM,
 * HRR_ECANCEL. */
HRR_API HRR_STATUS hrr_model_train(hrr_model **out, hrr_train_summary *summary,
                                   const hrr_release *release, const hrr_train_options *options,
                                   hrr_progress *progress, hrr_error *err);

/* The same by several processes together, each with the same release and options: a rank holds its
 * range of the rows of the adjacency and of the activations, rows of other ranks' neighbours are
 * exchanged before each product, and gradients are added up. Losses are those of one process except
 * for rounding; weights are the same on every rank. Only rank 0 has the complete summary. ranks
 * NULL: hrr_model_train().
 *
 * Cost:   an epoch as above, divided by the ranks, where threads apart; received by a rank in an
 *         epoch: 4 bytes times its halo (nodes of others that its nodes have edges to) times the
 *         widths of all products, and 8 bytes times the parameters.
 * Errors: as hrr_model_train(); HRR_EINVAL also for what one process has to do: sign networks, node
 *         rows, counts, reports, the correction for protected labels; what another rank failed
 * with. */
HRR_EXPERIMENTAL HRR_STATUS hrr_model_train_over(hrr_model **out, hrr_train_summary *summary,
                                                 const hrr_release *release,
                                                 const hrr_train_options *options, hrr_ranks *ranks,
                                                 hrr_progress *progress, hrr_error *err);

typedef struct hrr_predict_options {
    size_t size;               /* set by hrr_predict_options_init() */
    const hrr_dense *features; /* n x d, instead of those of the release; NULL: those */
    bool logits;               /* instead of probabilities */
    bool ignore_counts;  /* do not use counts of neighbours. Otherwise a model that was trained with
                            them uses those of the release; if the release has none, the network
                            alone predicts */
    bool ignore_reports; /* do not use reports of a head's answers. Otherwise a model that was
                            trained with them uses those of the release */
    int threads;
} hrr_predict_options;
HRR_API void hrr_predict_options_init_sized(hrr_predict_options *options, size_t size);
static inline void hrr_predict_options_init(hrr_predict_options *options)
{
    hrr_predict_options_init_sized(options, sizeof *options);
}

/* out: n x C, F32. Errors: HRR_EDATA for another number of features, counts into other blocks or of
 * other nodes than the model was trained on, HRR_ENOMEM, HRR_ECANCEL. */
HRR_API HRR_STATUS hrr_model_predict(hrr_dense *out, const hrr_model *model,
                                     const hrr_release *release, const hrr_predict_options *options,
                                     hrr_progress *progress, hrr_error *err);

/* One class per node: its label if it is a training or validation node with a label, otherwise the
 * class with the largest score. scores: n x C, F32; classes or split NULL: scores alone decide.
 * These are blocks for edgerr-node to count neighbours in. */
HRR_API void hrr_likely_classes(uint32_t *out, const hrr_dense *scores, const int32_t *classes,
                                const uint8_t *split);

/* ---- counts of neighbours --------------------------------------------------------------------
 */

#define HRR_COUNT_LEVELS 13

/* How counts depend on classes, and the weights of the counts and of the model that they are
 * combined with. */
typedef struct hrr_count_model {
    hrr_output_kind output; /* softmax: one class a node; sigmoid: several labels */
    hrr_dense
        rate; /* C x n_blocks, F64: mean counts of each class; if nodes have several labels, 2 C x
                 n_blocks: of the nodes with the first label, of those without it, and so on */
    double level_share[HRR_COUNT_LEVELS]; /* the shares of nodes with few or many edges */
    double shape;                         /* of the negative binomial law; INFINITY: Poisson */
    double weight_model, weight_counts;
    double weight_spread[2]; /* of neighbours' counts, one and two edges away */
} hrr_count_model;

HRR_EXPERIMENTAL void hrr_count_model_clear(hrr_count_model *model);

/* Learn from labelled nodes of training and validation; the weights from validation nodes. Where
 * few nodes tell the law, or labels are protected, counts that do not help there weigh 0. logits: n
 * x C, F32, of a model that has not seen the counts. graph: as released; its labels, split and
 * edges are looked at. label_eps: the budget of the randomised response that classes went through;
 * 0: they did not.
 *
 * Guarantee: post-processing of a release: no privacy is spent.
 * Cost:      O(n C B) look-ups and as many tables of the largest count as there are C x B pairs,
 *            twice as many with several labels per node; O(m C) for the spread over m edges.
 * Errors:    HRR_EINVAL, HRR_EDATA, HRR_ENOMEM, HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_count_model_fit(hrr_count_model *out, const hrr_dense *logits,
                                                const hrr_block_counts *counts,
                                                const hrr_graph *graph, double label_eps,
                                                int threads, hrr_progress *progress,
                                                hrr_error *err);
/* logits become those of the combination. Errors: HRR_EDATA for counts of another shape,
 * HRR_ENOMEM. */
HRR_EXPERIMENTAL HRR_STATUS hrr_count_model_apply(hrr_dense *logits, const hrr_count_model *model,
                                                  const hrr_block_counts *counts,
                                                  const hrr_graph *graph, int threads,
                                                  hrr_error *err);

/* What a model learned from the counts of its release; it is stored with the model. NULL: nothing.
 */
HRR_EXPERIMENTAL const hrr_count_model *hrr_model_counts(const hrr_model *model);

/* A model in a directory: weights.npz, and model.json with its shape, `record` (a JSON object about
 * how it was trained; NULL: none), its provenance and whether it is non-private. */
HRR_API HRR_STATUS hrr_model_write(const hrr_model *model, const char *record, const char *path,
                                   bool replace, hrr_error *err);
HRR_API HRR_STATUS hrr_model_read(hrr_model **out, const char *path, hrr_error *err);

/* The shares that a graph without a split is given for training and validation: by the command, in
 * sweeps and for predicted blocks. */
#define HRR_TRAIN_SHARE 0.5
#define HRR_VALID_SHARE 0.25

/* Draw a random split of n nodes: round(train n) training nodes, round(valid n) validation nodes,
 * the rest test nodes. hrr memory, as hrr_graph_take_split() takes it; NULL on failure, with err
 * filled. Errors: HRR_EINVAL for shares that are not valid, HRR_ENOMEM. */
HRR_API uint8_t *hrr_split_new(uint64_t n, double train, double valid, uint64_t seed,
                               hrr_error *err);

#ifdef __cplusplus
}
#endif
#endif
