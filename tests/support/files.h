/* files.h: a scratch directory for each test, small files in it, and the real data. */
#ifndef TESTS_SUPPORT_FILES_H
#define TESTS_SUPPORT_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* cmocka setup and teardown: *state is the path of a fresh directory, removed with all in it. */
int scratch_setup(void **state);
int scratch_teardown(void **state);
#define WITH_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)

/* "DIRECTORY/NAME", in a ring of static buffers good for the next 16 calls. */
const char *in_dir(const char *directory, const char *name);

void write_file(const char *path, const void *bytes, size_t size);
void write_text(const char *path, const char *text);
/* The whole file, NUL added, free(); *size may be NULL. NULL if it cannot be read. */
char *read_file(const char *path, size_t *size);
/* How many entries a directory has, hidden ones too. */
int count_entries(const char *directory);

/* Path of a real data file; ends the program as skipped (exit 77, with a loud line) if absent. */
const char *real_data(const char *name);

#endif
