/* protect_graph.c: turn a private graph into a bundle that may be published, and say what is
 * promised.
 *
 *     cc protect_graph.c $(pkg-config --cflags --libs heterorr) -o protect_graph
 *     ./protect_graph graph released
 *
 * The budget is charged to the ledger before anything is drawn; asked again for the same graph, the
 * program gets the stored release, at no cost. */
#include <heterorr/heterorr.h>

#include <inttypes.h>
#include <stdio.h>

int main(int count, char **words)
{
    hrr_graph *graph = NULL;
    hrr_random *random = NULL;
    hrr_protect_options options;
    hrr_protect_summary summary;
    hrr_error err = {0};
    if (count != 3) {
        fprintf(stderr, "usage: protect_graph GRAPH BUNDLE\n");
        return 2;
    }
    hrr_protect_options_init(&options);
    options.features.eps_nano = 4 * HRR_EPS_UNIT; /* of one node's whole feature vector */
    options.edges.mechanism = "edgerr";
    options.edges.eps_nano = 1 * HRR_EPS_UNIT; /* of one pair of nodes */
    options.with_ledger = true;
    options.limit_nano = 10 * HRR_EPS_UNIT;

    hrr_status status = hrr_graph_read(&graph, words[1], NULL, NULL, &err);
    if (!status) status = hrr_random_new(&random, &err); /* keyed by the system, never by a seed */
    if (!status) status = hrr_protect(&summary, words[2], graph, &options, random, NULL, &err);
    if (status)
        fprintf(stderr, "%s\n", err.message);
    else
        printf("%s\n%s\n%" PRIu64 " edges were released\n",
               summary.is_private ? "private" : "NOT PRIVATE", summary.statement,
               summary.edges_out);
    hrr_random_free(random);
    hrr_graph_free(graph);
    return status ? 1 : 0;
}
