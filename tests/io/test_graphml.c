#include "io/listed.h"
#include "support/pack.h"

#define KEY(id, whose, name, type)                                                                 \
    "<key id='" id "' for='" whose "' attr.name='" name "' attr.type='" type "'/>"
#define DATA(key, value) "<data key='" key "'>" value "</data>"
#define FILE_OF(keys, body)                                                                        \
    "<?xml version='1.0'?>\n<graphml xmlns='http://graphml.graphdrawing.org/xmlns'>\n" keys        \
    "\n<graph edgedefault='undirected'>" body "\n</graph>\n</graphml>\n"

static const char *put(void **state, const char *text)
{
    const char *path = in_dir(*state, "g.graphml");
    write_text(path, text);
    return path;
}

/* ---- what is read ---------------------------------------------------------------------------- */

static void test_graphml__nodes_and_edges_are_read(void **state)
{
    static const char text[] = FILE_OF(
        "", "<node id='b'/><edge source='b' target='c'/>\n<node id='c'></node><node id='a'/>"
            "<edge id='e' source='c' target='a' directed='true'/><edge source='a' target='c'/>"
            "<edge source='a' target='a'/>");
    for (int packed = 0; packed < 2; packed++) {
        const char *path = put(state, text);
        if (packed) write_gzip(path, text, strlen(text), 0);
        hrr_graph *graph = read_graph(path, NULL);
        assert_string_equal(hrr_graph_name(graph), "g");
        assert_int_equal(hrr_graph_n_nodes(graph), 3);
        /* In the order of their names, not of the file. */
        assert_string_equal(hrr_graph_node_ids(graph)->text, "a");
        assert_string_equal(edges_text(graph), "0-2 1-2 ");
        assert_removed(graph, 1, 1);
        assert_int_equal(hrr_graph_marking(graph), HRR_UNDECIDED);
        assert_int_equal(hrr_graph_inferred(graph), 0); /* nodes are listed */
        assert_null(hrr_graph_features(graph));
        assert_null(hrr_graph_split(graph));
        hrr_graph_free(graph);
    }
}

static void test_graphml__ids_that_are_integers_are_ordered_by_value(void **state)
{
    hrr_graph *graph =
        read_graph(put(state, FILE_OF("", "<node id='10'/><node id='-2'/><node id='9'/>"
                                          "<edge source='10' target='9'/>")),
                   NULL);
    const int64_t ids[] = {-2, 9, 10};
    assert_memory_equal(hrr_graph_node_ids(graph)->integer, ids, sizeof ids);
    assert_string_equal(edges_text(graph), "1-2 ");
    hrr_graph_free(graph);
    graph = read_graph(put(state, FILE_OF("", "<node id='1'/><node id='0'/>")), NULL);
    assert_null(hrr_graph_node_ids(graph));
    hrr_graph_free(graph);
    graph = read_graph(put(state, FILE_OF("", "<node id='1'/><node id='01'/>")), NULL);
    assert_string_equal(hrr_graph_node_ids(graph)->text, "01");
    hrr_graph_free(graph);
}

