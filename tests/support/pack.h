/* pack.h: small compressed files for the tests of readers. */
#ifndef TESTS_SUPPORT_PACK_H
#define TESTS_SUPPORT_PACK_H

#include <stddef.h>

/* Write bytes gzip- or zstd-compressed; `append` adds another member or frame. */
void write_gzip(const char *path, const void *bytes, size_t size, int append);
void write_zstd(const char *path, const void *bytes, size_t size, int append);

#endif
