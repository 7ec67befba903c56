/* verdicts.c: see verdicts.h. Nothing is computed here. The page shows adjusted p-values only:
 * unadjusted ones beside them invite mistakes. */
#include "report/verdicts.h"
#include "report/chart_words.h"
#include "experiment/references.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rows_in_page = 60 };

/* Settings that were tested; a facet's stand together, the largest difference first. */
typedef struct tested {
    const hrr_study *study;
    const hrr_utility *found;
    const hrr_training_mean **at;
    size_t n;
} tested;

static uint64_t row_of(const tested *t, const hrr_training_mean *mean)
{
    return t->found->first[mean - t->found->means];
}

static uint32_t facet_of(const tested *t, const hrr_training_mean *mean)
{
    return t->study->settings.facet_of[row_of(t, mean)];
}

static const char *series_of(const tested *t, const hrr_training_mean *mean)
{
    const hrr_settings *s = &t->study->settings;
    return hrr_words_text(&s->series, s->series_of[row_of(t, mean)]);
}

static const hrr_training_mean *control_of(const tested *t, const hrr_worth_test *test)
{
    return &t->found->means[test->control];
}

/* Facet, then difference; one list is sorted at a time. */
typedef struct place {
    uint32_t facet;
    const hrr_training_mean *mean;
} place;

static int by_difference(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->facet != y->facet) return x->facet < y->facet ? -1 : 1;
    if (x->mean->test.difference != y->mean->test.difference)
        return x->mean->test.difference > y->mean->test.difference ? -1 : 1;
    return x->mean < y->mean ? -1 : 1;
}

static hrr_status list_tested(tested *out, const hrr_study *study, const hrr_utility *found,
                              hrr_error *err)
{
    *out = (tested){.study = study, .found = found};
    place *places = hrr_alloc(found->n, sizeof *places);
    out->at = hrr_alloc(found->n, sizeof *out->at);
    if (!places || !out->at) {
        hrr_free(places);
        return hrr_no_memory(err);
    }
    for (size_t i = 0; i < found->n; i++)
        if (found->means[i].test.worth != HRR_WORTH_UNTESTED)
            places[out->n++] = (place){facet_of(out, &found->means[i]), &found->means[i]};
    if (out->n) qsort(places, out->n, sizeof *places, by_difference);
    for (size_t i = 0; i < out->n; i++)
        out->at[i] = places[i].mean;
    hrr_free(places);
    return HRR_OK;
}

/* ---- for the page ---------------------------------------------------------------------------- */

/* A control whose budget buys nothing has it in its name. */
static void control_words(char *out, size_t room, const tested *t, const hrr_training_mean *control)
{
    hrr_series_words(out, room, series_of(t, control));
    const size_t used = strlen(out);
    if (strcmp(control->eps_features, "0") != 0 && !control->spends)
        snprintf(out + used, room - used, " at epsilon %s", control->eps_features);
}

/* What is spent, and on what where there are two budgets. */
static void budget_words(char *out, size_t room, const hrr_training_mean *mean, bool named,
                         const char *features, const char *edges, const char *between)
{
    const bool pays_f = strcmp(mean->eps_features, "0") != 0;
    const bool pays_e = strcmp(mean->eps_edges, "0") != 0;
    snprintf(out, room, "%s%s%s%s%s", pays_e && named ? edges : "", pays_e ? mean->eps_edges : "",
             pays_f && pays_e ? between : "", pays_f && named ? features : "",
             pays_f ? mean->eps_features : "");
}

void hrr_put_p(hrr_text *html, double p_adjusted)
{
    if (isnan(p_adjusted))
        hrr_text_put(html, "\u2013"); /* nothing varies */
    else if (p_adjusted < 0.001)
        hrr_text_put(html, "&lt;&nbsp;0.001");
    else
        hrr_text_number(html, p_adjusted, 2);
}

