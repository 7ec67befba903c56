/* certificate.c: what a release records of itself, and why it may promise nothing. What follows
 * from the record, and its words, are the certificate room's. */
#include "release/certificate.h"
#include "edge/traits.h"
#include "release/declared.h"
#include "certificate/terms.h"
#include "feature/channels.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char hrr_neighbours_features[] =
    "any two feature vectors of one node, everything else the same";
const char hrr_neighbours_edges[] =
    "two graphs on the same nodes that differ in one private candidate pair";
const char hrr_neighbours_pairs[] =
    "two graphs on the same nodes that differ in one pair of candidates, public or private";
const char hrr_neighbours_labels[] = "any two labels of one node, everything else the same";
const char hrr_blocks_given[] = "given with the request, not made from this release";
const char hrr_blocks_communities[] = "communities of the public edges";
const char hrr_generator_secure[] = "AES-128-CTR keyed by the operating system";
const char hrr_generator_insecure[] = "insecure seed: NOT PRIVATE";

static void say(hrr_sentences *sentences, const char *text)
{
    if (sentences->count < HRR_MOST_SENTENCES) sentences->text[sentences->count++] = text;
}

const char *hrr_decoding_name(hrr_decoding decoding)
{
    static const char *const names[] = {"midpoint", "paper", "unbiased", "posterior", "bins"};
    return names[decoding];
}

const char *hrr_blocks_are(const hrr_protect_options *options)
{
    if (options->blocks_from.make) return options->blocks_from.what;
    return options->edges.blocks ? hrr_blocks_given : hrr_blocks_communities;
}

bool hrr_certificate_is_private(const hrr_certificate *certificate)
{
    return certificate->not_private_because.count == 0;
}

void hrr_realised_text(char text[HRR_EPS_TEXT_SIZE], double realised_eps, uint64_t requested_nano)
{
    if (!isfinite(realised_eps)) {
        snprintf(text, HRR_EPS_TEXT_SIZE, "infinity");
        return;
    }
    double nano = ceil(nextafter(realised_eps * (double)HRR_EPS_UNIT, INFINITY));
    uint64_t whole = realised_eps > 0 ? (uint64_t)nano : 0;
    hrr_eps_format(text, whole < requested_nano ? whole : requested_nano);
}

/* ---- reasons -------------------------------------------------------------------------------- */

/* What nothing but a word stands behind: declared, or a reason. */
static void find_declared(hrr_certificate *c, const hrr_graph *graph)
{
    const unsigned needed = hrr_public_needed(graph, c->options);
    c->declared = needed & hrr_public_declared(c->options);
    for (unsigned bit = 1; bit <= needed; bit <<= 1)
        if (needed & bit & ~c->declared) say(&c->not_private_because, hrr_public_reason(bit));
}

static void find_edge_reasons(hrr_certificate *c, const hrr_graph *graph)
{
    const char *const *why = c->edges.not_certified;
    if (strcmp(c->options->edges.mechanism, "none") == 0)
        say(&c->not_private_because, "edges are released as they are");
    else if (!isfinite(c->edges.realised_eps))
        say(&c->not_private_because, "the epsilon of the edges is not certified");
    for (int i = 0; why && why[i]; i++)
        say(&c->not_certified, why[i]);
    if (hrr_graph_inferred(graph) & HRR_INFERRED_MARKS && !c->protects_public_edges)
        say(&c->not_private_because,
            "which edges are private was drawn among the edges themselves, for an experiment");
}

static void find_reasons(hrr_certificate *c, const hrr_graph *graph)
{
    static const char from_scores[] =
        "the scores (theta) that split the feature budget are not declared public: they may tell "
        "about the private features";
    static const char from_bounds[] =
        "the bounds of the features are their smallest and largest private values, so one node's "
        "value changes what is released about the others";
    if (c->insecure)
        say(&c->not_private_because, "drawn with an insecure seed, which anyone can repeat");
    if (c->n_features_in && !isfinite(c->features.realised_eps))
        say(&c->not_private_because, "features are released as they are");
    find_edge_reasons(c, graph);
    if (c->n_features_in && c->options->features.theta && !c->options->scores_are_public) {
        say(&c->not_private_because, from_scores);
        say(&c->not_certified, from_scores);
    }
    find_declared(c, graph);
    if (c->edges_published && !c->n_features_in && !c->options->eps_labels_nano)
        say(&c->not_private_because, "nothing in it is protected: all of it is published as it is");
    if (c->n_features_in && c->options->bounds_from_data) {
        say(&c->not_private_because, from_bounds);
        say(&c->not_certified, from_bounds);
    }
}

