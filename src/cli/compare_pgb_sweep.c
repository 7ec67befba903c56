/* compare_pgb_sweep.c: heterorr compare structure --suite pgb --mechanisms ...: edge mechanisms
 * judged by PGB's queries, as rows of a results file, beside published values. */
#include "cli/compare_pgb.h"
#include "cli/graph_input.h"
#include "cli/lists.h"
#include "cli/pgb_table.h"
#include "cli/progress.h"

#include <heterorr/experiment.h>

static hrr_status show(const char *results, const char *published, cli_task *task, hrr_error *err)
{
    hrr_pgb_table table;
    hrr_status status = hrr_pgb_means(&table, results, published, err);
    if (status) return status;
    cli_progress_erase();
    if (!task->json)
        cli_pgb_table_print(&table, task->talk);
    else if (!(task->result = cli_pgb_table_json(&table)))
        status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    hrr_pgb_table_clear(&table);
    return status;
}

hrr_status cli_compare_pgb_sweep(const char *graph_path, const char *results, hrr_shard shard,
                                 const hrr_read_options *read, const char *mechanisms,
                                 const char *published, const cli_sweep_args *args, cli_task *task,
                                 hrr_error *err)
{
    cli_words words = {0};
    uint64_t eps[cli_most_items];
    hrr_graph *graph = NULL;
    hrr_pgb_sweep_options sweep;
    hrr_pgb_sweep_options_init(&sweep);
    hrr_status status = cli_words_read(&words, mechanisms, "mechanisms", err);
    if (!status) status = cli_read_budgets(eps, &sweep.n_eps, args->eps_edges, "eps-edges", err);
    if (!status) status = cli_read_graph(&graph, graph_path, read, task->progress, err);
    if (!status && published) status = hrr_pgb_published_check(published, graph, err);
    sweep.mechanisms = words.items;
    sweep.tree = args->tree;
    sweep.eps_edges_nano = eps;
    sweep.runs = args->runs;
    sweep.seed = args->seed;
    sweep.threads = read->threads;
    sweep.shard = shard;
    if (!status) status = hrr_pgb_sweep(results, graph, &sweep, task->progress, err);
    if (!status && !shard.number) status = show(results, published, task, err);
    hrr_graph_free(graph);
    cli_words_clear(&words);
    return status;
}
