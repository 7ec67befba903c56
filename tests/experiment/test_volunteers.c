/* test_volunteers.c: who volunteers, and that a head learnt from them knows nobody else. */
#include "experiment/volunteers.h"
#include "experiment/made_graphs.h"
#include "base/memory.h"
#include "support/brutal.h"

#include <heterorr/generate.h>

#include <string.h>

enum { n = 1000 };

static void test_volunteers__are_so_many_training_nodes(void **state)
{
    (void)state;
    uint8_t *split = hrr_split_new(n, .3, .2, 1, NULL), *chosen, *again, *other;
    uint64_t count = 0;
    assert_non_null(split);
    assert_ok(hrr_volunteers_draw(&chosen, split, n, .1, 7, NULL));
    assert_ok(hrr_volunteers_draw(&again, split, n, .1, 7, NULL));
    assert_ok(hrr_volunteers_draw(&other, split, n, .1, 8, NULL));
    for (int i = 0; i < n; i++) {
        assert_true(!chosen[i] || split[i] == HRR_TRAIN);
        count += chosen[i];
    }
    assert_int_equal(count, 100);
    assert_memory_equal(chosen, again, n);
    assert_memory_not_equal(chosen, other, n);
    hrr_free(chosen);
    /* More than there are: all of them. */
    assert_ok(hrr_volunteers_draw(&chosen, split, n, .9, 7, NULL));
    for (int i = 0; i < n; i++)
        assert_int_equal(chosen[i], split[i] == HRR_TRAIN);
    hrr_free(chosen);
    hrr_free(again);
    hrr_free(other);
    memset(split, HRR_TEST, n);
    hrr_error err;
    assert_int_equal(hrr_volunteers_draw(&chosen, split, n, .1, 7, &err), HRR_EDATA);
    assert_says(err, "nobody can volunteer");
    hrr_free(split);
}

static hrr_graph *made(bool multilabel)
{
    hrr_generate_options options;
    hrr_generate_options_init(&options);
    options.n_nodes = 200;
    options.n_features = 6;
    options.n_classes = multilabel ? 8 : 3;
    options.multilabel = multilabel;
    options.threads = 1;
    hrr_graph *graph;
    assert_ok(hrr_generate(&graph, NULL, &options, NULL, NULL));
    return graph;
}

/* Everything of nodes that did not volunteer, changed. */
static void change_others(hrr_graph *graph, const uint8_t *chosen)
{
    const uint64_t rows = hrr_graph_n_nodes(graph), d = hrr_graph_features(graph)->cols;
    const hrr_dense *matrix = hrr_graph_label_matrix(graph);
    hrr_dense x, labels = {0};
    int32_t *classes = NULL;
    assert_ok(hrr_dense_init(&x, HRR_F32, rows, d, NULL));
    if (matrix) assert_ok(hrr_dense_init(&labels, HRR_U8, rows, matrix->cols, NULL));
    if (!matrix) assert_non_null(classes = hrr_alloc(rows, sizeof *classes));
    for (uint64_t i = 0; i < rows; i++) {
        for (uint64_t j = 0; j < d; j++)
            ((float *)x.data)[i * d + j] =
                chosen[i] ? (float)hrr_dense_get(hrr_graph_features(graph), i, j) : 77;
        for (uint64_t j = 0; matrix && j < matrix->cols; j++)
            ((uint8_t *)labels.data)[i * matrix->cols + j] =
                chosen[i] ? (uint8_t)hrr_dense_get(matrix, i, j) : 1;
        if (classes) classes[i] = chosen[i] ? hrr_graph_classes(graph)[i] : 0;
    }
    assert_ok(hrr_graph_take_features(graph, &x, NULL));
    if (matrix)
        assert_ok(hrr_graph_take_label_matrix(graph, &labels, NULL));
    else
        assert_ok(hrr_graph_take_classes(graph, &classes, hrr_graph_n_classes(graph), NULL));
    hrr_free(classes);
    hrr_dense_clear(&labels);
    hrr_dense_clear(&x);
}

static void test_volunteers__teach_a_head_that_knows_nobody_else(void **state)
{
    (void)state;
    for (int several = 0; several < 2; several++) {
        hrr_graph *graph = made(several);
        uint8_t *chosen;
        hrr_head head, other;
        assert_ok(hrr_volunteers_draw(&chosen, hrr_graph_split(graph), 200, .2, 3, NULL));
        assert_ok(hrr_volunteers_head(&head, graph, chosen, NULL, NULL));
        assert_int_equal(head.weight.cols, several ? HRR_USUAL_QUESTIONS : 3);
        change_others(graph, chosen);
        assert_ok(hrr_volunteers_head(&other, graph, chosen, NULL, NULL));
        assert_memory_equal(head.weight.data, other.weight.data,
                            head.weight.rows * head.weight.cols * sizeof(double));
        assert_memory_equal(head.bias.data, other.bias.data, head.bias.cols * sizeof(double));
        hrr_head_clear(&head);
        hrr_head_clear(&other);
        hrr_free(chosen);
        hrr_graph_free(graph);
    }
}

static hrr_status learn_once(void *graph)
{
    uint8_t *chosen = NULL;
    hrr_head head = {0};
    hrr_status status = hrr_volunteers_draw(&chosen, hrr_graph_split(graph), 200, .2, 3, NULL);
    if (!status) status = hrr_volunteers_head(&head, graph, chosen, NULL, NULL);
    hrr_head_clear(&head);
    hrr_free(chosen);
    return status;
}

static void test_volunteers__survive_without_memory(void **state)
{
    (void)state;
    hrr_graph *graph = made(true);
    assert_true(brutal(learn_once, graph) > 10);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_volunteers__are_so_many_training_nodes),
        cmocka_unit_test(test_volunteers__teach_a_head_that_knows_nobody_else),
        cmocka_unit_test(test_volunteers__survive_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
