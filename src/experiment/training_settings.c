/* training_settings.c: see training_settings.h.
 *
 * A setting that does not depend on something is listed once for all of it: what spends nothing for
 * all budgets, what uses all edges or none for all shares of private edges. */
#include "experiment/training_settings.h"
#include "experiment/network_words.h"
#include "experiment/results.h"
#include "experiment/treatments.h"
#include "edge/mechanism.h"
#include "feature/channels.h"
#include "feature/mechanism.h"
#include "feature/traits.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct treatment {
    hrr_feature_half features;
    hrr_edge_half edges;
} treatment;

/* Whether it matters which edges are private. */
static bool sees_marks(hrr_edge_half edges)
{
    return edges.mechanism && !hrr_edges_are_kept(edges);
}

/* ---- treatments and controls ----------------------------------------------------------------- */

typedef struct treatments {
    treatment *items;
    size_t n;
} treatments;

/* By names of tables. */
static void add(treatments *all, const char *features, const char *edges)
{
    const treatment added = {hrr_feature_half_of(features), hrr_edge_half_of(edges)};
    for (size_t i = 0; i < all->n; i++)
        if (all->items[i].features.name == added.features.name &&
            all->items[i].edges.name == added.edges.name)
            return;
    all->items[all->n++] = added;
}

/* What learns without features, over these edges, or with those that somebody shows. */
static void add_featureless(treatments *all, const char *edges, bool volunteers)
{
    if (volunteers) add(all, hrr_volunteers_name, edges);
    add(all, hrr_node_rows_name, edges);
    add(all, hrr_labels_name, edges);
    add(all, hrr_free_name, edges);
}

/* Every control that somebody who doubts a result would ask for. */
static void add_controls(treatments *all, const treatment *asked, bool has_private_edges,
                         bool volunteers)
{
    const char *const own_features = hrr_feature_none.about.name;
    const char *const own_edges = hrr_edge_none.about.name;
    const char *const random_features = hrr_feature_featfree.about.name;
    const char *const public_edges = hrr_edge_public_only.about.name;
    add(all, hrr_majority_name, hrr_majority_name);
    add(all, own_features, own_edges);
    add(all, own_features, hrr_mlp_name);
    if (has_private_edges) add(all, own_features, public_edges);
    if (!asked) return;
    const bool on_features = hrr_features_spend(asked->features);
    const bool on_edges = hrr_edges_spend(asked->edges);
    if (on_features) add(all, random_features, own_edges);
    if (on_features && !sees_marks(asked->edges)) add_featureless(all, own_edges, volunteers);
    if ((on_features || on_edges) && !hrr_edges_are_kept(asked->edges) && has_private_edges) {
        add_featureless(all, public_edges, volunteers);
        if (on_edges) {
            add(all, asked->features.name, hrr_predicted_links_name);
            add(all, asked->features.name, hrr_public_best_name);
        }
        if (on_features) add(all, random_features, public_edges);
    }
    if (hrr_features_are_answers(asked->features)) add(all, hrr_answers_name, asked->edges.name);
    if (on_features && on_edges) {
        add(all, asked->features.name, hrr_mlp_name);
        add(all, asked->features.name, public_edges);
        add(all, random_features, asked->edges.name);
    }
}

/* items: hrr_free(). */
static hrr_status list_treatments(treatments *out, const hrr_graph *graph,
                                  const hrr_training_sweep_options *o, hrr_error *err)
{
    enum { most_added = 20 };
    const bool has_private_edges = o->n_fractions || hrr_graph_is_private(graph);
    const bool volunteers = o->volunteer_share > 0;
    size_t n = 0;
    while (o->treatments && o->treatments[n])
        n++;
    *out = (treatments){.items = hrr_alloc((n + 1) * most_added, sizeof *out->items)};
    if (!out->items) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    add_controls(out, NULL, has_private_edges, volunteers);
    for (size_t i = 0; i < n && !status; i++) {
        treatment asked;
        if ((status = hrr_treatment_read(&asked.features, &asked.edges, o->treatments[i], err)))
            break;
        add(out, asked.features.name, asked.edges.name);
        add_controls(out, &asked, has_private_edges, volunteers);
        if (hrr_features_are_answers(asked.features) && !o->features.head && !volunteers) {
            status = hrr_fail(err, HRR_EINVAL,
                              "%s needs a public head (`features.head`), or volunteers to learn a "
                              "head from (`volunteer_share`)",
                              asked.features.name);
            break;
        }
        if (asked.features.learner == HRR_LEARNER_SHOWN && !volunteers) {
            status = hrr_fail(err, HRR_EINVAL, "%s needs a share of volunteers (`volunteer_share`)",
                              asked.features.name);
            break;
        }
        if (sees_marks(asked.edges))
            status = hrr_fractions_check(graph, o->private_fractions, o->n_fractions, err);
        if (!status && hrr_features_spend(asked.features) && !o->n_eps_features)
            status = hrr_fail(err, HRR_EINVAL,
                              "%s needs a budget: name at least one (`eps_features_nano`)",
                              asked.features.name);
        if (!status && hrr_edges_spend(asked.edges) && !o->n_eps_edges)
            status =
                hrr_fail(err, HRR_EINVAL, "%s needs a budget: name at least one (`eps_edges_nano`)",
                         asked.edges.name);
    }
    if (status) hrr_free(out->items);
    return status;
}

