/* attack_input.c: models and graphs that are attacked. */
#include "cli/attack.h"
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/message.h"
#include "cli/progress.h"

static hrr_status read_graphs(cli_attack_input *out, const cli_attack_links_args *a,
                              hrr_progress *progress, hrr_error *err)
{
    if (!a->truth) {
        hrr_status status =
            cli_release_read(&out->served, a->target.graph, &a->read, progress, err);
        if (!status) out->truth = hrr_release_graph(out->served.release);
        return status;
    }
    hrr_read_options plain;
    hrr_read_options_init(&plain);
    plain.threads = a->read.threads;
    hrr_status status = cli_release_read(&out->served, a->target.graph, &plain, progress, err);
    if (!status) status = cli_read_graph(&out->own_truth, a->truth, &a->read, progress, err);
    out->truth = out->own_truth;
    return status;
}

static hrr_status ask_remote(cli_attack_input *out, hrr_linkteller_options *options,
                             const cli_attack_links_args *a, hrr_progress *progress, hrr_error *err)
{
    hrr_status status =
        cli_attack_remote_open(&out->remote, &a->remote, a->target.model, options->returns,
                               hrr_release_graph(out->served.release), progress, err);
    if (status) return status;
    out->service = hrr_remote_service(out->remote);
    options->service = &out->service;
    options->returns = hrr_remote_returns(out->remote);
    return HRR_OK;
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
    options->ignore_counts = cli_ignores_counts(a->counts);
    hrr_status status = a->remote.url ? HRR_OK : hrr_model_read(&out->model, a->target.model, err);
    if (!status) status = read_graphs(out, a, progress, err);
    if (!status && out->model) {
        cli_progress_erase();
        cli_release_note_match(out->model, out->served.release);
    }
    if (!status && a->remote.url) status = ask_remote(out, options, a, progress, err);
    if (status) cli_attack_input_clear(out);
    return status;
}

void cli_attack_input_clear(cli_attack_input *input)
{
    hrr_graph_free(input->own_truth);
    cli_release_clear(&input->served);
    hrr_model_free(input->model);
    hrr_remote_free(input->remote);
    *input = (cli_attack_input){0};
}

void cli_attack_note_nodes(uint64_t asked, uint64_t n_nodes)
{
    if (n_nodes >= asked) return;
    cli_progress_erase();
    cli_note("the pool has only %s instead of the %s requested; every sample contains all of them",
             cli_grouped(n_nodes).text, cli_count(asked, "node", "nodes").text);
}

hrr_status cli_attack_need_split(hrr_graph *graph, uint64_t seed, hrr_error *err)
{
    if (hrr_graph_split(graph)) return HRR_OK;
    uint8_t *split =
        hrr_split_new(hrr_graph_n_nodes(graph), HRR_TRAIN_SHARE, HRR_VALID_SHARE, seed, err);
    if (!split) return err->status;
    hrr_status status = hrr_graph_take_split(graph, &split, err);
    if (status) hrr_free(split);
    return status;
}
