/* How a run of the generator behaves: options, threads, cancellation, memory. */
#include "support/brutal.h"
#include "support/check.h"

#include <heterorr/generate.h>

#include <math.h>
#include <time.h>

static void test_options__defaults_make_a_graph(void **state)
{
    (void)state;
    hrr_generate_options options;
    hrr_graph *graph;
    hrr_generate_options_init(&options);
    assert_ok(hrr_generate(&graph, NULL, &options, NULL, NULL));
    assert_int_equal(hrr_graph_n_nodes(graph), 2000);
    assert_int_equal(hrr_graph_n_edges(graph), 10000);
    assert_non_null(strstr(hrr_graph_provenance(graph), "n_nodes 2000, average_degree 10, "));
    assert_non_null(strstr(hrr_graph_provenance(graph), "seed 1"));
    hrr_graph_free(graph);
}

typedef void spoil(hrr_generate_options *options);

static void no_nodes(hrr_generate_options *o)
{
    o->n_nodes = 0;
}
static void many_nodes(hrr_generate_options *o)
{
    o->n_nodes = HRR_MAX_NODES + 1;
}
static void no_graphs(hrr_generate_options *o)
{
    o->n_graphs = 0;
}
static void many_graphs(hrr_generate_options *o)
{
    o->n_graphs = 2001;
}
static void no_classes(hrr_generate_options *o)
{
    o->n_classes = 0;
}
static void many_classes(hrr_generate_options *o)
{
    o->n_classes = 11, o->n_graphs = 200;
}
static void negative_degree(hrr_generate_options *o)
{
    o->average_degree = -1;
}
static void infinite_degree(hrr_generate_options *o)
{
    o->average_degree = INFINITY;
}
static void large_degree(hrr_generate_options *o)
{
    o->average_degree = 600;
}
static void low_exponent(hrr_generate_options *o)
{
    o->degree_exponent = 2;
}
static void nan_exponent(hrr_generate_options *o)
{
    o->degree_exponent = NAN;
}
static void doubles(hrr_generate_options *o)
{
    o->feature_dtype = HRR_F64;
}
static void high_homophily(hrr_generate_options *o)
{
    o->homophily = 1.01;
}
static void nan_homophily(hrr_generate_options *o)
{
    o->homophily = NAN;
}
static void low_private(hrr_generate_options *o)
{
    o->private_fraction = -0.1;
}
static void high_important(hrr_generate_options *o)
{
    o->important_fraction = 2;
}
static void high_sensitive(hrr_generate_options *o)
{
    o->sensitive_fraction = 2;
}

