#include "feature/features.h"
#include "feature/law_table.h"
#include "feature/reports.h"
#include "feature/subset.h"
#include "support/brutal.h"
#include "support/public_head.h"
#include "support/statistics.h"

#include <math.h>

static const double alpha = 1e-6; /* one test in a million fails by chance; seeds are fixed */

static const uint64_t eps_grid[] = {1,          100000,     500000000,  1000000000,
                                    2000000000, 4000000000, 20000000000};
enum { n_eps = sizeof eps_grid / sizeof eps_grid[0], most = 7, most_sets = 1 << most };

static int size_of(uint32_t set)
{
    return __builtin_popcount(set);
}

/* ---- the channel of a class ------------------------------------------------------------------ */

/* Every set of every size: the law as a table, one row an answer. */
static void test_subset__weights_of_all_sets_are_certified(void **state)
{
    (void)state;
    static uint64_t weight[most * most_sets];
    for (uint32_t k = 2; k <= most; k++)
        for (uint32_t w = 1; w < k; w++)
            for (int i = 0; i < n_eps; i++) {
                hrr_window window;
                size_t n_sets = 0;
                hrr_window_init(&window, eps_grid[i], k, w);
                for (uint32_t set = 0; set < 1u << k; set++)
                    n_sets += size_of(set) == (int)w;
                for (uint32_t h = 0; h < k; h++)
                    for (uint32_t set = 0, s = 0; set < 1u << k; set++)
                        if (size_of(set) == (int)w)
                            weight[h * n_sets + s++] = set >> h & 1 ? window.high : window.low;
                assert_true(table_certifies(weight, k, n_sets, eps_grid[i]));
            }
}

/* Sets are drawn as often as the table says, for the first answer, one within and the last. */
static void test_subset__draws_follow_the_weights(void **state)
{
    (void)state;
    enum { draws = 200000, k = 5 };
    hrr_stream *stream = stream_of_seed(3);
    for (uint32_t w = 1; w < k; w++)
        for (uint32_t h = 0; h < k; h += 2) {
            hrr_window window;
            uint64_t count[1 << k] = {0}, seen[1 << k];
            double probability[1 << k], total = 0;
            hrr_window_init(&window, HRR_EPS_UNIT, k, w);
            for (int i = 0; i < draws; i++) {
                uint8_t named[k];
                uint32_t others[k], set = 0;
                hrr_subset_draw(named, &window, h, others, stream);
                for (int j = 0; j < k; j++)
                    set |= (uint32_t)named[j] << j;
                count[set]++;
            }
            int n = 0;
            for (uint32_t set = 0; set < 1 << k; set++) {
                if (size_of(set) != (int)w) {
                    assert_int_equal(count[set], 0);
                    continue;
                }
                seen[n] = count[set];
                total += probability[n++] = set >> h & 1 ? exp(1) : 1;
            }
            for (int s = 0; s < n; s++)
                probability[s] /= total;
            assert_true(chi_square_p(seen, probability, n) > alpha);
        }
    hrr_stream_free(stream);
}

/* Information by its definition, over all sets, against the closed form that chooses. */
static double information(uint32_t k, uint32_t w, double eps)
{
    const double p_in = 1 / (w + (k - w) * exp(-eps)), p_out = p_in * exp(-eps);
    double sum = 0;
    /* P(j named and h is j) and the like, of one answer: sets are symmetrical. */
    for (uint32_t set = 0, n_sets = 0; set < 1u << k; set++) {
        if (size_of(set) != (int)w) continue;
        n_sets = 0;
        for (uint32_t other = 0; other < 1u << k; other++)
            n_sets += size_of(other) == (int)w;
        /* A set that holds h has the share p_in k / w of the uniform law on sets. */
        const double with = p_in * k / n_sets, without = p_out * k / n_sets;
        sum += (w * with * log(with * n_sets) + (k - w) * without * log(without * n_sets)) / k;
    }
    return sum;
}