static void page_row(hrr_text *html, const tested *t, const hrr_training_mean *mean)
{
    const hrr_worth_test *test = &mean->test;
    const bool two = t->study->other != HRR_N_COLUMNS;
    char words[160];
    hrr_text_printf(html, "<tr%s><td class=\"t\">",
                    test->worth == HRR_WORTH_NO_MORE ? "" : " class=\"clear\"");
    hrr_text_escape(html, series_of(t, mean));
    budget_words(words, sizeof words, mean, two, "features ", "edges ", ", ");
    hrr_text_printf(html, "<td class=\"t\" data-l=\"%s\">%s<td class=\"t\" data-l=\"against\">",
                    two ? "epsilon" : hrr_column_title(t->study->x), words);
    control_words(words, sizeof words, t, control_of(t, test));
    hrr_text_escape(html, words);
    hrr_text_printf(html, "<td data-l=\"difference\">%s%.3f<td data-l=\"p\">",
                    test->difference < 0 ? "\u2212" : "+", fabs(test->difference));
    hrr_put_p(html, test->p_adjusted);
    hrr_text_printf(html, "<td data-l=\"from\">%u&nbsp;pairs<td class=\"t\" data-l=\"verdict\">%s",
                    (unsigned)test->pairs, hrr_worth_word(test->worth));
    if (mean->diverged) hrr_text_printf(html, " (%u diverged)", (unsigned)mean->diverged);
    hrr_text_put(html, "</tr>\n");
}

static void page_head(hrr_text *html, const hrr_study *study)
{
    hrr_text_put(html, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\""
                       "p-values\"><table class=\"p cards\"><thead><tr><th class=\"t\">mechanism"
                       "<th class=\"t\">");
    hrr_text_escape(html, study->other == HRR_N_COLUMNS ? hrr_column_title(study->x) : "epsilon");
    hrr_text_put(html, "<th class=\"t\">against<th>difference<th>p (Holm)<th>from<th class=\"t\">"
                       "verdict</tr></thead><tbody>\n");
}

/* Every facet has its turn: what there is no room for is the middle of the long ones. */
static void page_table(hrr_page *page, const tested *t)
{
    hrr_text *html = &page->html;
    size_t n_facets = 0, n_written = 0;
    for (size_t i = 0; i < t->n; i++)
        n_facets += i == 0 || facet_of(t, t->at[i]) != facet_of(t, t->at[i - 1]);
    const size_t room = n_facets ? rows_in_page / n_facets : 0, most = room > 6 ? room : 6;
    page_head(html, t->study);
    for (size_t i = 0, next; i < t->n && n_written < 2 * rows_in_page; i = next) {
        const uint32_t facet = facet_of(t, t->at[i]);
        const char *name = hrr_words_text(&t->study->settings.facets, facet);
        for (next = i; next < t->n && facet_of(t, t->at[next]) == facet;)
            next++;
        if (*name) {
            hrr_text_put(html, "<tr><th class=\"t group\" scope=\"rowgroup\" colspan=\"7\">");
            hrr_text_escape(html, name);
            hrr_text_put(html, "</tr>\n");
        }
        const size_t n = next - i, n_first = n > most ? (most + 1) / 2 : n;
        const size_t n_last = n > most ? most / 2 : 0;
        for (size_t k = 0; k < n_first; k++)
            page_row(html, t, t->at[i + k]);
        if (n > most)
            hrr_text_printf(html, "<tr><td class=\"t more\" colspan=\"7\">%zu more between these",
                            n - most);
        for (size_t k = n - n_last; k < n; k++)
            page_row(html, t, t->at[i + k]);
        n_written += n_first + n_last;
    }
    hrr_text_put(html, "</tbody></table></div>\n");
}

/* ---- the sentence that matters --------------------------------------------------------------- */

