/* verify_claims.c: does the promise follow from what is recorded?
 *
 * The statement is put together anew from the terms that are recorded (certificate/terms.h), and
 * must be the same word for word. A release is private only if nothing that is recorded speaks
 * against it. */
#include "certificate/verify.h"
#include "certificate/file.h"
#include "certificate/words.h"
#include "certificate/terms.h"
#include "feature/labels.h"
#include "feature/traits.h"
#include "edge/traits.h"
#include "base/memory.h"

#include <string.h>

static bool is_infinite(const json_t *part)
{
    return strcmp(hrr_json_word(part, "realised_eps"), "infinity") == 0;
}

/* ---- epsilons ------------------------------------------------------------------------------- */

static void check_eps(hrr_findings *findings, const json_t *part, const char *name)
{
    uint64_t requested, realised;
    const char *asked = hrr_json_word(part, "requested_eps");
    if (!json_is_object(part) || (!*asked && is_infinite(part))) return;
    if (json_is_null(json_object_get(part, "requested_eps")) &&
        json_is_null(json_object_get(part, "realised_eps")))
        return; /* it is published, which its own checks look at */
    if (!hrr_eps_of_text(&requested, asked))
        hrr_find(findings, "%s: the requested epsilon \"%.40s\" is not a valid number", name,
                 asked);
    else if (is_infinite(part))
        return;
    else if (!hrr_eps_of_text(&realised, hrr_json_word(part, "realised_eps")))
        hrr_find(findings, "%s: the realised epsilon \"%.40s\" is not a valid number", name,
                 hrr_json_word(part, "realised_eps"));
    else if (realised > requested)
        hrr_find(findings, "%s: the realised epsilon is larger than the requested one", name);
}

/* Labels: what randomised response realises for this budget and this many classes. */
static hrr_status realise_labels(double *realised, uint64_t eps_nano, uint32_t n_classes,
                                 bool every_bit, hrr_error *err)
{
    hrr_feature_plan *bits;
    if (!every_bit) return hrr_label_realised_eps(realised, n_classes, eps_nano, err);
    hrr_status status = hrr_label_bits_plan(&bits, n_classes, eps_nano, err);
    if (!status) *realised = hrr_feature_plan_claim(bits).realised_eps;
    hrr_feature_plan_free(bits);
    return status;
}

static hrr_status check_labels(hrr_findings *findings, const json_t *labels, hrr_error *err)
{
    uint64_t eps;
    double realised;
    char text[HRR_EPS_TEXT_SIZE];
    const json_int_t classes = json_integer_value(json_object_get(labels, "classes"));
    const char *asked = hrr_json_word(labels, "requested_eps");
    const char *name = hrr_json_word(labels, "mechanism");
    const hrr_label_mechanism mechanism = hrr_label_mechanism_find(name);
    if (json_is_object(labels) && mechanism == HRR_N_LABEL_MECHANISMS)
        hrr_find(findings, "labels: there is no mechanism \"%.40s\"", name);
    if (json_is_object(labels) &&
        ((mechanism == HRR_LABELS_KEPT) == (*asked != '\0') ||
         (!*asked && !json_is_null(json_object_get(labels, "realised_eps")))))
        hrr_find(findings, "labels: the epsilon and the mechanism contradict each other: only a "
                           "mechanism spends a budget");
    if (!*asked || !hrr_eps_of_text(&eps, asked)) return HRR_OK; /* check_eps() said it */
    hrr_status status = HRR_EINVAL;
    if (classes >= 1 && classes <= INT32_MAX)
        status = realise_labels(&realised, eps, (uint32_t)classes,
                                mechanism == HRR_LABELS_EVERY_BIT, err);
    if (status == HRR_ENOMEM) return status;
    if (!status) hrr_realised_text(text, realised, eps);
    if (status || strcmp(text, hrr_json_word(labels, "realised_eps")) != 0)
        hrr_find(findings, "labels: the realised epsilon does not follow from the parameters");
    return HRR_OK;
}

/* ---- what must be there --------------------------------------------------------------------- */

/* Every name of the list, which ends with NULL, is a field of the object. */
static void need_fields(hrr_findings *findings, const json_t *object, const char *what,
                        const char *const *names)
{
    for (; json_is_object(object) && *names; names++)
        if (!json_object_get(object, *names))
            hrr_find(findings, "%s has no field \"%s\"", what, *names);
}

