/* training_run.c: see training_run.h.
 *
 * Marks, split, noise and first weights come from the run's seed, each from a stream of its own,
 * and do not know of the treatment: that is what pairs treatments. Features are released once, and
 * whatever needs them takes those: the network, and the network before it that predicts the blocks
 * of edgerr-node from public edges.
 *
 * Protected features are propagated and then standardised, which is post-processing. Without it
 * networks do not get off the ground: randomised features share a mean that is far larger than what
 * sets them apart (Cora, random features, accuracy 31 of 100 with and 84 without it). */
#include "experiment/predicted_links.h"
#include "experiment/training_learner.h"
#include "experiment/treatments.h"
#include "experiment/volunteers.h"
#include "certificate/release.h"
#include "feature/reports.h"
#include "graph/aggregator.h"
#include "graph/copy.h"
#include "graph/diffuse.h"
#include "learn/need.h"
#include "base/memory.h"
#include "release/draws.h"

#include <heterorr/release.h>

#include <math.h>
#include <string.h>

typedef struct run {
    const hrr_graph *graph;
    const hrr_training_setting *setting;
    hrr_edge_half edges; /* the setting's */
    const hrr_training_sweep_options *options;
    hrr_kept *kept;
    hrr_progress *progress;
    uint64_t seed;
    hrr_graph *marked; /* private edges as they are in this run */
    hrr_random *edge_random;
    hrr_dense features;   /* released, or a view of the graph's where they are left as they are */
    bool keeps_features;  /* another network will need them */
    uint32_t report_size; /* of reports of a head's answers */
    uint8_t *volunteers;  /* n bytes; NULL: nobody shows anything */
    hrr_head head;        /* from volunteers, if no other is given */
    hrr_training_outcome found;
} run;

/* ---- release --------------------------------------------------------------------------------- */

static hrr_status release_features(run *self, hrr_error *err)
{
    const hrr_feature_half features = hrr_feature_half_of(self->setting->features);
    if (!features.mechanism) return HRR_OK; /* nobody looks at them */
    if (features.mechanism->effect == HRR_EFFECT_KEEP) {
        self->found.realised_eps_features = INFINITY;
        if (hrr_features_are_kept(features)) /* else a head looks at them, and nobody beside it */
            self->features = hrr_dense_view(hrr_graph_features(self->graph));
        return HRR_OK;
    }
    static const uint64_t apart = UINT64_C(0x6665617475726573); /* from the noise of edges */
    hrr_random *random = NULL;
    hrr_feature_claim claim = {0};
    const hrr_feature_options how = hrr_training_feature_options(self->setting, self->options);
    hrr_status status = hrr_random_new_insecure(&random, self->seed ^ apart, err);
    if (!status)
        status = hrr_draw_features(&self->features, &claim, self->graph, &how, 1, random,
                                   self->progress, err);
    if (!status) self->found.realised_eps_features = claim.realised_eps;
    self->report_size = claim.report_size;
    hrr_random_free(random);
    return status;
}

static hrr_edge_options edge_options(const run *self, const hrr_edge_mechanism *mechanism)
{
    hrr_edge_options how;
    hrr_edge_options_init(&how);
    how.mechanism = mechanism->name;
    if (mechanism->effect == HRR_EFFECT_PROTECT) how.eps_nano = self->setting->eps_edges_nano;
    if (mechanism->chooses_tree) how.tree = self->options->tree;
    how.threads = 1;
    return how;
}

static hrr_status release_edges(hrr_graph **out, run *self, const hrr_edge_mechanism *mechanism,
                                const uint32_t *blocks, uint32_t n_blocks, hrr_error *err)
{
    hrr_edge_claim claim;
    hrr_edge_options how = edge_options(self, mechanism);
    how.blocks = blocks;
    how.n_blocks = n_blocks;
    hrr_status status =
        hrr_draw_edges(out, &claim, self->marked, &how, self->edge_random, self->progress, err);
    if (status) return status;
    self->found.realised_eps_edges = claim.realised_eps;
    self->found.edges_released = hrr_graph_n_edges(*out);
    return HRR_OK;
}

