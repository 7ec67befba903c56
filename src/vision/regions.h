/* regions.h: boxes to mask that come from a file: what another detector found, or a person drew. */
#ifndef HRR_VISION_REGIONS_H
#define HRR_VISION_REGIONS_H

#include "vision/boxes.h"
#include "graph/name_index.h"

/* Boxes of n pictures. All zero bytes is none. */
typedef struct hrr_regions {
    const char *path; /* not owned */
    hrr_boxes *boxes; /* of each picture */
    uint64_t **lines; /* of each box: where it stands in the file */
    uint64_t n;
} hrr_regions;

/* A csv with a header: picture, left, top, right, bottom, in pixels of the upright picture; a
 * column score and others may follow. boxes.csv of hrr_embed() is such a file.
 * Errors: HRR_EDATA names the line: a picture that `names` does not have, a box without area; a
 *         missing column; HRR_EIO. */
HRR_STATUS hrr_regions_read(hrr_regions *out, const char *path, const hrr_name_index *names,
                            hrr_error *err);
void hrr_regions_clear(hrr_regions *regions);

/* The boxes of picture i, clipped to it. Errors: HRR_EDATA for a box that lies outside; HRR_ENOMEM.
 */
HRR_STATUS hrr_regions_find(hrr_boxes *out, const hrr_regions *regions, uint64_t i,
                            const char *name, const hrr_picture *picture, hrr_error *err);

#endif
