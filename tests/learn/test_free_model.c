/* All that is free together: no worse than its parts on the nodes that it was put together by, and
 * a function of edges and of labels that are not the test's. */
#include "learn/free_model.h"
#include "learn/networks.h"
#include "support/brutal.h"

#include <heterorr/generate.h>

static hrr_train_options quick(void)
{
    hrr_train_options options;
    hrr_train_options_init(&options);
    options.n_hidden = 16;
    options.epochs = 60;
    options.threads = 1;
    return options;
}

/* Without features. homophily .9: neighbours are alike. */
static hrr_graph *made(uint64_t n, bool multilabel, double homophily)
{
    hrr_generate_options options;
    hrr_generate_options_init(&options);
    options.n_nodes = n;
    options.n_features = 1;
    options.n_classes = 4;
    options.average_degree = 8;
    options.homophily = homophily;
    options.multilabel = multilabel;
    options.private_fraction = 0;
    options.threads = 1;
    hrr_graph *graph, *bare;
    assert_ok(hrr_generate(&graph, NULL, &options, NULL, NULL));
    assert_ok(hrr_graph_copy(&bare, graph, HRR_COPY_ALL & ~(unsigned)HRR_COPY_FEATURES, NULL));
    hrr_graph_free(graph);
    return bare;
}

static double valid_loss(const hrr_dense *scores, const hrr_graph *graph)
{
    const int32_t *classes = hrr_graph_classes(graph);
    double loss = 0, n = 0;
    for (uint64_t i = 0; i < scores->rows; i++)
        if (hrr_graph_split(graph)[i] == HRR_VALID && classes[i] >= 0) {
            loss -= (double)((float *)scores->data)[i * scores->cols + (uint64_t)classes[i]];
            n++;
        }
    return loss / n;
}

static void test_free_model__is_as_good_as_its_best_part(void **state)
{
    (void)state;
    hrr_graph *graph = made(800, false, .9);
    const hrr_train_options options = quick();
    hrr_free_model model;
    hrr_metrics test;
    assert_ok(hrr_free_model_fit(&model, graph, NULL, &options, NULL, NULL));
    for (int part = 0; part < HRR_FREE_SHOWN; part++)
        assert_true(model.valid_loss[part] >= model.valid_loss[model.best]);
    assert_true(valid_loss(&model.scores, graph) <= model.valid_loss[model.best] + 1e-6);
    for (uint64_t i = 0; i < 800; i++) { /* probabilities */
        double sum = 0;
        for (uint32_t c = 0; c < 4; c++)
            sum += exp((double)((float *)model.scores.data)[i * 4 + c]);
        assert_true(fabs(sum - 1) < 1e-5);
    }
    assert_ok(hrr_measure(&test, &model.scores, hrr_graph_classes(graph), NULL, 0,
                          hrr_graph_split(graph), HRR_TEST, NULL));
    assert_true(test.accuracy > .85); /* four even classes: a guess has .25; seed fixed */
    hrr_free_model_clear(&model);
    hrr_graph_free(graph);
}

/* Where neighbours are unlike a node, spreading labels says nothing, and what they are does. */
static void test_free_model__inputs_count_where_neighbours_are_not_alike(void **state)
{
    (void)state;
    enum { n = 600 };
    hrr_fast_random random;
    static uint32_t pairs[2 * 4 * n];
    hrr_fast_init(&random, 3, 0);
    for (uint32_t e = 0; e < 4 * n; e++) { /* class i % 2 is joined to the other one only */
        pairs[2 * e] = 2 * (uint32_t)(hrr_fast_u64(&random) % (n / 2));
        pairs[2 * e + 1] = 2 * (uint32_t)(hrr_fast_u64(&random) % (n / 2)) + 1;
    }
    hrr_graph *graph = graph_of(n, 4 * n, pairs, NULL);
    int32_t *classes = hrr_alloc(n, sizeof *classes);
    for (uint32_t i = 0; i < n; i++)
        classes[i] = i % 2;
    uint8_t *split = hrr_split_new(n, .3, .3, 1, NULL);
    assert_ok(hrr_graph_take_classes(graph, &classes, 2, NULL));
    assert_ok(hrr_graph_take_split(graph, &split, NULL));
    const hrr_train_options options = quick();
    hrr_free_model model;
    hrr_metrics test;
    assert_ok(hrr_free_model_fit(&model, graph, NULL, &options, NULL, NULL));
    assert_true(model.best == HRR_FREE_LOGISTIC || model.best == HRR_FREE_MLP);
    assert_ok(hrr_measure(&test, &model.scores, hrr_graph_classes(graph), NULL, 0,
                          hrr_graph_split(graph), HRR_TEST, NULL));
    assert_true(test.accuracy > .9);
    hrr_free_model_clear(&model);
    hrr_graph_free(graph);
}