static void find_unprotected(hrr_certificate *c, const hrr_graph *graph)
{
    say(&c->not_protected,
        "the set of nodes, their order and ids, and how many features they have");
    if (c->edges_published)
        say(&c->not_protected, "edges: all of them are published as they are");
    else
        say(&c->not_protected,
            c->protects_public_edges
                ? "the candidate set: which nodes may have edges"
                : "public edges, and the candidate set: which nodes may have private edges");
    if (c->has_labels && !c->options->eps_labels_nano)
        say(&c->not_protected, "labels: they are published as they are");
    if (c->has_labels && c->options->eps_labels_nano && !c->multilabel)
        say(&c->not_protected, "which nodes have a label");
    if (hrr_graph_split(graph)) say(&c->not_protected, "the split into train, valid and test");
    if (hrr_graph_graph_ids(graph))
        say(&c->not_protected, "which graph of the collection a node is in");
    if (c->n_features_in && c->options->features.theta && c->options->scores_are_public)
        say(&c->not_protected, "the public sample that the scores (theta) were computed from");
}

/* The day, in UTC. A seeded run has none unless SOURCE_DATE_EPOCH says one: the same seed gives the
 * same bytes on every day. */
static void set_date(hrr_certificate *c)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    const long long given = epoch ? strtoll(epoch, &end, 10) : 0;
    const bool is_given = epoch && end != epoch && *end == '\0' && given >= 0;
    const time_t now = is_given ? (time_t)given : time(NULL);
    struct tm day;
    if ((is_given || !c->insecure) && gmtime_r(&now, &day))
        strftime(c->date, sizeof c->date, "%Y-%m-%d", &day);
}

/* What the record means: read back from it, as every reader does. */
static hrr_status find_terms(hrr_certificate *c, hrr_error *err)
{
    json_t *json;
    hrr_terms *terms = NULL;
    hrr_status status = hrr_certificate_json(&json, c, err);
    if (!status) status = hrr_terms_of_certificate(&terms, json, err);
    if (!status) {
        snprintf(c->statement, sizeof c->statement, "%s", hrr_terms_statement(terms));
        for (int part = 0; part < HRR_N_PARTS; part++)
            c->treatment[part] = hrr_terms_of(terms, (hrr_part)part).treatment;
    }
    hrr_terms_free(terms);
    json_decref(json);
    return status;
}

/* ---- together ------------------------------------------------------------------------------- */

static hrr_status list_budgets(hrr_certificate *c, hrr_error *err)
{
    const hrr_feature_options *options = &c->options->features;
    bool public_weights = !options->theta || c->options->scores_are_public;
    if (!c->n_features_in || strcmp(options->mechanism, "featurerr") != 0 || !public_weights)
        return HRR_OK;
    c->eps_of_feature_nano = hrr_alloc(c->n_features_in, sizeof *c->eps_of_feature_nano);
    if (!c->eps_of_feature_nano) return hrr_no_memory(err);
    return hrr_channels_split(c->eps_of_feature_nano, options->eps_nano, options->theta,
                              c->n_features_in, err);
}

hrr_status hrr_certificate_init(hrr_certificate *out, const hrr_graph *graph,
                                const hrr_protect_options *options,
                                const hrr_feature_claim *features, const hrr_edge_claim *edges,
                                double realised_eps_labels, bool insecure, hrr_error *err)
{
    *out = (hrr_certificate){
        .options = options,
        .n_nodes = hrr_graph_n_nodes(graph),
        .n_features_in = features ? hrr_graph_features(graph)->cols : 0,
        .n_classes = hrr_graph_n_classes(graph),
        .has_labels = hrr_graph_classes(graph) || hrr_graph_label_matrix(graph),
        .multilabel = hrr_graph_is_multilabel(graph),
        .insecure = insecure,
        .realised_eps_labels = realised_eps_labels,
        .edges = *edges,
        .n_graphs = 1,
        .protects_public_edges = hrr_edge_traits(options->edges.mechanism)->whole_graph,
        .data_set = hrr_graph_name(graph)};
    if (features) {
        out->features = *features;
        out->lo = options->features.lo ? options->features.lo : hrr_graph_feature_lo(graph);
        out->hi = options->features.lo ? options->features.hi : hrr_graph_feature_hi(graph);
    }
    out->edges_published = strcmp(options->edges.mechanism, "public-only") == 0 &&
                           hrr_graph_marking(graph) != HRR_MARKED;
    hrr_status status = list_budgets(out, err);
    if (!status) {
        find_reasons(out, graph);
        find_unprotected(out, graph);
        set_date(out);
        status = find_terms(out, err);
    }
    if (status) hrr_certificate_clear(out);
    return status;
}

void hrr_certificate_clear(hrr_certificate *certificate)
{
    hrr_free(certificate->eps_of_feature_nano);
    certificate->eps_of_feature_nano = NULL;
}
