/* parquet_write.c: a table as a Parquet file; see parquet.h. Rows go out in groups, a column after
 * another, so that memory holds one page and the footer. */
#include "io/parquet.h"
#include "io/thrift.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { rows_of_group = 1 << 20, rows_of_page = 1 << 16, zstd_level = 3 };

typedef struct chunk {
    uint64_t offset, size, unpacked_size; /* sizes with the headers of pages */
} chunk;

typedef struct writing {
    const hrr_parquet_table *table;
    hrr_output *output;
    ZSTD_CCtx *zstd;
    uint64_t position;
    uint8_t *page, *packed; /* the page under way */
    size_t page_size, page_room, packed_room;
    hrr_thrift_out header;
    chunk *chunks; /* [group * n_fields + field] */
    hrr_error *err;
} writing;

static hrr_status put(writing *w, const void *bytes, size_t size)
{
    w->position += size;
    return hrr_output_write(w->output, bytes, size, w->err);
}

/* ---- a page ---------------------------------------------------------------------------------- */

static bool make_room(writing *w, size_t more)
{
    if (more <= w->page_room - w->page_size) return true;
    const size_t room = 2 * w->page_room + more;
    uint8_t *larger = hrr_resize(w->page, room, 1);
    if (!larger) return false;
    w->page = larger;
    w->page_room = room;
    return true;
}

/* `size` bytes of a value, low first; there is room. */
static void add_little(writing *w, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        w->page[w->page_size++] = (uint8_t)(value >> (8 * i));
}

static uint64_t bits_of(hrr_parquet_type type, const hrr_parquet_cell *cell)
{
    uint64_t both = 0;
    uint32_t word = 0;
    const float narrow = (float)cell->number;
    memcpy(&both, &cell->number, sizeof both);
    memcpy(&word, &narrow, sizeof word);
    return type == HRR_PARQUET_DOUBLE  ? both
           : type == HRR_PARQUET_FLOAT ? word
                                       : (uint64_t)cell->integer;
}

static bool add_text(writing *w, const char *text)
{
    const size_t size = strlen(text);
    if (size > INT32_MAX || !make_room(w, size + 4)) return false;
    add_little(w, size, 4);
    memcpy(w->page + w->page_size, text, size);
    w->page_size += size;
    return true;
}

/* Levels of an optional column as one run of packed bits: 1 where there is a value. */
static bool add_levels(writing *w, const hrr_parquet_field *field, uint64_t first, uint64_t n)
{
    const uint64_t n_groups = (n + 7) / 8;
    uint64_t head = n_groups << 1 | 1;
    if (!make_room(w, n_groups + 16)) return false;
    const size_t place = w->page_size;
    w->page_size += 4;
    for (; head > 0x7f; head >>= 7)
        w->page[w->page_size++] = (uint8_t)(head & 0x7f) | 0x80;
    w->page[w->page_size++] = (uint8_t)head;
    memset(w->page + w->page_size, 0, n_groups);
    for (uint64_t i = 0; i < n; i++) {
        hrr_parquet_cell cell = {0};
        field->get(&cell, field->user, field->column, first + i);
        if (!cell.missing) w->page[w->page_size + i / 8] |= (uint8_t)(1u << (i & 7));
    }
    w->page_size += n_groups;
    const size_t end = w->page_size;
    w->page_size = place;
    add_little(w, end - place - 4, 4);
    w->page_size = end;
    return true;
}

static bool add_values(writing *w, const hrr_parquet_field *field, uint64_t first, uint64_t n)
{
    const hrr_parquet_type type = field->type;
    const unsigned size = type == HRR_PARQUET_DOUBLE || type == HRR_PARQUET_INT64 ? 8 : 4;
    uint64_t n_truths = 0;
    if (!make_room(w, n * size)) return false;
    for (uint64_t i = 0; i < n; i++) {
        hrr_parquet_cell cell = {0};
        field->get(&cell, field->user, field->column, first + i);
        if (cell.missing) continue;
        if (type == HRR_PARQUET_BYTE_ARRAY) {
            if (!add_text(w, cell.text)) return false;
        } else if (type != HRR_PARQUET_BOOLEAN) {
            add_little(w, bits_of(type, &cell), size);
        } else {
            if (n_truths % 8 == 0) w->page[w->page_size++] = 0;
            w->page[w->page_size - 1] |= (uint8_t)((cell.integer != 0) << (n_truths++ % 8));
        }
    }
    return true;
}