/* ---- the graph to learn from ----------------------------------------------------------------- */

/* Features, averaged over the edges of `released`. What is not needed any more is let go of:
 * features are most of the memory of a run. */
static hrr_status add_features(hrr_graph *released, run *self, hrr_error *err)
{
    if (!self->features.data) return HRR_OK;
    const uint32_t steps = self->setting->propagate;
    hrr_dense x = hrr_dense_view(&self->features);
    hrr_status status = HRR_OK;
    if (steps)
        status = hrr_graph_propagate(&x, released, &self->features, steps, 1, self->progress, err);
    if (status) return status;
    const bool copied = x.data != self->features.data;
    status = hrr_graph_take_features(released, &x, err);
    if (copied) hrr_dense_clear(&x);
    if (copied && !self->keeps_features) hrr_dense_clear(&self->features);
    return status;
}

/* A split that is dealt, which is the same whenever it is asked for; hrr_free(). */
static hrr_status deal(uint8_t **split, const run *self, hrr_error *err)
{
    hrr_error failed = {0};
    double train, valid;
    hrr_training_shares(&train, &valid, self->setting, self->options);
    *split = hrr_split_new(hrr_graph_n_nodes(self->graph), train, valid, self->seed, &failed);
    if (!*split && err) *err = failed;
    return failed.status;
}

static hrr_status add_split(hrr_graph *released, const run *self, hrr_error *err)
{
    uint8_t *split = NULL;
    if (self->options->own_split)
        return hrr_graph_add_parts(released, self->graph, HRR_COPY_SPLIT, err);
    hrr_status status = deal(&split, self, err);
    if (!status) status = hrr_graph_take_split(released, &split, err);
    hrr_free(split);
    return status;
}

static hrr_status add_reports(hrr_release *released, const run *self, hrr_error *err)
{
    const hrr_feature_options how = hrr_training_feature_options(self->setting, self->options);
    const bool noiseless =
        hrr_feature_half_of(self->setting->features).learner == HRR_LEARNER_ANSWERS;
    uint64_t *eps_nano = hrr_alloc(how.head->weight.cols, sizeof *eps_nano);
    hrr_status status = eps_nano ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_head_budgets(eps_nano, how.head, how.eps_nano, err);
    if (!status && noiseless)
        status = hrr_reports_of_answers(&released->reports, how.head,
                                        hrr_graph_features(self->graph), err);
    else if (!status)
        status = hrr_reports_read(&released->reports, hrr_graph_features(released->graph),
                                  self->report_size, eps_nano, err);
    /* Of those that the head has learnt from it knows more than of others. */
    const uint32_t k = released->reports.n_answers;
    for (uint64_t i = 0; !status && self->volunteers && i < released->reports.n_nodes; i++)
        if (self->volunteers[i]) memset(released->reports.named + i * k, HRR_REPORT_SILENT, k);
    hrr_free(eps_nano);
    return status;
}

/* The graph with its drawn edges becomes a release: with features, labels and a split. */
static hrr_status complete(hrr_release **out, hrr_graph **drawn, run *self, hrr_error *err)
{
    hrr_status status = add_features(*drawn, self, err);
    if (!status)
        status = hrr_graph_add_parts(*drawn, self->graph, HRR_COPY_LABELS | HRR_COPY_AS_VIEWS, err);
    if (!status) status = add_split(*drawn, self, err);
    if (!status) status = hrr_release_take_non_private(out, drawn, err);
    if (!status && hrr_features_are_answers(hrr_feature_half_of(self->setting->features)))
        status = add_reports(*out, self, err);
    return status;
}

/* ---- train ----------------------------------------------------------------------------------- */

