/* pgb_means.c: what results of pgb_sweep.c say beside published values: who is nearest to the
 * original in each cell of the benchmark's table, and how often.
 *
 * A published value is a row without a run. It stands beside the results on a graph if it is the
 * graph's (pgb_published.c) and the results have its budget: budgets that nobody ran are left out,
 * and so count for nobody. A mechanism without a finite value in some run never wins a cell. */
#include "experiment/judge.h"
#include "experiment/pgb_published.h"
#include "structure/pgb.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hrr_pgb_table_clear(hrr_pgb_table *table)
{
    hrr_free(table->means);
    hrr_free(table->tallies);
    *table = (hrr_pgb_table){0};
}

typedef struct gathering {
    const hrr_rows *rows;
    const hrr_words *words;
    hrr_pgb_mean *means;
    size_t n, room;
} gathering;

static const char *text_of(const gathering *g, hrr_column column, uint64_t row)
{
    return hrr_row_text(g->rows, g->words, column, row);
}

static bool is_published(const hrr_rows *rows, uint64_t row)
{
    return hrr_run_of(rows, row).word == 0;
}

/* ---- one mean for each cell ------------------------------------------------------------------ */

static hrr_status add_mean(gathering *g, const hrr_pgb_mean *mean, hrr_error *err)
{
    if (g->n == g->room) {
        const size_t room = 2 * g->room + 64;
        hrr_pgb_mean *means = hrr_resize(g->means, room, sizeof *means);
        if (!means) return hrr_no_memory(err);
        g->means = means;
        g->room = room;
    }
    g->means[g->n++] = *mean;
    return HRR_OK;
}

static void describe(hrr_pgb_mean *mean, const gathering *g, const hrr_cell *cell)
{
    const uint64_t row = cell->samples[0].row;
    const double eps = hrr_row_number(g->rows, HRR_COL_EPS, row);
    *mean = (hrr_pgb_mean){.published = cell->series, .mean = NAN, .half_width = NAN};
    snprintf(mean->graph, sizeof mean->graph, "%s", text_of(g, HRR_COL_GRAPH, row));
    snprintf(mean->mechanism, sizeof mean->mechanism, "%s", text_of(g, HRR_COL_MECHANISM, row));
    hrr_pgb_query_find(&mean->query, text_of(g, HRR_COL_QUERY, row));
    hrr_eps_format(mean->eps, (uint64_t)llround(eps * (double)HRR_EPS_UNIT));
    if (cell->n_missing == 0) {
        mean->mean = cell->mean;
        mean->half_width = cell->half_width;
    }
    if (!mean->published) mean->runs = cell->n + cell->n_missing;
}

static hrr_status refuse_two(const hrr_pgb_mean *mean, hrr_error *err)
{
    return hrr_fail(err, HRR_EDATA,
                    "there are two published values for %s, %s, %s at epsilon %s; keep one of them",
                    mean->graph, hrr_pgb_rows()[mean->query].name, mean->mechanism, mean->eps);
}

static hrr_status gather(gathering *g, hrr_error *err)
{
    hrr_judged judged = {0};
    hrr_samples samples = {0};
    hrr_cells cells = {0};
    hrr_status status = hrr_judge_settings(&judged, g->rows, err);
    for (uint64_t i = 0; i < g->rows->n && !status; i++) {
        const hrr_sample sample = {.facet = judged.of[i],
                                   .series = is_published(g->rows, i),
                                   .run = hrr_run_of(g->rows, i),
                                   .value = hrr_row_number(g->rows, HRR_COL_VALUE, i),
                                   .row = i};
        status = hrr_samples_add(&samples, sample, err);
    }
    if (!status) status = hrr_cells_make(&cells, &samples, err);
    for (size_t i = 0; i < cells.n && !status; i++) {
        hrr_pgb_mean mean;
        describe(&mean, g, &cells.at[i]);
        if (mean.published && cells.at[i].n + cells.at[i].n_missing > 1)
            status = refuse_two(&mean, err);
        if (!status) status = add_mean(g, &mean, err);
    }
    hrr_free(cells.at);
    hrr_free(samples.at);
    hrr_judged_clear(&judged);
    return status;
}

/* ---- published values beside ours ------------------------------------------------------------ */

/* Graph, then budget, ours first. */
static int by_budget(const void *a, const void *b)
{
    const hrr_pgb_mean *x = a, *y = b;
    const double eps = atof(x->eps) - atof(y->eps);
    const int order = strcmp(x->graph, y->graph);
    return order ? order : (eps > 0) - (eps < 0);
}

static int by_cell(const void *a, const void *b)
{
    const hrr_pgb_mean *x = a, *y = b;
    const int order = by_budget(x, y);
    return order ? order : (int)x->query - (int)y->query;
}

static int by_place(const void *a, const void *b)
{
    const hrr_pgb_mean *x = a, *y = b;
    int order = by_cell(x, y);
    if (!order) order = x->published - y->published;
    return order ? order : strcmp(x->mechanism, y->mechanism);
}

/* The published graph whose values are those of `graph`; NULL: none is. */
static const char *published_of(const gathering *all, const char *graph)
{
    const char *best = NULL;
    for (size_t i = 0; i < all->n; i++)
        if (all->means[i].published) best = hrr_pgb_nearer_name(best, all->means[i].graph, graph);
    return best;
}