static void make_header(writing *w, uint64_t n, size_t packed_size, const uint8_t *packed)
{
    hrr_thrift_out *out = &w->header;
    out->size = 0;
    const int outside = hrr_thrift_open(out, 0);
    hrr_thrift_put_integer(out, 1, HRR_THRIFT_I32, HRR_PARQUET_DATA_PAGE);
    hrr_thrift_put_integer(out, 2, HRR_THRIFT_I32, (int64_t)w->page_size);
    hrr_thrift_put_integer(out, 3, HRR_THRIFT_I32, (int64_t)packed_size);
    hrr_thrift_put_integer(out, 4, HRR_THRIFT_I32,
                           (int32_t)(uint32_t)crc32(0, packed, (unsigned)packed_size));
    const int inside = hrr_thrift_open(out, 5);
    hrr_thrift_put_integer(out, 1, HRR_THRIFT_I32, (int64_t)n);
    hrr_thrift_put_integer(out, 2, HRR_THRIFT_I32, HRR_PARQUET_PLAIN);
    hrr_thrift_put_integer(out, 3, HRR_THRIFT_I32, HRR_PARQUET_RLE);
    hrr_thrift_put_integer(out, 4, HRR_THRIFT_I32, HRR_PARQUET_RLE);
    hrr_thrift_close(out, inside);
    hrr_thrift_close(out, outside);
}

static hrr_status write_page(writing *w, const hrr_parquet_field *field, uint64_t first, uint64_t n,
                             chunk *counts)
{
    w->page_size = 0;
    if ((field->optional && !add_levels(w, field, first, n)) || !add_values(w, field, first, n))
        return hrr_no_memory(w->err);
    if (w->page_size > INT32_MAX)
        return hrr_fail(w->err, HRR_EDATA,
                        "a page would be larger than 2 GiB, because names are too long");
    const uint8_t *bytes = w->page;
    size_t size = w->page_size;
    if (!w->table->uncompressed) {
        const size_t most = ZSTD_compressBound(w->page_size);
        if (most > w->packed_room) {
            uint8_t *larger = hrr_resize(w->packed, most, 1);
            if (!larger) return hrr_no_memory(w->err);
            w->packed = larger;
            w->packed_room = most;
        }
        size = ZSTD_compressCCtx(w->zstd, w->packed, w->packed_room, w->page, w->page_size,
                                 zstd_level);
        if (ZSTD_isError(size)) return hrr_no_memory(w->err);
        bytes = w->packed;
    }
    make_header(w, n, size, bytes);
    if (w->header.no_memory) return hrr_no_memory(w->err);
    counts->size += w->header.size + size;
    counts->unpacked_size += w->header.size + w->page_size;
    hrr_status status = put(w, w->header.bytes, w->header.size);
    return status ? status : put(w, bytes, size);
}

/* ---- groups of rows -------------------------------------------------------------------------- */

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static hrr_status write_group(writing *w, uint64_t group, hrr_progress *progress)
{
    const hrr_parquet_table *table = w->table;
    const uint64_t first = group * rows_of_group;
    const uint64_t end = smaller(first + rows_of_group, table->n_rows);
    hrr_status status = HRR_OK;
    for (uint32_t i = 0; i < table->n_fields; i++) {
        chunk *counts = &w->chunks[group * table->n_fields + i];
        counts->offset = w->position;
        for (uint64_t row = first; row < end && !status; row += rows_of_page) {
            const uint64_t n = smaller(rows_of_page, end - row);
            status = write_page(w, &table->fields[i], row, n, counts);
            if (!status) status = hrr_progress_advance(progress, n, w->err);
        }
    }
    return status;
}

/* ---- the footer ------------------------------------------------------------------------------ */

enum { LOGICAL_TYPE = 10, LOGICAL_STRING = 1, LOGICAL_INTEGER = 10 };

