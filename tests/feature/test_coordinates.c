#include "support/brutal.h"
#include "support/check.h"
#include "support/statistics.h"

#include <heterorr/feature.h>

#include <math.h>

static const double alpha = 1e-6; /* one test in a million fails by chance; seeds are fixed */

static const char *const all_names[] = {"duchi", "piecewise", "hybrid", "three-output", "pm-sub"};
static const char *const sampled_names[] = {"duchi-sampled",  "piecewise-sampled",
                                            "hybrid-sampled", "three-output-sampled",
                                            "pm-sub-sampled", "multibit"};
enum { n_all = 5, n_sampled = 6 };

static const char *name_of(int i)
{
    return i < n_all ? all_names[i] : sampled_names[i - n_all];
}

static hrr_feature_plan *plan_of(const char *mechanism, double eps, uint64_t n_features,
                                 const double *lo, const double *hi)
{
    hrr_feature_options options;
    hrr_feature_options_init(&options);
    options.mechanism = mechanism;
    options.eps_nano = (uint64_t)llround(eps * HRR_EPS_UNIT);
    options.lo = lo;
    options.hi = hi;
    hrr_feature_plan *plan;
    assert_ok(hrr_feature_plan_new(&plan, n_features, &options, NULL));
    return plan;
}

static hrr_dense matrix_of(hrr_dtype dtype, uint64_t rows, uint64_t cols)
{
    hrr_dense matrix;
    assert_ok(hrr_dense_init(&matrix, dtype, rows, cols, NULL));
    return matrix;
}

static void apply(hrr_dense *out, const hrr_feature_plan *plan, const hrr_dense *in,
                  uint64_t first_row, uint64_t seed, int threads)
{
    hrr_random *random;
    assert_ok(hrr_random_new_insecure(&random, seed, NULL));
    assert_ok(hrr_feature_plan_apply(out, plan, in, first_row, random, threads, NULL, NULL));
    hrr_random_free(random);
}

/* n rows that all hold x in every column, randomised. */
static hrr_dense released_of(const hrr_feature_plan *plan, uint64_t n, uint64_t cols, float x,
                             uint64_t seed)
{
    hrr_dense in = matrix_of(HRR_F32, n, cols), out = matrix_of(HRR_F32, n, cols);
    for (uint64_t i = 0; i < n * cols; i++)
        ((float *)in.data)[i] = x;
    apply(&out, plan, &in, 0, seed, 2);
    hrr_dense_clear(&in);
    return out;
}

/* ---- every mechanism ------------------------------------------------------------------------- */

static void test_coordinates__means_are_the_features(void **state)
{
    (void)state;
    enum { rows = 40000, cols = 3 };
    const double lo[cols] = {-2, 0, 1}, hi[cols] = {2, 4, 3};
    for (int i = 0; i < n_all + n_sampled; i++) {
        hrr_feature_plan *plan = plan_of(name_of(i), 6, cols, lo, hi);
        hrr_dense out = released_of(plan, rows, cols, 1.25f, 7);
        for (int c = 0; c < cols; c++) {
            double sum = 0, squares = 0;
            for (uint64_t r = 0; r < rows; r++) {
                double y = hrr_dense_get(&out, r, c);
                sum += y, squares += y * y;
            }
            double mean = sum / rows, sd = sqrt((squares / rows - mean * mean) / rows);
            if (fabs(mean - 1.25) > 5 * sd) /* alpha 6e-7 each */
                fail_msg("%s, column %d: mean %g, sd %g", name_of(i), c, mean, sd);
        }
        hrr_dense_clear(&out);
        hrr_feature_plan_free(plan);
    }
}

