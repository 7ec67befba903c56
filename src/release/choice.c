/* choice.c: which mechanism, where nobody named one: what measured best, as a table. The first row
 * whose facts are all there is taken. docs/experiments.md, "Why these defaults", has the numbers
 * and the commands behind each row; a row without numbers has no place here.
 *
 * Every fact is public, so neither the choice nor a caution tells anything private. */
#include "edge/mechanism.h"
#include "edge/traits.h"
#include "feature/mechanism.h"
#include "feature/traits.h"
#include "learn/predicted_blocks.h"
#include "release/choice.h"

#include <heterorr/learn.h>
#include <heterorr/release.h>

#define WHY " (docs/experiments.md#why-these-defaults)"

const char *const *hrr_uses(void)
{
    static const char *const names[] = {"learning", "structure", NULL};
    return names;
}

static uint64_t n_features_of(const hrr_graph *graph)
{
    const hrr_dense *features = hrr_graph_features(graph);
    return features ? features->cols : 0;
}

/* Whether half of the nodes or more are trained on: which nodes have a label is public. Without a
 * split `train` deals one, with half of the nodes to train on. */
static bool is_half_labelled(const hrr_graph *graph)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    const uint8_t *split = hrr_graph_split(graph);
    const int32_t *class = hrr_graph_classes(graph);
    uint64_t n_labelled = 0;
    for (uint64_t i = 0; class && i < n; i++)
        n_labelled += class[i] >= 0 && (!split || split[i] == HRR_TRAIN);
    return (double)n_labelled * (split ? 1 : HRR_TRAIN_SHARE) >= (double)n / 2;
}

hrr_use hrr_usual_use(const hrr_graph *graph)
{
    const bool has_labels = hrr_graph_classes(graph) || hrr_graph_label_matrix(graph);
    return has_labels && n_features_of(graph) ? HRR_FOR_LEARNING : HRR_FOR_STRUCTURE;
}

hrr_public_facts hrr_public_facts_of(const hrr_graph *graph, const hrr_protect_options *options,
                                     hrr_use use)
{
    const hrr_feature_options *f = &options->features;
    const hrr_edge_options *e = &options->edges;
    /* To a mechanism for the whole graph no edge is public, not even whether there are any. */
    const bool whole = hrr_edge_traits(e->mechanism)->whole_graph;
    const struct {
        unsigned fact;
        bool holds;
    } facts[] = {
        {HRR_FACT_LEARNING, use == HRR_FOR_LEARNING},
        {HRR_FACT_PUBLIC_EDGES,
         !whole && hrr_graph_n_edges(graph) > hrr_graph_n_private_edges(graph)},
        {HRR_FACT_ONE_CLASS, hrr_blocks_can_be_predicted(graph)},
        {HRR_FACT_PAPER_MODE, options->paper_mode},
        {HRR_FACT_DIRECTIONS, f->directions || f->projection},
        {HRR_FACT_BINS, f->theta || f->n_bins || f->decoding != HRR_DECODE_MIDPOINT},
        {HRR_FACT_DELTA, f->delta > 0},
        {HRR_FACT_TREE, e->tree || e->tree_share >= 0 || e->steps_per_node},
        {HRR_FACT_HEAD, f->head},
        {HRR_FACT_HALF_LABELLED, is_half_labelled(graph)},
        {HRR_FACT_BLOCKS, options->blocks_from != HRR_BLOCKS_COMMUNITIES},
    };
    hrr_public_facts out = {.n_features = n_features_of(graph),
                            .eps_features_nano = f->eps_nano,
                            .eps_edges_nano = e->eps_nano};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (facts[i].holds) out.bits |= facts[i].fact;
    return out;
}

/* ---- features -------------------------------------------------------------------------------- */

typedef struct feature_row {
    unsigned facts;
    const hrr_feature_mechanism *mechanism;
    const char *because;
    uint32_t n_propagate;
} feature_row;

