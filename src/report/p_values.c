/* p_values.c: the table of significance.h, for the page and as a file. The page shows adjusted
 * values only: unadjusted ones beside them invite mistakes. */
#include "report/significance.h"
#include "report/chart_words.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { comparisons_in_page = 60 };
static const double clear_below = 0.05;

/* ---- what to show ---------------------------------------------------------------------------- */

/* One comparison for each mechanism at each budget: with the strongest control that it has to beat,
 * or with what the user asked for; with anything at all if nobody has such a thing. */
typedef struct shown {
    const hrr_comparison **at; /* a facet's stand together, the largest difference first */
    size_t n;
    bool fair; /* with controls that have to be beaten */
} shown;

static bool is_better(const hrr_study *study, const hrr_comparison *c, const hrr_comparison *than,
                      const char *against)
{
    if (against)
        return !than &&
               hrr_series_is(hrr_words_text(&study->settings.series, c->with->series), against);
    return hrr_is_fair_control(study, c->cell, c->with) &&
           (!than || c->with->mean > than->with->mean);
}

static int by_difference(const void *a, const void *b)
{
    const hrr_comparison *x = *(const hrr_comparison *const *)a;
    const hrr_comparison *y = *(const hrr_comparison *const *)b;
    if (x->cell->facet != y->cell->facet) return x->cell->facet < y->cell->facet ? -1 : 1;
    if (x->test.difference != y->test.difference)
        return x->test.difference > y->test.difference ? -1 : 1;
    return x < y ? -1 : 1;
}

static hrr_status choose(shown *out, const hrr_study *study, const hrr_comparison *all, size_t n,
                         const char *against, hrr_error *err)
{
    *out = (shown){.at = hrr_alloc(n, sizeof *out->at)};
    if (!out->at) return hrr_no_memory(err);
    for (size_t i = 0, next; i < n; i = next) { /* comparisons of a cell stand together */
        const hrr_comparison *best = NULL;
        for (next = i; next < n && all[next].cell == all[i].cell; next++)
            if (is_better(study, &all[next], best, against)) best = &all[next];
        if (best) out->at[out->n++] = best;
    }
    out->fair = out->n > 0 && !against;
    for (size_t i = 0; i < n && out->n == 0; i++)
        out->at[i] = &all[i];
    if (out->n == 0) out->n = n;
    if (out->n) qsort(out->at, out->n, sizeof *out->at, by_difference);
    return HRR_OK;
}

/* ---- for the page ---------------------------------------------------------------------------- */

static void words_cell(hrr_text *html, const hrr_study *study, uint32_t series, const char *label)
{
    char words[128];
    hrr_series_words(words, sizeof words, hrr_words_text(&study->settings.series, series));
    hrr_text_printf(html, "<td class=\"t\"%s%s%s>", label ? " data-l=\"" : "", label ? label : "",
                    label ? "\"" : "");
    hrr_text_escape(html, words);
}

/* "edges " for the epsilon of edges. */
static const char *of_what(hrr_column budget)
{
    return budget == HRR_COL_EPS_EDGES      ? "edges "
           : budget == HRR_COL_EPS_FEATURES ? "features "
                                            : "";
}

/* What is spent; where there are two budgets, on what. */
static void budget_cell(hrr_text *html, const hrr_study *study, const hrr_cell *cell)
{
    const bool named = study->other != HRR_N_COLUMNS, both = cell->x > 0 && cell->other > 0;
    hrr_text_printf(html, "<td class=\"t\" data-l=\"%s\">",
                    named ? "epsilon" : hrr_column_title(study->x));
    if (cell->x > 0) hrr_text_printf(html, "%s%g", named ? of_what(study->x) : "", cell->x);
    if (both) hrr_text_put(html, ", ");
    if (cell->other > 0) hrr_text_printf(html, "%s%g", of_what(study->other), cell->other);
}

