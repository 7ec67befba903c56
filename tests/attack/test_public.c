/* What public knowledge tells without a model, and whether a model adds to it. */
#include "attack/models.h"
#include "attack/public_guess.h"
#include "attack/pairs.h"

#include <heterorr/release.h>

/* Short walks by the definition, with whole matrices. */
static void test_guesses__walks_are_products_of_matrices(void **state)
{
    (void)state;
    enum { n = 30 };
    hrr_graph *graph = small_graph(n, HRR_F32, 4, 1, 3, false, 2);
    assert_ok(hrr_graph_mark_fraction(graph, .3, 1, NULL));
    double a[n][n] = {{0}}, degree[n] = {0}, power[n][n], next[n][n], sum[n][n] = {{0}};
    for (uint64_t e = 0; e < hrr_graph_n_edges(graph); e++) {
        const uint32_t u = hrr_graph_sources(graph)[e], v = hrr_graph_targets(graph)[e];
        if (hrr_graph_is_private(graph)[e]) continue;
        a[u][v] = a[v][u] = 1;
        degree[u]++, degree[v]++;
    }
    memcpy(power, a, sizeof a);
    for (int length = 2; length <= 4; length++) {
        for (int u = 0; u < n; u++)
            for (int v = 0; v < n; v++) {
                next[u][v] = 0;
                for (int k = 0; k < n; k++)
                    if (degree[k] > 0) next[u][v] += power[u][k] / degree[k] * a[k][v];
                sum[u][v] += next[u][v];
            }
        memcpy(power, next, sizeof power);
    }
    uint32_t *nodes;
    uint64_t n_nodes;
    hrr_link_pairs pairs;
    hrr_public_guesses one, two;
    assert_ok(hrr_attack_nodes(&nodes, &n_nodes, graph, HRR_POOL_ALL, 0, 0, 20, 1, NULL));
    assert_ok(hrr_link_pairs_init(&pairs, graph, nodes, n_nodes, false, NULL));
    assert_ok(hrr_public_guesses_init(&one, &pairs, graph, hrr_graph_features(graph), nodes,
                                      n_nodes, false, 1, NULL, NULL));
    assert_ok(hrr_public_guesses_init(&two, &pairs, graph, hrr_graph_features(graph), nodes,
                                      n_nodes, false, 3, NULL, NULL));
    for (uint64_t p = 0; p < pairs.n; p++) {
        const double wanted = sum[nodes[pairs.i[p]]][nodes[pairs.j[p]]];
        assert_true(fabs(one.scores[HRR_GUESS_WALKS][p] - wanted) < 1e-12);
        double beaten = 0;
        for (uint64_t q = 0; q < pairs.n; q++)
            for (int g = 0; g < HRR_GUESS_BOTH && q != p; g++) {
                const double x = one.scores[g][p], y = one.scores[g][q];
                beaten += x > y ? 1 : x == y ? .5 : 0;
            }
        assert_true(one.scores[HRR_GUESS_BOTH][p] == beaten);
    }
    for (int g = 0; g < HRR_PUBLIC_GUESSES; g++)
        assert_memory_equal(one.scores[g], two.scores[g], pairs.n * sizeof(double));
    hrr_public_guesses_clear(&one);
    hrr_public_guesses_clear(&two);
    assert_ok(hrr_public_guesses_init(&one, &pairs, graph, hrr_graph_features(graph), nodes,
                                      n_nodes, true, 1, NULL, NULL));
    assert_null(one.scores[HRR_GUESS_WALKS]); /* nothing is public */
    assert_null(one.scores[HRR_GUESS_BOTH]);
    assert_non_null(one.scores[HRR_GUESS_FEATURES]);
    hrr_public_guesses_clear(&one);
    hrr_link_pairs_clear(&pairs);
    hrr_free(nodes);
    hrr_graph_free(graph);
}

static hrr_link_verdict judge(const hrr_model *model, const hrr_graph *graph,
                              const hrr_graph *truth, hrr_returns returns)
{
    hrr_linkteller_options options;
    hrr_linkteller_result result;
    hrr_linkteller_options_init(&options);
    options.threads = 2;
    options.runs = 1;
    options.returns = returns;
    options.decimals = 1;
    hrr_release *served = reference_of(graph);
    assert_ok(hrr_linkteller(&result, NULL, model, served, truth, &options, NULL, NULL));
    hrr_release_free(served);
    return result.verdict;
}

/* A model of private edges leaks, also where it says so little that the attack alone finds less
 * than public knowledge does; one that has seen public edges only does not. */
static void test_verdict__tells_private_from_public_knowledge(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(.3), *known = learnable(.3), *view = NULL;
    hrr_model *model = trained(graph), *floor;
    assert_ok(hrr_public_view(&view, known, true, true, NULL));
    floor = trained(view);
    hrr_link_verdict v = judge(model, graph, graph, HRR_RETURNS_LOGITS);
    assert_int_equal(v.verdict, HRR_LEAKS);
    assert_true(v.alone.difference - v.alone.half_width > 0 && v.alone.auc > .95);
    v = judge(model, graph, graph, HRR_RETURNS_ROUNDED);
    assert_int_equal(v.verdict, HRR_LEAKS);
    assert_true(v.alone.difference < 0 && v.together.difference - v.together.half_width > 0);
    v = judge(floor, view, graph, HRR_RETURNS_LOGITS);
    assert_int_equal(v.verdict, HRR_LEAK_PUBLIC_KNOWLEDGE);
    assert_true(v.alone.difference + v.alone.half_width < 0);
    assert_string_equal(hrr_leak_name(v.verdict), "public-knowledge");
    hrr_model_free(model);
    hrr_model_free(floor);
    hrr_graph_free(view);
    hrr_graph_free(known);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_guesses__walks_are_products_of_matrices),
        cmocka_unit_test(test_verdict__tells_private_from_public_knowledge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
