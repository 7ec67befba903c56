/* utf8.c: see utf8.h. RFC 3629. */
#include "io/utf8.h"

#include <stdint.h>

bool hrr_is_utf8(const char *text)
{
    static const uint32_t smallest[] = {0, 0x80, 0x800, 0x10000}; /* by bytes that follow */
    const unsigned char *c = (const unsigned char *)text;
    while (*c) {
        const unsigned lead = *c++;
        if (lead < 0x80) continue;
        if (lead < 0xC2 || lead > 0xF4) return false;
        const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
        uint32_t code = lead & (0x3Fu >> more);
        for (int i = 0; i < more; i++, c++) {
            if ((*c & 0xC0) != 0x80) return false; /* also at the end of the text */
            code = code << 6 | (*c & 0x3Fu);
        }
        if (code < smallest[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
            return false;
    }
    return true;
}
