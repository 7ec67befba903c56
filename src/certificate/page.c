/* page.c: CERTIFICATE.txt, for people: the statement first, then what it means, what it rests on
 * and what it does not cover. The order of the headings is that of NIST SP 800-226: from the
 * parameters down to how the data are kept.
 *
 * The page is made from certificate.json alone, so that whoever has both can make it again: verify
 * wants the very same bytes. For the same reason a change of words here needs a new
 * HRR_CERTIFICATE_VERSION, and certificates of the versions before keep the old ones. */
#include "certificate/page.h"
#include "certificate/fields.h"
#include "certificate/file.h"
#include "certificate/page_parts.h"
#include "certificate/words.h"
#include "base/memory.h"
#include "base/number.h"

#include <stdio.h>
#include <string.h>

typedef hrr_text_page page;

/* The parts of a certificate that the page speaks of again and again. */
typedef struct content {
    const hrr_terms *terms;
    const json_t *all, *features, *edges, *labels; /* features and labels: no object if none */
} content;

static hrr_treatment treatment_of(const content *c, hrr_part part)
{
    return c->terms->part[part].treatment;
}

static void list(page *p, const content *c, hrr_term_list which)
{
    if (!hrr_terms_listed(c->terms, which, 0)) return;
    hrr_page_heading(p, hrr_term_list_titles[which]);
    const char *text;
    for (size_t i = 0; (text = hrr_terms_listed(c->terms, which, i)); i++)
        hrr_page_point(p, text);
}

static void epsilon(page *p, const json_t *part)
{
    char both[128];
    const char *asked = hrr_json_word(part, "requested_eps");
    const char *realised = hrr_json_word(part, "realised_eps");
    snprintf(both, sizeof both, "requested %.40s, realised %.40s", asked, realised);
    hrr_page_line(p, "epsilon", strcmp(asked, "0") == 0 ? realised : both);
}

