/* protect_graph.c: turn a private graph into a bundle that may be published, and say what is
 * promised.
 *
 *     cc protect_graph.c $(pkg-config --cflags --libs heterorr) -o protect_graph
 *     ./protect_graph graph released
 *     ./protect_graph pairs.csv released nodes
 *
 * The graph has to say which edges are private: by a column "private" of an edge list, say. What
 * its format leaves open and the release would show has to be declared public: an edge list does
 * not list the nodes, so the second line declares that who is in the graph is no secret. The
 * program says what is missing. The budget is charged to the ledger before anything is drawn. Each
 * run draws and charges anew; set options.again to be given the release that is stored. */
#include <heterorr/heterorr.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The declarations that the words name: "nodes", "classes" and so on. */
static unsigned declared(char **words)
{
    const char *const *names = hrr_public_names();
    unsigned bits = 0;
    for (; *words; words++)
        for (int i = 0; names[i]; i++)
            if (strcmp(*words, names[i]) == 0) bits |= 1u << i;
    return bits;
}

static void print_missing(unsigned missing)
{
    const char *const *names = hrr_public_names();
    for (int i = 0; names[i]; i++)
        if (missing & 1u << i)
            fprintf(stderr, "add the word \"%s\" if this is public knowledge: %s\n", names[i],
                    hrr_public_reason(1u << i));
}

int main(int count, char **words)
{
    hrr_graph *graph = NULL;
    hrr_random *random = NULL;
    hrr_protect_options options;
    hrr_protect_summary summary;
    hrr_error err = {0};
    if (count < 3) {
        fprintf(stderr, "usage: protect_graph GRAPH BUNDLE [PUBLIC]...\n");
        return 2;
    }
    hrr_status status = hrr_graph_read(&graph, words[1], NULL, NULL, &err);
    hrr_protect_options_init(&options);
    options.declared_public = declared(words + 3);
    if (!status && hrr_graph_features(graph))
        options.features.eps_nano = 4 * HRR_EPS_UNIT; /* of one node's whole feature vector */
    if (!(options.declared_public & HRR_PUBLIC_EDGES))
        options.edges.eps_nano = 1 * HRR_EPS_UNIT; /* of one pair of nodes; public ones need none */
    options.features.mechanism = NULL; /* what measured best for such a graph; or a name: */
    options.edges.mechanism = NULL;    /* "featurerr" and "edgerr" are the paper's */
    options.with_ledger = true;
    options.limit_nano = 10 * HRR_EPS_UNIT;

    if (!status) hrr_protect_choose(&options, graph, hrr_usual_use(graph));
    if (!status) print_missing(hrr_public_refused(graph, &options));
    if (!status) status = hrr_random_new(&random, &err); /* keyed by the system, never by a seed */
    if (!status)
        status = hrr_protect(NULL, &summary, words[2], graph, &options, random, NULL, &err);
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
