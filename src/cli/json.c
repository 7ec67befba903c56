/* json.c: see json.h. */
#include "cli/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *cli_json_text(const char *text)
{
    if (!text || !*text) return json_null();
    json_t *string = json_string(text);
    if (string) return string;
    char *copy = strdup(text);
    if (!copy) return NULL;
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    string = json_string(copy);
    free(copy);
    return string;
}

json_t *cli_json_real(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}
