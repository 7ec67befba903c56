/* guarantee.c: what was protected, and with what promise: the bundle's certificate, after checking
 * that the bundle still is what it says. */
#include "report/sections.h"
#include "base/memory.h"
#include "base/paths.h"

#include <heterorr/release.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *word(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

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

/* How often somebody is right at most who is undecided between two neighbours and reads the
 * release: e^eps / (1 + e^eps). Empty if nothing bounds it. */
static void right_at_most(char out[16], const json_t *part)
{
    char *end;
    const char *text = word(part, "requested_eps");
    const double eps = strtod(text, &end);
    out[0] = '\0';
    if (!*text || *end || !isfinite(eps) || strcmp(word(part, "realised_eps"), "infinity") == 0)
        return;
    snprintf(out, 16, "%.3g\u00a0%%", 100 / (1 + exp(-eps)));
}

static void row(hrr_text *html, const char *name, const json_t *part)
{
    char guess[16];
    static const char *const keys[] = {"mechanism", "requested_eps", "realised_eps", "neighbours"};
    static const char *const titles[] = {"mechanism", "epsilon asked for", "epsilon realised",
                                         "neighbours"};
    if (!json_is_object(part)) return;
    hrr_text_printf(html, "<tr><th scope=\"row\">%s</th>", name);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        hrr_text_printf(html, "<td data-l=\"%s\">", titles[i]);
        hrr_text_escape(html, *word(part, keys[i]) ? word(part, keys[i]) : "\u2013");
        hrr_text_put(html, "</td>");
    }
    right_at_most(guess, part);
    hrr_text_printf(html, "<td data-l=\"a guess is right at most\">%s</td></tr>\n",
                    *guess ? guess : "always");
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
static void say_promise(hrr_page *page, const json_t *certificate, bool is_private)
{
    static const char *const names[] = {"features", "edges", "labels"};
    static const char *const what[] = {"one node's features", "a private edge", "one node's label"};
    char text[HRR_REPORT_SENTENCE_SIZE] = "", guess[16];
    size_t used = 0;
    for (size_t i = 0; i < 3; i++) {
        const json_t *part = json_object_get(certificate, names[i]);
        const bool all_pairs = json_is_true(json_object_get(part, "protects_public_edges"));
        right_at_most(guess, part);
        if (!*guess || strcmp(word(part, "requested_eps"), "0") == 0) continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s (epsilon %.24s)",
                                 used ? ", " : "", all_pairs ? "an edge" : what[i], guess,
                                 word(part, "requested_eps"));
    }
    if (is_private && used)
        hrr_page_say(page,
                     "What a reader of the release guesses right at most, where a coin has "
                     "50\u00a0%%: %s. The certificate lists what is not protected.",
                     text);
    else
        hrr_page_say(page, "%s", word(certificate, "statement"));
}

static void put_certificate(hrr_page *page, const json_t *certificate, const hrr_findings *findings)
{
    hrr_text *html = &page->html;
    const bool is_private = json_is_true(json_object_get(certificate, "private"));
    const bool trusted = findings->count == 0;
    hrr_page_section(page, "guarantee", "What is protected",
                     "Epsilon bounds how much more likely any outcome becomes when one record "
                     "changes: at most e<sup>epsilon</sup> times. Smaller is more private: who is "
                     "undecided between two neighbours, knows everything else and reads the "
                     "release, guesses right in the last column's share of cases at most; a coin "
                     "does in 50&nbsp;%. The "
                     "promise is about the bundle and not about this page: figures below that "
                     "were measured on private data are for its owner.");
    hrr_text_printf(
        html, "<div class=\"card\"><span class=\"badge%s\">%s</span>\n<p class=\"claim\">",
        is_private && trusted ? "" : " bad",
        !trusted ? "DOES NOT MATCH ITS CERTIFICATE" : (is_private ? "PRIVATE" : "NOT PRIVATE"));
    hrr_text_escape(html, word(certificate, "statement"));
    hrr_text_put(html, "</p></div>\n");
    put_findings(html, findings);
    list(html, "Not private because", json_object_get(certificate, "not_private_because"));
    hrr_text_put(
        html, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Budgets\">"
              "<table class=\"words\"><thead><tr><th></th><th>mechanism</th><th>epsilon "
              "asked for</th><th>epsilon realised</th><th>neighbours</th><th>a guess is right at "
              "most</th></tr></thead>"
              "<tbody>\n");
    row(html, "Features", json_object_get(certificate, "features"));
    row(html, "Edges", json_object_get(certificate, "edges"));
    row(html, "Labels", json_object_get(certificate, "labels"));
    hrr_text_put(html, "</tbody></table></div>\n");
    list(html, "Not protected", json_object_get(certificate, "not_protected"));
    list(html, "Declared public by whoever made the release",
         json_object_get(certificate, "declared_public"));
    list(html, "Claims of the paper that are not certified",
         json_object_get(certificate, "not_certified"));
    hrr_text_put(html, "<p class=\"note\">Made by ");
    hrr_text_escape(html, word(certificate, "program"));
    hrr_text_put(html, ", mode ");
    hrr_text_escape(html, word(certificate, "mode"));
    hrr_text_put(html, ".</p>\n");
    hrr_page_end_section(page);
    if (!trusted)
        hrr_page_say(page, "Do not rely on the bundle: %.400s.", findings->text[0]);
    else
        say_promise(page, certificate, is_private);
}

hrr_status hrr_section_guarantee(hrr_page *page, const char *bundle, hrr_error *err)
{
    if (!bundle) return HRR_OK;
    json_error_t wrong;
    hrr_findings *findings = hrr_alloc_zero(1, sizeof *findings);
    char *path = hrr_path_join(bundle, "certificate.json");
    json_t *certificate = NULL;
    hrr_status status = findings && path ? HRR_OK : hrr_no_memory(err);
    if (status) goto done;
    if ((status = hrr_verify_bundle(findings, bundle, page->progress, err))) goto done;
    certificate = json_load_file(path, JSON_REJECT_DUPLICATES, &wrong);
    if (!certificate || strcmp(word(certificate, "format"), "heterorr certificate") != 0)
        status = hrr_fail(err, HRR_EDATA,
                          "%s: is no certificate of heterorr; name a bundle that protect made%s%s",
                          path, certificate ? "" : ": ", certificate ? "" : wrong.text);
    else if (json_integer_value(json_object_get(certificate, "format_version")) != 1)
        status = hrr_fail(err, HRR_EDATA,
                          "%s: is of a format that this version does not know; use the version "
                          "that made it (%.60s)",
                          path, word(certificate, "program"));
    else
        put_certificate(page, certificate, findings);
done:
    json_decref(certificate);
    hrr_free(path);
    hrr_free(findings);
    return status;
}
