/* boxes.h: regions of a picture. */
#ifndef HRR_VISION_BOXES_H
#define HRR_VISION_BOXES_H

#include "vision/picture.h"

/* In pixels of the upright picture as its file has it: pixel (x, y) covers x..x+1, y..y+1. */
typedef struct hrr_box {
    double left, top, right, bottom;
    double score; /* how sure the detector is, 0..1 */
} hrr_box;

/* All zero bytes is none. */
typedef struct hrr_boxes {
    hrr_box *items;
    size_t n, room;
} hrr_boxes;

HRR_STATUS hrr_boxes_add(hrr_boxes *boxes, hrr_box box, hrr_error *err);
void hrr_boxes_clear(hrr_boxes *boxes);

/* Area in common over area of both together; 0 for boxes without area. */
double hrr_box_overlap(const hrr_box *a, const hrr_box *b);

/* Non-maximum suppression: the surest first, and of boxes that overlap a surer one by more than
 * `most_overlap` none. Cost: O(n log n + n k) for k that stay. */
void hrr_boxes_keep_best(hrr_boxes *boxes, double most_overlap);

/* What of the box lies inside a picture of this size; false: nothing. */
bool hrr_box_clip(hrr_box *box, double width, double height);

/* Fill the boxes, each grown by `margin` of its width and height on every side, with one colour.
 * Whole pixels: one that a box touches is filled. */
void hrr_boxes_mask(hrr_picture *picture, const hrr_boxes *boxes, double margin,
                    const uint8_t rgb[3]);

#endif
