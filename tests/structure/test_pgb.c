/* The queries of PGB; test_pgb_oracle.py compares them with networkx. */
#include "support/brutal.h"
#include "structure/graphs.h"
#include "structure/measures.h"
#include "structure/pgb.h"

#include <math.h>

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* A path of four, degrees 1 2 2 1: ends of edges (1,2) (2,2) (2,1), correlation -1/2. */
static void test_moments__by_hand(void **state)
{
    (void)state;
    hrr_csr path = matrix_of(4, 3, (uint32_t[]){0, 1, 1, 2, 2, 3});
    hrr_csr star = matrix_of(5, 3, (uint32_t[]){0, 1, 0, 2, 0, 3});
    hrr_csr triangle = matrix_of(3, 3, (uint32_t[]){0, 1, 1, 2, 0, 2});
    hrr_degree_moments m;
    assert_ok(hrr_degree_moments_of(&m, &path, NULL));
    assert_true(m.mean == 1.5 && is_near(m.variance, 1. / 3) && is_near(m.assortativity, -.5));
    assert_ok(hrr_degree_moments_of(&m, &star, NULL));
    assert_true(is_near(m.mean, 1.2) && is_near(m.variance, 1.2) && is_near(m.assortativity, -1));
    assert_ok(hrr_degree_moments_of(&m, &triangle, NULL)); /* all ends are alike */
    assert_true(m.mean == 2 && m.variance == 0 && isnan(m.assortativity));
    hrr_csr_clear(&path);
    hrr_csr_clear(&star);
    hrr_csr_clear(&triangle);
}

static void test_divergence__by_hand(void **state)
{
    (void)state;
    const uint64_t p[] = {1, 1}, q[] = {1, 3, 0}, r[] = {0, 5}, none[] = {0};
    assert_true(fabs(hrr_divergence(p, 2, q, 3) - (.5 * log(2) + .5 * log(2. / 3))) < 1e-14);
    assert_true(hrr_divergence(q, 3, q, 2) == 0);
    assert_true(fabs(hrr_divergence(p, 2, r, 2) - (.5 * log(.5 / 0x1p-52) + .5 * log(.5))) < 1e-12);
    assert_true(isnan(hrr_divergence(p, 2, none, 1)) && isnan(hrr_divergence(none, 1, p, 2)));
}

static void test_information__by_hand(void **state)
{
    (void)state;
    const uint32_t halves[] = {0, 0, 1, 1}, turned[] = {1, 1, 0, 0}, across[] = {0, 1, 0, 1};
    const uint32_t one[] = {0, 0, 0, 0}, alone[] = {3, 1, 0, 2};
    double nmi;
    assert_ok(hrr_mutual_information(&nmi, halves, 2, turned, 2, 4, NULL));
    assert_true(is_near(nmi, 1));
    assert_ok(hrr_mutual_information(&nmi, halves, 2, across, 2, 4, NULL));
    assert_true(is_near(nmi, 0));
    assert_ok(hrr_mutual_information(&nmi, halves, 2, alone, 4, 4, NULL)); /* 2 log 2 / 3 log 2 */
    assert_true(is_near(nmi, 2. / 3));
    assert_ok(hrr_mutual_information(&nmi, halves, 2, one, 1, 4, NULL));
    assert_true(nmi == 0);
    assert_ok(hrr_mutual_information(&nmi, one, 1, one, 1, 4, NULL));
    assert_true(nmi == 1);
}

/* ---- together -------------------------------------------------------------------------------- */

static void test_pgb__a_graph_is_at_no_distance_from_itself(void **state)
{
    (void)state;
    hrr_pgb_options options;
    hrr_pgb_options_init(&options);
    hrr_csr graphs[] = {random_matrix(300, 280, 700, 1),
                        matrix_of(6, 7, (uint32_t[]){0, 1, 0, 2, 1, 2, 3, 4, 3, 5, 4, 5, 2, 3}),
                        matrix_of(3, 0, NULL), matrix_of(1, 0, NULL)};
    for (int g = 0; g < 4; g++) {
        hrr_pgb_answers a, three;
        double distance[HRR_N_PGB_QUERIES];
        options.threads = 1;
        assert_ok(hrr_pgb_answer(&a, &graphs[g], &options, NULL, NULL));
        options.threads = 3;
        assert_ok(hrr_pgb_answer(&three, &graphs[g], &options, NULL, NULL));
        assert_ok(hrr_pgb_compare(distance, &a, &three, NULL));
        for (int q = 0; q < HRR_N_PGB_QUERIES; q++) {
            const bool one = hrr_pgb_rows()[q].measure == HRR_PGB_MUTUAL_INFORMATION;
            assert_true(distance[q] == one || (isnan(distance[q]) && isnan(a.value[q])) ||
                        (one && is_near(distance[q], 1)));
        }
        assert_true(a.n_path_sources == graphs[g].rows && a.mean_path_error == 0);
        hrr_pgb_answers_clear(&a);
        hrr_pgb_answers_clear(&three);
        hrr_csr_clear(&graphs[g]);
    }
}

