/* What is said of the nodes of a large graph: as good as all that is free on all nodes, no worse
 * than either of its networks, and a function of what it may look at. */
#include "learn/fit.h"
#include "learn/large_base.h"
#include "learn/networks.h"
#include "learn/predicted_blocks.h"
#include "learn/public_base.h"
#include "support/brutal.h"

#include <heterorr/generate.h>

static hrr_train_options quick(void)
{
    hrr_train_options options;
    hrr_train_options_init(&options);
    options.epochs = 30;
    options.threads = 1;
    options.scale = HRR_SCALE_BOUNDED;
    return options;
}

static hrr_graph *made(uint64_t n_nodes, double homophily)
{
    hrr_generate_options options;
    hrr_generate_options_init(&options);
    options.n_nodes = n_nodes;
    options.n_features = 4;
    options.n_classes = 3;
    options.average_degree = 8;
    options.homophily = homophily;
    options.private_fraction = 0;
    options.threads = 1;
    hrr_graph *graph;
    assert_ok(hrr_generate(&graph, NULL, &options, NULL, NULL));
    return graph;
}

static double accuracy(const hrr_dense *logits, const hrr_graph *graph)
{
    hrr_metrics found;
    assert_ok(hrr_measure(&found, logits, hrr_graph_classes(graph), NULL, 0, hrr_graph_split(graph),
                          HRR_TEST, NULL));
    return found.accuracy;
}

static double accuracy_on_all_nodes(const hrr_graph *graph, const hrr_train_options *options)
{
    hrr_model *model;
    hrr_dense logits;
    hrr_public_base base;
    assert_ok(hrr_fit(&model, NULL, graph, options, NULL, NULL));
    assert_ok(hrr_forward(&logits, model, graph, NULL, 1, NULL, NULL));
    assert_ok(hrr_public_base_fit(&base, &logits, graph, options, NULL, NULL));
    const double found = accuracy(&logits, graph);
    hrr_public_base_clear(&base);
    hrr_dense_clear(&logits);
    hrr_model_free(model);
    return found;
}

/* 1,000 test nodes: two accuracies of .9 differ by .027 or more in one of twenty draws of nodes.
 * The seeds are fixed. */
static void test_large_base__is_about_as_good_as_the_base_of_small_graphs(void **state)
{
    (void)state;
    static const double homophily[] = {.8, .34}; /* neighbours are alike; as random ones are */
    for (int i = 0; i < 2; i++) {
        hrr_graph *graph = made(4000, homophily[i]);
        const hrr_train_options options = quick();
        hrr_dense logits;
        assert_ok(hrr_large_base(&logits, graph, &options, NULL, NULL));
        const double found = accuracy(&logits, graph),
                     wanted = accuracy_on_all_nodes(graph, &options);
        assert_true(found > wanted - .03);
        hrr_dense_clear(&logits);
        hrr_graph_free(graph);
    }
}

/* Without features that tell anything, labels around a node do: both networks are heard. */
static void test_large_base__hears_the_labels_around_a_node(void **state)
{
    (void)state;
    hrr_graph *graph = made(2000, .8);
    hrr_dense blank, logits;
    assert_ok(hrr_dense_init(&blank, HRR_F32, 2000, 1, NULL));
    memset(blank.data, 0, 2000 * sizeof(float));
    hrr_graph *bare;
    assert_ok(
        hrr_graph_copy(&bare, graph, HRR_COPY_EDGES | HRR_COPY_LABELS | HRR_COPY_SPLIT, NULL));
    assert_ok(hrr_graph_take_features(bare, &blank, NULL));
    const hrr_train_options options = quick();
    assert_ok(hrr_large_base(&logits, bare, &options, NULL, NULL));
    assert_true(accuracy(&logits, bare) > .8); /* guessing: a third */
    hrr_dense_clear(&logits);
    hrr_graph_free(bare);
    hrr_graph_free(graph);
}

