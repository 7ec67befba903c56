#include "io/graphs.h"

#include <pthread.h>

/* ---- out ------------------------------------------------------------------------------------- */

/* Three nodes, edges 0-1 (private) and 1-2, two float features, classes 1, -1, 0. */
static hrr_graph *toy(bool labels_are_many)
{
    hrr_graph *graph;
    hrr_edge_list edges;
    hrr_dense features, labels;
    assert_ok(hrr_graph_new(&graph, "toy", 3, NULL));
    assert_ok(hrr_edge_list_init(&edges, 2, true, NULL));
    memcpy(edges.source, (uint32_t[]){0, 1}, 8);
    memcpy(edges.target, (uint32_t[]){1, 2}, 8);
    memcpy(edges.marks, "\1", 2);
    assert_ok(hrr_graph_take_edges(graph, &edges, NULL, 0, NULL, NULL));
    assert_ok(hrr_dense_init(&features, HRR_F32, 3, 2, NULL));
    memcpy(features.data, (float[]){0, 1, 2, 3, 4, 5}, 24);
    assert_ok(hrr_graph_take_features(graph, &features, NULL));
    if (labels_are_many) {
        assert_ok(hrr_dense_init(&labels, HRR_U8, 3, 2, NULL));
        memcpy(labels.data, "\0\1\1\1\0\0", 6);
        assert_ok(hrr_graph_take_label_matrix(graph, &labels, NULL));
        return graph;
    }
    hrr_dense classes;
    assert_ok(hrr_dense_init(&classes, HRR_F32, 3, 1, NULL)); /* for its memory */
    int32_t *own = classes.data;
    memcpy(own, (int32_t[]){1, -1, 0}, 12);
    assert_ok(hrr_graph_take_classes(graph, &own, 2, NULL));
    return graph;
}

static void count_call(void *user)
{
    ++*(int *)user;
}

static void test_arrow__edges_are_the_graphs_own(void **state)
{
    (void)state;
    int n_done = 0;
    struct ArrowArray array;
    struct ArrowSchema schema;
    hrr_graph *graph = toy(false);
    assert_ok(
        hrr_graph_to_arrow(&array, &schema, graph, HRR_ARROW_EDGES, count_call, &n_done, NULL));
    static const char *const names[] = {"source", "target", "private"};
    const void *const values[] = {hrr_graph_sources(graph), hrr_graph_targets(graph),
                                  hrr_graph_is_private(graph)};
    assert_string_equal(schema.format, "+s");
    assert_int_equal(array.length, 2);
    assert_int_equal(array.n_children, 3);
    assert_int_equal(schema.n_children, 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(schema.children[i]->name, names[i]);
        assert_string_equal(schema.children[i]->format, i < 2 ? "I" : "C");
        assert_int_equal(array.children[i]->length, 2);
        assert_int_equal(array.children[i]->null_count, 0);
        assert_int_equal(array.children[i]->n_buffers, 2);
        assert_null(array.children[i]->buffers[0]);
        assert_ptr_equal(array.children[i]->buffers[1], values[i]);
    }
    schema.release(&schema);
    assert_null(schema.release);
    assert_int_equal(n_done, 0); /* the schema does not look at the graph */
    array.release(&array);
    assert_null(array.release);
    assert_int_equal(n_done, 1);
    hrr_graph_free(graph);
}

static void test_arrow__a_column_may_outlive_its_table(void **state)
{
    (void)state;
    int n_done = 0;
    struct ArrowArray array, column;
    struct ArrowSchema schema, of_column;
    hrr_graph *graph = toy(false);
    assert_ok(
        hrr_graph_to_arrow(&array, &schema, graph, HRR_ARROW_FEATURES, count_call, &n_done, NULL));
    column = *array.children[0]; /* moved, as the specification says */
    array.children[0]->release = NULL;
    of_column = *schema.children[0];
    schema.children[0]->release = NULL;
    array.release(&array);
    schema.release(&schema);
    assert_int_equal(n_done, 0);
    assert_string_equal(of_column.name, "features");
    assert_string_equal(of_column.format, "+w:2");
    assert_string_equal(of_column.children[0]->format, "f");
    assert_int_equal(column.length, 3);
    assert_int_equal(column.n_buffers, 1);
    assert_int_equal(column.children[0]->length, 6);
    assert_ptr_equal(column.children[0]->buffers[1], hrr_graph_features(graph)->data);
    assert_true(((const float *)column.children[0]->buffers[1])[5] == 5);
    of_column.release(&of_column);
    column.release(&column);
    assert_int_equal(n_done, 1);
    hrr_graph_free(graph);
}

