/* pgb.c: mechanisms by PGB's queries, beside published values: how often each is nearest to the
 * original, and how far our means are from the best published ones. experiment/ decides who is
 * nearest. */
#include "report/sections.h"
#include "experiment/judge.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_budgets = 6, most_graphs = 10, most_mechanisms = 12 };
static const double farthest = 1000; /* ratios end here and at its inverse */

typedef struct pgb_study {
    const hrr_pgb_table *table;
    const char *ours[most_mechanisms + 1]; /* mechanisms in their order; NULL-terminated */
    size_t n_ours;
    bool cut; /* there is more than charts have room for */
} pgb_study;

static size_t place_of(const pgb_study *study, const hrr_pgb_mean *mean)
{
    size_t at = 0;
    while (at < study->n_ours && strcmp(study->ours[at], mean->mechanism) != 0)
        at++;
    return at;
}

static void list_ours(pgb_study *study)
{
    for (size_t i = 0; i < study->table->n_means; i++) {
        const hrr_pgb_mean *mean = &study->table->means[i];
        if (mean->published || place_of(study, mean) < study->n_ours) continue;
        if (study->n_ours == most_mechanisms)
            study->cut = true;
        else
            study->ours[study->n_ours++] = mean->mechanism;
    }
}

/* ---- the chart ------------------------------------------------------------------------------- */

/* 0 is the original, whatever the measure is. */
static double distance(const hrr_pgb_mean *mean)
{
    const bool more_is_better = hrr_pgb_rows()[mean->query].measure == HRR_PGB_MUTUAL_INFORMATION;
    return more_is_better ? 1 - mean->mean : mean->mean;
}

/* What is drawn: the ratio to the nearest published value, or the distance itself without one. */
static double height(const hrr_pgb_mean *mean, const hrr_pgb_mean *cell, size_t n)
{
    double best = INFINITY;
    for (size_t i = 0; i < n; i++)
        if (cell[i].published) best = fmin(best, distance(&cell[i]));
    const double own = distance(mean);
    if (isinf(best)) return own;
    if (own == best) return 1;
    return fmin(fmax(own / best, 1 / farthest), farthest);
}

static void fill_query(hrr_chart *chart, hrr_panel *panel, const pgb_study *study,
                       const hrr_pgb_mean *cell, size_t n)
{
    hrr_series *row = hrr_chart_series(chart, panel, hrr_pgb_rows()[cell->query].title, 0, false);
    for (size_t i = 0; i < n; i++) {
        const size_t place = place_of(study, &cell[i]);
        if (cell[i].published || place == study->n_ours || isnan(cell[i].mean)) continue;
        hrr_chart_point(chart, row,
                        (hrr_point){.x = (double)place,
                                    .y = height(&cell[i], cell, n),
                                    .low = NAN,
                                    .high = NAN,
                                    .value = NAN,
                                    .runs = cell[i].runs});
    }
}

static size_t cell_size(const hrr_pgb_table *table, size_t from)
{
    size_t n = 1;
    const hrr_pgb_mean *first = &table->means[from];
    for (; from + n < table->n_means; n++) {
        const hrr_pgb_mean *mean = &table->means[from + n];
        if (mean->query != first->query || strcmp(mean->eps, first->eps) != 0 ||
            strcmp(mean->graph, first->graph) != 0)
            break;
    }
    return n;
}

/* Whether there are published values of a graph at a budget. */
static bool is_compared(const hrr_pgb_table *t, const hrr_pgb_mean *like)
{
    for (size_t i = 0; i < t->n_means; i++)
        if (t->means[i].compared && strcmp(t->means[i].eps, like->eps) == 0 &&
            strcmp(t->means[i].graph, like->graph) == 0)
            return true;
    return false;
}

static void fill(hrr_chart *chart, pgb_study *study, const char *eps, bool compared)
{
    hrr_panel *panel = NULL;
    const char *graph = "";
    for (size_t i = 0, n; i < study->table->n_means; i += n) {
        const hrr_pgb_mean *cell = &study->table->means[i];
        n = cell_size(study->table, i);
        if (strcmp(cell->eps, eps) != 0 || !hrr_pgb_rows()[cell->query].scored) continue;
        if (compared ? !cell->compared : is_compared(study->table, cell)) continue;
        if (!panel || strcmp(graph, cell->graph) != 0) {
            study->cut = study->cut || chart->n == most_graphs;
            if (chart->n == most_graphs) break;
            graph = cell->graph;
            panel = hrr_chart_panel(chart, graph);
            if (compared) {
                hrr_series *line = hrr_chart_series(chart, panel, "best published value", 0, true);
                hrr_chart_point(chart, line,
                                (hrr_point){.y = 1, .low = NAN, .high = NAN, .value = NAN});
            }
        }
        fill_query(chart, panel, study, cell, n);
    }
}

