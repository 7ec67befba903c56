/* edge_parse.c: see edge_parse.h.
 *
 * The workload is millions of short lines such as "17010\t1943\n". A loop over the digits of an id
 * mispredicts its exit on nearly every one, because lengths vary; so eight bytes are taken at
 * once, the digits among them counted and turned into a number without a branch (the technique
 * is known as SIMD within a register). Anything unusual (more digits, blanks, marks, comments)
 * leaves the short path. A chunk ends with a newline, which stops every scan, so that nothing
 * else needs to look for the end. Runs of rows without anything unusual go through
 * edge_regular.c where the processor allows. */
#include "io/edge_parse.h"
#include "io/edge_regular.h"
#include "io/table.h"

#include <endian.h>
#include <string.h>

enum { progress_step = 1 << 20, regular_pays = 32 };

static const char not_integer[] =
    "an id is not an integer, but the ids of the first edge are; correct the row, or begin every "
    "id with a letter if ids are names";
static const char negative[] = "an id is negative; ids are 0, 1, 2, ...";
static const char too_large[] = "an id is above 2^63 - 1";
static const char out_of_range[] = "an id is too large to be a row number of this graph";
static const char one_column[] =
    "fewer than two columns; each row must contain the two ids of an edge";
static const char few_columns[] = "fewer columns than the header; a private mark is missing";
static const char bad_mark[] = "a private mark is neither 0 nor 1";

typedef struct cursor {
    const char *at;
    char delimiter;
    const char *problem;
    bool quoted, named;
} cursor;

/* ---- integers ----------------------------------------------------------------------------- */

static const uint64_t each_byte = 0x0101010101010101;

/* The high bit of each byte that is not a digit, as far as the first such byte. */
static uint64_t not_digits(uint64_t digits)
{
    /* digits holds text XOR '0', so a digit is 0..9. Adding 0x76 carries 10 and more into the
     * high bit; a carry into the next byte comes only from a byte that is found already. */
    return ((digits + 0x76 * each_byte) | digits) & 0x80 * each_byte;
}

/* Eight digits, the first in the lowest byte, to their value: neighbours are joined to numbers of
 * two, four and eight digits. */
static uint64_t join_digits(uint64_t digits)
{
    digits = digits * 10 + (digits >> 8);
    const uint64_t mask = 0x000000ff000000ff;
    uint64_t outer = (digits & mask) * (100 + (UINT64_C(1000000) << 32));
    uint64_t inner = (digits >> 16 & mask) * (1 + (UINT64_C(10000) << 32));
    return (outer + inner) >> 32;
}

/* Eight digits were seen at c->at; there may be more. */
static uint64_t long_integer(cursor *c, uint64_t value)
{
    for (c->at += 8; (unsigned char)(*c->at - '0') <= 9; c->at++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*c->at - '0'), &value))
            value = UINT64_MAX; /* stays there: the next product overflows too */
    if (value > INT64_MAX) c->problem = too_large;
    return value;
}

/* The integer at c->at. Without one, c->problem says what is there instead. */
static inline uint64_t integer(cursor *c)
{
    uint64_t digits;
    memcpy(&digits, c->at, sizeof digits);
    digits = le64toh(digits) ^ '0' * each_byte;
    uint64_t others = not_digits(digits);
    if (__builtin_expect(!others, 0)) return long_integer(c, join_digits(digits));
    int n_bits = __builtin_ctzll(others) - 7; /* eight for each digit */
    if (__builtin_expect(!n_bits, 0)) {
        char first = *c->at;
        bool minus = first == '-' && (unsigned char)(c->at[1] - '0') <= 9;
        c->quoted = first == '"';
        c->named = hrr_begins_name(first);
        c->problem = minus ? negative : first == '\n' ? one_column : not_integer;
        return 0;
    }
    c->at += n_bits / 8;
    return join_digits(digits << (64 - n_bits));
}