static void test_options__that_make_no_sense_are_refused_by_name(void **state)
{
    (void)state;
    const struct {
        spoil *spoil;
        const char *says;
    } cases[] = {
        {no_nodes, "`n_nodes` must lie between 1 and 2147483647"},
        {many_nodes, "`n_nodes` must"},
        {no_graphs, "`n_graphs` must lie between 1 and"},
        {many_graphs, "`n_graphs` must"},
        {no_classes, "`n_classes` must lie between 1 and 2000"},
        {many_classes, "`n_classes` must lie between 1 and 10, the nodes of one graph"},
        {negative_degree, "`average_degree` must be 0 or more"},
        {infinite_degree, "`average_degree` must"},
        {large_degree, "`average_degree` must be at most 561.4 "}, /* 0.9 * 499 / 0.8 */
        {low_exponent, "`degree_exponent` must be greater than 2"},
        {nan_exponent, "`degree_exponent` must"},
        {doubles, "`feature_dtype` must be f32 or u8"},
        {high_homophily, "`homophily` must lie between 0 and 1"},
        {nan_homophily, "`homophily` must"},
        {low_private, "`private_fraction` must lie between 0 and 1"},
        {high_important, "`important_fraction` must lie between 0 and 1"},
        {high_sensitive, "`sensitive_fraction` must lie between 0 and 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hrr_generate_options options;
        hrr_generated_truth truth = {(uint8_t *)"", NULL};
        hrr_graph *graph = (hrr_graph *)&options;
        hrr_error err = {0};
        hrr_generate_options_init(&options);
        cases[i].spoil(&options);
        assert_int_equal(hrr_generate(&graph, &truth, &options, NULL, &err), HRR_EINVAL);
        assert_says(err, cases[i].says);
        assert_null(graph);
        assert_null(truth.important);
    }
}

/* Several blocks of nodes, so that threads have something to share. */
static hrr_graph *with_threads(int threads, uint64_t seed)
{
    hrr_generate_options options;
    hrr_graph *graph;
    hrr_generate_options_init(&options);
    options.n_nodes = 30000;
    options.n_graphs = 2;
    options.multilabel = true;
    options.threads = threads;
    options.seed = seed;
    assert_ok(hrr_generate(&graph, NULL, &options, NULL, NULL));
    return graph;
}

static bool same_graph(const hrr_graph *a, const hrr_graph *b)
{
    size_t n = hrr_graph_n_nodes(a), m = hrr_graph_n_edges(a);
    return hrr_graph_n_edges(b) == m &&
           !memcmp(hrr_graph_sources(a), hrr_graph_sources(b), m * sizeof(uint32_t)) &&
           !memcmp(hrr_graph_targets(a), hrr_graph_targets(b), m * sizeof(uint32_t)) &&
           !memcmp(hrr_graph_is_private(a), hrr_graph_is_private(b), m) &&
           !memcmp(hrr_graph_split(a), hrr_graph_split(b), n) &&
           !memcmp(hrr_graph_label_matrix(a)->data, hrr_graph_label_matrix(b)->data, n * 4) &&
           !memcmp(hrr_graph_features(a)->data, hrr_graph_features(b)->data, n * 16 * 4) &&
           !memcmp(hrr_graph_masked_features(a)->data, hrr_graph_masked_features(b)->data,
                   n * 16 * 4);
}

static void test_threads__do_not_change_a_byte(void **state)
{
    (void)state;
    hrr_graph *one = with_threads(1, 9);
    for (int threads = 2; threads <= 3; threads++) {
        hrr_graph *more = with_threads(threads, 9);
        assert_true(same_graph(one, more));
        hrr_graph_free(more);
    }
    hrr_graph *other = with_threads(1, 10);
    assert_false(same_graph(one, other));
    hrr_graph_free(other);
    hrr_graph_free(one);
}

/* Cancels when the phase it was told of is first shown. */
typedef struct canceller {
    hrr_progress *progress;
    const char *phase;
    struct timespec when;
    bool cancelled;
} canceller;

static void cancel_in_phase(void *user, const hrr_progress_view *view)
{
    canceller *c = user;
    if (strcmp(view->phase, c->phase) != 0 || c->cancelled) return;
    c->cancelled = true;
    clock_gettime(CLOCK_MONOTONIC, &c->when);
    hrr_progress_cancel(c->progress);
}

static void test_cancel__is_answered_within_a_second_in_long_phases(void **state)
{
    (void)state;
    const char *phases[] = {"drawing edges", "drawing features"};
    for (int i = 0; i < 2; i++) {
        canceller c = {.phase = phases[i]};
        hrr_generate_options options;
        hrr_generated_truth truth;
        hrr_graph *graph = NULL;
        hrr_error err = {0};
        struct timespec now;
        hrr_generate_options_init(&options);
        options.n_nodes = 400000;
        options.average_degree = i == 0 ? 20 : 1;
        options.n_features = i == 0 ? 0 : 300;
        options.feature_dtype = HRR_U8;
        assert_ok(hrr_progress_new(&c.progress, cancel_in_phase, &c, NULL));
        assert_int_equal(hrr_generate(&graph, &truth, &options, c.progress, &err), HRR_ECANCEL);
        clock_gettime(CLOCK_MONOTONIC, &now);
        assert_true(c.cancelled);
        assert_true((double)(now.tv_sec - c.when.tv_sec) +
                        (double)(now.tv_nsec - c.when.tv_nsec) * 1e-9 <
                    1);
        assert_says(err, "interrupted");
        assert_null(graph);
        assert_null(truth.important);
        hrr_progress_free(c.progress);
    }
}

static void test_cancel__before_the_start_stops_every_size(void **state)
{
    (void)state;
    hrr_generate_options options;
    hrr_progress *progress;
    hrr_graph *graph;
    hrr_generate_options_init(&options);
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(hrr_generate(&graph, NULL, &options, progress, NULL), HRR_ECANCEL);
    assert_null(graph);
    hrr_progress_free(progress);
}

static hrr_status tiny(void *user)
{
    hrr_generate_options options;
    hrr_generated_truth truth;
    hrr_graph *graph;
    hrr_generate_options_init(&options);
    options.n_nodes = 20;
    options.average_degree = 2;
    options.n_graphs = 2;
    options.n_classes = 2;
    options.multilabel = *(bool *)user;
    options.threads = 1;
    hrr_status status = hrr_generate(&graph, &truth, &options, NULL, NULL);
    if (status) {
        assert_null(graph);
        assert_null(truth.important);
    }
    hrr_generated_truth_clear(&truth);
    hrr_graph_free(graph);
    return status;
}

static void test_memory__running_out_leaks_nothing(void **state)
{
    (void)state;
    for (int multilabel = 0; multilabel < 2; multilabel++)
        brutal(tiny, &(bool){multilabel});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options__defaults_make_a_graph),
        cmocka_unit_test(test_options__that_make_no_sense_are_refused_by_name),
        cmocka_unit_test(test_threads__do_not_change_a_byte),
        cmocka_unit_test(test_cancel__is_answered_within_a_second_in_long_phases),
        cmocka_unit_test(test_cancel__before_the_start_stops_every_size),
        cmocka_unit_test(test_memory__running_out_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
