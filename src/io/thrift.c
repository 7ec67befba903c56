/* thrift.c: see thrift.h. */
#include "io/thrift.h"
#include "base/memory.h"

#include <string.h>

enum { deepest = 32 };

/* ---- reading --------------------------------------------------------------------------------- */

static void spoil(hrr_thrift *in)
{
    in->bad = true;
    in->at = in->end;
}

static uint8_t byte(hrr_thrift *in)
{
    if (in->at == in->end) {
        spoil(in);
        return 0;
    }
    return *in->at++;
}

static uint64_t varint(hrr_thrift *in)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const uint8_t next = byte(in);
        value |= (uint64_t)(next & 0x7f) << shift;
        if (!(next & 0x80)) return in->bad ? 0 : value;
    }
    spoil(in);
    return 0;
}

static int64_t zigzag(hrr_thrift *in)
{
    const uint64_t value = varint(in);
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

static void pass(hrr_thrift *in, uint64_t size)
{
    if (size > (uint64_t)(in->end - in->at))
        spoil(in);
    else
        in->at += size;
}

bool hrr_thrift_next(hrr_thrift *in, hrr_thrift_field *field)
{
    const uint8_t head = byte(in);
    if (in->bad || head == 0) return false;
    const int64_t id = head >> 4 ? field->id + (head >> 4) : zigzag(in);
    if (id < INT16_MIN || id > INT16_MAX || (head & 15) > HRR_THRIFT_UUID) spoil(in);
    *field = (hrr_thrift_field){(int)id, (hrr_thrift_type)(head & 15)};
    return !in->bad;
}

static uint64_t list_head(hrr_thrift *in, hrr_thrift_type *of)
{
    const uint8_t head = byte(in);
    const uint64_t n = head >> 4 == 15 ? varint(in) : head >> 4;
    *of = (hrr_thrift_type)(head & 15);
    if (n > (uint64_t)(in->end - in->at)) spoil(in);
    return in->bad ? 0 : n;
}

static void skip(hrr_thrift *in, hrr_thrift_type type, int depth);

static void skip_item(hrr_thrift *in, hrr_thrift_type type, int depth)
{
    if (type == HRR_THRIFT_TRUE || type == HRR_THRIFT_FALSE)
        pass(in, 1); /* in a field the type itself is the value */
    else
        skip(in, type, depth);
}

static void skip_map(hrr_thrift *in, int depth)
{
    const uint64_t n = varint(in);
    const uint8_t types = n ? byte(in) : 0;
    if (n > (uint64_t)(in->end - in->at)) spoil(in);
    for (uint64_t i = 0; i < n && !in->bad; i++) {
        skip_item(in, (hrr_thrift_type)(types >> 4), depth);
        skip_item(in, (hrr_thrift_type)(types & 15), depth);
    }
}

static void skip(hrr_thrift *in, hrr_thrift_type type, int depth)
{
    hrr_thrift_field field = {0};
    hrr_thrift_type of = HRR_THRIFT_STOP;
    if (depth == deepest) spoil(in);
    if (in->bad) return;
    switch (type) {
    case HRR_THRIFT_TRUE:
    case HRR_THRIFT_FALSE:
        return;
    case HRR_THRIFT_I8:
        pass(in, 1);
        return;
    case HRR_THRIFT_I16:
    case HRR_THRIFT_I32:
    case HRR_THRIFT_I64:
        varint(in);
        return;
    case HRR_THRIFT_DOUBLE:
        pass(in, 8);
        return;
    case HRR_THRIFT_BINARY:
        pass(in, varint(in));
        return;
    case HRR_THRIFT_LIST:
    case HRR_THRIFT_SET:
        for (uint64_t n = list_head(in, &of); n > 0 && !in->bad; n--)
            skip_item(in, of, depth + 1);
        return;
    case HRR_THRIFT_MAP:
        skip_map(in, depth + 1);
        return;
    case HRR_THRIFT_STRUCT:
        while (hrr_thrift_next(in, &field))
            skip(in, field.type, depth + 1);
        return;
    case HRR_THRIFT_UUID:
        pass(in, 16);
        return;
    case HRR_THRIFT_STOP:
        break;
    }
    spoil(in);
}

void hrr_thrift_skip(hrr_thrift *in, hrr_thrift_type type)
{
    skip(in, type, 0);
}

int64_t hrr_thrift_integer(hrr_thrift *in, hrr_thrift_type type)
{
    if (type == HRR_THRIFT_I8) return (int8_t)byte(in);
    if (type < HRR_THRIFT_I16 || type > HRR_THRIFT_I64) spoil(in);
    return in->bad ? 0 : zigzag(in);
}

bool hrr_thrift_truth(hrr_thrift *in, hrr_thrift_type type)
{
    if (type != HRR_THRIFT_TRUE && type != HRR_THRIFT_FALSE) spoil(in);
    return type == HRR_THRIFT_TRUE;
}

const char *hrr_thrift_bytes(hrr_thrift *in, hrr_thrift_type type, uint64_t *size)
{
    *size = 0;
    if (type != HRR_THRIFT_BINARY) spoil(in);
    const uint64_t length = in->bad ? 0 : varint(in);
    const char *bytes = (const char *)in->at;
    pass(in, length);
    if (in->bad) return NULL;
    *size = length;
    return bytes;
}

uint64_t hrr_thrift_list(hrr_thrift *in, hrr_thrift_type type, hrr_thrift_type of)
{
    hrr_thrift_type found = HRR_THRIFT_STOP;
    if (type != HRR_THRIFT_LIST) spoil(in);
    const uint64_t n = in->bad ? 0 : list_head(in, &found);
    if (n && found != of) spoil(in);
    return in->bad ? 0 : n;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put_bytes(hrr_thrift_out *out, const void *bytes, size_t size)
{
    if (out->no_memory) return;
    if (size > out->room - out->size) {
        const size_t room = 2 * out->room + size + 64;
        uint8_t *larger = hrr_resize(out->bytes, room, 1);
        out->no_memory = !larger;
        if (!larger) return;
        out->bytes = larger;
        out->room = room;
    }
    if (size) memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
}

static void put_byte(hrr_thrift_out *out, unsigned value)
{
    put_bytes(out, &(uint8_t){(uint8_t)value}, 1);
}

static void put_varint(hrr_thrift_out *out, uint64_t value)
{
    for (; value > 0x7f; value >>= 7)
        put_byte(out, (unsigned)(value & 0x7f) | 0x80);
    put_byte(out, (unsigned)value);
}

void hrr_thrift_put_integer_item(hrr_thrift_out *out, int64_t value)
{
    put_varint(out, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

/* Numbers of fields ascend within a struct, by 15 at most. */
static void put_head(hrr_thrift_out *out, int id, hrr_thrift_type type)
{
    put_byte(out, (unsigned)(id - out->last) << 4 | type);
    out->last = id;
}

void hrr_thrift_put_integer(hrr_thrift_out *out, int id, hrr_thrift_type type, int64_t value)
{
    put_head(out, id, type);
    if (type == HRR_THRIFT_I8)
        put_byte(out, (uint8_t)value);
    else
        hrr_thrift_put_integer_item(out, value);
}

void hrr_thrift_put_truth(hrr_thrift_out *out, int id, bool value)
{
    put_head(out, id, value ? HRR_THRIFT_TRUE : HRR_THRIFT_FALSE);
}

void hrr_thrift_put_text_item(hrr_thrift_out *out, const char *text)
{
    const size_t size = strlen(text);
    put_varint(out, size);
    put_bytes(out, text, size);
}

void hrr_thrift_put_text(hrr_thrift_out *out, int id, const char *text)
{
    put_head(out, id, HRR_THRIFT_BINARY);
    hrr_thrift_put_text_item(out, text);
}

void hrr_thrift_put_list(hrr_thrift_out *out, int id, hrr_thrift_type of, uint64_t n)
{
    put_head(out, id, HRR_THRIFT_LIST);
    put_byte(out, (n < 15 ? (unsigned)n : 15u) << 4 | of);
    if (n >= 15) put_varint(out, n);
}

int hrr_thrift_open(hrr_thrift_out *out, int id)
{
    if (id) put_head(out, id, HRR_THRIFT_STRUCT);
    const int before = out->last;
    out->last = 0;
    return before;
}

void hrr_thrift_close(hrr_thrift_out *out, int before)
{
    put_byte(out, HRR_THRIFT_STOP);
    out->last = before;
}
