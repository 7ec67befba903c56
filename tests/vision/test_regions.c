/* Which pictures there are (album.h), and boxes for them from a file (regions.h). */
#include "support/brutal.h"
#include "support/check.h"
#include "support/files.h"

#include "vision/album.h"
#include "vision/regions.h"

#include <sys/stat.h>
#include <unistd.h>

/* Two pictures, a file that is none, a hidden one, and one in a directory. */
static const char *make_album(const char *directory)
{
    const char *photos = in_dir(directory, "photos");
    mkdir(photos, 0777);
    mkdir(in_dir(photos, "in"), 0777);
    write_text(in_dir(photos, "b.JPG"), "x");
    write_text(in_dir(photos, "a.png"), "xy");
    write_text(in_dir(photos, "notes.txt"), "x");
    write_text(in_dir(photos, ".hidden.png"), "x");
    write_text(in_dir(photos, "in/c.webp"), "x");
    return photos;
}

static void test_album__pictures_are_called_by_their_paths_inside(void **state)
{
    const char *photos = make_album(*state);
    hrr_album album;
    assert_ok(hrr_album_read(&album, &photos, 1, NULL));
    const char *const names[] = {"a.png", "b.JPG", "in/c.webp"};
    assert_int_equal(album.n, 3);
    assert_int_equal(album.not_pictures, 1);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t row;
        assert_string_equal(album.pictures[i].name, names[i]);
        assert_true(hrr_name_index_find(&album.names, names[i], &row));
        assert_int_equal(row, i);
    }
    assert_int_equal(album.pictures[0].size, 2);
    hrr_album_clear(&album);
}

static void test_album__two_pictures_of_one_name_are_refused(void **state)
{
    const char *photos = make_album(*state);
    write_text(in_dir(photos, "in/a.png"), "x");
    const char *both[] = {in_dir(photos, "a.png"), in_dir(photos, "in/a.png")};
    hrr_album album;
    hrr_error err = {0};
    assert_int_equal(hrr_album_read(&album, both, 2, &err), HRR_EDATA);
    assert_says(err, "would both be named a.png");
    assert_int_equal(album.n, 0);
    assert_ok(hrr_album_read(&album, &photos, 1, NULL)); /* in/a.png is another name */
    assert_int_equal(album.n, 4);
    hrr_album_clear(&album);
}

static void test_album__a_link_that_leads_back_is_not_followed(void **state)
{
    const char *photos = make_album(*state);
    assert_int_equal(symlink("..", in_dir(photos, "in/up")), 0);
    hrr_album album;
    assert_ok(hrr_album_read(&album, &photos, 1, NULL));
    assert_int_equal(album.n, 3);
    hrr_album_clear(&album);
}

static void test_album__no_picture_at_all_is_an_error(void **state)
{
    const char *empty = in_dir(*state, "empty");
    mkdir(empty, 0777);
    hrr_album album;
    hrr_error err = {0};
    assert_int_equal(hrr_album_read(&album, &empty, 1, &err), HRR_EDATA);
    assert_says(err, "no picture");
    const char *missing = in_dir(*state, "missing");
    assert_int_equal(hrr_album_read(&album, &missing, 1, &err), HRR_EIO);
}

typedef struct regions_case {
    const char *path;
    hrr_album album;
} regions_case;

static regions_case make_regions(const char *directory, const char *text)
{
    regions_case c = {.path = in_dir(directory, "r.csv")};
    const char *photos = make_album(directory);
    write_text(c.path, text);
    assert_ok(hrr_album_read(&c.album, &photos, 1, NULL));
    return c;
}

