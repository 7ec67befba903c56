#include "support/brutal.h"
#include "structure/graphs.h"
#include "structure/measures.h"

#include <math.h>

/* ---- degrees --------------------------------------------------------------------------------- */

/* A path of four nodes, degrees 1 2 2 1, and a star, 3 1 1 1: F = 0 1/2 1 1, F' = 0 3/4 3/4 1. */
static void test_degrees__by_hand(void **state)
{
    (void)state;
    hrr_csr path = matrix_of(4, 3, (uint32_t[]){0, 1, 1, 2, 2, 3});
    hrr_csr star = matrix_of(4, 3, (uint32_t[]){0, 1, 0, 2, 0, 3});
    hrr_degree_distance d;
    assert_ok(hrr_degree_distances(&d, &path, &star, NULL));
    assert_true(d.kolmogorov_smirnov == .25 && d.earth_mover == .5);
    assert_ok(hrr_degree_distances(&d, &path, &path, NULL));
    assert_true(d.kolmogorov_smirnov == 0 && d.earth_mover == 0);
    hrr_csr_clear(&path);
    hrr_csr_clear(&star);
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* A path of four nodes has 6 ordered pairs one step apart, 4 two and 2 three; a star 6 and 6. */
static void test_paths__by_hand(void **state)
{
    (void)state;
    hrr_csr path = matrix_of(4, 3, (uint32_t[]){0, 1, 1, 2, 2, 3});
    hrr_csr star = matrix_of(4, 3, (uint32_t[]){0, 1, 0, 2, 0, 3});
    hrr_csr bare = matrix_of(4, 0, NULL);
    hrr_path_distance d;
    assert_ok(hrr_path_distances(&d, &path, &star, 0, 1, 2, NULL, NULL));
    assert_true(fabs(d.kolmogorov_smirnov - 2. / 12) < 1e-15 && d.n_sources == 4);
    assert_true(fabs(d.mean_original - 20. / 12) < 1e-15 && fabs(d.mean_released - 1.5) < 1e-15);
    assert_ok(hrr_path_distances(&d, &path, &bare, 0, 1, 2, NULL, NULL));
    assert_true(d.kolmogorov_smirnov == 1 && d.joined_released == 0 && isnan(d.mean_released));
    hrr_csr_clear(&path);
    hrr_csr_clear(&star);
    hrr_csr_clear(&bare);
}

/* More than one word of sources; and a sample that is the same in both graphs. */
static void test_paths__any_sources(void **state)
{
    (void)state;
    hrr_csr one = random_matrix(300, 280, 500, 1), two = random_matrix(300, 280, 500, 2);
    hrr_path_distance all, some, same;
    assert_ok(hrr_path_distances(&all, &one, &two, 0, 1, 2, NULL, NULL));
    assert_ok(hrr_path_distances(&some, &one, &two, 100, 1, 2, NULL, NULL));
    assert_ok(hrr_path_distances(&same, &one, &one, 100, 1, 2, NULL, NULL));
    assert_true(all.n_sources == 300 && some.n_sources == 100);
    assert_true(fabs(all.joined_original - some.joined_original) < .1 &&
                same.kolmogorov_smirnov == 0);
    hrr_csr_clear(&one);
    hrr_csr_clear(&two);
}

/* ---- clustering ------------------------------------------------------------------------------ */

static void test_clustering__agrees_with_all_triples(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        hrr_csr matrix = random_matrix(14, 12, seed, seed);
        const uint64_t n = matrix.rows;
        double *a = dense_of(&matrix), local = 0, meetings = 0, closed = 0;
        for (uint64_t i = 0; i < n; i++) {
            double pairs = 0, joined = 0;
            for (uint64_t j = 0; j < n; j++)
                for (uint64_t k = 0; k < j; k++)
                    if (a[i * n + j] && a[i * n + k]) {
                        pairs++;
                        joined += a[j * n + k];
                    }
            meetings += pairs;
            closed += joined;
            local += pairs > 0 ? joined / pairs : 0;
        }
        hrr_clustering c, again;
        assert_ok(hrr_clustering_of(&c, &matrix, 1, NULL, NULL));
        assert_int_equal(c.triangles, (uint64_t)closed / 3);
        assert_true(fabs(c.transitivity - (meetings > 0 ? closed / meetings : 0)) < 1e-14);
        assert_true(fabs(c.mean_local - local / (double)n) < 1e-14);
        assert_ok(hrr_clustering_of(&again, &matrix, 3, NULL, NULL));
        assert_memory_equal(&c, &again, sizeof c);
        test_free(a);
        hrr_csr_clear(&matrix);
    }
}

