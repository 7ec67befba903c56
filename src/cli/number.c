/* number.c: see number.h. Counts are computed in integers, so that 1e19 and
 * 9007199254740993 are exact. */
#include "cli/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool append_digit(uint64_t *value, uint64_t digit)
{
    return !__builtin_mul_overflow(*value, 10, value) &&
           !__builtin_add_overflow(*value, digit, value);
}

bool cli_read_count(const char *text, uint64_t *out)
{
    uint64_t value = 0;
    int decimals = 0, exponent = 0;
    bool point = false;
    if (!is_digit(*text)) return false;
    for (;; text++) {
        if (*text == '.' && !point && is_digit(text[1])) {
            point = true;
        } else if (is_digit(*text)) {
            if (!append_digit(&value, (uint64_t)(*text - '0'))) return false;
            decimals += point;
        } else {
            break;
        }
    }
    if (*text == 'e' || *text == 'E') {
        text++;
        if (*text == '+') text++;
        if (!is_digit(*text)) return false;
        for (; is_digit(*text); text++) {
            exponent = exponent * 10 + (*text - '0');
            if (exponent > 99) return false;
        }
    }
    if (*text) return false;
    for (; decimals > exponent; decimals--) {
        if (value % 10 != 0) return false;
        value /= 10;
    }
    for (; exponent > decimals; exponent--)
        if (!append_digit(&value, 0)) return false;
    *out = value;
    return true;
}

bool cli_read_real(const char *text, double *out)
{
    /* strtod also takes spaces, hexadecimal and words. */
    if (!*text || text[strspn(text, "0123456789+-.eE")]) return false;
    char *end;
    double value = strtod(text, &end);
    if (*end || end == text || !isfinite(value)) return false;
    *out = value;
    return true;
}
