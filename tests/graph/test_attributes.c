#include "support/check.h"
#include "support/graphs.h"

#include "base/memory.h"
#include "graph/removed.h"

#include <math.h>
#include <stdio.h>

static hrr_dense dense(hrr_dtype dtype, uint64_t rows, uint64_t cols)
{
    hrr_dense matrix;
    assert_ok(hrr_dense_init(&matrix, dtype, rows, cols, NULL));
    return matrix;
}

static void *copy_of(const void *bytes, size_t size)
{
    void *copy = hrr_alloc(size, 1);
    assert_non_null(copy);
    return memcpy(copy, bytes, size);
}

static void test_graph__begins_with_nodes_alone(void **state)
{
    (void)state;
    hrr_graph *graph = empty_graph(4);
    assert_string_equal(hrr_graph_name(graph), "test");
    assert_null(hrr_graph_provenance(graph));
    assert_int_equal(hrr_graph_n_nodes(graph), 4);
    assert_int_equal(hrr_graph_n_edges(graph), 0);
    assert_int_equal(hrr_graph_n_classes(graph), 0);
    assert_int_equal(hrr_graph_n_graphs(graph), 1);
    assert_int_equal(hrr_graph_n_marks(graph), 0);
    assert_false(hrr_graph_is_multilabel(graph));
    assert_null(hrr_graph_sources(graph));
    assert_null(hrr_graph_is_private(graph));
    assert_null(hrr_graph_features(graph));
    assert_null(hrr_graph_masked_features(graph));
    assert_null(hrr_graph_classes(graph));
    assert_null(hrr_graph_label_matrix(graph));
    assert_null(hrr_graph_split(graph));
    assert_null(hrr_graph_graph_ids(graph));
    assert_null(hrr_graph_node_ids(graph));
    assert_null(hrr_graph_candidates(graph));
    assert_ok(hrr_graph_set_provenance(graph, "here", NULL));
    assert_ok(hrr_graph_set_provenance(graph, "there", NULL));
    assert_string_equal(hrr_graph_provenance(graph), "there");
    hrr_graph_add_removed(graph, &(hrr_removed){1, 2, 3});
    hrr_graph_add_removed(graph, &(hrr_removed){10, 20, 30});
    assert_int_equal(hrr_graph_removed(graph).self_loops, 11);
    assert_int_equal(hrr_graph_removed(graph).duplicates, 22);
    assert_int_equal(hrr_graph_removed(graph).isolated_nodes, 33);
    hrr_graph_free(graph);
    hrr_graph_free(NULL);
}

static void test_graph__has_at_least_one_node_and_at_most_2_to_the_31(void **state)
{
    (void)state;
    hrr_error err = {0};
    hrr_graph *graph = (hrr_graph *)&err;
    assert_int_equal(hrr_graph_new(&graph, "x", 0, &err), HRR_EDATA);
    assert_says(err, "no nodes");
    assert_null(graph);
    assert_int_equal(hrr_graph_new(&graph, "x", HRR_MAX_NODES + 1, &err), HRR_EDATA);
    assert_says(err, "2147483648 nodes; at most 2147483647");
}

/* A bad value anywhere, in the vectorised part, its last block or the rest, is found where it is
 * and not shown. */
static void test_features__a_value_that_is_not_finite_is_named_by_its_place(void **state)
{
    (void)state;
    enum { ROWS = 700, COLS = 3 }; /* 2100 values: two blocks and a rest */
    const double bad[] = {NAN, INFINITY, -INFINITY};
    const uint64_t places[] = {0, 1, 1023, 1024, 2047, 2048, 2099};
    for (int is_double = 0; is_double < 2; is_double++)
        for (int p = 0; p < 7; p++) {
            hrr_error err = {0};
            char where[64];
            hrr_graph *graph = empty_graph(ROWS);
            hrr_dense features = dense(is_double ? HRR_F64 : HRR_F32, ROWS, COLS);
            if (is_double)
                ((double *)features.data)[places[p]] = bad[p % 3];
            else
                ((float *)features.data)[places[p]] = (float)bad[p % 3];
            snprintf(where, sizeof where, "features: row %d, column %d (counting from 0)",
                     (int)places[p] / COLS, (int)places[p] % COLS);
            assert_int_equal(hrr_graph_take_features(graph, &features, &err), HRR_EDATA);
            assert_says(err, where);
            assert_null(strstr(err.message, "nan"));
            assert_non_null(features.data);
            assert_null(hrr_graph_features(graph));
            hrr_dense_clear(&features);
            hrr_graph_free(graph);
        }
}

