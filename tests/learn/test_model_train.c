#include "learn/drop.h"
#include "learn/measure_logits.h"
#include "learn/networks.h"
#include "support/brutal.h"
#include "support/files.h"
#include "support/references.h"

#include <heterorr/generate.h>

#include <stdio.h>

/* A graph whose classes features and edges both tell something about. */
static hrr_graph *learnable(uint64_t n, bool multilabel, double private_fraction)
{
    hrr_generate_options options;
    hrr_generate_options_init(&options);
    options.n_nodes = n;
    options.n_features = 16;
    options.n_classes = 4;
    options.average_degree = 10;
    options.homophily = 0.9;
    options.multilabel = multilabel;
    options.private_fraction = private_fraction;
    options.threads = 1;
    hrr_graph *graph;
    assert_ok(hrr_generate(&graph, NULL, &options, NULL, NULL));
    return graph;
}

static hrr_train_options quick(void)
{
    return short_training(16, 60, 2);
}

static void test_train__learns_with_and_without_edges(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(600, false, 0);
    for (int kind = 0; kind < 4; kind++) {
        hrr_train_options options = quick();
        hrr_train_summary summary;
        hrr_model *model;
        options.arch = kind == 3 ? HRR_ARCH_MLP : HRR_ARCH_GCN;
        if (kind == 1) options.normalisation = HRR_NORMALISE_MEAN;
        if (kind == 2) {
            options.optimiser = HRR_SGD;
            options.learning_rate = 0.2;
            options.momentum = 0.9;
            options.n_propagate = 1;
        }
        assert_ok(train_on(&model, &summary, graph, &options, NULL, NULL));
        /* chance is .25 */
        assert_true(summary.parts[HRR_TEST].accuracy > 0.6);
        assert_true(summary.parts[HRR_TEST].f1_micro == summary.parts[HRR_TEST].accuracy);
        assert_true(summary.parts[HRR_TEST].auc > 0.7);
        assert_int_equal(summary.parts[0].n + summary.parts[1].n + summary.parts[2].n, 600);
        assert_true(isfinite(summary.train_loss) && isfinite(summary.valid_loss));

        /* what it predicts is what was measured */
        hrr_dense logits;
        hrr_metrics again[3];
        assert_ok(predict_on(&logits, model, graph, NULL, true, NULL));
        assert_ok(hrr_measure_logits(again, &logits, graph, NULL));
        assert_true(again[HRR_TEST].accuracy == summary.parts[HRR_TEST].accuracy);
        assert_true(again[HRR_TEST].auc == summary.parts[HRR_TEST].auc);
        hrr_dense_clear(&logits);
        hrr_model_free(model);
    }
    hrr_graph_free(graph);
}

static void test_train__learns_several_labels(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(600, true, 0);
    hrr_train_options options = quick();
    hrr_train_summary summary;
    hrr_model *model;
    assert_ok(train_on(&model, &summary, graph, &options, NULL, NULL));
    assert_true(summary.parts[HRR_TEST].auc > 0.6);
    hrr_dense p;
    assert_ok(predict_on(&p, model, graph, NULL, false, NULL));
    for (uint64_t k = 0; k < p.rows * p.cols; k++)
        assert_true(((float *)p.data)[k] > 0 && ((float *)p.data)[k] < 1);
    hrr_dense_clear(&p);
    hrr_model_free(model);
    hrr_graph_free(graph);
}

static void test_train__is_a_function_of_its_seed_for_any_threads(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(700, false, 0);
    hrr_model *models[4];
    for (int i = 0; i < 4; i++) {
        hrr_train_options options = quick();
        options.threads = i < 3 ? i + 1 : 1;
        options.seed = i < 3 ? 5 : 6;
        options.epochs = 10;
        assert_ok(train_on(&models[i], NULL, graph, &options, NULL, NULL));
    }
    const size_t size = models[0]->n_parameters * sizeof(float);
    assert_memory_equal(models[0]->parameters, models[1]->parameters, size);
    assert_memory_equal(models[0]->parameters, models[2]->parameters, size);
    assert_memory_not_equal(models[0]->parameters, models[3]->parameters, size);
    for (int i = 0; i < 4; i++)
        hrr_model_free(models[i]);
    hrr_graph_free(graph);
}

