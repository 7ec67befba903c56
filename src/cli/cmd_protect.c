/* cmd_protect.c: heterorr protect: from a private graph to a bundle that may be published. The
 * library does the work; here words become options, and the summary is shown. */
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/number.h"
#include "cli/progress.h"
#include "cli/public_blocks.h"
#include "cli/public_bounds.h"
#include "cli/public_directions.h"
#include "cli/scores_file.h"

#include <heterorr/release.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct protect_args {
    cli_common common;
    hrr_read_options read;
    const char *graph, *output;
    const char *eps_features, *eps_edges, *eps_labels;
    const char *mode, *feature_mechanism, *edge_mechanism, *decode;
    const char *tree, *ledger, *limit, *blocks, *node_edges;
    const char *scores, *bins, *bounds, *insecure_seed, *declared;
    cli_directions_words directions;
    double gamma; /* negative: as the scores have it */
    double delta;
    double tree_share; /* negative: as the tree has it */
    uint64_t steps, most_edges;
    uint32_t sampled, propagate;
    int count_ends;
    bool force, dry_run, not_private, fresh;
} protect_args;

static const char *const *modes(void)
{
    static const char *const names[] = {"strict", "paper", NULL};
    return names;
}

static const char *const *decodings(void) /* in the order of hrr_decoding */
{
    static const char *const names[] = {"midpoint", "paper", "unbiased", "posterior", "bins", NULL};
    return names;
}

static const char *const *node_edges(void)
{
    static const char *const names[] = {"none", "sampled", NULL};
    return names;
}

static void init(void *args)
{
    protect_args *a = args;
    hrr_protect_options defaults;
    hrr_protect_options_init(&defaults);
    hrr_read_options_init(&a->read);
    a->mode = modes()[0];
    a->feature_mechanism = defaults.features.mechanism;
    a->bins = "auto";
    a->bounds = "0,1";
    a->gamma = -1;
    a->tree_share = -1;
    a->node_edges = node_edges()[0];
    a->count_ends = 2;
}

static const cli_option operands[] = {
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
     .help = "the budget of one node's features; there is no default"},
    {.name = "eps-edges",
     .kind = CLI_TEXT,
     .argument = "E",
     .at = offsetof(protect_args, eps_edges),
     .help = "the budget of one private candidate pair; without it private edges are left out"},
    {.name = "eps-labels",
     .kind = CLI_TEXT,
     .argument = "E",
     .at = offsetof(protect_args, eps_labels),
     .help = "the budget of one node's label; without it labels stay as they are"},
    {.name = "mode",
     .kind = CLI_CHOICE,
     .argument = "MODE",
     .choices = modes,
     .at = offsetof(protect_args, mode),
     .help = "strict proves every claim; paper decodes as published, and allows bounds and scores "
             "from the data, which is NOT PRIVATE"},
    {.name = "feature-mechanism",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = hrr_feature_mechanisms,
     .at = offsetof(protect_args, feature_mechanism),
     .help = "what randomises features"},
    {.name = "edge-mechanism",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = hrr_edge_mechanisms,
     .at = offsetof(protect_args, edge_mechanism),
     .help = "what takes the place of private edges: edgerr with a budget, public-only (they are "
             "left out) without; none keeps them, which is NOT PRIVATE"},
    {.name = "public",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .at = offsetof(protect_args, declared),
     .help = "what you declare to be public knowledge, where the format leaves it open: nodes, "
             "edges, classes, columns, bounds, directions, blocks, candidates; protect says what "
             "it needs"},
    {.name = "not-private",
     .at = offsetof(protect_args, not_private),
     .help = "release also what is NOT PRIVATE for want of a declaration, which is refused "
             "otherwise"},
    {.name = "insecure-seed",
     .kind = CLI_TEXT,
     .argument = "N",
     .at = offsetof(protect_args, insecure_seed),
     .help = "draw the same noise again, for tests; NOT PRIVATE"},
    {0},
};

