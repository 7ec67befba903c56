/* test_shards.c: a native directory whose edges, marks and features are cut into numbered files. */
#include "io/graphs.h"
#include "base/memory.h"

#include <inttypes.h>

enum { n_nodes = 10000, n_edges = 9000, n_features = 3 };

/* A path with marks, long enough for three shards of 4096. */
static hrr_graph *long_graph(void)
{
    static const char *const mark[] = {"private"};
    hrr_graph *graph;
    hrr_edge_list edges;
    hrr_dense features, masked;
    assert_ok(hrr_graph_new(&graph, "long", n_nodes, NULL));
    assert_ok(hrr_edge_list_init(&edges, n_edges, true, NULL));
    for (uint32_t e = 0; e < n_edges; e++) {
        edges.source[e] = e;
        edges.target[e] = e + 1 + e % 7;
        edges.marks[e] = e % 3 == 0;
    }
    assert_ok(hrr_graph_take_edges(graph, &edges, mark, 1, NULL, NULL));
    assert_ok(hrr_dense_init(&features, HRR_F32, n_nodes, n_features, NULL));
    assert_ok(hrr_dense_init(&masked, HRR_U8, n_nodes, n_features, NULL));
    for (uint32_t i = 0; i < n_nodes * n_features; i++) {
        ((float *)features.data)[i] = (float)i / 8;
        ((uint8_t *)masked.data)[i] = (uint8_t)(i % 251);
    }
    assert_ok(hrr_graph_take_features(graph, &features, NULL));
    assert_ok(hrr_graph_take_masked_features(graph, &masked, NULL));
    return graph;
}

static void write_cut(const hrr_graph *graph, const char *path)
{
    hrr_write_options options;
    hrr_write_options_init(&options);
    options.replace = true;
    options.shard_rows = 4000; /* rounded up to 4096 */
    options.shard_edges = 4096;
    assert_ok(hrr_graph_write(graph, path, &options, NULL, NULL));
}

static void assert_same_graph(const hrr_graph *before, const hrr_graph *after)
{
    assert_same_edges(before, after);
    assert_same_bytes(hrr_graph_is_private(before), hrr_graph_is_private(after), n_edges);
    assert_same_dense(hrr_graph_features(before), hrr_graph_features(after));
    assert_same_dense(hrr_graph_masked_features(before), hrr_graph_masked_features(after));
}

/* Whether the address belongs to a mapping of a file whose name ends so. */
static bool is_mapped_from(const void *address, const char *file)
{
    char line[4096];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (!found && fgets(line, sizeof line, maps)) {
        uintptr_t begin, end;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &begin, &end) != 2) continue;
        found = (uintptr_t)address >= begin && (uintptr_t)address < end && strstr(line, file);
    }
    fclose(maps);
    return found;
}

static void test_shards__what_is_cut_comes_back_whole(void **state)
{
    const char *path = in_dir(*state, "cut");
    hrr_graph *before = long_graph();
    write_cut(before, path);
    static const char *const there[] = {"edges-00002.npy", "private-00002.npy",
                                        "features-00002.npy", "masked_features-00002.npy"};
    for (int i = 0; i < 4; i++)
        assert_int_equal(access(in_dir(path, there[i]), R_OK), 0);
    assert_int_not_equal(access(in_dir(path, "edges.npy"), F_OK), 0);
    hrr_graph *after = read_graph(path, NULL);
    assert_same_graph(before, after);
    hrr_graph_free(before);
    hrr_graph_free(after);
}

static void test_shards__pages_are_mapped_and_not_copied(void **state)
{
    if (sysconf(_SC_PAGESIZE) > 4096) skip(); /* then shards do not lie on pages */
    const char *path = in_dir(*state, "cut");
    hrr_graph *before = long_graph();
    write_cut(before, path);
    hrr_graph *graph = read_graph(path, NULL);
    const float *features = hrr_graph_features(graph)->data;
    assert_true(is_mapped_from(features, "features-00000.npy"));
    assert_true(is_mapped_from(features + n_features * 4096, "features-00001.npy"));
    assert_true(is_mapped_from(hrr_graph_sources(graph) + 4096, "edges-00001.npy"));
    assert_true(is_mapped_from(hrr_graph_targets(graph) + 4096, "edges-00001.npy"));
    hrr_graph_free(before);
    hrr_graph_free(graph);
}

