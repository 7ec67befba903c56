/* verify_edges.c: what the mechanism of the edges promises, anew from the recorded terms.
 *
 * A promise follows from public numbers alone (edge/promise.c), and the certificate records all of
 * them: so every epsilon and sentence about edges is put together again and must be the same. For a
 * collection that is done for each graph, and then for the whole. */
#include "certificate/verify.h"
#include "edge/promises.h"
#include "certificate/terms.h"
#include "edge/traits.h"
#include "edge/promise.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* A number that is not there is 0, and one that is negative no term at all. */
static bool read_count(uint64_t *out, const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    *out = (uint64_t)json_integer_value(value);
    return !value || (json_is_integer(value) && json_integer_value(value) >= 0);
}

/* What is one graph's own. */
static bool read_own_terms(hrr_edge_claim *out, const json_t *object)
{
    uint64_t blocks = 0;
    const bool good = read_count(&out->n_candidate_pairs, object, "candidate_pairs") &&
                      read_count(&out->n_candidates, object, "candidates") &&
                      read_count(&out->most_pairs_split, object, "most_pairs_split") &&
                      read_count(&out->most_edges, object, "most_edges") &&
                      read_count(&blocks, object, "blocks") && blocks <= UINT32_MAX;
    out->n_blocks = (uint32_t)blocks;
    return good;
}

/* What all graphs share. */
static bool read_shared_terms(hrr_edge_claim *out, const json_t *edges)
{
    uint64_t ends = 0;
    const char *tree = hrr_json_word(edges, "tree"), *eps_tree = hrr_json_word(edges, "eps_tree");
    const char *shares = hrr_json_word(edges, "shares");
    *out = (hrr_edge_claim){.tree = *tree ? tree : NULL, .shares = *shares ? shares : NULL};
    const bool good = hrr_eps_of_text(&out->eps_nano, hrr_json_word(edges, "requested_eps")) &&
                      (!*tree || hrr_eps_of_text(&out->eps_tree_nano, eps_tree)) &&
                      read_count(&ends, edges, "count_ends") && ends <= 2;
    out->count_ends = (hrr_count_ends)ends;
    if (!json_object_get(edges, "need_is")) return good;
    out->count_ends = HRR_ENDS_NEEDED;
    return good && ends == 1;
}

/* `where` begins every finding. `whole`: whose texts stand where `recorded` has none. */
static void compare(hrr_findings *findings, const char *where, const hrr_edge_promise *promise,
                    uint64_t eps_nano, const json_t *recorded, const json_t *whole)
{
    char realised[HRR_EPS_TEXT_SIZE];
    hrr_realised_text(realised, promise->realised_eps, eps_nano);
    if (strcmp(realised, hrr_json_word(recorded, "realised_eps")) != 0)
        hrr_find(findings, "%s: these parameters realise epsilon %s, not %.40s", where, realised,
                 hrr_json_word(recorded, "realised_eps"));
    const json_t *said_in = json_object_get(recorded, "statement") ? recorded : whole;
    const json_t *shown_in = json_object_get(recorded, "evidence") ? recorded : whole;
    if (strcmp(promise->statement, hrr_json_word(said_in, "statement")) != 0 ||
        strcmp(promise->evidence, hrr_json_word(shown_in, "evidence")) != 0)
        hrr_find(findings,
                 "%s: the recorded sentences differ from those that the mechanism gives for these "
                 "parameters",
                 where);
}

/* The promise of these terms; *made false: there is none, which is a finding. */
static hrr_status promise_anew(hrr_edge_promise *out, bool *made, hrr_findings *findings,
                               const char *where, const char *mechanism,
                               const hrr_edge_claim *terms, hrr_error *err)
{
    hrr_error wrong = {0};
    hrr_status status = hrr_edge_promise_init(out, mechanism, terms, &wrong);
    *made = !status;
    if (status == HRR_EINVAL) {
        hrr_find(findings, "%s: %.300s", where, wrong.message);
        return HRR_OK;
    }
    return status ? hrr_fail(err, status, "%s", wrong.message) : HRR_OK;
}

