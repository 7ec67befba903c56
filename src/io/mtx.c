/* mtx.c: see mtx.h.
 *
 * "%%MatrixMarket matrix coordinate FIELD SYMMETRY", comments, a line of rows, columns and
 * entries, then one line an entry: row, column (from 1) and a value unless FIELD is pattern. To
 * the table reader the first line is a comment, so it is read from the source directly. The
 * announced number of entries is not believed: rows are collected as they come. */
#include "io/mtx.h"
#include "io/edge_rows.h"
#include "io/source.h"
#include "io/table.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { banner_size = 256 };

/* The first line, cut to banner_size - 1 bytes. */
static hrr_status read_banner(char *banner, const char *path, hrr_error *err)
{
    hrr_source *source = NULL;
    const char *bytes = NULL;
    size_t size = 0;
    hrr_status status = hrr_source_open(&source, path, err);
    if (!status) status = hrr_source_next(source, &bytes, &size, err);
    size_t length = 0;
    while (!status && length < size && length < banner_size - 1 && bytes[length] != '\n')
        length++;
    if (length) memcpy(banner, bytes, length);
    banner[length] = '\0';
    hrr_source_close(source);
    return status;
}

static hrr_status check_banner(const char *banner, bool *has_values, const char *path,
                               hrr_error *err)
{
    char tag[32], object[32], format[32], field[32], symmetry[32];
    int words = sscanf(banner, "%31s %31s %31s %31s %31s", tag, object, format, field, symmetry);
    if (words < 1 || strcasecmp(tag, "%%MatrixMarket") != 0)
        return hrr_fail(
            err, HRR_EDATA,
            "%s:1: is not a Matrix Market file: the first line must begin with %%%%MatrixMarket",
            path);
    if (words < 5 || strcasecmp(object, "matrix") != 0)
        return hrr_fail(err, HRR_EDATA,
                        "%s:1: the first line must name a matrix, its format, field and symmetry",
                        path);
    if (strcasecmp(format, "coordinate") != 0)
        return hrr_fail(err, HRR_EDATA,
                        "%s:1: contains a dense array; write the graph in coordinate format", path);
    bool pattern = strcasecmp(field, "pattern") == 0;
    if (!pattern && strcasecmp(field, "integer") != 0 && strcasecmp(field, "real") != 0)
        return hrr_fail(
            err, HRR_EDATA,
            "%s:1: the field must be pattern, integer or real; complex is not supported", path);
    if (strcasecmp(symmetry, "general") != 0 && strcasecmp(symmetry, "symmetric") != 0 &&
        strcasecmp(symmetry, "skew-symmetric") != 0)
        return hrr_fail(err, HRR_EDATA,
                        "%s:1: the symmetry must be general, symmetric or skew-symmetric", path);
    *has_values = !pattern;
    return HRR_OK;
}

/* The line of sizes: rows, columns, entries. */
static hrr_status read_sizes(hrr_table *table, int64_t sizes[3], const char *path, hrr_error *err)
{
    const hrr_table_row *row;
    hrr_status status = hrr_table_next(table, &row, err);
    if (status) return status;
    bool good = row && row->n_fields == 3;
    for (int i = 0; good && i < 3; i++)
        good = hrr_field_integer(row->fields[i], &sizes[i]) && sizes[i] >= 0;
    uint64_t line = row ? row->line : 2;
    if (!good)
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64 ": expected the numbers of rows, columns and entries", path,
                        line);
    if (sizes[0] != sizes[1])
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64 ": the matrix is not square, so it is not the adjacency "
                        "matrix of a graph",
                        path, line);
    if ((uint64_t)sizes[0] > HRR_MAX_NODES)
        return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": there are more than 2^31 - 1 nodes", path,
                        line);
    return HRR_OK;
}

static hrr_status take_entry(hrr_edge_block *block, const hrr_table_row *row, int64_t n_nodes,
                             bool has_values, const char *path, hrr_error *err)
{
    int64_t ends[2];
    double value;
    if (row->n_fields != (has_values ? 3 : 2))
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64 ": an entry must consist of a row, a column%s", path,
                        row->line, has_values ? " and a value" : "");
    for (int i = 0; i < 2; i++)
        if (!hrr_field_integer(row->fields[i], &ends[i]) || ends[i] < 1 || ends[i] > n_nodes)
            return hrr_fail(err, HRR_EDATA,
                            "%s:%" PRIu64 ": an index is not between 1 and the size of the matrix",
                            path, row->line);
    if (has_values && !hrr_field_number(row->fields[2], &value))
        return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": a value is not a number", path, row->line);
    block->source[block->n_rows] = (uint64_t)ends[0] - 1;
    block->target[block->n_rows++] = (uint64_t)ends[1] - 1;
    return HRR_OK;
}

static hrr_status read_entries(hrr_edge_rows *rows, hrr_table *table, const int64_t sizes[3],
                               bool has_values, const char *path, hrr_progress *progress,
                               hrr_error *err)
{
    hrr_status status = HRR_OK;
    hrr_edge_block block;
    block.n_rows = 0;
    uint64_t announced = (uint64_t)sizes[2], line = 2;
    hrr_progress_begin(progress, "reading edges", announced);
    for (;;) {
        const hrr_table_row *row;
        if ((status = hrr_table_next(table, &row, err))) return status;
        if (!row) break;
        line = row->line;
        if (rows->n_rows + block.n_rows == announced)
            return hrr_fail(err, HRR_EDATA,
                            "%s:%" PRIu64 ": there are more entries than the %" PRIu64
                            " that the file announces",
                            path, line, announced);
        if ((status = take_entry(&block, row, sizes[0], has_values, path, err))) return status;
        if (block.n_rows < HRR_EDGE_BLOCK) continue;
        if ((status = hrr_edge_rows_append(rows, &block, err))) return status;
        if ((status = hrr_progress_advance(progress, HRR_EDGE_BLOCK, err))) return status;
    }
    if ((status = hrr_edge_rows_append(rows, &block, err))) return status;
    if (rows->n_rows < announced)
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64 ": the file ends after %" PRIu64 " of the %" PRIu64
                        " entries that it announces",
                        path, line, rows->n_rows, announced);
    return HRR_OK;
}

hrr_status hrr_mtx_read(hrr_edge_list *edges, uint64_t *n_nodes, const char *path,
                        hrr_progress *progress, hrr_error *err)
{
    *edges = (hrr_edge_list){0};
    *n_nodes = 0;
    char banner[banner_size];
    bool has_values = false;
    int64_t sizes[3];
    hrr_table *table = NULL;
    hrr_edge_rows rows = {0};
    hrr_status status = read_banner(banner, path, err);
    if (status) return status;
    if ((status = check_banner(banner, &has_values, path, err))) return status;
    if ((status = hrr_table_open(&table, path, ' ', err))) goto done;
    if ((status = read_sizes(table, sizes, path, err))) goto done;
    if ((status = read_entries(&rows, table, sizes, has_values, path, progress, err))) goto done;
    *n_nodes = (uint64_t)sizes[0];
    hrr_edge_rows_into_list(edges, &rows);
done:
    hrr_edge_rows_clear(&rows);
    hrr_table_close(table);
    return status;
}
