/* fuzz_files.h: the fuzzer's bytes as the files of a graph layout. The bytes are cut at the line
 * "=====": piece k is the file names[k], an empty or absent piece means that there is no such
 * file. The folder lives in memory and is the same one every time.
 *
 * What is read must be a graph that the rest of the library may trust. An allocation over 256 MB
 * is refused, so that a small file which asks for a lot ends in HRR_ENOMEM and not in a report. */
#ifndef FUZZ_FILES_H
#define FUZZ_FILES_H

#include <heterorr/io.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const size_t fuzz_largest_block = (size_t)256 << 20;

static void *fuzz_allocate(size_t size)
{
    return size > fuzz_largest_block ? NULL : malloc(size);
}

static void *fuzz_resize(void *block, size_t size)
{
    return size > fuzz_largest_block ? NULL : realloc(block, size);
}

static char fuzz_folder[] = "/dev/shm/heterorr-fuzz-XXXXXX";

static int fuzz_remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info, (void)kind, (void)walk;
    return remove(path);
}

static void fuzz_remove_folder(void)
{
    nftw(fuzz_folder, fuzz_remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* The folder, made with the sub-folders that the names mention. */
static inline const char *fuzz_directory(const char *const *names, size_t n_names)
{
    static const hrr_allocator allocator = {fuzz_allocate, fuzz_resize, free};
    static int made;
    const char *path = fuzz_folder;
    if (made) return path;
    made = 1;
    hrr_set_allocator(&allocator);
    if (!mkdtemp(fuzz_folder)) abort();
    atexit(fuzz_remove_folder);
    for (size_t i = 0; i < n_names; i++) {
        char parent[256];
        snprintf(parent, sizeof parent, "%s/%s", path, names[i]);
        for (char *slash = parent + strlen(path) + 1; (slash = strchr(slash, '/')); slash++) {
            *slash = '\0';
            mkdir(parent, 0777);
            *slash = '/';
        }
    }
    return path;
}

static inline void fuzz_put(const char *directory, const char *name, const uint8_t *bytes,
                            size_t size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    /* A new file each time: the old one may still be mapped. */
    unlink(path);
    if (size == 0) return;
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
}

static inline void fuzz_split(const char *directory, const char *const *names, size_t n_names,
                              const uint8_t *bytes, size_t size)
{
    static const char cut[] = "\n=====\n";
    for (size_t i = 0; i < n_names; i++) {
        const uint8_t *end = size ? memmem(bytes, size, cut, strlen(cut)) : NULL;
        size_t piece = end && i + 1 < n_names ? (size_t)(end - bytes) : size;
        fuzz_put(directory, names[i], bytes, piece);
        if (piece == size) {
            size = 0;
        } else {
            bytes += piece + strlen(cut);
            size -= piece + strlen(cut);
        }
    }
}

static inline void fuzz_check(const hrr_graph *graph)
{
    uint64_t n = hrr_graph_n_nodes(graph), m = hrr_graph_n_edges(graph);
    const uint32_t *source = hrr_graph_sources(graph), *target = hrr_graph_targets(graph);
    const uint8_t *is_private = hrr_graph_is_private(graph), *split = hrr_graph_split(graph);
    const int32_t *classes = hrr_graph_classes(graph);
    const hrr_dense *features = hrr_graph_features(graph);
    for (uint64_t e = 0; e < m; e++) {
        if (source[e] >= target[e] || target[e] >= n) abort();
        if (e && (source[e - 1] > source[e] ||
                  (source[e - 1] == source[e] && target[e - 1] >= target[e])))
            abort();
        if (is_private && is_private[e] > 1) abort();
    }
    for (uint64_t i = 0; i < n; i++) {
        if (split && split[i] > HRR_TEST) abort();
        if (classes && (classes[i] < -1 || classes[i] >= (int32_t)hrr_graph_n_classes(graph)))
            abort();
    }
    if (!features) return;
    if (features->rows != n) abort();
    if (n && features->cols)
        for (uint64_t i = 0; i < n; i++)
            if (!(hrr_dense_get(features, i, features->cols - 1) * 0 == 0)) abort();
}

/* path is relative to the folder; "" is the folder itself. */
static inline void fuzz_graph(const char *format, const char *path, const char *const *names,
                              size_t n_names, const uint8_t *bytes, size_t size)
{
    const char *directory = fuzz_directory(names, n_names);
    char full[256];
    hrr_read_options options;
    hrr_graph *graph;
    hrr_error err;
    fuzz_split(directory, names, n_names, bytes, size);
    snprintf(full, sizeof full, "%s%s%s", directory, *path ? "/" : "", path);
    hrr_read_options_init(&options);
    options.format = format;
    options.threads = 1;
    if (hrr_graph_read(&graph, full, &options, NULL, &err)) return;
    fuzz_check(graph);
    hrr_graph_free(graph);
}

#define FUZZ_COUNT(names) (sizeof(names) / sizeof *(names))

#endif
