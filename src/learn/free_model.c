/* free_model.c: see free_model.h.
 *
 * Each part is good somewhere: labels that are spread where neighbours are alike and few are
 * labelled, node rows where many are, the inputs of free_inputs.h where neighbours are not alike or
 * it matters how many they are. Which one it is here validation nodes tell, and whether others add
 * to it (fusion.h). */
#include "learn/free_model.h"
#include "learn/cross_entropy.h"
#include "learn/fit.h"
#include "learn/free_inputs.h"
#include "learn/measure_logits.h"
#include "base/memory.h"

#include <math.h>

enum { row_steps = 4 };
static const double inputs_decay = 5e-3; /* there are many of them where labels are few */

typedef struct fitting {
    const hrr_graph *graph;
    const hrr_dense *shown; /* or NULL */
    const hrr_train_options *options;
    hrr_targets targets;
    uint64_t n_valid;
    hrr_dense scores[HRR_N_FREE_PARTS];
    double loss[HRR_N_FREE_PARTS];
} fitting;

void hrr_free_model_clear(hrr_free_model *model)
{
    hrr_dense_clear(&model->scores);
    *model = (hrr_free_model){0};
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Training that diverges leaves the part empty. */
static hrr_status fit_network(fitting *f, hrr_free_part part, const hrr_graph *graph,
                              const hrr_train_options *how, hrr_progress *progress, hrr_error *err)
{
    hrr_train_summary summary = {0};
    hrr_error failed = {0};
    hrr_model *model = NULL;
    hrr_status status = hrr_fit(&model, &summary, graph, how, progress, &failed);
    if (summary.diverged) return HRR_OK;
    if (status && err) *err = failed;
    if (!status)
        status = hrr_forward(&f->scores[part], model, graph, NULL, how->threads, progress, err);
    hrr_model_free(model);
    return status;
}

static hrr_status fit_rows(fitting *f, hrr_progress *progress, hrr_error *err)
{
    hrr_train_options how = *f->options;
    how.arch = HRR_ARCH_GCN;
    how.node_rows = true;
    how.n_propagate = row_steps;
    return fit_network(f, HRR_FREE_ROWS, f->graph, &how, progress, err);
}

static hrr_status fit_on_inputs(fitting *f, hrr_dense *inputs, hrr_progress *progress,
                                hrr_error *err)
{
    hrr_train_options how = *f->options;
    hrr_graph *graph = NULL;
    how.arch = HRR_ARCH_MLP;
    how.node_rows = false;
    how.n_propagate = 0;
    how.scale = HRR_SCALE_STANDARD;
    how.weight_decay = inputs_decay;
    hrr_status status =
        hrr_graph_copy(&graph, f->graph, HRR_COPY_LABELS | HRR_COPY_SPLIT | HRR_COPY_AS_VIEWS, err);
    if (!status) status = hrr_graph_take_features(graph, inputs, err);
    how.n_layers = 1;
    if (!status) status = fit_network(f, HRR_FREE_LOGISTIC, graph, &how, progress, err);
    how.n_layers = 2;
    if (!status) status = fit_network(f, HRR_FREE_MLP, graph, &how, progress, err);
    hrr_graph_free(graph);
    return status;
}

/* A network with edges on what volunteers show. */
static hrr_status fit_shown(fitting *f, hrr_progress *progress, hrr_error *err)
{
    hrr_train_options how = *f->options;
    hrr_graph *graph = NULL;
    hrr_dense shown = hrr_dense_view(f->shown);
    how.arch = HRR_ARCH_GCN;
    how.node_rows = false;
    how.n_propagate = 0;
    how.scale = HRR_SCALE_BOUNDED;
    hrr_status status =
        hrr_graph_copy(&graph, f->graph,
                       HRR_COPY_EDGES | HRR_COPY_LABELS | HRR_COPY_SPLIT | HRR_COPY_AS_VIEWS, err);
    if (!status) status = hrr_graph_take_features(graph, &shown, err);
    if (!status) status = fit_network(f, HRR_FREE_SHOWN, graph, &how, progress, err);
    hrr_graph_free(graph);
    return status;
}

static hrr_status fit_parts(fitting *f, hrr_progress *progress, hrr_error *err)
{
    const int threads = f->options->threads;
    hrr_label_spread spread;
    hrr_dense inputs = {0};
    hrr_status status = hrr_label_propagation(&f->scores[HRR_FREE_LABELS], &spread, f->graph,
                                              threads, progress, err);
    if (status || !f->n_valid) return status;
    status = fit_rows(f, progress, err);
    if (!status) status = hrr_free_inputs(&inputs, f->graph, spread, threads, progress, err);
    if (!status) status = fit_on_inputs(f, &inputs, progress, err);
    if (!status && f->shown) status = fit_shown(f, progress, err);
    hrr_dense_clear(&inputs);
    return status;
}

/* ---- together -------------------------------------------------------------------------------- */

static hrr_free_part find_best(fitting *f)
{
    hrr_free_part best = HRR_FREE_LABELS;
    for (int part = 0; part < HRR_N_FREE_PARTS; part++) {
        f->loss[part] = NAN;
        if (!f->scores[part].data || !f->n_valid) continue;
        f->loss[part] = hrr_cross_entropy(f->scores[part].data, &f->targets, HRR_VALID, f->n_valid,
                                          false, f->options->threads);
        if (f->loss[part] < f->loss[best]) best = (hrr_free_part)part;
    }
    return best;
}

/* The scores of the best part become those of all. */
static hrr_status fuse(hrr_free_model *out, fitting *f, hrr_error *err)
{
    hrr_dense others[HRR_N_FREE_PARTS];
    hrr_fusion_options how;
    uint32_t n = 0;
    hrr_fusion_options_init(&how);
    how.prior[1] = 0;
    how.label_eps = fmax(f->options->label_eps, 0);
    how.threads = f->options->threads;
    for (int part = 0; part < HRR_N_FREE_PARTS; part++)
        if (part != (int)out->best && f->scores[part].data) others[n++] = f->scores[part];
    hrr_dense *best = &f->scores[out->best];
    hrr_status status = hrr_fusion_fit(&out->fusion, best, others, n, &f->targets, &how, err);
    if (!status)
        hrr_fusion_apply(best, &out->fusion, others,
                         f->targets.classes ? HRR_OUTPUT_SOFTMAX : HRR_OUTPUT_SIGMOID, how.threads);
    return status;
}

hrr_status hrr_free_model_fit(hrr_free_model *out, const hrr_graph *graph, const hrr_dense *shown,
                              const hrr_train_options *options, hrr_progress *progress,
                              hrr_error *err)
{
    fitting f = {.graph = graph, .shown = shown, .options = options};
    *out = (hrr_free_model){.fusion = {.n_terms = 1, .weight = {1}, .gain = NAN}};
    if ((!hrr_graph_classes(graph) && !hrr_graph_label_matrix(graph)) || !hrr_graph_split(graph))
        return hrr_fail(err, HRR_EDATA, "the graph has no labels to learn from, or no split");
    f.targets = hrr_targets_of(graph);
    f.n_valid = hrr_count_targets(&f.targets, HRR_VALID);
    hrr_status status = fit_parts(&f, progress, err);
    if (status) goto done;
    out->best = find_best(&f);
    for (int part = 0; part < HRR_N_FREE_PARTS; part++)
        out->valid_loss[part] = f.loss[part];
    if (f.n_valid && (status = fuse(out, &f, err))) goto done;
    out->scores = f.scores[out->best];
    f.scores[out->best] = (hrr_dense){0};
    if (f.targets.classes) hrr_to_log_probabilities(&out->scores, options->threads);
done:
    for (int part = 0; part < HRR_N_FREE_PARTS; part++)
        hrr_dense_clear(&f.scores[part]);
    if (status) hrr_free_model_clear(out);
    return status;
}
