/* test_copy.c: a copy has the parts that were asked for, as they were, and no others. */
#include "support/brutal.h"
#include "support/graphs.h"

#include "base/memory.h"
#include "graph/copy.h"

enum { n_nodes = 4, n_features = 2, n_classes = 3 };

static void *array_of(const void *from, size_t size)
{
    void *array = hrr_alloc(size, 1);
    assert_non_null(array);
    return memcpy(array, from, size);
}

static hrr_dense matrix_of(hrr_dtype dtype, uint64_t cols, const void *from)
{
    hrr_dense matrix;
    assert_ok(hrr_dense_init(&matrix, dtype, n_nodes, cols, NULL));
    memcpy(matrix.data, from, n_nodes * cols * hrr_dtype_size(dtype));
    return matrix;
}

static const float values[n_nodes * n_features] = {1, 2, 3, 4, 5, 6, 7, 8};
static const uint8_t labels[n_nodes * n_classes] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0};

/* Two mark columns; the first is the one that counts. */
static hrr_graph *full_graph(bool multilabel)
{
    static const char *const columns[] = {"friend", "family"};
    static const char *const names[] = {"red", "green", "blue"};
    hrr_graph *graph = empty_graph(n_nodes);
    hrr_edge_list edges =
        edge_list(5, (uint32_t[]){0, 1, 0, 1, 1, 1, 2, 3, 0, 1}, (uint8_t[]){0, 1, 0, 2, 0});
    assert_ok(hrr_graph_take_edges(graph, &edges, columns, 2, NULL, NULL));
    assert_ok(hrr_graph_choose_mark(graph, "friend", NULL));
    hrr_dense features = matrix_of(HRR_F32, n_features, values);
    assert_ok(hrr_graph_take_features(graph, &features, NULL));
    assert_ok(hrr_graph_set_feature_range(graph, 0, 9, NULL));
    hrr_dense masked = matrix_of(HRR_F32, n_features, values);
    assert_ok(hrr_graph_take_masked_features(graph, &masked, NULL));
    if (multilabel) {
        hrr_dense matrix = matrix_of(HRR_U8, n_classes, labels);
        assert_ok(hrr_graph_take_label_matrix(graph, &matrix, NULL));
    } else {
        int32_t *classes = array_of((int32_t[]){0, 2, -1, 1}, n_nodes * sizeof *classes);
        assert_ok(hrr_graph_take_classes(graph, &classes, n_classes, NULL));
    }
    assert_ok(hrr_graph_set_class_names(graph, names, NULL));
    uint8_t *split = array_of((uint8_t[]){0, 1, 2, 0}, n_nodes);
    assert_ok(hrr_graph_take_split(graph, &split, NULL));
    uint8_t *candidates = array_of((uint8_t[]){1, 1, 0, 1}, n_nodes);
    assert_ok(hrr_graph_take_candidates(graph, &candidates, NULL));
    uint32_t *graph_ids = array_of((uint32_t[]){0, 0, 1, 1}, n_nodes * sizeof *graph_ids);
    assert_ok(hrr_graph_take_graph_ids(graph, &graph_ids, NULL));
    hrr_node_ids ids = {.text = array_of("a\0bc\0d\0e", 9),
                        .text_start = array_of((uint64_t[]){0, 2, 5, 7, 9}, 5 * sizeof(uint64_t))};
    assert_ok(hrr_graph_take_node_ids(graph, &ids, NULL));
    assert_ok(hrr_graph_set_provenance(graph, "made by hand", NULL));
    hrr_graph_add_inferred(graph, HRR_INFERRED_CLASSES);
    return graph;
}

static void assert_same_matrix(const hrr_dense *a, const hrr_dense *b)
{
    assert_int_equal(a->dtype, b->dtype);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->cols, b->cols);
    assert_memory_equal(a->data, b->data, a->rows * a->cols * hrr_dtype_size(a->dtype));
}

