/* utf8.h: whether a text is UTF-8, as everything that leaves the library must be. */
#ifndef HRR_IO_UTF8_H
#define HRR_IO_UTF8_H

#include <stdbool.h>

/* Overlong forms, surrogates and code points over U+10FFFF are not. */
bool hrr_is_utf8(const char *text);

/* What to say about a text that is not. */
#define HRR_NOT_UTF8                                                                               \
    "is not UTF-8 text; convert the file (iconv -f ISO-8859-1 -t UTF-8, if it is Latin-1)"

#endif