typedef struct history {
    double valid[1000], lowest;
    uint32_t count, best;
} history;

static void remember(void *user, uint32_t epoch, double train_loss, double valid_loss)
{
    history *h = user;
    assert_int_equal(epoch, h->count);
    assert_true(isfinite(train_loss));
    h->valid[h->count++] = valid_loss;
    if (epoch == 0 || valid_loss < h->lowest) h->lowest = valid_loss, h->best = epoch;
}

static void test_train__stops_when_patience_ends_and_keeps_the_best(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(80, HRR_F32, 10, 1, 3, false, 1); /* labels mean nothing */
    for (int dropout = 0; dropout < 2; dropout++) {
        history seen = {0};
        hrr_train_options options = quick();
        options.epochs = 900;
        options.patience = 5;
        options.learning_rate = 0.05;
        options.weight_decay = 0;
        options.dropout = dropout ? 0.5 : 0;
        options.seen = remember;
        options.seen_user = &seen;
        hrr_train_summary summary;
        hrr_model *model;
        assert_ok(train_on(&model, &summary, graph, &options, NULL, NULL));
        assert_true(summary.epochs < 900);
        assert_int_equal(summary.best_epoch, seen.best);
        assert_int_equal(summary.epochs, summary.best_epoch + 5);
        assert_true(fabs(summary.valid_loss - seen.lowest) < 1e-6);
        hrr_model_free(model);
    }
    hrr_graph_free(graph);
}

static void test_train__drop_helps_where_labels_are_noise(void **state)
{
    (void)state;
    /* 2,000 nodes, 4 classes, eps .5: a label is right with probability .35. Plain training
     * against Drop with two steps, truth kept aside; seed fixed. */
    const double eps = 0.5;
    hrr_graph *truth = learnable(2000, false, 0), *noisy = learnable(2000, false, 0);
    hrr_fast_random random;
    hrr_fast_init(&random, 3, 0);
    int32_t *classes = (int32_t *)(uintptr_t)hrr_graph_classes(noisy);
    const double stay = exp(eps) / (exp(eps) + 3);
    for (uint64_t i = 0; i < 2000; i++)
        if (hrr_fast_uniform(&random) >= stay)
            classes[i] = (classes[i] + 1 + (int32_t)hrr_fast_below(&random, 3)) % 4;
    double accuracy[2];
    for (int corrected = 0; corrected < 2; corrected++) {
        hrr_train_options options = quick();
        options.label_eps = corrected ? eps : -1;
        options.label_steps = 2;
        options.epochs = 200;
        hrr_model *model;
        hrr_dense logits;
        hrr_metrics metrics;
        assert_ok(train_on(&model, NULL, noisy, &options, NULL, NULL));
        assert_ok(predict_on(&logits, model, truth, NULL, true, NULL));
        assert_ok(hrr_measure(&metrics, &logits, hrr_graph_classes(truth), NULL, 0,
                              hrr_graph_split(truth), HRR_TEST, NULL));
        accuracy[corrected] = metrics.accuracy;
        hrr_dense_clear(&logits);
        hrr_model_free(model);
    }
    assert_true(accuracy[1] > accuracy[0] + 0.05);
    hrr_graph_free(truth);
    hrr_graph_free(noisy);
}

/* The derivatives of Drop's loss against central differences in single precision: step 1e-2 of
 * losses good to 1e-6, so 2e-4. */
static void test_drop__gradient_agrees_with_finite_differences(void **state)
{
    (void)state;
    enum { n = 14, classes = 3 };
    hrr_graph *graph = small_graph(n, HRR_F32, 2, 1, classes, false, 3);
    const hrr_targets targets = {.n = n,
                                 .n_classes = classes,
                                 .classes = hrr_graph_classes(graph),
                                 .split = hrr_graph_split(graph)};
    const uint64_t n_train = hrr_count_targets(&targets, HRR_TRAIN);
    float logits[n * classes], slopes[n * classes], moved[n * classes];
    for (int k = 0; k < n * classes; k++)
        logits[k] = (float)sin(k * 1.7);
    for (uint32_t steps = 0; steps <= 2; steps++) {
        hrr_drop drop;
        assert_ok(hrr_drop_init(&drop, graph, &targets, 1, steps, 1, NULL));
        memcpy(slopes, logits, sizeof slopes);
        hrr_drop_train_loss(&drop, slopes, &targets, n_train);
        for (int k = 0; k < n * classes; k++) {
            double around[2];
            for (int side = 0; side < 2; side++) {
                memcpy(moved, logits, sizeof moved);
                moved[k] += side ? 1e-2f : -1e-2f;
                around[side] = hrr_drop_train_loss(&drop, moved, &targets, n_train);
            }
            assert_true(fabs((around[1] - around[0]) / 2e-2 - (double)slopes[k]) < 2e-4);
        }
        hrr_drop_clear(&drop);
    }
    hrr_graph_free(graph);
}

