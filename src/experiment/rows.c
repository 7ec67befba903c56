/* rows.c: see rows.h. Texts are kept as numbers, so that a hundred thousand rows are grouped
 * without comparing a single text. */
#include "experiment/rows.h"
#include "io/table.h"
#include "structure/pgb.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

hrr_status hrr_words_add(uint32_t *number, hrr_words *words, const char *text, hrr_error *err)
{
    bool fresh;
    if (hrr_name_index_find(words, text, number)) return HRR_OK;
    *number = (uint32_t)words->n_names;
    return hrr_name_index_add(words, text, *number, &fresh, err);
}

const char *hrr_words_text(const hrr_words *words, uint32_t number)
{
    return words->text + words->text_start[number];
}

void hrr_all_rows_clear(hrr_all_rows *all)
{
    for (int k = 0; k < HRR_N_ROWS_KINDS; k++) {
        for (int c = 0; c < HRR_N_TEXT_COLUMNS; c++)
            hrr_free(all->kind[k].word[c]);
        for (int c = 0; c < HRR_N_COLUMNS; c++)
            hrr_free(all->kind[k].number[c]);
    }
    hrr_name_index_clear(&all->words);
    *all = (hrr_all_rows){0};
}

/* ---- room ------------------------------------------------------------------------------------ */

/* A column of `room` items, the first n of which say that there is nothing. */
static hrr_status add_column(hrr_rows *rows, hrr_column column, hrr_error *err)
{
    if (column < HRR_N_TEXT_COLUMNS) {
        if (!rows->word[column])
            rows->word[column] = hrr_alloc_zero(rows->room, sizeof *rows->word[column]);
        return rows->word[column] ? HRR_OK : hrr_no_memory(err);
    }
    if (rows->number[column]) return HRR_OK;
    rows->number[column] = hrr_alloc(rows->room, sizeof *rows->number[column]);
    if (!rows->number[column]) return hrr_no_memory(err);
    for (uint64_t i = 0; i < rows->n; i++)
        rows->number[column][i] = NAN;
    return HRR_OK;
}

static hrr_status grow(hrr_rows *rows, hrr_error *err)
{
    const uint64_t room = 2 * rows->room;
    for (int c = 0; c < HRR_N_COLUMNS; c++) {
        if (c < HRR_N_TEXT_COLUMNS && rows->word[c]) {
            uint32_t *words = hrr_resize(rows->word[c], room, sizeof *words);
            if (!words) return hrr_no_memory(err);
            rows->word[c] = words;
        }
        if (rows->number[c]) {
            double *numbers = hrr_resize(rows->number[c], room, sizeof *numbers);
            if (!numbers) return hrr_no_memory(err);
            rows->number[c] = numbers;
        }
    }
    rows->room = room;
    return HRR_OK;
}

/* ---- one file -------------------------------------------------------------------------------- */

enum { most_fields = 512 };
static const double most_eps = 1e9;

typedef struct reading {
    const char *path;
    hrr_table *table;
    hrr_all_rows *all;
    hrr_rows *rows;
    size_t n_fields;
    hrr_column column[most_fields]; /* what each field is */
} reading;

static hrr_status read_header(reading *r, hrr_rows_kind *kind, hrr_error *err)
{
    const hrr_table_row *row;
    bool present[HRR_N_COLUMNS] = {false};
    char text[512];
    hrr_status status = hrr_table_next(r->table, &row, err);
    if (status) return status;
    if (!row) return hrr_fail(err, HRR_EDATA, "%s: the file is empty", r->path);
    if (row->n_fields > most_fields)
        return hrr_fail(err, HRR_EDATA,
                        "%s: has more than %d columns; check that this is a results file", r->path,
                        most_fields);
    r->n_fields = row->n_fields;
    for (size_t i = 0; i < row->n_fields; i++) {
        r->column[i] = hrr_results_column(row->fields[i]);
        if (r->column[i] == HRR_N_COLUMNS) continue;
        if (present[r->column[i]]) /* test_auc beside auc: the first one counts */
            r->column[i] = HRR_N_COLUMNS;
        else
            present[r->column[i]] = true;
    }
    *kind = hrr_rows_recognise(text, sizeof text, present);
    if (*kind == HRR_N_ROWS_KINDS) return hrr_fail(err, HRR_EDATA, "%s: %s", r->path, text);
    for (size_t i = 0; i < r->n_fields && *kind != HRR_ROWS_UTILITY; i++)
        if (r->column[i] == HRR_COL_NODES || r->column[i] == HRR_COL_EDGES)
            r->column[i] = HRR_N_COLUMNS;
    r->rows = &r->all->kind[*kind];
    if (!r->rows->room) r->rows->room = 64;
    for (size_t i = 0; i < r->n_fields && !status; i++)
        if (r->column[i] != HRR_N_COLUMNS) status = add_column(r->rows, r->column[i], err);
    return status;
}

