/* Numbered pairs and rare picks among them: each pair once, exactly as often as asked. */
#include "edge/tiny.h"
#include "edge/cells.h"
#include "edge/cells_avx512.h"
#include "support/brutal.h"
#include "support/statistics.h"
#include "base/memory.h"

static const double alpha = 1e-6; /* of each statistical assertion; seeds are fixed */

static hrr_status append(void *user, const hrr_pairs *picked, hrr_error *err)
{
    hrr_pairs *all = user;
    hrr_status status = hrr_pairs_reserve(all, picked->n, err);
    for (size_t i = 0; i < picked->n && !status; i++)
        hrr_pairs_push(all, picked->source[i], picked->target[i]);
    return status;
}

static hrr_pairs pick(const hrr_edge_public *known, uint64_t num, uint64_t den, int threads,
                      uint64_t seed)
{
    hrr_pairs all = {0};
    hrr_cells cells;
    hrr_random *random = seeded(seed);
    const hrr_cell_picking picking = {
        .num = num, .den = den, .random = random, .threads = threads, .take = append, .user = &all};
    assert_ok(hrr_cells_init(&cells, known, NULL));
    assert_ok(hrr_cells_pick(&cells, &picking, NULL, NULL));
    hrr_cells_clear(&cells);
    hrr_random_free(random);
    return all;
}

/* Probability 1 (1/1, and as near as 2^64 comes) touches every pair of candidates once, in order.
 */
static void test_cells__every_pair_is_touched_once(void **state)
{
    (void)state;
    uint8_t candidates[400];
    for (int i = 0; i < 400; i++)
        candidates[i] = i % 5 != 2 && i != 0;
    static const uint64_t sizes[] = {0, 1, 2, 3, 7, 40, 400};
    for (int c = 0; c < 2; c++)
        for (int s = 0; s < 7; s++)
            for (int way = 0; way < 2; way++) {
                const hrr_edge_public known = {.n_nodes = sizes[s],
                                               .candidates = c ? candidates : NULL};
                hrr_pairs all = pick(&known, way ? UINT64_MAX : 1, way ? 0 : 1, 2, 1);
                size_t at = 0;
                for (uint32_t u = 0; u < known.n_nodes; u++)
                    for (uint32_t v = u + 1; v < known.n_nodes; v++) {
                        if (c && (!candidates[u] || !candidates[v])) continue;
                        assert_true(at < all.n && all.source[at] == u && all.target[at] == v);
                        at++;
                    }
                assert_int_equal(at, all.n);
                hrr_pairs_clear(&all);
            }
}

/* With a list of candidates that names every node, pairs are made bit by bit; without one, by
 * AVX-512 where there is any. */
static void test_cells__are_the_same_with_and_without_avx512(void **state)
{
    (void)state;
    if (!hrr_cells_have_avx512())
        print_message("this processor has no AVX-512: nothing to compare\n");
    static uint8_t every[900];
    memset(every, 1, sizeof every);
    const hrr_edge_public known = {.n_nodes = 900}, listed = {.n_nodes = 900, .candidates = every};
    hrr_pairs wide = pick(&known, UINT64_C(5) << 60, 0, 1, 9);
    hrr_pairs narrow = pick(&listed, UINT64_C(5) << 60, 0, 1, 9);
    assert_int_equal(wide.n, narrow.n);
    assert_memory_equal(wide.source, narrow.source, wide.n * sizeof *wide.source);
    assert_memory_equal(wide.target, narrow.target, wide.n * sizeof *wide.target);
    hrr_pairs_clear(&wide);
    hrr_pairs_clear(&narrow);
}

static void test_cells__picks_do_not_depend_on_the_threads(void **state)
{
    (void)state;
    const hrr_edge_public known = {.n_nodes = 2000}; /* 2 million pairs: many pieces */
    static const uint64_t num[] = {UINT64_C(5) << 60, UINT64_C(1) << 58};
    for (int i = 0; i < 2; i++) {
        hrr_pairs one = pick(&known, num[i], 0, 1, 5), more = pick(&known, num[i], 0, 3, 5);
        assert_int_equal(one.n, more.n);
        assert_memory_equal(one.source, more.source, one.n * sizeof *one.source);
        assert_memory_equal(one.target, more.target, one.n * sizeof *one.target);
        hrr_pairs_clear(&one);
        hrr_pairs_clear(&more);
    }
}

/* Pieces of 2^16 cells (at this probability) have draws of their own: a cell that was picked in the
 * first piece is picked in the second as often as any other. The same stream twice would be the
 * same noise for two secrets. */
