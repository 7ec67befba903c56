/* certificate_text.c: CERTIFICATE.txt, for people: the statement first, then what it means and what
 * it does not.
 *
 * The page is made from certificate.json alone, so that whoever has both can make it again: verify
 * wants the very same bytes. For the same reason a change of words here needs a new format_version:
 * bundles that are out there have the old ones. */
#include "release/certificate.h"
#include "release/certificate_fields.h"
#include "release/declared.h"
#include "release/text_page.h"
#include "base/memory.h"
#include "base/paths.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef hrr_text_page page;

/* The parts of a certificate that the page speaks of again and again. */
typedef struct content {
    const json_t *all, *features, *edges, *labels; /* features and labels: no object if none */
    bool is_private, all_pairs;
    const char *label_eps; /* "": labels are released as they are */
} content;

static uint64_t requested_nano(const json_t *part)
{
    uint64_t nano;
    hrr_eps_of_text(&nano, hrr_json_word(part, "requested_eps"));
    return nano;
}

static double requested(const json_t *part)
{
    return (double)requested_nano(part) / (double)HRR_EPS_UNIT;
}

static void list(page *p, const char *title, const json_t *sentences)
{
    if (!json_array_size(sentences)) return;
    hrr_page_heading(p, title);
    for (size_t i = 0; i < json_array_size(sentences); i++) {
        const char *text = json_string_value(json_array_get(sentences, i));
        hrr_page_point(p, text ? text : "");
    }
}