static hrr_status draw(hrr_page *page, pgb_study *study, const char *eps, bool compared,
                       hrr_error *err)
{
    hrr_chart chart = {.kind = HRR_CHART_DOTS, .y_log = true, .x_names = study->ours};
    snprintf(chart.id, sizeof chart.id, "pgb-%s%.20s", compared ? "" : "alone-", eps);
    for (char *at = chart.id; *at; at++)
        if (*at == '.') *at = '-';
    snprintf(chart.title, sizeof chart.title, "PGB's queries at epsilon %s%s", eps,
             compared ? ", beside published values" : "");
    snprintf(chart.x_label, sizeof chart.x_label, "mechanism");
    if (compared) {
        snprintf(chart.y_label, sizeof chart.y_label, "ratio to the best published value");
        snprintf(chart.note, sizeof chart.note,
                 "Distances from the original, divided by the smallest published one: values left "
                 "of the line are nearer to the original than every published value. Ratios beyond "
                 "%g are drawn at that value; for communities, 1 \u2212 NMI is compared.",
                 farthest);
    } else {
        snprintf(chart.y_label, sizeof chart.y_label, "distance from the original");
        snprintf(chart.note, sizeof chart.note,
                 "For communities, the chart shows 1 \u2212 NMI. Distances of 0 are not drawn.");
    }
    fill(&chart, study, eps, compared);
    if (!compared) /* a logarithmic scale has no place for 0 */
        for (size_t p = 0; p < chart.n; p++)
            for (size_t s = 0; s < chart.panels[p].n; s++)
                for (size_t i = 0; i < chart.panels[p].series[s].n; i++)
                    if (!(chart.panels[p].series[s].points[i].y > 0))
                        chart.panels[p].series[s].points[i].y = NAN;
    if (chart.n == 1) {
        memcpy(chart.only, chart.panels[0].title, sizeof chart.only);
        chart.panels[0].title[0] = '\0';
    }
    hrr_status status = hrr_page_chart(page, &chart, err);
    hrr_chart_clear(&chart);
    return status;
}

/* Budgets of ours, rising. */
static size_t list_budgets(const char *eps[most_budgets], pgb_study *study)
{
    const hrr_pgb_table *t = study->table;
    size_t n = 0;
    for (size_t i = 0; i < t->n_means; i++) {
        size_t at = 0;
        while (at < n && atof(eps[at]) < atof(t->means[i].eps))
            at++;
        if (at < n && strcmp(eps[at], t->means[i].eps) == 0) continue;
        study->cut = study->cut || n == most_budgets;
        if (n == most_budgets) continue;
        memmove(eps + at + 1, eps + at, (n - at) * sizeof *eps);
        eps[at] = t->means[i].eps;
        n++;
    }
    return n;
}

static hrr_status draw_all(hrr_page *page, pgb_study *study, hrr_error *err)
{
    const char *eps[most_budgets];
    const size_t n = list_budgets(eps, study);
    hrr_status status = HRR_OK;
    for (size_t i = 0; i < n && !status; i++) {
        status = draw(page, study, eps[i], true, err);
        if (!status) status = draw(page, study, eps[i], false, err);
    }
    return status;
}

/* ---- who wins -------------------------------------------------------------------------------- */

static void put_tallies(hrr_text *html, const hrr_pgb_table *t)
{
    hrr_text_put(html, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"wins\">"
                       "<table class=\"p cards\"><thead><tr><th class=\"t\">mechanism<th>wins<th>"
                       "shared<th>beats all published<th>of cells</tr></thead><tbody>\n");
    for (size_t i = 0; i < t->n_tallies; i++) {
        const hrr_pgb_tally *tally = &t->tallies[i];
        if (i == 0 || strcmp(tally->eps, t->tallies[i - 1].eps) != 0)
            hrr_text_printf(html,
                            "<tr><th class=\"t group\" scope=\"rowgroup\" colspan=\"5\">epsilon "
                            "%s</tr>\n",
                            tally->eps);
        hrr_text_printf(html, "<tr%s><td class=\"t\">", tally->published ? "" : " class=\"clear\"");
        hrr_text_escape(html, tally->mechanism);
        hrr_text_printf(html,
                        "%s<td data-l=\"wins\">%" PRIu32 "<td data-l=\"shared\">%" PRIu32
                        "<td data-l=\"beats all published\">",
                        tally->published ? " (published)" : "", tally->wins, tally->shared);
        if (tally->published)
            hrr_text_put(html, "\u2013");
        else
            hrr_text_printf(html, "%" PRIu32, tally->beats);
        hrr_text_printf(html, "<td data-l=\"of cells\">%" PRIu32 "</tr>\n", tally->cells);
    }
    hrr_text_put(html, "</tbody></table></div>\n");
}

