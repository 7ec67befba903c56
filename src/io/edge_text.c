/* edge_text.c: read an edge list from text; see edge_text.h.
 *
 * The first rows are read as a table and tell the layout. A file of integers is then parsed in
 * place: a mapped one is cut at line ends into a chunk for each thread and the chunks' rows are
 * joined in the order of the file, a compressed one comes in pieces. Names, and any file with
 * quotes, take the slower way through the table reader. Rows become edges when all ids are
 * known. Nothing in the result, nor which error is reported, depends on the number of threads. */
#include "io/edge_text.h"
#include "io/edge_ids.h"
#include "io/edge_names.h"
#include "io/edge_parse.h"
#include "io/source.h"
#include "io/table.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

/* A chunk is about a millisecond of work: for less, waiting for a thread that a busy machine has
 * put aside costs more than it can save. */
enum { max_chunks = 64, min_chunk_size = 4 << 20 };

typedef struct reader {
    const char *path;
    const hrr_edge_text_options *options;
    hrr_edge_layout layout;
    uint64_t id_limit; /* ids must be below */
    hrr_edge_rows rows;
    hrr_edge_names names;
    uint64_t n_lines; /* of the file, before the bytes that are parsed next */
    bool quoted;      /* found quotes: start again with the table reader */
    bool named;       /* found a name among integers: start again, all ids are names */
    hrr_progress *progress;
} reader;

/* ---- integers, parsed in place ------------------------------------------------------------- */

/* Account for a chunk, in the order of the file. */
static hrr_status finish_chunk(reader *r, hrr_edge_chunk *chunk, hrr_status status, hrr_error *err)
{
    r->n_lines += chunk->n_lines;
    if (status == HRR_EDATA) {
        r->quoted = chunk->quoted;
        r->named = chunk->named && r->options->ids == HRR_IDS_MAP;
        if (r->quoted || r->named) return HRR_EDATA;
        return hrr_fail(err, status, "%s:%" PRIu64 ": %s", r->path, r->n_lines + 1, chunk->problem);
    }
    if (!status) status = hrr_edge_rows_join(&r->rows, &chunk->rows, err);
    return status;
}

static hrr_status parse_here(reader *r, const char *begin, const char *end, hrr_error *err)
{
    hrr_edge_chunk chunk = {.begin = begin, .end = end};
    hrr_status status = hrr_edge_parse(&chunk, &r->layout, r->id_limit, r->progress, err);
    status = finish_chunk(r, &chunk, status, err);
    hrr_edge_rows_clear(&chunk.rows);
    return status;
}

static hrr_status parse_threaded(reader *r, const char *begin, const char *end, hrr_error *err)
{
    hrr_edge_chunk chunks[max_chunks] = {0};
    hrr_status statuses[max_chunks];
    hrr_error errors[max_chunks];
    size_t size = (size_t)(end - begin), most = size / min_chunk_size;
    int n_chunks = hrr_threads(r->options->threads);
    if (n_chunks > max_chunks) n_chunks = max_chunks;
    if ((size_t)n_chunks > most) n_chunks = most ? (int)most : 1;
    const char *at = begin;
    for (int i = 0; i < n_chunks; i++) {
        const char *to = begin + size / (size_t)n_chunks * (size_t)(i + 1);
        if (to < at) to = at; /* a line longer than a chunk */
        if (i == n_chunks - 1) to = end;
        if (to > begin && to < end && to[-1] != '\n')
            to = (const char *)memchr(to, '\n', (size_t)(end - to)) + 1;
        chunks[i] = (hrr_edge_chunk){.begin = at, .end = to};
        at = to;
    }
    chunks[0].n_joined = (uint64_t)n_chunks - 1;
#pragma omp parallel for num_threads(n_chunks) schedule(static, 1)
    for (int i = 0; i < n_chunks; i++)
        statuses[i] = hrr_edge_parse(&chunks[i], &r->layout, r->id_limit, r->progress, &errors[i]);

    hrr_status status = HRR_OK;
    for (int i = 0; i < n_chunks; i++) {
        if (status) continue;
        if (statuses[i] && statuses[i] != HRR_EDATA && err) *err = errors[i];
        status = finish_chunk(r, &chunks[i], statuses[i], err);
    }
    for (int i = 0; i < n_chunks; i++)
        hrr_edge_rows_clear(&chunks[i].rows);
    return status;
}

