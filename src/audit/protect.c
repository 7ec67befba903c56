/* protect.c: see protect.h.
 *
 * The other audits take a mechanism by itself. This one would see what happens between them: a
 * stream that two of them share, a file that was forgotten, private edges that slip into the union.
 * A bundle is some twenty files, so that draws are few; a mistake of that kind is not a small one.
 *
 * Four nodes: 2-3 is a public edge, 1-3 a private one, and 0-1 is the pair in question. One feature
 * in [0, 1], two classes. */
#include "audit/protect.h"
#include "audit/bundle.h"
#include "audit/edges.h"
#include "edge/mechanism.h"
#include "base/memory.h"
#include "base/paths.h"

#include <string.h>
#include <unistd.h>

enum { n_nodes = 4 };

/* ---- neighbours ----------------------------------------------------------------------------- */

static hrr_status take_edges(hrr_graph *graph, bool with_pair, hrr_error *err)
{
    static const uint32_t source[] = {1, 2, 0}, target[] = {3, 3, 1};
    static const uint8_t marks[] = {1, 0, 1};
    static const char *const mark_name[] = {"private"};
    const uint64_t n_edges = with_pair ? 3 : 2;
    hrr_edge_list edges;
    hrr_status status = hrr_edge_list_init(&edges, n_edges, true, err);
    if (status) return status;
    memcpy(edges.source, source, n_edges * sizeof *source);
    memcpy(edges.target, target, n_edges * sizeof *target);
    memcpy(edges.marks, marks, n_edges);
    status = hrr_graph_take_edges(graph, &edges, mark_name, 1, NULL, err);
    hrr_edge_list_clear(&edges);
    return status;
}

/* Of node 0; the others have zeros. */
static hrr_status take_feature(hrr_graph *graph, float value, hrr_error *err)
{
    hrr_dense features;
    hrr_status status = hrr_dense_init(&features, HRR_F32, n_nodes, 1, err);
    if (status) return status;
    memset(features.data, 0, n_nodes * sizeof(float));
    ((float *)features.data)[0] = value;
    status = hrr_graph_take_features(graph, &features, err);
    if (!status) status = hrr_graph_set_feature_range(graph, 0, 1, err);
    hrr_dense_clear(&features);
    return status;
}

static hrr_status take_label(hrr_graph *graph, int32_t label, hrr_error *err)
{
    int32_t *classes = hrr_alloc_zero(n_nodes, sizeof *classes);
    if (!classes) return hrr_no_memory(err);
    classes[0] = label;
    hrr_status status = hrr_graph_take_classes(graph, &classes, 2, err);
    hrr_free(classes);
    return status;
}

static hrr_status make_graph(hrr_graph **out, hrr_protect_view view, int side, hrr_error *err)
{
    const bool all = side && view == HRR_SEE_ALL;
    const bool pair = side && (view == HRR_SEE_EDGES || view == HRR_SEE_COUNTS ||
                               view == HRR_SEE_BLOCK_COUNTS || view == HRR_SEE_NEED_COUNT);
    const bool feature = side && (view == HRR_SEE_FEATURE || view == HRR_SEE_BLOCK_FEATURE);
    hrr_status status = hrr_graph_new(out, "audit", n_nodes, err);
    if (!status) status = take_edges(*out, all || pair, err);
    if (!status) status = take_feature(*out, all || feature, err);
    if (!status) status = take_label(*out, all || (side && view == HRR_SEE_LABEL), err);
    return status;
}

/* ---- blocks of its own ----------------------------------------------------------------------- */

/* A block tells all that its maker is shown of a node: whether it has an edge, its feature and its
 * label. */
enum { with_edge = 1, with_feature = 2, with_label = 4, n_own_blocks = 8 };

static void blocks_of(uint32_t *blocks, const hrr_graph *graph)
{
    const uint32_t *source = hrr_graph_sources(graph), *target = hrr_graph_targets(graph);
    for (uint64_t i = 0; i < n_nodes; i++)
        blocks[i] = (hrr_dense_get(hrr_graph_features(graph), i, 0) > .5 ? with_feature : 0) |
                    (hrr_graph_classes(graph)[i] == 1 ? with_label : 0);
    for (uint64_t e = 0; e < hrr_graph_n_edges(graph); e++) {
        blocks[source[e]] |= with_edge;
        blocks[target[e]] |= with_edge;
    }
}

/* `private_graph` is what a maker must not see, for the control that does; else NULL. */
static hrr_status make_blocks(uint32_t *blocks, uint32_t *need, uint32_t *rivals,
                              const hrr_shown *shown, void *private_graph, int threads,
                              hrr_progress *progress, hrr_error *err)
{
    (void)threads, (void)progress, (void)err, (void)rivals;
    blocks_of(blocks, private_graph ? private_graph : shown->graph);
    memcpy(need, blocks, n_nodes * sizeof *need); /* which tells as much */
    return HRR_OK;
}

