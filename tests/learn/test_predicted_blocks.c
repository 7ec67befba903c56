/* Whether blocks can be predicted is known before anything is charged, and what is said about it
 * beforehand depends on public data alone. */
#include "release/releases.h"

#include "learn/predicted_blocks.h"

/* small_graph() whose training nodes have the classes `known`, or none. */
static hrr_graph *graph_with(const int32_t *known, const uint8_t *split, uint64_t n_edges)
{
    hrr_graph *graph = small_graph(n_edges);
    give_classes(graph, known);
    if (split) {
        uint8_t *own = hrr_alloc(small_nodes, 1);
        memcpy(own, split, small_nodes);
        assert_ok(hrr_graph_take_split(graph, &own, NULL));
    }
    return graph;
}

static void test_forecast__is_the_same_whatever_the_private_edges_are(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(7), *neighbour = small_graph(6); /* 4 - 5 is private */
    assert_ok(hrr_predicted_blocks_check(graph, NULL));
    assert_true(hrr_predicted_blocks_seconds(graph) > 0);
    assert_true(hrr_predicted_blocks_seconds(graph) == hrr_predicted_blocks_seconds(neighbour));
    hrr_graph_free(graph);
    hrr_graph_free(neighbour);
}

static void refuse(const int32_t *known, const uint8_t *split)
{
    hrr_graph *graph = graph_with(known, split, 7);
    hrr_error err = {0};
    assert_false(hrr_blocks_can_be_predicted(graph));
    assert_int_equal(hrr_predicted_blocks_check(graph, &err), HRR_EINVAL);
    assert_says(err, "no training node has a class");
    hrr_graph_free(graph);
}

static void test_labels__must_be_known_of_a_training_node(void **state)
{
    (void)state;
    static const int32_t none[small_nodes] = {-1, -1, -1, -1, -1, -1};
    static const int32_t first[small_nodes] = {0, -1, -1, -1, -1, -1};
    static const uint8_t trained[small_nodes] = {HRR_TRAIN, HRR_TEST},
                         tested[] = {HRR_TEST, 0, 0, 0, 0, 0};
    refuse(none, NULL);
    refuse(none, trained);
    refuse(first, tested);
    hrr_graph *graph = graph_with(first, trained, 7);
    assert_true(hrr_blocks_can_be_predicted(graph));
    hrr_graph_free(graph);
}

static void test_classes__must_be_two(void **state)
{
    (void)state;
    hrr_graph *graph = graph_of(small_nodes, 7, small_pairs, small_marks);
    static const float value[small_nodes] = {0};
    int32_t *classes = hrr_alloc_zero(small_nodes, sizeof *classes);
    hrr_error err = {0};
    give_features(graph, value, small_nodes, 1);
    assert_ok(hrr_graph_take_classes(graph, &classes, 1, NULL));
    assert_false(hrr_blocks_can_be_predicted(graph));
    assert_int_equal(hrr_predicted_blocks_check(graph, &err), HRR_EINVAL);
    assert_says(err, "there is only one class");
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forecast__is_the_same_whatever_the_private_edges_are),
        cmocka_unit_test(test_labels__must_be_known_of_a_training_node),
        cmocka_unit_test(test_classes__must_be_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
