/* Profiles: what networks want their pictures to be. */
#include "support/brutal.h"
#include "support/check.h"
#include "support/files.h"

#include "vision/profile.h"

#include <heterorr/vision.h>

#include <math.h>

static hrr_status read_text(hrr_profile *out, const char *directory, const char *json,
                            hrr_error *err)
{
    const char *path = in_dir(directory, "p.json");
    write_text(path, json);
    return hrr_profile_read(out, path, err);
}

static void test_profile__an_empty_object_is_torchvisions(void **state)
{
    hrr_profile profile;
    assert_ok(read_text(&profile, *state, "{}", NULL));
    assert_int_equal(profile.width, 224);
    assert_int_equal(profile.resize, 256);
    assert_float_equal(profile.mean[0], 0.485, 1e-12);
    assert_int_equal(profile.n_features, 0); /* of any width */
}

static void test_profile__members_say_what_they_say(void **state)
{
    hrr_profile p;
    assert_ok(read_text(&p, *state,
                        "{\"size\": [20, 10], \"fit\": \"pad\", \"scale\": 2, \"mean\": [1, 2, 3],"
                        "\"std\": 4, \"channels\": \"bgr\", \"layout\": \"nhwc\", \"features\": 7,"
                        "\"output\": \"pool\", \"comment\": \"any\"}",
                        NULL));
    assert_int_equal(p.height, 20);
    assert_int_equal(p.width, 10);
    assert_int_equal(p.fit, HRR_FIT_PAD);
    assert_true(p.bgr && p.channels_last);
    assert_float_equal(p.scale, 2, 0);
    assert_float_equal(p.mean[2], 3, 0);
    assert_float_equal(p.deviation[1], 4, 0);
    assert_int_equal(p.n_features, 7);
    assert_string_equal(p.output, "pool");
}

static void test_profile__like_takes_the_rest_from_a_built_in_one(void **state)
{
    hrr_profile p;
    assert_ok(read_text(&p, *state, "{\"like\": \"resnet50-keras\", \"size\": 64}", NULL));
    assert_true(p.bgr && p.channels_last);
    assert_int_equal(p.width, 64);
    assert_int_equal(p.n_features, 2048);
}

