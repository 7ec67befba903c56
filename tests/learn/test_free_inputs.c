/* What a graph tells for nothing: by hand on a small graph, and that a node's own label is in none
 * of its inputs, to the last bit. */
#include "learn/free_inputs.h"
#include "learn/networks.h"
#include "support/brutal.h"

static const hrr_label_spread usual = {.alpha = 0.8, .steps = 8, .prior = 0.03};

static hrr_dense inputs_of(const hrr_graph *graph, int threads)
{
    hrr_dense inputs;
    assert_ok(hrr_free_inputs(&inputs, graph, usual, threads, NULL, NULL));
    return inputs;
}

/* Give node i another class, or turn its first label around. */
static void relabel(hrr_graph *graph, uint64_t i)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    const uint32_t n_classes = hrr_graph_n_classes(graph);
    if (hrr_graph_is_multilabel(graph)) {
        hrr_dense labels;
        assert_ok(hrr_dense_init(&labels, HRR_U8, n, n_classes, NULL));
        memcpy(labels.data, hrr_graph_label_matrix(graph)->data, n * n_classes);
        ((uint8_t *)labels.data)[i * n_classes] ^= 1;
        assert_ok(hrr_graph_take_label_matrix(graph, &labels, NULL));
        return;
    }
    int32_t *classes = hrr_alloc(n, sizeof *classes);
    memcpy(classes, hrr_graph_classes(graph), n * sizeof *classes);
    classes[i] = (classes[i] + 1) % (int32_t)n_classes;
    assert_ok(hrr_graph_take_classes(graph, &classes, n_classes, NULL));
}

static void test_free_inputs__own_label_is_not_among_them(void **state)
{
    (void)state;
    for (int multilabel = 0; multilabel < 2; multilabel++) {
        hrr_graph *graph = small_graph(60, HRR_F32, 2, 1, 3, multilabel, 5);
        const hrr_dense before = inputs_of(graph, 1);
        const size_t size = before.cols * sizeof(float);
        bool others_see_it = false;
        for (uint64_t i = 0; i < 59; i++) {
            relabel(graph, i);
            const hrr_dense after = inputs_of(graph, 1);
            const char *was = before.data, *is = after.data;
            assert_memory_equal(was + i * size, is + i * size, size);
            if (hrr_graph_split(graph)[i] == HRR_TRAIN)
                others_see_it |= memcmp(was, is, before.rows * size) != 0;
            else /* nobody sees labels of the other parts */
                assert_memory_equal(was, is, before.rows * size);
            hrr_dense_clear((hrr_dense *)&after);
            relabel(graph, i);
            if (!multilabel) relabel(graph, i); /* three classes: around */
        }
        assert_true(others_see_it);
        hrr_dense_clear((hrr_dense *)&before);
        hrr_graph_free(graph);
    }
}

/* 0 - 1 - 2 and 1 - 3; 0, 2 and 3 are trained on, with classes 0, 0 and 1; 4 is alone. */
static void test_free_inputs__say_what_is_around(void **state)
{
    (void)state;
    static const uint32_t pairs[] = {0, 1, 1, 2, 1, 3};
    hrr_graph *graph = graph_of(5, 3, pairs, NULL);
    int32_t *classes = hrr_alloc(5, sizeof *classes);
    uint8_t *split = hrr_alloc(5, 1);
    memcpy(classes, (int32_t[]){0, 1, 0, 1, -1}, 5 * sizeof *classes);
    memcpy(split, (uint8_t[]){0, 2, 0, 0, 2}, 5);
    assert_ok(hrr_graph_take_classes(graph, &classes, 2, NULL));
    assert_ok(hrr_graph_take_split(graph, &split, NULL));
    hrr_dense inputs = inputs_of(graph, 1);
    assert_int_equal(inputs.cols, 4 + 4 * 2);
    const float *row = inputs.data, *middle = row + inputs.cols, *alone = row + 4 * inputs.cols;
    const float near = 1e-6f;
    /* The middle: three neighbours of degree 1, two of class 0 and one of 1; two steps away there
     * is nobody but itself. */
    assert_true(fabsf(middle[0] - log1pf(3)) < near && fabsf(middle[1] - log1pf(1)) < near);
    assert_true(fabsf(middle[2] - log1pf(3)) < near && middle[3] == 0);
    assert_true(fabsf(middle[4] - log1pf(2)) < near && fabsf(middle[5] - log1pf(1)) < near);
    assert_true(fabsf(middle[6] - 2.5f / 4) < near && fabsf(middle[7] - 1.5f / 4) < near);
    assert_true(middle[8] == .5f && middle[9] == .5f);
    /* Node 0: its neighbour has no label; of that one's three neighbours two others, 0 and 1. */
    assert_true(row[2] == 0 && row[6] == .5f && row[7] == .5f);
    assert_true(fabsf(row[3] - log1pf(2.f / 3)) < near);
    assert_true(fabsf(row[8] - (1.f / 3 + .5f) / (2.f / 3 + 1)) < near);
    /* Nothing at all: shares are even, and so is what is spread but for how frequent labels are. */
    for (int k = 0; k < 4; k++)
        assert_true(alone[k] == 0);
    assert_true(alone[6] == .5f && alone[8] == .5f && alone[10] > alone[11]);
    hrr_dense_clear(&inputs);
    hrr_graph_free(graph);
}

static void test_free_inputs__are_the_same_for_any_threads(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(3000, HRR_F32, 2, 1, 4, false, 5);
    hrr_dense one = inputs_of(graph, 1), many = inputs_of(graph, 3);
    assert_memory_equal(one.data, many.data, one.rows * one.cols * sizeof(float));
    hrr_dense_clear(&one);
    hrr_dense_clear(&many);
    hrr_graph_free(graph);
}

static hrr_status make_once(void *graph)
{
    hrr_dense inputs;
    const hrr_status status = hrr_free_inputs(&inputs, graph, usual, 1, NULL, NULL);
    hrr_dense_clear(&inputs);
    return status;
}

static void test_free_inputs__survive_running_out_of_memory(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(40, HRR_F32, 2, 1, 3, false, 1);
    assert_true(brutal(make_once, graph) > 10);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_inputs__own_label_is_not_among_them),
        cmocka_unit_test(test_free_inputs__say_what_is_around),
        cmocka_unit_test(test_free_inputs__are_the_same_for_any_threads),
        cmocka_unit_test(test_free_inputs__survive_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
