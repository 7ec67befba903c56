/* text_sink.c: see text_sink.h. Text arrives in pieces of a few bytes: they are gathered into
 * blocks before a compressor sees them. */
#include "io/text_sink.h"
#include "io/file_names.h"
#include "base/memory.h"

#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { block_size = 1 << 17 };

struct hrr_text_sink {
    hrr_output *output;
    enum { SINK_PLAIN, SINK_GZIP, SINK_ZSTD } kind;
    z_stream gzip;
    bool gzip_open;
    ZSTD_CStream *zstd;
    unsigned char *block, *packed;
    size_t used;
};

hrr_status hrr_text_sink_open(hrr_text_sink **out, const char *path, hrr_error *err)
{
    hrr_status status = HRR_OK;
    *out = NULL;
    hrr_text_sink *sink = hrr_alloc_zero(1, sizeof *sink);
    if (!sink) return hrr_no_memory(err);
    sink->kind = hrr_ends_with(path, ".gz")    ? SINK_GZIP
                 : hrr_ends_with(path, ".zst") ? SINK_ZSTD
                                               : SINK_PLAIN;
    sink->block = hrr_alloc(block_size, 1);
    sink->packed = hrr_alloc(block_size, 1);
    bool ready = sink->block && sink->packed;
    if (ready && sink->kind == SINK_GZIP)
        ready = sink->gzip_open = deflateInit2(&sink->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                                               15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    if (ready && sink->kind == SINK_ZSTD) ready = (sink->zstd = ZSTD_createCStream()) != NULL;
    if (ready && sink->kind == SINK_ZSTD)
        ready = !ZSTD_isError(ZSTD_CCtx_setParameter(sink->zstd, ZSTD_c_checksumFlag, 1));
    status = ready ? hrr_output_open(&sink->output, path, err) : hrr_no_memory(err);
    if (status)
        hrr_text_sink_free(sink);
    else
        *out = sink;
    return status;
}

static hrr_status deflate_block(hrr_text_sink *sink, bool last, hrr_error *err)
{
    sink->gzip.next_in = sink->block;
    sink->gzip.avail_in = (uInt)sink->used;
    int result;
    do {
        sink->gzip.next_out = sink->packed;
        sink->gzip.avail_out = block_size;
        result = deflate(&sink->gzip, last ? Z_FINISH : Z_NO_FLUSH);
        hrr_status status =
            hrr_output_write(sink->output, sink->packed, block_size - sink->gzip.avail_out, err);
        if (status) return status;
    } while (last ? result != Z_STREAM_END : sink->gzip.avail_in > 0);
    return HRR_OK;
}

static hrr_status zstd_block(hrr_text_sink *sink, bool last, hrr_error *err)
{
    ZSTD_inBuffer in = {sink->block, sink->used, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {sink->packed, block_size, 0};
        left = ZSTD_compressStream2(sink->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) return hrr_no_memory(err); /* the only way valid calls fail */
        hrr_status status = hrr_output_write(sink->output, sink->packed, out.pos, err);
        if (status) return status;
    } while (last ? left > 0 : in.pos < in.size);
    return HRR_OK;
}

static hrr_status flush(hrr_text_sink *sink, bool last, hrr_error *err)
{
    hrr_status status = HRR_OK;
    switch (sink->kind) {
    case SINK_PLAIN:
        status = hrr_output_write(sink->output, sink->block, sink->used, err);
        break;
    case SINK_GZIP:
        status = deflate_block(sink, last, err);
        break;
    case SINK_ZSTD:
        status = zstd_block(sink, last, err);
        break;
    }
    sink->used = 0;
    return status;
}

hrr_status hrr_text_sink_write(hrr_text_sink *sink, const void *bytes, size_t size, hrr_error *err)
{
    const unsigned char *from = bytes;
    while (size > 0) {
        size_t part = block_size - sink->used < size ? block_size - sink->used : size;
        memcpy(sink->block + sink->used, from, part);
        sink->used += part;
        from += part;
        size -= part;
        if (sink->used == block_size) {
            hrr_status status = flush(sink, false, err);
            if (status) return status;
        }
    }
    return HRR_OK;
}

/* Quotes are needed where a reader would take the bytes for something else: a delimiter, a line
 * end, a comment, blanks to be trimmed, nothing at all. */
static bool needs_quotes(const char *text)
{
    size_t length = strlen(text);
    return length == 0 || strpbrk(text, ",;|\t\"\n\r") || strchr("#% ", text[0]) ||
           text[length - 1] == ' ';
}

hrr_status hrr_text_sink_write_field(hrr_text_sink *sink, const char *text, hrr_error *err)
{
    if (!needs_quotes(text)) return hrr_text_sink_write(sink, text, strlen(text), err);
    hrr_status status = hrr_text_sink_write(sink, "\"", 1, err);
    for (const char *c = text; *c && !status; c++)
        status = *c == '"' ? hrr_text_sink_write(sink, "\"\"", 2, err)
                           : hrr_text_sink_write(sink, c, 1, err);
    return status ? status : hrr_text_sink_write(sink, "\"", 1, err);
}

hrr_status hrr_text_sink_commit(hrr_text_sink *sink, hrr_error *err)
{
    hrr_status status = flush(sink, true, err);
    return status ? status : hrr_output_commit(sink->output, err);
}

void hrr_text_sink_free(hrr_text_sink *sink)
{
    if (!sink) return;
    if (sink->gzip_open) deflateEnd(&sink->gzip);
    ZSTD_freeCStream(sink->zstd);
    hrr_output_free(sink->output);
    hrr_free(sink->block);
    hrr_free(sink->packed);
    hrr_free(sink);
}
