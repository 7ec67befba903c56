/* profile.c: see profile.h. */
#include "vision/profile.h"

#include "base/memory.h"
#include "base/names.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the built-in ones ------------------------------------------------------------------------
 */

/* How the ImageNet ResNet-50s that people export were trained to see. torchvision, timm and the
 * ONNX model zoo: https://pytorch.org/vision/stable/models/generated/torchvision.models.resnet50;
 * Keras: keras.applications.resnet.preprocess_input ("caffe" mode) and resnet_v2 ("tf" mode). */
static const struct {
    const char *name;
    hrr_profile profile;
} built_in[] = {
    {"resnet50-torchvision",
     {.width = 224,
      .height = 224,
      .fit = HRR_FIT_CROP,
      .resize = 256,
      .scale = 1.0 / 255,
      .mean = {0.485, 0.456, 0.406},
      .deviation = {0.229, 0.224, 0.225},
      .n_features = 2048}},
    {"resnet50-keras",
     {.width = 224,
      .height = 224,
      .fit = HRR_FIT_STRETCH,
      .scale = 1,
      .mean = {103.939, 116.779, 123.68},
      .deviation = {1, 1, 1},
      .bgr = true,
      .channels_last = true,
      .n_features = 2048}},
    {"resnet50v2-keras",
     {.width = 224,
      .height = 224,
      .fit = HRR_FIT_STRETCH,
      .scale = 1 / 127.5,
      .mean = {1, 1, 1},
      .deviation = {1, 1, 1},
      .channels_last = true,
      .n_features = 2048}},
};

const char *hrr_profile_name_at(size_t i)
{
    return i < sizeof built_in / sizeof *built_in ? built_in[i].name : NULL;
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

typedef struct reading {
    const char *path;
    json_t *json;
    hrr_error *err;
} reading;

static hrr_status wrong(const reading *in, const char *member, const char *must)
{
    return hrr_fail(in->err, HRR_EDATA, "%s: %s must be %s", in->path, member, must);
}

static hrr_status read_side(uint32_t *out, const reading *in, const json_t *value,
                            const char *member, uint32_t least)
{
    if (!json_is_integer(value) || json_integer_value(value) < (json_int_t)least ||
        json_integer_value(value) > HRR_PROFILE_MOST_SIDE)
        return hrr_fail(in->err, HRR_EDATA,
                        "%s: %s must be a whole number of pixels from %" PRIu32 " to %d", in->path,
                        member, least, HRR_PROFILE_MOST_SIDE);
    *out = (uint32_t)json_integer_value(value);
    return HRR_OK;
}

/* One number for both sides, or [height, width] as tensors have it. */
static hrr_status read_size(hrr_profile *out, const reading *in)
{
    const json_t *value = json_object_get(in->json, "size");
    if (!value) return HRR_OK;
    const bool both = json_is_array(value);
    if (both && json_array_size(value) != 2)
        return wrong(in, "size", "one number, or [height, width]");
    hrr_status status =
        read_side(&out->height, in, both ? json_array_get(value, 0) : value, "size", 1);
    if (status) return status;
    return read_side(&out->width, in, both ? json_array_get(value, 1) : value, "size", 1);
}

static bool is_finite_number(const json_t *value)
{
    return json_is_number(value) && isfinite(json_number_value(value));
}

/* One number for all channels, or three. */
static hrr_status read_channels(double out[3], const reading *in, const char *member, bool positive)
{
    const json_t *value = json_object_get(in->json, member);
    const char *must = positive ? "a positive number, or three of them" : "a number, or three";
    if (!value) return HRR_OK;
    if (json_is_array(value) && json_array_size(value) != 3) return wrong(in, member, must);
    for (size_t c = 0; c < 3; c++) {
        const json_t *item = json_is_array(value) ? json_array_get(value, c) : value;
        if (!is_finite_number(item) || (positive && json_number_value(item) <= 0))
            return wrong(in, member, must);
        out[c] = json_number_value(item);
    }
    return HRR_OK;
}

/* Where the member's word stands in `words`, which ends with NULL. */
static hrr_status read_word(int *out, const reading *in, const char *member,
                            const char *const *words, const char *must)
{
    const json_t *value = json_object_get(in->json, member);
    if (!value) return HRR_OK;
    for (int i = 0; words[i] && json_is_string(value); i++)
        if (strcmp(words[i], json_string_value(value)) == 0) {
            *out = i;
            return HRR_OK;
        }
    return wrong(in, member, must);
}

static hrr_status read_output(hrr_profile *out, const reading *in)
{
    const json_t *value = json_object_get(in->json, "output");
    if (!value) return HRR_OK;
    const char *name = json_string_value(value);
    if (!name || strlen(name) >= sizeof out->output || json_string_length(value) != strlen(name))
        return wrong(in, "output", "the name of a tensor in the network");
    memcpy(out->output, name, strlen(name) + 1);
    return HRR_OK;
}

static hrr_status read_scale(hrr_profile *out, const reading *in)
{
    const json_t *value = json_object_get(in->json, "scale");
    if (!value) return HRR_OK;
    if (!is_finite_number(value) || json_number_value(value) <= 0)
        return wrong(in, "scale", "a positive number; 1 leaves 0..255 as they are");
    out->scale = json_number_value(value);
    return HRR_OK;
}

static hrr_status read_features(hrr_profile *out, const reading *in)
{
    const json_t *value = json_object_get(in->json, "features");
    if (!value) return HRR_OK;
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        json_integer_value(value) > 1 << 20)
        return wrong(in, "features", "the number of features, or 0 for any number");
    out->n_features = (uint32_t)json_integer_value(value);
    return HRR_OK;
}