static void assert_whole(const hrr_graph *copy, const hrr_graph *graph)
{
    const uint64_t m = hrr_graph_n_edges(graph);
    assert_string_equal(hrr_graph_name(copy), hrr_graph_name(graph));
    assert_string_equal(hrr_graph_provenance(copy), "made by hand");
    assert_int_equal(hrr_graph_inferred(copy), HRR_INFERRED_CLASSES);
    assert_int_equal(hrr_graph_removed(copy).self_loops, 1);
    assert_int_equal(hrr_graph_removed(copy).duplicates, 2);
    assert_edges(copy, 2, (uint32_t[]){0, 1, 2, 3});
    assert_int_equal(hrr_graph_marking(copy), HRR_MARKED);
    assert_memory_equal(hrr_graph_is_private(copy), hrr_graph_is_private(graph), m);
    assert_int_equal(hrr_graph_n_private_edges(copy), 1);
    assert_int_equal(hrr_graph_n_marks(copy), 2);
    assert_string_equal(hrr_graph_mark_name(copy, 1), "family");
    assert_int_equal(hrr_graph_mark_edges_count(copy, 1), 1);
    assert_same_matrix(hrr_graph_features(copy), hrr_graph_features(graph));
    assert_same_matrix(hrr_graph_masked_features(copy), hrr_graph_masked_features(graph));
    assert_true(hrr_graph_feature_hi(copy)[1] == 9);
    assert_int_equal(hrr_graph_n_classes(copy), n_classes);
    assert_string_equal(hrr_graph_class_name(copy, 2), "blue");
    assert_memory_equal(hrr_graph_split(copy), hrr_graph_split(graph), n_nodes);
    assert_memory_equal(hrr_graph_candidates(copy), hrr_graph_candidates(graph), n_nodes);
    assert_memory_equal(hrr_graph_graph_ids(copy), hrr_graph_graph_ids(graph),
                        n_nodes * sizeof(uint32_t));
    assert_memory_equal(hrr_graph_node_ids(copy)->text, hrr_graph_node_ids(graph)->text, 9);
    assert_memory_equal(hrr_graph_node_ids(copy)->text_start, hrr_graph_node_ids(graph)->text_start,
                        5 * sizeof(uint64_t));
    if (hrr_graph_is_multilabel(graph))
        assert_same_matrix(hrr_graph_label_matrix(copy), hrr_graph_label_matrix(graph));
    else
        assert_memory_equal(hrr_graph_classes(copy), hrr_graph_classes(graph),
                            n_nodes * sizeof(int32_t));
}

static void test_copy__of_everything_outlives_the_graph(void **state)
{
    (void)state;
    for (int multilabel = 0; multilabel < 2; multilabel++) {
        hrr_graph *graph = full_graph(multilabel), *first, *second;
        assert_ok(hrr_graph_copy(&first, graph, HRR_COPY_ALL, NULL));
        assert_whole(first, graph);
        assert_ptr_not_equal(hrr_graph_features(first)->data, hrr_graph_features(graph)->data);
        assert_ok(hrr_graph_copy(&second, graph, HRR_COPY_ALL, NULL));
        hrr_graph_free(graph);
        assert_whole(first, second);
        /* The other mark column can still be chosen: the columns were copied, not their result. */
        assert_ok(hrr_graph_choose_mark(first, "family", NULL));
        assert_memory_equal(hrr_graph_is_private(first), ((uint8_t[]){0, 1}), 2);
        hrr_graph_free(first);
        hrr_graph_free(second);
    }
}

static void test_copy__as_views_shares_what_is_large(void **state)
{
    (void)state;
    hrr_graph *graph = full_graph(true), *view;
    assert_ok(hrr_graph_copy(&view, graph, HRR_COPY_ALL | HRR_COPY_AS_VIEWS, NULL));
    assert_whole(view, graph);
    assert_ptr_equal(hrr_graph_features(view)->data, hrr_graph_features(graph)->data);
    assert_ptr_equal(hrr_graph_label_matrix(view)->data, hrr_graph_label_matrix(graph)->data);
    assert_ptr_equal(hrr_graph_sources(view), hrr_graph_sources(graph));
    /* Marks of its own: the graph behind it does not change. */
    assert_ok(hrr_graph_mark_all(view, NULL));
    assert_int_equal(hrr_graph_n_private_edges(graph), 1);
    hrr_graph_free(view);
    assert_edges(graph, 2, (uint32_t[]){0, 1, 2, 3});
    hrr_graph_free(graph);
}

static void test_copy__has_no_part_that_was_not_asked_for(void **state)
{
    (void)state;
    hrr_graph *graph = full_graph(false), *copy;
    assert_ok(hrr_graph_copy(&copy, graph, 0, NULL));
    assert_int_equal(hrr_graph_n_nodes(copy), n_nodes);
    assert_int_equal(hrr_graph_n_edges(copy), 0);
    assert_null(hrr_graph_is_private(copy));
    assert_null(hrr_graph_features(copy));
    assert_null(hrr_graph_feature_lo(copy));
    assert_null(hrr_graph_masked_features(copy));
    assert_null(hrr_graph_classes(copy));
    assert_int_equal(hrr_graph_n_classes(copy), 0);
    assert_null(hrr_graph_split(copy));
    assert_null(hrr_graph_graph_ids(copy));
    assert_null(hrr_graph_candidates(copy));
    assert_null(hrr_graph_provenance(copy));
    assert_int_equal(hrr_graph_inferred(copy), 0);
    assert_int_equal(hrr_graph_removed(copy).duplicates, 0);
    hrr_graph_free(copy);

    assert_ok(hrr_graph_copy(&copy, graph, HRR_COPY_EDGES, NULL));
    assert_edges(copy, 2, (uint32_t[]){0, 1, 2, 3});
    assert_int_equal(hrr_graph_marking(copy), HRR_UNDECIDED);
    assert_int_equal(hrr_graph_n_marks(copy), 0);
    hrr_graph_free(copy);
    hrr_graph_free(graph);
}

