/* test_certificate.c: what a release says about itself is true, and says NOT PRIVATE when it is. */
#include "release/releases.h"

#include "base/memory.h"
#include "certificate/page.h"
#include "io/hash.h"
#include "support/public_head.h"

#include <heterorr/privacy.h>
#include <jansson.h>
#include <math.h>

static json_t *read_certificate(const char *bundle)
{
    json_error_t error;
    json_t *json = json_load_file(in_dir(bundle, "certificate.json"), 0, &error);
    assert_non_null(json);
    return json;
}

static const char *text_of(const json_t *json, const char *part, const char *key)
{
    return json_string_value(json_object_get(json_object_get(json, part), key));
}

static void test_certificate__hashes_every_other_file(void **state)
{
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = usual_options();
    const char *bundle = in_dir(*state, "bundle"), *name;
    protect(bundle, graph, &options);
    json_t *json = read_certificate(bundle), *file;
    assert_int_equal(json_object_size(json_object_get(json, "files")), n_bundle_files - 1);
    json_object_foreach(json_object_get(json, "files"), name, file)
    {
        char sha256[HRR_SHA256_TEXT_SIZE];
        uint64_t size;
        assert_ok(hrr_sha256_file(sha256, &size, in_dir(bundle, name), NULL, NULL));
        assert_string_equal(json_string_value(json_object_get(file, "sha256")), sha256);
        assert_int_equal(json_integer_value(json_object_get(file, "bytes")), size);
    }
    json_decref(json);
    hrr_graph_free(graph);
}

/* Every mechanism with a claim, at small and large budgets. */
static void test_certificate__realised_never_exceeds_requested(void **state)
{
    static const uint64_t budgets[] = {HRR_EPS_UNIT / 100, HRR_EPS_UNIT, 20 * HRR_EPS_UNIT};
    hrr_graph *graph = small_graph(7);
    float along[small_features] = {1, 2, 3};
    hrr_dense directions = {.dtype = HRR_F32, .rows = 1, .cols = small_features, .data = along};
    (void)state;
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++)
        for (int i = 0; i < 3; i++) {
            hrr_protect_options options = usual_options();
            options.features.mechanism = (*row)->name;
            options.features.eps_nano = budgets[i];
            options.features.delta = 1e-6;
            options.features.directions = &directions;
            if ((*row)->needs_head)
                options.features.head = public_head(small_features, 5, HRR_OUTPUT_SOFTMAX);
            options.declared_public = HRR_PUBLIC_DIRECTIONS | HRR_PUBLIC_HEAD;
            options.eps_labels_nano = budgets[i];
            hrr_protect_summary summary = foresee(graph, &options);
            double eps = (double)budgets[i] / HRR_EPS_UNIT;
            bool none = strcmp((*row)->name, "none") == 0;
            assert_true(none ? isinf(summary.realised_eps_features)
                             : summary.realised_eps_features <= eps);
            assert_true(summary.realised_eps_labels <= eps);
        }
    hrr_graph_free(graph);
}

static void test_certificate__secure_and_strict_is_private(void **state)
{
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = usual_options();
    hrr_protect_summary summary;
    hrr_random *random;
    const char *bundle = in_dir(*state, "bundle");
    options.eps_labels_nano = HRR_EPS_UNIT / 2;
    assert_ok(hrr_random_new(&random, NULL));
    assert_ok(hrr_protect(NULL, &summary, bundle, graph, &options, random, NULL, NULL));
    hrr_random_free(random);
    assert_true(summary.is_private);
    assert_string_equal(
        summary.statement,
        "eps_f = 1 per node feature vector; eps_e = 0 per private candidate pair (private edges "
        "are left out); eps_y = 0.5 per node label; public edges and the candidate set are not "
        "protected; one stored release.");
    json_t *json = read_certificate(bundle);
    assert_true(json_is_true(json_object_get(json, "private")));
    assert_string_equal(json_string_value(json_object_get(json, "mode")), "strict");
    assert_string_equal(text_of(json, "features", "requested_eps"), "1");
    assert_string_equal(text_of(json, "labels", "requested_eps"), "0.5");
    assert_string_equal(text_of(json, "edges", "realised_eps"), "0");
    /* floor(1e9 / 3) each: the parts never exceed the whole. */
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(json, "features"), "eps_i_nano")),
        333333333);
    assert_true(json_is_null(json_object_get(json, "ledger_entry")));
    json_decref(json);

    char *text = read_file(in_dir(bundle, "CERTIFICATE.txt"), NULL);
    assert_memory_equal(text, "eps_f = 1 per node", 18);
    assert_null(strstr(text, "NOT PRIVATE"));
    free(text);
    hrr_graph_free(graph);
}

