/* fit.c: see fit.h: the loop of epochs, early stopping, and what is refused before it begins.
 *
 * An epoch begins with weights w. Their validation loss is found first: if it is the lowest so far,
 * w is kept. Then comes the step. Without dropout the forward pass of training gives the validation
 * loss as well, and no second one is needed; with it, the second goes on from the first layer. All
 * nodes are in every batch: a collection of graphs is one graph whose parts no edge joins, and its
 * split says which of them to learn from. */
#include "learn/fit.h"
#include "learn/cross_entropy.h"
#include "learn/denormals.h"
#include "learn/drop.h"
#include "learn/fit_batches.h"
#include "learn/measure_logits.h"
#include "learn/optimiser.h"
#include "learn/pass.h"
#include "learn/prepared.h"
#include "base/memory.h"
#include "base/options.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

void hrr_train_options_init_sized(hrr_train_options *options, size_t size)
{
    const hrr_train_options own = {.arch = HRR_ARCH_GCN,
                                   .normalisation = HRR_NORMALISE_SYMMETRIC,
                                   .n_layers = 2,
                                   .n_hidden = 128,
                                   .bias = true,
                                   .epochs = 200,
                                   .patience = 50,
                                   .optimiser = HRR_ADAM,
                                   .learning_rate = 0.01,
                                   .weight_decay = 5e-4,
                                   .dropout = 0.5,
                                   .label_eps = -1,
                                   .seed = 1};
    hrr_options_init(options, size, &own, sizeof own);
}

/* ---- what can be wrong ------------------------------------------------------------------------
 */

static hrr_status check_options(const hrr_train_options *o, hrr_error *err)
{
    if (o->epochs < 1)
        return hrr_fail(err, HRR_EINVAL, "training needs at least one epoch (`epochs`)");
    if (!(o->learning_rate > 0) || !isfinite(o->learning_rate))
        return hrr_fail(err, HRR_EINVAL,
                        "the learning rate (`learning_rate`) must be above 0; 0.01 is usual");
    if (!(o->weight_decay >= 0) || !isfinite(o->weight_decay))
        return hrr_fail(err, HRR_EINVAL,
                        "the weight decay (`weight_decay`) must be 0 or more; 5e-4 is usual");
    if (!(o->dropout >= 0 && o->dropout < 1))
        return hrr_fail(err, HRR_EINVAL, "`dropout` must be 0 or more and below 1; 0.5 is usual");
    if (!(o->momentum >= 0 && o->momentum < 1))
        return hrr_fail(err, HRR_EINVAL, "`momentum` must be 0 or more and below 1; 0.9 is usual");
    if (o->normalisation == HRR_NORMALISE_NONE)
        return hrr_fail(err, HRR_EINVAL, "`normalisation` must be symmetric, mean or first-order");
    if (isnan(o->label_eps)) return hrr_fail(err, HRR_EINVAL, "`label_eps` is not a number");
    if (o->arch == HRR_ARCH_SIGN && o->label_eps > 0)
        return hrr_fail(err, HRR_EINVAL,
                        "the correction for protected labels propagates labels over all nodes, but "
                        "a sign network sees few nodes at a time; choose a gcn (`arch`), or turn "
                        "the correction off (`label_eps` 0)");
    return HRR_OK;
}

static hrr_status check_graph(const hrr_graph *graph, const hrr_train_options *o, hrr_error *err)
{
    if (!hrr_graph_features(graph) && !o->node_rows)
        return hrr_fail(err, HRR_EDATA,
                        "the graph has no features to learn from; read it together with a file of "
                        "features (`features`)");
    if (!hrr_graph_classes(graph) && !hrr_graph_label_matrix(graph))
        return hrr_fail(err, HRR_EDATA,
                        "the graph has no labels to learn from: labels.npy is missing");
    if (!hrr_graph_split(graph))
        return hrr_fail(err, HRR_EDATA,
                        "the graph does not say which nodes are for training: split.npy is "
                        "missing. hrr_split_new() draws a split for hrr_graph_take_split()");
    if (o->label_eps > 0 && !hrr_graph_classes(graph))
        return hrr_fail(err, HRR_EINVAL,
                        "the correction for protected labels (`label_eps`) supports one class per "
                        "node, but nodes have several labels here");
    return HRR_OK;
}

