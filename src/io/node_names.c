/* node_names.c: see node_names.h. */
#include "io/node_names.h"
#include "io/table.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

bool hrr_find_node(const hrr_name_index *names, const char *field, uint32_t *row)
{
    char decimal[hrr_decimal_size];
    int64_t value;
    if (hrr_name_index_find(names, field, row)) return true;
    if (!hrr_field_integer(field, &value)) return false;
    hrr_decimal(decimal, value);
    return hrr_name_index_find(names, decimal, row);
}

/* The line of the first row that names `id` in its first two fields. An edge list is read for
 * speed and forgets its lines; this second look happens only when an error is certain. */
static uint64_t line_of_id(const char *path, const char *id)
{
    hrr_table *table;
    const hrr_table_row *row;
    uint64_t line = 0;
    if (hrr_table_open(&table, path, '\0', NULL)) return 0;
    while (!line && !hrr_table_next(table, &row, NULL) && row)
        for (size_t i = 0; i < row->n_fields && i < 2; i++) {
            char decimal[hrr_decimal_size];
            int64_t value;
            const char *text = row->fields[i];
            if (hrr_field_integer(text, &value)) {
                hrr_decimal(decimal, value);
                text = decimal;
            }
            if (strcmp(text, id) == 0 || strcmp(row->fields[i], id) == 0) line = row->line;
        }
    hrr_table_close(table);
    return line;
}

hrr_status hrr_map_nodes(uint32_t *node_of, const hrr_edge_text *list, const hrr_name_index *names,
                         const char *path, hrr_error *err)
{
    for (uint64_t i = 0; i < list->n_nodes; i++) {
        char decimal[hrr_decimal_size];
        const char *id = hrr_node_name(decimal, &list->ids, i);
        if (!hrr_find_node(names, id, &node_of[i]))
            return hrr_fail(err, HRR_EDATA,
                            "%s:%" PRIu64 ": names a node that the graph does not have; use the "
                            "node ids of the graph's own files",
                            path, line_of_id(path, id));
    }
    return HRR_OK;
}

bool hrr_plain_integer(const char *name, int64_t *value)
{
    char decimal[hrr_decimal_size];
    if (!hrr_field_integer(name, value)) return false;
    hrr_decimal(decimal, *value);
    return strcmp(decimal, name) == 0;
}

hrr_status hrr_names_into_ids(hrr_node_ids *out, const hrr_name_index *index, hrr_error *err)
{
    bool integers = true, rows = true;
    for (uint64_t i = 0; i < index->n_names && integers; i++) {
        int64_t value;
        integers = hrr_plain_integer(index->text + index->text_start[i], &value);
        rows = rows && integers && value == (int64_t)index->row[i];
    }
    *out = (hrr_node_ids){0};
    if (integers && rows) return HRR_OK;
    if (integers) {
        out->integer = hrr_alloc(index->n_names, sizeof *out->integer);
        if (!out->integer) return hrr_no_memory(err);
        for (uint64_t i = 0; i < index->n_names; i++)
            hrr_plain_integer(index->text + index->text_start[i], &out->integer[index->row[i]]);
        return HRR_OK;
    }
    out->text = hrr_alloc(index->text_used, 1);
    out->text_start = hrr_alloc(index->n_names + 1, sizeof *out->text_start);
    if (!out->text || !out->text_start) {
        hrr_node_ids_clear(out);
        return hrr_no_memory(err);
    }
    /* Lengths to their rows, a running sum, then the texts to their places. */
    for (uint64_t i = 0; i < index->n_names; i++)
        out->text_start[index->row[i] + 1] = strlen(index->text + index->text_start[i]) + 1;
    out->text_start[0] = 0;
    for (uint64_t i = 0; i < index->n_names; i++)
        out->text_start[i + 1] += out->text_start[i];
    for (uint64_t i = 0; i < index->n_names; i++)
        strcpy(out->text + out->text_start[index->row[i]], index->text + index->text_start[i]);
    return HRR_OK;
}

bool hrr_names_are_numbers(const hrr_name_index *index)
{
    int64_t ignored;
    for (uint64_t i = 0; i < index->n_names; i++)
        if (!hrr_field_integer(index->text + index->text_start[i], &ignored)) return false;
    return true;
}
