/* parquet_footer.c: what a Parquet file says of itself: see parquet.h. Field numbers are those of
 * the format's parquet.thrift. */
#include "io/parquet.h"
#include "io/thrift.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

/* A file may repeat one value for millions of rows in a few bytes. So many rows times columns are
 * believed of any file, and more of a larger one. */
static const uint64_t cells_of_any_file = 1 << 20, cells_of_a_byte = 4096;

static hrr_status damaged(const hrr_parquet *file, const char *what, hrr_error *err)
{
    return hrr_fail(err, HRR_EDATA, "%s: is a damaged Parquet file: %s", file->path, what);
}

static char *copy_bytes(const char *bytes, uint64_t size)
{
    char *copy = hrr_alloc(size + 1, 1);
    if (!copy) return NULL;
    if (size) memcpy(copy, bytes, size);
    copy[size] = '\0';
    return copy;
}

/* ---- the schema ------------------------------------------------------------------------------ */

typedef struct element {
    int64_t type, repetition, n_children, converted;
    int logical; /* number of the field that is set in LogicalType; 0: none */
    bool is_unsigned;
    const char *name;
    uint64_t name_size;
} element;

static void read_integer_type(hrr_thrift *in, hrr_thrift_type type, bool *is_unsigned)
{
    hrr_thrift_field field = {0};
    if (type != HRR_THRIFT_STRUCT) in->bad = true;
    while (!in->bad && hrr_thrift_next(in, &field))
        if (field.id == 2)
            *is_unsigned = !hrr_thrift_truth(in, field.type);
        else
            hrr_thrift_skip(in, field.type);
}

enum { LOGICAL_STRING = 1, LOGICAL_ENUM = 4, LOGICAL_INTEGER = 10, LOGICAL_JSON = 12 };

static void read_logical(hrr_thrift *in, hrr_thrift_type type, element *out)
{
    hrr_thrift_field field = {0};
    if (type != HRR_THRIFT_STRUCT) in->bad = true;
    while (!in->bad && hrr_thrift_next(in, &field)) {
        out->logical = field.id;
        if (field.id == LOGICAL_INTEGER)
            read_integer_type(in, field.type, &out->is_unsigned);
        else
            hrr_thrift_skip(in, field.type);
    }
}

static element read_element(hrr_thrift *in)
{
    element out = {.type = -1, .converted = -1, .repetition = -1};
    hrr_thrift_field field = {0};
    while (hrr_thrift_next(in, &field)) {
        switch (field.id) {
        case 1:
            out.type = hrr_thrift_integer(in, field.type);
            break;
        case 3:
            out.repetition = hrr_thrift_integer(in, field.type);
            break;
        case 4:
            out.name = hrr_thrift_bytes(in, field.type, &out.name_size);
            break;
        case 5:
            out.n_children = hrr_thrift_integer(in, field.type);
            break;
        case 6:
            out.converted = hrr_thrift_integer(in, field.type);
            break;
        case 10:
            read_logical(in, field.type, &out);
            break;
        default:
            hrr_thrift_skip(in, field.type);
        }
    }
    if (out.converted >= HRR_PARQUET_UINT_8 && out.converted <= HRR_PARQUET_UINT_64)
        out.is_unsigned = true;
    return out;
}

/* Integers that count something else, such as days or hundredths, are not numbers to us. */
static hrr_parquet_kind kind_of(const element *e)
{
    const bool counts = (e->logical == 0 || e->logical == LOGICAL_INTEGER) &&
                        (e->converted < 0 || (e->converted >= HRR_PARQUET_UINT_8 &&
                                              e->converted <= HRR_PARQUET_INT_64));
    const bool text = e->logical == 0
                          ? e->converted < 0 || e->converted == HRR_PARQUET_UTF8 ||
                                e->converted == HRR_PARQUET_ENUM || e->converted == HRR_PARQUET_JSON
                          : e->logical == LOGICAL_STRING || e->logical == LOGICAL_ENUM ||
                                e->logical == LOGICAL_JSON;
    switch (e->type) {
    case HRR_PARQUET_BOOLEAN:
        return HRR_PARQUET_TRUTHS;
    case HRR_PARQUET_INT32:
    case HRR_PARQUET_INT64:
        return counts ? HRR_PARQUET_INTEGERS : HRR_PARQUET_OTHERS;
    case HRR_PARQUET_FLOAT:
        return HRR_PARQUET_FLOATS;
    case HRR_PARQUET_DOUBLE:
        return HRR_PARQUET_DOUBLES;
    case HRR_PARQUET_BYTE_ARRAY:
        return text ? HRR_PARQUET_TEXTS : HRR_PARQUET_OTHERS;
    default:
        return HRR_PARQUET_OTHERS;
    }
}

