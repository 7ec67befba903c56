/* grounds.c: what a promise rests on and what it does not cover: trust, proofs, bias, side
 * channels, other releases. */
#include "certificate/page_parts.h"
#include "certificate/fields.h"
#include "certificate/words.h"
#include "base/number.h"
#include "edge/traits.h"
#include "feature/traits.h"

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
    hrr_page_point(
        p,
        hrr_words_of(terms->certificate,
                     "Central model: the maker of this release saw the private data and must be "
                     "trusted with it. The protection of features and labels is local only if each "
                     "person ran the mechanism personally.",
                     "Central: whoever made this release saw the private data and is trusted with "
                     "it. Features and labels are local privacy only if each person ran the "
                     "mechanism herself."));
    hrr_page_point(
        p, hrr_words_of(terms->certificate,
                        "An attacker sees the bundle, knows this program and every parameter, and "
                        "may know everything except the one item in question.",
                        "An attacker sees the bundle, knows this program and every parameter, and "
                        "may know everything but the one thing that is in question."));
    if (!json_array_size(json_object_get(terms->certificate, "declared_public"))) return;
    hrr_page_point(
        p, hrr_words_of(
               terms->certificate,
               "The maker of this release declared what is public. This program cannot check that.",
               "What is declared public is taken on the word of whoever made this release."));
}

void hrr_page_correctness(hrr_text_page *p, const hrr_terms *terms)
{
    hrr_page_heading(p, "What its correctness rests on");
    if (!terms->is_private)
        hrr_page_point(
            p,
            hrr_words_of(terms->certificate,
                         "Nothing is guaranteed, whatever epsilons are stated: the first lines "
                         "give the reasons.",
                         "Nothing is promised, whatever epsilons stand above: the first lines say "
                         "why."));
    if (strcmp(hrr_json_word(terms->certificate, "mode"), "paper") == 0)
        hrr_page_point(
            p,
            hrr_words_of(terms->certificate,
                         "Paper mode follows the published algorithm. Those of its claims that do "
                         "not hold are listed below.",
                         "Paper mode follows the published algorithm; what of its claims does not "
                         "hold is listed below."));
    else if (terms->is_private)
        hrr_page_point(
            p,
            hrr_words_of(
                terms->certificate,
                "Strict mode: every epsilon is proved for the integers that are drawn. The proof "
                "is on the page of the mechanism (docs/mechanisms/). The samplers are exact and "
                "use no floating point (docs/randomness.md). The requested epsilon is guaranteed. "
                "The realised epsilon is what those integers spend, and it is never larger.",
                "Strict mode: every epsilon is proved for the integers that are drawn, "
                "on the page of its mechanism (docs/mechanisms/), by exact samplers "
                "without floating point (docs/randomness.md). Requested is what is "
                "promised, realised what those integers amount to: never more."));
    hrr_page_point(
        p,
        hrr_words_of(terms->certificate,
                     "heterorr verify computes the epsilons and sentences of this page again, from "
                     "the parameters in certificate.json. That these parameters were used is a "
                     "statement of the maker of this release. heterorr audit tries to refute the "
                     "claims of the mechanisms, and shows that it refutes claims that are wrong. "
                     "Neither of them sees the private data of this release.",
                     "heterorr verify computes the epsilons and sentences here again, from the "
                     "parameters that certificate.json records. That these are the ones that were "
                     "used is the word of whoever made this release. heterorr audit tries to "
                     "prove the claims of the mechanisms wrong, and shows that it finds wrong "
                     "ones. Neither sees the private data of this release."));
}

void hrr_page_utility(hrr_text_page *p, const hrr_terms *terms)
{
    hrr_page_heading(p, "Utility");
    hrr_page_point(
        p,
        hrr_words_of(terms->certificate,
                     "Not measured: a figure that is measured on the private data would reveal "
                     "information about them, so it is not part of a release. heterorr compare "
                     "measures utility on data that you may see.",
                     "Not measured: a figure that is measured on the private data would tell about "
                     "them, and is not part of a release. heterorr compare measures it on data "
                     "that may be looked at."));
}

