/* split_arrays.c: see split_arrays.h. */
#include "io/split_arrays.h"
#include "io/file_names.h"
#include "io/graph_formats.h"
#include "io/graph_parts.h"
#include "base/memory.h"
#include "base/paths.h"
#include "matrix/dense.h"

#include <inttypes.h>
#include <string.h>

const char *const hrr_split_names[3] = {"train", "valid", "test"};

char *hrr_split_path(const char *directory, int split, const char *what)
{
    char *name = hrr_format_text("%s_%s", hrr_split_names[split], what);
    char *path = name ? hrr_path_join(directory, name) : NULL;
    hrr_free(name);
    return path;
}

hrr_status hrr_split_count(int *count, int *first_missing, const char *directory, const char *what,
                           const bool present[3], hrr_error *err)
{
    *count = 0;
    *first_missing = 3;
    for (int split = 2; split >= 0; split--) {
        if (!present[split]) continue;
        char *path = hrr_split_path(directory, split, what);
        if (!path) return hrr_no_memory(err);
        if (hrr_path_is_file(path))
            ++*count;
        else
            *first_missing = split;
        hrr_free(path);
    }
    return HRR_OK;
}

static hrr_status read_part(hrr_dense *out, const char *path, uint64_t rows, hrr_error *err)
{
    hrr_array array = {0};
    hrr_status status = hrr_array_read(&array, path, err);
    if (!status) status = hrr_array_into_dense(out, &array, path, err);
    if (!status && out->rows != rows)
        status =
            hrr_fail(err, HRR_EDATA, "%s: has %" PRIu64 " %s, but the split has %" PRIu64 " %s",
                     path, out->rows, hrr_plural(out->rows, "row", "rows"), rows,
                     hrr_plural(rows, "node", "nodes"));
    hrr_array_clear(&array);
    return status;
}

static hrr_status join_parts(hrr_dense *out, const hrr_dense parts[3], hrr_error *err)
{
    hrr_dtype widest = HRR_U8;
    uint64_t rows = 0, cols = 0, at = 0;
    for (int split = 0; split < 3; split++) {
        if (!parts[split].data) continue;
        rows += parts[split].rows;
        cols = parts[split].cols;
        if (parts[split].dtype > widest) widest = parts[split].dtype;
    }
    hrr_dense joined = {0};
    hrr_status status = hrr_dense_init(&joined, widest, rows, cols, err);
    size_t row_size = cols * hrr_dtype_size(widest);
    for (int split = 0; split < 3 && !status; split++) {
        hrr_dense converted = {0};
        if (!parts[split].data) continue;
        if ((status = hrr_dense_convert(&converted, &parts[split], widest, err))) break;
        memcpy((char *)joined.data + at * row_size, converted.data, converted.rows * row_size);
        at += converted.rows;
        hrr_dense_clear(&converted);
    }
    if (status)
        hrr_dense_clear(&joined);
    else
        *out = joined;
    return status;
}

hrr_status hrr_split_stack(hrr_dense *out, const char *directory, const char *what,
                           const bool present[3], const uint64_t rows[3], hrr_error *err)
{
    hrr_dense parts[3] = {0};
    uint64_t cols = 0;
    bool first = true;
    hrr_status status = HRR_OK;
    for (int split = 0; split < 3 && !status; split++) {
        if (!present[split]) continue;
        char *path = hrr_split_path(directory, split, what);
        if (!path) {
            status = hrr_no_memory(err);
            break;
        }
        status = read_part(&parts[split], path, rows[split], err);
        if (!status && !first && parts[split].cols != cols)
            status = hrr_fail(
                err, HRR_EDATA, "%s: has %" PRIu64 " %s, but the files before it have %" PRIu64,
                path, parts[split].cols, hrr_plural(parts[split].cols, "column", "columns"), cols);
        cols = parts[split].cols;
        first = false;
        hrr_free(path);
    }
    if (!status) status = join_parts(out, parts, err);
    for (int split = 0; split < 3; split++)
        hrr_dense_clear(&parts[split]);
    return status;
}

hrr_status hrr_split_graph_ids(uint32_t *out, uint32_t *n_graphs, const hrr_array *graph_ids,
                               const char *where, hrr_error *err)
{
    for (uint64_t i = 0; i < graph_ids->n_items; i++) {
        int64_t id = hrr_array_integer(graph_ids, i);
        int64_t before = i ? hrr_array_integer(graph_ids, i - 1) : id;
        if (id < before)
            return hrr_fail(err, HRR_EDATA,
                            "%s: entry %" PRIu64 " (counting from 0) is less than the one before "
                            "it; the nodes of one graph must be consecutive",
                            where, i);
        if (i == 0 || id != before) ++*n_graphs;
        out[i] = *n_graphs - 1;
    }
    return HRR_OK;
}