static hrr_status read_like(hrr_profile *out, const reading *in)
{
    const json_t *value = json_object_get(in->json, "like");
    size_t i = 0;
    if (value) {
        i = hrr_names_find(hrr_profile_name_at, json_string_value(value));
        if (!hrr_profile_name_at(i))
            return wrong(in, "like", "resnet50-torchvision, resnet50-keras or resnet50v2-keras");
    }
    *out = built_in[i].profile;
    if (!value) out->n_features = 0; /* torchvision's pictures, of a network of any width */
    return HRR_OK;
}

static hrr_status check_members(const reading *in)
{
    static const char *const known[] = {"like",   "size",     "fit",    "resize",
                                        "scale",  "mean",     "std",    "channels",
                                        "layout", "features", "output", "comment"};
    const char *key;
    json_t *value;
    json_object_foreach(in->json, key, value)
    {
        size_t i = 0;
        while (i < sizeof known / sizeof *known && strcmp(key, known[i]) != 0)
            i++;
        if (i == sizeof known / sizeof *known)
            return hrr_fail(
                in->err, HRR_EDATA,
                "%s: '%.80s' is not a field of a profile; the fields are like, size, fit, resize, "
                "scale, mean, std, channels, layout, features, output, comment",
                in->path, key);
    }
    return HRR_OK;
}

static hrr_status read_members(hrr_profile *out, const reading *in)
{
    static const char *const fits[] = {"crop", "stretch", "pad", NULL};
    static const char *const orders[] = {"rgb", "bgr", NULL};
    static const char *const layouts[] = {"nchw", "nhwc", NULL};
    hrr_status status = check_members(in);
    if (!status) status = read_like(out, in);
    if (status) return status;
    int fit = (int)out->fit, order = out->bgr, layout = out->channels_last;
    if ((status = read_size(out, in)) || (status = read_scale(out, in)) ||
        (status = read_word(&fit, in, "fit", fits, "\"crop\", \"stretch\" or \"pad\"")) ||
        (status = read_word(&order, in, "channels", orders, "\"rgb\" or \"bgr\"")) ||
        (status = read_word(&layout, in, "layout", layouts, "\"nchw\" or \"nhwc\"")) ||
        (status = read_channels(out->mean, in, "mean", false)) ||
        (status = read_channels(out->deviation, in, "std", true)) ||
        (status = read_features(out, in)) || (status = read_output(out, in)))
        return status;
    out->fit = (hrr_picture_fit)fit;
    out->bgr = order != 0;
    out->channels_last = layout != 0;
    const uint32_t least = out->width > out->height ? out->width : out->height;
    const json_t *resize = json_object_get(in->json, "resize");
    if (resize) return read_side(&out->resize, in, resize, "resize", least);
    if (out->resize < least) out->resize = least;
    return HRR_OK;
}

hrr_status hrr_profile_read(hrr_profile *out, const char *path, hrr_error *err)
{
    json_error_t why;
    reading in = {path, json_load_file(path, JSON_REJECT_DUPLICATES, &why), err};
    if (!in.json && json_error_code(&why) == json_error_cannot_open_file)
        return hrr_fail(err, HRR_EIO, "%s: cannot be read", path);
    if (!in.json)
        return hrr_fail(err, HRR_EDATA, "%s:%d: is not JSON: %s", path, why.line, why.text);
    hrr_profile profile = {0};
    hrr_status status = json_is_object(in.json)
                            ? read_members(&profile, &in)
                            : hrr_fail(err, HRR_EDATA, "%s: is not a JSON object", path);
    json_decref(in.json);
    if (!status) *out = profile;
    return status;
}

