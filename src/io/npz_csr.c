/* npz_csr.c: see npz_csr.h. The three arrays must agree before anybody walks along them: a row
 * pointer that lies would be a read outside the file. */
#include "io/npz_csr.h"
#include "io/graph_parts.h"
#include "io/npz.h"
#include "base/memory.h"

#include <inttypes.h>

static char *member_name(const char *name, const char *part)
{
    return hrr_format_text("%s%s%s", name, *name ? "_" : "", part);
}

/* Read NAME_PART; *where names it in messages, hrr memory. */
static hrr_status read_part(hrr_array *out, char **where, hrr_npz_reader *npz, const char *path,
                            const char *name, const char *part, hrr_error *err)
{
    char *member = member_name(name, part);
    *where = hrr_format_text("%s: %s", path, member ? member : part);
    hrr_status status = HRR_OK;
    if (!member || !*where)
        status = hrr_no_memory(err);
    else if (!hrr_npz_has(npz, member))
        status = hrr_fail(err, HRR_EDATA, "%s: is missing", *where);
    else
        status = hrr_npz_read(out, npz, member, err);
    hrr_free(member);
    return status;
}

static hrr_status read_shape(hrr_npz_csr *matrix, hrr_npz_reader *npz, const char *path,
                             const char *name, hrr_error *err)
{
    hrr_array shape = {0};
    char *where;
    hrr_status status = read_part(&shape, &where, npz, path, name, "shape", err);
    if (!status) status = hrr_check_integers(&shape, 2, where, err);
    for (uint64_t i = 0; i < 2 && !status; i++) {
        int64_t size = hrr_array_integer(&shape, i);
        if (size < 0 || (uint64_t)size > HRR_MAX_NODES)
            status = hrr_fail(err, HRR_EDATA, "%s: a dimension is not between 0 and %" PRIu64,
                              where, HRR_MAX_NODES);
        *(i ? &matrix->cols : &matrix->rows) = (uint64_t)size;
    }
    hrr_array_clear(&shape);
    hrr_free(where);
    return status;
}

static hrr_status read_indptr(hrr_npz_csr *matrix, hrr_npz_reader *npz, const char *path,
                              const char *name, hrr_error *err)
{
    char *where;
    hrr_status status = read_part(&matrix->indptr, &where, npz, path, name, "indptr", err);
    if (!status) status = hrr_check_integers(&matrix->indptr, matrix->rows + 1, where, err);
    int64_t before = 0;
    for (uint64_t i = 0; i <= matrix->rows && !status; i++) {
        int64_t start = hrr_array_integer(&matrix->indptr, i);
        if (start < before || (i == 0 && start != 0) ||
            (i == matrix->rows && (uint64_t)start != matrix->n_entries))
            status = hrr_fail(err, HRR_EDATA,
                              "%s: entry %" PRIu64
                              " (counting from 0) is wrong: the entries must run from 0 to %" PRIu64
                              " and never decrease",
                              where, i, matrix->n_entries);
        before = start;
    }
    hrr_free(where);
    return status;
}

static hrr_status read_indices(hrr_npz_csr *matrix, hrr_npz_reader *npz, const char *path,
                               const char *name, hrr_error *err)
{
    char *where;
    hrr_status status = read_part(&matrix->indices, &where, npz, path, name, "indices", err);
    matrix->n_entries = matrix->indices.n_items;
    if (!status) status = hrr_check_integers(&matrix->indices, matrix->n_entries, where, err);
    for (uint64_t i = 0; i < matrix->n_entries && !status; i++) {
        int64_t col = hrr_array_integer(&matrix->indices, i);
        if (col < 0 || (uint64_t)col >= matrix->cols)
            status = hrr_fail(err, HRR_EDATA,
                              "%s: entry %" PRIu64
                              " (counting from 0) is not a column between 0 and %" PRIu64,
                              where, i, matrix->cols ? matrix->cols - 1 : 0);
    }
    hrr_free(where);
    return status;
}

