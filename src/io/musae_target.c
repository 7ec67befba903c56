/* musae_target.c: see musae_target.h. */
#include "io/musae_target.h"
#include "io/graph_parts.h"
#include "io/table.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static hrr_status find_columns(hrr_target *in, const hrr_table_row *header, hrr_error *err)
{
    static const char *const known[] = {"mature", "page_type", "ml_target", "target"};
    size_t none = header->n_fields, id = none, new_id = none, label = none;
    for (size_t i = 0; i < header->n_fields; i++) {
        if (strcmp(header->fields[i], "id") == 0) id = i;
        if (strcmp(header->fields[i], "new_id") == 0) new_id = i;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (strcmp(header->fields[i], known[k]) == 0) label = i;
    }
    in->id_column = new_id != none ? new_id : id;
    in->label_column = label != none ? label : none - 1;
    if (in->id_column == none || in->label_column == in->id_column)
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64
                        ": the header names no column new_id or id and a label column "
                        "besides it",
                        in->path, header->line);
    return HRR_OK;
}

static hrr_status add_row(hrr_target *in, const hrr_table_row *row, hrr_error *err)
{
    int64_t node;
    if (in->id_column >= row->n_fields || in->label_column >= row->n_fields)
        return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": the row is shorter than the header",
                        in->path, row->line);
    if (!hrr_field_integer(row->fields[in->id_column], &node) || node < 0 ||
        (uint64_t)node >= HRR_MAX_NODES)
        return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": the id is not a number of 0, 1, ...",
                        in->path, row->line);
    if (in->n_rows == in->room) {
        uint64_t room = in->room ? 2 * in->room : 1024;
        hrr_target_row *rows = hrr_resize(in->rows, room, sizeof *rows);
        if (!rows) return hrr_no_memory(err);
        in->rows = rows;
        in->room = room;
    }
    const char *label = row->fields[in->label_column];
    hrr_target_row made = {.line = row->line, .node = (uint32_t)node};
    bool fresh;
    hrr_status status =
        hrr_name_index_add(&in->labels, label, (uint32_t)in->labels.n_names, &fresh, err);
    if (status) return status;
    hrr_name_index_find(&in->labels, label, &made.label);
    in->rows[in->n_rows++] = made;
    return HRR_OK;
}

static hrr_status read_rows(hrr_target *in, hrr_error *err)
{
    hrr_table *table = NULL;
    const hrr_table_row *row = NULL;
    hrr_status status = hrr_table_open(&table, in->path, ',', err);
    if (!status) status = hrr_table_next(table, &row, err);
    if (!status && !row) status = hrr_fail(err, HRR_EDATA, "%s: is empty", in->path);
    if (!status) status = find_columns(in, row, err);
    while (!status && !(status = hrr_table_next(table, &row, err)) && row)
        status = add_row(in, row, err);
    hrr_table_close(table);
    return status;
}

/* Which row speaks for each node; the ids must be 0..n-1, and rows for the same node must agree. */
static hrr_status place_rows(hrr_target *in, hrr_error *err)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < in->n_rows; i++) {
        if (in->rows[i].node >= in->n_rows)
            return hrr_fail(err, HRR_EDATA,
                            "%s:%" PRIu64 ": the id is not below the number of rows; ids must be "
                            "0, 1, ... without a gap",
                            in->path, in->rows[i].line);
        if (in->rows[i].node >= n) n = (uint64_t)in->rows[i].node + 1;
    }
    const hrr_target_row **row_of = hrr_alloc_zero(n, sizeof *row_of);
    if (!row_of) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    for (uint64_t i = 0; i < in->n_rows && !status; i++) {
        const hrr_target_row *row = &in->rows[i], *before = row_of[row->node];
        if (before && before->label != row->label)
            status = hrr_fail(err, HRR_EDATA,
                              "%s: lines %" PRIu64 " and %" PRIu64 " give the same node different "
                              "labels",
                              in->path, before->line, row->line);
        if (!before) row_of[row->node] = row;
    }
    for (uint64_t i = 0; i < n && !status; i++)
        if (!row_of[i])
            status =
                hrr_fail(err, HRR_EDATA,
                         "%s: node %" PRIu64 " has no row; ids must be 0, 1, ... without a gap",
                         in->path, i);
    if (status) {
        hrr_free(row_of);
        return status;
    }
    in->row_of = row_of;
    in->n_nodes = n;
    return HRR_OK;
}

static const char *label_text(const hrr_target *in, uint64_t label)
{
    return in->labels.text + in->labels.text_start[label];
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Class of each distinct label: its own number, 0 and 1 for false and true, or its place in the
 * alphabet, in which case *names (hrr memory, texts of `in`) has the names in order. */
static hrr_status number_classes(int32_t *class_of, const char ***names, const hrr_target *in,
                                 hrr_error *err)
{
    uint64_t n = in->labels.n_names;
    bool numbers = true, truths = true;
    for (uint64_t i = 0; i < n; i++) {
        int64_t value;
        bool truth;
        numbers = numbers && hrr_field_integer(label_text(in, i), &value) && value >= 0 &&
                  value < HRR_MAX_CLASSES;
        truths = truths && hrr_field_truth(label_text(in, i), &truth);
    }
    if (numbers || truths) {
        for (uint64_t i = 0; i < n; i++) {
            int64_t value = 0;
            bool truth = false;
            if (numbers)
                hrr_field_integer(label_text(in, i), &value);
            else
                hrr_field_truth(label_text(in, i), &truth);
            class_of[i] = numbers ? (int32_t)value : truth;
        }
        return HRR_OK;
    }
    if (n > HRR_MAX_CLASSES)
        return hrr_fail(err, HRR_EDATA, "%s: has more than %u different labels", in->path,
                        HRR_MAX_CLASSES);
    const char **sorted = hrr_alloc(n, sizeof *sorted);
    if (!sorted) return hrr_no_memory(err);
    for (uint64_t i = 0; i < n; i++)
        sorted[i] = label_text(in, i);
    qsort(sorted, n, sizeof *sorted, by_text);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t label;
        hrr_name_index_find(&in->labels, sorted[i], &label);
        class_of[label] = (int32_t)i;
    }
    *names = sorted;
    return HRR_OK;
}

hrr_status hrr_target_take_classes(hrr_graph *graph, const hrr_target *in, hrr_error *err)
{
    uint64_t n = hrr_graph_n_nodes(graph);
    const char **names = NULL;
    int32_t *class_of = hrr_alloc(in->labels.n_names, sizeof *class_of);
    int32_t *classes = hrr_alloc(n, sizeof *classes);
    hrr_status status = class_of && classes ? HRR_OK : hrr_no_memory(err);
    if (!status) status = number_classes(class_of, &names, in, err);
    for (uint64_t i = 0; i < n && !status; i++)
        classes[i] = class_of[in->row_of[i]->label];
    if (!status) status = hrr_take_classes_counted(graph, &classes, 0, in->path, err);
    if (!status && names) status = hrr_graph_set_class_names(graph, names, err);
    hrr_free(names);
    hrr_free(classes);
    hrr_free(class_of);
    return status;
}

hrr_status hrr_target_read(hrr_target *out, const char *path, hrr_error *err)
{
    *out = (hrr_target){.path = path};
    hrr_status status = read_rows(out, err);
    if (!status) status = place_rows(out, err);
    if (status) hrr_target_clear(out);
    return status;
}

void hrr_target_clear(hrr_target *target)
{
    hrr_free(target->row_of);
    hrr_free(target->rows);
    hrr_name_index_clear(&target->labels);
    *target = (hrr_target){0};
}