static hrr_status nobody_to_learn_from(hrr_error *err)
{
    return hrr_fail(err, HRR_EDATA,
                    "no training node has a label; check split.npy (0 means training) and "
                    "labels.npy (-1 means unknown)");
}

/* Training nodes without labels, and classes that none of them has. */
static hrr_status survey_labels(hrr_train_summary *summary, const hrr_targets *targets,
                                hrr_error *err)
{
    uint64_t *count = hrr_alloc_zero(targets->n_classes, sizeof *count);
    if (!count) return hrr_no_memory(err);
    for (uint64_t i = 0; i < targets->n; i++) {
        if (targets->split[i] != HRR_TRAIN) continue;
        if (targets->classes && targets->classes[i] < 0)
            summary->n_unlabelled++;
        else if (targets->classes)
            count[targets->classes[i]]++;
        for (uint32_t c = 0; !targets->classes && c < targets->n_classes; c++)
            count[c] += targets->labels[i * targets->n_classes + c];
    }
    for (uint32_t c = 0; c < targets->n_classes; c++)
        summary->n_classes_unseen += count[c] == 0;
    hrr_free(count);
    return HRR_OK;
}

/* ---- the loop ---------------------------------------------------------------------------------
 */

/* Everything that an epoch needs. */
typedef struct fitting {
    const hrr_train_options *options;
    hrr_model *model;
    hrr_targets targets;
    uint64_t n_train, n_valid;
    hrr_ranks *ranks; /* that share the nodes; NULL: this process has all */
    hrr_share own;
    hrr_halo halo;
    hrr_prepared prepared;
    hrr_pass pass;
    hrr_stepper stepper;
    hrr_drop drop;
    bool corrects_labels;
    float *gradient, *best;
    double best_loss;
    hrr_error failed; /* of another rank; status HRR_OK: none */
} fitting;

static void clear(fitting *f)
{
    hrr_model_free(f->model);
    hrr_prepared_clear(&f->prepared);
    hrr_halo_clear(&f->halo);
    hrr_pass_clear(&f->pass);
    hrr_stepper_clear(&f->stepper);
    hrr_drop_clear(&f->drop);
    hrr_free(f->gradient);
    hrr_free(f->best);
}

static hrr_status make_model(fitting *f, const hrr_graph *graph, hrr_error *err)
{
    const hrr_train_options *o = f->options;
    const hrr_model_shape shape = {
        .arch = o->arch,
        .normalisation = o->normalisation,
        .n_layers = o->n_layers,
        .n_hidden = o->n_hidden,
        .n_features = o->node_rows ? hrr_graph_n_nodes(graph) : hrr_graph_features(graph)->cols,
        .n_classes = hrr_graph_n_classes(graph),
        .output = hrr_graph_classes(graph) ? HRR_OUTPUT_SOFTMAX : HRR_OUTPUT_SIGMOID,
        .bias = o->bias,
        .n_propagate = o->n_propagate,
        .node_rows = o->node_rows,
    };
    hrr_status status = hrr_model_new(&f->model, &shape, err);
    if (!status) hrr_model_draw(f->model, o->seed);
    const bool standardises = o->scale == HRR_SCALE_STANDARD || o->scale == HRR_SCALE_BOUNDED;
    if (!status && standardises && !o->node_rows)
        status = hrr_model_learn_standards(f->model, hrr_graph_features(graph),
                                           o->scale == HRR_SCALE_BOUNDED, err);
    return status;
}

static hrr_status prepare(fitting *f, const hrr_graph *graph, hrr_progress *progress,
                          hrr_error *err)
{
    const hrr_train_options *o = f->options;
    const hrr_dense *features = hrr_graph_features(graph);
    hrr_status status = make_model(f, graph, err);
    if (status) return status;
    const hrr_model *model = f->model;
    status = f->ranks
                 ? hrr_prepare_share(&f->prepared, &f->halo, model, graph, features, f->ranks,
                                     o->threads, progress, err)
                 : hrr_prepare(&f->prepared, model, graph, features, o->threads, progress, err);
    if (status) return status;
    if ((status = hrr_pass_init(&f->pass, model, &f->prepared.inputs, f->prepared.edges, o->threads,
                                progress, err)))
        return status;
    if (f->ranks && f->prepared.edges) f->pass.halo = &f->halo;
    f->pass.first_row = f->own.begin;
    if ((status = hrr_stepper_init(&f->stepper, model->n_parameters, o, err))) return status;
    f->corrects_labels = o->label_eps > 0;
    if (f->corrects_labels && (status = hrr_drop_init(&f->drop, graph, &f->targets, o->label_eps,
                                                      o->label_steps, o->threads, err)))
        return status;
    if (f->corrects_labels) {
        /* Randomised response flattens the loss by about this square; with the decay as it was,
         * weights would go to 0 before anything is learnt. */
        const double contrast = (double)(f->drop.stay - f->drop.stray);
        f->stepper.weight_decay *= contrast * contrast;
    }
    f->gradient = hrr_alloc(model->n_parameters, sizeof *f->gradient);
    f->best = hrr_alloc(model->n_parameters, sizeof *f->best);
    return f->gradient && f->best ? HRR_OK : hrr_no_memory(err);
}