static void check_reasons(hrr_findings *findings, const hrr_edge_promise *promise,
                          const json_t *certificate)
{
    const json_t *listed = json_object_get(certificate, "not_certified");
    for (const char *const *why = promise->not_certified; why && *why; why++) {
        bool found = false;
        for (size_t i = 0; i < json_array_size(listed) && !found; i++) {
            const char *text = json_string_value(json_array_get(listed, i));
            found = text && strcmp(text, *why) == 0;
        }
        if (!found) hrr_find(findings, "edges: the certificate does not say that %.200s", *why);
    }
}

/* ---- a collection --------------------------------------------------------------------------- */

typedef struct collection {
    const char *mechanism;
    const json_t *edges, *graphs;
    uint32_t n;
    hrr_edge_promise *promise; /* of each graph */
    hrr_edge_claim *claim;     /* that point to them */
} collection;

static hrr_status promise_each(collection *c, bool *made, hrr_findings *findings,
                               const hrr_edge_claim *shared, hrr_error *err)
{
    hrr_status status = HRR_OK;
    *made = true;
    for (uint32_t g = 0; g < c->n && *made && !status; g++) {
        const json_t *own = json_array_get(c->graphs, g);
        char where[40];
        snprintf(where, sizeof where, "edges of graph %u", g);
        hrr_edge_claim *claim = &c->claim[g];
        *claim = *shared;
        if (!json_is_object(own) || !read_own_terms(claim, own)) {
            hrr_find(findings, "%s: the recorded parameters cannot be read", where);
            *made = false;
            break;
        }
        hrr_edge_promise *promise = &c->promise[g];
        status = promise_anew(promise, made, findings, where, c->mechanism, claim, err);
        if (status || !*made) break;
        compare(findings, where, promise, claim->eps_nano, own, c->edges);
        claim->realised_eps = promise->realised_eps;
        claim->statement = promise->statement;
        claim->evidence = promise->evidence;
        claim->not_certified = promise->not_certified;
    }
    return status;
}

/* Sums and largest numbers. */
static void compare_terms(hrr_findings *findings, const collection *c, const hrr_edge_claim *whole)
{
    uint64_t n_pairs = 0;
    uint32_t n_blocks = 0;
    for (uint32_t g = 0; g < c->n; g++) {
        n_pairs += c->claim[g].n_candidate_pairs;
        if (c->claim[g].n_blocks > n_blocks) n_blocks = c->claim[g].n_blocks;
    }
    if (n_pairs != whole->n_candidate_pairs || n_blocks != whole->n_blocks || whole->most_edges ||
        whole->n_candidates || whole->most_pairs_split)
        hrr_find(findings, "edges: the totals of the collection do not match its graphs");
}

static hrr_status check_collection(hrr_findings *findings, collection *c,
                                   const hrr_edge_claim *shared, const hrr_edge_claim *whole,
                                   const json_t *certificate, hrr_error *err)
{
    bool made;
    hrr_edge_promise all = {0};
    c->promise = hrr_alloc_zero(c->n, sizeof *c->promise);
    c->claim = hrr_alloc_zero(c->n, sizeof *c->claim);
    hrr_status status = c->promise && c->claim ? HRR_OK : hrr_no_memory(err);
    if (!status) status = promise_each(c, &made, findings, shared, err);
    if (!status && made) {
        compare_terms(findings, c, whole);
        status = hrr_edge_promise_join(&all, c->mechanism, c->claim, c->n, err);
        if (!status) {
            compare(findings, "edges", &all, shared->eps_nano, c->edges, c->edges);
            check_reasons(findings, &all, certificate);
        }
    }
    for (uint32_t g = 0; c->promise && g < c->n; g++)
        hrr_edge_promise_clear(&c->promise[g]);
    hrr_edge_promise_clear(&all);
    hrr_free(c->promise);
    hrr_free(c->claim);
    return status;
}

/* ---- together ------------------------------------------------------------------------------- */

static hrr_status check_one(hrr_findings *findings, const char *mechanism,
                            const hrr_edge_claim *terms, const json_t *edges,
                            const json_t *certificate, hrr_error *err)
{
    hrr_edge_promise promise;
    bool made;
    hrr_status status = promise_anew(&promise, &made, findings, "edges", mechanism, terms, err);
    if (status || !made) return status;
    compare(findings, "edges", &promise, terms->eps_nano, edges, edges);
    check_reasons(findings, &promise, certificate);
    hrr_edge_promise_clear(&promise);
    return HRR_OK;
}

