/* compare_mechanisms.c: see compare_mechanisms.h.
 *
 * public-only is always among the mechanisms: it is perfectly private and costs nothing, so what
 * does not come closer to the original than it does spends its budget for nothing, and that is
 * said in so many words. */
#include "cli/compare_mechanisms.h"
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/list.h"
#include "cli/number.h"
#include "cli/progress.h"

#include <heterorr/edge.h>

#include <stdlib.h>
#include <string.h>

const cli_option cli_mechanisms_options[] = {
    {.name = "mechanisms",
     .kind = CLI_TEXT,
     .argument = "A,B,..",
     .at = offsetof(cli_mechanisms_args, mechanisms),
     .help = "edge mechanisms to run on ORIGINAL; public-only is always added"},
    {.name = "eps-edges",
     .kind = CLI_TEXT,
     .argument = "E,..",
     .at = offsetof(cli_mechanisms_args, eps_edges),
     .help = "budgets of one pair"},
    {.name = "private-fractions",
     .kind = CLI_TEXT,
     .argument = "R,..",
     .at = offsetof(cli_mechanisms_args, private_fractions),
     .help = "shares of edges to mark as private, at random in each run; otherwise as the graph "
             "marks them"},
    {.name = "tree",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = hrr_edge_trees,
     .at = offsetof(cli_mechanisms_args, tree),
     .help = "the tree of edgerr"},
    {.name = "runs",
     .kind = CLI_U32,
     .argument = "N",
     .least = 1,
     .most = 100000,
     .at = offsetof(cli_mechanisms_args, runs),
     .help = "how often each is run, with fresh marks and noise"},
    {0},
};

void cli_mechanisms_args_init(cli_mechanisms_args *args)
{
    hrr_structure_sweep_options usual;
    hrr_structure_sweep_options_init(&usual);
    *args = (cli_mechanisms_args){.runs = usual.runs};
}

/* ---- lists ----------------------------------------------------------------------------------- */

typedef struct lists {
    char *mechanisms_text, *eps_text, *fractions_text;
    const char *mechanisms[CLI_MOST_ITEMS + 1];
    uint64_t eps[CLI_MOST_ITEMS];
    double fractions[CLI_MOST_ITEMS];
    int n_eps, n_fractions;
} lists;

static void clear_lists(lists *l)
{
    free(l->mechanisms_text);
    free(l->eps_text);
    free(l->fractions_text);
}

static hrr_status bad_list(const char *option, hrr_error *err)
{
    return hrr_fail(err, HRR_EINVAL, "--%s: name up to %d items, with a comma between two", option,
                    CLI_MOST_ITEMS - 1);
}

static hrr_status read_mechanisms(lists *l, const char *text, hrr_error *err)
{
    l->mechanisms_text = strdup(text);
    if (!l->mechanisms_text) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    int n = cli_split_list(l->mechanisms_text, l->mechanisms);
    if (n < 0) return bad_list("mechanisms", err);
    bool has_control = false;
    for (int i = 0; i < n; i++)
        has_control |= strcmp(l->mechanisms[i], "public-only") == 0;
    if (!has_control) l->mechanisms[n++] = "public-only";
    l->mechanisms[n] = NULL;
    return HRR_OK;
}

static hrr_status read_budgets(lists *l, const char *text, hrr_error *err)
{
    const char *items[CLI_MOST_ITEMS];
    if (!text) return HRR_OK;
    if (!(l->eps_text = strdup(text))) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    if ((l->n_eps = cli_split_list(l->eps_text, items)) < 0) return bad_list("eps-edges", err);
    hrr_status status = HRR_OK;
    for (int i = 0; i < l->n_eps && !status; i++)
        status = hrr_eps_parse(&l->eps[i], items[i], "--eps-edges", err);
    return status;
}

static hrr_status read_fractions(lists *l, const char *text, hrr_error *err)
{
    const char *items[CLI_MOST_ITEMS];
    if (!text) return HRR_OK;
    if (!(l->fractions_text = strdup(text))) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    if ((l->n_fractions = cli_split_list(l->fractions_text, items)) < 0)
        return bad_list("private-fractions", err);
    for (int i = 0; i < l->n_fractions; i++)
        if (!cli_read_real(items[i], &l->fractions[i]) || l->fractions[i] < 0 ||
            l->fractions[i] > 1)
            return hrr_fail(err, HRR_EINVAL,
                            "--private-fractions: '%.40s' is no number between 0 and 1", items[i]);
    return HRR_OK;
}

/* ---- what the file says ---------------------------------------------------------------------- */

/* One number for a row: the mean over hops 1.. of its RMS distances. */
static double distance(const hrr_structure_mean *mean)
{
    double sum = 0;
    for (int h = 1; h <= mean->hops; h++)
        sum += mean->rms[h];
    return mean->hops > 0 ? sum / mean->hops : 0;
}

static const hrr_structure_mean *control_of(const hrr_structure_mean *means, size_t n,
                                            const char *fraction)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(means[i].mechanism, "public-only") == 0 &&
            strcmp(means[i].private_fraction, fraction) == 0)
            return &means[i];
    return NULL;
}

static bool spends(const hrr_structure_mean *mean)
{
    return strcmp(mean->eps_edges, "0") != 0;
}

static const char *verdict(const hrr_structure_mean *mean, const hrr_structure_mean *control)
{
    if (!spends(mean) || !control) return "";
    return distance(mean) < distance(control) ? "closer than public-only"
                                              : "spends its budget for nothing";
}

