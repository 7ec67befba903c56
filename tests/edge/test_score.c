/* Integer scores: values against 60 digits, sensitivities against brute force. */
#include "support/all_trees.h"
#include "edge/score.h"

static const hrr_edge_score fine = {.bits = HRR_EDGE_SCORE_MOST_BITS}, coarse = {.bits = 3};

/* Computed with 60 decimal digits (Python's decimal). */
static void test_score__phi_is_rounded_to_the_nearest_integer(void **state)
{
    (void)state;
    static const struct {
        uint64_t x;
        int64_t fine, coarse; /* -1: too large for the scale */
    } known[] = {{0, 0, 0},
                 {1, 0, 0},
                 {2, 1453635, 11},
                 {3, 3455935, 26},
                 {10, 24144355, 184},
                 {2500, 20510267175, 156481},
                 {1000000, 14486612798828, 110524084},
                 {250000000001, -1, 52489453509835},
                 {((uint64_t)1 << 47) + 1, -1, 36679474262971754},
                 {(uint64_t)1 << 48, -1, 74919777217984311}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].fine >= 0)
            assert_int_equal(hrr_edge_score_phi(&fine, known[i].x), known[i].fine);
        assert_int_equal(hrr_edge_score_phi(&coarse, known[i].x), known[i].coarse);
    }
}

static void test_score__scale_leaves_room_at_every_size(void **state)
{
    (void)state;
    for (uint64_t n = 0; n <= HRR_EDGE_SCORE_MOST_CANDIDATES; n = n < 8 ? n + 1 : n * 2) {
        const hrr_edge_score score = hrr_edge_score_for(n);
        assert_in_range(score.bits, HRR_EDGE_SCORE_LEAST_BITS + 1, HRR_EDGE_SCORE_MOST_BITS);
        assert_true(hrr_edge_score_phi(&score, n * n / 4) < (int64_t)1 << 57);
    }
    assert_int_equal(hrr_edge_score_for(10000).bits, HRR_EDGE_SCORE_MOST_BITS);
}

/* Both lists of the privacy specification. */
static void test_score__delta_table(void **state)
{
    (void)state;
    static const struct {
        uint64_t pairs;
        double delta;
    } known[] = {{2, 1.386294361},    {4, 2.249340578},     {6, 2.703367253},
                 {9, 3.139488863},    {2500, 8.823845984},  {1000000, 14.815510057},
                 {250000, 13.429214}, {25000000, 18.034386}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const double units = ldexp(known[i].delta, HRR_EDGE_SCORE_MOST_BITS);
        const double got = (double)hrr_edge_score_sensitivity(&fine, known[i].pairs);
        assert_true(fabs(got - 2 - units) < 2); /* the list has 6 to 9 digits */
    }
    assert_int_equal(hrr_edge_score_sensitivity(&fine, 0), 2);
    assert_int_equal(hrr_edge_score_sensitivity(&fine, 1), 2);
}

/* Every N' <= N and every e: nothing exceeds the bound, and without its 2 units of slack it is
 * reached. */
static void test_score__no_flip_exceeds_the_sensitivity(void **state)
{
    (void)state;
    for (unsigned bits = HRR_EDGE_SCORE_LEAST_BITS; bits <= HRR_EDGE_SCORE_MOST_BITS; bits += 3) {
        const hrr_edge_score score = {.bits = bits};
        int64_t worst = 0;
        for (uint64_t pairs = 1; pairs <= 400; pairs++) {
            for (uint64_t e = 0; e < pairs; e++) {
                const int64_t change = llabs(hrr_edge_score_node(&score, e + 1, pairs) -
                                             hrr_edge_score_node(&score, e, pairs));
                if (change > worst) worst = change;
            }
            assert_true(worst <= hrr_edge_score_sensitivity(&score, pairs));
            assert_true(worst >= hrr_edge_score_sensitivity(&score, pairs) - 2);
        }
    }
}

/* All trees and all graphs with n leaves: the change of L_pri by one pair. */
static void test_score__sensitivity_of_all_small_trees(void **state)
{
    (void)state;
    for (int n = 4; n <= 5; n++) {
        small_trees *trees = all_trees(n);
        assert_int_equal(trees->n, n == 4 ? 15 : 105);
        const small_pairs pairs = all_pairs(n);
        int64_t worst = 0;
        for (int t = 0; t < trees->n; t++)
            for (uint32_t graph = 0; graph < 1U << pairs.n; graph++)
                for (int p = 0; p < pairs.n; p++) {
                    int64_t score[2];
                    for (int side = 0; side < 2; side++) {
                        const small_tree *tree = &trees->tree[t];
                        uint64_t edges[4], node_pairs[4];
                        for (int r = 0; r < tree->n_internal; r++) {
                            edges[r] = small_edges(tree, r, &pairs, graph ^ (uint32_t)side << p);
                            node_pairs[r] = small_node_pairs(tree, r);
                        }
                        score[side] = hrr_edge_score_tree(&fine, (uint32_t)tree->n_internal, edges,
                                                          node_pairs);
                    }
                    if (llabs(score[0] - score[1]) > worst) worst = llabs(score[0] - score[1]);
                }
        assert_int_equal(worst, hrr_edge_score_sensitivity(&fine, (uint64_t)(n * n / 4)) - 2);
        free(trees);
    }
    small_trees *six = all_trees(6);
    assert_int_equal(six->n, 945);
    free(six);
}

