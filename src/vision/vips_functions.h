/* vips_functions.h: the part of libvips (and of GLib, which it brings) that picture.c calls, as
 * its documentation declares it: https://www.libvips.org/API/8.14/. Optional arguments follow as
 * pairs of name and value, up to NULL. The types are compared with libvips's own header where that
 * is installed (tests/vision/test_vips_functions.c). */
#ifndef HRR_VISION_VIPS_FUNCTIONS_H
#define HRR_VISION_VIPS_FUNCTIONS_H

#include <stddef.h>

/* Values of libvips's enumerations. */
enum {
    hrr_vips_format_uchar = 0,
    hrr_vips_srgb = 22,
    hrr_vips_size_down = 2,
    hrr_vips_kernel_linear = 1,
    hrr_vips_access_sequential = 1,
};

/* HRR_VIPS_FUNCTIONS(image): each as X(name, result, arguments...); image: what VipsImage is
 * called.
 */
#define HRR_VIPS_FUNCTIONS(X, image)                                                               \
    X(vips_init, int, const char *)                                                                \
    X(vips_concurrency_set, void, int)                                                             \
    X(vips_cache_set_max, void, int)                                                               \
    X(vips_block_untrusted_set, void, int)                                                         \
    X(vips_error_buffer_copy, char *, void)                                                        \
    X(vips_image_new_from_buffer, image *, const void *, size_t, const char *, ...)                \
    X(vips_image_new_from_memory, image *, const void *, size_t, int, int, int, int)               \
    X(vips_image_get_width, int, const image *)                                                    \
    X(vips_image_get_height, int, const image *)                                                   \
    X(vips_image_get_bands, int, const image *)                                                    \
    X(vips_image_get_format, int, const image *)                                                   \
    X(vips_image_get_orientation, int, image *)                                                    \
    X(vips_thumbnail_buffer, int, void *, size_t, image **, int, ...)                              \
    X(vips_autorot, int, image *, image **, ...)                                                   \
    X(vips_colourspace, int, image *, image **, int, ...)                                          \
    X(vips_cast_uchar, int, image *, image **, ...)                                                \
    X(vips_resize, int, image *, image **, double, ...)                                            \
    X(vips_image_write_to_memory, void *, image *, size_t *)                                       \
    X(vips_pngsave_buffer, int, image *, void **, size_t *, ...)                                   \
    X(g_object_unref, void, void *)                                                                \
    X(g_free, void, void *)

#endif