/* Pass the lines before the first edge. */
static const char *skip_lines(reader *r, const char *begin, const char *end)
{
    while (begin < end && r->n_lines + 1 < r->layout.first_line) {
        const char *newline = memchr(begin, '\n', (size_t)(end - begin));
        if (!newline) return end;
        begin = newline + 1;
        r->n_lines++;
    }
    return begin;
}

/* Of the UTF-8 byte-order mark, if there is one. */
static size_t mark_size(const char *bytes, size_t size)
{
    return size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Parse bytes that end the file: a newline may be missing, and the parser wants padding. */
static hrr_status parse_tail(reader *r, const char *begin, size_t size, hrr_error *err)
{
    if (size == 0) return HRR_OK;
    if (size > HRR_TABLE_MAX_ROW)
        return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": the row is longer than %d MiB", r->path,
                        r->n_lines + 1, HRR_TABLE_MAX_ROW >> 20);
    char *copy = hrr_alloc_zero(size + 1 + HRR_EDGE_PADDING, 1);
    if (!copy) return hrr_no_memory(err);
    memcpy(copy, begin, size);
    if (copy[size - 1] != '\n') copy[size++] = '\n';
    hrr_status status = parse_here(r, copy, copy + size, err);
    hrr_free(copy);
    return status;
}

/* A file that is in memory as a whole. */
static hrr_status parse_whole(reader *r, const char *bytes, size_t size, hrr_error *err)
{
    const char *end = bytes + size;
    const char *begin = skip_lines(r, bytes + mark_size(bytes, size), end);
    /* The last lines go through a copy: behind them the mapping ends. */
    const char *tail = NULL;
    if (end - begin > HRR_EDGE_PADDING)
        tail = memrchr(begin, '\n', (size_t)(end - begin) - HRR_EDGE_PADDING);
    tail = tail ? tail + 1 : begin;
    hrr_status status = HRR_OK;
    if (tail > begin) status = parse_threaded(r, begin, tail, err);
    if (!status) status = parse_tail(r, tail, (size_t)(end - tail), err);
    return status;
}

/* A file that comes in pieces: lines that continue in the next one are carried over. */
static hrr_status parse_pieces(reader *r, hrr_source *source, hrr_error *err)
{
    hrr_status status = HRR_OK;
    char *buffer = NULL;
    size_t used = 0, capacity = 0;
    bool started = false;
    for (;;) {
        const char *piece;
        size_t size;
        if ((status = hrr_source_next(source, &piece, &size, err))) goto done;
        if (size == 0) break;
        size_t skip = started ? 0 : mark_size(piece, size);
        started = true;
        piece += skip;
        size -= skip;
        if (used + size > HRR_TABLE_MAX_ROW) {
            status = hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": the row is longer than %d MiB",
                              r->path, r->n_lines + 1, HRR_TABLE_MAX_ROW >> 20);
            goto done;
        }
        if (used + size + HRR_EDGE_PADDING > capacity) {
            capacity = 2 * (used + size) + HRR_EDGE_PADDING;
            char *grown = hrr_resize(buffer, capacity, 1);
            if (!grown) {
                status = hrr_no_memory(err);
                goto done;
            }
            buffer = grown;
        }
        memcpy(buffer + used, piece, size);
        used += size;
        memset(buffer + used, 0, HRR_EDGE_PADDING);
        const char *last = memrchr(buffer, '\n', used);
        if (!last) continue;
        const char *begin = skip_lines(r, buffer, last + 1);
        if ((status = parse_here(r, begin, last + 1, err))) goto done;
        used -= (size_t)(last + 1 - buffer);
        memmove(buffer, last + 1, used);
    }
    status = parse_tail(r, buffer, used, err);
done:
    hrr_free(buffer);
    return status;
}

static hrr_status read_integers(reader *r, hrr_error *err)
{
    const char *bytes;
    size_t size;
    hrr_source *source = NULL;
    hrr_status status = hrr_source_open(&source, r->path, err);
    if (status) goto done;
    hrr_progress_begin(r->progress, "reading edges", hrr_source_size(source));
    if (hrr_source_is_whole(source)) {
        if ((status = hrr_source_next(source, &bytes, &size, err))) goto done;
        status = parse_whole(r, bytes, size, err);
    } else {
        status = parse_pieces(r, source, err);
    }
done:
    hrr_source_close(source);
    return status;
}

