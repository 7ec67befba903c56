/* Other attacks on links, and on membership, on a graph where what they find is known. */
#include "attack/models.h"
#include "support/brutal.h"
#include "attack/pairs.h"
#include "attack/ranking.h"

static void test_links__every_attack_beats_a_guess(void **state)
{
    (void)state;
    hrr_graph *graph = learnable(.8);
    hrr_model *model = trained(graph);
    hrr_release *served = reference_of(graph);
    hrr_linkteller_options options;
    hrr_link_quality mean[HRR_LINK_ATTACKS], deviation[HRR_LINK_ATTACKS];
    hrr_linkteller_result alone;
    uint64_t count;
    hrr_link_verdict verdict;
    hrr_linkteller_options_init(&options);
    options.n_samples = 150;
    options.runs = 2;
    options.threads = 2;
    assert_ok(
        hrr_links(mean, deviation, &verdict, &count, model, served, graph, &options, NULL, NULL));
    assert_ok(hrr_linkteller(&alone, NULL, model, served, graph, &options, NULL, NULL));
    assert_int_equal(count, 150);
    assert_true(mean[HRR_LINKS_LINKTELLER].auc == alone.mean.auc);
    assert_true(mean[HRR_LINKS_POSTERIORS].auc > .6);
    assert_true(mean[HRR_LINKS_ATTRIBUTES].auc > .55);
    assert_true(mean[HRR_LINKS_TRAINED].auc > .65);
    assert_true(mean[HRR_LINKS_TRAINED].auc < mean[HRR_LINKS_LINKTELLER].auc);
    assert_true(mean[HRR_LINKS_WALKS].auc > .5 && mean[HRR_LINKS_BOTH].auc > .55);
    assert_int_equal(verdict.verdict, HRR_LEAKS);
    assert_true(verdict.alone.auc == alone.verdict.alone.auc);
    for (int i = 0; i < HRR_LINK_ATTACKS; i++)
        assert_true(mean[i].n_pairs == alone.mean.n_pairs && deviation[i].auc >= 0);
    assert_string_equal(hrr_link_attack_name(HRR_LINKS_POSTERIORS), "lsa2-post");
    options.all_edges = true; /* nothing is public: nothing to learn from */
    assert_ok(
        hrr_links(mean, deviation, &verdict, &count, model, served, graph, &options, NULL, NULL));
    assert_true(isnan(mean[HRR_LINKS_TRAINED].auc) && isnan(mean[HRR_LINKS_WALKS].auc));
    assert_string_equal(verdict.alone.guess, "lsa2-attr");
    assert_true(mean[HRR_LINKS_LINKTELLER].auc > .9);
    hrr_model_free(model);
    hrr_release_free(served);
    hrr_graph_free(graph);
}

/* Correlation about the mean of the sample, by the definition. */
static void test_links__attributes_are_correlated_by_the_definition(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(30, HRR_F32, 4, 1, 3, false, 2);
    hrr_model *model = model_of(&kinds[0], graph);
    hrr_release *served = reference_of(graph);
    hrr_linkteller_options options;
    hrr_link_quality mean[HRR_LINK_ATTACKS], deviation[HRR_LINK_ATTACKS], wanted;
    uint64_t count;
    hrr_link_verdict verdict;
    uint32_t nodes[30];
    hrr_link_pairs pairs;
    double centre[4] = {0};
    hrr_linkteller_options_init(&options);
    options.all_edges = true;
    options.runs = 1;
    assert_ok(
        hrr_links(mean, deviation, &verdict, &count, model, served, graph, &options, NULL, NULL));
    for (uint32_t i = 0; i < 30; i++) {
        nodes[i] = i;
        for (int k = 0; k < 4; k++)
            centre[k] += hrr_dense_get(hrr_graph_features(graph), i, (uint64_t)k) / 30;
    }
    assert_ok(hrr_link_pairs_init(&pairs, graph, nodes, 30, true, NULL));
    double *scores = malloc(pairs.n * sizeof *scores);
    for (uint64_t p = 0; p < pairs.n; p++) {
        double xy = 0, xx = 0, yy = 0;
        for (int k = 0; k < 4; k++) {
            const double x =
                hrr_dense_get(hrr_graph_features(graph), pairs.i[p], (uint64_t)k) - centre[k];
            const double y =
                hrr_dense_get(hrr_graph_features(graph), pairs.j[p], (uint64_t)k) - centre[k];
            xy += x * y, xx += x * x, yy += y * y;
        }
        scores[p] = xy / sqrt(xx) / sqrt(yy);
    }
    assert_ok(hrr_link_measure(&wanted, &pairs, scores, NULL));
    assert_true(fabs(wanted.auc - mean[HRR_LINKS_ATTRIBUTES].auc) < 1e-9);
    free(scores);
    hrr_link_pairs_clear(&pairs);
    hrr_model_free(model);
    hrr_release_free(served);
    hrr_graph_free(graph);
}