/* What is worth its budget, beside what costs nothing. */
static void say_worth(hrr_page *page, const tested *t)
{
    size_t count[4] = {0};
    const hrr_training_mean *best = NULL;
    for (size_t i = 0; i < t->n; i++) {
        const hrr_training_mean *mean = t->at[i];
        const bool better = mean->test.worth == HRR_WORTH_MORE;
        count[mean->test.worth]++;
        if (!best || better > (best->test.worth == HRR_WORTH_MORE) ||
            (better == (best->test.worth == HRR_WORTH_MORE) &&
             mean->test.difference > best->test.difference))
            best = mean;
    }
    char budgets[96], control[96], unprotected[64] = "", number[48] = "none is";
    const hrr_training_mean *with = control_of(t, &best->test);
    const uint32_t facet = facet_of(t, best);
    const hrr_cell *level =
        hrr_study_level(t->study, facet, hrr_references[HRR_REFERENCE_NON_PRIVATE].name);
    const char *where = hrr_words_text(&t->study->settings.facets, facet);
    const size_t n_better = count[HRR_WORTH_MORE];
    budget_words(budgets, sizeof budgets, best, true, "epsilon of features ", "epsilon of edges ",
                 " and ");
    control_words(control, sizeof control, t, with);
    if (level)
        snprintf(unprotected, sizeof unprotected, " Without protection it is %.3g.", level->mean);
    if (n_better) snprintf(number, sizeof number, "%zu %s", n_better, n_better == 1 ? "is" : "are");
    hrr_page_say(
        page,
        "Of %zu mechanisms at their budgets, %s significantly better than the best baseline that "
        "spends nothing, %zu significantly worse. %s: %.80s%s%.60s at %s. Its %s is %.3g; that of "
        "the best free baseline (%s) is %.3g.%s",
        t->n, number, count[HRR_WORTH_LESS], n_better ? "Largest gain" : "The best of them", where,
        *where ? ": " : "", series_of(t, best), budgets,
        hrr_column_title(hrr_results_column(best->metric)), best->mean, control, with->mean,
        unprotected);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void file_row(hrr_text *csv, const tested *t, const hrr_training_mean *mean,
                     const hrr_worth_test *test, const char *question)
{
    const hrr_training_mean *control = control_of(t, test);
    const char *const words[] = {hrr_words_text(&t->study->settings.facets, facet_of(t, mean)),
                                 series_of(t, mean),
                                 mean->eps_features,
                                 mean->eps_edges,
                                 question,
                                 series_of(t, control),
                                 control->eps_features,
                                 control->eps_edges};
    const double numbers[] = {test->difference, test->p, test->p_adjusted};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        hrr_text_field(csv, words[i]);
        hrr_text_put(csv, ",");
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        hrr_text_number(csv, numbers[i], 9);
        hrr_text_put(csv, ",");
    }
    hrr_text_printf(csv, "%u,%u,%s\n", (unsigned)test->pairs, (unsigned)test->controls,
                    hrr_worth_word(test->worth));
}

/* Returns how many tests were made, and in *n_clear how many of them showed something. */
static size_t file_rows(hrr_text *csv, size_t *n_clear, const tested *t)
{
    size_t n = 0;
    *n_clear = 0;
    hrr_text_put(csv, "setting,mechanism,eps_features,eps_edges,question,against,"
                      "against_eps_features,against_eps_edges,difference,p,p_holm,pairs,controls,"
                      "verdict\n");
    for (size_t i = 0; i < t->found->n; i++) {
        const hrr_training_mean *mean = &t->found->means[i];
        const struct {
            const hrr_worth_test *test;
            const char *question;
        } tests[] = {{&mean->test, "the best that spends nothing"},
                     {&mean->edge_test, "the same with nothing spent on edges"},
                     {&mean->feature_test, "the same with nothing spent on features"}};
        for (size_t k = 0; k < sizeof tests / sizeof *tests; k++) {
            const hrr_worth worth = tests[k].test->worth;
            if (worth == HRR_WORTH_UNTESTED) continue;
            file_row(csv, t, mean, tests[k].test, tests[k].question);
            *n_clear += worth != HRR_WORTH_NO_MORE;
            n++;
        }
    }
    return n;
}

hrr_status hrr_put_verdicts(bool *said, hrr_page *page, const hrr_study *study,
                            const hrr_utility *found, hrr_error *err)
{
    hrr_text csv = {0};
    tested t;
    size_t n_clear;
    hrr_status status = list_tested(&t, study, found, err);
    *said = !status && t.n > 0;
    if (*said) {
        say_worth(page, &t);
        const size_t n = file_rows(&csv, &n_clear, &t);
        hrr_text_printf(
            &page->html,
            "<h3 id=\"significance\">Is it more than chance?</h3>\n<p class=\"note\">Student's "
            "paired t-test over runs with the same seed: %zu tests, %zu of them significant (p "
            "below 0.05 after Holm's adjustment for all of them together; set in bold). The table "
            "compares each mechanism with the best baseline that spends nothing and uses nothing "
            "that the mechanism protects; the file contains all tests.</p>\n",
            n, n_clear);
        page_table(page, &t);
        hrr_text_put(&page->html, "<div class=\"links\">");
        hrr_page_link(page, &csv, "significance.csv", "text/csv", "All tests (CSV)");
        hrr_text_put(&page->html, "</div>\n");
        status = hrr_page_file(page, &csv, "significance.csv", "p-values", err);
    }
    hrr_text_clear(&csv);
    hrr_free(t.at);
    return status;
}