static void test_cells__pieces_do_not_share_their_draws(void **state)
{
    (void)state;
    enum { n = 600, piece = 1 << 16 };
    static const uint64_t num[] = {UINT64_C(5) << 60, UINT64_C(5) << 53};
    for (int way = 0; way < 2; way++) {
        /* The rarer coin has pieces of 2^23 cells. */
        const uint64_t cells = way ? (uint64_t)piece << 7 : piece, nodes = way ? 6000 : n;
        const hrr_edge_public known = {.n_nodes = nodes};
        hrr_pairs all = pick(&known, num[way], 0, 2, 21);
        uint8_t *first = hrr_alloc_zero(cells, 1);
        uint64_t in_second = 0, in_both = 0;
        for (size_t i = 0; i < all.n; i++) {
            const uint64_t u = all.source[i], v = all.target[i];
            const uint64_t cell = u * (2 * nodes - u - 1) / 2 + v - u - 1;
            if (cell < cells)
                first[cell] = 1;
            else if (cell < 2 * cells)
                in_second++, in_both += first[cell - cells];
        }
        assert_true(in_second > 10000);
        assert_true(proportion_p(in_both, in_second, (double)num[way] / 0x1p64) > alpha);
        hrr_free(first);
        hrr_pairs_clear(&all);
    }
}

/* 2 million cells: the number of picks overall, and in ten runs of rows, for the three ways of
 * tossing (from 1/8, from 1/4096, below) and for a denominator that is no power of two. */
static void test_cells__are_picked_as_often_as_asked(void **state)
{
    (void)state;
    enum { n = 2000 };
    const hrr_edge_public known = {.n_nodes = n};
    const struct {
        uint64_t num, den;
        double p;
    } cases[] = {{UINT64_C(5) << 60, 0, 5. / 16},
                 {UINT64_C(1) << 61, 0, 1. / 8},
                 {(UINT64_C(1) << 61) - 1, 0, 1. / 8},
                 {UINT64_C(1) << 54, 0, 1. / 1024},
                 {UINT64_C(1) << 52, 0, 1. / 4096},
                 {(UINT64_C(1) << 52) - 1, 0, 1. / 4096},
                 {3, 1000, .003},
                 {2, 3, 2. / 3}};
    for (int c = 0; c < 8; c++) {
        hrr_pairs all = pick(&known, cases[c].num, cases[c].den, 2, 11 + (uint64_t)c);
        uint64_t in_part[10] = {0}, cells_in_part[10] = {0};
        for (uint32_t u = 0; u < n; u++)
            cells_in_part[u / 200] += n - 1 - u;
        for (size_t i = 0; i < all.n; i++)
            in_part[all.source[i] / 200]++;
        assert_true(proportion_p(all.n, n * (n - 1) / 2, cases[c].p) > alpha);
        for (int part = 0; part < 10; part++)
            assert_true(proportion_p(in_part[part], cells_in_part[part], cases[c].p) > alpha);
        hrr_pairs_clear(&all);
    }
}

/* A million nodes, half a trillion cells, a handful of picks: rows are found far out, too. */
static void test_cells__are_found_in_half_a_trillion(void **state)
{
    (void)state;
    const hrr_edge_public known = {.n_nodes = 1000000};
    const uint64_t one_in_2_30 = UINT64_C(1) << 34;
    hrr_pairs all = pick(&known, one_in_2_30, 0, 1, 3);
    /* 466 expected; 5.5 standard deviations either way. */
    assert_in_range(all.n, 347, 585);
    uint64_t before = 0, far = 0;
    for (size_t i = 0; i < all.n; i++) {
        const uint64_t key = (uint64_t)all.source[i] << 32 | all.target[i];
        assert_true(key > before && all.source[i] < all.target[i] && all.target[i] < 1000000);
        before = key;
        far += all.source[i] > 500000; /* a quarter of the cells */
    }
    assert_in_range(far, 60, 180);
    hrr_pairs_clear(&all);
}

static hrr_status pick_once(void *user)
{
    const hrr_edge_public known = {.n_nodes = 300, .candidates = user};
    hrr_pairs all = {0};
    hrr_cells cells = {0};
    hrr_random *random = NULL;
    hrr_status status = hrr_random_new_insecure(&random, 1, NULL);
    const hrr_cell_picking picking = {
        .num = UINT64_C(1) << 60, .random = random, .threads = 1, .take = append, .user = &all};
    if (!status) status = hrr_cells_init(&cells, &known, NULL);
    if (!status) status = hrr_cells_pick(&cells, &picking, NULL, NULL);
    hrr_cells_clear(&cells);
    hrr_pairs_clear(&all);
    hrr_random_free(random);
    return status;
}

static void test_cells__survive_a_lack_of_memory(void **state)
{
    (void)state;
    uint8_t candidates[300];
    memset(candidates, 1, sizeof candidates);
    brutal(pick_once, candidates);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells__every_pair_is_touched_once),
        cmocka_unit_test(test_cells__are_the_same_with_and_without_avx512),
        cmocka_unit_test(test_cells__picks_do_not_depend_on_the_threads),
        cmocka_unit_test(test_cells__pieces_do_not_share_their_draws),
        cmocka_unit_test(test_cells__are_picked_as_often_as_asked),
        cmocka_unit_test(test_cells__are_found_in_half_a_trillion),
        cmocka_unit_test(test_cells__survive_a_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
