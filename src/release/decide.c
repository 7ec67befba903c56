/* decide.c: see decide.h. */
#include "release/decide.h"
#include "edge/traits.h"
#include "release/data_bounds.h"
#include "release/declared.h"
#include "base/memory.h"

#include <jansson.h>

#include <ctype.h>
#include <math.h>
#include <string.h>

static hrr_status check_strict(const hrr_graph *graph, const hrr_protect_options *options,
                               hrr_error *err)
{
    hrr_status status = hrr_public_check(graph, options, err);
    if (status || options->paper_mode) return status;
    if (options->bounds_from_data)
        return hrr_fail(err, HRR_EINVAL,
                        "bounds taken from the data (`bounds_from_data`) are refused in strict "
                        "mode: the smallest and largest values are private values of some node, "
                        "and they change the bins of all others. Give public bounds, or use paper "
                        "mode (`paper_mode`), which is NOT PRIVATE with such bounds");
    if (options->features.theta && !options->scores_are_public)
        return hrr_fail(
            err, HRR_EINVAL,
            "scores (`features.theta`) that are not declared public (`scores_are_public`) are "
            "refused in strict mode: weights computed from private features reveal information "
            "about them. Compute the scores from a public sample and declare them public, or use "
            "paper mode (`paper_mode`), which is NOT PRIVATE with such scores");
    return HRR_OK;
}

/* A delta of 1/n or more lets a mechanism publish somebody's record whole. */
static hrr_status check_delta(const hrr_graph *graph, const hrr_protect_options *options,
                              hrr_error *err)
{
    if (options->features.delta * (double)hrr_graph_n_nodes(graph) < 1) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "`features.delta` must be well below one over the number of nodes: a mechanism "
                    "with delta = 1/n may publish one record unchanged");
}

/* Two candidates have one pair between them: there is nothing to hide it in. Public. */
static bool has_three_candidates(const hrr_graph *graph)
{
    const uint8_t *candidates = hrr_graph_candidates(graph);
    const uint64_t n_nodes = hrr_graph_n_nodes(graph);
    uint64_t n = candidates ? 0 : n_nodes;
    for (uint64_t i = 0; candidates && i < n_nodes; i++)
        n += candidates[i];
    return n >= 3;
}

/* Whether the input has marks is public, how many are set is not. */
static hrr_status check_marks(const hrr_graph *graph, const char *edge_mechanism, hrr_error *err)
{
    const bool floor =
        !edge_mechanism || hrr_edge_traits(edge_mechanism)->effect != HRR_EFFECT_PROTECT;
    if (!floor && !has_three_candidates(graph))
        return hrr_fail(
            err, HRR_EINVAL,
            "fewer than three nodes may have private edges (`candidates`), which is too few for "
            "%s; name more nodes, or leave the edge budget out (`edges.eps_nano`)",
            edge_mechanism);
    if (floor || hrr_edge_traits(edge_mechanism)->whole_graph ||
        hrr_graph_marking(graph) == HRR_MARKED)
        return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "no edge is marked as private, so %s would spend its budget for nothing: mark "
                    "private edges (`private_column`, `private_edges`), make all edges private "
                    "(`all_private`), or leave the edge budget out (`edges.eps_nano`)",
                    edge_mechanism);
}

static hrr_status check_blocks(const hrr_protect_options *options, const hrr_block_maker *maker,
                               hrr_error *err)
{
    const bool given = options->blocks_from == HRR_BLOCKS_GIVEN;
    if (!hrr_edge_traits(options->edges.mechanism)->has_counts)
        return given || maker
                   ? hrr_fail(err, HRR_EINVAL, "%s does not use blocks; leave `blocks_from` out",
                              options->edges.mechanism)
                   : HRR_OK;
    if (options->edges.need && !given)
        return hrr_fail(err, HRR_EINVAL,
                        "`edges.need` needs blocks that are given (HRR_BLOCKS_GIVEN), because both "
                        "are declared public together; without them leave it out");
    if (given == (options->edges.blocks != NULL) && !(given && maker)) return HRR_OK;
    return hrr_fail(
        err, HRR_EINVAL,
        "`blocks_from` must be HRR_BLOCKS_GIVEN if and only if `edges.blocks` are given");
}

/* Whether a text would show as more than one line, or in another order than its bytes: control
 * characters, U+0080 to U+009F, and the separators and directions of U+2028 to U+202E and U+2066 to
 * U+2069. */