static void test_features__the_largest_numbers_are_finite(void **state)
{
    (void)state;
    hrr_graph *graph = empty_graph(2000);
    hrr_dense features = dense(HRR_F32, 2000, 1);
    for (int i = 0; i < 2000; i++)
        ((float *)features.data)[i] = i % 2 ? 3.402823466e38f : -1.4e-45f;
    const void *data = features.data;
    assert_ok(hrr_graph_take_features(graph, &features, NULL));
    assert_ptr_equal(hrr_graph_features(graph)->data, data);
    assert_null(features.data);
    hrr_graph_free(graph);
}

static void test_features__have_a_row_for_each_node(void **state)
{
    (void)state;
    hrr_error err = {0};
    hrr_graph *graph = empty_graph(3);
    hrr_dense features = dense(HRR_U8, 4, 2);
    assert_int_equal(hrr_graph_take_features(graph, &features, &err), HRR_EDATA);
    assert_says(err, "features: 4 rows, but the graph has 3 nodes");
    assert_int_equal(hrr_graph_take_masked_features(graph, &features, &err), HRR_EDATA);
    assert_says(err, "masked features: 4 rows");
    hrr_dense_clear(&features);
    features = dense(HRR_U8, 3, 0);
    assert_int_equal(hrr_graph_take_features(graph, &features, &err), HRR_EDATA);
    assert_says(err, "no columns");
    hrr_dense_clear(&features);
    hrr_graph_free(graph);
}

static void test_features__and_the_masked_copy_share_their_shape_whichever_comes_first(void **state)
{
    (void)state;
    for (int masked_first = 0; masked_first < 2; masked_first++) {
        hrr_error err = {0};
        hrr_graph *graph = empty_graph(3);
        hrr_dense first = dense(HRR_U8, 3, 2), second = dense(HRR_U8, 3, 5);
        if (masked_first) {
            assert_ok(hrr_graph_take_masked_features(graph, &first, NULL));
            assert_int_equal(hrr_graph_take_features(graph, &second, &err), HRR_EDATA);
        } else {
            assert_ok(hrr_graph_take_features(graph, &first, NULL));
            assert_int_equal(hrr_graph_take_masked_features(graph, &second, &err), HRR_EDATA);
        }
        assert_says(err, "5 columns");
        assert_non_null(second.data);
        hrr_dense_clear(&second);
        hrr_graph_free(graph);
    }
}

static void test_labels__are_classes_or_unknown(void **state)
{
    (void)state;
    hrr_error err = {0};
    hrr_graph *graph = empty_graph(3);
    int32_t *classes = copy_of((int32_t[]){0, -1, 2}, 12);
    assert_int_equal(hrr_graph_take_classes(graph, &classes, 2, &err), HRR_EDATA);
    assert_says(err, "labels: row 2 (counting from 0) is neither a class from 0 to 1 nor -1");
    assert_non_null(classes);
    assert_int_equal(hrr_graph_take_classes(graph, &classes, 0, &err), HRR_EDATA);
    assert_says(err, "number of classes");
    classes[0] = -2;
    assert_int_equal(hrr_graph_take_classes(graph, &classes, 3, &err), HRR_EDATA);
    assert_says(err, "row 0");
    classes[0] = 0;
    assert_ok(hrr_graph_take_classes(graph, &classes, 3, NULL));
    assert_null(classes);
    assert_int_equal(hrr_graph_classes(graph)[1], -1);
    assert_int_equal(hrr_graph_n_classes(graph), 3);
    hrr_graph_free(graph);
}

static void test_labels__a_matrix_holds_zeros_and_ones(void **state)
{
    (void)state;
    hrr_error err = {0};
    hrr_graph *graph = empty_graph(2);
    hrr_dense labels = dense(HRR_U8, 2, 3);
    ((uint8_t *)labels.data)[4] = 2;
    assert_int_equal(hrr_graph_take_label_matrix(graph, &labels, &err), HRR_EDATA);
    assert_says(err, "labels: row 1, column 1 (counting from 0) is neither 0 nor 1");
    assert_non_null(labels.data);
    ((uint8_t *)labels.data)[4] = 1;
    assert_ok(hrr_graph_take_label_matrix(graph, &labels, NULL));
    assert_true(hrr_graph_is_multilabel(graph));
    assert_int_equal(hrr_graph_n_classes(graph), 3);
    assert_int_equal(((const uint8_t *)hrr_graph_label_matrix(graph)->data)[4], 1);

    labels = dense(HRR_F32, 2, 3);
    assert_int_equal(hrr_graph_take_label_matrix(graph, &labels, &err), HRR_EDATA);
    assert_says(err, "a label matrix must contain bytes that are 0 or 1");
    hrr_dense_clear(&labels);
    labels = dense(HRR_U8, 3, 3);
    assert_int_equal(hrr_graph_take_label_matrix(graph, &labels, &err), HRR_EDATA);
    assert_says(err, "labels: 3 rows, but the graph has 2 nodes");
    hrr_dense_clear(&labels);
    labels = dense(HRR_U8, 2, 0);
    assert_int_equal(hrr_graph_take_label_matrix(graph, &labels, &err), HRR_EDATA);
    assert_says(err, "number of columns");
    hrr_dense_clear(&labels);
    hrr_graph_free(graph);
}

