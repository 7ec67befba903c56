/* What attributes mean is tested with GraphML; here is what GEXF has of its own. */
#include "io/listed.h"
#include "support/pack.h"

#define ATTRIBUTE(id, title, type) "<attribute id='" id "' title='" title "' type='" type "'/>"
#define OF_NODES(list) "<attributes class='node'>" list "</attributes>"
#define OF_EDGES(list) "<attributes class='edge' mode='static'>" list "</attributes>"
#define VALUE(id, value) "<attvalue for='" id "' value='" value "'/>"
#define VALUES(list) "<attvalues>" list "</attvalues>"
#define FILE_OF(attributes, nodes, edges)                                                          \
    "<?xml version='1.0'?>\n<gexf xmlns='http://www.gexf.net/1.2draft' version='1.2'><meta/>"      \
    "<graph defaultedgetype='undirected'>\n" attributes "\n<nodes>" nodes                          \
    "</nodes>\n<edges>" edges "</edges></graph></gexf>\n"

static const char *put(void **state, const char *text)
{
    const char *path = in_dir(*state, "g.gexf");
    write_text(path, text);
    return path;
}

static void test_gexf__nodes_and_edges_are_read(void **state)
{
    static const char text[] = FILE_OF(
        "",
        "<node id='b' label='B'><viz:size value='2'/></node><node id='a' pid='b'/><node id='c'/>",
        "<edge id='0' source='b' target='c' weight='2.5' type='directed'/><edge source='c' "
        "target='b'/><edge source='a' target='b' label='x'><spells/></edge><edge source='c' "
        "target='c'/>");
    for (int packed = 0; packed < 2; packed++) {
        const char *path = put(state, text);
        if (packed) write_zstd(path, text, strlen(text), 0);
        hrr_graph *graph = read_graph(path, NULL);
        assert_string_equal(hrr_graph_name(graph), "g");
        assert_string_equal(hrr_graph_node_ids(graph)->text, "a");
        assert_string_equal(edges_text(graph), "0-1 1-2 ");
        assert_removed(graph, 1, 1);
        assert_int_equal(hrr_graph_inferred(graph), 0);
        hrr_graph_free(graph);
    }
    write_text(in_dir(*state, "unnamed"), text);
    assert_string_equal(hrr_graph_recognise(in_dir(*state, "unnamed"), NULL), "gexf");
}

#define ALL                                                                                        \
    FILE_OF(                                                                                       \
        OF_EDGES(ATTRIBUTE("0", "private", "boolean") ATTRIBUTE("w", "weight", "float"))           \
            OF_NODES(ATTRIBUTE("0", "x", "float") ATTRIBUTE(                                       \
                "1", "name",                                                                       \
                "string") "<attribute id='2' title='class' "                                       \
                          "type='string'><options>b|a|&lt;c</options>"                             \
                          "</attribute><attribute id='3' title='y' type='boolean'><default>true"   \
                          "</default></attribute>" ATTRIBUTE("4", "split", "string")),             \
        "<node id='n&#10;1'>" VALUES(                                                              \
            VALUE("0", "0.1") VALUE("2", "&lt;c") VALUE("3", "false") VALUE("4", "test")           \
                VALUE("1", "q")) "</node>"                                                         \
                                 "<node id='n0'>" VALUES("<attvalue id='0' value='-2'/>" VALUE(    \
                                     "4", "train")) "</node>",                                     \
        "<edge source='n0' target='n&#10;1'>" VALUES(VALUE("0", "true")) "</edge>")

static void test_gexf__attributes_are_features_labels_and_marks(void **state)
{
    char notes[4096];
    hrr_read_options options;
    hrr_read_options_init(&options);
    hrr_graph *graph = read_noting(put(state, ALL), &options, notes);
    const float features[] = {.1f, 0, -2, 1};
    const int32_t classes[] = {2, -1};
    assert_int_equal(hrr_graph_features(graph)->dtype, HRR_F32);
    assert_memory_equal(hrr_graph_features(graph)->data, features, sizeof features);
    assert_memory_equal(hrr_graph_classes(graph), classes, sizeof classes);
    assert_int_equal(hrr_graph_n_classes(graph), 3);
    assert_string_equal(hrr_graph_class_name(graph, 2), "<c");
    assert_memory_equal(hrr_graph_split(graph), "\2\0", 2);
    assert_string_equal(edges_text(graph), "0-1* ");
    assert_non_null(strstr(notes, "node attributes x and y, in this order"));
    assert_non_null(strstr(notes, "texts and were not read: name"));
    hrr_graph_free(graph);
    options.label_column = "name";
    graph = read_noting(in_dir(*state, "g.gexf"), &options, notes);
    assert_string_equal(hrr_graph_class_name(graph, 0), "q");
    hrr_graph_free(graph);
}

