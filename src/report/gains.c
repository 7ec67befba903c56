/* gains.c: what pays: how much each budget gains over the best control that spends nothing, which
 * the judge of experiment/ chose and tested. Nothing is computed here. */
#include "report/chart_words.h"
#include "report/verdicts.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_panels = 12, most_rows = 16, most_listed = 40 };

/* A setting that was tested: a dot. */
typedef struct gain {
    uint32_t facet;
    uint32_t row; /* which row of dots, in `rows` */
    double eps;   /* of edges, where both are spent: the row has the other in its name */
    const hrr_training_mean *mean;
} gain;

typedef struct gains {
    const hrr_study *study;
    gain *at;
    size_t n;
    hrr_words rows; /* names of rows of dots */
} gains;

/* Facets in their order, then rows in theirs, then budgets. */
static int by_place(const void *a, const void *b)
{
    const gain *x = a, *y = b;
    if (x->facet != y->facet) return x->facet < y->facet ? -1 : 1;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    if (x->eps != y->eps) return x->eps < y->eps ? -1 : 1;
    return (x->mean > y->mean) - (x->mean < y->mean);
}

static hrr_status add(gains *g, const hrr_utility *found, size_t i, hrr_error *err)
{
    const hrr_settings *s = &g->study->settings;
    const hrr_training_mean *mean = &found->means[i];
    const uint64_t row = found->first[i];
    const double of_features = atof(mean->eps_features), of_edges = atof(mean->eps_edges);
    char name[160];
    gain *out = &g->at[g->n];
    snprintf(name, sizeof name, "%.100s", hrr_words_text(&s->series, s->series_of[row]));
    if (of_features > 0 && of_edges > 0)
        snprintf(name + strlen(name), sizeof name - strlen(name), ", features %s",
                 mean->eps_features);
    *out = (gain){.facet = s->facet_of[row], .eps = of_edges > 0 ? of_edges : of_features};
    out->mean = mean;
    g->n++;
    return hrr_words_add(&out->row, &g->rows, name, err);
}

static hrr_status list_gains(gains *g, const hrr_utility *found, hrr_error *err)
{
    g->at = hrr_alloc(found->n, sizeof *g->at);
    hrr_status status = g->at ? HRR_OK : hrr_no_memory(err);
    for (size_t i = 0; i < found->n && !status; i++)
        if (found->means[i].test.worth != HRR_WORTH_UNTESTED) status = add(g, found, i, err);
    if (!status && g->n) qsort(g->at, g->n, sizeof *g->at, by_place);
    return status;
}

static const char *facet_name(const gains *g, const gain *at)
{
    return hrr_words_text(&g->study->settings.facets, at->facet);
}

/* The end of what has the same row of dots as the one at `from`. */
static size_t row_end(const gains *g, size_t from)
{
    size_t end = from;
    while (end < g->n && g->at[end].facet == g->at[from].facet && g->at[end].row == g->at[from].row)
        end++;
    return end;
}

/* ---- the chart ------------------------------------------------------------------------------- */

static void add_zero(hrr_chart *chart, hrr_panel *panel)
{
    hrr_series *zero = hrr_chart_series(chart, panel, "best baseline that spends nothing", 0, true);
    hrr_chart_point(chart, zero, (hrr_point){.low = NAN, .high = NAN, .value = NAN});
}

static hrr_status fill(hrr_chart *chart, hrr_page *page, const gains *g, size_t *n_left_out,
                       hrr_error *err)
{
    hrr_panel *panel = NULL;
    hrr_status status = HRR_OK;
    for (size_t i = 0, end; i < g->n && !status; i = end) {
        const char *name = hrr_words_text(&g->rows, g->at[i].row);
        const bool is_new = i == 0 || g->at[i].facet != g->at[i - 1].facet;
        int style;
        end = row_end(g, i);
        if (is_new && chart->n == most_panels) {
            *n_left_out += g->n - i;
            break;
        }
        if (is_new) add_zero(chart, panel = hrr_chart_panel(chart, facet_name(g, &g->at[i])));
        status = hrr_page_style(&style, page, name, err);
        if (status) break;
        hrr_series *series = hrr_chart_series(chart, panel, name, style, false);
        for (size_t k = i; k < end; k++) {
            const hrr_worth_test *test = &g->at[k].mean->test;
            hrr_chart_point(chart, series,
                            (hrr_point){.x = g->at[k].eps,
                                        .y = test->difference,
                                        .low = test->difference - test->half_width,
                                        .high = test->difference + test->half_width,
                                        .value = NAN,
                                        .runs = test->pairs});
        }
    }
    return status;
}

/* What gains are of; nothing if graphs have different measures. */
static const char *measure_of(const gains *g)
{
    for (size_t i = 1; i < g->n; i++)
        if (strcmp(g->at[i].mean->metric, g->at[0].mean->metric) != 0) return "";
    return hrr_column_title(hrr_results_column(g->at[0].mean->metric));
}