/* ---- the rest of a row -------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(cursor *c)
{
    while (is_blank(*c->at) && (*c->at != c->delimiter || c->delimiter == ' '))
        c->at++;
}

/* Pass what separates two columns: blanks, or a delimiter with blanks around it. False at the end
 * of the line, or with a problem. */
static bool separator(cursor *c)
{
    const char *before = c->at;
    skip_blanks(c);
    if (*c->at == '\n') return false;
    if (c->delimiter == ' ' ? c->at > before : *c->at == c->delimiter) {
        c->at += c->delimiter != ' ';
        skip_blanks(c);
        return true;
    }
    c->problem = not_integer;
    return false;
}

/* Pass a field that nobody needs. */
static void skip_field(cursor *c)
{
    c->quoted = *c->at == '"';
    if (c->delimiter == ' ')
        while (!is_blank(*c->at) && *c->at != '\n')
            c->at++;
    else
        while (*c->at != c->delimiter && *c->at != '\n')
            c->at++;
}

static bool mark(cursor *c)
{
    const char *start = c->at;
    skip_field(c);
    if (c->at == start + 1 && (*start == '0' || *start == '1')) return *start == '1';
    const char *end = c->at;
    while (end > start && is_blank(end[-1]))
        end--;
    char field[8] = "";
    bool truth = false;
    if (end - start < (int)sizeof field) memcpy(field, start, (size_t)(end - start));
    if (!hrr_field_truth(field, &truth)) c->problem = bad_mark;
    return truth;
}

/* The columns after the second: marks are read, others passed over. */
static uint8_t rest_of_row(cursor *c, const hrr_edge_layout *layout)
{
    uint8_t marks = 0;
    int next = 0;
    for (size_t column = 2; separator(c); column++) {
        if (next < layout->n_marks && layout->mark_columns[next] == column) {
            marks |= (uint8_t)(mark(c) << next);
            next++;
        } else {
            skip_field(c);
        }
        if (c->problem || c->quoted) return 0;
    }
    if (!c->problem && next < layout->n_marks) c->problem = few_columns;
    return marks;
}

/* ---- chunks ------------------------------------------------------------------------------- */

/* Pass a line that is no row; false if it is one. */
static bool skip_empty_line(cursor *c)
{
    const char *start = c->at;
    if (*start == '#' || *start == '%') {
        c->at = rawmemchr(start, '\n');
    } else {
        while (is_blank(*c->at))
            c->at++;
        if (*c->at != '\n') {
            c->at = start;
            skip_blanks(c);
            return false;
        }
    }
    c->at++;
    return true;
}

/* Guess how many lines there are from samples: ids, and so lines, tend to grow along a file. */
static uint64_t guess_rows(const hrr_edge_chunk *chunk)
{
    enum { n_samples = 16, sample_size = 256 };
    size_t size = (size_t)(chunk->end - chunk->begin), step = size / n_samples;
    uint64_t most = size / 4 + HRR_REGULAR_ROWS; /* "1,2" and its newline */
    if (step < sample_size) return most;
    size_t n_lines = 0;
    for (size_t i = 0; i < n_samples * step; i += step)
        for (size_t k = i; k < i + sample_size; k++)
            n_lines += chunk->begin[k] == '\n';
    uint64_t guess = size / (n_samples * sample_size) * (n_lines + 1);
    guess += guess / 16 + HRR_REGULAR_ROWS; /* a little memory costs less than moving the rows */
    return guess < most ? guess : most;
}

