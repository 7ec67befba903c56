/* faces.c: see faces.h.
 *
 * RetinaFace looks at a picture in three grids, with a place every 32, 16 and 8 pixels. At each
 * place there are two square anchors, of 16 s pixels for two scales s of the grid. The network says
 * for each anchor how sure it is of a face (p) and how the face's box differs from it:
 *   centre = anchor centre + (dx, dy) * anchor side,   side = anchor side * exp(dw, dh).
 * The anchors of the place (row i, column j) are centred at 8 + stride * (j, i): the base anchor is
 * 16 pixels wide at the origin, whatever the grid. Boxes of the three grids compete together.
 * (Deng et al., "RetinaFace: Single-Shot Multi-Level Face Localisation in the Wild", CVPR 2020, and
 * the configuration of its MobileNet-0.25 version: RAC_SSH with strides 32, 16, 8.) */
#include "vision/faces.h"
#include "vision/profile.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { base_side = 16 };

static const uint32_t strides[HRR_FACE_STRIDES] = {32, 16, 8};

static double anchor_side(uint32_t stride, size_t anchor)
{
    /* 512 and 256, 128 and 64, 32 and 16 pixels: a quarter of the side for each smaller grid. */
    static const double scales[HRR_FACE_STRIDES][HRR_FACE_ANCHORS] = {{32, 16}, {8, 4}, {2, 1}};
    size_t grid = 0;
    while (grid + 1 < HRR_FACE_STRIDES && strides[grid] != stride)
        grid++;
    return base_side * scales[grid][anchor];
}

hrr_status hrr_face_decode(hrr_boxes *boxes, const hrr_face_map *map, double least_score,
                           hrr_error *err)
{
    const double most_growth = 4; /* exp(4) = 55 anchors: beyond any face, before overflow */
    const size_t n = (size_t)map->rows * map->cols;
    hrr_status status = HRR_OK;
    for (size_t anchor = 0; anchor < HRR_FACE_ANCHORS; anchor++) {
        const float *score = map->scores + (HRR_FACE_ANCHORS + anchor) * n;
        const float *shift = map->shifts + 4 * anchor * n;
        const double side = anchor_side(map->stride, anchor);
        for (size_t at = 0; at < n && !status; at++) {
            if (!(score[at] >= least_score)) continue; /* NaN is no face either */
            const double x = base_side / 2.0 + (double)(map->stride * (at % map->cols)) +
                             (double)shift[at] * side;
            const double y = base_side / 2.0 + (double)(map->stride * (at / map->cols)) +
                             (double)shift[n + at] * side;
            const double half_width = side * exp(fmin(shift[2 * n + at], most_growth)) / 2;
            const double half_height = side * exp(fmin(shift[3 * n + at], most_growth)) / 2;
            if (!isfinite(x + y + half_width + half_height)) continue;
            status = hrr_boxes_add(boxes,
                                   (hrr_box){.left = x - half_width,
                                             .top = y - half_height,
                                             .right = x + half_width,
                                             .bottom = y + half_height,
                                             .score = score[at]},
                                   err);
        }
    }
    return status;
}

/* ---- the detector ---------------------------------------------------------------------------- */

struct hrr_faces {
    hrr_network *network;
    hrr_profile profile; /* of its input: all of the picture, at the top left */
    hrr_faces_options options;
    size_t outputs[2 * HRR_FACE_STRIDES]; /* scores and shifts of each stride */
};

static hrr_status find_outputs(hrr_faces *faces, const char *path, hrr_error *err)
{
    static const char *const kinds[] = {"cls_prob_reshape", "bbox_pred"};
    for (size_t i = 0; i < 2 * HRR_FACE_STRIDES; i++) {
        char name[64];
        snprintf(name, sizeof name, "face_rpn_%s_stride%u", kinds[i % 2], (unsigned)strides[i / 2]);
        faces->outputs[i] = hrr_network_find_output(faces->network, name);
        if (faces->outputs[i] == hrr_network_n_outputs(faces->network))
            return hrr_fail(
                err, HRR_EDATA,
                "%s: has no output %s, so it is not the RetinaFace network that heterorr supports. "
                "Run your detector yourself and give its boxes as a file (`regions`)",
                path, name);
    }
    return HRR_OK;
}