/* ---- multiplied out -------------------------------------------------------------------------- */

static hrr_status append(hrr_training_settings *all, const hrr_training_setting *setting,
                         hrr_error *err)
{
    if (all->n == all->room) {
        const size_t room = all->room ? 2 * all->room : 64;
        hrr_training_setting *more = hrr_resize(all->items, room, sizeof *more);
        if (!more) return hrr_no_memory(err);
        all->items = more;
        all->room = room;
    }
    all->items[all->n++] = *setting;
    return HRR_OK;
}

/* How often features are propagated in a treatment: 0 at least once, and how often. */
static hrr_status append_propagated(hrr_training_settings *all, hrr_training_setting *setting,
                                    const hrr_training_sweep_options *o, hrr_error *err)
{
    setting->propagate = 0;
    const hrr_feature_half features = hrr_feature_half_of(setting->features);
    const bool has_edges = hrr_edge_half_of(setting->edges).mechanism != NULL;
    const bool is_network =
        features.learner == HRR_LEARNER_NETWORK || features.learner == HRR_LEARNER_NODE_ROWS;
    if (hrr_features_are_kept(features) || !has_edges || !is_network)
        return append(all, setting, err);
    bool usual = false;
    hrr_status status = HRR_OK;
    for (size_t k = 0; k < o->n_propagate && !status; k++) {
        setting->propagate = o->propagate[k];
        usual |= setting->propagate == HRR_USUAL_PROPAGATE;
        status = append(all, setting, err);
    }
    setting->propagate = HRR_USUAL_PROPAGATE;
    if (!status && !usual && (o->n_propagate == 0 || hrr_features_are_left_out(features)))
        status = append(all, setting, err);
    return status;
}

/* Whether the budgets that were asked for have the one that buys nothing among them. */
static bool has_nothing(const hrr_training_sweep_options *o)
{
    for (size_t f = 0; f < o->n_eps_features; f++)
        if (o->eps_features_nano[f] == HRR_EPS_NOTHING) return true;
    return false;
}

static hrr_status append_treatment(hrr_training_settings *all, const treatment *t, uint32_t run,
                                   double label_rate, const hrr_training_sweep_options *o,
                                   hrr_error *err)
{
    const bool pays_features = hrr_features_spend(t->features);
    const bool pays_edges = hrr_edges_spend(t->edges);
    const bool by_fraction = sees_marks(t->edges);
    const size_t n_f = pays_features ? o->n_eps_features + !has_nothing(o) : 1;
    const size_t n_e = pays_edges ? o->n_eps_edges : 1;
    const size_t n_r = by_fraction && o->n_fractions ? o->n_fractions : 1;
    hrr_training_setting s = {
        .features = t->features.name, .edges = t->edges.name, .run = run, .label_rate = label_rate};
    hrr_status status = HRR_OK;
    for (size_t r = 0; r < n_r; r++)
        for (size_t f = 0; f < n_f; f++)
            for (size_t e = 0; e < n_e && !status; e++) {
                s.fraction = !by_fraction     ? HRR_ANY_FRACTION
                             : o->n_fractions ? o->private_fractions[r]
                                              : HRR_AS_MARKED;
                s.eps_features_nano = !pays_features          ? 0
                                      : f < o->n_eps_features ? o->eps_features_nano[f]
                                                              : HRR_EPS_NOTHING;
                s.eps_edges_nano = pays_edges ? o->eps_edges_nano[e] : 0;
                status = append_propagated(all, &s, o, err);
            }
    return status;
}

