/* loaders.c: see loaders.h.
 *
 * GraphBolt reads a folder with a metadata.yaml that names npy files (DGL's "YAML specification" of
 * OnDiskDataset). Its graphs are directed, so an undirected edge must be listed both ways; PyTorch
 * Geometric wants the same array as its edge_index. A training set is a pair of arrays, nodes and
 * their labels in the same order. Nodes without a label are in no set: which they are is public.
 *
 * Everything here repeats what stands in the bundle already, in another form. */
#include "release/loaders.h"
#include "release/readme.h"
#include "io/graph_parts.h"
#include "io/native_write.h"
#include "io/npy.h"
#include "base/memory.h"
#include "base/paths.h"

#include <heterorr/io.h>

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { n_parts = 3 };
static const char *const part_names[n_parts] = {"train", "valid", "test"};
static const char *const set_names[n_parts] = {"train_set", "validation_set", "test_set"};

static bool in_part(const hrr_graph *graph, uint64_t node, int part)
{
    const uint8_t *split = hrr_graph_split(graph);
    return (split ? split[node] : 0) == part;
}

/* ---- masks ---------------------------------------------------------------------------------- */

/* A graph without a split gets them too, with every node in the first: loaders expect masks, and no
 * part of a graph is withheld unless somebody said so. */
static hrr_status write_masks(const char *directory, const hrr_graph *graph, hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    uint8_t *mask = hrr_alloc(n ? n : 1, 1);
    if (!mask) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    for (int part = 0; part < n_parts && !status; part++) {
        char name[32];
        snprintf(name, sizeof name, "%s_mask.npy", part_names[part]);
        for (uint64_t i = 0; i < n; i++)
            mask[i] = in_part(graph, i, part);
        status = hrr_native_put_vector(directory, name, HRR_ARRAY_BOOL, 1, mask, n, err);
    }
    hrr_free(mask);
    return status;
}

/* ---- edges ---------------------------------------------------------------------------------- */

/* 2 x 2E: u -> v for all edges, then v -> u. */
static hrr_status write_both_ways(const char *directory, const hrr_graph *released, hrr_error *err)
{
    const uint64_t n_edges = hrr_graph_n_edges(released);
    const hrr_array shape = {.type = HRR_ARRAY_I32,
                             .item_size = sizeof(int32_t),
                             .n_dims = 2,
                             .shape = {2, 2 * n_edges},
                             .n_items = 4 * n_edges};
    const uint32_t *rows[] = {hrr_graph_sources(released), hrr_graph_targets(released),
                              hrr_graph_targets(released), hrr_graph_sources(released)};
    hrr_output *output = NULL;
    char *path = hrr_path_join(directory, "edge_index.npy");
    if (!path) return hrr_no_memory(err);
    hrr_status status = hrr_npy_begin(&output, path, &shape, err);
    for (int i = 0; i < 4 && !status; i++)
        status = hrr_output_write(output, rows[i], n_edges * sizeof **rows, err);
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    hrr_free(path);
    return status;
}

/* ---- sets ----------------------------------------------------------------------------------- */

static bool has_label(const hrr_array *labels, uint64_t node)
{
    return labels->n_dims == 2 || ((const int32_t *)labels->data)[node] >= 0;
}

/* Labels of the listed nodes: int64 classes as losses want them, or rows of 0 and 1. */
static hrr_status write_set_labels(const char *directory, const char *name, const hrr_array *labels,
                                   const int64_t *nodes, uint64_t n, hrr_error *err)
{
    const bool matrix = labels->n_dims == 2;
    const size_t row_size = matrix ? labels->shape[1] : sizeof(int64_t);
    char *rows = hrr_alloc(n, row_size ? row_size : 1);
    if (!rows) return hrr_no_memory(err);
    for (uint64_t i = 0; i < n; i++) {
        const size_t node = (size_t)nodes[i];
        if (matrix)
            memcpy(rows + i * row_size, (const char *)labels->data + node * row_size, row_size);
        else
            ((int64_t *)(void *)rows)[i] = ((const int32_t *)labels->data)[node];
    }
    const hrr_array array = {.type = matrix ? HRR_ARRAY_U8 : HRR_ARRAY_I64,
                             .item_size = matrix ? 1 : sizeof(int64_t),
                             .n_dims = matrix ? 2 : 1,
                             .shape = {n, matrix ? row_size : 0},
                             .n_items = matrix ? n * row_size : n,
                             .data = rows};
    hrr_status status = hrr_native_put(directory, name, &array, err);
    hrr_free(rows);
    return status;
}

/* *size: how many nodes of the part have a label; without any nothing is written. */
static hrr_status write_set(uint64_t *size, const char *directory, const hrr_graph *graph,
                            const hrr_array *labels, int part, hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    uint64_t n_nodes = 0;
    char name[32];
    int64_t *nodes = hrr_alloc(n ? n : 1, sizeof *nodes);
    if (!nodes) return hrr_no_memory(err);
    for (uint64_t i = 0; i < n; i++)
        if (in_part(graph, i, part) && has_label(labels, i)) nodes[n_nodes++] = (int64_t)i;
    hrr_status status = HRR_OK;
    if (n_nodes) {
        snprintf(name, sizeof name, "%s_nodes.npy", part_names[part]);
        status = hrr_native_put_vector(directory, name, HRR_ARRAY_I64, sizeof *nodes, nodes,
                                       n_nodes, err);
        snprintf(name, sizeof name, "%s_labels.npy", part_names[part]);
        if (!status) status = write_set_labels(directory, name, labels, nodes, n_nodes, err);
    }
    *size = n_nodes;
    hrr_free(nodes);
    return status;
}

