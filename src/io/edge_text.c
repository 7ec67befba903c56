/* edge_text.c: read an edge list from text; see edge_text.h.
 *
 * The first rows are read as a table and tell the layout. A file of integers is then parsed in
 * place: a mapped one is cut at line ends into a chunk for each thread and the chunks' rows are
 * joined in the order of the file, a compressed one comes in pieces. Names, and any file with
 * quotes, take the slower way through the table reader (edge_table.c). Rows become edges when all
 * ids are known. Nothing in the result, nor which error is reported, depends on the number of
 * threads. */
#include "io/edge_text.h"
#include "io/edge_ids.h"
#include "io/edge_parse.h"
#include "io/edge_reader.h"
#include "io/source.h"
#include "io/table.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

/* A chunk is about a millisecond of work: for less, waiting for a thread that a busy machine has
 * put aside costs more than it can save. */
enum { max_chunks = 64, min_chunk_size = 4 << 20 };

/* ---- integers, parsed in place ------------------------------------------------------------- */

/* Account for a chunk, in the order of the file. */
static hrr_status finish_chunk(hrr_edge_reader *r, hrr_edge_chunk *chunk, hrr_status status,
                               hrr_error *err)
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

static hrr_status parse_here(hrr_edge_reader *r, const char *begin, const char *end, hrr_error *err)
{
    hrr_edge_chunk chunk = {.begin = begin, .end = end};
    hrr_status status = hrr_edge_parse(&chunk, &r->layout, r->id_limit, r->progress, err);
    status = finish_chunk(r, &chunk, status, err);
    hrr_edge_rows_clear(&chunk.rows);
    return status;
}

static hrr_status parse_threaded(hrr_edge_reader *r, const char *begin, const char *end,
                                 hrr_error *err)
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
static const char *skip_lines(hrr_edge_reader *r, const char *begin, const char *end)
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
static hrr_status parse_tail(hrr_edge_reader *r, const char *begin, size_t size, hrr_error *err)
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
static hrr_status parse_whole(hrr_edge_reader *r, const char *bytes, size_t size, hrr_error *err)
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
static hrr_status parse_pieces(hrr_edge_reader *r, hrr_source *source, hrr_error *err)
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

static hrr_status read_integers(hrr_edge_reader *r, hrr_error *err)
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

/* ---- rows to edges ------------------------------------------------------------------------- */

static hrr_status number_nodes(hrr_edge_text *out, hrr_edge_reader *r, hrr_error *err)
{
    if (r->options->ids == HRR_IDS_DIRECT) {
        out->n_nodes = r->options->n_nodes ? r->options->n_nodes : r->rows.largest + 1;
        hrr_edge_rows_into_list(&out->edges, &r->rows);
        return HRR_OK;
    }
    if (!r->layout.integers) return hrr_edge_names_into_ids(out, &r->rows, &r->names, r->path, err);
    return hrr_edge_ids_compact(out, &r->rows, r->path, hrr_threads(r->options->threads), err);
}

/* Whether there is any edge may be private, marked or not: mechanisms that take the whole graph for
 * private need no marks. */
static bool may_be_empty(const hrr_edge_reader *r)
{
    const hrr_edge_text_options *options = r->options;
    if (options->ids == HRR_IDS_MAP) return options->may_be_empty;
    return options->n_nodes > 0;
}

static hrr_status no_edges(const hrr_edge_reader *r, const char *only, hrr_error *err)
{
    return hrr_fail(err, HRR_EDATA,
                    "%s: has no edges%s; an edge list has one row with two ids per edge", r->path,
                    only);
}

/* No row at all: an answer or an error. */
static hrr_status take_nothing(hrr_edge_text *out, const hrr_edge_reader *r, hrr_error *err)
{
    if (!may_be_empty(r)) return no_edges(r, "", err);
    /* Ids that are mapped are those that rows name. */
    out->n_nodes = r->options->ids == HRR_IDS_MAP ? 0 : r->options->n_nodes;
    return hrr_edge_list_init(&out->edges, 0, r->layout.n_marks > 0, err);
}

static hrr_status check_request(const hrr_edge_reader *r, hrr_error *err)
{
    struct stat info;
    if (stat(r->path, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode)))
        return hrr_fail(err, HRR_EIO,
                        "%s: is a pipe, but an edge list is read twice; save it to a file",
                        r->path);
    return HRR_OK;
}

static hrr_status read_rows(hrr_edge_reader *r, hrr_error *err)
{
    hrr_status status = HRR_OK;
    if (r->options->ids == HRR_IDS_DIRECT && !r->layout.integers)
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64 ": ids must be row numbers 0, 1, 2, ... here, not names",
                        r->path, r->layout.first_line);
    if (r->layout.integers) status = read_integers(r, err);
    if (r->quoted) status = hrr_edge_table_read(r, err);
    if (r->named) r->layout.integers = false;
    return r->layout.integers ? status : hrr_edge_table_read(r, err);
}

hrr_status hrr_edge_text_read(hrr_edge_text *out, const char *path,
                              const hrr_edge_text_options *options, hrr_progress *progress,
                              hrr_error *err)
{
    *out = (hrr_edge_text){0};
    hrr_edge_text text = {0};
    bool direct = options->ids == HRR_IDS_DIRECT;
    hrr_edge_reader r = {
        .path = path, .options = options, .progress = progress, .id_limit = UINT64_MAX};
    if (direct) r.id_limit = options->n_nodes ? options->n_nodes : HRR_MAX_NODES;
    hrr_status status = check_request(&r, err);
    if (status) goto done;
    const hrr_edge_layout_options look = {
        .mark_column = options->mark_column, .header = options->header, .numbers_only = direct};
    if ((status = hrr_edge_layout_read(&r.layout, path, &look, err))) goto done;
    if (!r.layout.no_rows && (status = read_rows(&r, err))) goto done;
    if ((status = hrr_edge_settle_first(&r, err))) goto done;
    status = r.layout.no_rows ? take_nothing(&text, &r, err) : number_nodes(&text, &r, err);
    if (status) goto done;
    if (text.n_nodes == 0 && !may_be_empty(&r)) {
        status = no_edges(&r, ", only self-loops", err);
        goto done;
    }
    text.n_marks = r.layout.n_marks;
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
