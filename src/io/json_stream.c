/* json_stream.c: see json_stream.h.
 *
 * A small state machine: `expects` is what the grammar allows next, `open` the kinds of the
 * containers we are in. Bytes come in windows of at most a megabyte, even from a mapped file that
 * is one piece, so that progress and cancellation are served while a window is refilled. */
#include "io/json_stream.h"
#include "io/source.h"
#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { window = 1 << 20, end_of_file = -1 };

typedef enum expectation {
    expects_value,
    expects_first_element, /* a value or ] */
    expects_first_key,     /* a key or } */
    expects_key,
    expects_more, /* a comma or the end of the container */
    expects_nothing
} expectation;

struct hrr_json_stream {
    hrr_source *source;
    hrr_progress *progress;
    uint64_t reported; /* stored bytes already told to progress */
    const unsigned char *next, *end, *piece_end;
    uint64_t line;
    expectation expects;
    int depth;
    char open[HRR_JSON_MAX_DEPTH]; /* '{' or '[' */
    char *text;
    size_t length, room;
};

hrr_status hrr_json_open(hrr_json_stream **out, const char *path, hrr_progress *progress,
                         hrr_error *err)
{
    *out = NULL;
    hrr_json_stream *json = hrr_alloc_zero(1, sizeof *json);
    if (!json) return hrr_no_memory(err);
    json->progress = progress;
    json->line = 1;
    json->room = 64;
    json->text = hrr_alloc(json->room, 1);
    hrr_status status = json->text ? hrr_source_open(&json->source, path, err) : hrr_no_memory(err);
    if (status) {
        hrr_json_close(json);
        return status;
    }
    json->text[0] = '\0';
    *out = json;
    return HRR_OK;
}

void hrr_json_close(hrr_json_stream *json)
{
    if (!json) return;
    hrr_source_close(json->source);
    hrr_free(json->text);
    hrr_free(json);
}

const char *hrr_json_text(const hrr_json_stream *json)
{
    return json->text;
}

size_t hrr_json_length(const hrr_json_stream *json)
{
    return json->length;
}

const char *hrr_json_event_name(hrr_json_event event)
{
    switch (event) {
    case HRR_JSON_END:
        return "the end of the document";
    case HRR_JSON_OBJECT:
        return "an object";
    case HRR_JSON_OBJECT_END:
        return "the end of an object";
    case HRR_JSON_ARRAY:
        return "a list";
    case HRR_JSON_ARRAY_END:
        return "the end of a list";
    case HRR_JSON_KEY:
        return "a key";
    case HRR_JSON_STRING:
        return "a string";
    case HRR_JSON_NUMBER:
        return "a number";
    case HRR_JSON_TRUE:
        return "true";
    case HRR_JSON_FALSE:
        return "false";
    case HRR_JSON_NULL:
        return "null";
    }
    return "something else";
}

hrr_status hrr_json_fail(const hrr_json_stream *json, hrr_error *err, const char *format, ...)
{
    char message[HRR_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": %s", hrr_source_path(json->source), json->line,
                    message);
}

/* ---- bytes -------------------------------------------------------------------------------- */

/* Called when next == end; afterwards they are equal only at the end of the file. */
static hrr_status refill(hrr_json_stream *json, hrr_error *err)
{
    if (json->next == json->piece_end) {
        const char *bytes;
        size_t size;
        hrr_status status = hrr_source_next(json->source, &bytes, &size, err);
        if (status) return status;
        json->next = (const unsigned char *)bytes;
        json->piece_end = json->next + size;
    }
    size_t left = (size_t)(json->piece_end - json->next);
    json->end = json->next + (left < window ? left : window);
    uint64_t consumed = hrr_source_consumed(json->source);
    uint64_t waiting = hrr_source_size(json->source) == consumed ? left : 0;
    uint64_t done = consumed > waiting ? consumed - waiting : 0;
    uint64_t amount = done > json->reported ? done - json->reported : 0;
    json->reported += amount;
    return hrr_progress_advance(json->progress, amount, err);
}

static hrr_status take_byte(hrr_json_stream *json, int *byte, hrr_error *err)
{
    if (json->next == json->end) {
        hrr_status status = refill(json, err);
        if (status) return status;
    }
    *byte = json->next == json->end ? end_of_file : *json->next++;
    return HRR_OK;
}