static hrr_array labels_of(const hrr_graph *released)
{
    const hrr_dense *matrix = hrr_graph_label_matrix(released);
    if (matrix) return hrr_array_of_dense(matrix);
    return hrr_array_view(HRR_ARRAY_I32, sizeof(int32_t), hrr_graph_classes(released),
                          hrr_graph_n_nodes(released), 0);
}

static hrr_status write_sets(uint64_t sizes[n_parts], const char *directory,
                             const hrr_graph *released, hrr_error *err)
{
    const hrr_array labels = labels_of(released);
    hrr_status status = HRR_OK;
    for (int part = 0; part < n_parts && !status; part++)
        status = write_set(&sizes[part], directory, released, &labels, part, err);
    return status;
}

/* ---- metadata.yaml -------------------------------------------------------------------------- */

typedef struct page {
    hrr_output *output;
    hrr_status status;
    hrr_error *err;
} page;

HRR_PRINTF(2, 3) static void put(page *p, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!p->status) p->status = hrr_output_write(p->output, text, (size_t)length, p->err);
}

static void put_file(page *p, const char *indent, const char *name, const char *path)
{
    put(p, "%s- name: %s\n%s  format: numpy\n%s  in_memory: true\n%s  path: %s\n", indent, name,
        indent, indent, indent, path);
}

static void put_node_data(page *p, const char *name, const char *path)
{
    put(p, "  - domain: node\n    name: %s\n    format: numpy\n    in_memory: true\n    path: %s\n",
        name, path);
}

/* It is only a label there: letters of any alphabet but ASCII are not worth YAML's rules. */
static void put_name(page *p, const char *name)
{
    char plain[64];
    size_t i = 0;
    for (; name[i] && i + 1 < sizeof plain; i++)
        plain[i] = isalnum((unsigned char)name[i]) || strchr("._-", name[i]) ? name[i] : '_';
    plain[i] = '\0';
    put(p, "dataset_name: \"%s\"\n", plain);
}

static void put_tasks(page *p, const hrr_graph *graph, const uint64_t sizes[n_parts])
{
    put(p, "tasks:\n  - name: node_classification\n    num_classes: %u\n",
        hrr_graph_n_classes(graph));
    for (int part = 0; part < n_parts; part++) {
        char nodes[32], labels[32];
        if (!sizes[part]) { /* a task has all three */
            put(p, "    %s: []\n", set_names[part]);
            continue;
        }
        snprintf(nodes, sizeof nodes, "%s_nodes.npy", part_names[part]);
        snprintf(labels, sizeof labels, "%s_labels.npy", part_names[part]);
        put(p, "    %s:\n      - data:\n", set_names[part]);
        put_file(p, "          ", "seeds", nodes);
        put_file(p, "          ", "labels", labels);
    }
}

static hrr_status write_metadata(const char *directory, const hrr_graph *graph, bool has_features,
                                 bool has_labels, const uint64_t sizes[n_parts], hrr_error *err)
{
    char *path = hrr_path_join(directory, "metadata.yaml");
    if (!path) return hrr_no_memory(err);
    page p = {.err = err};
    p.status = hrr_output_open(&p.output, path, err);
    put(&p,
        "# For DGL: dgl.graphbolt.OnDiskDataset(\"a copy of this folder\"), which it writes to.\n"
        "# What is promised about the data: CERTIFICATE.txt.\n");
    if (!hrr_graph_split(graph))
        put(&p, "# There was no split: every node is in the training part.\n");
    put_name(&p, hrr_graph_name(graph));
    put(&p,
        "graph:\n  nodes:\n    - num: %llu\n  edges:\n    - format: numpy\n"
        "      path: edge_index.npy\n",
        (unsigned long long)hrr_graph_n_nodes(graph));
    if (has_features || has_labels) put(&p, "feature_data:\n");
    if (has_features) put_node_data(&p, "feat", "features.npy");
    if (has_labels) put_node_data(&p, "label", "labels.npy");
    if (has_labels) put_tasks(&p, graph, sizes);
    if (!p.status) p.status = hrr_output_commit(p.output, err);
    hrr_output_free(p.output);
    hrr_free(path);
    return p.status;
}

hrr_status hrr_loaders_write(const char *directory, const hrr_graph *released, bool has_features,
                             hrr_error *err)
{
    const bool has_labels = hrr_graph_classes(released) || hrr_graph_label_matrix(released);
    uint64_t sizes[n_parts] = {0};
    hrr_status status = write_masks(directory, released, err);
    if (!status) status = write_both_ways(directory, released, err);
    if (!status && has_labels) status = write_sets(sizes, directory, released, err);
    if (!status) status = write_metadata(directory, released, has_features, has_labels, sizes, err);
    if (!status) status = hrr_readme_write(directory, released, has_features, has_labels, err);
    return status;
}
