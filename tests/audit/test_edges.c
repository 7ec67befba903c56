/* What the audit and the attack on releases look at: in the tree that was drawn, the count that the
 * pair moves, and nothing of the other edges in it. */
#include "audit/edges.h"
#include "support/brutal.h"
#include "support/check.h"

/* A ring of 24 nodes with chords, all public but the chords; the last of them is the pair. */
enum { n_nodes = 24, n_secret = 6 };
static const uint32_t chord_source[n_secret] = {0, 1, 2, 4, 8, 9};
static const uint32_t chord_target[n_secret] = {5, 12, 19, 23, 14, 17};

typedef struct ring {
    uint32_t source[n_nodes], target[n_nodes];
    hrr_edge_public known;
    hrr_edge_secret secret[2];
} ring;

static void make_ring(ring *out)
{
    out->source[0] = 0, out->target[0] = 1;
    out->source[1] = 0, out->target[1] = n_nodes - 1;
    for (uint32_t i = 2; i < n_nodes; i++)
        out->source[i] = i - 1, out->target[i] = i;
    out->known =
        (hrr_edge_public){.n_nodes = n_nodes, .n_edges = n_nodes, out->source, out->target, NULL};
    for (int side = 0; side < 2; side++)
        out->secret[side] = (hrr_edge_secret){n_secret - (side == 0), chord_source, chord_target};
}

/* With the largest budget noise is rare: what is left is whether the pair has an edge. */
static void test_pair_numbers__are_the_pair_alone_in_every_tree(void **state)
{
    (void)state;
    static const char *const ways[][3] = {
        {"edgerr", "public", "0"},   {"edgerr", "uniform", "0"}, {"edgerr", "barker", "1"},
        {"edgerr", "quotient", "1"}, {"edgerr", "select", "1"},  {"privhrg", NULL, "1"},
        {"edgerr", "single", "1"},   {"edgerr-node", NULL, "0"},
    };
    enum { n_trials = 20 };
    ring r;
    make_ring(&r);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        hrr_edge_options options;
        hrr_edge_attack attack;
        hrr_edge_options_init(&options);
        options.mechanism = ways[w][0];
        options.tree = ways[w][1];
        options.eps_nano = HRR_EPS_MAX;
        options.threads = 1;
        const uint32_t pair[2] = {chord_source[n_secret - 1], chord_target[n_secret - 1]};
        assert_ok(
            hrr_edge_attack_init_pair(&attack, &options, &r.known, r.secret, pair, 3, NULL, NULL));
        const bool drawn = ways[w][2][0] == '1', nodes = attack.numbers == HRR_NUMBERS_NODES;
        assert_int_equal(attack.view, HRR_VIEW_NUMBERS);
        assert_int_equal(attack.width, drawn || nodes ? 2 : 1);
        for (int side = 0; side < 2; side++) {
            float seen[2 * n_trials];
            assert_ok(hrr_edge_attack_run(seen, &attack, side, 0, n_trials, NULL));
            for (int i = 0; i < n_trials; i++) {
                const float *trial = seen + attack.width * (uint32_t)i;
                assert_true(trial[0] == (float)side);
                if (nodes) assert_true(trial[1] == (float)side);
                if (drawn) assert_true(trial[1] >= 1 && trial[1] <= n_nodes * n_nodes / 4);
            }
        }
        hrr_edge_attack_clear(&attack);
    }
}

static void test_pair_numbers__are_not_there_without_counts(void **state)
{
    (void)state;
    ring r;
    make_ring(&r);
    hrr_edge_options options;
    hrr_edge_attack attack;
    hrr_edge_options_init(&options);
    options.mechanism = "edgerand-private";
    options.eps_nano = HRR_EPS_UNIT;
    assert_ok(hrr_edge_attack_init_pair(&attack, &options, &r.known, r.secret,
                                        (const uint32_t[]){9, 17}, 3, NULL, NULL));
    assert_int_equal(attack.view, HRR_VIEW_PAIR);
    assert_int_equal(attack.width, 1);
    hrr_edge_attack_clear(&attack);
}

static hrr_status look_once(void *user)
{
    ring r;
    make_ring(&r);
    hrr_edge_options options;
    hrr_edge_attack attack;
    float seen[2];
    hrr_edge_options_init(&options);
    options.mechanism = user;
    options.eps_nano = HRR_EPS_UNIT;
    options.threads = 1;
    hrr_status status = hrr_edge_attack_init_pair(&attack, &options, &r.known, r.secret,
                                                  (const uint32_t[]){9, 17}, 3, NULL, NULL);
    if (status) return status;
    status = hrr_edge_attack_run(seen, &attack, 1, 0, 1, NULL);
    hrr_edge_attack_clear(&attack);
    return status;
}

static void test_pair_numbers__survive_every_failed_allocation(void **state)
{
    (void)state;
    char tree[] = "edgerr", nodes[] = "edgerr-node";
    assert_true(brutal(look_once, tree) > 10);
    assert_true(brutal(look_once, nodes) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pair_numbers__are_the_pair_alone_in_every_tree),
        cmocka_unit_test(test_pair_numbers__are_not_there_without_counts),
        cmocka_unit_test(test_pair_numbers__survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