/* The first byte that is not blank; it stays unread. */
static hrr_status look(hrr_json_stream *json, int *byte, hrr_error *err)
{
    for (;;) {
        while (json->next < json->end) {
            unsigned char c = *json->next;
            if (c != ' ' && c != '\n' && c != '\t' && c != '\r') {
                *byte = c;
                return HRR_OK;
            }
            json->line += c == '\n';
            json->next++;
        }
        hrr_status status = refill(json, err);
        if (status) return status;
        if (json->next == json->end) {
            *byte = end_of_file;
            return HRR_OK;
        }
    }
}

static hrr_status append(hrr_json_stream *json, const void *bytes, size_t size, hrr_error *err)
{
    if (size > HRR_JSON_MAX_TEXT - json->length)
        return hrr_json_fail(json, err, "a string or number is longer than %zu bytes",
                             HRR_JSON_MAX_TEXT);
    if (json->length + size + 1 > json->room) {
        size_t room = 2 * (json->length + size + 1);
        char *text = hrr_resize(json->text, room, 1);
        if (!text) return hrr_no_memory(err);
        json->text = text;
        json->room = room;
    }
    memcpy(json->text + json->length, bytes, size);
    json->length += size;
    json->text[json->length] = '\0';
    return HRR_OK;
}

/* ---- scalars ------------------------------------------------------------------------------ */

static hrr_status truncated(const hrr_json_stream *json, hrr_error *err)
{
    return hrr_json_fail(json, err, "the file ends in the middle of a JSON value; it is truncated");
}

static hrr_status read_hex4(hrr_json_stream *json, uint32_t *out, hrr_error *err)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        int c;
        hrr_status status = take_byte(json, &c, err);
        if (status) return status;
        if (c == end_of_file) return truncated(json, err);
        int lower = c | 0x20;
        if (c >= '0' && c <= '9')
            value = value << 4 | (uint32_t)(c - '0');
        else if (lower >= 'a' && lower <= 'f')
            value = value << 4 | (uint32_t)(lower - 'a' + 10);
        else
            return hrr_json_fail(json, err, "\\u is not followed by four hexadecimal digits");
    }
    *out = value;
    return HRR_OK;
}

static hrr_status append_code_point(hrr_json_stream *json, uint32_t code, hrr_error *err)
{
    unsigned char utf8[4];
    size_t size;
    if (code < 0x80) {
        utf8[0] = (unsigned char)code;
        size = 1;
    } else if (code < 0x800) {
        utf8[0] = (unsigned char)(0xC0 | code >> 6);
        size = 2;
    } else if (code < 0x10000) {
        utf8[0] = (unsigned char)(0xE0 | code >> 12);
        size = 3;
    } else {
        utf8[0] = (unsigned char)(0xF0 | code >> 18);
        size = 4;
    }
    for (size_t i = 1; i < size; i++)
        utf8[i] = (unsigned char)(0x80 | (code >> (6 * (size - 1 - i)) & 0x3F));
    return append(json, utf8, size, err);
}

