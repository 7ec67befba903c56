/* test_draws.c: no noise is used twice. Whatever is asked of protect, every address is drawn from
 * once, every row of features has draws of its own, every graph of a collection a key of its own,
 * and a second release shares no address with the first (support/draw_log.h). */
#include "random/stream.h"
#include "release/releases.h"
#include "support/draw_log.h"
#include "support/public_head.h"

#include <unistd.h>

typedef enum label_kind { LABELS_SHOWN, LABELS_CLASSES, LABELS_BITS, LABEL_KINDS } label_kind;

/* What is protected, and how much of it there is. */
typedef struct request {
    const char *features; /* NULL: there are none */
    label_kind labels;
    const char *edges, *tree;
    bool own_blocks;
    uint32_t n_graphs, nodes_a_graph, n_features, n_labels;
} request;

static const char *const all_edges[][2] = {
    {"public-only", NULL},      {"edgerr", "public"},       {"edgerr", "uniform"},
    {"edgerr", "select"},       {"edgerr", "barker"},       {"edgerr", "quotient"},
    {"edgerr", "single"},       {"edgerr", "paper"},        {"edgerr-node", NULL},
    {"edgerr-links", NULL},     {"privhrg", NULL},          {"privhrg-private", NULL},
    {"edgerand", NULL},         {"edgerand-private", NULL}, {"lapgraph", NULL},
    {"lapgraph-private", NULL}, {"edgerr-degrees", NULL},   {"none", NULL},
};
enum { n_all_edges = sizeof all_edges / sizeof *all_edges };

/* ---- the graph ------------------------------------------------------------------------------ */

/* In each graph a ring, of which every third edge is private, and a private chord at every fourth
 * node. */
static void give_edges(hrr_graph *graph, const request *r)
{
    static const char *const mark[] = {"private"};
    const uint32_t n = r->nodes_a_graph;
    hrr_edge_list edges;
    assert_ok(hrr_edge_list_init(&edges, (uint64_t)2 * n * r->n_graphs, true, NULL));
    uint64_t e = 0;
    for (uint32_t g = 0; g < r->n_graphs; g++)
        for (uint32_t i = 0; i < n; i++) {
            edges.source[e] = g * n + i;
            edges.target[e] = g * n + (i + 1) % n;
            edges.marks[e++] = i % 3 == 0;
            if (i % 4 != 0) continue;
            edges.source[e] = g * n + i;
            edges.target[e] = g * n + (i + n / 2) % n;
            edges.marks[e++] = 1;
        }
    edges.n_edges = e;
    assert_ok(hrr_graph_take_edges(graph, &edges, mark, 1, NULL, NULL));
}

static hrr_graph *make_graph(const request *r)
{
    const uint64_t n = (uint64_t)r->n_graphs * r->nodes_a_graph;
    hrr_graph *graph = empty_graph(n);
    give_edges(graph, r);
    if (r->n_graphs > 1) {
        uint32_t *id = hrr_alloc(n, sizeof *id);
        assert_non_null(id);
        for (uint64_t i = 0; i < n; i++)
            id[i] = (uint32_t)(i / r->nodes_a_graph);
        assert_ok(hrr_graph_take_graph_ids(graph, &id, NULL));
    }
    if (r->features) {
        hrr_dense features;
        assert_ok(hrr_dense_init(&features, HRR_F32, n, r->n_features, NULL));
        for (uint64_t i = 0; i < n * r->n_features; i++)
            ((float *)features.data)[i] = .5f;
        assert_ok(hrr_graph_take_features(graph, &features, NULL));
        assert_ok(hrr_graph_set_feature_range(graph, 0, 1, NULL));
    }
    if (r->labels == LABELS_BITS) {
        hrr_dense bits;
        assert_ok(hrr_dense_init(&bits, HRR_U8, n, r->n_labels, NULL));
        memset(bits.data, 1, n * r->n_labels);
        assert_ok(hrr_graph_take_label_matrix(graph, &bits, NULL));
    } else {
        int32_t *classes = hrr_alloc_zero(n, sizeof *classes);
        assert_non_null(classes);
        assert_ok(hrr_graph_take_classes(graph, &classes, 3, NULL));
    }
    return graph;
}

/* ---- one request, released in both ways ----------------------------------------------------- */

static hrr_status by_threes(uint32_t *blocks, uint32_t *need, uint32_t *rivals,
                            const hrr_shown *shown, void *user, int threads, hrr_progress *progress,
                            hrr_error *err)
{
    (void)rivals;
    (void)user, (void)threads, (void)progress, (void)err;
    for (uint64_t i = 0; i < hrr_graph_n_nodes(shown->graph); i++)
        blocks[i] = (uint32_t)i % 3, need[i] = 0;
    return HRR_OK;
}