static void test_subset__the_width_that_tells_most_is_taken(void **state)
{
    (void)state;
    for (uint32_t k = 2; k <= most; k++)
        for (int tenths = 1; tenths <= 60; tenths += 7) {
            const uint32_t best = hrr_subset_best_width(k, (uint64_t)tenths * HRR_EPS_UNIT / 10);
            for (uint32_t w = 1; w < k; w++)
                assert_true(information(k, w, tenths / 10.) <=
                            information(k, best, tenths / 10.) + 1e-9);
        }
    assert_int_equal(hrr_subset_best_width(2, HRR_EPS_UNIT), 1);
    /* Near k (eps e^eps - e^eps + 1) / (e^eps - 1)^2 = 13.6. */
    assert_int_equal(hrr_subset_best_width(40, HRR_EPS_UNIT), 14);
    assert_int_equal(hrr_subset_best_width(40, 20 * HRR_EPS_UNIT), 1);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* Released with an epsilon that keeps nearly every answer. */
static void release_rows(hrr_reports *out, const hrr_head *head, const double *x, uint64_t rows,
                         uint64_t d)
{
    hrr_feature_options options = options_for("featurerr-head", 20 * HRR_EPS_UNIT, 0);
    options.head = head;
    hrr_feature_plan *plan = plan_for(d, &options);
    const hrr_feature_claim claim = hrr_feature_plan_claim(plan);
    const uint64_t k = claim.n_features_out;
    uint64_t eps_nano[16];
    float released[64];
    assert_int_equal(k, head->weight.cols);
    assert_true(rows * k <= 64);
    const hrr_dense in = view(HRR_F64, rows, d, x);
    hrr_dense matrix = view(HRR_F32, rows, k, released);
    hrr_random *random = seeded(1);
    assert_ok(hrr_feature_plan_apply(&matrix, plan, &in, 0, random, 1, NULL, NULL));
    assert_ok(hrr_head_budgets(eps_nano, head, 20 * HRR_EPS_UNIT, NULL));
    assert_ok(hrr_reports_read(out, &matrix, claim.report_size, eps_nano, NULL));
    hrr_random_free(random);
    hrr_feature_plan_free(plan);
}

static void test_head__answers_with_the_largest_score_and_the_first_of_several(void **state)
{
    (void)state;
    /* Scores: x, 1 - x, and .5 always; hidden: relu(x), relu(-x). */
    double weight[] = {1, -1, 0}, bias[] = {0, 1, .5};
    double hidden[] = {1, -1}, hidden_bias[] = {0, 0}, second[] = {1, 0, 0, 0, 1, 0},
           second_bias[] = {0, 0, .5};
    const hrr_head linear = {.weight = view(HRR_F64, 1, 3, weight),
                             .bias = view(HRR_F64, 1, 3, bias)};
    const hrr_head deep = {.hidden_weight = view(HRR_F64, 1, 2, hidden),
                           .hidden_bias = view(HRR_F64, 1, 2, hidden_bias),
                           .weight = view(HRR_F64, 2, 3, second),
                           .bias = view(HRR_F64, 1, 3, second_bias)};
    const double x[] = {2, -3, .5, .25, -.25, 1e308};
    static const uint8_t of_linear[][3] = {{1, 0, 0}, {0, 1, 0}, {1, 0, 0},
                                           {0, 1, 0}, {0, 1, 0}, {1, 0, 0}};
    static const uint8_t of_deep[][3] = {{1, 0, 0}, {0, 1, 0}, {1, 0, 0},
                                         {0, 0, 1}, {0, 0, 1}, {1, 0, 0}};
    hrr_reports reports;
    release_rows(&reports, &linear, x, 6, 1);
    assert_int_equal(reports.report_size, 1);
    assert_memory_equal(reports.named, of_linear, sizeof of_linear);
    hrr_reports_clear(&reports);
    release_rows(&reports, &deep, x, 6, 1);
    assert_memory_equal(reports.named, of_deep, sizeof of_deep);
    hrr_reports_clear(&reports);
}

/* inf - inf is no score: the row has an answer all the same. */
static void test_head__every_finite_row_has_an_answer(void **state)
{
    (void)state;
    double weight[] = {1e300, 1, -1e300, 1}, bias[] = {0, 0};
    const hrr_head head = {.weight = view(HRR_F64, 2, 2, weight),
                           .bias = view(HRR_F64, 1, 2, bias)};
    const double x[] = {1e300, 1e300};
    hrr_reports reports;
    release_rows(&reports, &head, x, 1, 2);
    assert_int_equal(reports.named[0] + reports.named[1], 1);
    hrr_reports_clear(&reports);
}

static void test_head__labels_are_answered_one_by_one(void **state)
{
    (void)state;
    double weight[] = {1, -1}, bias[] = {0, .5}, shares[] = {1, 3};
    hrr_head head = {.weight = view(HRR_F64, 1, 2, weight),
                     .bias = view(HRR_F64, 1, 2, bias),
                     .output = HRR_OUTPUT_SIGMOID};
    const double x[] = {1, -1, .25, 0};
    static const uint8_t said[][2] = {{1, 0}, {0, 1}, {1, 1}, {0, 1}}; /* 0 is not above 0 */
    hrr_reports reports;
    release_rows(&reports, &head, x, 4, 1);
    assert_int_equal(reports.report_size, 0);
    assert_memory_equal(reports.named, said, sizeof said);
    assert_true(reports.log_ratio[0] == 10 && reports.log_ratio[1] == 10);
    hrr_reports_clear(&reports);
    head.shares = view(HRR_F64, 1, 2, shares);
    release_rows(&reports, &head, x, 4, 1);
    assert_true(reports.log_ratio[0] == 5 && reports.log_ratio[1] == 15);
    hrr_reports_clear(&reports);
}

/* Budgets 0, 4 and 8 of three labels, all of which are asked about: how often each stays, and that
 * the first tells nothing. */
static void test_head__each_label_has_its_share_of_the_budget(void **state)
{
    (void)state;
    enum { rows = 200000, k = 3 };
    static float x[rows], out[rows * k];
    double shares[] = {0, 1, 2};
    hrr_head *head = public_head(1, k, HRR_OUTPUT_SIGMOID);
    head->shares = view(HRR_F64, 1, k, shares);
    hrr_feature_options options = options_for("featurerr-head", 12 * HRR_EPS_UNIT, 0);
    options.head = head;
    hrr_feature_plan *plan = plan_for(1, &options);
    const hrr_feature_claim claim = hrr_feature_plan_claim(plan);
    assert_true(claim.realised_eps <= 12 && claim.realised_eps > 12 - 4e-3);
    assert_int_equal(claim.report_size, 0);
    assert_int_equal(claim.n_sampled, 0);
    for (int i = 0; i < rows; i++)
        x[i] = 9; /* all labels */
    const hrr_dense in = view(HRR_F32, rows, 1, x);
    hrr_dense released = view(HRR_F32, rows, k, out);
    hrr_random *random = seeded(8);
    assert_ok(hrr_feature_plan_apply(&released, plan, &in, 0, random, 1, NULL, NULL));
    for (int j = 0; j < k; j++) {
        uint64_t count[2] = {0};
        const double e = exp(4 * j), probability[2] = {1 / (1 + e), e / (1 + e)};
        for (int i = 0; i < rows; i++) {
            const float value = out[i * k + j];
            assert_true(fabs(value - probability[0]) < 1e-4 || fabs(value - probability[1]) < 1e-4);
            count[value > .5]++;
        }
        if (j == 0)
            assert_int_equal(count[0], rows); /* one half, whatever was drawn */
        else
            assert_true(chi_square_p(count, probability, 2) > alpha);
    }
    hrr_random_free(random);
    hrr_feature_plan_free(plan);
}

/* ---- some of the labels -----------------------------------------------------------------------
 */

static void test_head__the_number_of_questions_that_tells_most_is_asked(void **state)
{
    (void)state;
    double shares[] = {1, 0, 2, 0, 1, 1, 1, 1};
    hrr_head head = *public_head(1, 8, HRR_OUTPUT_SIGMOID);
    /* ln 2 - H(1/(1 + e^x)) is .3278 at 2, .4264 at 2.5, .5319 at 10/3, .1109 at 1. */
    assert_int_equal(hrr_head_asked(&head, 2 * HRR_EPS_UNIT), 1);
    assert_int_equal(hrr_head_asked(&head, 10 * HRR_EPS_UNIT), 4);
    assert_int_equal(hrr_head_asked(&head, 1), 1);
    head.shares = view(HRR_F64, 1, 8, shares);
    assert_int_equal(hrr_head_asked(&head, 20 * HRR_EPS_UNIT), 0); /* all six that have a share */
    head.weight.cols = 1;
    head.shares.cols = 1;
    assert_int_equal(hrr_head_asked(&head, HRR_EPS_UNIT), 0); /* the only one */
    head.output = HRR_OUTPUT_SOFTMAX;
    assert_int_equal(hrr_head_asked(&head, HRR_EPS_UNIT), 0);
}

/* Rows that the head answers yes or no throughout, with the same noise. Which labels are asked
 * about must be the same, in proportion to the shares; an answer is true with e^eps/(1 + e^eps). 2
 * x 100000 rows, alpha for each of 4 tests as above. */
static void test_head__which_labels_are_asked_about_does_not_depend_on_the_row(void **state)
{
    (void)state;
    enum { rows = 100000, k = 4 };
    static float x[2][rows], out[2][rows * k];
    double shares[k] = {1, 0, 2, 5};
    const double of_label[k - 1] = {1. / 8, 2. / 8, 5. / 8};
    hrr_head *head = public_head(1, k, HRR_OUTPUT_SIGMOID);
    head->shares = view(HRR_F64, 1, k, shares);
    hrr_feature_options options = options_for("featurerr-head", 2 * HRR_EPS_UNIT, 0);
    options.head = head;
    hrr_feature_plan *plan = plan_for(1, &options);
    const hrr_feature_claim claim = hrr_feature_plan_claim(plan);
    assert_true(claim.realised_eps <= 2 && claim.realised_eps > 2 - 1e-3);
    assert_int_equal(claim.n_sampled, 1);
    hrr_random *random = seeded(11);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < rows; i++)
            x[side][i] = side ? 9 : 0;
        const hrr_dense in = view(HRR_F32, rows, 1, x[side]);
        hrr_dense released = view(HRR_F32, rows, k, out[side]);
        assert_ok(hrr_feature_plan_apply(&released, plan, &in, 0, random, 1, NULL, NULL));
    }
    uint64_t asked[k - 1] = {0}, yes[2][2] = {{0}};
    for (int i = 0; i < rows; i++) {
        int n_asked = 0;
        for (int j = 0; j < k; j++) {
            const float no = out[0][i * k + j], all = out[1][i * k + j];
            assert_int_equal(no == .5f, all == .5f);
            if (no == .5f) continue;
            assert_int_not_equal(j, 1); /* it has no share */
            asked[j ? j - 1 : 0]++;
            yes[0][no > .5f]++;
            yes[1][all > .5f]++;
            n_asked++;
        }
        assert_int_equal(n_asked, 1);
    }
    const double e = exp(2), told[2][2] = {{e / (1 + e), 1 / (1 + e)}, {1 / (1 + e), e / (1 + e)}};
    assert_true(chi_square_p(asked, of_label, k - 1) > alpha);
    for (int side = 0; side < 2; side++)
        assert_true(chi_square_p(yes[side], told[side], 2) > alpha);
    hrr_random_free(random);
    hrr_feature_plan_free(plan);
}

