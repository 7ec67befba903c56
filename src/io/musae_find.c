/* musae_find.c: the three files of a MUSAE graph, wherever their publishers put them:
 *   P_edges.csv, P_features.json, P_target.csv             together, also as musae_P_...
 *   edges/P_edges.csv, features/P.json, target/P_target.csv  as in the authors' repository
 *   edges.csv, features.json, target.csv                     in a folder of their own
 * Features may be called P.json wherever P_features.json may. */
#include "io/file_names.h"
#include "io/graph_formats.h"
#include "base/memory.h"
#include "base/paths.h"

#include <string.h>

static const char *const endings[] = {"edges.csv", "features.json", "target.csv"};

/* Where the three stand below a folder, and what their names begin with. */
static const struct place {
    const char *folders[3];
    const char *before;
} places[] = {
    {{"", "", ""}, ""},
    {{"", "", ""}, "musae_"},
    {{"edges/", "features/", "target/"}, ""},
    {{"edges/", "features/", "target/"}, "musae_"},
};
enum { n_places = sizeof places / sizeof *places };

/* File i of the graph `name` below `directory`, which ends with a slash or is empty. */
static hrr_status try_file(char **out, bool *found, const struct place *place, int i,
                           const char *directory, const char *name, hrr_error *err)
{
    hrr_status status = HRR_OK;
    char *ending = hrr_format_text("%s%s", *name ? "_" : "", endings[i]);
    char *beginning =
        hrr_format_text("%s%s%s%s", directory, place->folders[i], place->before, name);
    if (!ending || !beginning) status = hrr_no_memory(err);
    if (!status) status = hrr_find_stored(out, found, beginning, ending, err);
    if (!status && !*found && i == 1 && *name) {
        hrr_free(*out);
        status = hrr_find_stored(out, found, beginning, ".json", err);
    }
    hrr_free(ending);
    hrr_free(beginning);
    return status;
}

static void clear_paths(char *out[3])
{
    for (int i = 0; i < 3; i++) {
        hrr_free(out[i]);
        out[i] = NULL;
    }
}

/* The first place that has all three; *found false if none has. */
static hrr_status try_places(char *out[3], bool *found, const char *directory, const char *name,
                             hrr_error *err)
{
    hrr_status status = HRR_OK;
    *found = false;
    for (int p = 0; p < n_places && !*found && !status; p++) {
        if (!*name && p > 0) break; /* only a name can stand in a folder with others */
        *found = true;
        for (int i = 0; i < 3 && *found && !status; i++)
            status = try_file(&out[i], found, &places[p], i, directory, name, err);
        if (status || !*found) clear_paths(out);
    }
    if (status) *found = false;
    return status;
}

/* The name of the only graph whose edges are in path/folder; NULL if there are none or several. */
static hrr_status only_name(char **name, const char *path, const char *folder, hrr_error *err)
{
    hrr_entries entries = {0};
    uint64_t n_found = 0, only = 0;
    *name = NULL;
    char *place = hrr_path_join(path, folder);
    hrr_status status = place ? HRR_OK : hrr_no_memory(err);
    if (!status && hrr_path_is_directory(place)) status = hrr_entries_read(&entries, place, err);
    for (uint64_t i = 0; i < entries.n; i++)
        if (hrr_ends_with(entries.names[i], "_edges.csv")) {
            only = i;
            n_found++;
        }
    if (!status && n_found == 1) {
        const size_t length = strlen(entries.names[only]) - strlen("_edges.csv");
        *name = hrr_format_text("%.*s", (int)length, entries.names[only]);
        if (!*name) status = hrr_no_memory(err);
    }
    hrr_entries_clear(&entries);
    hrr_free(place);
    return status;
}

/* In a folder: the three without a name, or those of the only name. */
static hrr_status find_in_directory(char *out[3], bool *found, const char *path, hrr_error *err)
{
    char *directory = hrr_path_join(path, "");
    if (!directory) return hrr_no_memory(err);
    hrr_status status = try_places(out, found, directory, "", err);
    for (int deep = 0; deep < 2 && !status && !*found; deep++) {
        char *name;
        status = only_name(&name, path, deep ? "edges" : "", err);
        if (!status && name) status = try_places(out, found, directory, name, err);
        hrr_free(name);
    }
    hrr_free(directory);
    return status;
}

/* Cut the end of one of the three file names off; what is left is the graph's name. */
static void cut_ending(char *base, const char *folder)
{
    const size_t length = strlen(base);
    for (int i = 0; i < 3; i++) {
        const size_t tail = strlen(endings[i]);
        if (!hrr_ends_with(base, endings[i]) || (length > tail && base[length - tail - 1] != '_'))
            continue;
        base[length - tail - (length > tail)] = '\0';
        return;
    }
    if (strcmp(folder, "features") == 0 && hrr_ends_with(base, ".json")) base[length - 5] = '\0';
}

/* Cut a path at its last slash: *directory keeps the slash, or is empty. */
static bool cut_path(char **directory, char **base, const char *path)
{
    const char *slash = strrchr(path, '/');
    *directory = hrr_format_text("%.*s", slash ? (int)(slash + 1 - path) : 0, path);
    *base = hrr_copy_text(slash ? slash + 1 : path);
    return *directory && *base;
}

/* A file of the authors' repository: its graph stands one folder up. */
static void leave_folder(char *directory, const char *folder)
{
    const size_t length = strlen(folder);
    for (int i = 0; i < 3; i++)
        if (strlen(places[2].folders[i]) == length + 1 &&
            strncmp(places[2].folders[i], folder, length) == 0) {
            directory[strlen(directory) - length - 1] = '\0';
            return;
        }
}

hrr_status hrr_musae_find(char *out[3], bool *found, const char *path, hrr_error *err)
{
    out[0] = out[1] = out[2] = NULL;
    *found = false;
    if (hrr_path_is_directory(path)) return find_in_directory(out, found, path, err);
    char *directory = NULL, *base = NULL, *folder = NULL;
    hrr_status status = cut_path(&directory, &base, path) ? HRR_OK : hrr_no_memory(err);
    if (!status && !(folder = hrr_path_base(directory))) status = hrr_no_memory(err);
    if (!status) {
        cut_ending(base, folder);
        status = try_places(out, found, directory, base, err);
        if (!status && !*found) {
            leave_folder(directory, folder);
            status = try_places(out, found, directory, base, err);
        }
    }
    hrr_free(directory);
    hrr_free(base);
    hrr_free(folder);
    return status;
}
