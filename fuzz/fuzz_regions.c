/* fuzz_regions: boxes from a file, and what they mask. A box that is found lies inside its picture,
 * and masking writes to nothing else. */
#include "fuzz_input.h"

#include "vision/regions.h"

#include <string.h>

enum { width = 7, height = 5 };

static void check(const hrr_regions *regions, uint64_t i)
{
    static const uint8_t grey[3] = {1, 2, 3};
    hrr_error err;
    hrr_boxes boxes;
    uint8_t *rgb = malloc(width * height * 3); /* of this size, so that the sanitizer sees beyond */
    if (!rgb) abort();
    memset(rgb, 0, width * height * 3);
    hrr_picture picture = {width, height, rgb, 3 * width, 2 * height};
    if (hrr_regions_find(&boxes, regions, i, "picture", &picture, &err) == HRR_OK) {
        for (size_t j = 0; j < boxes.n; j++) {
            const hrr_box *b = &boxes.items[j];
            if (!(b->left >= 0 && b->left < b->right && b->right <= 3 * width && b->top >= 0 &&
                  b->top < b->bottom && b->bottom <= 2 * height))
                abort();
        }
        hrr_boxes_mask(&picture, &boxes, 0.3, grey);
        hrr_boxes_keep_best(&boxes, 0.4);
        hrr_boxes_clear(&boxes);
    }
    free(rgb);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    hrr_name_index names = {0};
    hrr_regions regions;
    hrr_error err;
    bool fresh;
    if (hrr_name_index_add(&names, "a.png", 0, &fresh, &err) ||
        hrr_name_index_add(&names, "in/b.jpg", 1, &fresh, &err))
        abort();
    if (hrr_regions_read(&regions, fuzz_path(bytes, size), &names, &err) == HRR_OK) {
        check(&regions, 0);
        check(&regions, 1);
        hrr_regions_clear(&regions);
    }
    hrr_name_index_clear(&names);
    return 0;
}
