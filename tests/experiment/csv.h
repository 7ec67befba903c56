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

#endif