/* Four of eight with a quarter of the budget each; silent answers are read back as such. */
static void test_head__several_labels_share_the_budget_that_are_asked_about(void **state)
{
    (void)state;
    enum { rows = 500, k = 8 };
    static float x[rows], out[rows * k];
    uint64_t eps_nano[k];
    hrr_head *head = public_head(1, k, HRR_OUTPUT_SIGMOID);
    hrr_feature_options options = options_for("featurerr-head", 10 * HRR_EPS_UNIT, 0);
    options.head = head;
    hrr_feature_plan *plan = plan_for(1, &options);
    const hrr_feature_claim claim = hrr_feature_plan_claim(plan);
    assert_true(claim.realised_eps <= 10 && claim.realised_eps > 10 - 4e-3);
    assert_int_equal(claim.n_sampled, 4);
    const hrr_dense in = view(HRR_F32, rows, 1, x);
    hrr_dense released = view(HRR_F32, rows, k, out);
    hrr_random *random = seeded(12);
    hrr_reports reports;
    assert_ok(hrr_feature_plan_apply(&released, plan, &in, 0, random, 1, NULL, NULL));
    assert_ok(hrr_head_budgets(eps_nano, head, 10 * HRR_EPS_UNIT, NULL));
    assert_ok(hrr_reports_read(&reports, &released, 0, eps_nano, NULL));
    for (int i = 0; i < rows; i++) {
        int n_asked = 0;
        for (int j = 0; j < k; j++) {
            const bool silent = reports.named[i * k + j] == HRR_REPORT_SILENT;
            assert_int_equal(silent, out[i * k + j] == .5f);
            n_asked += !silent;
        }
        assert_int_equal(n_asked, 4);
    }
    for (int j = 0; j < k; j++)
        assert_true(reports.log_ratio[j] == 2.5);
    hrr_reports_clear(&reports);
    hrr_random_free(random);
    hrr_feature_plan_free(plan);
}