static const cli_option feature_options[] = {
    {.name = "bounds",
     .kind = CLI_PATH,
     .argument = "LO,HI|FILE",
     .at = offsetof(protect_args, bounds),
     .help = "public bounds of the features: for all, or an npy or csv file with a pair for each; "
             "values outside are clipped; data takes them from the data (paper mode)"},
    {.name = "scores",
     .kind = CLI_PATH,
     .argument = "SCORES.npz",
     .at = offsetof(protect_args, scores),
     .help = "weights of the features, from heterorr scores; otherwise all are equal"},
    {.name = "gamma",
     .kind = CLI_REAL,
     .argument = "G",
     .low = 0,
     .high = 1,
     .at = offsetof(protect_args, gamma),
     .help = "weigh importance (1) against sensitivity (0) anew"},
    {.name = "bins",
     .kind = CLI_TEXT,
     .argument = "K|auto",
     .at = offsetof(protect_args, bins),
     .help = "how many bins FeatureRR has, 2 to 256"},
    {.name = "decode",
     .kind = CLI_CHOICE,
     .argument = "HOW",
     .choices = decodings,
     .at = offsetof(protect_args, decode),
     .help = "what a released bin becomes; midpoint in strict mode, paper in paper mode"},
    {.name = "sampled",
     .kind = CLI_U32,
     .argument = "M",
     .at = offsetof(protect_args, sampled),
     .help = "features that a node answers in sampled mechanisms; 0 chooses"},
    {.name = "propagate",
     .kind = CLI_U32,
     .argument = "K",
     .at = offsetof(protect_args, propagate),
     .help = "average the released features over released edges K times: free, and less noisy "
             "where neighbours are alike"},
    {.name = "delta",
     .kind = CLI_REAL,
     .argument = "D",
     .low = 0,
     .high = 1,
     .at = offsetof(protect_args, delta),
     .help = "the delta of gaussian"},
    {0},
};

static const cli_option edge_options[] = {
    {.name = "tree",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = hrr_edge_trees,
     .at = offsetof(protect_args, tree),
     .help = "how edgerr finds its dendrogram: public uses public edges alone; select, barker and "
             "quotient spend a share of the budget; uniform uses none; paper and single are as "
             "published, not certified"},
    {.name = "tree-share",
     .kind = CLI_REAL,
     .argument = "S",
     .low = 0,
     .high = 1,
     .at = offsetof(protect_args, tree_share),
     .help = "the share of the edge budget that the tree may spend; otherwise what measured best"},
    {.name = "tree-steps",
     .kind = CLI_U64,
     .argument = "N",
     .at = offsetof(protect_args, steps),
     .help = "steps of the chain for each node; 0 chooses"},
    {.name = "blocks",
     .kind = CLI_PATH,
     .argument = "FILE.npy|predicted|communities",
     .at = offsetof(protect_args, blocks),
     .help =
         "edgerr-node: the public block of each node, from a file; its class, as predicted by a "
         "network that is trained on the features and labels of this release and the public "
         "edges, at no cost; or communities of the public edges. Otherwise predicted, or "
         "communities if there are no features, or not one unprotected class a node"},
    {.name = "count-ends",
     .kind = CLI_INT,
     .argument = "1|2",
     .least = 1,
     .most = 2,
     .at = offsetof(protect_args, count_ends),
     .help = "edgerr-node: count a private edge at one of its ends or at both"},
    {.name = "node-edges",
     .kind = CLI_CHOICE,
     .argument = "WHICH",
     .choices = node_edges,
     .at = offsetof(protect_args, node_edges),
     .help = "edgerr-node: release counts beside the public edges only, or draw synthetic edges "
             "from them as well"},
    {.name = "max-edges-out",
     .kind = CLI_U64,
     .argument = "N",
     .at = offsetof(protect_args, most_edges),
     .help = "refuse a mechanism that is expected to write more edges; 0: what fits memory"},
    {0},
};

static const cli_option ledger_options[] = {
    {.name = "ledger",
     .kind = CLI_PATH,
     .argument = "FILE|none",
     .at = offsetof(protect_args, ledger),
     .help = "where the budget is charged before anything is drawn; otherwise the ledger in your "
             "data directory, and none for an insecure seed (see heterorr ledger)"},
    {.name = "limit",
     .kind = CLI_TEXT,
     .argument = "E",
     .at = offsetof(protect_args, limit),
     .help = "refuse to spend more than this on the same input, all releases and all kinds of "
             "budget added up"},
    {.name = "fresh",
     .at = offsetof(protect_args, fresh),
     .help = "draw and pay again, even if the ledger knows a release for the same input and the "
             "same options; otherwise that one is given out again at no cost"},
    {0},
};

