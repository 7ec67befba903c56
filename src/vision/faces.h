/* faces.h: faces in pictures, by RetinaFace (Deng et al., CVPR 2020): the network itself, and what
 * its outputs mean. */
#ifndef HRR_VISION_FACES_H
#define HRR_VISION_FACES_H

#include "vision/boxes.h"
#include "vision/runtime.h"

enum { HRR_FACE_STRIDES = 3, HRR_FACE_ANCHORS = 2 };

/* The outputs for one stride: at each of rows x cols places, two anchors. */
typedef struct hrr_face_map {
    uint32_t stride, rows, cols;
    const float *scores; /* 4 x rows x cols: no face for both anchors, then a face for both */
    const float *shifts; /* 8 x rows x cols: dx, dy, dw, dh of each anchor */
} hrr_face_map;

/* Add the boxes that are at least `least_score` sure, in pixels of the network's input.
 * Errors: HRR_ENOMEM. */
HRR_STATUS hrr_face_decode(hrr_boxes *boxes, const hrr_face_map *map, double least_score,
                           hrr_error *err);

/* A detector. */
typedef struct hrr_faces hrr_faces;

typedef struct hrr_faces_options {
    double least_score;  /* 0..1 */
    double most_overlap; /* of two boxes that are both kept, as area in common over area of both */
} hrr_faces_options;

/* Errors: HRR_EDATA for a network that is not RetinaFace with nine outputs, saying what it has
 *         instead; those of hrr_network_read(). */
HRR_STATUS hrr_faces_read(hrr_faces **out, const hrr_runtime *runtime, const char *path,
                          const hrr_faces_options *options, hrr_error *err);
void hrr_faces_free(hrr_faces *faces);

/* The faces of a picture, surest first, clipped to it. Safe from several threads at a time. */
HRR_STATUS hrr_faces_find(hrr_boxes *out, const hrr_faces *faces, const hrr_vips *vips,
                          const hrr_picture *picture, hrr_error *err);

#endif
