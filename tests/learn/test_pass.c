#include "learn/cross_entropy.h"
#include "learn/networks.h"
#include "learn/pass.h"
#include "support/brutal.h"

typedef struct work {
    hrr_graph *graph;
    hrr_model *model;
    hrr_aggregator aggregator;
    hrr_inputs inputs;
    hrr_pass pass;
    hrr_targets targets;
} work;

static void start(work *w, hrr_graph *graph, const hrr_model_shape *shape)
{
    const bool edges = shape->arch == HRR_ARCH_GCN;
    *w = (work){.graph = graph};
    assert_ok(hrr_model_new(&w->model, shape, NULL));
    hrr_model_draw(w->model, 5);
    for (size_t k = 0; k < w->model->n_parameters; k++)
        if (w->model->parameters[k] == 0) w->model->parameters[k] = 0.1f * (float)(k % 5) - 0.17f;
    if (edges)
        assert_ok(hrr_aggregator_init(&w->aggregator, graph, shape->normalisation, HRR_DIAGONAL_ALL,
                                      NULL));
    assert_ok(hrr_inputs_init(&w->inputs, hrr_graph_features(graph), w->model->layers[0].n_out,
                              edges ? &w->aggregator : NULL, 2, NULL, NULL));
    assert_ok(hrr_pass_init(&w->pass, w->model, &w->inputs, edges ? &w->aggregator : NULL, 2, NULL,
                            NULL));
    w->targets = (hrr_targets){
        .n = hrr_graph_n_nodes(graph),
        .n_classes = hrr_graph_n_classes(graph),
        .classes = hrr_graph_classes(graph),
        .labels = hrr_graph_is_multilabel(graph) ? hrr_graph_label_matrix(graph)->data : NULL,
        .split = hrr_graph_split(graph)};
}

static void stop(work *w)
{
    hrr_pass_clear(&w->pass);
    hrr_inputs_clear(&w->inputs);
    hrr_aggregator_clear(&w->aggregator);
    hrr_model_free(w->model);
    hrr_graph_free(w->graph);
}

/* Loss and gradient in single precision against finite differences of the slow network in double,
 * step 1e-6: those are good to 1e-9, so what is left is rounding to float, below 1e-5 here. */
static void check_gradient(hrr_graph *graph, const hrr_model_shape *shape)
{
    work w;
    start(&w, graph, shape);
    const size_t n = w.model->n_parameters;
    const uint64_t n_train = hrr_count_targets(&w.targets, HRR_TRAIN);
    float *gradient = malloc(n * sizeof *gradient);
    double *parameters = malloc(n * sizeof *parameters);
    for (size_t k = 0; k < n; k++)
        parameters[k] = (double)w.model->parameters[k];

    hrr_pass_forward(&w.pass, w.model->parameters, 0, 0, 0);
    float *logits = hrr_pass_logits(&w.pass)->data;
    double valid = hrr_cross_entropy(logits, &w.targets, HRR_VALID,
                                     hrr_count_targets(&w.targets, HRR_VALID), false, 2);
    double train = hrr_cross_entropy(logits, &w.targets, HRR_TRAIN, n_train, true, 2);
    assert_true(fabs(valid - slow_loss(graph, w.model, parameters, HRR_VALID)) < 1e-5);
    assert_true(fabs(train - slow_loss(graph, w.model, parameters, HRR_TRAIN)) < 1e-5);

    hrr_pass_backward(&w.pass, w.model->parameters, gradient);
    for (size_t k = 0; k < n; k++) {
        const double step = 1e-6, kept = parameters[k];
        parameters[k] = kept + step;
        const double above = slow_loss(graph, w.model, parameters, HRR_TRAIN);
        parameters[k] = kept - step;
        const double below = slow_loss(graph, w.model, parameters, HRR_TRAIN);
        parameters[k] = kept;
        const double expected = (above - below) / (2 * step);
        if (fabs((double)gradient[k] - expected) >= 1e-5)
            print_error("parameter %zu: %g, not %g\n", k, (double)gradient[k], expected);
        assert_true(fabs((double)gradient[k] - expected) < 1e-5);
    }
    free(parameters);
    free(gradient);
    stop(&w);
}

