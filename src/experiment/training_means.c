/* training_means.c: what results of trained networks say: means, intervals, and whether a budget
 * bought anything.
 *
 * A setting that spends is tested against the best of the controls that spend nothing: those that
 * see no more than what is public in it, on the same graph, with the same network and the same
 * private edges. All tests of a table are one family for Holm's correction. */
#include "experiment/judge.h"
#include "experiment/results.h"
#include "experiment/treatments.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* A setting beside its row, runs and budgets. */
typedef struct group {
    hrr_training_mean mean;
    const hrr_cell *cell;
    uint64_t row;
    double eps_features, eps_edges;
} group;

typedef struct table {
    const hrr_rows *rows;
    const hrr_words *words;
    group *items;
    size_t n;
} table;

static const char *text_of(const table *t, hrr_column column, uint64_t row)
{
    return hrr_row_text(t->rows, t->words, column, row);
}

static double number_of(const table *t, hrr_column column, uint64_t row)
{
    return hrr_row_number(t->rows, column, row);
}

/* ---- what is measured ------------------------------------------------------------------------ */

/* The two arrays run in step; the names end with NULL. */
static const char *const metrics[] = {"accuracy", "f1_micro",          "f1_macro",
                                      "auc",      "average_precision", NULL};
static const hrr_column metric_columns[] = {HRR_COL_ACCURACY, HRR_COL_F1_MICRO, HRR_COL_F1_MACRO,
                                            HRR_COL_AUC, HRR_COL_PRECISION};
enum { n_metrics = sizeof metric_columns / sizeof *metric_columns };
_Static_assert(sizeof metrics / sizeof *metrics == n_metrics + 1, "a column for every metric");

const char *const *hrr_training_metrics(void)
{
    return metrics;
}

static hrr_status find_metric(int *out, const table *t, const char *name, hrr_error *err)
{
    *out = -1;
    if (!name) return HRR_OK;
    for (int i = 0; i < n_metrics; i++)
        if (is(metrics[i], name)) *out = i;
    if (*out < 0) return hrr_fail(err, HRR_EINVAL, "there is no metric '%.40s'", name);
    if (t->rows->number[metric_columns[*out]]) return HRR_OK;
    return hrr_fail(err, HRR_EDATA, "the results have no column test_%s", name);
}

/* What suits the graph of a row: accuracy; micro F1 where the two differ in some row, which is
 * where nodes have several labels; else the first that has a number. */
static int suitable_metric(const table *t, uint64_t row)
{
    const uint32_t *graph = t->rows->word[HRR_COL_GRAPH];
    bool has_numbers[n_metrics] = {false}, several_labels = false;
    for (uint64_t i = 0; i < t->rows->n; i++) {
        if (graph && graph[i] != graph[row]) continue;
        for (int k = 0; k < n_metrics; k++)
            has_numbers[k] |= isfinite(number_of(t, metric_columns[k], i)) != 0;
        several_labels |=
            fabs(number_of(t, HRR_COL_ACCURACY, i) - number_of(t, HRR_COL_F1_MICRO, i)) > 1e-8;
    }
    for (int k = several_labels; k < n_metrics; k++)
        if (has_numbers[k]) return k;
    return 0;
}

/* ---- what a setting is ----------------------------------------------------------------------- */

static void copy(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from);
}

static void write_eps(char text[HRR_EPS_TEXT_SIZE], double eps)
{
    if (eps < 1e9)
        hrr_eps_format(text, (uint64_t)llround(eps * (double)HRR_EPS_UNIT));
    else
        snprintf(text, HRR_EPS_TEXT_SIZE, "%g", eps);
}

static bool is_spent(double eps)
{
    return eps > 0;
}

/* Whether a budget of features can buy anything: HRR_EPS_NOTHING cannot. */
static bool can_inform(double eps)
{
    return eps > (double)HRR_EPS_NOTHING / (double)HRR_EPS_UNIT;
}

