/* protect_args.c: the options of `heterorr protect`: names, kinds, help and defaults. */
#include "cli/protect_args.h"
#include "cli/graph_input.h"
#include "cli/mechanism_names.h"

#include <heterorr/experiment.h>

static const char *const *modes(void)
{
    static const char *const names[] = {"strict", "paper", NULL};
    return names;
}

const char *const *cli_protect_decodings(void)
{
    static const char *const names[] = {"midpoint", "paper", "unbiased", "posterior", "bins", NULL};
    return names;
}

static const char *const *count_ends(void)
{
    static const char *const names[] = {"1", "2", "needed", NULL};
    return names;
}

static const char *const *node_edges(void)
{
    static const char *const names[] = {"none", "sampled", NULL};
    return names;
}

void cli_protect_args_init(void *args)
{
    protect_args *a = args;
    hrr_read_options_init(&a->read);
    a->mode = modes()[0];
    a->bins = "auto";
    a->propagate = "auto";
    a->gamma = -1;
    a->tree_share = -1;
    a->node_edges = node_edges()[0];
}

const cli_option cli_protect_operands[] = {
    {.argument = "GRAPH",
     .kind = CLI_PATH,
     .required = true,
     .at = offsetof(protect_args, graph),
     .help = "a graph file, a graph directory, or the prefix of its files"},
    {0},
};

static const cli_option privacy_options[] = {
    {.name = "eps-features",
     .kind = CLI_TEXT,
     .argument = "E",
     .at = offsetof(protect_args, eps_features),
     .field = "features.eps_nano",
     .help = "the budget of one node's features; there is no default"},
    {.name = "eps-edges",
     .kind = CLI_TEXT,
     .argument = "E",
     .at = offsetof(protect_args, eps_edges),
     .field = "edges.eps_nano",
     .help = "the budget of one private candidate pair; without it, private edges are left out"},
    {.name = "eps-labels",
     .kind = CLI_TEXT,
     .argument = "E",
     .at = offsetof(protect_args, eps_labels),
     .field = "eps_labels_nano",
     .help = "the budget of one node's label; without it, labels are published unchanged"},
    {.name = "mode",
     .kind = CLI_CHOICE,
     .argument = "MODE",
     .choices = modes,
     .at = offsetof(protect_args, mode),
     .field = "paper_mode",
     .help = "strict proves every claim; paper decodes as published, and allows bounds and scores "
             "from the data, which is NOT PRIVATE"},
    {.name = "for",
     .kind = CLI_CHOICE,
     .argument = "USE",
     .choices = hrr_uses,
     .at = offsetof(protect_args, use),
     .help = "the purpose of the release, which decides what you do not name below; by default "
             "learning if nodes have features and labels, else structure"},
    {.name = "feature-mechanism",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = cli_feature_mechanisms,
     .at = offsetof(protect_args, feature_mechanism),
     .field = "features.mechanism",
     .help = "the mechanism that randomises features; by default the one that measured best for "
             "such a graph (docs/experiments.md), or featurerr in paper mode"},
    {.name = "edge-mechanism",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = cli_edge_mechanisms,
     .note = cli_edge_mechanisms_note,
     .at = offsetof(protect_args, edge_mechanism),
     .field = "edges.mechanism",
     .help = "the mechanism that replaces private edges. With a budget, the default is the one "
             "that measured best for such a graph, or edgerr in paper mode; without a budget it is "
             "public-only, which leaves private edges out. none keeps them, which is NOT PRIVATE"},
    {.name = "public",
     .kind = CLI_LIST,
     .argument = "LIST",
     .choices = hrr_public_names,
     .at = offsetof(protect_args, declared),
     .field = "declared_public",
     .help = "what you declare to be public knowledge, where the format leaves it open; protect "
             "names the declarations that it needs"},
    {.name = "not-private",
     .at = offsetof(protect_args, not_private),
     .field = "allow_undeclared",
     .help = "also make a release that is NOT PRIVATE because a declaration is missing; otherwise "
             "this is refused"},
    {.name = "insecure-seed",
     .kind = CLI_TEXT,
     .argument = "N",
     .at = offsetof(protect_args, insecure_seed),
     .help = "draw the same noise each time, for tests; NOT PRIVATE"},
    {0},
};

