/* The published data sets, counted. The numbers were computed apart from this library with numpy:
 * pairs brought to (min, max), self-loops dropped, numpy.unique of min * n + max; features as
 * sizes of Python sets; marks united by numpy.maximum.at. */
#include "io/graphs.h"

static uint64_t count_ones(const hrr_dense *features)
{
    uint64_t ones = 0;
    assert_int_equal(features->dtype, HRR_U8);
    for (uint64_t i = 0; i < features->rows * features->cols; i++)
        ones += ((const uint8_t *)features->data)[i];
    return ones;
}

static uint64_t count_class(const hrr_graph *graph, int32_t label)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < hrr_graph_n_nodes(graph); i++)
        count += hrr_graph_classes(graph)[i] == label;
    return count;
}

static void assert_counts(const hrr_graph *graph, uint64_t nodes, uint64_t edges,
                          uint64_t self_loops, uint64_t duplicates)
{
    assert_int_equal(hrr_graph_n_nodes(graph), nodes);
    assert_int_equal(hrr_graph_n_edges(graph), edges);
    assert_removed(graph, self_loops, duplicates);
}

static void test_real__cora_and_citeseer(void **state)
{
    (void)state;
    hrr_graph *graph = read_graph(real_data("planetoid/cora.npz"), NULL);
    assert_counts(graph, 2708, 5278, 0, 151);
    assert_int_equal(hrr_graph_features(graph)->cols, 1433);
    assert_int_equal(count_ones(hrr_graph_features(graph)), 49216);
    assert_int_equal(hrr_graph_n_classes(graph), 7);
    assert_int_equal(hrr_graph_classes(graph)[0], 5);
    assert_string_equal(hrr_graph_class_name(graph, 0), "Case_Based");
    assert_string_equal(hrr_graph_node_ids(graph)->text, "1000012");
    assert_string_equal(hrr_graph_name(graph), "cora");
    assert_string_equal(hrr_graph_provenance(graph), "npz: cora.npz");
    hrr_graph_free(graph);

    graph = read_graph(real_data("planetoid/citeseer.npz"), NULL);
    assert_counts(graph, 3312, 4536, 124, 55);
    assert_int_equal(hrr_graph_features(graph)->cols, 3703);
    assert_int_equal(count_ones(hrr_graph_features(graph)), 105165);
    assert_int_equal(hrr_graph_n_classes(graph), 6);
    hrr_graph_free(graph);
}

static void test_real__twitch(void **state)
{
    static const struct {
        const char *prefix;
        uint64_t nodes, edges, ones, mature;
    } countries[] = {{"twitch/ES", 4648, 59382, 89798, 1360},
                     {"twitch/RU", 4385, 37304, 90285, 1075},
                     {"twitch/DE", 9498, 153138, 193132, 5742},
                     {"twitch/FR", 6549, 112666, 128983, 2414}, /* two target rows are repeated */
                     {"twitch/ENGB", 7126, 35324, 147683, 3888}};
    (void)state;
    for (size_t i = 0; i < sizeof countries / sizeof *countries; i++) {
        char path[4096], file[64];
        snprintf(file, sizeof file, "%s_edges.csv", countries[i].prefix);
        snprintf(path, sizeof path, "%s", real_data(file));
        path[strlen(path) - strlen("_edges.csv")] = '\0';
        hrr_graph *graph = read_graph(path, NULL);
        assert_counts(graph, countries[i].nodes, countries[i].edges, 0, 0);
        assert_int_equal(hrr_graph_features(graph)->cols, 3170);
        assert_int_equal(count_ones(hrr_graph_features(graph)), countries[i].ones);
        assert_int_equal(hrr_graph_n_classes(graph), 2);
        assert_int_equal(count_class(graph, 1), countries[i].mature);
        hrr_graph_free(graph);
    }
}

static void test_real__facebook(void **state)
{
    (void)state;
    real_data("facebook/edges.csv");
    hrr_graph *graph = read_graph(real_data("facebook"), NULL);
    assert_counts(graph, 22470, 170823, 179, 0);
    assert_int_equal(hrr_graph_features(graph)->cols, 4714);
    assert_int_equal(count_ones(hrr_graph_features(graph)), 314583);
    assert_int_equal(hrr_graph_n_classes(graph), 4);
    assert_string_equal(hrr_graph_class_name(graph, 0), "company");
    assert_string_equal(hrr_graph_class_name(graph, 3), "tvshow");
    assert_int_equal(count_class(graph, 0), 6495);
    assert_int_equal(count_class(graph, 3), 3327);
    hrr_graph_free(graph);
}

static void test_real__ppi(void **state)
{
    (void)state;
    real_data("ppi/train_00.csv");
    hrr_graph *graph = read_graph(real_data("ppi"), NULL);
    assert_string_equal(hrr_graph_provenance(graph), "ppi-csv: ppi");
    assert_counts(graph, 56944, 793632, 56944, 0);
    assert_int_equal(hrr_graph_n_graphs(graph), 24);
    assert_int_equal(hrr_graph_n_marks(graph), 3);
    assert_int_equal(hrr_graph_mark_edges_count(graph, 0), 39567);
    assert_int_equal(hrr_graph_mark_edges_count(graph, 1), 79530);
    assert_int_equal(hrr_graph_mark_edges_count(graph, 2), 158634);
    assert_int_equal(hrr_graph_n_private_edges(graph), 250732);
    assert_null(hrr_graph_features(graph)); /* only one of the three splits has them */
    uint64_t in_split[3] = {0};
    for (uint64_t i = 0; i < 56944; i++)
        in_split[hrr_graph_split(graph)[i]]++;
    assert_int_equal(in_split[HRR_TRAIN], 44906);
    assert_int_equal(in_split[HRR_VALID], 6514);
    assert_int_equal(in_split[HRR_TEST], 5524);
    hrr_graph_free(graph);

    hrr_read_options options;
    hrr_read_options_init(&options);
    options.private_column = "private_01";
    assert_ok(hrr_graph_read(&graph, real_data("ppi"), &options, NULL, NULL));
    assert_int_equal(hrr_graph_n_private_edges(graph), 79530);
    hrr_graph_free(graph);
}

static void test_real__the_valid_split_of_ppi_has_features(void **state)
{
    static const char *const names[] = {"valid_0.csv", "valid_1.csv", "valid_feats.npy",
                                        "valid_graph_id.npy"};
    for (size_t i = 0; i < 4; i++) {
        char file[64];
        snprintf(file, sizeof file, "ppi/%s", names[i]);
        char *target = realpath(real_data(file), NULL);
        assert_int_equal(symlink(target, in_dir(*state, names[i])), 0);
        free(target);
    }
    hrr_graph *graph = read_graph(*state, NULL);
    assert_int_equal(hrr_graph_n_nodes(graph), 6514);
    assert_int_equal(hrr_graph_n_graphs(graph), 2);
    assert_int_equal(hrr_graph_features(graph)->cols, 50);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_real__cora_and_citeseer),
        cmocka_unit_test(test_real__twitch),
        cmocka_unit_test(test_real__facebook),
        cmocka_unit_test(test_real__ppi),
        WITH_SCRATCH(test_real__the_valid_split_of_ppi_has_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