static void test_pass__gradient_agrees_with_finite_differences(void **state)
{
    (void)state;
    /* Classes wider than the hidden layer make the last layer aggregate first; features wider than
     * it make the first one aggregate last; a tenth of entries makes them sparse. */
    const hrr_dtype types[] = {HRR_F32, HRR_U8, HRR_F64};
    for (int multilabel = 0; multilabel < 2; multilabel++)
        for (uint32_t layers = 1; layers <= 3; layers++)
            for (int kind = 0; kind < 6; kind++)
                for (int arch = 0; arch < 4; arch++) {
                    const uint64_t d = kind < 3 ? 4 : 12;
                    const uint32_t n_classes = kind % 2 ? 9 : 3;
                    const hrr_model_shape shape = {
                        .arch = arch == 2 ? HRR_ARCH_MLP : HRR_ARCH_GCN,
                        .normalisation = arch == 3 ? HRR_NORMALISE_FIRST_ORDER
                                         : arch    ? HRR_NORMALISE_MEAN
                                                   : HRR_NORMALISE_SYMMETRIC,
                        .n_layers = layers,
                        .n_hidden = 6,
                        .n_features = d,
                        .n_classes = n_classes,
                        .output = multilabel ? HRR_OUTPUT_SIGMOID : HRR_OUTPUT_SOFTMAX,
                        .bias = kind != 5};
                    check_gradient(small_graph(14, types[kind % 3], d, kind == 4 ? .08 : 1,
                                               n_classes, multilabel, 7),
                                   &shape);
                }
}

static void assert_close(hrr_pass *a, hrr_pass *b)
{
    const hrr_dense *x = hrr_pass_logits(a), *y = hrr_pass_logits(b);
    for (uint64_t k = 0; k < x->rows * x->cols; k++)
        assert_true(fabsf(((float *)x->data)[k] - ((float *)y->data)[k]) < 1e-5f);
}

/* S^steps as features, which is what a row of weights for every node stands for. */
static void take_spread_identity(hrr_graph *graph, uint32_t steps)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    hrr_dense identity, spread;
    assert_ok(hrr_dense_init(&identity, HRR_F32, n, n, NULL));
    for (uint64_t i = 0; i < n; i++)
        ((float *)identity.data)[i * n + i] = 1;
    assert_ok(hrr_graph_propagate(&spread, graph, &identity, steps, 1, NULL, NULL));
    assert_ok(hrr_graph_take_features(graph, &spread, NULL));
    hrr_dense_clear(&identity);
}

/* Node rows against the same network on a matrix that is as large as it looks: logits and gradient
 * differ by rounding alone. */