static void test_large_base__does_not_look_at_test_labels_or_threads(void **state)
{
    (void)state;
    hrr_graph *graph = made(800, .8), *other;
    hrr_train_options options = quick();
    options.epochs = 3;
    assert_ok(hrr_graph_copy(&other, graph, HRR_COPY_ALL, NULL));
    int32_t *classes = (int32_t *)(uintptr_t)hrr_graph_classes(other);
    for (uint64_t i = 0; i < hrr_graph_n_nodes(other); i++)
        if (hrr_graph_split(other)[i] == HRR_TEST) classes[i] = (classes[i] + 1) % 3;
    hrr_dense a, b;
    assert_ok(hrr_large_base(&a, graph, &options, NULL, NULL));
    options.threads = 3;
    assert_ok(hrr_large_base(&b, other, &options, NULL, NULL));
    assert_memory_equal(a.data, b.data, a.rows * a.cols * sizeof(float));
    hrr_dense_clear(&a);
    hrr_dense_clear(&b);
    hrr_graph_free(graph);
    hrr_graph_free(other);
}

/* Half of the labels are replaced by random ones: the likeliest class stays the likeliest. */
static void test_large_base__learns_from_protected_labels(void **state)
{
    (void)state;
    hrr_graph *graph = made(4000, .8), *noisy;
    hrr_train_options options = quick();
    hrr_fast_random random;
    hrr_fast_init(&random, 7, 0);
    assert_ok(hrr_graph_copy(&noisy, graph, HRR_COPY_ALL, NULL));
    int32_t *classes = (int32_t *)(uintptr_t)hrr_graph_classes(noisy);
    for (uint64_t i = 0; i < 4000; i++)
        if (hrr_fast_below(&random, 2)) classes[i] = (int32_t)hrr_fast_below(&random, 3);
    options.label_eps = log(4); /* P(stays) = 2/3, P(other) = 1/6 each */
    hrr_dense logits;
    assert_ok(hrr_large_base(&logits, noisy, &options, NULL, NULL));
    assert_true(accuracy(&logits, graph) > .8);
    hrr_dense_clear(&logits);
    hrr_graph_free(noisy);
    hrr_graph_free(graph);
}

static void test_large_base__does_without_validation_nodes(void **state)
{
    (void)state;
    hrr_graph *graph = made(800, .8);
    hrr_train_options options = quick();
    uint8_t *split = hrr_alloc(800, 1);
    hrr_dense logits;
    for (uint64_t i = 0; i < 800; i++)
        split[i] = i % 2 ? HRR_TRAIN : HRR_TEST;
    assert_ok(hrr_graph_take_split(graph, &split, NULL));
    assert_ok(hrr_large_base(&logits, graph, &options, NULL, NULL));
    assert_true(accuracy(&logits, graph) > .5);
    hrr_dense_clear(&logits);
    hrr_graph_free(graph);
}

static void test_large_base__is_taken_from_a_million_nodes_and_public_edges_on(void **state)
{
    (void)state;
    assert_false(hrr_base_is_large(1000, (1 << 20) - 1001));
    assert_true(hrr_base_is_large(1000, (1 << 20) - 1000));
    hrr_graph *graph = made(800, .8);
    assert_int_equal(hrr_predicted_blocks_version(graph), HRR_PREDICTED_BLOCKS_VERSION);
    hrr_graph_free(graph);
}

static hrr_status large_once(void *graph)
{
    hrr_train_options options = quick();
    hrr_dense logits;
    options.epochs = 1;
    hrr_status status = hrr_large_base(&logits, graph, &options, NULL, NULL);
    hrr_dense_clear(&logits);
    return status;
}

static void test_large_base__survives_running_out_of_memory(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(30, HRR_F32, 2, 1, 3, false, 1);
    assert_true(brutal(large_once, graph) > 50);
    hrr_graph_free(graph);
}

static void test_large_base__can_be_cancelled(void **state)
{
    (void)state;
    hrr_graph *graph = made(800, .8);
    const hrr_train_options options = quick();
    hrr_progress *progress;
    hrr_dense logits;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(hrr_large_base(&logits, graph, &options, progress, NULL), HRR_ECANCEL);
    assert_null(logits.data);
    hrr_progress_free(progress);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large_base__is_about_as_good_as_the_base_of_small_graphs),
        cmocka_unit_test(test_large_base__hears_the_labels_around_a_node),
        cmocka_unit_test(test_large_base__does_not_look_at_test_labels_or_threads),
        cmocka_unit_test(test_large_base__learns_from_protected_labels),
        cmocka_unit_test(test_large_base__does_without_validation_nodes),
        cmocka_unit_test(test_large_base__is_taken_from_a_million_nodes_and_public_edges_on),
        cmocka_unit_test(test_large_base__survives_running_out_of_memory),
        cmocka_unit_test(test_large_base__can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
