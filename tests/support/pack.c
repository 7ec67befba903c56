#include "support/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

static void must(int condition, const char *path)
{
    if (condition) return;
    perror(path);
    abort();
}

void write_gzip(const char *path, const void *bytes, size_t size, int append)
{
    gzFile file = gzopen(path, append ? "ab" : "wb");
    must(file && gzwrite(file, bytes, (unsigned)size) == (int)size && gzclose(file) == Z_OK, path);
}

void write_zstd(const char *path, const void *bytes, size_t size, int append)
{
    size_t room = ZSTD_compressBound(size);
    char *packed = malloc(room);
    size_t used = ZSTD_compress(packed, room, bytes, size, 3);
    FILE *file = fopen(path, append ? "ab" : "wb");
    must(!ZSTD_isError(used) && file && fwrite(packed, 1, used, file) == used && fclose(file) == 0,
         path);
    free(packed);
}