static void test_coordinates__threads_and_cuts_do_not_show(void **state)
{
    (void)state;
    enum { rows = 20000, cols = 7, cut = 7777 };
    hrr_dense in = matrix_of(HRR_F32, rows, cols);
    for (uint64_t i = 0; i < rows * cols; i++)
        ((float *)in.data)[i] = (float)(i % 101) / 100;
    hrr_dense whole = matrix_of(HRR_F32, rows, cols), again = matrix_of(HRR_F32, rows, cols);
    for (int i = 0; i < n_all + n_sampled; i++) {
        hrr_feature_plan *plan = plan_of(name_of(i), 6, cols, NULL, NULL);
        apply(&whole, plan, &in, 0, 1, 1);
        hrr_dense head = {HRR_F32, cut, cols, in.data, {0}},
                  tail = {HRR_F32, rows - cut, cols, (float *)in.data + cut * cols, {0}};
        hrr_dense head_out = {HRR_F32, cut, cols, again.data, {0}},
                  tail_out = {HRR_F32, rows - cut, cols, (float *)again.data + cut * cols, {0}};
        apply(&tail_out, plan, &tail, cut, 1, 2);
        apply(&head_out, plan, &head, 0, 1, 2);
        assert_memory_equal(whole.data, again.data, rows * cols * sizeof(float));
        apply(&again, plan, &in, 0, 2, 1);
        assert_memory_not_equal(whole.data, again.data, rows * cols * sizeof(float));
        hrr_feature_plan_free(plan);
    }
    hrr_dense_clear(&in);
    hrr_dense_clear(&whole);
    hrr_dense_clear(&again);
}

static void test_coordinates__element_types_and_clipping_do_not_show(void **state)
{
    (void)state;
    enum { rows = 200, cols = 4 };
    hrr_dense u8 = matrix_of(HRR_U8, rows, cols), f32 = matrix_of(HRR_F32, rows, cols),
              f64 = matrix_of(HRR_F64, rows, cols);
    hrr_dense a = matrix_of(HRR_F32, rows, cols), b = matrix_of(HRR_F32, rows, cols);
    for (uint64_t i = 0; i < rows * cols; i++) {
        ((uint8_t *)u8.data)[i] = i % 3 == 0;
        ((float *)f32.data)[i] = i % 3 == 0 ? 1 : -5; /* far below the bounds: clipped to 0 */
        ((double *)f64.data)[i] = i % 3 == 0 ? 1e300 : 0;
    }
    for (int i = 0; i < n_all + n_sampled; i++) {
        hrr_feature_plan *plan = plan_of(name_of(i), 6, cols, NULL, NULL);
        apply(&a, plan, &u8, 0, 1, 1);
        apply(&b, plan, &f32, 0, 1, 1);
        assert_memory_equal(a.data, b.data, rows * cols * sizeof(float));
        apply(&b, plan, &f64, 0, 1, 1);
        assert_memory_equal(a.data, b.data, rows * cols * sizeof(float));
        hrr_feature_plan_free(plan);
    }
    hrr_dense_clear(&u8), hrr_dense_clear(&f32), hrr_dense_clear(&f64);
    hrr_dense_clear(&a), hrr_dense_clear(&b);
}

static void test_coordinates__claims_never_exceed_the_request(void **state)
{
    (void)state;
    static const double eps[] = {1e-4, .1, 1, 7.3, 20};
    static const uint64_t features[] = {1, 3, 2048};
    for (int i = 0; i < n_all + n_sampled; i++)
        for (int e = 0; e < 5; e++)
            for (int f = 0; f < 3; f++) {
                hrr_feature_plan *plan = plan_of(name_of(i), eps[e], features[f], NULL, NULL);
                hrr_feature_claim claim = hrr_feature_plan_claim(plan);
                assert_true(claim.realised_eps <= eps[e]);
                /* floor(1e5 / 2048) units lose up to 1 in 48. */
                assert_true(claim.realised_eps > eps[e] * (e == 0 ? .97 : .9999));
                assert_true(claim.delta == 0);
                assert_int_equal(claim.n_features_out, features[f]);
                assert_int_equal(claim.dtype_out, HRR_F32);
                assert_non_null(strstr(claim.statement, name_of(i)));
                assert_non_null(strstr(claim.evidence, "exact"));
                hrr_feature_plan_free(plan);
            }
}

static void test_coordinates__a_budget_that_cannot_be_split_is_refused(void **state)
{
    (void)state;
    hrr_feature_options options;
    hrr_feature_options_init(&options);
    options.eps_nano = 9;
    options.mechanism = "piecewise";
    hrr_feature_plan *plan;
    hrr_error err;
    assert_int_equal(hrr_feature_plan_new(&plan, 10, &options, &err), HRR_EINVAL);
    assert_says(err, "10 features");
    assert_null(plan);
    options.mechanism = "piecewise-sampled";
    assert_ok(hrr_feature_plan_new(&plan, 10, &options, NULL));
    hrr_feature_plan_free(plan);
}