/* "hidden 64, layers 2, ..." */
static void name_network(char *text, size_t size, const table *t, uint64_t row)
{
    size_t used = 0;
    for (int c = HRR_COL_HIDDEN; c <= HRR_COL_SPLIT && used < size; c++) {
        char name[64];
        if (!t->rows->word[c]) continue;
        hrr_column_names(name, sizeof name, (hrr_column)c);
        name[strcspn(name, " ")] = '\0';
        used += (size_t)snprintf(text + used, size - used, "%s%s %s", used ? ", " : "", name,
                                 text_of(t, (hrr_column)c, row));
    }
}

/* What is done to features and to edges, from the columns that say so or, in results of others,
 * from the name and what is paid for. */
static void name_halves(group *g, const table *t)
{
    hrr_training_mean *m = &g->mean;
    const char *features = text_of(t, HRR_COL_FEATURE_MECHANISM, g->row);
    const char *edges = text_of(t, HRR_COL_EDGE_MECHANISM, g->row);
    const char *name = text_of(t, HRR_COL_CONTROL, g->row);
    if (!*name) name = text_of(t, HRR_COL_MECHANISM, g->row);
    const char *const own_features = hrr_feature_mechanism_with(HRR_EFFECT_KEEP)->name;
    const char *const own_edges = hrr_edge_mechanism_with(HRR_EFFECT_KEEP)->name;
    hrr_feature_half of_features;
    hrr_edge_half of_edges;
    if (*features || *edges || !*name) {
        copy(m->features, sizeof m->features, *features ? features : own_features);
        copy(m->edges, sizeof m->edges, *edges ? edges : own_edges);
    } else if (hrr_treatment_read(&of_features, &of_edges, name, NULL) == HRR_OK) {
        copy(m->features, sizeof m->features, of_features.name);
        copy(m->edges, sizeof m->edges, of_edges.name);
    } else {
        copy(m->features, sizeof m->features, is_spent(g->eps_features) ? name : own_features);
        copy(m->edges, sizeof m->edges,
             is_spent(g->eps_edges) || !is_spent(g->eps_features) ? name : own_edges);
    }
    if (*name)
        copy(m->treatment, sizeof m->treatment, name);
    else
        hrr_treatment_name(m->treatment, m->features, m->edges);
}

static void describe(group *g, const table *t)
{
    hrr_training_mean *m = &g->mean;
    const double eps = number_of(t, HRR_COL_EPS, g->row); /* of what, nobody says */
    g->eps_features = fmax(0, number_of(t, HRR_COL_EPS_FEATURES, g->row));
    g->eps_edges = fmax(0, number_of(t, HRR_COL_EPS_EDGES, g->row));
    name_halves(g, t);
    if (isfinite(eps) && !hrr_edges_are_kept(hrr_edge_half_of(m->edges)) && !is_spent(g->eps_edges))
        g->eps_edges = eps;
    else if (isfinite(eps) && !is_spent(g->eps_features))
        g->eps_features = eps;
    /* An infinite budget is none: it stands where data are used as they are. */
    if (isinf(g->eps_features)) g->eps_features = 0;
    if (isinf(g->eps_edges)) g->eps_edges = 0;
    copy(m->graph, sizeof m->graph, text_of(t, HRR_COL_GRAPH, g->row));
    copy(m->tree, sizeof m->tree, text_of(t, HRR_COL_TREE, g->row));
    copy(m->private_fraction, sizeof m->private_fraction, text_of(t, HRR_COL_FRACTION, g->row));
    copy(m->label_rate, sizeof m->label_rate, text_of(t, HRR_COL_LABEL_RATE, g->row));
    copy(m->propagate, sizeof m->propagate, text_of(t, HRR_COL_PROPAGATE, g->row));
    copy(m->directions, sizeof m->directions, text_of(t, HRR_COL_DIRECTIONS, g->row));
    name_network(m->network, sizeof m->network, t, g->row);
    write_eps(m->eps_features, g->eps_features);
    write_eps(m->eps_edges, g->eps_edges);
    m->n_nodes = strtoull(text_of(t, HRR_COL_NODES, g->row), NULL, 10);
    m->n_edges = strtoull(text_of(t, HRR_COL_EDGES, g->row), NULL, 10);
    m->spends = can_inform(g->eps_features) || is_spent(g->eps_edges);
}

