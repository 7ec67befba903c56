/* What training and prediction take from a release, and what a model says about it for ever. */
#include "release/releases.h"
#include "support/brutal.h"
#include "support/references.h"

#include "learn/model.h"

#include <heterorr/generate.h>

#include <math.h>

enum { n_nodes = 120 };

static hrr_graph *private_graph(double private_fraction)
{
    hrr_generate_options options;
    hrr_graph *graph;
    hrr_generate_options_init(&options);
    options.n_nodes = n_nodes;
    options.n_features = 4;
    options.n_classes = 3;
    options.private_fraction = private_fraction;
    options.threads = 1;
    assert_ok(hrr_generate(&graph, NULL, &options, NULL, NULL));
    return graph;
}

static hrr_release *open_bundle(const char *bundle, const hrr_read_options *read)
{
    hrr_release *release;
    assert_ok(hrr_release_open(&release, bundle, read, NULL, NULL));
    return release;
}

static hrr_train_options quick(void)
{
    return short_training(4, 4, 1);
}

static hrr_model *learn(hrr_train_summary *summary, const hrr_release *release,
                        const hrr_train_options *options)
{
    hrr_model *model;
    assert_ok(hrr_model_train(&model, summary, release, options, NULL, NULL));
    return model;
}

/* ---- what it takes --------------------------------------------------------------------------- */

static void test_train__corrects_and_scales_as_the_release_says(void **state)
{
    hrr_graph *graph = private_graph(.3);
    hrr_protect_options options = usual_options();
    options.eps_labels_nano = 2 * HRR_EPS_UNIT;
    protect(in_dir(*state, "bundle"), graph, &options);
    hrr_release *release = open_bundle(in_dir(*state, "bundle"), NULL);
    hrr_release *plain = reference_of(graph);
    hrr_train_options how = quick();
    hrr_train_summary s;
    hrr_model_free(learn(&s, release, &how));
    assert_true(s.label_eps == 2 && s.scale == HRR_SCALE_BOUNDED);
    hrr_model_free(learn(&s, plain, &how));
    assert_true(s.label_eps == 0 && s.scale == HRR_SCALE_NONE);

    how.label_eps = 0;
    how.scale = HRR_SCALE_NONE;
    hrr_model *model = learn(&s, release, &how);
    assert_true(s.label_eps == 0 && s.scale == HRR_SCALE_NONE && !model->standards);
    hrr_model_free(model);
    how.label_eps = 1;
    how.scale = HRR_SCALE_STANDARD;
    model = learn(&s, plain, &how);
    assert_true(s.label_eps == 1 && s.scale == HRR_SCALE_STANDARD && model->standards);
    hrr_model_free(model);
    hrr_release_free(plain);
    hrr_release_free(release);
    hrr_graph_free(graph);
}

/* edgerr-node with true classes as blocks, as if they were public. */
static void count_neighbours(const char *bundle, const hrr_graph *graph, uint64_t eps_labels_nano)
{
    uint32_t blocks[n_nodes];
    hrr_protect_options options = usual_options();
    for (int i = 0; i < n_nodes; i++)
        blocks[i] = (uint32_t)hrr_graph_classes(graph)[i];
    options.edges.mechanism = "edgerr-node";
    options.edges.eps_nano = 4 * HRR_EPS_UNIT;
    options.edges.blocks = blocks;
    options.edges.n_blocks = 3;
    options.blocks_from = HRR_BLOCKS_GIVEN;
    options.declared_public = HRR_PUBLIC_BLOCKS;
    options.eps_labels_nano = eps_labels_nano;
    protect(bundle, graph, &options);
}

