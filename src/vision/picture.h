/* picture.h: picture files to pixels of one kind, whatever they are stored as: upright, red, green
 * and blue of 8 bits, in sRGB. Decoding is libvips's, a shared library that is loaded when it is
 * first needed. */
#ifndef HRR_VISION_PICTURE_H
#define HRR_VISION_PICTURE_H

#include <heterorr/base.h>

/* Rows from the top, 3 bytes a pixel without gaps. All zero bytes is no picture. */
typedef struct hrr_picture {
    uint32_t width, height;
    uint8_t *rgb;
    /* The size of the file's picture, upright: what boxes are counted in. */
    uint32_t full_width, full_height;
} hrr_picture;

void hrr_picture_clear(hrr_picture *picture);

/* ---- the library ----------------------------------------------------------------------------- */

typedef struct hrr_vips hrr_vips;

/* Ownership: *out belongs to the caller, hrr_vips_close().
 * Errors:    HRR_EINVAL if libvips is not there, saying how to get it. */
HRR_STATUS hrr_vips_open(hrr_vips **out, hrr_error *err);
void hrr_vips_close(hrr_vips *vips);

/* ---- reading, resizing, writing; safe from several threads at a time ---------------------------
 */

typedef struct hrr_picture_limits {
    uint64_t most_pixels; /* of a file's picture: more are refused before anything is decoded */
    uint64_t most_bytes;  /* of a file */
    uint32_t long_side;   /* a larger picture is shrunk to this while it is decoded */
    uint32_t enough;      /* pixels of the short side that are needed: a picture with twice as many
                             is halved while it is decoded, as often as it goes. 0: all are needed */
} hrr_picture_limits;

/* The first frame of an animation, the first page of several. Transparent pixels are laid on white.
 * Errors: HRR_EDATA for what is not a whole picture or beyond a limit (`most_pixels`), HRR_EIO,
 *         HRR_ENOMEM. */
HRR_STATUS hrr_picture_read(hrr_picture *out, const hrr_vips *vips, const char *path,
                            const hrr_picture_limits *limits, hrr_error *err);

/* To exactly this size, each output pixel being the weighted mean of what it covers (triangle
 * filter). */
HRR_STATUS hrr_picture_resize(hrr_picture *out, const hrr_vips *vips, const hrr_picture *picture,
                              uint32_t width, uint32_t height, hrr_error *err);

HRR_STATUS hrr_picture_write_png(const hrr_picture *picture, const hrr_vips *vips, const char *path,
                                 hrr_error *err);

#endif