static hrr_status read_values(hrr_npz_csr *matrix, hrr_npz_reader *npz, const char *path,
                              const char *name, hrr_error *err)
{
    hrr_array data = {0};
    char *where;
    hrr_status status = read_part(&data, &where, npz, path, name, "data", err);
    if (!status && (data.n_dims != 1 || data.n_items != matrix->n_entries))
        status = hrr_fail(err, HRR_EDATA, "%s: has %" PRIu64 " %s for %" PRIu64 " %s", where,
                          data.n_items, hrr_plural(data.n_items, "value", "values"),
                          matrix->n_entries, hrr_plural(matrix->n_entries, "entry", "entries"));
    matrix->truths = data.type == HRR_ARRAY_BOOL;
    if (!status) status = hrr_array_into_dense(&matrix->values, &data, where, err);
    hrr_array_clear(&data);
    hrr_free(where);
    return status;
}

hrr_status hrr_npz_csr_read(hrr_npz_csr *out, hrr_npz_reader *npz, const char *path,
                            const char *name, hrr_error *err)
{
    hrr_npz_csr matrix = {0};
    *out = matrix;
    char *data = member_name(name, "data");
    hrr_status status = data ? HRR_OK : hrr_no_memory(err);
    if (!status) status = read_shape(&matrix, npz, path, name, err);
    if (!status) status = read_indices(&matrix, npz, path, name, err);
    if (!status) status = read_indptr(&matrix, npz, path, name, err);
    if (!status && hrr_npz_has(npz, data)) status = read_values(&matrix, npz, path, name, err);
    hrr_free(data);
    if (status)
        hrr_npz_csr_clear(&matrix);
    else
        *out = matrix;
    return status;
}

/* ---- symmetry ------------------------------------------------------------------------------- */

static uint64_t row_start(const hrr_npz_csr *matrix, uint64_t row)
{
    return (uint64_t)hrr_array_integer(&matrix->indptr, row);
}

static uint64_t column_of(const hrr_npz_csr *matrix, uint64_t entry)
{
    return (uint64_t)hrr_array_integer(&matrix->indices, entry);
}

bool hrr_npz_csr_is_zero(const hrr_npz_csr *matrix, uint64_t entry)
{
    return matrix->values.data && hrr_dense_get(&matrix->values, entry, 0) == 0;
}

static bool ascends(const hrr_npz_csr *matrix)
{
    for (uint64_t row = 0; row < matrix->rows; row++)
        for (uint64_t i = row_start(matrix, row) + 1; i < row_start(matrix, row + 1); i++)
            if (column_of(matrix, i - 1) >= column_of(matrix, i)) return false;
    return true;
}

/* The entry at (row, column); n_entries if there is none. */
static uint64_t find_entry(const hrr_npz_csr *matrix, uint64_t row, uint64_t column)
{
    uint64_t begin = row_start(matrix, row), end = row_start(matrix, row + 1);
    while (begin < end) {
        const uint64_t middle = begin + (end - begin) / 2, found = column_of(matrix, middle);
        if (found == column) return middle;
        if (found < column)
            begin = middle + 1;
        else
            end = middle;
    }
    return matrix->n_entries;
}

bool hrr_npz_csr_is_symmetric(const hrr_npz_csr *matrix, const uint8_t *marks)
{
    if (matrix->rows != matrix->cols || !ascends(matrix)) return false;
    for (uint64_t row = 0; row < matrix->rows; row++)
        for (uint64_t i = row_start(matrix, row); i < row_start(matrix, row + 1); i++) {
            const uint64_t mirror = find_entry(matrix, column_of(matrix, i), row);
            if (mirror == matrix->n_entries || (marks && marks[mirror] != marks[i]) ||
                hrr_npz_csr_is_zero(matrix, mirror) != hrr_npz_csr_is_zero(matrix, i))
                return false;
        }
    return true;
}

void hrr_npz_csr_clear(hrr_npz_csr *matrix)
{
    hrr_array_clear(&matrix->indptr);
    hrr_array_clear(&matrix->indices);
    hrr_dense_clear(&matrix->values);
    *matrix = (hrr_npz_csr){0};
}
