/* The trees select, barker and quotient as edgerr.c uses them: on awkward graphs, with tiny and
 * huge budgets, without memory, interrupted. */
#include "support/brutal.h"
#include "support/dendrograms.h"
#include "edge/barker.h"
#include "edge/trees.h"

#include <heterorr/privacy.h>
#include <math.h>
#include <stdlib.h>

static const hrr_tree_method *const methods[] = {&hrr_tree_select, &hrr_tree_barker,
                                                 &hrr_tree_quotient};
enum { N_METHODS = 3, MOST_EDGES = 4000 };

typedef struct example {
    hrr_edge_public known;
    hrr_edge_secret secret;
    uint32_t source[2][MOST_EDGES], target[2][MOST_EDGES];
    uint8_t candidates[100];
} example;

/* Each pair is an edge with probability 1 / one_in, and then private with 1 / hidden_one_in. */
static example *random_example(uint32_t n, uint64_t one_in, uint64_t hidden_one_in, uint64_t seed)
{
    example *x = calloc(1, sizeof *x);
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    uint64_t count[2] = {0};
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = u + 1; v < n; v++) {
            if (hrr_fast_below(&random, one_in) != 0) continue;
            const int hidden = hrr_fast_below(&random, hidden_one_in) == 0;
            x->source[hidden][count[hidden]] = u;
            x->target[hidden][count[hidden]++] = v;
        }
    x->known = (hrr_edge_public){
        .n_nodes = n, .n_edges = count[0], .source = x->source[0], .target = x->target[0]};
    x->secret = (hrr_edge_secret){count[1], x->source[1], x->target[1]};
    return x;
}

static hrr_status run(hrr_dendrogram *out, hrr_tree_plan *plan, const hrr_tree_method *method,
                      const example *x, uint64_t eps_nano, uint64_t seed, hrr_progress *progress)
{
    hrr_edge_options options;
    hrr_edge_options_init(&options);
    options.threads = 1;
    *plan = (hrr_tree_plan){.known = &x->known, .options = &options, .eps_tree_nano = eps_nano};
    hrr_random *random = NULL;
    double realised;
    hrr_status status = method->prepare(plan, progress, NULL);
    if (!status) status = hrr_random_new_insecure(&random, seed, NULL);
    if (!status) status = method->draw(out, &realised, plan, &x->secret, random, progress, NULL);
    hrr_random_free(random);
    if (plan->state) method->release(plan->state);
    plan->state = NULL;
    if (plan->start.leaf) hrr_dendrogram_clear(&plan->start);
    return status;
}

static double realise(const hrr_tree_method *method, const hrr_tree_plan *plan)
{
    const hrr_edge_claim terms = {.eps_tree_nano = plan->eps_tree_nano,
                                  .n_candidates = plan->n_candidates,
                                  .most_pairs_split = plan->most_pairs_split};
    return method->realised(&terms);
}

static void check(const example *x, uint64_t eps_nano)
{
    for (int i = 0; i < N_METHODS; i++) {
        hrr_dendrogram tree, again;
        hrr_tree_plan plan;
        assert_ok(run(&tree, &plan, methods[i], x, eps_nano, 1, NULL));
        assert_int_equal(tree.n_leaves, x->known.n_nodes);
        assert_true(hrr_dendrogram_complete(&tree));
        assert_null(methods[i]->not_certified);
        assert_non_null(methods[i]->evidence);
        const double realised = realise(methods[i], &plan);
        assert_true(realised >= 0);
        assert_true(realised <= (double)eps_nano / HRR_EPS_UNIT * (1 + 1e-15));
        const uint64_t steps = plan.chain_steps;
        assert_ok(run(&again, &plan, methods[i], x, eps_nano, 1, NULL));
        assert_int_equal(plan.chain_steps, steps);
        assert_memory_equal(tree.leaf, again.leaf, tree.n_leaves * sizeof *tree.leaf);
        hrr_dendrogram_clear(&tree);
        hrr_dendrogram_clear(&again);
    }
}

