/* grounds.c: what a promise rests on and what it does not cover: trust, proofs, bias, side
 * channels, other releases. */
#include "certificate/page_parts.h"
#include "certificate/fields.h"
#include "edge/mechanism.h"

#include <stdio.h>
#include <string.h>

static hrr_treatment treatment_of(const hrr_terms *terms, hrr_part part)
{
    return terms->part[part].treatment;
}

static bool is_covered(const hrr_terms *terms, hrr_part part)
{
    return treatment_of(terms, part) == HRR_PROTECTED;
}

void hrr_page_trust(hrr_text_page *p, const hrr_terms *terms)
{
    hrr_page_heading(p, "Trust model");
    hrr_page_point(p, "Central: whoever made this release saw the private data and is trusted with "
                      "it. Features and labels are local privacy only if each person ran the "
                      "mechanism herself.");
    hrr_page_point(p, "An attacker sees the bundle, knows this program and every parameter, and "
                      "may know everything but the one thing that is in question.");
    if (!json_array_size(json_object_get(terms->certificate, "declared_public"))) return;
    hrr_page_point(p, "What is declared public is taken on the word of whoever made this release.");
}

void hrr_page_correctness(hrr_text_page *p, const hrr_terms *terms)
{
    hrr_page_heading(p, "What its correctness rests on");
    if (strcmp(hrr_json_word(terms->certificate, "mode"), "paper") == 0)
        hrr_page_point(p, "Paper mode follows the published algorithm; what of its claims does not "
                          "hold is listed below.");
    else
        hrr_page_point(p, "Strict mode: every epsilon is proved for the integers that are drawn, "
                          "on the page of its mechanism (docs/mechanisms/), by exact samplers "
                          "without floating point (docs/randomness.md). Requested is what is "
                          "promised, realised what those integers amount to: never more.");
    hrr_page_point(p, "heterorr verify computes every epsilon and sentence here again. heterorr "
                      "audit tries to prove the claims wrong, and shows that it finds wrong "
                      "mechanisms. Neither sees the private data of this release.");
}

void hrr_page_utility(hrr_text_page *p)
{
    hrr_page_heading(p, "Utility");
    hrr_page_point(p,
                   "Not measured: a figure that is measured on the private data would tell about "
                   "them, and is not part of a release. heterorr compare measures it on data "
                   "that may be looked at.");
}

void hrr_page_bias(hrr_text_page *p, const hrr_terms *terms)
{
    const bool hides_edges =
        is_covered(terms, HRR_PART_EDGES) || treatment_of(terms, HRR_PART_EDGES) == HRR_LEFT_OUT;
    const json_t *told = json_object_get(terms->certificate, "edges");
    const char *edges = hides_edges ? hrr_edge_bias(hrr_json_word(told, "mechanism")) : NULL;
    const bool any =
        is_covered(terms, HRR_PART_FEATURES) || edges || is_covered(terms, HRR_PART_LABELS);
    if (!any) return;
    hrr_page_heading(p, "Bias");
    if (is_covered(terms, HRR_PART_FEATURES))
        hrr_page_point(p, "Features outside of their bounds were clipped, so extreme values look "
                          "more usual than they are. Noise is the same for all, and so hides small "
                          "groups first.");
    if (edges) hrr_page_point(p, edges);
    if (is_covered(terms, HRR_PART_LABELS))
        hrr_page_point(p,
                       "Randomised labels make rare classes look more frequent and frequent ones "
                       "rarer than they are, unless that is corrected for.");
}

void hrr_page_side_channels(hrr_text_page *p)
{
    hrr_page_heading(p, "Side channels");
    hrr_page_point(
        p, "The promise is about the files of this bundle. It does not cover whoever can "
           "watch the machine that made it: its memory, timing, or ledger. Inputs that differ "
           "in one such thing give the same exit codes, messages and file names "
           "(docs/privacy.md).");
}

void hrr_page_other_releases(hrr_text_page *p, const hrr_terms *terms)
{
    const json_t *account = json_object_get(terms->certificate, "account");
    char text[768];
    hrr_page_heading(p, "Other releases");
    hrr_page_point(p,
                   "This one may be used for ever and in any way: nothing that is computed from "
                   "it tells more. Another release of the same data adds its epsilons to these.");
    if (json_is_object(account))
        snprintf(
            text, sizeof text,
            "Charged to the account \"%.80s\". Charges to it before this one: %llu, in all eps_f = "
            "%.40s, eps_e = %.40s, eps_y = %.40s%s; they add to the epsilons here. Releases of the "
            "same data on another account, or on none, are not among them: ask whoever made it.",
            hrr_json_word(account, "name"), hrr_json_count(account, "charges_before"),
            hrr_json_word(account, "eps_features_before"),
            hrr_json_word(account, "eps_edges_before"), hrr_json_word(account, "eps_labels_before"),
            json_is_true(json_object_get(account, "not_private_before"))
                ? ", and releases that were NOT PRIVATE"
                : "");
    else
        snprintf(text, sizeof text,
                 "This release names no account, so it does not say whether there are others: ask "
                 "whoever made it.");
    hrr_page_point(p, text);
}
