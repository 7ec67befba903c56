/* The comparison behind `convert`: a true copy passes, a lacking one is described, and every kind
 * of wrong copy is caught. No command line can make a writer lie, so this asks the code itself. */
#include "support/check.h"
#include "base/memory.h"
#include "cli/graph_copy.h"

#include <heterorr/graph.h>

/* Which fault the copy is made with. */
typedef enum fault {
    NO_FAULT,
    OTHER_EDGE,
    MISSING_EDGE,
    OTHER_MARK,
    NO_MARKS,
    OTHER_FEATURE,
    NO_FEATURES,
    OTHER_LABEL,
    OTHER_SPLIT,
    UNKNOWN_NODE,
    RENUMBERED
} fault;

enum { n_nodes = 4 };

static void *bytes_of(const void *source, size_t size)
{
    void *bytes = hrr_alloc(size, 1);
    assert_non_null(bytes);
    return memcpy(bytes, source, size);
}

/* A path 10-20-30-40 whose first edge is private. RENUMBERED: the nodes come in reverse. */
static hrr_graph *make(fault f)
{
    bool reverse = f == RENUMBERED;
    hrr_graph *graph;
    assert_ok(hrr_graph_new(&graph, "path", n_nodes, NULL));
    hrr_edge_list edges;
    assert_ok(hrr_edge_list_init(&edges, f == MISSING_EDGE ? 2 : 3, true, NULL));
    for (uint32_t e = 0; e < edges.n_edges; e++) {
        edges.source[e] = reverse ? 3 - e : e;
        edges.target[e] = reverse ? 2 - e : e + 1;
        edges.marks[e] = f != NO_MARKS && e == (f == OTHER_MARK ? 1 : 0);
    }
    if (f == OTHER_EDGE) edges.target[0] = 3;
    const char *mark = "private";
    assert_ok(hrr_graph_take_edges(graph, &edges, &mark, 1, NULL, NULL));

    int64_t names[] = {10, 20, 30, f == UNKNOWN_NODE ? 41 : 40};
    if (reverse) memcpy(names, (int64_t[]){40, 30, 20, 10}, sizeof names);
    hrr_node_ids ids = {.integer = bytes_of(names, sizeof names)};
    assert_ok(hrr_graph_take_node_ids(graph, &ids, NULL));

    if (f != NO_FEATURES) {
        hrr_dense features;
        assert_ok(hrr_dense_init(&features, HRR_F32, n_nodes, 1, NULL));
        for (int i = 0; i < n_nodes; i++)
            ((float *)features.data)[i] = (float)(reverse ? 3 - i : i);
        if (f == OTHER_FEATURE) ((float *)features.data)[2] = 7;
        assert_ok(hrr_graph_take_features(graph, &features, NULL));
    }
    int32_t classes[] = {0, 0, 1, f == OTHER_LABEL ? 0 : 1};
    if (reverse) memcpy(classes, (int32_t[]){1, 1, 0, 0}, sizeof classes);
    int32_t *taken = bytes_of(classes, sizeof classes);
    assert_ok(hrr_graph_take_classes(graph, &taken, 2, NULL));
    uint8_t split[] = {0, 1, 2, f == OTHER_SPLIT ? 0 : 2};
    if (reverse) memcpy(split, (uint8_t[]){2, 2, 1, 0}, sizeof split);
    uint8_t *split_taken = bytes_of(split, sizeof split);
    assert_ok(hrr_graph_take_split(graph, &split_taken, NULL));
    return graph;
}

/* The comparison's status; what was kept and dropped, as JSON text, in the buffers. */
static hrr_status compare(fault f, char kept_text[256], char dropped_text[256])
{
    hrr_graph *original = make(NO_FAULT), *copy = make(f);
    json_t *kept, *dropped;
    hrr_error err = {0};
    hrr_status status = cli_compare_copy(&kept, &dropped, original, copy, NULL, &err);
    if (status) assert_says(err, "the copy");
    kept_text[json_dumpb(kept, kept_text, 255, JSON_COMPACT)] = '\0';
    dropped_text[json_dumpb(dropped, dropped_text, 255, JSON_COMPACT)] = '\0';
    json_decref(kept);
    json_decref(dropped);
    hrr_graph_free(original);
    hrr_graph_free(copy);
    return status;
}

static const char everything[] =
    "[\"edges\",\"private marks\",\"node names\",\"features\",\"labels\",\"split\"]";

static void test_copy__a_true_one_passes_whatever_the_numbering(void **state)
{
    (void)state;
    char kept[256], dropped[256];
    fault faults[] = {NO_FAULT, RENUMBERED};
    for (int i = 0; i < 2; i++) {
        assert_ok(compare(faults[i], kept, dropped));
        assert_string_equal(kept, everything);
        assert_string_equal(dropped, "[]");
    }
}

static void test_copy__what_is_missing_is_listed(void **state)
{
    (void)state;
    char kept[256], dropped[256];
    assert_ok(compare(NO_MARKS, kept, dropped));
    assert_string_equal(dropped, "[\"private marks\"]");
    assert_ok(compare(NO_FEATURES, kept, dropped));
    assert_string_equal(dropped, "[\"features\"]");
}

static void test_copy__a_wrong_one_is_caught(void **state)
{
    (void)state;
    char kept[256], dropped[256];
    fault faults[] = {OTHER_EDGE,  MISSING_EDGE, OTHER_MARK,  OTHER_FEATURE,
                      OTHER_LABEL, OTHER_SPLIT,  UNKNOWN_NODE};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        assert_int_equal(compare(faults[i], kept, dropped), HRR_ECHECK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy__a_true_one_passes_whatever_the_numbering),
        cmocka_unit_test(test_copy__what_is_missing_is_listed),
        cmocka_unit_test(test_copy__a_wrong_one_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
