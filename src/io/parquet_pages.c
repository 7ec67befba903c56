/* parquet_pages.c: the pages of a column as values; see parquet.h.
 *
 * A page has levels, which say of each row whether it has a value, and then the values that there
 * are. They are decoded one after another and then moved to their rows. A dictionary of texts is
 * kept once: rows that have the same entry begin at the same byte. */
#include "io/parquet.h"
#include "io/thrift.h"
#include "io/utf8.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>
#include <zlib.h>

typedef struct bytes {
    const uint8_t *at, *end;
} bytes;

static uint64_t left(const bytes *in)
{
    return (uint64_t)(in->end - in->at);
}

static uint32_t word_at(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t long_at(const uint8_t *at)
{
    return word_at(at) | (uint64_t)word_at(at + 4) << 32;
}

/* ---- the reading of one column --------------------------------------------------------------- */

typedef struct reading {
    const hrr_parquet *file;
    const hrr_parquet_column *column;
    hrr_parquet_values *out;
    uint64_t room;                 /* rows that out has room for */
    hrr_parquet_values dictionary; /* of the chunk under way; its texts are in out->text */
    uint8_t *page;                 /* unpacked */
    uint64_t page_room;
    uint8_t *present; /* of the rows of a page */
    uint64_t present_room;
    hrr_error *err;
} reading;

static hrr_status damaged(const reading *in, const char *what)
{
    return hrr_fail(in->err, HRR_EDATA, "%s: is a damaged Parquet file: column %.80s: %s",
                    in->file->path, in->column->name, what);
}

static hrr_status no_encoding(const reading *in, int64_t encoding)
{
    static const char *const names[] = {
        "PLAIN",          "GROUP_VAR_INT",       "PLAIN_DICTIONARY",        "RLE",
        "BIT_PACKED",     "DELTA_BINARY_PACKED", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY",
        "RLE_DICTIONARY", "BYTE_STREAM_SPLIT"};
    return hrr_fail(in->err, HRR_EDATA,
                    "%s: column %.80s uses the encoding %s, which is not supported; write it with "
                    "the encoding PLAIN or a dictionary",
                    in->file->path, in->column->name,
                    encoding >= 0 && encoding < 10 ? names[encoding] : "an unknown encoding");
}

/* Room for n items of a kind, beyond which nothing is written. */
static hrr_status make_values(hrr_parquet_values *out, hrr_parquet_kind kind, uint64_t n,
                              hrr_error *err)
{
    out->kind = kind;
    if (kind == HRR_PARQUET_TEXTS)
        out->start = hrr_alloc_zero(n, sizeof *out->start);
    else if (kind == HRR_PARQUET_FLOATS || kind == HRR_PARQUET_DOUBLES)
        out->numbers = hrr_alloc_zero(n, sizeof *out->numbers);
    else
        out->integers = hrr_alloc_zero(n, sizeof *out->integers);
    return out->start || out->numbers || out->integers || n == 0 ? HRR_OK : hrr_no_memory(err);
}

void hrr_parquet_values_clear(hrr_parquet_values *values)
{
    hrr_free(values->missing);
    hrr_free(values->integers);
    hrr_free(values->numbers);
    hrr_free(values->start);
    hrr_free(values->text);
    *values = (hrr_parquet_values){0};
}

static bool grow(uint8_t **block, uint64_t *room, uint64_t size)
{
    if (size <= *room) return true;
    uint8_t *larger = hrr_resize(*block, size, 1);
    if (!larger) return false;
    *block = larger;
    *room = size;
    return true;
}

/* ---- plain values ---------------------------------------------------------------------------- */

static hrr_status keep_text(reading *in, uint64_t *start, const uint8_t *text, uint64_t size)
{
    hrr_parquet_values *out = in->out;
    if (out->text_room - out->text_size < size + 1) {
        const uint64_t room = 2 * out->text_room + size + 1;
        char *larger = hrr_resize(out->text, room, 1);
        if (!larger) return hrr_no_memory(in->err);
        out->text = larger;
        out->text_room = room;
    }
    char *to = out->text + out->text_size;
    if (size) memcpy(to, text, size);
    to[size] = '\0';
    if (strlen(to) != size)
        return hrr_fail(in->err, HRR_EDATA, "%s: column %.80s: a text contains a zero byte",
                        in->file->path, in->column->name);
    if (!hrr_is_utf8(to))
        return hrr_fail(in->err, HRR_EDATA, "%s: column %.80s: a text is not UTF-8", in->file->path,
                        in->column->name);
    *start = out->text_size;
    out->text_size += size + 1;
    return HRR_OK;
}

static hrr_status plain_texts(reading *in, hrr_parquet_values *to, uint64_t n, bytes *from)
{
    hrr_status status = HRR_OK;
    for (uint64_t i = 0; i < n && !status; i++) {
        const uint64_t size = left(from) < 4 ? UINT64_MAX : word_at(from->at);
        if (size > left(from) || left(from) - size < 4) return damaged(in, "a text is truncated");
        status = keep_text(in, &to->start[to->n + i], from->at + 4, size);
        from->at += 4 + size;
    }
    return status;
}

static hrr_status plain_integers(reading *in, int64_t *to, uint64_t n, bytes *from)
{
    const bool wide = in->column->type == HRR_PARQUET_INT64, plus = in->column->is_unsigned;
    for (uint64_t i = 0; i < n; i++, from->at += wide ? 8 : 4) {
        const uint64_t value = wide ? long_at(from->at) : word_at(from->at);
        if (wide && plus && value > INT64_MAX)
            return hrr_fail(in->err, HRR_EDATA, "%s: column %.80s: an integer is 2^63 or larger",
                            in->file->path, in->column->name);
        to[i] = wide || plus ? (int64_t)value : (int32_t)value;
    }
    return HRR_OK;
}

static void plain_numbers(const reading *in, double *to, uint64_t n, bytes *from)
{
    const bool wide = in->column->type == HRR_PARQUET_DOUBLE;
    for (uint64_t i = 0; i < n; i++, from->at += wide ? 8 : 4) {
        const uint32_t word = wide ? 0 : word_at(from->at);
        const uint64_t both = wide ? long_at(from->at) : 0;
        float narrow;
        memcpy(&narrow, &word, sizeof narrow);
        memcpy(&to[i], &both, sizeof both);
        if (!wide) to[i] = narrow;
    }
}

/* n values behind those that `to` has; to->n stays. */
static hrr_status plain(reading *in, hrr_parquet_values *to, uint64_t n, bytes *from)
{
    const hrr_parquet_type type = in->column->type;
    if (type == HRR_PARQUET_BYTE_ARRAY) return plain_texts(in, to, n, from);
    const uint64_t size = type == HRR_PARQUET_BOOLEAN                              ? (n + 7) / 8
                          : type == HRR_PARQUET_INT32 || type == HRR_PARQUET_FLOAT ? 4 * n
                                                                                   : 8 * n;
    if (size > left(from)) return damaged(in, "a page is shorter than its values");
    if (type == HRR_PARQUET_BOOLEAN)
        for (uint64_t i = 0; i < n; i++)
            to->integers[to->n + i] = from->at[i >> 3] >> (i & 7) & 1;
    else if (to->numbers)
        plain_numbers(in, to->numbers + to->n, n, from);
    else
        return plain_integers(in, to->integers + to->n, n, from);
    return HRR_OK;
}

/* ---- runs and packed bits -------------------------------------------------------------------- */

/* The hybrid of runs of one value and groups of eight values in packed bits. */
typedef struct runs {
    bytes in;
    unsigned width; /* bits of a value, 32 at most */
    uint64_t left;  /* values of the run under way */
    bool packed;
    uint32_t value;      /* unless packed */
    const uint8_t *base; /* if packed: where the run begins, and which of its bits is next */
    uint64_t bit;
} runs;

static bool next_run(runs *r)
{
    uint64_t head = 0;
    unsigned shift = 0;
    uint8_t next = 0x80;
    for (; next & 0x80; shift += 7) {
        if (r->in.at == r->in.end || shift > 56) return false;
        next = *r->in.at++;
        head |= (uint64_t)(next & 0x7f) << shift;
    }
    r->packed = head & 1;
    r->left = head >> 1;
    if (r->left > UINT32_MAX) return false;
    if (r->packed) {
        const uint64_t stated = r->left * r->width; /* a group of eight takes `width` bytes */
        const uint64_t size = stated < left(&r->in) ? stated : left(&r->in);
        r->left *= 8;
        if (size < stated) r->left = 8 * size / r->width; /* some do not fill the last group */
        r->base = r->in.at;
        r->bit = 0;
        r->in.at += size;
        return true;
    }
    const unsigned size = (r->width + 7) / 8;
    if (left(&r->in) < size) return false;
    r->value = 0;
    for (unsigned i = 0; i < size; i++)
        r->value |= (uint32_t)*r->in.at++ << (8 * i);
    return true;
}

static bool next_value(runs *r, uint32_t *out)
{
    while (r->left == 0)
        if (!next_run(r)) return false;
    r->left--;
    *out = r->value;
    if (!r->packed) return true;
    *out = 0;
    for (unsigned i = 0; i < r->width; i++, r->bit++)
        *out |= (uint32_t)(r->base[r->bit >> 3] >> (r->bit & 7) & 1) << i;
    return true;
}

/* ---- a page ---------------------------------------------------------------------------------- */

typedef struct header {
    int64_t type, size, packed_size, crc;
    bool has_crc;
    int64_t n, encoding, level_encoding; /* of a page of data or of a dictionary */
    int64_t level_size, repetition_size; /* version 2 */
    bool is_packed;
} header;

static void read_page_fields(hrr_thrift *in, hrr_thrift_type type, header *out, bool v2)
{
    hrr_thrift_field field = {0};
    if (type != HRR_THRIFT_STRUCT) in->bad = true;
    while (!in->bad && hrr_thrift_next(in, &field)) {
        int64_t *to = field.id == 1              ? &out->n
                      : field.id == (v2 ? 4 : 2) ? &out->encoding
                      : !v2 && field.id == 3     ? &out->level_encoding
                      : v2 && field.id == 5      ? &out->level_size
                      : v2 && field.id == 6      ? &out->repetition_size
                                                 : NULL;
        if (v2 && field.id == 7)
            out->is_packed = hrr_thrift_truth(in, field.type);
        else if (to && field.type >= HRR_THRIFT_I8 && field.type <= HRR_THRIFT_I64)
            *to = hrr_thrift_integer(in, field.type);
        else
            hrr_thrift_skip(in, field.type);
    }
}

static bool read_header(header *out, bytes *from)
{
    hrr_thrift in = {.at = from->at, .end = from->end};
    hrr_thrift_field field = {0};
    *out = (header){.type = -1,
                    .size = -1,
                    .packed_size = -1,
                    .n = -1,
                    .encoding = -1,
                    .level_encoding = HRR_PARQUET_RLE,
                    .is_packed = true};
    while (hrr_thrift_next(&in, &field)) {
        switch (field.id) {
        case 1:
            out->type = hrr_thrift_integer(&in, field.type);
            break;
        case 2:
            out->size = hrr_thrift_integer(&in, field.type);
            break;
        case 3:
            out->packed_size = hrr_thrift_integer(&in, field.type);
            break;
        case 4:
            out->crc = hrr_thrift_integer(&in, field.type);
            out->has_crc = true;
            break;
        case 5:
        case 7:
        case 8:
            read_page_fields(&in, field.type, out, field.id == 8);
            break;
        default:
            hrr_thrift_skip(&in, field.type);
        }
    }
    from->at = in.at;
    return !in.bad && out->packed_size >= 0 && (uint64_t)out->packed_size <= left(from) &&
           out->packed_size <= INT32_MAX && out->size >= 0 && out->size <= INT32_MAX;
}

/* The bytes of a page, of which the first `plain` are not packed. */
static hrr_status unpack(reading *in, bytes *out, const header *h, bytes packed,
                         uint64_t plain_size, int64_t codec)
{
    if (plain_size > left(&packed) || plain_size > (uint64_t)h->size)
        return damaged(in, "the levels of a page are longer than the page");
    const uint64_t size = (uint64_t)h->size - plain_size;
    const uint64_t packed_size = left(&packed) - plain_size;
    if (!h->is_packed) codec = HRR_PARQUET_UNCOMPRESSED;
    if (size > hrr_parquet_unpacked_most(packed_size, codec))
        return damaged(in, "a page states an impossible size");
    if (!grow(&in->page, &in->page_room, (uint64_t)h->size + 1)) return hrr_no_memory(in->err);
    if (plain_size) memcpy(in->page, packed.at, plain_size);
    if (!hrr_parquet_unpack(in->page + plain_size, size, packed.at + plain_size, packed_size,
                            codec))
        return damaged(in, "a page cannot be decompressed");
    *out = (bytes){in->page, in->page + h->size};
    return HRR_OK;
}

/* in->present of the n rows, and how many are. */
static hrr_status read_levels(reading *in, uint64_t n, bytes levels, uint64_t *n_present)
{
    runs r = {.in = levels, .width = 1};
    *n_present = 0;
    if (!grow(&in->present, &in->present_room, n)) return hrr_no_memory(in->err);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t level;
        if (!next_value(&r, &level) || level > 1)
            return damaged(in, "the levels of a page are truncated");
        in->present[i] = (uint8_t)level;
        *n_present += level;
    }
    return HRR_OK;
}

