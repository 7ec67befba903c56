/* test_public_view.c: a public view has what is public and nothing else. */
#include "release/releases.h"

#include "support/brutal.h"

static void test_view__private_edges_are_not_in_it(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(7), *view;
    assert_ok(hrr_public_view(&view, graph, false, true, NULL));
    assert_int_equal(hrr_graph_n_nodes(view), small_nodes);
    assert_int_equal(hrr_graph_n_edges(view), 4);
    assert_null(hrr_graph_is_private(view));
    for (uint64_t e = 0, at = 0; e < 7; e++) {
        if (small_marks[e]) continue;
        assert_int_equal(hrr_graph_sources(view)[at], hrr_graph_sources(graph)[e]);
        assert_int_equal(hrr_graph_targets(view)[at], hrr_graph_targets(graph)[e]);
        at++;
    }
    hrr_graph_free(view);
    hrr_graph_free(graph);
}

static void test_view__features_only_if_they_are_public(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(7), *view;
    assert_ok(hrr_public_view(&view, graph, false, true, NULL));
    assert_null(hrr_graph_features(view));
    hrr_graph_free(view);
    assert_ok(hrr_public_view(&view, graph, true, true, NULL));
    assert_ptr_equal(hrr_graph_features(view)->data, hrr_graph_features(graph)->data);
    hrr_graph_free(view);
    hrr_graph_free(graph);
}

static void test_view__labels_only_if_they_are_public(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(7), *view;
    assert_ok(hrr_public_view(&view, graph, false, true, NULL));
    assert_int_equal(hrr_graph_n_classes(view), small_classes);
    assert_memory_equal(hrr_graph_classes(view), hrr_graph_classes(graph),
                        small_nodes * sizeof(int32_t));
    hrr_graph_free(view);
    assert_ok(hrr_public_view(&view, graph, true, false, NULL));
    assert_int_equal(hrr_graph_n_classes(view), 0);
    assert_null(hrr_graph_classes(view));
    assert_null(hrr_graph_label_matrix(view));
    hrr_graph_free(view);
    hrr_graph_free(graph);
}

static hrr_status make_view(void *user)
{
    hrr_graph *view;
    hrr_status status = hrr_public_view(&view, user, true, true, NULL);
    if (!status) hrr_graph_free(view);
    return status;
}

static void test_view__survives_running_out_of_memory(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(7);
    assert_true(brutal(make_view, graph) > 3);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_view__private_edges_are_not_in_it),
        cmocka_unit_test(test_view__features_only_if_they_are_public),
        cmocka_unit_test(test_view__labels_only_if_they_are_public),
        cmocka_unit_test(test_view__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
