/* test_report_model.c: what reports of a head say about classes: the confusion is found through the
 * noise, evidence helps where the head knows something, and weighs nothing where it does not. */
#include "learn/report_terms.h"
#include "base/memory.h"
#include "random/fast.h"
#include "support/brutal.h"
#include "support/graphs.h"

#include <math.h>
#include <string.h>

enum { n = 3000, n_classes = 3 };

typedef struct world {
    hrr_graph *graph;
    hrr_reports reports;
    hrr_dense logits; /* of a model that knows nothing */
} world;

/* Nodes of a ring whose pieces of 50 are of one class; a head that is right with probability
 * `right`; k-ary randomised response of its answer with eps. several: the labels are the bits "is
 * of class c", and reports are of labels. */
static world make(double right, double eps, bool several, uint64_t seed)
{
    world w = {.graph = empty_graph(n)};
    hrr_fast_random random;
    hrr_edge_list edges;
    hrr_dense labels;
    uint8_t *split = hrr_alloc(n, 1);
    int32_t *classes = hrr_alloc(n, sizeof *classes);
    hrr_fast_init(&random, seed, 0);
    assert_ok(hrr_edge_list_init(&edges, n, false, NULL));
    assert_ok(hrr_dense_init(&labels, HRR_U8, n, n_classes, NULL));
    assert_ok(hrr_dense_init(&w.logits, HRR_F32, n, n_classes, NULL));
    memset(w.logits.data, 0, (size_t)n * n_classes * sizeof(float));
    w.reports = (hrr_reports){.n_nodes = n,
                              .n_answers = n_classes,
                              .report_size = several ? 0 : 1,
                              .named = hrr_alloc_zero(n, n_classes),
                              .log_ratio = hrr_alloc(n_classes, sizeof(double))};
    for (int c = 0; c < n_classes; c++)
        w.reports.log_ratio[c] = eps;
    for (uint32_t i = 0; i < n; i++) {
        edges.source[i] = i, edges.target[i] = (i + 1) % n;
        classes[i] = (int32_t)(i / 50 % n_classes);
        const double part = hrr_fast_uniform(&random);
        split[i] = part < .2 ? HRR_TRAIN : part < .4 ? HRR_VALID : HRR_TEST;
        int answer = classes[i];
        if (hrr_fast_uniform(&random) >= right) answer = (int)(hrr_fast_uniform(&random) * 3);
        int said = answer;
        if (hrr_fast_uniform(&random) >= (exp(eps) - 1) / (exp(eps) + 2))
            said = (int)(hrr_fast_uniform(&random) * 3);
        for (int c = 0; c < n_classes; c++) {
            const bool keeps = hrr_fast_uniform(&random) < exp(eps) / (1 + exp(eps));
            ((uint8_t *)labels.data)[i * n_classes + c] = classes[i] == c;
            w.reports.named[i * n_classes + c] =
                several ? (answer == c) == keeps : (uint8_t)(said == c);
        }
    }
    assert_ok(hrr_graph_take_edges(w.graph, &edges, NULL, 0, NULL, NULL));
    assert_ok(hrr_graph_take_split(w.graph, &split, NULL));
    if (several)
        assert_ok(hrr_graph_take_label_matrix(w.graph, &labels, NULL));
    else
        assert_ok(hrr_graph_take_classes(w.graph, &classes, n_classes, NULL));
    hrr_free(classes);
    hrr_dense_clear(&labels);
    return w;
}

static void clear(world *w)
{
    hrr_graph_free(w->graph);
    hrr_free(w->reports.named);
    hrr_free(w->reports.log_ratio);
    hrr_dense_clear(&w->logits);
}

/* AUC of test nodes after fusion. */
static double fused_auc(hrr_report_model *model, world *w)
{
    hrr_metrics found;
    assert_ok(hrr_report_model_fit(model, &w->logits, &w->reports, w->graph, 0, 2, NULL, NULL));
    assert_ok(hrr_report_model_apply(&w->logits, model, &w->reports, w->graph, 2, NULL, NULL));
    assert_ok(hrr_measure(&found, &w->logits, hrr_graph_classes(w->graph),
                          hrr_graph_label_matrix(w->graph), 0, hrr_graph_split(w->graph), HRR_TEST,
                          NULL));
    return found.auc;
}