static void test_pass__node_rows_are_identity_features(void **state)
{
    (void)state;
    enum { n = 300 };
    for (uint32_t steps = 0; steps <= 4; steps++)
        for (uint32_t layers = 1; layers <= 2; layers++) {
            const hrr_model_shape shape = {.arch = steps == 3 ? HRR_ARCH_MLP : HRR_ARCH_GCN,
                                           .normalisation = HRR_NORMALISE_SYMMETRIC,
                                           .n_layers = layers,
                                           .n_hidden = 6,
                                           .n_features = n,
                                           .n_classes = 3,
                                           .bias = true};
            hrr_graph *graph = small_graph(n, HRR_F32, 2, 1, 3, false, 7);
            take_spread_identity(graph, steps);
            work w;
            start(&w, graph, &shape);
            hrr_inputs rows;
            hrr_pass pass;
            assert_ok(hrr_inputs_init_rows(&rows, graph, w.model->layers[0].n_out, steps, NULL));
            assert_ok(hrr_pass_init(&pass, w.model, &rows, w.pass.aggregator, 2, NULL, NULL));
            hrr_pass *const both[] = {&w.pass, &pass};
            float *gradient[2];
            for (int k = 0; k < 2; k++) {
                gradient[k] = malloc(w.model->n_parameters * sizeof *gradient[k]);
                hrr_pass_forward(both[k], w.model->parameters, 0, 0, 0);
                if (k) assert_close(both[0], both[1]);
            }
            for (int k = 0; k < 2; k++) {
                hrr_cross_entropy(hrr_pass_logits(both[k])->data, &w.targets, HRR_TRAIN,
                                  hrr_count_targets(&w.targets, HRR_TRAIN), true, 2);
                hrr_pass_backward(both[k], w.model->parameters, gradient[k]);
            }
            for (size_t k = 0; k < w.model->n_parameters; k++)
                assert_true(fabsf(gradient[0][k] - gradient[1][k]) < 1e-6f);
            free(gradient[0]);
            free(gradient[1]);
            hrr_pass_clear(&pass);
            hrr_inputs_clear(&rows);
            stop(&w);
        }
}

static void test_pass__chooses_the_cheaper_order(void **state)
{
    (void)state;
    hrr_model_shape shape = {.normalisation = HRR_NORMALISE_MEAN,
                             .n_layers = 2,
                             .n_hidden = 6,
                             .n_features = 4,
                             .n_classes = 9};
    work w;
    start(&w, small_graph(20, HRR_F32, 4, 1, 9, false, 1), &shape);
    assert_true(w.inputs.is_aggregated);
    assert_int_equal(w.pass.order[0], HRR_NO_EDGES);
    assert_int_equal(w.pass.order[1], HRR_EDGES_FIRST);
    stop(&w);
    shape.n_features = 12;
    shape.n_classes = 3;
    start(&w, small_graph(20, HRR_U8, 12, 1, 3, false, 1), &shape);
    assert_ptr_equal(w.inputs.dense.data, hrr_graph_features(w.graph)->data); /* no copy */
    assert_int_equal(w.pass.order[0], HRR_EDGES_LAST);
    assert_int_equal(w.pass.order[1], HRR_EDGES_LAST);
    stop(&w);
    start(&w, small_graph(20, HRR_F32, 12, .05, 3, false, 1), &shape);
    assert_true(w.inputs.is_sparse && w.inputs.sparse.value);
    stop(&w);
}

/* Going on from the first layer of a pass without dropout gives the same bits as a pass of its own.
 */
static void test_pass__again_is_the_same_pass(void **state)
{
    (void)state;
    for (uint32_t layers = 1; layers <= 3; layers++)
        for (int mlp = 0; mlp < 2; mlp++) {
            const hrr_model_shape shape = {.arch = mlp ? HRR_ARCH_MLP : HRR_ARCH_GCN,
                                           .normalisation = HRR_NORMALISE_SYMMETRIC,
                                           .n_layers = layers,
                                           .n_hidden = 6,
                                           .n_features = 12,
                                           .n_classes = 3,
                                           .bias = true};
            work w;
            start(&w, small_graph(600, HRR_F32, 12, 1, 3, false, 1), &shape);
            const hrr_dense *logits = hrr_pass_logits(&w.pass);
            const size_t size = logits->rows * logits->cols * sizeof(float);
            float *once = malloc(size), *units = malloc(600 * 6 * sizeof *units);
            hrr_pass_forward(&w.pass, w.model->parameters, .4, 9, 7);
            memcpy(once, logits->data, size);
            if (layers > 1) memcpy(units, w.pass.outputs[0].data, 600 * 6 * sizeof *units);
            const float scale = w.pass.kept_scale;
            hrr_pass_forward(&w.pass, w.model->parameters, 0, 0, 0);
            if (layers > 1) assert_memory_not_equal(once, logits->data, size);
            memset(logits->data, 0, size);
            hrr_pass_forward_again(&w.pass, w.model->parameters, .4, 9, 7);
            assert_memory_equal(once, logits->data, size);
            if (layers > 1)
                assert_memory_equal(units, w.pass.outputs[0].data, 600 * 6 * sizeof *units);
            assert_true(w.pass.kept_scale == scale);
            free(units);
            free(once);
            stop(&w);
        }
}