static void test_graphml__numbers_of_nodes_are_features_in_the_order_of_names(void **state)
{
    char notes[4096];
    hrr_read_options options;
    hrr_read_options_init(&options);
    const char *path = put(
        state,
        FILE_OF(KEY("d9", "node", "x10", "int") KEY("d8", "node", "x9", "double")
                    KEY("d7", "all", "city", "string")
                        KEY("d6", "node", "x9", "long") "<key id='d5' for='node' attr.name='b' "
                                                        "attr.type='boolean'><default>true"
                                                        "</default></key>" KEY("d4", "edge",
                                                                               "weight", "double"),
                "<node id='1'>" DATA("d9", "3") DATA("d8", " 0.5\n") DATA(
                    "d7", "Rome") "</node>"
                                  "<node id='0'>" DATA("d6", "-7") DATA("d5", "False") DATA(
                                      "d9", "1e3") "</node>"
                                                   "<edge source='0' target='1'>" DATA("d4", "2")
                                                       DATA("d7", "x") "</edge>"));
    hrr_graph *graph = read_noting(path, &options, notes);
    const double expected[] = {0, -7, 1000, 1, .5, 3};
    const hrr_dense *features = hrr_graph_features(graph);
    assert_int_equal(features->dtype, HRR_F64);
    assert_int_equal(features->cols, 3);
    assert_memory_equal(features->data, expected, sizeof expected);
    assert_null(hrr_graph_feature_lo(graph));
    assert_non_null(
        strstr(notes, "the features are the node attributes b, x9 and x10, in this order"));
    assert_non_null(strstr(notes, "texts and were not read: city; `label_column`"));
    assert_int_equal(hrr_graph_inferred(graph), HRR_INFERRED_EDGES); /* city of edges */
    hrr_graph_free(graph);

    graph = read_graph(put(state, FILE_OF(KEY("a", "node", "a", "boolean"),
                                          "<node id='1'>" DATA("a", "1") "</node>"
                                                                         "<node id='0'>" DATA(
                                                                             "a", "no") "</node>")),
                       NULL);
    assert_int_equal(hrr_graph_features(graph)->dtype, HRR_U8);
    assert_int_equal(hrr_graph_feature_hi(graph)[0], 1); /* true or false, by its type */
    assert_memory_equal(hrr_graph_features(graph)->data, "\0\1", 2);
    hrr_graph_free(graph);

    graph = read_graph(put(state, FILE_OF(KEY("a", "node", "a", "float"),
                                          "<node id='0'>" DATA("a", ".1") "</node>")),
                       NULL);
    assert_int_equal(hrr_graph_features(graph)->dtype, HRR_F32);
    assert_true(((const float *)hrr_graph_features(graph)->data)[0] == .1f);
    hrr_graph_free(graph);
}

#define CLASSES(key)                                                                               \
    FILE_OF(key KEY("t", "node", "team", "string"),                                                \
            "<node id='0'>" DATA("c", "1")                                                         \
                DATA("t", "red") "</node>"                                                         \
                                 "<node id='1'>" DATA("t", "blue") "</node>"                       \
                                                                   "<node id='2'>" DATA("c", "0")  \
                                                                       DATA("t", "red") "</node>")

static void test_graphml__one_attribute_holds_the_classes(void **state)
{
    hrr_read_options options;
    hrr_read_options_init(&options);
    hrr_graph *graph = read_graph(put(state, CLASSES(KEY("c", "node", "class", "int"))), NULL);
    const int32_t numbers[] = {1, -1, 0}, teams[] = {1, 0, 1}, stated[] = {2, -1, 1};
    assert_memory_equal(hrr_graph_classes(graph), numbers, sizeof numbers);
    assert_int_equal(hrr_graph_n_classes(graph), 2);
    assert_true(hrr_graph_inferred(graph) & HRR_INFERRED_CLASSES);
    assert_null(hrr_graph_features(graph)); /* classes are not features as well */
    hrr_graph_free(graph);

    char notes[4096];
    options.label_column = "team";
    graph = read_noting(in_dir(*state, "g.graphml"), &options, notes);
    assert_memory_equal(hrr_graph_classes(graph), teams, sizeof teams);
    assert_string_equal(hrr_graph_class_name(graph, 0), "blue");
    assert_string_equal(notes, ""); /* no text was passed over */
    hrr_graph_free(graph);

    /* The classes that there are, as the file states them. */
    graph = read_graph(put(state, CLASSES("<key id='c' for='node' attr.name='class' attr.type="
                                          "'string'><desc>classes: x|0|1|y</desc></key>")),
                       NULL);
    assert_memory_equal(hrr_graph_classes(graph), stated, sizeof stated);
    assert_int_equal(hrr_graph_n_classes(graph), 4);
    assert_string_equal(hrr_graph_class_name(graph, 3), "y");
    assert_false(hrr_graph_inferred(graph) & HRR_INFERRED_CLASSES);
    hrr_graph_free(graph);
    /* A list that lacks one is not believed; a default is a value. */
    graph = read_graph(put(state, CLASSES("<key id='c' for='node' attr.name='class' attr.type="
                                          "'double'><desc>classes: x|1</desc><default>1.0</default>"
                                          "</key>")),
                       NULL);
    const int32_t defaulted[] = {1, 1, 0};
    assert_memory_equal(hrr_graph_classes(graph), defaulted, sizeof defaulted);
    assert_int_equal(hrr_graph_n_classes(graph), 2);
    hrr_graph_free(graph);

    options.label_column = "size";
    hrr_error err = {0};
    options.report = NULL;
    assert_int_equal(hrr_graph_read(&graph, in_dir(*state, "g.graphml"), &options, NULL, &err),
                     HRR_EDATA);
    assert_says(err, "has no node attribute with the name given by `label_column`");
}

