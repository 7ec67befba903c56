/* certify.c: see certify.h. What follows from the record, and its words, are the certificate
 * room's. */
#include "release/certify.h"
#include "release/declared.h"
#include "certificate/keys.h"
#include "certificate/words.h"
#include "base/memory.h"
#include "edge/traits.h"

#include <math.h>

static void say(hrr_sentences *sentences, const char *text)
{
    if (sentences->count < HRR_MOST_SENTENCES) sentences->text[sentences->count++] = text;
}

/* ---- reasons -------------------------------------------------------------------------------- */

/* What nothing but a word stands behind: declared, or a reason. */
static void find_declared(hrr_certificate *c, const hrr_graph *graph,
                          const hrr_protect_options *options)
{
    const unsigned needed = hrr_public_needed(graph, options);
    c->declared = needed & hrr_public_declared(options);
    for (unsigned bit = 1; bit <= needed; bit <<= 1)
        if (needed & bit & ~c->declared) say(&c->not_private_because, hrr_public_reason(bit));
}

static void find_edge_reasons(hrr_certificate *c, const hrr_graph *graph)
{
    const char *const *why = c->edges.not_certified;
    if (hrr_edge_traits(c->request.edge_mechanism)->effect == HRR_EFFECT_KEEP)
        say(&c->not_private_because, "edges are released as they are");
    else if (!isfinite(c->edges.realised_eps))
        say(&c->not_private_because, "the epsilon of the edges is not certified");
    for (int i = 0; why && why[i]; i++)
        say(&c->not_certified, why[i]);
    if (hrr_graph_inferred(graph) & HRR_INFERRED_MARKS && !c->protects_public_edges)
        say(&c->not_private_because,
            "which edges are private was drawn among the edges themselves, for an experiment");
}

static void find_reasons(hrr_certificate *c, const hrr_graph *graph,
                         const hrr_protect_options *options)
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
    if (c->n_features_in && c->request.features->theta && !c->request.scores_are_public) {
        say(&c->not_private_because, from_scores);
        say(&c->not_certified, from_scores);
    }
    find_declared(c, graph, options);
    if (c->edges_published && !c->n_features_in && !c->request.eps_labels_nano)
        say(&c->not_private_because, "nothing in it is protected: all of it is published as it is");
    if (c->n_features_in && c->request.bounds_from_data) {
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
    if (c->has_labels && !c->request.eps_labels_nano)
        say(&c->not_protected, "labels: they are published as they are");
    if (c->has_labels && c->request.eps_labels_nano && !c->multilabel)
        say(&c->not_protected, "which nodes have a label");
    if (hrr_graph_split(graph)) say(&c->not_protected, "the split into train, valid and test");
    if (hrr_graph_graph_ids(graph))
        say(&c->not_protected, "which graph of the collection a node is in");
    if (c->n_features_in && c->request.features->theta && c->request.scores_are_public)
        say(&c->not_protected, "the public sample that the scores (theta) were computed from");
}

/* ---- together ------------------------------------------------------------------------------- */

static const char *blocks_are(const hrr_protect_options *options, const hrr_block_maker *maker)
{
    if (maker) return maker->what;
    return options->blocks_from == HRR_BLOCKS_GIVEN ? hrr_blocks_given : hrr_blocks_communities;
}

static const char *need_is(const hrr_protect_options *options, const hrr_block_maker *maker)
{
    if (maker) return maker->need;
    return options->edges.need ? hrr_need_given : hrr_need_of_public_edges;
}

static const char *rivals_are(const hrr_protect_options *options, const hrr_block_maker *maker)
{
    if (maker) return maker->has_rivals ? hrr_rivals_predicted : NULL;
    return options->edges.rivals ? hrr_rivals_given : NULL;
}

static hrr_recorded_request record(const hrr_protect_options *options, const hrr_block_maker *maker)
{
    return (hrr_recorded_request){
        .paper_mode = options->paper_mode,
        .features = &options->features,
        .edge_mechanism = options->edges.mechanism,
        .eps_labels_nano = options->eps_labels_nano,
        .n_propagate = options->n_propagate,
        .scores_are_public = options->scores_are_public,
        .bounds_from_data = options->bounds_from_data,
        .directions_from = options->directions_from,
        .blocks_are = blocks_are(options, maker),
        .need_is = need_is(options, maker),
        .rivals_are = rivals_are(options, maker),
        .features_because = options->features_because,
        .edges_because = options->edges_because,
        .signer = options->sign_with ? hrr_signing_key_fingerprint(options->sign_with) : NULL,
        .issuer = options->issuer,
        .kept = options->kept};
}

hrr_status hrr_certify(hrr_certificate *out, const hrr_graph *graph,
                       const hrr_protect_options *options, const hrr_block_maker *maker,
                       const hrr_feature_claim *features, const hrr_edge_claim *edges,
                       double realised_eps_labels, bool insecure, hrr_error *err)
{
    const hrr_edge_mechanism *of_edges = hrr_edge_traits(options->edges.mechanism);
    *out =
        (hrr_certificate){.request = record(options, maker),
                          .n_nodes = hrr_graph_n_nodes(graph),
                          .n_features_in = features ? hrr_graph_features(graph)->cols : 0,
                          .n_classes = hrr_graph_n_classes(graph),
                          .has_labels = hrr_graph_classes(graph) || hrr_graph_label_matrix(graph),
                          .multilabel = hrr_graph_is_multilabel(graph),
                          .insecure = insecure,
                          .realised_eps_labels = realised_eps_labels,
                          .edges = *edges,
                          .n_graphs = 1,
                          .protects_public_edges = of_edges->whole_graph,
                          .data_set = hrr_graph_name(graph)};
    if (features) {
        out->features = *features;
        out->lo = options->features.lo ? options->features.lo : hrr_graph_feature_lo(graph);
        out->hi = options->features.lo ? options->features.hi : hrr_graph_feature_hi(graph);
    }
    out->edges_published =
        of_edges->effect == HRR_EFFECT_LEAVE_OUT && hrr_graph_marking(graph) != HRR_MARKED;
    find_reasons(out, graph, options);
    find_unprotected(out, graph);
    hrr_status status = hrr_certificate_settle(out, err);
    if (status) hrr_certificate_clear(out);
    return status;
}

hrr_status hrr_certify_origin(hrr_graph *released, const hrr_certificate *certificate,
                              hrr_error *err)
{
    const hrr_recorded_request *request = &certificate->request;
    const bool is_private = hrr_certificate_is_private(certificate);
    char *provenance = hrr_format_text(
        "%sreleased by heterorr %s in %s mode: features by %s, edges by %s, labels %s%s; see "
        "CERTIFICATE.txt",
        is_private ? "" : "NOT PRIVATE: ", hrr_version(), request->paper_mode ? "paper" : "strict",
        certificate->n_features_in ? request->features->mechanism : "nothing",
        request->edge_mechanism,
        request->eps_labels_nano ? "by randomized response" : "as they are",
        hrr_graph_split(released) ? "" : "; no split was given, so every node is in train_mask");
    if (!provenance) return hrr_no_memory(err);
    hrr_status status = hrr_graph_set_provenance(released, provenance, err);
    hrr_free(provenance);
    if (!status && is_private) hrr_graph_mark_none(released);
    return status;
}