static hrr_status read_field(reading *r, hrr_column column, const char *field, uint64_t line,
                             hrr_error *err)
{
    hrr_rows *rows = r->rows;
    if (column < HRR_N_TEXT_COLUMNS)
        return hrr_words_add(&rows->word[column][rows->n], &r->all->words, field, err);
    double *number = &rows->number[column][rows->n];
    if (!*field || hrr_field_number(field, number)) return HRR_OK; /* nothing: NAN stays */
    char names[128];
    hrr_column_names(names, sizeof names, column);
    return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": column %s is not a number: '%.40s'", r->path,
                    line, names, field);
}

/* What a row of PGB's queries must say beside what every row must. A published value, which has no
 * run, is a number; one of a run may be none. */
static hrr_status check_query(const reading *r, uint64_t line, hrr_error *err)
{
    const hrr_rows *rows = r->rows;
    const char *name = hrr_row_text(rows, &r->all->words, HRR_COL_QUERY, rows->n);
    const double eps = hrr_row_number(rows, HRR_COL_EPS, rows->n);
    const bool published = !rows->word[HRR_COL_RUN] || !rows->word[HRR_COL_RUN][rows->n];
    hrr_pgb_query query;
    if (!hrr_pgb_query_find(&query, name))
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64 ": '%.40s' is not a query of PGB; docs/structure.md lists "
                        "the names, such as nodes, edges and triangles",
                        r->path, line, name);
    if (!(eps >= 0 && eps <= most_eps) || (published && eps == 0))
        return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": eps must be a number from 0%s to %g",
                        r->path, line, published ? " (not 0 itself)" : "", most_eps);
    if (published && !isfinite(hrr_row_number(rows, HRR_COL_VALUE, rows->n)))
        return hrr_fail(
            err, HRR_EDATA,
            "%s:%" PRIu64
            ": a published value must be a finite number; if there is none, leave the row out",
            r->path, line);
    return HRR_OK;
}

static hrr_status read_row(reading *r, const hrr_table_row *row, hrr_error *err)
{
    hrr_rows *rows = r->rows;
    hrr_status status = HRR_OK;
    if (row->n_fields != r->n_fields)
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64 ": the row has %zu fields, but the header has %zu", r->path,
                        row->line, row->n_fields, r->n_fields);
    if (rows->n == rows->room && (status = grow(rows, err))) return status;
    for (int c = 0; c < HRR_N_COLUMNS; c++) {
        if (c < HRR_N_TEXT_COLUMNS && rows->word[c]) rows->word[c][rows->n] = 0;
        if (rows->number[c]) rows->number[c][rows->n] = NAN;
    }
    for (size_t i = 0; i < r->n_fields && !status; i++)
        if (r->column[i] != HRR_N_COLUMNS)
            status = read_field(r, r->column[i], row->fields[i], row->line, err);
    if (!status && rows == &r->all->kind[HRR_ROWS_PGB]) status = check_query(r, row->line, err);
    rows->n += !status;
    return status;
}

hrr_status hrr_all_rows_read(hrr_results_file *file, hrr_all_rows *all, const char *path,
                             hrr_progress *progress, hrr_error *err)
{
    enum { rows_a_step = 4096 };
    uint32_t nothing;
    reading r = {.path = path, .all = all};
    const hrr_table_row *row = NULL;
    *file = (hrr_results_file){.path = path};
    hrr_status status = hrr_words_add(&nothing, &all->words, "", err);
    if (!status) status = hrr_table_open(&r.table, path, ',', err);
    if (!status) status = read_header(&r, &file->kind, err);
    while (!status && !(status = hrr_table_next(r.table, &row, err)) && row) {
        status = read_row(&r, row, err);
        if (!status && ++file->n_rows % rows_a_step == 0)
            status = hrr_progress_advance(progress, 0, err);
    }
    hrr_table_close(r.table);
    return status;
}

hrr_status hrr_all_rows_read_kind(hrr_all_rows *all, const char *path, hrr_rows_kind kind,
                                  hrr_error *err)
{
    hrr_results_file file;
    const hrr_status status = hrr_all_rows_read(&file, all, path, NULL, err);
    if (status || file.kind == kind) return status;
    return hrr_fail(err, HRR_EDATA, "%s: contains %s, but %s are needed", path,
                    hrr_rows_kind_name(file.kind), hrr_rows_kind_name(kind));
}