static void page_row(hrr_text *html, const hrr_study *study, const hrr_comparison *c)
{
    hrr_text_printf(html, "<tr%s>", c->adjusted < clear_below ? " class=\"clear\"" : "");
    words_cell(html, study, c->cell->series, NULL);
    budget_cell(html, study, c->cell);
    words_cell(html, study, c->with->series, "against");
    hrr_text_printf(html, "<td data-l=\"difference\">%s%.3f<td data-l=\"p\">",
                    c->test.difference < 0 ? "\u2212" : "+", fabs(c->test.difference));
    if (isnan(c->adjusted))
        hrr_text_put(html, "\u2013"); /* nothing varies */
    else if (c->adjusted < 0.001)
        hrr_text_put(html, "&lt;&nbsp;0.001");
    else
        hrr_text_number(html, c->adjusted, 2);
    hrr_text_printf(html, "<td data-l=\"from\">%u&nbsp;%s</tr>\n", (unsigned)c->n,
                    c->paired ? "pairs" : "runs");
}

static void page_head(hrr_text *html, const hrr_study *study)
{
    hrr_text_put(html, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\""
                       "p-values\"><table class=\"p cards\"><thead><tr><th class=\"t\">mechanism"
                       "<th class=\"t\">");
    hrr_text_escape(html, study->other == HRR_N_COLUMNS ? hrr_column_title(study->x) : "epsilon");
    hrr_text_put(html, "<th class=\"t\">against<th>difference<th>p (Holm)<th>from</tr></thead>"
                       "<tbody>\n");
}

/* Every facet has its turn: what there is no room for is the middle of the long ones. */
static void page_table(hrr_page *page, const hrr_study *study, const shown *rows)
{
    hrr_text *html = &page->html;
    size_t n_facets = 0, n_written = 0;
    for (size_t i = 0; i < rows->n; i++)
        n_facets += i == 0 || rows->at[i]->cell->facet != rows->at[i - 1]->cell->facet;
    const size_t room = n_facets ? comparisons_in_page / n_facets : 0, most = room > 6 ? room : 6;
    page_head(html, study);
    for (size_t i = 0, next; i < rows->n && n_written < 2 * comparisons_in_page; i = next) {
        const uint32_t facet = rows->at[i]->cell->facet;
        const char *name = hrr_words_text(&study->settings.facets, facet);
        for (next = i; next < rows->n && rows->at[next]->cell->facet == facet;)
            next++;
        if (*name) {
            hrr_text_put(html, "<tr><th class=\"t group\" scope=\"rowgroup\" colspan=\"6\">");
            hrr_text_escape(html, name);
            hrr_text_put(html, "</tr>\n");
        }
        const size_t n = next - i, n_first = n > most ? (most + 1) / 2 : n;
        const size_t n_last = n > most ? most / 2 : 0;
        for (size_t k = 0; k < n_first; k++)
            page_row(html, study, rows->at[i + k]);
        if (n > most)
            hrr_text_printf(html, "<tr><td class=\"t more\" colspan=\"6\">%zu more between these",
                            n - most);
        for (size_t k = n - n_last; k < n; k++)
            page_row(html, study, rows->at[i + k]);
        n_written += n_first + n_last;
    }
    hrr_text_put(html, "</tbody></table></div>\n");
}

static void page_introduction(hrr_page *page, const shown *rows, size_t n, size_t n_clear)
{
    hrr_text_printf(
        &page->html,
        "<h3 id=\"significance\">Is it more than chance?</h3>\n<p class=\"note\">Student's t-test: "
        "%zu comparisons, %zu of them clear (p below %g after Holm's adjustment for all of them "
        "together; set in bold). ",
        n, n_clear, clear_below);
    if (rows->fair)
        hrr_text_put(&page->html, "Shown is each mechanism against the strongest control that "
                                  "spends nothing and protects the same; the file has all.");
    hrr_text_put(&page->html, "</p>\n");
}

/* ---- the sentence that matters --------------------------------------------------------------- */

static void say_budgets(char *text, size_t room, const hrr_study *study, const hrr_cell *cell)
{
    const bool both = cell->x > 0 && cell->other > 0;
    const hrr_column first = cell->x > 0 ? study->x : study->other;
    int used =
        snprintf(text, room, "%s %g", hrr_column_title(first), cell->x > 0 ? cell->x : cell->other);
    if (both)
        snprintf(text + used, room - (size_t)used, " and %s %g", hrr_column_title(study->other),
                 cell->other);
}

