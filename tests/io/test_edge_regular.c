/* Every way of reading regular rows against a plain loop over their text. */
#include "support/check.h"

#include "io/edge_regular_avx512.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { padding = 16, most_rows = 1 << 15 };

typedef struct rows {
    size_t n_rows;
    uint32_t source[most_rows + HRR_REGULAR_ROWS], target[most_rows + HRR_REGULAR_ROWS];
} rows;

static uint64_t random_state = 88172645463325252u;

static uint64_t draw(uint64_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (random_state >> 11) % below;
}

/* A number of exactly so many digits, zeros in front allowed. */
static int put_id(char *to, int digits)
{
    for (int i = 0; i < digits; i++)
        to[i] = (char)('0' + draw(10));
    return digits;
}

static int put_row(char *to, int digits, int more_digits, char delimiter, const char *line_end)
{
    int used = put_id(to, digits);
    to[used++] = delimiter;
    used += put_id(to + used, more_digits);
    return used + sprintf(to + used, "%s", line_end);
}

/* The plain loop: rows from `text` up to the first that is not regular; its start is returned. */
static const char *read_plainly(rows *out, const char *text, const char *end, char delimiter)
{
    for (out->n_rows = 0; text < end; out->n_rows++) {
        uint32_t ids[2] = {0, 0};
        const char *at = text;
        for (int column = 0; column < 2; column++) {
            int digits = 0;
            for (; *at >= '0' && *at <= '9'; at++, digits++)
                ids[column] = digits < 9 ? 10 * ids[column] + (uint32_t)(*at - '0') : 0;
            if (digits < 1 || digits > HRR_REGULAR_DIGITS) return text;
            if (column == 0 && *at++ != delimiter) return text;
        }
        if (*at == '\r') at++;
        if (*at++ != '\n') return text;
        out->source[out->n_rows] = ids[0];
        out->target[out->n_rows] = ids[1];
        text = at;
    }
    return text;
}

/* Read as edge_parse.c does, until no rows are returned. */
static const char *read_regular(rows *out, uint32_t *largest, const hrr_regular *regular,
                                const char *text, const char *end)
{
    out->n_rows = *largest = 0;
    for (;;) {
        hrr_regular_rows found = hrr_edge_regular_read(
            out->source + out->n_rows, out->target + out->n_rows, regular, text, end);
        assert_true(found.n_rows <= HRR_REGULAR_ROWS);
        if (found.n_rows == 0) {
            assert_ptr_equal(found.after, text);
            return text;
        }
        out->n_rows += found.n_rows;
        if (found.largest > *largest) *largest = found.largest;
        text = found.after;
    }
}

/* Each way must return the rows of the plain loop, from the first on and none behind an odd one.
 * If all lengths are small, no more than `left` bytes may be left before the odd row or the end. */
static void assert_ways_agree(const char *text, size_t size, char delimiter, size_t left)
{
    static rows expected, found;
    /* Fresh memory that ends where reading must: AddressSanitizer sees a byte too many. */
    char *copy = malloc(size + padding), *end = copy + size;
    memcpy(copy, text, size);
    memset(end, '7', padding);
    const char *odd = read_plainly(&expected, copy, end, delimiter);
    hrr_regular regular;
    hrr_edge_regular_init(&regular, delimiter);
    for (;; regular.way--) {
        uint32_t largest, right = 0;
        const char *after = read_regular(&found, &largest, &regular, copy, end);
        assert_true(after <= odd);
        if (regular.way != HRR_REGULAR_NOT) assert_true((size_t)(odd - after) <= left);
        assert_true(found.n_rows <= expected.n_rows);
        assert_memory_equal(found.source, expected.source, found.n_rows * sizeof(uint32_t));
        assert_memory_equal(found.target, expected.target, found.n_rows * sizeof(uint32_t));
        for (size_t i = 0; i < found.n_rows; i++) {
            if (found.source[i] > right) right = found.source[i];
            if (found.target[i] > right) right = found.target[i];
        }
        assert_int_equal(largest, right);
        const char *last = copy;
        for (size_t i = 0; i < found.n_rows; i++)
            last = strchr(last, '\n') + 1;
        assert_ptr_equal(after, last);
        if (regular.way == HRR_REGULAR_NOT) {
            assert_int_equal(found.n_rows, 0);
            break;
        }
    }
    free(copy);
}

static const char delimiters[] = "\t, |;";
enum { few = 64 }; /* bytes: fewer are not worth looking at */

static void test_edge_regular__ids_of_every_length(void **state)
{
    (void)state;
    char text[200 * 24];
    for (int a = 1; a <= 9; a++)
        for (int b = 1; b <= 9; b++)
            for (int crlf = 0; crlf < 2; crlf++) {
                size_t used = 0;
                char delimiter = delimiters[draw(5)];
                for (int i = 0; i < 200; i++)
                    used += (size_t)put_row(text + used, a, b, delimiter, crlf ? "\r\n" : "\n");
                bool all_ways = a <= HRR_REGULAR_DIGITS && b <= HRR_REGULAR_DIGITS && a + b < 16;
                assert_ways_agree(text, used, delimiter, all_ways ? few : used);
            }
}

static void test_edge_regular__mixed_lengths(void **state)
{
    (void)state;
    static char text[most_rows * 20];
    for (int digits = 1; digits <= 8; digits++)
        for (int crlf = 0; crlf < 2; crlf++) {
            size_t used = 0;
            for (int i = 0; i < 8000; i++)
                used +=
                    (size_t)put_row(text + used, 1 + (int)draw((uint64_t)digits),
                                    1 + (int)draw((uint64_t)digits), '\t', crlf ? "\r\n" : "\n");
            assert_ways_agree(text, used, '\t', digits < 8 ? few : used);
        }
}

