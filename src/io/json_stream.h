/* json_stream.h: JSON as a stream of events, pulled one at a time from an hrr_source.
 *
 * The published graphs keep hundreds of megabytes in one JSON value (GraphSAGE's Reddit, the MUSAE
 * feature lists). A tree of that costs ten times the file; here only the current key, string or
 * number is held. Small documents such as graph.json go through jansson.
 *
 * Strict RFC 8259: UTF-8 is checked, \u escapes and surrogate pairs are decoded, nothing may follow
 * the value. Keys are not remembered, so repeated keys are the reader's business. */
#ifndef HRR_IO_JSON_STREAM_H
#define HRR_IO_JSON_STREAM_H

#include <heterorr/base.h>

typedef struct hrr_json_stream hrr_json_stream;

typedef enum hrr_json_event {
    HRR_JSON_END = 0, /* the document is complete and nothing follows it */
    HRR_JSON_OBJECT,
    HRR_JSON_OBJECT_END,
    HRR_JSON_ARRAY,
    HRR_JSON_ARRAY_END,
    HRR_JSON_KEY,
    HRR_JSON_STRING,
    HRR_JSON_NUMBER,
    HRR_JSON_TRUE,
    HRR_JSON_FALSE,
    HRR_JSON_NULL
} hrr_json_event;

#define HRR_JSON_MAX_DEPTH 64
#define HRR_JSON_MAX_TEXT ((size_t)1 << 20) /* bytes of one key, string or number */

/* progress (may be NULL) advances by the stored bytes that were consumed; its phase is the
 * caller's. Errors: HRR_EIO, HRR_ENOMEM. */
hrr_status hrr_json_open(hrr_json_stream **out, const char *path, hrr_progress *progress,
                         hrr_error *err);
void hrr_json_close(hrr_json_stream *json);

/* The next event. Errors: HRR_EDATA names file and line; HRR_EIO, HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_json_next(hrr_json_stream *json, hrr_json_event *event, hrr_error *err);

/* Of the last KEY, STRING or NUMBER: NUL-terminated, valid until the next event. A string may
 * hold NUL bytes of its own: then length is more than strlen(). */
const char *hrr_json_text(const hrr_json_stream *json);
size_t hrr_json_length(const hrr_json_stream *json);

/* Pass over what is left of the value that began with `event` (nothing for a scalar). */
hrr_status hrr_json_skip(hrr_json_stream *json, hrr_json_event event, hrr_error *err);

/* The next event must be `wanted`; otherwise HRR_EDATA, saying that `what` was expected. */
hrr_status hrr_json_expect(hrr_json_stream *json, hrr_json_event wanted, const char *what,
                           hrr_error *err);

/* The last NUMBER as an integer; false if it has a fraction, an exponent or over 63 bits. */
bool hrr_json_integer(const hrr_json_stream *json, int64_t *out);

/* HRR_EDATA with "FILE:LINE: " before the text. */
hrr_status hrr_json_fail(const hrr_json_stream *json, hrr_error *err, const char *format, ...)
    HRR_PRINTF(3, 4);
/* "a number", "an object", ... for messages. */
const char *hrr_json_event_name(hrr_json_event event);

#endif