/* What is worth its budget, beside what costs nothing. */
static void say_worth(hrr_page *page, const hrr_study *study, const shown *rows)
{
    size_t n_better = 0, n_worse = 0;
    const hrr_comparison *best = NULL;
    for (size_t i = 0; i < rows->n; i++) {
        const hrr_comparison *c = rows->at[i];
        const bool clear = c->adjusted < clear_below;
        n_better += clear && c->test.difference > 0;
        n_worse += clear && c->test.difference < 0;
        if (n_better && !(clear && c->test.difference > 0)) continue;
        if (!best || n_better == 1 || c->test.difference > best->test.difference) best = c;
    }
    char budgets[96], control[96], unprotected[64] = "", count[48] = "none is";
    const uint32_t facet = best->cell->facet;
    const hrr_column value = study->value_of_base[study->settings.base_of_facet[facet]];
    const hrr_cell *level = hrr_study_level(study, facet, "non-private");
    const char *where = hrr_words_text(&study->settings.facets, facet);
    say_budgets(budgets, sizeof budgets, study, best->cell);
    hrr_series_words(control, sizeof control,
                     hrr_words_text(&study->settings.series, best->with->series));
    if (level) snprintf(unprotected, sizeof unprotected, ", no protection %.3g", level->mean);
    if (n_better) snprintf(count, sizeof count, "%zu %s", n_better, n_better == 1 ? "is" : "are");
    hrr_page_say(
        page,
        "Of %zu mechanisms at their budgets, %s clearly better than the best control that "
        "spends nothing, %zu clearly worse. %s: %.80s%s%.60s at %s has %s %.3g, %s %.3g%s.",
        rows->n, count, n_worse, n_better ? "Largest gain" : "The best of them", where,
        *where ? ": " : "", hrr_words_text(&study->settings.series, best->cell->series), budgets,
        hrr_column_title(value), best->cell->mean, control, best->with->mean, unprotected);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void file_row(hrr_text *csv, const hrr_study *study, const hrr_comparison *c)
{
    const hrr_settings *s = &study->settings;
    const char *const words[] = {hrr_words_text(&s->facets, c->cell->facet),
                                 hrr_words_text(&s->series, c->cell->series),
                                 hrr_words_text(&s->series, c->with->series)};
    const double numbers[] = {c->cell->x > 0 ? c->cell->x : NAN,
                              c->cell->other > 0 ? c->cell->other : NAN, c->test.difference,
                              c->test.p, c->adjusted};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        hrr_text_field(csv, words[i]);
        hrr_text_put(csv, ",");
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        hrr_text_number(csv, numbers[i], 9);
        hrr_text_put(csv, ",");
    }
    hrr_text_printf(csv, "%u,%s\n", (unsigned)c->n, c->paired ? "paired" : "welch");
}

static void file_rows(hrr_text *csv, const hrr_study *study, const hrr_comparison *all, size_t n)
{
    hrr_text_put(csv, "setting,mechanism,against,");
    hrr_text_field(csv, hrr_column_title(study->x));
    hrr_text_put(csv, ",");
    hrr_text_field(csv, study->other == HRR_N_COLUMNS ? "other epsilon"
                                                      : hrr_column_title(study->other));
    hrr_text_put(csv, ",difference,p,p_holm,n,test\n");
    for (size_t i = 0; i < n; i++)
        file_row(csv, study, &all[i]);
}

hrr_status hrr_put_p_values(bool *said, hrr_page *page, const hrr_study *study, const char *against,
                            hrr_error *err)
{
    hrr_comparison *all = NULL;
    size_t n = 0, n_clear = 0;
    hrr_text csv = {0};
    shown rows = {0};
    *said = false;
    hrr_status status = hrr_significance(&all, &n, study, against, err);
    if (!status) status = choose(&rows, study, all, n, against, err);
    for (size_t i = 0; i < n; i++)
        n_clear += all[i].adjusted < clear_below;
    if (!status && n) {
        *said = rows.fair;
        if (rows.fair) say_worth(page, study, &rows);
        page_introduction(page, &rows, n, n_clear);
        page_table(page, study, &rows);
        file_rows(&csv, study, all, n);
        hrr_text_put(&page->html, "<div class=\"links\">");
        hrr_page_link(page, &csv, "significance.csv", "text/csv", "All comparisons (CSV)");
        hrr_text_put(&page->html, "</div>\n");
        status = hrr_page_file(page, &csv, "significance.csv", "p-values", err);
    }
    hrr_text_clear(&csv);
    hrr_free(rows.at);
    hrr_free(all);
    return status;
}
