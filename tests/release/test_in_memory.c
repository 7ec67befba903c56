/* test_in_memory.c: what experiments release in memory is what protect would write. */
#include "release/draws.h"
#include "release/releases.h"

#include "support/public_head.h"
#include "support/brutal.h"

#include <math.h>

static hrr_random *seed_one(void)
{
    hrr_random *random;
    assert_ok(hrr_random_new_insecure(&random, 1, NULL));
    return random;
}

static void assert_same_matrix(const hrr_dense *a, const hrr_dense *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->cols, b->cols);
    assert_int_equal(a->dtype, b->dtype);
    assert_memory_equal(a->data, b->data, a->rows * a->cols * hrr_dtype_size(a->dtype));
}

static void test_in_memory__features_are_those_of_protect(void **state)
{
    static const hrr_decoding decodings[] = {HRR_DECODE_MIDPOINT, HRR_DECODE_UNBIASED,
                                             HRR_DECODE_POSTERIOR};
    const char *bundle = in_dir(*state, "bundle");
    hrr_graph *graph = small_graph(7);
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++) {
        if (strcmp((*row)->name, "featurerr-projected") == 0) continue; /* wants directions */
        const bool decodes = strcmp((*row)->name, "featurerr") == 0;
        for (int i = 0; i < (decodes ? 3 : 1); i++) {
            hrr_protect_options options = usual_options();
            options.features.mechanism = (*row)->name;
            options.features.delta = 1e-6;
            options.features.decoding = decodings[i];
            options.declared_public = HRR_PUBLIC_HEAD;
            if ((*row)->needs_head)
                options.features.head = public_head(small_features, 4, HRR_OUTPUT_SIGMOID);
            if (strcmp((*row)->name, "none") == 0 || strcmp((*row)->name, "featfree") == 0)
                options.features.eps_nano = 0;
            options.replace = true;
            const hrr_protect_summary summary = protect(bundle, graph, &options);
            hrr_graph *written = NULL;
            assert_ok(hrr_graph_read(&written, bundle, NULL, NULL, NULL));
            hrr_random *random = seed_one();
            hrr_dense released;
            hrr_feature_claim claim;
            assert_ok(hrr_draw_features(&released, &claim, graph, &options.features, 2, random,
                                        NULL, NULL));
            assert_same_matrix(&released, hrr_graph_features(written));
            assert_true(claim.realised_eps == summary.realised_eps_features);
            hrr_dense_clear(&released);
            hrr_random_free(random);
            hrr_graph_free(written);
        }
    }
    hrr_graph_free(graph);
}

static void test_in_memory__a_second_release_has_other_noise(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(7);
    hrr_random *random = seed_one();
    hrr_feature_options options;
    hrr_feature_options_init(&options);
    options.mechanism = "laplace";
    options.eps_nano = HRR_EPS_UNIT;
    hrr_dense one, two;
    assert_ok(hrr_draw_features(&one, NULL, graph, &options, 1, random, NULL, NULL));
    assert_ok(hrr_draw_features(&two, NULL, graph, &options, 1, random, NULL, NULL));
    assert_memory_not_equal(one.data, two.data, one.rows * one.cols * sizeof(float));
    hrr_dense_clear(&one);
    hrr_dense_clear(&two);
    hrr_random_free(random);
    hrr_graph_free(graph);
}

static hrr_edge_options node_options(void)
{
    static const uint32_t blocks[] = {0, 0, 1, 1, 2, 2};
    hrr_edge_options options;
    hrr_edge_options_init(&options);
    options.mechanism = "edgerr-node";
    options.eps_nano = 3 * HRR_EPS_UNIT;
    options.blocks = blocks;
    options.n_blocks = 3;
    return options;
}

static void test_in_memory__counts_are_those_of_protect(void **state)
{
    const char *bundle = in_dir(*state, "bundle");
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = usual_options();
    options.edges = node_options();
    options.blocks_from = HRR_BLOCKS_GIVEN;
    options.declared_public = HRR_PUBLIC_BLOCKS;
    protect(bundle, graph, &options);
    hrr_array written;
    assert_ok(hrr_array_read(&written, in_dir(bundle, "block_counts.npy"), NULL));

    hrr_random *random = seed_one(), *child; /* protect draws with a child of its generator */
    hrr_block_counts counts;
    hrr_edge_release drawn;
    hrr_edge_claim claim;
    assert_ok(hrr_random_new_child(&child, random, NULL));
    assert_ok(hrr_draw_counts(&counts, &drawn, &claim, graph, &options.edges, child, NULL, NULL));
    assert_int_equal(counts.n_nodes, small_nodes);
    assert_int_equal(counts.n_blocks, 3);
    assert_null(counts.counted);
    assert_true(counts.eps == 1.5); /* an edge is counted at both its ends */
    assert_true(fabs(claim.realised_eps - 3) < 1e-9);
    assert_memory_equal(counts.count, written.data, sizeof(int64_t) * small_nodes * 3);
    hrr_edge_release_clear(&drawn);
    hrr_random_free(child);
    hrr_random_free(random);
    hrr_array_clear(&written);
    hrr_graph_free(graph);
}

static void test_in_memory__refuses_what_there_is_not(void **state)
{
    (void)state;
    hrr_error err = {0};
    hrr_graph *bare = graph_of(small_nodes, 7, small_pairs, small_marks);
    hrr_random *random = seed_one();
    hrr_feature_options features;
    hrr_feature_options_init(&features);
    hrr_dense released;
    assert_int_equal(hrr_draw_features(&released, NULL, bare, &features, 1, random, NULL, &err),
                     HRR_EINVAL);
    assert_says(err, "no features");
    assert_null(released.data);
    hrr_edge_options edges = node_options();
    edges.mechanism = "edgerr";
    hrr_block_counts counts;
    hrr_edge_release drawn;
    assert_int_equal(hrr_draw_counts(&counts, &drawn, NULL, bare, &edges, random, NULL, &err),
                     HRR_EINVAL);
    assert_says(err, "no counts");
    hrr_random_free(random);
    hrr_graph_free(bare);
}

static hrr_status release_both(void *user)
{
    const hrr_graph *graph = user;
    hrr_random *random = NULL;
    hrr_dense features = {0};
    hrr_block_counts counts;
    hrr_edge_release drawn = {.n_parts = 0};
    const hrr_edge_options edges = node_options();
    hrr_feature_options options;
    hrr_feature_options_init(&options);
    options.eps_nano = HRR_EPS_UNIT;
    hrr_status status = hrr_random_new_insecure(&random, 1, NULL);
    if (!status)
        status = hrr_draw_features(&features, NULL, graph, &options, 1, random, NULL, NULL);
    if (!status) status = hrr_draw_counts(&counts, &drawn, NULL, graph, &edges, random, NULL, NULL);
    hrr_dense_clear(&features);
    hrr_edge_release_clear(&drawn);
    hrr_random_free(random);
    return status;
}

static void test_in_memory__survives_running_out_of_memory(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(7);
    assert_true(brutal(release_both, graph) > 10);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_in_memory__features_are_those_of_protect,
                                        scratch_setup, scratch_teardown),
        cmocka_unit_test(test_in_memory__a_second_release_has_other_noise),
        cmocka_unit_test_setup_teardown(test_in_memory__counts_are_those_of_protect, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test(test_in_memory__refuses_what_there_is_not),
        cmocka_unit_test(test_in_memory__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
