/* test_head_sources.c: a head from public graphs: what sets people apart, not which graph they are
 * from; answers that halve the people. */
#include "base/memory.h"
#include "random/fast.h"
#include "support/brutal.h"
#include "support/graphs.h"

#include <heterorr/learn.h>

#include <math.h>
#include <stdlib.h>

enum { n = 400, d = 3 };

/* Feature 0 decides the class, with some noise; feature 1 is 1 for everybody of a graph, feature 2
 * is noise. Class 1 has this share. several: the labels "class 1", "a coin" and "not class 1". */
static hrr_graph *people(uint64_t seed, double share, float place, bool several)
{
    hrr_graph *graph = empty_graph(n);
    hrr_fast_random random;
    hrr_dense features, labels;
    hrr_fast_init(&random, seed, 0);
    assert_ok(hrr_dense_init(&features, HRR_F32, n, d, NULL));
    assert_ok(hrr_dense_init(&labels, HRR_U8, n, 3, NULL));
    int32_t *classes = hrr_alloc(n, sizeof *classes);
    assert_non_null(classes);
    for (int i = 0; i < n; i++) {
        float *x = (float *)features.data + i * d;
        uint8_t *l = (uint8_t *)labels.data + i * 3;
        classes[i] = hrr_fast_uniform(&random) < share;
        x[0] = (float)(classes[i] + hrr_fast_uniform(&random));
        x[1] = place;
        x[2] = (float)hrr_fast_uniform(&random);
        l[0] = classes[i] == 1;
        l[1] = hrr_fast_uniform(&random) < .5;
        l[2] = !l[0];
    }
    if (!several) classes[0] = -1; /* nobody knows */
    assert_ok(hrr_graph_take_features(graph, &features, NULL));
    if (several)
        assert_ok(hrr_graph_take_label_matrix(graph, &labels, NULL));
    else
        assert_ok(hrr_graph_take_classes(graph, &classes, 2, NULL));
    hrr_free(classes);
    hrr_dense_clear(&labels);
    return graph;
}

static void test_sources__weigh_what_sets_people_apart_within_a_graph(void **state)
{
    (void)state;
    hrr_graph *graphs[2] = {people(1, .1, 0, false), people(2, .7, 1, false)};
    hrr_head head;
    assert_ok(
        hrr_head_from_graphs(&head, (const hrr_graph *const *)graphs, 2, 1, 0, NULL, NULL, NULL));
    assert_int_equal(head.output, HRR_OUTPUT_SOFTMAX);
    assert_int_equal(head.weight.rows, d);
    const double *w = head.weight.data;
    const double apart = w[1] - w[0], place = w[3] - w[2], noise = w[5] - w[4];
    assert_true(apart > 2 && fabs(noise) < apart / 2);
    /* The graph's own intercepts explain most of why class 1 is frequent in the second. */
    assert_true(fabs(place) < apart / 2);
    /* Half of the people are answered either way. */
    int ones = 0;
    for (int g = 0; g < 2; g++) {
        hrr_dense scores;
        assert_ok(hrr_head_predict(&scores, &head, hrr_graph_features(graphs[g]), false, NULL));
        const double *s = scores.data;
        for (int i = 0; i < n; i++)
            ones += s[2 * i + 1] > s[2 * i];
        hrr_dense_clear(&scores);
    }
    assert_true(abs(ones - n) <= 2);
    hrr_head_clear(&head);
    for (int g = 0; g < 2; g++)
        hrr_graph_free(graphs[g]);
}

static void test_sources__labels_have_shares_by_what_answers_tell(void **state)
{
    (void)state;
    hrr_graph *graph = people(3, .5, 0, true);
    hrr_head head;
    assert_ok(
        hrr_head_from_graphs(&head, (const hrr_graph *const *)&graph, 1, 1, 0, NULL, NULL, NULL));
    assert_int_equal(head.output, HRR_OUTPUT_SIGMOID);
    assert_int_equal(head.shares.cols, 3);
    const double *share = head.shares.data;
    assert_true(share[0] > .3 && share[2] > .3 && share[0] < log(2) + 1e-9);
    assert_true(share[1] < .03);
    hrr_head_clear(&head);
    hrr_graph_free(graph);
}

/* Two labels that are each other's opposite and a coin: one question tells as much as three. */
static void test_sources__few_questions_go_along_what_scores_vary_in(void **state)
{
    (void)state;
    hrr_graph *graph = people(3, .5, 0, true);
    hrr_head head;
    hrr_dense scores;
    assert_ok(
        hrr_head_from_graphs(&head, (const hrr_graph *const *)&graph, 1, 1, 1, NULL, NULL, NULL));
    assert_int_equal(head.output, HRR_OUTPUT_SIGMOID);
    assert_int_equal(head.weight.cols, 1);
    assert_int_equal(head.shares.cols, 1);
    assert_ok(hrr_head_predict(&scores, &head, hrr_graph_features(graph), false, NULL));
    const uint8_t *label = hrr_graph_label_matrix(graph)->data;
    int yes = 0, like = 0;
    for (int i = 0; i < n; i++) {
        const bool says = ((double *)scores.data)[i] > 0;
        yes += says;
        like += says == label[3 * i];
    }
    assert_true(abs(yes - n / 2) <= 1);          /* halves them */
    assert_true(like < .1 * n || like > .9 * n); /* the sign of a direction is nobody's choice */
    hrr_dense_clear(&scores);
    hrr_head_clear(&head);
    /* As many as there are labels, or more: one about each. */
    assert_ok(
        hrr_head_from_graphs(&head, (const hrr_graph *const *)&graph, 1, 1, 3, NULL, NULL, NULL));
    assert_int_equal(head.weight.cols, 3);
    hrr_head_clear(&head);
    hrr_graph_free(graph);
}