static const cli_option feature_options[] = {
    {.name = "bounds",
     .kind = CLI_PATH,
     .argument = "LO,HI|FILE",
     .at = offsetof(protect_args, bounds),
     .field = "features.lo features.hi bounds_from_data",
     .help = "the bounds of the features, which you declare to be public knowledge: LO,HI for all "
             "features, or an npy or csv file with one pair per feature; values outside are "
             "clipped. They are needed unless the format states them; inspect shows the ranges. "
             "data takes them from the data (paper mode)"},
    {.name = "scores",
     .kind = CLI_PATH,
     .argument = "SCORES.npz",
     .at = offsetof(protect_args, scores),
     .field = "features.theta",
     .help = "weights of the features, from heterorr scores; by default all are equal"},
    {.name = "gamma",
     .kind = CLI_REAL,
     .argument = "G",
     .low = 0,
     .high = 1,
     .at = offsetof(protect_args, gamma),
     .help = "weight importance (1) against sensitivity (0) again"},
    {.name = "bins",
     .kind = CLI_TEXT,
     .argument = "K|auto",
     .at = offsetof(protect_args, bins),
     .field = "features.n_bins",
     .help = "the number of bins of FeatureRR, 2 to 256"},
    {.name = "decode",
     .kind = CLI_CHOICE,
     .argument = "HOW",
     .choices = cli_protect_decodings,
     .at = offsetof(protect_args, decode),
     .field = "features.decoding",
     .help = "how a released bin is decoded; midpoint in strict mode, paper in paper mode"},
    {.name = "head",
     .kind = CLI_PATH,
     .argument = "HEAD.npz",
     .at = offsetof(protect_args, head),
     .field = "features.head",
     .help = "featurerr-head: the public head that maps a node's features to a class or labels "
             "(see heterorr head)"},
    {.name = "sampled",
     .kind = CLI_U32,
     .argument = "M",
     .at = offsetof(protect_args, sampled),
     .field = "features.n_sampled",
     .help = "the number of features that a node reports in sampled mechanisms; 0 chooses it"},
    {.name = "propagate",
     .kind = CLI_TEXT,
     .argument = "K|auto",
     .at = offsetof(protect_args, propagate),
     .field = "n_propagate",
     .help = "average the released features over released edges K times: this costs nothing, and "
             "reduces noise where neighbours are alike; auto: what measured best if no mechanism "
             "is named, otherwise 0"},
    {.name = "delta",
     .kind = CLI_REAL,
     .argument = "D",
     .low = 0,
     .high = 1,
     .at = offsetof(protect_args, delta),
     .field = "features.delta",
     .help = "the delta of gaussian"},
    {0},
};

static const cli_option edge_options[] = {
    {.name = "tree",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = cli_edge_trees,
     .note = cli_edge_trees_note,
     .at = offsetof(protect_args, tree),
     .field = "edges.tree",
     .help = "how edgerr builds its dendrogram"},
    {.name = "tree-share",
     .kind = CLI_REAL,
     .argument = "S",
     .low = 0,
     .high = 1,
     .at = offsetof(protect_args, tree_share),
     .field = "edges.tree_share",
     .help = "the share of the edge budget that the tree may spend; by default what measured best"},
    {.name = "tree-steps",
     .kind = CLI_U64,
     .argument = "N",
     .at = offsetof(protect_args, steps),
     .field = "edges.steps_per_node",
     .help = "the steps of the chain per node; 0 chooses them"},
    {.name = "blocks",
     .kind = CLI_PATH,
     .argument = "FILE.npy|predicted|communities",
     .at = offsetof(protect_args, blocks),
     .field = "edges.blocks edges.n_blocks blocks_from",
     .help = "edgerr-node: the public block of each node. FILE gives the blocks; predicted uses "
             "the class that a network predicts after training on the features and labels of this "
             "release and the public edges, at no cost; communities uses communities of the public "
             "edges. The default is predicted, or communities if there are no features or if nodes "
             "do not have exactly one class"},
    {.name = "count-ends",
     .kind = CLI_CHOICE,
     .argument = "WHICH",
     .choices = count_ends,
     .at = offsetof(protect_args, count_ends),
     .field = "edges.count_ends",
     .help =
         "edgerr-node: where a private edge is counted: one counts it at one of its ends, by a "
         "public coin; both at both ends, with twice the noise; needed at the end with the greater "
         "need, by a public rank. The default is needed with predicted blocks, otherwise both"},
    {.name = "node-edges",
     .kind = CLI_CHOICE,
     .argument = "WHICH",
     .choices = node_edges,
     .at = offsetof(protect_args, node_edges),
     .field = "edges.sample_edges",
     .help = "edgerr-node: release only counts beside the public edges, or also draw synthetic "
             "edges from them"},
    {.name = "shares",
     .kind = CLI_TEXT,
     .argument = "PART=W,..",
     .at = offsetof(protect_args, shares),
     .field = "edges.shares",
     .help = "edgerr-degrees: the weights by which its budget is divided, such as "
             "communities=20,triangles=5. Weights lie between 1 and 1000; only that of communities "
             "may be 0, for graphs whose node order does not reflect communities. The defaults are "
             "staircase=41, degrees=14, classes=9, triangles=9, closed=14, components=3 and "
             "communities=10"},
    {.name = "max-edges-out",
     .kind = CLI_U64,
     .argument = "N",
     .at = offsetof(protect_args, most_edges),
     .field = "edges.most_edges_out",
     .help = "refuse a mechanism that is expected to write more edges than this; 0 means a million "
             "or 50 per node, whichever is more"},
    {0},
};

