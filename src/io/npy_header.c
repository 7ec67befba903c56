/* npy_header.c: see npy_header.h.
 *
 * After the magic string, a version and a length comes one Python dictionary, such as
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (2708, 1433), }
 * Python programs evaluate it; here a strict parser accepts these three keys in any order and
 * nothing else. Numbers may carry the L that Python 2 wrote. */
#include "io/npy_header.h"
#include "base/memory.h"
#include "base/size.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";
enum { magic_length = 6, header_alignment = 64 };

/* What numpy calls a type: its letter and size. The strings' size is in the item. */
static const struct {
    hrr_array_type type;
    char letter;
    size_t size;
    const char *name;
} types[] = {
    {HRR_ARRAY_BOOL, 'b', 1, "bool"},   {HRR_ARRAY_I8, 'i', 1, "int8"},
    {HRR_ARRAY_I16, 'i', 2, "int16"},   {HRR_ARRAY_I32, 'i', 4, "int32"},
    {HRR_ARRAY_I64, 'i', 8, "int64"},   {HRR_ARRAY_U8, 'u', 1, "uint8"},
    {HRR_ARRAY_U16, 'u', 2, "uint16"},  {HRR_ARRAY_U32, 'u', 4, "uint32"},
    {HRR_ARRAY_U64, 'u', 8, "uint64"},  {HRR_ARRAY_F16, 'f', 2, "float16"},
    {HRR_ARRAY_F32, 'f', 4, "float32"}, {HRR_ARRAY_F64, 'f', 8, "float64"},
    {HRR_ARRAY_BYTES, 'S', 0, "bytes"}, {HRR_ARRAY_UCS4, 'U', 0, "text"},
};
enum { n_types = sizeof types / sizeof *types };

const char *hrr_array_type_name(hrr_array_type type)
{
    for (int i = 0; i < n_types; i++)
        if (types[i].type == type) return types[i].name;
    return "unknown";
}

/* ---- size --------------------------------------------------------------------------------- */

hrr_status hrr_npy_header_size(size_t *size, const void *prefix, size_t available, const char *name,
                               hrr_error *err)
{
    const unsigned char *bytes = prefix;
    if (available < 10 || memcmp(bytes, magic, magic_length) != 0)
        return hrr_fail(err, HRR_EDATA, "%s: is not a .npy file; write it with numpy.save", name);
    int version = bytes[6];
    if (version < 1 || version > 3)
        return hrr_fail(err, HRR_EDATA,
                        "%s: .npy version %d is unknown; versions 1 to 3 are supported", name,
                        version);
    size_t start = version == 1 ? 10 : 12;
    if (available < start)
        return hrr_fail(err, HRR_EDATA, "%s: the file ends inside its header; create it again",
                        name);
    size_t length = bytes[8] | (size_t)bytes[9] << 8;
    if (version > 1) length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (length > HRR_NPY_MAX_HEADER)
        return hrr_fail(
            err, HRR_EDATA,
            "%s: the header claims %zu bytes, more than any array needs; create the file again",
            name, length);
    *size = start + length;
    return HRR_OK;
}

/* ---- parse -------------------------------------------------------------------------------- */

typedef struct parser {
    const char *at, *end;
    const char *name;
    hrr_npy_header *out;
    hrr_error *err;
} parser;

static hrr_status malformed(const parser *p, const char *what)
{
    return hrr_fail(p->err, HRR_EDATA,
                    "%s: the .npy header is malformed (%s); create the file again", p->name, what);
}

static void skip_space(parser *p)
{
    while (p->at < p->end && isspace((unsigned char)*p->at))
        p->at++;
}

/* Take `c` if it comes next, after white space. */
static bool take(parser *p, char c)
{
    skip_space(p);
    if (p->at == p->end || *p->at != c) return false;
    p->at++;
    return true;
}

static bool take_word(parser *p, const char *word)
{
    skip_space(p);
    size_t length = strlen(word);
    if ((size_t)(p->end - p->at) < length || memcmp(p->at, word, length) != 0) return false;
    p->at += length;
    return true;
}

/* A quoted text without escapes. */
static bool take_text(parser *p, const char **text, size_t *length)
{
    char quote = take(p, '\'') ? '\'' : take(p, '"') ? '"' : '\0';
    if (!quote) return false;
    *text = p->at;
    while (p->at < p->end && *p->at != quote && *p->at != '\\')
        p->at++;
    *length = (size_t)(p->at - *text);
    return p->at < p->end && *p->at++ == quote;
}

