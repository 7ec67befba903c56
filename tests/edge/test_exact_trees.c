/* Realised epsilon of everything that chooses a tree, by enumeration: all trees with 4 and 5
 * leaves, all graphs on them, all pairs of neighbours. Mechanisms that are wrong must be caught. */
#include "support/all_trees.h"
#include "edge/barker.h"
#include "edge/choose.h"
#include "random/fast.h"
#include "support/statistics.h"

#include <heterorr/privacy.h>
#include <stdlib.h>

static const hrr_edge_score fine = {.bits = HRR_EDGE_SCORE_MOST_BITS};

static int64_t tree_score(const small_tree *tree, const small_pairs *pairs, uint32_t graph)
{
    uint64_t edges[MOST_SMALL_LEAVES], node_pairs[MOST_SMALL_LEAVES];
    for (int r = 0; r < tree->n_internal; r++) {
        edges[r] = small_edges(tree, r, pairs, graph);
        node_pairs[r] = small_node_pairs(tree, r);
    }
    return hrr_edge_score_tree(&fine, (uint32_t)tree->n_internal, edges, node_pairs);
}

/* scores[graph * n_trees + tree] */
static int64_t *all_scores(const small_trees *trees, const small_pairs *pairs)
{
    const size_t n = (size_t)trees->n;
    int64_t *scores = malloc((n << pairs->n) * sizeof *scores);
    for (uint32_t graph = 0; graph < 1U << pairs->n; graph++)
        for (int t = 0; t < trees->n; t++)
            scores[graph * n + (size_t)t] = tree_score(&trees->tree[t], pairs, graph);
    return scores;
}

/* ---- the exponential mechanism --------------------------------------------------------------- */

/* Probability proportional to exp(coefficient x L_pri). */
static double exponential_epsilon(int n_leaves, double coefficient)
{
    small_trees *trees = all_trees(n_leaves);
    const small_pairs pairs = all_pairs(n_leaves);
    int64_t *scores = all_scores(trees, &pairs);
    const size_t n = (size_t)trees->n;
    double *law = malloc((n << pairs.n) * sizeof *law);
    for (uint32_t graph = 0; graph < 1U << pairs.n; graph++) {
        double sum = 0;
        for (size_t t = 0; t < n; t++) {
            law[graph * n + t] = exp(coefficient * ldexp((double)scores[graph * n + t], -20));
            sum += law[graph * n + t];
        }
        for (size_t t = 0; t < n; t++)
            law[graph * n + t] /= sum;
    }
    const double eps = exact_epsilon(law, pairs.n, trees->n);
    free(law), free(scores), free(trees);
    return eps;
}

static double delta(double n)
{
    return n * log(n) - (n - 1) * log(n - 1);
}

static void test_exact__exponential_mechanism(void **state)
{
    (void)state;
    assert_true(fabs(exponential_epsilon(4, 1 / (2 * delta(4))) - .4706) < 5e-5);
    assert_true(fabs(exponential_epsilon(5, 1 / (2 * delta(6))) - .4966) < 5e-5);
}

/* Negative control: the lemma's Delta_e = ln N + ln(1 + 1/(N - 1)), and no factor of two. */
static void test_exact__catches_the_coefficient_of_the_lemma(void **state)
{
    (void)state;
    const double four = log(4) + log1p(1.0 / 3), five = log(6) + log1p(1.0 / 5);
    const double eps_four = exponential_epsilon(4, 1 / four);
    const double eps_five = exponential_epsilon(5, 1 / five);
    assert_true(eps_four > 1 && fabs(eps_four - 1.2648) < 5e-5);
    assert_true(eps_five > 1 && fabs(eps_five - 1.3889) < 5e-5);
}

/* Negative control: one Metropolis step from a known start. A move that makes nothing worse is
 * always accepted, so that staying has probability 0 for one of two neighbours. */
static void test_exact__catches_a_metropolis_step_from_a_known_start(void **state)
{
    (void)state;
    small_trees *trees = all_trees(4);
    const small_pairs pairs = all_pairs(4);
    int64_t *scores = all_scores(trees, &pairs);
    double worst = 0;
    for (int from = 0; from < trees->n; from++)
        for (int to = 0; to < trees->n; to++) {
            double law[2 << 6];
            for (uint32_t graph = 0; graph < 64; graph++) {
                const double gain = ldexp((double)(scores[graph * 15 + (uint32_t)to] -
                                                   scores[graph * 15 + (uint32_t)from]),
                                          -20);
                law[2 * graph] = gain >= 0 ? 1 : exp(gain / (2 * delta(4)));
                law[2 * graph + 1] = 1 - law[2 * graph];
            }
            const double eps = exact_epsilon(law, 6, 2);
            if (eps > worst) worst = eps;
        }
    assert_true(isinf(worst));
    free(scores), free(trees);
}