/* Published values of `all`, one after the other, join `beside` for each budget of ours. */
static hrr_status place_published(gathering *beside, const gathering *all, hrr_error *err)
{
    const size_t n_ours = beside->n;
    hrr_status status = HRR_OK;
    for (size_t i = 0; i < n_ours && !status; i++) {
        if (i && by_budget(&beside->means[i - 1], &beside->means[i]) == 0) continue;
        const char *name = published_of(all, beside->means[i].graph);
        for (size_t k = 0; name && k < all->n && !status; k++) {
            hrr_pgb_mean mean = all->means[k];
            if (!mean.published || strcmp(mean.graph, name) != 0 ||
                strcmp(mean.eps, beside->means[i].eps) != 0)
                continue;
            memcpy(mean.graph, beside->means[i].graph, sizeof mean.graph);
            status = add_mean(beside, &mean, err);
        }
    }
    return status;
}

/* ---- who is nearest -------------------------------------------------------------------------- */

static void decide_cell(hrr_pgb_mean *cell, size_t n)
{
    const hrr_pgb_query query = cell->query;
    size_t n_published = 0;
    for (size_t i = 0; i < n; i++)
        n_published += cell[i].published;
    if (n_published == 0 || n_published == n) return;
    for (size_t i = 0; i < n; i++) {
        bool beaten = isnan(cell[i].mean), beats = !beaten && !cell[i].published;
        for (size_t k = 0; k < n; k++) {
            if (hrr_pgb_is_better(query, cell[k].mean, cell[i].mean)) beaten = true;
            if (cell[k].published && !hrr_pgb_is_better(query, cell[i].mean, cell[k].mean))
                beats = false;
        }
        cell[i].compared = true;
        cell[i].best = !beaten;
        cell[i].beats = beats;
    }
}

static size_t cell_end(const hrr_pgb_table *table, size_t from)
{
    size_t end = from + 1;
    while (end < table->n_means && by_cell(&table->means[from], &table->means[end]) == 0)
        end++;
    return end;
}

/* ---- how often ------------------------------------------------------------------------------- */

static hrr_pgb_tally *tally_of(hrr_pgb_table *table, const hrr_pgb_mean *mean)
{
    for (size_t i = 0; i < table->n_tallies; i++) {
        hrr_pgb_tally *tally = &table->tallies[i];
        if (tally->published == mean->published && strcmp(tally->eps, mean->eps) == 0 &&
            strcmp(tally->mechanism, mean->mechanism) == 0)
            return tally;
    }
    hrr_pgb_tally *tally = &table->tallies[table->n_tallies++];
    *tally = (hrr_pgb_tally){.published = mean->published};
    memcpy(tally->mechanism, mean->mechanism, sizeof tally->mechanism);
    memcpy(tally->eps, mean->eps, sizeof tally->eps);
    return tally;
}

static void count_cell(hrr_pgb_table *table, const hrr_pgb_mean *cell, size_t n)
{
    size_t n_best = 0;
    for (size_t i = 0; i < n; i++)
        n_best += cell[i].best;
    for (size_t i = 0; i < n; i++) {
        hrr_pgb_tally *tally = tally_of(table, &cell[i]);
        tally->cells++;
        tally->wins += cell[i].best && n_best == 1;
        tally->shared += cell[i].best && n_best > 1;
        tally->beats += cell[i].beats;
    }
}

static int by_wins(const void *a, const void *b)
{
    const hrr_pgb_tally *x = a, *y = b;
    const double eps = atof(x->eps) - atof(y->eps);
    if (eps != 0) return eps > 0 ? 1 : -1;
    if (x->wins != y->wins) return x->wins < y->wins ? 1 : -1;
    if (x->shared != y->shared) return x->shared < y->shared ? 1 : -1;
    if (x->published != y->published) return x->published - y->published;
    return strcmp(x->mechanism, y->mechanism);
}

static hrr_status decide(hrr_pgb_table *table, hrr_error *err)
{
    /* At most one for each mean; there are far fewer. */
    table->tallies = hrr_alloc(table->n_means, sizeof *table->tallies);
    if (!table->tallies) return hrr_no_memory(err);
    for (size_t i = 0; i < table->n_means; i = cell_end(table, i)) {
        hrr_pgb_mean *cell = &table->means[i];
        const size_t n = cell_end(table, i) - i;
        decide_cell(cell, n);
        if (cell->compared && hrr_pgb_rows()[cell->query].scored) count_cell(table, cell, n);
    }
    if (table->n_tallies) qsort(table->tallies, table->n_tallies, sizeof *table->tallies, by_wins);
    return HRR_OK;
}

/* ---- together -------------------------------------------------------------------------------- */

hrr_status hrr_judge_pgb(hrr_pgb_table *out, const hrr_all_rows *all, hrr_error *err)
{
    gathering every = {.rows = &all->kind[HRR_ROWS_PGB], .words = &all->words}, beside = {0};
    *out = (hrr_pgb_table){0};
    hrr_status status = gather(&every, err);
    for (size_t i = 0; i < every.n && !status; i++)
        if (!every.means[i].published) status = add_mean(&beside, &every.means[i], err);
    if (!status && beside.n) qsort(beside.means, beside.n, sizeof *beside.means, by_place);
    if (!status) status = place_published(&beside, &every, err);
    if (!status && beside.n) qsort(beside.means, beside.n, sizeof *beside.means, by_place);
    out->means = beside.means;
    out->n_means = beside.n;
    if (!status) status = decide(out, err);
    if (status) hrr_pgb_table_clear(out);
    hrr_free(every.means);
    return status;
}

hrr_status hrr_pgb_means(hrr_pgb_table *out, const char *results, const char *published,
                         hrr_error *err)
{
    hrr_all_rows all = {0};
    *out = (hrr_pgb_table){0};
    hrr_status status = hrr_all_rows_read_kind(&all, results, HRR_ROWS_PGB, err);
    if (!status && published) status = hrr_pgb_published_read(&all, published, err);
    if (!status) status = hrr_judge_pgb(out, &all, err);
    hrr_all_rows_clear(&all);
    return status;
}
