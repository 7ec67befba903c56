/* All that is free together with features: no worse than its parts on the nodes that it was put
 * together by, and without edges where edges mislead. */
#include "learn/public_base.h"
#include "learn/fit.h"
#include "learn/measure_logits.h"
#include "learn/networks.h"
#include "matrix/dense.h"
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

static hrr_graph *made(double homophily)
{
    hrr_generate_options options;
    hrr_generate_options_init(&options);
    options.n_nodes = 600;
    options.n_features = 12;
    options.n_classes = 3;
    options.average_degree = 6;
    options.homophily = homophily;
    options.private_fraction = 0;
    options.threads = 1;
    hrr_graph *graph;
    assert_ok(hrr_generate(&graph, NULL, &options, NULL, NULL));
    return graph;
}

/* Logits of a network on features and edges. */
static hrr_dense network_on(const hrr_graph *graph, const hrr_train_options *options)
{
    hrr_model *model;
    hrr_dense logits;
    assert_ok(hrr_fit(&model, NULL, graph, options, NULL, NULL));
    assert_ok(hrr_forward(&logits, model, graph, NULL, 1, NULL, NULL));
    hrr_model_free(model);
    return logits;
}

static double valid_loss(const hrr_dense *scores, const hrr_graph *graph)
{
    hrr_dense p;
    double loss = 0, n = 0;
    assert_ok(hrr_dense_convert(&p, scores, HRR_F32, NULL));
    hrr_to_log_probabilities(&p, 1);
    for (uint64_t i = 0; i < p.rows; i++)
        if (hrr_graph_split(graph)[i] == HRR_VALID) {
            const uint64_t c = (uint64_t)hrr_graph_classes(graph)[i];
            loss -= (double)((float *)p.data)[i * p.cols + c], n++;
        }
    hrr_dense_clear(&p);
    return loss / n;
}

static void test_public_base__is_as_good_as_its_best_part(void **state)
{
    (void)state;
    static const double homophily[] = {.9, .34}; /* neighbours are alike; as random ones are */
    for (int i = 0; i < 2; i++) {
        hrr_graph *graph = made(homophily[i]);
        const hrr_train_options options = quick();
        hrr_dense logits = network_on(graph, &options);
        const double alone = valid_loss(&logits, graph);
        hrr_public_base base;
        assert_ok(hrr_public_base_fit(&base, &logits, graph, &options, NULL, NULL));
        assert_true(fabs(base.valid_loss[HRR_BASE_EDGES] - alone) < 1e-6);
        for (int part = 0; part < HRR_N_BASE_PARTS; part++)
            assert_true(base.valid_loss[part] >= base.valid_loss[base.best]);
        assert_true(valid_loss(&logits, graph) <= base.valid_loss[base.best] + 1e-6);
        /* Edges that say nothing only blur the features. */
        if (i) assert_int_equal(base.best, HRR_BASE_NO_EDGES);
        hrr_public_base_clear(&base);
        hrr_dense_clear(&logits);
        hrr_graph_free(graph);
    }
}

/* What is put together again later is what was fitted, whichever part is best; what says nothing is
 * not kept. */
static void test_public_base__is_the_same_when_applied(void **state)
{
    (void)state;
    static const double homophily[] = {.95, .7, .34};
    bool best[HRR_N_BASE_PARTS] = {0}, without_edges = false;
    for (int i = 0; i < 3; i++) {
        hrr_graph *graph = made(homophily[i]), *other = made(.9);
        hrr_train_options options = quick();
        hrr_dense fitted = network_on(graph, &options), again = network_on(graph, &options);
        hrr_public_base base;
        assert_ok(hrr_public_base_fit(&base, &fitted, graph, &options, NULL, NULL));
        assert_ok(hrr_public_base_apply(&again, &base, graph, NULL, 1, NULL, NULL));
        assert_memory_equal(fitted.data, again.data, again.rows * again.cols * sizeof(float));
        best[base.best] = true;
        without_edges = without_edges || base.no_edges;
        assert_true(!base.free.data == !hrr_base_needs(&base, HRR_BASE_FREE));
        assert_true(!base.no_edges == !hrr_base_needs(&base, HRR_BASE_NO_EDGES));
        hrr_public_base_clear(&base);
        hrr_dense_clear(&fitted);
        hrr_dense_clear(&again);
        hrr_graph_free(graph);
        hrr_graph_free(other);
    }
    assert_true(without_edges && best[HRR_BASE_NO_EDGES] &&
                (best[HRR_BASE_EDGES] || best[HRR_BASE_FREE]));
}

