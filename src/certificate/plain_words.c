/* plain_words.c: what the epsilons mean for somebody, in words: for one thing, beside what others
 * publish, and for one person. Only what is protected is promised, and what is not is named. */
#include "certificate/page_parts.h"
#include "certificate/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef hrr_text_page page;

static hrr_treatment treatment_of(const hrr_terms *terms, hrr_part part)
{
    return terms->part[part].treatment;
}

static bool is_covered(const hrr_terms *terms, hrr_part part)
{
    return treatment_of(terms, part) == HRR_PROTECTED;
}

static double eps_of(const hrr_terms *terms, hrr_part part)
{
    return (double)terms->part[part].eps_nano / (double)HRR_EPS_UNIT;
}

/* What epsilon means for somebody who thinks two values equally likely. Where the share would be
 * rounded to 100 %, it is said as it is. A delta bounds how often a guess is right, and not how
 * sure somebody gets: more outcomes than that share of them may pass e^epsilon
 * (docs/certificate.md). */
static void odds(char *text, size_t size, const hrr_terms *terms, hrr_part part)
{
    const double delta = terms->part[part].delta;
    const double percent = hrr_right_at_most(eps_of(terms, part), delta);
    if (percent > 99.9)
        snprintf(text, size,
                 hrr_words_of(terms->certificate,
                              "may become almost certain, which is hardly any protection",
                              "may become nearly certain, which is next to no protection"));
    else if (delta > 0)
        snprintf(text, size,
                 hrr_words_of(terms->certificate,
                              "guesses right in at most %.1f %% of cases, including delta = %g",
                              "guesses right in %.1f %% of cases at most, delta = %g counted in"),
                 percent, delta);
    else
        snprintf(text, size,
                 hrr_words_of(terms->certificate, "becomes at most %.1f %% certain",
                              "becomes %.1f %% sure at most"),
                 percent);
}

/* `of` is what an attacker wavers about. */
static void hidden(char text[HRR_PLAIN_SIZE], const hrr_terms *terms, hrr_part part,
                   const char *what, const char *of)
{
    char chance[128];
    odds(chance, sizeof chance, terms, part);
    snprintf(text, HRR_PLAIN_SIZE,
             hrr_words_of(
                 terms->certificate,
                 "%s: an attacker who knows everything else, and considers %s equally likely, %s.",
                 "%s: an attacker who knows everything else and gives even odds to %s %s."),
             what, of, chance);
}

static void plain_features(char text[HRR_PLAIN_SIZE], const hrr_terms *terms)
{
    const hrr_treatment treatment = treatment_of(terms, HRR_PART_FEATURES);
    if (treatment == HRR_LEFT_OUT)
        snprintf(
            text, HRR_PLAIN_SIZE,
            hrr_words_of(terms->certificate,
                         "Features are random numbers that do not depend on anybody's features.",
                         "Features are random numbers that depend on nobody's features."));
    else if (treatment == HRR_PROTECTED)
        hidden(text, terms, HRR_PART_FEATURES, "Features",
               "any two values of one node's whole feature vector");
}

static void plain_edges(char text[HRR_PLAIN_SIZE], const hrr_terms *terms)
{
    const hrr_treatment treatment = treatment_of(terms, HRR_PART_EDGES);
    if (treatment == HRR_PUBLISHED)
        snprintf(text, HRR_PLAIN_SIZE, "Edges: %s.", hrr_terms_why_published(terms->certificate));
    else if (treatment == HRR_LEFT_OUT)
        snprintf(text, HRR_PLAIN_SIZE,
                 hrr_words_of(
                     terms->certificate,
                     "Private edges are left out, so nothing here depends on them. Public edges "
                     "are published as they are.",
                     "Private edges are left out: nothing here depends on them. Public edges are "
                     "published as they are."));
    else
        hidden(text, terms, HRR_PART_EDGES, "Edges",
               terms->all_pairs
                   ? hrr_words_of(terms->certificate,
                                  "an edge between two candidate nodes and no edge between them",
                                  "two nodes (candidates) having an edge or not")
                   : hrr_words_of(
                         terms->certificate,
                         "a private edge between two candidate nodes and no edge between them",
                         "two nodes (candidates) having a private edge or not"));
}

