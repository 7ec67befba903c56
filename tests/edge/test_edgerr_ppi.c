/* How many synthetic edges there are, against the truth, on the 24 PPI graphs of the paper with its
 * three proportions of private edges. Knows the truth, so it belongs in tests and nowhere else. */
#include "support/check.h"
#include "support/files.h"

#include <heterorr/edge.h>
#include <heterorr/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const files[] = {
    "train_00", "train_01", "train_02", "train_03", "train_04", "train_05", "train_06", "train_07",
    "train_08", "train_09", "train_10", "train_11", "train_12", "train_13", "train_14", "train_15",
    "train_16", "train_17", "train_18", "train_19", "valid_0",  "valid_1",  "test_0",   "test_1"};
enum { n_files = 24 };

static hrr_graph *read_marked(int file, double fraction)
{
    char name[64];
    hrr_graph *graph;
    snprintf(name, sizeof name, "ppi/%s.csv", files[file]);
    assert_ok(hrr_graph_read(&graph, real_data(name), NULL, NULL, NULL));
    assert_ok(hrr_graph_mark_fraction(graph, fraction, 1 + (uint64_t)file, NULL));
    return graph;
}

/* The graph's edges, public ones first and private ones behind them. */
static void split(uint32_t *ends[2], hrr_edge_public *known, hrr_edge_secret *secret,
                  const hrr_graph *graph)
{
    const uint64_t m = hrr_graph_n_edges(graph), n_private = hrr_graph_n_private_edges(graph);
    uint64_t at[2] = {0, m - n_private};
    for (int i = 0; i < 2; i++)
        ends[i] = malloc(m * sizeof **ends);
    for (uint64_t e = 0; e < m; e++) {
        const uint64_t to = at[hrr_graph_is_private(graph)[e]]++;
        ends[0][to] = hrr_graph_sources(graph)[e];
        ends[1][to] = hrr_graph_targets(graph)[e];
    }
    *known = (hrr_edge_public){hrr_graph_n_nodes(graph), m - n_private, ends[0], ends[1], NULL};
    *secret = (hrr_edge_secret){n_private, ends[0] + (m - n_private), ends[1] + (m - n_private)};
}

static double relative_error(const hrr_graph *graph, const char *tree, double eps, uint64_t seed)
{
    uint32_t *ends[2];
    hrr_edge_public known;
    hrr_edge_secret secret;
    split(ends, &known, &secret, graph);
    hrr_edge_options options;
    hrr_edge_options_init(&options);
    options.mechanism = "edgerr";
    options.tree = tree;
    options.eps_nano = (uint64_t)(eps * HRR_EPS_UNIT);
    options.steps_per_node = 10;
    options.threads = 1;
    hrr_edge_plan *plan;
    hrr_edge_release release;
    hrr_random *random;
    assert_ok(hrr_edge_plan_new(&plan, &known, &options, NULL, NULL));
    assert_ok(hrr_random_new_insecure(&random, seed, NULL));
    assert_ok(hrr_edge_plan_draw(&release, plan, &secret, random, NULL, NULL));
    const double error = (double)release.edges.n_edges / (double)secret.n_edges - 1;
    hrr_edge_release_clear(&release);
    hrr_random_free(random);
    hrr_edge_plan_free(plan);
    free(ends[0]);
    free(ends[1]);
    return error;
}

/* Seeded, so a pass stays a pass. With fresh noise the deviation is 2% at most on the smallest
 * graph with the fewest private edges (193), so that 5% is passed there in 1 run of 80, elsewhere
 * hardly ever. */
static void test_ppi__the_total_is_within_5_percent_at_eps_1(void **state)
{
    (void)state;
    const double fractions[] = {.05, .1, .2};
    for (int i = 0; i < 3; i++) {
        double mean = 0, size = 0, worst = 0;
        for (int file = 0; file < n_files; file++) {
            hrr_graph *graph = read_marked(file, fractions[i]);
            const double error = relative_error(graph, NULL, 1, 100 + (uint64_t)file);
            hrr_graph_free(graph);
            mean += error / n_files;
            size += fabs(error) / n_files;
            worst = fmax(worst, fabs(error));
            assert_true(fabs(error) < .05);
        }
        print_message("private %.2f: mean %+.4f, mean size %.4f, worst %.4f\n", fractions[i], mean,
                      size, worst);
        assert_true(fabs(mean) < .01);
    }
}

/* The smallest graph. */
static void test_ppi__goes_through_every_tree(void **state)
{
    (void)state;
    hrr_graph *graph = read_marked(8, .2);
    for (const hrr_edge_tree *const *tree = hrr_edge_trees(); *tree; tree++) {
        const double error = relative_error(graph, (*tree)->name, 1, 1);
        print_message("%s, tree %s: %+.3f\n", files[8], (*tree)->name, error);
        if (strcmp((*tree)->name, "paper") != 0) assert_true(fabs(error) < .05);
    }
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ppi__the_total_is_within_5_percent_at_eps_1),
        cmocka_unit_test(test_ppi__goes_through_every_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