/* Negative control: trees over the nodes that have a private edge. Which nodes those are is
 * released with the tree. */
static void test_exact__catches_data_dependent_private_nodes(void **state)
{
    (void)state;
    const small_pairs pairs = all_pairs(4);
    double *law = calloc((size_t)64 * 16, sizeof *law);
    for (uint32_t graph = 0; graph < 64; graph++) {
        uint32_t nodes = 0;
        for (int p = 0; p < pairs.n; p++)
            if (graph >> p & 1) nodes |= 1U << pairs.source[p] | 1U << pairs.target[p];
        law[graph * 16 + nodes] = 1;
    }
    assert_true(isinf(exact_epsilon(law, pairs.n, 16)));
    free(law);
}

/* ---- select ---------------------------------------------------------------------------------- */

/* Alternatives arrive at uniform times: t is chosen if it is accepted at its time x and all that
 * came before were not,
 *     P(t) = p_t integral_0^1 prod_{s != t} (1 - x p_s) dx.
 * A polynomial of degree < 105; Gauss-Legendre with 56 nodes is exact for it. */
enum { N_GAUSS = 56 };

static void gauss_legendre(double node[N_GAUSS], double weight[N_GAUSS])
{
    for (int i = 0; i < N_GAUSS; i++) {
        double x = cos(acos(-1) * (i + .75) / (N_GAUSS + .5)), slope = 1;
        for (int step = 0; step < 50; step++) {
            double p = 1, before = 0;
            for (int k = 1; k <= N_GAUSS; k++) {
                const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
                before = p;
                p = next;
            }
            slope = N_GAUSS * (x * p - before) / (x * x - 1);
            x -= p / slope;
        }
        node[i] = (1 + x) / 2;
        weight[i] = 1 / ((1 - x * x) * slope * slope);
    }
}

static void permute_and_flip_law(double *law, const int64_t *scores, int n, uint64_t scale)
{
    double x[N_GAUSS], w[N_GAUSS], p[105];
    gauss_legendre(x, w);
    int64_t best = scores[0];
    for (int t = 0; t < n; t++)
        if (scores[t] > best) best = scores[t];
    for (int t = 0; t < n; t++) {
        p[t] = exp(-(double)(best - scores[t]) / (double)scale);
        law[t] = 0;
    }
    for (int i = 0; i < N_GAUSS; i++)
        for (int t = 0; t < n; t++) {
            double product = p[t] * w[i];
            for (int s = 0; s < n; s++)
                if (s != t) product *= 1 - x[i] * p[s];
            law[t] += product;
        }
}

static double select_epsilon(int n_leaves, uint64_t eps_nano, uint64_t sensitivity,
                             bool public_bonus)
{
    small_trees *trees = all_trees(n_leaves);
    const small_pairs pairs = all_pairs(n_leaves);
    int64_t *scores = all_scores(trees, &pairs);
    const size_t n = (size_t)trees->n;
    double *law = malloc((n << pairs.n) * sizeof *law);
    const uint64_t scale = hrr_choose_scale(sensitivity, eps_nano);
    /* A public number for each tree changes nothing: nats between 0 and 3. */
    for (size_t i = 0; public_bonus && i < n << pairs.n; i++)
        scores[i] += (int64_t)(i % n * 7919 % 13) << 18;
    for (uint32_t graph = 0; graph < 1U << pairs.n; graph++)
        permute_and_flip_law(law + graph * n, scores + graph * n, trees->n, scale);
    double sum = 0;
    for (size_t t = 0; t < n; t++)
        sum += law[t];
    assert_true(fabs(sum - 1) < 1e-9);
    const double eps = exact_epsilon(law, pairs.n, trees->n);
    free(law), free(scores), free(trees);
    return eps;
}

static void test_exact__select_keeps_its_budget(void **state)
{
    (void)state;
    static const uint64_t budgets[] = {100000000, 1000000000, 4000000000};
    for (int n = 4; n <= 5; n++)
        for (int i = 0; i < (n == 4 ? 3 : 1); i++) {
            const uint64_t budget = budgets[n == 4 ? i : 1];
            const uint64_t sensitivity =
                (uint64_t)hrr_edge_score_sensitivity(&fine, (uint64_t)(n * n / 4));
            const double eps = select_epsilon(n, budget, sensitivity, false);
            const double eps_bonus = select_epsilon(n, budget, sensitivity, true);
            assert_true(eps_bonus <= (double)budget / HRR_EPS_UNIT + 1e-9);
            assert_true(eps <= (double)budget / HRR_EPS_UNIT + 1e-9);
            assert_true(eps > .3 * (double)budget / HRR_EPS_UNIT); /* and uses it */
        }
}