/* Two triangles joined by an edge, and a path of six. */
static void test_pgb__by_hand(void **state)
{
    (void)state;
    hrr_csr a = matrix_of(6, 7, (uint32_t[]){0, 1, 0, 2, 1, 2, 3, 4, 3, 5, 4, 5, 2, 3});
    hrr_csr b = matrix_of(6, 5, (uint32_t[]){0, 1, 1, 2, 2, 3, 3, 4, 4, 5});
    hrr_pgb_options options;
    hrr_pgb_options_init(&options);
    hrr_pgb_answers x, y;
    double d[HRR_N_PGB_QUERIES];
    assert_ok(hrr_pgb_answer(&x, &a, &options, NULL, NULL));
    assert_ok(hrr_pgb_answer(&y, &b, &options, NULL, NULL));
    assert_ok(hrr_pgb_compare(d, &x, &y, NULL));
    assert_true(d[HRR_PGB_NODES] == 0 && is_near(d[HRR_PGB_EDGES], 2. / 7));
    assert_true(d[HRR_PGB_TRIANGLES] == 1 && is_near(d[HRR_PGB_MEAN_DEGREE], 2. / 7));
    assert_true(d[HRR_PGB_DIAMETER] == 2. / 3);
    assert_true(is_near(x.value[HRR_PGB_MEAN_PATH], (7 + 2 * 4 + 3 * 4) / 15.));
    assert_true(d[HRR_PGB_TRANSITIVITY] == 1 && d[HRR_PGB_LOCAL_CLUSTERING] == 1);
    assert_true(is_near(x.value[HRR_PGB_MODULARITY], 6. / 7 - .5));
    /* Degrees 2 2 3 3 2 2 and 1 2 2 2 2 1: a third of the nodes has a degree that is gone. */
    assert_true(fabs(d[HRR_PGB_DEGREES] - log(1. / 3 / 0x1p-52) / 3) < 1e-12);
    /* Steps 0..3: 6 14 8 8 of 36; 0..5: 6 10 8 6 4 2. */
    assert_true(is_near(d[HRR_PGB_DISTANCES], (14 * log(1.4) + 8 * log(8. / 6)) / 36));
    hrr_pgb_answers_clear(&x);
    hrr_pgb_answers_clear(&y);
    hrr_csr_clear(&a);
    hrr_csr_clear(&b);
}

/* The diameter alone comes from another search than that of all paths. */
static void test_pgb__a_query_alone_is_answered_as_among_all(void **state)
{
    (void)state;
    hrr_csr a = random_matrix(300, 280, 700, 1), b = random_matrix(300, 290, 500, 2);
    hrr_pgb_options options;
    hrr_pgb_options_init(&options);
    hrr_pgb_answers x, y;
    double all[HRR_N_PGB_QUERIES], one[HRR_N_PGB_QUERIES];
    assert_ok(hrr_pgb_answer(&x, &a, &options, NULL, NULL));
    assert_ok(hrr_pgb_answer(&y, &b, &options, NULL, NULL));
    assert_ok(hrr_pgb_compare(all, &x, &y, NULL));
    hrr_pgb_answers_clear(&x);
    hrr_pgb_answers_clear(&y);
    for (int q = 0; q < HRR_N_PGB_QUERIES; q++) {
        int answered = 0;
        options.queries = UINT64_C(1) << q;
        assert_ok(hrr_pgb_answer(&x, &a, &options, NULL, NULL));
        assert_ok(hrr_pgb_answer(&y, &b, &options, NULL, NULL));
        assert_ok(hrr_pgb_compare(one, &x, &y, NULL));
        assert_true(one[q] == all[q] && !isnan(one[q]));
        for (int k = 0; k < HRR_N_PGB_QUERIES; k++) {
            assert_true(isnan(one[k]) || one[k] == all[k]);
            answered += !isnan(one[k]);
        }
        assert_true(answered <= 6);
        hrr_pgb_answers_clear(&x);
        hrr_pgb_answers_clear(&y);
    }
    hrr_csr_clear(&a);
    hrr_csr_clear(&b);
}