static void mechanism(page *p, const json_t *part)
{
    hrr_page_line(p, "mechanism", hrr_json_word(part, "mechanism"));
    if (json_object_get(part, "default_because"))
        hrr_page_line(p, "by default", hrr_json_word(part, "default_because"));
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* What values were clipped to, if they were; one line however many features there are. */
static void bounds(page *p, const json_t *bounds)
{
    if (!json_is_string(bounds) && !json_object_get(bounds, "stated_by")) return;
    const json_t *lo = json_object_get(bounds, "lo"), *hi = json_object_get(bounds, "hi");
    char text[96] = "public ones for each feature, see certificate.json";
    if (json_is_real(lo) && json_is_real(hi)) {
        char least[HRR_REAL_TEXT_SIZE], most[HRR_REAL_TEXT_SIZE];
        hrr_real_text(least, json_real_value(lo));
        hrr_real_text(most, json_real_value(hi));
        snprintf(text, sizeof text, "%s to %s", least, most);
    }
    hrr_page_line(p, "clipped to",
                  json_is_string(bounds) ? json_string_value(bounds) : (const char *)text);
    if (json_object_get(bounds, "stated_by"))
        hrr_page_line(p, "bounds from", hrr_json_word(bounds, "stated_by"));
}

static void features(page *p, const content *c)
{
    const json_t *features = c->features;
    if (!json_is_object(features)) return;
    hrr_page_heading(p, "Features");
    mechanism(p, features);
    epsilon(p, features);
    hrr_page_line(p, "claim", hrr_json_word(features, "statement"));
    hrr_page_line(p, "evidence", hrr_json_word(features, "evidence"));
    if (json_object_get(features, "directions_from"))
        hrr_page_line(p, "directions", hrr_json_word(features, "directions_from"));
    bounds(p, json_object_get(features, "bounds"));
    hrr_page_line(p, "neighbours", hrr_json_word(features, "neighbours"));
}

static void labels(page *p, const content *c)
{
    if (!json_is_object(c->labels)) return;
    hrr_page_heading(p, "Labels");
    if (treatment_of(c, HRR_PART_LABELS) == HRR_PUBLISHED) {
        hrr_page_line(p, "mechanism", "none: the labels are published as they are");
        return;
    }
    hrr_page_line(p, "mechanism", hrr_json_word(c->labels, "mechanism"));
    epsilon(p, c->labels);
    hrr_page_line(p, "neighbours", hrr_json_word(c->labels, "neighbours"));
}

/* One graph of a collection; a text that it does not have is that of the whole. */
static void graph(page *p, size_t number, const json_t *own, const json_t *edges)
{
    const char *statement = hrr_json_word(own, "statement");
    const char *evidence = hrr_json_word(own, "evidence");
    char name[32];
    char *both =
        hrr_format_text("%s; %s", *statement ? statement : hrr_json_word(edges, "statement"),
                        *evidence ? evidence : hrr_json_word(edges, "evidence"));
    p->out_of_memory |= !both;
    snprintf(name, sizeof name, "graph %zu", number);
    hrr_page_line(p, name, both ? both : "");
    hrr_free(both);
}

/* Where the graphs of a collection differ, each has a line, as many as people read. */
static void graphs(page *p, const json_t *edges)
{
    enum { most_lines = 64 };
    const json_t *graphs = json_object_get(edges, "graphs");
    char text[128];
    unsigned n_differ = 0;
    if (!graphs) return;
    snprintf(text, sizeof text, "%zu, each protected by itself; a pair lies in one of them",
             json_array_size(graphs));
    hrr_page_line(p, "graphs", text);
    for (size_t g = 0; g < json_array_size(graphs); g++) {
        const json_t *own = json_array_get(graphs, g);
        if (!*hrr_json_word(own, "statement") && !*hrr_json_word(own, "evidence")) continue;
        if (++n_differ <= most_lines) graph(p, g, own, edges);
    }
    if (n_differ <= most_lines) return;
    snprintf(text, sizeof text, "certificate.json has the other %u graphs", n_differ - most_lines);
    hrr_page_line(p, "", text);
}

static void edges(page *p, const content *c)
{
    const json_t *edges = c->edges;
    char text[160];
    hrr_page_heading(p, "Edges");
    if (treatment_of(c, HRR_PART_EDGES) == HRR_PUBLISHED) {
        hrr_page_line(p, "mechanism", "none: every edge is published as it is");
        return;
    }
    mechanism(p, edges);
    if (json_object_get(edges, "tree")) {
        snprintf(text, sizeof text, "%.40s; epsilon of the tree at most %.40s; chain steps: %llu",
                 hrr_json_word(edges, "tree"), hrr_json_word(edges, "eps_tree"),
                 hrr_json_count(edges, "chain_steps"));
        hrr_page_line(p, "tree", text);
    }
    if (json_object_get(edges, "blocks_are"))
        hrr_page_line(p, "blocks", hrr_json_word(edges, "blocks_are"));
    if (json_object_get(edges, "need_is"))
        hrr_page_line(p, "need", hrr_json_word(edges, "need_is"));
    if (json_object_get(edges, "rivals_are"))
        hrr_page_line(p, "rivals", hrr_json_word(edges, "rivals_are"));
    epsilon(p, edges);
    snprintf(text, sizeof text, "candidate pairs: %llu", hrr_json_count(edges, "candidate_pairs"));
    hrr_page_line(p, "pairs", text);
    hrr_page_line(p, "claim", hrr_json_word(edges, "statement"));
    hrr_page_line(p, "evidence", hrr_json_word(edges, "evidence"));
    graphs(p, edges);
    hrr_page_line(p, "neighbours", hrr_json_word(edges, "neighbours"));
}

/* An owner's own words, or that there are none. */
static const char *stated(const json_t *object, const char *name)
{
    const char *text = hrr_json_word(object, name);
    return *text ? text : "not stated";
}

static void meaning(page *p, const content *c)
{
    hrr_page_heading(p, "How to read this");
    hrr_page_point(p,
                   hrr_words_of(c->all, hrr_epsilon_means,
                                "Epsilon bounds how much more or less likely any release becomes "
                                "when one thing changes: at "
                                "most e^epsilon times. At 0 the release does not depend on it."));
    const hrr_treatment edges = treatment_of(c, HRR_PART_EDGES);
    if (!c->terms->is_private || (edges != HRR_PROTECTED && edges != HRR_LEFT_OUT)) return;
    hrr_page_point(
        p,
        c->terms->all_pairs
            ? hrr_words_of(
                  c->all,
                  "A candidate pair consists of two nodes of the candidate set (all nodes, unless "
                  "a set was named). What is hidden is whether an edge joins them.",
                  "A candidate pair is two nodes of the candidate set (all nodes, unless a set was "
                  "named). Whether they have an edge is what is hidden.")
            : hrr_words_of(
                  c->all,
                  "A candidate pair consists of two nodes of the candidate set (all nodes, unless "
                  "a set was named) that no public edge joins. What is hidden is whether a private "
                  "edge joins them. Public edges stay as they are.",
                  "A candidate pair is two nodes of the candidate set (all nodes, unless a set was "
                  "named) that have no public edge. Whether they have a private one is what is "
                  "hidden; public edges stay as they are."));
}

static void made(page *p, const content *c)
{
    const json_t *entry = json_object_get(c->all, "ledger_entry");
    char text[256];
    hrr_page_heading(p, "Who, when and with what");
    hrr_page_line(p, "data set", stated(c->all, "data_set"));
    hrr_page_line(p, "issuer", stated(c->all, "issuer"));
    hrr_page_line(p, "date", stated(c->all, "date"));
    hrr_page_line(p, "raw data", stated(c->all, "raw_data_kept"));
    hrr_page_line(p, "program", hrr_json_word(c->all, "program"));
    hrr_page_line(p, "mode", hrr_json_word(c->all, "mode"));
    hrr_page_line(p, "generator", hrr_json_word(c->all, "generator"));
    const bool names_signer = hrr_certificate_is_since(c->all, HRR_CERTIFICATE_NAMES_SIGNER);
    if (names_signer && *hrr_json_word(c->all, "signer")) {
        snprintf(
            text, sizeof text,
            hrr_words_of(
                c->all,
                "by the key %.40s; heterorr verify BUNDLE --signer PUB checks it with the public "
                "key, which you get from the signer",
                "by the key %.40s; heterorr verify BUNDLE --signer PUB checks it with the public "
                "key, which whoever signed gives you"),
            hrr_json_word(c->all, "signer"));
        hrr_page_line(p, "signed", text);
    }
    if (names_signer && !json_is_object(entry))
        hrr_page_line(p, "ledger",
                      hrr_words_of(c->all,
                                   "none: no ledger records this release, and no limit counts it",
                                   "none: no ledger counts this release, and no limit sees it"));
    if (!json_is_object(entry)) return;
    snprintf(text, sizeof text, "charge %llu of ledger %.80s, entry %llu, link %.80s",
             hrr_json_count(entry, "charge"), hrr_json_word(entry, "ledger"),
             hrr_json_count(entry, "number"), hrr_json_word(entry, "link"));
    hrr_page_line(p, "ledger", text);
    if (json_object_get(entry, "account"))
        hrr_page_line(p, "account", hrr_json_word(entry, "account"));
}

static void put_all(page *p, const content *c)
{
    hrr_page_paragraph(p, "", 0, c->terms->statement);
    hrr_page_heading(p, c->terms->badge);
    hrr_page_plain_words(p, c->terms);
    list(p, c, HRR_NOT_PROTECTED);
    list(p, c, HRR_DECLARED_PUBLIC);
    hrr_page_trust(p, c->terms);
    features(p, c);
    edges(p, c);
    labels(p, c);
    hrr_page_correctness(p, c->terms);
    list(p, c, HRR_NOT_CERTIFIED);
    hrr_page_utility(p, c->terms);
    hrr_page_bias(p, c->terms);
    hrr_page_side_channels(p, c->terms);
    hrr_page_other_releases(p, c->terms);
    made(p, c);
    meaning(p, c);
    hrr_page_put(p, "\n");
    hrr_page_paragraph(
        p, "", 0,
        "certificate.json says the same for programs, with every parameter and the SHA-256 "
        "of every file.");
}

hrr_status hrr_certificate_page(char **out, const json_t *certificate, hrr_error *err)
{
    page p = {0};
    hrr_terms *terms;
    *out = NULL;
    hrr_status status = hrr_terms_of_certificate(&terms, certificate, err);
    if (status) return status;
    const content c = {.terms = terms,
                       .all = certificate,
                       .features = json_object_get(certificate, "features"),
                       .edges = json_object_get(certificate, "edges"),
                       .labels = json_object_get(certificate, "labels")};
    put_all(&p, &c);
    hrr_terms_free(terms);
    if (p.out_of_memory) {
        hrr_free(p.text);
        return hrr_no_memory(err);
    }
    *out = p.text;
    return HRR_OK;
}