/* ---- the choice of features ------------------------------------------------------------------ */

/* How many features of a row are not in the middle; their set as bits. */
static int drawn(uint32_t *set, const hrr_dense *out, uint64_t row)
{
    int count = 0;
    *set = 0;
    for (uint32_t c = 0; c < out->cols; c++)
        if (hrr_dense_get(out, row, c) != 0.5) *set |= UINT32_C(1) << c, count++;
    return count;
}

static void test_sampled__draws_as_many_features_as_the_budget_feeds(void **state)
{
    (void)state;
    static const struct {
        const char *mechanism;
        double eps;
        uint64_t d;
        int m;
    } expected[] = {{"duchi-sampled", 1, 20, 1},      {"duchi-sampled", 4.999999999, 20, 1},
                    {"duchi-sampled", 5, 20, 2},      {"duchi-sampled", 20, 20, 8},
                    {"duchi-sampled", 20, 3, 3},      {"multibit", 1, 20, 1},
                    {"multibit", 4.359999999, 20, 1}, {"multibit", 4.36, 20, 2},
                    {"multibit", 20, 20, 9},          {"multibit", 20, 5, 5}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        hrr_feature_plan *plan =
            plan_of(expected[i].mechanism, expected[i].eps, expected[i].d, NULL, NULL);
        hrr_dense out = released_of(plan, 50, expected[i].d, .3f, i);
        uint32_t set;
        for (uint64_t r = 0; r < out.rows; r++)
            assert_int_equal(drawn(&set, &out, r), expected[i].m);
        hrr_dense_clear(&out);
        hrr_feature_plan_free(plan);
    }
}

static void test_sampled__takes_the_number_of_features_it_is_told(void **state)
{
    (void)state;
    hrr_feature_options options;
    hrr_feature_options_init(&options);
    options.mechanism = "duchi-sampled";
    options.n_sampled = 4;
    hrr_feature_plan *plan;
    assert_ok(hrr_feature_plan_new(&plan, 6, &options, NULL));
    hrr_dense out = released_of(plan, 50, 6, .3f, 1);
    uint32_t set;
    for (uint64_t r = 0; r < out.rows; r++)
        assert_int_equal(drawn(&set, &out, r), 4);
    hrr_dense_clear(&out);
    hrr_feature_plan_free(plan);
}

static void test_sampled__the_choice_does_not_look_at_the_data(void **state)
{
    (void)state;
    hrr_feature_plan *plan = plan_of("duchi-sampled", 8, 12, NULL, NULL);
    hrr_dense zeros = released_of(plan, 500, 12, 0, 5), ones = released_of(plan, 500, 12, 1, 5);
    assert_memory_not_equal(zeros.data, ones.data, 500 * 12 * sizeof(float));
    for (uint64_t r = 0; r < 500; r++) {
        uint32_t set_of_zeros, set_of_ones;
        drawn(&set_of_zeros, &zeros, r);
        drawn(&set_of_ones, &ones, r);
        assert_int_equal(set_of_zeros, set_of_ones);
    }
    hrr_dense_clear(&zeros);
    hrr_dense_clear(&ones);
    hrr_feature_plan_free(plan);
}

static void test_sampled__every_set_of_features_is_equally_likely(void **state)
{
    (void)state;
    enum { rows = 100000, d = 5 };
    for (double eps = 5; eps < 10; eps += 2.5) { /* m = 2, then 3: ten sets each */
        hrr_feature_plan *plan = plan_of("duchi-sampled", eps, d, NULL, NULL);
        hrr_dense out = released_of(plan, rows, d, .3f, 11);
        uint64_t count_of_set[1 << d] = {0}, count[10];
        for (uint64_t r = 0; r < rows; r++) {
            uint32_t set;
            drawn(&set, &out, r);
            count_of_set[set]++;
        }
        int n = 0;
        for (int set = 0; set < 1 << d; set++)
            if (count_of_set[set]) assert_true(n < 10), count[n++] = count_of_set[set];
        assert_int_equal(n, 10);
        static const double tenth[10] = {.1, .1, .1, .1, .1, .1, .1, .1, .1, .1};
        assert_true(chi_square_p(count, tenth, 10) > alpha);
        hrr_dense_clear(&out);
        hrr_feature_plan_free(plan);
    }
}

