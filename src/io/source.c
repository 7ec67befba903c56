/* source.c: see source.h.
 *
 * Two layers. Stored bytes come from a mapping of the whole file, or from read() where there is
 * nothing to map (pipes, devices, files of /proc). A decoder turns them into contents: none for a
 * plain file, so that a mapped one is handed out as a single piece without a copy, or zlib or
 * zstd into one fixed buffer. However far a small file expands, the source holds no more.
 *
 * A mapped file that somebody cuts short while it is being read stops the process (SIGBUS), as
 * with every program that maps its input. */
#include "io/source.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { piece_size = 1 << 18, magic_size = 4 };

typedef enum encoding { ENCODING_PLAIN, ENCODING_GZIP, ENCODING_ZSTD } encoding;

struct hrr_source {
    char *path;
    int fd;
    encoding encoding;
    hrr_region map;         /* of the whole stored file, or empty */
    unsigned char *read_to; /* where read() puts stored bytes, when there is no mapping */
    const unsigned char *stored;
    size_t n_stored; /* bytes at `stored` that the decoder has not taken yet */
    bool stored_end; /* nothing follows them */
    uint64_t size, consumed;
    unsigned char *piece; /* decoded bytes */
    z_stream gzip;
    ZSTD_DStream *zstd;
    bool gzip_open;
    bool between; /* at the start of a gzip member or a zstd frame: the file may end here */
};

/* Make at least `wanted` stored bytes available, or all there are. */
static hrr_status fill(hrr_source *source, size_t wanted, hrr_error *err)
{
    while (source->n_stored < wanted && !source->stored_end) {
        if (source->n_stored) memmove(source->read_to, source->stored, source->n_stored);
        source->stored = source->read_to;
        ssize_t got =
            read(source->fd, source->read_to + source->n_stored, piece_size - source->n_stored);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            return hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", source->path, strerror(errno));
        if (got == 0) source->stored_end = true;
        source->n_stored += (size_t)got;
    }
    return HRR_OK;
}

static void take(hrr_source *source, size_t count)
{
    source->stored += count;
    source->n_stored -= count;
    source->consumed += count;
}

static encoding recognise(const unsigned char *bytes, size_t size)
{
    if (size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b) return ENCODING_GZIP;
    if (size < magic_size) return ENCODING_PLAIN;
    if (memcmp(bytes, "\x28\xb5\x2f\xfd", magic_size) == 0) return ENCODING_ZSTD;
    /* A skippable frame (RFC 8878, 3.1.2), which parallel compressors put first. */
    if ((bytes[0] & 0xf0) == 0x50 && memcmp(bytes + 1, "\x2a\x4d\x18", 3) == 0)
        return ENCODING_ZSTD;
    return ENCODING_PLAIN;
}

static hrr_status open_decoder(hrr_source *source, hrr_error *err)
{
    source->encoding = recognise(source->stored, source->n_stored);
    if (source->encoding == ENCODING_PLAIN) return HRR_OK;
    source->between = true;
    source->piece = hrr_alloc(piece_size, 1);
    if (!source->piece) return hrr_no_memory(err);
    if (source->encoding == ENCODING_GZIP) {
        source->gzip_open = inflateInit2(&source->gzip, 15 + 16) == Z_OK; /* +16: gzip header */
        return source->gzip_open ? HRR_OK : hrr_no_memory(err);
    }
    source->zstd = ZSTD_createDStream();
    return source->zstd ? HRR_OK : hrr_no_memory(err);
}

static hrr_status open_stored(hrr_source *source, hrr_error *err)
{
    const char *path = source->path;
    source->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (source->fd < 0)
        return hrr_fail(err, HRR_EIO, "%s: cannot be read: %s; check the path and its permissions",
                        path, strerror(errno));
    struct stat info;
    if (fstat(source->fd, &info) != 0)
        return hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return hrr_fail(err, HRR_EIO, "%s: is a directory; name a file in it", path);
    if (S_ISREG(info.st_mode) && info.st_size > 0) {
        size_t size = (size_t)info.st_size;
        void *start = mmap(NULL, size, PROT_READ, MAP_PRIVATE, source->fd, 0);
        if (start != MAP_FAILED) {
            madvise(start, size, MADV_SEQUENTIAL);
            source->map = (hrr_region){.start = start, .size = size, .kind = HRR_REGION_MAPPED};
            source->stored = start;
            source->n_stored = source->size = size;
            source->stored_end = true;
            return HRR_OK;
        }
    }
    source->read_to = hrr_alloc(piece_size, 1);
    if (!source->read_to) return hrr_no_memory(err);
    return fill(source, magic_size, err);
}

hrr_status hrr_source_open(hrr_source **out, const char *path, hrr_error *err)
{
    *out = NULL;
    hrr_source *source = hrr_alloc_zero(1, sizeof *source);
    if (!source) return hrr_no_memory(err);
    source->fd = -1;
    source->path = hrr_copy_text(path);
    hrr_status status = source->path ? HRR_OK : hrr_no_memory(err);
    if (!status) status = open_stored(source, err);
    if (!status) status = open_decoder(source, err);
    if (status)
        hrr_source_close(source);
    else
        *out = source;
    return status;
}