static void free_graph(void *user)
{
    hrr_graph_free(user);
}

static void *release_elsewhere(void *user)
{
    struct ArrowArray *array = user;
    array->release(array);
    return NULL;
}

static void test_arrow__the_graph_may_go_with_its_last_column(void **state)
{
    (void)state;
    struct ArrowArray array, columns[3];
    struct ArrowSchema schema;
    pthread_t threads[3];
    hrr_graph *graph = toy(false);
    assert_ok(hrr_graph_to_arrow(&array, &schema, graph, HRR_ARROW_EDGES, free_graph, graph, NULL));
    for (int i = 0; i < 3; i++) {
        columns[i] = *array.children[i];
        array.children[i]->release = NULL;
    }
    array.release(&array);
    schema.release(&schema);
    assert_int_equal(((const uint32_t *)columns[1].buffers[1])[1], 2); /* still there */
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, release_elsewhere, &columns[i]), 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

static void test_arrow__labels_are_classes_or_lists(void **state)
{
    (void)state;
    struct ArrowArray array;
    struct ArrowSchema schema;
    for (int many = 0; many < 2; many++) {
        hrr_graph *graph = toy(many);
        assert_ok(hrr_graph_to_arrow(&array, &schema, graph, HRR_ARROW_LABELS, NULL, NULL, NULL));
        assert_string_equal(schema.children[0]->name, many ? "labels" : "class");
        assert_string_equal(schema.children[0]->format, many ? "+w:2" : "i");
        if (many)
            assert_ptr_equal(array.children[0]->children[0]->buffers[1],
                             hrr_graph_label_matrix(graph)->data);
        else
            assert_ptr_equal(array.children[0]->buffers[1], hrr_graph_classes(graph));
        array.release(&array);
        schema.release(&schema);
        hrr_graph_free(graph);
    }
    hrr_graph *graph;
    hrr_error err = {0};
    int n_done = 0;
    assert_ok(hrr_graph_new(&graph, "bare", 1, NULL));
    for (hrr_arrow_part part = HRR_ARROW_FEATURES; part <= HRR_ARROW_LABELS; part++) {
        assert_int_equal(
            hrr_graph_to_arrow(&array, &schema, graph, part, count_call, &n_done, &err),
            HRR_EINVAL);
        assert_says(err, part == HRR_ARROW_FEATURES ? "has no features" : "has no labels");
        assert_null(array.release);
        assert_null(schema.release);
    }
    assert_int_equal(n_done, 0);
    hrr_graph_free(graph);
}

/* ---- in -------------------------------------------------------------------------------------- */

static void nothing_array(struct ArrowArray *array)
{
    array->release = NULL;
}

static void nothing_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

enum { most = 11 };

/* A table of the test's own: each column has a name, a format and values. */
typedef struct made {
    struct ArrowArray array, columns[most], item;
    struct ArrowSchema schema, of_columns[most], of_item;
    struct ArrowArray *places[most], *item_place;
    struct ArrowSchema *of_places[most], *of_item_place;
    const void *buffers[most][2], *own_buffer[1], *item_buffers[2];
} made;

static void start(made *t, int64_t length)
{
    memset(t, 0, sizeof *t);
    for (int i = 0; i < most; i++) {
        t->places[i] = &t->columns[i];
        t->of_places[i] = &t->of_columns[i];
    }
    t->array = (struct ArrowArray){.length = length,
                                   .n_buffers = 1,
                                   .buffers = t->own_buffer,
                                   .children = t->places,
                                   .release = nothing_array};
    t->schema =
        (struct ArrowSchema){.format = "+s", .children = t->of_places, .release = nothing_schema};
}

