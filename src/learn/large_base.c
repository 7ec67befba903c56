/* large_base.c: see large_base.h.
 *
 * The base of smaller graphs has up to six parts, all of which are trained on the whole graph in
 * each of 200 epochs. Of these, a sign network takes the place of those on features, with edges and
 * without: the features themselves are among its inputs. A row of weights for every node is left
 * out: with so many nodes it would be most of the work and of the memory. What labels tell is left
 * to one network on the labels one, two and four steps away.
 *
 * An epoch of half a million nodes has as many steps as 120 epochs of a small graph, so that some
 * 2^23 rows, however many epochs they are, suffice. */
#include "learn/large_base.h"
#include "learn/cross_entropy.h"
#include "learn/fit.h"
#include "learn/free_inputs.h"
#include "learn/fusion.h"
#include "base/memory.h"
#include "random/fast.h"

#include <math.h>
#include <string.h>

enum {
    large_from = 1 << 20,
    rows_seen = 1 << 23,  /* in training, by each network */
    most_valid = 1 << 16, /* nodes that tell when to stop */
    fewest_epochs = 4,
    n_hidden = 64
};
static const hrr_label_spread far_labels = {.alpha = .8, .steps = 4, .prior = .03};
static const uint64_t thinning = UINT64_C(0x7468696e); /* the stream that validation nodes draw */

enum { FEATURES, LABELS, N_PARTS };

bool hrr_base_is_large(uint64_t n_nodes, uint64_t n_edges)
{
    return n_nodes + n_edges >= large_from;
}

double hrr_large_base_seconds(uint64_t n_nodes, uint64_t n_edges, uint64_t d, uint32_t n_classes)
{
    const double n = (double)n_nodes, m = (double)n_edges, c = n_classes;
    const double spreading = 2e-9 * (m + n) * (2 * (double)d + 28 * c);
    const double training = 0.4e-9 * n_hidden * rows_seen * (3 * (double)d + 4 * c + 8);
    return spreading + training;
}

/* ---- fewer validation nodes ------------------------------------------------------------------ */

/* The same graph, most of whose validation nodes are test nodes if it has too many. */
static hrr_status thin(hrr_graph **out, const hrr_graph *graph, uint64_t seed, hrr_error *err)
{
    const hrr_targets targets = hrr_targets_of(graph);
    const double n_valid = (double)hrr_count_targets(&targets, HRR_VALID);
    uint8_t *split = hrr_alloc(targets.n, 1);
    if (!split) return hrr_no_memory(err);
    for (uint64_t i = 0; i < targets.n; i++) {
        split[i] = targets.split[i];
        if (split[i] != HRR_VALID) continue;
        hrr_fast_random coin;
        hrr_fast_init(&coin, seed ^ thinning, i);
        if (hrr_fast_uniform(&coin) * n_valid >= most_valid) split[i] = HRR_TEST;
    }
    hrr_status status = hrr_graph_copy(
        out, graph, HRR_COPY_EDGES | HRR_COPY_FEATURES | HRR_COPY_LABELS | HRR_COPY_AS_VIEWS, err);
    if (!status) status = hrr_graph_take_split(*out, &split, err);
    hrr_free(split);
    return status;
}

/* ---- networks -------------------------------------------------------------------------------- */

static uint32_t epochs_for(uint64_t n_train, uint32_t most)
{
    const uint64_t epochs = rows_seen / (n_train ? n_train : 1);
    return epochs < fewest_epochs ? fewest_epochs : epochs < most ? (uint32_t)epochs : most;
}

static hrr_status train(hrr_dense *logits, const hrr_graph *graph, const hrr_train_options *how,
                        hrr_progress *progress, hrr_error *err)
{
    hrr_train_summary summary;
    hrr_model *model = NULL;
    hrr_status status = hrr_fit_in_batches(&model, &summary, graph, how, progress, err);
    if (!status) status = hrr_forward(logits, model, graph, NULL, how->threads, progress, err);
    hrr_model_free(model);
    return status;
}

