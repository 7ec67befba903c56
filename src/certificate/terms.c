/* terms.c: from what certificate.json records to what it means.
 *
 * Whoever makes a release and whoever reads one take the same way: the terms are read out of the
 * record, and every sentence out of the terms. */
#include "certificate/terms.h"
#include "certificate/fields.h"
#include "certificate/file.h"
#include "base/memory.h"

#include <string.h>

const char hrr_part_names[HRR_N_PARTS][9] = {"features", "edges", "labels"};

const json_t *hrr_terms_record(const hrr_terms *terms, hrr_part part)
{
    return json_object_get(terms->certificate, hrr_part_names[part]);
}

const char *hrr_terms_why_published(const json_t *certificate)
{
    return hrr_json_lists(certificate, "declared_public", "edges")
               ? "every edge is published as it is, because you declared all edges public"
               : "every edge is published as it is, because the input states that all its edges "
                 "are public";
}

/* In the order of the bits. */
static bool list_declared(hrr_terms *terms)
{
    int n = 0;
    for (int i = 0; hrr_public_names()[i]; i++) {
        const char *name = hrr_public_names()[i];
        if (!hrr_json_lists(terms->certificate, "declared_public", name)) continue;
        terms->declared[n] = hrr_format_text("%s (%s)", name, hrr_public_reason(1u << i));
        if (!terms->declared[n++]) return false;
    }
    return true;
}

/* An epsilon that is null belongs to what is published; one that is no number protects nothing. */
static hrr_term read_term(const json_t *part)
{
    hrr_term term = {.treatment = HRR_UNPROTECTED};
    if (!json_is_object(part)) return (hrr_term){.treatment = HRR_NOT_THERE};
    if (json_is_null(json_object_get(part, "requested_eps")))
        return (hrr_term){.treatment = HRR_PUBLISHED};
    if (strcmp(hrr_json_word(part, "realised_eps"), "infinity") == 0 ||
        !hrr_eps_of_text(&term.eps_nano, hrr_json_word(part, "requested_eps")))
        return (hrr_term){.treatment = HRR_UNPROTECTED};
    term.treatment = term.eps_nano ? HRR_PROTECTED : HRR_LEFT_OUT;
    term.delta = json_real_value(json_object_get(part, "delta"));
    return term;
}

hrr_status hrr_terms_of_certificate(hrr_terms **out, const json_t *certificate, hrr_error *err)
{
    hrr_terms *terms = hrr_alloc_zero(1, sizeof *terms);
    *out = NULL;
    if (!terms) return hrr_no_memory(err);
    terms->certificate = json_incref((json_t *)certificate);
    for (int part = 0; part < HRR_N_PARTS; part++)
        terms->part[part] = read_term(hrr_terms_record(terms, (hrr_part)part));
    terms->is_private = json_is_true(json_object_get(certificate, "private"));
    terms->all_pairs = json_is_true(
        json_object_get(hrr_terms_record(terms, HRR_PART_EDGES), "protects_public_edges"));
    hrr_terms_name_badge(terms);
    terms->statement = hrr_terms_state(terms);
    if (!terms->statement || !list_declared(terms)) {
        hrr_terms_free(terms);
        return hrr_no_memory(err);
    }
    *out = terms;
    return HRR_OK;
}

hrr_status hrr_terms_read(hrr_terms **out, const char *bundle, hrr_error *err)
{
    json_t *certificate;
    json_error_t wrong;
    hrr_error why = {0};
    *out = NULL;
    hrr_status status = hrr_certificate_load(&certificate, &wrong, bundle, err);
    if (status) return status;
    if (!certificate)
        status = hrr_fail(
            err, HRR_EDATA,
            "%s/%s: cannot be read as a certificate (%.100s); the bundle is damaged, make it again",
            bundle, hrr_certificate_name, wrong.text);
    else if (!hrr_certificate_is_known(certificate, &why))
        status = hrr_fail(err, HRR_EDATA, "%s: %s", bundle, why.message);
    else
        status = hrr_terms_of_certificate(out, certificate, err);
    json_decref(certificate);
    return status;
}

void hrr_terms_free(hrr_terms *terms)
{
    if (!terms) return;
    json_decref(terms->certificate);
    hrr_free(terms->statement);
    for (int i = 0; i < HRR_MOST_DECLARED; i++)
        hrr_free(terms->declared[i]);
    hrr_free(terms);
}

bool hrr_terms_are_private(const hrr_terms *terms)
{
    return terms->is_private;
}

hrr_term hrr_terms_of(const hrr_terms *terms, hrr_part part)
{
    return terms->part[part];
}

const char *hrr_terms_statement(const hrr_terms *terms)
{
    return terms->statement;
}

const char *hrr_terms_badge(const hrr_terms *terms)
{
    return terms->badge;
}

double hrr_terms_eps_of_count(const hrr_terms *terms)
{
    const unsigned long long ends =
        hrr_json_count(hrr_terms_record(terms, HRR_PART_EDGES), "count_ends");
    const double eps = (double)terms->part[HRR_PART_EDGES].eps_nano / (double)HRR_EPS_UNIT;
    return ends ? eps / (double)ends : 0;
}

bool hrr_terms_scale_features(const hrr_terms *terms)
{
    const json_t *features = hrr_terms_record(terms, HRR_PART_FEATURES);
    return strcmp(hrr_json_word(features, "scale_for_learning"), "standard") == 0;
}

hrr_part_words hrr_terms_words(const hrr_terms *terms, hrr_part part)
{
    const json_t *record = hrr_terms_record(terms, part);
    const hrr_treatment treatment = terms->part[part].treatment;
    hrr_part_words words = {.mechanism = hrr_json_word(record, "mechanism"),
                            .requested_eps = hrr_json_word(record, "requested_eps"),
                            .realised_eps = hrr_json_word(record, "realised_eps"),
                            .neighbours = hrr_json_word(record, "neighbours")};
    if (treatment == HRR_PUBLISHED) words.mechanism = "none";
    if (treatment == HRR_UNPROTECTED && strcmp(words.requested_eps, "0") == 0)
        words.requested_eps = "";
    return words;
}

const char *const hrr_term_list_titles[] = {
    [HRR_NOT_PRIVATE_BECAUSE] = "Not private because",
    [HRR_NOT_PROTECTED] = "Not protected",
    [HRR_DECLARED_PUBLIC] = "Declared public by whoever made this release",
    [HRR_NOT_CERTIFIED] = "Claims of the paper that are not certified here"};

const char *hrr_terms_listed(const hrr_terms *terms, hrr_term_list list, size_t i)
{
    static const char *const names[] = {[HRR_NOT_PRIVATE_BECAUSE] = "not_private_because",
                                        [HRR_NOT_PROTECTED] = "not_protected",
                                        [HRR_NOT_CERTIFIED] = "not_certified"};
    if (list == HRR_DECLARED_PUBLIC) return i < HRR_MOST_DECLARED ? terms->declared[i] : NULL;
    const json_t *sentences = json_object_get(terms->certificate, names[list]);
    if (i >= json_array_size(sentences)) return NULL;
    const char *text = json_string_value(json_array_get(sentences, i));
    return text ? text : "";
}

hrr_origin_words hrr_terms_origin(const hrr_terms *terms)
{
    const json_t *all = terms->certificate;
    return (hrr_origin_words){.program = hrr_json_word(all, "program"),
                              .mode = hrr_json_word(all, "mode"),
                              .issuer = hrr_json_word(all, "issuer"),
                              .kept = hrr_json_word(all, "raw_data_kept"),
                              .signer = hrr_json_word(all, "signer")};
}