/* Half the sensitivity is the paper's missing factor of two: it does not go unnoticed. */
static void test_exact__select_with_a_wrong_sensitivity_is_caught(void **state)
{
    (void)state;
    const uint64_t sensitivity = (uint64_t)hrr_edge_score_sensitivity(&fine, 4);
    assert_true(select_epsilon(4, HRR_EPS_UNIT, sensitivity / 3, false) > 1);
}

static void test_exact__scale_of_a_choice_is_on_the_safe_side(void **state)
{
    (void)state;
    for (uint64_t sensitivity = 1; sensitivity < (uint64_t)1 << 40;
         sensitivity = 3 * sensitivity + 1)
        for (uint64_t eps = 1; eps <= HRR_EPS_MAX; eps = 7 * eps + 3) {
            const uint64_t scale = hrr_choose_scale(sensitivity, eps);
            const unsigned __int128 need = (unsigned __int128)2 * sensitivity * HRR_EPS_UNIT;
            assert_true(scale <= UINT32_MAX);
            if (scale == 0)
                assert_true(need > (unsigned __int128)UINT32_MAX * eps);
            else {
                assert_true((unsigned __int128)scale * eps >= need);
                assert_true((unsigned __int128)(scale - 1) * eps < need);
            }
            assert_true(hrr_choose_eps(sensitivity, scale) <=
                        (double)eps / HRR_EPS_UNIT * (1 + 1e-15));
        }
    assert_int_equal(hrr_choose_scale(1000, 0), 0);
}

/* The sampler against the law: 15 trees, one graph, 60000 draws. alpha = 1e-3, seed fixed. */
static void test_exact__select_draws_its_law(void **state)
{
    (void)state;
    enum { draws = 60000 };
    small_trees *trees = all_trees(4);
    const small_pairs pairs = all_pairs(4);
    int64_t *scores = all_scores(trees, &pairs);
    const int64_t *of_graph = scores + (size_t)trees->n * 0x0d; /* 3 edges, asymmetric */
    const uint64_t scale =
        hrr_choose_scale((uint64_t)hrr_edge_score_sensitivity(&fine, 4), 4 * HRR_EPS_UNIT);
    double law[15];
    permute_and_flip_law(law, of_graph, 15, scale);
    hrr_random *random;
    hrr_stream *stream;
    assert_ok(hrr_random_new_insecure(&random, 7, NULL));
    assert_ok(hrr_stream_new(&stream, random, NULL));
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 0);
    uint64_t seen[15] = {0};
    uint32_t order[15];
    for (int i = 0; i < draws; i++)
        seen[hrr_choose(order, stream, of_graph, 15, scale)]++;
    assert_true(chi_square_p(seen, law, 15) > 1e-3);
    /* Uniform: the first in random order. */
    uint64_t uniform[15] = {0};
    double even[15];
    for (int t = 0; t < 15; t++)
        even[t] = 1.0 / 15;
    for (int i = 0; i < draws; i++)
        uniform[hrr_choose(order, stream, of_graph, 15, 0)]++;
    assert_true(chi_square_p(uniform, even, 15) > 1e-3);
    hrr_stream_free(stream);
    hrr_random_free(random);
    free(scores), free(trees);
}

/* ---- barker ---------------------------------------------------------------------------------- */

typedef struct schedule {
    int n_steps;
    uint32_t y[12];
    bool swapped[12];
} schedule;

/* What breaks: nothing; the parent's account is not kept when a move is rejected; it is not kept at
 * all. */
typedef enum fault { SOUND, FORGETS_PARENT, FORGETS_ALL } fault;