hrr_status hrr_training_settings_list(hrr_training_settings *out, const hrr_graph *graph,
                                      const hrr_training_sweep_options *options, hrr_error *err)
{
    treatments all;
    *out = (hrr_training_settings){0};
    hrr_status status = list_treatments(&all, graph, options, err);
    if (status) return status;
    const size_t n_rates = options->n_label_rates ? options->n_label_rates : 1;
    for (uint32_t run = 0; run < options->runs; run++)
        for (size_t r = 0; r < n_rates; r++)
            for (size_t i = 0; i < all.n && !status; i++)
                status = append_treatment(out, &all.items[i], run,
                                          options->n_label_rates ? options->label_rates[r] : 0,
                                          options, err);
    hrr_free(all.items);
    if (status) hrr_training_settings_clear(out);
    return status;
}

void hrr_training_settings_clear(hrr_training_settings *settings)
{
    hrr_free(settings->items);
    *settings = (hrr_training_settings){0};
}

void hrr_training_shares(double *train, double *valid, const hrr_training_setting *setting,
                         const hrr_training_sweep_options *options)
{
    const double rate = setting->label_rate;
    *train = rate > 0 ? rate : options->train_share;
    *valid = !(rate > 0)                   ? options->valid_share
             : rate < HRR_MOST_VALID_SHARE ? rate
                                           : HRR_MOST_VALID_SHARE;
}

bool hrr_training_standardises(const hrr_training_setting *setting,
                               const hrr_training_sweep_options *options, uint64_t n_features)
{
    const hrr_feature_options *bounds = &options->features;
    const hrr_feature_half features = hrr_feature_half_of(setting->features);
    if (options->leave_scale || !features.mechanism) return false;
    bool beyond_one = false;
    for (uint64_t i = 0; bounds->lo && i < n_features; i++)
        beyond_one = beyond_one || bounds->lo[i] < -1 || bounds->hi[i] > 1;
    return beyond_one || !hrr_features_are_kept(features);
}

hrr_feature_options hrr_training_feature_options(const hrr_training_setting *setting,
                                                 const hrr_training_sweep_options *options)
{
    const hrr_feature_options *all = &options->features;
    const hrr_feature_half half = hrr_feature_half_of(setting->features);
    const hrr_feature_mechanism *mechanism =
        half.mechanism ? half.mechanism : hrr_feature_mechanism_with(HRR_EFFECT_KEEP);
    hrr_feature_options how;
    hrr_feature_options_init(&how);
    how.mechanism = mechanism->name;
    how.eps_nano = setting->eps_features_nano;
    how.lo = all->lo;
    how.hi = all->hi;
    if (mechanism->has_bins) how.n_bins = all->n_bins;
    if (mechanism->has_bins) how.theta = all->theta;
    if (mechanism->has_decodings) how.decoding = all->decoding;
    if (mechanism->needs_directions) {
        how.directions = all->directions;
        how.projection = all->projection;
    }
    if (mechanism->needs_delta) how.delta = all->delta;
    if (mechanism->needs_head) how.head = all->head;
    if (half.learner == HRR_LEARNER_ANSWERS) { /* an epsilon that changes nobody's answer */
        how.mechanism = hrr_feature_featurerr_head.about.name;
        how.eps_nano = HRR_EPS_MAX;
        how.head = all->head;
    }
    return how;
}

/* ---- as text --------------------------------------------------------------------------------- */

const char *const hrr_training_setting_columns[] = {"version",
                                                    "graph",
                                                    "nodes",
                                                    "edges",
                                                    "treatment",
                                                    "feature_mechanism",
                                                    "edge_mechanism",
                                                    "tree",
                                                    "propagate",
                                                    "scale",
                                                    "eps_features",
                                                    "eps_edges",
                                                    "private_fraction",
                                                    "label_rate",
                                                    "scores",
                                                    "directions",
                                                    "bins",
                                                    "decode",
                                                    "bounds",
                                                    "delta",
                                                    "arch",
                                                    HRR_NETWORK_COLUMNS,
                                                    "split",
                                                    "run",
                                                    "seed",
                                                    NULL};