/* ---- communities ----------------------------------------------------------------------------- */

/* Two triangles joined by an edge: 6/7 of the edges inside, both sides half of the degrees. */
static void test_modularity__by_hand(void **state)
{
    (void)state;
    hrr_csr a = matrix_of(6, 7, (uint32_t[]){0, 1, 0, 2, 1, 2, 3, 4, 3, 5, 4, 5, 2, 3});
    double q;
    assert_ok(hrr_modularity(&q, &a, (uint32_t[]){0, 0, 0, 1, 1, 1}, 2, NULL));
    assert_true(fabs(q - (6. / 7 - .5)) < 1e-15);
    assert_ok(hrr_modularity(&q, &a, (uint32_t[]){0, 0, 0, 0, 0, 0}, 1, NULL));
    assert_true(fabs(q) < 1e-15);
    hrr_error err;
    assert_int_equal(hrr_modularity(&q, &a, (uint32_t[]){0, 0, 2, 0, 0, 0}, 2, &err), HRR_EINVAL);
    assert_says(err, "node 2 is in community 2, but there are 2");
    hrr_csr_clear(&a);
}

/* Eight cliques of six in a ring: nothing could be plainer. */
static void test_communities__finds_cliques_for_every_seed(void **state)
{
    (void)state;
    enum { CLIQUES = 8, SIZE = 6, N = CLIQUES * SIZE };
    uint32_t pairs[2 * (CLIQUES * SIZE * (SIZE - 1) / 2 + CLIQUES)];
    uint64_t count = 0;
    for (uint32_t c = 0; c < CLIQUES; c++) {
        for (uint32_t i = 0; i < SIZE; i++)
            for (uint32_t j = 0; j < i; j++, count++) {
                pairs[2 * count] = c * SIZE + i;
                pairs[2 * count + 1] = c * SIZE + j;
            }
        pairs[2 * count] = c * SIZE;
        pairs[2 * count++ + 1] = (c + 1) % CLIQUES * SIZE + 1;
    }
    hrr_csr a = matrix_of(N, count, pairs);
    for (uint64_t seed = 0; seed < 30; seed++) {
        uint32_t community[N], again[N], n_communities;
        assert_ok(hrr_communities_find(community, &n_communities, &a, seed, NULL, NULL));
        assert_int_equal(n_communities, CLIQUES);
        for (uint32_t i = 0; i < N; i++)
            assert_int_equal(community[i], i / SIZE); /* numbered by their first nodes */
        assert_ok(hrr_communities_find(again, &n_communities, &a, seed, NULL, NULL));
        assert_memory_equal(community, again, sizeof again);
    }
    hrr_csr_clear(&a);
}

/* Moves raise modularity, so the result is no worse than everybody alone or all together. */
static void test_communities__are_never_worse_than_none(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        hrr_csr a = random_matrix(40, 35, seed * 2, seed);
        uint32_t community[40], alone[40], together[40] = {0}, n_communities;
        for (uint32_t i = 0; i < 40; i++)
            alone[i] = i;
        double found, q;
        assert_ok(hrr_communities_find(community, &n_communities, &a, seed, NULL, NULL));
        assert_ok(hrr_modularity(&found, &a, community, n_communities, NULL));
        assert_ok(hrr_modularity(&q, &a, alone, 40, NULL));
        assert_true(found >= q);
        assert_ok(hrr_modularity(&q, &a, together, 1, NULL));
        assert_true(found >= q - 1e-15);
        hrr_csr_clear(&a);
    }
}

/* Where the method ends no two communities are better off as one. */
static void test_communities__no_two_want_to_be_one(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        hrr_csr a = random_matrix(60, 60, 40 + 5 * seed, seed);
        uint32_t community[60], merged[60], count;
        double found, q;
        assert_ok(hrr_communities_find(community, &count, &a, seed, NULL, NULL));
        assert_ok(hrr_modularity(&found, &a, community, count, NULL));
        for (uint32_t c = 0; c < count; c++)
            for (uint32_t d = 0; d < c; d++) {
                for (int i = 0; i < 60; i++)
                    merged[i] = community[i] == c ? d : community[i];
                assert_ok(hrr_modularity(&q, &a, merged, count, NULL));
                assert_true(q <= found + 1e-12);
            }
        hrr_csr_clear(&a);
    }
}

/* ---- edges ----------------------------------------------------------------------------------- */