static void test_graphml__truths_called_class_are_several_labels(void **state)
{
    hrr_graph *graph =
        read_graph(put(state, FILE_OF(KEY("a", "node", "class:x", "boolean")
                                          KEY("b", "node", "class:y", "boolean")
                                              KEY("s", "node", "split", "string"),
                                      "<node id='1'>" DATA("a", "true") DATA("b", "false")
                                          DATA("s", "test") "</node><node id='0'>" DATA("a", "true")
                                              DATA("b", "true") DATA("s", "train") "</node>")),
                   NULL);
    assert_true(hrr_graph_is_multilabel(graph));
    assert_memory_equal(hrr_graph_label_matrix(graph)->data, "\1\1\1\0", 4);
    assert_string_equal(hrr_graph_class_name(graph, 1), "y");
    assert_memory_equal(hrr_graph_split(graph), "\0\2", 2);
    hrr_graph_free(graph);
}

#define EDGES                                                                                      \
    "<node id='0'/><node id='1'/><node id='2'/>"                                                   \
    "<edge source='0' target='1'>" DATA("p", "true") DATA("q", "0")                                \
        DATA("r", "No") "</edge>"                                                                  \
                        "<edge source='1' target='2'>" DATA("p", "False")                          \
                            DATA("r", "yes") "</edge>"                                             \
                                             "<edge source='1' target='0'>" DATA("p", "0")         \
                                                 DATA("r", "0") "</edge>"
#define MARKED                                                                                     \
    FILE_OF(KEY("p", "edge", "private", "boolean") KEY(                                            \
                "r", "edge", "rumour", "string") "<key id='q' for='edge' attr.name='Private_2' "   \
                                                 "attr.type='int'><default>0</default>"            \
                                                 "</key>",                                         \
            EDGES)

static void test_graphml__private_edges_are_marked_by_attributes(void **state)
{
    hrr_graph *graph = read_graph(put(state, MARKED), NULL);
    assert_int_equal(hrr_graph_n_marks(graph), 2);
    assert_string_equal(hrr_graph_mark_name(graph, 1), "Private_2");
    assert_string_equal(edges_text(graph), "0-1* 1-2 "); /* any of the mentions */
    assert_removed(graph, 0, 1);
    assert_int_equal(hrr_graph_inferred(graph), 0); /* somebody said which are private */
    hrr_graph_free(graph);

    char notes[4096];
    hrr_read_options options;
    hrr_read_options_init(&options);
    options.private_column = "rumour";
    graph = read_noting(in_dir(*state, "g.graphml"), &options, notes);
    assert_string_equal(edges_text(graph), "0-1 1-2* ");
    hrr_graph_free(graph);

    /* Whether edges are marked is said by the declaration, also if there is no edge. */
    graph = read_graph(
        put(state, FILE_OF(KEY("p", "edge", "private", "boolean"), "<node id='0'/>")), NULL);
    assert_int_equal(hrr_graph_marking(graph), HRR_MARKED);
    hrr_graph_free(graph);
}

static void test_graphml__directions_are_given_up_aloud(void **state)
{
    char notes[4096];
    hrr_read_options options;
    hrr_read_options_init(&options);
    hrr_graph *graph = read_noting(
        put(state, "<graphml><graph edgedefault='directed'><node id='0'/><node id='1'/>"
                   "<edge source='1' target='0'/><edge source='0' target='1'/></graph></graphml>"),
        &options, notes);
    assert_non_null(strstr(notes, "g.graphml: is a directed graph; it was read as undirected"));
    assert_string_equal(edges_text(graph), "0-1 ");
    assert_removed(graph, 0, 1);
    hrr_graph_free(graph);
}

