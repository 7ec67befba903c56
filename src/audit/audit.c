/* audit.c: every mechanism against its claim, and controls against the audit.
 *
 * A mechanism is a black box here: plan it, run it on two inputs at opposite ends of the public
 * bounds (for one feature, and for two, to see budgets add up), or on tiny graphs that differ in
 * one private edge, and count what comes out. Its claim holds if the epsilon that it proves for
 * itself and the lower bound from the counts are both at most what was asked for. A count never
 * proves a claim; it can only refute it. */
#include "audit/controls.h"
#include "audit/degree_parts.h"
#include "audit/edges.h"
#include "audit/heads.h"
#include "audit/successive.h"
#include "audit/parts.h"
#include "audit/protect.h"
#include "audit/trials.h"
#include "edge/mechanism.h"
#include "base/memory.h"
#include "base/options.h"

#include <heterorr/audit.h>
#include <heterorr/release.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double audit_delta = 1e-6; /* for mechanisms that need one */
static const float outside_by = 1.5f;   /* bounds: a value without a bound would show */
static const uint64_t row_of_side = UINT64_C(1) << 40;

void hrr_audit_options_init_sized(hrr_audit_options *options, size_t size)
{
    const hrr_audit_options own = {.eps_nano = HRR_EPS_UNIT, .trials = 1000000, .seed = 1};
    hrr_options_init(options, size, &own, sizeof own);
}

static const char protect_name[] = "protect"; /* of the audit of whole releases */

const char *hrr_audit_name(size_t index)
{
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++)
        if (index-- == 0) return (*row)->name;
    if (index-- == 0) return "labels";
    for (const hrr_edge_mechanism *const *row = hrr_edge_mechanisms(); *row; row++) {
        if (hrr_feature_mechanism_find((*row)->name)) continue; /* is there already */
        if (index-- == 0) return (*row)->name;
    }
    return index == 0 ? protect_name : NULL;
}

typedef struct auditor {
    const hrr_audit_options *options;
    const hrr_random *random;
    hrr_progress *progress;
    hrr_audit_row *rows;
    size_t n_rows;
} auditor;

/* The experiment, and the row that it fills in. */
static hrr_status add_row(auditor *self, hrr_audit_row row, const hrr_trials *experiment,
                          uint64_t trials, const char *what, hrr_error *err)
{
    hrr_trials_finding found;
    hrr_status status =
        hrr_audit_trials(&found, experiment, trials, self->options->threads, self->progress, err);
    if (status) return status;
    row.lower_bound = found.lower_bound;
    bool exceeds = row.lower_bound > row.claimed_eps;
    if (row.is_control)
        row.verdict = exceeds ? HRR_HOLDS : HRR_BROKEN;
    else
        row.verdict = exceeds || row.realised_eps > row.claimed_eps ? HRR_BROKEN : HRR_HOLDS;
    snprintf(row.how, sizeof row.how, "%s; %u outcome%s in %llu draws per side", what,
             found.n_outcomes, found.n_outcomes == 1 ? "" : "s", (unsigned long long)trials);
    self->rows[self->n_rows++] = row;
    if (self->options->watch) self->options->watch(self->options->watch_user, &row);
    return HRR_OK;
}

static void set_name(hrr_audit_row *row, const char *prefix, const char *name)
{
    snprintf(row->mechanism, sizeof row->mechanism, "%s%s", prefix, name);
}

static bool wanted(const auditor *self, const char *name)
{
    return !self->options->mechanism || strcmp(self->options->mechanism, name) == 0;
}

/* ---- feature mechanisms --------------------------------------------------------------------- */

typedef struct feature_trial {
    const hrr_feature_plan *plan;
    const hrr_random *random;
    uint64_t n_features;
    float beyond; /* how far outside the bounds the values are */
} feature_trial;

/* Side 0: all features at the lower bound, or below it; side 1: at the upper one, or above. */
static hrr_status run_features(float *out, const void *user, int side, uint64_t first, uint64_t n,
                               hrr_error *err)
{
    const feature_trial *self = user;
    hrr_dense in, released = {.dtype = HRR_F32, .rows = n, .cols = self->n_features, .data = out};
    hrr_status status = hrr_dense_init(&in, HRR_F32, n, self->n_features, err);
    if (status) return status;
    for (uint64_t i = 0; i < n * self->n_features; i++)
        ((float *)in.data)[i] = side ? 1 + self->beyond : -self->beyond;
    status =
        hrr_feature_plan_apply(&released, self->plan, &in, row_of_side * (uint64_t)side + first,
                               self->random, 1, NULL, err);
    hrr_dense_clear(&in);
    return status;
}