static hrr_status find_input(hrr_faces *faces, const char *path, hrr_error *err)
{
    const uint32_t side_if_open = 640;
    const hrr_tensor_port *input = hrr_network_input(faces->network, 0);
    const int64_t *dims = input->shape.dims;
    char shape[128];
    bool fits = hrr_network_n_inputs(faces->network) == 1 && input->is_f32 &&
                input->shape.n_dims == 4 && (dims[0] == 1 || dims[0] < 0) && dims[1] == 3;
    for (int i = 2; i < 4 && fits; i++) /* the coarsest grid must fill it exactly */
        fits = dims[i] < 0 || (dims[i] >= strides[0] && dims[i] <= HRR_PROFILE_MOST_SIDE &&
                               dims[i] % strides[0] == 0);
    if (!fits) {
        hrr_tensor_shape_text(shape, sizeof shape, &input->shape);
        return hrr_fail(err, HRR_EDATA,
                        "%s: the input of a face detector must be 1 x 3 x height x width of "
                        "float32, with sides that are multiples of %u; this one takes %s",
                        path, (unsigned)strides[0], shape);
    }
    faces->profile = (hrr_profile){.height = dims[2] < 0 ? side_if_open : (uint32_t)dims[2],
                                   .width = dims[3] < 0 ? side_if_open : (uint32_t)dims[3],
                                   .fit = HRR_FIT_PAD,
                                   .scale = 1,
                                   .deviation = {1, 1, 1}};
    return HRR_OK;
}

hrr_status hrr_faces_read(hrr_faces **out, const hrr_runtime *runtime, const char *path,
                          const hrr_faces_options *options, hrr_error *err)
{
    *out = NULL;
    hrr_faces *faces = hrr_alloc_zero(1, sizeof *faces);
    if (!faces) return hrr_no_memory(err);
    faces->options = *options;
    hrr_status status = hrr_network_read(&faces->network, runtime, path, NULL, err);
    if (!status) status = find_outputs(faces, path, err);
    if (!status) status = find_input(faces, path, err);
    if (status) {
        hrr_faces_free(faces);
        return status;
    }
    *out = faces;
    return HRR_OK;
}

void hrr_faces_free(hrr_faces *faces)
{
    if (!faces) return;
    hrr_network_free(faces->network);
    hrr_free(faces);
}

static bool has_shape(const hrr_answer *answer, int64_t channels, const hrr_face_map *map)
{
    const int64_t *dims = answer->shape.dims;
    return answer->shape.n_dims == 4 && dims[0] == 1 && dims[1] == channels &&
           dims[2] == map->rows && dims[3] == map->cols;
}

static hrr_status decode_all(hrr_boxes *boxes, const hrr_faces *faces, const hrr_answer *answers,
                             hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (size_t i = 0; i < HRR_FACE_STRIDES && !status; i++) {
        const hrr_answer *scores = &answers[2 * i], *shifts = &answers[2 * i + 1];
        const hrr_face_map map = {strides[i], faces->profile.height / strides[i],
                                  faces->profile.width / strides[i], scores->data, shifts->data};
        if (!has_shape(scores, 2 * HRR_FACE_ANCHORS, &map) ||
            !has_shape(shifts, 4 * HRR_FACE_ANCHORS, &map))
            return hrr_fail(err, HRR_EDATA,
                            "the outputs of the face detector for stride %u do not have the shapes "
                            "of RetinaFace",
                            (unsigned)strides[i]);
        status = hrr_face_decode(boxes, &map, faces->options.least_score, err);
    }
    return status;
}

/* From the network's input to the file's picture; what lies outside goes. */
static void to_picture(hrr_boxes *boxes, const hrr_faces *faces, const hrr_picture *picture)
{
    const double across = (double)faces->profile.width / picture->width;
    const double down = (double)faces->profile.height / picture->height;
    const double shrunk = fmin(across, down);
    const double wider = picture->full_width / (picture->width * shrunk);
    const double higher = picture->full_height / (picture->height * shrunk);
    size_t kept = 0;
    for (size_t i = 0; i < boxes->n; i++) {
        hrr_box box = boxes->items[i];
        box.left *= wider, box.right *= wider;
        box.top *= higher, box.bottom *= higher;
        if (hrr_box_clip(&box, picture->full_width, picture->full_height))
            boxes->items[kept++] = box;
    }
    boxes->n = kept;
}

hrr_status hrr_faces_find(hrr_boxes *out, const hrr_faces *faces, const hrr_vips *vips,
                          const hrr_picture *picture, hrr_error *err)
{
    const hrr_tensor_shape shape = {4, {1, 3, faces->profile.height, faces->profile.width}};
    hrr_answer answers[2 * HRR_FACE_STRIDES] = {0};
    hrr_boxes boxes = {0};
    *out = (hrr_boxes){0};
    float *input =
        hrr_alloc(3, (size_t)faces->profile.height * faces->profile.width * sizeof *input);
    hrr_status status = input ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_profile_apply(input, &faces->profile, vips, picture, err);
    if (!status)
        status = hrr_network_run(answers, faces->network, input, &shape, faces->outputs,
                                 2 * HRR_FACE_STRIDES, err);
    if (!status) status = decode_all(&boxes, faces, answers, err);
    if (!status) {
        hrr_boxes_keep_best(&boxes, faces->options.most_overlap);
        to_picture(&boxes, faces, picture);
        *out = boxes;
        boxes = (hrr_boxes){0};
    }
    for (size_t i = 0; i < 2 * HRR_FACE_STRIDES; i++)
        hrr_answer_clear(&answers[i], faces->network);
    hrr_boxes_clear(&boxes);
    hrr_free(input);
    return status;
}