/* Each of these alone takes the privacy away, and the first words say so. */
static void test_certificate__not_private_comes_first(void **state)
{
    const double theta[small_features] = {.5, .25, .25};
    for (int reason = 0; reason < 5; reason++) {
        hrr_graph *graph = small_graph(7);
        hrr_protect_options options = usual_options();
        hrr_protect_summary summary;
        hrr_random *random;
        options.replace = true;
        if (reason == 0) options.features.mechanism = "none";
        if (reason == 1) options.edges.mechanism = "none";
        if (reason >= 2) options.paper_mode = true;
        if (reason == 2) options.bounds_from_data = true;
        if (reason == 3) options.features.theta = theta;
        if (reason == 4)
            assert_ok(hrr_random_new_insecure(&random, 1, NULL));
        else
            assert_ok(hrr_random_new(&random, NULL));
        const char *bundle = in_dir(*state, "bundle");
        assert_ok(hrr_protect(NULL, &summary, bundle, graph, &options, random, NULL, NULL));
        assert_false(summary.is_private);
        assert_memory_equal(summary.statement, "NOT PRIVATE: ", 13);
        char *text = read_file(in_dir(bundle, "CERTIFICATE.txt"), NULL);
        char *description = read_file(in_dir(bundle, "graph.json"), NULL);
        assert_memory_equal(text, "NOT PRIVATE: ", 13);
        assert_non_null(strstr(description, "NOT PRIVATE"));
        json_t *json = read_certificate(bundle);
        assert_true(json_is_false(json_object_get(json, "private")));
        assert_int_equal(json_array_size(json_object_get(json, "not_private_because")), 1);
        assert_int_equal(json_array_size(json_object_get(json, "not_certified")),
                         reason == 2 || reason == 3);
        json_decref(json);
        free(text);
        free(description);
        hrr_random_free(random);
        hrr_graph_free(graph);
    }
}

/* Blocks of the caller's own are somebody's word; communities of public edges are not. */
static void test_certificate__blocks_must_be_declared(void **state)
{
    static const uint32_t blocks[small_nodes] = {0, 1, 1, 0, 2, 2};
    hrr_graph *graph = small_graph(7);
    for (int way = 0; way < 3; way++) {
        hrr_protect_options options = usual_options();
        hrr_protect_summary summary;
        hrr_random *random;
        const char *bundle = in_dir(*state, "bundle");
        options.replace = true;
        options.edges.mechanism = "edgerr-node";
        options.edges.eps_nano = HRR_EPS_UNIT;
        options.edges.blocks = way ? blocks : NULL;
        options.edges.n_blocks = 3;
        options.blocks_from = way ? HRR_BLOCKS_GIVEN : HRR_BLOCKS_COMMUNITIES;
        options.declared_public = way == 2 ? HRR_PUBLIC_BLOCKS : 0;
        options.allow_undeclared = way == 1;
        assert_ok(hrr_random_new(&random, NULL));
        assert_ok(hrr_protect(NULL, &summary, bundle, graph, &options, random, NULL, NULL));
        assert_int_equal(summary.is_private, way != 1);
        assert_int_equal(summary.undeclared, way == 1 ? HRR_PUBLIC_BLOCKS : 0);
        json_t *json = read_certificate(bundle);
        const json_t *edges = json_object_get(json, "edges");
        const json_t *declared = json_object_get(json, "declared_public");
        assert_int_equal(json_integer_value(json_object_get(edges, "count_ends")), 2);
        assert_in_range(json_integer_value(json_object_get(edges, "blocks")), 1, 3);
        assert_int_equal(json_array_size(declared), way == 2);
        if (way == 2) assert_string_equal(json_string_value(json_array_get(declared, 0)), "blocks");
        json_decref(json);
        hrr_findings *findings = calloc(1, sizeof *findings);
        assert_ok(hrr_verify_bundle(findings, bundle, NULL, NULL));
        assert_int_equal(findings->count, 0);
        free(findings);
        hrr_random_free(random);
    }
    hrr_graph_free(graph);
}

