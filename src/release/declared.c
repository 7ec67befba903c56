/* declared.c: see declared.h.
 *
 * A format may leave open what a release shows: an edge list has no list of nodes, so a node that
 * only private rows name would tell of them; labels without a count of classes show which classes
 * occur. Whether that is public knowledge, no program can see. Without a declaration the release is
 * NOT PRIVATE and says why; where private edges may go out unnoticed it is refused. What was
 * declared stands in the certificate, so that a reader knows on whose word it rests.
 *
 * What is asked depends on the format, the options and which parts there are, never on private
 * values. */
#include "release/declared.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {"nodes",      "edges",  "classes",    "columns", "bounds",
                                    "directions", "blocks", "candidates", NULL};
enum { n_names = sizeof names / sizeof names[0] - 1 };

const char *const *hrr_public_names(void)
{
    return names;
}

static const char *const reasons[n_names] = {
    "the nodes are those that rows of the edge list name, private rows too",
    "no edge is marked private, and the edge list has columns that were not used",
    "the classes are those that the private labels name",
    "the number of features is as large as the private features need",
    "the bounds of the features were given, and no program can see what they were made from",
    "the directions may have been computed from the private features",
    "the blocks of the nodes may have been computed from the private edges",
    "the candidate set comes from a file that may have been made from the private edges",
};

/* What to do if it is not public. */
static const char *const ways_out[n_names] = {
    "use a format that lists the nodes",
    "mark the private ones (--private-column, --private-edges)",
    "use a format that states the classes",
    "use a format that states their number",
    "give others, from what anyone may know (--bounds LO,HI)",
    "compute them from a public sample",
    "predict them with a model trained on a release, or leave them out",
    "leave it out, so that all nodes are candidates",
};

const char *hrr_public_reason(unsigned bit)
{
    for (int i = 0; i < n_names; i++)
        if (bit == 1u << i) return reasons[i];
    return "";
}

static bool reads_private_edges(const char *mechanism)
{
    return strcmp(mechanism, "none") != 0 && strcmp(mechanism, "public-only") != 0;
}

unsigned hrr_public_needed(const hrr_graph *graph, const hrr_protect_options *options)
{
    const unsigned inferred = hrr_graph_inferred(graph);
    const hrr_dense *features = hrr_graph_features(graph);
    const bool protects_features =
        features && features->cols && strcmp(options->features.mechanism, "none") != 0;
    const bool marked = hrr_graph_is_private(graph) != NULL;
    unsigned needed = 0;
    const bool whole_graph = hrr_edge_takes_whole_graph(options->edges.mechanism);
    if (strcmp(options->edges.mechanism, "none") != 0) {
        if (!marked && !whole_graph && inferred & HRR_INFERRED_EDGES) needed |= HRR_PUBLIC_EDGES;
        if ((marked || whole_graph) && inferred & HRR_INFERRED_NODES) needed |= HRR_PUBLIC_NODES;
    }
    if (options->eps_labels_nano && inferred & HRR_INFERRED_CLASSES) needed |= HRR_PUBLIC_CLASSES;
    if (protects_features && inferred & HRR_INFERRED_COLUMNS) needed |= HRR_PUBLIC_COLUMNS;
    if (options->features.lo && features && hrr_feature_needs_bounds(options->features.mechanism))
        needed |= HRR_PUBLIC_BOUNDS;
    if (protects_features && (options->features.directions || options->features.projection))
        needed |= HRR_PUBLIC_DIRECTIONS;
    if (options->edges.blocks && strcmp(options->edges.mechanism, "edgerr-node") == 0)
        needed |= HRR_PUBLIC_BLOCKS;
    if (hrr_graph_candidates(graph) && reads_private_edges(options->edges.mechanism))
        needed |= HRR_PUBLIC_CANDIDATES;
    return needed;
}

unsigned hrr_public_declared(const hrr_protect_options *options)
{
    return options->declared_public | (options->features.lo ? HRR_PUBLIC_BOUNDS : 0);
}

void hrr_public_advice(char text[HRR_PUBLIC_ADVICE_SIZE], unsigned undeclared)
{
    char list[128] = "", why[800] = "";
    for (int i = 0; i < n_names; i++) {
        if (!(undeclared & 1u << i)) continue;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? "," : "",
                 names[i]);
        snprintf(why + strlen(why), sizeof why - strlen(why), "%s%s; if that is private, %s",
                 *why ? ". Also, " : "", reasons[i], ways_out[i]);
    }
    snprintf(text, HRR_PUBLIC_ADVICE_SIZE, "say --public %s if this is public knowledge: %s", list,
             why);
}

hrr_status hrr_public_check(const hrr_graph *graph, const hrr_protect_options *options,
                            hrr_error *err)
{
    /* Paper mode asks for what is NOT PRIVATE; that a column may mean "private" is still said. */
    const bool all = options->refuse_undeclared && !options->paper_mode;
    const unsigned refused = all ? ~0u : HRR_PUBLIC_EDGES;
    const unsigned missing =
        hrr_public_needed(graph, options) & ~hrr_public_declared(options) & refused;
    char advice[HRR_PUBLIC_ADVICE_SIZE];
    if (!missing) return HRR_OK;
    hrr_public_advice(advice, missing);
    return hrr_fail(err, HRR_EINVAL, "nothing was spent: %s%s", advice,
                    missing & HRR_PUBLIC_EDGES
                        ? ""
                        : ". To have a release that is NOT PRIVATE all the same: --not-private");
}