/* Volunteers' features, which tell the class where neighbours do not. */
static void test_free_model__learns_from_what_is_shown(void **state)
{
    (void)state;
    enum { n = 600, k = 4 };
    hrr_graph *graph = made(n, false, .3);
    const hrr_train_options options = quick();
    hrr_free_model model;
    hrr_metrics blind, seeing;
    hrr_dense shown;
    hrr_fast_random random;
    hrr_fast_init(&random, 3, 0);
    assert_ok(hrr_dense_init(&shown, HRR_F32, n, k, NULL));
    for (uint64_t i = 0; i < n * k; i++)
        ((float *)shown.data)[i] = (float)hrr_fast_uniform(&random) +
                                   (float)(hrr_graph_classes(graph)[i / k] == (int32_t)(i % k));
    for (int sees = 0; sees < 2; sees++) {
        assert_ok(hrr_free_model_fit(&model, graph, sees ? &shown : NULL, &options, NULL, NULL));
        assert_int_equal(model.best == HRR_FREE_SHOWN, sees);
        assert_int_equal(isfinite(model.valid_loss[HRR_FREE_SHOWN]) != 0, sees);
        assert_ok(hrr_measure(sees ? &seeing : &blind, &model.scores, hrr_graph_classes(graph),
                              NULL, 0, hrr_graph_split(graph), HRR_TEST, NULL));
        hrr_free_model_clear(&model);
    }
    assert_true(seeing.accuracy > blind.accuracy + .1);
    hrr_dense_clear(&shown);
    hrr_graph_free(graph);
}

static void test_free_model__knows_several_labels(void **state)
{
    (void)state;
    hrr_graph *graph = made(400, true, .9);
    const hrr_train_options options = quick();
    hrr_free_model model;
    hrr_metrics test;
    assert_ok(hrr_free_model_fit(&model, graph, NULL, &options, NULL, NULL));
    assert_ok(hrr_measure(&test, &model.scores, NULL, hrr_graph_label_matrix(graph), 0,
                          hrr_graph_split(graph), HRR_TEST, NULL));
    assert_true(test.auc > .7);
    hrr_free_model_clear(&model);
    hrr_graph_free(graph);
}

/* Labels of test nodes do not matter, nor does the number of threads. */
static void test_free_model__does_not_look_at_test_labels(void **state)
{
    (void)state;
    hrr_graph *graph = made(300, false, .8);
    hrr_train_options options = quick();
    hrr_free_model one, two;
    assert_ok(hrr_free_model_fit(&one, graph, NULL, &options, NULL, NULL));
    int32_t *classes = hrr_alloc(300, sizeof *classes);
    memcpy(classes, hrr_graph_classes(graph), 300 * sizeof *classes);
    for (uint64_t i = 0; i < 300; i++)
        if (hrr_graph_split(graph)[i] == HRR_TEST) classes[i] = (classes[i] + 1) % 4;
    assert_ok(hrr_graph_take_classes(graph, &classes, 4, NULL));
    options.threads = 3;
    assert_ok(hrr_free_model_fit(&two, graph, NULL, &options, NULL, NULL));
    assert_memory_equal(one.scores.data, two.scores.data, 300 * 4 * sizeof(float));
    hrr_free_model_clear(&one);
    hrr_free_model_clear(&two);
    hrr_graph_free(graph);
}

static void test_free_model__without_validation_nodes_spreads_labels(void **state)
{
    (void)state;
    hrr_graph *graph = made(200, false, .8);
    uint8_t *split = hrr_split_new(200, .5, 0, 1, NULL);
    assert_ok(hrr_graph_take_split(graph, &split, NULL));
    const hrr_train_options options = quick();
    hrr_free_model model;
    hrr_dense scores;
    hrr_error err = {0};
    assert_ok(hrr_free_model_fit(&model, graph, NULL, &options, NULL, NULL));
    assert_ok(hrr_label_propagation(&scores, NULL, graph, 1, NULL, NULL));
    for (uint64_t k = 0; k < 200 * 4; k++)
        assert_true(fabsf(((float *)scores.data)[k] - ((float *)model.scores.data)[k]) < 1e-5f);
    hrr_dense_clear(&scores);
    hrr_free_model_clear(&model);
    hrr_graph_free(graph);
    graph = empty_graph(5);
    assert_int_equal(hrr_free_model_fit(&model, graph, NULL, &options, NULL, &err), HRR_EDATA);
    assert_says(err, "no labels");
    hrr_graph_free(graph);
}

static hrr_status fit_once(void *graph)
{
    hrr_train_options options = quick();
    options.epochs = 2;
    options.n_hidden = 3;
    hrr_free_model model;
    const hrr_status status = hrr_free_model_fit(&model, graph, NULL, &options, NULL, NULL);
    hrr_free_model_clear(&model);
    return status;
}

static void test_free_model__survives_running_out_of_memory(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(30, HRR_F32, 2, 1, 3, false, 1);
    assert_true(brutal(fit_once, graph) > 50);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_model__is_as_good_as_its_best_part),
        cmocka_unit_test(test_free_model__inputs_count_where_neighbours_are_not_alike),
        cmocka_unit_test(test_free_model__learns_from_what_is_shown),
        cmocka_unit_test(test_free_model__knows_several_labels),
        cmocka_unit_test(test_free_model__does_not_look_at_test_labels),
        cmocka_unit_test(test_free_model__without_validation_nodes_spreads_labels),
        cmocka_unit_test(test_free_model__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
