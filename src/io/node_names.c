/* node_names.c: see node_names.h. */
#include "io/node_names.h"
#include "io/table.h"

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
        const char *id = decimal;
        if (list->ids.text)
            id = list->ids.text + list->ids.text_start[i];
        else
            hrr_decimal(decimal, list->ids.integer ? list->ids.integer[i] : (int64_t)i);
        if (!hrr_find_node(names, id, &node_of[i]))
            return hrr_fail(err, HRR_EDATA,
                            "%s:%" PRIu64
                            ": names a node that the graph does not have; ids must be "
                            "those of the graph's own files",
                            path, line_of_id(path, id));
    }
    return HRR_OK;
}