static hrr_status audit_feature(auditor *self, const char *name, uint64_t n_features,
                                uint32_t n_bins, float beyond, hrr_error *err)
{
    float along[HRR_TRIAL_WIDTH] = {1, 1};
    const hrr_dense directions = {.dtype = HRR_F32, .rows = 1, .cols = n_features, .data = along};
    hrr_feature_options options;
    hrr_feature_options_init(&options);
    options.mechanism = name;
    options.eps_nano = self->options->eps_nano;
    options.delta = audit_delta;
    options.n_bins = n_bins;
    options.directions = &directions;
    hrr_feature_plan *plan;
    hrr_status status = hrr_feature_plan_new(&plan, n_features, &options, err);
    if (status) return status;

    const hrr_feature_claim claim = hrr_feature_plan_claim(plan);
    const bool claims_budget = claim.realised_eps > 0 && isfinite(claim.realised_eps);
    hrr_audit_row row = {.realised_eps = claim.realised_eps,
                         .claimed_eps = claims_budget
                                            ? (double)options.eps_nano / (double)HRR_EPS_UNIT
                                            : claim.realised_eps};
    set_name(&row, "", name);
    char what[96], bins[32] = "", delta[32] = "";
    const char *const where = beyond > 0 ? ", outside the bounds" : "";
    if (claim.n_bins) snprintf(bins, sizeof bins, ", %u bins", claim.n_bins);
    if (claim.delta > 0) snprintf(delta, sizeof delta, ", delta %g", claim.delta);
    snprintf(what, sizeof what, "%s%s%s%s", n_features == 1 ? "1 feature" : "2 features", where,
             bins, delta);
    const feature_trial trial = {plan, self->random, n_features, beyond};
    const hrr_trials experiment = {run_features, &trial, (uint32_t)n_features, claim.delta, 0};
    status = add_row(self, row, &experiment, self->options->trials, what, err);
    hrr_feature_plan_free(plan);
    return status;
}

static hrr_status audit_head(auditor *self, const char *name, int view, hrr_error *err)
{
    hrr_head_attack attack;
    hrr_status status =
        hrr_head_attack_init(&attack, view, self->options->eps_nano, self->random, err);
    if (status) return status;
    const hrr_trials experiment = {hrr_head_attack_run, &attack, 1, 0, 0};
    hrr_audit_row row = {.realised_eps = hrr_feature_plan_claim(attack.plan).realised_eps,
                         .claimed_eps = (double)self->options->eps_nano / (double)HRR_EPS_UNIT};
    set_name(&row, "", name);
    status = add_row(self, row, &experiment, self->options->trials, attack.what, err);
    hrr_head_attack_clear(&attack);
    return status;
}

/* ---- labels --------------------------------------------------------------------------------- */

typedef struct label_trial {
    uint64_t seed, eps_nano;
    uint32_t n_classes;
} label_trial;

/* Label streams begin anew with each call, so each block of trials has a seed of its own. */
static hrr_status run_labels(float *out, const void *user, int side, uint64_t first, uint64_t n,
                             hrr_error *err)
{
    const label_trial *self = user;
    hrr_random *random = NULL;
    double realised;
    int32_t *label = hrr_alloc(n, sizeof *label);
    if (!label) return hrr_no_memory(err);
    for (uint64_t i = 0; i < n; i++)
        label[i] = side;
    uint64_t seed = self->seed + row_of_side * (uint64_t)(1 + side) + first;
    hrr_status status = hrr_random_new_insecure(&random, seed, err);
    if (!status)
        status = hrr_label_randomise(label, &realised, label, n, self->n_classes, self->eps_nano,
                                     random, err);
    for (uint64_t i = 0; i < n; i++)
        out[i] = (float)label[i];
    hrr_random_free(random);
    hrr_free(label);
    return status;
}

