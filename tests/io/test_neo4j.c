#include "io/listed.h"

/* Writes the graph of an edge list or a GraphML file to the folder "out". */
static hrr_status write_it(void **state, const char *name, const char *text, bool replace,
                           hrr_error *err)
{
    hrr_write_options options;
    hrr_write_options_init(&options);
    options.format = "neo4j";
    options.replace = replace;
    write_text(in_dir(*state, name), text);
    hrr_graph *graph = read_graph(in_dir(*state, name), NULL);
    hrr_status status = hrr_graph_write(graph, in_dir(*state, "out"), &options, NULL, err);
    hrr_graph_free(graph);
    return status;
}

static void assert_file(void **state, const char *name, const char *expected)
{
    char *text = read_file(in_dir(*state, name), NULL);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static const char attributed[] =
    "<graphml><key id='c' for='node' attr.name='class' attr.type='string'><desc>classes: b, c|a"
    "</desc></key><key id='f' for='node' attr.name='f' attr.type='float'/><key id='s' for='node' "
    "attr.name='split' attr.type='string'/><key id='p' for='edge' attr.name='private' "
    "attr.type='boolean'/><graph><node id='x&quot; y'><data key='c'>b, c</data><data key='f'>.5"
    "</data><data key='s'>test</data></node><node id='w'><data key='f'>-2</data><data key='s'>train"
    "</data></node><edge source='w' target='x&quot; y'><data key='p'>1</data></edge></graph>"
    "</graphml>";

static void test_neo4j__headers_say_ids_types_and_labels(void **state)
{
    assert_ok(write_it(state, "g.graphml", attributed, false, NULL));
    assert_file(state, "out/nodes.csv",
                "id:ID,feature_0:float,class:string,split:string,:LABEL\n"
                "w,-2,,train,Node\n"
                "\"x\"\" y\",0.5,\"b, c\",test,Node\n");
    assert_file(state, "out/relationships.csv",
                ":START_ID,:END_ID,private:boolean,:TYPE\n"
                "w,\"x\"\" y\",true,EDGE\n");
}

static void test_neo4j__labels_and_truths_are_booleans(void **state)
{
    assert_ok(write_it(
        state, "g.graphml",
        "<graphml><key id='a' for='node' attr.name='class:x' attr.type='boolean'/><key id='b' "
        "for='node' attr.name='b' attr.type='boolean'/><graph><node id='0'><data key='a'>1</data>"
        "<data key='b'>0</data></node><node id='1'><data key='a'>0</data><data key='b'>1</data>"
        "</node><edge source='0' target='1'/></graph></graphml>",
        false, NULL));
    assert_file(state, "out/nodes.csv",
                "id:ID,feature_0:boolean,class_0:boolean,:LABEL\n"
                "0,false,true,Node\n1,true,false,Node\n");
    assert_file(state, "out/relationships.csv", ":START_ID,:END_ID,:TYPE\n0,1,EDGE\n");
}

static void test_neo4j__only_its_own_folder_is_replaced(void **state)
{
    hrr_error err = {0};
    assert_ok(write_it(state, "e.csv", "source,target\n7,9\n", false, NULL));
    assert_int_equal(write_it(state, "e.csv", "source,target\n1,2\n", false, &err), HRR_EINVAL);
    assert_ok(write_it(state, "e.csv", "source,target\n1,2\n", true, NULL));
    assert_file(state, "out/nodes.csv", "id:ID,:LABEL\n1,Node\n2,Node\n");
    write_text(in_dir(*state, "out/nodes.csv"), "name,age\n");
    assert_int_equal(write_it(state, "e.csv", "source,target\n1,2\n", true, &err), HRR_EINVAL);
    assert_file(state, "out/nodes.csv", "name,age\n");
}

static hrr_status write_once(void *user)
{
    void **arguments = user;
    hrr_write_options options;
    hrr_write_options_init(&options);
    options.format = "neo4j";
    options.replace = true;
    return hrr_graph_write(arguments[0], arguments[1], &options, NULL, NULL);
}

static void test_neo4j__survives_running_out_of_memory_anywhere(void **state)
{
    write_text(in_dir(*state, "g.graphml"), attributed);
    hrr_graph *graph = read_graph(in_dir(*state, "g.graphml"), NULL);
    void *arguments[] = {graph, (void *)(uintptr_t)in_dir(*state, "out")};
    assert_true(brutal(write_once, arguments) > 5);
    hrr_graph_free(graph);
    assert_int_equal(count_entries(*state), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_neo4j__headers_say_ids_types_and_labels),
        WITH_SCRATCH(test_neo4j__labels_and_truths_are_booleans),
        WITH_SCRATCH(test_neo4j__only_its_own_folder_is_replaced),
        WITH_SCRATCH(test_neo4j__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
