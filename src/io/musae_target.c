/* musae_target.c: see musae_target.h. */
#include "io/musae_target.h"
#include "io/class_texts.h"
#include "io/file_names.h"
#include "io/graph_parts.h"
#include "io/read_report.h"
#include "io/table.h"
#include "io/utf8.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- columns -------------------------------------------------------------------------------- */

static bool is_published(const char *name)
{
    static const char *const published[] = {"mature", "page_type", "ml_target", "target"};
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        if (strcmp(name, published[i]) == 0) return true;
    return false;
}

static bool is_of_ids(const char *name)
{
    return strcmp(name, "id") == 0 || hrr_ends_with(name, "_id");
}

/* "days, mature and views" */
static void list_columns(char *out, size_t size, const hrr_table_row *header)
{
    size_t used = 0, n_left = 0;
    for (size_t i = 0; i < header->n_fields; i++)
        n_left += !is_of_ids(header->fields[i]);
    *out = '\0';
    for (size_t i = 0; i < header->n_fields && used < size; i++) {
        if (is_of_ids(header->fields[i])) continue;
        const char *before = !used ? "" : n_left == 1 ? " and " : ", ";
        used += (size_t)snprintf(out + used, size - used, "%s%.80s", before, header->fields[i]);
        n_left--;
    }
}

static hrr_status header_fails(const hrr_target *in, const hrr_table_row *header,
                               const char *problem, hrr_error *err)
{
    char columns[512];
    list_columns(columns, sizeof columns, header);
    return hrr_fail(err, HRR_EDATA,
                    "%s:%" PRIu64 ": %s; choose one of its columns with `label_column` (%s), or "
                    "give the labels with `labels`",
                    in->path, header->line, problem, columns);
}

static hrr_status choose_labels(hrr_target *in, const hrr_table_row *header,
                                const hrr_read_options *options, hrr_error *err)
{
    size_t n_told = 0, n_published = 0, n_others = 0, told = 0, published = 0, other = 0;
    for (size_t i = 0; i < header->n_fields; i++) {
        const char *name = header->fields[i];
        if (options->label_column && strcmp(name, options->label_column) == 0) {
            told = i;
            n_told++;
        }
        if (is_of_ids(name)) continue;
        if (is_published(name)) {
            published = i;
            n_published++;
        }
        other = i;
        n_others++;
    }
    hrr_status status = HRR_OK;
    if (options->label_column && n_told != 1)
        return header_fails(in, header,
                            n_told
                                ? "has more than one column with the name given by `label_column`"
                                : "has no column with the name given by `label_column`",
                            err);
    if (!n_told && n_others == 0)
        return header_fails(in, header, "has no column of labels, only ids", err);
    if (!n_told && n_published != 1 && n_others > 1)
        return header_fails(in, header, "has several columns that may be the labels", err);
    in->label_column = n_told ? told : n_published == 1 ? published : other;
    in->label_name = hrr_copy_text(header->fields[in->label_column]);
    if (!in->label_name) return hrr_no_memory(err);
    if (!n_told && n_others > 1) {
        char columns[512];
        list_columns(columns, sizeof columns, header);
        status = hrr_read_report_add(
            options->report, err,
            "%s: column %.80s was read as the labels; `label_column` selects another of %s.",
            in->path, in->label_name, columns);
    }
    return status;
}

static hrr_status find_columns(hrr_target *in, const hrr_table_row *header,
                               const hrr_read_options *options, hrr_error *err)
{
    const size_t none = header->n_fields;
    size_t id = none, new_id = none;
    for (size_t i = 0; i < header->n_fields; i++) {
        if (strcmp(header->fields[i], "id") == 0) id = i;
        if (strcmp(header->fields[i], "new_id") == 0) new_id = i;
    }
    in->id_column = new_id != none ? new_id : id;
    if (in->id_column == none)
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64 ": the header has no column named new_id or id; the first "
                        "row of a target table must name its columns",
                        in->path, header->line);
    in->labelled = !options->labels;
    in->label_column = in->id_column;
    return in->labelled ? choose_labels(in, header, options, err) : HRR_OK;
}

