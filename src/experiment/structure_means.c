/* structure_means.c: what results of structure_sweep.c say, statistic by statistic.
 *
 * The control is public-only, which spends nothing: on the same graph, with the same private edges.
 * Every statistic of every setting that spends is a test against it, and all of them are one family
 * for Holm's correction. */
#include "experiment/judge.h"
#include "edge/traits.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *hrr_statistic_name(hrr_statistic statistic)
{
    static const char *const names[] = {"degrees", "clustering", "paths", "communities", "walks"};
    return names[statistic];
}

const char *hrr_nearness_word(hrr_worth worth)
{
    static const char *const words[] = {"untested", "nearer", "no nearer", "farther"};
    return words[worth];
}

bool hrr_is_empty_control(const hrr_structure_mean *mean)
{
    return hrr_edge_traits(mean->mechanism)->effect == HRR_EFFECT_LEAVE_OUT &&
           mean->edges_released == 0;
}

typedef struct table {
    const hrr_rows *rows;
    const hrr_words *words;
    hrr_judged judged;
    struct item *items;
} table;

typedef struct item {
    hrr_structure_mean mean;
    uint32_t setting;
    int64_t control; /* its item; -1: none */
} item;

static const char *text_of(const table *t, hrr_column column, uint64_t row)
{
    return hrr_row_text(t->rows, t->words, column, row);
}

static double number_of(const table *t, hrr_column column, uint64_t row)
{
    return hrr_row_number(t->rows, column, row);
}

/* ---- what is measured ------------------------------------------------------------------------ */

static double walks(const table *t, uint64_t row)
{
    double squares = 0;
    int hops = 0;
    for (; hops < HRR_MAX_HOPS && t->rows->number[HRR_COL_RMS_0 + hops + 1]; hops++)
        squares += pow(number_of(t, (hrr_column)(HRR_COL_RMS_0 + hops + 1), row), 2);
    return hops ? sqrt(squares / hops) : NAN;
}

static double difference(const table *t, uint64_t row, hrr_column a, hrr_column b)
{
    return fabs(number_of(t, a, row) - number_of(t, b, row));
}

static double value_of(const table *t, hrr_statistic statistic, uint64_t row)
{
    switch (statistic) {
    case HRR_STATISTIC_DEGREES:
        return number_of(t, HRR_COL_DEGREE_KS, row);
    case HRR_STATISTIC_CLUSTERING:
        return difference(t, row, HRR_COL_TRANSITIVITY_ORIGINAL, HRR_COL_TRANSITIVITY_RELEASED);
    case HRR_STATISTIC_PATHS:
        return number_of(t, HRR_COL_PATH_KS, row);
    case HRR_STATISTIC_COMMUNITIES:
        return difference(t, row, HRR_COL_MODULARITY_ORIGINAL, HRR_COL_MODULARITY_RELEASED);
    default:
        return walks(t, row);
    }
}

/* ---- settings and their controls ------------------------------------------------------------- */

static void copy(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from);
}

static void describe(hrr_structure_mean *m, const table *t, uint64_t row)
{
    const char *mechanism = text_of(t, HRR_COL_EDGE_MECHANISM, row);
    const double eps = number_of(t, HRR_COL_EPS_EDGES, row);
    m->spends = hrr_budget_place(eps) > 0;
    m->edges_released = m->private_recall = NAN; /* unless the file has them */
    copy(m->graph, sizeof m->graph, text_of(t, HRR_COL_GRAPH, row));
    copy(m->mechanism, sizeof m->mechanism,
         *mechanism ? mechanism : text_of(t, HRR_COL_MECHANISM, row));
    copy(m->tree, sizeof m->tree, text_of(t, HRR_COL_TREE, row));
    copy(m->private_fraction, sizeof m->private_fraction, text_of(t, HRR_COL_FRACTION, row));
    hrr_eps_format(m->eps_edges,
                   m->spends ? (uint64_t)llround(fmin(eps, 1e9) * (double)HRR_EPS_UNIT) : 0);
    while (m->hops < HRR_MAX_HOPS && t->rows->number[HRR_COL_RMS_0 + m->hops + 1])
        m->hops++;
}

/* Graph by graph, few private edges first, what spends nothing first. Threads finish in any order,
 * so the order of the file means nothing. */
static int by_place(const void *a, const void *b)
{
    const hrr_structure_mean *x = &((const item *)a)->mean, *y = &((const item *)b)->mean;
    const double by_fraction = atof(x->private_fraction) - atof(y->private_fraction);
    const double by_eps = atof(x->eps_edges) - atof(y->eps_edges);
    int order = strcmp(x->graph, y->graph);
    if (!order) order = (by_fraction > 0) - (by_fraction < 0);
    if (!order) order = x->spends - y->spends;
    if (!order) order = strcmp(x->mechanism, y->mechanism);
    if (!order) order = strcmp(x->tree, y->tree);
    if (!order) order = (by_eps > 0) - (by_eps < 0);
    return order;
}

static int64_t control_of(const table *t, const hrr_structure_mean *mean)
{
    for (size_t i = 0; i < t->judged.n && mean->spends; i++) {
        const hrr_structure_mean *other = &t->items[i].mean;
        if (hrr_edge_traits(other->mechanism)->effect == HRR_EFFECT_LEAVE_OUT &&
            strcmp(other->graph, mean->graph) == 0 &&
            strcmp(other->private_fraction, mean->private_fraction) == 0)
            return (int64_t)i;
    }
    return -1;
}

