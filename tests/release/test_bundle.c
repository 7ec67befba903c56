/* test_bundle.c: what a release holds, that it repeats itself, and what it does not depend on. */
#include "release/releases.h"

#include "support/public_head.h"
#include "support/brutal.h"

#include <math.h>
#include <unistd.h>

static void test_bundle__holds_the_public_edges_and_nothing_private(void **state)
{
    const char *bundle = in_dir(*state, "bundle");
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = usual_options();
    hrr_protect_summary summary = protect(bundle, graph, &options);
    assert_int_equal(summary.edges_out, 4);
    assert_false(summary.is_private); /* a seed */
    assert_int_equal(count_entries(bundle), n_bundle_files);
    assert_int_equal(count_entries(*state), 1);

    hrr_graph *read = NULL;
    assert_ok(hrr_graph_read(&read, bundle, NULL, NULL, NULL));
    const uint32_t public_pairs[] = {0, 1, 1, 2, 2, 4, 3, 4};
    assert_edges(read, 4, public_pairs);
    assert_int_equal(hrr_graph_n_private_edges(read), 0);
    assert_null(hrr_graph_is_private(read));
    for (uint64_t i = 0; i < small_nodes; i++)
        assert_int_equal(hrr_graph_classes(read)[i], hrr_graph_classes(graph)[i]);
    /* Two bins at this budget: nothing but their midpoints comes out. */
    const hrr_dense *features = hrr_graph_features(read);
    assert_int_equal(features->cols, small_features);
    for (uint64_t i = 0; i < small_nodes; i++)
        for (uint64_t c = 0; c < small_features; c++) {
            double value = hrr_dense_get(features, i, c);
            assert_true(value == .25 || value == .75);
        }
    hrr_graph_free(read);
    hrr_graph_free(graph);
}

static void test_bundle__same_bytes_for_any_number_of_threads(void **state)
{
    enum { n = 5000, d = 64 };
    static float value[n * d];
    for (int i = 0; i < n * d; i++)
        value[i] = (float)(i % 101) / 100;
    const uint32_t pairs[] = {0, 1, 2, 3};
    const uint8_t marks[] = {0, 1};
    hrr_graph *graph = graph_of(n, 2, pairs, marks);
    give_features(graph, value, n, d);
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++) {
        if (strcmp((*row)->name, "featurerr-projected") == 0) continue; /* has a test of its own */
        hrr_protect_options options = usual_options();
        options.features.mechanism = (*row)->name;
        options.features.delta = 1e-6;
        options.declared_public = HRR_PUBLIC_HEAD;
        if ((*row)->needs_head) options.features.head = public_head(d, 3, HRR_OUTPUT_SOFTMAX);
        options.replace = true;
        for (int threads = 1; threads <= 3; threads++) {
            options.threads = threads;
            protect(in_dir(*state, threads == 1 ? "one" : "more"), graph, &options);
            if (threads == 1) continue;
            for (int i = 0; i < 2; i++) {
                const char *file = i ? "certificate.json" : "features.npy";
                assert_true(same_file(in_dir(in_dir(*state, "one"), file),
                                      in_dir(in_dir(*state, "more"), file)));
            }
        }
    }
    hrr_graph_free(graph);
}

/* The edge 4-5 is private: with it or without it, not one byte differs. */
static void test_bundle__a_private_edge_changes_nothing(void **state)
{
    hrr_protect_options options = usual_options();
    hrr_graph *with = small_graph(7), *without = small_graph(6);
    assert_int_not_equal(hrr_graph_n_private_edges(with), hrr_graph_n_private_edges(without));
    protect(in_dir(*state, "with"), with, &options);
    protect(in_dir(*state, "without"), without, &options);
    for (int i = 0; i < n_bundle_files; i++)
        assert_true(same_file(in_dir(in_dir(*state, "with"), bundle_files[i]),
                              in_dir(in_dir(*state, "without"), bundle_files[i])));
    hrr_graph_free(with);
    hrr_graph_free(without);
}