static void test_certified_trees__awkward_graphs(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 5; n++)
        for (uint64_t one_in = 1; one_in <= 3; one_in++) {
            example *x = random_example(n, one_in, 2, n);
            check(x, HRR_EPS_UNIT);
            free(x);
        }
    example *none = random_example(40, 1000000, 2, 1);
    example *no_public = random_example(40, 4, 1, 2);
    example *no_private = random_example(40, 4, 1000000, 3);
    check(none, HRR_EPS_UNIT);
    check(no_public, HRR_EPS_UNIT);
    check(no_private, HRR_EPS_UNIT);
    free(none), free(no_public), free(no_private);

    example *star = calloc(1, sizeof *star); /* half of its edges private; node 59 apart */
    for (uint32_t v = 1; v < 59; v++) {
        const int hidden = v % 2;
        uint64_t *m = hidden ? &star->secret.n_edges : &star->known.n_edges;
        star->target[hidden][(*m)++] = v;
    }
    star->known.n_nodes = 60;
    star->known.source = star->source[0], star->known.target = star->target[0];
    star->secret.source = star->source[1], star->secret.target = star->target[1];
    check(star, HRR_EPS_UNIT);
    free(star);
}

static void test_certified_trees__tiny_and_huge_budgets(void **state)
{
    (void)state;
    example *x = random_example(60, 6, 3, 4);
    static const uint64_t budgets[] = {1, 1000, 1000000, HRR_EPS_UNIT, HRR_EPS_MAX};
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++)
        check(x, budgets[i]);
    free(x);
}

static void test_certified_trees__candidate_sets(void **state)
{
    (void)state;
    example *x = random_example(60, 6, 3, 5);
    for (uint32_t i = 0; i < 60; i++)
        x->candidates[i] = 1;
    x->known.candidates = x->candidates;
    check(x, HRR_EPS_UNIT);
    uint64_t kept = 0;
    for (uint32_t i = 0; i < 60; i += 3)
        x->candidates[i] = 0;
    for (uint64_t e = 0; e < x->secret.n_edges; e++) {
        const uint32_t u = x->source[1][e], v = x->target[1][e];
        if (u % 3 != 0 && v % 3 != 0) x->source[1][kept] = u, x->target[1][kept++] = v;
    }
    x->secret.n_edges = kept;
    check(x, HRR_EPS_UNIT);
    memset(x->candidates, 0, sizeof x->candidates);
    x->secret.n_edges = 0;
    check(x, HRR_EPS_UNIT);
    free(x);
}

/* What is known before the draw does not depend on the secret. */
static void test_certified_trees__plan_without_the_secret(void **state)
{
    (void)state;
    example *x = random_example(50, 6, 3, 6);
    for (int i = 0; i < N_METHODS; i++) {
        hrr_dendrogram tree;
        hrr_tree_plan with, without;
        assert_ok(run(&tree, &with, methods[i], x, HRR_EPS_UNIT, 1, NULL));
        hrr_dendrogram_clear(&tree);
        const uint64_t n_edges = x->secret.n_edges;
        x->secret.n_edges = 0;
        assert_ok(run(&tree, &without, methods[i], x, HRR_EPS_UNIT, 1, NULL));
        x->secret.n_edges = n_edges;
        assert_int_equal(with.chain_steps, without.chain_steps);
        assert_true(realise(methods[i], &with) == realise(methods[i], &without));
        hrr_dendrogram_clear(&tree);
    }
    free(x);
}

/* Two groups that only private edges show; the public tree knows nothing of them. With all of the
 * largest budget the trees lean towards them. Means over 20 seeds. */
static double private_likelihood(const hrr_dendrogram *tree, const example *x)
{
    uint64_t edges[100], pairs[100];
    const hrr_edge_score score = {.bits = 20};
    assert_ok(hrr_dendrogram_count(edges, tree, x->secret.n_edges, x->secret.source,
                                   x->secret.target, NULL));
    assert_ok(hrr_dendrogram_candidate_pairs(pairs, tree, &x->known, NULL));
    return ldexp((double)hrr_edge_score_tree(&score, tree->n_leaves - 1, edges, pairs), -20);
}

