/* parts.c: see parts.h.
 *
 * Each view has one node whose secret differs between the neighbours, and a second secret that is
 * known: another node's features, labels that are all 1, a count without an edge. Who shares draws
 * between the two answers alike for equal secrets, every time; so a difference betrays the first
 * one, and a few hundred bundles are enough to see it. */
#include "audit/parts.h"
#include "audit/bundle.h"
#include "audit/edges.h"
#include "edge/mechanism.h"
#include "base/memory.h"
#include "base/paths.h"

#include <string.h>
#include <unistd.h>

/* 2^20 numbers are a block of rows (stream_rows.c): row 0 opens the first, row 1024 the second. */
enum { few_nodes = 4, wide_row = 1024, rows_in_block = 1024, two_bits = 2 };

static const uint32_t one_block[2 * few_nodes]; /* every node is in block 0 */

/* ---- neighbours ----------------------------------------------------------------------------- */

static uint64_t count_nodes(hrr_parts_view view)
{
    return view == HRR_PARTS_ROWS     ? rows_in_block + few_nodes
           : view == HRR_PARTS_GRAPHS ? 2 * few_nodes
                                      : few_nodes;
}

/* A private edge far from node 0 in each graph, and 0-1 on side 1 of the view that is about it. */
static hrr_status take_edges(hrr_graph *graph, hrr_parts_view view, int side, hrr_error *err)
{
    static const char *const mark_name[] = {"private"};
    const bool with_pair = side && view == HRR_PARTS_GRAPHS;
    const uint64_t n_edges = 1 + (view == HRR_PARTS_GRAPHS) + with_pair;
    hrr_edge_list edges;
    hrr_status status = hrr_edge_list_init(&edges, n_edges, true, err);
    if (status) return status;
    static const uint32_t source[] = {2, few_nodes + 2, 0}, target[] = {3, few_nodes + 3, 1};
    memcpy(edges.source, source, n_edges * sizeof *source);
    memcpy(edges.target, target, n_edges * sizeof *target);
    memset(edges.marks, 1, n_edges);
    status = hrr_graph_take_edges(graph, &edges, mark_name, 1, NULL, err);
    hrr_edge_list_clear(&edges);
    return status;
}

/* Node 0 has `value` everywhere, the others 1. */
static hrr_status fill_rows(hrr_dense *out, const hrr_graph *graph, uint64_t n_columns,
                            uint8_t value, hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    hrr_status status = hrr_dense_init(out, HRR_U8, n, n_columns, err);
    if (status) return status;
    memset(out->data, 1, n * n_columns);
    memset(out->data, value, n_columns);
    return HRR_OK;
}

static hrr_status take_features(hrr_graph *graph, uint64_t n_features, uint8_t value,
                                hrr_error *err)
{
    hrr_dense features;
    hrr_status status = fill_rows(&features, graph, n_features, value, err);
    if (!status) status = hrr_graph_take_features(graph, &features, err);
    if (!status) status = hrr_graph_set_feature_range(graph, 0, 1, err);
    hrr_dense_clear(&features);
    return status;
}

static hrr_status take_bits(hrr_graph *graph, uint8_t value, hrr_error *err)
{
    hrr_dense bits;
    hrr_status status = fill_rows(&bits, graph, two_bits, value, err);
    if (!status) status = hrr_graph_take_label_matrix(graph, &bits, err);
    hrr_dense_clear(&bits);
    return status;
}

static hrr_status take_graph_ids(hrr_graph *graph, hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    uint32_t *id = hrr_alloc(n, sizeof *id);
    if (!id) return hrr_no_memory(err);
    for (uint64_t i = 0; i < n; i++)
        id[i] = (uint32_t)(i / few_nodes);
    hrr_status status = hrr_graph_take_graph_ids(graph, &id, err);
    hrr_free(id);
    return status;
}

static hrr_status make_graph(hrr_graph **out, hrr_parts_view view, int side, hrr_error *err)
{
    const uint8_t value = (uint8_t)side;
    hrr_status status = hrr_graph_new(out, "audit", count_nodes(view), err);
    if (!status && view == HRR_PARTS_GRAPHS) status = take_graph_ids(*out, err);
    if (!status) status = take_edges(*out, view, side, err);
    if (!status && view == HRR_PARTS_ROWS) status = take_features(*out, wide_row, value, err);
    if (!status && view == HRR_PARTS_FEATURES_BITS)
        status = take_features(*out, two_bits, value, err);
    if (!status && view == HRR_PARTS_FEATURES_BITS) status = take_bits(*out, 1, err);
    if (!status && view == HRR_PARTS_BITS) status = take_bits(*out, value, err);
    return status;
}

/* ---- one trial ------------------------------------------------------------------------------ */