/* ---- multi-bit --------------------------------------------------------------------------- */

static void test_multibit__follows_the_published_law(void **state)
{
    (void)state;
    enum { rows = 200000, d = 4 };
    const double lo[d] = {-1, -1, -1, -1}, hi[d] = {3, 3, 3, 3}, x = .6, eps = 5;
    const int m = 2; /* floor(5 / 2.18) */
    hrr_feature_plan *plan = plan_of("multibit", eps, d, lo, hi);
    hrr_dense out = released_of(plan, rows, d, (float)x, 13);
    const double e = exp(eps / m), up = 1 / (e + 1) + (x + 1) / 4 * (e - 1) / (e + 1);
    const double value = d * 4.0 / (2 * m) * (e + 1) / (e - 1);
    uint64_t ups = 0, downs = 0;
    for (uint64_t i = 0; i < rows * d; i++) {
        const double y = ((float *)out.data)[i] - 1.0; /* the middle of the bounds is 1 */
        if (y == 0) continue;
        assert_true(fabs(fabs(y) / value - 1) < 1e-6);
        if (y > 0)
            ups++;
        else
            downs++;
    }
    assert_int_equal(ups + downs, (uint64_t)rows * m);
    assert_true(proportion_p(ups, ups + downs, up) > alpha);
    hrr_dense_clear(&out);
    hrr_feature_plan_free(plan);
}

/* More than 16 MB at once are written past the caches, from rows that begin anywhere in a line. */
static void test_sampled__large_releases_are_the_same(void **state)
{
    (void)state;
    enum { rows = 1500, cols = 3001, part = 100 };
    hrr_feature_plan *plan = plan_of("multibit", 20, cols, NULL, NULL);
    hrr_dense in = matrix_of(HRR_F32, rows, cols), whole = matrix_of(HRR_F32, rows, cols),
              piece = matrix_of(HRR_F32, part, cols);
    for (int i = 0; i < rows * cols; i++)
        ((float *)in.data)[i] = (float)(i % 11) / 10;
    apply(&whole, plan, &in, 0, 3, 2);
    for (uint64_t begin = 0; begin < rows; begin += part) {
        hrr_dense some = in;
        some.rows = part;
        some.data = (float *)in.data + begin * cols;
        apply(&piece, plan, &some, begin, 3, 1);
        assert_memory_equal(piece.data, (float *)whole.data + begin * cols,
                            part * cols * sizeof(float));
    }
    hrr_dense_clear(&in);
    hrr_dense_clear(&whole);
    hrr_dense_clear(&piece);
    hrr_feature_plan_free(plan);
}

/* ---- out of memory ----------------------------------------------------------------------- */

static hrr_status plan_once(void *user)
{
    hrr_feature_options options;
    hrr_feature_options_init(&options);
    options.mechanism = user;
    hrr_feature_plan *plan;
    hrr_status status = hrr_feature_plan_new(&plan, 3, &options, NULL);
    hrr_feature_plan_free(plan);
    return status;
}

static void test_coordinates__survive_running_out_of_memory(void **state)
{
    (void)state;
    char all[] = "hybrid", sampled[] = "multibit";
    assert_int_equal(brutal(plan_once, all), 8);
    assert_int_equal(brutal(plan_once, sampled), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coordinates__means_are_the_features),
        cmocka_unit_test(test_coordinates__threads_and_cuts_do_not_show),
        cmocka_unit_test(test_coordinates__element_types_and_clipping_do_not_show),
        cmocka_unit_test(test_coordinates__claims_never_exceed_the_request),
        cmocka_unit_test(test_coordinates__a_budget_that_cannot_be_split_is_refused),
        cmocka_unit_test(test_sampled__draws_as_many_features_as_the_budget_feeds),
        cmocka_unit_test(test_sampled__takes_the_number_of_features_it_is_told),
        cmocka_unit_test(test_sampled__the_choice_does_not_look_at_the_data),
        cmocka_unit_test(test_sampled__every_set_of_features_is_equally_likely),
        cmocka_unit_test(test_sampled__large_releases_are_the_same),
        cmocka_unit_test(test_multibit__follows_the_published_law),
        cmocka_unit_test(test_coordinates__survive_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