static const feature_row feature_rows[] = {
    {HRR_FACT_PAPER_MODE, &hrr_feature_featurerr.about, "paper mode is as published", 0},
    {HRR_FACT_HEAD, &hrr_feature_featurerr_head.about, "a head is given, which it alone uses", 0},
    {HRR_FACT_DIRECTIONS, &hrr_feature_featurerr_projected.about, "directions are given" WHY, 0},
    {HRR_FACT_BINS, &hrr_feature_featurerr.about,
     "weights, bins or a decoding are given, which it alone uses", 0},
    {HRR_FACT_DELTA, &hrr_feature_gaussian.about, "a delta is given, which it alone uses", 0},
    {HRR_FACT_LEARNING | HRR_FACT_ONE_CLASS | HRR_FACT_PUBLIC_EDGES,
     &hrr_feature_pm_sub_sampled.about, "for learning one class per node, with public edges" WHY,
     8},
    {0, &hrr_feature_pm_sub_sampled.about, "features that are used as they are" WHY, 0},
};

hrr_chosen_features hrr_choose_features(const hrr_public_facts *facts)
{
    const feature_row *row = feature_rows;
    while ((facts->bits & row->facts) != row->facts)
        row++;
    return (hrr_chosen_features){row->mechanism->name, row->because, row->n_propagate};
}

/* ---- edges ----------------------------------------------------------------------------------- */

typedef struct edge_row {
    unsigned facts;
    const hrr_edge_mechanism *mechanism;
    const char *because;
    bool sample_edges;
} edge_row;

static const edge_row edge_rows[] = {
    {HRR_FACT_PAPER_MODE, &hrr_edge_edgerr.about, "paper mode is as published", false},
    {HRR_FACT_TREE, &hrr_edge_edgerr.about, "options of a tree are given, which it alone uses",
     false},
    {HRR_FACT_BLOCKS, &hrr_edge_edgerr_node.about, "blocks are given, which it alone uses", false},
    {HRR_FACT_LEARNING | HRR_FACT_ONE_CLASS, &hrr_edge_edgerr_node.about,
     "for learning one class per node" WHY, false},
    {HRR_FACT_LEARNING | HRR_FACT_PUBLIC_EDGES, &hrr_edge_edgerr_node.about,
     "for learning several labels per node, with public edges" WHY, false},
    {HRR_FACT_PUBLIC_EDGES, &hrr_edge_edgerr.about, "for structure that public edges predict" WHY,
     false},
    {HRR_FACT_LEARNING, &hrr_edge_edgerr_node.about,
     "for learning several labels per node, where every edge is private" WHY, true},
    {0, &hrr_edge_edgerr_degrees.about, "for structure, where every edge is private" WHY, false},
};

hrr_chosen_edges hrr_choose_edges(const hrr_public_facts *facts)
{
    const edge_row *row = edge_rows;
    if (!facts->eps_edges_nano)
        return (hrr_chosen_edges){.mechanism = hrr_edge_public_only.about.name};
    while ((facts->bits & row->facts) != row->facts)
        row++;
    return (hrr_chosen_edges){row->mechanism->name, row->because, row->sample_edges};
}

/* ---- together -------------------------------------------------------------------------------- */

void hrr_protect_choose(hrr_protect_options *options, const hrr_graph *graph, hrr_use use)
{
    const hrr_public_facts facts = hrr_public_facts_of(graph, options, use);
    if (!options->features.mechanism) {
        const hrr_chosen_features choice = hrr_choose_features(&facts);
        options->features.mechanism = choice.mechanism;
        options->features_because = choice.because;
        options->n_propagate = choice.n_propagate;
    }
    if (!options->edges.mechanism) {
        const hrr_chosen_edges choice = hrr_choose_edges(&facts);
        options->edges.mechanism = choice.mechanism;
        options->edges_because = choice.because;
        options->edges.sample_edges |= choice.sample_edges;
    }
    if (hrr_edge_traits(options->edges.mechanism)->has_counts && !(facts.bits & HRR_FACT_BLOCKS) &&
        facts.bits & HRR_FACT_ONE_CLASS)
        options->blocks_from = HRR_BLOCKS_PREDICTED;
}

/* ---- cautions -------------------------------------------------------------------------------- */

