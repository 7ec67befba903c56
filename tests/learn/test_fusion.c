/* Opinions put together: evidence that tells something gets a weight, evidence that tells nothing
 * changes nothing, and only the nodes that were chosen are looked at. tests/learn/test_oracles.py
 * compares the weights with scipy's. */
#include "learn/fusion.h"
#include "support/brutal.h"
#include "support/check.h"

#include "random/fast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n_nodes = 800, n_classes = 4, n_evidence = 2 };

typedef struct example {
    hrr_dense logits, evidence[n_evidence];
    int32_t classes[n_nodes];
    uint8_t labels[n_nodes * n_classes], split[n_nodes];
} example;

/* Normal scores; the true class of a node gets so much on top in each term. */
static example *make(double network, double first, double second, uint64_t seed)
{
    const double strength[] = {network, first, second};
    hrr_fast_random random;
    example *x = calloc(1, sizeof *x);
    hrr_dense *terms[] = {&x->logits, &x->evidence[0], &x->evidence[1]};
    hrr_fast_init(&random, seed, 0);
    for (int i = 0; i < n_nodes; i++) {
        x->classes[i] = (int32_t)hrr_fast_below(&random, n_classes);
        x->labels[i * n_classes + x->classes[i]] = 1;
        x->split[i] = (uint8_t[]){0, 1, 1, 2}[i % 4];
    }
    for (int t = 0; t < 3; t++) {
        assert_ok(hrr_dense_init(terms[t], HRR_F32, n_nodes, n_classes, NULL));
        float *to = terms[t]->data;
        for (int k = 0; k < n_nodes * n_classes; k++)
            to[k] = (float)(hrr_fast_normal(&random) + strength[t] * x->labels[k]);
    }
    return x;
}

static void drop(example *x)
{
    hrr_dense_clear(&x->logits);
    hrr_dense_clear(&x->evidence[0]);
    hrr_dense_clear(&x->evidence[1]);
    free(x);
}

static hrr_targets targets_of(const example *x, bool several)
{
    return (hrr_targets){.n = n_nodes,
                         .n_classes = n_classes,
                         .classes = several ? NULL : x->classes,
                         .labels = several ? x->labels : NULL,
                         .split = x->split};
}

static hrr_status fit(hrr_fusion *out, const example *x, bool several, const uint8_t *chosen,
                      int threads, hrr_error *err)
{
    const hrr_targets targets = targets_of(x, several);
    hrr_fusion_options how;
    hrr_fusion_options_init(&how);
    how.chosen = chosen;
    how.threads = threads;
    return hrr_fusion_fit(out, &x->logits, x->evidence, n_evidence, &targets, &how, err);
}

/* ln P(labels of the validation nodes), one class a node. */
static double likelihood(const example *x, const hrr_dense *scores)
{
    double sum = 0;
    for (int i = 0; i < n_nodes; i++) {
        const float *z = (const float *)scores->data + i * n_classes;
        double all = 0;
        for (int c = 0; c < n_classes; c++)
            all += exp((double)z[c]);
        if (x->split[i] == HRR_VALID) sum += (double)z[x->classes[i]] - log(all);
    }
    return sum;
}

static void test_fusion__evidence_that_tells_something_weighs_something(void **state)
{
    (void)state;
    for (int several = 0; several < 2; several++) {
        example *x = make(1, 2, 1, 1);
        hrr_fusion found;
        assert_ok(fit(&found, x, several, NULL, 1, NULL));
        assert_int_equal(found.n_terms, 3);
        assert_true(found.gain > .2);
        /* The truth is 1, 2, 1. As scores of single labels the terms are far too high on average,
         * which only smaller weights can make up for. */
        const double least = several ? .05 : .8;
        assert_true(found.weight[0] > least && found.weight[1] > 1.5 * least &&
                    found.weight[2] > least && found.weight[1] < 2.5);
        const double before = likelihood(x, &x->logits);
        if (!several) {
            hrr_fusion_apply(&x->logits, &found, x->evidence, HRR_OUTPUT_SOFTMAX, 1);
            assert_true(likelihood(x, &x->logits) > before + .2 * n_nodes / 2);
        }
        drop(x);
    }
}

