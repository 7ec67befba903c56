/* Simple statistics must find again what the generator put in. */
#include "support/check.h"

#include <heterorr/generate.h>

#include <math.h>

static hrr_generate_options defaults(void)
{
    hrr_generate_options options;
    hrr_generate_options_init(&options);
    options.n_nodes = 4000;
    options.average_degree = 2;
    return options;
}

/* Share of feature f's variance that lies between the classes. */
static double between_classes(const hrr_graph *graph, uint64_t f)
{
    double sum[16] = {0}, count[16] = {0}, all = 0, square = 0, between = 0;
    double n = (double)hrr_graph_n_nodes(graph);
    for (uint64_t i = 0; i < hrr_graph_n_nodes(graph); i++) {
        double value = hrr_dense_get(hrr_graph_features(graph), i, f);
        int32_t label = hrr_graph_classes(graph)[i];
        sum[label] += value;
        count[label]++;
        all += value;
        square += value * value;
    }
    for (uint32_t label = 0; label < hrr_graph_n_classes(graph); label++)
        between += count[label] * pow(sum[label] / count[label] - all / n, 2);
    return between / (square - all * all / n);
}

/* Under no class effect the share times n is chi-square with C - 1 = 3 degrees of freedom, so
 * 0.005 * 4000 = 20 is passed with probability 0.0002 a feature; important features have a share
 * near 0.3. */
static void test_truth__statistics_recover_important_and_sensitive_features(void **state)
{
    (void)state;
    for (int bytes = 0; bytes < 2; bytes++) {
        hrr_generate_options options = defaults();
        hrr_generated_truth truth;
        hrr_graph *graph;
        options.feature_dtype = bytes ? HRR_U8 : HRR_F32;
        assert_ok(hrr_generate(&graph, &truth, &options, NULL, NULL));
        const hrr_dense *features = hrr_graph_features(graph);
        const hrr_dense *masked = hrr_graph_masked_features(graph);
        assert_int_equal(features->dtype, options.feature_dtype);
        for (uint64_t f = 0; f < options.n_features; f++) {
            double share = between_classes(graph, f), change = 0;
            if (truth.important[f]) assert_true(share > 0.15 && share < 0.6);
            if (!truth.important[f]) assert_true(share < 0.005);
            for (uint64_t i = 0; i < options.n_nodes; i++)
                change += fabs(hrr_dense_get(features, i, f) - hrr_dense_get(masked, i, f));
            change /= (double)options.n_nodes * (bytes ? 255 : 1);
            if (truth.sensitive[f]) assert_true(change > 0.05);
            if (!truth.sensitive[f]) assert_true(change == 0);
        }
        hrr_generated_truth_clear(&truth);
        hrr_graph_free(graph);
    }
}

/* Otherwise many features would say no more than one: with the classes in the same order
 * everywhere, the class of highest mean would be the same for all important features. */
static void test_truth__important_features_order_the_classes_each_in_its_way(void **state)
{
    (void)state;
    hrr_generate_options options = defaults();
    hrr_generated_truth truth;
    hrr_graph *graph;
    bool is_highest[4] = {false};
    assert_ok(hrr_generate(&graph, &truth, &options, NULL, NULL));
    for (uint64_t f = 0; f < options.n_features; f++) {
        double sum[4] = {0};
        int highest = 0;
        for (uint64_t i = 0; i < options.n_nodes; i++)
            sum[hrr_graph_classes(graph)[i]] += hrr_dense_get(hrr_graph_features(graph), i, f);
        for (int label = 1; label < 4; label++)
            if (sum[label] > sum[highest]) highest = label;
        if (truth.important[f]) is_highest[highest] = true;
    }
    assert_true(is_highest[0] + is_highest[1] + is_highest[2] + is_highest[3] >= 2);
    hrr_generated_truth_clear(&truth);
    hrr_graph_free(graph);
}

static void test_truth__features_fill_the_unit_interval_and_no_more(void **state)
{
    (void)state;
    hrr_generate_options options = defaults();
    hrr_graph *graph;
    double least = 1, most = 0, sum = 0;
    assert_ok(hrr_generate(&graph, NULL, &options, NULL, NULL));
    for (uint64_t i = 0; i < options.n_nodes; i++)
        for (uint64_t f = 0; f < options.n_features; f++) {
            double value = hrr_dense_get(hrr_graph_features(graph), i, f);
            least = fmin(least, value);
            most = fmax(most, value);
            sum += value;
        }
    assert_true(least >= 0 && least < 0.15);
    assert_true(most <= 1 && most > 0.85);
    assert_true(fabs(sum / (double)(options.n_nodes * options.n_features) - 0.5) < 0.005);
    hrr_graph_free(graph);
}

