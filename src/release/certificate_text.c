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

/* What values were clipped to; one line however many features there are. */
static void bounds(page *p, const hrr_certificate *c)
{
    const double *lo = c->options->features.lo, *hi = c->options->features.hi;
    char text[96] = "0 to 1";
    bool same = true;
    for (uint64_t i = 1; lo && i < c->n_features_in; i++)
        same &= lo[i] == lo[0] && hi[i] == hi[0];
    if (c->options->bounds_from_data)
        snprintf(text, sizeof text, "from private data, not written here");
    else if (lo && same)
        snprintf(text, sizeof text, "%.17g to %.17g", lo[0], hi[0]);
    else if (lo)
        snprintf(text, sizeof text, "public ones for each feature, see certificate.json");
    line(p, "clipped to", text);
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
    bounds(p, c);
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
    if (claim->count_ends) line(p, "blocks", hrr_blocks_are(c->options));
    epsilon(p, claim->eps_nano, claim->realised_eps);
    char pairs[64];
    snprintf(pairs, sizeof pairs, HRR_PAIRS_LINE, (unsigned long long)claim->n_candidate_pairs);
    line(p, "pairs", pairs);
    line(p, "claim", claim->statement);
    line(p, "evidence", claim->evidence);
    graphs(p, c);
    line(p, "neighbours", c->protects_public_edges ? hrr_neighbours_pairs : hrr_neighbours_edges);
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
    paragraph(p, "  - ", 4, text);
}

static void plain_features(page *p, const hrr_certificate *c)
{
    const hrr_feature_claim *claim = &c->features;
    if (!c->n_features_in) return;
    if (claim->eps_nano == 0)
        paragraph(p, "  - ", 4, "Features are random numbers that depend on nobody's features.");
    else
        hidden(p, "Features", "between any two values of one node's whole feature vector",
               (double)claim->eps_nano / HRR_EPS_UNIT, claim->delta);
}

static void plain_edges(page *p, const hrr_certificate *c)
{
    if (c->unmarked)
        paragraph(p, "  - ", 4,
                  "The input marks no edge as private: all edges are released as they are.");
    else if (strcmp(c->options->edges.mechanism, "public-only") == 0)
        paragraph(p, "  - ", 4, "Private edges are left out: nothing here depends on them.");
    else
        hidden(p, "Edges",
               c->protects_public_edges
                   ? "about whether two nodes (candidates) have an edge, public or private,"
                   : "about whether two nodes (candidates) have a private edge",
               (double)c->edges.eps_nano / HRR_EPS_UNIT, 0);
}

static void plain_labels(page *p, const hrr_certificate *c)
{
    if (!c->has_labels) return;
    if (!c->options->eps_labels_nano)
        paragraph(p, "  - ", 4, "Labels are released as they are.");
    else
        hidden(p, "Labels", "between any two labels of one node",
               (double)c->options->eps_labels_nano / HRR_EPS_UNIT, 0);
}

/* Epsilons add up, and a node has more than one edge. */
static void plain_sum(page *p, const hrr_certificate *c)
{
    char sum[HRR_EPS_TEXT_SIZE], text[256];
    if (!c->edges.eps_nano) return;
    hrr_eps_format(sum,
                   c->features.eps_nano + c->options->eps_labels_nano + 10 * c->edges.eps_nano);
    snprintf(
        text, sizeof text,
        "Each of these is about one thing at a time. Somebody's features, label and ten of her "
        "pairs together are protected by the sum of the epsilons, %s.",
        sum);
    paragraph(p, "  - ", 4, text);
}

static void plain_words(page *p, const hrr_certificate *c)
{
    heading(p, "In plain words");
    if (!hrr_certificate_is_private(c)) {
        paragraph(
            p, "  - ", 4,
            "This release is NOT PRIVATE, for the reasons above: give it to nobody who may not "
            "see the original. Epsilons below are what was asked for, and no promise.");
        return;
    }
    plain_features(p, c);
    plain_edges(p, c);
    plain_labels(p, c);
    plain_sum(p, c);
}

static void meaning(page *p, const hrr_certificate *c)
{
    heading(p, "How to read this");
    paragraph(
        p, "  - ", 4,
        "Epsilon bounds how much more or less likely any release becomes when one record "
        "changes: at most e^epsilon times. Smaller is more private; at 0 the release does not "
        "depend on the record. Requested is what is promised, realised what the integers that "
        "are drawn amount to: never more.");
    paragraph(
        p, "  - ", 4,
        "A record is one node's features (eps_f), one node's label (eps_y), or one pair "
        "(eps_e). One node's features, its label and j of its pairs together: eps_f + eps_y + j "
        "eps_e. That somebody is in the graph at all is not hidden: this is not node-level "
        "privacy.");
    paragraph(
        p, "  - ", 4,
        c->protects_public_edges
            ? "A candidate pair is two nodes of the candidate set (all nodes, unless a set was "
              "named). Whether they have an edge is what is hidden."
            : "A candidate pair is two nodes of the candidate set (all nodes, unless a set was "
              "named) that have no public edge. Whether they have a private one is what is "
              "hidden; public edges stay as they are.");
    paragraph(
        p, "  - ", 4,
        "Central means that whoever made this release saw the private data and is trusted with "
        "it. It is local privacy only if each user ran the mechanism at home.");
    paragraph(
        p, "  - ", 4,
        "One stored release may be used for ever and in any way: nothing that is computed from "
        "it tells more. A second draw from the same data adds its epsilon to this one.");
    paragraph(
        p, "  - ", 4,
        c->options->paper_mode
            ? "Paper mode follows the published algorithm; what of its claims does not hold is "
              "listed above."
            : "Strict mode: every epsilon is proved for the integers that were drawn.");
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
    plain_words(p, c);
    features(p, c);
    edges(p, c);
    labels(p, c);
    list(p, "Not protected", &c->not_protected);
    declared(p, c);
    list(p, "Claims of the paper that are not certified here", &c->not_certified);
    meaning(p, c);
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