static bool breaks_line(const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        const bool c1 = at[0] == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f;
        const bool separator = at[0] == 0xe2 && at[1] == 0x80 && at[2] >= 0xa8 && at[2] <= 0xae;
        const bool direction = at[0] == 0xe2 && at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9;
        if (iscntrl(*at) || c1 || separator || direction) return true;
    }
    return false;
}

/* Words of others in the certificate: a line break could pass for one of the certificate's own
 * lines. A name that is no text at all is not written. */
static hrr_status check_name(const char *name, hrr_error *err)
{
    if (!name || !breaks_line(name)) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "the name of the graph must be one line of text, because it is written into "
                    "the certificate: rename the file, or correct name in graph.json");
}

static hrr_status check_words(const char *text, const char *field, hrr_error *err)
{
    enum { most_bytes = 400 };
    json_t *is_text = json_string(text ? text : "");
    bool good = is_text && (!text || strlen(text) <= most_bytes);
    json_decref(is_text);
    if (good && !(text && breaks_line(text))) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "`%s` must be one line of UTF-8 text of at most %d bytes, because it is "
                    "written into the certificate",
                    field, most_bytes);
}

hrr_status hrr_decide_request(const hrr_graph *graph, const hrr_protect_options *options,
                              const hrr_block_maker *maker, hrr_error *err)
{
    hrr_status status = check_strict(graph, options, err);
    if (!status) status = check_delta(graph, options, err);
    if (!status) status = check_name(hrr_graph_name(graph), err);
    if (!status) status = check_words(options->issuer, "issuer", err);
    if (!status) status = check_words(options->kept, "kept", err);
    return status ? status : check_blocks(options, maker, err);
}

hrr_status hrr_decide_edges(hrr_edge_protection *out, const hrr_graph *graph,
                            const hrr_protect_options *options, const hrr_block_maker *maker,
                            hrr_progress *progress, hrr_error *err)
{
    hrr_edge_options edges = options->edges;
    edges.threads = options->threads;
    if (maker) edges.n_blocks = maker->n_blocks;
    hrr_status status = check_marks(graph, edges.mechanism, err);
    if (!status)
        status = hrr_edge_protection_init(out, graph, &edges, maker != NULL, progress, err);
    if (status || options->paper_mode || !out->claim.not_certified) return status;
    status = hrr_fail(err, HRR_EINVAL,
                      "%s%s%s is refused in strict mode: %s. Use paper mode (`paper_mode`), whose "
                      "certificate says so, or another tree (`edges.tree`)",
                      edges.mechanism, edges.tree ? " with tree " : "",
                      edges.tree ? edges.tree : "", out->claim.not_certified[0]);
    hrr_edge_protection_clear(out);
    return status;
}

hrr_status hrr_decide_edges_out(const hrr_edge_protection *edges, const hrr_graph *graph,
                                const hrr_edge_options *options, hrr_error *err)
{
    /* Graphs of people seldom have more than 50 edges a node, and a million are written at once. */
    static const double usual_per_node = 50, few = 1e6;
    static const double bytes_per_edge = 24; /* edges.npy, and edge_index.npy in both directions */
    const double expected = edges->claim.expected_false_edges;
    const double per_node = expected / (double)hrr_graph_n_nodes(graph);
    if (options->most_edges_out || per_node <= usual_per_node || expected <= few) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "nothing was spent: at this epsilon, %s is expected to write %.3g million "
                    "false edges (%.0f per node, %.2g GB on disk), whatever the graph is. Choose a "
                    "mechanism that writes about as many edges as the graph has (lapgraph, "
                    "edgerr), choose a larger epsilon, or allow it (`edges.most_edges_out` %.0f)",
                    options->mechanism, expected / 1e6, per_node, expected * bytes_per_edge / 1e9,
                    ceil(expected * 1.1 / few) * few);
}

hrr_status hrr_decide_features(hrr_feature_plan **out, const hrr_graph *graph,
                               const hrr_feature_options *options, bool bounds_from_data,
                               hrr_progress *progress, hrr_error *err)
{
    *out = NULL;
    const hrr_dense *features = hrr_graph_features(graph);
    if (!features || !features->cols) return HRR_OK;
    if (!bounds_from_data) return hrr_feature_plan_new(out, features->cols, options, err);

    hrr_feature_options with_bounds = *options;
    double *bounds = hrr_alloc(features->cols, 2 * sizeof *bounds);
    if (!bounds) return hrr_no_memory(err);
    hrr_status status = hrr_data_bounds(bounds, bounds + features->cols, features, progress, err);
    with_bounds.lo = bounds;
    with_bounds.hi = bounds + features->cols;
    if (!status) status = hrr_feature_plan_new(out, features->cols, &with_bounds, err);
    hrr_free(bounds);
    return status;
}
