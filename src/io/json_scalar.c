/* json_scalar.c: the strings, numbers and words of a JSON stream, into its one text buffer. */
#include "io/json_scalar.h"
#include "base/memory.h"

#include <string.h>

static hrr_status take_byte(hrr_json_stream *json, int *byte, hrr_error *err)
{
    if (json->next == json->end) {
        hrr_status status = hrr_json_refill(json, err);
        if (status) return status;
    }
    *byte = json->next == json->end ? hrr_json_end_of_file : *json->next++;
    return HRR_OK;
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

static hrr_status read_hex4(hrr_json_stream *json, uint32_t *out, hrr_error *err)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        int c;
        hrr_status status = take_byte(json, &c, err);
        if (status) return status;
        if (c == hrr_json_end_of_file) return hrr_json_truncated(json, err);
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
        return hrr_json_fail(json, err, "a low surrogate has no high surrogate before it");
    if (code >= 0xD800 && code < 0xDC00) {
        int backslash, u;
        if ((status = take_byte(json, &backslash, err))) return status;
        if (backslash == hrr_json_end_of_file) return hrr_json_truncated(json, err);
        if (backslash != '\\') return hrr_json_fail(json, err, "%s", alone);
        if ((status = take_byte(json, &u, err))) return status;
        if (u == hrr_json_end_of_file) return hrr_json_truncated(json, err);
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
    if (c == hrr_json_end_of_file) return hrr_json_truncated(json, err);
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
        if (c == hrr_json_end_of_file) return hrr_json_truncated(json, err);
        if ((c & 0xC0) != 0x80) return hrr_json_fail(json, err, "%s", invalid);
        code = code << 6 | ((uint32_t)c & 0x3F);
    }
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        return hrr_json_fail(json, err, "%s", invalid);
    return append_code_point(json, code, err);
}

hrr_status hrr_json_read_string(hrr_json_stream *json, hrr_error *err)
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
        if (c == hrr_json_end_of_file) return hrr_json_truncated(json, err);
        if (c == '\\') {
            status = read_escape(json, err);
        } else if (c >= 0x80) {
            status = read_utf8(json, c, err);
        } else if (c < 0x20) {
            return hrr_json_fail(json, err, "a string contains an unescaped control character");
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

hrr_status hrr_json_read_number(hrr_json_stream *json, hrr_error *err)
{
    json->length = 0;
    for (;;) {
        const unsigned char *run = json->next;
        while (json->next < json->end && may_be_in_number(*json->next))
            json->next++;
        hrr_status status = append(json, run, (size_t)(json->next - run), err);
        if (status) return status;
        if (json->next < json->end) break;
        if ((status = hrr_json_refill(json, err))) return status;
        if (json->next == json->end) break;
    }
    if (!is_number(json->text)) return hrr_json_fail(json, err, "a number is not valid JSON");
    return HRR_OK;
}

hrr_status hrr_json_read_word(hrr_json_stream *json, const char *word, hrr_error *err)
{
    for (; *word; word++) {
        int c;
        hrr_status status = take_byte(json, &c, err);
        if (status) return status;
        if (c == hrr_json_end_of_file) return hrr_json_truncated(json, err);
        if (c != *word)
            return hrr_json_fail(json, err,
                                 "found a word other than true, false and null (JSON has no NaN)");
    }
    return HRR_OK;
}