static void add(made *t, const char *name, const char *format, const void *values)
{
    const int64_t i = t->array.n_children++;
    t->schema.n_children++;
    t->buffers[i][1] = values;
    t->columns[i] = (struct ArrowArray){.length = t->array.length,
                                        .n_buffers = 2,
                                        .buffers = t->buffers[i],
                                        .release = nothing_array};
    t->of_columns[i] =
        (struct ArrowSchema){.format = format, .name = name, .release = nothing_schema};
}

static const char *edges_of(const made *t, uint64_t n_nodes, const char *private_column,
                            hrr_error *err)
{
    hrr_graph *graph;
    const char *text = NULL;
    assert_ok(hrr_graph_new(&graph, "g", n_nodes, NULL));
    if (!hrr_graph_edges_from_arrow(graph, &t->array, &t->schema, private_column, NULL, err))
        text = edges_text(graph);
    hrr_graph_free(graph);
    return text;
}

static void test_arrow__edges_of_every_integer_type_are_read(void **state)
{
    (void)state;
    const struct {
        const char *format;
        const void *source, *target;
    } types[] = {
        {"c", "\2\0\1", "\0\1\1"},
        {"C", "\2\0\1", "\0\1\1"},
        {"s", (int16_t[]){2, 0, 1}, (int16_t[]){0, 1, 1}},
        {"S", (uint16_t[]){2, 0, 1}, (uint16_t[]){0, 1, 1}},
        {"i", (int32_t[]){2, 0, 1}, (int32_t[]){0, 1, 1}},
        {"I", (uint32_t[]){2, 0, 1}, (uint32_t[]){0, 1, 1}},
        {"l", (int64_t[]){2, 0, 1}, (int64_t[]){0, 1, 1}},
        {"L", (uint64_t[]){2, 0, 1}, (uint64_t[]){0, 1, 1}},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        made t;
        start(&t, 3);
        add(&t, "u", types[i].format, types[i].source);
        add(&t, NULL, types[i].format, types[i].target);
        assert_string_equal(edges_of(&t, 3, NULL, NULL), "0-1 0-2 "); /* 1-1 is a self-loop */
    }
}

static void test_arrow__names_offsets_and_marks_are_followed(void **state)
{
    (void)state;
    made t;
    start(&t, 2);
    add(&t, "private", "b", "\x05"); /* bits 1 0 1 */
    add(&t, "target", "i", (int32_t[]){9, 9, 1, 2});
    add(&t, "hush", "l", (int64_t[]){9, 0, 1});
    add(&t, "source", "I", (uint32_t[]){9, 0, 1});
    t.array.offset = 1; /* of the table, and of one column more */
    t.columns[0].length = t.columns[2].length = t.columns[3].length = 3;
    t.columns[1].length = 3;
    t.columns[1].offset = 1;
    assert_string_equal(edges_of(&t, 3, NULL, NULL), "0-1 1-2* ");
    hrr_graph *graph;
    assert_ok(hrr_graph_new(&graph, "g", 3, NULL));
    assert_ok(hrr_graph_edges_from_arrow(graph, &t.array, &t.schema, "hush", NULL, NULL));
    assert_int_equal(hrr_graph_n_marks(graph), 2);
    assert_ok(hrr_graph_choose_mark(graph, "hush", NULL));
    assert_string_equal(edges_text(graph), "0-1 1-2* ");
    assert_int_equal(hrr_graph_inferred(graph), 0);
    hrr_graph_free(graph);
    t.of_columns[0].name = "weight"; /* nothing says which are private, and hush might */
    assert_ok(hrr_graph_new(&graph, "g", 3, NULL));
    assert_ok(hrr_graph_edges_from_arrow(graph, &t.array, &t.schema, NULL, NULL, NULL));
    assert_int_equal(hrr_graph_inferred(graph), HRR_INFERRED_EDGES);
    assert_int_equal(hrr_graph_marking(graph), HRR_UNDECIDED);
    hrr_graph_free(graph);
}

static void refuse_edges(const made *t, hrr_status status, const char *says)
{
    hrr_error err = {0};
    assert_null(edges_of(t, 3, "hush", &err));
    assert_int_equal(err.status, status);
    assert_says(err, says);
}