static const hrr_block_maker maker_by_threes = {
    .name = "threes", .what = "nodes by threes", .n_blocks = 3, .make = by_threes};

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static hrr_protect_options options_for(const request *r, const hrr_dense *directions)
{
    hrr_protect_options options;
    hrr_protect_options_init(&options);
    options.paper_mode = true; /* every mechanism, certified or not */
    options.replace = true;
    options.threads = r->nodes_a_graph > 100 ? 2 : 1;
    if (r->features) {
        options.features.mechanism = r->features;
        options.features.eps_nano = 4 * HRR_EPS_UNIT;
        options.features.directions = directions;
        if (hrr_feature_mechanism_find(r->features)->needs_head)
            options.features.head = public_head(r->n_features, 3, HRR_OUTPUT_SOFTMAX);
        if (strcmp(r->features, "gaussian") == 0) options.features.delta = 1e-6;
    }
    if (r->labels != LABELS_SHOWN) options.eps_labels_nano = HRR_EPS_UNIT;
    options.edges.mechanism = r->edges;
    options.edges.tree = r->tree;
    options.edges.steps_per_node = 1;
    static const char *const without_limit[] = {"edgerr-degrees", NULL};
    if (!is_one_of(r->edges, without_limit)) /* edgerand's false edges on thousands of nodes */
        options.edges.most_edges_out = 10000000;
    static const char *const without_eps[] = {"public-only", "none", NULL};
    if (!is_one_of(r->edges, without_eps)) options.edges.eps_nano = HRR_EPS_UNIT;
    options.edges.sample_edges = true;
    return options;
}

/* What the log must hold after one release. */
static void check_all_is_drawn(const request *r)
{
    static const char *const silent_features[] = {"none", NULL};
    static const char *const silent_edges[] = {"public-only", "none", NULL};
    const uint64_t n = (uint64_t)r->n_graphs * r->nodes_a_graph, labels_per_stream = 4096;
    const bool features = r->features && !is_one_of(r->features, silent_features);
    const bool bits = r->labels == LABELS_BITS;
    draw_log_check_once();
    draw_log_check_rows(HRR_PURPOSE_FEATURE_CHANNEL, features ? 0 : n, bits ? 2 * n : n);
    if (features && strstr(r->features, "-sampled"))
        draw_log_check_rows(HRR_PURPOSE_FEATURE_CHOICE, 0, n);
    draw_log_check_rows(
        HRR_PURPOSE_LABELS, 0,
        r->labels == LABELS_CLASSES ? (n + labels_per_stream - 1) / labels_per_stream : 0);
    const size_t n_keys = draw_log_count_keys(HRR_PURPOSE_EDGE_COUNTS);
    const size_t n_channel_keys = draw_log_count_keys(HRR_PURPOSE_EDGE_CHANNEL);
    const size_t n_most = n_keys > n_channel_keys ? n_keys : n_channel_keys;
    assert_int_equal(n_most, is_one_of(r->edges, silent_edges) ? 0 : r->n_graphs);
}

static void name_request(const request *r)
{
    print_error("features %s, labels %d, edges %s, tree %s, %u graphs of %u nodes%s\n",
                r->features ? r->features : "absent", (int)r->labels, r->edges,
                r->tree ? r->tree : "-", r->n_graphs, r->nodes_a_graph,
                r->own_blocks ? ", own blocks" : "");
}

/* bundle NULL: in memory. */
static void release(const char *bundle, const request *r, const hrr_graph *graph,
                    const hrr_protect_options *options, hrr_random *random)
{
    hrr_release *kept = NULL;
    hrr_error err = {0};
    const hrr_status status =
        hrr_protect_with_maker(bundle ? NULL : &kept, NULL, bundle, graph, options,
                               r->own_blocks ? &maker_by_threes : NULL, random, NULL, &err);
    if (status) name_request(r), print_error("%s\n", err.message);
    assert_int_equal(status, HRR_OK);
    hrr_release_free(kept);
}

/* In memory, as a bundle, and in memory once more. */
static void check_request(const char *bundle, const request *r)
{
    float *ones = hrr_alloc(r->n_features, sizeof *ones);
    assert_non_null(ones);
    for (uint32_t i = 0; i < r->n_features; i++)
        ones[i] = 1;
    const hrr_dense directions = {.dtype = HRR_F32, .rows = 1, .cols = r->n_features, .data = ones};
    hrr_protect_options options = options_for(r, &directions);
    hrr_graph *graph = make_graph(r);
    hrr_random *random;
    assert_ok(hrr_random_new_insecure(&random, 1, NULL));
    draw_log_clear();
    release(NULL, r, graph, &options, random);
    check_all_is_drawn(r);
    draw_log_clear();
    release(bundle, r, graph, &options, random);
    check_all_is_drawn(r);
    release(NULL, r, graph, &options, random);
    draw_log_check_once(); /* and the two share nothing */
    hrr_random_free(random);
    hrr_graph_free(graph);
    hrr_free(ones);
}

