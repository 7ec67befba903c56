/* cmd_attack_attributes.c: heterorr attack attributes: features guessed with the public edges, and
 * with all of them, as if the private ones had been found. */
#include "cli/attack.h"
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <heterorr/random.h>

#include <stdlib.h>

typedef struct attributes_args {
    cli_attack_subject subject;
    cli_common common;
    hrr_read_options read;
    cli_attack_draws draws;
    double known;
} attributes_args;

static void init(void *args)
{
    attributes_args *a = args;
    hrr_chain_options chain;
    hrr_chain_options_init(&chain);
    hrr_read_options_init(&a->read);
    cli_attack_draws_init(&a->draws);
    a->known = chain.known_fraction;
}

static const cli_option_set sets[] = {
    {"Attack", cli_attack_known_options, offsetof(attributes_args, known)},
    {NULL, cli_attack_seed_options, offsetof(attributes_args, draws)},
    {"Reading the graph", cli_graph_options, offsetof(attributes_args, read)},
    {"Options", cli_common_options, offsetof(attributes_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr attack attributes graph",
     "What do private edges add to what public edges reveal about features?"},
    {"heterorr attack attributes graph --known .1",
     "The same for an adversary who knows one node in ten."},
    {0},
};

static hrr_status infer(hrr_attribute_result *out, const hrr_graph *graph, hrr_edge_choice choice,
                        const uint8_t *known, const attributes_args *a, hrr_progress *progress,
                        hrr_error *err)
{
    hrr_attribute_options options;
    hrr_adjacency_options which;
    hrr_csr edges;
    hrr_adjacency_options_init(&which);
    which.edges = choice;
    hrr_attribute_options_init(&options);
    options.seed = a->draws.seed;
    options.threads = a->read.threads;
    hrr_status status = hrr_graph_adjacency(&edges, graph, &which, err);
    if (status) return status;
    status = hrr_attributes_infer(out, hrr_graph_features(graph), &edges, known, NULL, &options,
                                  progress, err);
    hrr_csr_clear(&edges);
    return status;
}

static json_t *quality_json(const hrr_attribute_quality *q)
{
    return json_pack("{s:o, s:o, s:o}", "r2", cli_json_real(q->r2), "cosine",
                     cli_json_real(q->cosine), "auc", cli_json_real(q->auc));
}

static json_t *result_json(const hrr_attribute_result results[2], double seconds)
{
    return json_pack("{s:I, s:I, s:o, s:{s:o, s:o}, s:{s:o, s:o}, s:f}", "known",
                     (json_int_t)results->n_known, "guessed", (json_int_t)results->n_targets,
                     "mean", quality_json(&results->mean), "public_edges", "propagation",
                     quality_json(&results[0].propagation), "regression",
                     quality_json(&results[0].regression), "all_edges", "propagation",
                     quality_json(&results[1].propagation), "regression",
                     quality_json(&results[1].regression), "seconds", seconds);
}

static void show_row(const char *edges, const char *how, const hrr_attribute_quality *q)
{
    printf("%-14s %-12s %9s %9s %9s\n", edges, how, cli_real(q->r2).text, cli_real(q->cosine).text,
           cli_real(q->auc).text);
}

static void show(const hrr_attribute_result results[2])
{
    printf("features of %s guessed from those of %s\n",
           cli_count(results->n_targets, "node", "nodes").text, cli_grouped(results->n_known).text);
    printf("%-14s %-12s %9s %9s %9s\n", "edges", "guess", "R2", "cosine", "AUC");
    show_row("", "the mean", &results->mean);
    for (int all = 0; all < 2; all++) {
        show_row(all ? "all" : "public", "propagation", &results[all].propagation);
        show_row(all ? "all" : "public", "regression", &results[all].regression);
    }
    printf("R2: 0 is no better than the mean. AUC: for features that are 0 or 1.\n");
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const attributes_args *a = args;
    hrr_attribute_result results[2];
    hrr_graph *graph = NULL;
    uint8_t *known = NULL;
    hrr_status status = cli_read_graph(&graph, a->subject.graph, &a->read, task->progress, err);
    if (status) return status;
    const uint64_t n = hrr_graph_n_nodes(graph);
    const double began = cli_clock();
    hrr_fast_random random;
    hrr_fast_init(&random, a->draws.seed, 0);
    if (!hrr_graph_features(graph)) {
        status = hrr_fail(err, HRR_EDATA, "%s has no features to guess", a->subject.graph);
        goto done;
    }
    if (!(known = malloc(n))) {
        status = hrr_fail(err, HRR_ENOMEM, "out of memory");
        goto done;
    }
    for (uint64_t v = 0; v < n; v++)
        known[v] = hrr_fast_uniform(&random) < a->known;
    for (int all = 0; all < 2 && !status; all++)
        status = infer(&results[all], graph, all ? HRR_EDGES_ALL : HRR_EDGES_PUBLIC, known, a,
                       task->progress, err);
    if (status) goto done;
    cli_progress_erase();
    if (!task->json)
        show(results);
    else if (!(task->result = result_json(results, cli_clock() - began)))
        status = hrr_fail(err, HRR_ENOMEM, "out of memory");
done:
    free(known);
    hrr_graph_free(graph);
    return status;
}

const cli_verb cli_verb_attack_attributes = {
    .name = "attack attributes",
    .summary = "find features, through the features of neighbours",
    .description = "Guesses the features of nodes from those of a known share of nodes, with the "
                   "public edges and with all edges, as if the private ones had been found. It "
                   "uses propagation over edges, and a regression on the features of neighbours. "
                   "The baseline is the mean of the known features, which needs no edges.",
    .examples = examples,
    .operands = cli_attack_subject_operands,
    .sets = sets,
    .args_size = sizeof(attributes_args),
    .init = init,
    .run = run,
};