static void test_gexf__directions_are_given_up_aloud(void **state)
{
    char notes[4096];
    hrr_read_options options;
    hrr_read_options_init(&options);
    hrr_graph *graph =
        read_noting(put(state, "<gexf><graph defaultedgetype='directed'><nodes><node id='0'/><node "
                               "id='1'/></nodes><edges><edge source='1' target='0'/></edges>"
                               "</graph></gexf>"),
                    &options, notes);
    assert_non_null(strstr(notes, "g.gexf: is a directed graph"));
    hrr_graph_free(graph);
}

static void refuse(void **state, const char *file, const char *text, const char *says)
{
    const char *path = in_dir(*state, file);
    write_text(path, text);
    assert_refused(path, NULL, HRR_EDATA, path, says);
}

static void test_gexf__bad_files_name_their_line(void **state)
{
#define X OF_NODES(ATTRIBUTE("x", "x", "integer"))
    static const bad_text bad[] = {
        {"", ":1: is not well-formed XML"},
        {"<graphml/>", ":1: is XML, but not GEXF"},
        {"<gexf/>", "is a GEXF file without a graph"},
        {"<gexf><graph>\n", ":2: is not well-formed XML"},
        {"<gexf><graph/>\n<graph/></gexf>", ":2: the file contains a second graph;"},
        {"<!DOCTYPE gexf [<!ENTITY a 'a'>]><gexf/>", ":1: declares or uses an entity"},
        {FILE_OF("", "", ""), "the graph has no nodes"},
        {FILE_OF("<attributes/>", "", ""), ":3: the class of attributes must be node or edge"},
        {FILE_OF("<attributes class='graph'/>", "", ""), ":3: the class"},
        {FILE_OF(OF_NODES("<attribute/>"), "", ""), ":3: an attribute has no id"},
        {FILE_OF(X X, "", ""), ":3: an attribute is declared twice"},
        {FILE_OF("", "<node/>", ""), ":4: a node has no id"},
        {FILE_OF("", "<node id='0'><nodes/></node>", ""), ":4: nodes inside nodes are not"},
        {FILE_OF("", "<node id='0'/>", "<edge source='0'/>"), ":5: an edge has no source or"},
        {FILE_OF("", "<node id='0'/>", "<edge source='0' target='9'/>"),
         ":5: an edge names a node"},
        {FILE_OF(X, "<node id='0'/>", ""), "no value for attribute x;"},
        {FILE_OF(X, "<node id='0'>" VALUES(VALUE("x", "one")) "</node>", ""),
         ":4: a value of node attribute x is not a number"},
        {FILE_OF(X, "<node id='0'>" VALUES("<attvalue for='x'/>") "</node>", ""),
         ":4: a value refers to an attribute"},
        {FILE_OF(X, "<node id='0'>" VALUES(VALUE("x", "1") VALUE("x", "2")) "</node>", ""),
         ":4: attribute x has two values; values that change over time"},
        {FILE_OF(OF_EDGES(ATTRIBUTE("p", "private", "boolean")), "<node id='0'/>",
                 "<edge source='0' target='0'/>"),
         "is no value for attribute private; give every edge"},
        {0},
    };
    refuse_each(refuse, state, "g.gexf", bad);
}

static void test_gexf__what_is_written_comes_back(void **state)
{
    static const char *const files[] = {
        ALL,
        FILE_OF("", "<node id='0'/>", ""),
        FILE_OF(OF_NODES(ATTRIBUTE("a", "class:x", "boolean") ATTRIBUTE("b", "b", "boolean")),
                "<node id='7'>" VALUES(VALUE("a", "true") VALUE("b", "false")) "</node>", ""),
        FILE_OF(OF_NODES(ATTRIBUTE("a", "class", "integer") ATTRIBUTE("b", "b", "double")),
                "<node id='7'>" VALUES(VALUE("a", "3") VALUE("b", "1e-300")) "</node>", ""),
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_comes_back(read_graph(put(state, files[i]), NULL),
                          in_dir(*state, i % 2 ? "copy.gexf.gz" : "copy.gexf"));
}

static void test_gexf__survives_running_out_of_memory_anywhere(void **state)
{
    const char *path = put(state, ALL);
    assert_survives_no_memory(path, NULL);
    hrr_graph *graph = read_graph(path, NULL);
    void *arguments[] = {graph, (void *)(uintptr_t)in_dir(*state, "copy.gexf")};
    assert_true(brutal(write_listed, arguments) > 3);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_gexf__nodes_and_edges_are_read),
        WITH_SCRATCH(test_gexf__attributes_are_features_labels_and_marks),
        WITH_SCRATCH(test_gexf__directions_are_given_up_aloud),
        WITH_SCRATCH(test_gexf__bad_files_name_their_line),
        WITH_SCRATCH(test_gexf__what_is_written_comes_back),
        WITH_SCRATCH(test_gexf__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
