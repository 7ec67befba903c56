/* test_choice.c: which mechanism is chosen, and what is said against it, is a table of public
 * facts, and depends on nothing else. */
#include "experiment/made_graphs.h"
#include "release/choice.h"

#include <heterorr/learn.h>
#include <heterorr/release.h>

#include <string.h>

enum {
    learning = HRR_FACT_LEARNING,
    public_edges = HRR_FACT_PUBLIC_EDGES,
    one_class = HRR_FACT_ONE_CLASS,
    classified = learning | public_edges | one_class
};

static const uint64_t one = HRR_EPS_UNIT;

static void assert_text(const char *found, const char *wanted)
{
    if (!wanted) {
        assert_null(found);
    } else {
        assert_non_null(found);
        assert_non_null(strstr(found, wanted));
    }
}

static void test_features__are_chosen_by_facts(void **state)
{
    (void)state;
    static const struct {
        unsigned bits;
        const char *mechanism;
        uint32_t n_propagate;
    } rows[] = {
        {classified, "pm-sub-sampled", 8},
        {learning | public_edges, "pm-sub-sampled", 0},  /* several labels a node */
        {learning | one_class, "pm-sub-sampled", 0},     /* every edge is private */
        {public_edges | one_class, "pm-sub-sampled", 0}, /* for structure */
        {0, "pm-sub-sampled", 0},
        {classified | HRR_FACT_PAPER_MODE, "featurerr", 0},
        {classified | HRR_FACT_DIRECTIONS, "featurerr-projected", 0},
        {classified | HRR_FACT_HEAD, "featurerr-head", 0},
        {classified | HRR_FACT_BINS, "featurerr", 0},
        {classified | HRR_FACT_DELTA, "gaussian", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const hrr_public_facts facts = {.bits = rows[i].bits, .n_features = 16};
        const hrr_chosen_features choice = hrr_choose_features(&facts);
        assert_string_equal(choice.mechanism, rows[i].mechanism);
        assert_int_equal(choice.n_propagate, rows[i].n_propagate);
        assert_non_null(choice.because);
    }
}

static void test_edges__are_chosen_by_facts(void **state)
{
    (void)state;
    static const struct {
        unsigned bits;
        const char *mechanism;
        bool sampled;
    } rows[] = {
        {classified, "edgerr-node", false},
        {learning | one_class, "edgerr-node", false},    /* every edge is private */
        {learning | public_edges, "edgerr-node", false}, /* several labels a node */
        {learning, "edgerr-node", true},
        {public_edges | one_class, "edgerr", false},
        {public_edges, "edgerr", false},
        {0, "edgerr-degrees", false},
        {classified | HRR_FACT_PAPER_MODE, "edgerr", false},
        {classified | HRR_FACT_TREE, "edgerr", false},
        {public_edges | HRR_FACT_BLOCKS, "edgerr-node", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hrr_public_facts facts = {.bits = rows[i].bits, .eps_edges_nano = one};
        const hrr_chosen_edges choice = hrr_choose_edges(&facts);
        assert_string_equal(choice.mechanism, rows[i].mechanism);
        assert_int_equal(choice.sample_edges, rows[i].sampled);
        facts.eps_edges_nano = 0;
        assert_string_equal(hrr_choose_edges(&facts).mechanism, "public-only");
    }
}

static void test_cautions__stand_where_the_table_says(void **state)
{
    (void)state;
    static const char *const nothing = "an epsilon of 0.001";
    static const struct {
        unsigned bits;
        uint64_t n_features, eps_nano;
        const char *caution;
    } features[] = {
        {classified, 16, one, nothing},
        {classified, 16, one + 1, NULL},
        {classified, 127, 4 * one, NULL},
        {classified, 128, 4 * one, nothing},
        {classified, 128, 4 * one + 1, NULL},
        {classified, 16, HRR_EPS_NOTHING, NULL},
        {classified, 16, 0, NULL},
        {classified, 0, one, NULL},
        {classified | HRR_FACT_DIRECTIONS, 16, one, NULL},
        {classified | HRR_FACT_HEAD, 16, one, NULL},
        {classified | HRR_FACT_HEAD | HRR_FACT_HALF_LABELLED, 16, one, "one of seven graphs"},
        {classified | HRR_FACT_HEAD | HRR_FACT_HALF_LABELLED, 16, one + 1, NULL},
        {classified | HRR_FACT_HALF_LABELLED, 16, one, nothing},
        {classified & ~(unsigned)learning, 16, one, NULL},
        {learning | one_class, 16, one, NULL},
        {learning | public_edges, 50, 9 * one, nothing},
        {learning | public_edges, 49, 9 * one, NULL},
    };
    static const struct {
        unsigned bits;
        const char *mechanism;
        uint64_t eps_nano;
        const char *caution;
    } edges[] = {
        {classified, "edgerr-node", one, NULL},
        {classified, "edgerr-node", one / 2, "counts of neighbours"},
        {classified, "edgerr", 20 * one, "synthetic edges"},
        {classified, "lapgraph", one, "synthetic edges"},
        {classified, "public-only", 0, NULL},
        {learning | public_edges, "edgerr-node", 4 * one, NULL}, /* several labels a node */
        {learning | public_edges | one_class, "edgerr", 4 * one, "synthetic edges"},
        {public_edges, "edgerr", one, NULL},
        {public_edges, "edgerr-node", one / 2, NULL},
        {public_edges, "edgerand", one, "quarter of all pairs"},
        {public_edges, "edgerand", one + 1, NULL},
    };
    hrr_protect_options options;
    hrr_protect_options_init(&options);
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        const hrr_public_facts facts = {.bits = features[i].bits,
                                        .n_features = features[i].n_features,
                                        .eps_features_nano = features[i].eps_nano};
        assert_text(hrr_caution_features(&facts, &options), features[i].caution);
    }
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        const hrr_public_facts facts = {.bits = edges[i].bits, .eps_edges_nano = edges[i].eps_nano};
        options.edges.mechanism = edges[i].mechanism;
        assert_text(hrr_caution_edges(&facts, &options), edges[i].caution);
    }
}