typedef struct caution {
    bool (*meant)(const hrr_edge_mechanism *); /* NULL: any mechanism, of features */
    unsigned facts, without;                   /* those that must hold, and must not */
    uint64_t most_nano;                        /* the largest budget that was measured so */
    uint64_t least_features;                   /* and the smallest number of features */
    const char *text;
} caution;

static const char *find_caution(const caution *row, const hrr_edge_mechanism *edges,
                                uint64_t eps_nano, const hrr_public_facts *facts)
{
    for (; row->text; row++) {
        const bool is_meant = !row->meant || row->meant(edges);
        if (is_meant && (facts->bits & row->facts) == row->facts && !(facts->bits & row->without) &&
            eps_nano <= row->most_nano && facts->n_features >= row->least_features)
            return row->text;
    }
    return NULL;
}

#define FEATURES_TELL_NOTHING                                                                      \
    "features at this budget have not helped networks more than random features on any similar "   \
    "graph that was measured: an epsilon of 0.001 (`features.eps_nano`) does as well" WHY

const char *hrr_caution_features(const hrr_public_facts *facts, const hrr_protect_options *options)
{
    static const unsigned classified =
        HRR_FACT_LEARNING | HRR_FACT_ONE_CLASS | HRR_FACT_PUBLIC_EDGES;
    /* What public data helps with was measured apart. */
    enum { helped = HRR_FACT_DIRECTIONS | HRR_FACT_HEAD };
    static const caution rows[] = {
        {NULL, classified | HRR_FACT_HEAD | HRR_FACT_HALF_LABELLED, 0, HRR_EPS_UNIT, 0,
         "where half of the nodes are labelled, reports of a head at this budget have told more "
         "than labels and edges on one of seven graphs: rehearse the head before you spend it "
         "(docs/experiments.md#what-pays-for-features)"},
        {NULL, classified, helped, HRR_EPS_UNIT, 0, FEATURES_TELL_NOTHING},
        {NULL, classified, helped, 4 * HRR_EPS_UNIT, 128, FEATURES_TELL_NOTHING},
        {NULL, HRR_FACT_LEARNING | HRR_FACT_PUBLIC_EDGES, HRR_FACT_ONE_CLASS | helped,
         9 * HRR_EPS_UNIT, 50, FEATURES_TELL_NOTHING},
        {0},
    };
    const hrr_feature_mechanism *features = hrr_feature_traits(options->features.mechanism);
    /* What tells nothing by intention is not told so. */
    if (!facts->n_features || facts->eps_features_nano <= HRR_EPS_NOTHING ||
        features->effect != HRR_EFFECT_PROTECT)
        return NULL;
    return find_caution(rows, NULL, facts->eps_features_nano, facts);
}

/* Made-up edges in the place of private ones. */
static bool is_synthetic(const hrr_edge_mechanism *edges)
{
    return edges->effect == HRR_EFFECT_PROTECT && !edges->has_counts;
}

static bool counts(const hrr_edge_mechanism *edges)
{
    return edges->has_counts;
}

static bool floods(const hrr_edge_mechanism *edges)
{
    return edges->flips_pairs;
}

const char *hrr_caution_edges(const hrr_public_facts *facts, const hrr_protect_options *options)
{
    static const caution rows[] = {
        {is_synthetic, HRR_FACT_LEARNING, 0, UINT64_MAX, 0,
         "on every graph that was measured, networks learned less with such synthetic edges than "
         "without private edges: `edges.mechanism` public-only costs nothing" WHY},
        {counts, HRR_FACT_LEARNING, 0, HRR_EPS_UNIT / 2, 0,
         "counts of neighbours at this budget have not helped networks more than public edges "
         "alone: `edges.mechanism` public-only costs nothing" WHY},
        {floods, 0, 0, HRR_EPS_UNIT, 0,
         "at this budget, noise adds false edges between more than a quarter of all pairs of "
         "nodes, so the release is further from the original than `edges.mechanism` public-only, "
         "which costs nothing" WHY},
        {0},
    };
    const hrr_edge_mechanism *edges = hrr_edge_traits(options->edges.mechanism);
    if (!facts->eps_edges_nano) return NULL;
    return find_caution(rows, edges, facts->eps_edges_nano, facts);
}