/* What volunteers show goes over the edges that there are in the release. */
static hrr_status train(hrr_dense *logits, run *self, const hrr_release *released, hrr_error *err)
{
    enum { steps = 40 }; /* as published */
    const hrr_dense *features = hrr_graph_features(self->graph);
    hrr_dense shown = {0};
    hrr_status status = HRR_OK;
    if (self->volunteers && hrr_learns_from_shown(hrr_feature_half_of(self->setting->features)))
        status = hrr_graph_diffuse(&shown, hrr_release_graph(released), features, self->volunteers,
                                   steps, 1, self->progress, err);
    if (!status)
        status = hrr_training_learn(logits, &self->found, released, self->setting, self->options,
                                    features->cols, shown.data ? &shown : NULL, self->kept,
                                    self->progress, err);
    hrr_dense_clear(&shown);
    return status;
}

/* Release edges by one call and learn. logits may be NULL, and stay empty if training diverged. */
static hrr_status learn(hrr_release **released, hrr_dense *logits, run *self,
                        const hrr_edge_mechanism *mechanism, const uint32_t *blocks,
                        uint32_t n_blocks, hrr_error *err)
{
    hrr_graph *drawn = NULL;
    hrr_status status = release_edges(&drawn, self, mechanism, blocks, n_blocks, err);
    if (!status && self->edges.learns_from == HRR_LEARNS_FROM_PREDICTED_LINKS)
        status = hrr_add_predicted_links(&drawn, self->progress, err);
    if (!status) status = complete(released, &drawn, self, err);
    if (!status) status = train(logits, self, *released, err);
    hrr_graph_free(drawn);
    return status;
}

static hrr_status learn_without_edges(run *self, hrr_error *err)
{
    hrr_graph *without_edges = NULL;
    hrr_release *released = NULL;
    hrr_status status = hrr_graph_copy(&without_edges, self->graph, 0, err);
    if (!status) status = complete(&released, &without_edges, self, err);
    if (!status) status = train(NULL, self, released, err);
    hrr_release_free(released);
    hrr_graph_free(without_edges);
    return status;
}

/* Nothing is released and nothing learnt; labels and split are those of every other run. */
static hrr_status guess(run *self, hrr_error *err)
{
    hrr_graph *bare = NULL;
    hrr_metrics parts[3];
    hrr_status status = hrr_progress_advance(self->progress, 0, err);
    if (!status) status = hrr_graph_copy(&bare, self->graph, 0, err);
    if (!status) status = add_split(bare, self, err);
    if (!status)
        status = hrr_measure_majority(parts, hrr_graph_classes(self->graph),
                                      hrr_graph_label_matrix(self->graph),
                                      hrr_graph_n_classes(self->graph),
                                      hrr_graph_n_nodes(self->graph), hrr_graph_split(bare), err);
    if (!status) {
        self->found.valid = parts[HRR_VALID];
        self->found.test = parts[HRR_TEST];
    }
    hrr_graph_free(bare);
    return status;
}

/* ---- edgerr-node ----------------------------------------------------------------------------- */

/* What is free becomes that and counts together. A pair is counted at the end that needs it, as
 * protect does by default. Several labels a node: blocks are communities, and nodes with fewer
 * public edges need more. */
static hrr_status add_counts(hrr_dense *logits, run *self, const hrr_graph *known, hrr_error *err)
{
    const int32_t *classes = hrr_graph_classes(known);
    hrr_block_counts counts;
    hrr_edge_release drawn = {.n_parts = 0};
    hrr_count_model model = {0};
    hrr_edge_claim claim;
    hrr_edge_options how = edge_options(self, self->edges.mechanism);
    how.n_blocks = classes ? (uint32_t)logits->cols : 0;
    const bool opposes = classes && hrr_rivals_help(how.n_blocks);
    uint32_t *blocks = classes ? hrr_alloc(logits->rows, sizeof *blocks) : NULL;
    uint32_t *need = classes ? hrr_alloc(logits->rows, sizeof *need) : NULL;
    uint32_t *rivals = opposes ? hrr_alloc(logits->rows, 2 * sizeof *rivals) : NULL;
    how.blocks = blocks;
    how.need = need;
    how.rivals = rivals;
    hrr_status status =
        ((blocks && need) || !classes) && (rivals || !opposes) ? HRR_OK : hrr_no_memory(err);
    if (!status && classes)
        status = hrr_blocks_of_scores(blocks, need, rivals, logits, classes, hrr_graph_split(known),
                                      err);
    if (!status)
        status = hrr_draw_counts(&counts, &drawn, &claim, self->marked, &how, self->edge_random,
                                 self->progress, err);
    if (status) goto done;
    self->found.realised_eps_edges = claim.realised_eps;
    status = hrr_count_model_fit(&model, logits, &counts, known, 0, 1, self->progress, err);
    if (!status) status = hrr_count_model_apply(logits, &model, &counts, known, 1, err);
    if (!status) status = hrr_training_measure(&self->found, logits, known, err);
done:
    hrr_free(blocks);
    hrr_free(need);
    hrr_free(rivals);
    hrr_count_model_clear(&model);
    hrr_edge_release_clear(&drawn);
    return status;
}

