/* How much of its private edges a node sees in its own counts, against a count of all pairs. */
#include "learn/count_exposure.h"
#include "edge/need.h"
#include "support/brutal.h"
#include "support/check.h"

#include <math.h>

enum { n_nodes = 40, n_blocks = 3 };

typedef struct example {
    uint32_t need[n_nodes], block[n_nodes];
    uint8_t counted[n_nodes];
    hrr_block_counts counts;
} example;

/* Needs that repeat, blocks of unequal size, a node that has no candidate pair. */
static void make(example *x)
{
    for (uint32_t i = 0; i < n_nodes; i++) {
        x->need[i] = i * 7 % 11;
        x->block[i] = i % 5 < 3 ? 0 : i == 39 ? 2 : 1;
        x->counted[i] = i != 12;
    }
    x->counts = (hrr_block_counts){.n_nodes = n_nodes,
                                   .n_blocks = n_blocks,
                                   .counted = x->counted,
                                   .need = x->need,
                                   .block = x->block};
}

static void test_exposure__is_the_share_of_nodes_in_lesser_need(void **state)
{
    (void)state;
    example x;
    hrr_exposure exposure;
    make(&x);
    assert_ok(hrr_exposure_init(&exposure, &x.counts, NULL, NULL));
    for (uint32_t i = 0; i < n_nodes; i++)
        for (uint32_t b = 0; b < n_blocks; b++) {
            double lesser = 0, others = 0;
            for (uint32_t j = 0; j < n_nodes; j++) {
                if (j == i || x.block[j] != b || !x.counted[j]) continue;
                others++;
                lesser += hrr_need_is_greater(x.need, i, j);
            }
            const double expected = x.counted[i] && others > 0 ? lesser / others : 0;
            assert_true(fabs(hrr_exposure_of(&exposure, i)[b] - expected) < 1e-12);
        }
    hrr_exposure_clear(&exposure);
}

/* Between graphs of a collection nothing is counted: each has the exposures that it has alone. */
static void test_exposure__ends_at_the_border_of_a_graph(void **state)
{
    (void)state;
    enum { border = 17 };
    example x;
    uint32_t graph_ids[n_nodes];
    hrr_exposure together, apart, blind;
    make(&x);
    for (uint32_t i = 0; i < n_nodes; i++)
        graph_ids[i] = i >= border;
    assert_ok(hrr_exposure_init(&together, &x.counts, graph_ids, NULL));
    assert_ok(hrr_exposure_init(&blind, &x.counts, NULL, NULL));
    for (uint32_t g = 0; g < 2; g++) {
        const uint32_t first = g ? border : 0;
        hrr_block_counts own = x.counts;
        own.n_nodes = g ? n_nodes - border : border;
        own.counted += first, own.need += first, own.block += first;
        assert_ok(hrr_exposure_init(&apart, &own, NULL, NULL));
        assert_memory_equal(together.share + first * n_blocks, apart.share,
                            own.n_nodes * n_blocks * sizeof *apart.share);
        hrr_exposure_clear(&apart);
    }
    assert_memory_not_equal(together.share, blind.share, n_nodes * n_blocks * sizeof *blind.share);
    hrr_exposure_clear(&together);
    hrr_exposure_clear(&blind);
}

static void test_exposure__is_one_where_nobody_asks_for_need(void **state)
{
    (void)state;
    example x;
    hrr_exposure exposure;
    make(&x);
    x.counts.need = NULL;
    assert_ok(hrr_exposure_init(&exposure, &x.counts, NULL, NULL));
    assert_null(hrr_exposure_of(&exposure, 3));
    hrr_exposure_clear(&exposure);
}

static hrr_status find_once(void *user)
{
    hrr_exposure exposure;
    hrr_status status = hrr_exposure_init(&exposure, &((example *)user)->counts, NULL, NULL);
    hrr_exposure_clear(&exposure);
    return status;
}

static void test_exposure__memory_may_run_out(void **state)
{
    (void)state;
    example x;
    make(&x);
    assert_true(brutal(find_once, &x) >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exposure__is_the_share_of_nodes_in_lesser_need),
        cmocka_unit_test(test_exposure__ends_at_the_border_of_a_graph),
        cmocka_unit_test(test_exposure__is_one_where_nobody_asks_for_need),
        cmocka_unit_test(test_exposure__memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