/* As numpy.save writes them: 128 bytes of header, any length, any integers. */
static const char *put_others(void **state)
{
    const char *path = fresh_dir(state, "others");
    static const int64_t first[] = {0, 0, 1, 2}, second[] = {1, 2, 2, 3};
    static const uint8_t marks[] = {1, 0};
    static const double rows[] = {1, 2, 3, 4};
    write_text(in_dir(path, "graph.json"), "{\"n_nodes\": 4, \"n_edges\": 4, \"n_features\": 1}");
    put_i64(in_dir(path, "edges-00000.npy"), first, 2, 2);
    put_i64(in_dir(path, "edges-00001.npy"), second, 2, 2);
    put_u8(in_dir(path, "private-00000.npy"), marks, 2, 0);
    put_u8(in_dir(path, "private-00001.npy"), marks, 2, 0);
    put_f64(in_dir(path, "features-00000.npy"), rows, 3, 1);
    put_f64(in_dir(path, "features-00001.npy"), rows + 3, 1, 1);
    return path;
}

static void test_shards__those_of_other_programs_are_read(void **state)
{
    hrr_graph *graph = read_graph(put_others(state), NULL);
    assert_string_equal(edges_text(graph), "0-1* 0-2 1-2* 2-3 ");
    assert_int_equal(hrr_graph_n_private_edges(graph), 2);
    assert_int_equal(hrr_dense_get(hrr_graph_features(graph), 3, 0), 4);
    hrr_graph_free(graph);
}

static void test_shards__nothing_is_lost_when_memory_is_let_go(void **state)
{
    hrr_graph *graph = read_graph(put_others(state), NULL);
    const hrr_dense *features = hrr_graph_features(graph);
    hrr_region_let_go(&features->storage);
    for (int i = 0; i < 4; i++)
        assert_int_equal(hrr_dense_get(features, (uint64_t)i, 0), i + 1);
    hrr_graph_free(graph);
}

static void test_shards__missing_and_repeated_ones_are_refused(void **state)
{
    const char *path = put_others(state);
    static const int64_t more[] = {2, 3, 3, 3};
    put_i64(in_dir(path, "edges-00003.npy"), more, 2, 2);
    assert_refused(path, NULL, HRR_EDATA, "edges-00002.npy is missing", "edges-00003.npy is there");
    unlink(in_dir(path, "edges-00003.npy"));

    put_i64(in_dir(path, "edges-1.npy"), more, 2, 2);
    assert_refused(path, NULL, HRR_EDATA, "edges-1.npy", "five digits");
    unlink(in_dir(path, "edges-1.npy"));

    put_i64(in_dir(path, "edges.npy"), more, 2, 2);
    assert_refused(path, NULL, HRR_EDATA, "edges.npy", "as one file and as shards");
    unlink(in_dir(path, "edges.npy"));

    unlink(in_dir(path, "private-00001.npy"));
    assert_refused(path, NULL, HRR_EDATA, "2 shards of edges and 1 of private marks",
                   "needs its private-N.npy");
    put_others(state);

    unlink(in_dir(path, "edges-00001.npy"));
    unlink(in_dir(path, "private-00001.npy"));
    assert_refused(path, NULL, HRR_EDATA, "edges-*.npy hold 2 edges", "states n_edges = 4");
    put_others(state);

    unlink(in_dir(path, "features-00001.npy"));
    assert_refused(path, NULL, HRR_EDATA, "features-*.npy", "3 rows");
    put_others(state);

    unlink(in_dir(path, "edges-00000.npy"));
    assert_refused(path, NULL, HRR_EDATA, "edges-00000.npy is missing", "write the graph again");
    put_others(state);

    write_text(in_dir(path, "graph.json"), "{\"n_nodes\": 4}");
    assert_refused(path, NULL, HRR_EDATA, "graph.json", "does not state n_edges");
}

