/* certificate_text.c: CERTIFICATE.txt, for people: the statement first, then what it means and
 * what it does not. */
#include "release/certificate.h"
#include "release/declared.h"
#include "base/memory.h"
#include "base/paths.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { line_width = 78 };

/* The first error stays; what comes after it is not written. */
typedef struct page {
    hrr_output *output;
    hrr_status status;
    hrr_error *err;
} page;

static void put(page *p, const char *bytes, size_t size)
{
    if (!p->status) p->status = hrr_output_write(p->output, bytes, size, p->err);
}

/* A paragraph, broken between words; lines after the first begin with `indent` blanks. */
static void paragraph(page *p, const char *first, size_t indent, const char *text)
{
    static const char blanks[] = "                ";
    put(p, first, strlen(first));
    size_t column = strlen(first);
    bool at_start = true;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (!at_start && column + 1 + word > line_width) {
            put(p, "\n", 1);
            put(p, blanks, indent);
            column = indent;
            at_start = true;
        }
        if (!at_start) {
            put(p, " ", 1);
            column++;
        }
        put(p, text, word);
        column += word;
        at_start = false;
        text += word;
        while (*text == ' ')
            text++;
    }
    put(p, "\n", 1);
}

static void heading(page *p, const char *title)
{
    put(p, "\n", 1);
    put(p, title, strlen(title));
    put(p, "\n", 1);
}

static void list(page *p, const char *title, const hrr_sentences *sentences)
{
    if (!sentences->count) return;
    heading(p, title);
    for (int i = 0; i < sentences->count; i++)
        paragraph(p, "  - ", 4, sentences->text[i]);
}

static void line(page *p, const char *name, const char *value)
{
    char label[32];
    snprintf(label, sizeof label, "  %-12s ", name);
    paragraph(p, label, 15, value);
}

static void epsilon(page *p, uint64_t requested_nano, double realised_eps)
{
    char requested[HRR_EPS_TEXT_SIZE], realised[HRR_EPS_TEXT_SIZE];
    char eps[128];
    hrr_eps_format(requested, requested_nano);
    hrr_realised_text(realised, realised_eps, requested_nano);
    snprintf(eps, sizeof eps, "requested %s, realised %s", requested, realised);
    line(p, "epsilon", requested_nano ? eps : realised);
}

static void features(page *p, const hrr_certificate *c)
{
    const hrr_feature_claim *claim = &c->features;
    if (!c->n_features_in) return;
    heading(p, "Features");
    line(p, "mechanism", c->options->features.mechanism);
    epsilon(p, claim->eps_nano, claim->realised_eps);
    line(p, "claim", claim->statement);
    line(p, "evidence", claim->evidence);
    if (c->options->directions_from) line(p, "directions", c->options->directions_from);
    line(p, "neighbours", hrr_neighbours_features);
}

static void labels(page *p, const hrr_certificate *c)
{
    if (!c->has_labels) return;
    heading(p, "Labels");
    if (!c->options->eps_labels_nano) {
        line(p, "mechanism", "none: the labels are released as they are");
        return;
    }
    line(p, "mechanism",
         c->multilabel ? "randomized response on every bit" : "randomized response");
    epsilon(p, c->options->eps_labels_nano, c->realised_eps_labels);
    line(p, "neighbours", hrr_neighbours_labels);
}

/* Where the graphs of a collection differ, each has a line. */
static void graphs(page *p, const hrr_certificate *c)
{
    char text[128], name[24];
    uint32_t n_lines = 0, n_differ = 0;
    if (c->n_graphs < 2) return;
    snprintf(text, sizeof text, HRR_GRAPHS_LINE, c->n_graphs);
    line(p, "graphs", text);
    for (uint32_t g = 0; g < c->n_graphs && !p->status; g++) {
        const hrr_edge_claim *own = &c->edges_of_graph[g];
        if (strcmp(own->statement, c->edges.statement) == 0 &&
            strcmp(own->evidence, c->edges.evidence) == 0)
            continue;
        if (++n_differ > HRR_MOST_GRAPH_LINES) continue;
        char *both = hrr_format_text(HRR_GRAPH_LINE, own->statement, own->evidence);
        if (!both) {
            p->status = hrr_no_memory(p->err);
            return;
        }
        snprintf(name, sizeof name, "graph %u", g);
        line(p, name, both);
        hrr_free(both);
        n_lines++;
    }
    if (n_differ == n_lines) return;
    snprintf(text, sizeof text, "certificate.json has the other %u graphs", n_differ - n_lines);
    line(p, "", text);
}