static hrr_status audit_labels(auditor *self, uint32_t n_classes, hrr_error *err)
{
    const label_trial trial = {self->options->seed, self->options->eps_nano, n_classes};
    const hrr_trials experiment = {run_labels, &trial, 1, 0, 0};
    hrr_audit_row row = {.claimed_eps = (double)trial.eps_nano / (double)HRR_EPS_UNIT};
    hrr_status status = hrr_label_randomise(NULL, &row.realised_eps, NULL, 0, n_classes,
                                            trial.eps_nano, self->random, err);
    if (status) return status;
    char what[32];
    set_name(&row, "", "labels");
    snprintf(what, sizeof what, "%u classes", n_classes);
    return add_row(self, row, &experiment, self->options->trials, what, err);
}

/* ---- edge mechanisms ------------------------------------------------------------------------ */

/* A draw is a whole release, about ten times the work of a row of features. */
static uint64_t edge_trials(const auditor *self)
{
    return self->options->trials / 10 > 5000 ? self->options->trials / 10 : 5000;
}

static const char *const view_words[] = {[HRR_VIEW_EDGES] = "released edges",
                                         [HRR_VIEW_NUMBERS] = "released numbers",
                                         [HRR_VIEW_APART] = "differences between a node's counts",
                                         [HRR_VIEW_COUNT] = "a released count alone",
                                         [HRR_VIEW_AMONG] = "one pair of the released edges"};

static const char *const end_words[] = {[HRR_ENDS_USUAL] = "",
                                        [HRR_ENDS_ONE] = " at one end",
                                        [HRR_ENDS_BOTH] = "",
                                        [HRR_ENDS_NEEDED] = " at the end with the greater need"};

/* What the view shows is to cost: everything, or what the tree leaves to the counts. */
static uint64_t claimed_nano(const hrr_edge_claim *claim, hrr_edge_view view)
{
    return claim->eps_nano - (view == HRR_VIEW_COUNT ? claim->eps_tree_nano : 0);
}

static hrr_status audit_edge_view(auditor *self, const hrr_edge_options *options, int which,
                                  hrr_edge_view view, hrr_error *err)
{
    hrr_edge_attack attack;
    bool visible;
    hrr_status status =
        hrr_edge_attack_init(&attack, &visible, options, which, view, self->options->seed, err);
    if (status || !visible) {
        if (!status) hrr_edge_attack_clear(&attack);
        return status;
    }
    const hrr_edge_claim claim = hrr_edge_plan_claim(attack.plan);
    const bool claims_budget = claim.realised_eps > 0 && isfinite(claim.realised_eps);
    const double eps = (double)claimed_nano(&claim, view) / (double)HRR_EPS_UNIT;
    hrr_audit_row row = {.realised_eps = claim.realised_eps,
                         .claimed_eps = claims_budget ? eps : claim.realised_eps};
    if (view == HRR_VIEW_COUNT) row.claimed_eps = row.realised_eps = eps; /* a fraction, exactly */
    snprintf(row.mechanism, sizeof row.mechanism, "%s%s%s", options->mechanism,
             claim.tree ? ", tree " : "", claim.tree ? claim.tree : "");
    char what[96];
    snprintf(what, sizeof what, "%d nodes, %s%s", (int)attack.known.n_nodes, view_words[view],
             options->rivals ? " of two blocks that share a count"
                             : end_words[options->count_ends]);
    /* A pilot only has to order the outcomes; as long as the main run it took 40 % of the time. */
    const hrr_trials experiment = {hrr_edge_attack_run, &attack, attack.width, 0,
                                   edge_trials(self) / 4};
    status = add_row(self, row, &experiment, edge_trials(self), what, err);
    hrr_edge_attack_clear(&attack);
    return status;
}

/* The claim on the first tiny graph, without its texts. */
static hrr_status find_claim(hrr_edge_claim *out, const hrr_edge_options *options, uint64_t seed,
                             hrr_error *err)
{
    hrr_edge_attack attack;
    bool visible;
    hrr_status status =
        hrr_edge_attack_init(&attack, &visible, options, 0, HRR_VIEW_EDGES, seed, err);
    if (status) return status;
    *out = hrr_edge_plan_claim(attack.plan);
    out->statement = out->evidence = NULL;
    hrr_edge_attack_clear(&attack);
    return HRR_OK;
}

