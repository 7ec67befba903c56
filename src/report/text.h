/* text.h: a text that grows. Its only failure is want of memory, which is remembered and looked at
 * once at the end, so that drawing reads like drawing. */
#ifndef HRR_REPORT_TEXT_H
#define HRR_REPORT_TEXT_H

#include <heterorr/base.h>

/* All zero bytes is the empty text. */
typedef struct hrr_text {
    char *bytes; /* NUL-terminated once anything was put */
    size_t size, room;
    bool failed;
} hrr_text;

void hrr_text_clear(hrr_text *text);
void hrr_text_put(hrr_text *text, const char *words);
void hrr_text_put_bytes(hrr_text *text, const void *bytes, size_t size);
/* Where `most` bytes may be written; as many as were are then added. NULL: no memory. */
char *hrr_text_room(hrr_text *text, size_t most);
void hrr_text_added(hrr_text *text, size_t size);
void hrr_text_printf(hrr_text *text, const char *format, ...) HRR_PRINTF(2, 3);

/* For HTML and XML, between tags and inside quoted attributes. Bytes that are no UTF-8 and
 * characters that XML forbids become U+FFFD: whatever a file calls its columns, the page is whole.
 */
void hrr_text_escape(hrr_text *text, const char *words);
/* One field of a CSV file, quoted where it must be. */
void hrr_text_field(hrr_text *text, const char *words);
/* A number as people write it: four significant digits, or as many as `digits`; nothing for NAN. */
void hrr_text_number(hrr_text *text, double value, int digits);
void hrr_text_base64(hrr_text *text, const void *bytes, size_t size);

/* The text's bytes become a file of the directory. Errors: HRR_ENOMEM if it failed, HRR_EIO. */
hrr_status hrr_text_write(const hrr_text *text, const char *directory, const char *name,
                          hrr_error *err);

#endif
