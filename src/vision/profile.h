/* profile.h: what a network wants its pictures to be: size, crop, channels, numbers; and which of
 * its tensors are the features. Networks do not say it themselves. */
#ifndef HRR_VISION_PROFILE_H
#define HRR_VISION_PROFILE_H

#include "vision/picture.h"

typedef enum hrr_picture_fit {
    HRR_FIT_CROP = 0, /* resize the short side to `resize`, cut the middle out */
    HRR_FIT_STRETCH,  /* to the size, whatever that does to the proportions */
    HRR_FIT_PAD       /* all of it at the top left, the rest filled with the mean */
} hrr_picture_fit;

enum { HRR_PROFILE_NAME = 256, HRR_PROFILE_MOST_SIDE = 4096 };

/* A value v of channel c, 0..255, becomes (v * scale - mean[c]) / deviation[c]; c counts in the
 * order in which the network has the channels. */
typedef struct hrr_profile {
    uint32_t width, height;
    hrr_picture_fit fit;
    uint32_t resize; /* of HRR_FIT_CROP: at least the larger of width and height */
    double scale, mean[3], deviation[3];
    bool bgr;                      /* blue comes first */
    bool channels_last;            /* N x H x W x C instead of N x C x H x W */
    uint32_t n_features;           /* that the output must have; 0: whatever it has */
    char output[HRR_PROFILE_NAME]; /* the tensor that is the features; "": the only output. Feature
                                      maps are averaged over the picture. */
} hrr_profile;

/* The built-in profiles by name; NULL after the last. */
const char *hrr_profile_name_at(size_t i);

/* `told` (may be NULL): a built-in profile's name or a JSON file; otherwise the file beside the
 * model, MODEL.json for MODEL.onnx.
 * Errors: HRR_EINVAL if there is neither (`profile`), HRR_EDATA naming the member, HRR_EIO. */
HRR_STATUS hrr_profile_choose(hrr_profile *out, const char *told, const char *model,
                              hrr_error *err);

/* One JSON object; members that are absent are those of the profile that "like" names, or of
 * torchvision's. */
HRR_STATUS hrr_profile_read(hrr_profile *out, const char *path, hrr_error *err);

/* The picture as the network wants it: height * width * 3 numbers. */
HRR_STATUS hrr_profile_apply(float *out, const hrr_profile *profile, const hrr_vips *vips,
                             const hrr_picture *picture, hrr_error *err);

/* The colour that becomes 0 in every channel, as near as 8 bits come: it tells the network nothing.
 */
void hrr_profile_neutral(uint8_t rgb[3], const hrr_profile *profile);

#endif