static void test_train__refuses_what_it_cannot_learn_from(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(200, false, 0), *bare = empty_graph(5);
    hrr_train_options options = quick();
    hrr_model *model;
    hrr_error err;
#define refuses(code, text, from)                                                                  \
    do {                                                                                           \
        assert_int_equal(train_on(&model, NULL, from, &options, NULL, &err), code);                \
        assert_says(err, text);                                                                    \
        assert_null(model);                                                                        \
        options = quick();                                                                         \
    } while (0)
    options.epochs = 0;
    refuses(HRR_EINVAL, "one epoch", graph);
    options.learning_rate = 0;
    refuses(HRR_EINVAL, "learning rate", graph);
    options.weight_decay = -1;
    refuses(HRR_EINVAL, "weight decay", graph);
    options.dropout = 1;
    refuses(HRR_EINVAL, "dropout", graph);
    options.momentum = NAN;
    refuses(HRR_EINVAL, "momentum", graph);
    options.normalisation = HRR_NORMALISE_NONE;
    refuses(HRR_EINVAL, "symmetric, mean or first-order", graph);
    options.n_propagate = HRR_MOST_PROPAGATE + 1;
    refuses(HRR_EINVAL, "at most 1000 times", graph);
    options.n_layers = 65;
    refuses(HRR_EINVAL, "1 to 64 layers", graph);
    options.n_hidden = 0;
    refuses(HRR_EINVAL, "hidden layer", graph);
    options.label_eps = NAN;
    refuses(HRR_EINVAL, "not a number", graph);
    options.learning_rate = 1e30;
    refuses(HRR_EDATA, "diverged", graph);
    refuses(HRR_EDATA, "no features", bare);
    hrr_dense x;
    assert_ok(hrr_dense_init(&x, HRR_F32, 5, 2, NULL));
    assert_ok(hrr_graph_take_features(bare, &x, NULL));
    refuses(HRR_EDATA, "no labels", bare);
    int32_t *classes = hrr_alloc(5, sizeof *classes);
    for (int i = 0; i < 5; i++)
        classes[i] = i < 3 ? -1 : i - 3;
    assert_ok(hrr_graph_take_classes(bare, &classes, 2, NULL));
    refuses(HRR_EDATA, "split.npy is missing", bare);
    uint8_t *split = hrr_alloc(5, 1);
    for (int i = 0; i < 5; i++)
        split[i] = i < 3 ? HRR_TRAIN : HRR_TEST;
    assert_ok(hrr_graph_take_split(bare, &split, NULL));
    refuses(HRR_EDATA, "no training node has a label", bare);
    hrr_graph_free(bare);
    hrr_graph_free(graph);
}

static void test_train__says_what_it_could_not_use(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(16, HRR_F32, 4, 1, 3, false, 2);
    int32_t *classes = (int32_t *)(uintptr_t)hrr_graph_classes(graph);
    uint64_t unlabelled = 0;
    for (int i = 0; i < 16; i++) {
        if (classes[i] == 2) classes[i] = -1; /* nobody has class 2 */
        unlabelled += classes[i] < 0 && hrr_graph_split(graph)[i] == HRR_TRAIN;
    }
    hrr_train_options options = quick();
    options.epochs = 2;
    hrr_train_summary summary;
    hrr_model *model;
    assert_ok(train_on(&model, &summary, graph, &options, NULL, NULL));
    assert_int_equal(summary.n_classes_unseen, 1);
    assert_int_equal(summary.n_unlabelled, unlabelled);
    assert_true(unlabelled > 0);
    hrr_model_free(model);
    hrr_graph_free(graph);
}