hrr_status hrr_profile_choose(hrr_profile *out, const char *told, const char *model, hrr_error *err)
{
    struct stat there;
    size_t i = hrr_names_find(hrr_profile_name_at, told);
    if (hrr_profile_name_at(i)) {
        *out = built_in[i].profile;
        return HRR_OK;
    }
    if (told) return hrr_profile_read(out, told, err);
    const char *ending = strrchr(model, '.'), *slash = strrchr(model, '/');
    size_t stem = ending && (!slash || ending > slash) ? (size_t)(ending - model) : strlen(model);
    char *path = hrr_format_text("%.*s.json", (int)stem, model);
    if (!path) return hrr_no_memory(err);
    hrr_status status;
    if (stat(path, &there) == 0)
        status = hrr_profile_read(out, path, err);
    else
        status = hrr_fail(
            err, HRR_EINVAL,
            "%s does not describe its input; put a profile beside it as %s, or name one "
            "(`profile`): a JSON file, or resnet50-torchvision, resnet50-keras, resnet50v2-keras",
            model, path);
    hrr_free(path);
    return status;
}

/* ---- pixels to numbers -------------------------------------------------------------------------
 */

/* Where the picture goes: resized to width x height, pixel (x, y) of the input is its pixel
 * (x + left, y + top), or neutral where that is outside. */
typedef struct placing {
    uint32_t width, height, left, top;
} placing;

static uint32_t scaled(uint32_t side, double factor)
{
    double result = floor(side * factor + 0.5);
    return result < 1 ? 1 : (uint32_t)result;
}

static placing place(const hrr_profile *profile, const hrr_picture *picture)
{
    placing at = {.width = profile->width, .height = profile->height};
    if (profile->fit == HRR_FIT_STRETCH) return at;
    const double across = (double)profile->width / picture->width;
    const double down = (double)profile->height / picture->height;
    const uint32_t short_side = picture->width < picture->height ? picture->width : picture->height;
    const double factor =
        profile->fit == HRR_FIT_PAD ? fmin(across, down) : (double)profile->resize / short_side;
    at.width = scaled(picture->width, factor);
    at.height = scaled(picture->height, factor);
    if (profile->fit == HRR_FIT_PAD) { /* rounding must not push it over the edge */
        if (at.width > profile->width) at.width = profile->width;
        if (at.height > profile->height) at.height = profile->height;
        return at;
    }
    at.left = (at.width - profile->width) / 2;
    at.top = (at.height - profile->height) / 2;
    return at;
}

static void fill(float *out, const hrr_profile *profile, const hrr_picture *resized, placing at)
{
    const size_t width = profile->width, height = profile->height;
    for (size_t c = 0; c < 3; c++) {
        const size_t from = profile->bgr ? 2 - c : c;
        float table[256];
        for (int v = 0; v < 256; v++)
            table[v] = (float)((v * profile->scale - profile->mean[c]) / profile->deviation[c]);
        float *to = out + (profile->channels_last ? c : c * width * height);
        const size_t step = profile->channels_last ? 3 : 1;
        for (size_t y = 0; y < height; y++)
            for (size_t x = 0; x < width; x++, to += step) {
                const size_t px = x + at.left, py = y + at.top;
                const bool inside = px < resized->width && py < resized->height;
                *to = inside ? table[resized->rgb[(py * resized->width + px) * 3 + from]] : 0;
            }
    }
}

hrr_status hrr_profile_apply(float *out, const hrr_profile *profile, const hrr_vips *vips,
                             const hrr_picture *picture, hrr_error *err)
{
    hrr_picture resized = {0};
    const uint64_t most_pixels = UINT64_C(1) << 26;
    const placing at = place(profile, picture);
    /* A sliver: its short side would make the long one gigantic. */
    if ((uint64_t)at.width * at.height > most_pixels)
        return hrr_fail(err, HRR_EDATA,
                        "a picture of %" PRIu32 " x %" PRIu32
                        " pixels is too long and narrow to be cropped; set \"fit\": \"pad\" in the "
                        "profile to shrink it instead",
                        picture->width, picture->height);
    if (at.width == picture->width && at.height == picture->height) {
        fill(out, profile, picture, at);
        return HRR_OK;
    }
    hrr_status status = hrr_picture_resize(&resized, vips, picture, at.width, at.height, err);
    if (!status) fill(out, profile, &resized, at);
    hrr_picture_clear(&resized);
    return status;
}

void hrr_profile_neutral(uint8_t rgb[3], const hrr_profile *profile)
{
    for (int c = 0; c < 3; c++) {
        double value = profile->mean[c] / profile->scale;
        value = value < 0 ? 0 : value > 255 ? 255 : value;
        rgb[profile->bgr ? 2 - c : c] = (uint8_t)lround(value);
    }
}