/* ---- names and quoted fields, through the table reader ------------------------------------- */

static hrr_status row_fails(const reader *r, const hrr_table_row *row, const char *problem,
                            hrr_error *err)
{
    return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": %s", r->path, row->line, problem);
}

static hrr_status take_id(reader *r, const hrr_table_row *row, int column, uint64_t *id,
                          hrr_error *err)
{
    const char *field = row->fields[column];
    int64_t integer;
    if (!r->layout.integers) {
        if (!*field) return row_fails(r, row, "an id is empty", err);
        return hrr_edge_names_number(&r->names, field, id, err);
    }
    bool is_integer = hrr_field_integer(field, &integer);
    r->named = !is_integer && r->options->ids == HRR_IDS_MAP && hrr_begins_name(*field);
    if (r->named) return HRR_EDATA;
    if (!is_integer)
        return row_fails(r, row,
                         "an id is not an integer, though those of the first edge are; correct the "
                         "row, or begin every id with a letter if they are names",
                         err);
    if (integer < 0) return row_fails(r, row, "a negative id; ids are 0, 1, 2, ...", err);
    *id = (uint64_t)integer;
    if (*id >= r->id_limit)
        return row_fails(r, row, "an id is not a row number of this graph: it is too large", err);
    return HRR_OK;
}

static hrr_status take_row(reader *r, const hrr_table_row *row, hrr_edge_block *block,
                           hrr_error *err)
{
    hrr_status status = HRR_OK;
    if (row->n_fields < 2)
        return row_fails(r, row, "fewer than two columns; each edge is a row of two ids", err);
    size_t at = block->n_rows;
    if ((status = take_id(r, row, 0, &block->source[at], err))) return status;
    if ((status = take_id(r, row, 1, &block->target[at], err))) return status;
    block->marks[at] = 0;
    for (int i = 0; i < r->layout.n_marks; i++) {
        size_t column = r->layout.mark_columns[i];
        bool truth;
        if (column >= row->n_fields)
            return row_fails(r, row, "fewer columns than the header; a mark is missing", err);
        if (!hrr_field_truth(row->fields[column], &truth))
            return row_fails(r, row, "a private mark is neither 0 nor 1", err);
        block->marks[at] |= (uint8_t)(truth << i);
    }
    block->n_rows++;
    return HRR_OK;
}

static hrr_status read_table(reader *r, hrr_error *err)
{
    hrr_edge_block block;
    block.n_rows = 0;
    hrr_table *table = NULL;
    const hrr_table_row *row;
    r->rows.with_marks = r->layout.n_marks > 0;
    hrr_status status = hrr_table_open(&table, r->path, r->layout.delimiter, err);
    if (status) goto done;
    hrr_progress_begin(r->progress, "reading edges", 0);
    for (;;) {
        if ((status = hrr_table_next(table, &row, err))) goto done;
        if (!row) break;
        if (row->line < r->layout.first_line) continue;
        if ((status = take_row(r, row, &block, err))) goto done;
        if (block.n_rows < HRR_EDGE_BLOCK) continue;
        if ((status = hrr_edge_rows_append(&r->rows, &block, err))) goto done;
        if ((status = hrr_progress_advance(r->progress, HRR_EDGE_BLOCK, err))) goto done;
    }
    status = hrr_edge_rows_append(&r->rows, &block, err);
done:
    hrr_table_close(table);
    return status;
}

/* From the start, through the table reader. */
static hrr_status read_again(reader *r, hrr_error *err)
{
    hrr_edge_rows_clear(&r->rows);
    return read_table(r, err);
}

/* ---- rows to edges ------------------------------------------------------------------------- */

static hrr_status number_names(hrr_edge_text *out, reader *r, hrr_error *err)
{
    uint32_t *rank;
    hrr_status status = hrr_edge_names_sort(&r->names, &rank, err);
    if (status) return status;
    for (uint64_t i = 0; i < r->rows.n_rows; i++) {
        r->rows.source[i] = rank[r->rows.source[i]];
        r->rows.target[i] = rank[r->rows.target[i]];
    }
    hrr_free(rank);
    return hrr_edge_names_compact(out, &r->rows, &r->names.ids, r->names.n_names, r->path, err);
}

