/* json_lists.c: see json_lists.h.
 *
 * A real of at most 15 digits and a small power of ten is one product or quotient of two doubles
 * that are exact (Clinger 1990), and so rounded once, as it must be; others are left to strtod().
 */
#include "serve/json_lists.h"
#include "serve/decimal.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* ---- where lists are ------------------------------------------------------------------------- */

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r'))
        at++;
    return at;
}

/* Behind the text that begins with a quotation mark; NULL: it has no end. */
static const char *skip_text(const char *at, const char *end)
{
    for (at++; at < end; at++) {
        if (*at == '"') return at + 1;
        if (*at == '\\') at++;
    }
    return NULL;
}

/* Lists are mostly numbers: a block without a bracket or a quotation mark is passed over at once.
 */
enum { block_size = 64 };

static bool is_plain(const char block[block_size])
{
    unsigned found = 0;
    for (int i = 0; i < block_size; i++)
        found |= (unsigned)((block[i] == '"') | (block[i] == '[') | (block[i] == ']'));
    return !found;
}

/* Behind the list; NULL: it has no end. */
static const char *skip_list(const char *at, const char *end)
{
    uint64_t depth = 0;
    while (at && at < end) {
        const char *stop = end - at < block_size ? end : at + block_size;
        if (stop - at == block_size && is_plain(at)) at = stop;
        while (at && at < stop) {
            if (*at == '"') {
                at = skip_text(at, end);
                continue;
            }
            depth += *at == '[';
            if (*at++ == ']' && --depth == 0) return at;
        }
    }
    return NULL;
}

static hrr_status take_list(hrr_json_lists *out, const char *at, const char *end, hrr_error *err)
{
    if (out->n == HRR_MOST_LISTS)
        return hrr_fail(err, HRR_EINVAL, "a request has at most %d lists 'data'", HRR_MOST_LISTS);
    hrr_text_printf(&out->rest, "[%u]", out->n);
    out->list[out->n++] = (hrr_json_list){.at = at, .size = (size_t)(end - at)};
    return HRR_OK;
}

hrr_status hrr_json_lists_take(hrr_json_lists *out, const char *json, size_t size, hrr_error *err)
{
    static const char data[] = "\"data\"";
    const char *const end = json + size;
    const char *copied = json; /* up to here it is in the rest */
    *out = (hrr_json_lists){0};
    for (const char *at = json; at && at < end;) {
        const char *quote = memchr(at, '"', (size_t)(end - at));
        const char *after = quote ? skip_text(quote, end) : NULL;
        if (!after) break;
        at = skip_space(after, end);
        if (at == end || *at != ':') continue; /* no key */
        if (memchr(quote, '\\', (size_t)(after - quote)))
            return hrr_fail(err, HRR_EINVAL, "a key of the request is written with escapes");
        at = skip_space(at + 1, end);
        if (at == end || *at != '[' || (size_t)(after - quote) != strlen(data) ||
            memcmp(quote, data, strlen(data)) != 0)
            continue;
        const char *behind = skip_list(at, end);
        if (!behind) break;
        hrr_text_put_bytes(&out->rest, copied, (size_t)(at - copied));
        const hrr_status status = take_list(out, at, behind, err);
        if (status) return status;
        copied = at = behind;
    }
    hrr_text_put_bytes(&out->rest, copied, (size_t)(end - copied));
    return out->rest.failed ? hrr_fail(err, HRR_ENOMEM, "out of memory") : HRR_OK;
}

/* ---- numbers --------------------------------------------------------------------------------- */

typedef struct reading {
    const char *at, *end;
    uint32_t most_depth;
    uint64_t n, count;
    int64_t *integers; /* one of the two */
    double *reals;
} reading;

static bool is_digit(const reading *r)
{
    return r->at < r->end && *r->at >= '0' && *r->at <= '9';
}

static bool take_word(reading *r, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0) return false;
    r->at += length;
    return true;
}

