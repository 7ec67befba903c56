#include "support/brutal.h"
#include "support/check.h"
#include "support/files.h"
#include "support/pack.h"

#include "io/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Every row as "LINE:[field][field]\n"; a failure as its message. */
static char *show(const char *path, char delimiter, hrr_status *status, hrr_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    hrr_table *table = NULL;
    const hrr_table_row *row = NULL;
    *status = hrr_table_open(&table, path, delimiter, err);
    while (*status == HRR_OK) {
        *status = hrr_table_next(table, &row, err);
        if (*status || !row) break;
        fprintf(to, "%d:", (int)row->line);
        for (size_t i = 0; i < row->n_fields; i++)
            fprintf(to, "[%s]", row->fields[i]);
        fprintf(to, "\n");
    }
    hrr_table_close(table);
    fclose(to);
    return text;
}

static void assert_rows_with(const char *directory, const char *text, char delimiter,
                             const char *rows)
{
    const char *path = in_dir(directory, "table.csv");
    for (int form = 0; form < 3; form++) {
        if (form == 0) write_text(path, text);
        if (form == 1) write_gzip(path, text, strlen(text), 0);
        if (form == 2) write_zstd(path, text, strlen(text), 0);
        hrr_status status;
        hrr_error err = {0};
        char *found = show(path, delimiter, &status, &err);
        assert_string_equal(err.message, "");
        assert_string_equal(found, rows);
        free(found);
    }
}

static void assert_rows(const char *directory, const char *text, const char *rows)
{
    assert_rows_with(directory, text, '\0', rows);
}

static void assert_refused(const char *directory, const char *text, const char *says)
{
    const char *path = in_dir(directory, "table.csv");
    write_text(path, text);
    hrr_status status;
    hrr_error err = {0};
    free(show(path, '\0', &status, &err));
    assert_int_equal(status, HRR_EDATA);
    assert_says(err, path);
    assert_says(err, says);
}

static void test_table__each_delimiter_is_recognised(void **state)
{
    assert_rows(*state, "a,b\n1,2\n", "1:[a][b]\n2:[1][2]\n");
    assert_rows(*state, "a\tb\n1\t2,5\n", "1:[a][b]\n2:[1][2,5]\n");
    assert_rows(*state, "a;b\n1;2\n", "1:[a][b]\n2:[1][2]\n");
    assert_rows(*state, "a|b\n1|2\n", "1:[a][b]\n2:[1][2]\n");
    assert_rows(*state, "  a   b \n1 \t 2\n", "1:[a][b]\n2:[1][2]\n");
    assert_rows(*state, "\"a,b\" c\nd e\n", "1:[a,b][c]\n2:[d][e]\n");
    assert_rows_with(*state, "a,b;c\n", ';', "1:[a,b][c]\n");
}

static void test_table__empty_fields_and_blanks_around_them(void **state)
{
    assert_rows(*state, ",a,, b c ,\n", "1:[][a][][b c][]\n");
    assert_rows(*state, "\ta\t\n", "1:[][a][]\n");
    assert_rows(*state, "alone\n", "1:[alone]\n");
}

static void test_table__quotes_follow_rfc_4180(void **state)
{
    assert_rows(*state, "\"a,b\",\"say \"\"hi\"\"\",\"\"\n", "1:[a,b][say \"hi\"][]\n");
    assert_rows(*state, "x,\"two\nlines\"\nnext,row\n", "1:[x][two\nlines]\n3:[next][row]\n");
    assert_rows(*state, "x , \" kept \" , y\n", "1:[x][ kept ][y]\n");
    assert_rows(*state, "5\" disk,6\" disk\n", "1:[5\" disk][6\" disk]\n");
    assert_rows(*state, "\"a\" \"b c\"\n", "1:[a][b c]\n");
    assert_rows(*state, "\"\"\"\",\"x\"\"\"\n", "1:[\"][x\"]\n");
}

static void test_table__comments_blank_lines_and_line_ends(void **state)
{
    assert_rows(*state, "# it's a \"comment\n% and more\n\n  \t\na,b\r\n\r\nc,d\r\ne,f",
                "5:[a][b]\n7:[c][d]\n8:[e][f]\n");
    assert_rows(*state, "\xef\xbb\xbf\"id\",x\n", "1:[id][x]\n");
    assert_rows(*state, "", "");
    assert_rows(*state, "# nothing else", "");
}