static hrr_status add_column(hrr_parquet *file, const element *e, hrr_error *err)
{
    if (e->n_children || e->repetition == HRR_PARQUET_REPEATED)
        return hrr_fail(err, HRR_EDATA,
                        "%s: column %.*s contains lists or tables, but only flat tables are "
                        "supported; write one column per value",
                        file->path, (int)(e->name_size < 80 ? e->name_size : 80),
                        e->name ? e->name : "");
    if (e->type < HRR_PARQUET_BOOLEAN || e->type > HRR_PARQUET_FIXED_LEN_BYTE_ARRAY || !e->name ||
        (e->repetition != HRR_PARQUET_REQUIRED && e->repetition != HRR_PARQUET_OPTIONAL))
        return damaged(file, "a column has no name or no type", err);
    hrr_parquet_column *c = &file->columns[file->n_columns];
    c->name = copy_bytes(e->name, e->name_size);
    if (!c->name) return hrr_no_memory(err);
    file->n_columns++;
    c->kind = kind_of(e);
    c->type = (hrr_parquet_type)e->type;
    c->optional = e->repetition == HRR_PARQUET_OPTIONAL;
    c->is_unsigned = e->is_unsigned;
    return HRR_OK;
}

static hrr_status read_schema(hrr_parquet *file, hrr_thrift *in, hrr_thrift_type type,
                              hrr_error *err)
{
    const uint64_t n = hrr_thrift_list(in, type, HRR_THRIFT_STRUCT);
    if (file->columns) return damaged(file, "it has two schemas", err);
    if (in->bad || n == 0) return damaged(file, "it has no schema", err);
    const element root = read_element(in);
    file->columns = hrr_alloc_zero(n, sizeof *file->columns);
    if (!file->columns) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    for (uint64_t i = 1; i < n && !status && !in->bad; i++) {
        const element e = read_element(in);
        if (!in->bad) status = add_column(file, &e, err);
    }
    if (status) return status;
    if (in->bad || root.n_children != (int64_t)n - 1)
        return damaged(file, "its schema is inconsistent", err);
    return HRR_OK;
}

/* ---- groups of rows -------------------------------------------------------------------------- */

typedef struct chunk_fields {
    int64_t type, codec, n_values, size, data, dictionary;
    bool elsewhere, encrypted;
} chunk_fields;

static void read_chunk_fields(hrr_thrift *in, hrr_thrift_type type, chunk_fields *out)
{
    hrr_thrift_field field = {0};
    if (type != HRR_THRIFT_STRUCT) in->bad = true;
    while (!in->bad && hrr_thrift_next(in, &field)) {
        int64_t *to = field.id == 1    ? &out->type
                      : field.id == 4  ? &out->codec
                      : field.id == 5  ? &out->n_values
                      : field.id == 7  ? &out->size
                      : field.id == 9  ? &out->data
                      : field.id == 11 ? &out->dictionary
                                       : NULL;
        if (to)
            *to = hrr_thrift_integer(in, field.type);
        else
            hrr_thrift_skip(in, field.type);
    }
}

static chunk_fields read_chunk(hrr_thrift *in)
{
    chunk_fields out = {.type = -1, .codec = -1, .n_values = -1, .size = -1, .data = -1};
    hrr_thrift_field field = {0};
    while (hrr_thrift_next(in, &field)) {
        out.elsewhere |= field.id == 1;
        out.encrypted |= field.id == 8 || field.id == 9;
        if (field.id == 3)
            read_chunk_fields(in, field.type, &out);
        else
            hrr_thrift_skip(in, field.type);
    }
    return out;
}

static hrr_status encrypted(const hrr_parquet *file, hrr_error *err)
{
    return hrr_fail(err, HRR_EDATA, "%s: is encrypted; write it without encryption", file->path);
}

