/* fuzz_json: any bytes as JSON. The stream must end, never deeper than it allows; what it accepts,
 * jansson must accept too, and the other way round, but for documents that reach one of our
 * limits, numbers that overflow a double, and zero bytes, which end a document for jansson. */
#include "fuzz_input.h"

#include "io/json_stream.h"

#include <jansson.h>
#include <string.h>

/* 1 accepted, 0 refused, -1 at one of the limits. */
static int stream_verdict(const char *path)
{
    hrr_json_stream *json;
    hrr_json_event event;
    hrr_error err = {0};
    int depth = 0;
    if (hrr_json_open(&json, path, NULL, &err)) return 0;
    do {
        if (hrr_json_next(json, &event, &err)) {
            hrr_json_close(json);
            return strstr(err.message, "nested more than") || strstr(err.message, "longer than")
                       ? -1
                       : 0;
        }
        depth += event == HRR_JSON_OBJECT || event == HRR_JSON_ARRAY;
        depth -= event == HRR_JSON_OBJECT_END || event == HRR_JSON_ARRAY_END;
        if (depth < 0 || depth > HRR_JSON_MAX_DEPTH) abort();
    } while (event != HRR_JSON_END);
    hrr_json_close(json);
    return depth == 0 ? 1 : (abort(), 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    json_error_t wrong;
    int ours = stream_verdict(fuzz_path(bytes, size));
    if (memchr(bytes, 0, size)) return 0;
    if (size >= 2 && (bytes[0] == 0x1f || bytes[0] == 0x28 || (bytes[0] & 0xf0) == 0x50))
        return 0; /* may have been taken for a compressed file */
    json_t *theirs = json_loadb((const char *)bytes, size,
                                JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, &wrong);
    enum json_error_code code = theirs ? json_error_unknown : json_error_code(&wrong);
    json_decref(theirs);
    if (ours < 0 || code == json_error_numeric_overflow || code == json_error_null_byte_in_key ||
        code == json_error_null_character || code == json_error_stack_overflow)
        return 0;
    if ((ours == 1) != (theirs != NULL)) abort();
    return 0;
}
