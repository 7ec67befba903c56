/* Scales, ticks and places of labels. */
#include "support/brutal.h"
#include "support/check.h"
#include "report/svg_colour.h"
#include "report/svg_labels.h"
#include "report/svg_measure.h"
#include "report/svg_scale.h"

#include <math.h>
#include <stdlib.h>

/* ---- ticks ----------------------------------------------------------------------------------- */

static void assert_ticks(hrr_scale scale, int about, int n, const char *const *labels)
{
    const hrr_ticks ticks = hrr_scale_ticks(&scale, about);
    assert_int_equal(ticks.n, n);
    for (int i = 0; i < n; i++)
        assert_string_equal(ticks.at[i].label, labels[i]);
}

static void test_ticks__are_round_numbers(void **state)
{
    (void)state;
    assert_ticks(hrr_scale_for(0, 1, false), 5, 6,
                 (const char *const[]){"0", "0.2", "0.4", "0.6", "0.8", "1"});
    assert_ticks(hrr_scale_for(-0.03, 0.04, false), 4, 4,
                 (const char *const[]){"\u22120.02", "0", "0.02", "0.04"});
    assert_ticks(hrr_scale_for(0.1, 10, true), 6, 7,
                 (const char *const[]){"0.1", "0.2", "0.5", "1", "2", "5", "10"});
    assert_ticks(hrr_scale_for(1e-5, 1e5, true), 5, 6,
                 (const char *const[]){"1e-5", "0.001", "0.1", "10", "1000", "1e5"});
}

