/* bad_files.h: tables of bad files, and what the readers say of each. */
#ifndef TESTS_IO_BAD_FILES_H
#define TESTS_IO_BAD_FILES_H

#include "support/check.h"

typedef struct bad_text {
    const char *text, *says; /* the last row of a table has none */
} bad_text;

/* Writes the text to the file of that name, reads it and wants it refused with these words. */
typedef void refuse_text(void **state, const char *file, const char *text, const char *says);

static inline void refuse_each(refuse_text *refuse, void **state, const char *file,
                               const bad_text *rows)
{
    for (; rows->text; rows++)
        refuse(state, file, rows->text, rows->says);
}

#endif