/* What of hrr_feature_options a mechanism looks at, as "scores,directions,bins,decode,...". */
static void feature_words(char *text, size_t size, const hrr_feature_options *o,
                          const char *directions_from, uint64_t n_features)
{
    const hrr_feature_mechanism *mechanism = hrr_feature_traits(o->mechanism);
    char bins[16] = "", bounds[64] = "", delta[32] = "", directions[64] = "";
    const char *decode = "", *scores = "";
    if (mechanism->has_bins) {
        decode = hrr_decoding_name(o->decoding);
        scores = o->theta ? "given" : "equal";
        if (o->n_bins)
            snprintf(bins, sizeof bins, "%" PRIu32, o->n_bins);
        else
            snprintf(bins, sizeof bins, "auto");
    }
    if (o->projection || o->directions || o->head || mechanism->needs_head)
        hrr_results_name(directions, sizeof directions,
                         directions_from ? directions_from : "given");
    if (mechanism->effect != HRR_EFFECT_KEEP) {
        bool alike = true;
        for (uint64_t i = 1; o->lo && i < n_features; i++)
            alike = alike && o->lo[i] == o->lo[0] && o->hi[i] == o->hi[0];
        if (alike)
            snprintf(bounds, sizeof bounds, "%.9g:%.9g", o->lo ? o->lo[0] : 0.0,
                     o->lo ? o->hi[0] : 1.0);
        else
            snprintf(bounds, sizeof bounds, "by feature");
    }
    if (mechanism->needs_delta) snprintf(delta, sizeof delta, "%.9g", o->delta);
    snprintf(text, size, "%s,%s,%s,%s,%s,%s", scores, directions, bins, decode, bounds, delta);
}

static const char *learner_word(const hrr_training_setting *s)
{
    const hrr_learner learner = hrr_feature_half_of(s->features).learner;
    const bool is_gcn = learner == HRR_LEARNER_NETWORK || learner == HRR_LEARNER_NODE_ROWS;
    return !is_gcn ? s->features : hrr_edge_half_of(s->edges).mechanism ? "gcn" : s->edges;
}

/* The split, and how many nodes it labels. */
static void split_words(char *text, char *label_rate, size_t size, const hrr_training_setting *s,
                        const hrr_training_sweep_options *o)
{
    double train, valid;
    hrr_training_shares(&train, &valid, s, o);
    if (o->own_split) {
        snprintf(text, size, "own");
        snprintf(label_rate, size, "own");
    } else {
        snprintf(text, size, "%.9g:%.9g", train, valid);
        snprintf(label_rate, size, "%.9g", train);
    }
    const size_t used = strlen(text);
    if (o->volunteer_share > 0)
        snprintf(text + used, size - used, " with %.9g volunteers", o->volunteer_share);
}

char *hrr_training_setting_text(const hrr_training_setting *s, const char *graph_name,
                                const hrr_graph *graph, const hrr_training_sweep_options *o)
{
    char eps_features[HRR_EPS_TEXT_SIZE], eps_edges[HRR_EPS_TEXT_SIZE];
    char fraction[HRR_FRACTION_SIZE] = "any", name[HRR_TREATMENT_SIZE], features[256];
    char network[HRR_NETWORK_SIZE], split[64], label_rate[64];
    hrr_eps_format(eps_features, s->eps_features_nano);
    hrr_eps_format(eps_edges, s->eps_edges_nano);
    if (s->fraction != HRR_ANY_FRACTION) hrr_fraction_format(fraction, s->fraction);
    hrr_treatment_name(name, s->features, s->edges);
    const hrr_edge_half edges = hrr_edge_half_of(s->edges);
    const bool has_tree = edges.mechanism && edges.mechanism->chooses_tree;
    const hrr_feature_options how = hrr_training_feature_options(s, o);
    const char *from =
        !o->directions && o->volunteer_share > 0 ? hrr_volunteers_name : o->directions;
    feature_words(features, sizeof features, &how, from, hrr_graph_features(graph)->cols);
    hrr_network_words(network, &o->train);
    split_words(split, label_rate, sizeof split, s, o);
    return hrr_format_text(
        "%s,%s,%" PRIu64 ",%" PRIu64 ",%s,%s,%s,%s,%" PRIu32 ",%s,%s,%s,%s,%s,%s,%s,%s,%s,%" PRIu32
        ",%" PRIu64,
        hrr_version(), graph_name, hrr_graph_n_nodes(graph), hrr_graph_n_edges(graph), name,
        s->features, s->edges, has_tree ? o->tree ? o->tree : hrr_edge_tree_find(NULL)->name : "",
        s->propagate,
        hrr_training_standardises(s, o, hrr_graph_features(graph)->cols) ? "standard" : "none",
        eps_features, eps_edges, fraction, label_rate, features, learner_word(s), network, split,
        s->run, o->seed + s->run);
}