/* Move the values that were put one after another to the rows that have one. */
static hrr_status spread(reading *in, uint64_t n, uint64_t n_present)
{
    hrr_parquet_values *out = in->out;
    if (n_present == n) return HRR_OK;
    uint64_t empty = 0, from = n_present;
    if (out->start) {
        hrr_status status = keep_text(in, &empty, (const uint8_t *)"", 0);
        if (status) return status;
    }
    for (uint64_t i = n; i-- > 0;) {
        const bool present = in->present[i];
        from -= present;
        const uint64_t to = out->n + i, source = out->n + from;
        out->missing[to] = !present;
        if (out->start) out->start[to] = present ? out->start[source] : empty;
        if (out->numbers) out->numbers[to] = present ? out->numbers[source] : 0;
        if (out->integers) out->integers[to] = present ? out->integers[source] : 0;
    }
    return HRR_OK;
}

static hrr_status from_dictionary(reading *in, uint64_t n, bytes from)
{
    const hrr_parquet_values *dictionary = &in->dictionary;
    hrr_parquet_values *out = in->out;
    if (n == 0) return HRR_OK;
    if (left(&from) == 0 || *from.at > 32) return damaged(in, "a page of entries is truncated");
    runs r = {.width = *from.at, .in = {from.at + 1, from.end}};
    for (uint64_t i = 0; i < n; i++) {
        uint32_t entry;
        if (!next_value(&r, &entry)) return damaged(in, "a page of entries is truncated");
        if (entry >= dictionary->n)
            return damaged(in, "a row refers to an entry that the dictionary does not have");
        if (out->start) out->start[out->n + i] = dictionary->start[entry];
        if (out->numbers) out->numbers[out->n + i] = dictionary->numbers[entry];
        if (out->integers) out->integers[out->n + i] = dictionary->integers[entry];
    }
    return HRR_OK;
}