/* One node's features change its own row of features.npy, and through it that file's hash. */
static void test_bundle__one_nodes_features_change_one_row(void **state)
{
    float value[small_nodes * small_features] = {0};
    hrr_protect_options options = usual_options();
    options.features.mechanism = "laplace"; /* every change of the input shows */
    for (int i = 0; i < 2; i++) {
        hrr_graph *graph = graph_of(small_nodes, 7, small_pairs, small_marks);
        value[2 * small_features] = (float)i;
        give_features(graph, value, small_nodes, small_features);
        protect(in_dir(*state, i ? "b" : "a"), graph, &options);
        hrr_graph_free(graph);
    }
    hrr_array a, b;
    assert_ok(hrr_array_read(&a, in_dir(in_dir(*state, "a"), "features.npy"), NULL));
    assert_ok(hrr_array_read(&b, in_dir(in_dir(*state, "b"), "features.npy"), NULL));
    for (uint64_t i = 0; i < a.n_items; i++)
        assert_true((((float *)a.data)[i] == ((float *)b.data)[i]) == (i != 2 * small_features));
    hrr_array_clear(&a);
    hrr_array_clear(&b);
    assert_true(same_file(in_dir(in_dir(*state, "a"), "edges.npy"),
                          in_dir(in_dir(*state, "b"), "edges.npy")));
    assert_true(same_file(in_dir(in_dir(*state, "a"), "CERTIFICATE.txt"),
                          in_dir(in_dir(*state, "b"), "CERTIFICATE.txt")));
}

static void test_bundle__all_edges_if_nothing_protects_them(void **state)
{
    hrr_graph *graph = small_graph(7), *read = NULL;
    hrr_protect_options options = usual_options();
    options.edges.mechanism = "none";
    hrr_protect_summary summary = protect(in_dir(*state, "bundle"), graph, &options);
    assert_int_equal(summary.edges_out, 7);
    assert_true(isinf(summary.realised_eps_edges));
    assert_ok(hrr_graph_read(&read, in_dir(*state, "bundle"), NULL, NULL, NULL));
    assert_edges(read, 7, small_pairs);
    assert_null(hrr_graph_is_private(read));
    hrr_graph_free(read);
    hrr_graph_free(graph);
}

static void test_bundle__labels_through_randomised_response(void **state)
{
    hrr_graph *graph = small_graph(7), *read = NULL;
    hrr_protect_options options = usual_options();
    options.eps_labels_nano = HRR_EPS_UNIT / 1000;
    hrr_protect_summary summary = protect(in_dir(*state, "bundle"), graph, &options);
    assert_true(summary.realised_eps_labels > 0 && summary.realised_eps_labels <= .001);
    assert_ok(hrr_graph_read(&read, in_dir(*state, "bundle"), NULL, NULL, NULL));
    int changed = 0;
    for (int i = 0; i < small_nodes; i++)
        changed += hrr_graph_classes(read)[i] != hrr_graph_classes(graph)[i];
    assert_true(changed > 0);
    assert_int_equal(hrr_graph_classes(read)[4], -1); /* no label stays no label */
    hrr_graph_free(read);
    hrr_graph_free(graph);
}

/* 4000 nodes with 8 labels, budget 8: each bit is kept with probability e/(1 + e) = .7311. */
static void test_bundle__several_labels_share_the_budget(void **state)
{
    enum { n = 4000, c = 8 };
    hrr_graph *graph = empty_graph(n), *read = NULL;
    hrr_dense labels;
    assert_ok(hrr_dense_init(&labels, HRR_U8, n, c, NULL));
    for (int i = 0; i < n * c; i++)
        ((uint8_t *)labels.data)[i] = i % 3 == 0;
    assert_ok(hrr_graph_take_label_matrix(graph, &labels, NULL));
    hrr_protect_options options = usual_options();
    options.eps_labels_nano = 8 * HRR_EPS_UNIT;
    hrr_protect_summary summary = protect(in_dir(*state, "bundle"), graph, &options);
    assert_true(summary.realised_eps_labels > 7.99 && summary.realised_eps_labels <= 8);
    assert_ok(hrr_graph_read(&read, in_dir(*state, "bundle"), NULL, NULL, NULL));
    assert_true(hrr_graph_is_multilabel(read));
    int kept = 0;
    for (int i = 0; i < n * c; i++)
        kept += ((uint8_t *)hrr_graph_label_matrix(read)->data)[i] == (i % 3 == 0);
    /* Five standard deviations, so the seed had a chance of 6e-7 to fail. */
    assert_true(fabs(kept - .7310586 * n * c) < 5 * sqrt(.7310586 * .2689414 * n * c));
    hrr_graph_free(read);
    hrr_graph_free(graph);
}

static void test_bundle__masks_come_with_the_split(void **state)
{
    hrr_graph *graph = small_graph(7);
    uint8_t *split = hrr_alloc(small_nodes, 1);
    assert_non_null(split);
    memcpy(split, (uint8_t[]){0, 1, 2, 0, 1, 2}, small_nodes);
    assert_ok(hrr_graph_take_split(graph, &split, NULL));
    hrr_protect_options options = usual_options();
    protect(in_dir(*state, "bundle"), graph, &options);
    hrr_array mask;
    assert_ok(hrr_array_read(&mask, in_dir(in_dir(*state, "bundle"), "valid_mask.npy"), NULL));
    assert_int_equal(mask.type, HRR_ARRAY_BOOL);
    assert_memory_equal(mask.data, ((uint8_t[]){0, 1, 0, 0, 1, 0}), small_nodes);
    hrr_array_clear(&mask);
    hrr_graph_free(graph);
}

