/* certificate_json.c: certificate.json, for programs. docs/certificate.md describes the fields.
 * Epsilons are decimal texts, because a JSON number would pass through floating point; budgets of
 * single features are integers in units of 1e-9. No time of day and no path. */
#include "certificate/certificate.h"
#include "certificate/fields.h"
#include "certificate/file.h"
#include "certificate/terms.h"
#include "certificate/words.h"
#include "feature/channels.h"
#include "feature/traits.h"
#include "base/memory.h"
#include "privacy/charge.h"

#include <math.h>
#include <string.h>

static json_t *eps_json(uint64_t eps_nano)
{
    char text[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(text, eps_nano);
    return json_string(text);
}

static json_t *realised_json(double realised, uint64_t requested_nano)
{
    char text[HRR_EPS_TEXT_SIZE];
    hrr_realised_text(text, realised, requested_nano);
    return json_string(text);
}

static json_t *sentences_json(const hrr_sentences *sentences)
{
    json_t *list = json_array();
    for (int i = 0; i < sentences->count; i++)
        json_array_append_new(list, json_string(sentences->text[i]));
    return list;
}

/* n reals, or one if all are the same. */
static json_t *reals_json(const double *value, uint64_t n)
{
    uint64_t same = 1;
    while (same < n && value[same] == value[0])
        same++;
    if (same == n) return json_real(value[0]);
    json_t *list = json_array();
    for (uint64_t i = 0; i < n; i++)
        json_array_append_new(list, json_real(value[i]));
    return list;
}

static json_t *budgets_json(const uint64_t *nano, uint64_t n)
{
    uint64_t same = 1;
    while (same < n && nano[same] == nano[0])
        same++;
    if (same == n) return json_integer((json_int_t)nano[0]);
    json_t *list = json_array();
    for (uint64_t i = 0; i < n; i++)
        json_array_append_new(list, json_integer((json_int_t)nano[i]));
    return list;
}

static json_t *bounds_json(const hrr_certificate *c)
{
    if (c->request.bounds_from_data) return json_string("from private data, not written here");
    if (!c->lo) return json_pack("{s:f, s:f}", "lo", 0.0, "hi", 1.0);
    json_t *bounds = json_pack("{s:o, s:o}", "lo", reals_json(c->lo, c->n_features_in), "hi",
                               reals_json(c->hi, c->n_features_in));
    if (hrr_feature_traits(c->request.features->mechanism)->needs_bounds)
        json_object_set_new(
            bounds, "stated_by",
            json_string(c->request.features->lo ? hrr_bounds_by_owner : hrr_bounds_by_format));
    return bounds;
}

static json_t *weights_json(const hrr_certificate *c)
{
    const double *theta = c->request.features->theta;
    if (!theta) return json_string("equal");
    if (!c->request.scores_are_public) return json_string("not public, not written here");
    return reals_json(theta, c->n_features_in);
}

/* What a head's answers are, and what each label is given. */
static void set_answers(json_t *features, const hrr_certificate *c)
{
    const hrr_head *head = c->request.features->head;
    json_object_set_new(features, "head_takes", json_integer((json_int_t)c->n_features_in));
    json_object_set_new(features, "answers", json_integer(c->features.n_answers));
    json_object_set_new(features, "report_size", json_integer(c->features.report_size));
    if (!c->eps_of_answer_nano) return;
    json_object_set_new(features, "answer_shares",
                        head->shares.data ? reals_json(head->shares.data, c->features.n_answers)
                                          : json_string("equal"));
    json_object_set_new(features, "eps_answer_nano",
                        budgets_json(c->eps_of_answer_nano, c->features.n_answers));
}

static json_t *features_json(const hrr_certificate *c)
{
    if (!c->n_features_in) return json_null();
    const hrr_feature_options *options = c->request.features;
    const hrr_feature_claim *claim = &c->features;
    json_t *features = json_pack(
        "{s:s, s:o, s:o, s:f, s:s, s:s, s:s, s:I, s:s, s:o, s:o}", "mechanism", options->mechanism,
        "requested_eps", eps_json(claim->eps_nano), "realised_eps",
        realised_json(claim->realised_eps, claim->eps_nano), "delta", claim->delta, "statement",
        claim->statement, "evidence", claim->evidence, "neighbours", hrr_neighbours_features,
        "n_features", (json_int_t)claim->n_features_out, "type", hrr_dtype_name(claim->dtype_out),
        "bounds", bounds_json(c), "theta", weights_json(c));
    if (claim->n_bins) {
        json_object_set_new(features, "bins", json_integer(claim->n_bins));
        json_object_set_new(features, "decoding",
                            json_string(hrr_decoding_name(options->decoding)));
    }
    if (c->request.features_because)
        json_object_set_new(features, "default_because", json_string(c->request.features_because));
    if (isfinite(claim->realised_eps)) /* randomised, or random */
        json_object_set_new(features, "scale_for_learning", json_string("standard"));
    if (c->request.n_propagate)
        json_object_set_new(features, "propagated_steps", json_integer(c->request.n_propagate));
    if (claim->n_sampled)
        json_object_set_new(features, "features_per_node", json_integer(claim->n_sampled));
    const hrr_dense *directions =
        options->projection ? &options->projection->directions : options->directions;
    if (directions && hrr_feature_traits(options->mechanism)->needs_directions) {
        json_object_set_new(features, "directions", json_integer((json_int_t)directions->rows));
        json_object_set_new(
            features, "directions_from",
            json_string(c->request.directions_from ? c->request.directions_from : "given"));
    }
    if (claim->n_answers) set_answers(features, c);
    if (c->eps_of_feature_nano)
        json_object_set_new(features, "eps_i_nano",
                            budgets_json(c->eps_of_feature_nano, c->n_features_in));
    return features;
}

/* Terms that are one graph's own. */
static void set_terms(json_t *edges, const hrr_edge_claim *claim)
{
    if (claim->count_ends) json_object_set_new(edges, "blocks", json_integer(claim->n_blocks));
    if (claim->most_edges)
        json_object_set_new(edges, "most_edges", json_integer((json_int_t)claim->most_edges));
    if (!claim->n_candidates) return;
    json_object_set_new(edges, "candidates", json_integer((json_int_t)claim->n_candidates));
    json_object_set_new(edges, "most_pairs_split",
                        json_integer((json_int_t)claim->most_pairs_split));
}

/* One object for each graph; texts only where they are not those of the whole. */
static json_t *graphs_json(const hrr_certificate *c)
{
    json_t *list = json_array();
    for (uint32_t g = 0; g < c->n_graphs; g++) {
        const hrr_edge_claim *own = &c->edges_of_graph[g];
        json_t *graph =
            json_pack("{s:I, s:o}", "candidate_pairs", (json_int_t)own->n_candidate_pairs,
                      "realised_eps", realised_json(own->realised_eps, own->eps_nano));
        set_terms(graph, own);
        if (strcmp(own->statement, c->edges.statement) != 0)
            json_object_set_new(graph, "statement", json_string(own->statement));
        if (strcmp(own->evidence, c->edges.evidence) != 0)
            json_object_set_new(graph, "evidence", json_string(own->evidence));
        json_array_append_new(list, graph);
    }
    return list;
}

/* What is not protected has no epsilon, not even 0. */
static json_t *published_json(const hrr_certificate *c, json_t *declared)
{
    json_t *reason = json_pack("{s:O}", "declared_public", declared);
    json_t *edges = json_pack("{s:s, s:n, s:n, s:s, s:s, s:n, s:b, s:n, s:I}", "mechanism",
                              c->request.edge_mechanism, "requested_eps", "realised_eps",
                              "statement", hrr_terms_why_published(reason), "evidence",
                              "nothing is protected", "neighbours", "protects_public_edges", false,
                              "candidate_pairs", "edges", (json_int_t)c->edges_out);
    json_decref(reason);
    return edges;
}

static json_t *edges_json(const hrr_certificate *c)
{
    const hrr_edge_claim *claim = &c->edges;
    json_t *edges =
        json_pack("{s:s, s:o, s:o, s:s, s:s, s:s, s:b, s:I, s:I}", "mechanism",
                  c->request.edge_mechanism, "requested_eps", eps_json(claim->eps_nano),
                  "realised_eps", realised_json(claim->realised_eps, claim->eps_nano), "statement",
                  claim->statement, "evidence", claim->evidence, "neighbours",
                  c->protects_public_edges ? hrr_neighbours_pairs : hrr_neighbours_edges,
                  "protects_public_edges", c->protects_public_edges, "candidate_pairs",
                  (json_int_t)claim->n_candidate_pairs, "edges", (json_int_t)c->edges_out);
    if (c->request.edges_because)
        json_object_set_new(edges, "default_because", json_string(c->request.edges_because));
    if (claim->tree) {
        json_object_set_new(edges, "tree", json_string(claim->tree));
        json_object_set_new(edges, "eps_tree", eps_json(claim->eps_tree_nano));
        json_object_set_new(edges, "chain_steps", json_integer((json_int_t)claim->chain_steps));
    }
    if (claim->shares) json_object_set_new(edges, "shares", json_string(claim->shares));
    if (claim->count_ends) {
        json_object_set_new(edges, "blocks_are", json_string(c->request.blocks_are));
        const bool by_need = claim->count_ends == HRR_ENDS_NEEDED;
        json_object_set_new(edges, "count_ends",
                            json_integer(by_need ? 1 : (json_int_t)claim->count_ends));
        if (by_need) json_object_set_new(edges, "need_is", json_string(c->request.need_is));
        if (by_need && c->request.rivals_are)
            json_object_set_new(edges, "rivals_are", json_string(c->request.rivals_are));
    }
    set_terms(edges, claim);
    if (c->n_graphs > 1) json_object_set_new(edges, "graphs", graphs_json(c));
    return edges;
}

static json_t *labels_json(const hrr_certificate *c)
{
    if (!c->has_labels) return json_null();
    uint64_t eps = c->request.eps_labels_nano;
    if (!eps)
        return json_pack("{s:s, s:n, s:n}", "mechanism", hrr_label_mechanism_name(HRR_LABELS_KEPT),
                         "requested_eps", "realised_eps");
    const hrr_label_mechanism mechanism =
        c->multilabel ? HRR_LABELS_EVERY_BIT : HRR_LABELS_RANDOMISED;
    return json_pack("{s:s, s:o, s:o, s:s, s:I}", "mechanism", hrr_label_mechanism_name(mechanism),
                     "requested_eps", eps_json(eps), "realised_eps",
                     realised_json(c->realised_eps_labels, eps), "neighbours",
                     hrr_neighbours_labels, "classes", (json_int_t)c->n_classes);
}

static json_t *declared_json(const hrr_certificate *c)
{
    json_t *declared = json_array();
    for (int i = 0; hrr_public_names()[i]; i++)
        if (c->declared & 1u << i)
            json_array_append_new(declared, json_string(hrr_public_names()[i]));
    return declared;
}

static json_t *ledger_json(const hrr_certificate *c)
{
    const hrr_ledger_entry *entry = &c->ledger_entry;
    if (!entry->number) return json_null();
    const char *account = entry->account[0] ? entry->account : NULL;
    return json_pack("{s:s, s:s*, s:I, s:I, s:s}", "ledger", entry->ledger_id, "account", account,
                     "charge", (json_int_t)entry->charge, "number", (json_int_t)entry->number,
                     "link", entry->link);
}

/* Sums of a named account alone: the owner decides what is charged to it, no data does. */
static json_t *account_json(const hrr_certificate *c)
{
    const hrr_spend *before = &c->account_before;
    if (!c->ledger_entry.number || !c->ledger_entry.account[0]) return json_null();
    return json_pack("{s:s, s:I, s:o, s:o, s:o, s:f, s:b}", "name", c->ledger_entry.account,
                     "charges_before", (json_int_t)c->account_charges_before, "eps_features_before",
                     eps_json(before->features_nano), "eps_edges_before",
                     eps_json(before->edges_nano), "eps_labels_before",
                     eps_json(before->labels_nano), "delta_before", before->delta,
                     "not_private_before", before->unbounded);
}

/* Parts that are protected, or that nothing released depends on. */
static json_t *protects_json(const hrr_terms *terms)
{
    json_t *list = json_array();
    for (int part = 0; part < HRR_N_PARTS; part++) {
        const hrr_treatment treatment = terms->part[part].treatment;
        if (treatment == HRR_PROTECTED || treatment == HRR_LEFT_OUT)
            json_array_append_new(list, json_string(hrr_part_names[part]));
    }
    return list;
}

/* null where nothing is said. */
static json_t *text_json(const char *text)
{
    json_t *json = text && *text ? json_string(text) : NULL;
    return json ? json : json_null();
}

hrr_status hrr_certificate_json(json_t **out, const hrr_certificate *c, hrr_error *err)
{
    hrr_terms *terms = NULL;
    json_t *declared = declared_json(c);
    json_t *json = json_pack(
        "{s:s, s:i, s:o, s:s, s:b, s:n, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s, "
        "s:{s:I, s:I}, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
        "format", "heterorr certificate", "format_version", HRR_CERTIFICATE_VERSION, "program",
        json_sprintf("heterorr %s", hrr_version()), "statement", "", "private",
        hrr_certificate_is_private(c), "protects", "not_private_because",
        sentences_json(&c->not_private_because), "mode", c->request.paper_mode ? "paper" : "strict",
        "not_certified", sentences_json(&c->not_certified), "not_protected",
        sentences_json(&c->not_protected), "declared_public", json_incref(declared), "features",
        features_json(c), "edges", c->edges_published ? published_json(c, declared) : edges_json(c),
        "labels", labels_json(c), "generator",
        c->insecure ? hrr_generator_insecure : hrr_generator_secure, "input", "nodes",
        (json_int_t)c->n_nodes, "features", (json_int_t)c->n_features_in, "data_set",
        text_json(c->data_set), "date", text_json(c->date), "issuer", text_json(c->request.issuer),
        "raw_data_kept", text_json(c->request.kept), "signer", text_json(c->request.signer),
        "files", json_object(), "account", account_json(c), "ledger_entry", ledger_json(c));
    json_decref(declared);
    hrr_status status = json ? hrr_terms_of_certificate(&terms, json, err) : hrr_no_memory(err);
    if (!status && (json_object_set_new(json, "statement", json_string(terms->statement)) ||
                    json_object_set_new(json, "protects", protects_json(terms))))
        status = hrr_no_memory(err);
    hrr_terms_free(terms);
    if (status) json_decref(json);
    *out = status ? NULL : json;
    return status;
}
