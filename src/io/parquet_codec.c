/* parquet_codec.c: pages unpacked; see parquet.h. Snappy is a format of back references that takes
 * a screen to read (https://github.com/google/snappy/blob/main/format_description.txt). */
#include "io/parquet.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

const char *hrr_parquet_codec_name(int64_t codec)
{
    static const char *const names[] = {"no codec", "snappy", "gzip", "LZO",
                                        "brotli",   "LZ4",    "zstd", "LZ4 (raw)"};
    return codec >= 0 && codec < 8 ? names[codec] : "an unknown codec";
}

bool hrr_parquet_codec_is_read(int64_t codec)
{
    return codec == HRR_PARQUET_UNCOMPRESSED || codec == HRR_PARQUET_SNAPPY ||
           codec == HRR_PARQUET_GZIP || codec == HRR_PARQUET_ZSTD;
}

/* Snappy copies 64 bytes by 3, deflate 258 by 2 bits, zstd a block of 128 KiB by 4. */
uint64_t hrr_parquet_unpacked_most(uint64_t packed_size, int64_t codec)
{
    switch (codec) {
    case HRR_PARQUET_SNAPPY:
        return 64 * packed_size;
    case HRR_PARQUET_GZIP:
        return 1100 * packed_size;
    case HRR_PARQUET_ZSTD:
        return ((uint64_t)128 << 10) * packed_size;
    default:
        return packed_size;
    }
}

/* ---- snappy ---------------------------------------------------------------------------------- */

/* n bytes, low first, from *at on. */
static bool little(const uint8_t **at, const uint8_t *end, unsigned n, uint64_t *out)
{
    if ((uint64_t)(end - *at) < n) return false;
    *out = 0;
    for (unsigned i = 0; i < n; i++)
        *out |= (uint64_t) * (*at)++ << (8 * i);
    return true;
}

static bool states_size(const uint8_t **at, const uint8_t *end, uint64_t size)
{
    uint64_t stated = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        if (*at == end) return false;
        const uint8_t next = *(*at)++;
        stated |= (uint64_t)(next & 0x7f) << shift;
        if (!(next & 0x80)) return stated == size;
    }
    return false;
}

static bool unpack_snappy(uint8_t *out, uint64_t size, const uint8_t *at, const uint8_t *end)
{
    uint64_t done = 0;
    if (!states_size(&at, end, size)) return false;
    while (at < end) {
        const uint8_t tag = *at++;
        uint64_t length = (tag >> 2) + 1u, back = 0, more = 0;
        if ((tag & 3) == 0) { /* bytes as they are */
            if (length > 60) {
                if (!little(&at, end, (unsigned)(length - 60), &more)) return false;
                length = more + 1;
            }
            if (length > (uint64_t)(end - at) || length > size - done) return false;
            memcpy(out + done, at, length);
            at += length;
            done += length;
            continue;
        }
        if ((tag & 3) == 1) {
            length = 4 + (tag >> 2 & 7u);
            if (!little(&at, end, 1, &back)) return false;
            back |= (uint64_t)(tag >> 5) << 8;
        } else if (!little(&at, end, (tag & 3) == 2 ? 2 : 4, &back)) {
            return false;
        }
        if (back == 0 || back > done || length > size - done) return false;
        for (uint64_t i = 0; i < length; i++, done++) /* may overlap: a copy of what it copies */
            out[done] = out[done - back];
    }
    return done == size;
}

/* ---- gzip ------------------------------------------------------------------------------------ */

static bool unpack_gzip(uint8_t *out, uint64_t size, const uint8_t *packed, uint64_t packed_size)
{
    z_stream stream = {0};
    uint8_t nothing;
    if (size > UINT_MAX || packed_size > UINT_MAX) return false;
    if (inflateInit2(&stream, 15 + 32) != Z_OK) return false; /* gzip's header or zlib's */
    stream.next_in = (uint8_t *)(uintptr_t)packed;
    stream.avail_in = (unsigned)packed_size;
    stream.next_out = size ? out : &nothing;
    stream.avail_out = (unsigned)size;
    const int ended = inflate(&stream, Z_FINISH);
    const bool whole = ended == Z_STREAM_END && stream.total_out == size;
    inflateEnd(&stream);
    return whole;
}

/* ---- any ------------------------------------------------------------------------------------- */

bool hrr_parquet_unpack(uint8_t *out, uint64_t size, const uint8_t *packed, uint64_t packed_size,
                        int64_t codec)
{
    switch (codec) {
    case HRR_PARQUET_UNCOMPRESSED:
        if (size == packed_size && size) memcpy(out, packed, size);
        return size == packed_size;
    case HRR_PARQUET_SNAPPY:
        return unpack_snappy(out, size, packed, packed + packed_size);
    case HRR_PARQUET_GZIP:
        return unpack_gzip(out, size, packed, packed_size);
    case HRR_PARQUET_ZSTD:
        return ZSTD_decompress(out, size, packed, packed_size) == size;
    default:
        return false;
    }
}