static void test_bundle__directions_are_projected_on(void **state)
{
    hrr_graph *graph = small_graph(7);
    float along[small_features] = {1, 1, 1};
    hrr_dense directions = {.dtype = HRR_F32, .rows = 1, .cols = small_features, .data = along};
    hrr_protect_options options = usual_options();
    options.features.mechanism = "featurerr-projected";
    options.features.directions = &directions;
    options.declared_public = HRR_PUBLIC_DIRECTIONS;
    hrr_protect_summary summary = protect(in_dir(*state, "bundle"), graph, &options);
    assert_true(summary.realised_eps_features <= 1);
    hrr_graph_free(graph);
}

/* ---- faults ---------------------------------------------------------------------------------- */

typedef struct attempt {
    const hrr_graph *graph;
    const char *bundle;
    uint64_t eps_labels_nano;
} attempt;

static hrr_status protect_once(void *user)
{
    attempt *self = user;
    hrr_protect_options options = usual_options();
    options.eps_labels_nano = self->eps_labels_nano;
    options.n_propagate = 2;
    options.threads = 1;
    options.replace = true;
    const hrr_status status = try_protect(NULL, self->bundle, self->graph, &options);
    if (status) assert_int_not_equal(access(self->bundle, F_OK), 0);
    return status;
}

static void test_bundle__out_of_memory_leaves_nothing(void **state)
{
    hrr_graph *graph = small_graph(7);
    attempt self = {graph, in_dir(*state, "bundle"), HRR_EPS_UNIT};
    assert_true(brutal(protect_once, &self) > 20);
    assert_int_equal(count_entries(*state), 1);
    hrr_graph_free(graph);
}

static void test_bundle__cancelling_leaves_nothing(void **state)
{
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = usual_options();
    hrr_progress *progress;
    hrr_random *random;
    hrr_protect_summary summary;
    hrr_error err = {0};
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    assert_ok(hrr_random_new(&random, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(hrr_protect(NULL, &summary, in_dir(*state, "bundle"), graph, &options, random,
                                 progress, &err),
                     HRR_ECANCEL);
    assert_int_equal(count_entries(*state), 0);
    hrr_random_free(random);
    hrr_progress_free(progress);
    hrr_graph_free(graph);
}

/* The same draws for two graphs would give their difference away. */
static void test_bundle__two_releases_of_one_generator_share_no_draws(void **state)
{
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = usual_options();
    options.features.mechanism = "laplace";
    options.features.eps_nano = HRR_EPS_UNIT / 10;
    hrr_random *random;
    hrr_protect_summary summary;
    assert_ok(hrr_random_new_insecure(&random, 1, NULL));
    assert_ok(
        hrr_protect(NULL, &summary, in_dir(*state, "one"), graph, &options, random, NULL, NULL));
    assert_ok(
        hrr_protect(NULL, &summary, in_dir(*state, "two"), graph, &options, random, NULL, NULL));
    hrr_random_free(random);
    hrr_array one, two;
    assert_ok(hrr_array_read(&one, in_dir(*state, "one/features.npy"), NULL));
    assert_ok(hrr_array_read(&two, in_dir(*state, "two/features.npy"), NULL));
    int equal = 0;
    for (uint64_t i = 0; i < one.n_items; i++)
        equal += ((const float *)one.data)[i] == ((const float *)two.data)[i];
    /* 18 Laplace draws on a fine grid: chance makes two equal once in a million runs. */
    assert_true(equal < 2);
    hrr_array_clear(&one);
    hrr_array_clear(&two);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_bundle__holds_the_public_edges_and_nothing_private),
        WITH_SCRATCH(test_bundle__same_bytes_for_any_number_of_threads),
        WITH_SCRATCH(test_bundle__a_private_edge_changes_nothing),
        WITH_SCRATCH(test_bundle__one_nodes_features_change_one_row),
        WITH_SCRATCH(test_bundle__all_edges_if_nothing_protects_them),
        WITH_SCRATCH(test_bundle__labels_through_randomised_response),
        WITH_SCRATCH(test_bundle__several_labels_share_the_budget),
        WITH_SCRATCH(test_bundle__masks_come_with_the_split),
        WITH_SCRATCH(test_bundle__directions_are_projected_on),
        WITH_SCRATCH(test_bundle__two_releases_of_one_generator_share_no_draws),
        WITH_SCRATCH(test_bundle__out_of_memory_leaves_nothing),
        WITH_SCRATCH(test_bundle__cancelling_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