/* The mechanism of ours that beats published values in the largest share of cells. */
static void say_best(hrr_page *page, const hrr_pgb_table *t)
{
    const hrr_pgb_tally *best = NULL;
    for (size_t i = 0; i < t->n_tallies; i++) {
        const hrr_pgb_tally *tally = &t->tallies[i];
        if (tally->published) continue;
        if (!best || tally->beats * (uint64_t)best->cells > best->beats * (uint64_t)tally->cells)
            best = tally;
    }
    if (best)
        hrr_page_say(
            page,
            "PGB at epsilon %s: %s is nearer to the original than every published value in "
            "%" PRIu32 " of %" PRIu32 " cells.",
            best->eps, best->mechanism, best->beats, best->cells);
}

static void put_values(hrr_text *csv, const hrr_pgb_table *t)
{
    hrr_text_put(csv,
                 "graph,eps,query,mechanism,published,mean,half_width,runs,best,beats_published"
                 "\n");
    for (size_t i = 0; i < t->n_means; i++) {
        const hrr_pgb_mean *m = &t->means[i];
        const char *const words[] = {m->graph, m->eps, hrr_pgb_rows()[m->query].name, m->mechanism,
                                     m->published ? "1" : "0"};
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            hrr_text_field(csv, words[k]);
            hrr_text_put(csv, ",");
        }
        hrr_text_number(csv, m->mean, 9);
        hrr_text_put(csv, ",");
        hrr_text_number(csv, m->half_width, 9);
        hrr_text_printf(csv, ",%" PRIu32 ",%d,%d\n", m->runs, m->best, m->beats);
    }
}

static hrr_status put_table(hrr_page *page, const hrr_pgb_table *t, hrr_error *err)
{
    hrr_text csv = {0};
    hrr_text *html = &page->html;
    if (t->n_tallies) {
        hrr_text_put(html, "<h3 id=\"pgb-wins\">Which mechanism is nearest, and how "
                           "often?</h3>\n<p class=\"note\">Over all graphs and queries that have "
                           "published values, except the numbers of nodes and edges and the mean "
                           "degree. <em>Wins</em>: alone nearest to the original; <em>shared</em>: "
                           "as near as another. Mechanisms of this program are set in bold.</p>\n");
        put_tallies(html, t);
        say_best(page, t);
    }
    put_values(&csv, t);
    hrr_text_put(html, "<div class=\"links\">");
    hrr_page_link(page, &csv, "pgb-values.csv", "text/csv", "All values (CSV)");
    hrr_text_put(html, "</div>\n");
    hrr_status status = hrr_page_file(page, &csv, "pgb-values.csv", "values of PGB's queries", err);
    hrr_text_clear(&csv);
    return status;
}

hrr_status hrr_section_pgb(hrr_page *page, const hrr_all_rows *all, hrr_error *err)
{
    hrr_pgb_table table;
    pgb_study study = {.table = &table};
    if (all->kind[HRR_ROWS_PGB].n == 0) return HRR_OK;
    hrr_status status = hrr_judge_pgb(&table, all, err);
    if (status) return status;
    if (table.n_means == 0)
        status = hrr_fail(err, HRR_EDATA,
                          "the results contain published values of PGB's queries but no runs; add "
                          "a file of runs");
    if (!status) {
        hrr_page_section(page, "pgb", "PGB: queries on synthetic graphs",
                         "PGB is a benchmark for private synthetic graphs in which every edge is "
                         "private. It measures relative errors, divergences and the agreement of "
                         "communities for fifteen queries; values are means over runs. Published "
                         "values were measured by others, at the budgets that they state.");
        list_ours(&study);
        status = draw_all(page, &study, err);
        if (study.cut)
            hrr_text_printf(
                &page->html,
                "<p class=\"note\">Charts have room for %d mechanisms, %d graphs and %d budgets; "
                "others are left out. The file below contains all of them.</p>\n",
                most_mechanisms, most_graphs, most_budgets);
    }
    if (!status) {
        status = put_table(page, &table, err);
        hrr_page_end_section(page);
    }
    hrr_pgb_table_clear(&table);
    return status;
}
