/* guarantee.c: what was protected, and with what promise: the bundle's certificate, after checking
 * that the bundle still is what it says. */
#include "report/sections.h"
#include "certificate/fields.h"
#include "certificate/terms.h"
#include "base/memory.h"
#include "base/number.h"

#include <heterorr/release.h>

#include <stdio.h>
#include <string.h>

enum { GUESS_SIZE = 32 };
static const char none[] = "\u2013";

static void list(hrr_text *html, const char *heading, const json_t *sentences)
{
    size_t i;
    json_t *item;
    if (json_array_size(sentences) == 0) return;
    hrr_text_printf(html, "<h3>%s</h3>\n<ul class=\"wide-list\">\n", heading);
    json_array_foreach(sentences, i, item)
    {
        hrr_text_put(html, "<li>");
        hrr_text_escape(html, json_string_value(item) ? json_string_value(item) : "");
        hrr_text_put(html, "</li>\n");
    }
    hrr_text_put(html, "</ul>\n");
}

/* What the last column says: how often a guess is right at most, or that there is nothing to guess.
 */
static void right_at_most(char out[GUESS_SIZE], const hrr_term *term)
{
    switch (term->treatment) {
    case HRR_PUBLISHED:
        snprintf(out, GUESS_SIZE, "published as it is");
        break;
    case HRR_LEFT_OUT:
        snprintf(out, GUESS_SIZE, "no better than a coin");
        break;
    case HRR_PROTECTED:
        snprintf(out, GUESS_SIZE, "%.1f\u00a0%%",
                 hrr_right_at_most((double)term->eps_nano / (double)HRR_EPS_UNIT, term->delta));
        break;
    case HRR_NOT_THERE:
    case HRR_UNPROTECTED:
        snprintf(out, GUESS_SIZE, "always");
    }
}

/* A field of the record, as the certificate's page has it: what is published, or was asked for
 * without a budget, has no mechanism and no epsilon. */
static const char *shown(const hrr_terms *terms, hrr_part part, const char *key)
{
    const hrr_treatment treatment = terms->part[part].treatment;
    const char *word = hrr_json_word(hrr_terms_record(terms, part), key);
    if (strcmp(key, "mechanism") == 0 && treatment == HRR_PUBLISHED) return "none";
    if (strcmp(key, "requested_eps") == 0 && treatment == HRR_UNPROTECTED && strcmp(word, "0") == 0)
        return none;
    return *word ? word : none;
}

static void row(hrr_text *html, const char *name, const hrr_terms *terms, hrr_part part)
{
    char guess[GUESS_SIZE];
    static const char *const keys[] = {"mechanism", "requested_eps", "realised_eps", "neighbours"};
    static const char *const titles[] = {"mechanism", "epsilon asked for", "epsilon realised",
                                         "neighbours"};
    if (terms->part[part].treatment == HRR_NOT_THERE) return;
    hrr_text_printf(html, "<tr><th scope=\"row\">%s</th>", name);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        hrr_text_printf(html, "<td data-l=\"%s\">", titles[i]);
        hrr_text_escape(html, shown(terms, part, keys[i]));
        hrr_text_put(html, "</td>");
    }
    right_at_most(guess, &terms->part[part]);
    hrr_text_printf(html, "<td data-l=\"a guess is right at most\">%s</td></tr>\n", guess);
}

static void put_findings(hrr_text *html, const hrr_findings *findings)
{
    if (findings->count == 0) {
        hrr_text_put(html, "<p class=\"note\">Checked for this report: every file of the bundle is "
                           "the one that was certified, and the promise follows from the recorded "
                           "parameters.</p>\n");
        return;
    }
    hrr_text_put(html, "<p><span class=\"badge bad\">DO NOT RELY ON THIS BUNDLE</span></p>\n"
                       "<ul class=\"wide-list\">\n");
    for (int i = 0; i < findings->count && i < HRR_MOST_FINDINGS; i++) {
        hrr_text_put(html, "<li>");
        hrr_text_escape(html, findings->text[i]);
        hrr_text_put(html, "</li>\n");
    }
    hrr_text_put(html, "</ul>\n");
}

