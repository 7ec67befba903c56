/* test_request.c: two requests are the same if everything public is that decides what a release
 * looks like; nothing private counts. */
#include "release/request.h"
#include "release/releases.h"
#include "support/public_head.h"

/* Each option by itself makes another request. */
static void test_request__names_every_option(void **state)
{
    (void)state;
    const double reals[] = {.25, .5, 1}, more[] = {.25, .5, 2};
    float values[] = {1, 0, 0};
    const hrr_dense directions = {.dtype = HRR_F32, .rows = 1, .cols = 3, .data = values};
    enum { n_variants = 35 };
    hrr_feature_options f[n_variants];
    hrr_edge_options e[n_variants];
    uint64_t others[n_variants][2] = {0}, n_features[n_variants];
    for (int i = 0; i < n_variants; i++) {
        hrr_feature_options_init(&f[i]);
        hrr_edge_options_init(&e[i]);
        n_features[i] = 3;
    }
    f[1].mechanism = "laplace";
    f[2].eps_nano++;
    f[3].delta = 1e-9;
    f[4].n_bins = 7;
    f[5].decoding = HRR_DECODE_BINS;
    f[6].n_sampled = 2;
    f[7].theta = reals;
    f[8].lo = reals;
    f[9].hi = reals;
    f[10].theta = more;
    f[11].directions = &directions;
    n_features[12] = 4;
    e[13].mechanism = "none";
    e[14].eps_nano++;
    e[15].tree = "barker";
    e[16].tree_share = .125;
    e[17].steps_per_node++;
    e[18].public_seed++;
    others[19][1] = 1;
    const uint32_t blocks[] = {0, 1, 1, 0, 2, 2}, other_blocks[] = {0, 1, 1, 0, 2, 1};
    e[20].count_ends = 1;
    e[21].sample_edges = true;
    for (int i = 22; i < 25; i++)
        e[i].n_blocks = 3;
    e[23].blocks = blocks;
    e[24].blocks = other_blocks;
    e[28].count_ends = e[29].count_ends = e[30].count_ends = HRR_ENDS_NEEDED;
    e[29].need = blocks;
    e[30].need = other_blocks;
    static const uint32_t rivals[14] = {0, 1, 1, 2}, other_rivals[14] = {0, 1, 2, 1};
    for (int i = 33; i < 35; i++) {
        e[i].count_ends = HRR_ENDS_NEEDED;
        e[i].need = blocks;
        e[i].rivals = i == 33 ? rivals : other_rivals;
    }
    const hrr_block_maker makers[] = {{.name = "one"}, {.name = "other"}, {"other", .version = 1}};
    const hrr_block_maker *maker[n_variants] = {NULL};
    for (int i = 25; i < 28; i++)
        maker[i] = &makers[i - 25];
    f[31].head = public_head(3, 2, HRR_OUTPUT_SOFTMAX);
    hrr_head labels = *f[31].head;
    labels.output = HRR_OUTPUT_SIGMOID;
    f[32].head = &labels;
    uint8_t request[n_variants][HRR_FINGERPRINT_SIZE], again[HRR_FINGERPRINT_SIZE];
    hrr_graph *graph = small_graph(7);
    for (int i = 0; i < n_variants; i++) {
        assert_ok(hrr_request_hash(request[i], graph, false, &f[i], n_features[i], &e[i], others[i],
                                   2, maker[i], NULL));
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(request[i], request[j], HRR_FINGERPRINT_SIZE);
    }
    e[0].threads = 7; /* changes nothing in a release */
    assert_ok(hrr_request_hash(again, graph, false, &f[0], 3, &e[0], others[0], 2, NULL, NULL));
    assert_memory_equal(again, request[0], HRR_FINGERPRINT_SIZE);
    hrr_graph_free(graph);
}

/* The edges 0-1, 1-2 and 2-3 of four nodes, with these marks. */
static hrr_graph *marked_path(uint64_t n_edges, const uint8_t *marks)
{
    static const uint32_t pairs[] = {0, 1, 1, 2, 2, 3};
    return graph_of(4, n_edges, pairs, marks);
}

static void request_of(uint8_t request[HRR_FINGERPRINT_SIZE], const hrr_graph *graph,
                       bool every_edge)
{
    assert_ok(hrr_request_hash(request, graph, every_edge, NULL, 0, NULL, NULL, 0, NULL, NULL));
}

/* Of the graph, what is public makes another request, and nothing else does. */
static void test_request__names_what_is_public_of_the_graph(void **state)
{
    (void)state;
    const uint8_t last[] = {0, 0, 1}, last_two[] = {0, 1, 1};
    uint8_t request[6][HRR_FINGERPRINT_SIZE];
    hrr_graph *with = marked_path(3, last), *without = marked_path(2, last);
    hrr_graph *less_public = marked_path(3, last_two);
    request_of(request[0], with, false);
    request_of(request[1], without, false);
    assert_memory_equal(request[0], request[1], HRR_FINGERPRINT_SIZE);
    request_of(request[1], less_public, false);
    request_of(request[2], with, true);
    request_of(request[5], without, true); /* every edge is a secret */
    assert_memory_equal(request[2], request[5], HRR_FINGERPRINT_SIZE);
    uint8_t *split = calloc(4, 1), *candidates = malloc(4);
    memset(candidates, 1, 4);
    assert_ok(hrr_graph_take_split(with, &split, NULL));
    request_of(request[3], with, false);
    assert_ok(hrr_graph_take_candidates(with, &candidates, NULL));
    request_of(request[4], with, false);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(request[i], request[j], HRR_FINGERPRINT_SIZE);
    hrr_graph_free(with);
    hrr_graph_free(without);
    hrr_graph_free(less_public);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_request__names_every_option),
        cmocka_unit_test(test_request__names_what_is_public_of_the_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