/* A model that has learnt its training nodes by heart gives them away. */
static void test_membership__is_seen_where_a_model_overfits(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(200, HRR_F32, 40, 1, 3, false, 2); /* labels are noise */
    hrr_train_options options;
    hrr_model *heart, *fresh;
    hrr_membership_result seen, unseen;
    hrr_release *served = reference_of(graph);
    const hrr_predict_options how = {.size = sizeof(hrr_predict_options), .threads = 1};
    hrr_train_options_init(&options);
    options.arch = HRR_ARCH_MLP;
    options.patience = 0;
    options.dropout = 0;
    options.weight_decay = 0;
    options.threads = 1;
    assert_ok(train_on(&heart, NULL, graph, &options, NULL, NULL));
    options.epochs = 1;
    options.learning_rate = 1e-9;
    assert_ok(train_on(&fresh, NULL, graph, &options, NULL, NULL));
    assert_ok(hrr_membership(&seen, heart, served, &how, NULL, NULL));
    assert_ok(hrr_membership(&unseen, fresh, served, &how, NULL, NULL));
    assert_int_equal(seen.n_members, 100);
    assert_int_equal(seen.n_others, 49); /* the last node has no label */
    assert_true(seen.auc_label > .9 && seen.advantage > .6);
    assert_true(seen.auc_confidence > .6);
    /* 100 against 49: three deviations of an AUC without signal are .15 */
    assert_true(fabs(unseen.auc_label - .5) < .15);
    hrr_model_free(heart);
    hrr_model_free(fresh);
    hrr_release_free(served);
    hrr_graph_free(graph);
}

static void test_membership__needs_split_and_labels(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(40, HRR_F32, 9, 1, 3, false, 2), *bare = empty_graph(40);
    hrr_graph *several = small_graph(40, HRR_F32, 9, 1, 3, true, 2);
    hrr_model *model = model_of(&kinds[0], graph), *multi = model_of(&kinds[4], several);
    hrr_release *no_split = reference_of(bare), *many = reference_of(several);
    const hrr_predict_options how = {.size = sizeof(hrr_predict_options), .threads = 1};
    hrr_membership_result r;
    hrr_error err = {0};
    assert_int_equal(hrr_membership(&r, model, no_split, &how, NULL, &err), HRR_EDATA);
    assert_says(err, "no split");
    assert_ok(hrr_membership(&r, multi, many, &how, NULL, NULL));
    assert_true(r.auc_label >= 0 && r.auc_label <= 1);
    hrr_model_free(model);
    hrr_model_free(multi);
    hrr_release_free(no_split);
    hrr_release_free(many);
    hrr_graph_free(graph);
    hrr_graph_free(bare);
    hrr_graph_free(several);
}

typedef struct both {
    hrr_graph *graph;
    hrr_release *served;
    hrr_model *model;
} both;

static hrr_status links(void *user)
{
    const both *b = user;
    hrr_linkteller_options options;
    hrr_link_quality mean[HRR_LINK_ATTACKS], deviation[HRR_LINK_ATTACKS];
    uint64_t count;
    hrr_link_verdict verdict;
    hrr_linkteller_options_init(&options);
    options.n_samples = 20;
    options.runs = 1;
    options.seed = 7;
    options.threads = 1;
    return hrr_links(mean, deviation, &verdict, &count, b->model, b->served, b->graph, &options,
                     NULL, NULL);
}

static hrr_status membership(void *user)
{
    const both *b = user;
    hrr_membership_result r;
    return hrr_membership(&r, b->model, b->served,
                          &(hrr_predict_options){.size = sizeof(hrr_predict_options), .threads = 1},
                          NULL, NULL);
}

static void test_links__survive_every_failed_allocation(void **state)
{
    (void)state;
    both b = {.graph = graph_for(&kinds[0], 40)};
    assert_ok(hrr_graph_mark_fraction(b.graph, .4, 1, NULL));
    hrr_train_options quick;
    hrr_train_options_init(&quick);
    quick.epochs = 2;
    quick.threads = 1;
    assert_ok(train_on(&b.model, NULL, b.graph, &quick, NULL, NULL));
    b.served = reference_of(b.graph);
    assert_true(brutal(links, &b) > 20);
    assert_true(brutal(membership, &b) > 5);
    hrr_model_free(b.model);
    hrr_release_free(b.served);
    hrr_graph_free(b.graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links__every_attack_beats_a_guess),
        cmocka_unit_test(test_links__attributes_are_correlated_by_the_definition),
        cmocka_unit_test(test_membership__is_seen_where_a_model_overfits),
        cmocka_unit_test(test_membership__needs_split_and_labels),
        cmocka_unit_test(test_links__survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
