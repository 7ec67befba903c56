/* file_names.h: finding the files of a layout and naming things after them. */
#ifndef HRR_IO_FILE_NAMES_H
#define HRR_IO_FILE_NAMES_H

#include <heterorr/graph.h>

bool hrr_path_is_file(const char *path);    /* anything that can be read as one */
bool hrr_path_is_regular(const char *path); /* not a device or a pipe */
bool hrr_path_is_directory(const char *path);
bool hrr_ends_with(const char *text, const char *ending);

/* The last part of a path, without the slashes that may follow it. NULL: out of memory. */
char *hrr_path_base(const char *path);

/* *out is "BEGINNING" "ENDING", with .gz or .zst after it if only such a file exists; hrr memory.
 * *exists tells whether any of the three does. */
hrr_status hrr_find_stored(char **out, bool *exists, const char *beginning, const char *ending,
                           hrr_error *err);

/* A fresh graph named after the path: its base name without endings such as .csv.gz. */
hrr_status hrr_graph_new_named(hrr_graph **out, const char *path, uint64_t n_nodes, hrr_error *err);

/* The names in a directory, sorted; all zero bytes is none. */
typedef struct hrr_entries {
    uint64_t n;
    char **names;
} hrr_entries;
hrr_status hrr_entries_read(hrr_entries *out, const char *directory, hrr_error *err);
void hrr_entries_clear(hrr_entries *entries);

#endif