static void test_train__learns_from_counts_and_predicts_with_them(void **state)
{
    hrr_graph *graph = private_graph(.7);
    count_neighbours(in_dir(*state, "bundle"), graph, 0);
    hrr_release *release = open_bundle(in_dir(*state, "bundle"), NULL);
    hrr_release *plain = reference_of(graph);
    const hrr_graph *released = hrr_release_graph(release);
    hrr_train_options how = quick();
    hrr_predict_options answer = {
        .size = sizeof(hrr_predict_options), .logits = true, .threads = 1};
    hrr_train_summary both, alone;
    hrr_metrics again;
    hrr_dense with, without, elsewhere, network;
    hrr_model *model = learn(&both, release, &how);
    assert_non_null(hrr_model_counts(model));
    assert_ok(hrr_model_predict(&with, model, release, &answer, NULL, NULL));
    assert_ok(hrr_measure(&again, &with, hrr_graph_classes(released), NULL, 0,
                          hrr_graph_split(released), HRR_TEST, NULL));
    assert_true(again.accuracy == both.parts[HRR_TEST].accuracy);
    assert_ok(hrr_model_predict(&elsewhere, model, plain, &answer, NULL, NULL)); /* has none */
    answer.ignore_counts = true;
    assert_ok(hrr_model_predict(&without, model, release, &answer, NULL, NULL));
    assert_memory_not_equal(with.data, without.data, sizeof(float) * n_nodes * 3);

    how.ignore_counts = true;
    hrr_model *second = learn(&alone, release, &how);
    assert_null(hrr_model_counts(second));
    assert_true(both.parts[HRR_TEST].accuracy > alone.parts[HRR_TEST].accuracy);
    answer.ignore_counts = false;
    assert_ok(hrr_model_predict(&network, second, release, &answer, NULL, NULL));
    assert_memory_equal(network.data, without.data, sizeof(float) * n_nodes * 3);
    hrr_dense_clear(&with);
    hrr_dense_clear(&without);
    hrr_dense_clear(&elsewhere);
    hrr_dense_clear(&network);
    hrr_model_free(model);
    hrr_model_free(second);
    hrr_release_free(release);
    hrr_release_free(plain);
    hrr_graph_free(graph);
}

/* Counts into communities of the public edges; the model is written, read and answers the same. */
static void test_train__learns_from_counts_where_nodes_have_several_labels(void **state)
{
    hrr_generate_options make;
    hrr_generate_options_init(&make);
    make.n_nodes = n_nodes;
    make.n_features = 4;
    make.n_classes = 3;
    make.multilabel = true;
    make.private_fraction = .5;
    make.threads = 1;
    hrr_graph *graph;
    assert_ok(hrr_generate(&graph, NULL, &make, NULL, NULL));
    hrr_protect_options options = usual_options();
    options.edges.mechanism = "edgerr-node";
    options.edges.eps_nano = 4 * HRR_EPS_UNIT;
    options.blocks_from = HRR_BLOCKS_COMMUNITIES;
    protect(in_dir(*state, "bundle"), graph, &options);
    hrr_release *release = open_bundle(in_dir(*state, "bundle"), NULL);
    hrr_train_options how = quick();
    hrr_predict_options answer;
    hrr_predict_options_init(&answer);
    hrr_train_summary s;
    hrr_metrics again;
    hrr_dense first, second;
    hrr_model *read, *model = learn(&s, release, &how);
    const hrr_count_model *counts = hrr_model_counts(model);
    assert_non_null(counts);
    assert_true(counts->output == HRR_OUTPUT_SIGMOID && counts->rate.rows == 6);
    assert_ok(hrr_model_write(model, NULL, in_dir(*state, "model"), false, NULL));
    assert_ok(hrr_model_read(&read, in_dir(*state, "model"), NULL));
    answer.logits = true;
    assert_ok(hrr_model_predict(&first, model, release, &answer, NULL, NULL));
    assert_ok(hrr_model_predict(&second, read, release, &answer, NULL, NULL));
    assert_memory_equal(first.data, second.data, sizeof(float) * n_nodes * 3);
    const hrr_graph *released = hrr_release_graph(release);
    assert_ok(hrr_measure(&again, &first, NULL, hrr_graph_label_matrix(released), 0,
                          hrr_graph_split(released), HRR_TEST, NULL));
    assert_true(again.f1_micro == s.parts[HRR_TEST].f1_micro);
    hrr_dense_clear(&first);
    hrr_dense_clear(&second);
    hrr_model_free(model);
    hrr_model_free(read);
    hrr_release_free(release);
    hrr_graph_free(graph);
}