/* Take the regular rows at c->at. *n_rows 0: there are none, or they need a closer look. */
static hrr_status take_regular(hrr_edge_chunk *chunk, cursor *c, const hrr_regular *regular,
                               uint64_t id_limit, uint64_t *n_rows, hrr_error *err)
{
    hrr_edge_rows *rows = &chunk->rows;
    *n_rows = 0;
    if (rows->wide || rows->with_marks) return HRR_OK;
    hrr_status status = hrr_edge_rows_make_room(rows, HRR_REGULAR_ROWS, err);
    if (status) return status;
    hrr_regular_rows found = hrr_edge_regular_read(
        rows->source + rows->n_rows, rows->target + rows->n_rows, regular, c->at, chunk->end);
    if (found.n_rows == 0 || found.largest >= id_limit) return HRR_OK;
    c->at = found.after;
    chunk->n_lines += found.n_rows;
    rows->n_rows += found.n_rows;
    if (found.largest > rows->largest) rows->largest = found.largest;
    *n_rows = found.n_rows;
    return HRR_OK;
}

/* Read one row, or a line that is none, of any kind into the block. On a problem c->at stays in
 * that line. */
static void take_line(hrr_edge_block *block, cursor *c, const hrr_edge_layout *layout,
                      uint64_t id_limit)
{
    if ((unsigned char)(*c->at - '0') > 9 && skip_empty_line(c)) return;
    uint64_t source = integer(c);
    if (c->problem) return;
    bool short_way = *c->at == layout->delimiter && (unsigned char)(c->at[1] - '0') <= 9;
    if (short_way) {
        c->at++;
    } else if (!separator(c)) {
        if (!c->problem) c->problem = one_column;
        return;
    }
    uint64_t target = integer(c);
    if (c->problem) return;
    uint8_t marks = 0;
    if (*c->at != '\n' || layout->n_marks) marks = rest_of_row(c, layout);
    if (c->problem || c->quoted) return;
    if (source >= id_limit || target >= id_limit) {
        c->problem = out_of_range;
        return;
    }
    c->at++; /* the newline */
    block->source[block->n_rows] = source;
    block->target[block->n_rows] = target;
    block->marks[block->n_rows++] = marks;
}

hrr_status hrr_edge_parse(hrr_edge_chunk *chunk, const hrr_edge_layout *layout, uint64_t id_limit,
                          hrr_progress *progress, hrr_error *err)
{
    hrr_edge_block block;
    hrr_regular regular;
    hrr_status status = HRR_OK;
    cursor c = {.at = chunk->begin, .delimiter = layout->delimiter};
    const char *reported = c.at;
    block.n_rows = 0;
    chunk->n_lines = 0;
    chunk->rows.with_marks = layout->n_marks > 0;
    if (c.at == chunk->end) return HRR_OK;
    hrr_edge_regular_init(&regular, layout->delimiter);
    uint64_t n_expected = guess_rows(chunk) * (1 + chunk->n_joined);
    if ((status = hrr_edge_rows_reserve(&chunk->rows, n_expected, err))) return status;
    while (c.at < chunk->end) {
        uint64_t n_regular = 0, n_rows;
        do {
            if ((status = take_regular(chunk, &c, &regular, id_limit, &n_rows, err))) return status;
            n_regular += n_rows;
            if (c.at - reported < progress_step) continue;
            status = hrr_progress_advance(progress, (uint64_t)(c.at - reported), err);
            if (status) return status;
            reported = c.at;
        } while (n_rows > 0);
        /* After a long run one odd line is likely alone; else regular rows are too few to be
         * worth looking for, and a block is read without them. */
        int n_lines = n_regular >= regular_pays ? 1 : HRR_EDGE_BLOCK;
        for (int i = 0; i < n_lines && c.at < chunk->end; i++) {
            take_line(&block, &c, layout, id_limit);
            if (c.problem || c.quoted) goto stopped;
            chunk->n_lines++;
        }
        if ((status = hrr_edge_rows_append(&chunk->rows, &block, err))) return status;
    }
    return hrr_progress_advance(progress, (uint64_t)(c.at - reported), err);
stopped:
    chunk->quoted = c.quoted;
    chunk->named = c.named;
    chunk->problem = c.quoted ? NULL : c.problem;
    return HRR_EDATA;
}