static const cli_option run_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_DIRECTORY,
     .argument = "BUNDLE",
     .required = true,
     .at = offsetof(protect_args, output),
     .help = "the directory to make"},
    {.name = "force",
     .at = offsetof(protect_args, force),
     .help = "replace BUNDLE if it is a graph directory"},
    {.name = "dry-run",
     .at = offsetof(protect_args, dry_run),
     .help = "say what would be promised and spent, what was spent before, and what time and "
             "memory it would take; draw and write nothing"},
    {0},
};

static const cli_option_set sets[] = {
    {"Privacy", privacy_options, 0},
    {"Features", feature_options, 0},
    {"Directions of featurerr-projected", cli_directions_options,
     offsetof(protect_args, directions)},
    {"Edges", edge_options, 0},
    {"Ledger", ledger_options, 0},
    {"Reading the graph", cli_graph_options, offsetof(protect_args, read)},
    {"Running", run_options, 0},
    {"Options", cli_common_options, offsetof(protect_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr protect graph -o bundle --eps-features 2",
     "Randomise features with budget 2 a node; private edges are left out."},
    {"heterorr protect graph -o bundle --eps-features 2 --eps-edges 1",
     "Private edges too: synthetic ones take their place."},
    {"heterorr protect cora.npz -o bundle --eps-features 4 --feature-mechanism multibit",
     "Another mechanism."},
    {"heterorr protect graph -o bundle --eps-features 1 --eps-labels 1 --scores s.npz",
     "Labels too, and more budget for features that matter."},
    {"heterorr protect graph -o bundle --eps-features 1 --feature-mechanism featurerr-projected "
     "--directions pca:4 --public-sample sample.npy --public directions",
     "Spend the budget on the four directions in which a public sample varies most."},
    {"heterorr protect graph -o bundle --eps-features 4 --eps-edges 2 --edge-mechanism edgerr-node",
     "Count private neighbours by predicted class; train knows how to use that."},
    {0},
};

/* ---- words to options ------------------------------------------------------------------------ */

/* Everything that the options point at. */
typedef struct inputs {
    cli_bounds bounds;
    cli_scores scores;
    cli_directions directions;
    uint32_t *blocks;
} inputs;

static void clear_inputs(inputs *in)
{
    cli_bounds_clear(&in->bounds);
    cli_scores_clear(&in->scores);
    cli_directions_clear(&in->directions);
    free(in->blocks);
}

static bool spends_nothing(const char *mechanism)
{
    return strcmp(mechanism, "none") == 0 || strcmp(mechanism, "featfree") == 0;
}

static hrr_status read_eps(hrr_protect_options *out, const protect_args *a, hrr_error *err)
{
    hrr_status status = HRR_OK;
    if (a->eps_features && spends_nothing(a->feature_mechanism))
        return hrr_fail(err, HRR_EINVAL,
                        "--feature-mechanism %s spends no budget; leave --eps-features out",
                        a->feature_mechanism);
    if (a->eps_features)
        status = hrr_eps_parse(&out->features.eps_nano, a->eps_features, "--eps-features", err);
    if (!status && a->eps_edges)
        status = hrr_eps_parse(&out->edges.eps_nano, a->eps_edges, "--eps-edges", err);
    if (!status && a->eps_labels)
        status = hrr_eps_parse(&out->eps_labels_nano, a->eps_labels, "--eps-labels", err);
    return status;
}

/* "nodes,edges" to bits. */
static hrr_status read_declared(unsigned *bits, const char *list, hrr_error *err)
{
    for (const char *at = list; at;) {
        size_t length = strcspn(at, ",");
        int i = 0;
        while (hrr_public_names()[i] && (strlen(hrr_public_names()[i]) != length ||
                                         strncmp(hrr_public_names()[i], at, length) != 0))
            i++;
        if (!hrr_public_names()[i])
            return hrr_fail(err, HRR_EINVAL,
                            "--public: there is no '%.*s'; choose of nodes, edges, classes, "
                            "columns, bounds, directions, blocks, candidates",
                            length < 40 ? (int)length : 40, at);
        *bits |= 1u << i;
        at = at[length] ? at + length + 1 : NULL;
    }
    return HRR_OK;
}

static hrr_status read_ledger_words(hrr_protect_options *out, const protect_args *a, hrr_error *err)
{
    const bool none = a->ledger && strcmp(a->ledger, "none") == 0;
    out->refuse_undeclared = !a->not_private && !a->dry_run && !a->insecure_seed;
    out->with_ledger = !none && (a->ledger || a->limit || !a->insecure_seed);
    out->ledger = none ? NULL : a->ledger;
    out->fresh = a->fresh;
    if (none && a->limit)
        return hrr_fail(err, HRR_EINVAL, "--limit needs a ledger to know what was spent before");
    return a->limit ? hrr_eps_parse(&out->limit_nano, a->limit, "--limit", err) : HRR_OK;
}

/* A budget asks for edgerr, and paper mode for the paper's tree, unless something else is named. */
static hrr_status read_edge_words(hrr_edge_options *out, const protect_args *a, hrr_error *err)
{
    const bool paper = strcmp(a->mode, "paper") == 0;
    out->mechanism = a->edge_mechanism ? a->edge_mechanism
                     : a->eps_edges    ? "edgerr"
                                       : "public-only";
    const bool is_floor =
        strcmp(out->mechanism, "public-only") == 0 || strcmp(out->mechanism, "none") == 0;
    if (a->eps_edges && is_floor)
        return hrr_fail(err, HRR_EINVAL,
                        "--edge-mechanism %s spends no budget; leave --eps-edges out",
                        out->mechanism);
    if (!a->eps_edges && !is_floor)
        return hrr_fail(err, HRR_EINVAL,
                        "--eps-edges E is missing: name the privacy budget of one private pair, "
                        "such as 1 (stronger) or 4 (weaker); there is no default");
    const bool has_tree = strcmp(out->mechanism, "edgerr") == 0;
    if (!has_tree && (a->tree || a->tree_share >= 0))
        return hrr_fail(err, HRR_EINVAL, "--tree and --tree-share are for edgerr, not for %s",
                        out->mechanism);
    if (strcmp(out->mechanism, "edgerr-node") == 0) {
        out->count_ends = a->count_ends;
        out->sample_edges = strcmp(a->node_edges, "sampled") == 0;
    } else if (a->blocks) {
        return hrr_fail(err, HRR_EINVAL, "--blocks is for edgerr-node, not for %s", out->mechanism);
    }
    out->tree = a->tree ? a->tree : has_tree && paper ? "paper" : NULL;
    out->tree_share = a->tree_share;
    out->steps_per_node = a->steps;
    out->most_edges_out = a->most_edges;
    return HRR_OK;
}

static hrr_status read_words(hrr_protect_options *out, const protect_args *a, hrr_error *err)
{
    hrr_protect_options_init(out);
    out->paper_mode = strcmp(a->mode, "paper") == 0;
    out->replace = a->force;
    out->threads = a->read.threads;
    out->n_propagate = a->propagate;
    hrr_feature_options *features = &out->features;
    features->mechanism = a->feature_mechanism;
    features->delta = a->delta;
    features->n_sampled = a->sampled;
    features->decoding = out->paper_mode ? HRR_DECODE_PAPER : HRR_DECODE_MIDPOINT;
    for (int i = 0; a->decode && decodings()[i]; i++)
        if (strcmp(a->decode, decodings()[i]) == 0) features->decoding = (hrr_decoding)i;
    uint64_t bins = 0;
    if (strcmp(a->bins, "auto") != 0 && (!cli_read_count(a->bins, &bins) || bins < 2 || bins > 256))
        return hrr_fail(err, HRR_EINVAL, "--bins: '%.40s' is neither auto nor from 2 to 256",
                        a->bins);
    features->n_bins = (uint32_t)bins;
    if (a->gamma >= 0 && !a->scores)
        return hrr_fail(err, HRR_EINVAL, "--gamma weighs the scores anew; it needs --scores");
    hrr_status status = read_declared(&out->declared_public, a->declared, err);
    if (!status) status = cli_directions_check(&a->directions, err);
    if (!status) status = read_eps(out, a, err);
    if (!status) status = read_ledger_words(out, a, err);
    return status ? status : read_edge_words(&out->edges, a, err);
}

/* Predicted classes beat communities wherever both were measured (docs/mechanisms/edgerr-node.md),
 * if labels are not protected. */
static hrr_status choose_blocks(hrr_protect_options *out, inputs *in, const protect_args *a,
                                const hrr_graph *graph, hrr_error *err)
{
    const char *blocks = a->blocks;
    if (!blocks)
        blocks = !a->eps_labels && cli_blocks_can_predict(graph) ? "predicted" : "communities";
    if (strcmp(blocks, "predicted") == 0) return cli_blocks_predict(&out->blocks_from, graph, err);
    if (strcmp(blocks, "communities") == 0) return HRR_OK;
    return cli_blocks_read(&in->blocks, &out->edges.n_blocks, blocks, hrr_graph_n_nodes(graph),
                           err);
}

/* What needs the number of features. */
static hrr_status read_files(hrr_protect_options *out, inputs *in, const protect_args *a,
                             const hrr_graph *graph, hrr_error *err)
{
    const hrr_dense *matrix = hrr_graph_features(graph);
    const uint64_t d = matrix ? matrix->cols : 0;
    hrr_feature_options *features = &out->features;
    if (!d && a->eps_features)
        return hrr_fail(err, HRR_EINVAL, "%s has no features; leave --eps-features out", a->graph);
    if (d && !a->eps_features && !spends_nothing(a->feature_mechanism))
        return hrr_fail(err, HRR_EINVAL,
                        "--eps-features E is missing: name the privacy budget of one node's "
                        "features, such as 1 (stronger) or 8 (weaker); there is no default");
    hrr_status status = HRR_OK;
    if (strcmp(out->edges.mechanism, "edgerr-node") == 0)
        status = choose_blocks(out, in, a, graph, err);
    if (status) return status;
    out->edges.blocks = in->blocks;
    status = cli_bounds_read(&in->bounds, a->bounds, d, err);
    if (status) return status;
    features->lo = in->bounds.lo;
    features->hi = in->bounds.hi;
    out->bounds_from_data = in->bounds.from_data;
    out->bounds_from_file = in->bounds.from_file;
    if (d && a->scores) {
        cli_scores *scores = &in->scores;
        if ((status = cli_scores_read(scores, a->scores, d, err))) return status;
        if (a->gamma >= 0)
            status = hrr_score_theta(scores->theta, scores->alpha, scores->beta, d, a->gamma, err);
        if (status) return status;
        features->theta = scores->theta;
        out->scores_are_public = scores->is_public;
    }
    if (in->bounds.from_data && (a->directions.sample || a->directions.head))
        return hrr_fail(err, HRR_EINVAL,
                        "--public-sample and --public-head need bounds that are known before the "
                        "data is: type --bounds LO,HI");
    if (d && a->directions.directions) {
        if ((status = cli_directions_read(&in->directions, &a->directions, d, features->lo,
                                          features->hi, err)))
            return status;
        features->projection = &in->directions.projection;
        out->directions_from = in->directions.from;
    }
    return HRR_OK;
}

static hrr_status new_random(hrr_random **out, const char *insecure_seed, hrr_error *err)
{
    uint64_t seed;
    *out = NULL;
    if (!insecure_seed) return hrr_random_new(out, err);
    if (!cli_read_count(insecure_seed, &seed))
        return hrr_fail(err, HRR_EINVAL, "--insecure-seed: '%.40s' is not a whole number",
                        insecure_seed);
    return hrr_random_new_insecure(out, seed, err);
}

/* ---- the summary ----------------------------------------------------------------------------- */

static json_t *eps_json(uint64_t eps_nano)
{
    return json_real((double)eps_nano / (double)HRR_EPS_UNIT);
}

/* null: no bound, the data is released as it is. */
static json_t *realised_json(double eps)
{
    return isfinite(eps) ? json_real(eps) : json_null();
}

static void show_spent(const hrr_spend *all, const char *what, cli_task *task)
{
    char features[HRR_EPS_TEXT_SIZE], edges[HRR_EPS_TEXT_SIZE], labels[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(features, all->features_nano);
    hrr_eps_format(edges, all->edges_nano);
    hrr_eps_format(labels, all->labels_nano);
    fprintf(task->talk, "%s: eps_f = %s, eps_e = %s, eps_y = %s%s\n", what, features, edges, labels,
            all->unbounded ? ", and releases that are NOT PRIVATE" : "");
}

static uint64_t expected_memory(const hrr_protect_summary *s)
{
    return cli_peak_memory() + s->expected_memory;
}

/* What a release would take, for whoever has not decided yet. */
static void show_forecast(const hrr_protect_summary *s, const hrr_protect_options *options,
                          cli_task *task)
{
    const hrr_spend cost = {.features_nano = s->eps_features_nano,
                            .edges_nano = s->eps_edges_nano,
                            .labels_nano = s->eps_labels_nano,
                            .unbounded = !s->is_private};
    if (s->stored)
        fprintf(task->talk, "it was made before: it would be given out again at no cost\n");
    else
        show_spent(&cost, "it would spend", task);
    if (options->with_ledger)
        show_spent(&s->spent_in_all, "spent on this data before", task);
    else
        fprintf(task->talk, "no ledger would be asked or charged\n");
    if (s->over_limit)
        fprintf(task->talk, "the limit would refuse it (exit code 4), and nothing be spent\n");
    fprintf(task->talk,
            "at least %s edges; about %.*f s more, %s of memory on a machine that is idle\n",
            cli_grouped(s->edges_out).text, s->expected_seconds < 10 ? 1 : 0, s->expected_seconds,
            cli_bytes(expected_memory(s)).text);
}

static json_t *spend_json(const hrr_spend *spend)
{
    return json_pack("{s:o, s:o, s:o, s:b}", "eps_features", eps_json(spend->features_nano),
                     "eps_edges", eps_json(spend->edges_nano), "eps_labels",
                     eps_json(spend->labels_nano), "not_private", spend->unbounded);
}

static void add_forecast(json_t *result, const hrr_protect_summary *s,
                         const hrr_protect_options *options)
{
    json_object_set_new(result, "spent_before",
                        options->with_ledger ? spend_json(&s->spent_in_all) : json_null());
    json_object_set_new(result, "over_limit", json_boolean(s->over_limit));
    json_object_set_new(result, "expected_edges_out_at_least",
                        json_integer((json_int_t)s->edges_out));
    json_object_set_new(result, "expected_seconds", json_real(s->expected_seconds));
    json_object_set_new(result, "expected_memory_bytes",
                        json_integer((json_int_t)expected_memory(s)));
}

/* Seconds. What is not in any of them is what the rest of `seconds` went into. */
static json_t *phases_json(const hrr_protect_summary *s, double loading)
{
    const hrr_protect_phases *p = &s->phases;
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "load", loading, "plan",
                     p->plan, "ledger", p->ledger, "edges", p->edges, "features", p->features,
                     "labels", p->labels, "write", p->writing, "hash", p->hashing, "publish",
                     p->publishing);
}

static hrr_status summarise(const hrr_protect_summary *s, const hrr_protect_options *options,
                            const protect_args *a, double loading, cli_task *task, hrr_error *err)
{
    cli_progress_erase();
    if (s->undeclared) {
        char advice[HRR_PUBLIC_ADVICE_SIZE];
        hrr_public_advice(advice, s->undeclared);
        cli_note("%s", advice);
    }
    if (s->advice) cli_note("%s", s->advice);
    if (s->unnoted)
        cli_note(
            "the ledger could not write down where %s is; it is whole and paid for, but asking "
            "for the same release again would draw, and charge, a new one",
            a->output);
    if (!task->json) {
        if (a->dry_run)
            fprintf(task->talk,
                    "dry run, nothing was drawn or written; this would be the promise:\n");
        fprintf(task->talk, "%s\n", s->statement);
        if (s->eps_features_nano)
            fprintf(task->talk, "features were clipped to the bounds %s (--bounds)\n", a->bounds);
        if (a->dry_run)
            show_forecast(s, options, task);
        else if (s->stored)
            fprintf(task->talk,
                    "%s: the release of this very data that was made before; nothing "
                    "was drawn or spent (--fresh draws again)\n",
                    a->output);
        else
            fprintf(task->talk,
                    "%s: %s edges, made in %.1f s with %s of memory; "
                    "CERTIFICATE.txt in it explains the promise\n",
                    a->output, cli_grouped(s->edges_out).text, cli_clock() - task->began,
                    cli_bytes(cli_peak_memory()).text);
        if (s->ledger_entry) {
            fprintf(task->talk, "charged to the ledger (entry %" PRIu64 "); ", s->ledger_entry);
            show_spent(&s->spent_in_all, "spent on this data so far", task);
        }
        return HRR_OK;
    }
    bool labels = s->eps_labels_nano > 0;
    task->result = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:b, s:s, s:o, s:b, s:f, s:I, s:I, s:f, s:I, s:f, "
        "s:b, s:o}",
        "eps_features", eps_json(s->eps_features_nano), "eps_edges", eps_json(s->eps_edges_nano),
        "eps_labels", labels ? eps_json(s->eps_labels_nano) : json_null(), "realised_eps_features",
        realised_json(s->realised_eps_features), "realised_eps_edges",
        realised_json(s->realised_eps_edges), "realised_eps_labels",
        realised_json(s->realised_eps_labels), "mode", a->mode, "private", s->is_private,
        "statement", s->statement, "bundle", cli_json_text(a->dry_run ? NULL : a->output),
        "dry_run", a->dry_run, "seconds", cli_clock() - task->began, "peak_rss_bytes",
        (json_int_t)cli_peak_memory(), "edges_out", (json_int_t)s->edges_out, "features_per_second",
        s->features_per_second, "chain_steps", (json_int_t)s->chain_steps, "chain_steps_per_second",
        s->chain_steps_per_second, "stored", s->stored, "ledger_entry",
        s->ledger_entry ? json_integer((json_int_t)s->ledger_entry) : json_null());
    if (!task->result) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    json_object_set_new(task->result, "phases", phases_json(s, loading));
    if (a->dry_run) add_forecast(task->result, s, options);
    return HRR_OK;
}