/* P(h | c) is .6 + .4/3 on the diagonal and .4/3 beside it; 1200 known nodes, a third each, seen
 * through eps 1.5: a standard error of about .06 (fixed seed). */
static void test_reports__confusion_is_found_through_the_noise(void **state)
{
    (void)state;
    world w = make(.6, 1.5, false, 1);
    hrr_report_model model;
    assert_ok(hrr_report_model_fit(&model, &w.logits, &w.reports, w.graph, 0, 1, NULL, NULL));
    assert_int_equal(model.confusion.rows, n_classes);
    for (int c = 0; c < n_classes; c++) {
        double total = 0;
        for (int h = 0; h < n_classes; h++) {
            const double p = ((const double *)model.confusion.data)[c * n_classes + h];
            total += p;
            assert_true(fabs(p - (h == c ? .6 : 0) - .4 / 3) < .15);
        }
        assert_true(fabs(total - 1) < 1e-9);
    }
    hrr_report_model_clear(&model);
    clear(&w);
}

static void test_reports__far_evidence_tells_more_than_a_nodes_own(void **state)
{
    (void)state;
    for (int several = 0; several < 2; several++) {
        world w = make(.6, 1, several, 2);
        hrr_report_model model;
        const double auc = fused_auc(&model, &w);
        /* Own reports alone reach about .6; with those of the 8 nearest .75 and more. */
        assert_true(auc > .68);
        assert_true(model.weight_model == 1);
        assert_true(model.weight[1] + model.weight[2] + model.weight[3] > .2);
        hrr_report_model_clear(&model);
        clear(&w);
    }
}

static void test_reports__of_a_head_that_knows_nothing_change_little(void **state)
{
    (void)state;
    world w = make(0, 2, false, 3);
    hrr_report_model model;
    const double auc = fused_auc(&model, &w);
    assert_true(fabs(auc - .5) < .05);
    hrr_report_model_clear(&model);
    clear(&w);
}

/* Labels of class 0 and 1 of twelve nodes each, and none of class 2: that the head means what it
 * says is learnt from the others. */
static void test_reports__a_head_means_what_it_says_where_labels_are_few(void **state)
{
    (void)state;
    for (int several = 0; several < 2; several++) {
        world w = make(.9, 3, several, 5);
        hrr_report_model model;
        uint8_t *split = hrr_alloc(n, 1);
        for (int i = 0; i < n; i++) /* every 25th node of the first 600 that are not of class 2 */
            split[i] =
                i < 600 * (1 + several) && i % 25 == 0 && i / 50 % 3 < 2 ? HRR_TRAIN : HRR_TEST;
        assert_ok(hrr_graph_take_split(w.graph, &split, NULL));
        assert_ok(hrr_report_model_fit(&model, &w.logits, &w.reports, w.graph, 0, 1, NULL, NULL));
        const double *p = model.confusion.data;
        for (int c = 0; c < n_classes; c++)
            for (int h = 0; h < n_classes && !several; h++)
                assert_true(h == c || p[c * n_classes + c] > p[c * n_classes + h] + .2);
        for (int c = 0; c < n_classes && several; c++) /* yes to c of those that have it, or not */
            assert_true(p[c * n_classes + c] > p[(n_classes + c) * n_classes + c] + .2);
        hrr_report_model_clear(&model);
        clear(&w);
    }
}

/* Answers that are the names of other classes: a model that trusts them would be worse than none.
 */