/* Two blocks of every node share a count: the edge is added to it, or taken away. */
static hrr_status audit_rivals(auditor *self, const hrr_edge_options *usual, hrr_error *err)
{
    enum { n_nodes = 5 }; /* of tiny graph 1 */
    static const uint32_t blocks[n_nodes] = {0, 0, 0, 1, 1};
    static const uint32_t rivals[2][2 * n_nodes] = {{0, 1, 0, 1, 0, 1, 0, 1, 0, 1},
                                                    {1, 0, 1, 0, 1, 0, 1, 0, 1, 0}};
    hrr_edge_options options = *usual;
    hrr_status status = HRR_OK;
    options.count_ends = HRR_ENDS_NEEDED;
    options.blocks = blocks;
    options.n_blocks = 2;
    for (int i = 0; i < 2 && !status; i++) {
        options.rivals = rivals[i];
        status = audit_edge_view(self, &options, 1, HRR_VIEW_NUMBERS, err);
    }
    return status;
}

static hrr_status audit_edge(auditor *self, const char *name, const char *tree, hrr_error *err)
{
    hrr_edge_options options;
    hrr_edge_options_init(&options);
    options.mechanism = name;
    options.tree = tree;
    options.eps_nano = self->options->eps_nano;
    options.threads = 1;
    options.steps_per_node = 3; /* a chain's budget does not depend on its length; time does */
    hrr_status status = HRR_OK;
    for (int which = 0; which < HRR_TINY_GRAPHS && !status; which++) {
        status = audit_edge_view(self, &options, which, HRR_VIEW_EDGES, err);
        if (!status) status = audit_edge_view(self, &options, which, HRR_VIEW_NUMBERS, err);
    }
    if (!status) status = audit_edge_view(self, &options, HRR_SPARSE_GRAPH, HRR_VIEW_AMONG, err);
    hrr_edge_claim claim = {0};
    if (!status) status = find_claim(&claim, &options, self->options->seed, err);
    if (!status && claim.eps_tree_nano > 0) {
        options.tree_share = .5; /* so that counts with the whole budget would stand out */
        status = audit_edge_view(self, &options, 0, HRR_VIEW_COUNT, err);
    }
    static const hrr_count_ends others[] = {HRR_ENDS_ONE, HRR_ENDS_NEEDED};
    for (int i = 0; i < 2 && !status && claim.count_ends; i++) {
        options.count_ends = others[i];
        status = audit_edge_view(self, &options, 1, HRR_VIEW_NUMBERS, err);
    }
    if (!status && claim.count_ends)
        status = audit_edge_view(self, &options, 1, HRR_VIEW_APART, err);
    if (!status && claim.count_ends) status = audit_rivals(self, &options, err);
    return status;
}

/* Each part of what edgerr-degrees buys, against its share. */
static hrr_status audit_degree_parts(auditor *self, const char *name, hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (int p = 0; p < HRR_N_DEGREE_PARTS && !status; p++) {
        const hrr_degree_attack attack =
            hrr_degree_attack_on((hrr_degree_part)p, self->options->eps_nano, self->options->seed);
        hrr_audit_row row = {.claimed_eps = (double)self->options->eps_nano / (double)HRR_EPS_UNIT,
                             .realised_eps = attack.realised};
        char what[64];
        set_name(&row, "", name);
        snprintf(what, sizeof what, "5 nodes, %s alone, with the whole budget",
                 hrr_degree_shares[p].name);
        const hrr_trials experiment = {hrr_degree_attack_run, &attack, attack.width, 0,
                                       edge_trials(self) / 4};
        status = add_row(self, row, &experiment, edge_trials(self), what, err);
    }
    return status;
}

static hrr_status audit_edges(auditor *self, hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (const hrr_edge_mechanism *const *row = hrr_edge_mechanisms(); *row && !status; row++) {
        const char *name = (*row)->name;
        if (!wanted(self, name) || (*row)->effect == HRR_EFFECT_KEEP) continue;
        if (!(*row)->chooses_tree) status = audit_edge(self, name, NULL, err);
        for (const hrr_edge_tree *const *tree = hrr_edge_trees();
             *tree && !status && (*row)->chooses_tree; tree++)
            status = audit_edge(self, name, (*tree)->name, err);
        if (!status && *row == &hrr_edge_edgerr_degrees.about)
            status = audit_degree_parts(self, name, err);
    }
    return status;
}

/* ---- protect -------------------------------------------------------------------------------- */

