/* The derivative and the difference are the same influence, for every kind of model, and what a
 * local service answers is what the model predicts. */
#include "attack/influence.h"
#include "attack/local_service.h"
#include "attack/models.h"
#include "attack/receptive_field.h"
#include "attack/service.h"
#include "support/brutal.h"

enum { n = 40, n_chosen = 17 };

static void choose(uint32_t *nodes)
{
    for (uint32_t i = 0; i < n_chosen; i++)
        nodes[i] = i == 0 ? n - 1 : 2 * i; /* the last one, which has no edge, first */
}

static double at(const hrr_dense *m, uint64_t i, uint64_t j)
{
    return ((const double *)m->data)[i * m->cols + j];
}

static void test_local_service__answers_what_the_model_predicts(void **state)
{
    (void)state;
    for (int k = 0; k < n_kinds; k++) {
        hrr_graph *graph = graph_for(&kinds[k], n);
        hrr_model *model = model_of(&kinds[k], graph);
        hrr_release *served = reference_of(graph);
        for (int returns = 0; returns < 4; returns++) {
            hrr_local_service *local;
            hrr_dense wanted;
            uint32_t nodes[n_chosen];
            double answer[n_chosen * 3];
            choose(nodes);
            assert_ok(predict_on(&wanted, model, graph, NULL, returns == 0, NULL));
            const hrr_serve_options how = {
                .returns = (hrr_returns)returns, .decimals = 1, .threads = 1};
            assert_ok(hrr_local_service_new(&local, model, served, &how, NULL, NULL));
            const hrr_service service = hrr_local_service_view(local);
            const hrr_question question = {.asked = nodes, .n_asked = n_chosen, .changed = -1};
            assert_ok(hrr_service_ask(answer, &service, &question, NULL, NULL));
            for (uint32_t i = 0; i < n_chosen; i++) {
                const float *row = (const float *)wanted.data + 3 * nodes[i];
                uint32_t best = 0;
                for (uint32_t c = 1; c < 3; c++)
                    if (row[c] > row[best]) best = c;
                for (uint32_t c = 0; c < 3; c++) {
                    const double found = answer[3 * i + c], p = (double)row[c];
                    if (returns < 2) assert_true(fabs(found - p) < 1e-5 * (1 + fabs(p)));
                    if (returns == HRR_RETURNS_ROUNDED) {
                        assert_true(fabs(found - p) < .05 + 1e-6);
                        assert_true(fabs(10 * found - round(10 * found)) < 1e-9);
                    }
                    if (returns == HRR_RETURNS_LABELS)
                        assert_true(found == (kinds[k].multilabel ? p > .5 : c == best));
                }
            }
            hrr_local_service_free(local);
            hrr_dense_clear(&wanted);
        }
        hrr_model_free(model);
        hrr_release_free(served);
        hrr_graph_free(graph);
    }
}

/* Relative to the largest influence: a difference of 1e-6 has some ten digits left in doubles. A
 * kink within the step would show as a larger error; none of these models has one there. */
static void test_influence__derivative_and_difference_agree(void **state)
{
    (void)state;
    for (int k = 0; k < n_kinds; k++) {
        hrr_graph *graph = graph_for(&kinds[k], n);
        hrr_model *model = model_of(&kinds[k], graph);
        hrr_release *served = reference_of(graph);
        for (int probabilities = 0; probabilities < 2; probabilities++) {
            uint32_t nodes[n_chosen];
            hrr_local_service *local;
            hrr_dense exact, asked;
            double most = 0;
            choose(nodes);
            assert_ok(hrr_influence_exact(&exact, model, served, nodes, n_chosen, probabilities, 2,
                                          NULL, NULL));
            const hrr_serve_options how = {.returns = probabilities ? HRR_RETURNS_PROBABILITIES
                                                                    : HRR_RETURNS_LOGITS,
                                           .threads = 2};
            assert_ok(hrr_local_service_new(&local, model, served, &how, NULL, NULL));
            const hrr_service service = hrr_local_service_view(local);
            assert_ok(hrr_influence_measure(&asked, &service, hrr_graph_features(graph), nodes,
                                            n_chosen, 1e-6, NULL, NULL));
            for (uint32_t i = 0; i < n_chosen * n_chosen; i++)
                most = fmax(most, ((const double *)exact.data)[i]);
            assert_true(most > 1e-6);
            for (uint32_t i = 0; i < n_chosen; i++)
                for (uint32_t j = 0; j < n_chosen; j++) {
                    assert_true(fabs(at(&exact, i, j) - at(&asked, i, j)) < 1e-6 * most);
                    /* the lonely node and all others do not see each other */
                    if ((i == 0) != (j == 0)) assert_true(at(&exact, i, j) == 0);
                }
            hrr_local_service_free(local);
            hrr_dense_clear(&exact);
            hrr_dense_clear(&asked);
        }
        hrr_model_free(model);
        hrr_release_free(served);
        hrr_graph_free(graph);
    }
}

