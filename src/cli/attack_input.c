/* attack_input.c: models and graphs that are attacked. */
#include "cli/attack.h"
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <string.h>

static hrr_status read_graphs(cli_attack_input *out, const cli_attack_links_args *a,
                              hrr_progress *progress, hrr_error *err)
{
    if (!a->truth) {
        hrr_status status = cli_read_graph(&out->served, a->target.graph, &a->read, progress, err);
        out->truth = out->served;
        return status;
    }
    hrr_read_options plain;
    hrr_read_options_init(&plain);
    plain.threads = a->read.threads;
    hrr_status status = cli_read_graph(&out->served, a->target.graph, &plain, progress, err);
    return status ? status : cli_read_graph(&out->truth, a->truth, &a->read, progress, err);
}

hrr_status cli_attack_links_read(cli_attack_input *out, hrr_linkteller_options *options,
                                 const cli_attack_links_args *a, hrr_progress *progress,
                                 hrr_error *err)
{
    *out = (cli_attack_input){0};
    hrr_linkteller_options_init(options);
    cli_attack_pairs_read(options, &a->pairs, &a->service);
    options->runs = a->draws.runs;
    options->seed = a->draws.seed;
    options->threads = a->read.threads;
    hrr_status status = hrr_model_read(&out->model, a->target.model, err);
    if (!status) status = read_graphs(out, a, progress, err);
    if (!status && hrr_model_counts(out->model) && strcmp(a->counts, "ignore") != 0)
        status = cli_block_counts_read(&out->counts, a->target.graph, err);
    if (status) {
        cli_attack_input_clear(out);
        return status;
    }
    if (out->counts.counts.n_blocks) options->counts = &out->counts.counts;
    return HRR_OK;
}

void cli_attack_input_clear(cli_attack_input *input)
{
    if (input->truth != input->served) hrr_graph_free(input->truth);
    hrr_graph_free(input->served);
    hrr_model_free(input->model);
    cli_block_counts_clear(&input->counts);
    *input = (cli_attack_input){0};
}

void cli_attack_note_nodes(uint64_t asked, uint64_t n_nodes)
{
    if (n_nodes >= asked) return;
    cli_progress_erase();
    cli_note("the pool has only %s of the %s that were asked for; every sample has all of them",
             cli_grouped(n_nodes).text, cli_count(asked, "node", "nodes").text);
}

hrr_status cli_attack_need_split(hrr_graph *graph, uint64_t seed, hrr_error *err)
{
    if (hrr_graph_split(graph)) return HRR_OK;
    uint8_t *split = hrr_split_new(hrr_graph_n_nodes(graph), 0.5, 0.25, seed, err);
    if (!split) return err->status;
    hrr_status status = hrr_graph_take_split(graph, &split, err);
    if (status) hrr_free(split);
    return status;
}