static hrr_status list_settings(table *t, hrr_error *err)
{
    hrr_status status = hrr_judge_settings(&t->judged, t->rows, err);
    if (status) return status;
    t->items = hrr_alloc_zero(t->judged.n, sizeof *t->items);
    if (!t->items) return hrr_no_memory(err);
    for (size_t i = 0; i < t->judged.n; i++) {
        t->items[i].setting = (uint32_t)i;
        describe(&t->items[i].mean, t, t->judged.first[i]);
    }
    if (t->judged.n) qsort(t->items, t->judged.n, sizeof *t->items, by_place);
    for (size_t i = 0; i < t->judged.n; i++)
        t->items[i].control = control_of(t, &t->items[i].mean);
    return HRR_OK;
}

/* ---- means and tests ------------------------------------------------------------------------- */

/* A value of every row; from `plain` on they are columns. */
enum { plain = HRR_N_STATISTICS, n_plain = HRR_MAX_HOPS + 3 };

static hrr_column plain_column(int k)
{
    return k == 0   ? HRR_COL_EDGES_RELEASED
           : k == 1 ? HRR_COL_PRIVATE_RECALL
                    : (hrr_column)(HRR_COL_RMS_0 + k - 2);
}

static void take_mean(hrr_structure_mean *m, int what, const hrr_cell *cell)
{
    const int k = what - plain;
    if (what < plain) {
        m->statistic[what].mean = cell->mean;
        m->statistic[what].half_width = cell->half_width;
    } else if (k < 2) {
        *(k == 0 ? &m->edges_released : &m->private_recall) = cell->mean;
    } else {
        m->rms[k - 2] = cell->mean;
    }
    m->runs = cell->n + cell->n_missing;
}

static hrr_status measure(table *t, int what, hrr_error *err)
{
    hrr_samples samples = {0};
    hrr_cells cells = {0};
    hrr_status status = HRR_OK;
    for (uint64_t i = 0; i < t->rows->n && !status; i++) {
        const double value = what < plain ? value_of(t, (hrr_statistic)what, i)
                                          : number_of(t, plain_column(what - plain), i);
        const hrr_sample sample = {
            .facet = t->judged.of[i], .run = hrr_run_of(t->rows, i), .value = value, .row = i};
        status = hrr_samples_add(&samples, sample, err);
    }
    if (!status) status = hrr_cells_make(&cells, &samples, err);
    for (size_t i = 0; i < t->judged.n && !status; i++) {
        item *const at = &t->items[i];
        const hrr_cell *cell = &cells.at[at->setting];
        take_mean(&at->mean, what, cell);
        if (what >= plain) continue;
        hrr_worth_test *test = &at->mean.statistic[what].test;
        *test = hrr_test_none();
        if (at->control < 0 || cell->n == 0) continue;
        test->control = at->control;
        test->controls = 1;
        status = hrr_test_pair(test, cell, &cells.at[t->items[at->control].setting], err);
    }
    hrr_free(cells.at);
    hrr_free(samples.at);
    return status;
}

hrr_status hrr_structure_decide(hrr_structure_mean *means, size_t n_means, hrr_error *err)
{
    const size_t n = n_means * HRR_N_STATISTICS;
    hrr_worth_test **tests = hrr_alloc(n, sizeof *tests);
    if (!tests) return hrr_no_memory(err);
    for (size_t i = 0; i < n; i++)
        tests[i] = &means[i / HRR_N_STATISTICS].statistic[i % HRR_N_STATISTICS].test;
    hrr_status status = hrr_tests_decide(tests, n, true, err);
    hrr_free(tests);
    return status;
}

/* ---- together -------------------------------------------------------------------------------- */

hrr_status hrr_judge_structure(hrr_structure_mean **means, size_t *n, const hrr_all_rows *all,
                               hrr_error *err)
{
    table t = {.rows = &all->kind[HRR_ROWS_STRUCTURE], .words = &all->words};
    *means = NULL;
    *n = 0;
    hrr_status status = list_settings(&t, err);
    for (int what = 0; what < plain + n_plain && !status; what++)
        if (what < plain || t.rows->number[plain_column(what - plain)])
            status = measure(&t, what, err);
    if (!status && !(*means = hrr_alloc(t.judged.n, sizeof **means))) status = hrr_no_memory(err);
    for (size_t i = 0; i < t.judged.n && !status; i++)
        (*means)[(*n)++] = t.items[i].mean;
    if (!status) status = hrr_structure_decide(*means, *n, err);
    if (status) {
        hrr_free(*means);
        *means = NULL;
        *n = 0;
    }
    hrr_free(t.items);
    hrr_judged_clear(&t.judged);
    return status;
}

hrr_status hrr_structure_means(hrr_structure_mean **rows, size_t *n_rows, const char *results,
                               hrr_error *err)
{
    hrr_all_rows all = {0};
    *rows = NULL;
    *n_rows = 0;
    hrr_status status = hrr_all_rows_read_kind(&all, results, HRR_ROWS_STRUCTURE, err);
    if (!status) status = hrr_judge_structure(rows, n_rows, &all, err);
    hrr_all_rows_clear(&all);
    return status;
}
