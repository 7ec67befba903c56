/* compare_mechanisms.c: see compare_mechanisms.h.
 *
 * public-only is always among the mechanisms: it is perfectly private and costs nothing, and what a
 * budget buys is judged against it, statistic by statistic. */
#include "cli/compare_mechanisms.h"
#include "cli/graph_input.h"
#include "cli/lists.h"
#include "cli/progress.h"
#include "cli/structure_table.h"

#include <heterorr/experiment.h>

#include <string.h>

/* The mechanisms with the control among them, which the words have room for. */
static hrr_status read_mechanisms(const char **list, cli_words *words, const char *text,
                                  hrr_error *err)
{
    const hrr_edge_mechanism *const control = hrr_edge_mechanism_with(HRR_EFFECT_LEAVE_OUT);
    bool has_control = false;
    hrr_status status = cli_words_read(words, text, "mechanisms", err);
    if (status) return status;
    for (size_t i = 0; i < words->n; i++) {
        list[i] = words->items[i];
        has_control |= hrr_edge_mechanism_find(words->items[i]) == control;
    }
    if (!has_control) list[words->n] = control->name;
    list[words->n + !has_control] = NULL;
    return HRR_OK;
}

/* ---- together -------------------------------------------------------------------------------- */

static hrr_status show(const char *results, cli_task *task, hrr_error *err)
{
    hrr_structure_mean *means;
    size_t n;
    hrr_status status = hrr_structure_means(&means, &n, results, err);
    if (status) return status;
    cli_progress_erase();
    if (task->json) {
        task->result = json_pack("{s:o}", "means", cli_structure_json(means, n));
        if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    } else {
        cli_structure_print(means, n, task->talk);
    }
    hrr_free(means);
    return status;
}

hrr_status cli_compare_mechanisms(const char *graph_path, const char *results, hrr_shard shard,
                                  const hrr_read_options *read, const char *mechanisms,
                                  const cli_sweep_args *args, int hops, cli_task *task,
                                  hrr_error *err)
{
    cli_words words = {0};
    const char *list[cli_most_items + 2];
    uint64_t eps[cli_most_items];
    double fractions[cli_most_items];
    hrr_graph *graph = NULL;
    hrr_structure_sweep_options sweep;
    hrr_structure_sweep_options_init(&sweep);
    hrr_status status = read_mechanisms(list, &words, mechanisms, err);
    if (!status) status = cli_read_budgets(eps, &sweep.n_eps, args->eps_edges, "eps-edges", err);
    if (!status)
        status = cli_read_fractions(fractions, &sweep.n_fractions, args->private_fractions,
                                    "private-fractions", err);
    if (!status) status = cli_read_graph(&graph, graph_path, read, task->progress, err);
    sweep.mechanisms = list;
    sweep.tree = args->tree;
    sweep.eps_edges_nano = eps;
    sweep.private_fractions = fractions;
    sweep.runs = args->runs;
    sweep.hops = hops;
    sweep.seed = args->seed;
    sweep.threads = read->threads;
    sweep.shard = shard;
    if (!status) status = hrr_structure_sweep(results, graph, &sweep, task->progress, err);
    if (!status && !shard.number) status = show(results, task, err);
    hrr_graph_free(graph);
    cli_words_clear(&words);
    return status;
}