static void test_regions__boxes_are_those_of_their_pictures(void **state)
{
    regions_case c = make_regions(*state, "score,picture,left,top,right,bottom\n"
                                          "1,in/c.webp,1,2,3,4\n"
                                          "1,a.png,-5,0,10,9.5\n"
                                          "0.5,in/c.webp,5,6,700,8\n");
    hrr_regions regions;
    assert_ok(hrr_regions_read(&regions, c.path, &c.album.names, NULL));
    const hrr_picture picture = {.full_width = 100, .full_height = 50};
    hrr_boxes boxes;
    assert_ok(hrr_regions_find(&boxes, &regions, 0, "a.png", &picture, NULL));
    assert_int_equal(boxes.n, 1);
    assert_float_equal(boxes.items[0].left, 0, 0); /* clipped */
    hrr_boxes_clear(&boxes);
    assert_ok(hrr_regions_find(&boxes, &regions, 1, "b.JPG", &picture, NULL));
    assert_int_equal(boxes.n, 0);
    assert_ok(hrr_regions_find(&boxes, &regions, 2, "in/c.webp", &picture, NULL));
    assert_int_equal(boxes.n, 2);
    assert_float_equal(boxes.items[1].right, 100, 0);
    hrr_boxes_clear(&boxes);
    hrr_error err = {0};
    const hrr_picture small = {.full_width = 4, .full_height = 50};
    assert_int_equal(hrr_regions_find(&boxes, &regions, 2, "in/c.webp", &small, &err), HRR_EDATA);
    assert_says(err, "r.csv:4: the region lies outside the picture in/c.webp, which has 4 x 50");
    hrr_regions_clear(&regions);
    hrr_album_clear(&c.album);
}

static void test_regions__what_is_wrong_is_named(void **state)
{
    const struct {
        const char *text, *says;
    } cases[] = {
        {"", "is empty"},
        {"picture,left,top,right\n", "column bottom is missing"},
        {"a.png,1,2,3,4\n", "column picture is missing"},
        {"picture,left,top,right,bottom\nz.png,1,2,3,4\n", ":2: names a picture"},
        {"picture,left,top,right,bottom\na.png,1,2,3\n", ":2: has no bottom"},
        {"picture,left,top,right,bottom\na.png,1,2,x,4\n", ":2: right is not a number"},
        {"picture,left,top,right,bottom\na.png,1,2,inf,4\n", ":2: right is not a number"},
        {"picture,left,top,right,bottom\na.png,1,2,1,4\n", ":2: the box has no area"},
        {"picture,left,top,right,bottom\na.png,1,5,2,4\n", ":2: the box has no area"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        regions_case c = make_regions(*state, cases[i].text);
        hrr_regions regions;
        hrr_error err = {0};
        assert_int_equal(hrr_regions_read(&regions, c.path, &c.album.names, &err), HRR_EDATA);
        assert_says(err, cases[i].says);
        assert_null(regions.boxes);
        hrr_album_clear(&c.album);
    }
}

static hrr_status read_both(void *user)
{
    const char *const *paths = user; /* of pictures, of regions */
    hrr_album album;
    hrr_regions regions = {0};
    hrr_status status = hrr_album_read(&album, &paths[0], 1, NULL);
    if (!status) status = hrr_regions_read(&regions, paths[1], &album.names, NULL);
    hrr_regions_clear(&regions);
    hrr_album_clear(&album);
    return status;
}

static void test_regions__running_out_of_memory_is_an_error(void **state)
{
    const char *paths[] = {make_album(*state), in_dir(*state, "r.csv")};
    write_text(paths[1], "picture,left,top,right,bottom\na.png,1,2,3,4\n");
    brutal(read_both, paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_album__pictures_are_called_by_their_paths_inside),
        WITH_SCRATCH(test_album__two_pictures_of_one_name_are_refused),
        WITH_SCRATCH(test_album__a_link_that_leads_back_is_not_followed),
        WITH_SCRATCH(test_album__no_picture_at_all_is_an_error),
        WITH_SCRATCH(test_regions__boxes_are_those_of_their_pictures),
        WITH_SCRATCH(test_regions__what_is_wrong_is_named),
        WITH_SCRATCH(test_regions__running_out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