static void test_train__stops_when_cancelled(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(200, false, 0);
    hrr_train_options options = quick();
    hrr_progress *progress;
    hrr_model *model;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(train_on(&model, NULL, graph, &options, progress, NULL), HRR_ECANCEL);
    assert_null(model);
    hrr_progress_free(progress);
    hrr_graph_free(graph);
}

/* Standardising within the model is standardising before it; a graph that it is applied to is
 * measured with the yardstick of the one it was trained on. */
static void test_train__standardises_with_what_it_learnt(void **state)
{
    (void)state;
    hrr_graph *raw = small_graph(40, HRR_F32, 5, 1, 3, false, 4);
    hrr_graph *ready = small_graph(40, HRR_F32, 5, 1, 3, false, 4);
    hrr_graph *other = small_graph(40, HRR_F32, 5, 1, 3, false, 9);
    float *x = hrr_graph_features(raw)->data, *y = hrr_graph_features(ready)->data;
    double mean[5] = {0}, deviation[5] = {0};
    for (int i = 0; i < 200; i++) {
        if (i % 5 == 3) x[i] = 7; /* constant: only moved */
        x[i] = x[i] * 3 + 2;
        mean[i % 5] += (double)x[i] / 40;
    }
    for (int i = 0; i < 200; i++)
        deviation[i % 5] += pow((double)x[i] - mean[i % 5], 2) / 40;
    for (int i = 0; i < 200; i++)
        y[i] = i % 5 == 3 ? 0 : (float)(((double)x[i] - mean[i % 5]) / sqrt(deviation[i % 5]));
    hrr_train_options options = quick();
    options.epochs = 5;
    hrr_model *inside, *before;
    hrr_dense a, b;
    assert_ok(train_on(&before, NULL, ready, &options, NULL, NULL));
    options.scale = HRR_SCALE_STANDARD;
    assert_ok(train_on(&inside, NULL, raw, &options, NULL, NULL));
    const hrr_dense standards = hrr_model_standards(inside);
    assert_int_equal(standards.cols, 5);
    assert_true(((float *)standards.data)[5 + 3] == 1);
    assert_null(hrr_model_standards(before).data);
    for (int which = 0; which < 2; which++) {
        float *z = hrr_graph_features(other)->data;
        hrr_dense moved = *hrr_graph_features(ready);
        for (int i = 0; which && i < 200; i++)
            y[i] =
                (float)(((double)z[i] - mean[i % 5]) / (i % 5 == 3 ? 1 : sqrt(deviation[i % 5])));
        assert_ok(predict_on(&a, before, ready, &moved, true, NULL));
        assert_ok(
            predict_on(&b, inside, raw, which ? hrr_graph_features(other) : NULL, true, NULL));
        for (int i = 0; i < 120; i++)
            assert_true(fabsf(((float *)a.data)[i] - ((float *)b.data)[i]) <
                        1e-3f * (1 + fabsf(((float *)a.data)[i])));
        hrr_dense_clear(&a);
        hrr_dense_clear(&b);
    }
    hrr_model_free(inside);
    hrr_model_free(before);
    hrr_graph_free(raw);
    hrr_graph_free(ready);
    hrr_graph_free(other);
}

/* ---- files ------------------------------------------------------------------------------------
 */