/* Feature 0 alone tells the class. The more sensitive it is, the less the head leans on it. */
static void test_sources__sensitive_features_weigh_less(void **state)
{
    (void)state;
    static const double first[d] = {1, 0, 0}, others[d] = {0, 1, 1};
    hrr_graph *graph = people(1, .5, 0, false);
    const hrr_head_steering steering[] = {
        {first, d, 0}, {first, d, 10}, {first, d, 1000}, {others, d, 10}};
    double apart[5];
    for (int i = 0; i < 5; i++) {
        hrr_head head;
        assert_ok(hrr_head_from_graphs(&head, (const hrr_graph *const *)&graph, 1, 1, 0,
                                       i ? &steering[i - 1] : NULL, NULL, NULL));
        const double *w = head.weight.data;
        apart[i] = w[1] - w[0];
        hrr_head_clear(&head);
    }
    assert_true(apart[1] == apart[0]); /* strength 0: not steered */
    assert_true(apart[2] < .9 * apart[0] && apart[3] < .5 * apart[2] && apart[3] > 0);
    assert_true(apart[4] > apart[0]);
    hrr_graph_free(graph);
}

/* Labels 0 and 2 are told by feature 0, label 1 is a coin. */
static void test_sources__labels_told_by_sensitive_features_have_smaller_shares(void **state)
{
    (void)state;
    static const double first[d] = {1, 0, 0}, noise[d] = {0, 0, 1};
    const hrr_head_steering lean_on[] = {{first, d, .001}, {noise, d, .001}};
    hrr_graph *graph = people(3, .5, 0, true);
    double share[3];
    for (int i = 0; i < 3; i++) {
        hrr_head head;
        assert_ok(hrr_head_from_graphs(&head, (const hrr_graph *const *)&graph, 1, 1, 0,
                                       i ? &lean_on[i - 1] : NULL, NULL, NULL));
        share[i] = ((double *)head.shares.data)[0];
        hrr_head_clear(&head);
    }
    assert_true(share[1] < .3 * share[0]);
    assert_true(share[2] > .7 * share[0] && share[2] < share[0]);
    hrr_graph_free(graph);
}

static void test_sources__scores_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const double fine[d] = {1, 0, 2}, negative[d] = {1, -1, 0}, none[d];
    const struct {
        hrr_head_steering steering;
        const char *says;
    } cases[] = {{{fine, d + 1, 1}, "scores for 4 features"},
                 {{fine, d, -1}, "strength of steering"},
                 {{fine, d, NAN}, "strength of steering"},
                 {{negative, d, 1}, "feature 2"},
                 {{none, d, 1}, "no feature is sensitive"}};
    hrr_graph *graph = people(1, .5, 0, false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hrr_head head;
        hrr_error err = {0};
        assert_int_not_equal(hrr_head_from_graphs(&head, (const hrr_graph *const *)&graph, 1, 1, 0,
                                                  &cases[i].steering, NULL, &err),
                             HRR_OK);
        assert_says(err, cases[i].says);
    }
    hrr_graph_free(graph);
}

static void test_sources__graphs_that_differ_are_refused(void **state)
{
    (void)state;
    hrr_graph *graphs[2] = {people(1, .5, 0, false), people(2, .5, 1, true)};
    hrr_graph *bare = empty_graph(3);
    hrr_head head;
    hrr_error err;
    assert_int_equal(
        hrr_head_from_graphs(&head, (const hrr_graph *const *)graphs, 2, 1, 0, NULL, NULL, &err),
        HRR_EDATA);
    assert_says(err, "different classes");
    assert_int_equal(hrr_head_from_graphs(&head, NULL, 0, 1, 0, NULL, NULL, &err), HRR_EINVAL);
    assert_int_equal(
        hrr_head_from_graphs(&head, (const hrr_graph *const *)&bare, 1, 1, 0, NULL, NULL, &err),
        HRR_EDATA);
    assert_says(err, "no features");
    for (int g = 0; g < 2; g++)
        hrr_graph_free(graphs[g]);
    hrr_graph_free(bare);
}

static hrr_status learn_once(void *graph)
{
    static const double first[d] = {1, 0, 0};
    const hrr_head_steering steering = {first, d, 10};
    hrr_head head;
    const hrr_status status = hrr_head_from_graphs(&head, (const hrr_graph *const *)&graph, 1, 1, 1,
                                                   &steering, NULL, NULL);
    hrr_head_clear(&head);
    return status;
}

static void test_sources__survive_without_memory(void **state)
{
    (void)state;
    hrr_graph *graph = people(3, .5, 0, true);
    assert_true(brutal(learn_once, graph) > 10);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources__weigh_what_sets_people_apart_within_a_graph),
        cmocka_unit_test(test_sources__labels_have_shares_by_what_answers_tell),
        cmocka_unit_test(test_sources__few_questions_go_along_what_scores_vary_in),
        cmocka_unit_test(test_sources__sensitive_features_weigh_less),
        cmocka_unit_test(test_sources__labels_told_by_sensitive_features_have_smaller_shares),
        cmocka_unit_test(test_sources__scores_that_do_not_fit_are_refused),
        cmocka_unit_test(test_sources__graphs_that_differ_are_refused),
        cmocka_unit_test(test_sources__survive_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
