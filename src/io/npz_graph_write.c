/* npz_graph_write.c: the layout that npz_graph_read.c reads. The adjacency matrix is symmetric:
 * each edge is two entries, and edge_private has one number for each of them. The matrix is there
 * under two names: as adj_*, where loaders of published graphs look for it, and as the members that
 * scipy.sparse.load_npz() wants. 0/1 features are written sparse, others dense. Masked features,
 * candidates and graph ids do not fit. */
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

enum { max_items = 24 };

typedef struct packing {
    hrr_npz_item items[max_items];
    hrr_array arrays[max_items];
    size_t n;
} packing;

/* The array, and the memory it owns, belong to the packing from here on. */
static void pack(packing *out, const char *name, hrr_array array)
{
    assert(out->n < max_items);
    out->arrays[out->n] = array;
    out->items[out->n] = (hrr_npz_item){name, &out->arrays[out->n]};
    out->n++;
}

/* A fresh vector in the packing; returns its memory, or NULL. */
static void *pack_vector(packing *out, const char *name, hrr_array_type type, size_t item_size,
                         uint64_t n)
{
    hrr_region storage;
    if (hrr_region_alloc(&storage, n, item_size, true, NULL)) return NULL;
    hrr_array array = hrr_array_view(type, item_size, storage.start, n, 0);
    array.storage = storage;
    pack(out, name, array);
    return storage.start;
}

static bool pack_shape(packing *out, const char *name, uint64_t rows, uint64_t cols)
{
    int64_t *shape = pack_vector(out, name, HRR_ARRAY_I64, 8, 2);
    if (!shape) return false;
    shape[0] = (int64_t)rows;
    shape[1] = (int64_t)cols;
    return true;
}

static bool pack_ones(packing *out, const char *name, uint64_t n)
{
    float *ones = pack_vector(out, name, HRR_ARRAY_F32, 4, n);
    for (uint64_t i = 0; ones && i < n; i++)
        ones[i] = 1;
    return ones != NULL;
}

typedef struct matrix {
    int64_t *next; /* where the next entry of each row goes */
    int32_t *indices;
    uint8_t *is_private; /* or NULL */
} matrix;

static void put_entry(matrix *to, uint32_t row, uint32_t column, const uint8_t *is_private)
{
    const int64_t at = to->next[row]++;
    to->indices[at] = (int32_t)column;
    if (to->is_private) to->is_private[at] = *is_private;
}

/* Edges are sorted by source, then by target, and source < target. So the columns of each row
 * ascend if the entries below the diagonal are put first. */
static void put_entries(matrix *to, const hrr_graph *graph)
{
    const uint32_t *source = hrr_graph_sources(graph), *target = hrr_graph_targets(graph);
    const uint8_t *is_private = hrr_graph_is_private(graph);
    const uint64_t n_edges = hrr_graph_n_edges(graph);
    for (uint64_t e = 0; e < n_edges; e++)
        put_entry(to, target[e], source[e], is_private ? is_private + e : NULL);
    for (uint64_t e = 0; e < n_edges; e++)
        put_entry(to, source[e], target[e], is_private ? is_private + e : NULL);
}

/* The same memory under another name. */
static void pack_again(packing *out, const char *name, const char *known)
{
    for (size_t i = 0; i < out->n; i++)
        if (strcmp(out->items[i].name, known) == 0) {
            hrr_array view = out->arrays[i];
            view.storage = (hrr_region){0};
            pack(out, name, view);
            return;
        }
    assert(!"packed before");
}

