/* fuzz_profile: the profile of a network. What is accepted must be safe to use: sides within
 * bounds, deviations that can be divided by, a picture that becomes finite numbers. */
#include "fuzz_input.h"

#include "vision/profile.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    hrr_profile profile;
    hrr_error err;
    uint8_t rgb[3];
    float out[3];
    if (hrr_profile_read(&profile, fuzz_path(bytes, size), &err)) return 0;
    const uint32_t longer = profile.width > profile.height ? profile.width : profile.height;
    if (profile.width < 1 || profile.height < 1 || longer > HRR_PROFILE_MOST_SIDE) abort();
    if (profile.fit == HRR_FIT_CROP && profile.resize < longer) abort();
    hrr_profile_neutral(rgb, &profile);
    profile.width = profile.height = profile.resize = 1; /* nothing to resize: no libvips */
    const hrr_picture picture = {1, 1, rgb, 1, 1};
    if (hrr_profile_apply(out, &profile, NULL, &picture, &err)) abort();
    for (int c = 0; c < 3; c++)
        if (isnan(out[c])) abort();
    return 0;
}
