/* list.c: see list.h. */
#include "cli/list.h"

#include <string.h>

int cli_split_list(char *text, const char *items[CLI_MOST_ITEMS])
{
    int n = 0;
    for (char *at = text; at;) {
        char *comma = strchr(at, ',');
        if (comma) *comma++ = '\0';
        if (n == CLI_MOST_ITEMS - 1 || !*at) return -1;
        items[n++] = at;
        at = comma;
    }
    return n;
}