static hrr_status number_nodes(hrr_edge_text *out, reader *r, hrr_error *err)
{
    if (r->options->ids == HRR_IDS_DIRECT) {
        out->n_nodes = r->options->n_nodes ? r->options->n_nodes : r->rows.largest + 1;
        hrr_edge_rows_into_list(&out->edges, &r->rows);
        return HRR_OK;
    }
    if (!r->layout.integers) return number_names(out, r, err);
    return hrr_edge_ids_compact(out, &r->rows, r->path, hrr_threads(r->options->threads), err);
}

/* Whether there is any edge may be private, marked or not: mechanisms that take the whole graph for
 * private need no marks. */
static bool may_be_empty(const reader *r)
{
    const hrr_edge_text_options *options = r->options;
    if (options->ids == HRR_IDS_MAP) return options->may_be_empty;
    return options->n_nodes > 0;
}

static hrr_status no_edges(const reader *r, const char *only, hrr_error *err)
{
    return hrr_fail(err, HRR_EDATA,
                    "%s: has no edges%s; an edge list has a row of two ids for each edge", r->path,
                    only);
}

/* No row at all: an answer or an error. */
static hrr_status take_nothing(hrr_edge_text *out, const reader *r, hrr_error *err)
{
    if (!may_be_empty(r)) return no_edges(r, "", err);
    out->n_nodes = r->options->n_nodes;
    return hrr_edge_list_init(&out->edges, 0, r->layout.n_marks > 0, err);
}

static hrr_status check_request(const reader *r, hrr_error *err)
{
    struct stat info;
    if (stat(r->path, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode)))
        return hrr_fail(err, HRR_EIO,
                        "%s: is a pipe, and an edge list is looked at twice; save it to a file",
                        r->path);
    return HRR_OK;
}

hrr_status hrr_edge_text_read(hrr_edge_text *out, const char *path,
                              const hrr_edge_text_options *options, hrr_progress *progress,
                              hrr_error *err)
{
    *out = (hrr_edge_text){0};
    hrr_edge_text text = {0};
    bool direct = options->ids == HRR_IDS_DIRECT;
    reader r = {.path = path, .options = options, .progress = progress, .id_limit = UINT64_MAX};
    if (direct) r.id_limit = options->n_nodes ? options->n_nodes : HRR_MAX_NODES;
    hrr_status status = check_request(&r, err);
    if (status) goto done;
    if ((status = hrr_edge_layout_read(&r.layout, path, options->mark_column, err))) goto done;
    if (r.layout.no_rows) {
        if ((status = take_nothing(&text, &r, err))) goto done;
        goto found;
    }
    if (direct && !r.layout.integers) {
        status = hrr_fail(err, HRR_EDATA,
                          "%s:%" PRIu64 ": ids must be row numbers 0, 1, 2, ... here, not names",
                          path, r.layout.first_line);
        goto done;
    }
    if (r.layout.integers) status = read_integers(&r, err);
    if (r.quoted) status = read_again(&r, err);
    if (r.named) r.layout.integers = false;
    if (!r.layout.integers) status = read_again(&r, err);
    if (status) goto done;
    if ((status = number_nodes(&text, &r, err))) goto done;
    if (text.n_nodes == 0 && !may_be_empty(&r)) {
        status = no_edges(&r, ", only self-loops", err);
        goto done;
    }
found:
    text.n_marks = r.layout.n_marks;
    text.maybe_header = r.layout.maybe_header;
    text.passed_over = r.layout.passed_over;
    memcpy(text.mark_names, r.layout.mark_names, sizeof text.mark_names);
    r.layout.n_marks = 0; /* the names have moved */
    *out = text;
    text = (hrr_edge_text){0};
done:
    hrr_edge_text_clear(&text);
    hrr_edge_names_clear(&r.names);
    hrr_edge_rows_clear(&r.rows);
    hrr_edge_layout_clear(&r.layout);
    return status;
}

void hrr_edge_text_clear(hrr_edge_text *text)
{
    hrr_edge_list_clear(&text->edges);
    hrr_node_ids_clear(&text->ids);
    for (int i = 0; i < text->n_marks; i++)
        hrr_free(text->mark_names[i]);
    *text = (hrr_edge_text){0};
}