/* Values of true and false as runs, behind their length. */
static hrr_status truths_from_runs(reading *in, uint64_t n, bytes from)
{
    if (left(&from) < 4 || word_at(from.at) > left(&from) - 4)
        return damaged(in, "a page is shorter than its values");
    runs r = {.width = 1, .in = {from.at + 4, from.at + 4 + word_at(from.at)}};
    for (uint64_t i = 0; i < n; i++) {
        uint32_t truth;
        if (!next_value(&r, &truth)) return damaged(in, "a page is shorter than its values");
        in->out->integers[in->out->n + i] = truth & 1;
    }
    return HRR_OK;
}

static hrr_status take_data(reading *in, const header *h, bytes packed, int64_t codec)
{
    const bool v2 = h->type == HRR_PARQUET_DATA_PAGE_V2;
    const uint64_t n = (uint64_t)h->n;
    uint64_t n_present = n;
    bytes page = {0}, levels = {0};
    if (h->n < 0 || n > in->room - in->out->n || h->level_size < 0 || h->repetition_size != 0)
        return damaged(in, "a page has more rows than its group");
    hrr_status status = unpack(in, &page, h, packed, v2 ? (uint64_t)h->level_size : 0, codec);
    if (status) return status;
    if (v2) {
        levels = (bytes){page.at, page.at + h->level_size};
        page.at = levels.end;
    } else if (in->column->optional) {
        if (h->level_encoding != HRR_PARQUET_RLE) return no_encoding(in, h->level_encoding);
        if (left(&page) < 4 || word_at(page.at) > left(&page) - 4)
            return damaged(in, "the levels of a page are longer than the page");
        levels = (bytes){page.at + 4, page.at + 4 + word_at(page.at)};
        page.at = levels.end;
    }
    if (in->column->optional) status = read_levels(in, n, levels, &n_present);
    if (status) return status;
    if (h->encoding == HRR_PARQUET_PLAIN)
        status = plain(in, in->out, n_present, &page);
    else if (h->encoding == HRR_PARQUET_RLE_DICTIONARY ||
             h->encoding == HRR_PARQUET_PLAIN_DICTIONARY)
        status = from_dictionary(in, n_present, page);
    else if (h->encoding == HRR_PARQUET_RLE && in->column->kind == HRR_PARQUET_TRUTHS)
        status = truths_from_runs(in, n_present, page);
    else
        return no_encoding(in, h->encoding);
    if (!status) status = spread(in, n, n_present);
    if (!status) in->out->n += n;
    return status;
}