static void test_overlap__leaves_known_edges_out(void **state)
{
    (void)state;
    hrr_csr original = matrix_of(6, 5, (uint32_t[]){0, 1, 0, 2, 1, 2, 3, 4, 4, 5});
    hrr_csr released = matrix_of(6, 4, (uint32_t[]){0, 1, 0, 2, 3, 4, 0, 5});
    hrr_csr known = matrix_of(6, 2, (uint32_t[]){0, 1, 4, 5});
    hrr_edge_overlap o;
    assert_ok(hrr_edge_overlap_of(&o, &original, &released, NULL, NULL));
    assert_true(o.original == 5 && o.released == 4 && o.common == 3);
    assert_true(o.precision == .75 && o.recall == .6 && fabs(o.count_error - .2) < 1e-15);
    assert_ok(hrr_edge_overlap_of(&o, &original, &released, &known, NULL));
    assert_true(o.original == 3 && o.released == 3 && o.common == 2);
    assert_ok(hrr_edge_overlap_of(&o, &original, &released, &original, NULL));
    assert_true(o.original == 0 && o.released == 1 && o.common == 0);
    assert_true(o.precision == 0 && isnan(o.recall) && isnan(o.count_error));
    hrr_csr_clear(&original);
    hrr_csr_clear(&released);
    hrr_csr_clear(&known);
}

/* ---- spectrum -------------------------------------------------------------------------------- */

/* A ring of n nodes has the eigenvalues cos(2 pi k / n), each twice but the first; a clique of n
 * has -1 / (n - 1), n - 1 times; a star has 0 and -1. */
static void test_spectrum__of_rings_cliques_and_stars(void **state)
{
    (void)state;
    enum { N = 300 };
    uint32_t pairs[2 * N];
    for (uint32_t i = 0; i < N; i++) {
        pairs[2 * i] = i;
        pairs[2 * i + 1] = i / 100 * 100 + (i + 1) % 100;
    }
    hrr_csr rings = matrix_of(N, N, pairs); /* three of a hundred: every value six times */
    hrr_spectrum s;
    assert_ok(hrr_spectrum_of(&s, &rings, 14, 1, 0, NULL, NULL));
    assert_int_equal(s.components, 3);
    assert_int_equal(s.n_values, 14);
    for (int k = 0; k < 14; k++)
        assert_true(fabs(s.value[k] - cos(2 * acos(-1) * (k / 6 + 1) / 100)) < 1e-9);
    hrr_csr_clear(&rings);

    hrr_csr clique =
        matrix_of(5, 10, (uint32_t[]){0, 1, 0, 2, 0, 3, 0, 4, 1, 2, 1, 3, 1, 4, 2, 3, 2, 4, 3, 4});
    assert_ok(hrr_spectrum_of(&s, &clique, 10, 1, 1, NULL, NULL));
    assert_int_equal(s.n_values, 4);
    for (int k = 0; k < 4; k++)
        assert_true(fabs(s.value[k] + .25) < 1e-12);
    hrr_csr_clear(&clique);

    hrr_csr star = matrix_of(6, 4, (uint32_t[]){0, 1, 0, 2, 0, 3, 0, 4}); /* node 5 is alone: 0 */
    assert_ok(hrr_spectrum_of(&s, &star, 5, 1, 1, NULL, NULL));
    assert_int_equal(s.components, 1);
    assert_int_equal(s.n_values, 5);
    for (int k = 0; k < 5; k++)
        assert_true(fabs(s.value[k] - (k < 4 ? 0 : -1)) < 1e-12);
    hrr_csr_clear(&star);
}

static void test_spectrum__threads_do_not_show(void **state)
{
    (void)state;
    hrr_csr a = random_matrix(20000, 20000, 60000, 4); /* enough edges for threads to be used */
    hrr_spectrum one, more;
    assert_ok(hrr_spectrum_of(&one, &a, 3, 1, 1, NULL, NULL));
    assert_ok(hrr_spectrum_of(&more, &a, 3, 1, 3, NULL, NULL));
    assert_memory_equal(one.value, more.value, sizeof one.value);
    assert_true(one.residual <= 1e-7);
    hrr_csr_clear(&a);
}

/* ---- together -------------------------------------------------------------------------------- */