/* Labels, split and public edges, without a network. */
static hrr_status release_public(hrr_release **known, run *self, hrr_error *err)
{
    hrr_graph *drawn = NULL;
    hrr_status status =
        release_edges(&drawn, self, hrr_edge_mechanism_with(HRR_EFFECT_LEAVE_OUT), NULL, 0, err);
    if (!status) status = complete(known, &drawn, self, err);
    hrr_graph_free(drawn);
    return status;
}

/* What is free, put together: learnt, unless another setting of the run has. logits stay empty if
 * training diverged. */
static hrr_status learn_what_is_free(hrr_release **known, hrr_dense *logits, run *self,
                                     hrr_error *err)
{
    hrr_kept_scores base;
    hrr_status status = hrr_kept_find(&base, self->kept, HRR_KEPT_BASE, self->setting, err);
    if (!status && base.scores.data) {
        self->found.epochs = base.epochs;
        self->found.best_epoch = base.best_epoch;
        *logits = base.scores;
        status = release_public(known, self, err);
        if (!status)
            status = hrr_training_measure(&self->found, logits, hrr_release_graph(*known), err);
        return status;
    }
    if (!status)
        status =
            learn(known, logits, self, hrr_edge_mechanism_with(HRR_EFFECT_LEAVE_OUT), NULL, 0, err);
    if (status || self->found.diverged) return status;
    status = hrr_training_join_base(logits, &self->found, *known, self->setting, self->options,
                                    hrr_graph_features(self->graph)->cols, self->progress, err);
    base.scores = *logits;
    base.epochs = self->found.epochs;
    base.best_epoch = self->found.best_epoch;
    return status ? status : hrr_kept_add(self->kept, &base, err);
}

static hrr_status measure_what_is_free(run *self, hrr_error *err)
{
    hrr_release *known = NULL;
    hrr_dense logits = {0};
    hrr_status status = learn_what_is_free(&known, &logits, self, err);
    hrr_dense_clear(&logits);
    hrr_release_free(known);
    return status;
}

/* What is free learns from public edges. What it predicts are the blocks that private edges are
 * counted into (with several labels a node, communities of the public edges are); the counts then
 * join it. */
static hrr_status learn_from_counts(run *self, hrr_error *err)
{
    hrr_release *known = NULL;
    hrr_dense logits = {0};
    hrr_status status = learn_what_is_free(&known, &logits, self, err);
    if (!status && !self->found.diverged)
        status = add_counts(&logits, self, hrr_release_graph(known), err);
    hrr_dense_clear(&logits);
    hrr_release_free(known);
    return status;
}

/* The counts become edges for a second network. A first one, on public edges, predicts the blocks.
 */
static hrr_status learn_from_counted_edges(run *self, hrr_error *err)
{
    hrr_release *known = NULL, *released = NULL;
    hrr_dense logits = {0};
    uint32_t *blocks = NULL;
    self->keeps_features = true;
    hrr_status status =
        learn(&known, &logits, self, hrr_edge_mechanism_with(HRR_EFFECT_LEAVE_OUT), NULL, 0, err);
    if (status || self->found.diverged) goto done;
    if (!(blocks = hrr_alloc(logits.rows, sizeof *blocks))) {
        status = hrr_no_memory(err);
        goto done;
    }
    const hrr_graph *graph = hrr_release_graph(known);
    hrr_likely_classes(blocks, &logits, hrr_graph_classes(graph), hrr_graph_split(graph));
    self->keeps_features = false;
    status =
        learn(&released, NULL, self, self->edges.mechanism, blocks, (uint32_t)logits.cols, err);
done:
    hrr_free(blocks);
    hrr_dense_clear(&logits);
    hrr_release_free(known);
    hrr_release_free(released);
    return status;
}