/* The sum over all ranks. A failure, here or when rows were exchanged, is kept in f->failed. */
static double of_all(fitting *f, double loss)
{
    if (!f->ranks || f->failed.status) return loss;
    if (f->halo.failed.status) {
        f->failed = f->halo.failed;
        return NAN;
    }
    const hrr_status status = hrr_ranks_reduce_all(f->ranks, &loss, 1, HRR_SUM_F64, &f->failed);
    return status ? NAN : loss;
}

static double valid_loss(fitting *f)
{
    float *const logits = hrr_pass_logits(&f->pass)->data;
    if (f->corrects_labels)
        return hrr_drop_valid_loss(&f->drop, logits, &f->targets, HRR_VALID, f->n_valid);
    return of_all(
        f, hrr_cross_entropy(logits, &f->targets, HRR_VALID, f->n_valid, false, f->pass.threads));
}

/* The logits become derivatives. */
static double train_loss(fitting *f)
{
    float *const logits = hrr_pass_logits(&f->pass)->data;
    if (f->corrects_labels) return hrr_drop_train_loss(&f->drop, logits, &f->targets, f->n_train);
    return of_all(
        f, hrr_cross_entropy(logits, &f->targets, HRR_TRAIN, f->n_train, true, f->pass.threads));
}

/* What another rank failed with, or HRR_OK. */
static hrr_status check_ranks(const fitting *f, hrr_error *err)
{
    if (f->failed.status && err) *err = f->failed;
    return f->failed.status;
}