static void settle(hrr_barker *chain, hrr_barker_look *look, bool accepted, fault broken)
{
    const uint32_t y = look->move.y, x = hrr_tree_parent(chain->joint.tree, y);
    if (broken == FORGETS_PARENT) look->bill.reject_x = chain->spent[x];
    hrr_barker_settle(chain, look, accepted);
    if (broken == FORGETS_ALL) chain->spent[x] = chain->spent[y] = 0;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The account after a move, by the rule of barker.h: what pairs at y and at its parent x had been
 * told before, and what this look told those of each block. */
static void check_account(const hrr_barker *chain, const hrr_barker_look *look, uint32_t x,
                          uint64_t before_y, uint64_t before_x, const hrr_edge_score_shares *told,
                          bool accepted)
{
    const uint32_t y = look->move.y;
    const uint64_t weight = look->bill.weight, ij = weight * (uint64_t)told->ij;
    const uint64_t ik = weight * (uint64_t)told->ik, jk = weight * (uint64_t)told->jk;
    assert_int_equal(chain->spent[y], accepted ? before_x + ik : before_y + ij);
    assert_int_equal(chain->spent[x],
                     accepted ? larger(before_y + ij, before_x + jk) : before_x + larger(ik, jk));
}

typedef struct small_graph {
    uint64_t n_edges;
    uint32_t source[MOST_SMALL_PAIRS], target[MOST_SMALL_PAIRS];
} small_graph;

static small_graph graph_of(const small_pairs *pairs, uint32_t graph)
{
    small_graph out = {0};
    for (int p = 0; p < pairs->n; p++)
        if (graph >> p & 1) {
            out.source[out.n_edges] = pairs->source[p];
            out.target[out.n_edges++] = pairs->target[p];
        }
    return out;
}

/* The probability of one path of answers (bit s: step s accepted) and the tree at its end. The
 * chain's own code looks and keeps account; only the coin is replaced by its probability. */
static double walk(int *end, const small_trees *trees, const hrr_barker_rule *rule,
                   const hrr_dendrogram *start, const small_graph *known, const small_graph *secret,
                   const schedule *steps, uint32_t answers, fault broken, bool *looked)
{
    hrr_barker held, *chain = &held;
    const hrr_edge_public public_edges = {.n_nodes = start->n_leaves,
                                          .n_edges = known->n_edges,
                                          .source = known->source,
                                          .target = known->target};
    const hrr_edge_secret private_edges = {secret->n_edges, secret->source, secret->target};
    assert_ok(hrr_barker_init(chain, rule, start, &public_edges, &private_edges, NULL));
    double probability = 1;
    for (int s = 0; s < steps->n_steps; s++) {
        hrr_barker_look look;
        const bool accepted = answers >> s & 1;
        hrr_barker_look_at(&look, chain, steps->y[s], steps->swapped[s]);
        const double z = (double)look.z / (double)HRR_BARKER_NAT;
        probability *= 1 / (1 + exp(accepted ? -z : z));
        *looked |= look.bill.weight > 0;
        const uint32_t x = hrr_tree_parent(chain->joint.tree, look.move.y);
        const uint64_t before_y = chain->spent[look.move.y], before_x = chain->spent[x];
        const hrr_edge_score_blocks pairs = hrr_joint_pairs(&chain->joint, &look.move);
        const hrr_edge_score_shares told = hrr_edge_score_move_sensitivity(&rule->score, &pairs);
        settle(chain, &look, accepted, broken);
        if (broken == SOUND) check_account(chain, &look, x, before_y, before_x, &told, accepted);
        if (broken == SOUND)
            for (uint32_t r = 0; r + 1 < start->n_leaves; r++)
                assert_true(chain->spent[r] <= rule->budget);
    }
    hrr_dendrogram last;
    assert_ok(hrr_tree_freeze(&last, chain->joint.tree, NULL));
    *end = small_index(trees, &last);
    hrr_dendrogram_clear(&last);
    hrr_barker_clear(chain);
    return probability;
}

typedef struct realised {
    double of_answers, of_tree; /* epsilon of all answers together; of the last tree */
} realised;

/* All graphs without the public pairs, all paths. */
static realised barker_epsilon(int n_leaves, const hrr_barker_rule *rule, int start_tree,
                               const schedule *steps, uint32_t public_graph, fault broken)
{
    small_trees *trees = all_trees(n_leaves);
    const small_pairs pairs = all_pairs(n_leaves);
    const int n_paths = 1 << steps->n_steps;
    const size_t n_trees = (size_t)trees->n, n_answers = (size_t)n_paths;
    hrr_dendrogram start = small_dendrogram(&trees->tree[start_tree]);
    const small_graph known = graph_of(&pairs, public_graph);
    /* A public edge is no candidate pair: both of its "graphs" get the same law. */
    double *of_answers = calloc(n_answers << pairs.n, sizeof *of_answers);
    double *of_tree = calloc(n_trees << pairs.n, sizeof *of_tree);
    bool looked = false;
    for (uint32_t graph = 0; graph < 1U << pairs.n; graph++) {
        const small_graph secret = graph_of(&pairs, graph & ~public_graph);
        for (uint32_t path = 0; path < (uint32_t)n_paths; path++) {
            int end;
            const double p =
                walk(&end, trees, rule, &start, &known, &secret, steps, path, broken, &looked);
            of_answers[graph * n_answers + path] = p;
            of_tree[graph * n_trees + (size_t)end] += p;
        }
    }
    assert_true(looked);
    const realised eps = {exact_epsilon(of_answers, pairs.n, n_paths),
                          exact_epsilon(of_tree, pairs.n, trees->n)};
    free(of_answers), free(of_tree);
    hrr_dendrogram_clear(&start);
    free(trees);
    return eps;
}

static schedule random_schedule(int n_leaves, int n_steps, uint64_t seed)
{
    schedule out = {.n_steps = n_steps};
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    for (int s = 0; s < n_steps; s++) {
        /* the root is 0 at the start, and moves leave it where it is */
        out.y[s] = 1 + (uint32_t)hrr_fast_below(&random, (uint64_t)n_leaves - 2);
        out.swapped[s] = hrr_fast_u64(&random) & 1;
    }
    return out;
}

static hrr_barker_rule rule_of(double eps, uint64_t looks)
{
    return (hrr_barker_rule){
        .score = {.bits = 12}, .budget = (uint64_t)(eps * (double)HRR_BARKER_NAT), .looks = looks};
}

/* Several budgets, numbers of looks, starts, schedules and public edges. */
static void test_exact__barker_keeps_its_budget(void **state)
{
    (void)state;
    double most = 0;
    for (int i = 0; i < 12; i++) {
        const double eps = i % 3 == 0 ? .5 : i % 3 == 1 ? 1 : 4;
        const hrr_barker_rule rule = rule_of(eps, 1 + (uint64_t)i % 4);
        const schedule steps = random_schedule(4, 6, (uint64_t)i);
        const realised got = barker_epsilon(4, &rule, i % 15, &steps, i % 2 ? 0x12 : 0, SOUND);
        assert_true(got.of_tree <= got.of_answers + 1e-12);
        assert_true(got.of_answers <= eps + 1e-9);
        if (got.of_answers / eps > most) most = got.of_answers / eps;
    }
    assert_true(most > .4); /* the bound is not idle */
    for (int i = 0; i < 3; i++) {
        const hrr_barker_rule rule = rule_of(1, 1 + (uint64_t)i);
        const schedule steps = random_schedule(5, 4, 100 + (uint64_t)i);
        const realised got = barker_epsilon(5, &rule, 37 * i, &steps, i % 2 ? 0x41 : 0, SOUND);
        assert_true(got.of_answers <= 1 + 1e-9);
    }
}

/* Negative control: the account of x is not kept when a move is rejected, and the same move is
 * looked at again and again. */
static void test_exact__barker_without_the_parents_account_is_caught(void **state)
{
    (void)state;
    schedule steps = {.n_steps = 8};
    for (int s = 0; s < steps.n_steps; s++)
        steps.y[s] = 1;
    const hrr_barker_rule rule = rule_of(1, 2);
    double sound = 0, worst = 0, all = 0;
    for (int start = 0; start < 15; start += 10) {
        const realised good = barker_epsilon(4, &rule, start, &steps, 0, SOUND);
        const realised bad = barker_epsilon(4, &rule, start, &steps, 0, FORGETS_PARENT);
        const realised worse = barker_epsilon(4, &rule, start, &steps, 0, FORGETS_ALL);
        if (good.of_answers > sound) sound = good.of_answers;
        if (bad.of_answers > worst) worst = bad.of_answers;
        if (worse.of_answers > all) all = worse.of_answers;
    }
    print_message("sound %.4f, parent forgotten %.4f, all forgotten %.4f\n", sound, worst, all);
    assert_true(sound <= 1 + 1e-9);
    assert_true(worst > 1);
    assert_true(all > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact__exponential_mechanism),
        cmocka_unit_test(test_exact__catches_the_coefficient_of_the_lemma),
        cmocka_unit_test(test_exact__catches_a_metropolis_step_from_a_known_start),
        cmocka_unit_test(test_exact__catches_data_dependent_private_nodes),
        cmocka_unit_test(test_exact__select_keeps_its_budget),
        cmocka_unit_test(test_exact__select_with_a_wrong_sensitivity_is_caught),
        cmocka_unit_test(test_exact__scale_of_a_choice_is_on_the_safe_side),
        cmocka_unit_test(test_exact__select_draws_its_law),
        cmocka_unit_test(test_exact__barker_keeps_its_budget),
        cmocka_unit_test(test_exact__barker_without_the_parents_account_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
