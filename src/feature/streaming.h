/* streaming.h: write a row past the caches. What is released is not read again here, and an
 * ordinary store first reads the line that it is going to overwrite. */
#ifndef HRR_FEATURE_STREAMING_H
#define HRR_FEATURE_STREAMING_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

static inline void hrr_store_row(float *out, const float *row, size_t n)
{
    size_t i = 0;
#if defined(__SSE2__)
    enum { line = 16 }; /* floats */
    for (; i < n && (uintptr_t)(out + i) % (line * sizeof *out) != 0; i++)
        out[i] = row[i];
    for (; i + line <= n; i += line)
        for (size_t j = i; j < i + line; j += 4)
            _mm_stream_ps(out + j, _mm_loadu_ps(row + j));
    _mm_sfence(); /* other threads see the stores before they see that the work is done */
#endif
    memcpy(out + i, row + i, (n - i) * sizeof *out);
}

#endif
