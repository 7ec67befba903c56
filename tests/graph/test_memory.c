/* Every function of the room that allocates, with memory running out at every point. A failed
 * call must leave graph and argument as they were, so each attempt ends by looking at them. */
#include "support/brutal.h"
#include "support/check.h"
#include "support/graphs.h"

static const char *const names[] = {"a", "b"};

/* What every attempt begins with; may fail itself. */
static hrr_status build(hrr_graph **graph, hrr_edge_list *edges, bool canonical)
{
    static const uint32_t pairs[2][6] = {{2, 1, 1, 0, 1, 2}, {0, 1, 0, 2, 1, 2}};
    *edges = (hrr_edge_list){0};
    hrr_status status = hrr_graph_new(graph, "oom", 4, NULL);
    if (status) return status;
    if ((status = hrr_edge_list_init(edges, 3, true, NULL))) return status;
    for (int e = 0; e < 3; e++) {
        edges->source[e] = pairs[canonical][2 * e];
        edges->target[e] = pairs[canonical][2 * e + 1];
        edges->marks[e] = (uint8_t)e;
    }
    return HRR_OK;
}

static hrr_status take(void *user)
{
    bool canonical = *(bool *)user;
    hrr_graph *graph = NULL;
    hrr_edge_list edges;
    hrr_error err = {0};
    hrr_status status = build(&graph, &edges, canonical);
    if (!status) {
        const uint32_t *source = edges.source;
        status = hrr_graph_take_edges(graph, &edges, names, 2, NULL, &err);
        if (status) {
            assert_says(err, "out of memory");
            assert_ptr_equal(edges.source, source);
            assert_int_equal(edges.n_edges, 3);
            assert_int_equal(hrr_graph_n_edges(graph), 0);
            assert_int_equal(hrr_graph_n_marks(graph), 0);
        }
    }
    hrr_edge_list_clear(&edges);
    hrr_graph_free(graph);
    return status;
}

static void test_memory__taking_edges_survives_running_out(void **state)
{
    (void)state;
    for (int canonical = 0; canonical < 2; canonical++)
        brutal(take, &(bool){canonical});
}

typedef hrr_status change(hrr_graph *graph);

static hrr_status choose(hrr_graph *graph)
{
    return hrr_graph_choose_mark(graph, "b", NULL);
}

static hrr_status fraction(hrr_graph *graph)
{
    return hrr_graph_mark_fraction(graph, 0.5, 1, NULL);
}

static hrr_status mark(hrr_graph *graph, uint32_t source, uint32_t target)
{
    hrr_edge_list edges = {.n_edges = 1, .source = &source, .target = &target};
    return hrr_graph_mark_edges(graph, &edges, NULL);
}

static hrr_status mark_present(hrr_graph *graph)
{
    return mark(graph, 1, 0);
}

static hrr_status mark_absent(hrr_graph *graph)
{
    return mark(graph, 3, 0);
}

static hrr_status provenance(hrr_graph *graph)
{
    return hrr_graph_set_provenance(graph, "a place", NULL);
}

static hrr_status classes(hrr_graph *graph)
{
    hrr_dense labels;
    hrr_status status = hrr_dense_init(&labels, HRR_U8, 4, 2, NULL);
    if (status) return status;
    status = hrr_graph_take_label_matrix(graph, &labels, NULL);
    hrr_dense_clear(&labels);
    return status ? status : hrr_graph_set_class_names(graph, names, NULL);
}

static hrr_status adjacency(hrr_graph *graph)
{
    hrr_csr matrix;
    hrr_adjacency_options options;
    hrr_adjacency_options_init(&options);
    options.self_loops = true;
    options.normalisation = HRR_NORMALISE_SYMMETRIC;
    hrr_status status = hrr_graph_adjacency(&matrix, graph, &options, NULL);
    if (status) assert_null(matrix.row_start);
    hrr_csr_clear(&matrix);
    return status;
}

static hrr_status change_graph(void *user)
{
    hrr_graph *graph = NULL;
    hrr_edge_list edges;
    hrr_status status = build(&graph, &edges, true);
    if (!status) status = hrr_graph_take_edges(graph, &edges, names, 2, NULL, NULL);
    if (!status) {
        status = (*(change **)user)(graph);
        if (status) {
            assert_edges(graph, 3, (uint32_t[]){0, 1, 0, 2, 1, 2});
            assert_memory_equal(hrr_graph_is_private(graph), ((uint8_t[]){0, 1, 1}), 3);
            assert_int_equal(hrr_graph_n_private_edges(graph), 2);
        }
    }
    hrr_edge_list_clear(&edges);
    hrr_graph_free(graph);
    return status;
}

static void test_memory__changing_a_graph_survives_running_out(void **state)
{
    (void)state;
    change *changes[] = {choose,     fraction, mark_present, mark_absent,
                         provenance, classes,  adjacency};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        brutal(change_graph, &changes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory__taking_edges_survives_running_out),
        cmocka_unit_test(test_memory__changing_a_graph_survives_running_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
