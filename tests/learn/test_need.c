/* Which nodes need their private edges to be counted: an order of the nodes that follows from
 * opinions, classes and parts alone. */
#include "learn/need.h"
#include "support/brutal.h"
#include "support/check.h"

enum { n_nodes = 400, n_classes = 2 };

typedef struct example {
    float logits[n_nodes * n_classes];
    int32_t classes[n_nodes];
    uint8_t split[n_nodes];
} example;

/* The network is the surer the larger the number; parts take turns. */
static example some_nodes(void)
{
    example x;
    for (int i = 0; i < n_nodes; i++) {
        x.logits[2 * i] = (float)i / 100;
        x.logits[2 * i + 1] = 0;
        x.classes[i] = i % 2;
        x.split[i] = (uint8_t)(i % 3);
    }
    return x;
}

static void find_need(uint32_t *need, example *x, bool with_classes)
{
    const hrr_dense logits = {
        .dtype = HRR_F32, .rows = n_nodes, .cols = n_classes, .data = x->logits};
    assert_ok(hrr_need(need, &logits, with_classes ? x->classes : NULL, x->split, NULL));
}

static void test_need__is_a_rank(void **state)
{
    (void)state;
    example x = some_nodes();
    for (int i = 0; i < n_nodes; i++)
        x.logits[2 * i] = (float)(i % 5); /* many are equal */
    uint32_t need[n_nodes];
    bool seen[n_nodes] = {false};
    find_need(need, &x, true);
    for (int i = 0; i < n_nodes; i++) {
        assert_true(need[i] < n_nodes && !seen[need[i]]);
        seen[need[i]] = true;
    }
    assert_true(need[17] < need[32] && x.split[17] == HRR_TEST); /* 5 * 3 apart: alike */
}

static void test_need__is_greater_the_less_sure_the_network_is(void **state)
{
    (void)state;
    example x = some_nodes();
    uint32_t need[n_nodes];
    find_need(need, &x, false); /* no class is known */
    for (int i = 0; i < n_nodes; i++)
        assert_int_equal(need[i], n_nodes - 1 - i);
    find_need(need, &x, true);
    for (int i = 3; i < n_nodes; i++)
        if (x.split[i] != HRR_VALID) assert_true(need[i] < need[i - 3]);
}

/* Nodes to be classified come first, and half of the validation nodes are taken for such. A fair
 * coin, 133 of them: 66 expected, 5 standard deviations. */
static void test_need__of_a_node_whose_class_is_known_is_less(void **state)
{
    (void)state;
    example x = some_nodes();
    uint32_t need[n_nodes], least_of_test = UINT32_MAX, n_owners = 0;
    find_need(need, &x, true);
    for (int i = 0; i < n_nodes; i++)
        if (x.split[i] == HRR_TEST && need[i] < least_of_test) least_of_test = need[i];
    for (int i = 0; i < n_nodes; i++) {
        if (x.split[i] == HRR_TRAIN) assert_true(need[i] < least_of_test);
        n_owners += x.split[i] == HRR_VALID && need[i] > least_of_test;
    }
    assert_in_range(n_owners, 37, 95);
    /* A training node without a class has to be classified. */
    x.classes[0] = -1;
    find_need(need, &x, true);
    assert_true(need[0] > least_of_test);
}

/* The two likeliest classes of nodes that have to be classified; nodes whose class is known, which
 * need less, count plainly. The label of a node that is to be classified does not matter. */
static void test_rivals__are_the_likeliest_classes(void **state)
{
    (void)state;
    enum { three = 3 };
    example x = some_nodes();
    static float z[n_nodes * three];
    uint32_t need[n_nodes], rivals[2 * n_nodes], again[2 * n_nodes];
    for (uint32_t i = 0; i < n_nodes; i++)
        for (uint32_t c = 0; c < three; c++)
            z[i * three + c] = (float)((i / 3 + c * (1 + i / 9 % 2)) % three);
    const hrr_dense logits = {.dtype = HRR_F32, .rows = n_nodes, .cols = three, .data = z};
    hrr_rivals(rivals, &logits, x.classes, x.split);
    find_need(need, &x, true);
    int n_known = 0, n_classified = 0;
    for (uint32_t i = 0; i < n_nodes; i++) {
        const float *row = z + i * three;
        const uint32_t a = rivals[2 * i], b = rivals[2 * i + 1];
        const bool is_known = a == b;
        assert_true(row[a] == 2 && (is_known || row[b] == 1));
        if (x.split[i] != HRR_VALID) assert_true(is_known == (x.split[i] == HRR_TRAIN));
        n_known += is_known, n_classified += !is_known;
        for (uint32_t j = 0; j < n_nodes && is_known; j++)
            if (rivals[2 * j] != rivals[2 * j + 1]) assert_true(need[i] < need[j]);
    }
    assert_true(n_known > 150 && n_classified > 150);
    for (uint32_t i = 0; i < n_nodes; i++)
        if (rivals[2 * i] != rivals[2 * i + 1]) x.classes[i] = !x.classes[i];
    hrr_rivals(again, &logits, x.classes, x.split);
    assert_memory_equal(rivals, again, sizeof rivals);
}

static hrr_status find_once(void *user)
{
    example *x = user;
    uint32_t need[n_nodes];
    const hrr_dense logits = {
        .dtype = HRR_F32, .rows = n_nodes, .cols = n_classes, .data = x->logits};
    return hrr_need(need, &logits, x->classes, x->split, NULL);
}

static void test_need__memory_may_run_out(void **state)
{
    (void)state;
    example x = some_nodes();
    assert_true(brutal(find_once, &x) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_need__is_a_rank),
        cmocka_unit_test(test_need__is_greater_the_less_sure_the_network_is),
        cmocka_unit_test(test_need__of_a_node_whose_class_is_known_is_less),
        cmocka_unit_test(test_rivals__are_the_likeliest_classes),
        cmocka_unit_test(test_need__memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