static void test_shards__other_lengths_types_and_orders_are_refused(void **state)
{
    const char *path = put_others(state);
    static const int32_t narrow[] = {1, 2, 2, 3};
    static const int64_t longer[] = {1, 2, 2, 2, 3, 3}, earlier[] = {0, 1, 2, 3};
    static const int64_t again[] = {0, 2, 2, 3};
    static const uint8_t marks[] = {1};
    static const double rows[] = {1, 2, 3, 4};
    put_i32(in_dir(path, "edges-00001.npy"), narrow, 2, 2);
    assert_refused(path, NULL, HRR_EDATA, "edges-00001.npy", "all shards of a part have one type");
    put_i64(in_dir(path, "edges-00001.npy"), longer, 2, 3);
    assert_refused(path, NULL, HRR_EDATA, "edges-00001.npy", "holds 3 edges where");
    put_i64(in_dir(path, "edges-00001.npy"), longer, 3, 2);
    assert_refused(path, NULL, HRR_EDATA, "edges-00001.npy", "transpose it");
    put_i64(in_dir(path, "edges-00001.npy"), earlier, 2, 2);
    assert_refused(path, NULL, HRR_EDATA, "edges-00001.npy", "does not begin behind the last edge");
    put_i64(in_dir(path, "edges-00001.npy"), again, 2, 2);
    assert_refused(path, NULL, HRR_EDATA, "edges-00001.npy", "does not begin behind the last edge");
    put_others(state);

    put_u8(in_dir(path, "private-00001.npy"), marks, 1, 0);
    assert_refused(path, NULL, HRR_EDATA, "private-00001.npy", "a mark for each edge");
    put_others(state);

    put_f64(in_dir(path, "features-00001.npy"), rows, 1, 2);
    assert_refused(path, NULL, HRR_EDATA, "features-00001.npy", "rows have another length");
    put_f64(in_dir(path, "features-00001.npy"), rows, 4, 1);
    assert_refused(path, NULL, HRR_EDATA, "features-00001.npy", "holds 4 rows where");
    write_text(in_dir(path, "features-00001.npy"), "nothing");
    assert_refused(path, NULL, HRR_EDATA, "features-00001.npy", "npy");
}

/* A graph without edges may have a shard without edges, but no second one. */
static void test_shards__several_empty_ones_are_refused(void **state)
{
    const char *path = fresh_dir(state, "empty");
    static int32_t nothing;
    const hrr_array none = {
        .type = HRR_ARRAY_I32, .item_size = 4, .n_dims = 2, .shape = {2, 0}, .data = &nothing};
    write_text(in_dir(path, "graph.json"), "{\"n_nodes\": 4, \"n_edges\": 0}");
    assert_ok(hrr_array_write(&none, in_dir(path, "edges-00000.npy"), NULL));
    hrr_graph *graph = read_graph(path, NULL);
    assert_int_equal(hrr_graph_n_edges(graph), 0);
    hrr_graph_free(graph);
    assert_ok(hrr_array_write(&none, in_dir(path, "edges-00001.npy"), NULL));
    assert_refused(path, NULL, HRR_EDATA, "edges-00000.npy", "only if it is the only one");
}

static void test_shards__only_directories_are_cut(void **state)
{
    hrr_graph *graph = long_graph();
    hrr_write_options options;
    hrr_error err = {0};
    hrr_write_options_init(&options);
    options.shard_edges = 1;
    assert_int_equal(hrr_graph_write(graph, in_dir(*state, "edges.csv"), &options, NULL, &err),
                     HRR_EINVAL);
    assert_says(err, "only a graph directory is cut into shards");
    hrr_graph_free(graph);
}

static void test_shards__reading_survives_running_out_of_memory_anywhere(void **state)
{
    assert_survives_no_memory(put_others(state), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_shards__what_is_cut_comes_back_whole),
        WITH_SCRATCH(test_shards__pages_are_mapped_and_not_copied),
        WITH_SCRATCH(test_shards__those_of_other_programs_are_read),
        WITH_SCRATCH(test_shards__nothing_is_lost_when_memory_is_let_go),
        WITH_SCRATCH(test_shards__missing_and_repeated_ones_are_refused),
        WITH_SCRATCH(test_shards__other_lengths_types_and_orders_are_refused),
        WITH_SCRATCH(test_shards__several_empty_ones_are_refused),
        WITH_SCRATCH(test_shards__only_directories_are_cut),
        WITH_SCRATCH(test_shards__reading_survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