static bool pack_edges(packing *out, const hrr_graph *graph)
{
    static const char format[] = "csr";
    const uint64_t n = hrr_graph_n_nodes(graph), n_edges = hrr_graph_n_edges(graph);
    int64_t *indptr = pack_vector(out, "adj_indptr", HRR_ARRAY_I64, 8, n + 1);
    matrix to = {.indices = pack_vector(out, "adj_indices", HRR_ARRAY_I32, 4, 2 * n_edges)};
    if (!indptr || !to.indices || !pack_ones(out, "adj_data", 2 * n_edges) ||
        !pack_shape(out, "adj_shape", n, n))
        return false;
    if (hrr_graph_is_private(graph)) {
        to.is_private = pack_vector(out, "edge_private", HRR_ARRAY_U8, 1, 2 * n_edges);
        if (!to.is_private) return false;
    }
    to.next = hrr_alloc_zero(n, sizeof *to.next);
    if (!to.next) return false;
    for (uint64_t e = 0; e < n_edges; e++) {
        indptr[hrr_graph_sources(graph)[e] + 1]++;
        indptr[hrr_graph_targets(graph)[e] + 1]++;
    }
    for (uint64_t i = 0; i < n; i++) {
        to.next[i] = indptr[i];
        indptr[i + 1] += indptr[i];
    }
    put_entries(&to, graph);
    hrr_free(to.next);
    pack_again(out, "indptr", "adj_indptr");
    pack_again(out, "indices", "adj_indices");
    pack_again(out, "data", "adj_data");
    pack_again(out, "shape", "adj_shape");
    pack(out, "format",
         (hrr_array){.type = HRR_ARRAY_BYTES,
                     .item_size = sizeof format - 1,
                     .n_items = 1,
                     .data = (void *)(uintptr_t)format});
    return true;
}

static bool is_binary(const hrr_dense *features, uint64_t *ones)
{
    const uint8_t *value = features->data;
    uint64_t n = features->rows * features->cols;
    *ones = 0;
    if (features->dtype != HRR_U8) return false;
    for (uint64_t i = 0; i < n; i++) {
        if (value[i] > 1) return false;
        *ones += value[i];
    }
    return true;
}

static bool pack_features(packing *out, const hrr_dense *features)
{
    uint64_t n_ones, used = 0;
    if (!features) return true;
    if (!is_binary(features, &n_ones)) {
        pack(out, "attr_matrix", hrr_array_of_dense(features));
        return true;
    }
    int64_t *indptr = pack_vector(out, "attr_indptr", HRR_ARRAY_I64, 8, features->rows + 1);
    int32_t *indices = pack_vector(out, "attr_indices", HRR_ARRAY_I32, 4, n_ones);
    if (!indptr || !indices || !pack_ones(out, "attr_data", n_ones) ||
        !pack_shape(out, "attr_shape", features->rows, features->cols))
        return false;
    const uint8_t *value = features->data;
    for (uint64_t row = 0; row < features->rows; row++) {
        for (uint64_t col = 0; col < features->cols; col++)
            if (value[row * features->cols + col]) indices[used++] = (int32_t)col;
        indptr[row + 1] = (int64_t)used;
    }
    return true;
}

static hrr_status pack_labels(packing *out, const hrr_graph *graph, hrr_error *err)
{
    uint64_t n = hrr_graph_n_nodes(graph);
    hrr_array array;
    hrr_status status;
    if (hrr_graph_classes(graph))
        pack(out, "labels", hrr_array_view(HRR_ARRAY_I32, 4, hrr_graph_classes(graph), n, 0));
    if (hrr_graph_label_matrix(graph))
        pack(out, "labels", hrr_array_of_dense(hrr_graph_label_matrix(graph)));
    if (hrr_graph_split(graph))
        pack(out, "split", hrr_array_view(HRR_ARRAY_U8, 1, hrr_graph_split(graph), n, 0));
    if (hrr_graph_node_ids(graph)) {
        if ((status = hrr_array_of_ids(&array, hrr_graph_node_ids(graph), n, err))) return status;
        pack(out, "node_names", array);
    }
    if (hrr_graph_n_classes(graph) && hrr_graph_class_name(graph, 0)) {
        if ((status = hrr_array_of_class_names(&array, graph, err))) return status;
        pack(out, "class_names", array);
    }
    return HRR_OK;
}

hrr_status hrr_npz_graph_write(const hrr_graph *graph, const char *path, hrr_error *err)
{
    packing out = {0};
    hrr_status status = HRR_OK;
    if (!pack_edges(&out, graph) || !pack_features(&out, hrr_graph_features(graph)))
        status = hrr_no_memory(err);
    if (!status) status = pack_labels(&out, graph, err);
    if (!status && hrr_graph_inferred(graph)) {
        int32_t *inferred = pack_vector(&out, "inferred", HRR_ARRAY_I32, 4, 1);
        if (inferred)
            *inferred = (int32_t)hrr_graph_inferred(graph);
        else
            status = hrr_no_memory(err);
    }
    if (!status) status = hrr_npz_write(path, out.items, out.n, err);
    for (size_t i = 0; i < out.n; i++)
        hrr_array_clear(&out.arrays[i]);
    return status;
}