/* Labels with eps 4 stay in 96 of 100 cases; then counts help as before. */
static void test_train__learns_from_counts_where_labels_are_protected(void **state)
{
    hrr_graph *graph = private_graph(.7);
    count_neighbours(in_dir(*state, "bundle"), graph, 4 * HRR_EPS_UNIT);
    hrr_release *release = open_bundle(in_dir(*state, "bundle"), NULL);
    hrr_train_options how = quick();
    hrr_train_summary with, without;
    hrr_model *model = learn(&with, release, &how);
    assert_non_null(hrr_model_counts(model));
    assert_true(hrr_model_counts(model)->weight_counts > 0);
    hrr_model_free(model);
    how.ignore_counts = true;
    model = learn(&without, release, &how);
    assert_true(with.parts[HRR_TEST].accuracy > without.parts[HRR_TEST].accuracy);
    hrr_model_free(model);
    hrr_release_free(release);
    hrr_graph_free(graph);
}

/* ---- what it says ---------------------------------------------------------------------------- */

/* Of a model that was trained on the release, and of the same model read back. */
static void assert_provenance(const char *directory, const hrr_release *release, bool released,
                              bool is_private, const char *says)
{
    const hrr_train_options how = quick();
    hrr_model *model = learn(NULL, release, &how), *back;
    assert_ok(hrr_model_write(model, "{\"note\": 1}", directory, true, NULL));
    assert_ok(hrr_model_read(&back, directory, NULL));
    for (int i = 0; i < 2; i++) {
        const hrr_provenance p = hrr_model_provenance(i ? back : model);
        assert_int_equal(p.released, released);
        assert_int_equal(p.is_private, is_private);
        assert_string_equal(p.statement, hrr_release_statement(release));
        assert_non_null(strstr(p.statement, says));
    }
    hrr_model_free(model);
    hrr_model_free(back);
}

static void test_model__says_what_it_was_trained_on(void **state)
{
    const char *bundle = in_dir(*state, "bundle"), *seeded = in_dir(*state, "seeded");
    const char *as_it_is = in_dir(*state, "as_it_is"), *labels = in_dir(*state, "labels.npy");
    const char *model = in_dir(*state, "model");
    hrr_graph *graph = private_graph(.3), *open_graph = private_graph(0);
    hrr_protect_options options = usual_options();
    protect_privately(bundle, graph, &options);
    protect(seeded, graph, &options);
    options.edges.mechanism = "none";
    options.paper_mode = true;
    protect_privately(as_it_is, graph, &options);
    const hrr_array truth = {.type = HRR_ARRAY_I32,
                             .item_size = sizeof(int32_t),
                             .n_dims = 1,
                             .shape = {n_nodes},
                             .n_items = n_nodes,
                             .data = (void *)(uintptr_t)hrr_graph_classes(graph)};
    assert_ok(hrr_array_write(&truth, labels, NULL));
    hrr_read_options beside;
    hrr_read_options_init(&beside);
    beside.labels = labels;

    hrr_release *const releases[] = {open_bundle(bundle, NULL),   open_bundle(seeded, NULL),
                                     open_bundle(as_it_is, NULL), open_bundle(bundle, &beside),
                                     reference_of(graph),         reference_of(open_graph)};
    assert_provenance(model, releases[0], true, true, "eps");
    assert_provenance(model, releases[1], true, false, "NOT PRIVATE");
    assert_provenance(model, releases[2], true, false, "NOT PRIVATE");
    assert_provenance(model, releases[3], false, false, "Nothing is promised");
    assert_provenance(model, releases[4], false, false, "NOT PRIVATE");
    assert_provenance(model, releases[5], false, false, "nothing is promised");
    for (size_t i = 0; i < sizeof releases / sizeof *releases; i++)
        hrr_release_free(releases[i]);
    hrr_graph_free(open_graph);
    hrr_graph_free(graph);
}