static void summarise(group *g, const table *t)
{
    const hrr_cell *cell = g->cell;
    g->mean.mean = cell->mean;
    g->mean.half_width = cell->half_width;
    g->mean.measured = cell->n;
    g->mean.runs = cell->n + cell->n_missing;
    for (uint32_t i = 0; i < g->mean.runs; i++)
        g->mean.diverged += is(text_of(t, HRR_COL_STATUS, cell->samples[i].row), "diverged");
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Words before numbers: "any" and "as marked" come first. */
static double fraction_order(const char *fraction)
{
    char *end;
    const double value = strtod(fraction, &end);
    return end != fraction ? value : -1;
}

/* Graph, network, label rate, share of private edges, then the best first; without a mean comes
 * last. */
static int compare_groups(const void *a, const void *b)
{
    const group *g = a, *h = b;
    const hrr_training_mean *x = &g->mean, *y = &h->mean;
    const double by_fraction =
        fraction_order(x->private_fraction) - fraction_order(y->private_fraction);
    int order = strcmp(x->graph, y->graph);
    if (!order) order = strcmp(x->network, y->network);
    if (!order) order = strcmp(x->label_rate, y->label_rate);
    if (!order) order = (by_fraction > 0) - (by_fraction < 0);
    if (!order) order = isnan(x->mean) - isnan(y->mean);
    if (!order && !isnan(x->mean)) order = (x->mean < y->mean) - (x->mean > y->mean);
    return order ? order : (g->row > h->row) - (g->row < h->row);
}

/* ---- controls -------------------------------------------------------------------------------- */

static bool agree(const table *t, const group *a, const group *b, hrr_column column)
{
    const uint32_t *word = t->rows->word[column];
    return !word || word[a->row] == word[b->row];
}

static bool stands_for_every(const char *fraction)
{
    return !*fraction || is(fraction, "any");
}

static bool comparable(const table *t, const group *control, const group *g)
{
    static const hrr_column same[] = {HRR_COL_GRAPH,     HRR_COL_NODES,    HRR_COL_EDGES,
                                      HRR_COL_VERSION,   HRR_COL_FEATURES, HRR_COL_SETTING,
                                      HRR_COL_LABEL_RATE};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (!agree(t, control, g, same[i])) return false;
    for (int c = HRR_COL_HIDDEN; c <= HRR_COL_SPLIT; c++)
        if (!agree(t, control, g, (hrr_column)c)) return false;
    return !isnan(control->mean.mean) && (agree(t, control, g, HRR_COL_FRACTION) ||
                                          stands_for_every(control->mean.private_fraction));
}

/* Whether `control` uses edges only as far as they are public in `g`. */
static bool edges_are_public(const hrr_training_mean *control, const hrr_training_mean *g)
{
    const hrr_edge_half its = hrr_edge_half_of(control->edges);
    const hrr_edge_half edges = hrr_edge_half_of(g->edges);
    return hrr_edges_are_left_out(its) ||
           (hrr_edges_are_kept(its) &&
            (hrr_edges_are_kept(edges) || edges.learns_from == HRR_LEARNS_FROM_NO_EDGES));
}

static bool same_features(const hrr_training_mean *control, const hrr_training_mean *g)
{
    return is(control->features, g->features) && is(control->directions, g->directions);
}

/* Random features, none at all, or those of the same mechanism with a budget that buys nothing. */
static bool features_say_nothing(const hrr_training_mean *control, const hrr_training_mean *g)
{
    const double eps = strtod(control->eps_features, NULL); /* 0 if there is none */
    return hrr_features_are_left_out(hrr_feature_half_of(control->features)) ||
           (same_features(control, g) && is_spent(eps) && !can_inform(eps));
}

/* Features are left alone where they are public in the setting. */
bool hrr_baseline_is_free(const hrr_training_mean *baseline, const hrr_training_mean *setting)
{
    return !baseline->spends && edges_are_public(baseline, setting) &&
           (hrr_features_are_kept(hrr_feature_half_of(setting->features)) ||
            features_say_nothing(baseline, setting));
}

static bool is_free(const group *control, const group *g)
{
    return hrr_baseline_is_free(&control->mean, &g->mean);
}

static bool spends_on_both(const group *g)
{
    return can_inform(g->eps_features) && is_spent(g->eps_edges);
}

/* The same features, and nothing spent on edges: what the edges' budget has to beat. */
static bool spares_edges(const group *control, const group *g)
{
    return spends_on_both(g) && same_features(&control->mean, &g->mean) &&
           control->eps_features == g->eps_features && !is_spent(control->eps_edges) &&
           edges_are_public(&control->mean, &g->mean);
}

/* The same edges, and features that say nothing: what the features' budget has to beat. */
static bool spares_features(const group *control, const group *g)
{
    return spends_on_both(g) && features_say_nothing(&control->mean, &g->mean) &&
           is(control->mean.edges, g->mean.edges) && is(control->mean.tree, g->mean.tree) &&
           control->eps_edges == g->eps_edges;
}

/* ---- tests ----------------------------------------------------------------------------------- */

typedef bool control_rule(const group *control, const group *g);

static hrr_status run_test(hrr_worth_test *test, const table *t, size_t of, control_rule *rule,
                           hrr_error *err)
{
    const group *const items = t->items, *g = &items[of];
    *test = hrr_test_none();
    for (size_t i = 0; i < t->n && g->mean.spends; i++) {
        if (i == of || !rule(&items[i], g) || !comparable(t, &items[i], g)) continue;
        test->controls++;
        if (test->control < 0 || items[i].mean.mean > items[test->control].mean.mean)
            test->control = (int64_t)i;
    }
    return test->control < 0 ? HRR_OK
                             : hrr_test_pair(test, g->cell, items[test->control].cell, err);
}

static hrr_status run_tests(table *t, hrr_error *err)
{
    enum { n_tests = 3 };
    static control_rule *const rules[n_tests] = {is_free, spares_edges, spares_features};
    hrr_worth_test **tests = hrr_alloc(n_tests * t->n, sizeof *tests);
    hrr_status status = tests ? HRR_OK : hrr_no_memory(err);
    for (size_t i = 0; i < t->n && !status; i++) {
        hrr_training_mean *m = &t->items[i].mean;
        hrr_worth_test *const own[n_tests] = {&m->test, &m->edge_test, &m->feature_test};
        for (size_t k = 0; k < n_tests && !status; k++) {
            tests[n_tests * i + k] = own[k];
            status = run_test(own[k], t, i, rules[k], err);
        }
    }
    if (!status) status = hrr_tests_decide(tests, n_tests * t->n, false, err);
    /* A setting that diverged in some run is not said to be better, whatever its other runs did. */
    for (size_t i = 0; i < n_tests * t->n && !status; i++)
        if (tests[i]->worth == HRR_WORTH_MORE && t->items[i / n_tests].mean.diverged)
            tests[i]->worth = HRR_WORTH_NO_MORE;
    hrr_free(tests);
    return status;
}

/* ---- together -------------------------------------------------------------------------------- */

static bool is_about(const hrr_training_mean *mean, const hrr_graph *graph)
{
    char name[sizeof mean->graph];
    hrr_results_name(name, sizeof name, hrr_graph_name(graph));
    return is(mean->graph, name) && mean->n_nodes == hrr_graph_n_nodes(graph) &&
           mean->n_edges == hrr_graph_n_edges(graph);
}

/* Settings in the order of the rows, each with the metric that it is judged by. */
static hrr_status list_groups(table *t, const hrr_judged *judged, const char *metric,
                              hrr_error *err)
{
    int asked;
    hrr_status status = find_metric(&asked, t, metric, err);
    if (status) return status;
    if (!(t->items = hrr_alloc_zero(judged->n, sizeof *t->items))) return hrr_no_memory(err);
    t->n = judged->n;
    for (size_t i = 0; i < t->n; i++) {
        group *g = &t->items[i];
        g->row = judged->first[i];
        describe(g, t);
        const char *known = NULL; /* what suits a graph is looked for once */
        for (size_t k = i; k-- > 0 && !known;)
            if (agree(t, &t->items[k], g, HRR_COL_GRAPH)) known = t->items[k].mean.metric;
        copy(g->mean.metric, sizeof g->mean.metric,
             known        ? known
             : asked >= 0 ? metrics[asked]
                          : metrics[suitable_metric(t, g->row)]);
    }
    return HRR_OK;
}

static hrr_column metric_column(const hrr_training_mean *mean)
{
    int k = 0;
    while (!is(metrics[k], mean->metric))
        k++;
    return metric_columns[k];
}

static hrr_status collect(hrr_cells *cells, hrr_samples *samples, const table *t,
                          const hrr_judged *judged, hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (uint64_t i = 0; i < t->rows->n && !status; i++) {
        const hrr_training_mean *mean = &t->items[judged->of[i]].mean;
        const hrr_sample sample = {.facet = judged->of[i],
                                   .run = hrr_run_of(t->rows, i),
                                   .value = number_of(t, metric_column(mean), i),
                                   .row = i};
        status = hrr_samples_add(samples, sample, err);
    }
    return status ? status : hrr_cells_make(cells, samples, err);
}

static void keep_graph(table *t, const hrr_graph *of)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->n; i++)
        if (!of || is_about(&t->items[i].mean, of)) t->items[kept++] = t->items[i];
    t->n = kept;
}