/* ---- volunteers ------------------------------------------------------------------------------ */

/* Who volunteers in this run and, unless there is a head, what it has learnt from them. own: the
 * options of the run with that head. */
static hrr_status find_volunteers(run *self, hrr_training_sweep_options *own, hrr_error *err)
{
    const hrr_training_sweep_options *o = self->options;
    const hrr_feature_half features = hrr_feature_half_of(self->setting->features);
    uint8_t *dealt = NULL;
    if (!(o->volunteer_share > 0) || !hrr_learns_from_shown(features)) return HRR_OK;
    hrr_status status = o->own_split ? HRR_OK : deal(&dealt, self, err);
    if (!status)
        status = hrr_volunteers_draw(
            &self->volunteers, dealt ? dealt : hrr_graph_split(self->graph),
            hrr_graph_n_nodes(self->graph), o->volunteer_share, self->seed, err);
    hrr_free(dealt);
    if (status || !hrr_features_are_answers(features) || o->features.head) return status;
    status = hrr_volunteers_head(&self->head, self->graph, self->volunteers, self->progress, err);
    *own = *o;
    own->features.head = &self->head;
    self->options = own;
    return status;
}

/* ---- together -------------------------------------------------------------------------------- */

static hrr_status learn_from_edges(run *self, hrr_error *err)
{
    hrr_release *released = NULL;
    hrr_status status = learn(&released, NULL, self, self->edges.mechanism, NULL, 0, err);
    hrr_release_free(released);
    return status;
}

static hrr_status release_and_learn(run *self, hrr_error *err)
{
    if (!self->edges.mechanism) return learn_without_edges(self, err);
    switch (self->edges.learns_from) {
    case HRR_LEARNS_FROM_WHAT_IS_FREE:
        return measure_what_is_free(self, err);
    case HRR_LEARNS_FROM_COUNTS:
        return learn_from_counts(self, err);
    case HRR_LEARNS_FROM_COUNTED_EDGES: /* blocks are classes; without, they are communities */
        if (hrr_graph_classes(self->graph)) return learn_from_counted_edges(self, err);
        return learn_from_edges(self, err);
    default:
        return learn_from_edges(self, err);
    }
}

hrr_status hrr_training_run(hrr_training_outcome *out, const hrr_graph *graph,
                            const hrr_training_setting *setting,
                            const hrr_training_sweep_options *options, hrr_kept *kept,
                            hrr_progress *progress, hrr_error *err)
{
    hrr_training_sweep_options own;
    run self = {.graph = graph,
                .setting = setting,
                .edges = hrr_edge_half_of(setting->edges),
                .options = options,
                .kept = kept,
                .progress = progress,
                .seed = options->seed + setting->run};
    const double fraction =
        setting->fraction == HRR_ANY_FRACTION ? HRR_AS_MARKED : setting->fraction;
    if (self.edges.learns_from == HRR_LEARNS_FROM_NOTHING) {
        const hrr_status status = guess(&self, err);
        *out = self.found;
        return status;
    }
    hrr_status status = hrr_marked_copy(&self.marked, graph, fraction, self.seed, err);
    if (!status) status = hrr_random_new_insecure(&self.edge_random, self.seed, err);
    if (!status) status = find_volunteers(&self, &own, err);
    if (!status) status = release_features(&self, err);
    if (!status) status = release_and_learn(&self, err);
    *out = self.found;
    hrr_dense_clear(&self.features);
    hrr_head_clear(&self.head);
    hrr_free(self.volunteers);
    hrr_random_free(self.edge_random);
    hrr_graph_free(self.marked);
    return status;
}