static void check_fields(hrr_findings *findings, const json_t *certificate)
{
    static const char *const all[] = {
        "format",        "format_version",  "program",      "statement",
        "private",       "protects",        "data_set",     "date",
        "issuer",        "raw_data_kept",   "account",      "mode",
        "not_certified", "features",        "edges",        "not_private_because",
        "not_protected", "declared_public", "labels",       "generator",
        "input",         "files",           "ledger_entry", NULL};
    static const char *const features[] = {"mechanism",  "requested_eps", "realised_eps", "delta",
                                           "statement",  "evidence",      "neighbours",   "type",
                                           "n_features", "bounds",        "theta",        NULL};
    static const char *const edges[] = {
        "mechanism", "requested_eps", "realised_eps",          "neighbours",      "edges",
        "statement", "evidence",      "protects_public_edges", "candidate_pairs", NULL};
    static const char *const labels[] = {"mechanism", "requested_eps", "realised_eps", NULL};
    static const char *const since_signer[] = {"signer", NULL};
    need_fields(findings, certificate, "the certificate", all);
    if (hrr_certificate_is_since(certificate, HRR_CERTIFICATE_NAMES_SIGNER))
        need_fields(findings, certificate, "the certificate", since_signer);
    else if (json_object_get(certificate, "signer"))
        hrr_find(findings,
                 "the certificate has a field \"signer\", which its version does not have");
    need_fields(findings, json_object_get(certificate, "features"), "features", features);
    need_fields(findings, json_object_get(certificate, "edges"), "edges", edges);
    need_fields(findings, json_object_get(certificate, "labels"), "labels", labels);
}

/* Who the neighbours are is what an epsilon is about. */
static void check_neighbours(hrr_findings *findings, const json_t *part, const char *name,
                             const char *expected)
{
    if (json_is_object(part) && *hrr_json_word(part, "requested_eps") &&
        strcmp(hrr_json_word(part, "neighbours"), expected) != 0)
        hrr_find(findings, "%s: the neighbours are not those of the guarantee", name);
}

/* ---- is it private? ------------------------------------------------------------------------- */

static bool has_text(const json_t *part, const char *name, const char *text)
{
    return strstr(hrr_json_word(part, name), text) != NULL;
}

/* What is recorded and rules privacy out, whatever else is said. */
static const char *against(const json_t *certificate)
{
    const json_t *features = json_object_get(certificate, "features");
    const json_t *edges = json_object_get(certificate, "edges");
    if (strcmp(hrr_json_word(certificate, "generator"), hrr_generator_secure) != 0)
        return "the generator was not keyed by the operating system";
    if (json_is_object(features) && is_infinite(features)) return "the features are not protected";
    if (is_infinite(edges)) return "the edges are not protected";
    if (has_text(features, "theta", "not public")) return "the weights of features are not public";
    if (has_text(features, "bounds", "private")) return "the bounds come from private data";
    return NULL;
}

static void check_private(hrr_findings *findings, const json_t *certificate)
{
    const json_t *private = json_object_get(certificate, "private");
    const json_t *why = json_object_get(certificate, "not_private_because");
    const char *reason = against(certificate);
    if (!json_is_boolean(private) || !json_is_array(why))
        hrr_find(findings, "the certificate does not say whether the release is private");
    else if (json_is_true(private) != (json_array_size(why) == 0))
        hrr_find(findings, "the certificate says private: %s, but gives %zu reasons why not",
                 json_is_true(private) ? "true" : "false", json_array_size(why));
    else if (json_is_true(private) && reason)
        hrr_find(findings, "the certificate says private: true, but %s", reason);
    const char *mode = hrr_json_word(certificate, "mode");
    if (strcmp(mode, "strict") != 0 && strcmp(mode, "paper") != 0)
        hrr_find(findings, "the certificate does not name a known mode");
}

/* Blocks from outside are public on somebody's word, others need none. */
static void check_blocks(hrr_findings *findings, const json_t *certificate)
{
    const json_t *edges = json_object_get(certificate, "edges");
    const char *are = hrr_json_word(edges, "blocks_are");
    const bool counts = hrr_edge_traits(hrr_json_word(edges, "mechanism"))->has_counts;
    const bool given = strcmp(are, hrr_blocks_given) == 0;
    const bool on_word = hrr_json_lists(certificate, "declared_public", "blocks");
    if (counts != (*are != '\0'))
        hrr_find(
            findings,
            "edges: the certificate does not describe the blocks that edges were counted into");
    if (given && !on_word && json_is_true(json_object_get(certificate, "private")))
        hrr_find(findings, "edges: blocks were given but are not declared public");
    if (!given && on_word)
        hrr_find(findings, "edges: blocks are declared public, but none were given");
    if (!given && strcmp(hrr_json_word(edges, "need_is"), hrr_need_given) == 0)
        hrr_find(findings, "edges: need was given without blocks, so it is not declared public");
    if (!given && strcmp(hrr_json_word(edges, "rivals_are"), hrr_rivals_given) == 0)
        hrr_find(findings,
                 "edges: rivals were given without blocks, so they are not declared public");
}