/* How many of n numbers in one file are those of another, from items on. */
static hrr_status count_equal(float *out, const char *bundle, const char *name, uint64_t item,
                              const char *other_name, uint64_t other_item, uint64_t n,
                              hrr_error *err)
{
    hrr_array one = {.n_items = 0}, other = {.n_items = 0};
    hrr_status status = hrr_audit_read_part(&one, bundle, name, err);
    if (!status) status = hrr_audit_read_part(&other, bundle, other_name, err);
    *out = 0;
    for (uint64_t i = 0; i < n && !status; i++)
        *out += hrr_array_number(&one, item + i) == hrr_array_number(&other, other_item + i);
    hrr_array_clear(&one);
    hrr_array_clear(&other);
    return status;
}

static hrr_status look(float *out, hrr_parts_view view, const char *bundle, hrr_error *err)
{
    double first = 0, second = 0;
    hrr_status status = HRR_OK;
    switch (view) {
    case HRR_PARTS_ROWS: /* all 1024 of them, or not */
        status = count_equal(out, bundle, "features.npy", 0, "features.npy",
                             (uint64_t)rows_in_block * wide_row, wide_row, err);
        *out = *out == (float)wide_row;
        break;
    case HRR_PARTS_FEATURES_BITS:
        status = count_equal(out, bundle, "features.npy", 0, "labels.npy", 0, two_bits, err);
        break;
    case HRR_PARTS_BITS:
        status = hrr_audit_read_number(&first, bundle, "labels.npy", 0, err);
        if (!status) status = hrr_audit_read_number(&second, bundle, "labels.npy", 1, err);
        *out = (float)(first + 2 * second);
        break;
    default:
        status = hrr_audit_read_number(&first, bundle, "block_counts.npy", 0, err);
        if (!status)
            status = hrr_audit_read_number(&second, bundle, "block_counts.npy", few_nodes, err);
        *out = (float)(first - second);
    }
    return status;
}

static hrr_status try_once(float *out, const void *user, const char *bundle, int side,
                           uint64_t seed, hrr_error *err)
{
    const hrr_parts_attack *attack = user;
    hrr_protect_summary summary;
    hrr_status status =
        hrr_audit_protect(&summary, bundle, attack->graph[side], &attack->options, NULL, seed, err);
    return status ? status : look(out, attack->view, bundle, err);
}

hrr_status hrr_parts_attack_run(float *out, const void *user, int side, uint64_t first, uint64_t n,
                                hrr_error *err)
{
    const hrr_parts_attack *attack = user;
    return hrr_audit_run_bundles(out, try_once, attack, attack->directory, attack->seed, side,
                                 first, n, err);
}

/* ---- the attack ----------------------------------------------------------------------------- */

static void choose_options(hrr_protect_options *options, hrr_parts_view view, uint64_t eps_nano)
{
    hrr_protect_options_init(options);
    options->replace = true;
    options->threads = 1;
    if (view == HRR_PARTS_ROWS || view == HRR_PARTS_FEATURES_BITS) {
        options->features.eps_nano = eps_nano;
        options->features.n_bins = 2;
        options->features.decoding = HRR_DECODE_BINS;
    }
    if (view == HRR_PARTS_BITS || view == HRR_PARTS_FEATURES_BITS)
        options->eps_labels_nano = eps_nano;
    if (view != HRR_PARTS_GRAPHS) return;
    options->edges.mechanism = hrr_edge_edgerr_node.about.name;
    options->edges.eps_nano = eps_nano;
    options->edges.blocks = one_block;
    options->edges.n_blocks = 1;
    options->blocks_from = HRR_BLOCKS_GIVEN;
    options->declared_public = HRR_PUBLIC_BLOCKS;
}

hrr_status hrr_parts_attack_init(hrr_parts_attack *out, hrr_parts_view view, uint64_t eps_nano,
                                 uint64_t seed, hrr_error *err)
{
    *out = (hrr_parts_attack){.view = view, .seed = seed};
    choose_options(&out->options, view, eps_nano);
    hrr_status status = hrr_audit_scratch(&out->directory, err);
    for (int side = 0; side < 2 && !status; side++)
        status = make_graph(&out->graph[side], view, side, err);
    char *bundle = status ? NULL : hrr_path_join(out->directory, "bundle");
    if (!status && !bundle) status = hrr_no_memory(err);
    if (!status)
        status =
            hrr_audit_protect(&out->summary, bundle, out->graph[0], &out->options, NULL, seed, err);
    if (bundle) hrr_path_remove_flat(bundle);
    hrr_free(bundle);
    if (status) hrr_parts_attack_clear(out);
    return status;
}

void hrr_parts_attack_clear(hrr_parts_attack *attack)
{
    if (attack->directory) rmdir(attack->directory);
    hrr_free(attack->directory);
    hrr_graph_free(attack->graph[0]);
    hrr_graph_free(attack->graph[1]);
    *attack = (hrr_parts_attack){0};
}
