/* test_match_nodes.c: nodes are matched by name or by position, and strangers are refused. */
#include "support/brutal.h"
#include "support/graphs.h"

#include "base/memory.h"

#include <stdlib.h>

enum { most_nodes = 5 };

/* Names with commas between them, or NULL; all of digits: integers. */
static hrr_graph *named(uint64_t n, const char *names, bool as_integers)
{
    hrr_graph *graph = empty_graph(n);
    if (!names) return graph;
    const size_t size = strlen(names) + 1;
    hrr_node_ids ids = {.integer = hrr_alloc(n, sizeof *ids.integer),
                        .text = hrr_alloc(size, 1),
                        .text_start = hrr_alloc(n + 1, sizeof *ids.text_start)};
    assert_true(ids.integer && ids.text && ids.text_start);
    memcpy(ids.text, names, size);
    ids.text_start[0] = 0;
    uint64_t node = 0;
    for (size_t i = 0; i < size; i++) {
        if (ids.text[i] != ',' && ids.text[i] != '\0') continue;
        ids.text[i] = '\0';
        ids.integer[node] = strtoll(ids.text + ids.text_start[node], NULL, 10);
        ids.text_start[++node] = i + 1;
    }
    assert_int_equal(node, n);
    hrr_node_ids unused = as_integers ? (hrr_node_ids){NULL, ids.text, ids.text_start}
                                      : (hrr_node_ids){.integer = ids.integer};
    if (as_integers)
        ids = (hrr_node_ids){.integer = ids.integer};
    else
        ids.integer = NULL;
    hrr_node_ids_clear(&unused);
    assert_ok(hrr_graph_take_node_ids(graph, &ids, NULL));
    return graph;
}

typedef struct side {
    uint64_t n;
    const char *names;
    bool as_integers;
} side;

typedef struct pair {
    side original, other;
    uint32_t place[most_nodes];
} pair;

static hrr_status match(uint32_t *place, const pair *p)
{
    hrr_graph *original = named(p->original.n, p->original.names, p->original.as_integers);
    hrr_graph *other = named(p->other.n, p->other.names, p->other.as_integers);
    hrr_status status = hrr_graph_match_nodes(place, original, other, NULL);
    hrr_graph_free(original);
    hrr_graph_free(other);
    return status;
}

static void test_match__by_names_or_positions(void **state)
{
    (void)state;
    const pair pairs[] = {
        {{3, "a,b,c", false}, {3, "a,b,c", false}, {0, 1, 2}},
        {{3, "a,b,c", false}, {3, "c,a,b", false}, {2, 0, 1}},
        {{3, "10,20,30", true}, {3, "30,20,10", true}, {2, 1, 0}},
        {{3, "10,20,30", true}, {3, "20,30,10", false}, {1, 2, 0}}, /* 20 is "20" */
        {{4, "a,b,c,d", false}, {2, "d,b", false}, {3, 1}},
        /* One has no names: positions if there are as many, else numbers are names. */
        {{3, "a,b,c", false}, {3, NULL, false}, {0, 1, 2}},
        {{3, NULL, false}, {3, "7,8,9", true}, {0, 1, 2}},
        {{5, NULL, false}, {2, "4,1", true}, {4, 1}},
        {{4, "3,0,1,2", true}, {2, NULL, false}, {1, 2}},
        {{4, NULL, false}, {2, NULL, false}, {0, 1}},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        uint32_t place[most_nodes];
        assert_ok(match(place, &pairs[i]));
        assert_memory_equal(place, pairs[i].place, pairs[i].other.n * sizeof *place);
    }
}

static void test_match__refuses_nodes_that_the_original_has_not(void **state)
{
    (void)state;
    const pair pairs[] = {
        {{3, "a,b,c", false}, {3, "a,b,d", false}, {0}},
        {{3, "a,b,c", false}, {2, "a,a", false}, {0}},
        {{3, "a,b,c", false}, {2, NULL, false}, {0}},
        {{2, NULL, false}, {3, NULL, false}, {0}},
        {{3, NULL, false}, {2, "1,3", true}, {0}},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        uint32_t place[most_nodes];
        assert_int_equal(match(place, &pairs[i]), HRR_EDATA);
    }
}

static hrr_status match_again(void *user)
{
    hrr_graph **graphs = user;
    uint32_t place[most_nodes];
    return hrr_graph_match_nodes(place, graphs[0], graphs[1], NULL);
}

static void test_match__survives_running_out_of_memory(void **state)
{
    (void)state;
    hrr_graph *graphs[] = {named(3, "a,b,c", false), named(3, "c,b,a", false)};
    assert_true(brutal(match_again, graphs) > 2);
    hrr_graph_free(graphs[0]);
    hrr_graph_free(graphs[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_match__by_names_or_positions),
        cmocka_unit_test(test_match__refuses_nodes_that_the_original_has_not),
        cmocka_unit_test(test_match__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
