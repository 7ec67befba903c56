/* npz_graph_read.c: graphs in one .npz archive, as gnn-benchmark (Shchur et al., "Pitfalls of graph
 * neural network evaluation", 2018) publishes them:
 *   adj_data, adj_indices, adj_indptr, adj_shape      the edges, any entry that is not 0; without
 *                                                     adj_: a csr or csc matrix of scipy.sparse
 *   attr_data, ... or attr_matrix                     the features, sparse or dense
 *   labels, node_names, class_names                   all optional
 *   idx_train, idx_val or idx_valid, idx_test         or `split`, one number of 0..2 for each node
 *   edge_private                                      ours: 0/1 for each entry of adj */
#include "io/file_names.h"
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "io/npz.h"
#include "io/npz_csr.h"
#include "io/set_lists.h"
#include "base/memory.h"

#include <inttypes.h>

typedef struct archive {
    const char *path;
    hrr_npz_reader *npz;
    hrr_graph *graph;
    hrr_progress *progress;
} archive;

/* *found false, and nothing read, if there is no such member. *where names it, hrr memory. */
static hrr_status member(hrr_array *out, char **where, bool *found, const archive *in,
                         const char *name, hrr_error *err)
{
    *out = (hrr_array){0};
    *found = hrr_npz_has(in->npz, name);
    *where = hrr_format_text("%s: %s", in->path, name);
    if (!*where) return hrr_no_memory(err);
    return *found ? hrr_npz_read(out, in->npz, name, err) : HRR_OK;
}

/* ---- edges -------------------------------------------------------------------------------- */

/* Of a symmetric matrix one half: the other repeats nothing, it is how matrices are stored. */
static void collect_edges(hrr_edge_list *edges, const hrr_npz_csr *adjacency, const uint8_t *marks)
{
    const bool symmetric = hrr_npz_csr_is_symmetric(adjacency, marks);
    uint64_t used = 0;
    for (uint64_t row = 0; row < adjacency->rows; row++) {
        uint64_t end = (uint64_t)hrr_array_integer(&adjacency->indptr, row + 1);
        for (uint64_t i = (uint64_t)hrr_array_integer(&adjacency->indptr, row); i < end; i++) {
            const uint64_t column = (uint64_t)hrr_array_integer(&adjacency->indices, i);
            if (hrr_npz_csr_is_zero(adjacency, i) || (symmetric && column < row)) continue;
            edges->source[used] = (uint32_t)row;
            edges->target[used] = (uint32_t)column;
            if (marks) edges->marks[used] = marks[i];
            used++;
        }
    }
    edges->n_edges = used;
}

static hrr_status take_edges(archive *in, const hrr_npz_csr *adjacency, hrr_error *err)
{
    static const char *const mark_name[] = {"private"};
    hrr_array array = {0};
    hrr_edge_list edges = {0};
    uint8_t *marks = NULL;
    char *where = NULL;
    bool marked;
    hrr_status status = member(&array, &where, &marked, in, "edge_private", err);
    if (!status && marked)
        status = hrr_array_bytes(&marks, &array, adjacency->n_entries, 1, where, err);
    if (!status) status = hrr_edge_list_init(&edges, adjacency->n_entries, marked, err);
    if (!status) {
        collect_edges(&edges, adjacency, marks);
        status = hrr_graph_take_edges(in->graph, &edges, mark_name, marked, in->progress, err);
        status = hrr_error_add_place(err, status, in->path);
    }
    hrr_edge_list_clear(&edges);
    hrr_free(marks);
    hrr_free(where);
    hrr_array_clear(&array);
    return status;
}

/* ---- features ----------------------------------------------------------------------------- */

static bool all_zero_or_one(const hrr_dense *values)
{
    for (uint64_t i = 0; i < values->rows; i++) {
        double value = hrr_dense_get(values, i, 0);
        if (value != 0 && value != 1) return false;
    }
    return true;
}

/* Whether a row has two entries for the same column. */
static hrr_status find_repeats(bool *repeats, const hrr_npz_csr *matrix, hrr_error *err)
{
    uint64_t *seen_in = hrr_alloc_zero(matrix->cols, sizeof *seen_in); /* row + 1 */
    *repeats = false;
    if (!seen_in) return hrr_no_memory(err);
    for (uint64_t row = 0; row < matrix->rows; row++) {
        uint64_t end = (uint64_t)hrr_array_integer(&matrix->indptr, row + 1);
        for (uint64_t i = (uint64_t)hrr_array_integer(&matrix->indptr, row); i < end; i++) {
            uint64_t *seen = &seen_in[hrr_array_integer(&matrix->indices, i)];
            *repeats |= *seen == row + 1;
            *seen = row + 1;
        }
    }
    hrr_free(seen_in);
    return HRR_OK;
}