/* ---- one trial ------------------------------------------------------------------------------ */

/* A bit for each of the six pairs; 0-1 is the lowest. */
static hrr_status read_edges(uint32_t *bits, const char *bundle, hrr_error *err)
{
    hrr_array edges;
    hrr_status status = hrr_audit_read_part(&edges, bundle, "edges.npy", err);
    if (status) return status;
    *bits = 0;
    for (uint64_t e = 0; e < edges.shape[1]; e++) {
        const uint32_t u = (uint32_t)hrr_array_number(&edges, e);
        const uint32_t v = (uint32_t)hrr_array_number(&edges, edges.shape[1] + e);
        *bits |= 1u << (u * (2 * n_nodes - u - 1) / 2 + (v - u - 1));
    }
    hrr_array_clear(&edges);
    return HRR_OK;
}

/* A count goes up at either end of the pair; both do so e^eps times as often if it has an edge. */
static hrr_status look_at_blocks(float *out, const hrr_protect_attack *attack, const char *bundle,
                                 hrr_error *err)
{
    const bool is_feature = attack->view == HRR_SEE_BLOCK_FEATURE;
    double block[2], count[2], feature = 0;
    hrr_status status = hrr_audit_read_number(&block[0], bundle, "blocks.npy", 0, err);
    if (!status) status = hrr_audit_read_number(&block[1], bundle, "blocks.npy", 1, err);
    for (uint64_t end = 0; end < 2 && !status; end++)
        status = hrr_audit_read_number(&count[end], bundle, "block_counts.npy",
                                       end * n_own_blocks + (uint64_t)block[1 - end], err);
    if (!status && is_feature)
        status = hrr_audit_read_number(&feature, bundle, "features.npy", 0, err);
    if (status) return status;
    const unsigned told = (unsigned)block[0] & (is_feature ? with_feature : with_edge);
    const bool seen = is_feature ? feature > .5 : count[0] > .5 && count[1] > .5;
    *out = (float)(seen + 2 * (told != 0));
    return HRR_OK;
}

/* The count of that end which counts the pair, as need.npy tells. */
static hrr_status look_at_need(float *out, const char *bundle, hrr_error *err)
{
    double need[2], block[2], count = 0;
    hrr_status status = HRR_OK;
    for (uint64_t end = 0; end < 2 && !status; end++) {
        status = hrr_audit_read_number(&need[end], bundle, "need.npy", end, err);
        if (!status) status = hrr_audit_read_number(&block[end], bundle, "blocks.npy", end, err);
    }
    if (status) return status;
    const uint64_t owner = need[0] > need[1] ? 0 : 1;
    status = hrr_audit_read_number(&count, bundle, "block_counts.npy",
                                   owner * n_own_blocks + (uint64_t)block[1 - owner], err);
    *out = (float)((count > .5) + 2 * (((unsigned)need[0] & with_edge) != 0));
    return status;
}

static hrr_status look(float *out, const hrr_protect_attack *attack, const char *bundle,
                       hrr_error *err)
{
    if (attack->view == HRR_SEE_NEED_COUNT) return look_at_need(out, bundle, err);
    if (attack->maker.make) return look_at_blocks(out, attack, bundle, err);
    double feature = 0, label = 0, count = 0;
    uint32_t edges = 0;
    const bool all = attack->view == HRR_SEE_ALL;
    hrr_status status = HRR_OK;
    if (all || attack->view == HRR_SEE_FEATURE)
        status = hrr_audit_read_number(&feature, bundle, "features.npy", 0, err);
    if (!status && (all || attack->view == HRR_SEE_LABEL))
        status = hrr_audit_read_number(&label, bundle, "labels.npy", 0, err);
    if (!status && attack->view == HRR_SEE_EDGES) status = read_edges(&edges, bundle, err);
    if (!status && (all || attack->view == HRR_SEE_COUNTS))
        status = hrr_audit_read_number(&count, bundle, "tree_counts.npy", attack->item, err);
    switch (attack->view) {
    case HRR_SEE_EDGES:
        *out = (float)edges;
        break;
    case HRR_SEE_COUNTS:
        *out = (float)count;
        break;
    case HRR_SEE_FEATURE:
        *out = (float)feature;
        break;
    case HRR_SEE_LABEL:
        *out = (float)label;
        break;
    default:
        *out = (float)((count > attack->usual) + 2 * (feature > .5) + 4 * (label > .5));
    }
    return status;
}

static hrr_status protect_once(hrr_protect_summary *summary, const char *bundle,
                               const hrr_protect_attack *attack, const hrr_protect_options *options,
                               int side, uint64_t seed, hrr_error *err)
{
    hrr_block_maker maker = attack->maker;
    if (attack->mistake == HRR_BLOCKS_OF_PRIVATE_EDGES ||
        attack->mistake == HRR_NEED_OF_PRIVATE_EDGES)
        maker.user = attack->graph[side];
    return hrr_audit_protect(summary, bundle, attack->graph[side], options,
                             maker.make ? &maker : NULL, seed, err);
}

