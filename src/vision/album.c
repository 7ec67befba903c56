/* album.c: see album.h. */
#include "vision/album.h"

#include "base/memory.h"
#include "base/paths.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool ends_as_pictures_do(const char *name)
{
    static const char *const endings[] = {".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff",
                                          ".gif", ".bmp",  ".ppm", ".avif", ".heic"};
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(ending, endings[i]) == 0) return true;
    return false;
}

/* Takes path; the name begins so many bytes into it. */
static hrr_status add(hrr_album *album, char *path, size_t name_at, const struct stat *there,
                      hrr_error *err)
{
    if (album->n == album->room) {
        uint64_t room = album->room ? 2 * album->room : 64;
        hrr_album_picture *grown = hrr_resize(album->pictures, room, sizeof *grown);
        if (!grown) {
            hrr_free(path);
            return hrr_no_memory(err);
        }
        album->pictures = grown;
        album->room = room;
    }
    album->pictures[album->n++] = (hrr_album_picture){
        .path = path,
        .name = path + name_at,
        .size = (uint64_t)there->st_size,
        .changed = (int64_t)there->st_mtim.tv_sec * 1000000000 + there->st_mtim.tv_nsec};
    return HRR_OK;
}

/* All of the directory `path`, of which the first name_at bytes are not part of names. Directories
 * behind symbolic links are not entered: they may lead back. */
static hrr_status add_directory(hrr_album *album, const char *path, size_t name_at, int depth,
                                hrr_error *err)
{
    enum { deepest = 64 };
    hrr_status status = HRR_OK;
    DIR *directory = opendir(path);
    if (!directory) return hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", path, strerror(errno));
    for (struct dirent *entry; !status && (entry = readdir(directory));) {
        struct stat there, itself;
        if (entry->d_name[0] == '.') continue;
        char *inside = hrr_path_join(path, entry->d_name);
        if (!inside) {
            status = hrr_no_memory(err);
        } else if (stat(inside, &there) != 0 || lstat(inside, &itself) != 0) {
            status = hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", inside, strerror(errno));
        } else if (S_ISDIR(there.st_mode)) {
            if (S_ISDIR(itself.st_mode) && depth < deepest)
                status = add_directory(album, inside, name_at, depth + 1, err);
        } else if (S_ISREG(there.st_mode) && ends_as_pictures_do(entry->d_name)) {
            status = add(album, inside, name_at, &there, err);
            inside = NULL;
        } else {
            album->not_pictures++;
        }
        hrr_free(inside);
    }
    closedir(directory);
    return status;
}

static hrr_status add_operand(hrr_album *album, const char *told, hrr_error *err)
{
    struct stat there;
    if (stat(told, &there) != 0)
        return hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", told, strerror(errno));
    char *path = hrr_copy_text(told);
    if (!path) return hrr_no_memory(err);
    for (size_t end = strlen(path); end > 1 && path[end - 1] == '/';)
        path[--end] = '\0';
    if (S_ISDIR(there.st_mode)) {
        const size_t length = strlen(path);
        hrr_status status = add_directory(album, path, length + (path[length - 1] != '/'), 0, err);
        hrr_free(path);
        return status;
    }
    const char *slash = strrchr(path, '/');
    return add(album, path, slash ? (size_t)(slash + 1 - path) : 0, &there, err);
}

static int compare(const void *one, const void *two)
{
    const hrr_album_picture *a = one, *b = two;
    int order = strcmp(a->name, b->name);
    return order ? order : strcmp(a->path, b->path);
}

static hrr_status name_them(hrr_album *album, hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (uint64_t i = 0; i < album->n && !status; i++) {
        const hrr_album_picture *picture = &album->pictures[i];
        bool fresh;
        status = hrr_name_index_add(&album->names, picture->name, (uint32_t)i, &fresh, err);
        if (!status && !fresh)
            status = hrr_fail(err, HRR_EDATA,
                              "%s and %s would both be named %s; rename one of them, or give the "
                              "directory that contains both",
                              picture[-1].path, picture->path, picture->name);
    }
    return status;
}

hrr_status hrr_album_read(hrr_album *out, const char *const *paths, size_t n_paths, hrr_error *err)
{
    hrr_album album = {0};
    hrr_status status = HRR_OK;
    *out = album;
    for (size_t i = 0; i < n_paths && !status; i++)
        status = add_operand(&album, paths[i], err);
    if (!status && album.n == 0)
        status = hrr_fail(err, HRR_EDATA, "there is no picture in %s",
                          n_paths ? paths[0] : "an empty list");
    if (!status) {
        qsort(album.pictures, album.n, sizeof *album.pictures, compare);
        status = name_them(&album, err);
    }
    if (status)
        hrr_album_clear(&album);
    else
        *out = album;
    return status;
}

void hrr_album_clear(hrr_album *album)
{
    for (uint64_t i = 0; i < album->n; i++)
        hrr_free(album->pictures[i].path);
    hrr_free(album->pictures);
    hrr_name_index_clear(&album->names);
    *album = (hrr_album){0};
}