static void test_model__that_says_two_things_is_not_private(void **state)
{
    static const char *const lies[][2] = {{"\"non_private\": false", "\"non_private\": true "},
                                          {"\"private\": true", "\"private\": null"},
                                          {"\"non_private\"", "\"non_publick\""},
                                          {"\"provenance\"", "\"provenence\""}};
    const char *path = in_dir(*state, "model"), *json_path = in_dir(path, "model.json");
    hrr_graph *graph = private_graph(.3);
    hrr_protect_options options = usual_options();
    const hrr_train_options how = quick();
    protect_privately(in_dir(*state, "bundle"), graph, &options);
    hrr_release *release = open_bundle(in_dir(*state, "bundle"), NULL);
    hrr_model *model = learn(NULL, release, &how), *back;
    assert_ok(hrr_model_write(model, NULL, path, false, NULL));
    char *json = read_file(json_path, NULL);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        char *edited = strdup(json), *at = strstr(edited, lies[i][0]);
        assert_non_null(at);
        memcpy(at, lies[i][1], strlen(lies[i][1]));
        write_text(json_path, edited);
        free(edited);
        assert_ok(hrr_model_read(&back, path, NULL));
        assert_false(hrr_model_provenance(back).is_private);
        hrr_model_free(back);
    }
    free(json);
    hrr_model_free(model);
    hrr_release_free(release);
    hrr_graph_free(graph);
}

/* ---- what counts join, on disk --------------------------------------------------------------- */

static hrr_model *with_base(const hrr_release *release)
{
    const hrr_train_options how = quick();
    hrr_model *model = learn(NULL, release, &how);
    hrr_model *no_edges;
    hrr_train_options mlp = how;
    mlp.arch = HRR_ARCH_MLP;
    mlp.ignore_counts = true;
    mlp.scale = model->standards ? HRR_SCALE_BOUNDED : HRR_SCALE_NONE;
    no_edges = learn(NULL, release, &mlp);
    hrr_public_base_clear(&model->base);
    model->base = (hrr_public_base){.output = HRR_OUTPUT_SOFTMAX,
                                    .best = HRR_BASE_FREE,
                                    .weight = {.5, .75, 0},
                                    .no_edges = no_edges};
    assert_ok(hrr_dense_init(&model->base.free, HRR_F32, n_nodes, 3, NULL));
    for (int i = 0; i < n_nodes * 3; i++)
        ((float *)model->base.free.data)[i] = (float)(i % 5) / 3;
    return model;
}

static hrr_dense says(const hrr_model *model, const hrr_release *release)
{
    hrr_dense said;
    assert_ok(hrr_model_predict(
        &said, model, release,
        &(hrr_predict_options){.size = sizeof(hrr_predict_options), .threads = 1}, NULL, NULL));
    return said;
}

static void test_model__keeps_what_counts_join(void **state)
{
    hrr_graph *graph = private_graph(.7);
    count_neighbours(in_dir(*state, "bundle"), graph, 0);
    hrr_release *release = open_bundle(in_dir(*state, "bundle"), NULL);
    hrr_model *model = with_base(release), *back;
    const char *path = in_dir(*state, "model");
    assert_ok(hrr_model_write(model, NULL, path, false, NULL));
    assert_ok(hrr_model_read(&back, path, NULL));
    hrr_dense before = says(model, release), after = says(back, release);
    assert_memory_equal(before.data, after.data, sizeof(float) * n_nodes * 3);
    assert_int_equal(back->base.best, HRR_BASE_FREE);
    char *json = read_file(in_dir(*state, "model/model.json"), NULL);
    assert_non_null(strstr(json, "\"format_version\": 2"));
    free(json);
    hrr_model_free(back);
    hrr_dense_clear(&after);

    /* Without a base it is a model of version 1, as ever. */
    hrr_public_base_clear(&model->base);
    assert_ok(hrr_model_write(model, NULL, in_dir(*state, "plain"), false, NULL));
    json = read_file(in_dir(*state, "plain/model.json"), NULL);
    assert_non_null(strstr(json, "\"format_version\": 1"));
    free(json);
    assert_ok(hrr_model_read(&back, in_dir(*state, "plain"), NULL));
    assert_false(hrr_public_base_is_more(&back->base));
    after = says(back, release);
    assert_memory_not_equal(before.data, after.data, sizeof(float) * n_nodes * 3);
    hrr_dense_clear(&before);
    hrr_dense_clear(&after);
    hrr_model_free(back);
    hrr_model_free(model);
    hrr_release_free(release);
    hrr_graph_free(graph);
}

