/* ROC curves: exact where there is room, near where there is not. */
#include "attack/models.h"
#include "support/brutal.h"
#include "attack/ranking.h"

#include <heterorr/random.h>

static uint32_t ends[20000];

/* n pairs, one in four an edge, scores a little higher for these; rounded ones repeat. */
static hrr_link_pairs invent(double *scores, uint8_t *positive, uint64_t n, bool rounded)
{
    hrr_link_pairs pairs = {.n = n, .i = ends, .j = ends, .positive = positive};
    hrr_fast_random random;
    hrr_fast_init(&random, 5, 1);
    for (uint64_t p = 0; p < n; p++) {
        positive[p] = p % 4 == 0;
        pairs.n_positive += positive[p];
        scores[p] = hrr_fast_uniform(&random) + (positive[p] ? .3 : 0);
        if (rounded) scores[p] = floor(10 * scores[p]);
    }
    return pairs;
}

static double area(const hrr_roc_point *points, size_t n)
{
    double sum = 0;
    for (size_t i = 1; i < n; i++)
        sum += (points[i].false_positive_rate - points[i - 1].false_positive_rate) *
               (points[i].true_positive_rate + points[i - 1].true_positive_rate) / 2;
    return sum;
}

static double at(const hrr_roc_point *points, size_t n, double x)
{
    size_t i = 1;
    while (i + 1 < n && points[i].false_positive_rate < x)
        i++;
    const hrr_roc_point a = points[i - 1], b = points[i];
    const double width = b.false_positive_rate - a.false_positive_rate;
    return width > 0 ? a.true_positive_rate + (b.true_positive_rate - a.true_positive_rate) *
                                                  (x - a.false_positive_rate) / width
                     : b.true_positive_rate;
}

static void test_roc__has_the_area_of_the_auc(void **state)
{
    (void)state;
    double scores[4000];
    uint8_t positive[4000];
    for (int rounded = 0; rounded < 2; rounded++) {
        const hrr_link_pairs pairs = invent(scores, positive, 4000, rounded);
        hrr_link_quality quality;
        hrr_roc_point *exact, *thin;
        size_t n_exact, n_thin;
        assert_ok(hrr_link_measure(&quality, &pairs, scores, NULL));
        assert_ok(hrr_link_roc(&exact, &n_exact, &pairs, scores, 4001, NULL));
        assert_true(fabs(area(exact, n_exact) - quality.auc) < 1e-12);
        if (rounded) assert_true(n_exact <= 14); /* scores are 0 to 12 */
        assert_ok(hrr_link_roc(&thin, &n_thin, &pairs, scores, 200, NULL));
        assert_true(n_thin <= 200 && (rounded || n_thin > 100));
        assert_true(thin[0].false_positive_rate == 0 && thin[0].true_positive_rate == 0);
        assert_true(thin[n_thin - 1].false_positive_rate == 1 &&
                    thin[n_thin - 1].true_positive_rate == 1);
        for (size_t i = 1; i < n_exact; i++) { /* at every corner, also near 0 */
            const double x = exact[i].false_positive_rate;
            if (i + 1 < n_exact && exact[i + 1].false_positive_rate == x) continue;
            if (exact[i - 1].false_positive_rate == x) continue; /* upright: any height is right */
            assert_true(fabs(at(thin, n_thin, x) - exact[i].true_positive_rate) < .02);
        }
        hrr_free(exact);
        hrr_free(thin);
    }
}

static void test_roc__a_staircase_has_its_corners(void **state)
{
    (void)state;
    uint8_t positive[] = {1, 1, 0, 1, 0, 0};
    const double scores[] = {6, 5, 4, 3, 3, 1}; /* the 3s are equal */
    const hrr_link_pairs pairs = {
        .n = 6, .n_positive = 3, .i = ends, .j = ends, .positive = positive};
    const double x[] = {0, 0, 1.0 / 3, 2.0 / 3, 1}, y[] = {0, 2.0 / 3, 2.0 / 3, 1, 1};
    hrr_roc_point *points;
    size_t n;
    hrr_error err = {0};
    assert_ok(hrr_link_roc(&points, &n, &pairs, scores, 200, NULL));
    assert_int_equal(n, 5);
    for (size_t i = 0; i < n; i++) {
        assert_true(fabs(points[i].false_positive_rate - x[i]) < 1e-12);
        assert_true(fabs(points[i].true_positive_rate - y[i]) < 1e-12);
    }
    hrr_free(points);
    assert_int_equal(hrr_link_roc(&points, &n, &pairs, scores, 1, &err), HRR_EINVAL);
    assert_says(err, "two points");
}

static hrr_status draw(void *user)
{
    (void)user;
    double scores[2000];
    uint8_t positive[2000];
    const hrr_link_pairs pairs = invent(scores, positive, 2000, false);
    hrr_roc_point *points;
    size_t n;
    hrr_status status = hrr_link_roc(&points, &n, &pairs, scores, 50, NULL);
    hrr_free(points);
    return status;
}

static void test_roc__survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(brutal(draw, NULL) >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roc__has_the_area_of_the_auc),
        cmocka_unit_test(test_roc__a_staircase_has_its_corners),
        cmocka_unit_test(test_roc__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