static hrr_status draw(hrr_page *page, const gains *g, hrr_error *err)
{
    hrr_chart chart = {.kind = HRR_CHART_DOTS, .room_for_intervals = true};
    size_t n_left_out = 0;
    snprintf(chart.id, sizeof chart.id, "gains");
    snprintf(chart.title, sizeof chart.title, "What pays");
    snprintf(chart.x_label, sizeof chart.x_label, "epsilon");
    const char *measure = measure_of(g);
    snprintf(chart.y_label, sizeof chart.y_label, "gain%s%.60s", *measure ? " in " : "", measure);
    hrr_status status = fill(&chart, page, g, &n_left_out, err);
    if (chart.n == 1) {
        memcpy(chart.only, chart.panels[0].title, sizeof chart.only);
        chart.panels[0].title[0] = '\0';
    }
    if (!chart.failed) n_left_out += hrr_chart_rank(&chart, most_rows);
    if (n_left_out)
        snprintf(chart.note, sizeof chart.note,
                 "%zu more rows are left out; significance.csv has them.", n_left_out);
    if (!status) status = hrr_page_chart(page, &chart, err);
    hrr_chart_clear(&chart);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* "1 (+0.031 +- 0.008, p 0.003), 2 (...)", of the budgets with this verdict. */
static void put_budgets(hrr_text *html, const gains *g, size_t from, size_t end, hrr_worth worth)
{
    bool any = false;
    for (size_t i = from; i < end; i++) {
        const hrr_worth_test *test = &g->at[i].mean->test;
        if (test->worth != worth) continue;
        hrr_text_put(html, any ? ", " : "");
        any = true;
        hrr_text_number(html, g->at[i].eps, 4);
        if (worth == HRR_WORTH_NO_MORE) continue;
        hrr_text_printf(html, "&nbsp;(%s%.3f", test->difference < 0 ? "\u2212" : "+",
                        fabs(test->difference));
        if (isfinite(test->half_width))
            hrr_text_printf(html, "&nbsp;\u00b1&nbsp;%.3f", test->half_width);
        hrr_text_put(html, ", p&nbsp;");
        hrr_put_p(html, test->p_adjusted);
        hrr_text_put(html, ")");
    }
    if (!any) hrr_text_put(html, "\u2013");
}

static bool pays(const gains *g, size_t from, size_t end)
{
    for (size_t i = from; i < end; i++)
        if (g->at[i].mean->test.worth == HRR_WORTH_MORE) return true;
    return false;
}

static void put_row(hrr_text *html, const gains *g, size_t from, size_t end)
{
    char words[160];
    hrr_series_words(words, sizeof words, hrr_words_text(&g->rows, g->at[from].row));
    hrr_text_put(html, "<tr><td class=\"t\">");
    hrr_text_escape(html, words);
    hrr_text_put(html, "<td class=\"t\" data-l=\"pays at epsilon\">");
    put_budgets(html, g, from, end, HRR_WORTH_MORE);
    hrr_text_put(html, "<td class=\"t\" data-l=\"no gain shows at\">");
    put_budgets(html, g, from, end, HRR_WORTH_NO_MORE);
    hrr_text_put(html, "<td class=\"t\" data-l=\"loses at\">");
    put_budgets(html, g, from, end, HRR_WORTH_LESS);
    hrr_text_put(html, "</tr>\n");
}

/* Rows that pay; how many do not is told below them. */
static void put_table(hrr_page *page, const gains *g)
{
    hrr_text *html = &page->html;
    size_t n_listed = 0, n_silent = 0;
    bool any = false;
    for (size_t i = 0; i < g->n; i++)
        any |= pays(g, i, i + 1);
    if (!any) {
        hrr_text_put(html, "<p class=\"note\">No budget pays here.</p>\n");
        return;
    }
    hrr_text_put(html,
                 "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"what "
                 "pays\"><table class=\"p cards\"><thead><tr><th class=\"t\">mechanism<th "
                 "class=\"t\">pays at epsilon (gain \u00b1 95&nbsp;%, adjusted p)<th "
                 "class=\"t\">no gain shows at<th class=\"t\">loses at</tr></thead><tbody>\n");
    uint32_t last = UINT32_MAX;
    for (size_t i = 0, end; i < g->n; i = end) {
        end = row_end(g, i);
        if (!pays(g, i, end) || n_listed == most_listed) {
            n_silent++;
            continue;
        }
        if (g->at[i].facet != last && *facet_name(g, &g->at[i])) {
            hrr_text_put(html, "<tr><th class=\"t group\" scope=\"rowgroup\" colspan=\"4\">");
            hrr_text_escape(html, facet_name(g, &g->at[i]));
            hrr_text_put(html, "</tr>\n");
        }
        last = g->at[i].facet;
        put_row(html, g, i, end);
        n_listed++;
    }
    hrr_text_put(html, "</tbody></table></div>\n");
    if (n_silent)
        hrr_text_printf(html,
                        "<p class=\"note\">%zu more %s not listed: no budget of %s pays%s.</p>\n",
                        n_silent, n_silent == 1 ? "is" : "are", n_silent == 1 ? "its" : "theirs",
                        n_listed == most_listed ? ", or there is no room" : "");
}

/* ---- together -------------------------------------------------------------------------------- */

hrr_status hrr_put_gains(hrr_page *page, const hrr_study *study, const hrr_utility *found,
                         hrr_error *err)
{
    gains g = {.study = study};
    hrr_status status = list_gains(&g, found, err);
    if (!status && g.n) {
        hrr_text_put(
            &page->html,
            "<h3 id=\"what-pays\">What pays, at which epsilon?</h3>\n<p class=\"note\">The gain of "
            "each budget over the best baseline that spends nothing and uses nothing that the "
            "budget protects: the mean over pairs of runs with the same seed. Bars are 95&nbsp;% "
            "confidence intervals of a single gain; a budget <em>pays</em> if p is below 0.05 "
            "after Holm's adjustment for all tests of this report.</p>\n");
        status = draw(page, &g, err);
        if (!status) put_table(page, &g);
    }
    hrr_free(g.at);
    hrr_name_index_clear(&g.rows);
    return status;
}