/* Whatever the terms are like, the fused labels of validation nodes are no less likely than the
 * network's own; with terms of pure noise, evidence is refused most of the time, and then the
 * scores are the network's, bit for bit. */
static void test_fusion__is_never_worse_than_the_network_on_validation(void **state)
{
    (void)state;
    int refused = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        example *x = make(seed % 2 ? 1 : 3, 0, 0, seed);
        hrr_dense before;
        hrr_fusion found;
        assert_ok(hrr_dense_init(&before, HRR_F32, n_nodes, n_classes, NULL));
        memcpy(before.data, x->logits.data, n_nodes * n_classes * sizeof(float));
        assert_ok(fit(&found, x, false, NULL, 1, NULL));
        hrr_fusion_apply(&x->logits, &found, x->evidence, HRR_OUTPUT_SOFTMAX, 1);
        assert_true(likelihood(x, &x->logits) >= likelihood(x, &before));
        if (found.gain <= 0) {
            refused++;
            assert_true(found.weight[0] == 1 && found.weight[1] == 0 && found.weight[2] == 0);
            assert_memory_equal(before.data, x->logits.data, n_nodes * n_classes * sizeof(float));
        }
        hrr_dense_clear(&before);
        drop(x);
    }
    assert_true(refused >= 14);
}

/* The truth is 1, 2, 1: the stronger the prior, the nearer to it the weights stay. */
static void test_fusion__a_strong_prior_holds_the_weights(void **state)
{
    (void)state;
    example *x = make(1, 2, 1, 8);
    const hrr_targets targets = targets_of(x, false);
    const double pull[] = {1, 100, 1e9};
    hrr_fusion found[3];
    hrr_fusion_options how;
    hrr_fusion_options_init(&how);
    how.prior[2] = .25;
    for (int k = 0; k < 3; k++) {
        how.pull = pull[k];
        assert_ok(
            hrr_fusion_fit(&found[k], &x->logits, x->evidence, n_evidence, &targets, &how, NULL));
    }
    assert_true(found[0].weight[1] > found[1].weight[1] + .1 && found[1].weight[1] > 1.1);
    for (int t = 0; t < 3; t++)
        assert_true(fabs(found[2].weight[t] - how.prior[t]) < 1e-3);
    drop(x);
}

/* Without the guard, evidence of pure noise is told to be one, and keeps what weight it is given.
 */
static void test_fusion__without_a_guard_nothing_is_refused(void **state)
{
    (void)state;
    int would_be_refused = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        example *x = make(1, 0, 0, seed);
        const hrr_targets targets = targets_of(x, false);
        hrr_fusion guarded, found;
        hrr_fusion_options how;
        hrr_fusion_options_init(&how);
        how.pull = 1e4;
        assert_ok(
            hrr_fusion_fit(&guarded, &x->logits, x->evidence, n_evidence, &targets, &how, NULL));
        how.unguarded = true;
        assert_ok(
            hrr_fusion_fit(&found, &x->logits, x->evidence, n_evidence, &targets, &how, NULL));
        assert_true(found.weight[1] > 0 && found.gain <= fmax(guarded.gain, 0));
        if (guarded.weight[1] == 0) would_be_refused++;
        drop(x);
    }
    assert_true(would_be_refused >= 7);
}

/* Evidence that is right on some nodes and misleads on others: the weights are for those chosen.
 * Labels of nodes outside, of test and of training nodes are not looked at. */