static hrr_status publish(hrr_training_mean **means, uint64_t **first, size_t *n, const table *t,
                          hrr_error *err)
{
    hrr_training_mean *all = hrr_alloc(t->n, sizeof *all);
    uint64_t *rows = hrr_alloc(t->n, sizeof *rows);
    if (!all || !rows) {
        hrr_free(all);
        hrr_free(rows);
        return hrr_no_memory(err);
    }
    for (size_t i = 0; i < t->n; i++) {
        all[i] = t->items[i].mean;
        rows[i] = t->items[i].row;
    }
    *means = all;
    *first = rows;
    *n = t->n;
    return HRR_OK;
}

hrr_status hrr_judge_training(hrr_training_mean **means, uint64_t **first, size_t *n,
                              const hrr_all_rows *all, const hrr_graph *of, const char *metric,
                              hrr_error *err)
{
    hrr_judged judged = {0};
    hrr_samples samples = {0};
    hrr_cells cells = {0};
    table t = {.rows = &all->kind[HRR_ROWS_UTILITY], .words = &all->words};
    *means = NULL;
    *first = NULL;
    *n = 0;
    hrr_status status = hrr_judge_settings(&judged, t.rows, err);
    if (!status) status = list_groups(&t, &judged, metric, err);
    if (!status) status = collect(&cells, &samples, &t, &judged, err);
    if (status) goto done;
    for (size_t i = 0; i < t.n; i++) {
        t.items[i].cell = &cells.at[i]; /* cells come in the order of settings, each has a row */
        summarise(&t.items[i], &t);
    }
    keep_graph(&t, of);
    if (t.n) qsort(t.items, t.n, sizeof *t.items, compare_groups);
    if ((status = run_tests(&t, err))) goto done;
    status = publish(means, first, n, &t, err);
done:
    hrr_free(cells.at);
    hrr_free(samples.at);
    hrr_free(t.items);
    hrr_judged_clear(&judged);
    return status;
}

hrr_status hrr_training_means(hrr_training_mean **rows, size_t *n_rows, const char *results,
                              const hrr_graph *of, const char *metric, hrr_error *err)
{
    hrr_all_rows all = {0};
    uint64_t *first = NULL;
    *rows = NULL;
    *n_rows = 0;
    hrr_status status = hrr_all_rows_read_kind(&all, results, HRR_ROWS_UTILITY, err);
    if (!status) status = hrr_judge_training(rows, &first, n_rows, &all, of, metric, err);
    hrr_free(first);
    hrr_all_rows_clear(&all);
    return status;
}