static void edges(page *p, const hrr_certificate *c)
{
    const hrr_edge_claim *claim = &c->edges;
    heading(p, "Edges");
    line(p, "mechanism", c->options->edges.mechanism);
    if (claim->tree) {
        char tree[160], eps[HRR_EPS_TEXT_SIZE];
        hrr_eps_format(eps, claim->eps_tree_nano);
        snprintf(tree, sizeof tree, HRR_TREE_LINE, claim->tree, eps,
                 (unsigned long long)claim->chain_steps);
        line(p, "tree", tree);
    }
    epsilon(p, claim->eps_nano, claim->realised_eps);
    char pairs[64];
    snprintf(pairs, sizeof pairs, HRR_PAIRS_LINE, (unsigned long long)claim->n_candidate_pairs);
    line(p, "pairs", pairs);
    line(p, "claim", claim->statement);
    line(p, "evidence", claim->evidence);
    graphs(p, c);
    line(p, "neighbours", c->protects_public_edges ? hrr_neighbours_pairs : hrr_neighbours_edges);
}

static void meaning(page *p)
{
    heading(p, "How to read this");
    paragraph(p, "  - ", 4,
              "Epsilon bounds how much more likely any outcome becomes when one record changes: at "
              "most e^epsilon times. Smaller is more private; 0 tells nothing.");
    paragraph(p, "  - ", 4,
              "One node's features, its label and j of its private pairs together: eps_f + eps_y + "
              "j eps_e. This is not node-level privacy.");
    paragraph(p, "  - ", 4,
              "Whoever made this release saw the private data: it is per-record privacy with a "
              "trusted curator. It is local privacy only if each user ran the mechanism at home.");
    paragraph(p, "  - ", 4,
              "One stored release may be used for ever. A second draw from the same data adds its "
              "epsilon to this one.");
}

/* What the promise rests on, and on whose word. */
static void declared(page *p, const hrr_certificate *c)
{
    if (!c->declared) return;
    heading(p, "Declared public by whoever made this release");
    for (int i = 0; hrr_public_names()[i]; i++) {
        if (!(c->declared & 1u << i)) continue;
        char text[256];
        snprintf(text, sizeof text, "%s (%s)", hrr_public_names()[i], hrr_public_reason(1u << i));
        paragraph(p, "  - ", 4, text);
    }
}

static void write_page(page *p, const hrr_certificate *c)
{
    paragraph(p, "", 0, c->statement);
    features(p, c);
    edges(p, c);
    labels(p, c);
    list(p, "Not protected", &c->not_protected);
    declared(p, c);
    list(p, "Claims of the paper that are not certified here", &c->not_certified);
    meaning(p);
    heading(p, "Made with");
    line(p, "program", "heterorr");
    line(p, "version", hrr_version());
    line(p, "mode", c->options->paper_mode ? "paper" : "strict");
    line(p, "generator", c->insecure ? hrr_generator_insecure : hrr_generator_secure);
    if (c->ledger_entry.number) {
        char entry[192];
        snprintf(entry, sizeof entry, HRR_LEDGER_LINE, (unsigned long long)c->ledger_entry.number,
                 c->ledger_entry.ledger_id, c->ledger_entry.link);
        line(p, "ledger", entry);
    }
    put(p, "\n", 1);
    paragraph(p, "", 0,
              "certificate.json says the same for programs, with every parameter and the SHA-256 "
              "of every file.");
}

hrr_status hrr_certificate_write_text(const hrr_certificate *certificate, const char *directory,
                                      hrr_error *err)
{
    char *path = hrr_path_join(directory, "CERTIFICATE.txt");
    if (!path) return hrr_no_memory(err);
    page p = {.err = err};
    p.status = hrr_output_open(&p.output, path, err);
    if (!p.status) write_page(&p, certificate);
    if (!p.status) p.status = hrr_output_commit(p.output, err);
    hrr_output_free(p.output);
    hrr_free(path);
    return p.status;
}
