/* p_values.c: the table of significance.h, for the page and as a file. The page shows adjusted
 * values only: unadjusted ones beside them invite mistakes. */
#include "report/significance.h"
#include "base/memory.h"

#include <math.h>

enum { comparisons_in_page = 60 };
static const double clear_below = 0.05;

/* ---- for the page ---------------------------------------------------------------------------- */

static void number_cell(hrr_text *html, double value)
{
    hrr_text_put(html, "<td>");
    if (value > 0) hrr_text_number(html, value, 3);
}

static void page_row(hrr_text *html, const hrr_study *study, const hrr_comparison *c,
                     bool two_budgets)
{
    const hrr_words *names = &study->settings.series;
    hrr_text_printf(html, "<tr%s><td class=\"t\">",
                    c->adjusted < clear_below ? " class=\"clear\"" : "");
    hrr_text_escape(html, hrr_words_text(names, c->cell->series));
    hrr_text_put(html, "<td class=\"t\">");
    hrr_text_escape(html, hrr_words_text(names, c->with->series));
    number_cell(html, c->cell->x);
    if (two_budgets) number_cell(html, c->cell->other);
    hrr_text_printf(html, "<td>%s%.3g<td>", c->test.difference > 0 ? "+" : "", c->test.difference);
    if (isnan(c->adjusted))
        hrr_text_put(html, "\u2013"); /* nothing varies */
    else if (c->adjusted < 0.001)
        hrr_text_put(html, "&lt;&nbsp;0.001");
    else
        hrr_text_number(html, c->adjusted, 2);
    hrr_text_printf(html, "<td>%u&nbsp;%s</tr>\n", (unsigned)c->n, c->paired ? "pairs" : "runs");
}

static void page_table(hrr_page *page, const hrr_study *study, const hrr_comparison *all, size_t n,
                       const char *x_title, const char *other_title)
{
    hrr_text *html = &page->html;
    hrr_text_put(html,
                 "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"p-values\">"
                 "<table class=\"p\"><thead><tr><th class=\"t\">mechanism<th class=\"t\">against"
                 "<th>");
    hrr_text_escape(html, x_title);
    if (*other_title) hrr_text_put(html, "<th>");
    hrr_text_escape(html, other_title);
    hrr_text_put(html, "<th>difference<th>p (Holm)<th>from</tr></thead><tbody>\n");
    for (size_t i = 0; i < n && i < comparisons_in_page; i++) {
        const char *facet = hrr_words_text(&study->settings.facets, all[i].cell->facet);
        if (*facet && (i == 0 || all[i].cell->facet != all[i - 1].cell->facet)) {
            hrr_text_put(html, "<tr><th class=\"t group\" scope=\"rowgroup\" colspan=\"7\">");
            hrr_text_escape(html, facet);
            hrr_text_put(html, "</tr>\n");
        }
        page_row(html, study, &all[i], *other_title);
    }
    hrr_text_put(html, "</tbody></table></div>\n");
    if (n > comparisons_in_page)
        hrr_text_printf(html, "<p class=\"small\">The first %d of %zu; the file has all.</p>",
                        comparisons_in_page, n);
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

static void file_rows(hrr_text *csv, const hrr_study *study, const hrr_comparison *all, size_t n,
                      const char *x_title, const char *other_title)
{
    hrr_text_put(csv, "setting,mechanism,against,");
    hrr_text_field(csv, x_title);
    hrr_text_put(csv, ",");
    hrr_text_field(csv, *other_title ? other_title : "other epsilon");
    hrr_text_put(csv, ",difference,p,p_holm,n,test\n");
    for (size_t i = 0; i < n; i++)
        file_row(csv, study, &all[i]);
}

hrr_status hrr_put_p_values(hrr_page *page, const hrr_study *study, const char *against,
                            const char *x_title, const char *other_title, hrr_error *err)
{
    hrr_comparison *all = NULL;
    size_t n = 0, n_clear = 0;
    hrr_text csv = {0};
    hrr_status status = hrr_significance(&all, &n, study, against, err);
    for (size_t i = 0; i < n; i++)
        n_clear += all[i].adjusted < clear_below;
    if (!status && n) {
        hrr_text_printf(&page->html,
                        "<h3 id=\"significance\">Is it more than chance?</h3>\n<p class=\"note\">"
                        "Student's t-test of each mechanism against the controls and against a "
                        "reference mechanism: %zu comparisons, %zu of them clear (set in bold): p "
                        "below %g after Holm's adjustment for all of them together.</p>\n",
                        n, n_clear, clear_below);
        page_table(page, study, all, n, x_title, other_title);
        file_rows(&csv, study, all, n, x_title, other_title);
        hrr_text_put(&page->html, "<div class=\"links\">");
        hrr_page_link(page, &csv, "significance.csv", "text/csv", "All comparisons (CSV)");
        hrr_text_put(&page->html, "</div>\n");
        status = hrr_page_file(page, &csv, "significance.csv", "p-values", err);
    }
    hrr_text_clear(&csv);
    hrr_free(all);
    return status;
}
