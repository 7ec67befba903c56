/* fit_batches.c: see fit_batches.h.
 *
 * After SIGN (Frasca et al. 2020), whose inner layers are one a hop; here the first layer sees all
 * hops at once, and with one layer this is SGC (Wu et al. 2019) on all hops. Edges are used before
 * training, so a step needs the rows of its nodes and nothing else: activations are those of one
 * batch. An epoch deals the training nodes anew into batches of equal size, the last one smaller.
 *
 * An epoch begins with weights w; their validation loss is found first, and if it is the lowest so
 * far, w is kept, as in fit.c. A step counts as an epoch for dropout: its units are drawn anew in
 * every batch. */
#include "learn/fit_batches.h"
#include "learn/cross_entropy.h"
#include "learn/denormals.h"
#include "learn/fit.h"
#include "learn/hop_rows.h"
#include "learn/optimiser.h"
#include "learn/pass.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>
#include <time.h>

typedef struct fitting {
    const hrr_train_options *options;
    hrr_model *model;
    hrr_targets all;
    uint32_t *nodes; /* of training, then of validation */
    uint64_t n_train, n_valid, batch;
    hrr_dense rows;    /* of these nodes */
    uint64_t *order;   /* of the training nodes, as places in nodes */
    hrr_inputs inputs; /* of one batch */
    int32_t *classes;
    uint8_t *labels;
    hrr_pass pass;
    hrr_stepper stepper;
    float *gradient, *best;
    uint32_t steps;
} fitting;

static void clear(fitting *f)
{
    hrr_free(f->nodes);
    hrr_free(f->order);
    hrr_free(f->classes);
    hrr_free(f->labels);
    hrr_free(f->gradient);
    hrr_free(f->best);
    hrr_dense_clear(&f->rows);
    hrr_inputs_clear(&f->inputs);
    hrr_pass_clear(&f->pass);
    hrr_stepper_clear(&f->stepper);
}

static hrr_status list_nodes(fitting *f, hrr_error *err)
{
    f->n_train = hrr_count_targets(&f->all, HRR_TRAIN);
    f->n_valid = f->options->patience ? hrr_count_targets(&f->all, HRR_VALID) : 0;
    f->nodes = hrr_alloc(f->n_train + f->n_valid, sizeof *f->nodes);
    f->order = hrr_alloc(f->n_train, sizeof *f->order);
    if (!f->nodes || !f->order) return hrr_no_memory(err);
    uint64_t train = 0, valid = f->n_train;
    for (uint64_t i = 0; i < f->all.n; i++) {
        if (hrr_target_counts(&f->all, i, HRR_TRAIN)) f->nodes[train++] = (uint32_t)i;
        if (f->n_valid && hrr_target_counts(&f->all, i, HRR_VALID)) f->nodes[valid++] = (uint32_t)i;
    }
    return HRR_OK;
}

static hrr_status prepare(fitting *f, const hrr_graph *graph, hrr_progress *progress,
                          hrr_error *err)
{
    const hrr_train_options *o = f->options;
    const hrr_model *model = f->model;
    hrr_status status = list_nodes(f, err);
    if (!status)
        status = hrr_hop_rows(&f->rows, model, graph, f->nodes, f->n_train + f->n_valid, o->scratch,
                              o->threads, progress, err);
    if (status) return status;
    const uint64_t asked = o->batch ? o->batch : HRR_USUAL_BATCH;
    const uint64_t most = f->n_train > f->n_valid ? f->n_train : f->n_valid;
    f->batch = asked < most ? asked : most;
    f->inputs = (hrr_inputs){.n = f->batch, .d = f->rows.cols};
    if ((status = hrr_dense_init(&f->inputs.dense, HRR_F32, f->batch, f->rows.cols, err)))
        return status;
    if ((status = hrr_pass_init(&f->pass, model, &f->inputs, NULL, o->threads, progress, err)))
        return status;
    if ((status = hrr_stepper_init(&f->stepper, model->n_parameters, o, err))) return status;
    f->classes = hrr_alloc(f->batch, sizeof *f->classes);
    f->labels = hrr_alloc(f->batch, f->all.n_classes);
    f->gradient = hrr_alloc(model->n_parameters, sizeof *f->gradient);
    f->best = hrr_alloc(model->n_parameters, sizeof *f->best);
    return f->classes && f->labels && f->gradient && f->best ? HRR_OK : hrr_no_memory(err);
}

/* ---- one batch ------------------------------------------------------------------------------- */

/* Rows and targets of `count` nodes: those at places, or, without places, from `first` on. */
static hrr_targets load(fitting *f, const uint64_t *places, uint64_t first, uint64_t count)
{
    const uint64_t d = f->rows.cols, n_classes = f->all.n_classes;
    for (uint64_t r = 0; r < count; r++) {
        const uint64_t at = places ? places[first + r] : first + r;
        const uint32_t node = f->nodes[at];
        memcpy((float *)f->inputs.dense.data + r * d, (const float *)f->rows.data + at * d,
               d * sizeof(float));
        if (f->all.classes)
            f->classes[r] = f->all.classes[node];
        else
            memcpy(f->labels + r * n_classes, f->all.labels + node * n_classes, n_classes);
    }
    f->inputs.n = f->inputs.dense.rows = count;
    hrr_pass_cut(&f->pass, count);
    return (hrr_targets){.n = count,
                         .n_classes = f->all.n_classes,
                         .classes = f->all.classes ? f->classes : NULL,
                         .labels = f->all.classes ? NULL : f->labels};
}

