/* guarantee.c: what was protected, and with what promise: the bundle's certificate, after checking
 * that the bundle still is what it says. */
#include "report/sections.h"
#include "certificate/terms.h"
#include "certificate/words.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum { GUESS_SIZE = 32 };
static const char none[] = "\u2013";

static void list(hrr_text *html, const hrr_terms *terms, hrr_term_list which)
{
    const char *text;
    if (!hrr_terms_listed(terms, which, 0)) return;
    hrr_text_printf(html, "<h3>%s</h3>\n<ul class=\"wide-list\">\n", hrr_term_list_titles[which]);
    for (size_t i = 0; (text = hrr_terms_listed(terms, which, i)); i++) {
        hrr_text_put(html, "<li>");
        hrr_text_escape(html, text);
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

static void row(hrr_text *html, const char *name, const hrr_terms *terms, hrr_part part)
{
    char guess[GUESS_SIZE];
    const hrr_part_words words = hrr_terms_words(terms, part);
    const struct {
        const char *title, *text;
    } cells[] = {{"mechanism", words.mechanism},
                 {"epsilon requested", words.requested_eps},
                 {"epsilon realised", words.realised_eps},
                 {"neighbours", words.neighbours}};
    const hrr_term term = hrr_terms_of(terms, part);
    if (term.treatment == HRR_NOT_THERE) return;
    hrr_text_printf(html, "<tr><th scope=\"row\">%s</th>", name);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        hrr_text_printf(html, "<td data-l=\"%s\">", cells[i].title);
        hrr_text_escape(html, *cells[i].text ? cells[i].text : none);
        hrr_text_put(html, "</td>");
    }
    right_at_most(guess, &term);
    hrr_text_printf(html, "<td data-l=\"largest chance of a right guess\">%s</td></tr>\n", guess);
}

static void put_findings(hrr_text *html, const hrr_findings *findings)
{
    if (findings->count == 0) {
        hrr_text_put(
            html, "<p class=\"note\">Checked for this report: every file of the bundle is the "
                  "certified one, and the guarantee follows from the recorded parameters.</p>\n");
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

/* The promise in the certificate's plain words; the statement itself where there is none. */
static void say_promise(hrr_page *page, const hrr_terms *terms)
{
    char text[HRR_REPORT_SENTENCE_SIZE] = "", plain[HRR_PLAIN_SIZE];
    if (!hrr_terms_are_private(terms)) {
        hrr_page_say(page, "%s", hrr_terms_statement(terms));
        return;
    }
    for (int part = 0; part < HRR_N_PARTS; part++) {
        hrr_terms_plain_words(plain, terms, (hrr_part)part);
        if (*plain)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? " " : "",
                     plain);
    }
    hrr_page_say(page, "%s. %s", hrr_terms_badge(terms), text);
}

static void put_certificate(hrr_page *page, const hrr_terms *terms, const hrr_findings *findings)
{
    hrr_text *html = &page->html;
    const hrr_origin_words origin = hrr_terms_origin(terms);
    const bool trusted = findings->count == 0;
    char intro[640];
    snprintf(intro, sizeof intro,
             "%s Smaller is more private. The last column bounds an attacker who knows everything "
             "else, considers two neighbouring inputs equally likely, and reads the release: it is "
             "the largest chance of guessing which of the two is true. A coin has a chance of one "
             "half. The guarantee covers the bundle and not this page: results below that were "
             "measured on private data are for the owner.",
             hrr_epsilon_means);
    hrr_page_section(page, "guarantee", "What is protected", intro);
    hrr_text_printf(html,
                    "<div class=\"card\"><span class=\"badge%s\">%s</span>\n<p class=\"claim\">",
                    hrr_terms_are_private(terms) && trusted ? "" : " bad",
                    trusted ? hrr_terms_badge(terms) : "DOES NOT MATCH ITS CERTIFICATE");
    hrr_text_escape(html, hrr_terms_statement(terms));
    hrr_text_put(html, "</p></div>\n");
    put_findings(html, findings);
    list(html, terms, HRR_NOT_PRIVATE_BECAUSE);
    hrr_text_put(
        html, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Budgets\"><table "
              "class=\"words\"><thead><tr><th></th><th>mechanism</th><th>epsilon "
              "requested</th><th>epsilon realised</th><th>neighbours</th><th>largest chance of a "
              "right guess</th></tr></thead><tbody>\n");
    row(html, "Features", terms, HRR_PART_FEATURES);
    row(html, "Edges", terms, HRR_PART_EDGES);
    row(html, "Labels", terms, HRR_PART_LABELS);
    hrr_text_put(html, "</tbody></table></div>\n");
    list(html, terms, HRR_NOT_PROTECTED);
    list(html, terms, HRR_DECLARED_PUBLIC);
    list(html, terms, HRR_NOT_CERTIFIED);
    hrr_text_put(html, "<p class=\"note\">Made by ");
    hrr_text_escape(html, origin.program);
    hrr_text_put(html, ", mode ");
    hrr_text_escape(html, origin.mode);
    hrr_text_put(html, ".</p>\n");
    hrr_page_end_section(page);
    if (!trusted)
        hrr_page_say(page, "Do not rely on the bundle: %.400s.", findings->text[0]);
    else
        say_promise(page, terms);
}

/* So that attacks on releases like this one can be told from others. */
static void remember_edges(hrr_page *page, const hrr_terms *terms)
{
    const hrr_term edges = hrr_terms_of(terms, HRR_PART_EDGES);
    if (edges.treatment != HRR_PROTECTED) return;
    snprintf(page->bundle_edges, sizeof page->bundle_edges, "%s",
             hrr_terms_words(terms, HRR_PART_EDGES).mechanism);
    page->bundle_eps_edges = (double)edges.eps_nano / (double)HRR_EPS_UNIT;
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
    if (!status) remember_edges(page, terms);
    hrr_terms_free(terms);
    hrr_free(findings);
    return status;
}