/* Less than a decade on a logarithmic scale still has two ticks to read it by. */
static void test_ticks__there_are_always_two(void **state)
{
    (void)state;
    const double ends[][2] = {{2, 3},           {0.011, 0.012}, {1, 1},     {0, 0}, {-5, -5},
                              {1e-300, 2e-300}, {7e8, 7.1e8},   {NAN, NAN}, {5, 4}, {-1, 1e15}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (int log = 0; log < 2; log++)
            for (int about = 2; about < 9; about++) {
                const hrr_scale scale = hrr_scale_for(ends[i][0], ends[i][1], log);
                const hrr_ticks ticks = hrr_scale_ticks(&scale, about);
                assert_true(scale.low < scale.high);
                assert_true(!scale.log || scale.low > 0);
                assert_true(ticks.n >= 1 && ticks.n <= hrr_most_ticks);
                for (int k = 0; k < ticks.n; k++) {
                    const double slack = 1e-6 * (scale.high - scale.low);
                    assert_true(ticks.at[k].value >= scale.low - slack);
                    assert_true(ticks.at[k].value <= scale.high + slack);
                    assert_true(k == 0 || ticks.at[k].value > ticks.at[k - 1].value);
                }
            }
}

static void test_scale__rounds_outwards(void **state)
{
    (void)state;
    const hrr_scale linear = hrr_scale_round(hrr_scale_for(0.613, 0.887, false), 5);
    assert_true(fabs(linear.low - 0.6) < 1e-12 && fabs(linear.high - 0.9) < 1e-12);
    const hrr_scale log = hrr_scale_round(hrr_scale_for(0.03, 40, true), 5);
    assert_true(fabs(log.low - 0.01) < 1e-12 && fabs(log.high - 100) < 1e-9);
}

static void test_scale__places_values(void **state)
{
    (void)state;
    hrr_scale scale = hrr_scale_for(0.1, 10, true);
    scale.from = 100;
    scale.to = 300;
    assert_true(fabs(hrr_scale_place(&scale, 1) - 200) < 1e-9);
    scale = hrr_scale_for(0, 4, false);
    scale.from = 300; /* downwards */
    scale.to = 100;
    assert_true(fabs(hrr_scale_place(&scale, 1) - 250) < 1e-9);
}

static void test_scale__values_that_are_not_positive_make_it_linear(void **state)
{
    (void)state;
    assert_false(hrr_scale_for(0, 1, true).log);
    assert_false(hrr_scale_for(-1, 1, true).log);
    assert_true(hrr_scale_for(1e-9, 1, true).log);
}

/* ---- labels ---------------------------------------------------------------------------------- */

static double moved(const double *place, const double *wish, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (place[i] - wish[i]) * (place[i] - wish[i]);
    return sum;
}

static void test_labels__stand_apart_in_order_within_bounds(void **state)
{
    (void)state;
    srand(1);
    for (int trial = 0; trial < 500; trial++) {
        double wish[12], place[12];
        const size_t n = 1 + (size_t)rand() % 12;
        for (size_t i = 0; i < n; i++)
            wish[i] = place[i] = 200.0 * rand() / RAND_MAX;
        assert_true(hrr_labels_spread(place, n, 16, 0, 200));
        for (size_t i = 0; i < n; i++) {
            assert_true(place[i] > -1e-9 && place[i] < 200 + 1e-9);
            for (size_t k = 0; k < n; k++) {
                if (i == k) continue;
                assert_true(fabs(place[i] - place[k]) > 16 - 1e-9);
                if (wish[i] < wish[k]) assert_true(place[i] < place[k]);
            }
        }
    }
}

/* Against every arrangement on a grid: none moves labels less. */
static void test_labels__move_as_little_as_possible(void **state)
{
    (void)state;
    srand(2);
    for (int trial = 0; trial < 60; trial++) {
        double wish[3], place[3], least = INFINITY;
        for (int i = 0; i < 3; i++)
            wish[i] = place[i] = rand() % 41;
        assert_true(hrr_labels_spread(place, 3, 10, 0, 40));
        for (int a = 0; a <= 80; a++)
            for (int b = 0; b <= 80; b++)
                for (int c = 0; c <= 80; c++) {
                    const double grid[] = {a / 2.0, b / 2.0, c / 2.0};
                    if (fabs(grid[0] - grid[1]) < 10 || fabs(grid[0] - grid[2]) < 10 ||
                        fabs(grid[1] - grid[2]) < 10)
                        continue;
                    least = fmin(least, moved(grid, wish, 3));
                }
        assert_true(moved(place, wish, 3) <= least + 1e-9);
    }
}

static void test_labels__too_many_are_refused(void **state)
{
    (void)state;
    double place[] = {1, 2, 3};
    assert_false(hrr_labels_spread(place, 3, 10, 0, 19));
    assert_true(place[0] == 1 && place[1] == 2 && place[2] == 3);
    assert_true(hrr_labels_spread(place, 3, 10, 0, 20));
    assert_true(hrr_labels_spread(NULL, 0, 10, 0, 0));
}

static hrr_status spread_once(void *user)
{
    double place[] = {1, 2, 3};
    (void)user;
    return hrr_labels_spread(place, 3, 10, 0, 100) ? HRR_OK : HRR_ENOMEM;
}

static void test_labels__survive_every_failed_allocation(void **state)
{
    (void)state;
    assert_int_equal(brutal(spread_once, NULL), 2);
}

static void test_legend__wraps_and_never_overlaps(void **state)
{
    (void)state;
    const double width[] = {50, 60, 200, 30, 500, 10};
    size_t row[6];
    double x[6];
    assert_int_equal(hrr_labels_wrap(row, x, width, 6, 10, 300), 4);
    for (int i = 0; i < 6; i++)
        for (int k = i + 1; k < 6; k++)
            assert_true(row[i] < row[k] || x[i] + width[i] + 10 <= x[k]);
    for (int i = 0; i < 6; i++)
        assert_true(x[i] == 0 || x[i] + width[i] <= 300);
    assert_int_equal(hrr_labels_wrap(row, x, width, 0, 10, 300), 0);
}

/* ---- words and colours ----------------------------------------------------------------------- */

static void test_fit__shortens_between_characters(void **state)
{
    char out[64];
    (void)state;
    hrr_text_fit(out, sizeof out, "edgerr", 12, 100);
    assert_string_equal(out, "edgerr");
    hrr_text_fit(out, sizeof out, "a-mechanism-with-a-long-name", 12, 80);
    assert_non_null(strstr(out, "\u2026"));
    assert_true(hrr_text_width(out, 12) <= 80);
    hrr_text_fit(out, sizeof out, "\u03b5\u03b5\u03b5\u03b5\u03b5\u03b5\u03b5\u03b5", 12, 40);
    assert_string_equal(out, "\u03b5\u03b5\u2026");
    char small[8];
    hrr_text_fit(small, sizeof small, "\u03b5\u03b5\u03b5\u03b5\u03b5\u03b5", 1, 1000);
    assert_string_equal(small, "\u03b5\u03b5\u2026");
}

static double lightness(const char *colour)
{
    const long rgb = strtol(colour + 1, NULL, 16);
    return 0.2126 * pow((double)(rgb >> 16) / 255, 2.2) +
           0.7152 * pow((double)(rgb >> 8 & 255) / 255, 2.2) +
           0.0722 * pow((double)(rgb & 255) / 255, 2.2);
}

/* Readable without any colour: lightness alone tells more from less. Words on it have the contrast
 * that WCAG 2 asks of text, 4.5. */
static void test_ramp__rises_in_lightness_and_carries_words(void **state)
{
    (void)state;
    double last = -1;
    for (int i = 0; i <= 100; i++) {
        char colour[8];
        hrr_svg_ramp(colour, i / 100.0);
        const double now = lightness(colour);
        assert_true(now >= last - 1e-3);
        last = now;
        const double ink = hrr_svg_ramp_is_light(i / 100.0) ? 0 : 1;
        const double contrast = (fmax(now, ink) + 0.05) / (fmin(now, ink) + 0.05);
        assert_true(contrast >= 4.5);
    }
    char colour[8];
    hrr_svg_ramp(colour, NAN);
    assert_string_equal(colour, "#00224e");
    hrr_svg_ramp(colour, 7);
    assert_string_equal(colour, "#fee838");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ticks__are_round_numbers),
        cmocka_unit_test(test_ticks__there_are_always_two),
        cmocka_unit_test(test_scale__rounds_outwards),
        cmocka_unit_test(test_scale__places_values),
        cmocka_unit_test(test_scale__values_that_are_not_positive_make_it_linear),
        cmocka_unit_test(test_labels__stand_apart_in_order_within_bounds),
        cmocka_unit_test(test_labels__move_as_little_as_possible),
        cmocka_unit_test(test_labels__too_many_are_refused),
        cmocka_unit_test(test_labels__survive_every_failed_allocation),
        cmocka_unit_test(test_legend__wraps_and_never_overlaps),
        cmocka_unit_test(test_fit__shortens_between_characters),
        cmocka_unit_test(test_ramp__rises_in_lightness_and_carries_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