/* Bounds are the owner's word or the format's; values are clipped to them in either case. */
static void check_bounds(hrr_findings *findings, const json_t *certificate)
{
    const json_t *features = json_object_get(certificate, "features");
    const json_t *bounds = json_object_get(features, "bounds");
    const char *by = hrr_json_word(bounds, "stated_by");
    const bool by_owner = strcmp(by, hrr_bounds_by_owner) == 0;
    const bool needed = json_is_object(bounds) &&
                        hrr_feature_traits(hrr_json_word(features, "mechanism"))->needs_bounds;
    if (needed && !by_owner && strcmp(by, hrr_bounds_by_format) != 0)
        hrr_find(findings, "features: the certificate does not say who stated the bounds");
    if ((needed && by_owner) != hrr_json_lists(certificate, "declared_public", "bounds"))
        hrr_find(findings, "features: bounds are declared public, but the owner did not state "
                           "them, or the reverse");
}

/* The account is the one that the ledger's entry names. */
static void check_account(hrr_findings *findings, const json_t *certificate)
{
    const json_t *entry = json_object_get(certificate, "ledger_entry");
    const char *charged = hrr_json_word(entry, "account");
    const char *named = hrr_json_word(json_object_get(certificate, "account"), "name");
    if (strcmp(charged, named) != 0)
        hrr_find(findings,
                 "the certificate names the account \"%.80s\", but the ledger charged \"%.80s\"",
                 named, charged);
}

/* What follows from the parts: the statement, and which of them are protected. */
static void check_terms(hrr_findings *findings, const hrr_terms *terms)
{
    const json_t *listed = json_object_get(terms->certificate, "protects");
    size_t n = 0;
    if (strcmp(terms->statement, hrr_json_word(terms->certificate, "statement")) != 0)
        hrr_find(findings,
                 "the statement does not follow from the recorded parameters; it should be: %.300s",
                 terms->statement);
    for (int part = 0; part < HRR_N_PARTS; part++) {
        const hrr_treatment treatment = terms->part[part].treatment;
        const bool covered = treatment == HRR_PROTECTED || treatment == HRR_LEFT_OUT;
        n += covered;
        if (covered != hrr_json_lists(terms->certificate, "protects", hrr_part_names[part]))
            hrr_find(findings, "the certificate is wrong about whether %s are protected",
                     hrr_part_names[part]);
    }
    if (json_array_size(listed) != n)
        hrr_find(findings, "the list of protected parts has repeated or unknown entries");
    if (terms->is_private && n == 0)
        hrr_find(findings, "the certificate says private: true, but nothing is protected");
}

hrr_status hrr_verify_claims(hrr_findings *findings, const json_t *certificate, hrr_error *err)
{
    const json_t *labels = json_object_get(certificate, "labels");
    hrr_terms *terms;
    const hrr_status read = hrr_terms_of_certificate(&terms, certificate, err);
    if (read) return read;
    check_terms(findings, terms);
    hrr_terms_free(terms);
    check_eps(findings, json_object_get(certificate, "features"), "features");
    check_eps(findings, json_object_get(certificate, "edges"), "edges");
    check_eps(findings, labels, "labels");
    check_blocks(findings, certificate);
    check_bounds(findings, certificate);
    check_account(findings, certificate);
    check_fields(findings, certificate);
    check_neighbours(findings, json_object_get(certificate, "features"), "features",
                     hrr_neighbours_features);
    const json_t *edges = json_object_get(certificate, "edges");
    const bool all_pairs = json_is_true(json_object_get(edges, "protects_public_edges"));
    check_neighbours(findings, edges, "edges",
                     all_pairs ? hrr_neighbours_pairs : hrr_neighbours_edges);
    check_neighbours(findings, labels, "labels", hrr_neighbours_labels);
    check_private(findings, certificate);
    return check_labels(findings, labels, err);
}