/* What is free of features is known of these nodes alone. */
static void test_public_base__refuses_other_nodes(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(30, HRR_F32, 2, 1, 3, false, 1);
    hrr_public_base base = {.weight = {1, 0, 1}};
    hrr_dense logits;
    hrr_error err = {0};
    assert_ok(hrr_dense_init(&base.free, HRR_F32, 31, 3, NULL));
    assert_ok(hrr_dense_init(&logits, HRR_F32, 30, 3, NULL));
    assert_int_equal(hrr_public_base_apply(&logits, &base, graph, NULL, 1, NULL, &err), HRR_EDATA);
    assert_says(err, "its 31 nodes, but the graph has 30");
    hrr_public_base_clear(&base);
    hrr_dense_clear(&logits);
    hrr_graph_free(graph);
}

/* What test nodes are labelled as changes nothing. */
static void test_public_base__does_not_look_at_test_labels(void **state)
{
    (void)state;
    hrr_graph *graph = made(.8), *other;
    const hrr_train_options options = quick();
    assert_ok(hrr_graph_copy(&other, graph, HRR_COPY_ALL, NULL));
    int32_t *classes = (int32_t *)(uintptr_t)hrr_graph_classes(other);
    for (uint64_t i = 0; i < hrr_graph_n_nodes(other); i++)
        if (hrr_graph_split(other)[i] == HRR_TEST) classes[i] = (classes[i] + 1) % 3;
    hrr_dense a = network_on(graph, &options), b = network_on(other, &options);
    hrr_public_base base;
    assert_ok(hrr_public_base_fit(&base, &a, graph, &options, NULL, NULL));
    hrr_public_base_clear(&base);
    assert_ok(hrr_public_base_fit(&base, &b, other, &options, NULL, NULL));
    assert_memory_equal(a.data, b.data, a.rows * a.cols * sizeof(float));
    hrr_public_base_clear(&base);
    hrr_dense_clear(&a);
    hrr_dense_clear(&b);
    hrr_graph_free(graph);
    hrr_graph_free(other);
}

static hrr_status join_once(void *graph)
{
    hrr_train_options options = quick();
    options.epochs = 2;
    options.n_hidden = 3;
    hrr_public_base base = {0};
    hrr_dense logits, again = {0};
    hrr_status status = hrr_dense_init(&logits, HRR_F32, 30, 3, NULL);
    if (!status) status = hrr_public_base_fit(&base, &logits, graph, &options, NULL, NULL);
    if (!status) status = hrr_dense_init(&again, HRR_F32, 30, 3, NULL);
    if (!status) status = hrr_public_base_apply(&again, &base, graph, NULL, 1, NULL, NULL);
    hrr_public_base_clear(&base);
    hrr_dense_clear(&logits);
    hrr_dense_clear(&again);
    return status;
}

static void test_public_base__survives_running_out_of_memory(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(30, HRR_F32, 2, 1, 3, false, 1);
    assert_true(brutal(join_once, graph) > 50);
    hrr_graph_free(graph);
}

/* Two classes: the ranking is that of the difference of logits, whatever both share. */
static void test_measure_logits__ranks_by_probability(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(40, HRR_F32, 2, 1, 2, false, 1);
    hrr_dense logits;
    hrr_metrics plain[3], shifted[3], column;
    assert_ok(hrr_dense_init(&logits, HRR_F32, 40, 2, NULL));
    float *z = logits.data;
    for (int i = 0; i < 40; i++)
        z[2 * i + 1] = (float)(i * 17 % 40) / 8; /* an order without ties */
    assert_ok(hrr_measure_logits(plain, &logits, graph, NULL));
    for (int i = 0; i < 40; i++) {
        const float shared = (float)(i * 7 % 11) * 3;
        z[2 * i] += shared, z[2 * i + 1] += shared;
    }
    assert_ok(hrr_measure_logits(shifted, &logits, graph, NULL));
    assert_ok(hrr_measure(&column, &logits, hrr_graph_classes(graph), NULL, 0,
                          hrr_graph_split(graph), HRR_TRAIN, NULL));
    assert_true(plain[HRR_TRAIN].auc == shifted[HRR_TRAIN].auc);
    assert_true(plain[HRR_TRAIN].accuracy == shifted[HRR_TRAIN].accuracy);
    assert_true(column.auc != shifted[HRR_TRAIN].auc); /* a column alone is misled */
    hrr_dense_clear(&logits);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_public_base__is_as_good_as_its_best_part),
        cmocka_unit_test(test_public_base__is_the_same_when_applied),
        cmocka_unit_test(test_public_base__refuses_other_nodes),
        cmocka_unit_test(test_public_base__does_not_look_at_test_labels),
        cmocka_unit_test(test_public_base__survives_running_out_of_memory),
        cmocka_unit_test(test_measure_logits__ranks_by_probability),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
