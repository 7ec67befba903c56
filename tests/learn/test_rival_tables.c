/* The law of a count that two blocks share: compared with a sum over everything that can happen,
 * and with probability one in all. */
#include "learn/rival_tables.h"
#include "support/brutal.h"
#include "support/check.h"

#include <math.h>

enum { n_nodes = 121, n_blocks = 3, n_levels = 2, most = 60 };

/* A node for each count from -most to most of rivals 2 and 0; block 1 is nobody's rival. */
typedef struct example {
    int64_t count[n_nodes * n_blocks];
    uint32_t rivals[2 * n_nodes];
    hrr_block_counts counts;
} example;

static void make(example *x, double eps)
{
    for (int i = 0; i < n_nodes; i++) {
        x->count[i * n_blocks + 2] = i - most;
        x->rivals[2 * i] = 2;
        x->rivals[2 * i + 1] = 0;
    }
    x->counts = (hrr_block_counts){.n_nodes = n_nodes,
                                   .n_blocks = n_blocks,
                                   .count = x->count,
                                   .eps = eps,
                                   .rivals = x->rivals};
}

static double negative_binomial(double k, double mean, double shape)
{
    return exp(lgamma(k + shape) - lgamma(shape) - lgamma(k + 1) +
               shape * log(shape / (shape + mean)) + k * log(mean / (shape + mean)));
}

static double noise(double y, double eps)
{
    return (1 - exp(-eps)) / (1 + exp(-eps)) * exp(-eps * fabs(y));
}

static const double mean[n_blocks * n_levels] = {.7, 3, 9, 9, 2.5, 6};

static void test_rival_tables__is_the_law_of_a_difference(void **state)
{
    (void)state;
    static example x;
    for (double eps = .5; eps < 3; eps *= 2) {
        hrr_rival_tables t;
        make(&x, eps);
        assert_ok(hrr_rival_tables_init(&t, &x.counts, n_levels, NULL));
        assert_int_equal(t.n_rows, n_nodes);
        hrr_rival_tables_fill(&t, mean, 1.5, eps);
        for (int l = 0; l < n_levels; l++) {
            double sum = 0;
            for (int i = 0; i < n_nodes; i++) {
                const double found = t.value[t.row_of[i] * n_levels + (uint32_t)l];
                double slow = 0;
                sum += exp(found);
                for (int a = 0; a < 120; a++)
                    for (int b = 0; b < 120; b++)
                        slow += negative_binomial(a, mean[2 * n_levels + l], 1.5) *
                                negative_binomial(b, mean[l], 1.5) *
                                noise((double)x.count[i * n_blocks + 2] - a + b, eps);
                assert_true(fabs(found - log(slow)) < 1e-6);
            }
            assert_true(fabs(sum - 1) < 1e-4); /* counts beyond 60 are left out */
        }
        hrr_rival_tables_clear(&t);
    }
}

/* Nodes that count plainly have no row; nodes with the same rivals and count share one. */
static void test_rival_tables__has_a_row_for_what_nodes_have(void **state)
{
    (void)state;
    static example x;
    hrr_rival_tables t;
    make(&x, 1);
    for (int i = 0; i < n_nodes; i++) {
        x.rivals[2 * i] = i % 2 ? 0 : 2;
        x.count[i * n_blocks + 2] = 5;
    }
    assert_ok(hrr_rival_tables_init(&t, &x.counts, n_levels, NULL));
    assert_int_equal(t.n_rows, 1);
    for (int i = 0; i < n_nodes; i++)
        assert_int_equal(t.row_of[i], i % 2 ? UINT32_MAX : 0);
    hrr_rival_tables_clear(&t);
    x.counts.rivals = NULL;
    assert_ok(hrr_rival_tables_init(&t, &x.counts, n_levels, NULL));
    assert_int_equal(t.n_rows, 0);
    hrr_rival_tables_clear(&t);
}

static hrr_status init_once(void *example_)
{
    hrr_rival_tables t;
    hrr_status status = hrr_rival_tables_init(&t, &((example *)example_)->counts, n_levels, NULL);
    hrr_rival_tables_clear(&t);
    return status;
}

static void test_rival_tables__survives_running_out_of_memory(void **state)
{
    (void)state;
    static example x;
    make(&x, 1);
    assert_in_range(brutal(init_once, &x), 5, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rival_tables__is_the_law_of_a_difference),
        cmocka_unit_test(test_rival_tables__has_a_row_for_what_nodes_have),
        cmocka_unit_test(test_rival_tables__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