static const cli_option ledger_options[] = {
    {.name = "ledger",
     .kind = CLI_PATH,
     .argument = "FILE|none",
     .at = offsetof(protect_args, ledger),
     .field = "ledger with_ledger",
     .help = "the ledger that is charged before anything is drawn; by default the ledger in your "
             "data directory, or none with an insecure seed (see heterorr ledger)"},
    {.name = "limit",
     .kind = CLI_TEXT,
     .argument = "E",
     .at = offsetof(protect_args, limit),
     .field = "limit_nano",
     .help = "refuse to spend more than this on the account, or on the same input, summed over all "
             "releases and all kinds of budget"},
    {.name = "account",
     .kind = CLI_TEXT,
     .argument = "NAME",
     .at = offsetof(protect_args, account),
     .field = "account",
     .help = "the account that is charged, such as patients-2024: all releases on an account add "
             "up, whichever version of the data they use. The certificate shows the name"},
    {.name = "again",
     .at = offsetof(protect_args, again),
     .field = "again",
     .help = "draw nothing and spend nothing: copy the earlier release of the graph with this "
             "name, these nodes and public edges, on this account and with these options. The copy "
             "is the same even if the private data have changed since; without --again, every run "
             "draws and charges again"},
    {0},
};

static const cli_option run_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_DIRECTORY,
     .argument = "BUNDLE",
     .required = true,
     .at = offsetof(protect_args, output),
     .help = "the directory to write"},
    {.name = "sign",
     .kind = CLI_PATH,
     .argument = "KEY",
     .at = offsetof(protect_args, sign),
     .field = "sign_with",
     .help = "sign the certificate with this private key (see heterorr keys), so that receivers "
             "can check who made the bundle"},
    {.name = "force",
     .at = offsetof(protect_args, force),
     .field = "replace",
     .help = "replace BUNDLE if it is a graph directory"},
    {.name = "issuer",
     .kind = CLI_TEXT,
     .argument = "TEXT",
     .at = offsetof(protect_args, issuer),
     .field = "issuer",
     .help = "for the certificate: who is responsible for the release"},
    {.name = "kept",
     .kind = CLI_TEXT,
     .argument = "TEXT",
     .at = offsetof(protect_args, kept),
     .field = "kept",
     .help = "for the certificate: how the raw data are stored, and who may see them"},
    {.name = "dry-run",
     .at = offsetof(protect_args, dry_run),
     .field = "dry_run",
     .help = "print what would be guaranteed and spent, what was spent before, and the time and "
             "memory needed; draw and write nothing. It refuses what the run would refuse, with "
             "the same message and exit code"},
    {0},
};

const cli_option_set cli_protect_sets[] = {
    {"Privacy", privacy_options, 0},
    {"Features", feature_options, 0},
    {"Directions of featurerr-projected", cli_directions_options,
     offsetof(protect_args, directions)},
    {"Edges", edge_options, 0},
    {"Ledger", ledger_options, 0},
    {"Reading the graph", cli_graph_options, offsetof(protect_args, read)},
    {NULL, cli_scratch_options, offsetof(protect_args, scratch)},
    {"Running", run_options, 0},
    {"Options", cli_common_options, offsetof(protect_args, common)},
    {0},
};