/* What a mechanism writes beside the edges: counts that nobody claims to have drawn would be counts
 * that nobody paid for. */
static void check_parts(hrr_findings *findings, const char *mechanism, const json_t *edges,
                        const json_t *files)
{
    const bool tree = hrr_edge_traits(mechanism)->has_tree;
    const bool blocks = hrr_edge_traits(mechanism)->has_counts;
    const bool need = blocks && json_object_get(edges, "need_is");
    const bool rivals = need && json_object_get(edges, "rivals_are");
    const struct {
        const char *name;
        bool may, must;
    } parts[] = {{"tree.npy", tree, tree},       {"tree_counts.npy", tree, tree},
                 {"blocks.npy", blocks, blocks}, {"block_counts.npy", blocks, blocks},
                 {"counted.npy", blocks, false}, /* if there is a candidate set */
                 {"need.npy", need, need},       {"rivals.npy", rivals, rivals}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const bool there = json_object_get(files, parts[i].name) != NULL;
        if (there && !parts[i].may)
            hrr_find(findings, "edges: %s is not a file that %.40s writes", parts[i].name,
                     mechanism);
        if (!there && parts[i].must)
            hrr_find(findings, "edges: %.40s writes %s, but the file is missing", mechanism,
                     parts[i].name);
    }
}

/* There are n (n - 1) / 2 pairs of nodes. */
static bool has_more_pairs(uint64_t n_pairs, const json_t *certificate)
{
    const json_t *nodes = json_object_get(json_object_get(certificate, "input"), "nodes");
    const uint64_t n = (uint64_t)json_integer_value(nodes);
    return n <= UINT32_MAX && n_pairs > (n > 0 ? n * (n - 1) / 2 : 0);
}

/* No epsilon, no neighbours, and somebody's word for it. */
static void check_published(hrr_findings *findings, const json_t *edges, const json_t *certificate)
{
    if (hrr_edge_traits(hrr_json_word(edges, "mechanism"))->effect != HRR_EFFECT_LEAVE_OUT ||
        !json_is_null(json_object_get(edges, "realised_eps")) ||
        !json_is_null(json_object_get(edges, "neighbours")) ||
        !json_is_null(json_object_get(edges, "candidate_pairs")))
        hrr_find(findings, "edges: they are published unchanged, but the certificate names a "
                           "mechanism or an epsilon");
    if (strcmp(hrr_json_word(edges, "statement"), hrr_terms_why_published(certificate)) != 0 ||
        strcmp(hrr_json_word(edges, "evidence"), "nothing is protected") != 0)
        hrr_find(findings, "edges: the certificate does not say why they are published");
}

hrr_status hrr_verify_edges(hrr_findings *findings, const json_t *certificate, hrr_error *err)
{
    const json_t *edges = json_object_get(certificate, "edges");
    const json_t *graphs = json_object_get(edges, "graphs");
    const char *mechanism = hrr_json_word(edges, "mechanism");
    hrr_edge_claim shared, whole;
    if (json_is_true(json_object_get(edges, "protects_public_edges")) !=
        hrr_edge_traits(mechanism)->whole_graph)
        hrr_find(findings, "edges: what %s protects differs from what the certificate says",
                 mechanism);
    check_parts(findings, mechanism, edges, json_object_get(certificate, "files"));
    if (json_is_null(json_object_get(edges, "requested_eps"))) {
        check_published(findings, edges, certificate);
        return HRR_OK;
    }
    if (!read_shared_terms(&shared, edges)) {
        hrr_find(findings, "edges: the recorded parameters cannot be read");
        return HRR_OK;
    }
    whole = shared;
    if (!read_own_terms(&whole, edges) || has_more_pairs(whole.n_candidate_pairs, certificate)) {
        hrr_find(findings, "edges: the recorded parameters cannot be read");
        return HRR_OK;
    }
    if (!graphs) return check_one(findings, mechanism, &whole, edges, certificate, err);
    const size_t n = json_array_size(graphs);
    if (n < 2 || n > UINT32_MAX) {
        hrr_find(findings, "edges: a collection needs at least two graphs");
        return HRR_OK;
    }
    collection c = {.mechanism = mechanism, .edges = edges, .graphs = graphs, .n = (uint32_t)n};
    return check_collection(findings, &c, &shared, &whole, certificate, err);
}
