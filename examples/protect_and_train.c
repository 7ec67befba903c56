/* protect_and_train.c: protect a graph in memory and train a network on what was released.
 *
 *     cc protect_and_train.c $(pkg-config --cflags --libs heterorr) -o protect_and_train
 *     ./protect_and_train graph
 *
 * The graph says which edges are private. Nothing is written but the charge in the ledger. */
#include <heterorr/heterorr.h>

#include <stdio.h>

int main(int count, char **words)
{
    hrr_graph *graph = NULL;
    hrr_random *random = NULL;
    hrr_release *release = NULL;
    hrr_model *model = NULL;
    hrr_protect_options options;
    hrr_protect_summary terms;
    hrr_train_options training;
    hrr_train_summary learnt;
    hrr_error err = {0};
    hrr_protect_options_init(&options);
    hrr_train_options_init(&training);
    options.features.eps_nano = 4 * HRR_EPS_UNIT; /* of one node's whole feature vector */
    options.edges.eps_nano = 1 * HRR_EPS_UNIT;    /* of one pair of nodes */
    options.features.mechanism = options.edges.mechanism = NULL; /* what measured best */
    options.with_ledger = true;
    hrr_status status = hrr_graph_read(&graph, count == 2 ? words[1] : "graph", NULL, NULL, &err);
    if (!status) hrr_protect_choose(&options, graph, HRR_FOR_LEARNING);
    if (!status) status = hrr_random_new(&random, &err);
    if (!status) status = hrr_protect(&release, &terms, NULL, graph, &options, random, NULL, &err);
    if (!status) status = hrr_model_train(&model, &learnt, release, &training, NULL, &err);
    puts(status ? err.message : terms.statement);
    if (!status) printf("test accuracy %.3f\n", learnt.parts[HRR_TEST].accuracy);
    hrr_model_free(model);
    hrr_release_free(release);
    hrr_random_free(random);
    hrr_graph_free(graph);
    return status ? 1 : 0;
}