static hrr_status next_plain(hrr_source *source, const char **bytes, size_t *size, hrr_error *err)
{
    hrr_status status = fill(source, 1, err);
    if (status) return status;
    *bytes = (const char *)source->stored;
    *size = source->n_stored;
    take(source, source->n_stored);
    return HRR_OK;
}

static hrr_status damaged(const hrr_source *source, const char *how, hrr_error *err)
{
    return hrr_fail(err, HRR_EDATA,
                    "%s: the %s data is damaged (%s); fetch or create the file again", source->path,
                    source->encoding == ENCODING_GZIP ? "gzip" : "zstd", how);
}

static hrr_status truncated(const hrr_source *source, hrr_error *err)
{
    return hrr_fail(
        err, HRR_EDATA,
        "%s: the %s data ends too early: the file is truncated; fetch or create it again",
        source->path, source->encoding == ENCODING_GZIP ? "gzip" : "zstd");
}

/* One step of inflate(). gzip files may hold several members (RFC 1952, 2.2), and zeros after the
 * last one, which tapes and block devices leave. */
static hrr_status inflate_step(hrr_source *source, size_t *made, hrr_error *err)
{
    z_stream *gzip = &source->gzip;
    if (source->between && source->stored[0] == 0) {
        take(source, 1);
        return HRR_OK;
    }
    const size_t most = 1 << 30; /* zlib counts in unsigned int */
    size_t given = source->n_stored < most ? source->n_stored : most;
    gzip->next_in = (unsigned char *)source->stored; /* zlib does not write there */
    gzip->avail_in = (uInt)given;
    gzip->next_out = source->piece + *made;
    gzip->avail_out = (uInt)(piece_size - *made);
    int result = inflate(gzip, Z_NO_FLUSH);
    take(source, given - gzip->avail_in);
    *made = piece_size - gzip->avail_out;
    source->between = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR) return hrr_no_memory(err);
    if (result == Z_STREAM_END)
        inflateReset(gzip);
    else if (result != Z_OK && result != Z_BUF_ERROR)
        return damaged(source, gzip->msg ? gzip->msg : "a preset dictionary", err);
    return HRR_OK;
}

static hrr_status zstd_step(hrr_source *source, size_t *made, hrr_error *err)
{
    ZSTD_inBuffer in = {.src = source->stored, .size = source->n_stored};
    ZSTD_outBuffer out = {.dst = source->piece, .size = piece_size, .pos = *made};
    size_t result = ZSTD_decompressStream(source->zstd, &out, &in);
    take(source, in.pos);
    *made = out.pos;
    if (ZSTD_isError(result)) {
        if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) return hrr_no_memory(err);
        return damaged(source, ZSTD_getErrorName(result), err);
    }
    source->between = result == 0;
    return HRR_OK;
}

static hrr_status next_decoded(hrr_source *source, const char **bytes, size_t *size, hrr_error *err)
{
    size_t made = 0;
    bool flushed = false; /* the decoder had room to give all it holds and gave nothing */
    while (made < piece_size) {
        hrr_status status = fill(source, 1, err);
        if (status) return status;
        if (source->n_stored == 0 && (source->between || flushed)) break;
        size_t made_before = made;
        if (source->encoding == ENCODING_GZIP)
            status = inflate_step(source, &made, err);
        else
            status = zstd_step(source, &made, err);
        if (status) return status;
        flushed = made == made_before && source->n_stored == 0;
    }
    if (made == 0 && !source->between) return truncated(source, err);
    *bytes = (const char *)source->piece;
    *size = made;
    return HRR_OK;
}

hrr_status hrr_source_next(hrr_source *source, const char **bytes, size_t *size, hrr_error *err)
{
    if (source->encoding == ENCODING_PLAIN) return next_plain(source, bytes, size, err);
    return next_decoded(source, bytes, size, err);
}

bool hrr_source_is_whole(const hrr_source *source)
{
    return source->encoding == ENCODING_PLAIN && source->map.start && source->consumed == 0;
}

const char *hrr_source_path(const hrr_source *source)
{
    return source->path;
}

uint64_t hrr_source_size(const hrr_source *source)
{
    return source->size;
}

uint64_t hrr_source_consumed(const hrr_source *source)
{
    return source->consumed;
}

void hrr_source_close(hrr_source *source)
{
    if (!source) return;
    if (source->gzip_open) inflateEnd(&source->gzip);
    ZSTD_freeDStream(source->zstd);
    hrr_region_clear(&source->map);
    if (source->fd >= 0) close(source->fd);
    hrr_free(source->read_to);
    hrr_free(source->piece);
    hrr_free(source->path);
    hrr_free(source);
}