static void test_labels__one_kind_replaces_the_other_and_the_names(void **state)
{
    (void)state;
    hrr_error err = {0};
    hrr_graph *graph = empty_graph(2);
    assert_int_equal(hrr_graph_set_class_names(graph, NULL, &err), HRR_EINVAL);
    assert_says(err, "class names need labels");
    int32_t *classes = copy_of((int32_t[]){0, 1}, 8);
    assert_ok(hrr_graph_take_classes(graph, &classes, 2, NULL));
    assert_ok(hrr_graph_set_class_names(graph, (const char *const[]){"cat", "dog"}, NULL));
    assert_string_equal(hrr_graph_class_name(graph, 1), "dog");
    hrr_dense labels = dense(HRR_U8, 2, 3);
    assert_ok(hrr_graph_take_label_matrix(graph, &labels, NULL));
    assert_null(hrr_graph_classes(graph));
    assert_null(hrr_graph_class_name(graph, 2));
    classes = copy_of((int32_t[]){0, 1}, 8);
    assert_ok(hrr_graph_take_classes(graph, &classes, 2, NULL));
    assert_false(hrr_graph_is_multilabel(graph));
    hrr_graph_free(graph);
}

static void test_attributes__split_and_candidates_know_their_values(void **state)
{
    (void)state;
    hrr_error err = {0};
    hrr_graph *graph = empty_graph(3);
    uint8_t *split = copy_of((uint8_t[]){0, 2, 3}, 3);
    assert_int_equal(hrr_graph_take_split(graph, &split, &err), HRR_EDATA);
    assert_says(err, "split: row 2 (counting from 0) is not 0 (train), 1 (valid) or 2 (test)");
    split[2] = HRR_VALID;
    assert_int_equal(hrr_graph_take_candidates(graph, &split, &err), HRR_EDATA);
    assert_says(err, "candidates: row 1 (counting from 0) is neither 0 nor 1");
    assert_ok(hrr_graph_take_split(graph, &split, NULL));
    assert_null(split);
    assert_int_equal(hrr_graph_split(graph)[1], HRR_TEST);
    uint8_t *candidates = copy_of((uint8_t[]){0, 1, 1}, 3);
    assert_ok(hrr_graph_take_candidates(graph, &candidates, NULL));
    assert_int_equal(hrr_graph_candidates(graph)[1], 1);
    hrr_graph_free(graph);
}

static void test_graph_ids__count_up_from_zero(void **state)
{
    (void)state;
    const uint32_t bad[][3] = {{1, 1, 2}, {0, 1, 0}, {0, 0, 2}};
    const char *where[] = {"row 0", "row 2", "row 2"};
    hrr_graph *graph = empty_graph(3);
    for (int i = 0; i < 3; i++) {
        hrr_error err = {0};
        uint32_t *ids = copy_of(bad[i], 12);
        assert_int_equal(hrr_graph_take_graph_ids(graph, &ids, &err), HRR_EDATA);
        assert_says(err, where[i]);
        assert_non_null(ids);
        hrr_free(ids);
    }
    uint32_t *ids = copy_of((uint32_t[]){0, 1, 2}, 12);
    assert_ok(hrr_graph_take_graph_ids(graph, &ids, NULL));
    assert_null(ids);
    assert_int_equal(hrr_graph_n_graphs(graph), 3);
    hrr_graph_free(graph);
}

static void test_graph_ids__no_edge_crosses_whichever_comes_first(void **state)
{
    (void)state;
    hrr_error err = {0};
    /* The third edge of the file, the second in order. */
    const uint32_t pairs[] = {3, 2, 0, 1, 2, 1};
    hrr_graph *graph = empty_graph(4);
    uint32_t *ids = copy_of((uint32_t[]){0, 0, 1, 1}, 16);
    assert_ok(hrr_graph_take_graph_ids(graph, &ids, NULL));
    hrr_edge_list edges = edge_list(3, pairs, NULL);
    assert_int_equal(hrr_graph_take_edges(graph, &edges, NULL, 0, NULL, &err), HRR_EDATA);
    assert_says(err, "edges: edge 2 (counting from 0) joins nodes of two different graphs");
    assert_int_equal(edges.n_edges, 3);
    assert_int_equal(hrr_graph_mark_edges(graph, &edges, &err), HRR_EDATA);
    assert_says(err, "private edges: edge 2");
    hrr_edge_list_clear(&edges);
    hrr_graph_free(graph);

    graph = graph_of(4, 3, pairs, NULL);
    ids = copy_of((uint32_t[]){0, 0, 1, 1}, 16);
    assert_int_equal(hrr_graph_take_graph_ids(graph, &ids, &err), HRR_EDATA);
    assert_says(err, "sorted edges: edge 1 (counting from 0)");
    assert_non_null(ids);
    ids[1] = ids[2] = ids[3] = 0;
    assert_ok(hrr_graph_take_graph_ids(graph, &ids, NULL));
    hrr_graph_free(graph);
}