static hrr_status try_once(float *out, const void *user, const char *bundle, int side,
                           uint64_t seed, hrr_error *err)
{
    const hrr_protect_attack *attack = user;
    hrr_protect_summary summary;
    hrr_status status = protect_once(&summary, bundle, attack, &attack->options, side, seed, err);
    return status ? status : look(out, attack, bundle, err);
}

hrr_status hrr_protect_attack_run(float *out, const void *user, int side, uint64_t first,
                                  uint64_t n, hrr_error *err)
{
    const hrr_protect_attack *attack = user;
    return hrr_audit_run_bundles(out, try_once, attack, attack->directory, attack->seed, side,
                                 first, n, err);
}

/* ---- the attack ----------------------------------------------------------------------------- */

static hrr_status make_scratch(hrr_protect_attack *attack, hrr_error *err)
{
    hrr_status status = hrr_audit_scratch(&attack->directory, err);
    if (status) return status;
    attack->bundle = hrr_path_join(attack->directory, "bundle");
    return attack->bundle ? HRR_OK : hrr_no_memory(err);
}

/* As edges.c does: with the largest budget noise is rare, and the count that changes with the
 * pair is the one it is in. */
static hrr_status find_count(hrr_protect_attack *attack, hrr_error *err)
{
    hrr_protect_options loud = attack->options;
    hrr_protect_summary summary;
    hrr_array counts[2] = {{.n_items = 0}};
    loud.edges.eps_nano = HRR_EPS_MAX;
    hrr_status status = HRR_OK;
    for (int side = 0; side < 2 && !status; side++) {
        status = protect_once(&summary, attack->bundle, attack, &loud, side, attack->seed, err);
        if (!status)
            status = hrr_audit_read_part(&counts[side], attack->bundle, "tree_counts.npy", err);
    }
    for (uint64_t i = 0; !status && i < counts[0].n_items && i < counts[1].n_items; i++)
        if (hrr_array_number(&counts[0], i) != hrr_array_number(&counts[1], i)) {
            attack->item = i;
            attack->usual = hrr_array_number(&counts[0], i);
        }
    hrr_array_clear(&counts[0]);
    hrr_array_clear(&counts[1]);
    return status;
}

hrr_status hrr_protect_attack_init(hrr_protect_attack *out, hrr_protect_view view,
                                   hrr_protect_mistake mistake, uint64_t eps_nano, uint64_t seed,
                                   hrr_error *err)
{
    const bool own_need = view == HRR_SEE_NEED_COUNT;
    const bool own_blocks =
        view == HRR_SEE_BLOCK_COUNTS || view == HRR_SEE_BLOCK_FEATURE || own_need;
    const bool keeps_edges = mistake == HRR_KEEPS_PRIVATE_EDGES;
    *out = (hrr_protect_attack){.view = view, .mistake = mistake, .seed = seed};
    hrr_protect_options *options = &out->options;
    hrr_protect_options_init(options);
    options->features.eps_nano = eps_nano;
    options->features.n_bins = 2;
    options->eps_labels_nano = eps_nano;
    options->edges.mechanism = keeps_edges  ? hrr_edge_none.about.name
                               : own_blocks ? hrr_edge_edgerr_node.about.name
                                            : hrr_edge_edgerr.about.name;
    options->edges.eps_nano = keeps_edges ? 0 : eps_nano;
    if (own_blocks) options->edges.count_ends = own_need ? HRR_ENDS_NEEDED : HRR_ENDS_BOTH;
    if (own_blocks)
        out->maker = (hrr_block_maker){.name = "audit",
                                       .what = "made for an audit",
                                       .need = "made for an audit",
                                       .n_blocks = n_own_blocks,
                                       .make = make_blocks};
    options->replace = true;
    options->threads = 1;
    hrr_status status = make_scratch(out, err);
    for (int side = 0; side < 2 && !status; side++)
        status = make_graph(&out->graph[side], view, side, err);
    if (!status && (view == HRR_SEE_COUNTS || view == HRR_SEE_ALL)) status = find_count(out, err);
    if (!status) status = protect_once(&out->summary, out->bundle, out, options, 0, seed, err);
    if (status) hrr_protect_attack_clear(out);
    return status;
}

void hrr_protect_attack_clear(hrr_protect_attack *attack)
{
    if (attack->bundle) hrr_path_remove_flat(attack->bundle);
    if (attack->directory) rmdir(attack->directory);
    hrr_free(attack->bundle);
    hrr_free(attack->directory);
    hrr_graph_free(attack->graph[0]);
    hrr_graph_free(attack->graph[1]);
    *attack = (hrr_protect_attack){0};
}