static bool read_integer(int64_t *out, reading *r)
{
    const char *at = r->at, *const end = r->end;
    if (at < end && (*at == 't' || *at == 'f')) {
        *out = *at == 't';
        return take_word(r, *out ? "true" : "false");
    }
    const bool negative = at < end && *at == '-';
    uint64_t value = 0;
    at += negative;
    const char *const first = at;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        if (at - first == 18) return false; /* it may not fit: not here */
        value = 10 * value + (uint64_t)(*at - '0');
    }
    r->at = at;
    if (at == first || (*first == '0' && at - first > 1)) return false;
    *out = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

/* By the library, from text that goes on behind the number. */
static bool read_slowly(double *out, const char *first, size_t length)
{
    char text[64], *end;
    if (length >= sizeof text || strcmp(localeconv()->decimal_point, ".") != 0) return false;
    memcpy(text, first, length);
    text[length] = '\0';
    *out = strtod(text, &end);
    return *end == '\0';
}

static bool read_real(double *out, reading *r)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { most_power = 22, most_digits = 15 };
    const char *const start = r->at;
    const bool negative = r->at < r->end && *r->at == '-';
    uint64_t value = 0;
    int digits = 0, power = 0, written = 0;
    r->at += negative;
    const char *first = r->at;
    for (; is_digit(r); r->at++) {
        digits += value || *r->at != '0';
        if (digits <= most_digits) value = 10 * value + (uint64_t)(*r->at - '0');
    }
    if (r->at == first || (*first == '0' && r->at - first > 1)) return false;
    if (r->at < r->end && *r->at == '.') {
        first = ++r->at;
        for (; is_digit(r); r->at++, power--) {
            digits += value || *r->at != '0';
            if (digits <= most_digits) value = 10 * value + (uint64_t)(*r->at - '0');
        }
        if (r->at == first) return false;
    }
    if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
        r->at++;
        const bool below = r->at < r->end && *r->at == '-';
        if (r->at < r->end && (*r->at == '-' || *r->at == '+')) r->at++;
        first = r->at;
        for (; is_digit(r); r->at++)
            if (written < 10000) written = 10 * written + (*r->at - '0');
        if (r->at == first) return false;
        power += below ? -written : written;
    }
    if (digits > most_digits || power > most_power || power < -most_power)
        return read_slowly(out, start, (size_t)(r->at - start)) && isfinite(*out);
    *out = power < 0 ? (double)value / powers[-power] : (double)value * powers[power];
    if (negative) *out = -*out;
    return true;
}

/* Which of 64 bytes are digits, zeros among them, commas or white space: bit i is byte i. */
typedef struct kinds {
    uint64_t digit, zero, comma, space;
} kinds;

#if defined(__SSE2__)
static inline uint64_t bits_of(__m128i bytes, unsigned part)
{
    return (uint64_t)(unsigned)_mm_movemask_epi8(bytes) << (16 * part);
}

static kinds sort_bytes(const char block[block_size])
{
    kinds found = {0};
    for (unsigned part = 0; part < block_size / 16; part++) {
        const __m128i c = _mm_loadu_si128((const __m128i *)(const void *)(block + 16 * part));
        const __m128i from_zero = _mm_sub_epi8(c, _mm_set1_epi8('0'));
        const __m128i feed = _mm_or_si128(_mm_cmpeq_epi8(c, _mm_set1_epi8('\n')),
                                          _mm_cmpeq_epi8(c, _mm_set1_epi8('\r')));
        const __m128i blank = _mm_or_si128(_mm_cmpeq_epi8(c, _mm_set1_epi8(' ')),
                                           _mm_cmpeq_epi8(c, _mm_set1_epi8('\t')));
        found.digit |=
            bits_of(_mm_cmpeq_epi8(_mm_min_epu8(from_zero, _mm_set1_epi8(9)), from_zero), part);
        found.zero |= bits_of(_mm_cmpeq_epi8(c, _mm_set1_epi8('0')), part);
        found.comma |= bits_of(_mm_cmpeq_epi8(c, _mm_set1_epi8(',')), part);
        found.space |= bits_of(_mm_or_si128(feed, blank), part);
    }
    return found;
}
#else
static kinds sort_bytes(const char block[block_size])
{
    kinds found = {0};
    for (unsigned i = 0; i < block_size; i++) {
        const char c = block[i];
        found.digit |= (uint64_t)(c >= '0' && c <= '9') << i;
        found.zero |= (uint64_t)(c == '0') << i;
        found.comma |= (uint64_t)(c == ',') << i;
        found.space |= (uint64_t)(c == ' ' || c == '\n' || c == '\t' || c == '\r') << i;
    }
    return found;
}
#endif