static void epsilon(page *p, const json_t *part)
{
    char both[128];
    const char *asked = hrr_json_word(part, "requested_eps");
    const char *realised = hrr_json_word(part, "realised_eps");
    snprintf(both, sizeof both, "requested %.40s, realised %.40s", asked, realised);
    hrr_page_line(p, "epsilon", strcmp(asked, "0") == 0 ? realised : both);
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* What values were clipped to; one line however many features there are. */
static void bounds(page *p, const json_t *bounds)
{
    const json_t *lo = json_object_get(bounds, "lo"), *hi = json_object_get(bounds, "hi");
    char text[96] = "public ones for each feature, see certificate.json";
    if (json_is_real(lo) && json_is_real(hi))
        snprintf(text, sizeof text, "%.17g to %.17g", json_real_value(lo), json_real_value(hi));
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
    hrr_page_line(p, "mechanism", hrr_json_word(features, "mechanism"));
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
    if (!*c->label_eps) {
        hrr_page_line(p, "mechanism", "none: the labels are released as they are");
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
    hrr_page_line(p, "mechanism", hrr_json_word(edges, "mechanism"));
    if (json_object_get(edges, "tree")) {
        snprintf(text, sizeof text, "%.40s; epsilon of the tree at most %.40s; chain steps: %llu",
                 hrr_json_word(edges, "tree"), hrr_json_word(edges, "eps_tree"),
                 hrr_json_count(edges, "chain_steps"));
        hrr_page_line(p, "tree", text);
    }
    if (json_object_get(edges, "blocks_are"))
        hrr_page_line(p, "blocks", hrr_json_word(edges, "blocks_are"));
    epsilon(p, edges);
    snprintf(text, sizeof text, "candidate pairs: %llu", hrr_json_count(edges, "candidate_pairs"));
    hrr_page_line(p, "pairs", text);
    const bool none = json_is_true(json_object_get(edges, "none_private"));
    snprintf(text, sizeof text, "%.100s%s", hrr_json_word(edges, "statement"),
             none ? "; none of this input is marked as private" : "");
    hrr_page_line(p, "claim", none ? text : hrr_json_word(edges, "statement"));
    hrr_page_line(p, "evidence", hrr_json_word(edges, "evidence"));
    graphs(p, edges);
    hrr_page_line(p, "neighbours", hrr_json_word(edges, "neighbours"));
}

/* ---- in plain words -------------------------------------------------------------------------- */

/* What epsilon means for somebody who thinks two values equally likely: afterwards the better guess
 * is right with probability e^eps / (1 + e^eps) at most. Rounded up; where that would be 100 %, it
 * is said as it is. */
static void odds(char *text, size_t size, double eps)
{
    const double tenths = ceil(1000 / (1 + exp(-eps)));
    if (tenths > 999)
        snprintf(text, size,
                 "may be right nearly always afterwards: that is next to no protection");
    else
        snprintf(text, size, "is right with a chance of %.1f %% at most afterwards", tenths / 10);
}

/* The following speak of a release that is private: its epsilons are finite.
 *
 * `what` is hidden by eps; `undecided` is between what a reader wavers. */
static void hidden(page *p, const char *what, const char *undecided, double eps, double delta)
{
    char chance[96], text[512], failing[96] = "";
    odds(chance, sizeof chance, eps);
    if (delta > 0)
        snprintf(failing, sizeof failing, ", but for a chance of %g that this does not hold",
                 delta);
    snprintf(text, sizeof text, "%s: a reader who knows everything else and is undecided %s %s%s.",
             what, undecided, chance, failing);
    hrr_page_point(p, text);
}

static void plain_features(page *p, const content *c)
{
    if (!json_is_object(c->features)) return;
    if (requested_nano(c->features) == 0)
        hrr_page_point(p, "Features are random numbers that depend on nobody's features.");
    else
        hidden(p, "Features", "between any two values of one node's whole feature vector",
               requested(c->features), json_real_value(json_object_get(c->features, "delta")));
}

static void plain_edges(page *p, const content *c)
{
    if (hrr_json_lists(c->all, "not_protected", hrr_no_edge_is_marked))
        hrr_page_point(p,
                       "The input marks no edge as private: all edges are released as they are.");
    else if (strcmp(hrr_json_word(c->edges, "mechanism"), "public-only") == 0)
        hrr_page_point(p, "Private edges are left out: nothing here depends on them.");
    else
        hidden(p, "Edges",
               c->all_pairs
                   ? "about whether two nodes (candidates) have an edge, public or private,"
                   : "about whether two nodes (candidates) have a private edge",
               requested(c->edges), 0);
}

static void plain_labels(page *p, const content *c)
{
    if (!json_is_object(c->labels)) return;
    if (!*c->label_eps)
        hrr_page_point(p, "Labels are released as they are.");
    else
        hidden(p, "Labels", "between any two labels of one node", requested(c->labels), 0);
}

/* Epsilons add up, and a node has more than one edge. */
static void plain_sum(page *p, const content *c)
{
    char sum[HRR_EPS_TEXT_SIZE], text[256];
    const uint64_t pair = requested_nano(c->edges);
    if (!pair) return;
    hrr_eps_format(sum, requested_nano(c->features) + requested_nano(c->labels) + 10 * pair);
    snprintf(
        text, sizeof text,
        "Each of these is about one thing at a time. Somebody's features, label and ten of her "
        "pairs together are protected by the sum of the epsilons, %s.",
        sum);
    hrr_page_point(p, text);
}

static void plain_words(page *p, const content *c)
{
    hrr_page_heading(p, "In plain words");
    if (!c->is_private) {
        hrr_page_point(
            p, "This release is NOT PRIVATE, for the reasons above: give it to nobody who may not "
               "see the original. Epsilons below are what was asked for, and no promise.");
        return;
    }
    plain_features(p, c);
    plain_edges(p, c);
    plain_labels(p, c);
    plain_sum(p, c);
}

static void meaning(page *p, const content *c)
{
    hrr_page_heading(p, "How to read this");
    hrr_page_point(
        p, "Epsilon bounds how much more or less likely any release becomes when one record "
           "changes: at most e^epsilon times. Smaller is more private; at 0 the release does not "
           "depend on the record. Requested is what is promised, realised what the integers that "
           "are drawn amount to: never more.");
    hrr_page_point(
        p, "A record is one node's features (eps_f), one node's label (eps_y), or one pair "
           "(eps_e). One node's features, its label and j of its pairs together: eps_f + eps_y + j "
           "eps_e. That somebody is in the graph at all is not hidden: this is not node-level "
           "privacy.");
    hrr_page_point(
        p, c->all_pairs
               ? "A candidate pair is two nodes of the candidate set (all nodes, unless a set was "
                 "named). Whether they have an edge is what is hidden."
               : "A candidate pair is two nodes of the candidate set (all nodes, unless a set was "
                 "named) that have no public edge. Whether they have a private one is what is "
                 "hidden; public edges stay as they are.");
    hrr_page_point(
        p, "Central means that whoever made this release saw the private data and is trusted with "
           "it. It is local privacy only if each user ran the mechanism at home.");
    hrr_page_point(
        p, "One stored release may be used for ever and in any way: nothing that is computed from "
           "it tells more. A second draw from the same data adds its epsilon to this one.");
    hrr_page_point(
        p, strcmp(hrr_json_word(c->all, "mode"), "paper") == 0
               ? "Paper mode follows the published algorithm; what of its claims does not hold is "
                 "listed above."
               : "Strict mode: every epsilon is proved for the integers that were drawn.");
}

/* What the promise rests on, and on whose word. */
static void declared(page *p, const content *c)
{
    if (!json_array_size(json_object_get(c->all, "declared_public"))) return;
    hrr_page_heading(p, "Declared public by whoever made this release");
    for (int i = 0; hrr_public_names()[i]; i++) {
        const char *name = hrr_public_names()[i];
        if (!hrr_json_lists(c->all, "declared_public", name)) continue;
        char text[256];
        snprintf(text, sizeof text, "%s (%s)", name, hrr_public_reason(1u << i));
        hrr_page_point(p, text);
    }
}

static void made_with(page *p, const content *c)
{
    const json_t *entry = json_object_get(c->all, "ledger_entry");
    const char *program = hrr_json_word(c->all, "program");
    const size_t name_length = strcspn(program, " ");
    char text[256];
    hrr_page_heading(p, "Made with");
    snprintf(text, sizeof text, "%.*s", (int)name_length, program);
    hrr_page_line(p, "program", text);
    hrr_page_line(p, "version", program + name_length + (program[name_length] == ' '));
    hrr_page_line(p, "mode", hrr_json_word(c->all, "mode"));
    hrr_page_line(p, "generator", hrr_json_word(c->all, "generator"));
    if (!json_is_object(entry)) return;
    if (json_object_get(entry, "charge"))
        snprintf(text, sizeof text, "charge %llu of ledger %.80s, entry %llu, link %.80s",
                 hrr_json_count(entry, "charge"), hrr_json_word(entry, "ledger"),
                 hrr_json_count(entry, "number"), hrr_json_word(entry, "link"));
    else /* as certificates said it before charges had numbers of their own */
        snprintf(text, sizeof text, "entry %llu of ledger %.80s, link %.80s",
                 hrr_json_count(entry, "number"), hrr_json_word(entry, "ledger"),
                 hrr_json_word(entry, "link"));
    hrr_page_line(p, "ledger", text);
    if (json_object_get(entry, "account"))
        hrr_page_line(p, "account", hrr_json_word(entry, "account"));
}

char *hrr_certificate_page(const json_t *certificate)
{
    page p = {0};
    content c = {.all = certificate,
                 .features = json_object_get(certificate, "features"),
                 .edges = json_object_get(certificate, "edges"),
                 .labels = json_object_get(certificate, "labels"),
                 .is_private = json_is_true(json_object_get(certificate, "private"))};
    c.all_pairs = json_is_true(json_object_get(c.edges, "protects_public_edges"));
    c.label_eps = hrr_json_word(c.labels, "requested_eps");
    hrr_page_paragraph(&p, "", 0, hrr_json_word(certificate, "statement"));
    plain_words(&p, &c);
    features(&p, &c);
    edges(&p, &c);
    labels(&p, &c);
    list(&p, "Not protected", json_object_get(certificate, "not_protected"));
    declared(&p, &c);
    list(&p, "Claims of the paper that are not certified here",
         json_object_get(certificate, "not_certified"));
    meaning(&p, &c);
    made_with(&p, &c);
    hrr_page_put(&p, "\n");
    hrr_page_paragraph(
        &p, "", 0,
        "certificate.json says the same for programs, with every parameter and the SHA-256 "
        "of every file.");
    if (!p.out_of_memory) return p.text;
    hrr_free(p.text);
    return NULL;
}

hrr_status hrr_certificate_write_text(const hrr_certificate *certificate, const char *directory,
                                      hrr_error *err)
{
    hrr_output *output = NULL;
    json_t *json = hrr_certificate_json(certificate);
    char *text = json ? hrr_certificate_page(json) : NULL;
    char *path = text ? hrr_path_join(directory, "CERTIFICATE.txt") : NULL;
    hrr_status status = path ? hrr_output_open(&output, path, err) : hrr_no_memory(err);
    if (!status) status = hrr_output_write(output, text, strlen(text), err);
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    hrr_free(path);
    hrr_free(text);
    json_decref(json);
    return status;
}