static hrr_protect_options nothing_named(void)
{
    hrr_protect_options options;
    hrr_protect_options_init(&options);
    options.features.mechanism = options.edges.mechanism = NULL;
    options.features.eps_nano = options.edges.eps_nano = one;
    return options;
}

static void test_graph__gives_its_facts_and_gets_its_choice(void **state)
{
    (void)state;
    hrr_graph *half = made_graph(60, 6, .5, false), *all = made_graph(60, 6, 1, false),
              *several = made_graph(60, 6, .5, true);
    hrr_protect_options options = nothing_named();
    assert_int_equal(hrr_usual_use(half), HRR_FOR_LEARNING);
    enum { half_labelled = HRR_FACT_HALF_LABELLED }; /* 60 % are trained on */
    assert_int_equal(hrr_public_facts_of(half, &options, HRR_FOR_LEARNING).bits,
                     classified | half_labelled);
    assert_int_equal(hrr_public_facts_of(all, &options, HRR_FOR_LEARNING).bits,
                     learning | one_class | half_labelled);
    assert_int_equal(hrr_public_facts_of(several, &options, HRR_FOR_LEARNING).bits,
                     learning | public_edges);
    options.edges.mechanism = "lapgraph"; /* to which no edge is public */
    assert_int_equal(hrr_public_facts_of(half, &options, HRR_FOR_LEARNING).bits,
                     learning | one_class | half_labelled);
    options.edges.mechanism = NULL;
    hrr_protect_choose(&options, half, HRR_FOR_LEARNING);
    assert_string_equal(options.features.mechanism, "pm-sub-sampled");
    assert_int_equal(options.n_propagate, 8);
    assert_string_equal(options.edges.mechanism, "edgerr-node");
    assert_int_equal(options.blocks_from, HRR_BLOCKS_PREDICTED);
    options = nothing_named();
    options.features.mechanism = "multibit"; /* what is named stays, as it is */
    options.edges.mechanism = "edgerr";
    hrr_protect_choose(&options, half, HRR_FOR_LEARNING);
    assert_string_equal(options.features.mechanism, "multibit");
    assert_string_equal(options.edges.mechanism, "edgerr");
    assert_int_equal(options.n_propagate, 0);
    assert_null(options.features_because);
    assert_null(options.edges_because);
    hrr_graph_free(half);
    hrr_graph_free(all);
    hrr_graph_free(several);
}

