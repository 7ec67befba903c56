/* ppi_csv_read.c: a collection as one edge list a graph: {train,valid,test}_NUMBER.csv, with the
 * same private columns in each; node ids are row numbers within their graph.
 *
 * {split}_feats.npy with {split}_graph_id.npy gives features, if all splits that are present have
 * both: a graph has features for all nodes or for none. The graph ids then also say how many nodes
 * each graph has, so that nodes without edges are counted. */
#include "io/edge_append.h"
#include "io/edge_text.h"
#include "io/file_names.h"
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "io/split_arrays.h"
#include "base/memory.h"
#include "base/paths.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct member {
    char *path;
    int split;
    uint64_t number;
    uint64_t n_nodes; /* 0: the largest id in the file + 1 */
} member;

typedef struct collection {
    const char *directory;
    member *members;
    uint64_t n_members;
    bool present[3], with_features;
    uint64_t rows[3], n_nodes;
    hrr_edge_growth edges;
    int n_marks;
    bool passed_over; /* columns that may mark private edges were not read */
    char *mark_names[HRR_MAX_MARKS];
    hrr_graph *graph;
} collection;

bool hrr_ppi_csv_name(const char *name, int *split, uint64_t *number)
{
    for (int s = 0; s < 3; s++) {
        size_t length = strlen(hrr_split_names[s]);
        if (strncmp(name, hrr_split_names[s], length) != 0 || name[length] != '_') continue;
        const char *digits = name + length + 1;
        size_t n_digits = strspn(digits, "0123456789");
        const char *ending = digits + n_digits;
        if (n_digits == 0 || n_digits > 9) return false;
        if (strcmp(ending, ".csv") != 0 && strcmp(ending, ".csv.gz") != 0 &&
            strcmp(ending, ".csv.zst") != 0)
            return false;
        *split = s;
        *number = strtoull(digits, NULL, 10);
        return true;
    }
    return false;
}

static int by_split_and_number(const void *a, const void *b)
{
    const member *left = a, *right = b;
    if (left->split != right->split) return left->split < right->split ? -1 : 1;
    if (left->number != right->number) return left->number < right->number ? -1 : 1;
    return strcmp(left->path, right->path);
}

static hrr_status find_members(collection *in, hrr_error *err)
{
    hrr_entries entries;
    hrr_status status = hrr_entries_read(&entries, in->directory, err);
    if (status) return status;
    in->members = hrr_alloc_zero(entries.n, sizeof *in->members);
    if (!in->members) status = hrr_no_memory(err);
    for (uint64_t i = 0; i < entries.n && !status; i++) {
        member found = {0};
        if (!hrr_ppi_csv_name(entries.names[i], &found.split, &found.number)) continue;
        found.path = hrr_path_join(in->directory, entries.names[i]);
        if (!found.path) {
            status = hrr_no_memory(err);
            break;
        }
        in->present[found.split] = true;
        in->members[in->n_members++] = found;
    }
    hrr_entries_clear(&entries);
    if (!status && in->n_members == 0)
        status = hrr_fail(err, HRR_EIO,
                          "%s: no collection was found; expected train_NUMBER.csv, "
                          "valid_NUMBER.csv and test_NUMBER.csv",
                          in->directory);
    if (!status) qsort(in->members, in->n_members, sizeof *in->members, by_split_and_number);
    return status;
}

/* How many nodes each graph of a split has, from the runs of equal graph ids. */
static hrr_status size_members(collection *in, int split, hrr_error *err)
{
    hrr_array array = {0};
    uint32_t *graph_ids = NULL, n_graphs = 0;
    uint64_t first = 0, n_members = 0;
    char *path = hrr_split_path(in->directory, split, "graph_id.npy");
    hrr_status status = path ? hrr_array_read(&array, path, err) : hrr_no_memory(err);
    if (!status) status = hrr_check_integers(&array, array.n_items, path, err);
    if (status) goto done;
    graph_ids = hrr_alloc(array.n_items, sizeof *graph_ids);
    if (!graph_ids) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status = hrr_split_graph_ids(graph_ids, &n_graphs, &array, path, err))) goto done;
    while (in->members[first].split != split)
        first++;
    while (first + n_members < in->n_members && in->members[first + n_members].split == split)
        n_members++;
    if (n_graphs != n_members) {
        status = hrr_fail(err, HRR_EDATA, "%s: has %u %s, but there %s %" PRIu64 " %s of %s graphs",
                          path, n_graphs, hrr_plural(n_graphs, "graph", "graphs"),
                          hrr_plural(n_members, "is", "are"), n_members,
                          hrr_plural(n_members, "file", "files"), hrr_split_names[split]);
        goto done;
    }
    for (uint64_t i = 0; i < array.n_items; i++)
        in->members[first + graph_ids[i]].n_nodes++;
done:
    hrr_free(graph_ids);
    hrr_array_clear(&array);
    hrr_free(path);
    return status;
}

static hrr_status find_features(collection *in, hrr_error *err)
{
    int count, missing_feats, missing_ids;
    hrr_status status =
        hrr_split_count(&count, &missing_feats, in->directory, "feats.npy", in->present, err);
    if (!status)
        status =
            hrr_split_count(&count, &missing_ids, in->directory, "graph_id.npy", in->present, err);
    if (status) return status;
    in->with_features = missing_feats == 3 && missing_ids == 3;
    for (int split = 0; split < 3 && in->with_features && !status; split++)
        if (in->present[split]) status = size_members(in, split, err);
    return status;
}