/* A trial is a whole bundle, written and read back. */
static uint64_t protect_trials(const auditor *self)
{
    return self->options->trials / 200 > 500 ? self->options->trials / 200 : 500;
}

static double of_nano(uint64_t eps_nano)
{
    return (double)eps_nano / (double)HRR_EPS_UNIT;
}

/* What the release says of itself about what the neighbours differ in. */
static void protect_claim(hrr_audit_row *row, const hrr_protect_summary *s, hrr_protect_view view)
{
    const bool all = view == HRR_SEE_ALL;
    row->claimed_eps = row->realised_eps = 0;
    if (all || view == HRR_SEE_EDGES || view == HRR_SEE_COUNTS || view == HRR_SEE_BLOCK_COUNTS ||
        view == HRR_SEE_NEED_COUNT) {
        row->claimed_eps += of_nano(s->eps_edges_nano);
        row->realised_eps += s->realised_eps_edges;
    }
    if (all || view == HRR_SEE_FEATURE || view == HRR_SEE_BLOCK_FEATURE) {
        row->claimed_eps += of_nano(s->eps_features_nano);
        row->realised_eps += s->realised_eps_features;
    }
    if (all || view == HRR_SEE_LABEL) {
        row->claimed_eps += of_nano(s->eps_labels_nano);
        row->realised_eps += s->realised_eps_labels;
    }
}

/* Whose audit a view is part of, and what the row says. */
static const struct {
    const hrr_edge_mechanism *of; /* NULL: protect itself */
    const char *row, *how;
} protect_views[HRR_PROTECT_VIEWS] = {
    {NULL, "protect, edges", "bundles of 4 nodes: their edges"},
    {NULL, "protect, counts", "bundles of 4 nodes: their noisy counts"},
    {NULL, "protect, features", "bundles of 4 nodes: a feature of one node"},
    {NULL, "protect, labels", "bundles of 4 nodes: the label of one node"},
    {NULL, "protect, all at once", "bundles of 4 nodes: a pair, a feature and a label"},
    {&hrr_edge_edgerr_node.about, "edgerr-node, own blocks",
     "bundles of 4 nodes, predicted blocks: the counts of a pair"},
    {&hrr_edge_edgerr_node.about, "edgerr-node, own blocks",
     "bundles of 4 nodes, predicted blocks: a feature of one node"},
    {&hrr_edge_edgerr_node.about, "edgerr-node, own need",
     "bundles of 4 nodes, predicted need: the count of a pair, and need"}};

static hrr_status audit_protect_view(auditor *self, hrr_protect_view view,
                                     hrr_protect_mistake mistake, hrr_error *err)
{
    static const char *const mistakes[] = {"", "private edges kept", "blocks of private edges",
                                           "need of private edges"};
    const bool is_control = mistake != HRR_NO_MISTAKE;
    const uint64_t eps_nano =
        is_control ? (uint64_t)(HRR_CONTROL_EPS * (double)HRR_EPS_UNIT) : self->options->eps_nano;
    hrr_protect_attack attack;
    hrr_status status =
        hrr_protect_attack_init(&attack, view, mistake, eps_nano, self->options->seed, err);
    if (status) return status;
    hrr_audit_row row = {.is_control = is_control};
    if (is_control) {
        row.claimed_eps = HRR_CONTROL_EPS;
        row.realised_eps = -1;
    } else {
        protect_claim(&row, &attack.summary, view);
    }
    set_name(&row, is_control ? "control: " : "",
             is_control ? mistakes[mistake] : protect_views[view].row);
    const hrr_trials experiment = {.run = hrr_protect_attack_run,
                                   .user = &attack,
                                   .width = 1,
                                   .pilot = protect_trials(self) / 4};
    status = add_row(self, row, &experiment, protect_trials(self), protect_views[view].how, err);
    hrr_protect_attack_clear(&attack);
    return status;
}

/* What is seen does not depend on the draws, so that few trials are enough; a side that is always
 * told from the other gives a bound of 3. */
enum { row_trials = 200 };

