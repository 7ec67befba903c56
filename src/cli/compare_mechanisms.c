/* compare_mechanisms.c: see compare_mechanisms.h.
 *
 * public-only is always among the mechanisms: it is perfectly private and costs nothing, so what
 * does not come closer to the original than it does spends its budget for nothing, and that is
 * said in so many words. */
#include "cli/compare_mechanisms.h"
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/lists.h"
#include "cli/progress.h"

#include <heterorr/edge.h>
#include <heterorr/feature.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const *mechanisms(void)
{
    enum { most_names = 64 };
    static const char *names[most_names]; /* the same whoever fills it in */
    size_t n = 0;
    for (const char *const *name = hrr_feature_mechanisms(); *name && n < most_names - 1; name++)
        names[n++] = *name;
    for (const char *const *name = hrr_edge_mechanisms(); *name && n < most_names - 1; name++)
        if (strcmp(*name, "none") != 0) names[n++] = *name; /* a feature mechanism has the name */
    return names;
}

const cli_option cli_mechanisms_options[] = {
    {.name = "mechanisms",
     .kind = CLI_LIST,
     .argument = "A,B,..",
     .choices = mechanisms,
     .at = offsetof(cli_mechanisms_args, mechanisms),
     .help =
         "what to run on GRAPH beside the controls, which are always added: one of features, one "
         "of edges, or one of each with + between them; with --structure of edges only. "
         "There are"},
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
     .help = "how often each is run, everything drawn afresh"},
    {0},
};

void cli_mechanisms_args_init(cli_mechanisms_args *args)
{
    hrr_structure_sweep_options usual;
    hrr_structure_sweep_options_init(&usual);
    *args = (cli_mechanisms_args){.runs = usual.runs};
}

/* The mechanisms with the control among them, which the words have room for. */
static hrr_status read_mechanisms(const char **list, cli_words *words, const char *text,
                                  hrr_error *err)
{
    bool has_control = false;
    hrr_status status = cli_words_read(words, text, "mechanisms", err);
    if (status) return status;
    for (size_t i = 0; i < words->n; i++) {
        list[i] = words->items[i];
        has_control |= strcmp(words->items[i], "public-only") == 0;
    }
    if (!has_control) list[words->n] = "public-only";
    list[words->n + !has_control] = NULL;
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
    const bool drawn = isdigit((unsigned char)best->private_fraction[0]); /* or "as marked" */
    fprintf(to,
            "%zu of %s a budget %s closer to the original than public-only, "
            "which spends none; the best is %s at eps %s with %s%s%s: %.3f times the distance of "
            "public-only\n",
            n_closer, cli_count(n_spending, "setting that spends", "settings that spend").text,
            hrr_plural(n_spending, "comes", "come"), best->mechanism, best->eps_edges,
            drawn ? "" : "private edges ", best->private_fraction,
            drawn ? " of the edges private" : "", ratio);
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
        task->result = json_pack("{s:o}", "means", means_json(means, n));
        if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    } else {
        print_means(means, n, task->talk);
        print_sentence(means, n, task->talk);
    }
    hrr_free(means);
    return status;
}

/* ---- together -------------------------------------------------------------------------------- */

hrr_status cli_compare_mechanisms(const char *graph_path, const char *results,
                                  const hrr_read_options *read, const cli_mechanisms_args *args,
                                  int hops, uint64_t seed, cli_task *task, hrr_error *err)
{
    cli_words words = {0};
    const char *mechanisms[cli_most_items + 2];
    uint64_t eps[cli_most_items];
    double fractions[cli_most_items];
    hrr_graph *graph = NULL;
    hrr_structure_sweep_options sweep;
    hrr_structure_sweep_options_init(&sweep);
    hrr_status status = read_mechanisms(mechanisms, &words, args->mechanisms, err);
    if (!status) status = cli_read_budgets(eps, &sweep.n_eps, args->eps_edges, "eps-edges", err);
    if (!status)
        status = cli_read_fractions(fractions, &sweep.n_fractions, args->private_fractions,
                                    "private-fractions", err);
    if (!status) status = cli_read_graph(&graph, graph_path, read, task->progress, err);
    sweep.mechanisms = mechanisms;
    sweep.tree = args->tree;
    sweep.eps_edges_nano = eps;
    sweep.private_fractions = fractions;
    sweep.runs = args->runs;
    sweep.hops = hops;
    sweep.seed = seed;
    sweep.threads = read->threads;
    if (!status) status = hrr_structure_sweep(results, graph, &sweep, task->progress, err);
    if (!status) status = show(results, task, err);
    hrr_graph_free(graph);
    cli_words_clear(&words);
    return status;
}