/* ---- rows ----------------------------------------------------------------------------------- */

static hrr_status add_row(hrr_target *in, const hrr_table_row *row, hrr_error *err)
{
    int64_t node;
    if (in->id_column >= row->n_fields || in->label_column >= row->n_fields)
        return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": the row is shorter than the header",
                        in->path, row->line);
    if (!hrr_field_integer(row->fields[in->id_column], &node) || node < 0 ||
        (uint64_t)node >= HRR_MAX_NODES)
        return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": the id is not one of 0, 1, 2, ...",
                        in->path, row->line);
    const char *label = in->labelled ? row->fields[in->label_column] : "";
    if (in->labelled && (!*label || !hrr_is_utf8(label)))
        return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": column %zu (%.80s), read as labels, %s",
                        in->path, row->line, in->label_column + 1, in->label_name,
                        *label ? HRR_NOT_UTF8 : "is blank");
    if (in->n_rows == in->room) {
        uint64_t room = in->room ? 2 * in->room : 1024;
        hrr_target_row *rows = hrr_resize(in->rows, room, sizeof *rows);
        if (!rows) return hrr_no_memory(err);
        in->rows = rows;
        in->room = room;
    }
    hrr_target_row made = {.line = row->line, .node = (uint32_t)node};
    bool fresh;
    hrr_status status =
        hrr_name_index_add(&in->labels, label, (uint32_t)in->labels.n_names, &fresh, err);
    if (status) return status;
    hrr_name_index_find(&in->labels, label, &made.label);
    in->rows[in->n_rows++] = made;
    return HRR_OK;
}

static hrr_status read_rows(hrr_target *in, const hrr_read_options *options, hrr_error *err)
{
    hrr_table *table = NULL;
    const hrr_table_row *row = NULL;
    hrr_status status = hrr_table_open(&table, in->path, ',', err);
    if (!status) status = hrr_table_next(table, &row, err);
    if (!status && !row) status = hrr_fail(err, HRR_EDATA, "%s: is empty", in->path);
    if (!status) status = find_columns(in, row, options, err);
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
            return hrr_fail(
                err, HRR_EDATA,
                "%s:%" PRIu64
                ": the id is not below the number of rows; ids must be 0, 1, 2, ... without gaps",
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
                         "%s: node %" PRIu64 " has no row; ids must be 0, 1, 2, ... without gaps",
                         in->path, i);
    if (status) {
        hrr_free(row_of);
        return status;
    }
    in->row_of = row_of;
    in->n_nodes = n;
    return HRR_OK;
}

hrr_status hrr_target_take_classes(hrr_graph *graph, const hrr_target *in, hrr_error *err)
{
    uint64_t n = hrr_graph_n_nodes(graph);
    const char **names = NULL;
    int32_t *class_of = hrr_alloc(in->labels.n_names, sizeof *class_of);
    int32_t *classes = hrr_alloc(n, sizeof *classes);
    char *where =
        hrr_format_text("%s: column %zu (%.80s)", in->path, in->label_column + 1, in->label_name);
    hrr_status status = class_of && classes && where ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_number_classes(class_of, &names, &in->labels, n, where, err);
    for (uint64_t i = 0; i < n && !status; i++)
        classes[i] = class_of[in->row_of[i]->label];
    if (!status) status = hrr_take_classes_counted(graph, &classes, 0, in->path, err);
    if (!status && names) status = hrr_graph_set_class_names(graph, names, err);
    hrr_free(where);
    hrr_free(names);
    hrr_free(classes);
    hrr_free(class_of);
    return status;
}

hrr_status hrr_target_read(hrr_target *out, const char *path, const hrr_read_options *options,
                           hrr_error *err)
{
    *out = (hrr_target){.path = path};
    hrr_status status = read_rows(out, options, err);
    if (!status) status = place_rows(out, err);
    if (status) hrr_target_clear(out);
    return status;
}

void hrr_target_clear(hrr_target *target)
{
    hrr_free(target->row_of);
    hrr_free(target->rows);
    hrr_free(target->label_name);
    hrr_name_index_clear(&target->labels);
    *target = (hrr_target){0};
}
