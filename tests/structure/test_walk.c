#include "support/brutal.h"
#include "structure/graphs.h"
#include "structure/measures.h"

#include <math.h>

enum { HOPS = 5 };

/* P^h as the definition has it; a node without edges has a row of zeros. */
static void naive_powers(double *powers, const hrr_csr *matrix)
{
    const uint64_t n = matrix->rows;
    double *p = dense_of(matrix);
    for (uint64_t i = 0; i < n; i++) {
        const double degree = (double)(matrix->row_start[i + 1] - matrix->row_start[i]);
        for (uint64_t j = 0; j < n; j++)
            p[i * n + j] = degree > 0 ? p[i * n + j] / degree : 0;
    }
    for (uint64_t k = 0; k < n * n; k++)
        powers[k] = k / n == k % n;
    for (int h = 1; h <= HOPS; h++) {
        const double *before = powers + (uint64_t)(h - 1) * n * n;
        double *now = powers + (uint64_t)h * n * n;
        for (uint64_t i = 0; i < n; i++)
            for (uint64_t j = 0; j < n; j++) {
                now[i * n + j] = 0;
                for (uint64_t k = 0; k < n; k++)
                    now[i * n + j] += before[i * n + k] * p[k * n + j];
            }
    }
    test_free(p);
}

static void naive_distance(double *rms, const hrr_csr *a, const hrr_csr *b)
{
    const uint64_t n = a->rows;
    double *p = test_malloc((HOPS + 1) * n * n * sizeof *p);
    double *q = test_malloc((HOPS + 1) * n * n * sizeof *q);
    naive_powers(p, a);
    naive_powers(q, b);
    for (int h = 0; h <= HOPS; h++) {
        double sum = 0;
        for (uint64_t k = (uint64_t)h * n * n; k < (uint64_t)(h + 1) * n * n; k++)
            sum += (p[k] - q[k]) * (p[k] - q[k]);
        rms[h] = sqrt(sum / (double)(n * n));
    }
    test_free(p);
    test_free(q);
}

/* Two edges, one after the other, against the first alone:
 *   P = 0 1 0 / .5 0 .5 / 0 1 0,  Q = 0 1 0 / 1 0 0 / 0 0 0. */
static void test_walk__by_hand(void **state)
{
    (void)state;
    hrr_csr a = matrix_of(3, 2, (uint32_t[]){0, 1, 1, 2}), b = matrix_of(3, 1, (uint32_t[]){0, 1});
    hrr_walk_distance d;
    assert_ok(hrr_walk_distance_exact(&d, &a, &b, 1, 1, NULL, NULL));
    assert_true(d.exact && d.hops == 1 && d.rms[0] == 0 && d.standard_error[1] == 0);
    assert_true(fabs(d.rms[1] - sqrt((.25 + .25 + 1) / 9)) < 1e-15);
    hrr_csr_clear(&a);
    hrr_csr_clear(&b);
}

/* Sparse, with leaves and isolated nodes; dense; and with more groups than four neighbours. */
static void test_walk__agrees_with_dense_powers(void **state)
{
    (void)state;
    const uint64_t sizes[][3] = {{1, 1, 0},    {2, 2, 1},     {9, 5, 4},
                                 {40, 30, 35}, {40, 40, 200}, {70, 70, 60}};
    for (uint64_t seed = 0; seed < 60; seed++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            hrr_csr a = random_matrix(sizes[k][0], sizes[k][1], sizes[k][2], seed);
            /* The released graph: other edges, fewer of the same draws, or the same. */
            hrr_csr b = random_matrix(sizes[k][0], sizes[k][1],
                                      seed % 3 ? sizes[k][2] * 2 / 3 : sizes[k][2],
                                      seed % 2 ? seed : seed + 1000);
            double rms[HOPS + 1];
            hrr_walk_distance d;
            naive_distance(rms, &a, &b);
            assert_ok(hrr_walk_distance_exact(&d, &a, &b, HOPS, 2, NULL, NULL));
            for (int h = 0; h <= HOPS; h++)
                assert_true(fabs(d.rms[h] - rms[h]) < 1e-13);
            hrr_csr_clear(&a);
            hrr_csr_clear(&b);
        }
}

static void test_walk__is_symmetric_and_zero_for_equal_graphs(void **state)
{
    (void)state;
    hrr_csr a = random_matrix(50, 50, 80, 1), b = random_matrix(50, 50, 80, 2);
    hrr_walk_distance there, back, same;
    assert_ok(hrr_walk_distance_exact(&there, &a, &b, 4, 0, NULL, NULL));
    assert_ok(hrr_walk_distance_exact(&back, &b, &a, 4, 0, NULL, NULL));
    assert_ok(hrr_walk_distance_exact(&same, &a, &a, 4, 0, NULL, NULL));
    for (int h = 0; h <= 4; h++) {
        assert_true(fabs(there.rms[h] - back.rms[h]) < 1e-15);
        assert_true(same.rms[h] == 0);
    }
    hrr_csr_clear(&a);
    hrr_csr_clear(&b);
}

/* 4,000 probes in 20 estimates, fixed seeds. The mean square is unbiased: the mean of the estimates
 * is within 5 of its standard errors (false failure below 1e-6 a hop), and the stated error has the
 * size of the real one (chi-square with 20 degrees of freedom: 0.4 to 2.2 of it, below 1e-4). */
