/* text.c: see text.h. */
#include "report/text.h"
#include "base/memory.h"
#include "base/paths.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void hrr_text_clear(hrr_text *text)
{
    hrr_free(text->bytes);
    *text = (hrr_text){0};
}

/* Room for `more` bytes and the final NUL. */
static bool grow(hrr_text *text, size_t more)
{
    if (text->failed) return false;
    if (more < text->room - text->size) return true;
    const size_t room = 2 * (text->size + more) + 256;
    char *bytes = hrr_resize(text->bytes, room, 1);
    if (!bytes) {
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    text->room = room;
    return true;
}

void hrr_text_put_bytes(hrr_text *text, const void *bytes, size_t size)
{
    if (!grow(text, size)) return;
    if (size) memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

char *hrr_text_room(hrr_text *text, size_t most)
{
    return grow(text, most) ? text->bytes + text->size : NULL;
}

void hrr_text_added(hrr_text *text, size_t size)
{
    text->size += size;
    text->bytes[text->size] = '\0';
}

void hrr_text_put(hrr_text *text, const char *words)
{
    hrr_text_put_bytes(text, words, strlen(words));
}

void hrr_text_printf(hrr_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0 && grow(text, (size_t)length)) {
        vsnprintf(text->bytes + text->size, (size_t)length + 1, format, again);
        text->size += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

/* Length of the UTF-8 character at `at`, 0 if there is none that XML allows. Overlong forms and
 * surrogates are refused by their second byte. */
static size_t character_length(const unsigned char *at)
{
    const unsigned char c = at[0];
    if (c < 0x80) return c >= 0x20 || c == '\t' || c == '\n' ? c != 0x7f : 0;
    const size_t length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    if (c < 0xc2 || c > 0xf4) return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80) return 0;
    if ((c == 0xe0 && at[1] < 0xa0) || (c == 0xed && at[1] > 0x9f) || (c == 0xf0 && at[1] < 0x90) ||
        (c == 0xf4 && at[1] > 0x8f))
        return 0;
    if (c == 0xef && at[1] == 0xbf && at[2] >= 0xbe) return 0; /* U+FFFE, U+FFFF */
    return length;
}

void hrr_text_escape(hrr_text *text, const char *words)
{
    static const char special[] = "&<>\"'";
    static const char *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (const char *at = words; *at;) {
        const char *found = strchr(special, *at);
        const size_t length = character_length((const unsigned char *)at);
        if (found)
            hrr_text_put(text, entity[found - special]);
        else if (length)
            hrr_text_put_bytes(text, at, length);
        else
            hrr_text_put(text, "\xef\xbf\xbd");
        at += length ? length : 1;
    }
}

void hrr_text_field(hrr_text *text, const char *words)
{
    if (!strpbrk(words, ",\"\r\n") && words[0] != '#' && words[0] != '%') {
        hrr_text_put(text, words);
        return;
    }
    hrr_text_put(text, "\"");
    for (const char *at = words; *at; at++)
        hrr_text_put_bytes(text, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
    hrr_text_put(text, "\"");
}

void hrr_text_number(hrr_text *text, double value, int digits)
{
    if (!isnan(value)) hrr_text_printf(text, "%.*g", digits, value);
}

void hrr_text_base64(hrr_text *text, const void *bytes, size_t size)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *at = bytes;
    if (!grow(text, size / 3 * 4 + 4)) return;
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i < 3 ? size - i : 3;
        const unsigned word = (unsigned)at[i] << 16 | (left > 1 ? (unsigned)at[i + 1] << 8 : 0) |
                              (left > 2 ? at[i + 2] : 0);
        for (size_t k = 0; k < 4; k++)
            text->bytes[text->size++] = k <= left ? digit[word >> (18 - 6 * k) & 63] : '=';
    }
    text->bytes[text->size] = '\0';
}

hrr_status hrr_text_write(const hrr_text *text, const char *directory, const char *name,
                          hrr_error *err)
{
    char *path = text->failed ? NULL : hrr_path_join(directory, name);
    if (!path) return hrr_no_memory(err);
    hrr_output *output = NULL;
    hrr_status status = hrr_output_open(&output, path, err);
    if (!status) status = hrr_output_write(output, text->bytes, text->size, err);
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    hrr_free(path);
    return status;
}