static hrr_status read_unicode_escape(hrr_json_stream *json, hrr_error *err)
{
    static const char *const alone = "a high surrogate is not followed by a low one";
    uint32_t code, low;
    hrr_status status = read_hex4(json, &code, err);
    if (status) return status;
    if (code >= 0xDC00 && code < 0xE000)
        return hrr_json_fail(json, err, "a low surrogate comes without the high one before it");
    if (code >= 0xD800 && code < 0xDC00) {
        int backslash, u;
        if ((status = take_byte(json, &backslash, err))) return status;
        if (backslash == end_of_file) return truncated(json, err);
        if (backslash != '\\') return hrr_json_fail(json, err, "%s", alone);
        if ((status = take_byte(json, &u, err))) return status;
        if (u == end_of_file) return truncated(json, err);
        if (u != 'u') return hrr_json_fail(json, err, "%s", alone);
        if ((status = read_hex4(json, &low, err))) return status;
        if (low < 0xDC00 || low >= 0xE000) return hrr_json_fail(json, err, "%s", alone);
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    return append_code_point(json, code, err);
}

static hrr_status read_escape(hrr_json_stream *json, hrr_error *err)
{
    static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    int c;
    hrr_status status = take_byte(json, &c, err);
    if (status) return status;
    if (c == end_of_file) return truncated(json, err);
    if (c == 'u') return read_unicode_escape(json, err);
    const char *found = c ? strchr(escapes, c) : NULL;
    if (!found) return hrr_json_fail(json, err, "a backslash is followed by an unknown escape");
    return append(json, meanings + (found - escapes), 1, err);
}

/* One character of two to four bytes; rejects overlong forms, surrogates and over U+10FFFF. */
static hrr_status read_utf8(hrr_json_stream *json, int lead, hrr_error *err)
{
    static const char *invalid = "a string is not valid UTF-8";
    int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (lead < 0xC2 || lead > 0xF4) return hrr_json_fail(json, err, "%s", invalid);
    uint32_t code = (uint32_t)lead & (0x3Fu >> more);
    for (int i = 0; i < more; i++) {
        int c;
        hrr_status status = take_byte(json, &c, err);
        if (status) return status;
        if (c == end_of_file) return truncated(json, err);
        if ((c & 0xC0) != 0x80) return hrr_json_fail(json, err, "%s", invalid);
        code = code << 6 | ((uint32_t)c & 0x3F);
    }
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        return hrr_json_fail(json, err, "%s", invalid);
    return append_code_point(json, code, err);
}

/* After the opening quote. */
static hrr_status read_string(hrr_json_stream *json, hrr_error *err)
{
    json->length = 0;
    json->text[0] = '\0';
    for (;;) {
        const unsigned char *run = json->next;
        while (json->next < json->end && *json->next >= 0x20 && *json->next < 0x80 &&
               *json->next != '"' && *json->next != '\\')
            json->next++;
        hrr_status status = append(json, run, (size_t)(json->next - run), err);
        if (status) return status;
        int c;
        if ((status = take_byte(json, &c, err))) return status;
        if (c == '"') return HRR_OK;
        if (c == end_of_file) return truncated(json, err);
        if (c == '\\') {
            status = read_escape(json, err);
        } else if (c >= 0x80) {
            status = read_utf8(json, c, err);
        } else if (c < 0x20) {
            return hrr_json_fail(json, err, "a string holds a bare control character");
        } else {
            json->next--; /* the run stopped at the window's end, which take_byte moved on */
        }
        if (status) return status;
    }
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* number = [ - ] ( 0 / 1-9 digits ) [ . digits ] [ e [ + / - ] digits ] */
static bool is_number(const char *c)
{
    if (*c == '-') c++;
    if (!is_digit(*c)) return false;
    if (*c == '0' && is_digit(c[1])) return false;
    while (is_digit(*c))
        c++;
    if (*c == '.') {
        if (!is_digit(*++c)) return false;
        while (is_digit(*c))
            c++;
    }
    if (*c == 'e' || *c == 'E') {
        c++;
        if (*c == '+' || *c == '-') c++;
        if (!is_digit(*c)) return false;
        while (is_digit(*c))
            c++;
    }
    return *c == '\0';
}

static bool may_be_in_number(unsigned char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

static hrr_status read_number(hrr_json_stream *json, hrr_error *err)
{
    json->length = 0;
    for (;;) {
        const unsigned char *run = json->next;
        while (json->next < json->end && may_be_in_number(*json->next))
            json->next++;
        hrr_status status = append(json, run, (size_t)(json->next - run), err);
        if (status) return status;
        if (json->next < json->end) break;
        if ((status = refill(json, err))) return status;
        if (json->next == json->end) break;
    }
    if (!is_number(json->text)) return hrr_json_fail(json, err, "a number is not written as JSON");
    return HRR_OK;
}

static hrr_status read_word(hrr_json_stream *json, const char *word, hrr_error *err)
{
    for (; *word; word++) {
        int c;
        hrr_status status = take_byte(json, &c, err);
        if (status) return status;
        if (c == end_of_file) return truncated(json, err);
        if (c != *word)
            return hrr_json_fail(json, err,
                                 "a word other than true, false and null (JSON has no NaN)");
    }
    return HRR_OK;
}

/* ---- structure ---------------------------------------------------------------------------- */

static hrr_status enter(hrr_json_stream *json, char kind, hrr_error *err)
{
    if (json->depth == HRR_JSON_MAX_DEPTH)
        return hrr_json_fail(json, err, "values are nested more than %d deep", HRR_JSON_MAX_DEPTH);
    json->open[json->depth++] = kind;
    json->expects = kind == '{' ? expects_first_key : expects_first_element;
    json->next++;
    return HRR_OK;
}

static void value_is_complete(hrr_json_stream *json)
{
    json->expects = json->depth ? expects_more : expects_nothing;
}

static void leave(hrr_json_stream *json)
{
    json->next++;
    json->depth--;
    value_is_complete(json);
}

static hrr_status read_value(hrr_json_stream *json, int c, hrr_json_event *event, hrr_error *err)
{
    hrr_status status;
    switch (c) {
    case '{':
        *event = HRR_JSON_OBJECT;
        return enter(json, '{', err);
    case '[':
        *event = HRR_JSON_ARRAY;
        return enter(json, '[', err);
    case '"':
        *event = HRR_JSON_STRING;
        json->next++;
        status = read_string(json, err);
        break;
    case 't':
        *event = HRR_JSON_TRUE;
        status = read_word(json, "true", err);
        break;
    case 'f':
        *event = HRR_JSON_FALSE;
        status = read_word(json, "false", err);
        break;
    case 'n':
        *event = HRR_JSON_NULL;
        status = read_word(json, "null", err);
        break;
    case end_of_file:
        return truncated(json, err);
    default:
        if (c != '-' && !(c >= '0' && c <= '9'))
            return hrr_json_fail(json, err, "expected a JSON value");
        *event = HRR_JSON_NUMBER;
        status = read_number(json, err);
    }
    if (!status) value_is_complete(json);
    return status;
}

static hrr_status read_key(hrr_json_stream *json, int c, hrr_json_event *event, hrr_error *err)
{
    if (c == end_of_file) return truncated(json, err);
    if (c != '"') return hrr_json_fail(json, err, "expected a key in quotes");
    json->next++;
    hrr_status status = read_string(json, err);
    if (!status) status = look(json, &c, err);
    if (status) return status;
    if (c == end_of_file) return truncated(json, err);
    if (c != ':') return hrr_json_fail(json, err, "expected a colon after a key");
    json->next++;
    json->expects = expects_value;
    *event = HRR_JSON_KEY;
    return HRR_OK;
}

hrr_status hrr_json_next(hrr_json_stream *json, hrr_json_event *event, hrr_error *err)
{
    int c;
    hrr_status status = look(json, &c, err);
    if (status) return status;
    if (json->expects == expects_nothing) {
        if (c != end_of_file) return hrr_json_fail(json, err, "something follows the JSON value");
        *event = HRR_JSON_END;
        return HRR_OK;
    }
    if (json->expects == expects_more) {
        if (c == end_of_file) return truncated(json, err);
        bool object = json->open[json->depth - 1] == '{';
        if (c == (object ? '}' : ']')) {
            *event = object ? HRR_JSON_OBJECT_END : HRR_JSON_ARRAY_END;
            leave(json);
            return HRR_OK;
        }
        if (c != ',')
            return hrr_json_fail(json, err, "expected a comma or the end of the %s",
                                 object ? "object" : "list");
        json->next++;
        json->expects = object ? expects_key : expects_value;
        if ((status = look(json, &c, err))) return status;
    }
    if (json->expects == expects_first_key && c == '}') {
        *event = HRR_JSON_OBJECT_END;
        leave(json);
        return HRR_OK;
    }
    if (json->expects == expects_first_element && c == ']') {
        *event = HRR_JSON_ARRAY_END;
        leave(json);
        return HRR_OK;
    }
    if (json->expects == expects_key || json->expects == expects_first_key)
        return read_key(json, c, event, err);
    return read_value(json, c, event, err);
}

/* ---- conveniences ------------------------------------------------------------------------- */

hrr_status hrr_json_skip(hrr_json_stream *json, hrr_json_event event, hrr_error *err)
{
    if (event != HRR_JSON_OBJECT && event != HRR_JSON_ARRAY) return HRR_OK;
    int outside = json->depth - 1;
    while (json->depth > outside) {
        hrr_status status = hrr_json_next(json, &event, err);
        if (status) return status;
    }
    return HRR_OK;
}

hrr_status hrr_json_expect(hrr_json_stream *json, hrr_json_event wanted, const char *what,
                           hrr_error *err)
{
    hrr_json_event event;
    hrr_status status = hrr_json_next(json, &event, err);
    if (status) return status;
    if (event == wanted) return HRR_OK;
    return hrr_json_fail(json, err, "expected %s, found %s", what, hrr_json_event_name(event));
}

bool hrr_json_integer(const hrr_json_stream *json, int64_t *out)
{
    char *end;
    errno = 0;
    long long value = strtoll(json->text, &end, 10);
    if (errno || *end || end == json->text) return false;
    *out = value;
    return true;
}