static void put_element(hrr_thrift_out *out, const hrr_parquet_field *field)
{
    const int outside = hrr_thrift_open(out, 0);
    hrr_thrift_put_integer(out, 1, HRR_THRIFT_I32, field->type);
    hrr_thrift_put_integer(out, 3, HRR_THRIFT_I32,
                           field->optional ? HRR_PARQUET_OPTIONAL : HRR_PARQUET_REQUIRED);
    hrr_thrift_put_text(out, 4, field->name);
    const bool text = field->type == HRR_PARQUET_BYTE_ARRAY;
    if (text || field->byte) {
        hrr_thrift_put_integer(out, 6, HRR_THRIFT_I32,
                               text ? HRR_PARQUET_UTF8 : HRR_PARQUET_UINT_8);
        const int logical = hrr_thrift_open(out, LOGICAL_TYPE);
        const int which = hrr_thrift_open(out, text ? LOGICAL_STRING : LOGICAL_INTEGER);
        if (!text) {
            hrr_thrift_put_integer(out, 1, HRR_THRIFT_I8, 8);
            hrr_thrift_put_truth(out, 2, false);
        }
        hrr_thrift_close(out, which);
        hrr_thrift_close(out, logical);
    }
    hrr_thrift_close(out, outside);
}

static void put_schema(hrr_thrift_out *out, const hrr_parquet_table *table)
{
    hrr_thrift_put_list(out, 2, HRR_THRIFT_STRUCT, (uint64_t)table->n_fields + 1);
    const int root = hrr_thrift_open(out, 0);
    hrr_thrift_put_text(out, 4, "schema");
    hrr_thrift_put_integer(out, 5, HRR_THRIFT_I32, table->n_fields);
    hrr_thrift_close(out, root);
    for (uint32_t i = 0; i < table->n_fields; i++)
        put_element(out, &table->fields[i]);
}

static void put_chunk(hrr_thrift_out *out, const hrr_parquet_table *table, uint32_t field,
                      const chunk *counts, uint64_t n_rows)
{
    const int outside = hrr_thrift_open(out, 0);
    hrr_thrift_put_integer(out, 2, HRR_THRIFT_I64, (int64_t)counts->offset);
    const int inside = hrr_thrift_open(out, 3);
    hrr_thrift_put_integer(out, 1, HRR_THRIFT_I32, table->fields[field].type);
    hrr_thrift_put_list(out, 2, HRR_THRIFT_I32, 2);
    hrr_thrift_put_integer_item(out, HRR_PARQUET_PLAIN);
    hrr_thrift_put_integer_item(out, HRR_PARQUET_RLE);
    hrr_thrift_put_list(out, 3, HRR_THRIFT_BINARY, 1);
    hrr_thrift_put_text_item(out, table->fields[field].name);
    hrr_thrift_put_integer(out, 4, HRR_THRIFT_I32,
                           table->uncompressed ? HRR_PARQUET_UNCOMPRESSED : HRR_PARQUET_ZSTD);
    hrr_thrift_put_integer(out, 5, HRR_THRIFT_I64, (int64_t)n_rows);
    hrr_thrift_put_integer(out, 6, HRR_THRIFT_I64, (int64_t)counts->unpacked_size);
    hrr_thrift_put_integer(out, 7, HRR_THRIFT_I64, (int64_t)counts->size);
    hrr_thrift_put_integer(out, 9, HRR_THRIFT_I64, (int64_t)counts->offset);
    hrr_thrift_close(out, inside);
    hrr_thrift_close(out, outside);
}