/* The gradient of all nodes, with the same bits on every rank. */
static hrr_status find_gradient(fitting *f, hrr_error *err)
{
    hrr_pass_backward(&f->pass, f->model->parameters, f->gradient);
    if (!f->ranks) return HRR_OK;
    if (f->halo.failed.status) f->failed = f->halo.failed;
    const hrr_status status = check_ranks(f, err);
    return status ? status
                  : hrr_ranks_reduce_all(f->ranks, f->gradient, f->model->n_parameters, HRR_SUM_F32,
                                         err);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

hrr_status hrr_fail_diverged(hrr_train_summary *summary, uint32_t epoch, const hrr_train_options *o,
                             hrr_error *err)
{
    summary->diverged = true;
    return hrr_fail(err, HRR_EDATA,
                    "training diverged in epoch %" PRIu32
                    ": the loss is not a finite number; reduce the learning rate "
                    "(`learning_rate`), which is %g, or scale the features to about 0..1",
                    epoch + 1, o->learning_rate);
}

/* Keep the weights if they are the best so far. True: patience is at its end. */
static bool out_of_patience(fitting *f, hrr_train_summary *summary, uint32_t epoch, double loss)
{
    if (epoch == 0 || loss < f->best_loss) {
        f->best_loss = loss;
        summary->best_epoch = epoch;
        memcpy(f->best, f->model->parameters, f->model->n_parameters * sizeof *f->best);
    }
    return epoch - summary->best_epoch >= f->options->patience;
}

static hrr_status run_epochs(fitting *f, hrr_train_summary *summary, hrr_progress *progress,
                             hrr_error *err)
{
    const hrr_train_options *o = f->options;
    const bool watches = o->patience && f->n_valid;
    hrr_status status = HRR_OK;
    hrr_progress_begin(progress, "training", o->epochs);
    const double began = now();
    uint32_t epoch = 0;
    for (; epoch < o->epochs; epoch++) {
        double valid = NAN;
        if (watches && o->dropout > 0) {
            hrr_pass_forward(&f->pass, f->model->parameters, 0, 0, 0);
            valid = valid_loss(f);
        }
        if (!watches || o->dropout == 0)
            hrr_pass_forward(&f->pass, f->model->parameters, o->dropout, o->seed, epoch);
        else if (isfinite(valid))
            hrr_pass_forward_again(&f->pass, f->model->parameters, o->dropout, o->seed, epoch);
        if (watches && o->dropout == 0) valid = valid_loss(f);
        const double train = train_loss(f);
        if (hrr_progress_cancelled(progress)) return hrr_progress_advance(progress, 0, err);
        if ((status = check_ranks(f, err))) return status;
        if (!isfinite(train) || (watches && !isfinite(valid)))
            return hrr_fail_diverged(summary, epoch, o, err);
        if (o->seen) o->seen(o->seen_user, epoch, train, valid);
        if (watches && out_of_patience(f, summary, epoch, valid)) break;
        if ((status = find_gradient(f, err))) return status;
        hrr_step(f->model->parameters, f->gradient, &f->stepper);
        if ((status = hrr_progress_advance(progress, 1, err))) return status;
    }
    summary->epochs = epoch;
    summary->seconds_per_epoch = (now() - began) / (epoch ? epoch : 1);
    return status;
}

/* Logits of all ranks come to rank 0, which measures them. */
static hrr_status measure_at_first(fitting *f, hrr_train_summary *summary, const hrr_graph *graph,
                                   hrr_error *err)
{
    const hrr_dense *own = hrr_pass_logits(&f->pass);
    const uint64_t n = hrr_graph_n_nodes(graph);
    hrr_dense all = {0};
    if (f->halo.failed.status) f->failed = f->halo.failed;
    hrr_status status = check_ranks(f, err);
    if (!status && hrr_ranks_rank(f->ranks) == 0)
        status = hrr_dense_init(&all, HRR_F32, n, own->cols, err);
    status = hrr_ranks_agree(f->ranks, status, err);
    if (!status)
        status = hrr_ranks_collect_rows(f->ranks, all.data, own->data, n, own->cols * sizeof(float),
                                        0, err);
    if (!status && hrr_ranks_rank(f->ranks) == 0)
        status = hrr_measure_logits(summary->parts, &all, graph, err);
    hrr_dense_clear(&all);
    return status;
}

/* The weights after the last epoch are looked at, too; then the best ones are measured. */
static hrr_status conclude(fitting *f, hrr_train_summary *summary, const hrr_graph *graph,
                           hrr_progress *progress, hrr_error *err)
{
    float *const parameters = f->model->parameters;
    const bool watches = f->options->patience && f->n_valid;
    const uint32_t last = summary->epochs;
    if (!watches) summary->best_epoch = last;
    hrr_pass_forward(&f->pass, parameters, 0, 0, 0);
    if (watches) {
        const double loss = valid_loss(f);
        if (hrr_progress_cancelled(progress)) return hrr_progress_advance(progress, 0, err);
        if (f->failed.status) return check_ranks(f, err);
        if (!isfinite(loss)) return hrr_fail_diverged(summary, last, f->options, err);
        out_of_patience(f, summary, last, loss);
        if (summary->best_epoch != last) {
            memcpy(parameters, f->best, f->model->n_parameters * sizeof *parameters);
            hrr_pass_forward(&f->pass, parameters, 0, 0, 0);
        }
    }
    if (hrr_progress_cancelled(progress)) return hrr_progress_advance(progress, 0, err);
    hrr_status status =
        f->ranks ? measure_at_first(f, summary, graph, err)
                 : hrr_measure_logits(summary->parts, hrr_pass_logits(&f->pass), graph, err);
    if (status == HRR_EDATA) return hrr_fail_diverged(summary, last, f->options, err);
    if (status) return status;
    summary->valid_loss = f->n_valid ? valid_loss(f) : NAN;
    summary->train_loss = train_loss(f);
    return check_ranks(f, err);
}

static hrr_status fit_all_nodes(fitting *f, hrr_train_summary *summary, const hrr_graph *graph,
                                hrr_progress *progress, hrr_error *err)
{
    hrr_status status = prepare(f, graph, progress, err);
    if (status) return status;
    const unsigned before = hrr_denormals_flush(f->pass.threads);
    status = run_epochs(f, summary, progress, err);
    if (!status) status = conclude(f, summary, graph, progress, err);
    hrr_denormals_restore(before, f->pass.threads);
    return status;
}

/* Measured by a pass over all nodes, as predictions are made. */
static hrr_status fit_hops(fitting *f, hrr_train_summary *summary, const hrr_graph *graph,
                           hrr_progress *progress, hrr_error *err)
{
    const hrr_train_options *o = f->options;
    hrr_dense logits = {0};
    hrr_status status = make_model(f, graph, err);
    if (!status) status = hrr_fit_batches(f->model, summary, graph, o, progress, err);
    if (!status) status = hrr_forward(&logits, f->model, graph, NULL, o->threads, progress, err);
    if (!status) status = hrr_measure_logits(summary->parts, &logits, graph, err);
    if (status == HRR_EDATA && logits.data)
        status = hrr_fail_diverged(summary, summary->epochs, o, err);
    const int threads = hrr_threads(o->threads);
    if (!status && f->n_valid)
        summary->valid_loss =
            hrr_cross_entropy(logits.data, &f->targets, HRR_VALID, f->n_valid, false, threads);
    else
        summary->valid_loss = NAN;
    if (!status)
        summary->train_loss =
            hrr_cross_entropy(logits.data, &f->targets, HRR_TRAIN, f->n_train, false, threads);
    hrr_dense_clear(&logits);
    return status;
}

/* The targets of the nodes that this rank has. */
static hrr_targets targets_of(const hrr_targets *all, hrr_share own)
{
    return (hrr_targets){.n = own.end - own.begin,
                         .n_classes = all->n_classes,
                         .classes = all->classes ? all->classes + own.begin : NULL,
                         .labels = all->labels ? all->labels + own.begin * all->n_classes : NULL,
                         .split = all->split ? all->split + own.begin : NULL};
}

hrr_status hrr_fit(hrr_model **out, hrr_train_summary *summary, const hrr_graph *graph,
                   const hrr_train_options *options, hrr_progress *progress, hrr_error *err)
{
    return hrr_fit_over(out, summary, graph, options, NULL, progress, err);
}

hrr_status hrr_fit_over(hrr_model **out, hrr_train_summary *summary, const hrr_graph *graph,
                        const hrr_train_options *options, hrr_ranks *ranks, hrr_progress *progress,
                        hrr_error *err)
{
    hrr_train_summary found = {0};
    fitting f = {.options = options, .ranks = hrr_ranks_size(ranks) > 1 ? ranks : NULL};
    *out = NULL;
    if (summary) *summary = found;
    hrr_status status = check_options(options, err);
    if (!status) status = check_graph(graph, options, err);
    if (status) return status;
    f.targets = hrr_targets_of(graph);
    f.n_train = hrr_count_targets(&f.targets, HRR_TRAIN);
    f.n_valid = hrr_count_targets(&f.targets, HRR_VALID);
    if (!f.n_train) return nobody_to_learn_from(err);
    if ((status = survey_labels(&found, &f.targets, err))) goto done;
    f.own = hrr_ranks_own_share(f.ranks, f.targets.n);
    f.targets = targets_of(&f.targets, f.own);
    status = options->arch == HRR_ARCH_SIGN ? fit_hops(&f, &found, graph, progress, err)
                                            : fit_all_nodes(&f, &found, graph, progress, err);
    if (summary) summary->diverged = found.diverged;
    if (status) goto done;
    *out = f.model;
    f.model = NULL;
    if (summary) *summary = found;
done:
    clear(&f);
    return status;
}

hrr_status hrr_fit_in_batches(hrr_model **out, hrr_train_summary *summary, const hrr_graph *graph,
                              const hrr_train_options *options, hrr_progress *progress,
                              hrr_error *err)
{
    fitting f = {.options = options};
    *out = NULL;
    *summary = (hrr_train_summary){0};
    assert(options->arch == HRR_ARCH_SIGN ||
           (options->arch == HRR_ARCH_MLP && !options->n_propagate));
    assert(!options->node_rows && !(options->label_eps > 0));
    hrr_status status = check_options(options, err);
    if (!status) status = check_graph(graph, options, err);
    if (status) return status;
    f.targets = hrr_targets_of(graph);
    if (!hrr_count_targets(&f.targets, HRR_TRAIN)) return nobody_to_learn_from(err);
    status = make_model(&f, graph, err);
    if (!status) status = hrr_fit_batches(f.model, summary, graph, options, progress, err);
    if (!status) {
        *out = f.model;
        f.model = NULL;
    }
    clear(&f);
    return status;
}