static void test_profile__what_is_wrong_is_named(void **state)
{
    const struct {
        const char *json, *says;
    } cases[] = {
        {"", "is not JSON"},
        {"[]", "is not a JSON object"},
        {"{\"size\": 0}", "size must be"},
        {"{\"size\": 100000}", "size must be"},
        {"{\"size\": 1.5}", "size must be"},
        {"{\"size\": [1]}", "size must be"},
        {"{\"size\": [1, 2, 3]}", "size must be"},
        {"{\"size\": \"224\"}", "size must be"},
        {"{\"size\": 224, \"resize\": 200}", "resize must be"},
        {"{\"scale\": 0}", "scale must be"},
        {"{\"scale\": \"1/255\"}", "scale must be"},
        {"{\"mean\": [1, 2]}", "mean must be"},
        {"{\"mean\": [1, 2, \"x\"]}", "mean must be"},
        {"{\"std\": [1, 1, 0]}", "std must be"},
        {"{\"std\": -1}", "std must be"},
        {"{\"fit\": \"centre\"}", "fit must be"},
        {"{\"channels\": \"RGB\"}", "channels must be"},
        {"{\"layout\": 1}", "layout must be"},
        {"{\"features\": -1}", "features must be"},
        {"{\"output\": 3}", "output must be"},
        {"{\"like\": \"vgg\"}", "like must be"},
        {"{\"mean\": 1, \"mean\": 2}", "is not JSON"},
        {"{\"means\": 1}", "'means'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hrr_profile profile;
        hrr_error err = {0};
        assert_int_equal(read_text(&profile, *state, cases[i].json, &err), HRR_EDATA);
        assert_says(err, cases[i].says);
        assert_says(err, "p.json");
    }
}

static void test_profile__a_long_tensor_name_is_refused(void **state)
{
    char json[600] = "{\"output\": \"";
    memset(json + strlen(json), 'x', 300);
    strcpy(json + strlen("{\"output\": \"") + 300, "\"}");
    hrr_profile profile;
    assert_int_equal(read_text(&profile, *state, json, NULL), HRR_EDATA);
}

static void test_profile__the_file_beside_the_model_is_found(void **state)
{
    hrr_profile profile;
    hrr_error err = {0};
    const char *model = in_dir(*state, "net.v2.onnx");
    assert_int_equal(hrr_profile_choose(&profile, NULL, model, &err), HRR_EINVAL);
    assert_says(err, "net.v2.json");
    assert_string_equal(err.field, "profile");
    write_text(in_dir(*state, "net.v2.json"), "{\"size\": 32}");
    assert_ok(hrr_profile_choose(&profile, NULL, model, NULL));
    assert_int_equal(profile.width, 32);
    assert_ok(hrr_profile_choose(&profile, "resnet50v2-keras", model, NULL));
    assert_true(profile.channels_last && !profile.bgr);
    assert_int_equal(hrr_profile_choose(&profile, "nowhere.json", model, &err), HRR_EIO);
}

static void test_profile__names_of_built_in_ones_are_listed(void **state)
{
    (void)state;
    const char *const *names = hrr_embed_profiles();
    for (size_t i = 0; names[i] || hrr_profile_name_at(i); i++) {
        assert_non_null(names[i]);
        assert_non_null(hrr_profile_name_at(i));
        assert_string_equal(names[i], hrr_profile_name_at(i));
    }
}

/* (v * scale - mean) / std, in the order and layout of the network. */
static void test_profile__numbers_are_those_of_the_formula(void **state)
{
    (void)state;
    uint8_t rgb[] = {10, 20, 30, 40, 50, 60}; /* two pixels */
    const hrr_picture picture = {2, 1, rgb, 2, 1};
    hrr_profile p = {.width = 2,
                     .height = 1,
                     .fit = HRR_FIT_STRETCH,
                     .scale = 0.5,
                     .mean = {1, 2, 3},
                     .deviation = {2, 4, 8}};
    float out[6];
    assert_ok(hrr_profile_apply(out, &p, NULL, &picture, NULL));
    const float nchw[] = {(5 - 1) / 2.f,  (20 - 1) / 2.f, (10 - 2) / 4.f,
                          (25 - 2) / 4.f, (15 - 3) / 8.f, (30 - 3) / 8.f};
    for (int i = 0; i < 6; i++)
        assert_float_equal(out[i], nchw[i], 1e-6);
    p.bgr = p.channels_last = true; /* blue first: the first mean is blue's */
    assert_ok(hrr_profile_apply(out, &p, NULL, &picture, NULL));
    const float nhwc[] = {(15 - 1) / 2.f, (10 - 2) / 4.f, (5 - 3) / 8.f,
                          (30 - 1) / 2.f, (25 - 2) / 4.f, (20 - 3) / 8.f};
    for (int i = 0; i < 6; i++)
        assert_float_equal(out[i], nhwc[i], 1e-6);
}

static void test_profile__the_crop_is_the_middle(void **state)
{
    (void)state;
    uint8_t rgb[6 * 4 * 3];
    for (int i = 0; i < 6 * 4; i++)
        memset(rgb + 3 * i, i, 3);
    const hrr_picture picture = {6, 4, rgb, 6, 4};
    const hrr_profile p = {.width = 2,
                           .height = 2,
                           .fit = HRR_FIT_CROP,
                           .resize = 4,
                           .scale = 1,
                           .deviation = {1, 1, 1}};
    float out[12];
    assert_ok(hrr_profile_apply(out, &p, NULL, &picture, NULL));
    const float middle[] = {1 * 6 + 2, 1 * 6 + 3, 2 * 6 + 2, 2 * 6 + 3};
    for (int i = 0; i < 4; i++)
        assert_float_equal(out[i], middle[i], 0);
}

static void test_profile__what_a_padded_picture_does_not_cover_is_zero(void **state)
{
    (void)state;
    uint8_t rgb[2 * 1 * 3] = {5, 5, 5, 7, 7, 7};
    const hrr_picture picture = {2, 1, rgb, 2, 1};
    const hrr_profile p = {.width = 2,
                           .height = 2,
                           .fit = HRR_FIT_PAD,
                           .scale = 1,
                           .mean = {1, 1, 1},
                           .deviation = {1, 1, 1}};
    float out[12];
    assert_ok(hrr_profile_apply(out, &p, NULL, &picture, NULL));
    const float expected[] = {4, 6, 0, 0};
    for (int i = 0; i < 12; i++)
        assert_float_equal(out[i], expected[i % 4], 0);
}

static void test_profile__the_neutral_colour_becomes_zero(void **state)
{
    (void)state;
    for (size_t i = 0; hrr_profile_name_at(i); i++) {
        hrr_profile p;
        uint8_t neutral[3];
        float out[3];
        assert_ok(hrr_profile_choose(&p, hrr_profile_name_at(i), "m", NULL));
        p.width = p.height = 1;
        p.fit = HRR_FIT_STRETCH;
        hrr_profile_neutral(neutral, &p);
        const hrr_picture picture = {1, 1, neutral, 1, 1};
        assert_ok(hrr_profile_apply(out, &p, NULL, &picture, NULL));
        for (int c = 0; c < 3; c++) /* half a step of 8 bits */
            assert_true(fabs((double)out[c]) <= 0.5001 * p.scale / p.deviation[c]);
    }
}

static void test_profile__a_sliver_is_refused_and_not_blown_up(void **state)
{
    (void)state;
    static uint8_t rgb[16000 * 3];
    const hrr_picture picture = {16000, 1, rgb, 16000, 1};
    hrr_profile p;
    hrr_error err = {0};
    float *out = NULL;
    assert_ok(hrr_profile_choose(&p, "resnet50-torchvision", "m", NULL));
    assert_int_equal(hrr_profile_apply(out, &p, NULL, &picture, &err), HRR_EDATA);
    assert_says(err, "too long and narrow");
}

static hrr_status choose(void *user)
{
    hrr_profile profile;
    return hrr_profile_choose(&profile, NULL, user, NULL);
}

static void test_profile__running_out_of_memory_is_an_error(void **state)
{
    char model[512];
    strcpy(model, in_dir(*state, "m.onnx"));
    write_text(in_dir(*state, "m.json"), "{}");
    brutal(choose, model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_profile__an_empty_object_is_torchvisions),
        WITH_SCRATCH(test_profile__members_say_what_they_say),
        WITH_SCRATCH(test_profile__like_takes_the_rest_from_a_built_in_one),
        WITH_SCRATCH(test_profile__what_is_wrong_is_named),
        WITH_SCRATCH(test_profile__a_long_tensor_name_is_refused),
        WITH_SCRATCH(test_profile__the_file_beside_the_model_is_found),
        cmocka_unit_test(test_profile__names_of_built_in_ones_are_listed),
        cmocka_unit_test(test_profile__numbers_are_those_of_the_formula),
        cmocka_unit_test(test_profile__the_crop_is_the_middle),
        cmocka_unit_test(test_profile__what_a_padded_picture_does_not_cover_is_zero),
        cmocka_unit_test(test_profile__the_neutral_colour_becomes_zero),
        cmocka_unit_test(test_profile__a_sliver_is_refused_and_not_blown_up),
        WITH_SCRATCH(test_profile__running_out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