/* ---- the move -------------------------------------------------------------------------------- */

/* The largest change of the move's gain when one pair of a block flips, over all edges. */
static hrr_edge_score_shares brute_force(const hrr_edge_score *score,
                                         const hrr_edge_score_blocks *pairs)
{
    hrr_edge_score_shares worst = {0};
    hrr_edge_score_blocks e;
    for (e.ij = 0; e.ij <= pairs->ij; e.ij++)
        for (e.ik = 0; e.ik <= pairs->ik; e.ik++)
            for (e.jk = 0; e.jk <= pairs->jk; e.jk++) {
                const int64_t now = hrr_edge_score_move(score, &e, pairs);
                hrr_edge_score_blocks more = e;
                more.ij++;
                if (more.ij <= pairs->ij) {
                    const int64_t d = llabs(hrr_edge_score_move(score, &more, pairs) - now);
                    if (d > worst.ij) worst.ij = d;
                }
                more = e, more.ik++;
                if (more.ik <= pairs->ik) {
                    const int64_t d = llabs(hrr_edge_score_move(score, &more, pairs) - now);
                    if (d > worst.ik) worst.ik = d;
                }
                more = e, more.jk++;
                if (more.jk <= pairs->jk) {
                    const int64_t d = llabs(hrr_edge_score_move(score, &more, pairs) - now);
                    if (d > worst.jk) worst.jk = d;
                }
            }
    return worst;
}

static void assert_bound(int64_t bound, int64_t worst)
{
    assert_true(bound >= worst);
    assert_true(bound <= worst + 16); /* tight but for the roundings */
}

/* The formulas are exact where each block has a pair. */
static void test_score__move_sensitivity_matches_brute_force(void **state)
{
    (void)state;
    for (uint64_t ij = 0; ij <= 7; ij++)
        for (uint64_t ik = 0; ik <= 7; ik++)
            for (uint64_t jk = 0; jk <= 7; jk++) {
                const hrr_edge_score_blocks pairs = {ij, ik, jk};
                const hrr_edge_score_shares bound = hrr_edge_score_move_sensitivity(&fine, &pairs);
                const hrr_edge_score_shares worst = brute_force(&fine, &pairs);
                assert_true(bound.ij >= worst.ij && bound.ik >= worst.ik && bound.jk >= worst.jk);
                if (ij && ik && jk) {
                    assert_bound(bound.ij, worst.ij);
                    assert_bound(bound.ik, worst.ik);
                    assert_bound(bound.jk, worst.jk);
                }
                const hrr_edge_score_shares rough =
                    hrr_edge_score_move_sensitivity(&coarse, &pairs);
                const hrr_edge_score_shares rough_worst = brute_force(&coarse, &pairs);
                assert_true(rough.ij >= rough_worst.ij && rough.ik >= rough_worst.ik &&
                            rough.jk >= rough_worst.jk);
            }
}

/* Its S(1,1,1), S(2,1,1) and S(10,10,10) name the leaves of i, j and k. */
static void test_score__move_sensitivity_of_the_specification(void **state)
{
    (void)state;
    static const struct {
        hrr_edge_score_blocks pairs;
        double one, both;
    } known[] = {{{1, 1, 1}, 1.386294361, 2.772588722},
                 {{2, 2, 1}, 1.386294361, 3.819085010},
                 {{100, 100, 100}, 5.610153602, 6.305813356}};
    for (size_t i = 0; i < 3; i++) {
        const hrr_edge_score_shares got = hrr_edge_score_move_sensitivity(&fine, &known[i].pairs);
        assert_true(fabs((double)(got.ij - 8) - ldexp(known[i].one, 20)) < 3);
        assert_true(fabs((double)(got.ik - 8) - ldexp(known[i].one, 20)) < 3);
        assert_true(fabs((double)(got.jk - 8) - ldexp(known[i].both, 20)) < 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_score__phi_is_rounded_to_the_nearest_integer),
        cmocka_unit_test(test_score__scale_leaves_room_at_every_size),
        cmocka_unit_test(test_score__delta_table),
        cmocka_unit_test(test_score__no_flip_exceeds_the_sensitivity),
        cmocka_unit_test(test_score__sensitivity_of_all_small_trees),
        cmocka_unit_test(test_score__move_sensitivity_matches_brute_force),
        cmocka_unit_test(test_score__move_sensitivity_of_the_specification),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