/* Against a network computed the slow way that shares no code with either. */
static void test_influence__agrees_with_a_slow_network(void **state)
{
    (void)state;
    for (int which = 0; which < 3; which++) {
        const kind k = {
            HRR_ARCH_GCN, (hrr_normalisation)(HRR_NORMALISE_SYMMETRIC + which), 3, 0, true, false,
            false};
        hrr_graph *graph = small_graph(n, HRR_F64, 9, .6, 3, false, 5);
        hrr_model *model = model_of(&k, graph);
        hrr_release *served = reference_of(graph);
        double *parameters = malloc(model->n_parameters * sizeof *parameters);
        for (size_t i = 0; i < model->n_parameters; i++)
            parameters[i] = (double)model->parameters[i];
        uint32_t nodes[n];
        for (uint32_t i = 0; i < n; i++)
            nodes[i] = i;
        hrr_dense exact;
        assert_ok(hrr_influence_exact(&exact, model, served, nodes, n, false, 1, NULL, NULL));
        double *before = slow_logits(graph, model, parameters);
        const hrr_dense *features = hrr_graph_features(graph);
        const double delta = 1e-6;
        for (uint32_t v = 0; v < n; v++) {
            double *x = (double *)features->data + v * features->cols, kept[9];
            memcpy(kept, x, sizeof kept);
            for (int i = 0; i < 9; i++)
                x[i] *= 1 + delta;
            double *after = slow_logits(graph, model, parameters);
            memcpy(x, kept, sizeof kept);
            for (uint32_t u = 0; u < n; u++) {
                double sum = 0;
                for (int c = 0; c < 3; c++)
                    sum += pow((after[3 * u + c] - before[3 * u + c]) / delta, 2);
                assert_true(fabs(sqrt(sum) - at(&exact, v, u)) < 1e-6);
            }
            free(after);
        }
        free(before);
        free(parameters);
        hrr_dense_clear(&exact);
        hrr_model_free(model);
        hrr_release_free(served);
        hrr_graph_free(graph);
    }
}

static void test_influence__does_not_depend_on_threads_or_company(void **state)
{
    (void)state;
    hrr_graph *graph = graph_for(&kinds[2], n);
    hrr_model *model = model_of(&kinds[2], graph);
    hrr_release *served = reference_of(graph);
    uint32_t nodes[n_chosen];
    choose(nodes);
    hrr_dense all, few;
    assert_ok(hrr_influence_exact(&all, model, served, nodes, n_chosen, false, 1, NULL, NULL));
    assert_ok(hrr_influence_exact(&few, model, served, nodes + 3, 5, false, 2, NULL, NULL));
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            assert_true(fabs(at(&few, i, j) - at(&all, 3 + i, 3 + j)) < 1e-12);
    hrr_dense_clear(&all);
    hrr_dense_clear(&few);
    hrr_model_free(model);
    hrr_release_free(served);
    hrr_graph_free(graph);
}

static void test_influence__moves_empty_features_by_ones(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(n, HRR_U8, 9, 0, 3, false, 5); /* all 0 */
    const kind k = {HRR_ARCH_GCN, HRR_NORMALISE_FIRST_ORDER, 1, 0, true, false, false};
    hrr_model *model = model_of(&k, graph);
    hrr_release *served = reference_of(graph);
    const uint32_t nodes[] = {0, 1, 5};
    hrr_dense exact;
    assert_ok(hrr_influence_exact(&exact, model, served, nodes, 3, false, 1, NULL, NULL));
    assert_true(at(&exact, 0, 0) > 0 && at(&exact, 0, 1) > 0);
    hrr_dense_clear(&exact);
    hrr_model_free(model);
    hrr_release_free(served);
    hrr_graph_free(graph);
}