static void test_model__comes_back_as_it_was(void **state)
{
    hrr_graph *graph = small_graph(20, HRR_F32, 5, 1, 3, false, 4);
    hrr_train_options options = quick();
    options.epochs = 3;
    options.n_layers = 3;
    options.bias = true;
    options.normalisation = HRR_NORMALISE_FIRST_ORDER;
    options.scale = HRR_SCALE_STANDARD;
    hrr_model *model, *back;
    assert_ok(train_on(&model, NULL, graph, &options, NULL, NULL));
    const char *path = in_dir(*state, "model");
    assert_ok(hrr_model_write(model, "{\"note\": 1}", path, false, NULL));
    hrr_error err;
    assert_int_equal(hrr_model_write(model, NULL, path, false, &err), HRR_EINVAL);
    assert_ok(hrr_model_read(&back, path, NULL));
    assert_int_equal(back->shape.arch, model->shape.arch);
    assert_int_equal(back->shape.normalisation, model->shape.normalisation);
    assert_int_equal(back->shape.n_layers, model->shape.n_layers);
    assert_int_equal(back->shape.output, model->shape.output);
    assert_int_equal(back->n_parameters, model->n_parameters);
    assert_memory_equal(back->parameters, model->parameters, model->n_parameters * sizeof(float));
    assert_memory_equal(back->standards, model->standards, 2 * 5 * sizeof(float));
    assert_false(hrr_model_provenance(back).is_private);
    char *json = read_file(in_dir(path, "model.json"), NULL);
    assert_non_null(strstr(json, "\"epsilon\": \"infinity\""));
    assert_non_null(strstr(json, "\"note\": 1"));
    free(json);
    assert_ok(hrr_model_write(back, NULL, path, true, NULL));
    assert_int_equal(hrr_model_write(back, "{", in_dir(*state, "bad"), false, &err), HRR_EINVAL);
    assert_int_equal(count_entries(*state), 1);
    hrr_model_free(back);
    hrr_model_free(model);
    hrr_graph_free(graph);
}

/* A model of node rows needs no features, is for its graph alone, and a file remembers it. */
static void test_model__of_node_rows_is_for_its_graph(void **state)
{
    hrr_graph *graph = learnable(400, false, 0), *other = learnable(401, false, 0);
    hrr_train_options options = quick();
    hrr_train_summary summary;
    hrr_model *model, *back;
    hrr_dense a, b;
    hrr_error err = {0};
    options.node_rows = true;
    options.n_propagate = 2;
    options.scale = HRR_SCALE_BOUNDED; /* of features, which are not looked at */
    hrr_graph *bare;
    assert_ok(hrr_graph_copy(&bare, graph, HRR_COPY_ALL & ~(unsigned)HRR_COPY_FEATURES, NULL));
    assert_ok(train_on(&model, &summary, bare, &options, NULL, NULL));
    assert_true(summary.parts[HRR_TEST].accuracy > .7); /* classes are even: a guess has .25 */
    assert_int_equal(model->layers[0].n_in, 400);
    const char *path = in_dir(*state, "model");
    assert_ok(hrr_model_write(model, NULL, path, false, NULL));
    assert_ok(hrr_model_read(&back, path, NULL));
    assert_true(back->shape.node_rows);
    assert_ok(predict_on(&a, model, bare, NULL, true, NULL));
    assert_ok(predict_on(&b, back, graph, NULL, true, NULL));
    assert_memory_equal(a.data, b.data, a.rows * a.cols * sizeof(float));
    hrr_dense_clear(&a);
    hrr_dense_clear(&b);
    assert_int_equal(predict_on(&a, back, other, NULL, true, &err), HRR_EDATA);
    assert_says(err, "the model knows 400 nodes");
    hrr_model_free(back);
    hrr_model_free(model);
    hrr_graph_free(bare);
    hrr_graph_free(graph);
    hrr_graph_free(other);
}

static void test_model__of_another_shape_is_refused(void **state)
{
    hrr_graph *graph = small_graph(20, HRR_F32, 5, 1, 3, false, 4);
    hrr_graph *other = small_graph(20, HRR_F32, 6, 1, 3, false, 4);
    hrr_train_options options = quick();
    options.epochs = 1;
    hrr_model *model, *back;
    hrr_dense out;
    hrr_error err;
    assert_ok(train_on(&model, NULL, graph, &options, NULL, NULL));
    assert_int_equal(predict_on(&out, model, other, NULL, true, &err), HRR_EDATA);
    assert_says(err, "there are 6 features, but the model was trained on 5");
    const char *path = in_dir(*state, "model"), *json_path = in_dir(path, "model.json");
    assert_ok(hrr_model_write(model, NULL, path, false, NULL));
    const char *const edits[][3] = {
        {"\"hidden\": 16", "\"hidden\": 17", "to different models"},
        {"\"layers\": 2", "\"layers\": 3", "to different models"},
        {"\"layers\": 2", "\"layers\": 0", "the stated sizes are impossible"},
        {"\"features\": 5", "\"features\": -5", "features is missing, or is not a whole number"},
        {"\"propagate\": 0", "\"propagate\": 4294967295",
         "propagate is missing, or is not a whole number"},
        {"\"standardised\": false", "\"standardised\": true", "standards is missing"},
        {"\"arch\": \"gcn\"", "\"arch\": \"gat\"", "arch is missing"},
        {"\"format_version\": 1", "\"format_version\": 9", "format version 9"},
        {"{", "[", "is not JSON"},
    };
    char *json = read_file(json_path, NULL);
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        char text[4096];
        const char *at = strstr(json, edits[i][0]);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - json), json, edits[i][1],
                 at + strlen(edits[i][0]));
        write_text(in_dir(path, "model.json"), text);
        assert_int_equal(hrr_model_read(&back, path, &err), HRR_EDATA);
        assert_says(err, edits[i][2]);
        assert_null(back);
    }
    free(json);
    assert_int_equal(hrr_model_read(&back, in_dir(*state, "nothing"), &err), HRR_EIO);
    hrr_model_free(model);
    hrr_graph_free(graph);
    hrr_graph_free(other);
}