/* Entries that repeat a place are added up, as scipy does; if the file's types say that an entry is
 * a member of a set, it stays one. Never by the values: then one node's would change how the rows
 * of all others are read. Bytes hold the same numbers in a quarter of the memory. */
static hrr_status fill_features(hrr_dense *out, const hrr_npz_csr *attributes, hrr_error *err)
{
    const bool is_set = !attributes->values.data || attributes->truths;
    bool binary = is_set || all_zero_or_one(&attributes->values), repeats = false;
    hrr_status status = HRR_OK;
    if (binary && !is_set) status = find_repeats(&repeats, attributes, err);
    binary = binary && !repeats;
    if (!status)
        status =
            hrr_dense_init(out, binary ? HRR_U8 : HRR_F32, attributes->rows, attributes->cols, err);
    if (status) return status;
    for (uint64_t row = 0; row < attributes->rows; row++) {
        uint64_t end = (uint64_t)hrr_array_integer(&attributes->indptr, row + 1);
        for (uint64_t i = (uint64_t)hrr_array_integer(&attributes->indptr, row); i < end; i++) {
            uint64_t at =
                row * attributes->cols + (uint64_t)hrr_array_integer(&attributes->indices, i);
            double value = attributes->values.data ? hrr_dense_get(&attributes->values, i, 0) : 1;
            if (binary)
                ((uint8_t *)out->data)[at] |= value == 1;
            else
                ((float *)out->data)[at] += (float)value;
        }
    }
    return HRR_OK;
}

static hrr_status take_sparse_features(archive *in, hrr_error *err)
{
    hrr_npz_csr attributes = {0};
    hrr_dense features = {0};
    hrr_status status = hrr_npz_csr_read(&attributes, in->npz, in->path, "attr", err);
    if (!status && (attributes.rows != hrr_graph_n_nodes(in->graph) || attributes.cols == 0 ||
                    attributes.cols > HRR_MAX_SPARSE_FEATURES))
        status =
            hrr_fail(err, HRR_EDATA,
                     "%s: attr_shape: is %" PRIu64 " x %" PRIu64
                     "; it must have one row for each of %" PRIu64 " nodes and 1 to %d columns",
                     in->path, attributes.rows, attributes.cols, hrr_graph_n_nodes(in->graph),
                     HRR_MAX_SPARSE_FEATURES);
    if (!status) status = fill_features(&features, &attributes, err);
    if (!status)
        status =
            hrr_error_add_place(err, hrr_graph_take_features(in->graph, &features, err), in->path);
    /* Entries without values, or true and false: a matter of the file's types. */
    if (!status && (!attributes.values.data || attributes.truths))
        status = hrr_graph_set_feature_range(in->graph, 0, 1, err);
    hrr_dense_clear(&features);
    hrr_npz_csr_clear(&attributes);
    return status;
}

static hrr_status take_features(archive *in, hrr_error *err)
{
    if (hrr_npz_has(in->npz, "attr_indptr")) return take_sparse_features(in, err);
    hrr_array array;
    char *where;
    bool found;
    hrr_status status = member(&array, &where, &found, in, "attr_matrix", err);
    if (!status && found) status = hrr_take_features_array(in->graph, &array, where, err);
    hrr_free(where);
    return status;
}

/* ---- labels, names, split ----------------------------------------------------------------- */

static hrr_status take_labels(archive *in, hrr_error *err)
{
    hrr_array array;
    char *where;
    bool found;
    hrr_status status = member(&array, &where, &found, in, "labels", err);
    if (!status && found) status = hrr_take_labels_array(in->graph, &array, 0, where, err);
    hrr_free(where);
    if (status) return status;

    status = member(&array, &where, &found, in, "class_names", err);
    if (!status && found) status = hrr_set_class_names_array(in->graph, &array, where, err);
    hrr_free(where);
    if (status) return status;

    status = member(&array, &where, &found, in, "node_names", err);
    if (!status && found) status = hrr_take_ids_array(in->graph, &array, where, err);
    hrr_free(where);
    return status;
}