static void test_certificate__public_scores_are_written_down(void **state)
{
    const double theta[small_features] = {.5, .3, .2}, lo[] = {-1, -1, -1}, hi[] = {1, 2, 3};
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = usual_options();
    options.features.theta = theta;
    options.features.lo = lo;
    options.features.hi = hi;
    options.scores_are_public = true;
    protect(in_dir(*state, "bundle"), graph, &options);
    json_t *json = read_certificate(in_dir(*state, "bundle"));
    json_t *features = json_object_get(json, "features"), *bounds;
    json_t *budgets = json_object_get(features, "eps_i_nano");
    json_int_t total = 0;
    for (size_t i = 0; i < small_features; i++)
        total += json_integer_value(json_array_get(budgets, i));
    assert_true(total <= (json_int_t)HRR_EPS_UNIT && total > (json_int_t)HRR_EPS_UNIT - 3);
    assert_int_equal(json_array_size(json_object_get(features, "theta")), small_features);
    bounds = json_object_get(features, "bounds");
    assert_true(json_real_value(json_object_get(bounds, "lo")) == -1);
    assert_true(json_real_value(json_array_get(json_object_get(bounds, "hi"), 1)) == 2);
    json_decref(json);
    hrr_graph_free(graph);
}

/* Bundles that are out there verify only if their page is made in the words of their version. */
static void assert_keeps_its_words(const char *bundle, int version)
{
    size_t size;
    char *expected = read_file(in_dir(bundle, "CERTIFICATE.txt"), &size), *page;
    json_t *json = read_certificate(bundle);
    assert_int_equal(json_integer_value(json_object_get(json, "format_version")), version);
    assert_ok(hrr_certificate_page(&page, json, NULL));
    assert_int_equal(strlen(page), size);
    assert_memory_equal(page, expected, size);
    hrr_free(page);
    free(expected);
    json_decref(json);
}

static void test_certificate__pages_of_older_versions_keep_their_words(void **state)
{
    static const char *const two[] = {"charged", "uncharged"};
    static const char *const three[] = {"charged",     "after",    "counts",
                                        "not-private", "gaussian", "all",
                                        "collection",  "open",     "seeded"};
    (void)state;
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        assert_keeps_its_words(in_dir(HRR_OLD_BUNDLES "/version-2", two[i]), 2);
    for (size_t i = 0; i < sizeof three / sizeof *three; i++)
        assert_keeps_its_words(in_dir(HRR_OLD_BUNDLES "/version-3", three[i]), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_certificate__hashes_every_other_file),
        WITH_SCRATCH(test_certificate__realised_never_exceeds_requested),
        WITH_SCRATCH(test_certificate__secure_and_strict_is_private),
        WITH_SCRATCH(test_certificate__not_private_comes_first),
        WITH_SCRATCH(test_certificate__blocks_must_be_declared),
        WITH_SCRATCH(test_certificate__public_scores_are_written_down),
        cmocka_unit_test(test_certificate__pages_of_older_versions_keep_their_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