static void test_walk__probing_is_unbiased_and_states_its_error(void **state)
{
    (void)state;
    enum { ESTIMATES = 20, PROBES = 200 };
    hrr_csr a = random_matrix(60, 50, 90, 3), b = random_matrix(60, 50, 60, 3);
    double rms[HOPS + 1];
    naive_distance(rms, &a, &b);
    double mean[HOPS + 1] = {0}, square[HOPS + 1] = {0}, stated[HOPS + 1] = {0};
    for (uint64_t seed = 0; seed < ESTIMATES; seed++) {
        hrr_walk_distance d;
        assert_ok(hrr_walk_distance_probed(&d, &a, &b, HOPS, PROBES, seed, 1, NULL, NULL));
        assert_true(!d.exact && d.n_probes == PROBES && d.rms[0] == 0);
        for (int h = 1; h <= HOPS; h++) {
            const double off = d.rms[h] * d.rms[h] / (rms[h] * rms[h]) - 1;
            mean[h] += off / ESTIMATES;
            square[h] += off * off / ESTIMATES;
            stated[h] += 2 * d.standard_error[h] / rms[h] / ESTIMATES; /* of the square */
        }
    }
    for (int h = 1; h <= HOPS; h++) {
        assert_true(fabs(mean[h]) < 5 * stated[h] / sqrt(ESTIMATES));
        assert_true(square[h] > .4 * stated[h] * stated[h]);
        assert_true(square[h] < 2.2 * stated[h] * stated[h]);
    }
    hrr_csr_clear(&a);
    hrr_csr_clear(&b);
}

static void test_walk__threads_do_not_show(void **state)
{
    (void)state;
    hrr_csr a = random_matrix(1500, 1400, 3000, 5), b = random_matrix(1500, 1400, 2000, 5);
    /* Probing uses threads for many edges only. */
    hrr_csr large = random_matrix(9000, 9000, 30000, 5), less = random_matrix(9000, 9000, 20000, 5);
    hrr_walk_distance one, more;
    for (int threads = 2; threads < 6; threads++) {
        assert_ok(hrr_walk_distance_exact(&one, &a, &b, 4, 1, NULL, NULL));
        assert_ok(hrr_walk_distance_exact(&more, &a, &b, 4, threads, NULL, NULL));
        assert_memory_equal(one.rms, more.rms, sizeof one.rms);
        assert_ok(hrr_walk_distance_probed(&one, &large, &less, 4, 16, 7, 1, NULL, NULL));
        assert_ok(hrr_walk_distance_probed(&more, &large, &less, 4, 16, 7, threads, NULL, NULL));
        assert_memory_equal(one.rms, more.rms, sizeof one.rms);
        assert_memory_equal(one.standard_error, more.standard_error, sizeof one.standard_error);
    }
    hrr_csr_clear(&large);
    hrr_csr_clear(&less);
    hrr_csr_clear(&a);
    hrr_csr_clear(&b);
}

static void test_walk__refuses_what_makes_no_sense(void **state)
{
    (void)state;
    hrr_csr a = random_matrix(5, 5, 4, 1), b = random_matrix(6, 6, 4, 1);
    hrr_walk_distance d;
    hrr_error err;
    assert_int_equal(hrr_walk_distance_exact(&d, &a, &b, 4, 1, NULL, &err), HRR_EINVAL);
    assert_says(err, "5 nodes and the released graph 6");
    assert_int_equal(hrr_walk_distance_probed(&d, &a, &b, 4, 8, 1, 1, NULL, &err), HRR_EINVAL);
    assert_int_equal(hrr_walk_distance_exact(&d, &a, &a, 0, 1, NULL, &err), HRR_EINVAL);
    assert_says(err, "between 1 and 16");
    assert_int_equal(hrr_walk_distance_exact(&d, &a, &a, 17, 1, NULL, &err), HRR_EINVAL);
    assert_int_equal(hrr_walk_distance_probed(&d, &a, &a, 4, 1, 1, 1, NULL, &err), HRR_EINVAL);
    assert_says(err, "use 2 to 1048576");
    hrr_csr_clear(&a);
    hrr_csr_clear(&b);
}

static void test_walk__can_be_cancelled(void **state)
{
    (void)state;
    hrr_csr a = random_matrix(200, 200, 300, 1);
    hrr_walk_distance d;
    hrr_progress *progress;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(hrr_walk_distance_exact(&d, &a, &a, 4, 2, progress, NULL), HRR_ECANCEL);
    assert_int_equal(hrr_walk_distance_probed(&d, &a, &a, 4, 8, 1, 2, progress, NULL), HRR_ECANCEL);
    hrr_progress_free(progress);
    hrr_csr_clear(&a);
}

static hrr_status walk_both_ways(void *user)
{
    const hrr_csr *graphs = user;
    hrr_walk_distance d;
    hrr_status status = hrr_walk_distance_exact(&d, &graphs[0], &graphs[1], 3, 2, NULL, NULL);
    if (status) return status;
    assert_true(d.rms[3] > 0);
    status = hrr_walk_distance_probed(&d, &graphs[0], &graphs[1], 3, 8, 1, 2, NULL, NULL);
    assert_true(status || d.rms[3] > 0);
    return status;
}

static void test_walk__survives_every_failed_allocation(void **state)
{
    (void)state;
    hrr_csr graphs[] = {random_matrix(20, 20, 30, 1), random_matrix(20, 20, 30, 2)};
    brutal(walk_both_ways, graphs);
    hrr_csr_clear(&graphs[0]);
    hrr_csr_clear(&graphs[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk__by_hand),
        cmocka_unit_test(test_walk__agrees_with_dense_powers),
        cmocka_unit_test(test_walk__is_symmetric_and_zero_for_equal_graphs),
        cmocka_unit_test(test_walk__probing_is_unbiased_and_states_its_error),
        cmocka_unit_test(test_walk__threads_do_not_show),
        cmocka_unit_test(test_walk__refuses_what_makes_no_sense),
        cmocka_unit_test(test_walk__can_be_cancelled),
        cmocka_unit_test(test_walk__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