static void test_pgb__better_is_less_but_of_information(void **state)
{
    (void)state;
    for (int q = 0; q < HRR_N_PGB_QUERIES; q++) {
        const bool more = hrr_pgb_rows()[q].measure == HRR_PGB_MUTUAL_INFORMATION;
        assert_true(more == (q == HRR_PGB_COMMUNITIES));
        assert_int_equal(hrr_pgb_is_better((hrr_pgb_query)q, .2, .1), more);
        assert_int_equal(hrr_pgb_is_better((hrr_pgb_query)q, .1, .2), !more);
        assert_false(hrr_pgb_is_better((hrr_pgb_query)q, .1, .1));
        assert_false(hrr_pgb_is_better((hrr_pgb_query)q, NAN, .1));
        assert_false(hrr_pgb_is_better((hrr_pgb_query)q, .1, NAN));
    }
}

/* A sample of sources: the diameter is still that of all paths, and the mean near. */
static void test_pgb__samples_say_so(void **state)
{
    (void)state;
    hrr_csr a = random_matrix(2000, 1900, 3000, 5);
    hrr_pgb_options options;
    hrr_pgb_options_init(&options);
    hrr_pgb_answers all, some;
    assert_ok(hrr_pgb_answer(&all, &a, &options, NULL, NULL));
    options.n_path_sources = 400;
    assert_ok(hrr_pgb_answer(&some, &a, &options, NULL, NULL));
    assert_true(some.n_path_sources == 400 && some.mean_path_error > 0);
    assert_true(some.diameter_most == (uint64_t)all.value[HRR_PGB_DIAMETER] &&
                some.value[HRR_PGB_DIAMETER] == all.value[HRR_PGB_DIAMETER]);
    assert_true(fabs(some.value[HRR_PGB_MEAN_PATH] - all.value[HRR_PGB_MEAN_PATH]) <
                5 * some.mean_path_error);
    hrr_pgb_answers_clear(&all);
    hrr_pgb_answers_clear(&some);
    hrr_csr_clear(&a);
}

static void test_pgb__refuses_graphs_on_other_nodes(void **state)
{
    (void)state;
    hrr_csr a = random_matrix(5, 5, 4, 1), b = random_matrix(6, 6, 4, 1);
    hrr_pgb_options options;
    hrr_pgb_options_init(&options);
    hrr_pgb_answers x, y;
    double d[HRR_N_PGB_QUERIES];
    hrr_error err;
    assert_ok(hrr_pgb_answer(&x, &a, &options, NULL, NULL));
    assert_ok(hrr_pgb_answer(&y, &b, &options, NULL, NULL));
    assert_int_equal(hrr_pgb_compare(d, &x, &y, &err), HRR_EINVAL);
    assert_says(err, "same nodes");
    hrr_pgb_answers_clear(&x);
    hrr_pgb_answers_clear(&y);
    hrr_csr_clear(&a);
    hrr_csr_clear(&b);
}

static hrr_status answer_twice(void *user)
{
    const hrr_csr *graphs = user;
    hrr_pgb_options options;
    hrr_pgb_options_init(&options);
    hrr_pgb_answers a, b;
    double distance[HRR_N_PGB_QUERIES];
    hrr_status status = hrr_pgb_answer(&a, &graphs[0], &options, NULL, NULL);
    if (status) return status;
    options.n_path_sources = 10;
    status = hrr_pgb_answer(&b, &graphs[1], &options, NULL, NULL);
    if (!status) status = hrr_pgb_compare(distance, &a, &b, NULL);
    hrr_pgb_answers_clear(&a);
    hrr_pgb_answers_clear(&b);
    return status;
}

static void test_pgb__survives_every_failed_allocation(void **state)
{
    (void)state;
    hrr_csr graphs[] = {random_matrix(30, 28, 50, 1), random_matrix(30, 28, 40, 2)};
    brutal(answer_twice, graphs);
    hrr_csr_clear(&graphs[0]);
    hrr_csr_clear(&graphs[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments__by_hand),
        cmocka_unit_test(test_divergence__by_hand),
        cmocka_unit_test(test_information__by_hand),
        cmocka_unit_test(test_pgb__a_graph_is_at_no_distance_from_itself),
        cmocka_unit_test(test_pgb__by_hand),
        cmocka_unit_test(test_pgb__a_query_alone_is_answered_as_among_all),
        cmocka_unit_test(test_pgb__better_is_less_but_of_information),
        cmocka_unit_test(test_pgb__samples_say_so),
        cmocka_unit_test(test_pgb__refuses_graphs_on_other_nodes),
        cmocka_unit_test(test_pgb__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