static void test_truth__all_four_combinations_exist_from_eight_features_on(void **state)
{
    (void)state;
    for (uint32_t n = 8; n < 40; n++)
        for (int i = 0; i < 9; i++) {
            hrr_generate_options options = defaults();
            hrr_generated_truth truth;
            hrr_graph *graph;
            const double shares[] = {0.25, 0.5, 0.75};
            uint32_t seen[4] = {0};
            options.n_nodes = 8;
            options.average_degree = 0;
            options.n_features = n;
            options.important_fraction = shares[i % 3];
            options.sensitive_fraction = shares[i / 3];
            options.seed = n;
            assert_ok(hrr_generate(&graph, &truth, &options, NULL, NULL));
            for (uint32_t f = 0; f < n; f++)
                seen[truth.important[f] + 2 * truth.sensitive[f]]++;
            for (int k = 0; k < 4; k++)
                assert_true(seen[k] > 0);
            assert_int_equal(seen[1] + seen[3], llround(shares[i % 3] * n));
            assert_int_equal(seen[2] + seen[3], llround(shares[i / 3] * n));
            hrr_generated_truth_clear(&truth);
            hrr_graph_free(graph);
        }
}

static void test_truth__none_or_all_features_can_be_important_or_sensitive(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        hrr_generate_options options = defaults();
        hrr_generated_truth truth;
        hrr_graph *graph;
        options.important_fraction = i % 2;
        options.sensitive_fraction = i / 2;
        assert_ok(hrr_generate(&graph, &truth, &options, NULL, NULL));
        for (uint32_t f = 0; f < options.n_features; f++) {
            assert_int_equal(truth.important[f], i % 2);
            assert_int_equal(truth.sensitive[f], i / 2);
        }
        hrr_generated_truth_clear(&truth);
        hrr_graph_free(graph);
    }
}

static void test_truth__no_features_is_a_choice(void **state)
{
    (void)state;
    hrr_generate_options options = defaults();
    hrr_generated_truth truth;
    hrr_graph *graph;
    options.n_features = 0;
    assert_ok(hrr_generate(&graph, &truth, &options, NULL, NULL));
    assert_null(hrr_graph_features(graph));
    assert_null(hrr_graph_masked_features(graph));
    assert_null(truth.important);
    hrr_generated_truth_clear(&truth);
    hrr_graph_free(graph);
}

static void test_labels__classes_are_equally_large(void **state)
{
    (void)state;
    hrr_generate_options options = defaults();
    hrr_graph *graph;
    uint64_t count[7] = {0};
    options.n_classes = 7;
    assert_ok(hrr_generate(&graph, NULL, &options, NULL, NULL));
    assert_int_equal(hrr_graph_n_classes(graph), 7);
    for (uint64_t i = 0; i < options.n_nodes; i++)
        count[hrr_graph_classes(graph)[i]]++;
    for (int label = 0; label < 7; label++)
        assert_int_equal(count[label], label < 3 ? 572 : 571);
    hrr_graph_free(graph);
}

/* Same seed, so same classes: the first label of the matrix is the class. Label class + 1 is set
 * for half of the nodes that can have it: 3000 of them, six standard errors are 0.055. */
static void test_labels__of_several_the_first_is_the_class(void **state)
{
    (void)state;
    hrr_generate_options options = defaults();
    hrr_graph *single, *several;
    double possible = 0, next = 0;
    assert_ok(hrr_generate(&single, NULL, &options, NULL, NULL));
    options.multilabel = true;
    assert_ok(hrr_generate(&several, NULL, &options, NULL, NULL));
    assert_true(hrr_graph_is_multilabel(several));
    for (uint64_t i = 0; i < options.n_nodes; i++) {
        const uint8_t *row = (const uint8_t *)hrr_graph_label_matrix(several)->data + 4 * i;
        int32_t label = hrr_graph_classes(single)[i];
        for (int32_t k = 0; k < label; k++)
            assert_int_equal(row[k], 0);
        assert_int_equal(row[label], 1);
        possible += label < 3;
        next += label < 3 && row[label + 1];
    }
    assert_true(fabs(next / possible - 0.5) < 0.055);
    hrr_graph_free(single);
    hrr_graph_free(several);
}

static void test_split__is_sixty_twenty_twenty(void **state)
{
    (void)state;
    hrr_generate_options options = defaults();
    hrr_graph *graph;
    uint64_t count[3] = {0}, early_train = 0;
    assert_ok(hrr_generate(&graph, NULL, &options, NULL, NULL));
    for (uint64_t i = 0; i < options.n_nodes; i++)
        count[hrr_graph_split(graph)[i]]++;
    for (uint64_t i = 0; i < 2000; i++)
        early_train += hrr_graph_split(graph)[i] == HRR_TRAIN;
    assert_int_equal(count[HRR_TRAIN], 2400);
    assert_int_equal(count[HRR_VALID], 800);
    assert_int_equal(count[HRR_TEST], 800);
    /* Six standard deviations of the hypergeometric law. */
    assert_true(early_train > 1200 - 93 && early_train < 1200 + 93);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truth__statistics_recover_important_and_sensitive_features),
        cmocka_unit_test(test_truth__important_features_order_the_classes_each_in_its_way),
        cmocka_unit_test(test_truth__features_fill_the_unit_interval_and_no_more),
        cmocka_unit_test(test_truth__all_four_combinations_exist_from_eight_features_on),
        cmocka_unit_test(test_truth__none_or_all_features_can_be_important_or_sensitive),
        cmocka_unit_test(test_truth__no_features_is_a_choice),
        cmocka_unit_test(test_labels__classes_are_equally_large),
        cmocka_unit_test(test_labels__of_several_the_first_is_the_class),
        cmocka_unit_test(test_split__is_sixty_twenty_twenty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