static void test_split__deals_out_what_was_asked_for(void **state)
{
    (void)state;
    uint8_t *a = hrr_split_new(1000, 0.5, 0.25, 1, NULL),
            *b = hrr_split_new(1000, 0.5, 0.25, 2, NULL);
    int count[3] = {0};
    for (int i = 0; i < 1000; i++)
        count[a[i]]++;
    assert_int_equal(count[HRR_TRAIN], 500);
    assert_int_equal(count[HRR_VALID], 250);
    assert_memory_not_equal(a, b, 1000);
    hrr_free(a);
    hrr_free(b);
    hrr_error err;
    assert_null(hrr_split_new(10, 0.8, 0.3, 1, &err));
    assert_int_equal(err.status, HRR_EINVAL);
    assert_null(hrr_split_new(10, 0, 0.3, 1, &err));
}

/* ---- out of memory ----------------------------------------------------------------------------
 */

static hrr_status train_once(void *user)
{
    hrr_train_options options = quick();
    options.epochs = 2;
    options.threads = 1;
    options.n_propagate = 1;
    options.scale = HRR_SCALE_STANDARD;
    options.label_eps = 1;
    options.label_steps = 1;
    hrr_model *model;
    hrr_dense out = {0};
    hrr_status status = train_on(&model, NULL, user, &options, NULL, NULL);
    if (!status) status = predict_on(&out, model, user, NULL, false, NULL);
    hrr_dense_clear(&out);
    hrr_model_free(model);
    return status;
}

static hrr_status train_node_rows(void *user)
{
    hrr_train_options options = quick();
    options.epochs = 2;
    options.threads = 1;
    options.n_propagate = 3;
    options.node_rows = true;
    hrr_model *model;
    hrr_status status = train_on(&model, NULL, user, &options, NULL, NULL);
    hrr_model_free(model);
    return status;
}

static void test_train__survives_running_out_of_memory(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(16, HRR_F32, 4, 1, 3, false, 2);
    assert_true(brutal(train_once, graph) > 30);
    assert_true(brutal(train_node_rows, graph) > 10);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_train__learns_with_and_without_edges),
        cmocka_unit_test(test_train__learns_several_labels),
        cmocka_unit_test(test_train__standardises_with_what_it_learnt),
        cmocka_unit_test(test_train__is_a_function_of_its_seed_for_any_threads),
        cmocka_unit_test(test_train__stops_when_patience_ends_and_keeps_the_best),
        cmocka_unit_test(test_train__drop_helps_where_labels_are_noise),
        cmocka_unit_test(test_drop__gradient_agrees_with_finite_differences),
        cmocka_unit_test(test_train__refuses_what_it_cannot_learn_from),
        cmocka_unit_test(test_train__says_what_it_could_not_use),
        cmocka_unit_test(test_train__stops_when_cancelled),
        WITH_SCRATCH(test_model__comes_back_as_it_was),
        WITH_SCRATCH(test_model__of_node_rows_is_for_its_graph),
        WITH_SCRATCH(test_model__of_another_shape_is_refused),
        cmocka_unit_test(test_split__deals_out_what_was_asked_for),
        cmocka_unit_test(test_train__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