static void test_fusion__looks_at_chosen_nodes_alone(void **state)
{
    (void)state;
    example *x = make(1, 2, 0, 3);
    uint8_t chosen[n_nodes];
    hrr_fusion all, some, again;
    for (int i = 0; i < n_nodes; i++) {
        chosen[i] = i % 3 == 0;
        for (int c = 0; c < n_classes && !chosen[i]; c++)
            ((float *)x->evidence[0].data)[i * n_classes + c] *= -1;
    }
    assert_ok(fit(&all, x, false, NULL, 1, NULL));
    assert_ok(fit(&some, x, false, chosen, 1, NULL));
    assert_true(all.weight[1] < .1 && some.weight[1] > 1);
    for (int i = 0; i < n_nodes; i++)
        if (x->split[i] != HRR_VALID || !chosen[i]) x->classes[i] = i % 8 < 4 ? -1 : 0;
    assert_ok(fit(&again, x, false, chosen, 3, NULL));
    assert_memory_equal(&some, &again, sizeof some);
    drop(x);
}

static void test_fusion__weights_are_the_prior_without_nodes(void **state)
{
    (void)state;
    example *x = make(1, 1, 1, 4);
    hrr_fusion found;
    memset(x->split, HRR_TRAIN, n_nodes);
    assert_ok(fit(&found, x, false, NULL, 1, NULL));
    assert_true(found.weight[0] == 1 && found.weight[1] == 1 && found.weight[2] == 0);
    assert_true(isnan(found.gain));
    x->split[5] = HRR_VALID; /* one node cannot be learnt from and left out */
    assert_ok(fit(&found, x, false, NULL, 1, NULL));
    assert_true(isfinite(found.gain));
    drop(x);
}

/* Scores that overflow any exponential, and labels that the terms rule out. */
static void test_fusion__takes_scores_of_any_size(void **state)
{
    (void)state;
    for (int several = 0; several < 2; several++) {
        example *x = make(1, 2, 0, 5);
        hrr_fusion found;
        for (int k = 0; k < n_nodes * n_classes; k++)
            ((float *)x->evidence[0].data)[k] *= 1e6F;
        ((float *)x->logits.data)[n_classes] = -1e30F;
        assert_ok(fit(&found, x, several, NULL, 1, NULL));
        for (int t = 0; t < 3; t++)
            assert_true(isfinite(found.weight[t]) && found.weight[t] >= 0);
        drop(x);
    }
}

static void test_fusion__bad_input_is_refused(void **state)
{
    (void)state;
    example *x = make(1, 1, 1, 6);
    hrr_fusion found;
    hrr_error err;
    x->evidence[1].cols--;
    assert_int_equal(fit(&found, x, false, NULL, 1, &err), HRR_EINVAL);
    assert_says(err, "evidence");
    x->evidence[1].cols++;
    ((float *)x->evidence[1].data)[7] = NAN;
    assert_int_equal(fit(&found, x, false, NULL, 1, &err), HRR_EDATA);
    drop(x);
}

static hrr_status fit_once(void *user)
{
    hrr_fusion found;
    return fit(&found, user, false, NULL, 1, NULL);
}

static void test_fusion__runs_out_of_memory_without_a_trace(void **state)
{
    (void)state;
    example *x = make(1, 1, 1, 7);
    brutal(fit_once, x);
    drop(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fusion__evidence_that_tells_something_weighs_something),
        cmocka_unit_test(test_fusion__is_never_worse_than_the_network_on_validation),
        cmocka_unit_test(test_fusion__a_strong_prior_holds_the_weights),
        cmocka_unit_test(test_fusion__without_a_guard_nothing_is_refused),
        cmocka_unit_test(test_fusion__looks_at_chosen_nodes_alone),
        cmocka_unit_test(test_fusion__weights_are_the_prior_without_nodes),
        cmocka_unit_test(test_fusion__takes_scores_of_any_size),
        cmocka_unit_test(test_fusion__bad_input_is_refused),
        cmocka_unit_test(test_fusion__runs_out_of_memory_without_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