static hrr_status train_on_labels(hrr_dense *logits, const hrr_graph *graph,
                                  const hrr_train_options *options, hrr_progress *progress,
                                  hrr_error *err)
{
    hrr_train_options how = *options;
    hrr_graph *around = NULL;
    hrr_dense inputs = {0};
    how.arch = HRR_ARCH_MLP;
    how.n_propagate = 0;
    how.scale = HRR_SCALE_STANDARD;
    hrr_status status =
        hrr_graph_copy(&around, graph, HRR_COPY_LABELS | HRR_COPY_SPLIT | HRR_COPY_AS_VIEWS, err);
    if (!status) status = hrr_free_inputs(&inputs, graph, far_labels, how.threads, progress, err);
    if (!status) status = hrr_graph_take_features(around, &inputs, err);
    if (!status) status = train(logits, around, &how, progress, err);
    hrr_dense_clear(&inputs);
    hrr_graph_free(around);
    return status;
}

/* ---- together -------------------------------------------------------------------------------- */

/* scores[0] becomes what both say. The part whose loss is lower is the one that the other adds to.
 */
static hrr_status fuse(hrr_dense scores[N_PARTS], const hrr_graph *graph, double label_eps,
                       int threads, hrr_error *err)
{
    const hrr_targets targets = hrr_targets_of(graph);
    const uint64_t n_valid = hrr_count_targets(&targets, HRR_VALID);
    double loss[N_PARTS];
    hrr_fusion_options how;
    hrr_fusion found;
    for (int part = 0; part < N_PARTS; part++)
        loss[part] =
            hrr_cross_entropy(scores[part].data, &targets, HRR_VALID, n_valid, false, threads);
    if (loss[LABELS] < loss[FEATURES]) {
        const hrr_dense better = scores[LABELS];
        scores[LABELS] = scores[FEATURES];
        scores[FEATURES] = better;
    }
    hrr_fusion_options_init(&how);
    how.prior[1] = 0;
    how.label_eps = fmax(label_eps, 0);
    how.threads = threads;
    hrr_status status = hrr_fusion_fit(&found, &scores[0], &scores[1], 1, &targets, &how, err);
    if (!status) hrr_fusion_apply(&scores[0], &found, &scores[1], HRR_OUTPUT_SOFTMAX, threads);
    return status;
}

hrr_status hrr_large_base(hrr_dense *logits, const hrr_graph *graph,
                          const hrr_train_options *options, hrr_progress *progress, hrr_error *err)
{
    hrr_train_options how = *options;
    hrr_graph *thinned = NULL;
    hrr_dense scores[N_PARTS] = {0};
    const hrr_targets targets = hrr_targets_of(graph);
    const int threads = hrr_threads(options->threads);
    *logits = (hrr_dense){0};
    if (!targets.classes || !targets.split)
        return hrr_fail(err, HRR_EDATA, "the graph has no classes to learn, or no split");
    how.arch = HRR_ARCH_SIGN;
    how.n_propagate = HRR_USUAL_HOPS;
    how.n_hidden = n_hidden;
    how.label_eps = 0;
    how.epochs = epochs_for(hrr_count_targets(&targets, HRR_TRAIN), options->epochs);
    how.patience = how.epochs; /* none is left out; the best are kept */
    hrr_status status = thin(&thinned, graph, how.seed, err);
    if (!status) status = train(&scores[FEATURES], thinned, &how, progress, err);
    const bool can_tell = hrr_count_targets(&targets, HRR_VALID) > 0;
    if (!status && can_tell)
        status = train_on_labels(&scores[LABELS], thinned, &how, progress, err);
    if (!status && can_tell) status = fuse(scores, thinned, options->label_eps, threads, err);
    if (!status) {
        *logits = scores[0];
        scores[0] = (hrr_dense){0};
    }
    for (int part = 0; part < N_PARTS; part++)
        hrr_dense_clear(&scores[part]);
    hrr_graph_free(thinned);
    return status;
}