static void test_node_ids__are_integers_or_texts(void **state)
{
    (void)state;
    hrr_error err = {0};
    hrr_graph *graph = empty_graph(2);
    hrr_node_ids ids = {.integer = copy_of((int64_t[]){-5, 1000000000000}, 16)};
    assert_ok(hrr_graph_take_node_ids(graph, &ids, NULL));
    assert_null(ids.integer);
    assert_true(hrr_graph_node_ids(graph)->integer[1] == 1000000000000);

    ids = (hrr_node_ids){.text = copy_of("ann\0bobby", 10)};
    assert_int_equal(hrr_graph_take_node_ids(graph, &ids, &err), HRR_EINVAL);
    ids.text_start = copy_of((uint64_t[]){0, 4, 9}, 24);
    assert_int_equal(hrr_graph_take_node_ids(graph, &ids, &err), HRR_EDATA);
    assert_says(err, "text 1 (counting from 0) is not terminated");
    ids.text_start[2] = 10;
    assert_ok(hrr_graph_take_node_ids(graph, &ids, NULL));
    const hrr_node_ids *kept = hrr_graph_node_ids(graph);
    assert_null(kept->integer);
    assert_string_equal(kept->text + kept->text_start[1], "bobby");
    hrr_graph_free(graph);
}

static void test_bounds__are_two_finite_numbers_a_feature_and_go_with_the_features(void **state)
{
    (void)state;
    const double lo[] = {0, -1}, hi[] = {1, 3}, wrong[] = {1, -1}, infinite[] = {1, INFINITY};
    hrr_error err = {0};
    hrr_graph *graph;
    hrr_dense features;
    assert_ok(hrr_graph_new(&graph, "g", 3, NULL));
    assert_int_equal(hrr_graph_set_feature_range(graph, 0, 1, &err), HRR_EINVAL);
    assert_ok(hrr_dense_init(&features, HRR_F32, 3, 2, NULL));
    memset(features.data, 0, 6 * sizeof(float));
    assert_ok(hrr_graph_take_features(graph, &features, NULL));
    assert_null(hrr_graph_feature_lo(graph));
    assert_null(hrr_graph_feature_hi(graph));
    assert_ok(hrr_graph_set_feature_bounds(graph, lo, hi, NULL));
    assert_int_equal(hrr_graph_set_feature_bounds(graph, lo, wrong, &err), HRR_EDATA);
    assert_says(err, "feature 1");
    assert_int_equal(hrr_graph_set_feature_bounds(graph, lo, infinite, &err), HRR_EDATA);
    assert_true(hrr_graph_feature_lo(graph)[1] == -1 && hrr_graph_feature_hi(graph)[1] == 3);
    assert_ok(hrr_dense_init(&features, HRR_F32, 3, 1, NULL));
    memset(features.data, 0, 3 * sizeof(float));
    assert_ok(hrr_graph_take_features(graph, &features, NULL));
    assert_null(hrr_graph_feature_lo(graph));
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph__begins_with_nodes_alone),
        cmocka_unit_test(test_graph__has_at_least_one_node_and_at_most_2_to_the_31),
        cmocka_unit_test(test_features__a_value_that_is_not_finite_is_named_by_its_place),
        cmocka_unit_test(test_features__the_largest_numbers_are_finite),
        cmocka_unit_test(test_features__have_a_row_for_each_node),
        cmocka_unit_test(
            test_features__and_the_masked_copy_share_their_shape_whichever_comes_first),
        cmocka_unit_test(test_labels__are_classes_or_unknown),
        cmocka_unit_test(test_labels__a_matrix_holds_zeros_and_ones),
        cmocka_unit_test(test_labels__one_kind_replaces_the_other_and_the_names),
        cmocka_unit_test(test_attributes__split_and_candidates_know_their_values),
        cmocka_unit_test(test_graph_ids__count_up_from_zero),
        cmocka_unit_test(test_graph_ids__no_edge_crosses_whichever_comes_first),
        cmocka_unit_test(test_node_ids__are_integers_or_texts),
        cmocka_unit_test(test_bounds__are_two_finite_numbers_a_feature_and_go_with_the_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
