/* json_stream.c: see json_stream.h.
 *
 * A small state machine: `expects` is what the grammar allows next, `open` the kinds of the
 * containers we are in; strings and numbers are read by json_scalar.c. Bytes come in windows of at
 * most a megabyte, even from a mapped file that is one piece, so that progress and cancellation are
 * served while a window is refilled. */
#include "io/json_scalar.h"
#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { window = 1 << 20 };

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

hrr_status hrr_json_refill(hrr_json_stream *json, hrr_error *err)
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
        hrr_status status = hrr_json_refill(json, err);
        if (status) return status;
        if (json->next == json->end) {
            *byte = hrr_json_end_of_file;
            return HRR_OK;
        }
    }
}

hrr_status hrr_json_truncated(const hrr_json_stream *json, hrr_error *err)
{
    return hrr_json_fail(json, err, "the file ends in the middle of a JSON value; it is truncated");
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
        status = hrr_json_read_string(json, err);
        break;
    case 't':
        *event = HRR_JSON_TRUE;
        status = hrr_json_read_word(json, "true", err);
        break;
    case 'f':
        *event = HRR_JSON_FALSE;
        status = hrr_json_read_word(json, "false", err);
        break;
    case 'n':
        *event = HRR_JSON_NULL;
        status = hrr_json_read_word(json, "null", err);
        break;
    case hrr_json_end_of_file:
        return hrr_json_truncated(json, err);
    default:
        if (c != '-' && !(c >= '0' && c <= '9'))
            return hrr_json_fail(json, err, "expected a JSON value");
        *event = HRR_JSON_NUMBER;
        status = hrr_json_read_number(json, err);
    }
    if (!status) value_is_complete(json);
    return status;
}

static hrr_status read_key(hrr_json_stream *json, int c, hrr_json_event *event, hrr_error *err)
{
    if (c == hrr_json_end_of_file) return hrr_json_truncated(json, err);
    if (c != '"') return hrr_json_fail(json, err, "expected a key in quotes");
    json->next++;
    hrr_status status = hrr_json_read_string(json, err);
    if (!status) status = look(json, &c, err);
    if (status) return status;
    if (c == hrr_json_end_of_file) return hrr_json_truncated(json, err);
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
        if (c != hrr_json_end_of_file)
            return hrr_json_fail(json, err, "there is more text after the JSON value");
        *event = HRR_JSON_END;
        return HRR_OK;
    }
    if (json->expects == expects_more) {
        if (c == hrr_json_end_of_file) return hrr_json_truncated(json, err);
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