/* A split with fewer than half to train on, one with half, and none, which train deals. */
static void test_graph__is_half_labelled_if_half_of_its_nodes_are_trained_on(void **state)
{
    (void)state;
    const hrr_protect_options options = nothing_named();
    for (int i = 0; i < 3; i++) {
        static const double shares[] = {.1, .5};
        hrr_graph *made = made_graph(60, 6, .5, false), *graph;
        assert_ok(hrr_graph_copy(&graph, made, HRR_COPY_EDGES | HRR_COPY_LABELS | HRR_COPY_FEATURES,
                                 NULL));
        uint8_t *split = i < 2 ? hrr_split_new(60, shares[i], .1, 1, NULL) : NULL;
        if (split) assert_ok(hrr_graph_take_split(graph, &split, NULL));
        const hrr_public_facts facts = hrr_public_facts_of(graph, &options, HRR_FOR_LEARNING);
        assert_int_equal((facts.bits & HRR_FACT_HALF_LABELLED) != 0, i > 0);
        hrr_graph_free(made);
        hrr_graph_free(graph);
    }
}

/* Member by member: there is room between them, whose bytes say nothing. */
static void assert_same_facts(const hrr_public_facts *a, const hrr_public_facts *b)
{
    assert_int_equal(a->bits, b->bits);
    assert_int_equal(a->n_features, b->n_features);
    assert_int_equal(a->eps_features_nano, b->eps_features_nano);
    assert_int_equal(a->eps_edges_nano, b->eps_edges_nano);
}

/* The same nodes, labels and public edges; other features, and one private edge less. */
static void test_choice__does_not_depend_on_what_is_private(void **state)
{
    (void)state;
    hrr_graph *graph = made_graph(60, 6, .5, false), *known = NULL;
    for (int protects_labels = 0; protects_labels < 2; protects_labels++)
        for (int use = 0; hrr_uses()[use]; use++) {
            hrr_protect_options a = nothing_named(), b = a;
            a.eps_labels_nano = b.eps_labels_nano = protects_labels ? one : 0;
            assert_ok(hrr_public_view(&known, graph, true, true, NULL));
            /* Everything that differs between the two is private. */
            const hrr_public_facts facts = hrr_public_facts_of(graph, &a, (hrr_use)use),
                                   others = hrr_public_facts_of(known, &b, (hrr_use)use);
            assert_same_facts(&facts, &others);
            hrr_graph_free(known);
        }
    const hrr_dense *features = hrr_graph_features(graph);
    hrr_protect_options options = nothing_named();
    const hrr_public_facts before = hrr_public_facts_of(graph, &options, HRR_FOR_LEARNING);
    memset(features->data, 0, features->rows * features->cols * hrr_dtype_size(features->dtype));
    const hrr_public_facts after = hrr_public_facts_of(graph, &options, HRR_FOR_LEARNING);
    assert_same_facts(&before, &after);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_features__are_chosen_by_facts),
        cmocka_unit_test(test_edges__are_chosen_by_facts),
        cmocka_unit_test(test_cautions__stand_where_the_table_says),
        cmocka_unit_test(test_graph__gives_its_facts_and_gets_its_choice),
        cmocka_unit_test(test_graph__is_half_labelled_if_half_of_its_nodes_are_trained_on),
        cmocka_unit_test(test_choice__does_not_depend_on_what_is_private),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
