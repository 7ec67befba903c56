/* csv.h: rows of a results file, as tests look at them. */
#ifndef TESTS_EXPERIMENT_CSV_H
#define TESTS_EXPERIMENT_CSV_H

#include "support/check.h"
#include "support/files.h"

#include <stdlib.h>

static inline size_t count_lines(const char *path)
{
    size_t size, lines = 0;
    char *text = read_file(path, &size);
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    free(text);
    return lines;
}

static inline int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The file without its last column, the seconds, and sorted: threads finish in any order. free().
 */
static inline char *sorted_rows(const char *path)
{
    size_t size, n = 0;
    char **lines = calloc(count_lines(path) + 1, sizeof *lines), *text = read_file(path, &size);
    assert_non_null(lines);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        *strrchr(line, ',') = '\0';
        lines[n++] = line;
    }
    qsort(lines, n, sizeof *lines, compare_lines);
    char *joined = calloc(size + n + 1, 1);
    assert_non_null(joined);
    for (size_t i = 0; i < n; i++)
        strcat(strcat(joined, lines[i]), "\n");
    free(lines);
    free(text);
    return joined;
}

/* Leave in `to` what an interrupted run would have left of `from`: n_lines and a torn row. Returns
 * the whole of `from`, free(), and in *end how much of it are whole lines. */
static inline char *interrupted_copy(const char *to, const char *from, int n_lines, size_t *end)
{
    size_t size;
    char *text = read_file(from, &size);
    *end = 0;
    for (int line = 0; line < n_lines; (*end)++)
        line += text[*end] == '\n';
    write_file(to, text, *end + 10);
    return text;
}

/* The same rows, in any order; and `two` begins with `kept` bytes of text. */
static inline void assert_same_rows(const char *one, const char *two, const char *text, size_t kept)
{
    char *rows_one = sorted_rows(one), *rows_two = sorted_rows(two), *again = read_file(two, NULL);
    assert_string_equal(rows_one, rows_two);
    assert_memory_equal(again, text, kept);
    free(rows_one);
    free(rows_two);
    free(again);
}

#endif