/* Few private edges first, then the closest. */
static int compare_means(const void *a, const void *b)
{
    const hrr_structure_mean *x = a, *y = b;
    const double by_fraction = atof(x->private_fraction) - atof(y->private_fraction);
    const double by_distance = distance(x) - distance(y);
    if (by_fraction != 0) return by_fraction < 0 ? -1 : 1;
    return (by_distance > 0) - (by_distance < 0);
}

static void print_means(const hrr_structure_mean *means, size_t n, FILE *to)
{
    fprintf(to, "RMS distance of random-walk matrices, means over the runs (x 1000)\n");
    fprintf(to, "%-26s %6s %9s", "mechanism", "eps", "private");
    for (int h = 1; n > 0 && h <= means[0].hops; h++)
        fprintf(to, "   hop %d", h);
    fprintf(to, "  recall\n");
    for (size_t i = 0; i < n; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s%s", means[i].mechanism, *means[i].tree ? ", " : "",
                 means[i].tree);
        fprintf(to, "%-26s %6s %9s", name, means[i].eps_edges, means[i].private_fraction);
        for (int h = 1; h <= means[i].hops; h++)
            fprintf(to, " %7.4f", 1e3 * means[i].rms[h]);
        fprintf(to, " %7.4f  %s\n", means[i].private_recall,
                verdict(&means[i], control_of(means, n, means[i].private_fraction)));
    }
}

/* The plain sentence: who beats the control that costs nothing. */
static void print_sentence(const hrr_structure_mean *means, size_t n, FILE *to)
{
    size_t n_spending = 0, n_closer = 0;
    const hrr_structure_mean *best = NULL;
    for (size_t i = 0; i < n; i++) {
        const hrr_structure_mean *control = control_of(means, n, means[i].private_fraction);
        if (!spends(&means[i]) || !control) continue;
        n_spending++;
        n_closer += distance(&means[i]) < distance(control);
        if (!best || distance(&means[i]) / distance(control) <
                         distance(best) / distance(control_of(means, n, best->private_fraction)))
            best = &means[i];
    }
    if (!best) return;
    const double ratio = distance(best) / distance(control_of(means, n, best->private_fraction));
    fprintf(to,
            "%zu of %zu settings that spend a budget come closer to the original than public-only, "
            "which spends none; the best is %s at eps %s with %s of the edges private: %.3f times "
            "the distance of public-only\n",
            n_closer, n_spending, best->mechanism, best->eps_edges, best->private_fraction, ratio);
}

static json_t *means_json(const hrr_structure_mean *means, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *rms = json_array();
        for (int h = 0; h <= means[i].hops; h++)
            json_array_append_new(rms, json_real(means[i].rms[h]));
        const hrr_structure_mean *control = control_of(means, n, means[i].private_fraction);
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:s, s:i, s:o, s:o}", "mechanism", means[i].mechanism,
                            "tree", means[i].tree, "eps_edges", means[i].eps_edges,
                            "private_fraction", means[i].private_fraction, "runs",
                            (int)means[i].runs, "rms", rms, "closer_than_public_only",
                            spends(&means[i]) && control
                                ? json_boolean(distance(&means[i]) < distance(control))
                                : json_null()));
    }
    return list;
}

static hrr_status show(const char *results, cli_task *task, hrr_error *err)
{
    hrr_structure_mean *means;
    size_t n;
    hrr_status status = hrr_structure_means(&means, &n, results, err);
    if (status) return status;
    qsort(means, n, sizeof *means, compare_means);
    cli_progress_erase();
    if (task->json) {
        task->result = json_pack("{s:o, s:o}", "results", cli_json_text(results), "means",
                                 means_json(means, n));
        if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    } else {
        print_means(means, n, task->talk);
        print_sentence(means, n, task->talk);
        fprintf(task->talk, "every run is a row of %s\n", results);
    }
    hrr_free(means);
    return status;
}

/* ---- together -------------------------------------------------------------------------------- */

hrr_status cli_compare_mechanisms(const char *graph_path, const char *results,
                                  const hrr_read_options *read, const cli_mechanisms_args *args,
                                  int hops, uint64_t seed, cli_task *task, hrr_error *err)
{
    lists l = {0};
    hrr_graph *graph = NULL;
    hrr_structure_sweep_options sweep;
    hrr_structure_sweep_options_init(&sweep);
    hrr_status status = read_mechanisms(&l, args->mechanisms, err);
    if (!status) status = read_budgets(&l, args->eps_edges, err);
    if (!status) status = read_fractions(&l, args->private_fractions, err);
    if (!status) status = cli_read_graph(&graph, graph_path, read, task->progress, err);
    sweep.mechanisms = l.mechanisms;
    sweep.tree = args->tree;
    sweep.eps_edges_nano = l.eps;
    sweep.n_eps = (size_t)(l.n_eps > 0 ? l.n_eps : 0);
    sweep.private_fractions = l.fractions;
    sweep.n_fractions = (size_t)(l.n_fractions > 0 ? l.n_fractions : 0);
    sweep.runs = args->runs;
    sweep.hops = hops;
    sweep.seed = seed;
    sweep.threads = read->threads;
    if (!status) status = hrr_structure_sweep(results, graph, &sweep, task->progress, err);
    if (!status) status = show(results, task, err);
    hrr_graph_free(graph);
    clear_lists(&l);
    return status;
}