static hrr_status take_dictionary(reading *in, const header *h, bytes packed, int64_t codec)
{
    bytes page = {0};
    if (h->encoding != HRR_PARQUET_PLAIN && h->encoding != HRR_PARQUET_PLAIN_DICTIONARY)
        return no_encoding(in, h->encoding);
    hrr_status status = unpack(in, &page, h, packed, 0, codec);
    if (status) return status;
    /* Each entry takes a bit at least. */
    if (h->n < 0 || (uint64_t)h->n > 8 * left(&page))
        return damaged(in, "a dictionary is shorter than its entries");
    hrr_parquet_values_clear(&in->dictionary);
    status = make_values(&in->dictionary, in->out->kind, (uint64_t)h->n, in->err);
    if (!status) status = plain(in, &in->dictionary, (uint64_t)h->n, &page);
    if (!status) in->dictionary.n = (uint64_t)h->n;
    return status;
}

/* ---- a chunk --------------------------------------------------------------------------------- */

static hrr_status read_chunk(reading *in, const hrr_parquet_chunk *chunk)
{
    const uint64_t end = in->out->n + chunk->n_rows;
    bytes from = {in->file->bytes + chunk->offset, in->file->bytes + chunk->offset + chunk->size};
    hrr_status status = HRR_OK;
    in->room = end;
    hrr_parquet_values_clear(&in->dictionary);
    if (!hrr_parquet_codec_is_read(chunk->codec))
        return hrr_fail(in->err, HRR_EDATA,
                        "%s: column %.80s is compressed with %s, which is not supported; write it "
                        "with zstd, gzip, snappy or no compression",
                        in->file->path, in->column->name, hrr_parquet_codec_name(chunk->codec));
    while (in->out->n < end && !status) {
        header h;
        if (left(&from) == 0) return damaged(in, "it has fewer pages than its footer says");
        if (!read_header(&h, &from)) return damaged(in, "the header of a page cannot be read");
        const bytes packed = {from.at, from.at + h.packed_size};
        from.at = packed.end;
        if (h.has_crc && crc32(0, packed.at, (unsigned)h.packed_size) != (uint32_t)(uint64_t)h.crc)
            return damaged(in, "a page does not match its checksum");
        if (h.type == HRR_PARQUET_DICTIONARY_PAGE)
            status = take_dictionary(in, &h, packed, chunk->codec);
        else if (h.type == HRR_PARQUET_DATA_PAGE || h.type == HRR_PARQUET_DATA_PAGE_V2)
            status = take_data(in, &h, packed, chunk->codec);
    }
    return status;
}

hrr_status hrr_parquet_read(hrr_parquet_values *out, const hrr_parquet *file, uint32_t column,
                            hrr_error *err)
{
    reading in = {.file = file, .column = &file->columns[column], .out = out, .err = err};
    *out = (hrr_parquet_values){0};
    hrr_status status = make_values(out, in.column->kind, file->n_rows, err);
    if (!status && in.column->optional) {
        out->missing = hrr_alloc_zero(file->n_rows, 1);
        if (!out->missing && file->n_rows) status = hrr_no_memory(err);
    }
    for (uint32_t i = 0; i < file->n_groups && !status; i++)
        status = read_chunk(&in, &file->chunks[(uint64_t)i * file->n_columns + column]);
    hrr_parquet_values_clear(&in.dictionary);
    hrr_free(in.page);
    hrr_free(in.present);
    if (status) hrr_parquet_values_clear(out);
    return status;
}
