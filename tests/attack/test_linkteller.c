/* Which nodes and pairs are attacked, how rankings are scored, and that the attack finds edges of a
 * graph that a model was trained on. */
#include "attack/models.h"
#include "support/brutal.h"
#include "attack/pairs.h"
#include "attack/ranking.h"

static void test_nodes__come_from_the_pool(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(60, HRR_F32, 3, 1, 2, false, 3);
    uint32_t degree[60] = {0}, *nodes, *again;
    uint64_t count, count_again;
    for (uint64_t e = 0; e < hrr_graph_n_edges(graph); e++)
        degree[hrr_graph_sources(graph)[e]]++, degree[hrr_graph_targets(graph)[e]]++;
    for (int pool = 0; pool < 3; pool++) {
        assert_ok(hrr_attack_nodes(&nodes, &count, graph, (hrr_pool)pool, 3, 4, 10, 1, NULL));
        assert_ok(hrr_attack_nodes(&again, &count_again, graph, (hrr_pool)pool, 3, 4, 10, 1, NULL));
        assert_int_equal(count, 10);
        assert_memory_equal(nodes, again, 10 * sizeof *nodes);
        for (uint64_t i = 0; i < count; i++) {
            if (i) assert_true(nodes[i] > nodes[i - 1]);
            if (pool == HRR_POOL_LOW) assert_true(degree[nodes[i]] <= 3);
            if (pool == HRR_POOL_HIGH) assert_true(degree[nodes[i]] >= 4);
        }
        hrr_free(nodes);
        hrr_free(again);
    }
    assert_ok(hrr_attack_nodes(&nodes, &count, graph, HRR_POOL_ALL, 0, 0, 500, 1, NULL));
    assert_int_equal(count, 60);
    hrr_free(nodes);
    hrr_error err = {0};
    assert_int_equal(hrr_attack_nodes(&nodes, &count, graph, HRR_POOL_HIGH, 0, 59, 10, 1, &err),
                     HRR_EDATA);
    assert_null(nodes);
    assert_says(err, "pool");
    hrr_graph_free(graph);
}

/* Over 20,000 samples of 3 of 6 nodes each node is drawn with probability one half: five deviations
 * of a count are 354 (false alarm below 4e-6 for all six). */
static void test_nodes__are_drawn_alike(void **state)
{
    (void)state;
    const uint32_t pairs[] = {0, 1};
    hrr_graph *graph = graph_of(6, 1, pairs, NULL);
    int drawn[6] = {0};
    for (uint64_t seed = 0; seed < 20000; seed++) {
        uint32_t *nodes;
        uint64_t count;
        assert_ok(hrr_attack_nodes(&nodes, &count, graph, HRR_POOL_ALL, 0, 0, 3, seed, NULL));
        for (uint64_t i = 0; i < count; i++)
            drawn[nodes[i]]++;
        hrr_free(nodes);
    }
    for (int i = 0; i < 6; i++)
        assert_true(abs(drawn[i] - 10000) < 354);
    hrr_graph_free(graph);
}

static hrr_graph *marked(void)
{
    /* 0-1 public, 0-2 private, 1-3 private, 3-4 public */
    const uint32_t pairs[] = {0, 1, 0, 2, 1, 3, 3, 4};
    const uint8_t marks[] = {0, 1, 1, 0};
    return graph_of(5, 4, pairs, marks);
}

static void test_pairs__public_edges_are_left_out(void **state)
{
    (void)state;
    hrr_graph *graph = marked();
    const uint32_t nodes[] = {0, 1, 2, 3};
    hrr_link_pairs pairs;
    assert_ok(hrr_link_pairs_init(&pairs, graph, nodes, 4, false, NULL));
    assert_int_equal(pairs.n, 5);
    assert_int_equal(pairs.n_positive, 2);
    for (uint64_t p = 0; p < pairs.n; p++) {
        const uint32_t i = pairs.i[p], j = pairs.j[p];
        assert_true(i < j && !(i == 0 && j == 1));
        assert_int_equal(pairs.positive[p], (i == 0 && j == 2) || (i == 1 && j == 3));
    }
    hrr_link_pairs_clear(&pairs);
    assert_ok(hrr_link_pairs_init(&pairs, graph, nodes, 4, true, NULL));
    assert_int_equal(pairs.n, 6);
    assert_int_equal(pairs.n_positive, 3);
    hrr_link_pairs_clear(&pairs);
    hrr_error err = {0};
    const uint32_t apart[] = {2, 4};
    assert_int_equal(hrr_link_pairs_init(&pairs, graph, apart, 2, false, &err), HRR_EDATA);
    assert_says(err, "no private edge");
    const uint32_t joined[] = {0, 2};
    assert_int_equal(hrr_link_pairs_init(&pairs, graph, joined, 2, false, &err), HRR_EDATA);
    assert_says(err, "nothing to distinguish");
    hrr_graph_free(graph);
}