static void test_certified_trees__lean_towards_private_edges(void **state)
{
    (void)state;
    example *x = calloc(1, sizeof *x);
    enum { n = 60 };
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = u + 1; v < n; v++)
            if (u % 2 == v % 2) {
                x->source[1][x->secret.n_edges] = u;
                x->target[1][x->secret.n_edges++] = v;
            }
    x->known = (hrr_edge_public){.n_nodes = n, .source = x->source[0], .target = x->target[0]};
    x->secret.source = x->source[1], x->secret.target = x->target[1];
    for (int i = 0; i < N_METHODS; i++) {
        double mean[2] = {0};
        for (uint64_t seed = 0; seed < 20; seed++)
            for (int huge = 0; huge < 2; huge++) {
                hrr_dendrogram tree;
                hrr_tree_plan plan;
                assert_ok(run(&tree, &plan, methods[i], x, huge ? HRR_EPS_MAX : 1, seed, NULL));
                mean[huge] += private_likelihood(&tree, x) / 20;
                hrr_dendrogram_clear(&tree);
            }
        print_message("%s: L_pri %.1f without budget, %.1f with eps 20\n", methods[i]->about.name,
                      mean[0], mean[1]);
        assert_true(mean[1] > mean[0]);
    }
    free(x);
}

typedef struct attempt {
    const hrr_tree_method *method;
    const example *x;
} attempt;

static hrr_status try_once(void *user)
{
    const attempt *a = user;
    hrr_dendrogram tree;
    hrr_tree_plan plan;
    hrr_status status = run(&tree, &plan, a->method, a->x, HRR_EPS_UNIT, 1, NULL);
    if (!status) hrr_dendrogram_clear(&tree);
    return status;
}

static void test_certified_trees__survive_lack_of_memory(void **state)
{
    (void)state;
    example *x = random_example(12, 2, 3, 8);
    for (int with = 0; with < 2; with++) {
        for (int i = 0; i < N_METHODS; i++)
            assert_true(brutal(try_once, &(attempt){methods[i], x}) > 10);
        memset(x->candidates, 1, sizeof x->candidates);
        x->known.candidates = x->candidates;
    }
    free(x);
}

static void test_certified_trees__can_be_cancelled(void **state)
{
    (void)state;
    example *x = random_example(40, 4, 3, 9);
    hrr_progress *progress;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    for (int i = 0; i < N_METHODS; i++) {
        hrr_dendrogram tree;
        hrr_tree_plan plan;
        assert_int_equal(run(&tree, &plan, methods[i], x, HRR_EPS_UNIT, 1, progress), HRR_ECANCEL);
    }
    hrr_progress_free(progress);
    free(x);
}

static void test_certified_trees__too_many_candidates_are_refused(void **state)
{
    (void)state;
    hrr_error err;
    assert_ok(hrr_edge_score_check(HRR_EDGE_SCORE_MOST_CANDIDATES, "select", &err));
    assert_int_equal(hrr_edge_score_check(HRR_EDGE_SCORE_MOST_CANDIDATES + 1, "select", &err),
                     HRR_EINVAL);
    assert_says(err, "`candidates`");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certified_trees__awkward_graphs),
        cmocka_unit_test(test_certified_trees__tiny_and_huge_budgets),
        cmocka_unit_test(test_certified_trees__candidate_sets),
        cmocka_unit_test(test_certified_trees__plan_without_the_secret),
        cmocka_unit_test(test_certified_trees__lean_towards_private_edges),
        cmocka_unit_test(test_certified_trees__survive_lack_of_memory),
        cmocka_unit_test(test_certified_trees__can_be_cancelled),
        cmocka_unit_test(test_certified_trees__too_many_candidates_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
