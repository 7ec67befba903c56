/* json_write.c: see json_write.h. */
#include "io/json_write.h"
#include "base/memory.h"
#include "base/paths.h"

#include <stdlib.h>
#include <string.h>

hrr_status hrr_json_write(const json_t *json, const char *directory, const char *name,
                          hrr_error *err)
{
    hrr_output *output = NULL;
    char *text = json ? json_dumps(json, JSON_INDENT(2)) : NULL;
    char *path = text ? hrr_path_join(directory, name) : NULL;
    hrr_status status = path ? hrr_output_open(&output, path, err) : hrr_no_memory(err);
    if (!status) status = hrr_output_write(output, text, strlen(text), err);
    if (!status) status = hrr_output_write(output, "\n", 1, err);
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    hrr_free(path);
    free(text); /* jansson's */
    return status;
}