static void start_edges(made *t)
{
    static const int32_t source[] = {0, 1}, target[] = {1, 2};
    start(t, 2);
    add(t, "source", "i", source);
    add(t, "target", "i", target);
    add(t, "private", "C", "\0\1");
}

static void test_arrow__a_mark_is_never_an_id(void **state)
{
    (void)state;
    static const char *const names[][3] = {
        {"private", "u", "v"}, {"u", "Private", "v"}, {"hush", "u", "v"}};
    made t;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        start(&t, 1);
        for (int column = 0; column < 3; column++)
            add(&t, names[i][column], "C", "\1");
        refuse_edges(&t, HRR_EDATA, "but is in a position where an id is expected;");
    }
    start(&t, 1);
    add(&t, "n", "C", "\0");
    add(&t, "from", "C", "\1");
    add(&t, "to", "C", "\2");
    refuse_edges(&t, HRR_EDATA, "columns 2 and 3 have names of edge ends");
}

static void test_arrow__bad_edges_name_column_and_row(void **state)
{
    (void)state;
    made t;
    start_edges(&t);
    assert_string_equal(edges_of(&t, 3, NULL, NULL), "0-1 1-2* ");
    t.schema.release = NULL;
    refuse_edges(&t, HRR_EINVAL, "the Arrow array or its schema was already released");
    start_edges(&t);
    t.schema.format = "i";
    refuse_edges(&t, HRR_EDATA, "the Arrow table must be a struct of columns (a record batch)");
    start_edges(&t);
    t.schema.n_children = 2;
    refuse_edges(&t, HRR_EDATA, "the Arrow table does not match its schema");
    start_edges(&t);
    t.array.n_children = t.schema.n_children = 1;
    refuse_edges(&t, HRR_EDATA, "a table of edges needs two columns of ids");
    start_edges(&t);
    t.buffers[1][1] = (const int32_t[]){1, 3};
    refuse_edges(&t, HRR_EDATA, "column target, row 1 (counting from 0) is not the number of a");
    t.buffers[1][1] = (const int32_t[]){-1, 2};
    refuse_edges(&t, HRR_EDATA, "column target, row 0");
    start_edges(&t);
    t.of_columns[1].format = "L";
    t.buffers[1][1] = (const uint64_t[]){1, UINT64_MAX};
    refuse_edges(&t, HRR_EDATA, "column target, row 1");
    static const char *const formats[] = {"u", "f", "b", "+w:2", "tdD"};
    for (int i = 0; i < 5; i++) {
        start_edges(&t);
        t.of_columns[0].format = formats[i];
        refuse_edges(&t, HRR_EDATA,
                     i == 1 || i == 2 ? "column source does not contain integers,"
                                      : "column source contains neither numbers");
    }
    start_edges(&t);
    t.of_columns[0].dictionary = &t.of_item;
    refuse_edges(&t, HRR_EDATA, "column source contains neither numbers");
    start_edges(&t);
    t.buffers[0][0] = "\1"; /* the second is missing */
    t.columns[0].null_count = -1;
    refuse_edges(&t, HRR_EDATA, "column source, row 1 (counting from 0) is missing");
    t.columns[0].null_count = 0; /* then nobody looks */
    assert_non_null(edges_of(&t, 3, NULL, NULL));
    start_edges(&t);
    t.own_buffer[0] = "\2";
    t.array.null_count = 1;
    refuse_edges(&t, HRR_EDATA, "row 0 (counting from 0) is missing");
    start_edges(&t);
    t.columns[1].length = 1;
    refuse_edges(&t, HRR_EDATA, "column target is shorter than the table");
    start_edges(&t);
    t.buffers[1][1] = NULL;
    refuse_edges(&t, HRR_EDATA, "column target is shorter than the table");
    start_edges(&t);
    t.buffers[2][1] = "\0\2";
    refuse_edges(&t, HRR_EDATA, "column private, row 1 (counting from 0) is neither 0 nor 1");
    start_edges(&t);
    t.of_columns[2].format = "f";
    t.buffers[2][1] = (const float[]){0, 1};
    refuse_edges(&t, HRR_EDATA, "column private marks edges, so its");
    start_edges(&t);
    for (int i = 3; i < 10; i++)
        add(&t, "Private again", "C", "\0\1");
    assert_non_null(edges_of(&t, 3, NULL, NULL)); /* eight are read */
    add(&t, "private once more", "C", "\0\1");
    refuse_edges(&t, HRR_EDATA, "at most 8 columns");
}