static void test_compare__empty_and_single_graphs_are_at_no_distance(void **state)
{
    (void)state;
    for (uint64_t n = 1; n < 4; n++) {
        hrr_csr a = matrix_of(n, 0, (uint32_t[]){0, 0});
        hrr_structure_options options;
        hrr_structure_options_init(&options);
        for (int walk = 0; walk < 3; walk++) {
            hrr_structure_report r;
            options.walk = (hrr_walk_method)walk;
            assert_ok(hrr_structure_compare(&r, &a, &a, &options, NULL, NULL));
            assert_int_equal(r.n_nodes, n);
            assert_int_equal(r.n_communities, n);
            assert_true(r.walk.rms[4] == 0 && r.degrees.earth_mover == 0 &&
                        r.spectral_distance == 0);
            assert_true(r.modularity_original == 0 && r.clustering_original.mean_local == 0);
            assert_true(isnan(r.overlap.precision));
        }
        hrr_csr_clear(&a);
    }
}

static void test_compare__uses_the_communities_it_is_given(void **state)
{
    (void)state;
    hrr_csr a = matrix_of(6, 7, (uint32_t[]){0, 1, 0, 2, 1, 2, 3, 4, 3, 5, 4, 5, 2, 3});
    hrr_csr b = matrix_of(6, 1, (uint32_t[]){2, 3});
    const uint32_t turns[] = {0, 1, 0, 1, 0, 1}; /* nobody would find these */
    hrr_structure_options options;
    hrr_structure_options_init(&options);
    options.community = turns;
    options.n_communities = 2;
    hrr_structure_report r;
    assert_ok(hrr_structure_compare(&r, &a, &b, &options, NULL, NULL));
    assert_true(fabs(r.modularity_original - (2. / 7 - .5)) < 1e-15);
    assert_true(fabs(r.modularity_released + .5) < 1e-15);
    assert_int_equal(r.clustering_original.triangles, 2);
    assert_int_equal(r.clustering_released.triangles, 0);
    hrr_csr_clear(&a);
    hrr_csr_clear(&b);
}

static void test_compare__refuses_graphs_on_other_nodes(void **state)
{
    (void)state;
    hrr_csr a = random_matrix(5, 5, 4, 1), b = random_matrix(6, 6, 4, 1);
    hrr_structure_options options;
    hrr_structure_options_init(&options);
    hrr_structure_report r;
    hrr_degree_distance d;
    hrr_edge_overlap o;
    hrr_spectrum s;
    hrr_error err;
    assert_int_equal(hrr_structure_compare(&r, &a, &b, &options, NULL, &err), HRR_EINVAL);
    assert_says(err, "same nodes");
    assert_int_equal(hrr_degree_distances(&d, &a, &b, &err), HRR_EINVAL);
    assert_int_equal(hrr_edge_overlap_of(&o, &a, &b, NULL, &err), HRR_EINVAL);
    assert_int_equal(hrr_edge_overlap_of(&o, &a, &a, &b, &err), HRR_EINVAL);
    assert_int_equal(hrr_spectrum_of(&s, &a, 65, 1, 1, NULL, &err), HRR_EINVAL);
    hrr_csr_clear(&a);
    hrr_csr_clear(&b);
}

static hrr_status compare_pair(void *user)
{
    const hrr_csr *graphs = user;
    hrr_structure_options options;
    hrr_structure_options_init(&options);
    options.threads = 2;
    hrr_structure_report r;
    return hrr_structure_compare(&r, &graphs[0], &graphs[1], &options, NULL, NULL);
}

static void test_compare__survives_every_failed_allocation(void **state)
{
    (void)state;
    hrr_csr graphs[] = {random_matrix(30, 28, 50, 1), random_matrix(30, 28, 40, 2)};
    brutal(compare_pair, graphs);
    hrr_csr_clear(&graphs[0]);
    hrr_csr_clear(&graphs[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_degrees__by_hand),
        cmocka_unit_test(test_paths__by_hand),
        cmocka_unit_test(test_paths__any_sources),
        cmocka_unit_test(test_clustering__agrees_with_all_triples),
        cmocka_unit_test(test_modularity__by_hand),
        cmocka_unit_test(test_communities__finds_cliques_for_every_seed),
        cmocka_unit_test(test_communities__are_never_worse_than_none),
        cmocka_unit_test(test_communities__no_two_want_to_be_one),
        cmocka_unit_test(test_overlap__leaves_known_edges_out),
        cmocka_unit_test(test_spectrum__of_rings_cliques_and_stars),
        cmocka_unit_test(test_spectrum__threads_do_not_show),
        cmocka_unit_test(test_compare__empty_and_single_graphs_are_at_no_distance),
        cmocka_unit_test(test_compare__uses_the_communities_it_is_given),
        cmocka_unit_test(test_compare__refuses_graphs_on_other_nodes),
        cmocka_unit_test(test_compare__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