/* Rows around the boundaries between decompressed pieces. */
static void test_table__rows_span_pieces(void **state)
{
    const char *path = in_dir(*state, "long.csv.gz");
    size_t room = 3 << 20, used = 0;
    char *text = malloc(room);
    int rows = 0;
    while (used < room - 100) {
        used += (size_t)snprintf(text + used, room - used, "%d,\"line\n%d, \"\"x\"\"\",%d\n", rows,
                                 rows, 7 * rows);
        rows++;
    }
    write_gzip(path, text, used, 0);
    free(text);
    hrr_table *table;
    const hrr_table_row *row;
    assert_ok(hrr_table_open(&table, path, '\0', NULL));
    for (int i = 0; i < rows; i++) {
        char expected[64];
        assert_ok(hrr_table_next(table, &row, NULL));
        assert_int_equal(row->n_fields, 3);
        assert_int_equal(row->line, 2 * i + 1);
        assert_int_equal(atoi(row->fields[0]), i);
        snprintf(expected, sizeof expected, "line\n%d, \"x\"", i);
        assert_string_equal(row->fields[1], expected);
        assert_int_equal(atoi(row->fields[2]), 7 * i);
    }
    assert_ok(hrr_table_next(table, &row, NULL));
    assert_null(row);
    assert_int_equal(hrr_table_delimiter(table), ',');
    hrr_table_close(table);
}

static void test_table__bad_quotes_name_their_line(void **state)
{
    assert_refused(*state, "a,b\nc,\"open\nand on\n", "table.csv:2: the quote that opens here");
    assert_refused(*state, "a,b\n\"c\"d,e\n", "table.csv:2: there is text after a closing quote;");
}

static void test_table__hostile_rows_are_bounded(void **state)
{
    const char *path = in_dir(*state, "table.csv");
    write_file(path, "a,b\nc,\0d\n", 9);
    hrr_status status;
    hrr_error err = {0};
    free(show(path, '\0', &status, &err));
    assert_int_equal(status, HRR_EDATA);
    assert_says(err, ":2: contains a zero byte");

    size_t size = (size_t)HRR_TABLE_MAX_ROW + 10;
    char *bytes = malloc(size);
    memset(bytes, 'x', size);
    write_gzip(path, bytes, size, 0);
    free(show(path, '\0', &status, &err));
    assert_int_equal(status, HRR_EDATA);
    assert_says(err, ":1: the row is longer than 64 MiB");

    memset(bytes, ',', 2 << 20);
    write_file(path, bytes, 2 << 20);
    free(show(path, '\0', &status, &err));
    assert_int_equal(status, HRR_EDATA);
    assert_says(err, "columns");
    free(bytes);
}

static void test_table__conversions_take_whole_fields_only(void **state)
{
    (void)state;
    int64_t integer;
    double number;
    bool truth;
    assert_true(hrr_field_integer("-12", &integer) && integer == -12);
    assert_true(hrr_field_integer("9223372036854775807", &integer) && integer == INT64_MAX);
    assert_false(hrr_field_integer("9223372036854775808", &integer));
    assert_false(hrr_field_integer("", &integer) || hrr_field_integer("-", &integer) ||
                 hrr_field_integer("1 ", &integer) || hrr_field_integer("1.0", &integer) ||
                 hrr_field_integer("0x1", &integer) || hrr_field_integer("+1", &integer));
    assert_true(hrr_field_number("-1.5e3", &number) && number == -1500);
    assert_true(hrr_field_number("inf", &number) && isinf(number));
    assert_true(hrr_field_number("NaN", &number) && isnan(number));
    assert_false(hrr_field_number("", &number) || hrr_field_number("1,5", &number) ||
                 hrr_field_number(" 1", &number) || hrr_field_number("0x10", &number));
    assert_true(hrr_field_truth("TRUE", &truth) && truth);
    assert_true(hrr_field_truth("yes", &truth) && truth);
    assert_true(hrr_field_truth("0", &truth) && !truth);
    assert_false(hrr_field_truth("2", &truth) || hrr_field_truth("", &truth));
}

static hrr_status read_table(void *user)
{
    hrr_table *table = NULL;
    const hrr_table_row *row = NULL;
    hrr_status status = hrr_table_open(&table, user, '\0', NULL);
    while (!status) {
        status = hrr_table_next(table, &row, NULL);
        if (!row) break;
    }
    hrr_table_close(table);
    return status;
}

static void test_table__survives_running_out_of_memory_anywhere(void **state)
{
    char path[4096];
    strcpy(path, in_dir(*state, "x"));
    char text[2000];
    memset(text, ',', sizeof text);
    memcpy(text, "a,\"b\"\n", 6);
    text[sizeof text - 1] = '\0';
    write_text(path, text);
    assert_true(brutal(read_table, path) > 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_table__each_delimiter_is_recognised),
        WITH_SCRATCH(test_table__empty_fields_and_blanks_around_them),
        WITH_SCRATCH(test_table__quotes_follow_rfc_4180),
        WITH_SCRATCH(test_table__comments_blank_lines_and_line_ends),
        WITH_SCRATCH(test_table__rows_span_pieces),
        WITH_SCRATCH(test_table__bad_quotes_name_their_line),
        WITH_SCRATCH(test_table__hostile_rows_are_bounded),
        cmocka_unit_test(test_table__conversions_take_whole_fields_only),
        WITH_SCRATCH(test_table__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