static void plain_labels(char text[HRR_PLAIN_SIZE], const hrr_terms *terms)
{
    const hrr_treatment treatment = treatment_of(terms, HRR_PART_LABELS);
    if (treatment == HRR_PUBLISHED)
        snprintf(text, HRR_PLAIN_SIZE, "Labels are published as they are.");
    else if (treatment == HRR_PROTECTED)
        hidden(text, terms, HRR_PART_LABELS, "Labels", "any two labels of one node");
}

void hrr_terms_plain_words(char text[HRR_PLAIN_SIZE], const hrr_terms *terms, hrr_part part)
{
    text[0] = '\0';
    switch (part) {
    case HRR_PART_FEATURES:
        plain_features(text, terms);
        break;
    case HRR_PART_EDGES:
        plain_edges(text, terms);
        break;
    case HRR_PART_LABELS:
        plain_labels(text, terms);
    }
}

/* What of one person is protected, "features, label and ten private pairs", and what is not. */
static void name_person(char *in, size_t in_size, char *out, size_t out_size,
                        const hrr_terms *terms)
{
    const char *pairs =
        terms->all_pairs
            ? hrr_words_of(terms->certificate, "10 pairs", "10 of her pairs")
            : hrr_words_of(terms->certificate, "10 private pairs", "10 of her private pairs");
    const bool covered[] = {is_covered(terms, HRR_PART_FEATURES),
                            is_covered(terms, HRR_PART_LABELS), is_covered(terms, HRR_PART_EDGES)};
    const char *const names[] = {"features", "label", pairs};
    int n = 0, left = covered[0] + covered[1] + covered[2];
    in[0] = out[0] = '\0';
    for (int i = 0; i < 3; i++) {
        if (!covered[i]) continue;
        left--;
        snprintf(in + strlen(in), in_size - strlen(in), "%s%s",
                 n == 0 ? ""
                 : left ? ", "
                        : " and ",
                 names[i]);
        n++;
    }
    if (treatment_of(terms, HRR_PART_LABELS) == HRR_PUBLISHED)
        snprintf(out, out_size,
                 hrr_words_of(terms->certificate,
                              " The label is not included: it is published as it is.",
                              " Her label is not part of it: it is published as it is."));
    if (treatment_of(terms, HRR_PART_EDGES) == HRR_PUBLISHED)
        snprintf(out + strlen(out), out_size - strlen(out),
                 hrr_words_of(terms->certificate,
                              " The edges are not included: they are published as they are.",
                              " Her edges are not part of it: they are published as they are."));
}

/* "eps_f + j eps_e": what is protected, and nothing else. */
static void name_exponent(char *text, size_t size, const hrr_terms *terms)
{
    static const char *const names[HRR_N_PARTS] = {"eps_f", "j eps_e", "eps_y"};
    static const hrr_part order[] = {HRR_PART_FEATURES, HRR_PART_LABELS, HRR_PART_EDGES};
    text[0] = '\0';
    for (int i = 0; i < HRR_N_PARTS; i++)
        if (is_covered(terms, order[i]))
            snprintf(text + strlen(text), size - strlen(text), "%s%s", *text ? " + " : "",
                     names[order[i]]);
}