static void test_influence__refuses_what_does_not_fit(void **state)
{
    (void)state;
    hrr_graph *graph = graph_for(&kinds[0], n);
    hrr_graph *wider = small_graph(n, HRR_F32, 10, .6, 3, false, 5);
    hrr_graph *bare = empty_graph(n);
    hrr_model *model = model_of(&kinds[0], graph);
    hrr_release *served = reference_of(graph), *too_wide = reference_of(wider);
    hrr_release *featureless = reference_of(bare);
    const hrr_serve_options how = {.threads = 1};
    const uint32_t nodes[] = {0, 1};
    hrr_error err = {0};
    hrr_dense out;
    hrr_local_service *local;
    assert_int_equal(hrr_influence_exact(&out, model, too_wide, nodes, 2, false, 1, NULL, &err),
                     HRR_EDATA);
    assert_says(err, "10 features");
    assert_int_equal(hrr_influence_exact(&out, model, featureless, nodes, 2, false, 1, NULL, &err),
                     HRR_EDATA);
    assert_says(err, "no features");
    assert_int_equal(hrr_local_service_new(&local, model, too_wide, &how, NULL, &err), HRR_EDATA);
    assert_ok(hrr_local_service_new(&local, model, served, &how, NULL, NULL));
    const hrr_service service = hrr_local_service_view(local);
    assert_int_equal(hrr_influence_measure(&out, &service, hrr_graph_features(wider), nodes, 2,
                                           1e-4, NULL, &err),
                     HRR_EDATA);
    assert_int_equal(
        hrr_influence_measure(&out, &service, hrr_graph_features(graph), nodes, 2, 0, NULL, &err),
        HRR_EINVAL);
    const uint32_t nobody[] = {0, n};
    assert_int_equal(hrr_influence_measure(&out, &service, hrr_graph_features(graph), nobody, 2,
                                           1e-4, NULL, &err),
                     HRR_EINVAL);
    hrr_local_service_free(local);
    hrr_model_free(model);
    hrr_release_free(served);
    hrr_release_free(too_wide);
    hrr_release_free(featureless);
    hrr_graph_free(graph);
    hrr_graph_free(wider);
    hrr_graph_free(bare);
}

typedef struct both {
    hrr_graph *graph;
    hrr_release *served;
    hrr_model *model;
} both;

static hrr_status exactly(void *user)
{
    const both *b = user;
    const uint32_t nodes[] = {0, 1, 5};
    hrr_dense out;
    hrr_status status =
        hrr_influence_exact(&out, b->model, b->served, nodes, 3, true, 2, NULL, NULL);
    hrr_dense_clear(&out);
    return status;
}

static hrr_status by_asking(void *user)
{
    const both *b = user;
    const uint32_t nodes[] = {0, 1, 5};
    hrr_local_service *local;
    hrr_dense out;
    const hrr_serve_options how = {.returns = HRR_RETURNS_ROUNDED, .decimals = 2, .threads = 1};
    hrr_status status = hrr_local_service_new(&local, b->model, b->served, &how, NULL, NULL);
    if (status) return status;
    const hrr_service service = hrr_local_service_view(local);
    status = hrr_influence_measure(&out, &service, hrr_graph_features(b->graph), nodes, 3, 1, NULL,
                                   NULL);
    hrr_dense_clear(&out);
    hrr_local_service_free(local);
    return status;
}

static void test_receptive_field__stops_when_cancelled(void **state)
{
    (void)state;
    hrr_graph *graph = graph_for(&kinds[3], n);
    hrr_model *model = model_of(&kinds[3], graph);
    hrr_progress *progress;
    hrr_receptive_field field;
    const uint32_t nodes[] = {0, 1};
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(hrr_receptive_field_init(&field, hrr_model_get_shape(model), graph, nodes, 2,
                                              progress, NULL),
                     HRR_ECANCEL);
    assert_null(field.hops);
    hrr_progress_free(progress);
    hrr_model_free(model);
    hrr_graph_free(graph);
}

static void test_influence__survives_every_failed_allocation(void **state)
{
    (void)state;
    both b = {.graph = graph_for(&kinds[3], n)};
    b.model = model_of(&kinds[3], b.graph);
    b.served = reference_of(b.graph);
    assert_true(brutal(exactly, &b) > 10);
    assert_true(brutal(by_asking, &b) > 10);
    hrr_model_free(b.model);
    hrr_release_free(b.served);
    hrr_graph_free(b.graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local_service__answers_what_the_model_predicts),
        cmocka_unit_test(test_influence__derivative_and_difference_agree),
        cmocka_unit_test(test_influence__agrees_with_a_slow_network),
        cmocka_unit_test(test_influence__does_not_depend_on_threads_or_company),
        cmocka_unit_test(test_influence__moves_empty_features_by_ones),
        cmocka_unit_test(test_influence__refuses_what_does_not_fit),
        cmocka_unit_test(test_receptive_field__stops_when_cancelled),
        cmocka_unit_test(test_influence__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
