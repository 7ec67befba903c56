/* protect_request.c: see protect_request.h. */
#include "cli/protect_request.h"
#include "cli/number.h"
#include "cli/public_blocks.h"
#include "cli/undeclared.h"

#include <stdlib.h>
#include <string.h>

void cli_protect_inputs_clear(cli_protect_inputs *in)
{
    cli_bounds_clear(&in->bounds);
    cli_scores_clear(&in->scores);
    cli_directions_clear(&in->directions);
    free(in->blocks);
    hrr_head_clear(&in->head);
}

/* What was named is a choice of its option, so its row is there. */
static bool features_spend(const char *mechanism)
{
    return !mechanism || hrr_feature_mechanism_find(mechanism)->effect == HRR_EFFECT_PROTECT;
}

static hrr_status read_eps(hrr_protect_options *out, const protect_args *a, hrr_error *err)
{
    hrr_status status = HRR_OK;
    if (a->eps_features && !features_spend(a->feature_mechanism))
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

static hrr_status read_ledger_words(hrr_protect_options *out, const protect_args *a, hrr_error *err)
{
    const bool none = a->ledger && strcmp(a->ledger, "none") == 0;
    out->allow_undeclared = a->not_private || a->insecure_seed;
    out->with_ledger = !none && (a->ledger || a->limit || a->account || !a->insecure_seed);
    out->ledger = none ? NULL : a->ledger;
    out->again = a->again;
    out->account = a->account;
    if (none && (a->limit || a->account))
        return hrr_fail(err, HRR_EINVAL, "%s needs a ledger that records what was spent before",
                        a->limit ? "--limit" : "--account");
    hrr_status status = a->account ? hrr_account_name_check(a->account, err) : HRR_OK;
    if (status || !a->limit) return status;
    return hrr_limit_parse(&out->limit_nano, a->limit, "--limit", err);
}

/* What a mechanism that was named must fit. */
static hrr_status check_named_edges(const protect_args *a, hrr_error *err)
{
    const hrr_edge_mechanism *named = hrr_edge_mechanism_find(a->edge_mechanism);
    const bool spends = named->effect == HRR_EFFECT_PROTECT;
    if (a->eps_edges && !spends)
        return hrr_fail(err, HRR_EINVAL,
                        "--edge-mechanism %s spends no budget; leave --eps-edges out", named->name);
    if (!a->eps_edges && spends)
        return hrr_fail(err, HRR_EINVAL,
                        "--eps-edges E is missing: give the privacy budget of one private pair, "
                        "such as 1 (stronger) or 4 (weaker); there is no default");
    if (!named->chooses_tree && (a->tree || a->tree_share >= 0))
        return hrr_fail(err, HRR_EINVAL, "--tree and --tree-share apply to edgerr, not to %s",
                        named->name);
    if (!named->has_counts && a->blocks)
        return hrr_fail(err, HRR_EINVAL, "--blocks applies to edgerr-node, not to %s", named->name);
    if (!named->has_shares && a->shares)
        return hrr_fail(err, HRR_EINVAL, "--shares applies to edgerr-degrees, not to %s",
                        named->name);
    return HRR_OK;
}

static const char *name_that_counts(void)
{
    const hrr_edge_mechanism *const *row = hrr_edge_mechanisms();
    while (!(*row)->has_counts)
        row++;
    return (*row)->name;
}

static const char *name_that_has_shares(void)
{
    const hrr_edge_mechanism *const *row = hrr_edge_mechanisms();
    while (!(*row)->has_shares)
        row++;
    return (*row)->name;
}

static hrr_count_ends read_ends(const char *word)
{
    if (!word) return HRR_ENDS_USUAL;
    return strcmp(word, "1") == 0   ? HRR_ENDS_ONE
           : strcmp(word, "2") == 0 ? HRR_ENDS_BOTH
                                    : HRR_ENDS_NEEDED;
}

static hrr_status read_edge_words(hrr_edge_options *out, const protect_args *a, hrr_error *err)
{
    const bool sampled = strcmp(a->node_edges, "sampled") == 0;
    hrr_status status = a->edge_mechanism ? check_named_edges(a, err) : HRR_OK;
    if (status) return status;
    if (!a->eps_edges && !a->edge_mechanism &&
        (a->tree || a->tree_share >= 0 || a->blocks || a->shares))
        return hrr_fail(err, HRR_EINVAL,
                        "--tree, --tree-share, --blocks and --shares need a budget; give it with "
                        "--eps-edges E");
    if (a->blocks && (a->tree || a->tree_share >= 0))
        return hrr_fail(err, HRR_EINVAL, "--tree applies to edgerr and --blocks to edgerr-node");
    if (a->shares && (a->blocks || a->tree || a->tree_share >= 0))
        return hrr_fail(err, HRR_EINVAL,
                        "--shares, --tree and --blocks apply to different mechanisms: give one of "
                        "them");
    /* Words that one mechanism alone understands name it. */
    out->mechanism = a->edge_mechanism                        ? a->edge_mechanism
                     : (a->blocks || sampled) && a->eps_edges ? name_that_counts()
                     : a->shares                              ? name_that_has_shares()
                                                              : NULL;
    out->count_ends = read_ends(a->count_ends);
    out->sample_edges = sampled;
    out->tree = a->tree;
    out->tree_share = a->tree_share;
    out->shares = a->shares;
    out->steps_per_node = a->steps;
    out->most_edges_out = a->most_edges;
    return HRR_OK;
}

hrr_status cli_protect_read_words(hrr_protect_options *out, const protect_args *a, hrr_error *err)
{
    hrr_protect_options_init(out);
    out->paper_mode = strcmp(a->mode, "paper") == 0;
    out->replace = a->force;
    out->dry_run = a->dry_run;
    out->issuer = a->issuer;
    out->kept = a->kept;
    out->threads = a->read.threads;
    hrr_feature_options *features = &out->features;
    features->mechanism = a->feature_mechanism;
    features->delta = a->delta;
    features->n_sampled = a->sampled;
    features->decoding = out->paper_mode ? HRR_DECODE_PAPER : HRR_DECODE_MIDPOINT;
    for (int i = 0; a->decode && cli_protect_decodings()[i]; i++)
        if (strcmp(a->decode, cli_protect_decodings()[i]) == 0)
            features->decoding = (hrr_decoding)i;
    uint64_t bins = 0;
    if (strcmp(a->bins, "auto") != 0 && (!cli_read_count(a->bins, &bins) || bins < 2 || bins > 256))
        return hrr_fail(err, HRR_EINVAL,
                        "--bins: '%.40s' is neither auto nor a number from 2 to 256", a->bins);
    features->n_bins = (uint32_t)bins;
    uint64_t steps = 0;
    if (strcmp(a->propagate, "auto") != 0 &&
        (!cli_read_count(a->propagate, &steps) || steps > UINT32_MAX))
        return hrr_fail(err, HRR_EINVAL, "--propagate: '%.40s' is neither auto nor a whole number",
                        a->propagate);
    out->n_propagate = (uint32_t)steps;
    if (a->gamma >= 0 && !a->scores)
        return hrr_fail(err, HRR_EINVAL, "--gamma needs --scores, whose weights it changes");
    hrr_status status = cli_read_declared(&out->declared_public, a->declared, err);
    if (!status) status = cli_directions_check(&a->directions, err);
    if (!status) status = read_eps(out, a, err);
    if (!status) status = read_ledger_words(out, a, err);
    return status ? status : read_edge_words(&out->edges, a, err);
}

hrr_use cli_protect_use(const protect_args *a, const hrr_graph *graph)
{
    for (int i = 0; a->use && hrr_uses()[i]; i++)
        if (strcmp(a->use, hrr_uses()[i]) == 0) return (hrr_use)i;
    return hrr_usual_use(graph);
}

static hrr_status read_blocks(hrr_protect_options *out, cli_protect_inputs *in,
                              const protect_args *a, const hrr_graph *graph, hrr_error *err)
{
    if (!a->blocks || strcmp(a->blocks, "communities") == 0) return HRR_OK;
    if (strcmp(a->blocks, "predicted") == 0) {
        out->blocks_from = HRR_BLOCKS_PREDICTED;
        return HRR_OK;
    }
    out->blocks_from = HRR_BLOCKS_GIVEN;
    hrr_status status = cli_blocks_read(&in->blocks, &out->edges.n_blocks, a->blocks,
                                        hrr_graph_n_nodes(graph), err);
    out->edges.blocks = in->blocks;
    return status;
}

static const char *tree_of_paper_mode(void)
{
    const hrr_edge_tree *const *row = hrr_edge_trees();
    while (!(*row)->of_paper_mode)
        row++;
    return (*row)->name;
}

/* What was not named is chosen; what was typed beside it stays. */
static void choose(hrr_protect_options *out, const protect_args *a, const hrr_graph *graph)
{
    const bool communities = a->blocks && strcmp(a->blocks, "communities") == 0;
    const uint32_t n_propagate = out->n_propagate;
    hrr_protect_choose(out, graph, cli_protect_use(a, graph));
    if (communities) out->blocks_from = HRR_BLOCKS_COMMUNITIES;
    const hrr_edge_mechanism *edges = hrr_edge_mechanism_find(out->edges.mechanism);
    if (!edges->has_counts) {
        out->edges.count_ends = HRR_ENDS_USUAL;
        out->edges.sample_edges = false;
    }
    if (out->paper_mode && !out->edges.tree && edges->chooses_tree)
        out->edges.tree = tree_of_paper_mode();
    if (strcmp(a->propagate, "auto") != 0) out->n_propagate = n_propagate;
}

hrr_status cli_protect_read_files(hrr_protect_options *out, cli_protect_inputs *in,
                                  const protect_args *a, const hrr_graph *graph, hrr_error *err)
{
    const hrr_dense *matrix = hrr_graph_features(graph);
    const uint64_t d = matrix ? matrix->cols : 0;
    hrr_feature_options *features = &out->features;
    if (!d && a->eps_features)
        return hrr_fail(err, HRR_EINVAL, "%s has no features; leave --eps-features out", a->graph);
    if (d && !a->eps_features && features_spend(a->feature_mechanism))
        return hrr_fail(err, HRR_EINVAL,
                        "--eps-features E is missing: give the privacy budget of one node's "
                        "features, such as 1 (stronger) or 4 (weaker); there is no default. To "
                        "release features without a budget, --feature-mechanism featfree replaces "
                        "them by random numbers, which reveal nothing");
    hrr_status status = read_blocks(out, in, a, graph, err);
    if (status) return status;
    status = cli_bounds_read(&in->bounds, a->bounds, d, err);
    if (status) return status;
    features->lo = in->bounds.lo;
    features->hi = in->bounds.hi;
    out->bounds_from_data = in->bounds.from_data;
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
                        "--public-sample and --public-head need bounds that do not come from the "
                        "data: give --bounds LO,HI");
    if (d && a->directions.directions) {
        hrr_feature_options bounded = *features;
        if ((status = hrr_bounds_settle(&bounded, graph, err))) return status;
        if ((status = cli_directions_read(&in->directions, &a->directions, d, bounded.lo,
                                          bounded.hi, err)))
            return status;
        features->projection = &in->directions.projection;
        out->directions_from = in->directions.from;
    }
    if (d && a->head) {
        if ((status = cli_head_read(&in->head, a->head, d, err))) return status;
        features->head = &in->head;
    }
    choose(out, a, graph);
    return HRR_OK;
}