/* The promise in words; the statement itself where there is none. */
static void say_promise(hrr_page *page, const hrr_terms *terms)
{
    static const char *const what[] = {"one node's features", "a private edge", "one node's label"};
    char text[HRR_REPORT_SENTENCE_SIZE] = "", guess[GUESS_SIZE], delta[HRR_REAL_TEXT_SIZE];
    size_t used = 0;
    for (int part = 0; part < HRR_N_PARTS; part++) {
        if (terms->part[part].treatment != HRR_PROTECTED) continue;
        const bool all_pairs = part == HRR_PART_EDGES && terms->all_pairs;
        right_at_most(guess, &terms->part[part]);
        hrr_real_text(delta, terms->part[part].delta);
        used += (size_t)snprintf(
            text + used, sizeof text - used, "%s%s %s (epsilon %.24s%s%s)", used ? ", " : "",
            all_pairs ? "an edge" : what[part], guess,
            hrr_json_word(hrr_terms_record(terms, (hrr_part)part), "requested_eps"),
            terms->part[part].delta > 0 ? ", delta " : "",
            terms->part[part].delta > 0 ? delta : "");
    }
    if (terms->is_private && used)
        hrr_page_say(
            page,
            "%s. What a reader of the release guesses right at most, where a coin is right half "
            "of the time: %s. The certificate lists what is not protected.",
            terms->badge, text);
    else
        hrr_page_say(page, "%s", terms->statement);
}

static void put_certificate(hrr_page *page, const hrr_terms *terms, const hrr_findings *findings)
{
    hrr_text *html = &page->html;
    const json_t *certificate = terms->certificate;
    const bool trusted = findings->count == 0;
    hrr_page_section(page, "guarantee", "What is protected",
                     "Epsilon bounds how much more likely any outcome becomes when one record "
                     "changes: at most e<sup>epsilon</sup> times. Smaller is more private: who is "
                     "undecided between two neighbours, knows everything else and reads the "
                     "release, guesses right in the last column's share of cases at most; a coin "
                     "does in half of them. The "
                     "promise is about the bundle and not about this page: figures below that "
                     "were measured on private data are for its owner.");
    hrr_text_printf(html,
                    "<div class=\"card\"><span class=\"badge%s\">%s</span>\n<p class=\"claim\">",
                    terms->is_private && trusted ? "" : " bad",
                    trusted ? terms->badge : "DOES NOT MATCH ITS CERTIFICATE");
    hrr_text_escape(html, terms->statement);
    hrr_text_put(html, "</p></div>\n");
    put_findings(html, findings);
    list(html, "Not private because", json_object_get(certificate, "not_private_because"));
    hrr_text_put(
        html, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Budgets\">"
              "<table class=\"words\"><thead><tr><th></th><th>mechanism</th><th>epsilon "
              "asked for</th><th>epsilon realised</th><th>neighbours</th><th>a guess is right at "
              "most</th></tr></thead>"
              "<tbody>\n");
    row(html, "Features", terms, HRR_PART_FEATURES);
    row(html, "Edges", terms, HRR_PART_EDGES);
    row(html, "Labels", terms, HRR_PART_LABELS);
    hrr_text_put(html, "</tbody></table></div>\n");
    list(html, "Not protected", json_object_get(certificate, "not_protected"));
    list(html, "Declared public by whoever made the release",
         json_object_get(certificate, "declared_public"));
    list(html, "Claims of the paper that are not certified",
         json_object_get(certificate, "not_certified"));
    hrr_text_put(html, "<p class=\"note\">Made by ");
    hrr_text_escape(html, hrr_json_word(certificate, "program"));
    hrr_text_put(html, ", mode ");
    hrr_text_escape(html, hrr_json_word(certificate, "mode"));
    hrr_text_put(html, ".</p>\n");
    hrr_page_end_section(page);
    if (!trusted)
        hrr_page_say(page, "Do not rely on the bundle: %.400s.", findings->text[0]);
    else
        say_promise(page, terms);
}

hrr_status hrr_section_guarantee(hrr_page *page, const char *bundle, hrr_error *err)
{
    if (!bundle) return HRR_OK;
    hrr_terms *terms = NULL;
    hrr_findings *findings = hrr_alloc_zero(1, sizeof *findings);
    hrr_status status = findings ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_verify_bundle(findings, bundle, page->progress, err);
    if (!status) status = hrr_terms_read(&terms, bundle, err);
    if (!status) put_certificate(page, terms, findings);
    hrr_terms_free(terms);
    hrr_free(findings);
    return status;
}