static hrr_graph *features_of(const made *t, hrr_error *err)
{
    hrr_graph *graph;
    assert_ok(hrr_graph_new(&graph, "g", 2, NULL));
    if (!hrr_graph_features_from_arrow(graph, &t->array, &t->schema, err)) return graph;
    hrr_graph_free(graph);
    return NULL;
}

static void assert_features(const made *t, hrr_dtype dtype, uint64_t cols, const double *expected)
{
    hrr_error err = {0};
    hrr_graph *graph = features_of(t, &err);
    if (!graph) fail_msg("%s", err.message);
    const hrr_dense *features = hrr_graph_features(graph);
    assert_int_equal(features->dtype, dtype);
    assert_int_equal(features->cols, cols);
    for (uint64_t i = 0; i < 2 * cols; i++)
        assert_true(hrr_dense_get(features, i / cols, i % cols) == expected[i]);
    hrr_graph_free(graph);
}

/* One column of lists of three, each value one of `format`. */
static void start_list(made *t, const char *format, const void *values)
{
    start(t, 2);
    add(t, "x", "+w:3", NULL);
    t->columns[0].n_buffers = 1;
    t->columns[0].n_children = t->of_columns[0].n_children = 1;
    t->item_place = &t->item;
    t->of_item_place = &t->of_item;
    t->columns[0].children = &t->item_place;
    t->of_columns[0].children = &t->of_item_place;
    t->item_buffers[1] = values;
    t->item = (struct ArrowArray){.length = 6, .n_buffers = 2, .buffers = t->item_buffers};
    t->of_item = (struct ArrowSchema){.format = format};
}

static void test_arrow__features_are_columns_or_lists(void **state)
{
    (void)state;
    made t;
    static const double doubles[] = {.5, -1, 3, 1e300}, numbers[] = {.5, 1, -1, 0};
    static const double bytes[] = {7, 0, 255, 1}, truths[] = {1, 0}, list[] = {0, 1, 2, 3, 4, 5};
    static const float floats[] = {.5f, -1};
    start(&t, 2);
    add(&t, "a", "g", (const double[]){.5, 3});
    add(&t, "b", "g", (const double[]){-1, 1e300});
    assert_features(&t, HRR_F64, 2, doubles);
    start(&t, 2);
    add(&t, "a", "f", floats);
    add(&t, "b", "b", "\1");
    assert_features(&t, HRR_F32, 2, numbers);
    start(&t, 2);
    add(&t, "a", "C", "\7\377");
    add(&t, "b", "b", "\2");
    assert_features(&t, HRR_U8, 2, bytes);
    start(&t, 2);
    add(&t, "a", "b", "\1");
    assert_features(&t, HRR_U8, 1, truths);
    hrr_graph *graph = features_of(&t, NULL);
    assert_true(hrr_graph_feature_hi(graph)[0] == 1); /* true or false, by its type */
    hrr_graph_free(graph);
    start_list(&t, "i", (const int32_t[]){0, 1, 2, 3, 4, 5});
    assert_features(&t, HRR_F64, 3, list);
    start_list(&t, "s", (const int16_t[]){9, 9, 9, 9, 9, 9, 9, 0, 1, 2, 3, 4, 5});
    t.array.offset = 1; /* one row, one list more and one value */
    t.columns[0].offset = 1;
    t.columns[0].length = 3;
    t.item.offset = 1;
    t.item.length = 12;
    assert_features(&t, HRR_F32, 3, list);
}

static void refuse_features(const made *t, const char *says)
{
    hrr_error err = {0};
    assert_null(features_of(t, &err));
    assert_int_equal(err.status, HRR_EDATA);
    assert_says(err, says);
}