void hrr_page_bias(hrr_text_page *p, const hrr_terms *terms)
{
    const bool hides_edges =
        is_covered(terms, HRR_PART_EDGES) || treatment_of(terms, HRR_PART_EDGES) == HRR_LEFT_OUT;
    const json_t *told = json_object_get(terms->certificate, "edges");
    const char *name = hrr_json_word(told, "mechanism");
    const char *edges = hides_edges ? hrr_edge_traits(name)->bias : NULL;
    const hrr_feature_mechanism *of_features = hrr_feature_traits(
        hrr_json_word(json_object_get(terms->certificate, "features"), "mechanism"));
    const bool any =
        is_covered(terms, HRR_PART_FEATURES) || edges || is_covered(terms, HRR_PART_LABELS);
    if (!any) return;
    hrr_page_heading(p, "Bias");
    if (is_covered(terms, HRR_PART_FEATURES))
        hrr_page_point(
            p,
            of_features->needs_head
                ? hrr_words_of(
                      terms->certificate,
                      "Features are answers of a head that was made from other data. The answers "
                      "are wrong about groups that the head misjudges or has never seen. The noise "
                      "is the same for everybody, so it hides small groups first.",
                      "Features are answers of a head that was made from other data: "
                      "groups that it is wrong about, or that it never saw, are told "
                      "about wrongly. Noise is the same for all, and so hides small "
                      "groups first.")
                : hrr_words_of(terms->certificate,
                               "Features outside their bounds were clipped, so extreme values look "
                               "more ordinary than they are. The noise is the same for everybody, "
                               "so it hides small groups first.",
                               "Features outside of their bounds were clipped, so extreme values "
                               "look more usual than they are. Noise is the same for all, and so "
                               "hides small groups first."));
    if (edges) hrr_page_point(p, hrr_bias_of(terms->certificate, name, edges));
    if (is_covered(terms, HRR_PART_LABELS))
        hrr_page_point(
            p,
            hrr_words_of(terms->certificate,
                         "Randomised labels make rare classes look more frequent, and frequent "
                         "classes rarer, than they are, unless this is corrected.",
                         "Randomised labels make rare classes look more frequent and frequent ones "
                         "rarer than they are, unless that is corrected for."));
}

void hrr_page_side_channels(hrr_text_page *p, const hrr_terms *terms)
{
    if (!terms->is_private) return;
    hrr_page_heading(p, "Side channels");
    hrr_page_point(
        p,
        hrr_words_of(terms->certificate,
                     "The guarantee covers the files of this bundle. It does not cover an observer "
                     "of the machine that made it: its memory, timing, ledger or logs. Inputs that "
                     "differ in one item give the same exit codes, messages and file names, except "
                     "for the faults that docs/privacy.md lists, such as a damaged row.",
                     "The promise is about the files of this bundle. It does not cover whoever can "
                     "watch the machine that made it: its memory, timing, ledger or logs. Inputs "
                     "that differ in one such thing give the same exit codes, messages and file "
                     "names, but for faults that docs/privacy.md lists, such as a damaged row."));
}

/* ", delta = 1e-06", or nothing. */
static void name_delta(char text[64], double delta)
{
    char number[HRR_REAL_TEXT_SIZE];
    text[0] = '\0';
    if (delta <= 0) return;
    hrr_real_text(number, delta);
    snprintf(text, 64, ", delta = %s", number);
}

/* An epsilon that the account has spent, and this release's on top. */
static void add_spent(char sum[HRR_EPS_TEXT_SIZE], const json_t *account, const char *before,
                      const hrr_terms *terms, hrr_part part)
{
    uint64_t nano; /* "0" is no limit, and leaves nothing to add */
    if (hrr_limit_parse(&nano, hrr_json_word(account, before), "", NULL)) nano = 0;
    hrr_eps_format(sum, nano + terms->part[part].eps_nano);
}

