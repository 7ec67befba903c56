/* strip.c: small pictures beside each other in one PNG file, for people to look at. */
#include "vision/picture.h"
#include "vision/thumbnails.h"

#include "base/memory.h"

#include <string.h>

hrr_status hrr_strip_write(const hrr_dense *pictures, uint32_t side, uint32_t channels,
                           uint64_t count, const char *path, hrr_error *err)
{
    enum { large_enough = 64, gap = 4 };
    const uint32_t zoom = side < large_enough ? large_enough / side : 1, cell = side * zoom + gap;
    const uint32_t n = (uint32_t)(count < pictures->rows ? count : pictures->rows);
    hrr_picture strip = {.width = n * cell, .height = cell};
    hrr_vips *vips = NULL;
    hrr_status status = hrr_vips_open(&vips, err);
    if (status) return status;
    const size_t size = (size_t)strip.width * strip.height * 3;
    if (!(strip.rgb = hrr_alloc(size, 1))) status = hrr_no_memory(err);
    if (!status) memset(strip.rgb, 255, size);
    for (uint32_t i = 0; i < n && !status; i++) {
        const float *row = (const float *)pictures->data + i * pictures->cols;
        for (uint32_t y = 0; y < side * zoom; y++)
            for (uint32_t x = 0; x < side * zoom; x++)
                for (uint32_t c = 0; c < 3; c++)
                    strip.rgb[((size_t)y * strip.width + i * cell + x) * 3 + c] = hrr_pixel_byte(
                        row[((y / zoom) * side + x / zoom) * channels + (channels == 3 ? c : 0)]);
    }
    if (!status) status = hrr_picture_write_png(&strip, vips, path, err);
    hrr_picture_clear(&strip);
    hrr_vips_close(vips);
    return status;
}
