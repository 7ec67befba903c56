#include "support/files.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int scratch_setup(void **state)
{
    const char *parent = getenv("TMPDIR");
    char *path = malloc(4096);
    snprintf(path, 4096, "%s/heterorr-test-XXXXXX", parent ? parent : "/tmp");
    *state = path;
    return mkdtemp(path) ? 0 : -1;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info, (void)kind, (void)walk;
    return remove(path);
}

int scratch_teardown(void **state)
{
    int result = nftw(*state, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(*state);
    return result;
}

const char *in_dir(const char *directory, const char *name)
{
    static char ring[16][4096];
    static unsigned next;
    char *path = ring[next++ % 16];
    snprintf(path, sizeof ring[0], "%s/%s", directory, name);
    return path;
}

void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        abort();
    }
}

void write_text(const char *path, const char *text)
{
    write_file(path, text, strlen(text));
}

char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    char *bytes = NULL;
    size_t used = 0, got;
    do {
        bytes = realloc(bytes, used + 65536 + 1);
        got = fread(bytes + used, 1, 65536, file);
        used += got;
    } while (got > 0);
    fclose(file);
    bytes[used] = '\0';
    if (size) *size = used;
    return bytes;
}

int count_entries(const char *directory)
{
    int count = 0;
    DIR *dir = opendir(directory);
    if (!dir) return -1;
    for (struct dirent *entry; (entry = readdir(dir));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

const char *real_data(const char *name)
{
    const char *root = getenv("HETERORR_DATA");
    const char *path = in_dir(root ? root : "../shared/data", name);
    if (access(path, R_OK) != 0) {
        fprintf(stderr, "SKIPPED: %s is not here; set HETERORR_DATA to the folder that has it\n",
                path);
        exit(77);
    }
    return path;
}
