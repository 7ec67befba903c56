/* training_means.c: what a results file of training_sweep.c says: means, intervals, and whether a
 * budget bought anything.
 *
 * Rows belong together if they agree in all settings but run and seed. A setting that spends is
 * tested against the best of the controls that spend nothing: those that see no more than what is
 * public in it, on the same graph, with the same network and the same private edges. Which control
 * is best is read from the same results, so the choice favours the control: what is above it is so
 * all the more, but what is below it has its p multiplied by the number of controls (Bonferroni).
 * All tests of a table are one family for Holm's correction. */
#include "experiment/columns.h"
#include "experiment/results.h"
#include "base/memory.h"

#include <heterorr/experiment.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static bool pays(const char *eps)
{
    return !is(eps, "0");
}

/* Whether a budget of features can buy anything: HRR_EPS_NOTHING cannot. */
static bool tells(const char *eps)
{
    char nothing[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(nothing, HRR_EPS_NOTHING);
    return pays(eps) && !is(eps, nothing);
}

const char *const *hrr_training_metrics(void)
{
    static const char *const names[] = {"accuracy", "f1_micro",          "f1_macro",
                                        "auc",      "average_precision", NULL};
    return names;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Columns that are named in a mean; the rest of the settings are compared as one text. */
enum {
    GRAPH,
    TREATMENT,
    TREE,
    FEATURES,
    EDGES,
    EPS_FEATURES,
    EPS_EDGES,
    FRACTION,
    PROPAGATE,
    NODES,
    N_EDGES,
    DIRECTIONS,
    n_named
};

enum { most_network = 16 };

typedef struct columns {
    int named[n_named];
    int first_network, last_network; /* hidden .. split */
    char network_names[most_network][24];
    int version, run, seed, status, value;
    size_t n;
} columns;

/* A setting and its runs. */
typedef struct group {
    hrr_training_mean mean;
    char *key; /* all settings but run and seed */
    double *value;
    uint64_t *seed;
    size_t n, n_all, room; /* the first n of all have a value */
} group;

typedef struct groups {
    group *items;
    size_t n;
} groups;

static void clear(groups *all)
{
    for (size_t i = 0; i < all->n; i++) {
        hrr_free(all->items[i].key);
        hrr_free(all->items[i].value);
        hrr_free(all->items[i].seed);
    }
    hrr_free(all->items);
}

static void copy(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from);
}

static hrr_status read_header(columns *out, const hrr_table_row *row, const char *path,
                              const char *metric, hrr_error *err)
{
    static const char *const names[n_named] = {
        "graph",          "treatment",    "tree",      "feature_mechanism",
        "edge_mechanism", "eps_features", "eps_edges", "private_fraction",
        "propagate",      "nodes",        "edges",     "directions"};
    char value[32];
    bool good = row != NULL;
    snprintf(value, sizeof value, "test_%s", metric);
    *out = (columns){.n = row ? row->n_fields : 0};
    for (int i = 0; i < n_named && good; i++)
        good = (out->named[i] = hrr_column_find(row, names[i])) >= 0;
    good = good && (out->first_network = hrr_column_find(row, "hidden")) >= 0 &&
           (out->last_network = hrr_column_find(row, "split")) > out->first_network &&
           out->last_network - out->first_network < most_network &&
           (out->version = hrr_column_find(row, "version")) == 0 &&
           (out->run = hrr_column_find(row, "run")) == out->last_network + 1 &&
           (out->seed = hrr_column_find(row, "seed")) == out->run + 1 &&
           (out->status = hrr_column_find(row, "status")) >= 0 &&
           (out->value = hrr_column_find(row, value)) >= 0;
    for (int i = 0; good && i <= out->last_network - out->first_network; i++)
        copy(out->network_names[i], sizeof out->network_names[i],
             row->fields[out->first_network + i]);
    if (good) return HRR_OK;
    return hrr_fail(err, HRR_EDATA,
                    "%s: is no results file of trained networks (heterorr compare): columns are "
                    "missing",
                    path);
}

/* Fields [first, last] with commas between; hrr memory. */
static char *join(const hrr_table_row *row, int first, int last)
{
    size_t size = 1;
    for (int i = first; i <= last; i++)
        size += strlen(row->fields[i]) + 1;
    char *text = hrr_alloc(size, 1), *at = text;
    for (int i = first; text && i <= last; i++)
        at += sprintf(at, "%s%s", i > first ? "," : "", row->fields[i]);
    return text;
}

/* "hidden 64, layers 2, ..." */
static void name_network(char *text, size_t size, const columns *at, const hrr_table_row *row)
{
    size_t used = 0;
    for (int i = at->first_network; i <= at->last_network && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s %s", i > at->first_network ? ", " : "",
                             at->network_names[i - at->first_network], row->fields[i]);
}

static void describe(hrr_training_mean *mean, const columns *at, const hrr_table_row *row)
{
    name_network(mean->network, sizeof mean->network, at, row);
#define COPY(member, column) copy(mean->member, sizeof mean->member, row->fields[at->named[column]])
    COPY(graph, GRAPH);
    COPY(treatment, TREATMENT);
    COPY(tree, TREE);
    COPY(features, FEATURES);
    COPY(edges, EDGES);
    COPY(eps_features, EPS_FEATURES);
    COPY(eps_edges, EPS_EDGES);
    COPY(private_fraction, FRACTION);
    COPY(propagate, PROPAGATE);
    COPY(directions, DIRECTIONS);
#undef COPY
    mean->n_nodes = strtoull(row->fields[at->named[NODES]], NULL, 10);
    mean->n_edges = strtoull(row->fields[at->named[N_EDGES]], NULL, 10);
    mean->spends = tells(mean->eps_features) || pays(mean->eps_edges);
}

/* The group of the row, a new one if it is the first of its kind. */
static hrr_status find_group(group **out, groups *all, const columns *at, const hrr_table_row *row,
                             hrr_error *err)
{
    char *key = join(row, at->version, at->last_network);
    if (!key) return hrr_no_memory(err);
    for (size_t i = all->n; i-- > 0;)
        if (strcmp(all->items[i].key, key) == 0) {
            hrr_free(key);
            *out = &all->items[i];
            return HRR_OK;
        }
    group *more = hrr_resize(all->items, all->n + 1, sizeof *more);
    if (!more) {
        hrr_free(key);
        return hrr_no_memory(err);
    }
    all->items = more;
    group *fresh = *out = &more[all->n++];
    *fresh = (group){.key = key};
    describe(&fresh->mean, at, row);
    return HRR_OK;
}

static hrr_status make_room(group *g, hrr_error *err)
{
    if (g->n_all < g->room) return HRR_OK;
    const size_t room = g->room ? 2 * g->room : 8;
    double *value = hrr_resize(g->value, room, sizeof *value);
    if (value) g->value = value;
    uint64_t *seed = hrr_resize(g->seed, room, sizeof *seed);
    if (seed) g->seed = seed;
    if (!value || !seed) return hrr_no_memory(err);
    g->room = room;
    return HRR_OK;
}

static bool has_seed(const group *g, uint64_t seed)
{
    for (size_t i = 0; i < g->n_all; i++)
        if (g->seed[i] == seed) return true;
    return false;
}

static hrr_status add_run(group *g, uint64_t seed, double value, hrr_error *err)
{
    const hrr_status status = make_room(g, err);
    if (status) return status;
    size_t at = g->n_all++;
    if (isfinite(value)) { /* else it diverged, or the metric is undefined in this run */
        g->seed[at] = g->seed[g->n];
        g->value[at] = g->value[g->n];
        at = g->n++;
    }
    g->seed[at] = seed;
    g->value[at] = value;
    return HRR_OK;
}

static bool is_about(const hrr_table_row *row, const columns *at, const hrr_graph *graph)
{
    char name[sizeof((hrr_training_mean *)NULL)->graph];
    hrr_results_name(name, sizeof name, hrr_graph_name(graph));
    return is(row->fields[at->named[GRAPH]], name) &&
           strtoull(row->fields[at->named[NODES]], NULL, 10) == hrr_graph_n_nodes(graph) &&
           strtoull(row->fields[at->named[N_EDGES]], NULL, 10) == hrr_graph_n_edges(graph);
}

static hrr_status add_row(groups *all, const columns *at, const hrr_table_row *row,
                          const hrr_graph *of, const char *path, hrr_error *err)
{
    group *g = NULL;
    double value;
    hrr_status status = hrr_columns_check(row, at->n, path, err);
    if (!status && of && !is_about(row, at, of)) return HRR_OK;
    if (!status) status = find_group(&g, all, at, row, err);
    if (status) return status;
    if (!hrr_column_number(&value, row, at->value)) return hrr_column_no_number(row, path, err);
    /* Calls with different first seeds overlap: the same run again is no further evidence. */
    const uint64_t seed = strtoull(row->fields[at->seed], NULL, 10);
    if (has_seed(g, seed)) return HRR_OK;
    g->mean.runs++;
    if (strcmp(row->fields[at->status], "diverged") == 0) g->mean.diverged++;
    return add_run(g, seed, value, err);
}

static hrr_status read_groups(groups *out, const char *path, const hrr_graph *of,
                              const char *metric, hrr_error *err)
{
    columns at = {0};
    hrr_table *table = NULL;
    const hrr_table_row *row = NULL;
    *out = (groups){0};
    hrr_status status = hrr_table_open(&table, path, ',', err);
    if (!status) status = hrr_table_next(table, &row, err);
    if (!status) status = read_header(&at, row, path, metric, err);
    while (!status && !(status = hrr_table_next(table, &row, err)) && row)
        status = add_row(out, &at, row, of, path, err);
    hrr_table_close(table);
    return status;
}

/* ---- means and their order ------------------------------------------------------------------- */

static void find_mean(group *g)
{
    double sum = 0;
    for (size_t i = 0; i < g->n; i++)
        sum += g->value[i];
    g->mean.mean = g->n ? sum / (double)g->n : NAN;
    g->mean.reach = NAN;
    if (g->n >= 2)
        (void)!hrr_mean_interval(&g->mean.mean, &g->mean.reach, g->value, g->n, 0.95, NULL);
}

/* Words before numbers: "any" and "as marked" come first. */
static double fraction_order(const char *fraction)
{
    char *end;
    const double value = strtod(fraction, &end);
    return end != fraction ? value : -1;
}

/* Graph, network, share of private edges, then the best first; without a mean comes last. */
static int compare_groups(const void *a, const void *b)
{
    const hrr_training_mean *x = &((const group *)a)->mean, *y = &((const group *)b)->mean;
    const double by_fraction =
        fraction_order(x->private_fraction) - fraction_order(y->private_fraction);
    int order = strcmp(x->graph, y->graph);
    if (!order) order = strcmp(x->network, y->network);
    if (!order) order = (by_fraction > 0) - (by_fraction < 0);
    if (!order) order = isnan(x->mean) - isnan(y->mean);
    if (!order && !isnan(x->mean)) order = (x->mean < y->mean) - (x->mean > y->mean);
    return order ? order : strcmp(((const group *)a)->key, ((const group *)b)->key);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static bool comparable(const hrr_training_mean *control, const hrr_training_mean *mean)
{
    return is(control->graph, mean->graph) && control->n_nodes == mean->n_nodes &&
           control->n_edges == mean->n_edges && is(control->network, mean->network) &&
           (is(control->private_fraction, mean->private_fraction) ||
            is(control->private_fraction, "any")) &&
           !isnan(control->mean);
}

/* Whether `control` uses edges only as far as they are public in `mean`. */
static bool edges_are_public(const hrr_training_mean *control, const hrr_training_mean *mean)
{
    return is(control->edges, "mlp") || is(control->edges, "public-only") ||
           is(control->edges, "majority") ||
           (is(control->edges, "none") && (is(mean->edges, "none") || is(mean->edges, "mlp")));
}

/* Random features, or those of the same mechanism with a budget that buys nothing. */
static bool features_say_nothing(const hrr_training_mean *control, const hrr_training_mean *mean)
{
    return is(control->features, "featfree") || is(control->features, "majority") ||
           (is(control->features, mean->features) && is(control->directions, mean->directions) &&
            !tells(control->eps_features));
}

/* Features are left alone where they are public in `mean`. */
static bool is_free(const hrr_training_mean *control, const hrr_training_mean *mean)
{
    return !control->spends && edges_are_public(control, mean) &&
           (is(mean->features, "none") || features_say_nothing(control, mean));
}

static bool pays_twice(const hrr_training_mean *mean)
{
    return tells(mean->eps_features) && pays(mean->eps_edges);
}

/* The same features, and nothing spent on edges: what the edges' budget has to beat. */
static bool spares_edges(const hrr_training_mean *control, const hrr_training_mean *mean)
{
    return pays_twice(mean) && is(control->features, mean->features) &&
           is(control->directions, mean->directions) &&
           is(control->eps_features, mean->eps_features) && !pays(control->eps_edges) &&
           edges_are_public(control, mean);
}

/* The same edges, and features that say nothing: what the features' budget has to beat. */
static bool spares_features(const hrr_training_mean *control, const hrr_training_mean *mean)
{
    return pays_twice(mean) && features_say_nothing(control, mean) &&
           is(control->edges, mean->edges) && is(control->tree, mean->tree) &&
           is(control->eps_edges, mean->eps_edges);
}

typedef bool control_rule(const hrr_training_mean *control, const hrr_training_mean *mean);

static void find_control(hrr_training_test *test, const groups *all, size_t of, control_rule *rule)
{
    const group *const items = all->items;
    for (size_t i = 0; i < all->n; i++) {
        if (i == of || !comparable(&items[i].mean, &items[of].mean) ||
            !rule(&items[i].mean, &items[of].mean))
            continue;
        test->controls++;
        if (test->control < 0 || items[i].mean.mean > items[test->control].mean.mean)
            test->control = (int64_t)i;
    }
}

/* Values of runs with the same seed, side by side. */
static size_t pair_up(double *a, double *b, const group *x, const group *y)
{
    size_t n = 0;
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < y->n; j++)
            if (x->seed[i] == y->seed[j]) {
                a[n] = x->value[i];
                b[n++] = y->value[j];
                break;
            }
    return n;
}

static hrr_status run_test(hrr_training_test *test, const groups *all, size_t of,
                           control_rule *rule, hrr_error *err)
{
    const group *g = &all->items[of];
    *test = (hrr_training_test){.control = -1, .difference = NAN, .p = NAN, .p_adjusted = NAN};
    if (g->mean.spends) find_control(test, all, of, rule);
    if (test->control < 0) return HRR_OK;
    double *a = hrr_alloc(2 * g->n, sizeof *a);
    if (!a) return hrr_no_memory(err);
    const size_t n = pair_up(a, a + g->n, g, &all->items[test->control]);
    hrr_t_test found;
    hrr_status status = HRR_OK;
    test->pairs = (uint32_t)n;
    if (n >= 2 && !(status = hrr_t_test_paired(&found, a, a + g->n, n, err))) {
        test->difference = found.difference;
        test->p = found.p;
    }
    hrr_free(a);
    return status;
}

/* A setting that diverged in some run is not said to be better, whatever its other runs did. */
static void judge(hrr_training_test *test, const hrr_training_mean *mean)
{
    const bool shows = test->p_adjusted < 0.05;
    if (test->control < 0 || test->pairs < 2)
        test->worth = HRR_WORTH_UNTESTED;
    else if (shows && test->difference > 0 && !mean->diverged)
        test->worth = HRR_WORTH_MORE;
    else if (shows && test->difference < 0)
        test->worth = HRR_WORTH_LESS;
    else
        test->worth = HRR_WORTH_NO_MORE;
}

/* Test k of a setting, and the controls it is made against. */
enum { n_tests = 3 };

static hrr_training_test *test_of(hrr_training_mean *mean, size_t k)
{
    return k == 0 ? &mean->test : k == 1 ? &mean->edge_test : &mean->feature_test;
}

static hrr_status run_tests(groups *all, hrr_error *err)
{
    static control_rule *const rules[n_tests] = {is_free, spares_edges, spares_features};
    const size_t total = n_tests * all->n;
    double *p = hrr_alloc(2 * total, sizeof *p), *const adjusted = p ? p + total : NULL;
    if (!p) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    for (size_t i = 0; i < total && !status; i++) {
        hrr_training_test *test = test_of(&all->items[i / n_tests].mean, i % n_tests);
        status = run_test(test, all, i / n_tests, rules[i % n_tests], err);
        p[i] = test->difference < 0 ? fmin(1, test->p * test->controls) : test->p;
    }
    if (!status) status = hrr_holm(adjusted, p, total, err);
    for (size_t i = 0; i < total && !status; i++) {
        hrr_training_mean *mean = &all->items[i / n_tests].mean;
        hrr_training_test *test = test_of(mean, i % n_tests);
        test->p_adjusted = adjusted[i];
        judge(test, mean);
    }
    hrr_free(p);
    return status;
}

hrr_status hrr_training_means(hrr_training_mean **rows, size_t *n_rows, const char *results,
                              const hrr_graph *of, const char *metric, hrr_error *err)
{
    groups all = {0};
    *rows = NULL;
    *n_rows = 0;
    const char *const *name = hrr_training_metrics();
    while (*name && !is(*name, metric))
        name++;
    if (!*name) return hrr_fail(err, HRR_EINVAL, "there is no metric '%.40s'", metric);
    hrr_status status = read_groups(&all, results, of, metric, err);
    if (status) goto done;
    for (size_t i = 0; i < all.n; i++)
        find_mean(&all.items[i]);
    if (all.n) qsort(all.items, all.n, sizeof *all.items, compare_groups);
    if ((status = run_tests(&all, err))) goto done;
    if (!(*rows = hrr_alloc(all.n, sizeof **rows))) {
        status = hrr_no_memory(err);
        goto done;
    }
    for (size_t i = 0; i < all.n; i++)
        (*rows)[i] = all.items[i].mean;
    *n_rows = all.n;
done:
    clear(&all);
    return status;
}