static uint64_t size_of_batch(const fitting *f, uint64_t first, uint64_t n)
{
    return n - first < f->batch ? n - first : f->batch;
}

static double valid_loss(fitting *f)
{
    double sum = 0;
    for (uint64_t first = 0; first < f->n_valid; first += f->batch) {
        const uint64_t count = size_of_batch(f, first, f->n_valid);
        const hrr_targets targets = load(f, NULL, f->n_train + first, count);
        hrr_pass_forward(&f->pass, f->model->parameters, 0, 0, 0);
        sum += (double)count * hrr_cross_entropy(hrr_pass_logits(&f->pass)->data, &targets,
                                                 HRR_VALID, count, false, f->pass.threads);
    }
    return f->n_valid ? sum / (double)f->n_valid : NAN;
}

/* The mean loss of the batches, each before its step. */
static hrr_status run_steps(double *loss, fitting *f, hrr_progress *progress, hrr_error *err)
{
    const hrr_train_options *o = f->options;
    *loss = 0;
    for (uint64_t first = 0; first < f->n_train; first += f->batch) {
        const uint64_t count = size_of_batch(f, first, f->n_train);
        const hrr_targets targets = load(f, f->order, first, count);
        hrr_pass_forward(&f->pass, f->model->parameters, o->dropout, o->seed, f->steps++);
        *loss += (double)count / (double)f->n_train *
                 hrr_cross_entropy(hrr_pass_logits(&f->pass)->data, &targets, HRR_TRAIN, count,
                                   true, f->pass.threads);
        if (hrr_progress_cancelled(progress)) return hrr_progress_advance(progress, 0, err);
        if (!isfinite(*loss)) return HRR_OK;
        hrr_pass_backward(&f->pass, f->model->parameters, f->gradient);
        hrr_step(f->model->parameters, f->gradient, &f->stepper);
    }
    return HRR_OK;
}

/* ---- epochs ---------------------------------------------------------------------------------- */

static void deal(fitting *f, uint32_t epoch)
{
    hrr_fast_random random;
    hrr_fast_init(&random, f->options->seed, 1 + (uint64_t)epoch); /* 0 drew the weights */
    for (uint64_t i = 0; i < f->n_train; i++) {
        const uint64_t j = (uint64_t)(hrr_fast_uniform(&random) * (double)(i + 1));
        f->order[i] = f->order[j];
        f->order[j] = i;
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Keep the weights if they are the best so far. */
static void look_at(fitting *f, hrr_train_summary *summary, double *best_loss, double loss,
                    uint32_t epoch)
{
    if (epoch && !(loss < *best_loss)) return;
    *best_loss = loss;
    summary->best_epoch = epoch;
    memcpy(f->best, f->model->parameters, f->model->n_parameters * sizeof *f->best);
}

static hrr_status run_epochs(fitting *f, hrr_train_summary *summary, hrr_progress *progress,
                             hrr_error *err)
{
    const hrr_train_options *o = f->options;
    double best_loss = INFINITY;
    hrr_progress_begin(progress, "training", o->epochs);
    const double began = now();
    uint32_t epoch = 0;
    for (;; epoch++) {
        double train = 0;
        const double valid = valid_loss(f);
        if (f->n_valid && !isfinite(valid)) return hrr_fail_diverged(summary, epoch, o, err);
        if (f->n_valid) look_at(f, summary, &best_loss, valid, epoch);
        if (epoch == o->epochs || (f->n_valid && epoch - summary->best_epoch >= o->patience)) break;
        deal(f, epoch);
        hrr_status status = run_steps(&train, f, progress, err);
        if (status) return status;
        if (!isfinite(train)) return hrr_fail_diverged(summary, epoch, o, err);
        if (o->seen) o->seen(o->seen_user, epoch, train, valid);
        if ((status = hrr_progress_advance(progress, 1, err))) return status;
    }
    summary->epochs = epoch;
    summary->seconds_per_epoch = (now() - began) / (epoch ? epoch : 1);
    if (f->n_valid)
        memcpy(f->model->parameters, f->best, f->model->n_parameters * sizeof *f->best);
    else
        summary->best_epoch = epoch;
    return HRR_OK;
}

hrr_status hrr_fit_batches(hrr_model *model, hrr_train_summary *summary, const hrr_graph *graph,
                           const hrr_train_options *options, hrr_progress *progress, hrr_error *err)
{
    fitting f = {.options = options, .model = model, .all = hrr_targets_of(graph)};
    hrr_status status = prepare(&f, graph, progress, err);
    if (!status) {
        const unsigned before = hrr_denormals_flush(f.pass.threads);
        status = run_epochs(&f, summary, progress, err);
        hrr_denormals_restore(before, f.pass.threads);
    }
    clear(&f);
    return status;
}