/* What is known together of an account: its sums, if there are any. */
static void say_account(hrr_text_page *p, const hrr_terms *terms, const json_t *account)
{
    const double delta = json_real_value(json_object_get(account, "delta_before"));
    char text[768], before[64], after[64], f[HRR_EPS_TEXT_SIZE], e[HRR_EPS_TEXT_SIZE],
        y[HRR_EPS_TEXT_SIZE];
    name_delta(before, delta);
    snprintf(
        text, sizeof text,
        hrr_words_of(
            terms->certificate,
            "Charged to the account \"%.80s\". Earlier charges to this account: %llu, in total "
            "eps_f = %.40s, eps_e = %.40s, eps_y = %.40s%s. Releases of the same data on another "
            "account, or on no account, are not included: ask the maker of this release about "
            "them.",
            "Charged to the account \"%.80s\". Charges to it before this one: %llu, in all eps_f = "
            "%.40s, eps_e = %.40s, eps_y = %.40s%s. Releases of the same data on another account, "
            "or "
            "on "
            "none, are not among them: ask whoever made it."),
        hrr_json_word(account, "name"), hrr_json_count(account, "charges_before"),
        hrr_json_word(account, "eps_features_before"), hrr_json_word(account, "eps_edges_before"),
        hrr_json_word(account, "eps_labels_before"), before);
    hrr_page_point(p, text);
    if (json_is_true(json_object_get(account, "not_private_before"))) {
        hrr_page_point(
            p,
            hrr_words_of(terms->certificate,
                         "Some of the earlier releases are NOT PRIVATE. No epsilon bounds what "
                         "somebody learns who has one of them, from this release or from that one.",
                         "Among the releases before were some that are NOT PRIVATE. Whoever has "
                         "one of those is bounded by no epsilon, here or there."));
        return;
    }
    if (!terms->is_private) return;
    add_spent(f, account, "eps_features_before", terms, HRR_PART_FEATURES);
    add_spent(e, account, "eps_edges_before", terms, HRR_PART_EDGES);
    add_spent(y, account, "eps_labels_before", terms, HRR_PART_LABELS);
    name_delta(after, delta + terms->part[HRR_PART_FEATURES].delta);
    snprintf(text, sizeof text,
             hrr_words_of(
                 terms->certificate,
                 "Together with this release: eps_f = %s, eps_e = %s, eps_y = %s%s. For somebody "
                 "who has all of these releases, these sums are the bound, not the epsilons above.",
                 "Together with this one: eps_f = %s, eps_e = %s, eps_y = %s%s. Whoever has all of "
                 "these releases is bounded by these sums, and not by the epsilons above."),
             f, e, y, after);
    hrr_page_point(p, text);
}

void hrr_page_other_releases(hrr_text_page *p, const hrr_terms *terms)
{
    const json_t *account = json_object_get(terms->certificate, "account");
    hrr_page_heading(p, "Other releases");
    hrr_page_point(
        p,
        terms->is_private
            ? hrr_words_of(
                  terms->certificate,
                  "This release may be used for ever and in any way: nothing that is computed from "
                  "it reveals more. Another release of the same data adds its epsilons to these.",
                  "This one may be used for ever and in any way: nothing that is "
                  "computed from it tells more. Another release of the same data adds "
                  "its epsilons to these.")
            : hrr_words_of(terms->certificate,
                           "Anything that is computed from this release, such as a model or a "
                           "table, may reveal as much as the release itself: NOT PRIVATE.",
                           "What is computed from this one, a model or a table, may tell as much "
                           "as it does: NOT PRIVATE."));
    if (json_is_object(account))
        say_account(p, terms, account);
    else
        hrr_page_point(
            p, hrr_words_of(terms->certificate,
                            "This release names no account, so it does not say whether there are "
                            "other releases of the same data: ask its maker.",
                            "This release names no account, so it does not say whether there are "
                            "others: ask whoever made it."));
}