static bool digits(const char *text, size_t length, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < length; i++)
        if (!isdigit((unsigned char)text[i]) || __builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, (uint64_t)(text[i] - '0'), value))
            return false;
    return length > 0;
}

static hrr_status refuse_type(const parser *p, const char *text, size_t length)
{
    char letter = length > 1 ? text[1] : '\0';
    int shown = length < 40 ? (int)length : 40;
    for (int i = shown; i-- > 0;) /* a terminal must not obey what a hostile file says */
        if (!isprint((unsigned char)text[i])) shown = i;
    if (letter == 'O')
        return hrr_fail(
            p->err, HRR_EDATA,
            "%s: contains Python objects (pickle), which could run any program when they are read; "
            "save a plain array with numpy.save(..., allow_pickle=False)",
            p->name);
    const char *kind = letter == 'c'   ? "complex numbers"
                       : letter == 'M' ? "dates"
                       : letter == 'm' ? "time spans"
                       : letter == 'V' ? "structured records"
                                       : "an unsupported type";
    return hrr_fail(
        p->err, HRR_EDATA,
        "%s: contains %s ('%.*s'); convert it with astype() to a number, bool or string type",
        p->name, kind, shown, text);
}

static hrr_status parse_type(parser *p)
{
    if (take(p, '['))
        return hrr_fail(p->err, HRR_EDATA,
                        "%s: contains structured records; save each field as its own array",
                        p->name);
    const char *text;
    size_t length;
    uint64_t size;
    if (!take_text(p, &text, &length)) return malformed(p, "descr is not a type");
    if (length < 3 || !memchr("<>|=", text[0], 4) || !digits(text + 2, length - 2, &size))
        return refuse_type(p, text, length);
    hrr_array *array = &p->out->array;
    for (int i = 0; i < n_types; i++) {
        bool is_text = types[i].size == 0;
        if (types[i].letter != text[1] || (!is_text && types[i].size != size)) continue;
        array->type = types[i].type;
        if (array->type == HRR_ARRAY_UCS4 && !hrr_mul_fits(size, 4, &size))
            return malformed(p, "text too long");
        array->item_size = size;
    }
    if (!array->type) return refuse_type(p, text, length);
    char native = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
    size_t unit = array->type == HRR_ARRAY_BYTES ? 1 : array->type == HRR_ARRAY_UCS4 ? 4 : size;
    p->out->swap_bytes = unit > 1 && text[0] != native && text[0] != '=';
    if (unit > 1 && text[0] == '|') return malformed(p, "no byte order");
    return HRR_OK;
}

static hrr_status parse_shape(parser *p)
{
    hrr_array *array = &p->out->array;
    if (!take(p, '(')) return malformed(p, "shape is not a tuple");
    bool comma = true;
    while (!take(p, ')')) {
        if (!comma) return malformed(p, "shape is not a tuple");
        if (take(p, '-')) return malformed(p, "a negative shape");
        if (array->n_dims == HRR_ARRAY_MAX_DIMS)
            return hrr_fail(p->err, HRR_EDATA,
                            "%s: has more than %d dimensions; reshape it before saving", p->name,
                            HRR_ARRAY_MAX_DIMS);
        skip_space(p);
        const char *start = p->at;
        while (p->at < p->end && isdigit((unsigned char)*p->at))
            p->at++;
        if (!digits(start, (size_t)(p->at - start), &array->shape[array->n_dims]))
            return malformed(p, "shape is not a number, or is too large");
        if (p->at < p->end && *p->at == 'L') p->at++;
        array->n_dims++;
        comma = take(p, ',');
    }
    return HRR_OK;
}