/* ---- all requests --------------------------------------------------------------------------- */

/* Every feature mechanism with every way to edges; labels and collections take turns, so that every
 * pair of choices meets. */
static void test_draws__are_drawn_once_whatever_is_combined(void **state)
{
    const hrr_feature_mechanism *const *features = hrr_feature_mechanisms();
    for (uint32_t f = 0; features[f]; f++)
        for (uint32_t e = 0; e < n_all_edges; e++) {
            const request r = {.features = features[f]->name,
                               .labels = (f + e) % LABEL_KINDS,
                               .edges = all_edges[e][0],
                               .tree = all_edges[e][1],
                               .n_graphs = 1 + 2 * ((f / 3 + e / 3) % 2),
                               .nodes_a_graph = 8,
                               .n_features = 3,
                               .n_labels = 2};
            check_request(in_dir(*state, "b"), &r);
        }
}

/* More rows than one block of them has (stream_rows.c: 2^20 numbers), features and labels. */
static void test_draws__are_drawn_once_in_blocks_of_rows(void **state)
{
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++) {
        const request r = {.features = (*row)->name,
                           .edges = "public-only",
                           .n_graphs = 1,
                           .nodes_a_graph = 1100,
                           .n_features = 1024};
        check_request(in_dir(*state, "b"), &r);
    }
    const request bits = {.features = "featurerr",
                          .labels = LABELS_BITS,
                          .edges = "public-only",
                          .n_graphs = 1,
                          .nodes_a_graph = 1100,
                          .n_features = 2,
                          .n_labels = 1024};
    check_request(in_dir(*state, "b"), &bits);
}

/* More queries, pieces of cells and labels than one stream serves. */
static void test_draws__are_drawn_once_in_large_graphs(void **state)
{
    for (int e = 0; e < n_all_edges; e++)
        for (uint32_t n_graphs = 1; n_graphs <= 2; n_graphs++) {
            const request r = {.labels = LABELS_CLASSES,
                               .edges = all_edges[e][0],
                               .tree = all_edges[e][1],
                               .n_graphs = n_graphs,
                               .nodes_a_graph = 5000};
            check_request(in_dir(*state, "b"), &r);
        }
}

static void test_draws__are_drawn_once_with_own_blocks(void **state)
{
    for (uint32_t n_graphs = 1; n_graphs <= 3; n_graphs++)
        for (int labels = 0; labels < LABEL_KINDS; labels++) {
            const request r = {.features = "featurerr",
                               .labels = labels,
                               .edges = "edgerr-node",
                               .own_blocks = true,
                               .n_graphs = n_graphs,
                               .nodes_a_graph = 300,
                               .n_features = 3,
                               .n_labels = 2};
            check_request(in_dir(*state, "b"), &r);
        }
}

/* ---- the log itself ------------------------------------------------------------------------- */

/* Not blind: the words that a cursor gives out are counted, those in its buffer are not. */
static void test_log__knows_what_was_drawn(void **state)
{
    (void)state;
    hrr_random *random;
    hrr_stream *stream;
    assert_ok(hrr_random_new_insecure(&random, 1, NULL));
    draw_log_clear();
    assert_ok(hrr_stream_new(&stream, random, NULL));
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 4);
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 5);
    (void)hrr_stream_u64(stream);
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 6);
    (void)hrr_stream_u64(stream);
    hrr_stream_free(stream);
    draw_log_check_rows(HRR_PURPOSE_TEST, 5, 7); /* nothing was drawn at 4 */
    assert_int_equal(draw_log_check_once(), 2);
    assert_int_equal(draw_log_count_keys(HRR_PURPOSE_TEST), 1);
    hrr_random_free(random);
}

int main(void)
{
    /* Thousands of bundles, each synced to its disk: in memory where that is possible. */
    if (access("/dev/shm", W_OK | X_OK) == 0) setenv("TMPDIR", "/dev/shm", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log__knows_what_was_drawn),
        WITH_SCRATCH(test_draws__are_drawn_once_whatever_is_combined),
        WITH_SCRATCH(test_draws__are_drawn_once_in_blocks_of_rows),
        WITH_SCRATCH(test_draws__are_drawn_once_in_large_graphs),
        WITH_SCRATCH(test_draws__are_drawn_once_with_own_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