static void test_graphml__what_other_programs_add_is_passed_over(void **state)
{
    /* yEd's drawings, ports, prefixes, descriptions, a document type that is not fetched. */
    static const char text[] =
        "\xef\xbb\xbf<!DOCTYPE graphml SYSTEM 'http://localhost/none.dtd'>\n"
        "<g:graphml xmlns:g='x' xmlns:y='y'><g:desc>a graph</g:desc>"
        "<g:key id='d1' for='node' yfiles.type='nodegraphics'/><g:key id='d2' for='port' "
        "attr.name='p'/><g:graph id='G' edgedefault='undirected'><g:data key='d0'>words</g:data>"
        "<g:node id='a&amp;b'><g:desc/><g:port name='North'/><g:data key='d1'><y:ShapeNode><y:node "
        "id='z'/>text</y:ShapeNode></g:data></g:node><!-- <node id='z'/> --><g:node "
        "id='&#x17;&#233;'"
        "/></g:graph></g:graphml>";
    char valid[sizeof text];
    strcpy(valid, text);
    memcpy(strstr(valid, "&#x17;"), "&#x61;", 6);
    const char *path = in_dir(*state, "unnamed");
    write_text(path, valid);
    assert_string_equal(hrr_graph_recognise(path, NULL), "graphml");
    hrr_graph *graph = read_graph(path, NULL);
    assert_int_equal(hrr_graph_n_nodes(graph), 2);
    const hrr_node_ids *ids = hrr_graph_node_ids(graph);
    assert_string_equal(ids->text, "a&b");
    assert_string_equal(ids->text + ids->text_start[1], "a\xc3\xa9");
    hrr_graph_free(graph);
    write_text(path, text); /* a control character */
    assert_refused(path, "graphml", HRR_EDATA, "unnamed:2", "is not well-formed XML");
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refuse(void **state, const char *file, const char *text, const char *says)
{
    const char *path = in_dir(*state, file);
    write_text(path, text);
    assert_refused(path, NULL, HRR_EDATA, path, says);
}

static void test_graphml__what_is_not_a_graph_is_named(void **state)
{
    static const bad_text bad[] = {
        {"", "g.graphml:1: is not well-formed XML"},
        {"a,b\n1,2\n", "g.graphml:1: is not well-formed XML"},
        {"<graphml>\n<graph>\n", "g.graphml:3: is not well-formed XML"},
        {"<graphml>\n<graph></graphml>", "g.graphml:2: is not well-formed XML: mismatched tag"},
        {"<gexf/>", "g.graphml:1: is XML, but not GraphML"},
        {"<graphml/>", "is a GraphML file without a graph"},
        {"<?xml version='1.0' encoding='klingon'?><graphml/>", "unknown encoding"},
        {FILE_OF("", ""), "the graph has no nodes"},
        {"<graphml><graph><node id='0'/></graph>\n<graph/></graphml>",
         ":2: the file contains a second"},
        {FILE_OF("", "<node/>"), ":4: a node has no id"},
        {FILE_OF("", "<node id=''/>"), ":4: the id of a node is empty"},
        {FILE_OF("", "<node id='0'/>\n<node id='0'/>"), ":5: a node is listed twice"},
        {FILE_OF("", "<node id='0'><graph/></node>"), ":4: a graph inside a node"},
        {FILE_OF("", "<node id='0'/><hyperedge/>"), ":4: hyperedges are not"},
        {FILE_OF("", "<node id='0'/>\n<edge source='0'/>"),
         ":5: an edge has no source or no target"},
        {FILE_OF("", "<node id='0'/>\n\n<edge source='0' target='1'/>"),
         ":6: an edge names a node that the file does not list"},
        {0},
    };
    refuse_each(refuse, state, "g.graphml", bad);
}

static void test_graphml__bad_attributes_name_their_line(void **state)
{
#define AGE KEY("a", "node", "age", "double")
#define P KEY("p", "edge", "private", "boolean")
    static const bad_text bad[] = {
        {FILE_OF("<key/>", ""), ":3: a key has no id"},
        {FILE_OF("<desc>inferred: 99</desc>", ""), "inferred is not one that heterorr writes"},
        {FILE_OF(AGE "\n" AGE, ""), ":4: an attribute is declared twice"},
        {FILE_OF("", "<node id='0'/></graph>" AGE "<graph>"), ":4: an attribute is declared after"},
        {FILE_OF("", "<node id='0'>" DATA("a", "1") "</node>"),
         ":4: a value refers to an attribute"},
        {FILE_OF(AGE, "<node id='0'><data>1</data></node>"), ":4: a value refers to an attribute"},
        {FILE_OF(AGE, "<node id='0'>" DATA("a", "old") "</node>"),
         ":4: a value of node attribute age is not a number"},
        {FILE_OF(AGE, "<node id='0'>" DATA("a", "nan") "</node>"), "age is not a number"},
        {FILE_OF(AGE, "<node id='0'>" DATA("a", "") "</node>"), "age is not a number"},
        {FILE_OF(AGE, "<node id='0'>" DATA("a", "1") "\n" DATA("a", "1") "</node>"),
         ":5: attribute age has two values"},
        {FILE_OF(AGE, "<node id='0'>" DATA("a", "1") "</node>\n<node id='1'/>"),
         "is no value for attribute age; give every node"},
        {FILE_OF(
             "<key id='a' for='node' attr.name='age' attr.type='int'><default>x</default></key>",
             ""),
         ":3: a value of node attribute age is not a number"},
        {FILE_OF(KEY("a", "node", "up", "boolean"), "<node id='0'>" DATA("a", "2") "</node>"),
         "node attribute up is not true or false"},
        {FILE_OF(P, "<node id='0'/><edge source='0' target='0'>" DATA("p", "maybe") "</edge>"),
         "edge attribute private is not true or false"},
        {FILE_OF(P, "<node id='0'/>\n<edge source='0' target='0'/>"),
         "no value for attribute private; give every edge a value, or declare a default"},
        {FILE_OF(KEY("1", "edge", "private1", "int") KEY("2", "edge", "private2", "int")
                     KEY("3", "edge", "private3", "int") KEY("4", "edge", "private4", "int")
                         KEY("5", "edge", "private5", "int") KEY("6", "edge", "private6", "int")
                             KEY("7", "edge", "private7", "int") KEY("8", "edge", "private8", "int")
                                 KEY("9", "edge", "private9", "int"),
                 ""),
         ":3: more than 8 edge attributes have names that begin"},
        {FILE_OF(KEY("c", "node", "class", "int"), "<node id='0'>" DATA("c", "70000") "</node>"),
         "node attribute class looks like a count"},
        {FILE_OF(KEY("c", "node", "class", "int"), "<node id='0'/>"), "no node has a known class"},
        {0},
    };
    refuse_each(refuse, state, "g.graphml", bad);
}

static void test_graphml__entities_are_refused(void **state)
{
    static const bad_text bad[] = {
        {"<!DOCTYPE graphml [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><graphml>&b;</graphml>",
         ":1: declares or uses an entity of its own"},
        {"<!DOCTYPE graphml [\n<!ENTITY x SYSTEM 'file:///etc/passwd'>]><graphml>&x;</graphml>",
         ":2: declares or uses an entity of its own"},
        {"<!DOCTYPE graphml [<!ENTITY % x SYSTEM 'file:///etc/passwd'> %x;]><graphml/>",
         "declares or uses an entity of its own"},
        {"<!DOCTYPE graphml SYSTEM 'none.dtd'><graphml>\n&x;</graphml>",
         ":2: declares or uses an entity of its own"},
        {"<graphml>&x;</graphml>", "is not well-formed XML: undefined entity"},
        {0},
    };
    refuse_each(refuse, state, "g.graphml", bad);
}

/* An element that is opened, filled with many bytes and never closed. */
static void put_huge(void **state, const char *beginning, char filling, size_t size)
{
    const size_t length = strlen(beginning);
    char *text = malloc(length + size + 1);
    memcpy(text, beginning, length);
    memset(text + length, filling, size);
    text[length + size] = '\0';
    put(state, text);
    free(text);
}

static void test_graphml__what_is_huge_is_refused(void **state)
{
    const char *path = in_dir(*state, "g.graphml");
    put_huge(state, "<graphml><graph><node id='", 'a', 2 << 20);
    assert_refused(path, NULL, HRR_EDATA, "g.graphml:1", "a tag or comment is longer than 1048576");
    put_huge(state, "<graphml><!-- ", '-' + 1, 2 << 20);
    assert_refused(path, NULL, HRR_EDATA, "g.graphml:1", "a tag or comment is longer than");
    put_huge(state,
             "<graphml>" KEY("a", "node", "a", "string") "<graph><node id='0'><data key='a'>", 'a',
             2 << 20);
    assert_refused(path, NULL, HRR_EDATA, "g.graphml:1", "a text is longer than 1048576");
    char deep[1024] = "<graphml>";
    for (int i = 0; i < 64; i++)
        strcat(deep, "<a>");
    put(state, deep);
    assert_refused(path, NULL, HRR_EDATA, "g.graphml:1", "elements are nested more than 64 deep");
}

static void test_graphml__a_graph_may_have_many_attributes(void **state)
{
    enum { n_keys = 1 << 16 };
    char *text = malloc((size_t)n_keys * 96 + 256), *next = text;
    next += sprintf(next, "<graphml>");
    for (int i = 0; i < n_keys; i++)
        next += sprintf(next,
                        "<key id='%d' for='node' attr.name='%d' attr.type='int'><default>%d"
                        "</default></key>",
                        i, i, i);
    sprintf(next, "<graph><node id='0'/><node id='1'><data key='5'>-5</data></node></graph>"
                  "</graphml>");
    hrr_graph *graph = read_graph(put(state, text), NULL);
    assert_int_equal(hrr_graph_features(graph)->cols, n_keys);
    for (int i = 0; i < n_keys; i++) {
        assert_true(hrr_dense_get(hrr_graph_features(graph), 0, (uint64_t)i) == i);
        assert_true(hrr_dense_get(hrr_graph_features(graph), 1, (uint64_t)i) == (i == 5 ? -5 : i));
    }
    hrr_graph_free(graph);
    free(text);
}

/* ---- writing --------------------------------------------------------------------------------- */

#define ALL                                                                                        \
    FILE_OF("<key id='c' for='node' attr.name='class' attr.type='string'><desc>classes: b|a&lt;|c" \
            "</desc></key>" KEY("f", "node", "f", "float") KEY("g", "node", "g", "float")          \
                KEY("s", "node", "split", "string") KEY("p", "edge", "private", "boolean"),        \
            "<node id='&quot;x&#10;y&lt;&amp;'>" DATA("c", "a&lt;") DATA("f", ".1") DATA("g",      \
                                                                                         "-3e-39") \
                DATA("s", "valid") "</node>"                                                       \
                                   "<node id='&#233;'>" DATA("f", "1") DATA("g", "16777215")       \
                                       DATA("s", "train") "</node>"                                \
                                                          "<edge source='&#233;' "                 \
                                                          "target='&quot;x&#10;y&lt;&amp;'>" DATA( \
                                                              "p", "1") "</edge>")

static void test_graphml__what_is_written_comes_back(void **state)
{
    static const char *const files[] = {
        ALL,
        FILE_OF("", "<node id='0'/>"),
        MARKED,
        CLASSES(KEY("c", "node", "class", "int")),
        FILE_OF(KEY("a", "node", "class:0", "boolean") KEY("b", "node", "class:1", "boolean"),
                "<node id='7'>" DATA("a", "true") DATA("b", "false") "</node>"),
        FILE_OF(KEY("a", "node", "class:x|y", "boolean") KEY("b", "node", "up", "boolean"),
                "<node id='7'>" DATA("a", "true") DATA("b", "false") "</node>"),
        FILE_OF(KEY("a", "node", "a", "double"), "<node id='7'>" DATA("a", "0.1") "</node>"),
    };
    static const char *const names[] = {"copy.graphml", "copy.graphml.gz", "copy.GraphML.zst"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        hrr_graph *graph = read_graph(put(state, files[i]), NULL);
        if (i == 5) { /* a name with a bar cannot be kept: numbers are */
            const char *path = in_dir(*state, names[0]);
            void *arguments[] = {graph, (void *)(uintptr_t)path};
            assert_ok(write_listed(arguments));
            hrr_graph *copy = read_graph(path, NULL);
            assert_same_dense(hrr_graph_label_matrix(graph), hrr_graph_label_matrix(copy));
            assert_null(hrr_graph_class_name(copy, 0));
            assert_same_dense(hrr_graph_features(graph), hrr_graph_features(copy));
            hrr_graph_free(copy);
            hrr_graph_free(graph);
        } else {
            assert_comes_back(graph, in_dir(*state, names[i % 2]));
        }
    }
    assert_null(strstr(names[2], ".graphml")); /* capitals name the layout too */
    hrr_graph *graph = read_graph(put(state, files[0]), NULL);
    void *arguments[] = {graph, (void *)(uintptr_t)in_dir(*state, names[2])};
    assert_ok(write_listed(arguments));
    assert_string_equal(hrr_graph_recognise(arguments[1], NULL), "graphml");
    hrr_graph_free(graph);
}

static void test_graphml__control_characters_are_not_written(void **state)
{
    write_text(in_dir(*state, "e.csv"), "source,target\na\001b,c\nd,e\n");
    hrr_graph *graph = read_graph(in_dir(*state, "e.csv"), NULL);
    hrr_error err = {0};
    assert_int_equal(hrr_graph_write(graph, in_dir(*state, "g.graphml"), NULL, NULL, &err),
                     HRR_EDATA);
    assert_says(err, "control character");
    assert_int_equal(count_entries(*state), 1); /* nothing half-written */
    hrr_graph_free(graph);
}

static void test_graphml__survives_running_out_of_memory_anywhere(void **state)
{
    const char *path = put(state, ALL);
    assert_survives_no_memory(path, NULL);
    hrr_graph *graph = read_graph(path, NULL);
    void *arguments[] = {graph, (void *)(uintptr_t)in_dir(*state, "copy.graphml")};
    assert_true(brutal(write_listed, arguments) > 3);
    hrr_graph_free(graph);
    put(state, FILE_OF(KEY("a", "node", "class:x", "boolean") KEY("b", "node", "b", "boolean"),
                       "<node id='7'>" DATA("a", "true") DATA("b", "false") "</node>"));
    assert_survives_no_memory(path, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_graphml__nodes_and_edges_are_read),
        WITH_SCRATCH(test_graphml__ids_that_are_integers_are_ordered_by_value),
        WITH_SCRATCH(test_graphml__numbers_of_nodes_are_features_in_the_order_of_names),
        WITH_SCRATCH(test_graphml__one_attribute_holds_the_classes),
        WITH_SCRATCH(test_graphml__truths_called_class_are_several_labels),
        WITH_SCRATCH(test_graphml__private_edges_are_marked_by_attributes),
        WITH_SCRATCH(test_graphml__directions_are_given_up_aloud),
        WITH_SCRATCH(test_graphml__what_other_programs_add_is_passed_over),
        WITH_SCRATCH(test_graphml__what_is_not_a_graph_is_named),
        WITH_SCRATCH(test_graphml__bad_attributes_name_their_line),
        WITH_SCRATCH(test_graphml__entities_are_refused),
        WITH_SCRATCH(test_graphml__what_is_huge_is_refused),
        WITH_SCRATCH(test_graphml__a_graph_may_have_many_attributes),
        WITH_SCRATCH(test_graphml__what_is_written_comes_back),
        WITH_SCRATCH(test_graphml__control_characters_are_not_written),
        WITH_SCRATCH(test_graphml__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