static void test_reports__of_a_head_with_other_names_are_learnt(void **state)
{
    (void)state;
    world w = make(.8, 2, false, 6);
    hrr_report_model model;
    for (int i = 0; i < n; i++) {
        uint8_t *named = w.reports.named + i * n_classes;
        const uint8_t first = named[0];
        named[0] = named[1], named[1] = named[2], named[2] = first;
    }
    assert_ok(hrr_report_model_fit(&model, &w.logits, &w.reports, w.graph, 0, 1, NULL, NULL));
    const double *p = model.confusion.data;
    for (int c = 0; c < n_classes; c++)
        assert_true(p[c * n_classes + (c + 2) % 3] > .6);
    hrr_report_model_clear(&model);
    clear(&w);
}

/* What silent nodes would have said is nowhere in the model; without any report nothing changes. */
static void test_reports__that_are_silent_say_nothing(void **state)
{
    (void)state;
    for (int several = 0; several < 2; several++) {
        world w = make(.8, 2, several, 7);
        hrr_report_model model;
        for (int i = 0; i < n; i++)
            memset(w.reports.named + i * n_classes, HRR_REPORT_SILENT, i % 2 ? n_classes : 0);
        assert_ok(hrr_report_model_fit(&model, &w.logits, &w.reports, w.graph, 0, 1, NULL, NULL));
        const double *p = model.confusion.data;
        for (int c = 0; c < n_classes; c++) /* .8 + .2/3, from 200 nodes */
            assert_true(fabs(p[c * n_classes + c] - .867) < .15);
        hrr_report_model_clear(&model);
        memset(w.reports.named, HRR_REPORT_SILENT, n * n_classes);
        assert_ok(hrr_report_model_fit(&model, &w.logits, &w.reports, w.graph, 0, 1, NULL, NULL));
        assert_ok(hrr_report_model_apply(&w.logits, &model, &w.reports, w.graph, 1, NULL, NULL));
        const float *score = w.logits.data;
        for (int i = 0; i < n * n_classes; i++)
            assert_true(fabsf(score[i] - score[0]) < 1e-5f);
        hrr_report_model_clear(&model);
        clear(&w);
    }
}

static void test_reports__of_another_shape_are_refused(void **state)
{
    (void)state;
    world w = make(.6, 2, false, 4);
    hrr_report_model model;
    hrr_error err;
    assert_ok(hrr_report_model_fit(&model, &w.logits, &w.reports, w.graph, 0, 1, NULL, NULL));
    hrr_reports others = w.reports;
    others.n_answers = 2;
    assert_int_equal(hrr_report_model_apply(&w.logits, &model, &others, w.graph, 1, NULL, &err),
                     HRR_EDATA);
    assert_says(err, "3 answers");
    others.n_nodes = 5;
    hrr_report_model none;
    assert_int_equal(hrr_report_model_fit(&none, &w.logits, &others, w.graph, 0, 1, NULL, &err),
                     HRR_EDATA);
    hrr_report_model_clear(&model);
    clear(&w);
}

static hrr_status fit_once(void *user)
{
    world *w = user;
    hrr_report_model model;
    hrr_status status =
        hrr_report_model_fit(&model, &w->logits, &w->reports, w->graph, 0, 1, NULL, NULL);
    if (!status)
        status = hrr_report_model_apply(&w->logits, &model, &w->reports, w->graph, 1, NULL, NULL);
    hrr_report_model_clear(&model);
    return status;
}

static void test_reports__survive_without_memory(void **state)
{
    (void)state;
    world w = make(.6, 2, false, 5);
    assert_true(brutal(fit_once, &w) > 15);
    clear(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reports__confusion_is_found_through_the_noise),
        cmocka_unit_test(test_reports__far_evidence_tells_more_than_a_nodes_own),
        cmocka_unit_test(test_reports__of_a_head_that_knows_nothing_change_little),
        cmocka_unit_test(test_reports__a_head_means_what_it_says_where_labels_are_few),
        cmocka_unit_test(test_reports__of_a_head_with_other_names_are_learnt),
        cmocka_unit_test(test_reports__that_are_silent_say_nothing),
        cmocka_unit_test(test_reports__of_another_shape_are_refused),
        cmocka_unit_test(test_reports__survive_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