static void test_quality__equal_scores_count_half(void **state)
{
    (void)state;
    uint32_t ends[8] = {0};
    uint8_t positive[] = {1, 0, 1, 0, 0, 0, 0, 0};
    const hrr_link_pairs pairs = {
        .n = 8, .n_positive = 2, .i = ends, .j = ends, .positive = positive};
    const double scores[] = {5, 4, 3, 3, 3, 3, 1, 0};
    hrr_link_quality q;
    assert_ok(hrr_link_measure(&q, &pairs, scores, NULL));
    /* the first positive beats 6 of 6, the second 2 and three halves */
    assert_true(fabs(q.auc - (6 + 2 + 1.5) / 12) < 1e-12);
    assert_true(fabs(q.average_precision - (1 + 2.0 / 6) / 2) < 1e-12);
    /* k-hat 1: two pairs, one hit; 2: four pairs, and half of the four that are equal */
    assert_true(q.precision[2] == .5 && q.recall[2] == .5);
    assert_true(q.precision[3] == 1.5 / 4 && q.recall[3] == .75);
    assert_true(q.precision[4] == .25 && q.recall[4] == 1);
    assert_true(q.precision[0] == 1); /* at least one pair */
}

static void test_linkteller__finds_private_edges_either_way(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(.3);
    hrr_model *model = trained(graph);
    hrr_release *served = reference_of(graph);
    hrr_linkteller_options options;
    hrr_linkteller_options_init(&options);
    options.n_samples = 150;
    options.threads = 2;
    hrr_linkteller_result exact, asked;
    hrr_link_quality samples[3];
    assert_ok(hrr_linkteller(&exact, samples, model, served, graph, &options, NULL, NULL));
    assert_true(exact.exact && exact.runs == 3 && exact.n_nodes == 150);
    assert_true(exact.mean.auc > .95); /* a guess is .5 */
    assert_true(fabs(exact.mean.auc - (samples[0].auc + samples[1].auc + samples[2].auc) / 3) <
                1e-12);
    assert_true(exact.deviation.auc > 0);
    options.differences = true;
    assert_ok(hrr_linkteller(&asked, NULL, model, served, graph, &options, NULL, NULL));
    assert_true(!asked.exact && asked.delta == 1e-4);
    assert_true(fabs(asked.mean.auc - exact.mean.auc) < 1e-4);
    options.differences = false;
    options.returns = HRR_RETURNS_LABELS;
    assert_ok(hrr_linkteller(&asked, NULL, model, served, graph, &options, NULL, NULL));
    assert_true(!asked.exact && asked.delta == 1);
    assert_true(asked.mean.auc < exact.mean.auc);
    hrr_model_free(model);
    hrr_release_free(served);
    hrr_graph_free(graph);
}

static void test_linkteller__says_what_is_missing(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(0), *other = small_graph(20, HRR_F32, 16, 1, 3, false, 1);
    hrr_model *model = trained(graph);
    hrr_release *served = reference_of(graph);
    hrr_linkteller_options options;
    hrr_linkteller_result result;
    hrr_error err = {0};
    hrr_linkteller_options_init(&options);
    assert_int_equal(hrr_linkteller(&result, NULL, model, served, graph, &options, NULL, &err),
                     HRR_EDATA);
    assert_says(err, "`all_edges`");
    options.all_edges = true;
    assert_int_equal(hrr_linkteller(&result, NULL, model, served, other, &options, NULL, &err),
                     HRR_EDATA);
    assert_says(err, "300 nodes");
    assert_ok(hrr_linkteller(&result, NULL, model, served, graph, &options, NULL, NULL));
    assert_int_equal(result.n_nodes, 300); /* fewer than 500: all */
    options.runs = 0;
    assert_int_equal(hrr_linkteller(&result, NULL, model, served, graph, &options, NULL, &err),
                     HRR_EINVAL);
    hrr_model_free(model);
    hrr_release_free(served);
    hrr_graph_free(graph);
    hrr_graph_free(other);
}

typedef struct both {
    hrr_graph *graph;
    hrr_release *served;
    hrr_model *model;
    bool differences;
} both;

static hrr_status attack(void *user)
{
    const both *b = user;
    hrr_linkteller_options options;
    hrr_linkteller_result result;
    hrr_linkteller_options_init(&options);
    options.n_samples = 30;
    options.runs = 1;
    options.all_edges = true;
    options.differences = b->differences;
    options.threads = 1;
    return hrr_linkteller(&result, NULL, b->model, b->served, b->graph, &options, NULL, NULL);
}

static void test_linkteller__survives_every_failed_allocation(void **state)
{
    (void)state;
    both b = {.graph = graph_for(&kinds[0], 40)};
    b.model = model_of(&kinds[0], b.graph);
    b.served = reference_of(b.graph);
    assert_true(brutal(attack, &b) > 10);
    b.differences = true;
    assert_true(brutal(attack, &b) > 10);
    hrr_model_free(b.model);
    hrr_release_free(b.served);
    hrr_graph_free(b.graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes__come_from_the_pool),
        cmocka_unit_test(test_nodes__are_drawn_alike),
        cmocka_unit_test(test_pairs__public_edges_are_left_out),
        cmocka_unit_test(test_quality__equal_scores_count_half),
        cmocka_unit_test(test_linkteller__finds_private_edges_either_way),
        cmocka_unit_test(test_linkteller__says_what_is_missing),
        cmocka_unit_test(test_linkteller__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