static hrr_status take_chunk(hrr_parquet *file, const chunk_fields *found, uint32_t column,
                             hrr_parquet_chunk *out, hrr_error *err)
{
    const char *name = file->columns[column].name;
    const int64_t begin =
        found->dictionary > 0 && found->dictionary < found->data ? found->dictionary : found->data;
    if (found->encrypted) return encrypted(file, err);
    if (found->elsewhere)
        return hrr_fail(err, HRR_EDATA,
                        "%s: the pages of column %.80s are in another file, which is not supported",
                        file->path, name);
    if (found->type != (int64_t)file->columns[column].type || begin < 4 || found->size < 0 ||
        (uint64_t)begin > file->size || (uint64_t)found->size > file->size - (uint64_t)begin ||
        found->n_values < 0)
        return hrr_fail(err, HRR_EDATA,
                        "%s: is a damaged Parquet file: column %.80s is not where the footer says",
                        file->path, name);
    *out = (hrr_parquet_chunk){.codec = found->codec,
                               .offset = (uint64_t)begin,
                               .size = (uint64_t)found->size,
                               .n_rows = (uint64_t)found->n_values};
    return HRR_OK;
}

static hrr_status read_group(hrr_parquet *file, hrr_thrift *in, uint64_t *n_rows, hrr_error *err)
{
    hrr_parquet_chunk *chunks = file->chunks + (uint64_t)file->n_groups * file->n_columns;
    hrr_thrift_field field = {0};
    hrr_status status = HRR_OK;
    uint64_t n_chunks = 0;
    int64_t rows = -1;
    while (!status && hrr_thrift_next(in, &field)) {
        if (field.id == 1 && !n_chunks) {
            n_chunks = hrr_thrift_list(in, field.type, HRR_THRIFT_STRUCT);
            if (n_chunks != file->n_columns) break;
            for (uint32_t i = 0; i < file->n_columns && !status && !in->bad; i++) {
                const chunk_fields found = read_chunk(in);
                if (!in->bad) status = take_chunk(file, &found, i, &chunks[i], err);
            }
        } else if (field.id == 3) {
            rows = hrr_thrift_integer(in, field.type);
        } else {
            hrr_thrift_skip(in, field.type);
        }
    }
    if (status) return status;
    for (uint64_t i = 0; i < n_chunks && i < file->n_columns; i++)
        in->bad |= rows < 0 || chunks[i].n_rows != (uint64_t)rows;
    if (in->bad || rows < 0 || n_chunks != file->n_columns)
        return damaged(file, "a group of rows does not have all columns", err);
    *n_rows = (uint64_t)rows;
    file->n_groups++;
    return HRR_OK;
}

static hrr_status read_groups(hrr_parquet *file, hrr_thrift *in, hrr_thrift_type type,
                              hrr_error *err)
{
    const uint64_t n = hrr_thrift_list(in, type, HRR_THRIFT_STRUCT);
    const uint64_t most = cells_of_any_file + cells_of_a_byte * file->size;
    uint64_t total = 0, rows = 0;
    if (!file->columns || file->chunks) return damaged(file, "its footer is out of order", err);
    if (n > 0 && file->n_columns == 0) return damaged(file, "it has no columns", err);
    if (n > UINT32_MAX / (file->n_columns + 1u))
        return damaged(file, "it has more groups of rows than bytes", err);
    file->chunks = hrr_alloc_zero(n * file->n_columns, sizeof *file->chunks);
    if (!file->chunks && n) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    for (uint64_t i = 0; i < n && !status; i++) {
        status = read_group(file, in, &rows, err);
        if (!status && (rows > most || (total += rows) > most / file->n_columns))
            status = damaged(file, "it states more rows than a file of its size can have", err);
    }
    file->n_rows = total;
    return status;
}

/* ---- the footer ------------------------------------------------------------------------------ */

/* Notes of our own writer; all others are passed over. */
static hrr_status read_note(hrr_parquet *file, hrr_thrift *in, hrr_error *err)
{
    hrr_thrift_field field = {0};
    const char *key = NULL, *value = NULL;
    uint64_t key_size = 0, value_size = 0;
    while (hrr_thrift_next(in, &field))
        if (field.id == 1)
            key = hrr_thrift_bytes(in, field.type, &key_size);
        else if (field.id == 2)
            value = hrr_thrift_bytes(in, field.type, &value_size);
        else
            hrr_thrift_skip(in, field.type);
    if (in->bad || !key || !value) return HRR_OK;
    char **to = NULL;
    if (key_size == strlen(HRR_PARQUET_CLASSES) && !memcmp(key, HRR_PARQUET_CLASSES, key_size))
        to = &file->classes;
    if (key_size == strlen(HRR_PARQUET_INFERRED) && !memcmp(key, HRR_PARQUET_INFERRED, key_size))
        to = &file->inferred;
    if (!to) return HRR_OK;
    hrr_free(*to);
    *to = copy_bytes(value, value_size);
    return *to ? HRR_OK : hrr_no_memory(err);
}

