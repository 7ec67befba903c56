/* images.c: image sheets that an attack made, inside the page so that it stays one file. */
#include "report/sections.h"
#include "io/source.h"
#include "base/memory.h"
#include "base/paths.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { most_images = 64, largest_image = 16 << 20 };

static const char *type_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    if (!dot) return NULL;
    if (strcasecmp(dot, ".png") == 0) return "image/png";
    return strcasecmp(dot, ".jpg") == 0 || strcasecmp(dot, ".jpeg") == 0 ? "image/jpeg" : NULL;
}

/* A file that is not what its name says would be a broken picture in the page. */
static bool is_image(const char *type, const char *bytes, size_t size)
{
    const bool is_png = size > 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0;
    const bool is_jpeg = size > 3 && memcmp(bytes, "\xff\xd8\xff", 3) == 0;
    return strcmp(type, "image/png") == 0 ? is_png : is_jpeg;
}

static hrr_status put_image(hrr_page *page, const char *directory, const char *name, hrr_error *err)
{
    hrr_source *source = NULL;
    const char *bytes = NULL;
    size_t size = 0;
    const char *type = type_of(name);
    char *path = hrr_path_join(directory, name);
    if (!path) return hrr_no_memory(err);
    hrr_status status = hrr_source_open(&source, path, err);
    if (!status) status = hrr_source_next(source, &bytes, &size, err); /* mapped: all of it */
    if (!status && (!is_image(type, bytes, size) || size > largest_image))
        status = hrr_fail(err, HRR_EDATA, "%s: is not a %s of at most %d MiB", path, type,
                          largest_image >> 20);
    if (!status) {
        hrr_text *html = &page->html;
        hrr_text_printf(html, "<figure class=\"sheets\"><img src=\"data:%s;base64,", type);
        hrr_text_base64(html, bytes, size);
        hrr_text_put(html, "\" alt=\"Image sheet ");
        hrr_text_escape(html, name);
        hrr_text_put(html, "\"><figcaption class=\"note\">");
        hrr_text_escape(html, name);
        hrr_text_put(html, "</figcaption></figure>\n");
        if (html->failed) status = hrr_no_memory(err);
    }
    hrr_source_close(source);
    hrr_free(path);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static hrr_status list_images(char *names[most_images], size_t *n, const char *directory,
                              hrr_error *err)
{
    DIR *open_directory = opendir(directory);
    if (!open_directory)
        return hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", directory, strerror(errno));
    hrr_status status = HRR_OK;
    for (struct dirent *entry; !status && (entry = readdir(open_directory));) {
        if (!type_of(entry->d_name) || entry->d_name[0] == '.') continue;
        if (*n == most_images)
            status = hrr_fail(err, HRR_EDATA, "%s: contains more than %d images; keep only some",
                              directory, most_images);
        else if (!(names[(*n)++] = hrr_copy_text(entry->d_name)))
            status = hrr_no_memory(err);
    }
    closedir(open_directory);
    if (!status && *n == 0)
        status = hrr_fail(err, HRR_EDATA, "%s: contains neither PNG nor JPEG files", directory);
    return status;
}

hrr_status hrr_section_images(hrr_page *page, const char *directory, hrr_error *err)
{
    char *names[most_images] = {NULL};
    size_t n = 0;
    if (!directory) return HRR_OK;
    hrr_status status = list_images(names, &n, directory, err);
    if (!status) {
        qsort(names, n, sizeof *names, by_name);
        hrr_page_section(page, "images", "What pictures reveal",
                         "Originals and the guesses of an attack, side by side.");
    }
    for (size_t i = 0; i < n && !status; i++)
        status = put_image(page, directory, names[i], err);
    if (!status) hrr_page_end_section(page);
    for (size_t i = 0; i < n; i++)
        hrr_free(names[i]);
    return status;
}
