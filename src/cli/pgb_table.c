/* pgb_table.c: see pgb_table.h. A table for each graph and budget: a line for each query, a column
 * for each mechanism, ours first. */
#include "cli/pgb_table.h"
#include "cli/figures.h"
#include "cli/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- for people ------------------------------------------------------------------------------ */

enum { name_width = 24, least_width = 9, most_columns = 64 };

static bool is_same_column(const hrr_pgb_mean *a, const hrr_pgb_mean *b)
{
    return a->published == b->published && strcmp(a->mechanism, b->mechanism) == 0;
}

static bool is_same_table(const hrr_pgb_mean *a, const hrr_pgb_mean *b)
{
    return strcmp(a->graph, b->graph) == 0 && strcmp(a->eps, b->eps) == 0;
}

/* The mechanisms of a table, as one of the means of each; means are sorted by query first. */
static int list_columns(const hrr_pgb_mean *column[most_columns], const hrr_pgb_mean *means,
                        size_t n)
{
    int n_columns = 0;
    for (int published = 0; published < 2; published++)
        for (size_t i = 0; i < n; i++) {
            int k = 0;
            if (means[i].published != published) continue;
            while (k < n_columns && !is_same_column(column[k], &means[i]))
                k++;
            if (k == n_columns && k < most_columns) column[n_columns++] = &means[i];
        }
    return n_columns;
}

static int width_of(const hrr_pgb_mean *column)
{
    const int length = (int)strlen(column->mechanism);
    return length > least_width ? length : least_width;
}

static void print_query(const hrr_pgb_mean *const column[], int n_columns,
                        const hrr_pgb_mean *means, size_t n, int query, FILE *to)
{
    const hrr_pgb_row *row = &hrr_pgb_rows()[query];
    fprintf(to, "  %-*s", name_width, row->title);
    for (int k = 0; k < n_columns; k++) {
        const hrr_pgb_mean *cell = NULL;
        for (size_t i = 0; i < n; i++)
            if ((int)means[i].query == query && is_same_column(column[k], &means[i]))
                cell = &means[i];
        const bool marked = cell && cell->best && row->scored;
        fprintf(to, " %*s%c", width_of(column[k]), cell ? cli_real(cell->mean).text : "-",
                marked ? '*' : ' ');
    }
    fprintf(to, "  %s%s\n", hrr_pgb_measure_name(row->measure),
            row->measure == HRR_PGB_MUTUAL_INFORMATION ? ", 1 at best"
            : row->scored                              ? ""
                                                       : ", not counted");
}

static void print_graph(const hrr_pgb_mean *means, size_t n, FILE *to)
{
    const hrr_pgb_mean *column[most_columns];
    const int n_columns = list_columns(column, means, n);
    int ours = 0;
    fprintf(to, "%s, epsilon %s\n  %-*s", means->graph, means->eps, name_width, "");
    for (int k = 0; k < n_columns; k++) {
        ours += !column[k]->published;
        fprintf(to, " %*s ", width_of(column[k]), column[k]->mechanism);
    }
    fprintf(to, "\n");
    if (ours < n_columns) {
        fprintf(to, "  %-*s", name_width, "");
        for (int k = 0; k < n_columns; k++)
            fprintf(to, " %*s ", width_of(column[k]), column[k]->published ? "published" : "ours");
        fprintf(to, "\n");
    }
    for (int query = 0; query < HRR_N_PGB_QUERIES; query++)
        print_query(column, n_columns, means, n, query, to);
    fprintf(to, "\n");
}

static void print_tallies(const hrr_pgb_table *table, FILE *to)
{
    if (table->n_tallies == 0) return;
    fprintf(to, "Wins over all graphs here, counting only queries with published values. wins: "
                "alone nearest\nto the original; shared: as near as another; beats: nearer than "
                "every published value.\n");
    for (size_t i = 0; i < table->n_tallies; i++) {
        const hrr_pgb_tally *t = &table->tallies[i];
        if (i == 0 || strcmp(t->eps, table->tallies[i - 1].eps) != 0)
            fprintf(to, "  epsilon %-18s %10s %6s %7s %6s\n", t->eps, "", "wins", "shared",
                    "beats");
        fprintf(to, "    %-24s %10s %6" PRIu32 " %7" PRIu32, t->mechanism,
                t->published ? "published" : "", t->wins, t->shared);
        if (t->published)
            fprintf(to, " %6s", "-");
        else
            fprintf(to, " %6" PRIu32, t->beats);
        fprintf(to, "  of %s\n", cli_count(t->cells, "cell", "cells").text);
    }
}

void cli_pgb_table_print(const hrr_pgb_table *table, FILE *to)
{
    fprintf(to, "distance from the original, means over the runs; 0 is the original%s\n\n",
            table->n_tallies ? ". * marks the nearest in each row" : "");
    for (size_t i = 0, end; i < table->n_means; i = end) {
        for (end = i + 1; end < table->n_means; end++)
            if (!is_same_table(&table->means[i], &table->means[end])) break;
        print_graph(&table->means[i], end - i, to);
    }
    print_tallies(table, to);
}

/* ---- for scripts ----------------------------------------------------------------------------- */

static json_t *mean_json(const hrr_pgb_mean *m)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:b, s:i, s:o, s:o, s:b, s:b, s:b, s:b}", "graph",
                     m->graph, "query", hrr_pgb_rows()[m->query].name, "mechanism", m->mechanism,
                     "eps", m->eps, "published", m->published, "runs", (int)m->runs, "mean",
                     cli_json_real(m->mean), "half_width", cli_json_real(m->half_width), "scored",
                     hrr_pgb_rows()[m->query].scored, "compared", m->compared, "best", m->best,
                     "beats_published", m->beats);
}

static json_t *tally_json(const hrr_pgb_tally *t)
{
    return json_pack("{s:s, s:s, s:b, s:i, s:i, s:i, s:o}", "mechanism", t->mechanism, "eps",
                     t->eps, "published", t->published, "cells", (int)t->cells, "wins",
                     (int)t->wins, "shared", (int)t->shared, "beats_published",
                     t->published ? json_null() : json_integer(t->beats));
}

json_t *cli_pgb_table_json(const hrr_pgb_table *table)
{
    json_t *means = json_array(), *wins = json_array();
    for (size_t i = 0; i < table->n_means; i++)
        json_array_append_new(means, mean_json(&table->means[i]));
    for (size_t i = 0; i < table->n_tallies; i++)
        json_array_append_new(wins, tally_json(&table->tallies[i]));
    return json_pack("{s:s, s:o, s:o}", "suite", "pgb", "means", means, "wins", wins);
}