static hrr_status audit_successive(auditor *self, bool copies_equal, hrr_error *err)
{
    const uint64_t eps_nano =
        copies_equal ? (uint64_t)(HRR_CONTROL_EPS * (double)HRR_EPS_UNIT) : self->options->eps_nano;
    hrr_protect_attack neighbours;
    hrr_status status = hrr_protect_attack_init(&neighbours, HRR_SEE_FEATURE, HRR_NO_MISTAKE,
                                                eps_nano, self->options->seed, err);
    if (status) return status;
    hrr_audit_row row = {.is_control = copies_equal};
    protect_claim(&row, &neighbours.summary, HRR_SEE_FEATURE);
    if (copies_equal) row.realised_eps = -1;
    set_name(&row, copies_equal ? "control: " : "",
             copies_equal ? "copied if the data is the same" : "protect, two in a row");
    const hrr_successive_attack attack = {&neighbours, copies_equal};
    const hrr_trials experiment = {
        .run = hrr_successive_attack_run, .user = &attack, .width = 1, .pilot = row_trials / 4};
    status = add_row(self, row, &experiment, row_trials,
                     "two releases of equal or different data: are they equal?", err);
    hrr_protect_attack_clear(&neighbours);
    return status;
}

static hrr_status audit_protect(auditor *self, hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (int view = 0; view < HRR_PROTECT_VIEWS && !status; view++)
        if (wanted(self, protect_views[view].of ? protect_views[view].of->name : protect_name))
            status = audit_protect_view(self, (hrr_protect_view)view, HRR_NO_MISTAKE, err);
    if (!status && wanted(self, protect_name)) status = audit_successive(self, false, err);
    return status;
}

/* ---- parts of a release, side by side -------------------------------------------------------- */

static const struct {
    const char *row, *how;
} part_views[HRR_PARTS_VIEWS] = {
    {"protect, several labels", "bundles of 4 nodes: both labels of one node"},
    {"protect, features and labels", "bundles of 4 nodes: features and labels together"},
    {"protect, graphs", "bundles of two graphs: one count of each"},
    {"protect, blocks of rows", "bundles of 1028 nodes: rows from two blocks of rows"}};

static hrr_status audit_parts_view(auditor *self, hrr_parts_view view, hrr_error *err)
{
    /* A bundle with two blocks of rows is long, and noise that they share shows at once. */
    const uint64_t few = 200, trials = view == HRR_PARTS_ROWS ? few : protect_trials(self);
    hrr_parts_attack attack;
    hrr_status status =
        hrr_parts_attack_init(&attack, view, self->options->eps_nano, self->options->seed, err);
    if (status) return status;
    const hrr_protect_summary *s = &attack.summary;
    const bool labels = view == HRR_PARTS_BITS, edges = view == HRR_PARTS_GRAPHS;
    hrr_audit_row row = {.claimed_eps = of_nano(labels  ? s->eps_labels_nano
                                                : edges ? s->eps_edges_nano
                                                        : s->eps_features_nano),
                         .realised_eps = labels  ? s->realised_eps_labels
                                         : edges ? s->realised_eps_edges
                                                 : s->realised_eps_features};
    set_name(&row, "", part_views[view].row);
    const hrr_trials experiment = {
        .run = hrr_parts_attack_run, .user = &attack, .width = 1, .pilot = trials / 4};
    status = add_row(self, row, &experiment, trials, part_views[view].how, err);
    hrr_parts_attack_clear(&attack);
    return status;
}

static hrr_status audit_parts(auditor *self, hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (int view = 0; view < HRR_PARTS_VIEWS && !status && wanted(self, protect_name); view++)
        status = audit_parts_view(self, (hrr_parts_view)view, err);
    return status;
}

/* ---- together ------------------------------------------------------------------------------- */

/* More would not catch them better: see controls.h. */
enum { release_control_trials = 5000 };

static hrr_status audit_control(auditor *self, const hrr_control *control, hrr_error *err)
{
    const uint64_t trials = control->is_release ? release_control_trials : self->options->trials;
    const hrr_trials experiment = {
        .run = control->run, .user = self->random, .width = control->width};
    hrr_audit_row row = {.claimed_eps = HRR_CONTROL_EPS, .realised_eps = -1, .is_control = true};
    set_name(&row, "control: ", control->name);
    return add_row(self, row, &experiment, trials, control->mistake, err);
}

