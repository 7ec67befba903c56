/* declared.c: see declared.h.
 *
 * A format may leave open what a release shows: an edge list has no list of nodes, so a node that
 * only private rows name would tell of them; labels without a count of classes show which classes
 * occur; most formats do not say which edges are private. Whether that is public knowledge, no
 * program can see. Without a declaration the release is refused, or, if that is asked for, NOT
 * PRIVATE, and says why; edges that nobody decided about are refused in any case. What was declared
 * stands in the certificate, so that a reader knows on whose word it rests.
 *
 * What is asked depends on the format, the options and which parts there are, never on private
 * values. */
#include "release/declared.h"
#include "feature/traits.h"
#include "edge/traits.h"

#include <stdio.h>
#include <string.h>

unsigned hrr_public_needed(const hrr_graph *graph, const hrr_protect_options *options)
{
    const unsigned inferred = hrr_graph_inferred(graph);
    const hrr_dense *features = hrr_graph_features(graph);
    const hrr_feature_mechanism *of_features = hrr_feature_traits(options->features.mechanism);
    const hrr_edge_mechanism *of_edges = hrr_edge_traits(options->edges.mechanism);
    const bool protects_features =
        features && features->cols && of_features->effect != HRR_EFFECT_KEEP;
    const hrr_marking marking = hrr_graph_marking(graph);
    unsigned needed = 0;
    if (of_edges->effect != HRR_EFFECT_KEEP) {
        if (marking == HRR_UNDECIDED && !of_edges->whole_graph) needed |= HRR_PUBLIC_EDGES;
        if ((marking == HRR_MARKED || of_edges->whole_graph) && inferred & HRR_INFERRED_NODES)
            needed |= HRR_PUBLIC_NODES;
    }
    if (options->eps_labels_nano && inferred & HRR_INFERRED_CLASSES) needed |= HRR_PUBLIC_CLASSES;
    if (protects_features && inferred & HRR_INFERRED_COLUMNS) needed |= HRR_PUBLIC_COLUMNS;
    if (options->features.lo && features && of_features->needs_bounds) needed |= HRR_PUBLIC_BOUNDS;
    if (protects_features && (options->features.directions || options->features.projection))
        needed |= HRR_PUBLIC_DIRECTIONS;
    if (protects_features && options->features.head) needed |= HRR_PUBLIC_HEAD;
    if (options->blocks_from == HRR_BLOCKS_GIVEN) needed |= HRR_PUBLIC_BLOCKS;
    if (hrr_graph_candidates(graph) && of_edges->effect == HRR_EFFECT_PROTECT)
        needed |= HRR_PUBLIC_CANDIDATES;
    return needed;
}

unsigned hrr_public_declared(const hrr_protect_options *options)
{
    return options->declared_public | (options->features.lo ? HRR_PUBLIC_BOUNDS : 0);
}

unsigned hrr_public_undeclared(const hrr_graph *graph, const hrr_protect_options *options)
{
    return hrr_public_needed(graph, options) & ~hrr_public_declared(options);
}

unsigned hrr_public_refused(const hrr_graph *graph, const hrr_protect_options *options)
{
    /* Paper mode asks for what is NOT PRIVATE; nobody asks to publish edges by oversight. */
    const bool some = options->allow_undeclared || options->paper_mode;
    return hrr_public_undeclared(graph, options) & (some ? HRR_PUBLIC_EDGES : ~0u);
}

static hrr_status refuse_undecided(hrr_error *err)
{
    return hrr_fail(err, HRR_EINVAL,
                    "nothing was spent: the input does not say which edges are private. Mark "
                    "private edges (hrr_graph_mark_edges(), hrr_graph_choose_mark()), make all "
                    "edges private (hrr_graph_mark_all()), or set HRR_PUBLIC_EDGES in "
                    "`declared_public` if every edge is public");
}

hrr_status hrr_public_check(const hrr_graph *graph, const hrr_protect_options *options,
                            hrr_error *err)
{
    static const char *const bits[] = {
        "HRR_PUBLIC_NODES",   "HRR_PUBLIC_EDGES",      "HRR_PUBLIC_CLASSES",
        "HRR_PUBLIC_COLUMNS", "HRR_PUBLIC_BOUNDS",     "HRR_PUBLIC_DIRECTIONS",
        "HRR_PUBLIC_BLOCKS",  "HRR_PUBLIC_CANDIDATES", "HRR_PUBLIC_HEAD",
    };
    const unsigned refused = hrr_public_refused(graph, options);
    char list[200] = "", why[600] = "";
    if (options->declared_public & HRR_PUBLIC_EDGES && hrr_graph_marking(graph) == HRR_MARKED)
        return hrr_fail(err, HRR_EINVAL,
                        "nothing was spent: `declared_public` has HRR_PUBLIC_EDGES, but the graph "
                        "has private marks; hrr_graph_mark_none() removes them");
    if (refused & HRR_PUBLIC_EDGES) return refuse_undecided(err);
    if (!refused) return HRR_OK;
    for (int i = 0; i < (int)(sizeof bits / sizeof *bits); i++) {
        if (!(refused & 1u << i)) continue;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? " | " : "",
                 bits[i]);
        snprintf(why + strlen(why), sizeof why - strlen(why), "%s%s", *why ? "; " : "",
                 hrr_public_reason(1u << i));
    }
    return hrr_fail(err, HRR_EINVAL,
                    "nothing was spent: `declared_public` lacks %s: %s. Set it if this is public "
                    "knowledge; `allow_undeclared` makes a release that is NOT PRIVATE",
                    list, why);
}
