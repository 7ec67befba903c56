/* structure.c: how much of a graph's structure is left: a verdict for each statistic, and RMS
 * distances of random walks by hops. */
#include "report/sections.h"
#include "report/verdicts.h"
#include "experiment/judge.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- verdicts -------------------------------------------------------------------------------- */

static void put_statistic(hrr_text *html, const hrr_structure_mean *mean, hrr_statistic s)
{
    const hrr_worth worth = mean->statistic[s].test.worth;
    hrr_text_printf(html, "<td class=\"t\" data-l=\"%s\">", hrr_statistic_name(s));
    if (isnan(mean->statistic[s].mean)) {
        hrr_text_put(html, "\u2013");
        return;
    }
    hrr_text_number(html, mean->statistic[s].mean, 3);
    if (worth != HRR_WORTH_UNTESTED) {
        hrr_text_printf(html, " %s, p&nbsp;", hrr_nearness_word(worth));
        hrr_put_p(html, mean->statistic[s].test.p_adjusted);
    }
}

static void put_row(hrr_text *html, const hrr_structure_mean *mean)
{
    hrr_text_put(html, "<tr><td class=\"t\">");
    hrr_text_escape(html, mean->mechanism);
    if (*mean->tree) hrr_text_put(html, ", ");
    hrr_text_escape(html, mean->tree);
    hrr_text_put(html, "<td class=\"t\" data-l=\"epsilon of edges\">");
    hrr_text_escape(html, mean->spends ? mean->eps_edges : "\u2013");
    hrr_text_printf(html, "<td data-l=\"runs\">%u", (unsigned)mean->runs);
    for (int s = 0; s < HRR_N_STATISTICS; s++)
        put_statistic(html, mean, (hrr_statistic)s);
    hrr_text_put(html, "</tr>\n");
}

static bool same_table(const hrr_structure_mean *a, const hrr_structure_mean *b)
{
    return strcmp(a->graph, b->graph) == 0 && strcmp(a->private_fraction, b->private_fraction) == 0;
}

static void put_place(hrr_text *html, const hrr_structure_mean *mean)
{
    hrr_text_put(html, "<tr><th class=\"t group\" scope=\"rowgroup\" colspan=\"8\">");
    hrr_text_escape(html, mean->graph);
    if (*mean->graph && *mean->private_fraction) hrr_text_put(html, ", private edges: ");
    hrr_text_escape(html, mean->private_fraction);
    hrr_text_put(html, "</tr>\n");
}

static hrr_status put_statistics(hrr_page *page, const hrr_all_rows *all, hrr_error *err)
{
    enum { most_rows = 200 };
    hrr_text *html = &page->html;
    hrr_structure_mean *means;
    size_t n;
    bool empty_control = false;
    hrr_status status = hrr_judge_structure(&means, &n, all, err);
    if (status) return status;
    hrr_text_put(html, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\""
                       "statistics of structure\"><table class=\"p cards\"><thead><tr><th class=\""
                       "t\">mechanism<th class=\"t\">epsilon of edges<th>runs");
    for (int s = 0; s < HRR_N_STATISTICS; s++)
        hrr_text_printf(html, "<th class=\"t\">%s", hrr_statistic_name((hrr_statistic)s));
    hrr_text_put(html, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < n && i < most_rows; i++) {
        if (i == 0 || !same_table(&means[i - 1], &means[i])) put_place(html, &means[i]);
        put_row(html, &means[i]);
        empty_control |= hrr_is_empty_control(&means[i]);
    }
    hrr_text_put(html, "</tbody></table></div>\n");
    if (n > most_rows)
        hrr_text_printf(html, "<p class=\"note\">%zu more settings are left out.</p>\n",
                        n - most_rows);
    if (empty_control)
        hrr_text_put(html, "<p class=\"note\">If every edge is private, public-only is the graph "
                           "without edges.</p>\n");
    hrr_free(means);
    return HRR_OK;
}

/* ---- walks by hops --------------------------------------------------------------------------- */

static hrr_status draw_hops(hrr_page *page, const hrr_all_rows *all, hrr_error *err)
{
    enum { most_budgets = 6 };
    hrr_study study = {0};
    double budget[most_budgets] = {NAN};
    hrr_status status = hrr_study_hops(&study, &all->kind[HRR_ROWS_STRUCTURE], &all->words, err);
    size_t n = status ? 0 : hrr_study_others(budget, most_budgets, &study);
    if (n == 0) n = 1;
    for (size_t i = 0; i < n && !status; i++) {
        hrr_chart like = {.y_from_zero = true};
        snprintf(like.id, sizeof like.id, "structure-%zu", i + 1);
        snprintf(like.title, sizeof like.title, "RMS distance by hops");
        if (isfinite(budget[i]))
            snprintf(like.title, sizeof like.title, "RMS distance by hops at epsilon %g",
                     budget[i]);
        snprintf(like.x_label, sizeof like.x_label, "hops");
        snprintf(like.y_label, sizeof like.y_label, "RMS distance");
        status = hrr_study_draw(page, &study, &like, budget[i], err);
    }
    hrr_study_clear(&study);
    return status;
}

hrr_status hrr_section_structure(hrr_page *page, const hrr_all_rows *all, hrr_error *err)
{
    if (all->kind[HRR_ROWS_STRUCTURE].n == 0) return HRR_OK;
    hrr_page_section(
        page, "structure", "What is preserved of the structure",
        "Distances from the original; 0 is best. They are distances of the distributions of "
        "degrees and of path lengths (Kolmogorov-Smirnov), of transitivity, of modularity, and of "
        "random walks. <em>Nearer</em> and <em>farther</em> compare with public-only, which spends "
        "nothing: a paired t-test for each statistic, with p adjusted for all of them together "
        "(Holm). No statistic implies the others. The charts show the root mean square distance "
        "between the random-walk matrices after each number of hops.");
    hrr_status status = put_statistics(page, all, err);
    if (!status) status = draw_hops(page, all, err);
    hrr_page_end_section(page);
    return status;
}