static void test_dropout__keeps_its_share_and_the_mean(void **state)
{
    (void)state;
    /* 512,000 units: the share kept lies within 4 standard deviations, false failure rate 6e-5,
     * seed fixed. Two epochs drop different units, the same epoch the same. */
    enum { n = 4000, h = 128 };
    static float block[n * h], first[n * h], again[n * h], other[n * h];
    for (int k = 0; k < n * h; k++)
        block[k] = 1;
    for (double rate = .1; rate < 1; rate += .4) {
        float *to[] = {first, again, other};
        for (int i = 0; i < 3; i++) {
            hrr_activation finish = {.to = to[i],
                                     .n_out = h,
                                     .relu = true,
                                     .dropout = hrr_dropout_for(rate, 3, i == 2, 0)};
            hrr_activate_rows(&finish, block, h, 0, n / 2);
            hrr_activate_rows(&finish, block + n / 2 * h, h, n / 2, n / 2);
        }
        double kept = 0, both = 0, sum = 0;
        for (int k = 0; k < n * h; k++) {
            kept += first[k] > 0;
            both += first[k] > 0 && other[k] > 0;
            sum += (double)first[k];
        }
        const double share = 1 - rate, total = n * h;
        assert_true(fabs(kept / total - share) < 4 * sqrt(share * rate / total));
        assert_true(fabs(both / total - share * share) < 4 * sqrt(share * rate / total));
        assert_true(fabs(sum / total - 1) < 4 * sqrt(rate / share / total));
        assert_memory_equal(first, again, sizeof first);
    }
}

static hrr_status prepare_once(void *user)
{
    hrr_graph *graph = user;
    const hrr_model_shape shape = {.normalisation = HRR_NORMALISE_MEAN,
                                   .n_layers = 2,
                                   .n_hidden = 3,
                                   .n_features = hrr_graph_features(graph)->cols,
                                   .n_classes = 4,
                                   .bias = true};
    hrr_model *model = NULL;
    hrr_aggregator aggregator = {0};
    hrr_inputs inputs = {0};
    hrr_pass pass = {0};
    hrr_status status = hrr_model_new(&model, &shape, NULL);
    if (!status)
        status =
            hrr_aggregator_init(&aggregator, graph, shape.normalisation, HRR_DIAGONAL_LONELY, NULL);
    if (!status)
        status = hrr_inputs_init(&inputs, hrr_graph_features(graph), 3, &aggregator, 1, NULL, NULL);
    if (!status) status = hrr_pass_init(&pass, model, &inputs, &aggregator, 1, NULL, NULL);
    hrr_pass_clear(&pass);
    hrr_inputs_clear(&inputs);
    hrr_aggregator_clear(&aggregator);
    hrr_model_free(model);
    return status;
}

static void test_pass__survives_running_out_of_memory(void **state)
{
    (void)state;
    hrr_graph *dense = small_graph(12, HRR_F64, 3, 1, 4, false, 1);
    hrr_graph *sparse = small_graph(12, HRR_F32, 9, .05, 4, false, 1);
    assert_true(brutal(prepare_once, dense) > 10);
    assert_true(brutal(prepare_once, sparse) > 10);
    hrr_graph_free(dense);
    hrr_graph_free(sparse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pass__gradient_agrees_with_finite_differences),
        cmocka_unit_test(test_pass__node_rows_are_identity_features),
        cmocka_unit_test(test_pass__chooses_the_cheaper_order),
        cmocka_unit_test(test_pass__again_is_the_same_pass),
        cmocka_unit_test(test_dropout__keeps_its_share_and_the_mean),
        cmocka_unit_test(test_pass__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