static hrr_status parse_dictionary(parser *p)
{
    bool seen_type = false, seen_order = false, seen_shape = false, comma = true;
    if (!take(p, '{')) return malformed(p, "not a dictionary");
    while (!take(p, '}')) {
        const char *key;
        size_t length;
        if (!comma || !take_text(p, &key, &length) || !take(p, ':'))
            return malformed(p, "not a dictionary");
        bool *seen = NULL;
        hrr_status status = HRR_OK;
        if (length == 5 && memcmp(key, "descr", length) == 0) {
            seen = &seen_type;
            if (!*seen) status = parse_type(p);
        } else if (length == 13 && memcmp(key, "fortran_order", length) == 0) {
            seen = &seen_order;
            p->out->columns_first = take_word(p, "True");
            if (!p->out->columns_first && !take_word(p, "False"))
                return malformed(p, "fortran_order is neither True nor False");
        } else if (length == 5 && memcmp(key, "shape", length) == 0) {
            seen = &seen_shape;
            if (!*seen) status = parse_shape(p);
        }
        if (status) return status;
        if (!seen || *seen) return malformed(p, "there is an unknown or repeated key");
        *seen = true;
        comma = take(p, ',');
    }
    if (!seen_type || !seen_order || !seen_shape)
        return malformed(p, "descr, fortran_order or shape is missing");
    skip_space(p);
    return p->at == p->end ? HRR_OK : malformed(p, "there is text after the dictionary");
}

hrr_status hrr_npy_header_parse(hrr_npy_header *out, const void *bytes, size_t size,
                                uint64_t file_size, const char *name, hrr_error *err)
{
    *out = (hrr_npy_header){0};
    hrr_status status = hrr_npy_header_size(&out->size, bytes, size, name, err);
    if (status) return status;
    if (out->size > size)
        return hrr_fail(err, HRR_EDATA, "%s: the file ends inside its header; create it again",
                        name);
    const char *text = bytes;
    size_t start = text[6] == 1 ? 10 : 12;
    parser p = {.at = text + start, .end = text + out->size, .name = name, .out = out, .err = err};
    if ((status = parse_dictionary(&p))) return status;

    hrr_array *array = &out->array;
    size_t n_items = 1, total;
    bool fits = true;
    for (int i = 0; i < array->n_dims; i++)
        fits = fits && hrr_mul_fits(n_items, array->shape[i], &n_items);
    if (!fits || !hrr_mul_fits(n_items, array->item_size, &out->data_size) ||
        !hrr_add_fits(out->data_size, out->size, &total))
        return hrr_fail(err, HRR_EDATA,
                        "%s: the shape is too large for any machine; create the file again", name);
    array->n_items = n_items;
    if (n_items > 0 && array->item_size == 0) return malformed(&p, "strings have length 0");
    if (total != file_size)
        return hrr_fail(err, HRR_EDATA,
                        "%s: has %" PRIu64
                        " bytes, but its header announces %zu; the file is %s, create it again",
                        name, file_size, total, file_size < total ? "cut short" : "too long");
    return HRR_OK;
}

/* ---- make --------------------------------------------------------------------------------- */

hrr_status hrr_npy_header_make(char **out, size_t *size, const hrr_array *array, hrr_error *err)
{
    return hrr_npy_header_make_aligned(out, size, array, header_alignment, err);
}

hrr_status hrr_npy_header_make_aligned(char **out, size_t *size, const hrr_array *array,
                                       size_t alignment, hrr_error *err)
{
    char text[256], shape[HRR_ARRAY_MAX_DIMS * 24] = "";
    size_t used = 0;
    for (int i = 0; i < array->n_dims; i++) {
        const char *separator = array->n_dims == 1 ? "," : i + 1 < array->n_dims ? ", " : "";
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%" PRIu64 "%s",
                                 array->shape[i], separator);
    }
    char letter = '?';
    for (int i = 0; i < n_types; i++)
        if (types[i].type == array->type) letter = types[i].letter;
    size_t count = array->type == HRR_ARRAY_UCS4 ? array->item_size / 4 : array->item_size;
    bool bytes = array->type == HRR_ARRAY_BYTES || array->item_size == 1;
    char order = bytes ? '|' : __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
    int length =
        snprintf(text, sizeof text, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (%s), }",
                 order, letter, count, shape);
    const size_t start = 10;
    size_t total = start + (size_t)length + 1; /* 1: the newline */
    total += (alignment - total % alignment) % alignment;
    char *header = hrr_alloc(total, 1);
    if (!header) return hrr_no_memory(err);
    memset(header, ' ', total);
    memcpy(header, magic, magic_length);
    header[6] = 1;
    header[7] = 0;
    header[8] = (char)((total - start) & 0xff);
    header[9] = (char)((total - start) >> 8);
    memcpy(header + start, text, (size_t)length);
    header[total - 1] = '\n';
    *out = header;
    *size = total;
    return HRR_OK;
}
