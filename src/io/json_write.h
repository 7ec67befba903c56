/* json_write.h: a small JSON document as a file. */
#ifndef HRR_IO_JSON_WRITE_H
#define HRR_IO_JSON_WRITE_H

#include <heterorr/base.h>

#include <jansson.h>

/* Write DIRECTORY/NAME, indented. json NULL counts as out of memory, which is what jansson means by
 * it. The caller keeps json. */
hrr_status hrr_json_write(const json_t *json, const char *directory, const char *name,
                          hrr_error *err);

#endif