static void put_group(hrr_thrift_out *out, const writing *w, uint64_t group)
{
    const hrr_parquet_table *table = w->table;
    const chunk *chunks = &w->chunks[group * table->n_fields];
    const uint64_t n_rows = smaller(rows_of_group, table->n_rows - group * rows_of_group);
    uint64_t size = 0, unpacked = 0;
    for (uint32_t i = 0; i < table->n_fields; i++) {
        size += chunks[i].size;
        unpacked += chunks[i].unpacked_size;
    }
    const int outside = hrr_thrift_open(out, 0);
    hrr_thrift_put_list(out, 1, HRR_THRIFT_STRUCT, table->n_fields);
    for (uint32_t i = 0; i < table->n_fields; i++)
        put_chunk(out, table, i, &chunks[i], n_rows);
    hrr_thrift_put_integer(out, 2, HRR_THRIFT_I64, (int64_t)unpacked);
    hrr_thrift_put_integer(out, 3, HRR_THRIFT_I64, (int64_t)n_rows);
    hrr_thrift_put_integer(out, 5, HRR_THRIFT_I64, (int64_t)chunks[0].offset);
    hrr_thrift_put_integer(out, 6, HRR_THRIFT_I64, (int64_t)size);
    hrr_thrift_close(out, outside);
}

static void put_notes(hrr_thrift_out *out, const hrr_parquet_table *table)
{
    const char *const notes[][2] = {{HRR_PARQUET_CLASSES, table->classes},
                                    {HRR_PARQUET_INFERRED, table->inferred}};
    const uint64_t n = (table->classes != NULL) + (uint64_t)(table->inferred != NULL);
    if (n == 0) return;
    hrr_thrift_put_list(out, 5, HRR_THRIFT_STRUCT, n);
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (!notes[i][1]) continue;
        const int note = hrr_thrift_open(out, 0);
        hrr_thrift_put_text(out, 1, notes[i][0]);
        hrr_thrift_put_text(out, 2, notes[i][1]);
        hrr_thrift_close(out, note);
    }
}

static hrr_status write_footer(writing *w, uint64_t n_groups)
{
    hrr_thrift_out out = {0};
    char maker[64];
    const int outside = hrr_thrift_open(&out, 0);
    hrr_thrift_put_integer(&out, 1, HRR_THRIFT_I32, 1);
    put_schema(&out, w->table);
    hrr_thrift_put_integer(&out, 3, HRR_THRIFT_I64, (int64_t)w->table->n_rows);
    hrr_thrift_put_list(&out, 4, HRR_THRIFT_STRUCT, n_groups);
    for (uint64_t i = 0; i < n_groups; i++)
        put_group(&out, w, i);
    put_notes(&out, w->table);
    snprintf(maker, sizeof maker, "heterorr version %s", hrr_version());
    hrr_thrift_put_text(&out, 6, maker);
    hrr_thrift_close(&out, outside);
    hrr_status status = out.no_memory ? hrr_no_memory(w->err) : put(w, out.bytes, out.size);
    const uint8_t length[4] = {(uint8_t)out.size, (uint8_t)(out.size >> 8),
                               (uint8_t)(out.size >> 16), (uint8_t)(out.size >> 24)};
    if (!status && out.size > UINT32_MAX)
        status = hrr_fail(w->err, HRR_EDATA, "there are too many columns for a Parquet file");
    if (!status) status = put(w, length, sizeof length);
    if (!status) status = put(w, HRR_PARQUET_MAGIC, 4);
    hrr_free(out.bytes);
    return status;
}

/* ---- the file -------------------------------------------------------------------------------- */

hrr_status hrr_parquet_write(const char *path, const hrr_parquet_table *table,
                             hrr_progress *progress, hrr_error *err)
{
    const uint64_t n_groups = (table->n_rows + rows_of_group - 1) / rows_of_group;
    writing w = {.table = table, .err = err};
    hrr_status status = hrr_output_open(&w.output, path, err);
    if (status) return status;
    w.zstd = ZSTD_createCCtx();
    w.chunks = hrr_alloc_zero(n_groups * table->n_fields, sizeof *w.chunks);
    if (!w.zstd || (!w.chunks && n_groups)) status = hrr_no_memory(err);
    if (!status) status = put(&w, HRR_PARQUET_MAGIC, 4);
    for (uint64_t i = 0; i < n_groups && !status; i++)
        status = write_group(&w, i, progress);
    if (!status) status = write_footer(&w, n_groups);
    if (!status) status = hrr_output_commit(w.output, err);
    hrr_output_free(w.output);
    ZSTD_freeCCtx(w.zstd);
    hrr_free(w.page);
    hrr_free(w.packed);
    hrr_free(w.chunks);
    hrr_free(w.header.bytes);
    return status;
}