/* As in the native layout: bits of hrr_inferred. */
static hrr_status take_inferred(archive *in, hrr_error *err)
{
    hrr_array array;
    char *where;
    bool found;
    hrr_status status = member(&array, &where, &found, in, "inferred", err);
    if (!status && found) status = hrr_check_integers(&array, 1, where, err);
    if (!status && found) {
        const int64_t bits = hrr_array_integer(&array, 0);
        if (bits >= 0 && bits < HRR_INFERRED_END)
            hrr_graph_add_inferred(in->graph, (hrr_inferred)bits);
        else
            status =
                hrr_fail(err, HRR_EDATA, "the value of %s is not one that heterorr writes", where);
    }
    hrr_array_clear(&array);
    hrr_free(where);
    return status;
}

static hrr_status put_set(hrr_set_lists *lists, bool *any, const archive *in, const char *name,
                          hrr_split split, hrr_error *err)
{
    hrr_array array;
    char *where;
    bool found;
    hrr_status status = member(&array, &where, &found, in, name, err);
    if (!status && found) status = hrr_check_integers(&array, array.n_items, where, err);
    for (uint64_t i = 0; i < array.n_items && !status; i++)
        if (!hrr_set_lists_put(lists, hrr_array_integer(&array, i), split))
            status = hrr_fail(err, HRR_EDATA,
                              "%s: entry %" PRIu64
                              " (counting from 0) is not a node, or is a node of another set",
                              where, i);
    *any = *any || found;
    hrr_array_clear(&array);
    hrr_free(where);
    return status;
}

static hrr_status take_split(archive *in, hrr_error *err)
{
    hrr_array array;
    char *where;
    bool found, any = false;
    hrr_status status = member(&array, &where, &found, in, "split", err);
    if (!status && found) status = hrr_take_split_array(in->graph, &array, where, err);
    hrr_free(where);
    if (status || found) return status;

    hrr_set_lists lists;
    if ((status = hrr_set_lists_init(&lists, hrr_graph_n_nodes(in->graph), err))) return status;
    status = put_set(&lists, &any, in, "idx_train", HRR_TRAIN, err);
    if (!status) status = put_set(&lists, &any, in, "idx_val", HRR_VALID, err);
    if (!status) status = put_set(&lists, &any, in, "idx_valid", HRR_VALID, err);
    if (!status) status = put_set(&lists, &any, in, "idx_test", HRR_TEST, err);
    if (!status && any) {
        hrr_set_lists_finish(&lists);
        status = hrr_graph_take_split(in->graph, &lists.split, err);
    }
    hrr_set_lists_clear(&lists);
    return status;
}

hrr_status hrr_npz_graph_read(hrr_graph **out, const char *path, const hrr_read_options *options,
                              hrr_progress *progress, hrr_error *err)
{
    (void)options;
    archive in = {.path = path, .progress = progress};
    hrr_npz_csr adjacency = {0};
    *out = NULL;
    hrr_status status = hrr_npz_open(&in.npz, path, err);
    if (status) return status;
    const bool plain = !hrr_npz_has(in.npz, "adj_indptr") && hrr_npz_has(in.npz, "indptr");
    if ((status = hrr_npz_csr_read(&adjacency, in.npz, path, plain ? "" : "adj", err))) goto done;
    if (adjacency.rows != adjacency.cols) {
        status = hrr_fail(err, HRR_EDATA,
                          "%s: adj_shape: is %" PRIu64 " x %" PRIu64
                          "; an adjacency matrix must be square",
                          path, adjacency.rows, adjacency.cols);
        goto done;
    }
    status = hrr_graph_new_named(&in.graph, path, adjacency.rows, err);
    if ((status = hrr_error_add_place(err, status, path))) goto done;
    if ((status = take_edges(&in, &adjacency, err))) goto done;
    if ((status = take_features(&in, err))) goto done;
    if ((status = take_labels(&in, err))) goto done;
    if ((status = take_split(&in, err))) goto done;
    if ((status = take_inferred(&in, err))) goto done;
    *out = in.graph;
    in.graph = NULL;
done:
    hrr_graph_free(in.graph);
    hrr_npz_csr_clear(&adjacency);
    hrr_npz_close(in.npz);
    return status;
}