static hrr_status read_notes(hrr_parquet *file, hrr_thrift *in, hrr_thrift_type type,
                             hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (uint64_t n = hrr_thrift_list(in, type, HRR_THRIFT_STRUCT); n > 0 && !status && !in->bad;
         n--)
        status = read_note(file, in, err);
    return status;
}

static hrr_status read_footer(hrr_parquet *file, hrr_thrift *in, hrr_error *err)
{
    hrr_thrift_field field = {0};
    hrr_status status = HRR_OK;
    int64_t n_rows = -1;
    while (!status && hrr_thrift_next(in, &field)) {
        switch (field.id) {
        case 2:
            status = read_schema(file, in, field.type, err);
            break;
        case 3:
            n_rows = hrr_thrift_integer(in, field.type);
            break;
        case 4:
            status = read_groups(file, in, field.type, err);
            break;
        case 5:
            status = read_notes(file, in, field.type, err);
            break;
        case 8:
            return encrypted(file, err);
        default:
            hrr_thrift_skip(in, field.type);
        }
    }
    if (status) return status;
    if (in->bad || !file->columns || n_rows < 0 || (uint64_t)n_rows != file->n_rows)
        return damaged(file, "its footer cannot be read", err);
    return HRR_OK;
}

static hrr_status open_bytes(hrr_parquet *file, hrr_error *err)
{
    const char *bytes;
    size_t size;
    hrr_status status = hrr_source_open(&file->source, file->path, err);
    if (status) return status;
    if (hrr_source_size(file->source) > 0 && !hrr_source_is_whole(file->source))
        return hrr_fail(err, HRR_EDATA,
                        "%s: is a pipe or is compressed as a whole; a Parquet file is compressed "
                        "internally and read from its end, so save it uncompressed",
                        file->path);
    if ((status = hrr_source_next(file->source, &bytes, &size, err))) return status;
    file->bytes = (const uint8_t *)bytes;
    file->size = size;
    return HRR_OK;
}

hrr_status hrr_parquet_open(hrr_parquet *out, const char *path, hrr_error *err)
{
    *out = (hrr_parquet){.path = path};
    hrr_status status = open_bytes(out, err);
    if (status) return status;
    const uint64_t size = out->size;
    if (size >= 4 && (memcmp(out->bytes, "PARE", 4) == 0 ||
                      (size >= 12 && memcmp(out->bytes + size - 4, "PARE", 4) == 0)))
        return encrypted(out, err);
    if (size < 4 || memcmp(out->bytes, HRR_PARQUET_MAGIC, 4) != 0)
        return hrr_fail(err, HRR_EDATA, "%s: is not a Parquet file: it does not begin with PAR1",
                        path);
    if (size < 12 || memcmp(out->bytes + size - 4, HRR_PARQUET_MAGIC, 4) != 0)
        return hrr_fail(err, HRR_EDATA,
                        "%s: is truncated: a Parquet file ends with PAR1; fetch or write it again",
                        path);
    const uint8_t *tail = out->bytes + size - 8;
    const uint64_t length =
        tail[0] | (uint64_t)tail[1] << 8 | (uint64_t)tail[2] << 16 | (uint64_t)tail[3] << 24;
    if (length > size - 12) return damaged(out, "its footer is longer than the file", err);
    hrr_thrift in = {.at = tail - length, .end = tail};
    out->size = size - 8 - length; /* pages end where the footer begins */
    return read_footer(out, &in, err);
}

void hrr_parquet_close(hrr_parquet *file)
{
    for (uint32_t i = 0; i < file->n_columns; i++)
        hrr_free(file->columns[i].name);
    hrr_free(file->columns);
    hrr_free(file->chunks);
    hrr_free(file->classes);
    hrr_free(file->inferred);
    hrr_source_close(file->source);
    *file = (hrr_parquet){0};
}