/* The shortest rows fill a window with ends; the first byte moves rows over every border. */
static void test_edge_regular__rows_across_every_border(void **state)
{
    (void)state;
    static char text[3 * 4096];
    for (int digits = 1; digits <= 7; digits++)
        for (int shift = 1; shift <= 64; shift++) {
            size_t used = 0;
            for (int left = shift; left > 0; left -= 7)
                used += (size_t)put_row(text + used, left < 7 ? left : 7, 1, ' ', "\n");
            while (used < sizeof text - 20)
                used += (size_t)put_row(text + used, digits, digits, ' ', "\n");
            assert_ways_agree(text, used, ' ', few);
        }
}

/* Lengths of a whole file around those that words, groups and windows have. */
static void test_edge_regular__ends_at_every_distance(void **state)
{
    (void)state;
    char text[700];
    for (int n_rows = 1; n_rows < 60; n_rows++)
        for (int last = 1; last <= 8; last++) {
            size_t used = 0;
            for (int i = 0; i < n_rows; i++)
                used += (size_t)put_row(text + used, 5, i == n_rows - 1 ? last : 4, ',', "\n");
            assert_ways_agree(text, used, ',', few);
        }
}

static void test_edge_regular__an_odd_row_stops_every_way(void **state)
{
    (void)state;
    static const char *odd[] = {
        "1,2,3\n",  "1;2\n",     "1\n",      ",2\n",          "1,\n",          "\n",
        "#\n",      "1,,2\n",    "1, 2\n",   "1,2 \n",        "-1,2\n",        "1,2\n\n",
        "1.5,2\n",  "\"1\",2\n", "1\n2,3\n", "123456789,1\n", "1,123456789\n", "1,2\r3,4\r\n",
        "\xb1,2\n", "1:2\n",     "1/2\n",    "1,2\r\r\n"};
    char text[120 * 20];
    for (size_t kind = 0; kind < sizeof odd / sizeof *odd; kind++)
        for (int place = 0; place < 100; place++) {
            size_t used = 0;
            for (int i = 0; i < 100; i++) {
                if (i == place) used += (size_t)sprintf(text + used, "%s", odd[kind]);
                used += (size_t)put_row(text + used, 1 + (int)draw(6), 1 + (int)draw(6), ',', "\n");
            }
            /* "1,2\n\n" is a row and then an odd line, so the bound is for bytes, not for rows. */
            assert_ways_agree(text, used, ',', few);
        }
}

/* Any bytes, mostly those that rows consist of. */
static void test_edge_regular__noise(void **state)
{
    (void)state;
    static const char bytes[] = "0123456789012345678901234567890123456789,,,,\n\n\n\n\r\t -";
    char text[2048];
    for (int round = 0; round < 4000; round++) {
        size_t used = 0, regular = draw(60);
        for (size_t i = 0; i < regular; i++)
            used += (size_t)put_row(text + used, 1 + (int)draw(8), 1 + (int)draw(8), ',', "\n");
        for (size_t n = draw(600); n > 0; n--)
            text[used++] = bytes[draw(sizeof bytes - 1)];
        text[used++] = '\n';
        assert_ways_agree(text, used, ',', used);
    }
}

/* Separators in turn without digits, more of them than a word of rows can have. */
static void test_edge_regular__empty_fields_stop_every_way(void **state)
{
    (void)state;
    static char text[8192];
    for (int n_rows = 0; n_rows < 40; n_rows++)
        for (int n_short = 0; n_short < 20; n_short++) {
            size_t used = 0;
            for (int i = 0; i < n_rows; i++)
                used += (size_t)put_row(text + used, 1, 1 + (i == 0), ',', "\n");
            for (int i = 0; i < n_short; i++)
                used += (size_t)sprintf(text + used, "7,\n");
            for (int i = 0; i < 3000; i++)
                used += (size_t)sprintf(text + used, ",\n");
            used += (size_t)sprintf(text + used, "%0500d\n", 0);
            assert_ways_agree(text, used, ',', few);
        }
}

/* It is not enough that another way reads what this one leaves. */
static void test_edge_regular__avx512_takes_whole_windows(void **state)
{
    (void)state;
    static uint32_t source[HRR_REGULAR_ROWS], target[HRR_REGULAR_ROWS];
    static char text[8192];
    if (!hrr_edge_regular_has_avx512()) skip();
    for (int a = 1; a <= 8; a++)
        for (int b = 1; b <= 8; b++) {
            size_t used = 0, size = (size_t)(a + b + 2);
            while (used < sizeof text - size)
                used += (size_t)put_row(text + used, a, b, ',', "\n");
            hrr_regular_rows found =
                hrr_edge_regular_read_avx512(source, target, ',', text, text + used);
            assert_true(found.n_rows > 4096 / size - 9);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edge_regular__ids_of_every_length),
        cmocka_unit_test(test_edge_regular__mixed_lengths),
        cmocka_unit_test(test_edge_regular__rows_across_every_border),
        cmocka_unit_test(test_edge_regular__ends_at_every_distance),
        cmocka_unit_test(test_edge_regular__an_odd_row_stops_every_way),
        cmocka_unit_test(test_edge_regular__noise),
        cmocka_unit_test(test_edge_regular__empty_fields_stop_every_way),
        cmocka_unit_test(test_edge_regular__avx512_takes_whole_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