/* Said before the budget is spent, where nothing else says it: other mechanisms refuse such a
 * graph or protect all of it. Whether the input has marks is public. */
static void note_unmarked(const hrr_graph *graph, const hrr_protect_options *options,
                          const char *path)
{
    if (hrr_graph_is_private(graph) || strcmp(options->edges.mechanism, "public-only") != 0 ||
        hrr_graph_inferred(graph) & HRR_INFERRED_EDGES ||
        options->declared_public & HRR_PUBLIC_EDGES)
        return;
    cli_progress_erase();
    cli_note("%s marks no edge as private, so all of its edges are released as they are; if some "
             "are private, mark them (--private-column, --private-edges) or protect all "
             "(--edge-mechanism lapgraph --eps-edges E); if not, say --public edges",
             path);
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const protect_args *a = args;
    hrr_protect_options options;
    hrr_protect_summary summary;
    inputs in = {0};
    hrr_graph *graph = NULL;
    hrr_random *random = NULL;
    hrr_status status = read_words(&options, a, err);
    if (status) goto done;
    if ((status = cli_refuse_own_place(a->graph, a->output, err))) goto done;
    if ((status = new_random(&random, a->insecure_seed, err))) goto done;
    const double began = cli_clock();
    if ((status = cli_read_graph(&graph, a->graph, &a->read, task->progress, err))) goto done;
    if ((status = read_files(&options, &in, a, graph, err))) goto done;
    const double loading = cli_clock() - began;
    note_unmarked(graph, &options, a->graph);
    if ((status = hrr_protect(&summary, a->dry_run ? NULL : a->output, graph, &options, random,
                              task->progress, err)))
        goto done;
    status = summarise(&summary, &options, a, loading, task, err);
done:
    clear_inputs(&in);
    hrr_graph_free(graph);
    hrr_random_free(random);
    return status;
}

const cli_verb cli_verb_protect = {
    .name = "protect",
    .summary = "turn a private graph into one that may be published",
    .description =
        "Randomises features, and labels if asked, replaces private edges by synthetic ones or "
        "leaves them out, and writes the result as a bundle: a graph directory with a certificate "
        "that says what is promised and what is "
        "not. Budgets are epsilons of differential privacy: smaller is more private. Protect a "
        "graph once and use the bundle for ever; a second bundle from the same graph adds its "
        "budget to the first.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(protect_args),
    .init = init,
    .run = run,
};