static void test_copy__public_edges_are_those_that_are_not_private(void **state)
{
    (void)state;
    hrr_graph *graph = full_graph(false), *copy;
    assert_ok(hrr_graph_copy(&copy, graph, HRR_COPY_PUBLIC_EDGES | HRR_COPY_AS_VIEWS, NULL));
    assert_edges(copy, 1, (uint32_t[]){2, 3});
    assert_int_equal(hrr_graph_marking(copy), HRR_ALL_PUBLIC);
    assert_int_equal(hrr_graph_n_marks(copy), 0);
    assert_int_equal(hrr_graph_removed(copy).duplicates, 0);
    hrr_graph_free(copy);
    hrr_graph_free(graph);

    graph = graph_of(3, 1, (uint32_t[]){0, 2}, NULL);
    assert_ok(hrr_graph_copy(&copy, graph, HRR_COPY_PUBLIC_EDGES, NULL));
    assert_edges(copy, 1, (uint32_t[]){0, 2});
    assert_int_equal(hrr_graph_marking(copy), HRR_UNDECIDED);
    hrr_graph_free(copy);
    hrr_graph_free(graph);
}

static void test_copy__keeps_who_decided_about_the_edges(void **state)
{
    (void)state;
    hrr_graph *graph = graph_of(3, 1, (uint32_t[]){0, 2}, NULL), *copy;
    for (hrr_marking marking = HRR_UNDECIDED; marking <= HRR_ALL_PUBLIC; marking++) {
        if (marking == HRR_MARKED) assert_ok(hrr_graph_mark_all(graph, NULL));
        if (marking == HRR_ALL_PUBLIC) hrr_graph_mark_none(graph);
        assert_ok(hrr_graph_copy(&copy, graph, HRR_COPY_EDGES | HRR_COPY_MARKS, NULL));
        assert_int_equal(hrr_graph_marking(copy), marking);
        assert_int_equal(hrr_graph_n_private_edges(copy), marking == HRR_MARKED);
        hrr_graph_free(copy);
    }
    hrr_graph_free(graph);
}

static void test_add__replaces_what_was_there(void **state)
{
    (void)state;
    hrr_graph *graph = full_graph(false), *other = full_graph(true);
    assert_ok(hrr_graph_add_parts(other, graph, HRR_COPY_LABELS | HRR_COPY_SPLIT, NULL));
    assert_false(hrr_graph_is_multilabel(other));
    assert_memory_equal(hrr_graph_classes(other), hrr_graph_classes(graph),
                        n_nodes * sizeof(int32_t));
    assert_int_equal(hrr_graph_add_parts(other, graph, HRR_COPY_EDGES, NULL), HRR_EINVAL);
    hrr_graph_free(graph);
    hrr_graph_free(other);
}

static void test_copy__refuses_what_does_not_go_together(void **state)
{
    (void)state;
    const unsigned wrong[] = {HRR_COPY_AS_VIEWS << 1, HRR_COPY_MARKS,
                              HRR_COPY_PUBLIC_EDGES | HRR_COPY_EDGES,
                              HRR_COPY_PUBLIC_EDGES | HRR_COPY_MARKS};
    hrr_graph *graph = full_graph(false), *copy, *smaller = empty_graph(3);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(hrr_graph_copy(&copy, graph, wrong[i], NULL), HRR_EINVAL);
        assert_null(copy);
    }
    assert_int_equal(hrr_graph_add_parts(smaller, graph, HRR_COPY_SPLIT, NULL), HRR_EINVAL);
    hrr_graph_free(smaller);
    hrr_graph_free(graph);
}

static hrr_status copy_all(void *user)
{
    hrr_graph *copy;
    hrr_status status = hrr_graph_copy(&copy, user, HRR_COPY_ALL, NULL);
    if (status) assert_null(copy);
    hrr_graph_free(copy);
    return status;
}

static hrr_status copy_public(void *user)
{
    hrr_graph *copy;
    hrr_status status = hrr_graph_copy(&copy, user, HRR_COPY_PUBLIC_EDGES | HRR_COPY_SPLIT, NULL);
    hrr_graph_free(copy);
    return status;
}

static void test_copy__survives_running_out_of_memory(void **state)
{
    (void)state;
    for (int multilabel = 0; multilabel < 2; multilabel++) {
        hrr_graph *graph = full_graph(multilabel);
        assert_true(brutal(copy_all, graph) > 15);
        assert_true(brutal(copy_public, graph) > 3);
        hrr_graph_free(graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy__of_everything_outlives_the_graph),
        cmocka_unit_test(test_copy__as_views_shares_what_is_large),
        cmocka_unit_test(test_copy__has_no_part_that_was_not_asked_for),
        cmocka_unit_test(test_copy__public_edges_are_those_that_are_not_private),
        cmocka_unit_test(test_copy__keeps_who_decided_about_the_edges),
        cmocka_unit_test(test_add__replaces_what_was_there),
        cmocka_unit_test(test_copy__refuses_what_does_not_go_together),
        cmocka_unit_test(test_copy__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