/* Where numbers of more than eight digits begin, or such as 007. */
static uint64_t unusual_starts(const kinds *is, uint64_t starts)
{
    uint64_t nine = is->digit & (is->digit >> 1); /* two digits from here on, then four, eight */
    nine &= nine >> 2;
    nine &= nine >> 4;
    nine &= is->digit >> 8;
    return starts & (nine | (is->zero & (is->digit >> 1)));
}

/* Bit i: whether an odd number of bits up to i is set. */
static uint64_t parity_up_to(uint64_t bits)
{
    for (unsigned step = 1; step < 64; step *= 2)
        bits ^= bits << step;
    return bits;
}

/* Of the block at r->at: the elements of at most eight digits, each with its comma, up to the first
 * that is anything else or goes beyond the block. Beginnings of numbers and commas must take turns.
 * False: there is no such element. */
static bool read_block(reading *r)
{
    const kinds is = sort_bytes(r->at);
    uint64_t starts = is.digit & ~(is.digit << 1), ends = ~is.digit & (is.digit << 1);
    const uint64_t first_of_two = parity_up_to(starts | is.comma);
    const uint64_t wrong = ~(is.digit | is.comma | is.space) | unusual_starts(&is, starts) |
                           (starts & ~first_of_two) | (is.comma & first_of_two);
    const uint64_t right = wrong ? (wrong & -wrong) - 1 : ~UINT64_C(0); /* before the first wrong */
    const uint64_t commas = is.comma & right;
    const unsigned n = (unsigned)__builtin_popcountll(commas);
    if (!n || n > r->n - r->count) return false;
    int64_t *const to = r->integers + r->count;
    for (unsigned i = 0; i < n; i++, starts &= starts - 1, ends &= ends - 1) {
        const unsigned start = (unsigned)__builtin_ctzll(starts);
        to[i] = hrr_read_digits(r->at + start, (unsigned)__builtin_ctzll(ends) - start);
    }
    r->count += n;
    r->at += block_size - (unsigned)__builtin_clzll(commas); /* behind the last comma */
    return true;
}

/* Long lists of small integers, as lists of nodes are, as far as they go in whole blocks. What is
 * left, or something else, is read element by element. */
static void read_blocks(reading *r)
{
    enum { behind = HRR_EIGHT_DIGITS }; /* digits are read eight at a time */
    while (r->end - r->at >= block_size + behind && read_block(r))
        ;
    r->at = skip_space(r->at, r->end);
}

static bool read_element(reading *r)
{
    if (r->count == r->n) return false;
    const uint64_t at = r->count++;
    return r->integers ? read_integer(&r->integers[at], r) : read_real(&r->reals[at], r);
}

static bool read_list(reading *r, uint32_t depth)
{
    if (depth > r->most_depth) return false;
    r->at = skip_space(r->at + 1, r->end);
    if (r->at < r->end && *r->at == ']') {
        r->at++;
        return true;
    }
    if (r->integers) read_blocks(r);
    while (r->at < r->end) {
        if (!(*r->at == '[' ? read_list(r, depth + 1) : read_element(r))) return false;
        r->at = skip_space(r->at, r->end);
        if (r->at == r->end) return false;
        const char c = *r->at++;
        if (c == ']') return true;
        if (c != ',') return false;
        r->at = skip_space(r->at, r->end);
    }
    return false;
}

static bool read_all(reading *r)
{
    return read_list(r, 1) && r->at == r->end && r->count == r->n;
}

bool hrr_json_list_integers(int64_t *out, uint64_t n, const hrr_json_list *list,
                            uint32_t most_depth)
{
    reading r = {list->at, list->at + list->size, most_depth, n, 0, out, NULL};
    return read_all(&r);
}

bool hrr_json_list_reals(double *out, uint64_t n, const hrr_json_list *list, uint32_t most_depth)
{
    reading r = {list->at, list->at + list->size, most_depth, n, 0, NULL, out};
    return read_all(&r);
}