static void test_arrow__bad_features_name_column_and_row(void **state)
{
    (void)state;
    made t;
    start(&t, 3);
    add(&t, "a", "C", "\1\2\3");
    refuse_features(&t, "the table has 3 rows, but the graph has 2 nodes");
    start(&t, 2);
    refuse_features(&t, "a table of features needs at least one column");
    add(&t, "a", "C", "\1\2");
    add(&t, "city", "u", "");
    refuse_features(&t, "column city contains neither numbers nor booleans");
    start(&t, 2);
    add(&t, "a", "f", (const float[]){0, NAN});
    refuse_features(&t, "column a, row 1 (counting from 0) is not a finite number");
    start(&t, 2);
    add(&t, "a", "C", "\1\2");
    t.buffers[0][0] = "\2";
    t.columns[0].null_count = 1;
    refuse_features(&t, "column a, row 0 (counting from 0) is missing");
    start_list(&t, "C", "\0\1\2\3\4\5");
    t.item.length = 5;
    refuse_features(&t, "column x is shorter than the table");
    start_list(&t, "C", "\0\1\2\3\4\5");
    t.columns[0].length = 1;
    refuse_features(&t, "column x is shorter than the table");
    start_list(&t, "C", "\0\1\2\3\4\5");
    t.buffers[0][0] = "\1";
    t.columns[0].null_count = 1;
    refuse_features(&t, "column x, row 1 (counting from 0) is missing");
    start_list(&t, "C", "\0\1\2\3\4\5");
    t.item_buffers[0] = "\x2f";
    t.item.null_count = 1;
    refuse_features(&t, "column x, row 1 (counting from 0) is missing");
    start_list(&t, "u", "");
    refuse_features(&t, "column x contains neither numbers");
    start_list(&t, "C", "\0\1\2\3\4\5");
    t.of_columns[0].format = "+w:3x";
    refuse_features(&t, "column x contains neither numbers");
}

/* ---- both ways ------------------------------------------------------------------------------- */

static hrr_status there_and_back(void *user)
{
    const hrr_graph *graph = user;
    struct ArrowArray array = {0}, features = {0};
    struct ArrowSchema schema = {0}, of_features = {0};
    hrr_graph *copy = NULL;
    int n_done = 0;
    hrr_status status = hrr_graph_new(&copy, "copy", 3, NULL);
    if (!status)
        status =
            hrr_graph_to_arrow(&array, &schema, graph, HRR_ARROW_EDGES, count_call, &n_done, NULL);
    if (!status)
        status = hrr_graph_to_arrow(&features, &of_features, graph, HRR_ARROW_FEATURES, count_call,
                                    &n_done, NULL);
    if (!status) status = hrr_graph_edges_from_arrow(copy, &array, &schema, NULL, NULL, NULL);
    if (!status) status = hrr_graph_features_from_arrow(copy, &features, &of_features, NULL);
    if (!status) {
        assert_same_edges(graph, copy);
        assert_same_bytes(hrr_graph_is_private(graph), hrr_graph_is_private(copy), 2);
        assert_same_dense(hrr_graph_features(graph), hrr_graph_features(copy));
    }
    const int n_made = (array.release != NULL) + (features.release != NULL);
    if (array.release) array.release(&array);
    if (schema.release) schema.release(&schema);
    if (features.release) features.release(&features);
    if (of_features.release) of_features.release(&of_features);
    assert_int_equal(n_done, n_made);
    hrr_graph_free(copy);
    return status;
}

static void test_arrow__survives_running_out_of_memory_anywhere(void **state)
{
    (void)state;
    hrr_graph *graph = toy(false);
    assert_true(brutal(there_and_back, graph) > 10);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrow__edges_are_the_graphs_own),
        cmocka_unit_test(test_arrow__a_column_may_outlive_its_table),
        cmocka_unit_test(test_arrow__the_graph_may_go_with_its_last_column),
        cmocka_unit_test(test_arrow__labels_are_classes_or_lists),
        cmocka_unit_test(test_arrow__edges_of_every_integer_type_are_read),
        cmocka_unit_test(test_arrow__names_offsets_and_marks_are_followed),
        cmocka_unit_test(test_arrow__a_mark_is_never_an_id),
        cmocka_unit_test(test_arrow__bad_edges_name_column_and_row),
        cmocka_unit_test(test_arrow__features_are_columns_or_lists),
        cmocka_unit_test(test_arrow__bad_features_name_column_and_row),
        cmocka_unit_test(test_arrow__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
