/* picture.c: see picture.h.
 *
 * libvips streams: a picture is decoded in strips and shrunk on the way, so that a photograph of
 * 50 megapixels costs the memory of its small copy. It is loaded at run time because Debian's build
 * of it brings some hundred other libraries, which nobody who protects a graph needs.
 *
 * A file is hostile until it is decoded. Its size is known from its header before a pixel is:
 * a few hundred bytes of PNG can announce a picture that fills the machine. Loaders that libvips
 * itself calls untrusted are off. The bytes are handed over in memory, because libvips reads
 * options out of file names. */
#include "vision/picture.h"

#include "vision/vips_functions.h"

#include "base/memory.h"
#include "base/size.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct vips_image vips_image;

struct hrr_vips {
    void *library; /* never closed: it has threads and state of its own until the process ends */
#define MEMBER(name, result, ...) result (*name)(__VA_ARGS__);
    HRR_VIPS_FUNCTIONS(MEMBER, vips_image)
#undef MEMBER
};

void hrr_picture_clear(hrr_picture *picture)
{
    hrr_free(picture->rgb);
    *picture = (hrr_picture){0};
}

/* ---- the library ----------------------------------------------------------------------------- */

static hrr_status find_functions(hrr_vips *vips, hrr_error *err)
{
#define FIND(name, result, ...)                                                                    \
    *(void **)&vips->name = dlsym(vips->library, #name); /* POSIX's way to say it */               \
    if (!vips->name)                                                                               \
        return hrr_fail(err, HRR_EINVAL,                                                           \
                        "libvips is too old: it has no " #name "; 8.13 or newer is needed");
    HRR_VIPS_FUNCTIONS(FIND, vips_image)
#undef FIND
    return HRR_OK;
}

hrr_status hrr_vips_open(hrr_vips **out, hrr_error *err)
{
    *out = NULL;
    hrr_vips *vips = hrr_alloc_zero(1, sizeof *vips);
    if (!vips) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    vips->library = dlopen("libvips.so.42", RTLD_NOW | RTLD_LOCAL);
    if (!vips->library) {
        status = hrr_fail(err, HRR_EINVAL,
                          "pictures need libvips, which is not installed (%.300s); on Debian and "
                          "Ubuntu, run apt-get install libvips42",
                          dlerror());
        goto done;
    }
    if ((status = find_functions(vips, err))) goto done;
    if (vips->vips_init("heterorr")) {
        status = hrr_fail(err, HRR_EIO, "libvips cannot be started");
        goto done;
    }
    vips->vips_block_untrusted_set(1);
    vips->vips_concurrency_set(1); /* pictures are what the threads share out */
    vips->vips_cache_set_max(0);   /* no picture is asked for twice */
    *out = vips;
    vips = NULL;
done:
    hrr_vips_close(vips);
    return status;
}

void hrr_vips_close(hrr_vips *vips)
{
    hrr_free(vips);
}

static void drop(const hrr_vips *vips, vips_image *image)
{
    if (image) vips->g_object_unref(image);
}

/* What libvips says, its first line. */
static hrr_status refused(const hrr_vips *vips, const char *what, const char *wrong, hrr_error *err)
{
    char *why = vips->vips_error_buffer_copy();
    size_t length = why ? strcspn(why, "\n") : 0;
    if (length > 300) length = 300;
    hrr_status status = hrr_fail(err, HRR_EDATA, "%s: %s%s%.*s%s", what, wrong, length ? " (" : "",
                                 (int)length, why ? why : "", length ? ")" : "");
    vips->g_free(why);
    return status;
}

/* ---- pixels ---------------------------------------------------------------------------------- */

/* Red, green and blue out of 3 or 4 bytes a pixel; what is transparent is laid on white. */
static void lay_on_white(uint8_t *rgb, const uint8_t *pixels, size_t n, int bands)
{
    for (size_t i = 0; i < n; i++, rgb += 3, pixels += bands) {
        unsigned alpha = bands == 4 ? pixels[3] : 255;
        for (int c = 0; c < 3; c++)
            rgb[c] = (uint8_t)((pixels[c] * alpha + 255 * (255 - alpha) + 127) / 255);
    }
}

/* The pixels of an image of any kind. */
static hrr_status take_pixels(hrr_picture *out, const hrr_vips *vips, vips_image *image,
                              const char *what, hrr_error *err)
{
    vips_image *coloured = NULL, *bytes = NULL;
    uint8_t *pixels = NULL;
    size_t size = 0;
    hrr_status status = HRR_OK;
    if (vips->vips_colourspace(image, &coloured, hrr_vips_srgb, NULL) ||
        vips->vips_cast_uchar(coloured, &bytes, NULL) ||
        !(pixels = vips->vips_image_write_to_memory(bytes, &size))) {
        status = refused(vips, what, "is damaged or incomplete", err);
        goto done;
    }
    const int width = vips->vips_image_get_width(bytes), bands = vips->vips_image_get_bands(bytes);
    const int height = vips->vips_image_get_height(bytes);
    const size_t n = (size_t)width * (size_t)height;
    if ((bands != 3 && bands != 4) || size != n * (size_t)bands) {
        status = hrr_fail(err, HRR_EDATA, "%s: has %d channels, but at most 4 are supported", what,
                          bands);
        goto done;
    }
    if (!(out->rgb = hrr_alloc(n, 3))) {
        status = hrr_no_memory(err);
        goto done;
    }
    out->width = (uint32_t)width;
    out->height = (uint32_t)height;
    lay_on_white(out->rgb, pixels, n, bands);
done:
    vips->g_free(pixels);
    drop(vips, bytes);
    drop(vips, coloured);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

static hrr_status read_bytes(uint8_t **out, size_t *size, const char *path, uint64_t most,
                             hrr_error *err)
{
    struct stat there;
    hrr_status status = HRR_OK;
    uint8_t *bytes = NULL;
    size_t used = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not keep us waiting */
    if (fd < 0 || fstat(fd, &there) != 0) {
        status = hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", path, strerror(errno));
        goto done;
    }
    if (!S_ISREG(there.st_mode)) {
        status = hrr_fail(err, HRR_EDATA, "%s: is not a file", path);
        goto done;
    }
    if (there.st_size == 0) {
        status = hrr_fail(err, HRR_EDATA, "%s: is empty", path);
        goto done;
    }
    if ((uint64_t)there.st_size > most) {
        status = hrr_fail(err, HRR_EDATA,
                          "%s: has %" PRIu64 " bytes, but a picture may have at most %" PRIu64,
                          path, (uint64_t)there.st_size, most);
        goto done;
    }
    if (!(bytes = hrr_alloc((size_t)there.st_size, 1))) {
        status = hrr_no_memory(err);
        goto done;
    }
    while (used < (size_t)there.st_size) {
        ssize_t got = read(fd, bytes + used, (size_t)there.st_size - used);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            status =
                hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", path,
                         got < 0 ? strerror(errno) : "it became shorter while it was being read");
            goto done;
        }
        used += (size_t)got;
    }
    *out = bytes;
    *size = used;
    bytes = NULL;
done:
    if (fd >= 0) close(fd);
    hrr_free(bytes);
    return status;
}

/* The header alone: how large the picture is, upright, and its channels. Nothing is decoded. */
static hrr_status read_header(hrr_picture *out, int *bands, const hrr_vips *vips, const void *bytes,
                              size_t size, const char *path, const hrr_picture_limits *limits,
                              hrr_error *err)
{
    const int first_on_its_side = 5; /* orientations 5 to 8 exchange width and height */
    vips_image *image = vips->vips_image_new_from_buffer(bytes, size, "", "access",
                                                         hrr_vips_access_sequential, NULL);
    if (!image) return refused(vips, path, "is not a picture that libvips can read", err);
    const int width = vips->vips_image_get_width(image);
    const int height = vips->vips_image_get_height(image);
    *bands = vips->vips_image_get_bands(image);
    const bool on_its_side = vips->vips_image_get_orientation(image) >= first_on_its_side;
    drop(vips, image);
    out->full_width = (uint32_t)(on_its_side ? height : width);
    out->full_height = (uint32_t)(on_its_side ? width : height);
    if ((uint64_t)width * (uint64_t)height > limits->most_pixels)
        return hrr_fail(err, HRR_EDATA,
                        "%s: has %d x %d pixels, more than the limit of %" PRIu64
                        " (`most_pixels`); it was not decoded",
                        path, width, height, limits->most_pixels);
    return HRR_OK;
}

/* The long side to decode to: halved while the short side keeps as many pixels as are needed. */
static uint32_t long_side_to_read(const hrr_picture *full, const hrr_picture_limits *limits)
{
    const bool is_wide = full->full_width > full->full_height;
    const uint32_t long_side = is_wide ? full->full_width : full->full_height;
    const uint32_t short_side = is_wide ? full->full_height : full->full_width;
    uint32_t halved = 1;
    while (limits->enough && halved < 8 && short_side / (2 * halved) >= limits->enough)
        halved *= 2;
    const uint32_t side = long_side / halved + (long_side % halved > 0);
    return halved > 1 && side < limits->long_side ? side : limits->long_side;
}

/* By what a JPEG decoder may divide the sides of the picture: it leaves out the high frequencies of
 * its blocks, which saves most of the time. Twice the pixels that are needed remain, so that the
 * filter of hrr_picture_resize() decides how the picture looks. Dividing further, or by 8, loses
 * some decibels to the result of the whole picture; docs/vision.md has the figures. 1: it may not
 * divide, or what is left would be too large. */
static uint32_t jpeg_shrink(const hrr_picture *full, const uint8_t *bytes, size_t size, int bands,
                            const hrr_picture_limits *limits)
{
    const bool is_wide = full->full_width > full->full_height;
    const uint32_t long_side = is_wide ? full->full_width : full->full_height;
    const uint32_t short_side = is_wide ? full->full_height : full->full_width;
    uint32_t shrink = 1;
    if (size < 3 || memcmp(bytes, "\xff\xd8\xff", 3) != 0 || bands > 3 || !limits->enough) return 1;
    while (shrink < 4 && short_side / (2 * shrink) / 2 >= limits->enough)
        shrink *= 2;
    return (long_side - 1) / shrink < limits->long_side ? shrink : 1;
}

/* Upright and no larger than the limits say. */
static hrr_status read_small(vips_image **out, const hrr_vips *vips, const hrr_picture *full,
                             uint8_t *bytes, size_t size, int bands,
                             const hrr_picture_limits *limits)
{
    const uint32_t shrink = jpeg_shrink(full, bytes, size, bands, limits);
    if (shrink > 1) {
        char options[64];
        snprintf(options, sizeof options, "[shrink=%" PRIu32 ",fail_on=error]", shrink);
        vips_image *image = vips->vips_image_new_from_buffer(bytes, size, options, NULL);
        const bool good = image && !vips->vips_autorot(image, out, NULL);
        drop(vips, image);
        return good ? HRR_OK : HRR_EDATA;
    }
    const int side = (int)long_side_to_read(full, limits);
    /* As an option of the loader: libvips 8.14 forgets fail_on of a thumbnail from memory, and half
     * a picture would be grey in silence. */
    return vips->vips_thumbnail_buffer(bytes, size, out, side, "height", side, "size",
                                       hrr_vips_size_down, "option_string", "[fail_on=error]", NULL)
               ? HRR_EDATA
               : HRR_OK;
}

hrr_status hrr_picture_read(hrr_picture *out, const hrr_vips *vips, const char *path,
                            const hrr_picture_limits *limits, hrr_error *err)
{
    hrr_picture picture = {0};
    uint8_t *bytes = NULL;
    size_t size = 0;
    int bands = 0;
    vips_image *small = NULL;
    *out = (hrr_picture){0};
    hrr_status status = read_bytes(&bytes, &size, path, limits->most_bytes, err);
    if (!status) status = read_header(&picture, &bands, vips, bytes, size, path, limits, err);
    if (status) goto done;
    if (read_small(&small, vips, &picture, bytes, size, bands, limits)) {
        status = refused(vips, path, "is damaged or incomplete", err);
        goto done;
    }
    if ((status = take_pixels(&picture, vips, small, path, err))) goto done;
    *out = picture;
    picture = (hrr_picture){0};
done:
    drop(vips, small);
    hrr_picture_clear(&picture);
    hrr_free(bytes);
    return status;
}

/* ---- resizing and writing -------------------------------------------------------------------- */

static vips_image *image_of(const hrr_vips *vips, const hrr_picture *picture)
{
    return vips->vips_image_new_from_memory(
        picture->rgb, (size_t)picture->width * picture->height * 3, (int)picture->width,
        (int)picture->height, 3, hrr_vips_format_uchar);
}

hrr_status hrr_picture_resize(hrr_picture *out, const hrr_vips *vips, const hrr_picture *picture,
                              uint32_t width, uint32_t height, hrr_error *err)
{
    hrr_picture resized = {.full_width = picture->full_width, .full_height = picture->full_height};
    vips_image *image = image_of(vips, picture), *scaled = NULL;
    hrr_status status = HRR_OK;
    *out = (hrr_picture){0};
    if (!image || vips->vips_resize(image, &scaled, (double)width / picture->width, "vscale",
                                    (double)height / picture->height, "kernel",
                                    hrr_vips_kernel_linear, NULL)) {
        status = refused(vips, "a picture", "cannot be resized", err);
        goto done;
    }
    if ((status = take_pixels(&resized, vips, scaled, "a picture", err))) goto done;
    if (resized.width != width || resized.height != height) {
        status = hrr_fail(err, HRR_EDATA,
                          "a picture of %" PRIu32 " x %" PRIu32 " cannot be resized to %" PRIu32
                          " x %" PRIu32,
                          picture->width, picture->height, width, height);
        goto done;
    }
    *out = resized;
    resized = (hrr_picture){0};
done:
    drop(vips, scaled);
    drop(vips, image);
    hrr_picture_clear(&resized);
    return status;
}

hrr_status hrr_picture_write_png(const hrr_picture *picture, const hrr_vips *vips, const char *path,
                                 hrr_error *err)
{
    vips_image *image = image_of(vips, picture);
    hrr_output *output = NULL;
    void *png = NULL;
    size_t size = 0;
    hrr_status status = HRR_OK;
    if (!image || vips->vips_pngsave_buffer(image, &png, &size, NULL))
        status = refused(vips, path, "cannot be written as PNG", err);
    if (!status) status = hrr_output_open(&output, path, err);
    if (!status) status = hrr_output_write(output, png, size, err);
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    vips->g_free(png);
    drop(vips, image);
    return status;
}