/* Epsilons add up, and a node has more than one edge. */
static void unit(page *p, const hrr_terms *terms)
{
    char sum[HRR_EPS_TEXT_SIZE], in[96], out[160], exponent[64], more[96] = "", change[128],
                                                                 text[768];
    const double delta = terms->part[HRR_PART_FEATURES].delta;
    const bool pairs_alone =
        !is_covered(terms, HRR_PART_FEATURES) && !is_covered(terms, HRR_PART_LABELS);
    hrr_page_heading(p, "Unit of privacy");
    hrr_page_point(
        p,
        hrr_words_of(
            terms->certificate,
            "Each epsilon covers one item at a time: the features of one node (eps_f), the label "
            "of one node (eps_y) or one pair of nodes (eps_e). It does not hide whether somebody "
            "is in the graph at all: this is not node-level privacy.",
            "Each epsilon is about one thing at a time: one node's features (eps_f), one node's "
            "label (eps_y), one pair of nodes (eps_e). That somebody is in the graph at all is not "
            "hidden: this is not node-level privacy."));
    if (hrr_terms_sum_nano(terms, 10) == 0) return;
    hrr_eps_format(sum, hrr_terms_sum_nano(terms, 10));
    name_person(in, sizeof in, out, sizeof out, terms);
    name_exponent(exponent, sizeof exponent, terms);
    if (is_covered(terms, HRR_PART_EDGES))
        snprintf(more, sizeof more, " With j pairs the exponent is %s.", exponent);
    if (delta > 0)
        snprintf(change, sizeof change,
                 hrr_words_of(terms->certificate,
                              "any release becomes at most e^%s times as likely, plus delta = %g",
                              "whatever it shows is at most e^%s times as likely, plus delta = %g"),
                 sum, delta);
    else
        snprintf(change, sizeof change, "an attacker's odds change by a factor of at most e^%s",
                 sum);
    snprintf(
        text, sizeof text,
        hrr_words_of(
            terms->certificate,
            "If a node is a person, the epsilons of that person add up. For %s%s%s, %s.%s%s",
            "One person, where a node is a person: what is protected of her adds up. %s%s%s can "
            "be told apart from any other by at most the sum: %s.%s%s"),
        pairs_alone ? "" : hrr_words_of(terms->certificate, "", "Her "), in,
        pairs_alone || strstr(in, " and ") ? " together" : "", change, more, out);
    hrr_page_point(p, text);
}

/* The largest epsilon of one thing, beside budgets that others have published. */
static void strength(page *p, const hrr_terms *terms)
{
    double most = 0;
    char text[704];
    for (int part = 0; part < HRR_N_PARTS; part++)
        most = fmax(most, eps_of(terms, (hrr_part)part));
    if (most == 0) return;
    snprintf(
        text, sizeof text,
        hrr_words_of(
            terms->certificate,
            "Smaller is stronger. The largest epsilon of one item here is %.9g. Others have "
            "published, for one person: 2.64 per day (Google, mobility reports 2020), 2 to 16 per "
            "day and use (Apple, collected locally), 17.14 in total (US Census 2020, redistricting "
            "tables). Their units differ, and none of them is a recommendation; "
            "docs/certificate.md has the sources.%s",
            "Smaller is stronger. The largest epsilon of one thing here is %.9g. Published by "
            "others, for one person: 2.64 a day (Google, mobility reports 2020), 2 to 16 a day "
            "and use (Apple, collected locally), 17.14 in all (US Census 2020, redistricting "
            "tables). Their units differ, and none is a recommendation; docs/certificate.md has "
            "the "
            "sources.%s"),
        most,
        is_covered(terms, HRR_PART_EDGES)
            ? " A person has many pairs: compare the sum below, not the epsilon of one pair."
            : "");
    hrr_page_point(p, text);
}

/* The following speaks of a release that is private: its epsilons are finite. */
void hrr_page_plain_words(hrr_text_page *p, const hrr_terms *terms)
{
    hrr_page_heading(p, "In plain words");
    if (!terms->is_private) {
        hrr_page_point(
            p,
            hrr_words_of(
                terms->certificate,
                "This release is NOT PRIVATE, for the reasons above: do not give it to anybody who "
                "may not see the original. The epsilons below were requested, but they are not "
                "guaranteed.",
                "This release is NOT PRIVATE, for the reasons above: give it to nobody who may not "
                "see the original. Epsilons below are what was asked for, and no promise."));
        return;
    }
    for (int part = 0; part < HRR_N_PARTS; part++) {
        char text[HRR_PLAIN_SIZE];
        hrr_terms_plain_words(text, terms, (hrr_part)part);
        if (*text) hrr_page_point(p, text);
    }
    strength(p, terms);
    unit(p, terms);
}
