/* nearest.c: see nearest.h. The distance is optimal string alignment (Damerau 1964 without
 * repeated edits of one place) on three rows of the usual table. */
#include "cli/nearest.h"

#include <string.h>

enum { longest = 64 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t cli_word_distance(const char *typed, const char *meant)
{
    size_t n = strlen(typed), m = strlen(meant);
    if (n > longest || m > longest) return longest;
    if (n >= 2 && n < m && strncmp(typed, meant, n) == 0) return 1;

    size_t rows[3][longest + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *spare = before;
        before = above, above = row, row = spare;
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = above[j - 1] + (typed[i - 1] != meant[j - 1]);
            row[j] = least(row[j], least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && typed[i - 1] == meant[j - 2] && typed[i - 2] == meant[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return row[m];
}

size_t cli_slip_distance(const char *typed)
{
    return strlen(typed) < 4 ? 1 : strlen(typed) / 3;
}
