/* file_names.c: see file_names.h. */
#include "io/file_names.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool hrr_path_is_file(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && !S_ISDIR(there.st_mode);
}

bool hrr_path_is_regular(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && S_ISREG(there.st_mode);
}

bool hrr_path_is_directory(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

bool hrr_ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

char *hrr_path_base(const char *path)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    return hrr_format_text("%.*s", (int)(end - start), path + start);
}

hrr_status hrr_find_stored(char **out, bool *exists, const char *beginning, const char *ending,
                           hrr_error *err)
{
    static const char *const stored[] = {".gz", ".zst"};
    char *plain = hrr_format_text("%s%s", beginning, ending);
    *out = plain;
    if (!plain) return hrr_no_memory(err);
    *exists = hrr_path_is_file(plain);
    for (int i = 0; i < 2 && !*exists; i++) {
        char *path = hrr_format_text("%s%s%s", beginning, ending, stored[i]);
        if (!path) {
            hrr_free(plain);
            *out = NULL;
            return hrr_no_memory(err);
        }
        *exists = hrr_path_is_file(path);
        if (*exists) {
            hrr_free(plain);
            *out = path;
        } else {
            hrr_free(path);
        }
    }
    return HRR_OK;
}

hrr_status hrr_graph_new_named(hrr_graph **out, const char *path, uint64_t n_nodes, hrr_error *err)
{
    static const char *const endings[] = {".gz",      ".zst",  ".csv",    ".tsv",   ".txt",
                                          ".pairs",   ".npz",  ".mtx",    ".edges", ".json",
                                          ".graphml", ".gexf", ".parquet"};
    *out = NULL;
    char *name = hrr_path_base(path);
    if (!name) return hrr_no_memory(err);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (hrr_ends_with(name, endings[i]) && strlen(name) > strlen(endings[i]))
            name[strlen(name) - strlen(endings[i])] = '\0';
    hrr_status status = hrr_graph_new(out, name, n_nodes, err);
    hrr_free(name);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

hrr_status hrr_entries_read(hrr_entries *out, const char *directory, hrr_error *err)
{
    hrr_status status = HRR_OK;
    hrr_entries entries = {0};
    uint64_t room = 0;
    *out = entries;
    DIR *dir = opendir(directory);
    if (!dir) return hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", directory, strerror(errno));
    for (struct dirent *entry; !status && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.') continue;
        if (entries.n == room) {
            room = room ? 2 * room : 32;
            char **names = hrr_resize(entries.names, room, sizeof *names);
            if (!names) {
                status = hrr_no_memory(err);
                break;
            }
            entries.names = names;
        }
        entries.names[entries.n] = hrr_copy_text(entry->d_name);
        if (!entries.names[entries.n])
            status = hrr_no_memory(err);
        else
            entries.n++;
    }
    closedir(dir);
    if (status) {
        hrr_entries_clear(&entries);
        return status;
    }
    if (entries.n) qsort(entries.names, entries.n, sizeof *entries.names, by_name);
    *out = entries;
    return HRR_OK;
}

void hrr_entries_clear(hrr_entries *entries)
{
    for (uint64_t i = 0; i < entries->n; i++)
        hrr_free(entries->names[i]);
    hrr_free(entries->names);
    *entries = (hrr_entries){0};
}
