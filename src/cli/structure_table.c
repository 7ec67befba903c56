/* structure_table.c: see structure_table.h. There is no rank: a mechanism that keeps degrees may
 * lose communities, and on a graph whose edges are all private the graph without edges has walks
 * that are nearer to the original's than many a graph with edges in the wrong places. */
#include "cli/structure_table.h"
#include "cli/json.h"
#include "cli/training_table.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static char mark_of(hrr_worth worth)
{
    static const char marks[] = {' ', '+', '=', '-'};
    return marks[worth];
}

static void print_number(double value, char mark, FILE *to)
{
    if (isnan(value))
        fprintf(to, " %11s ", "-");
    else
        fprintf(to, " %11.4g%c", value, mark);
}

static void print_row(const hrr_structure_mean *m, FILE *to)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s%s", m->mechanism, *m->tree ? ", " : "", m->tree);
    fprintf(to, "%-26s %6s %4" PRIu32, name, m->spends ? m->eps_edges : "-", m->runs);
    for (int s = 0; s < HRR_N_STATISTICS; s++)
        print_number(m->statistic[s].mean, mark_of(m->statistic[s].test.worth), to);
    print_number(m->private_recall, ' ', to);
    fprintf(to, "\n");
}

static void print_head(const hrr_structure_mean *m, FILE *to)
{
    const bool drawn = isdigit((unsigned char)m->private_fraction[0]); /* or "as marked" */
    fprintf(to, "%s, %s%s%s\n%-26s %6s %4s", m->graph, drawn ? "" : "private edges ",
            m->private_fraction, drawn ? " of the edges private" : "", "", "eps", "runs");
    for (int s = 0; s < HRR_N_STATISTICS; s++)
        fprintf(to, " %11s ", hrr_statistic_name((hrr_statistic)s));
    fprintf(to, " %11s\n", "recall");
}

static void print_verdicts(const hrr_structure_mean *means, size_t n, FILE *to)
{
    for (int s = 0; s < HRR_N_STATISTICS; s++) {
        size_t count[4] = {0};
        for (size_t i = 0; i < n; i++)
            count[means[i].statistic[s].test.worth]++;
        const size_t tested = n - count[HRR_WORTH_UNTESTED];
        if (tested)
            fprintf(to,
                    "%s: of %zu setting%s that spend%s a budget, %zu nearer to the original than "
                    "public-only, %zu farther\n",
                    hrr_statistic_name((hrr_statistic)s), tested, tested == 1 ? "" : "s",
                    tested == 1 ? "s" : "", count[HRR_WORTH_MORE], count[HRR_WORTH_LESS]);
    }
}

void cli_structure_print(const hrr_structure_mean *means, size_t n, FILE *to)
{
    bool empty_control = false;
    fprintf(to, "distance from the original, means over the runs; 0 is the original. Compared with "
                "public-only, which spends nothing:\n+ nearer, - farther (paired t-test over runs, "
                "p < 0.05 after Holm's correction), = no significant difference\n");
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || strcmp(means[i].graph, means[i - 1].graph) != 0 ||
            strcmp(means[i].private_fraction, means[i - 1].private_fraction) != 0)
            print_head(&means[i], to);
        print_row(&means[i], to);
        empty_control |= hrr_is_empty_control(&means[i]);
    }
    print_verdicts(means, n, to);
    if (empty_control)
        fprintf(to, "if every edge is private, public-only is the graph without edges\n");
}

json_t *cli_structure_json(const hrr_structure_mean *means, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const hrr_structure_mean *m = &means[i];
        json_t *rms = json_array(), *statistics = json_object();
        for (int h = 0; h <= m->hops; h++)
            json_array_append_new(rms, cli_json_real(m->rms[h]));
        for (int s = 0; s < HRR_N_STATISTICS; s++) {
            const hrr_worth_test *test = &m->statistic[s].test;
            json_object_set_new(
                statistics, hrr_statistic_name((hrr_statistic)s),
                json_pack("{s:o, s:o, s:o}", "mean", cli_json_real(m->statistic[s].mean),
                          "half_width", cli_json_real(m->statistic[s].half_width), "test",
                          cli_worth_test_json(test, hrr_nearness_word(test->worth))));
        }
        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:b, s:o, s:o, s:o, s:o}", "graph", m->graph,
                      "mechanism", m->mechanism, "tree", m->tree, "eps_edges", m->eps_edges,
                      "private_fraction", m->private_fraction, "runs", (int)m->runs, "spends",
                      m->spends, "edges_released", cli_json_real(m->edges_released),
                      "private_recall", cli_json_real(m->private_recall), "rms", rms, "statistics",
                      statistics));
    }
    return list;
}