/* The first file brings the mark columns; the others must have the same. */
static hrr_status check_marks(collection *in, const member *from, hrr_edge_text *text,
                              hrr_error *err)
{
    in->passed_over |= text->passed_over && !text->n_marks;
    if (from == in->members) {
        in->n_marks = text->n_marks;
        memcpy(in->mark_names, text->mark_names, sizeof in->mark_names);
        memset(text->mark_names, 0, sizeof text->mark_names);
        return HRR_OK;
    }
    bool same = text->n_marks == in->n_marks;
    for (int i = 0; i < in->n_marks && same; i++)
        same = strcmp(text->mark_names[i], in->mark_names[i]) == 0;
    if (!same)
        return hrr_fail(err, HRR_EDATA, "%s: does not have the same private columns as %s",
                        from->path, in->members[0].path);
    return HRR_OK;
}

/* Without graph ids the largest id says how many nodes there are. One mistyped id would then make
 * millions of nodes that nothing else speaks of, so it must be in proportion to the rows. */
static hrr_status check_size(const member *from, const hrr_edge_text *text, hrr_error *err)
{
    const uint64_t most = 1024 + 16 * text->edges.n_edges;
    if (from->n_nodes > 0 || text->n_nodes <= most) return HRR_OK;
    return hrr_fail(err, HRR_EDATA,
                    "%s: %" PRIu64 " %s a node number above %" PRIu64
                    "; node ids must be the row numbers 0, 1, 2, ... of this graph",
                    from->path, text->edges.n_edges,
                    hrr_plural(text->edges.n_edges, "row names", "rows name"), most);
}

static hrr_status read_members(collection *in, const hrr_read_options *options,
                               hrr_progress *progress, hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (uint64_t i = 0; i < in->n_members && !status; i++) {
        member *from = &in->members[i];
        hrr_edge_text text = {0};
        hrr_edge_text_options how;
        status = hrr_edge_text_options_of(&how, options, HRR_IDS_DIRECT, from->n_nodes, err);
        if (status || (status = hrr_edge_text_read(&text, from->path, &how, progress, err))) break;
        status = check_marks(in, from, &text, err);
        if (!status) status = check_size(from, &text, err);
        from->n_nodes = text.n_nodes;
        if (!status && in->n_nodes + text.n_nodes > HRR_MAX_NODES)
            status = hrr_fail(err, HRR_EDATA, "%s: there are more than %" PRIu64 " nodes in total",
                              from->path, HRR_MAX_NODES);
        if (!status) status = hrr_edge_growth_append(&in->edges, &text.edges, in->n_nodes, err);
        in->n_nodes += text.n_nodes;
        in->rows[from->split] += text.n_nodes;
        hrr_edge_text_clear(&text);
    }
    return status;
}

static hrr_status take_split_and_graph_ids(collection *in, hrr_error *err)
{
    uint8_t *split = hrr_alloc(in->n_nodes, 1);
    uint32_t *graph_ids = hrr_alloc(in->n_nodes, sizeof *graph_ids);
    hrr_status status = split && graph_ids ? HRR_OK : hrr_no_memory(err);
    uint64_t at = 0;
    for (uint64_t i = 0; i < in->n_members && !status; i++)
        for (uint64_t k = 0; k < in->members[i].n_nodes; k++, at++) {
            split[at] = (uint8_t)in->members[i].split;
            graph_ids[at] = (uint32_t)i;
        }
    if (!status) status = hrr_graph_take_split(in->graph, &split, err);
    if (!status) status = hrr_graph_take_graph_ids(in->graph, &graph_ids, err);
    hrr_free(split);
    hrr_free(graph_ids);
    return status;
}

static hrr_status take_features(collection *in, hrr_error *err)
{
    hrr_dense features = {0};
    if (!in->with_features) return HRR_OK;
    hrr_status status =
        hrr_split_stack(&features, in->directory, "feats.npy", in->present, in->rows, err);
    if (!status)
        status = hrr_error_add_place(err, hrr_graph_take_features(in->graph, &features, err),
                                     in->directory);
    hrr_dense_clear(&features);
    return status;
}

hrr_status hrr_ppi_csv_read(hrr_graph **out, const char *path, const hrr_read_options *options,
                            hrr_progress *progress, hrr_error *err)
{
    collection in = {.directory = path};
    *out = NULL;
    hrr_status status = find_members(&in, err);
    if (status) goto done;
    if ((status = find_features(&in, err))) goto done;
    if ((status = read_members(&in, options, progress, err))) goto done;
    if ((status = hrr_graph_new_named(&in.graph, path, in.n_nodes, err))) goto done;
    if ((status = take_split_and_graph_ids(&in, err))) goto done;
    status = hrr_graph_take_edges(in.graph, &in.edges.edges, (const char *const *)in.mark_names,
                                  in.n_marks, progress, err);
    if ((status = hrr_error_add_place(err, status, path))) goto done;
    if ((status = take_features(&in, err))) goto done;
    if (!in.with_features) hrr_graph_add_inferred(in.graph, HRR_INFERRED_NODES);
    if (in.passed_over) hrr_graph_add_inferred(in.graph, HRR_INFERRED_EDGES);
    *out = in.graph;
    in.graph = NULL;
done:
    hrr_graph_free(in.graph);
    hrr_edge_growth_clear(&in.edges);
    for (int i = 0; i < HRR_MAX_MARKS; i++)
        hrr_free(in.mark_names[i]);
    for (uint64_t i = 0; i < in.n_members; i++)
        hrr_free(in.members[i].path);
    hrr_free(in.members);
    return status;
}
