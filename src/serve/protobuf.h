/* protobuf.h: messages of Protocol Buffers, written: numbers as varints, everything else with its
 * length before it. A message inside another is a text of its own until it is whole. */
#ifndef HRR_SERVE_PROTOBUF_H
#define HRR_SERVE_PROTOBUF_H

#include "report/text.h"

#include <string.h>

enum { hrr_wire_varint = 0, hrr_wire_bytes = 2 };

static inline void hrr_pb_varint(hrr_text *out, uint64_t value)
{
    uint8_t bytes[10];
    size_t n = 0;
    do {
        bytes[n++] = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value);
    hrr_text_put_bytes(out, bytes, n);
}

static inline void hrr_pb_number(hrr_text *out, uint32_t field, int64_t value)
{
    hrr_pb_varint(out, (uint64_t)field << 3 | hrr_wire_varint);
    hrr_pb_varint(out, (uint64_t)value);
}

static inline void hrr_pb_bytes(hrr_text *out, uint32_t field, const void *bytes, size_t size)
{
    hrr_pb_varint(out, (uint64_t)field << 3 | hrr_wire_bytes);
    hrr_pb_varint(out, size);
    hrr_text_put_bytes(out, bytes, size);
}

static inline void hrr_pb_text(hrr_text *out, uint32_t field, const char *text)
{
    hrr_pb_bytes(out, field, text, strlen(text));
}

/* The message ends: it becomes a field of `out`. */
static inline void hrr_pb_message(hrr_text *out, uint32_t field, hrr_text *message)
{
    out->failed = out->failed || message->failed;
    hrr_pb_bytes(out, field, message->bytes, message->size);
    hrr_text_clear(message);
}

#endif
