/* RetinaFace's outputs to boxes, without the network. */
#include "support/check.h"

#include "vision/faces.h"

#include <math.h>

enum { rows = 3, cols = 4, n = rows * cols };

/* No face anywhere; shifts 0. */
typedef struct maps {
    float scores[4 * n], shifts[8 * n];
} maps;

static hrr_face_map map_of(maps *m, uint32_t stride)
{
    memset(m, 0, sizeof *m);
    return (hrr_face_map){stride, rows, cols, m->scores, m->shifts};
}

static float *score_of(maps *m, int anchor, int row, int col)
{
    return &m->scores[(2 + anchor) * n + row * cols + col];
}

static float *shift_of(maps *m, int anchor, int which, int row, int col)
{
    return &m->shifts[(4 * anchor + which) * n + row * cols + col];
}

static hrr_box only(const hrr_boxes *boxes)
{
    assert_int_equal(boxes->n, 1);
    return boxes->items[0];
}

static void test_faces__an_anchor_stands_at_its_place_in_its_size(void **state)
{
    (void)state;
    const struct {
        uint32_t stride;
        int anchor;
        double side;
    } cases[] = {{32, 0, 512}, {32, 1, 256}, {16, 0, 128}, {16, 1, 64}, {8, 0, 32}, {8, 1, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        maps m;
        hrr_face_map map = map_of(&m, cases[i].stride);
        hrr_boxes boxes = {0};
        *score_of(&m, cases[i].anchor, 2, 1) = 0.75f;
        assert_ok(hrr_face_decode(&boxes, &map, 0.5, NULL));
        const hrr_box box = only(&boxes);
        const double x = 8 + cases[i].stride, y = 8 + 2 * cases[i].stride;
        assert_float_equal(box.left, x - cases[i].side / 2, 1e-9);
        assert_float_equal(box.right, x + cases[i].side / 2, 1e-9);
        assert_float_equal(box.top, y - cases[i].side / 2, 1e-9);
        assert_float_equal(box.bottom, y + cases[i].side / 2, 1e-9);
        assert_float_equal(box.score, 0.75, 1e-6);
        hrr_boxes_clear(&boxes);
    }
}

static void test_faces__shifts_move_and_stretch_the_anchor(void **state)
{
    (void)state;
    maps m;
    hrr_face_map map = map_of(&m, 16);
    hrr_boxes boxes = {0};
    *score_of(&m, 1, 0, 3) = 0.9f;
    *shift_of(&m, 1, 0, 0, 3) = 0.5f;   /* half an anchor of 64 to the right */
    *shift_of(&m, 1, 1, 0, 3) = -0.25f; /* and a quarter up */
    *shift_of(&m, 1, 2, 0, 3) = logf(2);
    *shift_of(&m, 1, 3, 0, 3) = logf(0.5f);
    assert_ok(hrr_face_decode(&boxes, &map, 0.5, NULL));
    const hrr_box box = only(&boxes);
    assert_float_equal(box.left, 56 + 32 - 64, 1e-4);
    assert_float_equal(box.right, 56 + 32 + 64, 1e-4);
    assert_float_equal(box.top, 8 - 16 - 16, 1e-4);
    assert_float_equal(box.bottom, 8 - 16 + 16, 1e-4);
    hrr_boxes_clear(&boxes);
}

static void test_faces__what_is_less_sure_is_no_face(void **state)
{
    (void)state;
    maps m;
    hrr_face_map map = map_of(&m, 8);
    hrr_boxes boxes = {0};
    *score_of(&m, 0, 0, 0) = 0.49f;
    m.scores[0] = 1; /* surely no face: not to be taken for a face */
    assert_ok(hrr_face_decode(&boxes, &map, 0.5, NULL));
    assert_int_equal(boxes.n, 0);
}

static void test_faces__numbers_that_are_none_make_no_box(void **state)
{
    (void)state;
    maps m;
    hrr_face_map map = map_of(&m, 8);
    hrr_boxes boxes = {0};
    *score_of(&m, 0, 0, 0) = NAN;
    *score_of(&m, 0, 1, 0) = 0.9f;
    *shift_of(&m, 0, 0, 1, 0) = INFINITY;
    *score_of(&m, 0, 2, 0) = 0.9f;
    *shift_of(&m, 0, 2, 2, 0) =
        1e30f; /* exp() of it is not finite: the box is as wide as allowed */
    assert_ok(hrr_face_decode(&boxes, &map, 0.5, NULL));
    const hrr_box box = only(&boxes);
    assert_true(isfinite(box.right) && box.right < 2000);
    hrr_boxes_clear(&boxes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faces__an_anchor_stands_at_its_place_in_its_size),
        cmocka_unit_test(test_faces__shifts_move_and_stretch_the_anchor),
        cmocka_unit_test(test_faces__what_is_less_sure_is_no_face),
        cmocka_unit_test(test_faces__numbers_that_are_none_make_no_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