/* Whatever of it is missing or cannot be is named. */
static void test_model__that_lacks_what_counts_join_is_refused(void **state)
{
    static const struct {
        double weight[3];
        hrr_base_part best;
        uint64_t n_cols;
        const char *says;
    } bad[] = {
        {{1, -1, 1}, 0, 3, "part_weights"},
        {{1, NAN, 1}, 0, 3, "part_weights"},
        {{1, 0, 1}, 3, 3, "best"},
        {{1, 0, 1}, 0, 4, "free"},
        {{1, 0, 1}, 0, 0, "free_scores is missing"},
    };
    hrr_graph *graph = private_graph(.7);
    count_neighbours(in_dir(*state, "bundle"), graph, 0);
    hrr_release *release = open_bundle(in_dir(*state, "bundle"), NULL);
    const char *path = in_dir(*state, "model");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hrr_model *model = with_base(release), *back;
        hrr_error err = {0};
        hrr_dense_clear(&model->base.free);
        memcpy(model->base.weight, bad[i].weight, sizeof model->base.weight);
        model->base.best = bad[i].best;
        if (bad[i].n_cols)
            assert_ok(hrr_dense_init(&model->base.free, HRR_F32, n_nodes, bad[i].n_cols, NULL));
        assert_ok(hrr_model_write(model, NULL, path, true, NULL));
        assert_int_equal(hrr_model_read(&back, path, &err), HRR_EDATA);
        assert_says(err, bad[i].says);
        hrr_model_free(model);
    }
    static const char *const files[] = {"model/base.npz", "model/no_edges.npz"};
    for (int i = 0; i < 2; i++) {
        hrr_model *model = with_base(release), *back;
        assert_ok(hrr_model_write(model, NULL, path, true, NULL));
        assert_int_equal(remove(in_dir(*state, files[i])), 0);
        assert_int_equal(hrr_model_read(&back, path, NULL), HRR_EIO);
        hrr_model_free(model);
    }
    hrr_release_free(release);
    hrr_graph_free(graph);
}

static hrr_status learn_and_predict(void *user)
{
    const hrr_train_options how = quick();
    hrr_model *model;
    hrr_dense out = {0};
    hrr_status status = hrr_model_train(&model, NULL, user, &how, NULL, NULL);
    if (!status)
        status = hrr_model_predict(
            &out, model, user,
            &(hrr_predict_options){.size = sizeof(hrr_predict_options), .threads = 1}, NULL, NULL);
    hrr_dense_clear(&out);
    hrr_model_free(model);
    return status;
}

static void test_train__on_counts_survives_every_failed_allocation(void **state)
{
    hrr_graph *graph = private_graph(.7);
    count_neighbours(in_dir(*state, "bundle"), graph, 0);
    hrr_release *release = open_bundle(in_dir(*state, "bundle"), NULL);
    assert_true(brutal(learn_and_predict, release) > 20);
    hrr_release_free(release);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_train__corrects_and_scales_as_the_release_says),
        WITH_SCRATCH(test_train__learns_from_counts_and_predicts_with_them),
        WITH_SCRATCH(test_train__learns_from_counts_where_labels_are_protected),
        WITH_SCRATCH(test_train__learns_from_counts_where_nodes_have_several_labels),
        WITH_SCRATCH(test_model__says_what_it_was_trained_on),
        WITH_SCRATCH(test_model__that_says_two_things_is_not_private),
        WITH_SCRATCH(test_model__keeps_what_counts_join),
        WITH_SCRATCH(test_model__that_lacks_what_counts_join_is_refused),
        WITH_SCRATCH(test_train__on_counts_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
