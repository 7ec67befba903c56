/* Boxes: overlap, which of them stay, what is masked. */
#include "support/brutal.h"
#include "support/check.h"

#include "vision/boxes.h"

#include <stdlib.h>

static void test_boxes__overlap_is_common_over_both(void **state)
{
    (void)state;
    const hrr_box a = {0, 0, 4, 4, 1}, b = {2, 0, 6, 4, 1}, far = {9, 9, 10, 10, 1};
    const hrr_box flat = {1, 1, 1, 3, 1};
    assert_float_equal(hrr_box_overlap(&a, &a), 1, 1e-12);
    assert_float_equal(hrr_box_overlap(&a, &b), 8.0 / 24, 1e-12);
    assert_float_equal(hrr_box_overlap(&a, &far), 0, 0);
    assert_float_equal(hrr_box_overlap(&flat, &flat), 0, 0);
}

static hrr_box random_box(unsigned *seed)
{
    const double x = rand_r(seed) % 100, y = rand_r(seed) % 100;
    return (hrr_box){x, y, x + 1 + rand_r(seed) % 40, y + 1 + rand_r(seed) % 40,
                     (rand_r(seed) % 50) / 50.0};
}

/* The definition: a box stays if no surer box that stays overlaps it too much; and none is lost
 * that does not. */
static void test_boxes__the_surest_of_overlapping_ones_stays(void **state)
{
    (void)state;
    unsigned seed = 7;
    for (int round = 0; round < 200; round++) {
        hrr_boxes all = {0}, kept = {0};
        const int n = rand_r(&seed) % 60;
        for (int i = 0; i < n; i++) {
            const hrr_box box = random_box(&seed);
            assert_ok(hrr_boxes_add(&all, box, NULL));
            assert_ok(hrr_boxes_add(&kept, box, NULL));
        }
        hrr_boxes_keep_best(&kept, 0.4);
        for (size_t i = 0; i < kept.n; i++)
            for (size_t j = 0; j < i; j++) {
                assert_true(kept.items[j].score >= kept.items[i].score);
                assert_true(hrr_box_overlap(&kept.items[i], &kept.items[j]) <= 0.4);
            }
        for (size_t i = 0; i < all.n; i++) {
            bool explained = false; /* it stayed, or one that is as sure stands in its place */
            for (size_t j = 0; j < kept.n && !explained; j++)
                explained = kept.items[j].score >= all.items[i].score &&
                            (memcmp(&kept.items[j], &all.items[i], sizeof(hrr_box)) == 0 ||
                             hrr_box_overlap(&kept.items[j], &all.items[i]) > 0.4);
            assert_true(explained);
        }
        hrr_boxes_clear(&all);
        hrr_boxes_clear(&kept);
    }
}

static void test_boxes__every_pixel_a_box_touches_is_masked_and_no_other(void **state)
{
    (void)state;
    uint8_t rgb[10 * 8 * 3], grey[3] = {9, 8, 7}, light[3] = {200, 200, 200};
    memset(rgb, 200, sizeof rgb);
    /* Half the size of the file's picture: boxes are counted in the file's pixels. */
    hrr_picture picture = {10, 8, rgb, 20, 16};
    hrr_box inside = {4, 4, 9, 8, 1}, beyond = {18, 14, 40, 40, 1}, outside = {50, 50, 60, 60, 1};
    hrr_boxes boxes = {0};
    assert_ok(hrr_boxes_add(&boxes, inside, NULL));
    assert_ok(hrr_boxes_add(&boxes, beyond, NULL));
    assert_ok(hrr_boxes_add(&boxes, outside, NULL));
    hrr_boxes_mask(&picture, &boxes, 0, grey);
    for (size_t y = 0; y < 8; y++)
        for (size_t x = 0; x < 10; x++) {
            const bool masked = (x >= 2 && x < 5 && y >= 2 && y < 4) || (x == 9 && y == 7);
            assert_memory_equal(rgb + (y * 10 + x) * 3, masked ? grey : light, 3);
        }
    hrr_boxes_clear(&boxes);
}

static void test_boxes__a_margin_grows_a_box_on_every_side(void **state)
{
    (void)state;
    uint8_t rgb[20 * 20 * 3] = {0}, white[3] = {255, 255, 255};
    hrr_picture picture = {20, 20, rgb, 20, 20};
    hrr_boxes boxes = {0};
    assert_ok(hrr_boxes_add(&boxes, (hrr_box){8, 8, 12, 12, 1}, NULL));
    hrr_boxes_mask(&picture, &boxes, 0.5, white);
    int masked = 0;
    for (int i = 0; i < 400; i++)
        masked += rgb[3 * i] == 255;
    assert_int_equal(masked, 8 * 8);
    hrr_boxes_clear(&boxes);
}

static void test_boxes__clipping_leaves_what_is_inside(void **state)
{
    (void)state;
    hrr_box box = {-5, 2, 7, 30, 1}, outside = {10, 0, 12, 5, 1};
    assert_true(hrr_box_clip(&box, 10, 20));
    assert_float_equal(box.left, 0, 0);
    assert_float_equal(box.top, 2, 0);
    assert_float_equal(box.right, 7, 0);
    assert_float_equal(box.bottom, 20, 0);
    assert_false(hrr_box_clip(&outside, 10, 20));
}

static hrr_status add_many(void *user)
{
    (void)user;
    hrr_boxes boxes = {0};
    hrr_status status = HRR_OK;
    for (int i = 0; i < 100 && !status; i++)
        status = hrr_boxes_add(&boxes, (hrr_box){0, 0, 1, 1, 1}, NULL);
    hrr_boxes_clear(&boxes);
    return status;
}

static void test_boxes__running_out_of_memory_is_an_error(void **state)
{
    (void)state;
    brutal(add_many, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes__overlap_is_common_over_both),
        cmocka_unit_test(test_boxes__the_surest_of_overlapping_ones_stays),
        cmocka_unit_test(test_boxes__every_pixel_a_box_touches_is_masked_and_no_other),
        cmocka_unit_test(test_boxes__a_margin_grows_a_box_on_every_side),
        cmocka_unit_test(test_boxes__clipping_leaves_what_is_inside),
        cmocka_unit_test(test_boxes__running_out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