static hrr_status audit_all(auditor *self, hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row && !status;
         row++) {
        const char *name = (*row)->name;
        if (!wanted(self, name)) continue;
        for (int view = 0; (*row)->needs_head && view < HRR_HEAD_VIEWS && !status; view++)
            status = audit_head(self, name, view, err);
        if ((*row)->needs_head) continue;
        for (uint64_t n_features = 1; n_features <= HRR_TRIAL_WIDTH && !status; n_features++)
            status = audit_feature(self, name, n_features, 0, 0, err);
        if (!status) status = audit_feature(self, name, 1, 0, outside_by, err);
        /* The channel at work: with two bins it is a coin. */
        if (!status && (*row)->weighs_budget) status = audit_feature(self, name, 1, 10, 0, err);
    }
    static const uint32_t classes[] = {2, 7};
    for (int i = 0; i < 2 && !status && wanted(self, "labels"); i++)
        status = audit_labels(self, classes[i], err);
    if (!status) status = audit_edges(self, err);
    if (!status) status = audit_protect(self, err);
    if (!status) status = audit_parts(self, err);
    for (int i = 0; i < hrr_n_controls && !status && !self->options->mechanism; i++)
        status = audit_control(self, &hrr_controls[i], err);
    if (!status && !self->options->mechanism)
        status = audit_protect_view(self, HRR_SEE_EDGES, HRR_KEEPS_PRIVATE_EDGES, err);
    if (!status && !self->options->mechanism)
        status = audit_protect_view(self, HRR_SEE_BLOCK_COUNTS, HRR_BLOCKS_OF_PRIVATE_EDGES, err);
    if (!status && !self->options->mechanism)
        status = audit_protect_view(self, HRR_SEE_NEED_COUNT, HRR_NEED_OF_PRIVATE_EDGES, err);
    if (!status && !self->options->mechanism) status = audit_successive(self, true, err);
    return status;
}

static size_t most_rows(void)
{
    size_t n_features = 0, n_mechanisms = 0, n_trees = 0;
    while (hrr_feature_mechanisms()[n_features])
        n_features++;
    while (hrr_edge_mechanisms()[n_mechanisms])
        n_mechanisms++;
    while (hrr_edge_trees()[n_trees])
        n_trees++;
    const size_t n_edges = n_mechanisms + n_trees;
    _Static_assert((int)HRR_HEAD_VIEWS <= HRR_TRIAL_WIDTH + 1,
                   "a head has no more rows than others");
    return (HRR_TRIAL_WIDTH + 1) * n_features + 1 + 2 + (2 * HRR_TINY_GRAPHS + 5) * n_edges +
           HRR_N_DEGREE_PARTS + HRR_PROTECT_VIEWS + 1 + HRR_PARTS_VIEWS + (size_t)hrr_n_controls +
           4;
}

static hrr_status check(const hrr_audit_options *options, hrr_error *err)
{
    if (options->eps_nano < 1 || options->eps_nano > HRR_EPS_MAX)
        return hrr_fail(err, HRR_EINVAL,
                        "the epsilon of an audit (`eps_nano`) must lie in (0, 20]");
    if (options->trials < 10000 || options->trials > UINT64_C(1) << 36)
        return hrr_fail(
            err, HRR_EINVAL,
            "the number of trials of an audit (`trials`) must lie between 10000 and 2^36");
    return HRR_OK;
}

hrr_status hrr_audit(hrr_audit_row **rows, size_t *n_rows, const hrr_audit_options *options,
                     hrr_progress *progress, hrr_error *err)
{
    *rows = NULL;
    *n_rows = 0;
    hrr_audit_options own;
    hrr_status status = HRR_ADOPT(hrr_audit_options, &own, options, err);
    if (status) return status;
    options = &own;
    if ((status = check(options, err))) return status;
    hrr_random *random = NULL;
    auditor self = {.options = options, .progress = progress};
    self.rows = hrr_alloc_zero(most_rows(), sizeof *self.rows);
    if (!self.rows) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status = hrr_random_new_insecure(&random, options->seed, err))) goto done;
    self.random = random;
    hrr_progress_begin(progress, "auditing",
                       options->mechanism ? 0 : most_rows() * options->trials);
    if ((status = audit_all(&self, err))) goto done;
    if (self.n_rows == 0) {
        status = hrr_fail(err, HRR_EINVAL,
                          "there is no mechanism '%.40s' that can be audited (`mechanism`)",
                          options->mechanism);
        goto done;
    }
    *rows = self.rows;
    *n_rows = self.n_rows;
    self.rows = NULL;
done:
    hrr_free(self.rows);
    hrr_random_free(random);
    return status;
}
