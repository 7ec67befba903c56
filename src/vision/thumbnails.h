/* thumbnails.h: what else is done with small copies of pictures. */
#ifndef HRR_VISION_THUMBNAILS_H
#define HRR_VISION_THUMBNAILS_H

#include <heterorr/vision.h>

#include <math.h>

static inline uint8_t hrr_pixel_byte(float value)
{
    return (uint8_t)lrintf(fminf(fmaxf(value, 0), 1) * 255);
}

/* Rows first.. of pictures (n x side * side * channels, F32 from 0 to 1) beside each other, up to
 * `count`, as PNG; small pictures are enlarged. Errors: HRR_EINVAL without libvips, HRR_EIO. */
HRR_STATUS hrr_strip_write(const hrr_dense *pictures, uint32_t side, uint32_t channels,
                           uint64_t count, const char *path, hrr_error *err);

/* What a network makes of pictures (F32, as above): n x features, F32.
 * Errors: those of hrr_embed(). */
HRR_STATUS hrr_thumbnails_embed(hrr_dense *out, const hrr_dense *pictures, uint32_t side,
                                uint32_t channels, const char *model, const char *profile,
                                const char *runtime, hrr_progress *progress, hrr_error *err);

/* F32 from 0 to 1. Errors: HRR_ENOMEM. */
HRR_STATUS hrr_thumbnails_floats(hrr_dense *out, const hrr_thumbnails *thumbnails, hrr_error *err);

#endif