/* The reference without noise. */
static void test_head__answers_as_they_are(void **state)
{
    (void)state;
    double weight[] = {1, -1}, bias[] = {0, .5};
    hrr_head head = {.weight = view(HRR_F64, 1, 2, weight), .bias = view(HRR_F64, 1, 2, bias)};
    const double x[] = {1, -1, .25};
    static const uint8_t classes[][2] = {{1, 0}, {0, 1}, {1, 0}},
                         labels[][2] = {{1, 0}, {0, 1}, {1, 1}};
    const hrr_dense in = view(HRR_F64, 3, 1, x);
    hrr_reports reports;
    assert_ok(hrr_reports_of_answers(&reports, &head, &in, NULL));
    assert_int_equal(reports.report_size, 1);
    assert_memory_equal(reports.named, classes, sizeof classes);
    hrr_reports_clear(&reports);
    head.output = HRR_OUTPUT_SIGMOID;
    assert_ok(hrr_reports_of_answers(&reports, &head, &in, NULL));
    assert_int_equal(reports.report_size, 0);
    assert_memory_equal(reports.named, labels, sizeof labels);
    hrr_reports_clear(&reports);
}

/* Values are what somebody believes who thought all classes equally likely; they sum to 1. */
static void test_head__values_are_beliefs_after_the_report(void **state)
{
    (void)state;
    enum { rows = 1000, k = 7, d = 2 };
    static float x[rows * d], out[rows * k];
    hrr_feature_options options = options_for("featurerr-head", HRR_EPS_UNIT, 0);
    options.head = public_head(d, k, HRR_OUTPUT_SOFTMAX);
    hrr_feature_plan *plan = plan_for(d, &options);
    const hrr_feature_claim claim = hrr_feature_plan_claim(plan);
    assert_true(claim.realised_eps <= 1 && claim.realised_eps > 1 - 1e-9);
    assert_int_equal(claim.n_answers, k);
    assert_int_equal(claim.report_size, 2);
    const hrr_dense in = view(HRR_F32, rows, d, x);
    hrr_dense released = view(HRR_F32, rows, k, out);
    hrr_random *random = seeded(2);
    assert_ok(hrr_feature_plan_apply(&released, plan, &in, 0, random, 1, NULL, NULL));
    const double total = 2 * exp(1) + 5;
    for (int i = 0; i < rows; i++) {
        int named = 0;
        for (int j = 0; j < k; j++) {
            const double value = out[i * k + j];
            const bool high = fabs(value - exp(1) / total) < 1e-6;
            assert_true(high || fabs(value - 1 / total) < 1e-6);
            named += high;
        }
        assert_int_equal(named, 2);
    }
    hrr_random_free(random);
    hrr_feature_plan_free(plan);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void test_head__refuses_heads_that_are_none(void **state)
{
    (void)state;
    double weight[] = {1, 2, 3, 4}, bias[] = {0, 0}, bad[] = {0, NAN}, negative[] = {1, -1},
           zero[] = {0, 0};
    hrr_head head = {.weight = view(HRR_F64, 2, 2, weight), .bias = view(HRR_F64, 1, 2, bias)};
    hrr_feature_options options = options_for("featurerr-head", HRR_EPS_UNIT, 0);
    assert_refused(2, &options, "needs a public head");
    options.head = &head;
    assert_refused(3, &options, "takes 2 features");
    head.bias = view(HRR_F64, 1, 2, bad);
    assert_refused(2, &options, "not finite");
    head.bias = view(HRR_F64, 1, 1, bias);
    assert_refused(2, &options, "layers whose sizes do not match,");
    head.bias = view(HRR_F64, 1, 2, bias);
    head.hidden_weight = view(HRR_F64, 2, 1, weight);
    head.hidden_bias = view(HRR_F64, 1, 1, bias);
    assert_refused(2, &options, "layers whose sizes do not match,");
    head = (hrr_head){.weight = view(HRR_F64, 2, 1, weight), .bias = view(HRR_F64, 1, 1, bias)};
    assert_refused(2, &options, "one class");
    head = (hrr_head){.weight = view(HRR_F64, 2, 2, weight),
                      .bias = view(HRR_F64, 1, 2, bias),
                      .output = HRR_OUTPUT_SIGMOID,
                      .shares = view(HRR_F64, 1, 2, negative)};
    assert_refused(2, &options, "needs a share");
    head.shares = view(HRR_F64, 1, 2, zero);
    assert_refused(2, &options, "needs a share");
    head.shares = view(HRR_F64, 1, 2, bias);
    options.mechanism = "duchi";
    assert_refused(2, &options, "does not use a head;");
}

static hrr_status release_once(void *user)
{
    hrr_feature_plan *plan = NULL;
    hrr_reports reports = {0};
    const uint64_t eps_nano[2] = {HRR_EPS_UNIT, HRR_EPS_UNIT};
    const float row[] = {.5, .5};
    const hrr_dense released = view(HRR_F32, 1, 2, row);
    hrr_feature_options options = options_for("featurerr-head", HRR_EPS_UNIT, 0);
    options.head = user;
    hrr_status status = hrr_feature_plan_new(&plan, 2, &options, NULL);
    if (!status) status = hrr_reports_read(&reports, &released, 1, eps_nano, NULL);
    hrr_feature_plan_free(plan);
    hrr_reports_clear(&reports);
    return status;
}

static void test_head__survives_without_memory(void **state)
{
    (void)state;
    for (int output = HRR_OUTPUT_SOFTMAX; output <= HRR_OUTPUT_SIGMOID; output++)
        assert_true(brutal(release_once, public_head(2, 2, (hrr_output_kind)output)) > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_subset__weights_of_all_sets_are_certified),
        cmocka_unit_test(test_subset__draws_follow_the_weights),
        cmocka_unit_test(test_subset__the_width_that_tells_most_is_taken),
        cmocka_unit_test(test_head__answers_with_the_largest_score_and_the_first_of_several),
        cmocka_unit_test(test_head__every_finite_row_has_an_answer),
        cmocka_unit_test(test_head__labels_are_answered_one_by_one),
        cmocka_unit_test(test_head__each_label_has_its_share_of_the_budget),
        cmocka_unit_test(test_head__the_number_of_questions_that_tells_most_is_asked),
        cmocka_unit_test(test_head__which_labels_are_asked_about_does_not_depend_on_the_row),
        cmocka_unit_test(test_head__several_labels_share_the_budget_that_are_asked_about),
        cmocka_unit_test(test_head__answers_as_they_are),
        cmocka_unit_test(test_head__values_are_beliefs_after_the_report),
        cmocka_unit_test(test_head__refuses_heads_that_are_none),
        cmocka_unit_test(test_head__survives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
